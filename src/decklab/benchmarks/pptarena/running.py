"""An editor put to cases: decks made, compared, and judged where there are judges."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from decklab.benchmarks.pptarena.cases import Case
from decklab.benchmarks.pptarena.companions import Companions, compare
from decklab.benchmarks.pptarena.decks import Decks
from decklab.benchmarks.pptarena.editors import Edited, Editor
from decklab.benchmarks.pptarena.starter.writing import slug
from decklab.errors import DecklabError
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
    """NotScored where the prediction could not be read."""
    instruction: EditVerdict | None = None
    """IF; None where no judge was asked."""
    visual: EditVerdict | None = None
    """VQ."""
    second: tuple[tuple[str, EditVerdict], ...] = ()
    """``IF`` and ``VQ`` of a second judge, in no mean of the summary."""

    def value(self, name: str) -> float | NotScored:
        """``IF``, ``VQ`` or one of ``COMPANIONS``."""
        if name in ("IF", "VQ"):
            verdict = self.instruction if name == "IF" else self.visual
            return NotScored("no judge was asked") if verdict is None else verdict.score
        if isinstance(self.companions, NotScored):
            return self.companions
        return self.companions.value(name)


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

    An editor that raises DecklabError, or writes nothing, has handed in the original, and its
    note says why. A prediction that cannot be read is not scored by the companions, and fails
    nothing but itself.
    """
    results = []
    for case in cases:
        path = folder / f"{slug(case.name)}.pptx"
        edited, seconds, prediction = edited_by(editor, case, path)
        found = compared(case, prediction, decks, judge=judge, second=second)
        result = replace(found, edited=edited, seconds=seconds)
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
        edited = Edited("failed", str(error))
    return edited, perf_counter() - started, out if out.is_file() else case.original


def compared(
    case: Case,
    prediction: Path,
    decks: Decks,
    *,
    judge: Judge | None = None,
    second: Judge | None = None,
) -> CaseResult:
    """A deck that was handed in, compared with the truth, and judged where there are judges."""
    try:
        companions = compare(case, prediction, decks)
    except DecklabError as error:
        return CaseResult(case, prediction, Edited("done"), 0.0, NotScored(str(error)))
    result = CaseResult(case, prediction, Edited("done"), 0.0, companions)
    if judge is not None:
        instruction, visual = judge(case, prediction, decks)
        result = replace(result, instruction=instruction, visual=visual)
    if second is not None:
        both = zip(("IF", "VQ"), second(case, prediction, decks), strict=True)
        result = replace(result, second=tuple(both))
    return result
