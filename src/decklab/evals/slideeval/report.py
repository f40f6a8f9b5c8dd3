"""A folder of logs as a report: a page with charts, CSV files, and headlines."""

import errno
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from decklab.core.errors import DeckError
from decklab.core.files import check_folder
from decklab.core.results import NotScored
from decklab.evals.results.board import leave_results
from decklab.evals.results.charts import interval_chart
from decklab.evals.results.page import PageSection, ResultPage
from decklab.evals.slideeval.runs import newest_logs
from decklab.evals.slideeval.summary import (
    DATASET_FILE,
    DatasetTables,
    SensitivitySummary,
    SlideEvalSummary,
    keep_dataset,
    saved_dataset,
    summary_of,
)
from decklab.evals.slideeval.tables import (
    FIGURE_2,
    FIGURE_7,
    MEASURES,
    case_table,
    measure_table,
    order_table,
    plain_tables,
    write_slideeval_csv,
)
from decklab.metrics.sensitivity import FrontierPoint, ModelAgreement
from decklab.metrics.statistics import Interval
from decklab.pages.page import is_page
from decklab.pages.svg_charts import (
    Bar,
    ChartPlace,
    LineSeries,
    SvgChart,
    ValueSpread,
    bar_chart,
    line_chart,
    place_chart,
)
from decklab.pages.wording import clean_line, counted

SERIES = 6
"""Number of colours; further judges share them and differ by letter."""

DAMAGE = -1
"""The series of the damage itself, which is not a judge."""

AXES = ("geometry", "text", "style")

_Rated = TypeVar("_Rated", FrontierPoint, ModelAgreement)


def mark(summary: SlideEvalSummary, judge: str) -> tuple[str, int]:
    """A judge's letter in charts (A, B and so on) and the number of its colour."""
    index = summary.judges.index(judge)
    return chr(ord("A") + index) if index < 26 else str(index + 1), index % SERIES


def _measure_charts(summary: SlideEvalSummary, names: Sequence[str]) -> Iterator[SvgChart]:
    overall = [row for row in summary.measures if row.whole.where == "all"]
    for name in names:
        label = MEASURES[name]
        bars = [
            Bar(
                *mark(summary, row.judge),
                ValueSpread.of(row.whole.value, row.whole.interval),
                ValueSpread.of(row.parsed.value, row.parsed.interval) if label.doubled else None,
                ValueSpread.of(row.whole.coverage).value,
            )
            for row in overall
            if row.name == name
        ]
        if bars:
            yield bar_chart(label.label, bars, top=label.top, unit=label.unit)


def parseability_chart(summary: SlideEvalSummary) -> SvgChart | None:
    """Figure 6, without bins that have no replies; None if there is no bin."""
    bins = [item for each in summary.extraction for item in each.bins if item.label != "all"]
    filled = {item.label for item in bins if item.n}
    order = [label for label in dict.fromkeys(item.label for item in bins) if label in filled]
    if not order:
        return None
    lines = [
        LineSeries(
            *mark(summary, each.judge),
            tuple(
                (float(order.index(item.label)), ValueSpread.of(item.rate, item.interval))
                for item in each.bins
                if item.label in order
            ),
        )
        for each in summary.extraction
        if each.bins
    ]
    ticks = [(float(index), _short(label)) for index, label in enumerate(order)]
    return line_chart("Parse success", lines, ticks=ticks, across="elements on the slide")


def severity_charts(summary: SlideEvalSummary) -> list[SvgChart]:
    """Mean degradation by severity, a chart for each axis; the 100-point scale is dashed.

    The damage itself is one line for all judges who rated the same slides.
    """
    known, charts = summary.sensitivity, []
    ticks = [(share / 4, f"{share / 4:g}") for share in range(5)]
    for title, points in _by_axis(known.points):
        lines = []
        for point in points:
            name, series = mark(summary, point.model)
            name = f"{name}, {point.scale} points"
            lines.append(LineSeries(name, series, _curve(point.curve), point.scale != 5))
        tops = [top for point in points if (top := known.ceiling(point))]
        curves = dict.fromkeys(_curve(top.curve) for top in tops)
        lines += [LineSeries("the damage itself", DAMAGE, curve) for curve in curves]
        charts.append(line_chart(title, lines, ticks=ticks, across="severity", identity=True))
    return charts


def _curve(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, ValueSpread], ...]:
    return tuple((severity, ValueSpread(y)) for severity, y in points)


def frontier_charts(summary: SlideEvalSummary) -> list[SvgChart]:
    """Figure 3a, a chart for each axis."""
    known, charts = summary.sensitivity, []
    for title, points in _by_axis(known.points):
        places = [
            ChartPlace(
                *mark(summary, point.model),
                point.scale,
                ValueSpread.of(point.fidelity, point.fidelity_interval),
                ValueSpread.of(point.consistency, point.consistency_interval),
            )
            for point in points
        ]
        places += dict.fromkeys(
            ChartPlace(
                "D", DAMAGE, 5, ValueSpread.of(top.fidelity), ValueSpread.of(top.consistency)
            )
            for point in points
            if (top := known.ceiling(point))
        )
        charts.append(
            place_chart(title, places, across="fidelity (Spearman’s ρ)", up="consistency (POA)")
        )
    return charts


def agreement_charts(summary: SlideEvalSummary) -> list[SvgChart]:
    """Figure 3b, a chart for each axis: a line for each pair of judges and scale."""
    charts = []
    for title, agreements in _by_axis(summary.sensitivity.agreements):
        curves: dict[str, list[ModelAgreement]] = {}
        for item in agreements:
            pair = "".join(mark(summary, judge)[0] for judge in item.models)
            curves.setdefault(f"{pair}, {item.scale} points", []).append(item)
        lines = [
            LineSeries(
                name,
                index % SERIES,
                tuple((item.high, ValueSpread.of(item.rho)) for item in curve),
                curve[0].scale != 5,
            )
            for index, (name, curve) in enumerate(curves.items())
        ]
        if any(spread.known for line in lines for _, spread in line.values):
            ticks = [(high, f"{high:g}") for high in sorted({item.high for item in agreements})]
            charts.append(line_chart(title, lines, ticks=ticks, low=-1.0, across="severity up to"))
    return charts


def _by_axis(items: Iterable[_Rated]) -> Iterator[tuple[str, list[_Rated]]]:
    """The title and the items of each axis that has any."""
    listed = list(items)
    for axis in AXES:
        if of_axis := [item for item in listed if item.axis == axis]:
            yield axis.capitalize(), of_axis


def _short(label: str) -> str:
    """A short label for an interval: its upper end.

    >>> _short("(2, 4]"), _short("more than 32"), _short("0")
    ('≤ 4', '> 32', '0')
    """
    if label.startswith("more than"):
        return label.replace("more than", ">")
    return f"≤ {label.rpartition(' ')[2].rstrip(']')}" if label.startswith("(") else label


LOGS: Final = "logs"
"""Folder of logs, in the folder of a run."""

PAGE: Final = "slideeval.html"
TABLES: Final = "csv"

_EXTRACTION: Final = {"matching_f1": "matching F1", "text_f1": "text F1"}
_ORDERING: Final = {"kendall_tau": "tau", "spearman_rho": "rho"}


@dataclass(frozen=True)
class Headline:
    """One number of one judge."""

    task: str
    judge: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    """Number of slides, slides at all severities, or decks that it is computed from."""
    reason: str
    ceiling: float | None = None
    """Value of the damage itself on the same slides; for sensitivity only."""

    def __str__(self) -> str:
        """One line, such as ``extract: matching F1 0.41 (0.35 to 0.47), ...``."""
        where = f"{self.task}: {self.judge}: {self.measure}"
        if self.value is None:
            return f"{where} not scored: {self.reason}"
        words = f"{where} {self.value:.3f}"
        if self.low is not None and self.high is not None:
            words += f" ({self.low:.3f} to {self.high:.3f})"
        if self.ceiling is not None:
            words += f", the damage itself {self.ceiling:.3f}"
        return f"{words}, n = {self.n}"


def check_report_folder(out: str | Path) -> None:
    """Check that a report can be written to ``out``.

    Raises FileExistsError if a file of somebody else has one of its names, which is known by a
    page that decklab did not make, or none.
    """
    folder = Path(out)
    if not is_page(folder / PAGE, PAGE):
        for name in (PAGE, TABLES, DATASET_FILE):
            if (folder / name).exists():
                detail = "exists already, and no report of decklab is beside it; name another --out"
                raise FileExistsError(errno.EEXIST, detail, str(folder / name))
    check_folder(folder)


def report_folder(logs: str | Path, out: str | Path) -> SlideEvalSummary:
    """Write page and tables of the newest log of each task and judge; returns their summary.

    Tables of a dataset that are stored in ``out`` come first. Raises DeckError if the folder
    has no log of the three tasks and there are no such tables.
    """
    logs_read = newest_logs(logs) if Path(logs).is_dir() else []
    dataset = saved_dataset(Path(out))
    if not logs_read and dataset is None:
        raise DeckError(logs, "holds no log of slideeval_extract, _perturb or _order")
    summary = summary_of(logs_read)
    if dataset is not None:
        summary = replace(summary, datasets=(dataset, *summary.datasets))
    write_slideeval_csv(Path(out, TABLES), summary)
    measured = [measure_table(summary), measure_table(summary, parsed=True), order_table(summary)]
    tables = [table for table in measured if table.rows]
    leave_results(Path(out), slideeval_page(summary), tables, title="VLM-SlideEval", file=PAGE)
    return summary


def report_dataset(tables: DatasetTables, out: Path) -> Path:
    """Store the tables of a folder's decks in ``out``, and write its report; returns the page."""
    keep_dataset(tables, out)
    report_folder(out / LOGS, out)
    return out / PAGE


def headlines(summary: SlideEvalSummary) -> Iterator[Headline]:
    """Matching and text F1; POA, rho and MACE by axis and scale; tau and rho of orders."""
    for read in summary.extraction:
        for row in read.estimates:
            name = _EXTRACTION.get(row.measure.removeprefix("extraction."))
            if name and (row.where, row.scope) == ("all", "end_to_end"):
                yield _headline(
                    "extract", read.judge, name, row.value, interval=row.interval, n=read.slides
                )
    yield from _sensitivity_headlines(summary.sensitivity)
    for judge in order_table(summary).rows:
        for measure, name in _ORDERING.items():
            cell = judge.cells[measure]
            yield _headline(
                "order", judge.name, name, cell.mean, interval=cell.interval, n=cell.scored
            )


def warnings(summary: SlideEvalSummary) -> Iterator[str]:
    """How many replies of each task and judge could not be read, and how many questions have none;
    a line for each such count."""
    for asked in summary.questions:
        where = f"{asked.task.removeprefix('slideeval_')}: {clean_line(asked.judge)}"
        if asked.unreadable:
            replies = asked.questions - asked.failures
            yield f"{where}: {asked.unreadable} of {replies} replies could not be read"
        for cause, count in asked.failed:
            of = f"{count} of {counted(asked.questions, 'question')}"
            yield f"{where}: {of} without a reply: {clean_line(cause)}"


def _sensitivity_headlines(sensitivity: SensitivitySummary) -> Iterator[Headline]:
    for point in sensitivity.points:
        top = sensitivity.ceiling(point)
        for name, value, interval, ceiling in (
            ("POA", point.consistency, point.consistency_interval, top and top.consistency),
            ("Spearman", point.fidelity, point.fidelity_interval, top and top.fidelity),
            ("MACE", point.mace, None, top and top.mace),
        ):
            measure = f"{point.axis}, {point.scale} points, {name}"
            line = _headline("perturb", point.model, measure, value, interval=interval, n=point.n)
            yield replace(line, ceiling=ceiling if isinstance(ceiling, float) else None)


def _headline(
    task: str,
    judge: str,
    measure: str,
    value: float | NotScored,
    *,
    interval: Interval | NotScored | None,
    n: int,
) -> Headline:
    spread = ValueSpread.of(value, interval)
    return Headline(task, judge, measure, spread.value, spread.low, spread.high, n, spread.reason)


def slideeval_page(summary: SlideEvalSummary) -> ResultPage:
    """The page; it needs no other file and no script."""
    letters = {f"Judge {mark(summary, judge)[0]}": judge for judge in summary.judges}
    notices = []
    if summary.without_reply:
        words = counted(summary.without_reply, "question")
        notices.append((f"{words} without a reply:", "they are in no score; see below."))
    if summary.text_only:
        notices.append(("Judges marked “text only” were given slides as Markdown:", _TEXT_ONLY))
    count = "a judge sees" if len(letters) == 1 else "judges see"
    title = f"What {count} on slides, and what damage is noticed"
    return ResultPage(
        "VLM-SlideEval", title, list(_sections(summary)), letters, notices=notices,
        method=_METHOD, kind="slideeval",
    )  # fmt: skip


_METHOD: Final = (
    "Lines and ranges beside values are 95% intervals over decks: a bootstrap of {units}, but for "
    "orders of fewer than ten Student’s t; those drawn for parse success are Wilson’s. In table 4 "
    "bold is a value whose whole interval is better than every other’s."
)
_TEXT_ONLY: Final = "that is not the paper’s protocol, so compare them with each other only."
_EXTRACTION_LEAD: Final = (
    "What was read off pictures of slides, matched with what is on them. Filled bars are end to "
    "end: replies that do not fit the schema found nothing. Outlines leave those out. The triangle "
    "below a bar is coverage, the share of true elements that the measure speaks of."
)
_DAMAGE_LEAD: Final = (
    "Slides were damaged by known amounts on one axis and rated on the same. Degradation is 0 at "
    "the best score of a scale and 1 at the worst. A calibrated judge follows the dotted line. "
    "Solid lines are the 5-point scale, dashed ones the 100-point scale; grey is the damage itself."
)
_FRONTIER_LEAD: Final = (
    "Consistency is adjacent POA, the share of steps in severity at which degradation does not "
    "fall; fidelity is Spearman’s ρ of severity and degradation. Circles are the 5-point scale, "
    "squares the 100-point scale. D is where the damage itself stands, measured on the elements: "
    "read a judge’s place against D, not against the corner."
)
_DRAWS: Final = {
    "coupled": "Ladders are coupled: one stream of draws for all severities of a slide, so that "
    "each step adds to the damage. Rated by",
    "independent": "Draws are independent at each severity, as in the paper: on a single slide, "
    "more severity may well be less damage. Rated by",
}


def _sections(summary: SlideEvalSummary) -> Iterator[PageSection]:
    tables = plain_tables(summary)

    def plain(*names: str) -> Iterator[PageSection]:
        for name in names:
            if (made := case_table(name, tables[name])) is not None:
                yield PageSection(made[0], cases=made[1])

    if summary.measures:
        measured = [measure_table(summary), measure_table(summary, parsed=True)]
        charts = list(_measure_charts(summary, FIGURE_2))
        yield PageSection("Extraction", _EXTRACTION_LEAD, measured, charts)
        parsed = parseability_chart(summary)
        if styles := list(_measure_charts(summary, FIGURE_7)):
            yield PageSection("Style and geometry", charts=styles)
        if parsed is not None:
            yield PageSection("Parse success", charts=[parsed])
        yield from plain("figure-6", "weights")
    if summary.sensitivity.points:
        draws = [f"{_DRAWS[how]} {', '.join(sorted(judges))}."
                 for how, judges in summary.sensitivity.raters().items() if how]  # fmt: skip
        charts = severity_charts(summary)
        yield PageSection("Sensitivity to damage", _DAMAGE_LEAD, charts=charts, notes=draws)
        charts = frontier_charts(summary)
        yield PageSection("Consistency and fidelity", _FRONTIER_LEAD, charts=charts)
        if charts := agreement_charts(summary):
            yield PageSection("Agreement of judges", charts=charts)
        yield from plain("figure-3a", "figure-3b", "manipulation", "scales")
    if summary.ordering:
        lead = "An order counts where it names every slide once; the length ratio in any case."
        table = order_table(summary)
        charts = [chart for column in table.columns if (chart := interval_chart(table, column))]
        yield PageSection("Order of slides", lead, [table], charts)
    yield from plain("table-2", "table-5", "table-6", "questions")
