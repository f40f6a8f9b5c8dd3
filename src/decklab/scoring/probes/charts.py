"""The camera for gate 4: change a number of each chart on a copy, and look whether it redraws."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decklab.deck.model.outline import Chart, DeckOutline, Shape, Slide
from decklab.errors import DeckError, RenderError
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.metrics.editability.content import MOSTLY, content_shapes, filled_slides, on_frame
from decklab.metrics.editability.facts import ChartFacts
from decklab.ooxml.package import Package
from decklab.ooxml.xml import Element, local_name, qn, serialize_xml
from decklab.rendering.cache import Cache
from decklab.rendering.model import RenderedDeck
from decklab.rendering.office.office import Converter
from decklab.rendering.opening import open_rendered
from decklab.rendering.scratch import scratch_folder
from decklab.results import NotScored
from decklab.scoring.probes.copies import write_copy
from decklab.scoring.probes.workbooks import Change, Reading, read_workbook

MOST_SLIDES = 8
"""Slides whose charts are redrawn at most; the workbooks of all charts are read."""

SEEN_DIFFERENCE = 24
SEEN_PIXELS = 12
"""A change is seen where at least so many pixels of the chart differ by more than so much in a
channel. Drawing the same chart twice gives the same pixels, so this asks for no more than a mark
that an eye could find."""


@dataclass(frozen=True)
class _Case:
    slide: Slide
    shape: Shape
    chart: Chart
    reading: Reading


def chart_facts(
    package: Package,
    outline: DeckOutline,
    *,
    office: Converter | None = None,
    cache: Cache | None = None,
    drawn: RenderedDeck | None = None,
) -> tuple[ChartFacts, ...] | NotScored:
    """Every native chart: its workbook, and whether its picture follows a changed number.

    ``drawn`` is the deck as it was drawn already; without it the deck is drawn for this. Only
    charts with a sound workbook are redrawn, and none where most workbooks have failed already.
    """
    cases = [
        _Case(slide, shape, shape.chart, read_workbook(package, shape.chart))
        for slide in filled_slides(outline)
        for shape in content_shapes(slide)
        if shape.kind == "chart" and shape.chart is not None
    ]
    sound = [
        case
        for case in cases
        if case.reading.state in ("readable", "foreign") and not case.reading.mismatches
    ]
    redrawn: dict[tuple[int, int], bool] = {}
    if len(sound) >= (1 - MOSTLY) * len(cases):
        try:
            redrawn = _redrawn(
                package, outline, _tried(sound), office=office, cache=cache, drawn=drawn
            )
        except DeckError as error:
            return NotScored(f"{error.part}: {error.detail}" if error.part else error.detail)
        except RenderError as error:
            return NotScored(error.detail)
    return tuple(_fact(case, redrawn.get((case.slide.number, case.shape.id))) for case in cases)


def _fact(case: _Case, redrawn: bool | None) -> ChartFacts:
    reading = case.reading
    return ChartFacts(
        case.slide.number, case.shape.id, reading.state, reading.detail, reading.compared,
        reading.mismatches, redrawn,
    )  # fmt: skip


def _tried(cases: Sequence[_Case]) -> list[_Case]:
    ready = [case for case in cases if case.reading.change is not None and _standard(case.chart)]
    numbers = sorted({case.slide.number for case in ready})[:MOST_SLIDES]
    return [case for case in ready if case.slide.number in numbers]


def _standard(chart: Chart) -> bool:
    """True for the charts of ISO/IEC 29500, which LibreOffice draws; newer kinds it leaves out."""
    return all(kind.endswith("Chart") for kind in chart.kinds) and bool(chart.kinds)


def _redrawn(
    package: Package,
    outline: DeckOutline,
    cases: Sequence[_Case],
    *,
    office: Converter | None,
    cache: Cache | None,
    drawn: RenderedDeck | None,
) -> dict[tuple[int, int], bool]:
    """Whether each chart's picture changed, by slide number and shape id."""
    slides = list({case.slide.number: case.slide for case in cases}.values())
    if not slides:
        return {}
    replace: dict[str, bytes] = {}
    for case in cases:
        change = case.reading.change
        if change is not None and case.chart.part is not None and case.chart.workbook is not None:
            root = package.xml(case.chart.part)
            if set_cached_value(root, change):
                replace[case.chart.part] = serialize_xml(root)
                replace[case.chart.workbook] = change.workbook
    with scratch_folder("probe") as folder:
        target = folder / "charts.pptx"
        write_copy(package, target, slides={slide.part for slide in slides}, replace=replace)
        with open_rendered(target, office=office, cache=cache, ocr=False) as changed:
            if len(changed) != len(slides):
                return {}
            if drawn is not None and len(drawn) == len(outline.slides):
                return _compare(cases, slides, lambda number: drawn.slide(number).image, changed)
            with open_rendered(outline.path, office=office, cache=cache, ocr=False) as whole:
                if len(whole) != len(outline.slides):
                    return {}
                return _compare(cases, slides, lambda number: whole.slide(number).image, changed)


def set_cached_value(root: Element, change: Change) -> bool:
    """Set one number of a chart's cache, as the application does; False where it is not there."""
    area = root.find(f"{qn('c:chart')}/{qn('c:plotArea')}")
    plots = [] if area is None else [plot for plot in area
                                     if local_name(str(plot.tag)).endswith("Chart")]  # fmt: skip
    series = [item for plot in plots for item in plot.iterfind(qn("c:ser"))]
    if change.series >= len(series):
        return False
    for name in ("c:val", "c:yVal"):
        for point in series[change.series].iterfind(
            f"{qn(name)}/{qn('c:numRef')}/{qn('c:numCache')}/{qn('c:pt')}"
        ):
            value = point.find(qn("c:v"))
            if point.get("idx") == str(change.point) and value is not None:
                value.text = repr(change.value)
                return True
    return False


def _compare(
    cases: Sequence[_Case],
    slides: Sequence[Slide],
    before: Callable[[int], NDArray[np.uint8]],
    changed: RenderedDeck,
) -> dict[tuple[int, int], bool]:
    seen: dict[tuple[int, int], bool] = {}
    for page, slide in enumerate(slides, start=1):
        old, new = before(slide.number), changed.slide(page).image
        for case in cases:
            if case.slide is slide and case.shape.box is not None and old.shape == new.shape:
                key = (slide.number, case.shape.id)
                seen[key] = picture_changed(old, new, case.shape.box)
    return seen


def picture_changed(old: NDArray[np.uint8], new: NDArray[np.uint8], box: Box) -> bool:
    """True where two pictures (height x width x 3) of one slide differ inside a box."""
    height, width = old.shape[:2]
    part = on_frame(box).scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)
    rows = slice(round(part.top), round(part.bottom) + 1)
    columns = slice(round(part.left), round(part.right) + 1)
    difference = np.abs(old[rows, columns].astype(int) - new[rows, columns].astype(int))
    return int((difference.max(axis=2) > SEEN_DIFFERENCE).sum()) >= SEEN_PIXELS
