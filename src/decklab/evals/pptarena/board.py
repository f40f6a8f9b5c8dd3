"""The board: systems ranked as the published leaderboard ranks them, and what they cost.

There a case counts only where both scores are numbers, and any other counts 0. Beside it stand the
means over the scored cases alone, which say how good the work is that could be judged.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Any, Final

from decklab.core.results import NotScored, scored_mean, value_or_none
from decklab.evals.pptarena.running import CaseResult
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
