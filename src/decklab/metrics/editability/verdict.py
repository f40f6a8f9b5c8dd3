"""Facts on which editability is judged: the content of slides, and the results of the probes; and
the result: gates, the level they give, and their result rows.

The probes change a copy of the deck and look at the result; the gates judge it. A probe that fails
returns NotScored with the cause.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import Finding, Measurement, NotScored, Occurrence, merge_by_cause
from decklab.deck.model.outline import (
    DeckOutline,
    OutlinePicture,
    OutlineShape,
    OutlineSlide,
    WorkbookState,
)
from decklab.metrics.metric import SLIDESGEN, MetricInfo, measured, register

MOSTLY = 0.5
"""A deck is judged by most of its slides: one bad slide must not fail forty good ones, and one good
slide must not pass a bad deck. Used for raster slides, reflow, blurred graphics, layouts and data
graphics, always on the share strictly above (or, for what must hold, at least) one half."""

FULL_SLIDE = 0.85
"""Share of the slide from which a picture is the slide: leaves room for a thin frame or a title
strip of about 80 pixels, while a half-bleed photograph (0.5 to 0.7) stays a picture."""

PASTED_SHARE = 0.8
"""Share of slides that hold the same object at the same place before it counts as pasted
background: title and closing slides are usually dressed differently."""

MIN_PASTED_SLIDES = 4
"""Number of slides below which repetition means nothing."""

FURNITURE = frozenset({"dt", "ftr", "hdr", "sldNum"})
"""Placeholder types for numbers, dates and footers, which are no content."""

CELL = 10
"""Side of the square cells, in frame pixels, in which covered area is counted."""


def judged_slides(outline: DeckOutline) -> tuple[OutlineSlide, ...]:
    """The slides of the show; all slides where every one of them is hidden."""
    shown = tuple(slide for slide in outline.slides if not slide.hidden)
    return shown or outline.slides


def is_furniture(shape: OutlineShape) -> bool:
    """True for slide numbers, dates, headers and footers."""
    return shape.placeholder in FURNITURE


def content_shapes(slide: OutlineSlide) -> tuple[OutlineShape, ...]:
    """Visible shapes that are no furniture; members of groups, but not the groups."""
    return tuple(
        shape
        for shape in slide.shapes
        if shape.kind != "group" and not shape.hidden and not is_furniture(shape)
    )


def has_text(shape: OutlineShape) -> bool:
    """True where the shape holds a character that prints."""
    return shape.text is not None and bool(shape.text.text.strip())


def paints(shape: OutlineShape) -> bool:
    """True where the shape shows something by itself, apart from its text."""
    if shape.kind in ("shape", "unknown"):
        return shape.filled or shape.outlined or shape.picture is not None
    return shape.kind != "group"


def characters(shape: OutlineShape) -> int:
    """Printing characters of the shape's text."""
    return 0 if shape.text is None else len("".join(shape.text.text.split()))


def filled_slides(outline: DeckOutline) -> tuple[OutlineSlide, ...]:
    """Judged slides with anything on them: text, a painted shape or an own background picture."""
    return tuple(
        slide
        for slide in judged_slides(outline)
        if background_picture(slide) is not None
        or any(has_text(shape) or paints(shape) for shape in content_shapes(slide))
    )


def background_picture(slide: OutlineSlide) -> OutlinePicture | None:
    """The picture that the slide itself sets as its background; None if it sets none."""
    return slide.background.picture if slide.background is not None else None


def on_frame(box: Box) -> Box:
    """The part of a box that lies on the slide."""
    return box.intersection(FRAME)


def coverage(boxes: Iterable[Box]) -> float:
    """Share of the slide that the boxes cover together, 0 to 1, counted in 10-pixel cells.

    >>> coverage([Box(0, 0, 960, 270), Box(0, 0, 480, 540)])
    0.75
    """
    grid = np.zeros((FRAME_HEIGHT // CELL, FRAME_WIDTH // CELL), bool)
    for box in boxes:
        part = on_frame(box)
        if part.area > 0:
            rows = slice(round(part.top / CELL), round(part.bottom / CELL))
            grid[rows, round(part.left / CELL) : round(part.right / CELL)] = True
    return float(grid.mean())


def points_to_pixels(outline: DeckOutline) -> float:
    """Frame pixels per point of font size, by the height of the slide."""
    emu_per_point = 12_700
    return FRAME_HEIGHT * emu_per_point / outline.size_emu[1]


def percent(part: int, whole: int) -> str:
    """A share as evidence texts give it: ``3 of 12 (25 %)``; ``0 of 0`` without a percentage."""
    return f"{part} of {whole} ({round(100 * part / whole)} %)" if whole else "0 of 0"


def slides_named(numbers: Sequence[int], most: int = 8) -> str:
    """Slide numbers for a sentence: ``slides 1, 2 and 5``; long lists end in ``and 9 more``.

    >>> slides_named([3]), slides_named([1, 2, 5]), slides_named(list(range(1, 7)), most=3)
    ('slide 3', 'slides 1, 2 and 5', 'slides 1, 2, 3 and 3 more')
    """
    shown = [str(number) for number in numbers[:most]]
    if len(numbers) > most:
        return f"slides {', '.join(shown)} and {len(numbers) - most} more"
    if len(shown) == 1:
        return f"slide {shown[0]}"
    return f"slides {', '.join(shown[:-1])} and {shown[-1]}"


PictureKind = Literal["vector", "photo", "wash", "graphic", "unreadable"]
"""``vector`` is sharp at every zoom; a ``photo`` is content in its own right; a ``wash`` is a
colour gradient or a blur, with no edges to lose; a ``graphic`` is a raster with flat areas and
hard edges: an icon, a diagram, a chart, a screenshot, text."""


@dataclass(frozen=True)
class PictureFacts:
    """One picture as placed on one slide."""

    slide: int
    shape: int | None
    """Shape id; None for the slide's own background."""
    label: str
    """Its name in findings."""
    part: str | None
    box: Box
    """Where it stands, clipped to the 960x540 frame."""
    density: float | None
    """Pixels of the raster per frame pixel, the smaller of the two directions; None for vectors
    and unreadable files."""
    kind: PictureKind
    bars: int = 0
    """Solid bars of unequal length on one baseline seen in the raster; 0 if there are none."""


@dataclass(frozen=True)
class ReflowFacts:
    """The layout of a shape's text after its longest paragraph was doubled."""

    slide: int
    shape: int
    container: Box
    """The shape's box before the change."""
    ink: Box | None
    """Extent of the whole text as laid out; None if it could not be found."""
    lines: int
    """Lines the text was laid out on; 0 where it could not be found."""


@dataclass(frozen=True)
class InheritanceFacts:
    """Whether a shape added to a slide's layout is seen on the slide."""

    slide: int
    layout: str
    """Part name of the layout."""
    appeared: bool


@dataclass(frozen=True)
class ChartFacts:
    """One native chart: the state of its workbook and the effect of a changed number."""

    slide: int
    shape: int
    workbook: WorkbookState
    detail: str = ""
    """The fault of the workbook, in a few words; empty if there is none."""
    compared: int = 0
    """Values compared between workbook and chart."""
    mismatches: tuple[str, ...] = ()
    """Cells that disagree with what is drawn, such as ``Sheet1!B3 holds 4, the chart draws 5``."""
    redrawn: bool | None = None
    """Whether the picture of the chart changed with the number; None if it was not tried."""


@dataclass(frozen=True)
class WebFacts:
    """Facts of a web deck in a browser."""

    slides: int
    text_blocks: int
    """Blocks of selectable text."""
    reflowing: int
    """Blocks whose box stays in place and takes more lines when their text is doubled."""
    fragments: int
    """Blocks that hold one line of a paragraph broken over several."""
    vectors: int
    """Graphics that stay sharp: SVG, and rasters with pixels to spare."""
    rasters: int
    """Icons, diagrams and canvases that pixelate at 400 %; photographs are not counted."""
    raster_slides: int
    """Slides that are one picture without selectable text."""
    unselectable: int = 0
    """Blocks of text that cannot be selected."""


class Probes(Protocol):
    """The probes that a judge may call, each only when the gates before it are passed."""

    def pictures(self) -> "Sequence[PictureFacts] | NotScored":
        """Every picture of the deck."""
        ...

    def reflow(self) -> "Sequence[ReflowFacts] | NotScored":
        """The longest paragraph of each text shape, doubled and laid out anew."""
        ...

    def inheritance(self) -> "Sequence[InheritanceFacts] | NotScored":
        """For slides with a layout, whether a shape added to the layout appears."""
        ...

    def charts(self) -> "Sequence[ChartFacts] | NotScored":
        """Every native chart."""
        ...


Outcome = Literal["passed", "failed", "not_reached", "not_applicable", "not_scored"]
"""``not_reached``: an earlier gate failed, and evaluation ceased (paper 002, I.1.1)."""

JudgingProtocol = Literal["static", "web", "pptx"]
"""The three input protocols of paper 002, I.2."""

CLASS_NAMES = ("Static", "Patchwork", "Vector", "Structural", "Parametric", "Cinematic")
"""Names of levels 0 to 5 (paper 002, table 15)."""

GATES: tuple[tuple[str, str], ...] = (
    ("text", "Text integrity"),
    ("vector", "Vector graphics"),
    ("structure", "Structural logic"),
    ("data", "Native data"),
    ("cinema", "Cinematic"),
)
"""Short name and title of gates 1 to 5 (paper 002, I.4.3)."""


@dataclass(frozen=True)
class EditabilityGate:
    """The outcome of one gate."""

    level: int
    """1 to 5: the level that passing gives."""
    outcome: Outcome
    summary: str
    """One sentence, with the measured share where a share decided."""
    evidence: tuple[Finding, ...] = ()
    """The evidence: ``error`` for what failed the gate, ``warning`` for a lesser case, ``info`` for
    remarks."""
    mend: str = ""
    """The change that would let the deck pass; empty where none is needed."""
    drop_to: int | None = None
    """The level a failure leaves, where it is not the level below (gate 1 can leave 1)."""

    @property
    def name(self) -> str:
        """Short name, such as ``text``."""
        return GATES[self.level - 1][0]

    @property
    def title(self) -> str:
        """Title, such as ``Text integrity``."""
        return GATES[self.level - 1][1]


@dataclass(frozen=True)
class Editability:
    """The verdict on one deck: its PEI level and its five gates."""

    level: int | NotScored
    """0 to 5, higher is more editable (paper 002, section 2.4)."""
    protocol: JudgingProtocol
    gates: tuple[EditabilityGate, ...]
    levels: Mapping[str, int | NotScored] = field(default_factory=dict)
    """The level by each criterion of gate 1, ``box`` and ``slide`` (see ``text.TextGate``); empty
    for the static and the web protocol, which know one criterion."""

    @property
    def class_name(self) -> str:
        """Name of the level, such as ``Vector``; empty if there is no level."""
        return "" if isinstance(self.level, NotScored) else CLASS_NAMES[self.level]


METRIC = "editability.level"

register(
    MetricInfo(
        METRIC, "deck", "How far the deck can be edited as a deck: PEI level by the knockout rule.",
        f"{SLIDESGEN}, section 2.4 and appendix I", unit="level", high=5.0, version="3",
        label="Editability level (PEI)",
    ),
    MetricInfo(
        f"{METRIC}_on_slide", "deck",
        "The level where doubled text may leave its box upwards or downwards, but not the slide.",
        f"ours, a looser reading of the first gate of {SLIDESGEN}, appendix I.4.3", unit="level",
        high=5.0, version="2", label="Level where text may leave its box",
    ),
)  # fmt: skip

MOST_EVIDENCE = 40
"""Items of evidence per gate, so that one bad deck of hundreds of slides stays readable."""


def editability_rows(verdict: Editability) -> list[Measurement]:
    """The level that decided with its gates, and the level by the looser criterion of gate 1.

    Of a flat file or a web deck, which know one criterion, both are the same.
    """
    loose = verdict.levels.get("slide", verdict.level)
    return [editability_row(verdict), measured(f"{METRIC}_on_slide", loose)]


def editability_row(verdict: Editability) -> Measurement:
    """One row: the level (0 to 5, higher is better) with its gates, or the reason there is none.

    >>> from decklab.metrics.editability.judge import judge_static
    >>> row = editability_row(judge_static("talk.pdf"))
    >>> row.value, row.evidence["class_name"], row.evidence["gates"][1]["outcome"]
    (0.0, 'Static', 'not_reached')
    """
    evidence = {
        "protocol": verdict.protocol,
        "class_name": verdict.class_name,
        "gates": [_gate(gate) for gate in verdict.gates],
    }
    return measured(METRIC, verdict.level, evidence=evidence)


def _gate(gate: EditabilityGate) -> dict[str, object]:
    return {
        "level": gate.level,
        "name": gate.name,
        "title": gate.title,
        "outcome": gate.outcome,
        "summary": gate.summary,
        "evidence": [
            {"slide": item.slide, "shape": item.shape, "detail": item.message}
            for item in _worst(gate.evidence)
        ],
        "mend": gate.mend,
    }


def _worst(findings: Iterable[Finding]) -> list[Finding]:
    order = {"error": 0, "warning": 1, "info": 2}
    return sorted(findings, key=lambda item: order[item.severity])[:MOST_EVIDENCE]


def editability_findings(verdict: Editability) -> list[Finding]:
    """The evidence of the gates as findings, in the order of the gates and worst first in each.

    Findings of a rule on three slides or more become one, which names them all.
    """
    issues: list[Finding] = []
    for gate in verdict.gates:
        seen = (Occurrence(item, (item.severity, item.fix)) for item in gate.evidence)
        issues += _worst(merge_by_cause(seen))
    return issues
