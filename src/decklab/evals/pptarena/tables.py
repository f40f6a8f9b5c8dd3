"""Numbers over cases: difficulty (table C), means by category (table 3), ranks of truths; and the
board of systems, ranked as the published leaderboard ranks them, and what they cost.

The difficulty of a case follows the four signals of paper 003, D.2. On the board a case counts only
where both scores are numbers, and any other counts 0. Beside it stand the means over the scored
cases alone, which say how good the work is that could be judged.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import fmean
from typing import Any, Final

from decklab.core.results import NotScored
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.pptarena.cases import CATEGORIES, Case, slug
from decklab.evals.pptarena.reference_scores import COMPANIONS
from decklab.evals.pptarena.running import CaseResult
from decklab.evals.results.means import UNIT_SCALE, Observation
from decklab.evals.results.tables import (
    ResultColumn,
    ResultTable,
    result_table,
    share_column,
    system_table,
)
from decklab.evals.results.text import formula_free
from decklab.metrics.edits import atomic_changes
from decklab.models.asking import PriceList, Prices, Usage, price_of
from decklab.pages.files import csv_text

_MARKS: Final = (0.0, 5.0)
NO_JUDGE: Final = NotScored("no judge was asked")
ALL: Final = "All cases"
COLUMNS: Final = ("IF", "VQ", *COMPANIONS)
MEANINGS: Final[Mapping[str, str]] = {
    "IF": "Instruction following, 0 to 5",
    "VQ": "Visual quality, 0 to 5",
    "recall": "Share of the asked changes that were made",
    "precision": "Share of the changes made that were asked for",
    "preservation": "Share of what was to stay that stayed",
    "visual": "Likeness of pictures to the truth, SSIM",
    "edit": "F1 of changes times preservation",
}
_NEAR_ONE: Final = ("preservation", "visual")
"""Columns whose values are near 1 even for poor edits, and need three decimals."""
_SPENT: Final[Mapping[str, Any]] = {"lower_better": True, "scale": (0.0, inf)}
BOARD: Final = (
    ResultColumn("rank", "Rank score", "(IF + VQ) / 10, 0 for each case that is not scored",
                 digits=3, scale=UNIT_SCALE),
    ResultColumn("if_all", "IF, all", "Instruction following, 0 where not scored", scale=_MARKS),
    ResultColumn("vq_all", "VQ, all", "Visual quality, 0 where not scored", scale=_MARKS),
    share_column("scored", "Scored, %", "Cases with both scores, of those that were expected"),
    ResultColumn("if_scored", "IF scored", "Over the scored cases alone", scale=_MARKS),
    ResultColumn("vq_scored", "VQ scored", "Over the scored cases alone", scale=_MARKS),
    ResultColumn("seconds", "s a case", "The editor's time", digits=1, **_SPENT),
    ResultColumn("tokens_in", "Tokens in", "Read by its model, a case", digits=0, **_SPENT),
    ResultColumn("tokens_out", "Tokens out", "Written by it, a case", digits=0, **_SPENT),
    ResultColumn("cost", "$", "US dollars of the editor's model, a case", digits=4, **_SPENT),
    ResultColumn("judge_tokens", "Judge tokens", "Of the judges, a case", digits=0, **_SPENT),
    ResultColumn("judge_cost", "Judge $", "US dollars of the judges, a case", digits=4, **_SPENT),
)  # fmt: skip
"""The measure by which the published leaderboard ranks, and costs of editors and judges."""


def column_of(name: str, heading: str = "", group: str = "") -> ResultColumn:
    """One of ``COLUMNS`` with the decimals that it needs, over all cases or those of a group."""
    scale = _MARKS if name in ("IF", "VQ") else UNIT_SCALE
    digits = 3 if name in _NEAR_ONE else 2
    return ResultColumn(name, heading or name, MEANINGS[name], group, digits, scale=scale)


def observations(system: str, results: Iterable[CaseResult]) -> list[Observation]:
    """The scores of a system's cases, each case in each of its categories."""
    return [
        Observation(system, result.case.name, name, result.value(name), groups)
        for result in results
        for groups in [(ALL, *_categories(result.case))]
        for name in COLUMNS
    ]


def _categories(case: Case) -> list[str]:
    """The categories of table 3 that a case belongs to, or Other."""
    return [name for name in CATEGORIES if name in case.categories] or ["Other"]


def categories_of(results: Iterable[CaseResult]) -> list[str]:
    """The categories of some cases in the order of table 3, all cases last."""
    named = {name for result in results for name in _categories(result.case)}
    return [name for name in (*CATEGORIES, "Other", ALL) if name in named or name == ALL]


def editor_table(runs: Mapping[str, Sequence[CaseResult]]) -> ResultTable:
    """The means of each editor over all cases, with places by ``edit``."""
    rows = [row for name, results in runs.items() for row in observations(name, results)]
    columns = [column_of(name) for name in COLUMNS]
    return system_table(
        "editors", "Editors", rows, columns, main="edit", none="no case was scored",
        head="Editor", units="cases",
    )  # fmt: skip


def category_tables(runs: Mapping[str, Sequence[CaseResult]]) -> list[ResultTable]:
    """Table 3: editors by category, a table for each of IF, VQ and ``edit`` that has a score."""
    rows = [row for name, results in runs.items() for row in observations(name, results)]
    groups = categories_of(result for results in runs.values() for result in results)
    known = {row.metric for row in rows if not isinstance(row.value, NotScored)}
    return [
        system_table(
            f"categories-{name}", f"{name}: {MEANINGS[name]}",
            rows, [column_of(name, group, group) for group in groups],
            none="no case is of this category", head="Editor", units="cases",
        )
        for name in ("IF", "VQ", "edit")
        if name in known
    ]  # fmt: skip


def category_table(name: str, results: Sequence[CaseResult]) -> ResultTable:
    """The means of one editor by category, all cases last."""
    rows = observations(name, results)
    groups = {group: [row for row in rows if group in row.groups]
              for group in categories_of(results)}  # fmt: skip
    columns = [column_of(column) for column in COLUMNS]
    return result_table(
        f"editor-{slug(name)}", f"{name}, by category", groups, columns, head="Category",
        none="no case was scored", units="cases",
    )  # fmt: skip


def board_table(
    runs: Mapping[str, Sequence[CaseResult]],
    *,
    left_out: Sequence[str] = (),
    prices: PriceList | Prices | None = None,
) -> ResultTable:
    """Systems by the published rank; cases that are ``left_out`` could not be run by any.

    ``prices`` are those of the judges. Where no judge was asked there are no scores.
    """
    rows = [row for name, results in runs.items() for row in _board_rows(name, results, prices)]
    judged = {row.system for row in rows if row.metric == "rank"
              and not isinstance(row.value, NotScored)}  # fmt: skip
    rows += [
        Observation(system, case, name, 0.0)
        for system in runs if system in judged
        for case in left_out
        for name in ("rank", "if_all", "vq_all", "scored")
    ]  # fmt: skip
    lead = (
        "Ranked as the published leaderboard ranks: a case without both scores counts 0. Beside "
        "it, the means over the scored cases alone."
    )
    return system_table(
        "board", "Board", rows, BOARD, main="rank", none="no case has both scores", lead=lead,
        head="System", units="cases",
    )  # fmt: skip


def _board_rows(
    name: str, results: Sequence[CaseResult], prices: PriceList | Prices | None
) -> Iterator[Observation]:
    asked = any(result.instruction is not None for result in results)
    for result in results:
        both = scores_of(result)
        following, looks = both or (0.0, 0.0)
        counted = {"rank": (following + looks) / (2 * _MARKS[1]), "if_all": following,
                   "vq_all": looks, "scored": float(both is not None)}  # fmt: skip
        values: dict[str, float | NotScored] = {
            **(counted if asked else dict.fromkeys(counted, NO_JUDGE)),
            **_costs(result, prices),
        }
        if both:
            values |= {"if_scored": following, "vq_scored": looks}
        for metric, value in values.items():
            yield Observation(name, result.case.name, metric, value)


def scores_of(result: CaseResult) -> tuple[float, float] | None:
    """IF and VQ of a case; None unless both are numbers."""
    following, looks = result.value("IF"), result.value("VQ")
    if isinstance(following, NotScored) or isinstance(looks, NotScored):
        return None
    return following, looks


_UNTIMED: Final = NotScored("nobody timed it")
_UNTOLD: Final = NotScored("the provider reported no tokens")
_UNPRICED: Final = NotScored("prices or tokens are not known")


def _costs(result: CaseResult, prices: PriceList | Prices | None) -> dict[str, float | NotScored]:
    """Costs of the editor and the judges of a case."""
    usage, judged = result.usage, result.judged
    cost = 0.0 if usage == Usage() and result.cost is None else result.cost
    return {
        "seconds": _UNTIMED if result.seconds is None else result.seconds,
        "tokens_in": _UNTOLD if usage.untold else float(usage.input_tokens),
        "tokens_out": _UNTOLD if usage.untold else float(usage.output_tokens),
        "cost": _UNPRICED if cost is None else cost,
        "judge_tokens": _UNTOLD if judged.untold
        else float(judged.input_tokens + judged.output_tokens),
        "judge_cost": _judge_cost(result, prices),
    }  # fmt: skip


def _judge_cost(result: CaseResult, prices: PriceList | Prices | None) -> float | NotScored:
    spent = [
        (price_of(prices, verdict.model), verdict.usage)
        for _, verdict in result.verdicts
        if verdict.usage != Usage()
    ]
    if any(price is None or usage.untold for price, usage in spent):
        return _UNPRICED
    return sum(price.cost(usage) for price, usage in spent if price is not None)


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
        yield formula_free(verdict.reason) if verdict else ""
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
