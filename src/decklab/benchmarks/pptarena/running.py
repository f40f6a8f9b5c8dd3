"""An editor put to cases: decks made, compared, and judged where there are judges."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from decklab.benchmarks.pptarena.cases import Case
from decklab.benchmarks.pptarena.companions import Companions, compare
from decklab.benchmarks.pptarena.decks import Decks
from decklab.benchmarks.pptarena.editors import NOT_RUN, Edited, Editor
from decklab.benchmarks.pptarena.starter.writing import slug
from decklab.errors import DeckError, DecklabError, LimitExceeded
from decklab.judges.editing import EditVerdict
from decklab.results import NotScored

__all__ = ["CaseResult", "Judge", "compared", "edited_by", "run_cases"]

Judge = Callable[[Case, Path, Decks], tuple[EditVerdict, EditVerdict]]
"""IF and VQ of a prediction."""


@dataclass(frozen=True)
class CaseResult:
    """What came of one case."""

    case: Case
    prediction: Path
    """The deck handed in; the original where there is none."""
    edited: Edited
    seconds: float
    """The editor's, not the comparison's."""
    companions: Companions | NotScored
    """NotScored where editor or comparison could not do their work, or the deck is broken."""
    instruction: EditVerdict | None = None
    """IF; None where no judge was asked."""
    visual: EditVerdict | None = None
    """VQ."""
    second: tuple[tuple[str, EditVerdict], ...] = ()
    """``IF`` and ``VQ`` of a second judge, in no mean of the summary."""
    broken: bool = False
    """Whether the deck handed in cannot be read, which is worth 0 on every scale."""

    def value(self, name: str) -> float | NotScored:
        """``IF``, ``VQ`` or one of ``COMPANIONS``."""
        if self.edited.ending == NOT_RUN:
            return NotScored(f"the editor could not be run: {self.edited.note}")
        if name in ("IF", "VQ"):
            verdict = self.instruction if name == "IF" else self.visual
            return NotScored("no judge was asked") if verdict is None else verdict.score
        if not isinstance(self.companions, NotScored):
            return self.companions.value(name)
        return 0.0 if self.broken and name != "precision" else self.companions


def run_cases(
    cases: Iterable[Case],
    editor: Editor,
    folder: Path,
    *,
    decks: Decks,
    judge: Judge | None = None,
    second: Judge | None = None,
    report: Callable[[CaseResult], None] | None = None,
) -> list[CaseResult]:
    """Put ``editor`` to each case; its decks go to ``folder``, ``report`` hears of each result.
    ``second`` is another judge, whose scores are kept beside those of ``judge``.

    An editor that writes nothing has handed in the original. One that raises DecklabError could
    not be run, and the case is not scored. A deck handed in that cannot be read is the editor's
    failure; a case whose own decks cannot be is not scored.
    """
    results = []
    for case in cases:
        path = folder / f"{slug(case.name)}.pptx"
        edited, seconds, prediction = edited_by(editor, case, path)
        found = compared(case, prediction, decks, edited=edited, judge=judge, second=second)
        result = replace(found, seconds=seconds)
        results.append(result)
        if report is not None:
            report(result)
    return results


def edited_by(editor: Editor, case: Case, out: Path) -> tuple[Edited, float, Path]:
    """What an editor says of a case, its seconds, and the deck that counts as handed in."""
    out.unlink(missing_ok=True)
    started = perf_counter()
    try:
        edited = editor(case, out)
    except DecklabError as error:
        out.unlink(missing_ok=True)
        edited = Edited(NOT_RUN, str(error))
    return edited, perf_counter() - started, out if out.is_file() else case.original


def compared(
    case: Case,
    prediction: Path,
    decks: Decks,
    *,
    edited: Edited,
    judge: Judge | None = None,
    second: Judge | None = None,
) -> CaseResult:
    """A deck that was handed in, compared with the truth, and judged where there are judges."""
    if edited.ending == NOT_RUN:
        return CaseResult(case, prediction, edited, 0.0, NotScored(edited.note))
    companions, broken = _companions(case, prediction, decks)
    result = CaseResult(case, prediction, edited, 0.0, companions, broken=broken)
    if judge is not None:
        instruction, visual = _verdicts(judge, result, decks)
        result = replace(result, instruction=instruction, visual=visual)
    if second is not None:
        both = zip(("IF", "VQ"), _verdicts(second, result, decks), strict=True)
        result = replace(result, second=tuple(both))
    return result


def _companions(case: Case, prediction: Path, decks: Decks) -> tuple[Companions | NotScored, bool]:
    """The companions, or why there are none, and whether that is the prediction's fault."""
    try:
        for path in (case.original, case.ground_truth):
            decks.snapshot(path)
    except DecklabError as error:
        return NotScored(f"the case cannot be read: {error}"), False
    try:
        return compare(case, prediction, decks), False
    except DeckError as error:
        return NotScored(str(error)), not isinstance(error, LimitExceeded)


def _verdicts(judge: Judge, result: CaseResult, decks: Decks) -> tuple[EditVerdict, EditVerdict]:
    """The judge's, who is not asked about a deck that cannot be read."""
    if not isinstance(result.companions, NotScored):
        return judge(result.case, result.prediction, decks)
    score = 0.0 if result.broken else result.companions
    verdict = EditVerdict(score, result.companions.reason, samples=(score,))
    return verdict, verdict
