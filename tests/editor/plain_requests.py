"""Requests in plain words, with what must hold afterwards: written before the reader they try."""

from pptx.enum.chart import XL_CHART_TYPE as K
from tests.editor.plain_deck import (
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
    can("swap the second and the third slide", order(1, 3, 2, 4, 5, 6, 7, 8, 9, 10)),
    can("delete the last two slides", order(1, 2, 3, 4, 5, 6, 7, 8)),
    can("remove the first slide", order(2, 3, 4, 5, 6, 7, 8, 9, 10)),
    can("Please delete slide four.", order(1, 2, 3, 5, 6, 7, 8, 9, 10)),
    can("get rid of slides 8 to 10", order(1, 2, 3, 4, 5, 6, 7)),
    can("delete every slide except 1 and 2", order(1, 2)),
    can("move the last slide to the front", order(10, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
    can("move slide 2 to the end", order(1, 3, 4, 5, 6, 7, 8, 9, 10, 2)),
    can("put slide 9 before slide 3", order(1, 2, 9, 3, 4, 5, 6, 7, 8, 10)),
    can("move the Roadmap slide after the agenda", order(1, 2, 8, 3, 4, 5, 6, 7, 9, 10)),
    can("reverse the order of the slides", order(10, 9, 8, 7, 6, 5, 4, 3, 2, 1)),
    can("duplicate the second slide", order(1, 2, None, 3, 4, 5, 6, 7, 8, 9, 10), copy_of(3, 2)),
    can(
        "make a copy of slide 7 at the end",
        order(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, None),
        copy_of(11, 7),
    ),
    can("hide slides 4 and 5", hidden(4), hidden(5)),
    can("hide the last slide", hidden(10)),
    can(
        "add a new slide after slide 2 with the title Goals",
        order(1, 2, None, 3, 4, 5, 6, 7, 8, 9, 10),
        new_title(3, "Goals"),
    ),
    can(
        "add a slide at the end titled 'Contact us'",
        order(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, None),
        new_title(11, "Contact us"),
    ),
    # titles and texts
    can("change the title on slide 3 to Built to last", text(3, "title", "Built to last")),
    can("set the title of the first slide to Acme in 2026", text(1, "title", "Acme in 2026")),
    can("rename slide 8 to 'The way ahead'", text(8, "title", "The way ahead")),
    can("the title of slide 10 should be Thanks!", text(10, "title", "Thanks!")),
    can("change the subtitle to Prepared by Ann Lee", text(1, "body", "Prepared by Ann Lee")),
    can("retitle the last slide: Goodbye", text(10, "title", "Goodbye")),
    can("replace Apple with Acme everywhere", *ACME),
    can("change every 'Apple' to 'Acme'", *ACME),
    can("rename Apple to Acme in the whole deck", *ACME),
    can(
        "replace 'us' with 'you'",
        text(7, "body", "Apple depends on few suppliers\nSerious delays\nCosts for you"),
    ),
    can(
        "replace Apple by Acme on slide 7",
        text(7, "body", "Acme depends on few suppliers\nSerious delays\nCosts for us"),
    ),
    can(
        "substitute 'Outlook' for 'Markets' on slide 2",
        bullets(2, "body", "Results", "Outlook", "Outlook"),
    ),
    can("change Confidential to Internal on slide 7", text(7, "Stamp", "Internal")),
    can(
        "add a bullet 'Questions' to slide 2",
        bullets(2, "body", "Results", "Markets", "Outlook", "Questions"),
    ),
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
    can(
        "remove the last bullet on slide 7",
        bullets(7, "body", "Apple depends on few suppliers", "Serious delays"),
    ),
    can("delete the second bullet point of slide 2", bullets(2, "body", "Results", "Outlook")),
    can("make the title of slide 2 uppercase", text(2, "title", "AGENDA")),
    can(
        "put all titles in capital letters",
        every(lambda n: text(n, "title", TITLES[n - 1].upper())),
    ),
    can("delete the subtitle text on slide 1", text(1, "body", "")),
    can(
        "set the caption on slide 5 to 'Figure 1: model B'", text(5, "Caption", "Figure 1: model B")
    ),
    # bold, italic, underlined
    can("make all slide titles bold", every(lambda n: font(n, "title", bold=True))),
    can("bold the titles", every(lambda n: font(n, "title", bold=True))),
    can(
        "make the titles bold except the first",
        every(lambda n: font(n, "title", bold=True), range(2, 11)),
    ),
    can("make the title on slide 4 italic", font(4, "title", italic=True)),
    can(
        "italicise all text on slide 9", font(9, "title", italic=True), font(9, "body", italic=True)
    ),
    can("underline the title of the last slide", font(10, "title", underline=True)),
    can(
        "make the body text on slides 2 and 7 bold",
        font(2, "body", bold=True),
        font(7, "body", bold=True),
    ),
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
    can(
        "make the title on slide 2 bold and red",
        font(2, "title", bold=True),
        color(2, "title", "FF0000"),
    ),
    can("make the table header bold", cells_font([1], bold=True)),
    # size
    can("make the titles 2 points bigger", every(lambda n: font(n, "title", size=TITLE_SIZE + 2))),
    can("make the title on slide 6 4 pt smaller", font(6, "title", size=TITLE_SIZE - 4)),
    can("set the font size of the body text on slide 2 to 24", font(2, "body", size=24)),
    can("set all titles to 36pt", every(lambda n: font(n, "title", size=36))),
    can("use 20 point text for the body of slide 7", font(7, "body", size=20)),
    can(
        "increase the font size of the caption on slide 5 to 24 points", font(5, "Caption", size=24)
    ),
    can("titles should be size 40", every(lambda n: font(n, "title", size=40))),
    # colour
    can("make the titles dark blue", every(lambda n: color(n, "title", "00008B"))),
    can("colour the title on slide 5 green", color(5, "title", "008000", "00FF00")),
    can("change the title color on slide 8 to #336699", color(8, "title", "336699")),
    can(
        "make all text on slide 10 grey",
        color(10, "title", "808080"),
        color(10, "Questions", "808080"),
    ),
    can("use accent 2 for all titles", every(lambda n: color(n, "title", "ACCENT2"))),
    can("paint the box 'Plan box' orange", fill(8, "Plan box", "FFA500")),
    can(
        "make the rectangles on slide 8 light green",
        *(fill(8, f"{one} box", "90EE90") for one in ("Plan", "Build", "Ship")),
    ),
    can("set the background of slide 1 to navy", background(1, "000080")),
    can("give all slides a light grey background", every(lambda n: background(n, "D3D3D3"))),
    # font and alignment
    can("set the font of all titles to Georgia", every(lambda n: font(n, "title", name="Georgia"))),
    can("use Arial on slide 2", font(2, "title", name="Arial"), font(2, "body", name="Arial")),
    cannot("centre the title on slide 3"),  # it stands in the middle already
    can("left-align all titles", every(lambda n: align(n, "title", "left"))),
    can("right align the caption on slide 5", align(5, "Caption", "right")),
    can("center the body text on the agenda slide", align(2, "body", "center")),
    # pictures and shapes
    can("remove the picture on slide 5", gone(5, "Photo")),
    can("delete the image from slide 5", gone(5, "Photo")),
    can("delete the text box on slide 7", gone(7, "Stamp")),
    can("delete the shape 'Ship box'", gone(8, "Ship box")),
    can("make the picture on slide 5 half as big", size(5, "Photo", factor=0.5)),
    can("resize the picture on slide 5 to 6 inches wide", size(5, "Photo", width=6, height=4.5)),
    can("move the picture on slide 5 to the left by 1 inch", place(5, "Photo", left=2, top=2)),
    can("move the caption on slide 5 down half an inch", place(5, "Caption", top=6.0)),
    can("center the picture on slide 5 horizontally", place(5, "Photo", left=3)),
    can("set the alt text of the picture on slide 5 to 'Model B'", alt(5, "Photo", "Model B")),
    can("remove the confidential stamp on slide 7", gone(7, "Stamp")),
    # table and chart
    can("set row 2 column 3 of the table to Berlin", cell(2, 3, "Berlin")),
    can("change Paris to Rome in the table on slide 4", cell(3, 3, "Rome")),
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
        "delete the third row of the table",
        table(
            ("Name", "Role", "Office"),
            ("Ann Lee", "CEO", "London"),
            ("Cy Dunn", "Sales at Apple", "Oslo"),
        ),
    ),
    can(
        "remove the last column from the table on slide 4",
        table(
            ("Name", "Role"), ("Ann Lee", "CEO"), ("Bob Ray", "CFO"), ("Cy Dunn", "Sales at Apple")
        ),
    ),
    can("change the chart on slide 3 to a bar chart", chart(kind=(K.BAR_CLUSTERED,))),
    can("turn the chart into a line chart", chart(kind=(K.LINE, K.LINE_MARKERS))),
    can("set the chart title on slide 3 to 'Revenue, million'", chart(title="Revenue, million")),
    can("change the value of South in 2025 to 6 in the chart", chart(value=("2025", "South", 6.0))),
    # notes, links, numbers, transitions
    can("delete the notes on slide 9", notes(9, "")),
    can("add the note Ask for questions to the last slide", notes(10, "Ask for questions")),
    can(
        "set the speaker notes of slide 3 to Start with the north", notes(3, "Start with the north")
    ),
    can("remove all speaker notes", notes(9, "")),
    can("number the slides", every(slide_number)),
    can("add page numbers to all slides except the first", every(slide_number, range(2, 11))),
    can("add a footer saying Draft", every(lambda n: footer(n, "Draft"))),
    can(
        "put the footer Internal on slides 2 to 4",
        every(lambda n: footer(n, "Internal"), (2, 3, 4)),
    ),
    can("add a fade transition to every slide", every(lambda n: transition(n, "fade"))),
    can("use the push transition on slide 2", transition(2, "push")),
    can(
        "link the picture on slide 5 to https://example.org",
        link(5, "Photo", "https://example.org"),
    ),
    can("link 'Questions' on slide 10 to slide 2", link(10, "Questions", slide=2)),
    # several at once
    can(
        "delete slide 3 and make the titles bold",
        order(1, 2, 4, 5, 6, 7, 8, 9, 10),
        every(lambda n: font(n, "title", bold=True), (1, 2, 4, 5, 6, 7, 8, 9, 10)),
    ),
    can("delete slide 2 and delete slide 4", order(1, 3, 5, 6, 7, 8, 9, 10)),
    can(
        "move slide 5 to the front and then hide slide 2",
        order(5, 1, 2, 3, 4, 6, 7, 8, 9, 10),
        hidden(2),
    ),
    can(
        "change the title of slide 2 to Plan and make it italic",
        text(2, "title", "Plan"),
        font(2, "title", italic=True),
    ),
    can("delet slide 6", order(1, 2, 3, 4, 5, 7, 8, 9, 10)),
    can("make al titels bold", every(lambda n: font(n, "title", bold=True))),
    # not to be called done
    cannot("make it look better"),
    cannot("translate the deck to German"),
    cannot("delete slide 14"),
    cannot("remove the picture on slide 2"),
    cannot("make the title bigger and smaller"),
    cannot("replace Pear with Plum"),
    cannot("move slide 3"),
    cannot("summarise slide 7 in one sentence"),
    cannot("delete the box on slide 8"),
    cannot("add a picture of a cat to slide 5"),
    cannot("do not delete slide 3"),
]
