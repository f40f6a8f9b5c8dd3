"""Findings sorted and grouped for readers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from decklab.core.options import Severity
from decklab.core.results import Finding
from decklab.pages.wording import SEVERITY_ORDER, rule_title, slide_ranges

FONT_RULE = "fonts.replaced"
"""The rule of fonts that this machine lacks: a fact about the machine, not the deck."""

_STAND_IN = re.compile(" It is drawn with .+ in place of ")

FEW = 8
"""Most findings that are shown as one plain list; ours: about one screen."""


def of_machine(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that a font drawn in place of a missing one may have caused: they may be gone
    if the font is installed."""
    return [item for item in findings if _STAND_IN.search(item.message)]


def of_deck(findings: Iterable[Finding]) -> list[Finding]:
    """The findings about the deck itself, wherever it is drawn: without missing fonts and without
    those of ``of_machine``."""
    return [
        item for item in findings if item.rule != FONT_RULE and not _STAND_IN.search(item.message)
    ]


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by severity, then by the distance of the measured value from its threshold."""
    return sorted(findings, key=_badness)


def _badness(finding: Finding) -> tuple[int, float, int, str]:
    return (SEVERITY_ORDER[finding.severity], -_excess(finding), finding.slide or 0, finding.rule)


def _excess(finding: Finding) -> float:
    if finding.measured is None or finding.threshold is None:
        return 0.0
    return abs(finding.measured - finding.threshold) / (abs(finding.threshold) or 1.0)


@dataclass(frozen=True)
class FindingGroup:
    """Findings of one rule and severity, worst first."""

    rule: str
    severity: Severity
    findings: tuple[Finding, ...]

    @property
    def title(self) -> str:
        """The rule in words."""
        return rule_title(self.rule)

    @property
    def slides(self) -> str:
        """The slides of the findings, as ranges; empty if all findings concern the deck."""
        return slide_ranges(
            slide
            for finding in self.findings
            for slide in finding.slides or (finding.slide,)
            if slide
        )

    @cached_property
    def fix(self) -> str:
        """The fix that all findings share; empty if they differ."""
        fixes = {f.fix for f in self.findings}
        return fixes.pop() if len(fixes) == 1 else ""

    @property
    def first(self) -> tuple[Finding, ...]:
        """The worst few."""
        return self.findings[:FEW]

    @property
    def rest(self) -> tuple[Finding, ...]:
        """All but the worst few."""
        return self.findings[FEW:]


def grouped(findings: Iterable[Finding]) -> list[FindingGroup]:
    """Findings by severity and rule: the worst severity first, then the most frequent rule."""

    def key(finding: Finding) -> tuple[int, str]:
        return SEVERITY_ORDER[finding.severity], finding.rule

    groups = [
        FindingGroup(rows[0].rule, rows[0].severity, tuple(worst_first(rows)))
        for rows in (list(members) for _, members in groupby(sorted(findings, key=key), key))
    ]
    groups.sort(key=lambda group: (SEVERITY_ORDER[group.severity], -len(group.findings)))
    return groups
