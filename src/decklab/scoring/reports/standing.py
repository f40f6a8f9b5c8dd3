"""Scores in words: good, fair or poor among the reference decks, the scale they are on, and the
editability ladder with its gates; findings sorted and grouped, their measured values in plain words
with the unit; and what would help most.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, zip_longest
from typing import Any, Final, Literal

from decklab.core.files import package_values
from decklab.core.options import Severity
from decklab.core.results import DeckResult, Finding, Measurement
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


FLAWS: Final[Mapping[str, Mapping[str, Any]]] = package_values("decklab.scoring", "data/flaws.toml")
"""Flaws behind ``quality.score``: ``words``, the advice ``fix``, and the ``rules`` whose findings
show the flaw, if any do."""

MOST: Final = 3
"""Ours: more than three things are a list, and nobody begins at one."""

LEAST_POINTS: Final = 1.0
"""Ours: points of quality below which a flaw is not worth naming first."""

EFFECTS: Final = {
    "accessibility": "People who use a screen reader miss what is here.",
    "contrast": "Many people cannot read this, least of all on a projector.",
    "editability": "Whoever edits the deck next has to make this again.",
    "file": "PowerPoint may want to repair the deck.",
    "placeholder": "The audience sees what was meant for the author.",
    "shape": "The audience sees something out of place.",
    "text": "The audience sees text that is cut off or covered.",
}
"""Costs to people of each family of rules."""


@dataclass(frozen=True)
class Advice:
    """One thing to do. ``finding`` shows where, and is None if no slide stands for it; the page
    then shows ``amount``, the effect in a few signs, such as ``68 → 73``."""

    title: str
    effect: str
    fix: str
    slides: str
    finding: Finding | None
    amount: str = ""


def first_things(
    result: DeckResult, groups: Sequence[FindingGroup], ladder: LevelLadder | None
) -> list[Advice]:
    """At most ``MOST`` things, taken in turn from the errors found, the flaws that cost the most
    points of quality, and the gate that ends the climb to the next level of editability."""
    errors = [group for group in groups if group.severity == "error"]
    shown = {group.rule for group in errors[:MOST]}
    sources = (
        [_of_group(group) for group in errors if not group.rule.startswith("editability.")],
        list(_of_flaws(result, shown)),
        list(_of_gates(result, ladder)),
    )
    turns = chain.from_iterable(zip_longest(*sources))
    return [advice for advice in turns if advice is not None][:MOST]


def _of_group(group: FindingGroup) -> Advice:
    worst = group.findings[0]
    effect = EFFECTS.get(group.rule.split(".", 1)[0], worst.message)
    return Advice(rule_title(group.rule), effect, worst.fix, group.slides, worst)


def _of_flaws(result: DeckResult, shown: set[str]) -> Iterator[Advice]:
    """The flaws with their points, the most first; those that findings in ``shown`` name are left
    out."""
    row = result.row("quality.score")
    if row is None or row.value is None:
        return
    for flaw, points in row.evidence.get("gains", {}).items():
        known = FLAWS.get(flaw, {})
        if points < LEAST_POINTS or shown.intersection(known.get("rules", ())):
            continue
        words = known.get("words", flaw)
        now, then = f"{row.value:.0f}", f"{row.value + points:.0f}"
        effect = f"Quality would rise from {now} to {then} of 100."
        finding = _where(result, flaw)
        slide = "" if finding is None or finding.slide is None else str(finding.slide)
        title, fix = words[:1].upper() + words[1:], known.get("fix", "")
        yield Advice(title, effect, fix, slide, finding, f"{now} → {then}")


def _where(result: DeckResult, flaw: str) -> Finding | None:
    """A finding of the flaw's rules, else one that names the slide the flaw costs most."""
    rules = FLAWS.get(flaw, {}).get("rules", ())
    for finding in result.findings:
        if finding.rule in rules and finding.slide is not None:
            return finding
    costs = [
        (row.evidence.get("gains", {}).get(flaw, 0.0), -(row.slide or 0))
        for row in result.measurements
        if row.metric == "quality.slide"
    ]
    most, slide = max(costs, default=(0.0, 0))
    return Finding(rule=flaw, severity="info", message="", slide=-slide) if most else None


def _of_gates(result: DeckResult, ladder: LevelLadder | None) -> Iterator[Advice]:
    if ladder is None or ladder.level is None:
        return
    for rung in reversed(ladder.rungs):
        for gate in rung.gates:
            if gate.outcome != "failed" or not gate.mend:
                continue
            finding = next((item for item in result.findings if _proves(item, gate.slides)), None)
            effect = f"Editability stops at L{ladder.level}: {gate.summary}"
            slide = str(gate.slides[0]) if gate.slides else ""
            title, amount = f"Editability: {gate.title}", f"L{ladder.level}"
            yield Advice(title, effect, gate.mend, slide, finding, amount)


def _proves(finding: Finding, slides: Sequence[int]) -> bool:
    return finding.rule.startswith("editability.") and finding.slide in slides
