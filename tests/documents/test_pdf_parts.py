"""PDF documents that show a part of what they hold, or hold it in parts: clips, crops, tables over
pages; and files that are no readable PDF. Made by reportlab and pypdfium2."""

import re
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from decklab.core.errors import DeckError
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_document
from decklab.documents.sections import document_sections

WIDTH, HEIGHT = A4


def written(path, *pages, size=A4):
    canvas = Canvas(str(path), pagesize=size)
    for page in pages:
        page(canvas)
        canvas.showPage()
    canvas.save()
    return path


def texts(document, kind="paragraph"):
    return [block.text for block in document.blocks if block.kind == kind]


def bars(canvas, x, y):
    for number in range(10):
        canvas.rect(x + 20 * number, y, 14, 10 + 9 * number, fill=1)


def test_of_an_embedded_page_only_what_its_clip_shows_is_a_figure(tmp_path):
    def embedded(canvas):
        canvas.beginForm("page", 0, 0, 500, 800)
        canvas.drawString(60, 700, "A paragraph of the embedded page that nobody sees here.")
        canvas.rect(50, 600, 400, 60)
        canvas.drawString(60, 300, "Figure 1: The caption that the clip hides.")
        bars(canvas, 100, 400)
        canvas.endForm()

    def page(canvas):
        embedded(canvas)
        canvas.saveState()
        canvas.translate(40, -100)
        clip = canvas.beginPath()
        clip.rect(90, 390, 230, 130)
        canvas.clipPath(clip, stroke=0)
        canvas.doForm("page")
        canvas.restoreState()
        canvas.drawString(100, 260, "Figure 2: Bars that grow.")
        canvas.drawString(72, 200, "This text stands on the page itself and is read as it is.")

    document = read_document(written(tmp_path / "a.pdf", page))
    [figure] = document.figures
    assert figure.label == "Figure 2"
    # The bars: 100 to 294 and 400 to 491, moved by (40, -100); the form itself has no clip.
    assert figure.box.top == pytest.approx(HEIGHT - 420, abs=31)
    assert figure.box.bottom <= HEIGHT - 289


def test_text_and_drawings_that_a_clip_hides_are_not_there(tmp_path):
    def page(canvas):
        canvas.drawString(72, 700, "Seen text.")
        canvas.saveState()
        clip = canvas.beginPath()
        clip.rect(72, 500, 200, 50)
        canvas.clipPath(clip, stroke=0)
        canvas.drawString(72, 600, "Hidden text.")
        canvas.drawString(72, 520, "Text in the clip.")
        bars(canvas, 72, 300)
        canvas.restoreState()

    document = read_document(written(tmp_path / "a.pdf", page))
    assert texts(document) == ["Seen text.", "Text in the clip."]
    assert document.figures == ()


def test_text_cropped_off_a_page_is_not_read_and_text_over_its_edge_is(tmp_path):
    def page(canvas):
        canvas.drawString(72, 700, "In the part that is shown.")
        canvas.drawString(72, 300, "Cropped away.")

    path = written(tmp_path / "a.pdf", page)
    assert texts(read_document(path)) == ["In the part that is shown.", "Cropped away."]
    with pypdfium2.PdfDocument(path) as pdf:
        pdf[0].set_cropbox(0, 400, WIDTH, HEIGHT)
        pdf.save(tmp_path / "b.pdf")
    assert texts(read_document(tmp_path / "b.pdf")) == ["In the part that is shown."]


def grid(canvas, top, rows, widths=(150, 100, 100)):
    edges = [100 + sum(widths[:number]) for number in range(len(widths) + 1)]
    for number in range(len(rows) + 1):
        canvas.line(edges[0], top - 18 * number, edges[-1], top - 18 * number)
    for edge in edges:
        canvas.line(edge, top, edge, top - 18 * len(rows))
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            canvas.drawString(edges[column] + 4, top - 13 - 18 * number, text)


def test_a_head_that_no_rule_parts_from_the_first_row_is_read(tmp_path):
    def page(canvas):
        canvas.drawString(100, HEIGHT - 140, "Table 1: Sales.")
        grid(canvas, HEIGHT - 168, [["North", "10.5", "7"], ["South", "12", "8"]])
        for x in (100, 250, 350, 450):
            canvas.line(x, HEIGHT - 150, x, HEIGHT - 168)
        canvas.line(100, HEIGHT - 150, 450, HEIGHT - 150)
        canvas.setStrokeColorRGB(1, 1, 1)
        canvas.setLineWidth(3)
        canvas.line(90, HEIGHT - 168, 460, HEIGHT - 168)
        for x, text in ((104, "Region"), (254, "Sales"), (354, "Costs")):
            canvas.drawString(x, HEIGHT - 163, text)

    [table] = read_document(written(tmp_path / "a.pdf", page)).tables
    assert (table.native, table.rows[:2]) == (True, (tuple(HEAD), ("North", "10.5", "7")))


@pytest.mark.parametrize("between", [False, True])
def test_columns_right_of_a_vertical_rule_end_in_white_stripes(tmp_path, between):
    rows = [
        ["", "sill", "range", "nugget"],
        ["space", "0.86", "558", "14"],
        ["time", "1", "5", "2"],
    ]

    def page(canvas):
        canvas.drawString(100, HEIGHT - 140, "Table 1: Models.")
        for y in (150, 168, 204):
            canvas.line(100, HEIGHT - y, 420, HEIGHT - y)
        canvas.line(180, HEIGHT - 150, 180, HEIGHT - 204)
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                canvas.drawString(104 + 80 * column, HEIGHT - 163 - 18 * number, text)
        if between:
            canvas.drawString(400, HEIGHT - 190, "9")

    [table] = read_document(written(tmp_path / "a.pdf", page)).tables
    assert table.native is not between
    assert between or table.rows == tuple(map(tuple, rows))


def test_an_abstract_in_the_line_of_its_heading_has_it(tmp_path):
    def page(canvas):
        canvas.drawString(72, HEIGHT - 100, "Abstract We present a method of interpolation.")

    document = read_document(written(tmp_path / "a.pdf", page))
    assert texts(document, "heading") == ["Abstract"]
    assert texts(document) == ["We present a method of interpolation."]


def test_a_letter_head_of_two_lines_on_two_pages_is_left_out(tmp_path):
    def page(canvas):
        canvas.drawString(72, HEIGHT - 40, "City of Lindenbach, Roads")
        canvas.drawString(72, HEIGHT - 54, "Ref. 66.2-RV")
        canvas.drawString(72, HEIGHT - 90, ("", "Roads.", "Bridges.")[canvas.getPageNumber()])

    document = read_document(written(tmp_path / "a.pdf", page, page))
    assert texts(document) == ["Roads.", "Bridges."]


HEAD = ["Region", "Sales", "Costs"]
ROWS = [[f"Place {number}", f"{number}.5", f"{2 * number}"] for number in range(1, 61)]


def over_pages(*, repeat, caption, between=""):
    """Sixty rows over two pages."""

    def first(canvas):
        canvas.drawString(100, HEIGHT - 140, "Table 4: Sales and costs of sixty places.")
        grid(canvas, HEIGHT - 150, [HEAD, *ROWS[:32]])

    def second(canvas):
        if caption:
            canvas.drawString(100, HEIGHT - 80, caption)
        if between:
            canvas.drawString(100, HEIGHT - 100, between)
        grid(canvas, HEIGHT - 120, [*[HEAD] * repeat, *ROWS[32:]])
        canvas.drawString(72, 90, "What follows the table is a paragraph of its own on this page.")

    return first, second


@pytest.mark.parametrize("repeat", [True, False])
@pytest.mark.parametrize("caption", ["", "Table 4: (continued)"])
def test_a_table_over_two_pages_is_one(tmp_path, repeat, caption):
    path = written(tmp_path / "a.pdf", *over_pages(repeat=repeat, caption=caption))
    document = read_document(path)
    [table] = document.tables
    assert table.rows == tuple(map(tuple, [HEAD, *ROWS]))
    assert (table.header_rows, table.native, table.page, table.label) == (1, True, 1, "Table 4")
    assert texts(document, "caption") == ["Table 4: Sales and costs of sixty places."]
    assert texts(document) == ["What follows the table is a paragraph of its own on this page."]
    if repeat and not caption:  # drawing takes long
        with Image.open(BytesIO(table.draw())) as picture:
            assert picture.height > 1.5 * picture.width


def test_a_mark_beside_the_number_of_a_row_is_no_doubt(tmp_path):
    rows = [
        ["No.", "What", "Days"],
        *([f"{at}{'*' * (at < 3)}", "Plan", f"{at}"] for at in range(1, 8)),
    ]

    def page(canvas):
        grid(canvas, HEIGHT - 150, rows)

    [table] = read_document(written(tmp_path / "a.pdf", page)).tables
    assert table.native and table.rows == tuple(map(tuple, rows))


@pytest.mark.parametrize("name", ["Place 33", ""])
def test_a_row_of_two_lines_below_a_repeated_head_is_of_the_table(tmp_path, name):
    def first(canvas):
        canvas.drawString(100, HEIGHT - 140, "Table 4: Sales and costs of sixty places.")
        grid(canvas, HEIGHT - 150, [HEAD, *ROWS[:32]])

    def second(canvas):
        for x, text in zip((104, 254, 354), HEAD, strict=True):
            canvas.drawString(x, HEIGHT - 70, text)
        if name:
            canvas.drawString(104, HEIGHT - 85, "Place 33")
            canvas.drawString(354, HEIGHT - 85, "66")
        canvas.drawString(254, HEIGHT - 85, "33.5 and")
        canvas.drawString(254, HEIGHT - 97, "a half")
        grid(canvas, HEIGHT - 110, ROWS[33:])

    [table] = read_document(written(tmp_path / "a.pdf", first, second)).tables
    last = ROWS[31]
    whole = [[name, "33.5 and a half", "66"]] if name else []
    last = last if name else [last[0], f"{last[1]} 33.5 and a half", last[2]]
    assert table.rows == tuple(map(tuple, [HEAD, *ROWS[:31], last, *whole, *ROWS[33:]]))


@pytest.mark.parametrize(
    ("caption", "between"),
    [("Table 5: Sales and costs of other places.", ""), ("", "Another list of places follows.")],
)
def test_another_table_at_the_top_of_the_next_page_is_another(tmp_path, caption, between):
    pages = over_pages(repeat=True, caption=caption, between=between)
    document = read_document(written(tmp_path / "a.pdf", *pages))
    assert [len(table.rows) for table in document.tables] == [33, 29]


def test_a_box_of_justified_text_between_rules_is_no_table(tmp_path):
    lines = [
        ["For the system with the", "stable suite it is a good", "idea to include"],
        ["the address of updates and", "of fixes in the list to get", "all of them as"],
        ["they come out of the works", "of the team that makes them", "for all users"],
    ]

    def page(canvas):
        starts = [72.0]
        for column in range(3):
            widest = max(stringWidth(line[column], "Helvetica", 10) for line in lines)
            starts.append(starts[-1] + widest + 7)
        for y in (700, 655, 645):
            canvas.line(72, y, starts[-1], y)
        canvas.setFont("Helvetica", 10)
        for number, line in enumerate(lines):
            for x, text in zip(starts, line, strict=False):
                canvas.drawString(x, 685 - 12 * number, text)

    assert read_document(written(tmp_path / "a.pdf", page)).tables == ()


def test_a_form_whose_columns_change_is_not_certain(tmp_path):
    def page(canvas):
        canvas.drawString(100, 710, "Table 1: A form.")
        grid(canvas, 700, [["a", "b"], ["c", "d"], ["e", "f"]], (150, 150))
        canvas.line(320, 664, 320, 646)
        canvas.drawString(330, 651, "g")

    [table] = read_document(written(tmp_path / "a.pdf", page)).tables
    assert table.why_not == "its columns change from row to row"


def test_a_file_without_pages_and_a_cut_one_are_named(tmp_path):
    path = written(tmp_path / "a.pdf", lambda canvas: canvas.drawString(72, 700, "Text."))
    empty = tmp_path / "empty.pdf"
    with pypdfium2.PdfDocument.new() as pdf:
        pdf.save(empty)
    for name, data in (
        ("cut.pdf", path.read_bytes()[:200]),
        ("zero.pdf", b""),
        ("none.pdf", empty.read_bytes()),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DeckError, match=rf"{name}: "):
            read_document(tmp_path / name)


def test_a_huge_page_is_read(tmp_path):
    def page(canvas):
        canvas.setFont("Helvetica", 200)
        canvas.drawString(1000, 7000, "Poster words.")
        canvas.rect(1000, 1000, 9000, 5000, fill=1)

    document = read_document(written(tmp_path / "a.pdf", page, size=(14_400, 14_400)))
    assert "Poster words." in KnowledgeBase((document,)).documents[0].blocks[0].text
    for figure in document.figures:
        with Image.open(BytesIO(figure.draw())) as picture:
            assert picture.width * picture.height <= 13e6


DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


@pytest.mark.skipif(not DEJAVU.exists(), reason="the font DejaVu Sans is not installed")
def test_hebrew_is_read_in_its_order_with_the_numbers_and_names_in_it(tmp_path):
    sentences = ["המכירות עלו בשנת 2024 לסך 3.2 מיליון", "כך כתוב ב Word Online היום"]

    def page(canvas):
        registerFont(TTFont("DejaVu", str(DEJAVU)))
        for number, sentence in enumerate(sentences):
            x, y = 500.0, 700 - 60 * number
            for word in re.findall(r"Word Online|\S+", sentence):  # from the right, word by word
                shown = word if word.isascii() else word[::-1]
                x -= stringWidth(shown, "DejaVu", 12)
                canvas.setFont("DejaVu", 12)
                canvas.drawString(x, y, shown)
                x -= 4

    assert texts(read_document(written(tmp_path / "a.pdf", page))) == sentences


def test_lines_of_chinese_are_joined_without_spaces(tmp_path):
    def page(canvas):
        registerFont(UnicodeCIDFont("STSong-Light"))
        canvas.setFont("STSong-Light", 12)
        for number, text in enumerate(
            ["南部地区的销售额下", "降了三个百分点，原因", "是运输费用上涨。"]
        ):
            canvas.drawString(72, 700 - 15 * number, text)

    assert texts(read_document(written(tmp_path / "a.pdf", page))) == [
        "南部地区的销售额下降了三个百分点，原因是运输费用上涨。"
    ]


def sideways(canvas):
    """A plot set sideways, with its axis labels, among upright text."""
    for number in range(4):
        canvas.drawString(60, 780 - 14 * number, "Ships come and go, and the harbour counts them.")
    canvas.saveState()
    canvas.translate(380, 300)
    canvas.rotate(90)
    bars(canvas, 0, 0)
    for number in range(10):
        canvas.drawString(20 * number, -14, f"Q{number}")
    canvas.drawString(20, 120, "Ships by quarter of the year")
    canvas.restoreState()
    canvas.drawString(60, 260, "Figure 1: Ships by quarter.")


def test_a_figure_set_sideways_is_turned_when_it_is_drawn(tmp_path):
    document = read_document(written(tmp_path / "a.pdf", sideways))
    [figure] = document.figures
    picture = Image.open(BytesIO(figure.draw()))
    assert figure.size[0] > figure.size[1]
    assert picture.width > picture.height
    # The bars grow to the right: below the middle the right half is darker, and they stand.
    grey = picture.convert("L").point(lambda value: 255 if value < 100 else 0)
    left = grey.crop((0, 0, grey.width // 2, grey.height)).histogram()[255]
    right = grey.crop((grey.width // 2, 0, grey.width, grey.height)).histogram()[255]
    top = grey.crop((0, 0, grey.width, grey.height // 2)).histogram()[255]
    foot = grey.crop((0, grey.height // 2, grey.width, grey.height)).histogram()[255]
    assert right > 1.5 * left
    assert foot > top


def test_a_page_set_sideways_is_read_and_its_figure_drawn_upright(tmp_path):
    def page(canvas):
        canvas.translate(WIDTH, 0)
        canvas.rotate(90)
        for number in range(4):
            canvas.drawString(60, 540 - 14 * number, "Ships come and go, and we count them all.")
        bars(canvas, 300, 200)
        canvas.drawString(300, 180, "Figure 1: Ships by quarter of the year.")

    document = read_document(written(tmp_path / "a.pdf", page))
    assert texts(document)[0].startswith("Ships come and go")
    [figure] = document.figures
    assert figure.label == "Figure 1"
    picture = Image.open(BytesIO(figure.draw())).convert("L")
    dark = picture.point(lambda value: 255 if value < 100 else 0)
    halves = [dark.crop((half * dark.width // 2, 0, (half + 1) * dark.width // 2, dark.height))
              for half in (0, 1)]  # fmt: skip
    assert halves[1].histogram()[255] > 1.5 * halves[0].histogram()[255]


def browsers_page(canvas):
    """A list and a table as browsers print them: bullets are drawn, a rule below each row."""
    for number in range(3):
        canvas.drawString(
            72, 780 - 14 * number, "Ships come and go, and the harbour counts them all."
        )
    for number, text in enumerate(["Merge the shifts", "Hire two drivers"]):
        canvas.circle(77, 704 - 16 * number, 1.8, fill=1)
        canvas.drawString(90, 700 - 16 * number, text)
    canvas.setFont("Helvetica-Bold", 12)
    rows = [("Quarter", "Calls", "Tonnage"), ("Q1", "1,204", "88.1"), ("Q2", "1,310", "90.4"),
            ("Q3", "1,402", "91.0")]  # fmt: skip
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            canvas.drawString(80 + 90 * column, 640 - 18 * number, text)
        canvas.line(72, 635 - 18 * number, 330, 635 - 18 * number)
        canvas.setFont("Helvetica", 12)


def test_drawn_bullets_make_items_and_the_head_above_the_first_rule_is_the_tables(tmp_path):
    document = read_document(written(tmp_path / "a.pdf", browsers_page))
    assert texts(document, "item") == ["Merge the shifts", "Hire two drivers"]
    [table] = document.tables
    assert table.rows == (
        ("Quarter", "Calls", "Tonnage"),
        ("Q1", "1,204", "88.1"),
        ("Q2", "1,310", "90.4"),
        ("Q3", "1,402", "91.0"),
    )
    assert (table.header_rows, table.native) == (1, True)
    assert texts(document, "heading") == []


PROSE = [
    "The harbour has grown for ten years and now serves",
    "ships from thirty-one countries, and it is a well-",
    "preserved place, as they say, the largest one of all",
]


def put(canvas, x, y, *rows, font="Times-Roman", size=10, pitch=12):
    canvas.setFont(font, size)
    for number, row in enumerate(rows):
        canvas.drawString(x, y - pitch * number, row)


def long_report(canvas):
    put(canvas, 60, 780, "Chapter 2", font="Times-Bold", size=18)
    put(canvas, 60, 740, "Cranes of the harbour", font="Times-Bold", size=18)
    for number in range(8):
        put(canvas, 60, 700 - 45 * number, *PROSE)
        put(canvas, 320, 700 - 45 * number, *PROSE)
    put(canvas, 60, 320, "It was well known, and preserved by people including")
    put(canvas, 60, 285, "calibri 2183 arial 1692 lato 260", "Total 6340 other 12")
    put(canvas, 60, 255, "Table 1: Frequency of the fonts in the reports, as counted.")
    put(canvas, 60, 230, "its partners of the town.")
    put(canvas, 320, 320, "Each package has a list of", "parts, and needs")
    put(canvas, 320, 296, "• libelm-dev libtk-dev", font="Courier")
    put(canvas, 320, 284, "libelm-doc", font="Courier")
    put(canvas, 60, 100, "12", size=5)
    put(canvas, 64, 98, "The harbour was founded in 1911 by fishermen of the coast.", size=8)


def test_a_long_report_keeps_its_sentences_and_has_no_table_of_two_columns(tmp_path):
    document = read_document(written(tmp_path / "a.pdf", long_report))
    assert [block.text for block in document.headings] == ["Chapter 2 Cranes of the harbour"]
    assert document.tables == ()
    told = " ".join(texts(document))
    assert "it is a well-preserved place" in told  # "well" and "preserved" are words of the page
    assert any("by people including its partners of the town." in text for text in texts(document))
    assert not any("calibri" in text for text in texts(document))
    assert "libelm-dev libtk-dev libelm-doc" not in told
    [section] = [part for part in document_sections(document) if part.part == "notice"]
    assert [block.text[:14] for block in section.blocks] == ["12The harbour "]


def open_table(canvas):
    """Rules between the rows and none around them; a line between the columns through all."""
    rows = [
        ("Command", "Description"),
        ("cat", "Prints files"),
        ("ls", "Lists files"),
        ("rm", "Ends"),
    ]
    for number, (name, text) in enumerate(rows):
        font = "Times-Bold" if number == 0 else "Times-Roman"
        put(canvas, 62, 704 - 16 * number, name, font=font)
        put(canvas, 302, 704 - 16 * number, text, font=font)
        if number < len(rows) - 1:
            canvas.line(60, 700 - 16 * number, 540, 700 - 16 * number)
    canvas.line(300, 716, 300, 652)


def test_a_table_open_at_the_top_and_the_bottom_has_all_its_rows(tmp_path):
    [table] = read_document(written(tmp_path / "a.pdf", open_table)).tables
    assert table.rows[0] == ("Command", "Description")
    assert table.rows[-1] == ("rm", "Ends")
    assert (len(table.rows), table.header_rows, table.native) == (4, 1, True)


def placed(canvas):
    canvas.setAuthor("(anonymous)")
    put(canvas, 60, 780, "1 Results", font="Times-Bold", size=14)
    put(canvas, 60, 755, *PROSE)
    grid(canvas, 700, [("Hour", "Event", "Ships"), ("08:00", "Gate", "3"), ("09:00", "Rail", "4")])
    put(canvas, 60, 600, "2 Formats", font="Times-Bold", size=14)
    put(canvas, 60, 575, "Choosing a format", font="Times-Bold")
    put(canvas, 150, 575, "By default all ships are listed in the", "formats below:")
    for number, name in enumerate(("fasta", "fastq", "sam")):
        put(canvas, 60, 530 - 30 * number, name, font="Times-Bold")


def test_tables_stand_where_they_are_and_bold_words_lead_their_paragraph(tmp_path):
    document = read_document(written(tmp_path / "a.pdf", placed))
    found = [(block.kind, block.text[:17]) for block in document.blocks]
    assert [kind for kind, _ in found[:4]] == ["heading", "paragraph", "table", "heading"]
    assert found[4] == ("paragraph", "Choosing a format")
    assert document.blocks[4].text.startswith("Choosing a format: By default all")
    assert [text for kind, text in found if kind == "item"] == ["fasta", "fastq", "sam"]
    assert document.author == ""
