"""All probes of one deck, each run once, when it is first needed; that of gate 4 is here: does a
chart agree with its workbook, and does it change when a number changes?"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import DeckError, RenderError
from decklab.core.files import scratch_folder
from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.deck.graphic_frames import WorkbookCheck, read_workbook
from decklab.deck.model.outline import DeckOutline, OutlineChart, OutlineShape, OutlineSlide
from decklab.metrics.editability.verdict import (
    MOSTLY,
    ChartFacts,
    InheritanceFacts,
    PictureFacts,
    ReflowFacts,
    content_shapes,
    filled_slides,
    on_frame,
)
from decklab.ooxml.package import Package
from decklab.ooxml.workbook import Workbook, cell_name, parse_reference
from decklab.ooxml.xml import Element, local_name, qn, serialize_xml
from decklab.rendering.opening import open_rendered
from decklab.rendering.pictures import RenderedDeck
from decklab.rendering.renderer import Renderer
from decklab.scoring.relayout import RelayoutCopy, RelayoutFacts, open_copy, relayout, write_copy
from decklab.scoring.trial_pictures import picture_facts

SHRINK = 0.4
"""The factor for the largest number: a bar of 40 % and a slice of another size are visible, and the
number stays on any axis."""


@dataclass(frozen=True)
class NumberChange:
    """One number changed in both workbook and chart."""

    series: int
    """Index of the series, in the order of the chart's XML."""
    point: int
    """Index of the point in its series."""
    value: float
    workbook: bytes
    """The workbook with the number changed."""


def number_change(package: Package, chart: OutlineChart) -> NumberChange | None:
    """A change of one number to try on a chart whose workbook was read and agrees; None without a
    cell that can be changed."""
    if chart.workbook is None:
        return None
    try:
        with Workbook.embedded(package, chart.workbook) as book:
            return _change(book, chart)
    except DeckError:
        return None  # of another format, which only its application can change


def _change(book: Workbook, chart: OutlineChart) -> NumberChange | None:
    """Shrink the largest number of the longest series that stands in a cell of its own."""
    order = sorted(range(len(chart.series)), key=lambda index: -len(chart.series[index].values))
    for index in order:
        series = chart.series[index]
        areas = parse_reference(series.values_ref or "")
        drawn = [
            (abs(value), point) for point, value in enumerate(series.values) if value is not None
        ]
        if not areas or not drawn:
            continue
        _, point = max(drawn, key=lambda pair: (pair[0], -pair[1]))
        cells = [(area.sheet, position) for area in areas for position in area.cells()]
        if point < len(cells):
            sheet, position = cells[point]
            old = series.values[point] or 0.0
            new = SHRINK * old if old else 1.0
            name = sheet or book.sheets[0]
            return NumberChange(
                index, point, new, book.with_number(name, cell_name(*position), new)
            )
    return None


MOST_SLIDES = 8
"""Most slides whose charts are redrawn; the workbooks of all charts are read."""

SEEN_DIFFERENCE = 24
SEEN_PIXELS = 12
"""A change is seen where at least this many pixels of the chart differ by more than this in a
channel. Drawing the same chart twice gives the same pixels, so this is only the least visible
mark."""


@dataclass(frozen=True)
class _ChartProbe:
    slide: OutlineSlide
    shape: OutlineShape
    chart: OutlineChart
    reading: WorkbookCheck


def chart_facts(
    package: Package,
    outline: DeckOutline,
    *,
    renderer: Renderer | None = None,
    drawn: RenderedDeck | None = None,
) -> tuple[ChartFacts, ...] | NotScored:
    """Every native chart: its workbook, and whether its picture follows a changed number.

    ``drawn`` is the deck as it was drawn already; without it the deck is drawn for this. Only
    charts with a sound workbook are redrawn, and none if most workbooks have failed already.
    """
    cases = [
        _ChartProbe(slide, shape, shape.chart, read_workbook(package, shape.chart))
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
            undrawn = () if drawn is None else drawn.faults
            tried = _to_try([case for case in sound if case.slide.number not in undrawn])
            redrawn = _redrawn(package, outline, tried, renderer=renderer, drawn=drawn)
        except DeckError as error:
            return NotScored(f"{error.part}: {error.detail}" if error.part else error.detail)
        except RenderError as error:
            return NotScored(error.detail)
    return tuple(_fact(case, redrawn.get((case.slide.number, case.shape.id))) for case in cases)


def _fact(case: _ChartProbe, redrawn: bool | None) -> ChartFacts:
    reading = case.reading
    return ChartFacts(
        case.slide.number, case.shape.id, reading.state, reading.detail, reading.compared,
        reading.mismatches, redrawn,
    )  # fmt: skip


def _to_try(cases: Sequence[_ChartProbe]) -> list[_ChartProbe]:
    ready = [case for case in cases if case.reading.state == "readable" and _standard(case.chart)]
    numbers = sorted({case.slide.number for case in ready})[:MOST_SLIDES]
    return [case for case in ready if case.slide.number in numbers]


def _standard(chart: OutlineChart) -> bool:
    """True for the charts of ISO/IEC 29500, which LibreOffice draws; newer kinds it leaves out."""
    return all(kind.endswith("Chart") for kind in chart.kinds) and bool(chart.kinds)


def _redrawn(
    package: Package,
    outline: DeckOutline,
    cases: Sequence[_ChartProbe],
    *,
    renderer: Renderer | None,
    drawn: RenderedDeck | None,
) -> dict[tuple[int, int], bool]:
    """Whether each chart's picture changed, by slide number and shape id."""
    if not (slides := list({case.slide.number: case.slide for case in cases}.values())):
        return {}
    replace: dict[str, bytes] = {}
    for case in cases:
        change = number_change(package, case.chart)
        if change is not None and case.chart.part is not None and case.chart.workbook is not None:
            root = package.xml(case.chart.part)
            if set_cached_value(root, change):
                replace[case.chart.part] = serialize_xml(root)
                replace[case.chart.workbook] = change.workbook
    with scratch_folder("probe") as folder:
        target = folder / "charts.pptx"
        write_copy(package, target, slides={slide.part for slide in slides}, replace=replace)
        with open_rendered(
            target, renderer=renderer, ocr=False, deadly="not looked for"
        ) as changed:
            if len(changed) != len(slides):
                return {}
            if drawn is not None and len(drawn) == len(outline.slides):
                return _compare(cases, slides, lambda number: drawn.slide(number).image, changed)
            with open_rendered(outline.path, renderer=renderer, ocr=False) as whole:
                if len(whole) != len(outline.slides):
                    return {}
                return _compare(cases, slides, lambda number: whole.slide(number).image, changed)


def set_cached_value(root: Element, change: NumberChange) -> bool:
    """Set one number of a chart's cache, as the application does; False if it is not there."""
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
    cases: Sequence[_ChartProbe],
    slides: Sequence[OutlineSlide],
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
    """True if two pictures (height x width x 3) of one slide differ inside a box."""
    part = on_frame(box).on_picture(old.shape)
    rows = slice(round(part.top), round(part.bottom) + 1)
    columns = slice(round(part.left), round(part.right) + 1)
    difference = np.abs(old[rows, columns].astype(int) - new[rows, columns].astype(int))
    return int((difference.max(axis=2) > SEEN_DIFFERENCE).sum()) >= SEEN_PIXELS


@dataclass(eq=False)
class DeckProbes:
    """The probes that ``judge_pptx`` calls. The package must stay open; the deck is never changed.

    ``renderer`` draws the changed copies, of which there are at most three; ``drawn`` is the deck
    as it was drawn already. If drawing fails, the result is NotScored with the cause.
    """

    package: Package
    outline: DeckOutline
    _: KW_ONLY
    renderer: Renderer | None = None
    drawn: RenderedDeck | None = None
    relaid: RelayoutCopy | NotScored | None = None
    """The copy for ``reflow`` and ``inheritance``, if it was written before."""
    relaid_drawn: Callable[[], RenderedDeck] | None = None
    """That copy as it was begun to be drawn."""

    def pictures(self) -> tuple[PictureFacts, ...]:
        """Every picture as placed, and what its pixels show."""
        return self._pictures

    def reflow(self) -> tuple[ReflowFacts, ...] | NotScored:
        """The text shapes of a third of the slides, with their longest paragraph doubled."""
        return self._relayout if isinstance(self._relayout, NotScored) else self._relayout.reflow

    def inheritance(self) -> tuple[InheritanceFacts, ...] | NotScored:
        """Whether a patch on its layout appears, for a third of the slides."""
        if isinstance(self._relayout, NotScored):
            return self._relayout
        return self._relayout.inheritance

    def charts(self) -> tuple[ChartFacts, ...] | NotScored:
        """Every native chart: its workbook, and whether it follows a changed number."""
        return self._charts

    @property
    def failures(self) -> tuple[NotScored, ...]:
        """The causes of probes that were needed and gave no facts, such as a LibreOffice that took
        too long."""
        done = (vars(self).get("_relayout"), vars(self).get("_charts"))
        return tuple(item for item in done if isinstance(item, NotScored))

    @cached_property
    def _pictures(self) -> tuple[PictureFacts, ...]:
        cache = None if self.renderer is None else self.renderer.cache
        return picture_facts(self.package, self.outline, None if cache is None else cache.results)

    @cached_property
    def _relayout(self) -> RelayoutFacts | NotScored:
        undrawn = () if self.drawn is None else tuple(self.drawn.faults)
        if self.relaid is None or undrawn:
            return relayout(self.package, self.outline, renderer=self.renderer, undrawn=undrawn)
        if isinstance(self.relaid, NotScored):
            return self.relaid
        return self.relaid.facts(
            self.relaid_drawn or partial(open_copy, self.relaid.path, self.renderer)
        )

    @cached_property
    def _charts(self) -> tuple[ChartFacts, ...] | NotScored:
        return chart_facts(self.package, self.outline, renderer=self.renderer, drawn=self.drawn)
