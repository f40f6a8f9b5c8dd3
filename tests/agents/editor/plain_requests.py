"""Requests in plain words, with what must hold afterwards: written before the reader they try."""

from pptx.enum.chart import XL_CHART_TYPE as K
from tests.agents.editor.plain_deck import (
    TITLES,
    Check,
    about,
    align,
    alt,
    background,
    bullets,
    can,
    cannot,
    cell,
    cells_font,
    chart,
    color,
    copy_of,
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
    size,
    slide_number,
    table,
    text,
    transition,
)

TITLE_SIZE = 44
ACME = (
    text(1, "title", "Acme annual review"),
    cell(4, 2, "Sales at Acme"),
    text(7, "body", "Acme depends on few suppliers\nSerious delays\nCosts for us"),
    text(9, "body", "Acme opens two stores\nWe hire 20 people"),
    notes(9, "Mention the new Acme store"),
    alt(5, "Photo", "The Acme product on a table"),
)


def only_word_bold(number, name, word):
    """Runs are bold where they read ``word``, and nowhere else."""

    def holds(deck):
        bold = {run.text.strip() for run in runs_of(deck, number, name) if run.font.bold}
        return bold == {word}

    return Check(holds, about(number, name))


PLAIN = [
    # slides
    can("swap slides 3 and 5", order(1, 2, 5, 4, 3, 6, 7, 8, 9, 10)),
    can("delete the last two slides", order(1, 2, 3, 4, 5, 6, 7, 8)),
    can("Please delete slide four.", order(1, 2, 3, 5, 6, 7, 8, 9, 10)),
    can("delete every slide except 1 and 2", order(1, 2)),
    can("move slide 2 to the end", order(1, 3, 4, 5, 6, 7, 8, 9, 10, 2)),
    can("move the Roadmap slide after the agenda", order(1, 2, 8, 3, 4, 5, 6, 7, 9, 10)),
    can("duplicate the second slide", order(1, 2, None, 3, 4, 5, 6, 7, 8, 9, 10), copy_of(3, 2)),
    can("hide slides 4 and 5", hidden(4), hidden(5)),
    can(
        "add a new slide after slide 2 with the title Goals",
        order(1, 2, None, 3, 4, 5, 6, 7, 8, 9, 10),
        new_title(3, "Goals"),
    ),
    # titles and texts
    can("change the title on slide 3 to Built to last", text(3, "title", "Built to last")),
    can("rename slide 8 to 'The way ahead'", text(8, "title", "The way ahead")),
    can("change the subtitle to Prepared by Ann Lee", text(1, "body", "Prepared by Ann Lee")),
    can("replace Apple with Acme everywhere", *ACME),
    can("rename Apple to Acme in the whole deck", *ACME),
    can(
        "replace Apple by Acme on slide 7",
        text(7, "body", "Acme depends on few suppliers\nSerious delays\nCosts for us"),
    ),
    can("change Confidential to Internal on slide 7", text(7, "Stamp", "Internal")),
    can(
        "add the bullet point Currency risk to the risks slide",
        bullets(
            7,
            "body",
            "Apple depends on few suppliers",
            "Serious delays",
            "Costs for us",
            "Currency risk",
        ),
    ),
    can("delete the second bullet point of slide 2", bullets(2, "body", "Results", "Outlook")),
    can(
        "put all titles in capital letters",
        every(lambda n: text(n, "title", TITLES[n - 1].upper())),
    ),
    can(
        "set the caption on slide 5 to 'Figure 1: model B'", text(5, "Caption", "Figure 1: model B")
    ),
    # bold, italic, underlined
    can("bold the titles", every(lambda n: font(n, "title", bold=True))),
    can("make the title on slide 4 italic", font(4, "title", italic=True)),
    can("underline the title of the last slide", font(10, "title", underline=True)),
    can(
        "make the word Serious bold on slide 7",
        Check(
            lambda d: (
                any(r.text == "Serious" and r.font.bold for r in runs_of(d, 7, "body"))
                and all(
                    not r.font.bold for r in runs_of(d, 7, "body") if r.text.strip() != "Serious"
                )
            ),
            about(7, "body"),
        ),
    ),
    can("make the table header bold", cells_font([1], bold=True)),
    # size
    can("make the title on slide 6 4 pt smaller", font(6, "title", size=TITLE_SIZE - 4)),
    can("set all titles to 36pt", every(lambda n: font(n, "title", size=36))),
    can(
        "increase the font size of the caption on slide 5 to 24 points", font(5, "Caption", size=24)
    ),
    # colour
    can("make the titles dark blue", every(lambda n: color(n, "title", "00008B"))),
    can("change the title color on slide 8 to #336699", color(8, "title", "336699")),
    can("use accent 2 for all titles", every(lambda n: color(n, "title", "ACCENT2"))),
    can(
        "make the rectangles on slide 8 light green",
        *(fill(8, f"{one} box", "90EE90") for one in ("Plan", "Build", "Ship")),
    ),
    can("give all slides a light grey background", every(lambda n: background(n, "D3D3D3"))),
    # font and alignment
    can("use Arial on slide 2", font(2, "title", name="Arial"), font(2, "body", name="Arial")),
    can("left-align all titles", every(lambda n: align(n, "title", "left"))),
    can("center the body text on the agenda slide", align(2, "body", "center")),
    # pictures and shapes
    can("delete the image from slide 5", gone(5, "Photo")),
    can("delete the shape 'Ship box'", gone(8, "Ship box")),
    can("resize the picture on slide 5 to 6 inches wide", size(5, "Photo", width=6, height=4.5)),
    can("move the caption on slide 5 down half an inch", place(5, "Caption", top=6.0)),
    can("set the alt text of the picture on slide 5 to 'Model B'", alt(5, "Photo", "Model B")),
    # table and chart
    can("set row 2 column 3 of the table to Berlin", cell(2, 3, "Berlin")),
    can(
        "add a row to the table on slide 4 with Di Fox, CTO, Rome",
        table(
            ("Name", "Role", "Office"),
            ("Ann Lee", "CEO", "London"),
            ("Bob Ray", "CFO", "Paris"),
            ("Cy Dunn", "Sales at Apple", "Oslo"),
            ("Di Fox", "CTO", "Rome"),
        ),
    ),
    can(
        "remove the last column from the table on slide 4",
        table(
            ("Name", "Role"), ("Ann Lee", "CEO"), ("Bob Ray", "CFO"), ("Cy Dunn", "Sales at Apple")
        ),
    ),
    can("turn the chart into a line chart", chart(kind=(K.LINE, K.LINE_MARKERS))),
    can("change the value of South in 2025 to 6 in the chart", chart(value=("2025", "South", 6.0))),
    # notes, links, numbers, transitions
    can("add the note Ask for questions to the last slide", notes(10, "Ask for questions")),
    can("remove all speaker notes", notes(9, "")),
    can("add page numbers to all slides except the first", every(slide_number, range(2, 11))),
    can(
        "put the footer Internal on slides 2 to 4",
        every(lambda n: footer(n, "Internal"), (2, 3, 4)),
    ),
    can("use the push transition on slide 2", transition(2, "push")),
    can("link 'Questions' on slide 10 to slide 2", link(10, "Questions", slide=2)),
    # several at once
    can("delete slide 2 and delete slide 4", order(1, 3, 5, 6, 7, 8, 9, 10)),
    can(
        "change the title of slide 2 to Plan and make it italic",
        text(2, "title", "Plan"),
        font(2, "title", italic=True),
    ),
    can("make al titels bold", every(lambda n: font(n, "title", bold=True))),
    # not to be called done
    cannot("translate the deck to German"),
    cannot("remove the picture on slide 2"),
    cannot("replace Pear with Plum"),
    cannot("summarise slide 7 in one sentence"),
    cannot("add a picture of a cat to slide 5"),
]
