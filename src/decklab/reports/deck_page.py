"""The report of one deck, with its editability ladder: a single page that loads no other file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.reports.findings import FEW, FindingGroup, grouped, worst_first
from decklab.reports.leaderboard import LeaderboardRow
from decklab.reports.page import write_page
from decklab.reports.pictures import SlidePicture
from decklab.reports.slide_charts import colour_pacing, rhythm
from decklab.reports.slide_marks import (
    CENTRE,
    HUE_RING,
    ContrastMark,
    HueWheel,
    contrast_marks,
    hue_wheel,
)
from decklab.reports.wording import FLAW_WORDS, LEVEL_MEANINGS, LEVEL_NAMES, PARTS, counted
from decklab.results import DeckResult, Finding, Measurement

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
    """One item of a gate's evidence; ``slide`` is None where it concerns the deck."""

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


@dataclass(frozen=True)
class Level:
    """One level with its gates. ``state`` says whether the deck reached it."""

    level: int
    name: str
    gates: tuple[GateView, ...]
    state: State

    @property
    def meaning(self) -> str:
        """What decks of this level can do."""
        return LEVEL_MEANINGS[self.level]


@dataclass(frozen=True)
class LevelLadder:
    """All levels, highest first, and the level reached."""

    rungs: tuple[Level, ...]
    level: int | None
    protocol: str

    @property
    def gate_count(self) -> str:
        """How many gates were passed, in words."""
        gates = [gate for rung in self.rungs for gate in rung.gates]
        passed = sum(gate.outcome == "passed" for gate in gates)
        return f"{passed} of {counted(len(gates), 'gate')} passed"


def ladder(row: Measurement | None) -> LevelLadder | None:
    """The ladder of an ``editability.level`` row; None where there is neither value nor gate."""
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


_NO_LABELS: Mapping[str, str] = {}
_FULL_SCALE = 10.0  # Bars of the parts share one scale; most parts go from 0 to 10.


def write_deck_page(
    path: str | Path,
    result: DeckResult,
    pictures: Mapping[int, SlidePicture],
    *,
    labels: Mapping[str, str] = _NO_LABELS,
    generated_by: str = "decklab",
    index: str | None = None,
) -> None:
    """Write the page of ``result`` to ``path``, whole or not at all.

    ``pictures`` maps 1-based slide numbers to pictures; each is embedded once. A slide without one
    is shown without. ``labels`` gives the display name of a metric by its registered name, which is
    shown where there is none. ``generated_by`` goes into the footer; ``index`` is the address of
    the leaderboard to link back to. The page loads nothing, from the network or from disk, and
    works without JavaScript.
    """
    parts, zero = _parts(result)
    fonts = worst_first(f for f in result.findings if f.rule == "fonts.replaced")
    write_page(
        path,
        "deck.html",
        "open-for-print.js",
        result=result,
        row=LeaderboardRow.of(result),
        parts=parts,
        zero=zero,
        total=result.row("aesthetics.total"),
        quality=result.row("quality.score"),
        gains=_gains(result.row("quality.score")),
        ladder=ladder(result.row("editability.level")),
        level_row=result.row("editability.level"),
        loose_row=result.row("editability.level_on_slide"),
        fonts=fonts,
        few=len(result.findings) <= FEW,
        findings=worst_first(result.findings),
        groups=grouped(result.findings),
        rhythm=rhythm(result),
        rhythm_row=result.row("rhythm.score"),
        colour=colour_pacing(result),
        slides=_slide_views(result, pictures),
        deck_rows=[m for m in result.measurements if m.slide is None],
        labels=labels,
        hue_ring=HUE_RING,
        wheel_side=2 * CENTRE,
        frame_width=FRAME_WIDTH,
        generated_by=generated_by,
        index=index,
    )


_MOST_GAINS = 3


def _gains(row: Measurement | None) -> list[tuple[str, float]]:
    """The three flaws that cost the deck's quality most, in words, with their points."""
    gains = row.evidence.get("gains", {}) if row else {}
    return [
        (FLAW_WORDS.get(name, name), points) for name, points in list(gains.items())[:_MOST_GAINS]
    ]


@dataclass(frozen=True)
class ScorePart:
    """One of the four parts of the total; its bar goes from ``start`` on for ``length`` %."""

    label: str
    meaning: str
    row: Measurement | None
    start: float
    length: float


def _parts(result: DeckResult) -> tuple[list[ScorePart], float]:
    """The parts, and the place of zero on their common scale, in %."""
    rows = [result.row(metric) for metric, _, _ in PARTS]
    values = [row.value for row in rows if row is not None and row.value is not None]
    low, high = min([0.0, *values]), max([_FULL_SCALE, *values])
    extent = high - low
    zero = -low / extent * 100
    parts = []
    for (_, label, meaning), row in zip(PARTS, rows, strict=True):
        value = 0.0 if row is None or row.value is None else row.value
        length = abs(value) / extent * 100
        parts.append(ScorePart(label, meaning, row, zero - length if value < 0 else zero, length))
    return parts, zero


@dataclass(frozen=True)
class SlideSection:
    """The page's content for one slide. ``height`` is that of its drawing, 960 units wide."""

    slide: int
    picture: SlidePicture | None
    height: float
    rows: tuple[Measurement, ...]
    findings: tuple[Finding, ...]
    marks: tuple[ContrastMark, ...]
    hue: Measurement | None
    wheel: HueWheel | None
    palette: tuple[tuple[str, float], ...]

    @property
    def worst(self) -> Finding | None:
        """The worst finding, for the filmstrip."""
        return self.findings[0] if self.findings else None

    @property
    def groups(self) -> list[FindingGroup]:
        """The findings by rule, worst first."""
        return grouped(self.findings)

    @property
    def description(self) -> str:
        """A description of the picture, for people who cannot see it."""
        if not self.marks:
            return f"Picture of slide {self.slide}."
        spots = "region" if len(self.marks) == 1 else "regions"
        return (
            f"Picture of slide {self.slide} with {len(self.marks)} numbered {spots} of too little "
            "contrast, listed below it."
        )


def _slide_views(result: DeckResult, pictures: Mapping[int, SlidePicture]) -> list[SlideSection]:
    rows: dict[int, list[Measurement]] = {}
    for row in result.measurements:
        if row.slide is not None:
            rows.setdefault(row.slide, []).append(row)
    findings: dict[int, list[Finding]] = {}
    for finding in result.findings:
        if finding.slide is not None:
            findings.setdefault(finding.slide, []).append(finding)
    slides = sorted({*range(1, result.slides + 1), *rows, *findings, *pictures})
    return [
        _slide_view(slide, pictures.get(slide), rows.get(slide, ()), findings.get(slide, ()))
        for slide in slides
    ]


def _slide_view(
    slide: int,
    picture: SlidePicture | None,
    rows: Sequence[Measurement],
    findings: Sequence[Finding],
) -> SlideSection:
    height = float(FRAME_HEIGHT) if picture is None else picture.frame_height
    by_metric = {row.metric: row for row in rows}
    hue = by_metric.get("harmony.distance_deg")
    hues: Mapping[str, Any] = hue.evidence if hue else {}
    contrast = by_metric.get("usability.contrast")
    marks = contrast_marks(contrast.evidence if contrast else {}, height)
    return SlideSection(
        slide=slide,
        picture=picture,
        height=height,
        rows=tuple(rows),
        findings=tuple(worst_first(findings)),
        marks=tuple(marks),
        hue=hue,
        wheel=hue_wheel(hues),
        palette=tuple((str(colour), float(share)) for colour, share in hues.get("palette", ())),
    )
