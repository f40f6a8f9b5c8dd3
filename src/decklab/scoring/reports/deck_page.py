"""The report of one deck, with its editability ladder: a single page that loads no other file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import DeckResult, Finding, Measurement
from decklab.pages.page import write_page
from decklab.pages.pictures import (
    CENTRE,
    HUE_RING,
    ContrastMark,
    HueWheel,
    SlidePicture,
    contrast_marks,
    hue_wheel,
)
from decklab.pages.wording import FULL_SCALES, PARTS, slide_ranges
from decklab.scoring.reports.leaderboard_page import LeaderboardRow
from decklab.scoring.reports.slide_charts import colour_pacing, rhythm
from decklab.scoring.reports.standing import (
    FEW,
    FONT_RULE,
    LEVEL_VERDICTS,
    FindingGroup,
    Standing,
    first_things,
    grouped,
    ladder,
    measure,
    of_deck,
    of_machine,
    standing_of,
    worst_first,
)

MARGIN: Final = 48.0
"""Ours: units shown around a box, of a slide ``FRAME_WIDTH`` wide, so that one sees where it is."""

LEAST_WIDTH: Final = 360.0
"""Ours: a cut is no narrower, so that text in it is about as large as the page's."""

SHAPE: Final = 16 / 9
"""Width by height of every cut."""


@dataclass(frozen=True)
class FindingCrop:
    """A cut of the picture of ``slide``, and the mark in it, in units of the slide's drawing.

    ``mark`` is None if the finding concerns the whole slide.
    """

    slide: int
    view: Box
    mark: Box | None


def crop_of(finding: Finding | None, pictures: Mapping[int, SlidePicture]) -> FindingCrop | None:
    """The cut for a finding; None without one, and if it concerns no slide with a picture.

    The cut holds the finding's box with a margin, is never narrower than ``LEAST_WIDTH``, and stays
    on the slide if the slide is large enough. A box off the slide gives the whole slide.
    """
    if finding is None or finding.slide is None or finding.slide not in pictures:
        return None
    height = pictures[finding.slide].frame_height
    slide = Box(0, 0, FRAME_WIDTH, height)
    box = finding.box and Box(*finding.box).intersection(FRAME)
    if not box or not box.area:
        return FindingCrop(finding.slide, _shaped(slide, slide), None)
    mark = box.scaled(1, height / FRAME_HEIGHT)
    around = Box(mark.left - MARGIN, mark.top - MARGIN, mark.right + MARGIN, mark.bottom + MARGIN)
    return FindingCrop(finding.slide, _shaped(around, slide), mark)


def _shaped(box: Box, slide: Box) -> Box:
    """``box`` grown to ``SHAPE`` and moved onto ``slide``."""
    width = max(box.width, box.height * SHAPE, LEAST_WIDTH)
    height = width / SHAPE
    left = _within((box.left + box.right - width) / 2, width, slide.width)
    top = _within((box.top + box.bottom - height) / 2, height, slide.height)
    return Box(left, top, left + width, top + height)


def _within(start: float, length: float, room: float) -> float:
    """A start so that ``length`` lies within 0 and ``room``; in the middle if it is longer."""
    return (room - length) / 2 if length > room else min(max(0.0, start), room - length)


_NO_LABELS: Mapping[str, str] = {}


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
    shown if there is none. ``generated_by`` goes into the footer; ``index`` is the address of
    the leaderboard to link back to. The page loads nothing, from the network or from disk, and
    works without JavaScript.
    """
    deck = of_deck(result.findings)
    groups = grouped(deck)
    slides = _slide_views(result, pictures)
    rungs = ladder(result.row("editability.level"))
    write_page(
        path,
        "deck.html",
        "open-for-print.js",
        package="decklab.scoring.reports",
        result=result,
        row=LeaderboardRow.of(result),
        parts=[_score_line(result, *part) for part in PARTS],
        total=_score_line(result, "aesthetics.total", "Aesthetics", ""),
        quality=_score_line(result, "quality.score", "Quality", ""),
        first=first_things(result, groups, rungs),
        ladder=rungs,
        level_verdicts=LEVEL_VERDICTS,
        level_row=result.row("editability.level"),
        loose_row=result.row("editability.level_on_slide"),
        fonts=worst_first(f for f in result.findings if f.rule == FONT_RULE),
        machine=grouped(of_machine(result.findings)),
        few=len(deck) <= FEW,
        findings=worst_first(deck),
        groups=groups,
        crop=partial(crop_of, pictures=pictures),
        measure=measure,
        rhythm=rhythm(result),
        rhythm_line=_score_line(result, "rhythm.score", "Rhythm", ""),
        colour=colour_pacing(result),
        slides=slides,
        sound=slide_ranges(view.slide for view in slides if view.sound),
        deck_rows=[m for m in result.measurements if m.slide is None],
        labels=labels,
        hue_ring=HUE_RING,
        wheel_side=2 * CENTRE,
        frame_width=FRAME_WIDTH,
        generated_by=generated_by,
        index=index,
    )


@dataclass(frozen=True)
class ScoreLine:
    """A score with its name and meaning; ``most`` is the best there can be, None if unbounded."""

    label: str
    meaning: str
    row: Measurement | None
    most: float | None
    standing: Standing | None


def _score_line(result: DeckResult, metric: str, label: str, meaning: str) -> ScoreLine:
    row = result.row(metric)
    return ScoreLine(label, meaning, row, FULL_SCALES.get(metric), standing_of(row))


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
        """The worst finding, for the filmstrip; None if the slide has none."""
        return self.findings[0] if self.findings else None

    @property
    def sound(self) -> bool:
        """Whether there is nothing to mend on it."""
        return not self.findings and not self.marks

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
        # What has one cause is told once; it is shown with each slide that it names.
        for slide in finding.slides or (finding.slide,):
            if slide is not None:
                findings.setdefault(slide, []).append(finding)
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
