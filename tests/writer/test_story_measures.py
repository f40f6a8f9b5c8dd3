"""The measures of `bench.story` on decks made by hand with python-pptx."""

import csv
import io
import textwrap

import docx
import openpyxl
import pytest
from bench.story.__main__ import main
from bench.story.measures import Share, bare_titles, measure, recall, table_shown, titles_alike
from bench.story.plain_decks import first_sentences, pandoc_slides
from bench.story.plain_text import read_markdown, read_text
from bench.story.readers import read_source
from bench.story.sheets import draw_sheets
from bench.story.shown import Shown, shown_slides
from bench.story.words import content_words, numbers, same_title, sentences
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt
from reportlab.pdfgen import canvas

import decklab
from decklab.core.errors import PlanError

MARKDOWN = textwrap.dedent("""\
    # Freight desk

    ## Volume
    Callers booked more freight than in any year, **6 % more** than before.

    | Quarter | Calls |
    |---|---|
    | Q1 | 1,120 |
    | Q2 | 1,265 |

    ## Turnaround
    The median time fell from 9.4 to 6.1 hours (see Table 1).
    Dr. Moe measured it.
    1. First item.
       - Nested item

    ## Summary
    Overtime cost $412,000.

    ## References
    [1] Nobody 1999.
    """)


@pytest.fixture
def source(tmp_path):
    return read_markdown(MARKDOWN, tmp_path)


def test_markdown_gives_sections_sentences_items_and_tables(source):
    assert [section.heading for section in source.filled] == ["Volume", "Turnaround", "Summary"]
    assert source.units == [
        "Callers booked more freight than in any year, 6 % more than before.",
        "The median time fell from 9.4 to 6.1 hours (see Table 1).",
        "Dr. Moe measured it.",
        "First item.",
        "Nested item",
        "Overtime cost $412,000.",
    ]
    assert source.tables == [(("Quarter", "Calls"), ("Q1", "1,120"), ("Q2", "1,265"))]
    assert source.gist == {"overtime", "cost", "412000"}


def deck(path, *slides):
    """A deck of slides, each a function of the slide, of its title, or of title and text."""
    presentation = Presentation()
    for title, *contents in slides:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = title
        for content in contents:
            if callable(content):
                content(slide)
            else:
                box = slide.shapes.add_textbox(Pt(50), Pt(150), Pt(400), Pt(100))
                box.text_frame.text = content
    presentation.save(path)
    return shown_slides(path)


def chart(number_format="General", values=(1120, 1265)):
    def add(slide):
        data = CategoryChartData(number_format=number_format)
        data.categories = ["Q1", "Q2"]
        data.add_series("Calls", values)
        box = (Inches(1), Inches(2), Inches(5), Inches(3))
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)

    return add


def test_a_deck_is_measured_against_its_source(source, tmp_path):
    slides = deck(
        tmp_path / "a.pptx",
        ("Freight desk",),
        ("Volume", chart()),
        ("The time fell from 9.4 to 6.1 hours", "The median time fell from 9.4 to 6.1 hours."),
        (
            "Volume (continued)",
            "Much that is not in the source and has, it seems, twelve words here",
        ),
    )
    found = measure(source, slides)
    assert found.slides == 4
    assert found.sections == Share(2, 3)
    assert found.sentences == Share(1, 6)
    # 6, 1,120, 1,265, 9.4, 6.1 and 412,000; "Table 1" is a reference, Q1 a name
    assert found.numbers == Share(4, 6)
    assert found.tables == Share(1, 1)
    assert found.figures == Share(0, 0)
    assert (found.words_median, found.words_most) == (16.5, 17)
    assert found.bare_titles == 2
    assert found.titles_alike == 1
    assert found.charts == 1
    assert "numbers: 6, 412000" in found.missing
    assert "section: Summary" in found.missing


def test_a_page_of_contents_is_no_body_slide(source):
    contents = Shown("Contents", ["1", "Volume", "2", "Turnaround\nSummary"], pictures=[b""])
    text = Shown("Contents", ["Volume", "Turnaround", "Sold more"], pictures=[b""])
    found = [measure(source, [Shown("T"), slide]).words_most for slide in (contents, text)]
    assert found == [None, 5]


def test_notes_hidden_slides_and_shapes_off_the_slide_do_not_count(tmp_path):
    def noted(slide):
        slide.notes_slide.notes_text_frame.text = "secret"

    def outside(slide):
        box = slide.shapes.add_textbox(Inches(20), 0, Inches(1), Inches(1))
        box.text_frame.text = "outside"

    def hide(slide):
        slide._element.set("show", "0")

    slides = deck(tmp_path / "a.pptx", ("Title", noted, outside), ("Hidden", hide))
    assert [slide.words for slide in slides] == [{"title"}]


def test_text_in_groups_and_tables_counts(tmp_path):
    def grouped(slide):
        group = slide.shapes.add_group_shape()
        group.shapes.add_textbox(0, 0, Pt(90), Pt(20)).text_frame.text = "inside"

    def tabled(slide):
        frame = slide.shapes.add_table(2, 2, 0, 0, Inches(3), Inches(1))
        frame.table.cell(1, 1).text = "1,930 of 4,812"

    (slide,) = deck(tmp_path / "a.pptx", ("T", grouped, tabled))
    assert "inside" in slide.words
    assert {1930.0, 4812.0} <= slide.numbers
    assert slide.word_count == 2  # the title and "inside": not those of tables


def test_a_share_in_a_chart_is_a_percentage(tmp_path):
    (slide,) = deck(tmp_path / "a.pptx", ("T", chart("0%", (0.06, 0.145))))
    assert {6.0, 14.5} <= slide.numbers


def test_numbers_mean_thousands_or_decimals():
    assert numbers("1,930 of 4.812,5") == [frozenset({1930.0, 1.93}), frozenset({4812.5})]
    assert numbers("Figure 3, [12], version 1.2.3 and Q4") == []
    assert numbers("2026-11-27") == [frozenset({2026.0}), frozenset({11.0}), frozenset({27.0})]
    assert numbers("0.125") == [frozenset({0.125})]
    assert numbers("") == []


def test_words_of_other_languages():
    assert content_words("Die Straße war naß") == {"straße", "naß"}
    assert content_words("总投资") == {"总投", "投资"}
    assert content_words("") == set()
    assert sentences("完成。继续!") == ["完成。", "继续!"]
    assert sentences("Das gilt z. B. für Holz. Und Stahl.") == [
        "Das gilt z. B. für Holz.",
        "Und Stahl.",
    ]


def test_titles_are_compared_without_numbers_and_continuations():
    assert same_title("2.1 Risks (continued)") == same_title("Risks (2/3)") == "risks"
    assert titles_alike([Shown("Risks"), Shown("risks (2)"), Shown(""), Shown("")]) == 1


def test_a_large_table_is_shown_by_its_sums_and_not_by_its_first_rows():
    rows = (("month", "sold"), *((f"2024-{n}", str(n * 10)) for n in range(1, 41)))
    first = Shown(tables=[[["month", "sold"], ["2024-1", "10"], ["2024-2", "20"]]])
    sums = Shown(tables=[[["half", "sold"], ["first", "2100"], ["second", "6100"]]])
    drawn = Shown(texts=["Units sold"], charts=[["2024-1", "2024-2"]])
    unnamed = Shown(texts=["Anything"], charts=[["a", "b", "c"]])
    shown = [table_shown(rows, [slide]) for slide in (first, sums, drawn, unnamed)]
    assert shown == [False, True, True, False]


def test_plain_text_without_blank_lines_has_its_headings():
    text = (
        "Society of Plots\n"
        "Minutes of 14 October\n"
        "1. Water\n"
        "The new meter shows that we used 412 cubic metres from May to\n"
        "September.\n"
        "2. Waiting list\n"
        "There are 57 names on the list, the oldest of them from 2022.\n"
    )
    source = read_text(text)
    assert [section.heading for section in source.filled][-2:] == ["Water", "Waiting list"]
    assert source.filled[-2].units == [
        "The new meter shows that we used 412 cubic metres from May to September."
    ]


def test_underlined_headings_and_tables_set_with_spaces():
    text = "Budget\n------\n\nItem        Spent\nGates       610\nTraining    145\n\nAll in EUR.\n"
    (section,) = read_text(text).filled
    assert section.heading == "Budget"
    assert section.tables == [(("Item", "Spent"), ("Gates", "610"), ("Training", "145"))]
    assert section.units == ["All in EUR."]


def test_words_with_their_meanings_are_no_table():
    assert read_text("= x\n\ngsed    = GNU sed\nssed    = super-sed\nused    = yes\n").tables == []


def test_documents_of_other_kinds_are_read(tmp_path):
    document = docx.Document()
    document.add_heading("Costs", 1)
    document.add_paragraph("They rose by 5 %.")
    document.save(tmp_path / "a.docx")
    (tmp_path / "a.html").write_text(
        "<body><nav><p>Home</p></nav><h2>Costs</h2><p>They rose <b>by</b> 5 %.</p>"
        "<ul><li>One<ul><li>Two</li></ul></li></ul></body>"
    )
    (tmp_path / "a.csv").write_text("month;sold\nJan;3\n")
    book = openpyxl.Workbook()
    book.active.title = "Sold"
    book.active.append(["month", "sold"])
    book.active.append(["Jan", 3])
    book.save(tmp_path / "a.xlsx")
    word, page, values, sheet = (
        read_source(tmp_path / f"a.{end}") for end in ("docx", "html", "csv", "xlsx")
    )
    assert [(part.heading, part.units) for part in word.filled] == [
        ("Costs", ["They rose by 5 %."])
    ]
    assert page.units == ["They rose by 5 %.", "One", "Two"]
    assert values.tables == sheet.tables == [(("month", "sold"), ("Jan", "3"))]


def test_headings_of_a_pdf_are_its_larger_lines(tmp_path):
    page = canvas.Canvas(str(tmp_path / "a.pdf"))
    page.setFont("Helvetica", 16)
    page.drawString(72, 760, "Costs and benefits")
    page.setFont("Helvetica", 10)
    page.drawString(72, 730, "The cost of the second main rose by 5 % in the last")
    page.drawString(72, 716, "year, as all prices did.")
    page.drawString(72, 704, "Table 1: Costs by year")
    page.drawString(72, 690, "Water 42.6 42.2 41.3")
    page.drawString(72, 670, "Figure 1: Prices by year. They are those of the board.")
    page.save()
    source = read_source(tmp_path / "a.pdf")
    (section,) = source.filled
    assert section.heading == "Costs and benefits"
    assert section.units[0] == (
        "The cost of the second main rose by 5 % in the last year, as all prices did."
    )
    assert section.units[1:] == ["They are those of the board."]
    assert [figure.caption for figure in source.figures] == ["Prices by year"]


def test_a_figure_is_known_by_its_picture_or_its_caption(tmp_path):
    halves = Image.new("L", (40, 40))
    halves.paste(255, (0, 0, 20, 40))
    halves.save(tmp_path / "halves.png")
    source = read_markdown("![](halves.png)\n\n![Sales of all regions](no.png)\n", tmp_path)

    def bytes_of(picture):
        out = io.BytesIO()
        picture.save(out, "PNG")
        return out.getvalue()

    larger = Shown(pictures=[bytes_of(halves.resize((80, 80)))])
    other = Shown(pictures=[bytes_of(halves.rotate(90))])
    captioned = Shown("Sales by region: all regions", pictures=other.pictures)
    figures = [measure(source, [slide]).figures for slide in (larger, other, captioned)]
    assert figures == [Share(1, 2), Share(0, 2), Share(1, 2)]


def test_first_sentences_fill_a_slide_a_section_up_to_sixty_words(tmp_path):
    long = " ".join(["Word"] * 39) + "."
    source = read_markdown(f"# Deck\n\n## One\n{long} {long}\n\n## Two\nShort.\n", tmp_path)
    slides = first_sentences(source, 3)
    assert [slide.title for slide in slides] == ["Deck", "One", "Two"]
    assert slides[1].texts == [long]
    assert len(first_sentences(source, 2)) == 2


@pytest.mark.office
def test_pandoc_is_asked_for_kinds_that_it_reads(tmp_path, monkeypatch):
    deck(tmp_path / "made.pptx", ("By pandoc",))
    prs = Presentation(str(tmp_path / "made.pptx"))
    below = prs.slides[0].shapes.add_textbox(0, prs.slide_height, prs.slide_width, 10**6)
    below.text_frame.text = "Runs off"
    prs.save(str(tmp_path / "made.pptx"))
    program = tmp_path / "pandoc"
    program.write_text(f'#!/bin/sh\n[ "$2" = markdown ] && cp {tmp_path}/made.pptx "$4"\n')
    program.chmod(0o755)
    paths = [tmp_path / f"a.{end}" for end in ("md", "html", "csv")]
    for path in paths:
        path.write_text("text")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pandoc_slides(paths[0], tmp_path) is None  # without cp the program fails
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    made = pandoc_slides(paths[0], tmp_path)
    assert made is not None
    assert [slide.texts for slide in made] == [["By pandoc"]]
    assert [pandoc_slides(path, tmp_path) for path in paths[1:]] == [None, None]


def test_recall_is_of_the_gist_alone(source):
    assert recall(source.gist, [Shown("Overtime"), Shown("cost")]) == pytest.approx(200 / 3)
    assert recall(set(), [Shown("Overtime")]) is None


def test_nothing_gives_nothing(tmp_path):
    found = measure(read_markdown("", tmp_path), [])
    assert (found.sections, found.sentences, found.numbers) == (Share(0, 0),) * 3
    assert (found.words_median, found.words_most) == (None, None)
    assert found.sections.percent is None
    assert bare_titles(read_text(""), []) == 0


def test_every_document_and_size_has_its_row(tmp_path, monkeypatch, capsys):
    def write(paths, out, **_):
        if not paths[0].read_text():
            raise PlanError("no text\nto write from")
        deck(out, ("Freight desk",), ("Summary", "Overtime cost $412,000."))

    monkeypatch.setattr(decklab, "write", write)
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "report_short_desk.md").write_text(MARKDOWN)
    (folder / "memo_short_empty.md").write_text("")
    assert main([str(folder), "--slides", "4,6", "--out", str(out)]) == 0
    with (out / "story.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["kind"], row["asked"]) for row in rows] == [
        ("memo", "4"), ("memo", "6"), ("report", "4"), ("report", "6"),
    ]  # fmt: skip
    assert rows[0]["remark"] == "refused: no text to write from"
    assert rows[0]["sections_shown"] == ""
    assert (rows[2]["sections_shown"], rows[2]["sections_all"]) == ("1", "3")
    assert (rows[3]["recall"], rows[3]["recall_first_sentences"]) == ("100.0", "0.0")
    assert "| all | 4 | 1 | 1 |" in (out / "story.md").read_text()
    assert main([str(tmp_path / "out" / "missing"), "--out", str(out), "--only", "none"]) == 1
    capsys.readouterr()


@pytest.mark.office
def test_six_slides_are_on_a_sheet(tmp_path):
    deck(tmp_path / "long.pptx", *((f"Slide {number}",) for number in range(1, 8)))
    sheets = draw_sheets([tmp_path / "long.pptx"], tmp_path / "sheets")
    assert [path.name for path in sheets] == ["long-1.png", "long-2.png"]
    sizes = []
    for path in sheets:
        with Image.open(path) as sheet:
            sizes.append(sheet.size)
    assert [width for width, _ in sizes] == [1500, 1500]
    assert sizes[0][1] > sizes[1][1] * 2.5  # three rows, and one
