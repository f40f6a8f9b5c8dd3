"""Sixty more requests in people's own words, with what must hold: written before any was tried."""

from pptx.enum.chart import XL_CHART_TYPE as K
from pptx.oxml.ns import qn
from tests.editor.plain_deck import (
    Check,
    about,
    alt,
    bullets,
    can,
    cannot,
    cell,
    chart,
    color,
    every,
    fill,
    font,
    footer,
    gone,
    hidden,
    link,
    new_title,
    notes,
    order,
    place,
    runs_of,
    shape_of,
    size,
    slide_number,
    slide_of,
    table,
    text,
    transition,
)
from tests.editor.plain_requests import ACME


def layout(number, wanted):
    return Check(
        lambda d: slide_of(d, number).slide_layout.name == wanted, about(number, "title", "body")
    )


def words(number, name, wanted):
    """The text but for how many spaces stand in it."""
    return Check(
        lambda d: shape_of(d, number, name).text_frame.text.split() == wanted.split(),
        about(number, name),
    )


def no_marks(number, name):
    """No line states a bullet, each that there is none."""

    def holds(deck):
        lines = shape_of(deck, number, name).text_frame.paragraphs
        return all(
            p._p.pPr is not None and p._p.pPr.find(qn("a:buNone")) is not None for p in lines
        )

    return Check(holds, about(number, name))


def only_word(number, name, word, **wanted):
    """Runs look so where they read ``word``, and nowhere else."""

    def holds(deck):
        ((key, value),) = wanted.items()
        found = {
            r.text.strip() for r in runs_of(deck, number, name) if getattr(r.font, key) is value
        }
        return found == {word}

    return Check(holds, about(number, name))


def bold_column(number):
    def holds(deck):
        rows = shape_of(deck, 4, "Table 1").table.rows
        bold = [
            [bool(one.text_frame.paragraphs[0].runs[0].font.bold) for one in row.cells]
            for row in rows
        ]
        return all([at == number - 1 for at in range(3)] == row for row in bold)

    return Check(holds, about(4, "Table 1"))


def entrance(number, name):
    """One entrance effect, at a click, of that shape and of no other."""

    def holds(deck):
        slide = slide_of(deck, number)
        effects = [
            one for one in slide._element.iter(qn("p:cTn")) if one.get("presetClass") == "entr"
        ]
        targets = {int(one.get("spid")) for one in slide._element.iter(qn("p:spTgt"))}
        return [one.get("nodeType") for one in effects] == ["clickEffect"] and targets == {
            shape_of(deck, number, name).shape_id
        }

    return Check(holds)


ORDINARY = [
    # slides
    can("could you drop slides 6 and 8 please", order(1, 2, 3, 4, 5, 7, 9, 10)),
    can("I don't need the Roadmap slide any more, delete it", order(1, 2, 3, 4, 5, 6, 7, 9, 10)),
    can("the Outlook slide should come right after Markets", order(1, 2, 3, 4, 5, 6, 9, 7, 8, 10)),
    can("slide 10 should be second", order(1, 10, 2, 3, 4, 5, 6, 7, 8, 9)),
    can("move slides 2 and 3 to the end", order(1, 4, 5, 6, 7, 8, 9, 10, 2, 3)),
    can("make three copies of slide 4", order(1, 2, 3, 4, None, None, None, 5, 6, 7, 8, 9, 10)),
    can("copy the last slide twice", order(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, None, None)),
    can("skip slide 3 in the show", hidden(3)),
    can(
        "insert a blank slide called Break after slide 5",
        order(1, 2, 3, 4, 5, None, 6, 7, 8, 9, 10),
        new_title(6, "Break"),
    ),
    can(
        "add a new slide 'Budget' before slide 8",
        order(1, 2, 3, 4, 5, 6, 7, None, 8, 9, 10),
        new_title(8, "Budget"),
    ),
    can("slide 9 should use the Title Only layout", layout(9, "Title Only")),
    # words
    can("give slide 7 the heading What could go wrong", text(7, "title", "What could go wrong")),
    can("heading of slide 6: Where we sell", text(6, "title", "Where we sell")),
    can("on slide 4 the title should read The people", text(4, "title", "The people")),
    can("swap Apple for Acme in the titles", text(1, "title", "Acme annual review")),
    can("replace every apple with Acme, whether upper or lower case", *ACME),
    can(
        "replace 'row' with 'raw' even inside words",
        text(6, "right", "Grawth of 4 %\nGrawth of 9 %"),
    ),
    can(
        "get rid of the word Serious on slide 7",
        words(7, "body", "Apple depends on few suppliers delays Costs for us"),
    ),
    can(
        "In the agenda, change Results to Achievements",
        bullets(2, "body", "Achievements", "Markets", "Outlook"),
    ),
    can(
        "add two bullets to slide 9: 'New logo' and 'New office'",
        bullets(9, "body", "Apple opens two stores", "We hire 20 people", "New logo", "New office"),
    ),
    can("no bullets on slide 2", no_marks(2, "body")),
    # looks
    can(
        "make the titles green, but not on slide 1",
        every(lambda n: color(n, "title", "008000"), range(2, 11)),
    ),
    can(
        "use the second accent colour for all the headings",
        every(lambda n: color(n, "title", "ACCENT2")),
    ),
    can(
        "turn all text on the last slide dark red",
        color(10, "title", "8B0000"),
        color(10, "Questions", "8B0000"),
    ),
    can("titles in Verdana please", every(lambda n: font(n, "title", name="Verdana"))),
    can(
        "text on slide 7 in italics",
        font(7, "title", italic=True),
        font(7, "body", italic=True),
        font(7, "Stamp", italic=True),
    ),
    can("underline the word Asia on slide 6", only_word(6, "body", "Asia", underline=True)),
    can("the Plan box should be yellow", fill(8, "Plan box", "FFFF00")),
    # things
    can("delete the Ship box", gone(8, "Ship box")),
    can("take the picture off slide 5", gone(5, "Photo")),
    can("make the photo 20% larger", size(5, "Photo", factor=1.2)),
    can("put the picture in the top left corner", place(5, "Photo", left=0, top=0)),
    can("centre the picture on slide 5 vertically", place(5, "Photo", top=2.25)),
    can(
        "describe the photo on slide 5 as 'Our new phone on a desk'",
        alt(5, "Photo", "Our new phone on a desk"),
    ),
    can("in the table, Oslo becomes Bergen", cell(4, 3, "Bergen")),
    can("change Bob Ray's office to Rome", cell(3, 3, "Rome")),
    can(
        "add a column 'Since' with 2015, 2018, 2021 to the table",
        table(
            ("Name", "Role", "Office", "Since"),
            ("Ann Lee", "CEO", "London", "2015"),
            ("Bob Ray", "CFO", "Paris", "2018"),
            ("Cy Dunn", "Sales at Apple", "Oslo", "2021"),
        ),
    ),
    can("make the first column of the table bold", bold_column(1)),
    can(
        "delete the row of Cy Dunn",
        table(
            ("Name", "Role", "Office"), ("Ann Lee", "CEO", "London"), ("Bob Ray", "CFO", "Paris")
        ),
    ),
    can("show the chart as a pie", chart(kind=(K.PIE,))),
    can("call the chart Sales by region", chart(title="Sales by region")),
    can("North in 2024 was 4.5, fix that in the chart", chart(value=("2024", "North", 4.5))),
    # around
    can("take the notes off slide 9", notes(9, "")),
    can("switch on slide numbers", every(slide_number)),
    can(
        "footer on slides 2-5: Internal draft",
        every(lambda n: footer(n, "Internal draft"), range(2, 6)),
    ),
    can("let all slides fade in", every(lambda n: transition(n, "fade"))),
    can("let the picture on slide 5 fly in when I click", entrance(5, "Photo")),
    can("make the Plan box jump to slide 9", link(8, "Plan box", slide=9)),
    # not to be called done
    cannot("I'd like the titles a bit smaller"),
    cannot("make the picture nicer"),
    cannot("shorten the bullets on slide 7"),
    cannot("make slide 3 pop"),
    cannot("delete the bullet about money"),
    cannot("swap slide 2 with slide 20"),
    cannot("move the picture on slide 2 to the left"),
    cannot("replace the photo with a newer one"),
    cannot("set the title to something catchy"),
    cannot("put the boxes on slide 8 in a circle"),
    cannot("make the chart bigger and put it on slide 5"),
    cannot("explain the numbers on slide 3 in the notes"),
]
