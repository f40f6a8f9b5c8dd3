"""Scores in words: good, fair or poor among the reference decks, the scale they are on, and the
editability ladder with its gates; findings sorted and grouped, their measured values in plain words
with the unit.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Final, Literal

from decklab.core.options import Severity
from decklab.core.results import Finding, Measurement
from decklab.pages.wording import (
    LEVEL_MEANINGS,
    LEVEL_NAMES,
    SEVERITY_ORDER,
    plain,
    rule_title,
    slide_ranges,
)

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


State = Literal["here", "climbed", "failed", "open"]

_PROTOCOLS: Final = {
    "static": "The file holds flat pages; nothing above L0 can be reached.",
    "web": "A web deck is judged by eye; nothing above L2 can be reached.",
    "pptx": "The package was opened and its parts were tested.",
}
_OUTCOMES: Final = {
    "passed": "passed",
    "failed": "failed",
    "not_reached": "not reached",
    "not_applicable": "not applicable",
    "not_scored": "not scored",
}


@dataclass(frozen=True)
class GateEvidence:
    """One item of a gate's evidence; ``slide`` is None if it concerns the deck."""

    slide: int | None
    shape: str
    detail: str


@dataclass(frozen=True)
class GateView:
    """One test of a level; ``outcome`` is a key of the evidence contract."""

    title: str
    outcome: str
    summary: str
    evidence: tuple[GateEvidence, ...]
    mend: str

    @property
    def outcome_label(self) -> str:
        """The outcome in words."""
        return _OUTCOMES.get(self.outcome, self.outcome)

    @property
    def slides(self) -> tuple[int, ...]:
        """The slides of its evidence, in its order."""
        return tuple(item.slide for item in self.evidence if item.slide is not None)


@dataclass(frozen=True)
class Level:
    """One level with its gates. ``state`` says whether the deck reached it."""

    level: int
    name: str
    gates: tuple[GateView, ...]
    state: State

    @property
    def meaning(self) -> str:
        """Abilities of decks of this level."""
        return LEVEL_MEANINGS[self.level]


@dataclass(frozen=True)
class LevelLadder:
    """All levels, highest first, and the level reached."""

    rungs: tuple[Level, ...]
    level: int | None
    protocol: str


def ladder(row: Measurement | None) -> LevelLadder | None:
    """The ladder of an ``editability.level`` row; None if there is neither value nor gate."""
    if row is None or (row.value is None and not row.evidence.get("gates")):
        return None
    gates: dict[int, list[GateView]] = {}
    for raw in row.evidence.get("gates", ()):
        gates.setdefault(int(raw["level"]), []).append(_gate(raw))
    level = None if row.value is None else int(row.value)
    rungs = tuple(
        Level(i, LEVEL_NAMES[i], tuple(gates.get(i, ())), _state(i, level, gates.get(i, ())))
        for i in reversed(range(len(LEVEL_NAMES)))
    )
    return LevelLadder(rungs, level, _PROTOCOLS.get(str(row.evidence.get("protocol", "")), ""))


def _state(rung: int, level: int | None, gates: Sequence[GateView]) -> State:
    if rung == level:
        return "here"
    if any(gate.outcome == "failed" for gate in gates):
        return "failed"
    return "climbed" if level is not None and rung < level else "open"


def _gate(raw: Mapping[str, Any]) -> GateView:
    evidence = tuple(
        GateEvidence(item.get("slide"), str(item.get("shape") or ""), str(item.get("detail", "")))
        for item in raw.get("evidence", ())
    )
    return GateView(
        title=str(raw.get("title") or raw.get("name", "")),
        outcome=str(raw.get("outcome", "")),
        summary=str(raw.get("summary", "")),
        evidence=evidence,
        mend=str(raw.get("mend") or ""),
    )


_PATTERNS: Final = {
    "contrast": "contrast {measured:.1f}:1, needs {threshold:g}:1",
    "text.small": "{measured:g} pt, needs {threshold:g} pt",
    "title.size": "{measured:g} pt, elsewhere {threshold:g} pt",
    "text.overflow": "{measured:.0f} px beyond its box",
    "text.off-slide": "{measured:.0f} px beyond the slide",
    "text.margin": "{measured:.0f} px from the edge",
    "text.overlap": "{measured:.0%} overlaps",
    "shape.off-slide": "{measured:.0f} px off the slide",
    "shape.drift": "{measured:.0f} px out of line",
    "title.position": "{measured:.0f} px away",
    "engagement.flat": "colourfulness {measured:.0f}, usually {threshold:.0f} or more",
    "engagement.volatile": "spread {measured:.0f}, usually up to {threshold:.0f}",
    "rhythm.overload": "clutter {measured:.1f} bits, usually up to {threshold:.1f}",
    "rhythm.strobe": "typical change {measured:.2f} of 1, usually up to {threshold:.2f}",
    "rhythm.flatline": "typical change {measured:.3f} of 1",
    "harmony.spike": "{measured:.0f}° off its colour scheme, usually up to {threshold:.0f}°",
    "accessibility.reading-order": "{measured:.0%} of pairs in order",
}
_TOLD: Final = ("accessibility", "placeholder", "deck", "editability")
"""Rules whose messages say how many there are."""


def measure(finding: Finding) -> str:
    """The measured value of a finding and the value it should have; empty if the message says it.

    Counts that are held against 0 are empty too: one fault is one too many.

    >>> low = Finding(rule="contrast.low", severity="info", message="", measured=2.1, threshold=4.5)
    >>> measure(low)
    'contrast 2.1:1, needs 4.5:1'
    """
    family = finding.rule.split(".", 1)[0]
    pattern = _PATTERNS.get(finding.rule) or _PATTERNS.get(family)
    if finding.measured is None:
        return ""
    if pattern and (finding.threshold is not None or "threshold" not in pattern):
        return pattern.format(measured=finding.measured, threshold=finding.threshold)
    if family in _TOLD or not finding.threshold:
        return ""
    return f"{plain(finding.measured)}, limit {plain(finding.threshold)}"


Verdict = Literal["good", "fair", "poor"]

FAIR: Final = 35
GOOD: Final = 65
"""Ours: percentiles from which a score is fair and good; below, in and above the middle third."""

LEVEL_VERDICTS: Final[tuple[Verdict, ...]] = ("poor", "poor", "fair", "good", "good", "good")
"""Of the levels L0 to L5: from L3 on a deck counts as editable (paper 002, section 3.2)."""


def verdict(percentile: float) -> Verdict:
    """A percentile, 0 to 100 of a score of which more is better, as a word.

    >>> verdict(10), verdict(50), verdict(90)
    ('poor', 'fair', 'good')
    """
    if percentile < FAIR:
        return "poor"
    return "fair" if percentile < GOOD else "good"


@dataclass(frozen=True)
class Standing:
    """The rank of a score among ``decks`` reference decks; ``percentile`` of them have less."""

    percentile: int
    decks: int
    least: float | None
    greatest: float | None

    @property
    def word(self) -> Verdict:
        """Good, fair or poor."""
        return verdict(self.percentile)

    @property
    def rank(self) -> str:
        """The rank in words.

        >>> Standing(40, 18, 1.0, 2.0).rank
        'better than 40% of 18 reference decks'
        """
        among = f"{self.decks} reference decks"
        if self.percentile <= 0:
            return f"below all {among}"
        if self.percentile >= 100:
            return f"above all {among}"
        return f"better than {self.percentile}% of {among}"


def standing_of(row: Measurement | None) -> Standing | None:
    """The standing that scoring found; None if it found none, or less is better."""
    stated = row.evidence.get("standing") if row is not None else None
    if row is None or row.direction == "lower" or not stated:
        return None
    least, _, greatest = stated.get("range", (None, None, None))
    return Standing(int(stated["percentile"]), int(stated["decks"]), least, greatest)
