"""Written decks as others see them: python-pptx, LibreOffice, lint, validity, editability."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from generate.composing.showcase import showcase_plan
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER
from tests.board.pages.words import words_of
from tests.board.plans import every_layout, plan_of

from decklab.board.blueprint import SlidePlan
from decklab.board.pages.layout import LaidOutDeck
from decklab.board.pages.writing import write_deck
from decklab.core.errors import PlanError, UnknownName
from decklab.core.files import NameTaken
from decklab.deck.reading import read_deck
from decklab.linting.lint import lint
from decklab.linting.rules.every import LINT_RULES
from decklab.metrics.editability.judge import judge_pptx
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate_deck
from decklab.rendering.opening import open_rendered
from decklab.scoring.trial_edits import DeckProbes

pytestmark = pytest.mark.chromium

CASES = [("german", "editorial"), ("short", "dark"), ("long", "light"), ("arabic", "corporate"),
         ("chinese", "academic")]  # fmt: skip
POINTS = [{"text": "The first point"}, {"text": "The second point"}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@pytest.fixture(scope="module")
def shown(folder: Path, pictures: Path) -> LaidOutDeck:
    """Each layout once, as shown.pptx and shown.html."""
    plan = showcase_plan(pictures)
    return write_deck(plan, "playful", folder / "shown.pptx", html=folder / "shown.html")


@pytest.fixture(scope="module")
def deck(folder: Path, shown: LaidOutDeck) -> Path:
    return folder / "shown.pptx"


def slides_of(folder: Path, *slides: dict[str, Any], language: str = "en") -> list[Any]:
    """The slides, as python-pptx reads them, of a deck in the theme ``light``."""
    plan = plan_of({"title": "T", "language": language, "slides": slides})
    write_deck(plan, "light", folder / "deck.pptx", html=folder / "deck.html")
    return list(Presentation(str(folder / "deck.pptx")).slides)


def leaves(shapes: Any) -> Iterator[Any]:
    """Shapes, and those in groups."""
    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from leaves(shape.shapes)
        else:
            yield shape


def texts_of(slide: Any) -> list[str]:
    """What text boxes and cells of a slide say."""
    said = []
    for shape in leaves(slide.shapes):
        if shape.has_text_frame:
            said.append(shape.text_frame.text)
        if getattr(shape, "has_table", False) and shape.has_table:
            said += [cell.text for row in shape.table.rows for cell in row.cells]
    return said


def shape_of(slide: Any, text: str) -> Any:
    return next(shape for shape in leaves(slide.shapes)
                if shape.has_text_frame and shape.text_frame.text == text)  # fmt: skip


def test_titles_and_texts_are_placeholders_and_objects_are_native(deck: Path) -> None:
    placeholders, objects = Counter[Any](), Counter[Any]()
    presentation = Presentation(str(deck))
    assert len(presentation.slide_layouts) == len(presentation.slides) == 20
    for slide in presentation.slides:
        assert slide.shapes.title is not None and slide.shapes.title.text_frame.text
        for shape in leaves(slide.shapes):
            if shape.is_placeholder:
                placeholders[shape.placeholder_format.type] += 1
            else:
                objects[shape.shape_type] += 1
    assert objects[MSO_SHAPE_TYPE.CHART] == 2
    assert objects[MSO_SHAPE_TYPE.TABLE] == 1
    assert objects[MSO_SHAPE_TYPE.PICTURE] == 3
    assert placeholders[PP_PLACEHOLDER.SLIDE_NUMBER] == 20 - 3
    assert placeholders[PP_PLACEHOLDER.SUBTITLE] == 3


def test_charts_carry_their_numbers_and_a_workbook(deck: Path, shown: LaidOutDeck) -> None:
    charts = [shape.chart for slide in Presentation(str(deck)).slides for shape in slide.shapes
              if shape.has_chart]  # fmt: skip
    plans = [slide.chart for slide in shown.slides if slide.chart]
    for chart, plan in zip(charts, plans, strict=True):
        assert list(chart.plots[0].categories) == list(plan.categories)
        values = [tuple(series.values) for series in chart.plots[0].series]
        assert values == [series.values for series in plan.series]
        assert chart.part.chart_workbook.xlsx_part is not None


def test_the_package_has_what_a_presenter_wants(deck: Path) -> None:
    presentation = Presentation(str(deck))
    assert presentation.slides[3].notes_slide.notes_text_frame.text.splitlines() == [
        "Begin with the question that people ask: are the wells dry?",
        "Survey of 40 villages, 2025",
    ]
    with ZipFile(deck) as package:
        slides = [package.read(name).decode() for name in package.namelist()
                  if name.startswith("ppt/slides/slide")]  # fmt: skip
        main = package.read("ppt/presentation.xml").decode()
    for section in ("Start", "Findings", "Plan"):
        assert f'name="{section}"' in main
    for slide in slides:
        assert "<p:transition" in slide and 'lang="en-GB"' in slide
        assert "fontScale" not in slide and "srgbClr" not in slide


def test_a_deck_is_valid_and_written_alike_twice(
    shown: LaidOutDeck, deck: Path, tmp_path: Path
) -> None:
    assert validate_deck(deck) == []
    again = write_deck(shown.plan, "playful", tmp_path / "again.pptx")
    assert again.html == shown.html
    assert (tmp_path / "again.pptx").read_bytes() == deck.read_bytes()


def test_a_failed_write_leaves_nothing_and_no_file_is_lost(tmp_path: Path) -> None:
    plan = plan_of({"title": "T", "slides": [{"layout": "title", "title": "T"}]})
    (tmp_path / "file").write_bytes(b"kept")
    with pytest.raises(OSError, match="file"):
        write_deck(plan, "light", tmp_path / "file" / "deck.pptx")
    with pytest.raises(NameTaken):
        write_deck(plan, "light", tmp_path / "file", force=False)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"kept")]


def said_by(slide: SlidePlan) -> Counter[str]:
    """All words of a slide's plan but those of a chart."""
    texts = [*slide.texts, slide.shown_source or ""]
    if slide.quote is not None:
        texts.append(slide.quote.by or "")
    if slide.table is not None:
        texts += [*slide.table.header, *(cell for row in slide.table.rows for cell in row)]
    return Counter(word for text in texts for word in text.split())


@pytest.mark.parametrize("form", ["pptx", "html"])
def test_all_words_of_the_plan_are_in_both_forms(
    form: str, shown: LaidOutDeck, folder: Path
) -> None:
    if form == "html":
        seen = words_of((folder / "shown.html").read_text(encoding="utf-8"))
    else:
        slides = Presentation(str(folder / "shown.pptx")).slides
        seen = ["\n".join(texts_of(slide)) for slide in slides]
    for slide, words in zip(shown.slides, seen, strict=True):
        said = Counter(word.strip("“”:") for word in words.split())
        wanted = Counter(word.strip("“”:") for word in said_by(slide).elements())
        assert not wanted - said, (slide.layout, wanted - said)


def test_pptx_and_html_say_the_same_words(shown: LaidOutDeck, deck: Path) -> None:
    pages = words_of(shown.html)
    for slide, page in zip(Presentation(str(deck)).slides, pages, strict=True):
        assert Counter(" ".join(texts_of(slide)).split()) == Counter(page.split())


SCORED = {rule for rule in LINT_RULES if LINT_RULES[rule].scored}
"""Without rules on how much is on a slide: these decks have every layout as full as may be."""


@pytest.mark.office
@pytest.mark.by_day(1)
@pytest.mark.parametrize(("language", "theme"), CASES)
def test_nothing_overflows_in_any_language(
    language: str, theme: str, pictures: Path, tmp_path: Path
) -> None:
    path = tmp_path / f"{language}.pptx"
    made = write_deck(every_layout(language, pictures), theme, path)
    assert validate_deck(path) == []
    assert lint(path, rules=SCORED).at_least("warning").findings == ()
    assert all(size.text >= 12 for size in made.sizes)
    with open_rendered(path, size=(480, 270), ocr=False) as drawn:
        for page in drawn:
            for span in page.spans:
                assert span.box.left >= 0 and span.box.right <= 960, span.text
                assert span.box.top >= 0 and span.box.bottom <= 540, span.text


@pytest.mark.long
@pytest.mark.office
def test_the_drawn_pptx_says_the_words_of_the_html(shown: LaidOutDeck, deck: Path) -> None:
    with open_rendered(deck, size=(480, 270), ocr=False) as drawn:
        for slide, page, plan in zip(drawn, words_of(shown.html), shown.slides, strict=True):
            seen = Counter("".join("".join(span.text.split()) for span in slide.spans))
            missing = Counter("".join(page.split())) - seen
            assert not missing, (slide.number, missing)
            if plan.chart is None:
                assert set(seen - Counter("".join(page.split()))) <= {"•"}, slide.number


@pytest.mark.long
@pytest.mark.office
def test_a_deck_is_editable_to_the_level_of_native_data(deck: Path) -> None:
    """Its slides fade into each other, but nothing builds on them."""
    with Package.open(deck) as package:
        outline = read_deck(package).outline
        verdict = judge_pptx(outline, DeckProbes(package, outline))
    assert [gate.outcome for gate in verdict.gates] == [*["passed"] * 4, "failed"]
    assert verdict.level == 4


def test_a_change_stands_between_the_number_before_and_the_number_after(tmp_path: Path) -> None:
    numbers = [{"value": "9.4 h", "label": "in 2023"}, {"value": "6.1 h", "label": "in 2024"}]
    (slide,) = slides_of(tmp_path, {"layout": "big_numbers", "title": "T", "numbers": numbers,
                                    "change": "-35 %"})  # fmt: skip
    before, change, after = (
        next(shape for shape in leaves(slide.shapes)
             if shape.has_text_frame and text in shape.text_frame.text)
        for text in ("9.4 h", "-35 %", "6.1 h")
    )  # fmt: skip
    assert before.left + before.width < change.left
    assert change.left + change.width < after.left


@pytest.mark.parametrize(("columns", "beside"), [(3, True), (8, False)])
def test_points_stand_beside_a_narrow_table_and_below_a_wide_one(
    columns: int, beside: bool, tmp_path: Path
) -> None:
    header = [f"Heading {at} of it" for at in range(columns)]
    table = {"header": header, "rows": [[f"cell {at} of table" for at in range(columns)]] * 4}
    (slide,) = slides_of(
        tmp_path, {"layout": "table", "title": "T", "table": table, "body": POINTS}
    )
    (drawn,) = [shape for shape in slide.shapes if shape.has_table]
    words = shape_of(slide, "The first point\nThe second point")
    if beside:
        assert words.left >= drawn.left + drawn.width
    else:
        assert words.top >= drawn.top + drawn.height


def test_a_long_table_keeps_its_headings_and_its_points_stand_on_the_first_page(
    tmp_path: Path,
) -> None:
    rows = [[str(number), "cell"] for number in range(60)]
    slides = slides_of(tmp_path, {"layout": "table", "title": "T", "body": [{"text": "Once"}],
                                  "table": {"header": ["No", "Name"], "rows": rows}})  # fmt: skip
    tables = [next(shape.table for shape in slide.shapes if shape.has_table) for slide in slides]
    assert len(tables) > 1
    cells = [[[cell.text for cell in row.cells] for row in table.rows] for table in tables]
    assert all(part[0] == ["No", "Name"] for part in cells)
    assert [row for part in cells for row in part[1:]] == rows
    assert ["Once" in texts_of(slide) for slide in slides] == [True, *[False] * (len(slides) - 1)]


def test_numbers_of_steps_go_on_from_page_to_page(tmp_path: Path) -> None:
    steps = [{"label": f"Step {number}", "text": "Text of some length " * 6} for number in range(8)]
    slides = slides_of(tmp_path, {"layout": "process", "title": "T", "steps": steps})
    assert len(slides) > 1
    badges = [text for slide in slides for shape in slide.shapes
              if shape.has_text_frame and not shape.is_placeholder
              for text in [shape.text_frame.text] if text.isdigit()]  # fmt: skip
    assert badges == [str(number + 1) for number in range(8)]


def test_a_key_point_stands_large_on_a_pale_area_and_the_others_beside_it(tmp_path: Path) -> None:
    points = [{"text": text} for text in ("First", "The harbour grew", "Third")]
    (slide,) = slides_of(tmp_path, {"layout": "body", "title": "T", "body": points, "key": 1})
    key, others = shape_of(slide, "The harbour grew"), shape_of(slide, "First\nThird")
    pale = "p:spPr/a:solidFill/a:schemeClr[@val='accent6']"
    areas = [shape for shape in slide.shapes if shape._element.xpath(pale)]
    assert any(shape.left <= key.left and key.left + key.width <= shape.left + shape.width
               for shape in areas)  # fmt: skip
    assert key.left + key.width < others.left
    assert others.is_placeholder


def test_arabic_is_written_and_set_from_right_to_left(tmp_path: Path) -> None:
    (slide,) = slides_of(
        tmp_path,
        {"layout": "chart_takeaways", "title": "المضخات",
         "body": [{"text": "قطع الغيار"}, {"text": "المضخات"}],
         "chart": {"kind": "column", "categories": ["1", "2"], "source": "مسح", "unit": "المضخات",
                   "series": [{"name": "المضخات", "values": [1, 2]}]}},
        language="ar",
    )  # fmt: skip
    assert '<html lang="ar" dir="rtl">' in (tmp_path / "deck.html").read_text(encoding="utf-8")
    (chart,) = [shape for shape in slide.shapes if shape.has_chart]
    words = shape_of(slide, "قطع الغيار")
    assert words.left + words.width <= chart.left
    settings = [shape._element.find(".//{*}pPr") for shape in (slide.shapes.title, words)]
    assert [item.get("rtl") for item in settings] == ["1", "1"]


def test_photographs_are_cropped_and_figures_are_not(tmp_path: Path) -> None:
    Image.new("RGB", (400, 100), "#336699").save(tmp_path / "wide.tiff")
    shown = {"path": str(tmp_path / "wide.tiff"), "alt": "A stripe"}
    slides = slides_of(tmp_path, *(
        {"layout": "picture_left", "title": "T", "picture": {**shown, "kind": kind}}
        for kind in ("photograph", "figure")
    ))  # fmt: skip
    photograph, figure = (
        next(shape for shape in slide.shapes if shape.shape_type == MSO_SHAPE_TYPE.PICTURE)
        for slide in slides
    )
    assert photograph._element.nvPicPr.cNvPr.get("descr") == "A stripe"
    assert photograph.crop_top == photograph.crop_bottom == 0
    part = 400 * (1 - photograph.crop_left - photograph.crop_right) / 100
    assert part == pytest.approx(photograph.width / photograph.height, rel=0.01)
    assert figure.crop_left == figure.crop_right == 0
    assert figure.width / figure.height == pytest.approx(4, rel=0.02)


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "no.png").write_bytes(b"no picture")
    for name in ("no.png", "missing.png"):
        picture = {"path": str(tmp_path / name), "alt": "A picture"}
        with pytest.raises(PlanError, match=name):
            slides_of(tmp_path, {"layout": "picture_full", "title": "T", "picture": picture})
    assert [path.name for path in tmp_path.iterdir()] == ["no.png"]


def test_an_unknown_theme_is_named(tmp_path: Path) -> None:
    plan = plan_of({"title": "T", "slides": [{"layout": "title", "title": "T"}]})
    with pytest.raises(UnknownName, match="lihgt"):
        write_deck(plan, "lihgt", tmp_path / "deck.pptx")
