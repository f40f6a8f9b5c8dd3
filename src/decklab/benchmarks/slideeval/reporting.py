"""From a folder of logs to a report, and to the numbers one looks at first."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from decklab.benchmarks.slideeval.dataset import kept_dataset
from decklab.benchmarks.slideeval.runs import newest_logs
from decklab.benchmarks.slideeval.summary import Summary, summary_of
from decklab.benchmarks.slideeval.views import view_of_summary
from decklab.errors import DeckError
from decklab.metrics.statistics import Interval
from decklab.reports.slideeval_csv import write_slideeval_csv
from decklab.reports.slideeval_page import write_slideeval_page
from decklab.results import NotScored

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
    """Slides, slides at all severities, or decks behind it."""
    reason: str
    ceiling: float | None = None
    """What the damage itself reaches on the same slides; of sensitivity only."""

    def __str__(self) -> str:
        """One line, such as ``extract: matching F1 0.41 (0.35 to 0.47), ...``."""
        where = f"{self.task}: {self.judge}: {self.measure}"
        if self.value is None:
            return f"{where} not scored: {self.reason}"
        told = f"{where} {self.value:.3f}"
        if self.low is not None and self.high is not None:
            told += f" ({self.low:.3f} to {self.high:.3f})"
        if self.ceiling is not None:
            told += f", the damage itself {self.ceiling:.3f}"
        return f"{told}, n = {self.n}"

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def report_folder(logs: str | Path, out: str | Path) -> Summary:
    """Write page and tables on the newest log of each task and judge; gives what they say.

    Tables of a dataset that are kept in ``out`` come first. Raises DeckError where the folder
    holds no log of the three tasks and there are no such tables.
    """
    found = newest_logs(logs) if Path(logs).is_dir() else []
    kept = kept_dataset(Path(out))
    if not found and kept is None:
        raise DeckError(logs, "holds no log of slideeval_extract, _perturb or _order")
    summary = summary_of(found)
    view = view_of_summary(summary)
    if kept is not None:
        view = replace(view, datasets=(kept, *view.datasets))
    write_slideeval_csv(Path(out, TABLES), view)
    write_slideeval_page(Path(out, PAGE), view)
    return summary


def headlines(summary: Summary) -> list[Headline]:
    """Matching and text F1; POA, rho and MACE by axis and scale; tau and rho of orders."""
    return [*_extraction(summary), *_sensitivity(summary), *_ordering(summary)]


def _extraction(summary: Summary) -> Iterator[Headline]:
    for each in summary.extraction:
        for row in each.estimates:
            name = row.measure.removeprefix("extraction.")
            if name in _EXTRACTION and row.where == "all" and row.scope == "end_to_end":
                yield _headline(
                    "extract",
                    each.judge,
                    _EXTRACTION[name],
                    value=row.value,
                    interval=row.interval,
                    n=each.slides,
                )


def _sensitivity(summary: Summary) -> Iterator[Headline]:
    ceilings = {(each.model, each.axis, each.scale): each for each in summary.sensitivity.ceilings}
    for point in summary.sensitivity.points:
        where = f"{point.axis}, {point.scale} points,"
        top = ceilings.get((point.model, point.axis, point.scale))
        for name, value, interval, ceiling in (
            ("POA", point.consistency, point.consistency_interval, top and top.consistency),
            ("Spearman", point.fidelity, point.fidelity_interval, top and top.fidelity),
            ("MACE", point.mace, None, top and top.mace),
        ):
            found = _headline(
                "perturb", point.model, f"{where} {name}", value=value, interval=interval, n=point.n
            )
            yield replace(found, ceiling=ceiling if isinstance(ceiling, float) else None)


def _ordering(summary: Summary) -> Iterator[Headline]:
    for each in summary.ordering:
        for row in each.estimates:
            name = row.measure.removeprefix("ordering.")
            if name in _ORDERING:
                yield _headline(
                    "order",
                    each.judge,
                    _ORDERING[name],
                    value=row.value,
                    interval=row.interval,
                    n=row.decks,
                )


def _headline(
    task: str,
    judge: str,
    measure: str,
    *,
    value: float | NotScored,
    interval: Interval | NotScored | None,
    n: int,
) -> Headline:
    if isinstance(value, NotScored):
        return Headline(task, judge, measure, None, None, None, n, value.reason)
    low, high = interval if isinstance(interval, tuple) else (None, None)
    return Headline(task, judge, measure, value, low, high, n, "")
