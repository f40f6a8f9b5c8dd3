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

__all__ = ["CaseResult", "Judge", "run_cases"]

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
    report: Callable[[CaseResult], None] | None = None,
) -> list[CaseResult]:
    """Put ``editor`` to each case; its decks go to ``folder``, ``report`` hears of each result.

    An editor that raises DecklabError, or writes nothing, has handed in the original, and its
    note says why. A prediction that cannot be read is not scored by the companions, and fails
    nothing but itself.
    """
    results = []
    for case in cases:
        result = _run(case, editor, folder / f"{slug(case.name)}.pptx", decks)
        if judge is not None and not isinstance(result.companions, NotScored):
            instruction, visual = judge(case, result.prediction, decks)
            result = replace(result, instruction=instruction, visual=visual)
        results.append(result)
        if report is not None:
            report(result)
    return results


def _run(case: Case, editor: Editor, out: Path, decks: Decks) -> CaseResult:
    out.unlink(missing_ok=True)
    started = perf_counter()
    try:
        edited = editor(case, out)
    except DecklabError as error:
        edited = Edited("failed", str(error))
    seconds = perf_counter() - started
    prediction = out if out.is_file() else case.original
    try:
        companions: Companions | NotScored = compare(case, prediction, decks)
    except DecklabError as error:
        companions = NotScored(str(error))
    return CaseResult(case, prediction, edited, seconds, companions)
