"""Numbers over cases: difficulty (table C), means by category (table 3), ranks of truths; and the
board of systems, ranked as the published leaderboard ranks them, and what they cost.

The difficulty of a case follows the four signals of paper 003, D.2. On the board a case counts only
where both scores are numbers, and any other counts 0. Beside it stand the means over the scored
cases alone, which say how good the work is that could be judged.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Any, Final

from decklab.core.results import (
    NotScored,
    first_cause,
    reason_of,
    scored,
    scored_mean,
    value_or_none,
)
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.pptarena.cases import CATEGORIES, Case
from decklab.evals.pptarena.reference_scores import COMPANIONS
from decklab.evals.pptarena.running import CaseResult
from decklab.metrics.edits import atomic_changes
from decklab.models.asking import PriceList, Prices, Usage, price_of
from decklab.pages.files import csv_text
from decklab.pages.wording import number

_BEST = 5.0
BOARD_HEADINGS: Final[Mapping[str, str]] = {
    "system": "The editor",
    "rank": "(IF + VQ) / 10 over all expected cases, 0 for each that is not scored; 0 to 1",
    "IF": "Mean instruction following over all expected cases, 0 where not scored",
    "VQ": "Mean visual quality over all expected cases, 0 where not scored",
    "scored": "Cases with both scores, of those that were expected",
    "IF scored": "Mean instruction following over the scored cases",
    "VQ scored": "Mean visual quality over the scored cases",
    "s a case": "Mean seconds that the editor took for a case",
    "tokens in": "Tokens that the editor's model read",
    "tokens out": "Tokens that the editor's model wrote",
    "$": "US dollars that the editor's model cost",
    "judge tokens": "Tokens that judges read and wrote",
    "judge $": "US dollars that judges cost",
}
"""The meaning of each column of the board."""
NO_JUDGE = NotScored("no judge was asked")


@dataclass(frozen=True)
class BoardRow:
    """One system over all cases that were expected of it."""

    system: str
    expected: int
    """Cases, those included that were left out or could not be run."""
    scored: int
    """Cases that have both IF and VQ."""
    rank_score: float | NotScored
    """(IF + VQ) / 10 with 0 for every case that is not scored, 0 to 1; higher is better."""
    if_all: float | NotScored
    """Mean IF, 0 to 5, with 0 for every case that is not scored."""
    vq_all: float | NotScored
    if_mean: float | NotScored
    """Mean IF over the scored cases."""
    vq_mean: float | NotScored
    seconds: float | None
    """Mean of the editor's time a case; None if it is not known."""
    tokens_in: int | None
    """Of the editor's questions; None if a provider did not tell."""
    tokens_out: int | None
    cost: float | None
    """In US dollars; None if prices or tokens are not known."""
    judge_tokens: int | None
    judge_cost: float | None

    @property
    def shows(self) -> bool:
        """Whether there is more to tell than that nobody judged and no model was asked."""
        judged = not isinstance(self.rank_score, NotScored)
        return judged or self.tokens_in != 0 or self.judge_tokens != 0

    @property
    def shown(self) -> tuple[str, ...]:
        """The cells in the order of ``BOARD_HEADINGS``; an en dash for what is not known."""
        tokens = self.tokens_in, self.tokens_out
        return (
            self.system,
            _shown(self.rank_score, 3),
            _shown(self.if_all),
            _shown(self.vq_all),
            f"{self.scored} of {self.expected}",
            _shown(self.if_mean),
            _shown(self.vq_mean),
            _shown(self.seconds, 1),
            *(_shown(count, 0) for count in tokens),
            _shown(self.cost, 4),
            _shown(self.judge_tokens, 0),
            _shown(self.judge_cost, 4),
        )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; null for what is not known."""
        return {field.name: value_or_none(getattr(self, field.name)) for field in fields(self)}

    @property
    def ahead(self) -> tuple[float, float, str]:
        """The key by which systems are ordered: the rank score, then time, then the name."""
        score = -1.0 if isinstance(self.rank_score, NotScored) else self.rank_score
        return -score, float("inf") if self.seconds is None else self.seconds, self.system


def _shown(value: float | NotScored | None, digits: int = 2) -> str:
    return "–" if value is None or isinstance(value, NotScored) else number(value, digits)


def board(
    runs: Mapping[str, Sequence[CaseResult]],
    *,
    left_out: int = 0,
    prices: PriceList | Prices | None = None,
) -> list[BoardRow]:
    """The systems by their names, the best first; ``left_out`` cases could not be run by any.

    ``prices`` are those of the judges. Where no judge was asked there are no scores.
    """
    rows = [_row(name, results, left_out, prices) for name, results in runs.items()]
    return sorted(rows, key=lambda row: row.ahead)


def _row(
    name: str, results: Sequence[CaseResult], left_out: int, prices: PriceList | Prices | None
) -> BoardRow:
    expected = len(results) + left_out
    both = [pair for result in results if (pair := scores_of(result)) is not None]
    judged = any(result.instruction is not None for result in results)
    following, looks = [score for score, _ in both], [score for _, score in both]
    known = judged and expected
    none = "no case has both scores" if judged else NO_JUDGE.reason
    usage = sum((result.usage for result in results), Usage())
    judging = sum((result.judged for result in results), Usage())
    seconds = [result.seconds for result in results if result.seconds is not None]
    read, written = (None, None) if usage.untold else (usage.input_tokens, usage.output_tokens)
    return BoardRow(
        name,
        expected,
        len(both),
        (sum(following) + sum(looks)) / (2 * _BEST * expected) if known else NO_JUDGE,
        sum(following) / expected if known else NO_JUDGE,
        sum(looks) / expected if known else NO_JUDGE,
        scored_mean(following, none),
        scored_mean(looks, none),
        fmean(seconds) if seconds else None,
        read,
        written,
        _cost(results),
        None if judging.untold else judging.input_tokens + judging.output_tokens,
        _judge_cost(results, prices),
    )


def scores_of(result: CaseResult) -> tuple[float, float] | None:
    """IF and VQ of a case; None unless both are numbers."""
    following, looks = result.value("IF"), result.value("VQ")
    if isinstance(following, NotScored) or isinstance(looks, NotScored):
        return None
    return following, looks


def _cost(results: Sequence[CaseResult]) -> float | None:
    """The sum over cases; None if that of a case which asked a model is not known."""
    costs = [0.0 if row.usage == Usage() and row.cost is None else row.cost for row in results]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _judge_cost(results: Sequence[CaseResult], prices: PriceList | Prices | None) -> float | None:
    spent = [
        (price_of(prices, verdict.model), verdict.usage)
        for result in results
        for _, verdict in result.verdicts
        if verdict.usage != Usage()
    ]
    if any(price is None or usage.untold for price, usage in spent):
        return None
    return sum(price.cost(usage) for price, usage in spent if price is not None)


def board_csv(rows: Sequence[BoardRow]) -> str:
    """The board as CSV; an empty cell is for what is not known."""
    names = [field.name for field in fields(BoardRow)]
    lines = [[_cell(getattr(row, name)) for name in names] for row in rows]
    return csv_text([names, *lines])


def _cell(value: object) -> object:
    """A value as it stands in a table; text that a spreadsheet would take for a formula is
    quoted."""
    if value is None or isinstance(value, NotScored):
        return ""
    if isinstance(value, float):
        return round(value, 6)
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple("=+-@")) else value


def scores_csv(results: Sequence[CaseResult], left_out: Sequence[str] = ()) -> str:
    """A system's scores in the columns that the published leaderboard reads; a case that is not
    scored has empty cells."""
    lines = [list(_score_cells(result)) for result in results]
    missing = [[name, *[""] * (len(_SCORE_COLUMNS) - 1)] for name in left_out]
    return csv_text([_SCORE_COLUMNS, *lines, *missing])


_SCORE_COLUMNS: Final = (
    "name", "instruction_following_score", "visual_quality_score", "instruction_following_reason",
    "visual_quality_reason", "generation_time_seconds", "input_tokens", "output_tokens", "cost",
)  # fmt: skip


def _score_cells(result: CaseResult) -> Iterator[object]:
    yield result.case.name
    for name in ("IF", "VQ"):
        value = result.value(name)
        yield "" if isinstance(value, NotScored) else value
    for verdict in (result.instruction, result.visual):
        yield _cell(verdict and verdict.reason)
    yield "" if result.seconds is None else round(result.seconds, 3)
    usage = result.usage
    yield from ("", "") if usage.untold else (usage.input_tokens, usage.output_tokens)
    yield "" if result.cost is None else result.cost


_SEEING = frozenset({"picture", "chart", "diagram", "media"})
_SAYING = frozenset({"text", "table", "notes", "alt text"})
_DECKWIDE = re.compile(
    r"\b(all|every|each|throughout|whole|deck|wherever|consistent|same)\b|"
    r"\bslides? (of|with|\d+(\s*(,|and|to|-)\s*(slides? )?\d+)+)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Difficulty:
    """The signals of one case. The paper labels them by hand; here they are computed, so their
    shares over a set may differ from table C."""

    operations: int
    """Atomic changes from original to truth."""
    slides: int
    """Slides that these change, among them all slides of a changed theme, master or layout."""
    cross_slide: bool
    """Whether two or more slides change and the request is about several or the whole deck."""
    text_visual: bool
    """Whether words and something visual change together, or a picture's words."""
    high_diff: bool
    """Cross-slide or text-visual (D.2; the legend of table C also has long programs in it)."""


def difficulty(case: Case, edit: DeckEdit) -> Difficulty:
    """The signals of a case with the edit that leads from its original to its truth."""
    atoms = atomic_changes(edit)
    slides: set[int | str] = set()
    for atom in atoms:
        slide = atom.place[0]
        if isinstance(slide, int):
            slides.add(slide)
        elif isinstance(slide, str):
            slides.add(f"new {atom.change.slide}")
        else:
            slides |= _followers(edit, atom.change.kind, atom.place[1])
    kinds = {atom.change.kind for atom in atoms}
    cross = len(slides) > 1 and bool(_DECKWIDE.search(f"{case.prompt} {case.style_target}"))
    mixed = bool(kinds & _SEEING) and bool(kinds & _SAYING)
    return Difficulty(len(atoms), len(slides), cross, mixed, cross or mixed)


def _followers(edit: DeckEdit, kind: str, sheet: object) -> set[int | str]:
    if kind not in ("theme", "master", "layout"):
        return set()
    return {slide["number"] for slide in edit.before["slides"] if slide.get(kind) == sheet}


@dataclass(frozen=True)
class DifficultyRow:
    """A row of table C."""

    category: str
    cases: int
    operations: float
    slides: float
    cross_slide: float
    high_diff: float

    @property
    def shown(self) -> tuple[str, ...]:
        """The numbers as a page shows them."""
        means = (f"{self.operations:.1f}", f"{self.slides:.1f}")
        return (str(self.cases), *means, f"{self.cross_slide:.0%}", f"{self.high_diff:.0%}")


_SIGNALS = ("operations", "slides", "cross_slide", "high_diff")


def difficulty_table(rows: Iterable[tuple[Case, Difficulty]]) -> list[DifficultyRow]:
    """Table C: means and shares by category, a case in each of its own, and over all labels."""
    listed = list(rows)
    groups = {name: [row for case, row in listed if name in case.categories] for name in CATEGORIES}
    groups["All labels"] = [row for group in groups.values() for row in group]
    return [
        DifficultyRow(
            name, len(group), *(fmean(getattr(row, signal) for row in group) for signal in _SIGNALS)
        )
        for name, group in groups.items()
        if group
    ]


@dataclass(frozen=True)
class RankCheck:
    """Pairs of a truth and a flawed attempt at the same case."""

    pairs: int
    """Pairs of which both decks were scored."""
    right: int
    """Pairs with the truth strictly above."""
    wrong: tuple[tuple[str, str], ...]
    """Case and kind of attempt of the other pairs."""
    not_scored: int

    @property
    def share(self) -> float | NotScored:
        """Share of the pairs in the right order, 0 to 1."""
        return self.right / self.pairs if self.pairs else NotScored("no pair was scored")


def ordering(
    truths: Mapping[str, float | NotScored], attempts: Iterable[tuple[str, str, float | NotScored]]
) -> RankCheck:
    """Compare the score of each attempt (case, kind, score) with that of the case's truth.

    >>> ordering({"a": 1.0}, [("a", "partial", 0.5), ("a", "collateral", 1.0)]).share
    0.5
    """
    pairs = right = not_scored = 0
    wrong = []
    for case, kind, score in attempts:
        best = truths[case]
        if isinstance(best, NotScored) or isinstance(score, NotScored):
            not_scored += 1
            continue
        pairs += 1
        if best > score:
            right += 1
        else:
            wrong.append((case, kind))
    return RankCheck(pairs, right, tuple(wrong), not_scored)


COLUMNS = ("IF", "VQ", *COMPANIONS)
ALL = "All cases"


_NEAR_ONE = ("preservation", "visual")
"""Columns whose values are near 1 even for poor edits, and need three decimals."""


@dataclass(frozen=True)
class MeanCell:
    """A value, or a mean over the scored cases, and the number of these."""

    mean: float | NotScored
    scored: int = 1
    digits: int = 2

    @property
    def reason(self) -> str:
        """Why there is no value; empty if there is one."""
        return reason_of(self.mean)

    @property
    def shown(self) -> str:
        """The mean with its decimals, an en dash for none; 1 only for exactly 1.

        >>> none = NotScored("no case")
        >>> MeanCell(0.9996, 3).shown, MeanCell(none, 0).shown, MeanCell(0.9996, digits=3).shown
        ('0.99', '–', '0.999')
        """
        if isinstance(self.mean, NotScored):
            return "–"
        shown = number(self.mean, self.digits)
        short = number(1, self.digits)
        return f"0.{'9' * self.digits}" if shown == short and self.mean < 1 - 1e-9 else shown


@dataclass(frozen=True)
class CategoryRow:
    """A category, or all cases."""

    category: str
    cases: int
    cells: Mapping[str, MeanCell]
    """Means by column, see ``COLUMNS``."""


def summary(results: Sequence[CaseResult]) -> list[CategoryRow]:
    """Rows by category in the order of table 3; a case counts in each of its categories and once
    in ``All cases``. A case without a score counts as a case and is in no mean."""
    groups = {name: [row for row in results if name in row.case.categories] for name in CATEGORIES}
    others = [result for result in results if not set(result.case.categories) & set(CATEGORIES)]
    named = {**groups, "Other": others, ALL: list(results)}
    return [
        CategoryRow(name, len(group), {column: _mean(group, column) for column in COLUMNS})
        for name, group in named.items()
        if group
    ]


def cell_of(column: str, value: float | NotScored, scored: int = 1) -> MeanCell:
    """A value of a column with the decimals that it needs."""
    return MeanCell(value, scored, 3 if column in _NEAR_ONE else 2)


def _mean(group: Sequence[CaseResult], column: str) -> MeanCell:
    values = [result.value(column) for result in group]
    known = scored(values)
    same = first_cause(values) if len(set(map(reason_of, values))) == 1 else None
    mean = scored_mean(known, "no case was scored")
    return cell_of(column, mean if known else same or mean, len(known))
