"""The rhythm of a deck and the pacing of its colour, from their rows to their charts."""

from dataclasses import dataclass
from math import ceil
from typing import Final

from decklab.reports.charts import (
    NARROW,
    NARROW_BANDS,
    WIDE,
    LineChart,
    StepChart,
    line_chart,
    step_chart,
)
from decklab.results import DeckResult

RMSSD_BANDS: Final = (
    ("flatline", 0.0, 0.01),
    ("healthy", 0.01, 0.1),
    ("transitional", 0.1, 0.3),
    ("strobe light", 0.3, 1.0),
)
"""Name and limits of each band of RMSSD (paper 002, table 12); drawn, never decided by."""


@dataclass(frozen=True)
class Rhythm:
    """The slide scores as a line, and their changes over the bands; each wide and narrow."""

    lines: tuple[LineChart, LineChart]
    steps: tuple[StepChart, StepChart]
    mean: float | None
    rmssd: float | None
    band: str


def rhythm(result: DeckResult) -> Rhythm | None:
    """The charts of ``rhythm.score``; None where no slide has a rhythm score."""
    row = result.row("rhythm.score")
    evidence = row.evidence if row else {}
    scores = [(int(slide), float(score)) for slide, score in evidence.get("slide_scores", ())]
    if not scores:
        scores = [
            (m.slide, float(m.evidence["slide_score"]))
            for m in result.measurements
            if m.metric == "rhythm.subband_entropy" and m.slide and "slide_score" in m.evidence
        ]
    if not scores:
        return None
    scores.sort()
    known = dict(scores)
    slides = max(result.slides, scores[-1][0])
    mean, rmssd = evidence.get("mean_slide_score"), evidence.get("rmssd")
    values = [(slide, known.get(slide)) for slide in range(1, slides + 1)]
    ticks = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
    wide, narrow = (
        line_chart(values, frame, slides=slides, y_max=1.0, y_labels=ticks, mean=mean)
        for frame in (WIDE, NARROW)
    )
    wide_steps, narrow_steps = (
        step_chart(scores, frame, slides=slides, bands=RMSSD_BANDS, rmssd=rmssd)
        for frame in (WIDE, NARROW_BANDS)
    )
    return Rhythm(
        (wide, narrow), (wide_steps, narrow_steps), mean, rmssd, str(evidence.get("band", ""))
    )


@dataclass(frozen=True)
class ColourPacing:
    """Colourfulness as a line, wide and narrow, with its mean and standard deviation."""

    lines: tuple[LineChart, LineChart]
    mean: float | None
    deviation: float | None
    level: float | None
    pacing: float | None


def colour_pacing(result: DeckResult) -> ColourPacing | None:
    """The chart of ``engagement.colorfulness``; None where no slide has a value."""
    known = {
        m.slide: m.value
        for m in result.measurements
        if m.metric == "engagement.colorfulness" and m.slide is not None and m.value is not None
    }
    if not known:
        return None
    row = result.row("engagement.score")
    evidence = row.evidence if row else {}
    mean, deviation = evidence.get("mean"), evidence.get("std")
    slides = max(result.slides, *known)
    y_max = max(100.0, 50.0 * ceil(max(known.values()) / 50))
    ticks = [(50.0 * i, f"{50 * i}") for i in range(int(y_max // 50) + 1)]
    wide, narrow = (
        line_chart(
            [(slide, known.get(slide)) for slide in range(1, slides + 1)],
            frame, slides=slides, y_max=y_max, y_labels=ticks, mean=mean, deviation=deviation,
        )
        for frame in (WIDE, NARROW)
    )  # fmt: skip
    return ColourPacing(
        (wide, narrow), mean, deviation, evidence.get("level"), evidence.get("pacing")
    )
