"""PDF documents made by reportlab: what was put on a page is what is read from it."""

from io import BytesIO

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from decklab.core.errors import EncryptedDeck, TruncatedDeck
from decklab.documents.drafting import likely_header_rows
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_document
from decklab.documents.showing import page_pictures, write_reading

WIDTH, HEIGHT = A4
LEFT = """Extraction of knowledge from docu-
ments begins with words. It goes on
with lines and columns, and it ends
with paragraphs that a reader knows.
The left column is read before the
right one, whatever the file says and""".splitlines()
RIGHT = """whatever was drawn first on a page.
A second thought starts here today.
Nothing of it is lost on the way to
the knowledge base of the writer at
all, says the test of this very page
that you read in this line here now.""".splitlines()
SURE = [["Region", "Sales", "Costs"], ["North", "10.5", "7"], ["South", "12", "8.25"]]
UNSURE = [
    ["Region", "Sales", "Costs"],
    ["North", "10", "7"],
    ["South", "12", "many more"],
    ["West", "3", "4"],
]


def lines(canvas, x, y, texts, *, font="Times-Roman", size=10, pitch=12):
    canvas.setFont(font, size)
    for number, text in enumerate(texts):
        canvas.drawString(x, y - number * pitch, text)


def running_head(canvas, number):
    lines(canvas, 72, HEIGHT - 40, ["The Journal of Tests"], size=8)
    lines(canvas, WIDTH / 2, 30, [str(number)], size=8)


def two_columns(canvas):
    lines(canvas, 120, HEIGHT - 90, ["A Study of Reading"], font="Helvetica-Bold", size=20)
    lines(canvas, 72, HEIGHT - 140, ["1 Introduction"], font="Helvetica-Bold", size=13)
    # The right column comes first in the file.
    lines(canvas, 310, HEIGHT - 165, RIGHT)
    lines(canvas, 72, HEIGHT - 165, LEFT)


def figure_and_tables(canvas):
    lines(canvas, 72, HEIGHT - 80, ["2 Results"], font="Helvetica-Bold", size=13)
    lines(canvas, 72, HEIGHT - 100, ["The sales of all regions are in the figure below this line."])
    for number in range(10):  # a vector drawing: bars over an axis
        canvas.rect(150 + 22 * number, HEIGHT - 250, 14, 10 + 9 * number, fill=1)
    canvas.line(140, HEIGHT - 250, 380, HEIGHT - 250)
    lines(canvas, 230, HEIGHT - 262, ["regions"], size=8)
    lines(canvas, 150, HEIGHT - 285, ["Figure 1: Sales of ten regions in 2024."])
    lines(canvas, 72, HEIGHT - 330, ["Table 1: Sales and costs by region."])
    ruled(
        canvas,
        HEIGHT - 345,
        [["Region", "Sales", "Costs"], ["North", "10.5", "7"], ["South", "12", "8.25"]],
    )
    lines(canvas, 72, HEIGHT - 450, ["Table 2: Sales that are not certain."])
    ruled(
        canvas,
        HEIGHT - 465,
        [
            ["Region", "Sales", "Costs"],
            ["North", "10", "7"],
            ["South", "12", "many more"],
            ["West", "3", "4"],
        ],
    )


def ruled(canvas, y, rows):
    for place in (y, y - 16, y - 16 * len(rows) - 2):
        canvas.line(100, place, 400, place)
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            canvas.drawString(104 + 100 * column, y - 12 - 16 * number, text)


def picture_page(canvas):
    canvas.drawImage(ImageReader(Image.new("RGB", (300, 400), "grey")), 0, 0, WIDTH, HEIGHT)


def made(*pages, **options):
    content = BytesIO()
    canvas = Canvas(content, pagesize=A4, **options)
    for number, page in enumerate(pages, start=1):
        page(canvas)
        if page is not picture_page:
            running_head(canvas, number)
        canvas.showPage()
    canvas.save()
    return content.getvalue()


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    path = tmp_path_factory.mktemp("pdf") / "study.pdf"
    path.write_bytes(made(two_columns, figure_and_tables, picture_page, two_columns))
    return read_document(path)


def blocks(document, *kinds, page=None):
    return [
        block.text
        for block in document.blocks
        if block.kind in kinds and page in {None, block.page}
    ]


def test_columns_are_read_one_after_the_other_and_parted_words_joined(study):
    [text] = blocks(study, "paragraph", page=1)
    assert text == " ".join([*LEFT, *RIGHT]).replace("docu- ments", "documents")


def test_headings_have_levels_and_the_title_is_the_largest(study):
    assert study.title == "A Study of Reading"
    assert [(item.text, item.page) for item in study.headings[:3]] == [
        ("A Study of Reading", 1),
        ("1 Introduction", 1),
        ("2 Results", 2),
    ]
    assert study.headings[1].level == study.headings[2].level


def test_running_heads_and_page_numbers_are_left_out(study):
    assert not [block for block in study.blocks if "Journal" in block.text or block.text == "2"]


def test_boxes_are_where_the_text_was_put(study):
    heading = study.headings[1]
    assert heading.box is not None
    assert heading.box.left == pytest.approx(72, abs=1)
    assert heading.box.top < 140 < heading.box.bottom  # the baseline


def test_a_vector_drawing_with_a_caption_is_a_figure(study):
    figures = [figure for figure in study.figures if figure.page == 2]
    assert [(figure.label, figure.caption) for figure in figures] == [
        ("Figure 1", "Figure 1: Sales of ten regions in 2024.")
    ]
    box = figures[0].box
    assert box is not None
    assert box.left <= 140
    assert box.right >= 362
    assert box.top <= 250 - 91
    assert 262 <= box.bottom < 280  # its label, not its caption
    with Image.open(BytesIO(figures[0].draw())) as picture:
        assert picture.width == pytest.approx((box.width + 8) * 600 / 72, abs=3)
        assert picture.convert("L").getextrema() == (0, 255)
    assert "regions" not in blocks(study, "paragraph")


def test_tables_by_rules_are_native_only_where_each_cell_is_certain(study):
    first, second = study.tables
    assert first.rows == (
        ("Region", "Sales", "Costs"),
        ("North", "10.5", "7"),
        ("South", "12", "8.25"),
    )
    assert (first.header_rows, first.native, first.label) == (1, True, "Table 1")
    assert second.rows[2] == ("South", "12", "many more")
    assert not second.native
    assert "many more" in second.why_not


def test_a_page_without_text_is_told(study):
    assert [(item.page, "scanner" in item.reason) for item in study.unread] == [(3, True)]


def test_a_table_without_rules_is_found_by_its_caption(tmp_path):
    def page(canvas):
        lines(canvas, 72, HEIGHT - 100, ["Table 3: Without rules."])
        for column, texts in enumerate([["Region", "North", "South"], ["Sales", "10", "12"]]):
            lines(canvas, 100 + 90 * column, HEIGHT - 120, texts, pitch=14)

    (tmp_path / "a.pdf").write_bytes(made(page))
    [table] = read_document(tmp_path / "a.pdf").tables
    assert table.rows == (("Region", "Sales"), ("North", "10"), ("South", "12"))
    assert table.native


def test_a_caption_without_a_figure_is_told(tmp_path):
    def page(canvas):
        lines(
            canvas, 72, HEIGHT - 100, ["Some words stand above the caption, and nothing else does."]
        )
        lines(canvas, 72, HEIGHT - 160, ["Figure 7: A figure that is not there."])

    (tmp_path / "a.pdf").write_bytes(made(page))
    document = read_document(tmp_path / "a.pdf")
    assert not document.figures
    assert [str(item) for item in document.unread] == [
        "a.pdf, page 1: Figure 7 has a caption, and nothing was found for it"
    ]


def test_what_cannot_be_opened_is_told(tmp_path, study):
    locked = tmp_path / "locked.pdf"
    locked.write_bytes(made(two_columns, encrypt=StandardEncryption("secret")))
    with pytest.raises(EncryptedDeck, match=r"locked\.pdf: the PDF needs a password"):
        read_document(locked)
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing")
    with pytest.raises(TruncatedDeck, match=r"broken\.pdf: the PDF is damaged"):
        read_document(broken)


def test_empty_pages_give_an_empty_document(tmp_path):
    content = BytesIO()
    empty = pypdfium2.PdfDocument.new()
    empty.new_page(100, 100)
    empty.save(content)
    (tmp_path / "a.pdf").write_bytes(content.getvalue())
    document = read_document(tmp_path / "a.pdf")
    assert (document.pages, document.blocks, document.unread, document.title) == (1, (), (), "")


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_pages_whose_text_runs_another_way_are_turned(tmp_path, degrees):
    upright = pypdfium2.PdfDocument(made(two_columns))
    upright.save(tmp_path / "upright.pdf")
    upright[0].set_rotation(degrees)
    upright.save(tmp_path / "turned.pdf")
    kinds = "paragraph", "heading"
    read = [read_document(tmp_path / f"{name}.pdf") for name in ("turned", "upright")]
    assert blocks(read[0], *kinds) == blocks(read[1], *kinds)
    assert len(blocks(read[0], *kinds)) > 3


@pytest.mark.long
def test_scans_are_read_on_request(tmp_path):
    pytest.importorskip("rapidocr")
    pdf = pypdfium2.PdfDocument(
        made(lambda canvas: lines(canvas, 72, 700, ["Sales rose by twelve"], size=24))
    )
    drawn = pdf[0].render(scale=150 / 72).to_pil()

    def scan(canvas):
        canvas.drawImage(ImageReader(drawn), 0, 0, WIDTH, HEIGHT)

    content = BytesIO()
    canvas = Canvas(content, pagesize=A4)
    scan(canvas)
    canvas.save()
    (tmp_path / "scan.pdf").write_bytes(content.getvalue())
    document = read_document(tmp_path / "scan.pdf", ocr=True)
    texts = blocks(document, "paragraph")
    assert "salesrosebytwelve" in "".join(texts).replace(" ", "").lower()
    assert [(item.page, item.reason) for item in document.unread] == [
        (1, "read from a picture by OCR: letters and digits may be wrong")
    ]


def test_people_can_look_at_what_was_read(tmp_path, study):
    out = write_reading(KnowledgeBase((study,)), tmp_path / "out")
    names = {path.name for path in (out / "study.pdf").iterdir()}
    assert {
        "document.json",
        "figure-001.png",
        "table-001.csv",
        "page-001.png",
        "page-004.png",
    } <= names
    assert (out / "study.pdf" / "table-001.csv").read_text().splitlines()[1] == "North,10.5,7"
    assert len(list(page_pictures(study))) == study.pages
    with pytest.raises(FileExistsError, match="earlier run"):
        write_reading(KnowledgeBase((study,)), out)


def test_a_header_of_years_is_a_header():
    assert likely_header_rows([["Region", "2023", "2024"], ["North", "10", "12"]]) == 1
    assert likely_header_rows([["", "10-20", "20-30"], ["North", "1", "2"]]) == 1
    assert likely_header_rows([["2023", "10"], ["2024", "12"]]) == 0
    assert likely_header_rows([["Region", "Sales"]]) == likely_header_rows([]) == 0


@pytest.mark.parametrize(
    "columns",
    [
        [["The works began in the spring of the year", "and went on until the bridge was open to",
          "all who came by from the north of the town", "as they had done for many years before"],
         ["Its cost was met by the council and by", "the county, which had set aside its share for",
          "a tunnel that was never to be built at", "that place for want of any good ground"]],
        [["Rivers of the", "north and of", "their many", "mouths"],
         ["Some old brid-", "ges with the", "arches in", "stone"]],
    ],
    ids=["long cells", "cut cells"],
)  # fmt: skip
def test_text_in_two_columns_is_no_native_table(tmp_path, columns):
    def page(canvas):
        lines(canvas, 72, HEIGHT - 100, ["Table 3: Without rules."])
        for column, texts in enumerate([["Left"], ["Right"]]):
            lines(canvas, 72 + 250 * column, HEIGHT - 120, [*texts, *columns[column]], pitch=14)

    (tmp_path / "a.pdf").write_bytes(made(page))
    assert not any(table.native for table in read_document(tmp_path / "a.pdf").tables)


def test_a_table_of_short_words_is_native(tmp_path):
    cells = [["Task", "paint the gate", "mend the roof", "clear the ditch"],
             ["Owner", "the north team", "the south team", "all of us"]]  # fmt: skip

    def page(canvas):
        lines(canvas, 72, HEIGHT - 100, ["Table 3: Without rules."])
        for column, texts in enumerate(cells):
            lines(canvas, 72 + 200 * column, HEIGHT - 120, texts, pitch=14)

    (tmp_path / "a.pdf").write_bytes(made(page))
    [table] = read_document(tmp_path / "a.pdf").tables
    assert table.native and table.rows[1] == ("paint the gate", "the north team")
