"""Composed decks as others see them: python-pptx, LibreOffice, lint, validity, editability."""

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from generate.composing.showcase import showcase_plan
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE, MSO_SHAPE_TYPE, PP_PLACEHOLDER
from tests.board.plans import every_layout, plan_of

from decklab.board.boxes import Connector, TextBox
from decklab.board.compose import Composed, compose
from decklab.board.fitting import Fitter
from decklab.board.html_deck import html_text, write_html
from decklab.board.pptx_deck import write_pptx
from decklab.core.geometry import Box
from decklab.deck.reading import read_deck
from decklab.linting.lint import lint
from decklab.linting.rules.every import LINT_RULES
from decklab.metrics.editability.judge import judge_pptx
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate_deck
from decklab.rendering.opening import open_rendered
from decklab.scoring.editability.probes import DeckProbes

CASES = [("short", "dark"), ("long", "light"), ("german", "editorial"), ("arabic", "corporate"),
         ("chinese", "academic")]  # fmt: skip


@pytest.fixture(scope="module")
def shown(pictures: Path) -> Composed:
    return compose(showcase_plan(pictures), "playful")


@pytest.fixture(scope="module")
def deck(shown: Composed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pptx(shown, tmp_path_factory.mktemp("shown") / "shown.pptx")


class Words(HTMLParser):
    """The words of each slide of an HTML deck; those that are hidden are left out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.slides: list[list[str]] = []
        self.hidden = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self.slides.append([])
        self.hidden += tag in ("aside", "style", "title")
        number = dict(attrs).get("data-number")
        if number:
            self.slides[-1].append(f"{number}.")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("aside", "style", "title")

    def handle_data(self, data: str) -> None:
        if self.slides and not self.hidden:
            self.slides[-1] += data.split()


def test_titles_and_texts_are_placeholders_and_objects_are_native(deck: Path) -> None:
    presentation = Presentation(str(deck))
    assert len(presentation.slide_layouts) == 20
    kinds = Counter[Any]()
    for slide in presentation.slides:
        assert slide.shapes.title is not None
        assert slide.shapes.title.text_frame.text
        for shape in slide.placeholders:
            kinds[shape.placeholder_format.type] += 1
        for shape in slide.shapes:
            kinds[shape.shape_type] += not shape.is_placeholder
    assert kinds[PP_PLACEHOLDER.CHART] == 2
    assert kinds[PP_PLACEHOLDER.TABLE] == 1
    assert kinds[PP_PLACEHOLDER.PICTURE] == 3
    assert kinds[PP_PLACEHOLDER.SLIDE_NUMBER] == len(presentation.slides) - 3
    assert kinds[MSO_SHAPE_TYPE.LINE] == 3 + 4 + 3  # connectors of process, timeline and contents


def test_charts_carry_their_numbers_and_a_workbook(deck: Path, shown: Composed) -> None:
    charts = [
        shape.chart for slide in Presentation(str(deck)).slides for shape in slide.shapes
        if shape.has_chart
    ]  # fmt: skip
    plans = [slide.plan.chart for slide in shown.slides if slide.plan.chart]
    for chart, plan in zip(charts, plans, strict=True):
        assert list(chart.plots[0].categories) == list(plan.categories)
        values = [tuple(series.values) for series in chart.plots[0].series]
        assert values == [series.values for series in plan.series]
        assert chart.part.chart_workbook.xlsx_part is not None


def test_connectors_are_glued_to_their_shapes(deck: Path) -> None:
    for slide in Presentation(str(deck)).slides:
        known = {shape.shape_id: shape for shape in slide.shapes}
        for connector in slide._element.iter("{*}cxnSp"):
            start, end = connector.find(".//{*}stCxn"), connector.find(".//{*}endCxn")
            left, right = known[int(start.get("id"))], known[int(end.get("id"))]
            place = connector.find(".//{*}off")
            size = connector.find(".//{*}xfrm/{*}ext")
            wide, high = int(size.get("cx")), int(size.get("cy"))
            if wide == 0:  # from the lower side (site 2 of 4) to the upper side (site 0)
                assert abs(int(place.get("y")) - (left.top + left.height)) < 2
                assert abs(int(place.get("y")) + high - right.top) < 2
                round_one = left.auto_shape_type == MSO_SHAPE.OVAL
                assert (start.get("idx"), end.get("idx")) == ("4" if round_one else "2", "0")
                continue
            assert abs(int(place.get("x")) - (left.left + left.width)) < 2
            assert abs(int(place.get("x")) + wide - right.left) < 2


def test_the_package_has_what_a_presenter_wants(deck: Path) -> None:
    presentation = Presentation(str(deck))
    notes = presentation.slides[3].notes_slide.notes_text_frame.text
    assert notes.endswith("Survey of 40 villages, 2025")
    with ZipFile(deck) as package:
        slides = [
            package.read(name).decode() for name in package.namelist()
            if name.startswith("ppt/slides/slide")
        ]  # fmt: skip
        main = package.read("ppt/presentation.xml").decode()
    for section in ("Start", "Findings", "Plan"):
        assert f'name="{section}"' in main
    for slide in slides:
        assert "<p:transition" in slide
        assert 'lang="en-GB"' in slide
        assert "<a:br" not in slide
        assert "normAutofit" not in slide
        assert "srgbClr" not in slide


def test_a_deck_is_valid_and_written_alike_twice(
    shown: Composed, deck: Path, tmp_path: Path
) -> None:
    assert validate_deck(deck) == []
    again = write_pptx(shown, tmp_path / "again.pptx")
    assert again.read_bytes() == deck.read_bytes()


def test_a_failed_write_leaves_nothing(shown: Composed, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for write in (write_html, write_pptx):
        with pytest.raises(OSError, match="file"):
            write(shown, tmp_path / "file" / "deck")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.long
@pytest.mark.office
def test_the_pdf_and_the_html_say_the_same_words(deck: Path, shown: Composed) -> None:
    wanted = Words(html_text(shown)).slides
    with open_rendered(deck, size=(480, 270), ocr=False) as drawn:
        for slide, words in zip(drawn, wanted, strict=True):
            seen = [word for span in slide.spans for word in span.text.split()]
            said = Counter("".join(sorted(words)))
            assert Counter("".join(sorted(seen)).replace("•", "")) == said, slide.number
            assert not Counter(words) - Counter(seen) - Counter(_joined(slide.spans))


def _joined(spans: object) -> list[str]:
    """Words that the drawing has in pieces, such as those with kerned letters."""
    return "".join(span.text for span in spans).split()  # type: ignore[attr-defined]


SCORED = {rule for rule in LINT_RULES if LINT_RULES[rule].scored}
"""Without rules on how much is on a slide: these decks have every layout as full as may be."""


@pytest.mark.long
@pytest.mark.office
@pytest.mark.parametrize(("language", "theme"), CASES)
def test_nothing_overflows_in_any_language(
    language: str, theme: str, pictures: Path, tmp_path: Path
) -> None:
    composed = compose(every_layout(language, pictures), theme)
    deck = write_pptx(composed, tmp_path / f"{language}.pptx")
    assert validate_deck(deck) == []
    findings = lint(deck, rules=SCORED).at_least("warning").findings
    assert findings == ()
    fitter = Fitter(composed.theme, composed.plan.language)
    with open_rendered(deck, size=(480, 270), ocr=False) as drawn:
        for page, slide in zip(drawn, composed.slides, strict=True):
            places = [item.box for item in slide.items if not isinstance(item, Connector)]
            for span in page.spans:
                held = [box for box in places if _holds(box, span.box)]
                assert held or not span.text.strip(), (slide.layout, span.text)
            for box in (item for item in slide.items if isinstance(item, TextBox)):
                inks = [span.box for span in page.spans
                        if span.text.strip(" •") and _holds(box.box, span.box)]  # fmt: skip
                expected = sum(map(len, fitter.lines(box)))
                assert _lines(inks) <= expected <= _lines(inks) + 1, (slide.layout, box.name)


def _lines(inks: list[Box]) -> int:
    """Lines that ink stands on: one whose middle is below the last line begins a new one."""
    count, bottom = 0, float("-inf")
    for ink in sorted(inks, key=lambda ink: ink.top + ink.bottom):
        if (ink.top + ink.bottom) / 2 > bottom:
            count, bottom = count + 1, ink.bottom
    return count


def _holds(place: Box, ink: Box) -> bool:
    """Whether ink stands in a box, give or take what letters lean out by."""
    return (
        place.left - 2 <= ink.left and ink.right <= place.right + 2
        and place.top - 2 <= ink.top and ink.bottom <= place.bottom + 2
    )  # fmt: skip


def test_an_arrow_leads_from_the_number_before_to_the_number_after(tmp_path: Path) -> None:
    numbers = [{"value": "9.4 h", "label": "in 2023"}, {"value": "6.1 h", "label": "in 2024"}]
    slide = {"layout": "big_numbers", "title": "T", "numbers": numbers, "change": "-35 %"}
    deck = write_pptx(
        compose(plan_of({"title": "T", "slides": [slide]}), "light"), tmp_path / "c.pptx"
    )
    shapes = Presentation(str(deck)).slides[0].shapes
    texts = {shape.text_frame.text: shape for shape in shapes if shape.has_text_frame}
    before, after = texts["9.4 h\nin 2023"], texts["6.1 h\nin 2024"]
    (arrow,) = [shape for shape in shapes if shape.shape_type == MSO_SHAPE_TYPE.LINE]
    ends = [next(arrow._element.iter(f"{{*}}{tag}")).get("id") for tag in ("stCxn", "endCxn")]
    assert ends == [str(before.shape_id), str(after.shape_id)]
    change = texts["-35 %"]
    assert before.left + before.width < change.left
    assert change.left + change.width < after.left
    assert change.top + change.height < arrow.top + 1
    assert not validate_deck(deck)


@pytest.mark.parametrize(("columns", "beside"), [(3, True), (8, False)])
def test_points_stand_beside_a_narrow_table_and_below_a_wide_one(
    columns: int, beside: bool, tmp_path: Path
) -> None:
    header = [f"Heading {at} of it" for at in range(columns)]
    table = {"header": header, "rows": [[f"cell {at} of table" for at in range(columns)]] * 4}
    body = [{"text": "The first point"}, {"text": "The second point"}]
    slide = {"layout": "table", "title": "T", "table": table, "body": body}
    deck = write_pptx(
        compose(plan_of({"title": "T", "slides": [slide]}), "light"), tmp_path / "t.pptx"
    )
    shapes = list(Presentation(str(deck)).slides[0].shapes)
    (drawn,) = [shape for shape in shapes if shape.has_table]
    (words,) = [shape for shape in shapes if shape.has_text_frame
                and shape.text_frame.text == "The first point\nThe second point"]  # fmt: skip
    if beside:
        assert words.left >= drawn.left + drawn.width
        assert words.top == drawn.top
    else:
        assert words.top >= drawn.top + drawn.height
        assert words.left == drawn.left


def test_points_of_a_table_on_several_slides_stand_on_the_first() -> None:
    table = {"header": ["a", "b"], "rows": [["1", "2"]] * 30}
    slide = {"layout": "table", "title": "T", "table": table, "body": [{"text": "Once"}]}
    shown = compose(plan_of({"title": "T", "slides": [slide]}), "light").slides
    assert len(shown) > 1
    assert [len(one.plan.body) for one in shown] == [1, *[0] * (len(shown) - 1)]
    assert sum(len(one.plan.table.rows) for one in shown if one.plan.table) == 30


@pytest.mark.office
def test_the_values_of_bars_stand_at_the_foot_and_categories_from_the_top(tmp_path: Path) -> None:
    names = [f"Place {number}" for number in range(9)]
    series = [{"name": name, "values": [float(number) for number in range(9)]} for name in "AB"]
    chart = {"kind": "bar", "categories": names, "series": series, "unit": "u", "source": "s"}
    slide = {"layout": "chart", "title": "T", "chart": chart}
    deck = write_pptx(
        compose(plan_of({"title": "T", "slides": [slide]}), "light"), tmp_path / "b.pptx"
    )
    with open_rendered(deck, size=(480, 270), ocr=False) as drawn:
        heights = {span.text.strip(): span.box.top for span in next(iter(drawn)).spans}
    places = [heights[name] for name in names]
    assert places == sorted(places)
    assert heights["4"] > places[-1]


@pytest.mark.long
@pytest.mark.office
def test_a_composed_deck_is_editable_to_the_level_of_native_data(deck: Path) -> None:
    """Its slides fade into each other, but nothing builds on them."""
    with Package.open(deck) as package:
        outline = read_deck(package).outline
        verdict = judge_pptx(outline, DeckProbes(package, outline))
    assert [gate.outcome for gate in verdict.gates] == [*["passed"] * 4, "failed"]
    assert verdict.level == 4


def test_html_needs_no_network_and_runs_nothing() -> None:
    slide = {"layout": "body", "title": "<script>alert(1)</script>", "body": [{"text": "a & b"}]}
    page = html_text(compose(plan_of({"title": "T & U", "slides": [slide]}), "light"))
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "T &amp; U" in page
    assert "http" not in page


def test_html_of_arabic_is_written_from_right_to_left(pictures: Path) -> None:
    page = html_text(compose(every_layout("arabic", pictures), "light"))
    assert '<html lang="ar" dir="rtl">' in page
