"""The page of SlideEval runs: the paper's tables and figures for the judges at hand."""

from dataclasses import dataclass
from pathlib import Path

from decklab.reports.page import write_page
from decklab.reports.slideeval_figures import (
    AXES,
    agreement_charts,
    frontier_charts,
    headline_charts,
    letter,
    ordering_charts,
    parseability_chart,
    severity_charts,
    style_charts,
)
from decklab.reports.slideeval_labels import MEASURES, TABLE_4, TASKS
from decklab.reports.slideeval_tables import CATEGORIES, COUNTS
from decklab.reports.slideeval_views import MeasureView, SlideEvalView


@dataclass(frozen=True)
class _Cell:
    item: MeasureView | None
    best: bool


@dataclass(frozen=True)
class _Judge:
    name: str
    letter: str
    series: int


def write_slideeval_page(
    path: str | Path, view: SlideEvalView, *, generated_by: str = "decklab"
) -> None:
    """Write the page to ``path``, whole or not at all. It loads nothing and needs no script."""
    judges = [_Judge(name, letter(view, name), i % 6) for i, name in enumerate(view.judges)]
    write_page(
        path,
        "slideeval.html",
        "open-for-print.js",
        view=view,
        judges=judges,
        tasks=TASKS,
        letters={judge.name: judge.letter for judge in judges},
        extractors=list(dict.fromkeys(item.judge for item in view.measures)),
        table=_table(view),
        labels=MEASURES,
        categories=CATEGORIES,
        counts=COUNTS,
        headline=headline_charts(view),
        parseability=parseability_chart(view),
        styles=style_charts(view),
        severity=severity_charts(view),
        frontier=frontier_charts(view),
        agreement=agreement_charts(view),
        ordering=ordering_charts(view),
        axes=AXES,
        generated_by=generated_by,
    )


def _table(view: SlideEvalView) -> list[tuple[str, list[tuple[str, list[_Cell]]]]]:
    """Table 4: groups of rows, a cell for each judge that read slides."""
    judges = list(dict.fromkeys(item.judge for item in view.measures))
    found = {(i.name, i.judge): i for i in view.measures if i.where == "all"}
    groups = []
    for title, names in TABLE_4:
        rows = []
        for name in names:
            items = [found.get((name, judge)) for judge in judges]
            best = _best(items, higher=MEASURES[name].higher)
            rows.append((name, [_Cell(item, item is not None and item is best) for item in items]))
        groups.append((title, rows))
    return groups


def _best(items: list[MeasureView | None], *, higher: bool) -> MeasureView | None:
    """The best of several end to end; None where there is nothing to compare."""
    scored = [(i.whole.value, i) for i in items if i is not None and i.whole.value is not None]
    if len(scored) < 2:
        return None
    return (max if higher else min)(scored, key=lambda pair: pair[0])[1]
