"""Slides with critical visual defects, by lint: a proxy for the eye that the paper has look."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from decklab.core.errors import UnsupportedFormat
from decklab.core.results import NotScored
from decklab.evals.judges.preference.showing import hidden_slides
from decklab.evals.judges.scenario.metrics import ScenarioItem
from decklab.linting.lint import LintResult, lint
from decklab.rendering.renderer import Renderer

CRITICAL_RULES: Final = frozenset(
    {
        "text.overflow", "text.off-slide", "text.overlap", "text.hidden", "shape.off-slide",
        "picture.missing", "package.damaged-part",
    }
)  # fmt: skip
"""Rules of lint for what the paper calls critical (appendix A-C): what is cropped, covered so that
it cannot be read, missing or broken. A choice of ours; notes (``info``) do not count."""


def slide_defects(deck: str | Path, renderer: Renderer | None = None) -> list[ScenarioItem]:
    """One item for each slide that is shown: 1 without a critical defect, 0 with one, and which.

    One item that is NotScored where the deck cannot be drawn or is no PowerPoint deck. Raises
    DeckError where it cannot be read.
    """
    try:
        found = lint(deck, rules=CRITICAL_RULES, renderer=renderer)
    except UnsupportedFormat as error:
        return [ScenarioItem("deck", "all slides", NotScored(error.detail))]
    if found.not_run:
        rule, cause = next(iter(found.not_run.items()))
        return [ScenarioItem("deck", "all slides", NotScored(f"{rule} was not run: {cause}"))]
    defects, hidden = _by_slide(found), hidden_slides(deck)
    return [
        ScenarioItem(
            f"slide {number}", f"slide {number}", float(number not in defects),
            evidence=defects.get(number, "no critical defect"), slide=number,
        )
        for number in range(1, found.slides + 1)
        if number not in hidden
    ]  # fmt: skip


def _by_slide(found: LintResult) -> Mapping[int, str]:
    """The first defect of each slide that has any; one of the deck as a whole is of all slides."""
    defects: dict[int, str] = {}
    for finding in found.at_least("warning").findings:
        everywhere = range(1, found.slides + 1)
        one = () if finding.slide is None else (finding.slide,)
        for number in finding.slides or one or everywhere:
            defects.setdefault(number, f"{finding.rule}: {finding.message}")
    return defects
