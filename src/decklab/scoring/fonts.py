"""Fonts that the machine replaced, as findings: pictures and scores depend on them."""

from decklab.rendering.font_report import FontReport, Replacement
from decklab.results import Finding


def font_findings(report: FontReport) -> list[Finding]:
    """One finding for each font that the deck asks for and the machine does not have.

    A replacement of the same widths breaks lines alike and is only worth knowing; any other may
    move and overflow text.
    """
    return [_finding(item) for item in report.replaced]


def _finding(item: Replacement) -> Finding:
    family, drawn = item.use.family, item.drawn or "another font"
    if item.same_widths:
        return Finding(
            rule="fonts.replaced", severity="info",
            message=f"{family} is not installed; drawn with {drawn}, which has the same widths.",
            fix=f"Install {family} on this machine to see its own letter shapes.",
        )  # fmt: skip
    return Finding(
        rule="fonts.replaced", severity="warning",
        message=f"{family} is not installed; drawn with {drawn}: lines may break elsewhere.",
        fix=f"Install {family} on this machine before trusting pictures and overflow.",
    )  # fmt: skip
