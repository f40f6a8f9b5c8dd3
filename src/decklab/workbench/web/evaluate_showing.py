"""Which cases are shown, in which order, and what pages and the JSON API say of them: plain data,
without paths.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final, Literal
from urllib.parse import urlencode

from decklab.core.results import SAME, NotScored
from decklab.evals.desktop.trajectory import Trajectory
from decklab.evals.desktop.trajectory_page import StepFrame
from decklab.pages.wording import number
from decklab.workbench.web.evaluate_details import (
    CaseDeck,
    CaseDetail,
    ShownMetric,
    changes_between,
)
from decklab.workbench.web.evaluate_index import FoundSteps
from decklab.workbench.web.evaluate_runs import KINDS_OF_RUNS, FoundRun, RunCase, RunColumn, RunMean
from decklab.workbench.web.library import NotThere

State = Literal["", "scored", "unscored"]
WORST, BEST, NAME = "worst", "best", "name"
ORDERS: Final[Mapping[str, str]] = {
    "": "as in the run", WORST: "worst first", BEST: "best first", NAME: "by name",
}  # fmt: skip
"""Orders of cases, and their words."""


@dataclass(frozen=True)
class CaseFilter:
    """Filter by a person; empty fields leave everything in."""

    system: str = ""
    label: str = ""
    difficulty: str = ""
    column: str = ""
    """Whose values ``low``, ``high``, ``state`` and ``order`` are about; the main one if empty."""
    low: float | None = None
    high: float | None = None
    state: str = ""
    q: str = ""
    """Words of the name, the instruction or the reason."""
    order: str = ""

    def choose(self, run: FoundRun) -> list[RunCase]:
        """The cases of a run that fit, in the order that was asked for."""
        column = run.column(self.column)
        cases = [case for case in run.cases if self._fits(case, column.name)]
        if self.order == NAME:
            return sorted(cases, key=lambda case: (case.name.casefold(), case.system))
        if self.order in (WORST, BEST):
            down = (self.order == BEST) != column.less_is_better
            return sorted(cases, key=lambda case: _rank(case.value(column.name), down=down))
        return cases

    def _fits(self, case: RunCase, column: str) -> bool:
        value = case.value(column)
        scored = not isinstance(value, NotScored)
        return (
            (not self.system or case.system == self.system)
            and (not self.label or self.label in case.labels)
            and (not self.difficulty or case.difficulty == self.difficulty)
            and (not self.state or scored == (self.state == "scored"))
            and self._within(value)
            and all(word in _words(case) for word in self.q.casefold().split())
        )

    def _within(self, value: float | NotScored) -> bool:
        if self.low is None and self.high is None:
            return True
        if isinstance(value, NotScored):
            return False
        above = self.low is None or value >= self.low - SAME
        return above and (self.high is None or value <= self.high + SAME)

    @property
    def query(self) -> str:
        """The filter as the end of an address, with its question mark; empty without one."""
        asked = {name: value for name, value in vars(self).items() if value not in ("", None)}
        return f"?{urlencode(asked)}" if asked else ""

    @property
    def narrow(self) -> bool:
        """Whether some cases may be left out."""
        return replace(self, order="", column="") != CaseFilter()


def _words(case: RunCase) -> str:
    texts = (str(case.record.get(key) or "") for key in ("instruction", "reason", "title", "note"))
    return " ".join((case.name, case.system, *case.labels, *texts)).casefold()


def _rank(value: float | NotScored, *, down: bool) -> tuple[bool, float]:
    """Sort key that puts unscored values last."""
    if isinstance(value, NotScored):
        return True, 0.0
    return False, -value if down else value


@dataclass(frozen=True)
class BoardPlace:
    """A system of a run on a leaderboard."""

    run: FoundRun
    system: str
    cells: Mapping[str, RunMean]


def leaderboard(
    runs: Iterable[FoundRun], kind: str, *, sort: str = "", q: str = ""
) -> tuple[list[RunColumn], list[BoardPlace]]:
    """The systems of all runs of a kind by one column, the best first, and all columns.

    ``q`` are words of the system or the run. Means over different cases do not compare; the number
    of cases stands beside them. Raises NotThere for no kind.
    """
    if kind not in KINDS_OF_RUNS:
        raise NotThere("no such benchmark")
    own = [run for run in runs if run.kind == kind]
    columns: dict[str, RunColumn] = {}
    for run in own:
        columns |= {column.name: column for column in run.columns if column.name not in columns}
    places = [
        BoardPlace(run, system, cells)
        for run in own
        for system, cells in run.ranked.items()
        if all(word in f"{system} {run.title}".casefold() for word in q.casefold().split())
    ]
    by = columns.get(sort) or (own[0].column() if own else None)
    if by is not None:
        places.sort(key=lambda row: _place_rank(row, by))
    return list(columns.values()), places


def _place_rank(row: BoardPlace, column: RunColumn) -> tuple[bool, float]:
    cell = row.cells.get(column.name)
    value = cell.value if cell else NotScored("no such column")
    return _rank(value, down=not column.less_is_better)


@dataclass(frozen=True)
class PairedCase:
    """A case in two runs; None if a run does not have it."""

    name: str
    before: RunCase | None
    after: RunCase | None
    change: float | NotScored
    """How much better it got, in the column's unit."""

    @property
    def verdict(self) -> Literal["better", "worse", "same", "open"]:
        """Change of the case between two runs; ``open`` if it is not scored in both."""
        if isinstance(self.change, NotScored):
            return "open"
        if abs(self.change) <= SAME:
            return "same"
        return "better" if self.change > 0 else "worse"


def paired(
    before: Sequence[RunCase], after: Sequence[RunCase], column: RunColumn
) -> list[PairedCase]:
    """Cases of the same name in two runs: what got worse most first, then better, then the rest."""
    old = {case.name: case for case in before}
    new = {case.name: case for case in after}
    pairs = [
        PairedCase(
            name, old.get(name), new.get(name), _change(old.get(name), new.get(name), column)
        )
        for name in dict.fromkeys((*old, *new))
    ]
    ranks = {"worse": 0, "better": 1, "open": 2, "same": 3}
    return sorted(pairs, key=lambda pair: (ranks[pair.verdict], -_size(pair.change)))


def _size(change: float | NotScored) -> float:
    return 0.0 if isinstance(change, NotScored) else abs(change)


def _change(before: RunCase | None, after: RunCase | None, column: RunColumn) -> float | NotScored:
    if before is None or after is None:
        return NotScored("only one of them has the case")
    was, now = before.value(column.name), after.value(column.name)
    if isinstance(was, NotScored):
        return was
    if isinstance(now, NotScored):
        return now
    return was - now if column.less_is_better else now - was


def shown_value(value: float | NotScored | None) -> str:
    """A value with as many decimals as help; an en dash for unknown.

    >>> shown_value(0.123456), shown_value(4.0), shown_value(26.2099), shown_value(None)
    ('0.12', '4', '26.2', '–')
    """
    if value is None or isinstance(value, NotScored):
        return "–"
    text = number(value, 2 if abs(value) < 10 else 1)
    return text.rstrip("0").rstrip(".") if "." in text else text


def shown_time(seconds: float) -> str:
    """A time of this machine's clock, to the minute."""
    return datetime.fromtimestamp(seconds).strftime("%d %b %Y, %H:%M")


def shown_case(name: str) -> str:
    """The name of a case; of the path of a deck only the deck's name.

    >>> shown_case("talks/One talk.pptx"), shown_case("Crew / leaders")
    ('One talk.pptx', 'Crew / leaders')
    """
    return PurePath(name).name if name.lower().endswith((".pptx", ".pdf", ".html")) else name


def value_json(value: float | NotScored) -> dict[str, Any]:
    """A value, or null with the reason."""
    if isinstance(value, NotScored):
        return {"value": None, "reason": value.reason}
    return {"value": value}


def run_json(run: FoundRun) -> dict[str, Any]:
    """A run in short: means of its main column by system."""
    return {
        "id": run.id, "kind": run.kind, "benchmark": KINDS_OF_RUNS[run.kind], "title": run.title,
        "made": run.made, "by": run.by, "main": run.main, "running": run.growing,
        "columns": list(map(asdict, run.columns)), "cases": len(run.cases),
        "not_scored": run.unscored, "left_out": run.left_out, "notes": list(run.notes),
        "systems": {name: means_json(cells) for name, cells in run.means.items()},
    }  # fmt: skip


def means_json(cells: Mapping[str, RunMean]) -> dict[str, Any]:
    """Means by column."""
    return {name: cell.to_json() for name, cell in cells.items()}


def case_json(case: RunCase) -> dict[str, Any]:
    """A case in short."""
    return {
        "id": case.id, "name": shown_case(case.name), "system": case.system,
        "labels": list(case.labels), "difficulty": case.difficulty,
        "values": {name: value_json(value) for name, value in case.values.items()},
    }  # fmt: skip


def detail_json(detail: CaseDetail, decks: Sequence[CaseDeck], job: str) -> dict[str, Any]:
    """All that is known of a case; ``pictures`` of a deck is null until it is drawn."""
    return {
        "instruction": detail.instruction, "style_target": detail.target,
        "verdicts": [asdict(verdict) for verdict in detail.verdicts],
        "not_made": list(detail.not_made), "unasked": list(detail.unasked),
        "tree": asdict(detail.tree) if detail.tree else None,
        "did": list(detail.did), "conversation": detail.turns, "tokens": detail.tokens,
        "trajectory": detail.steps.id if detail.steps else None,
        "questions": [question.model_dump() for question in detail.questions],
        "metrics": list(map(_metric_json, detail.metrics)),
        "costs": list(detail.costs), "notes": [*detail.notes, *detail.missing_decks],
        "decks": [_deck_json(deck) for deck in decks],
        "changes": {item.what: changes_between(decks[0], item) for item in decks[1:]},
        "job": job or None,
    }  # fmt: skip


def _metric_json(metric: ShownMetric) -> dict[str, Any]:
    return {
        "title": metric.title, **value_json(metric.score), "proxy": metric.proxy,
        "items": [asdict(item) for item in metric.things],
    }  # fmt: skip


def _deck_json(deck: CaseDeck) -> dict[str, Any]:
    facts = deck.facts
    return {
        "what": deck.what, "sha256": deck.digest, "slides": facts and facts["slides"],
        "not_drawn": facts and facts["error"],
        "pictures": facts and [
            f"/api/evaluate/pictures/{deck.digest}/{slide}.webp"
            for slide in range(1, facts["slides"] + 1)
        ],
    }  # fmt: skip


def place_json(row: BoardPlace) -> dict[str, Any]:
    """A system of a run on a leaderboard."""
    return {
        "run": row.run.id, "title": row.run.title, "system": row.system,
        "cases": len([case for case in row.run.cases if case.system == row.system]),
        "left_out": row.run.left_out, "means": means_json(row.cells),
    }  # fmt: skip


def pair_json(pair: PairedCase, column: str) -> dict[str, Any]:
    """A case in two runs."""
    before = pair.before.value(column) if pair.before else NotScored("not in this run")
    after = pair.after.value(column) if pair.after else NotScored("not in this run")
    return {
        "name": shown_case(pair.name), "verdict": pair.verdict, "before": value_json(before),
        "after": value_json(after), "change": value_json(pair.change)["value"],
    }  # fmt: skip


def steps_json(steps: FoundSteps) -> dict[str, Any]:
    """A trajectory in short."""
    return {
        "id": steps.id, "title": steps.title, "made": steps.made, "by": steps.by,
        "instruction": steps.instruction, "steps": steps.steps, "ended": steps.ended,
        "failure": steps.failure or None,
    }  # fmt: skip


def frame_json(frame: StepFrame, place: int, steps_id: str) -> dict[str, Any]:
    """A step with its actions, its marks in pixels of the screen, and the address of the screen."""
    step = frame.step
    return {
        "step": place, "words": frame.words, "thought": step.thought if step else "",
        "call": dict(step.call) if step else None, "refused": step.refused if step else "",
        "marks": [asdict(mark) for mark in frame.marks],
        "screen": f"/api/evaluate/trajectories/{steps_id}/screens/{place}.png",
    }  # fmt: skip


def failed_steps(trajectory: Trajectory) -> list[int]:
    """The places, from 1, of steps that were not done; of a run that failed its last step too."""
    refused = [number for number, step in enumerate(trajectory.steps, start=1) if step.refused]
    failed = bool(trajectory.end.failure) and bool(trajectory.steps)
    return sorted({*refused, *([len(trajectory.steps)] if failed else [])})
