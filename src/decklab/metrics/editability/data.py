"""Gate 4, native data: charts must open their workbook and follow it (paper 002, I.4.3 step 4)."""

from collections.abc import Callable, Sequence
from typing import Literal

from decklab.deck.outline import DeckOutline, Shape, Slide
from decklab.metrics.editability.bars import DeadChart, dead_charts
from decklab.metrics.editability.content import content_shapes, filled_slides
from decklab.metrics.editability.facts import ChartFacts, PictureFacts, Workbook
from decklab.metrics.editability.thresholds import MIN_BARS, MIN_PROCESS_LINES
from decklab.metrics.editability.verdict import Evidence, Gate
from decklab.results import NotScored

__all__ = ["NoData", "chart_pictures", "judge_data"]

NoData = Literal["failed", "not_applicable"]
"""What a deck without data graphics gets: ``failed`` as in paper 002, table 5, where every system
without native charts stops at level 3; or ``not_applicable``, and evaluation goes on."""

CHART_FIX = "Insert a native chart with the same numbers and delete the drawing."
WORKBOOK_FIX = "Rebuild the chart from its numbers so that it carries an embedded workbook."
CELL_FIX = "Open 'Edit Data' and set the cells to the numbers that are meant to be shown."
CONNECTOR_FIX = "Glue the arrows to the boxes with connectors, or use SmartArt."
CHART_WORDS = (
    "chart", "graph of", "line graph", "bar graph", "histogram", "plot of", "scatter plot",
    "diagramm mit", "gráfico", "grafico", "graphique", "图表", "柱状图", "折线图", "饼图", "グラフ",
)  # fmt: skip


def judge_data(
    outline: DeckOutline,
    pictures: Callable[[], Sequence[PictureFacts] | NotScored],
    charts: Callable[[], Sequence[ChartFacts] | NotScored],
    no_data: NoData = "failed",
) -> Gate:
    """Gate 4. ``charts`` is asked only where no dead chart has decided already."""
    slides = filled_slides(outline)
    native = [(slide, shape) for slide in slides for shape in content_shapes(slide)
              if shape.kind == "chart"]  # fmt: skip
    dead = [_dead(chart) for slide in slides for chart in dead_charts(slide)]
    seen = pictures()
    dead += [] if isinstance(seen, NotScored) else chart_pictures(slides, seen)
    remarks = _loose_processes(slides)
    if dead:
        summary = (
            f"{len(dead)} data graphics are drawings or pictures without data, "
            f"{len(native)} are native charts."
        )
        return Gate(4, "failed", summary, (*dead, *remarks), CHART_FIX)
    if not native:
        return _without_data(slides, no_data, remarks)
    facts = _without_workbook(native) or charts()
    if isinstance(facts, NotScored):
        return Gate(4, "not_scored", f"The charts could not be tried: {facts.reason}", remarks)
    return _native(native, facts, remarks)


def _without_workbook(native: Sequence[tuple[Slide, Shape]]) -> list[ChartFacts]:
    """Charts whose workbook is missing or linked, which no probe needs to open."""
    found = []
    for slide, shape in native:
        if shape.chart is not None and shape.chart.workbook is None:
            link = shape.chart.workbook_link
            state: Workbook = "linked" if link else "missing"
            found.append(ChartFacts(slide.number, shape.id, state, link or ""))
    return found


def _without_data(slides: Sequence[Slide], no_data: NoData, remarks: tuple[Evidence, ...]) -> Gate:
    kinds = {shape.kind for slide in slides for shape in content_shapes(slide)}
    smart = " (SmartArt is native, but holds no numbers)" if "smartart" in kinds else ""
    summary = f"The deck has no native data graphics{smart}."
    if no_data == "not_applicable":
        return Gate(4, "not_applicable", summary, remarks)
    return Gate(4, "failed", summary, remarks, "Show the deck's numbers in native charts.")


def _dead(chart: DeadChart) -> Evidence:
    return Evidence(
        "editability.dead-chart", "error",
        f"A {chart.kind} is drawn from {len(chart.pieces)} plain shapes; there is no data behind "
        "it.",
        slide=chart.slide, shape=chart.pieces[0].label, box=chart.box, fix=CHART_FIX,
    )  # fmt: skip


def chart_pictures(slides: Sequence[Slide], pictures: Sequence[PictureFacts]) -> list[Evidence]:
    """Rasters that show a chart: told by bars in the pixels, or by their alternative text."""
    shown = {slide.number: slide for slide in slides}
    found = []
    for fact in pictures:
        if fact.kind != "graphic" or fact.slide not in shown:
            continue
        shape = shown[fact.slide].shape(fact.shape) if fact.shape is not None else None
        if fact.bars >= MIN_BARS or (shape is not None and _called_chart(shape)):
            found.append(Evidence(
                "editability.chart-picture", "error",
                "A chart is shown as a picture; its numbers cannot be edited.",
                slide=fact.slide, shape=fact.label, box=fact.box, fix=CHART_FIX,
            ))  # fmt: skip
    return found


def _called_chart(shape: Shape) -> bool:
    text = f"{shape.alt_text} {shape.name}".lower()
    return any(word in text for word in CHART_WORDS) and "flowchart" not in text.replace(" ", "")


def _native(
    native: Sequence[tuple[Slide, Shape]],
    facts: Sequence[ChartFacts],
    remarks: tuple[Evidence, ...],
) -> Gate:
    known = {(fact.slide, fact.shape): fact for fact in facts}
    found: list[Evidence] = []
    tried = 0
    for slide, shape in native:
        fact = known.get((slide.number, shape.id))
        if fact is not None:
            tried += fact.redrawn is not None
            item = _chart_evidence(slide, shape, fact)
            found += [item] if item is not None else []
    bad = [item for item in found if item.severity == "error"]
    drawn = f"checked {tried} of {len(native)} with a changed number"
    if bad:
        summary = f"{len(bad)} of {len(native)} native charts do not follow their data ({drawn})."
        fix = bad[0].fix
        return Gate(4, "failed", summary, (*found, *remarks), fix)
    summary = f"Every data graphic is a native chart that follows its data ({drawn})."
    return Gate(4, "passed", summary, (*found, *remarks))


def _chart_evidence(slide: Slide, shape: Shape, fact: ChartFacts) -> Evidence | None:
    """The first thing wrong with a chart, or a remark; None where all is well."""
    rule, severity, fix = "editability.broken-workbook", "error", WORKBOOK_FIX
    if fact.workbook in ("missing", "linked", "unreadable"):
        words = {
            "missing": "The chart has no workbook",
            "linked": "The chart's workbook lies outside the deck",
            "unreadable": "The chart's workbook cannot be opened",
        }
        detail = words[fact.workbook]
    elif fact.mismatches:
        rule, fix = "editability.stale-chart", CELL_FIX
        detail = f"{len(fact.mismatches)} of {fact.compared} cells disagree with the drawn chart"
        fact_detail = fact.mismatches[0]
        return Evidence(
            rule, "error", f"{detail}: {fact_detail}.",
            slide=slide.number, shape=shape.label, box=shape.box, fix=fix,
        )  # fmt: skip
    elif fact.redrawn is False:
        rule, detail = "editability.frozen-chart", "The picture does not change with the number"
    elif fact.workbook == "foreign" or fact.compared == 0:
        rule, severity = "editability.unread-workbook", "info"
        detail = "The cells of the chart's workbook could not be compared with the drawing"
    else:
        return None
    tail = f": {fact.detail}" if fact.detail else ""
    return Evidence(
        rule, "error" if severity == "error" else "info", f"{detail}{tail}.",
        slide=slide.number, shape=shape.label, box=shape.box, fix=fix,
    )  # fmt: skip


def _loose_processes(slides: Sequence[Slide]) -> tuple[Evidence, ...]:
    """Slides that draw a process with arrows that hold on to nothing."""
    found = []
    for slide in slides:
        lines = [shape for shape in content_shapes(slide) if shape.kind == "connector"]
        loose = [line for line in lines if line.connects == (None, None)]
        boxes = [shape for shape in content_shapes(slide)
                 if shape.kind == "shape" and shape.filled and shape.text is not None
                 and shape.text.text.strip() and shape.placeholder is None]  # fmt: skip
        if len(loose) >= MIN_PROCESS_LINES and len(boxes) >= MIN_PROCESS_LINES:
            found.append(Evidence(
                "editability.loose-process", "info",
                f"{len(loose)} of {len(lines)} lines between boxes are glued to nothing.",
                slide=slide.number, shape=loose[0].label, box=loose[0].box, fix=CONNECTOR_FIX,
            ))  # fmt: skip
    return tuple(found)
