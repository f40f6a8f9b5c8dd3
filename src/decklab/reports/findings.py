"""Findings sorted and grouped for readers."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from decklab.options import Severity
from decklab.reports.wording import SEVERITY_ORDER, rule_title, slide_ranges
from decklab.results import Finding

FEW = 8
"""Most findings that are shown as one plain list; ours: about one screen."""


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
        """The slides of the findings, as ranges; empty where all findings concern the deck."""
        return slide_ranges(f.slide for f in self.findings if f.slide is not None)

    @property
    def fix(self) -> str:
        """The fix that all findings share; empty where they differ."""
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
