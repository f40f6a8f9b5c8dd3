"""Gate 1, text integrity: a doubled paragraph must wrap and stay inside (paper 002, I.4.3 step 1).

A failure leaves level 0 where the text is no text but pixels, and level 1 where it is text in
pieces (one text box per line, as exports by character recognition make), in boxes that do not
wrap, or in boxes that do not hold it. The paper prints no thresholds for any gate; all are ours.
Lengths are pixels of the 960x540 frame, shares are 0 to 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from decklab.core.geometry import FRAME, Box
from decklab.core.options import Severity, TextGate
from decklab.core.results import Finding, NotScored
from decklab.deck.model.outline import DeckOutline, OutlineShape, OutlineSlide, TextBody
from decklab.metrics.editability.verdict import (
    FULL_SLIDE,
    MOSTLY,
    EditabilityGate,
    ReflowFacts,
    background_picture,
    characters,
    content_shapes,
    coverage,
    filled_slides,
    has_text,
    judged_slides,
    paints,
    percent,
    points_to_pixels,
    slides_named,
)

ONLY_PICTURE = 0.4
"""Share of the slide from which a picture that is all there is on it is the slide: a page
letterboxed into another format (a 4:3 or upright page on a wide slide) covers 0.4 to 0.75."""

STRAY_SHAPES = 2
"""Shapes on a full-slide picture that do not make it a composition: a mark, a frame."""

SPARSE_TEXT = 15
"""Characters of selectable text up to which a slide under a full-slide picture counts as having
none: a page number, a date or a watermark stay below, a real title does not."""

MIN_FRAGMENTS = 2
"""Least single-line boxes of a broken paragraph: two lines that continue each other are enough."""

FRAGMENT_LEADING = 1.9
"""Largest distance between the tops of two lines of one paragraph, in line heights: double
spacing and a little; boxes farther apart read as separate items."""

FRAGMENT_INDENT = 8
"""Largest difference of left edges within one paragraph: an OCR box hugs its ink, so edges wander
by a few pixels, while columns and indents differ by 20 and more."""

FRAGMENT_SHARE = 0.3
"""Share of the deck's text (by characters) that may sit in broken paragraphs. Line-by-line
exports break nearly all of it; people break a caption or two."""

DEFAULT_SIZE_PT = 18.0
"""Size of text that states and inherits none: the format's own default for text boxes."""

SINGLE_LINE_HEIGHT = 2.3
"""Largest height of a one-line box, in font sizes: a line of 1.2 and the usual insets."""

WIDE_LINE = 0.85
"""Width, against the line after it, from which a line without cased letters was full and broken
off: in scripts without case the next line's first letter does not show it."""

REFLOW_TOLERANCE = 6
"""How far ink may pass an edge and still be inside: italics, bullets hung into the margin and a
replaced font stick out by a few pixels (0.6 % of the slide's width)."""

SHORT_LABEL_WORDS = 3
"""Up to so many words a box without wrapping is a label (an axis name, a button), which grows
with its text as its editor expects; a longer line in such a box is a sentence that cannot wrap."""

SHORT_LABEL_CHARACTERS = 24
"""Longest label in characters, for scripts that do not put spaces between words."""

SENTENCE_ENDS = ".!?:;…。！？：；।؟"
LINE_FACTOR = 1.2
"""Height of a line in font sizes, the usual leading."""


@dataclass(frozen=True)
class BrokenParagraph:
    """Text boxes of one slide, top to bottom, that read as one paragraph."""

    slide: int
    lines: tuple[OutlineShape, ...]
    box: Box

    @property
    def text(self) -> str:
        """The paragraph as it reads."""
        return " ".join(shape.text.text.strip() for shape in self.lines if shape.text is not None)


@dataclass(frozen=True)
class _Line:
    shape: OutlineShape
    box: Box
    size: float
    text: str


def _line(shape: OutlineShape, scale: float) -> _Line | None:
    """The shape as a line of text, or None if it is anything more than one line."""
    text, box = shape.text, shape.box
    if text is None or box is None or shape.placeholder is not None or text.vertical:
        return None
    filled = [paragraph.strip() for paragraph in text.paragraphs if paragraph.strip()]
    size = (text.size_pt or DEFAULT_SIZE_PT) * scale
    if len(filled) != 1 or box.height > SINGLE_LINE_HEIGHT * size:
        return None
    return _Line(shape, box, size, filled[0])


def _follows(upper: _Line, lower: _Line) -> bool:
    """True where the lower line is at the place of the next line of a paragraph."""
    step = lower.box.top - upper.box.top
    aligned = min(
        abs(lower.box.left - upper.box.left),
        abs(lower.box.left + lower.box.right - upper.box.left - upper.box.right) / 2,
    )
    return (
        0.5 * upper.size < step <= FRAGMENT_LEADING * LINE_FACTOR * upper.size
        and aligned <= FRAGMENT_INDENT
        and abs(lower.size - upper.size) <= 0.06 * upper.size
    )


def _reads_on(upper: _Line, lower: _Line) -> bool:
    """True where the lower line continues the text of the upper line."""
    if upper.text[-1] in SENTENCE_ENDS:
        return False
    first = lower.text[0]
    if first.islower():
        return True
    cased = first.isupper() or not first.isalpha()
    return not cased and upper.box.width >= WIDE_LINE * lower.box.width


def broken_paragraphs(slide: OutlineSlide, scale: float) -> list[BrokenParagraph]:
    """The broken paragraphs of a slide. ``scale`` is frame pixels per point."""
    own_lines = (_line(shape, scale) for shape in content_shapes(slide) if has_text(shape))
    lines = sorted(
        (line for line in own_lines if line), key=lambda line: (line.box.top, line.box.left)
    )
    chains: list[list[_Line]] = []
    for line in lines:
        for chain in chains:
            if _follows(chain[-1], line) and _reads_on(chain[-1], line):
                chain.append(line)
                break
        else:
            chains.append([line])
    return [_paragraph(slide, chain) for chain in chains if len(chain) >= MIN_FRAGMENTS]


def _paragraph(slide: OutlineSlide, chain: list[_Line]) -> BrokenParagraph:
    box = reduce(Box.union, (line.box for line in chain))
    return BrokenParagraph(slide.number, tuple(line.shape for line in chain), box)


def broken_share(outline: DeckOutline) -> tuple[float, list[BrokenParagraph]]:
    """Share of the deck's characters that sit in broken paragraphs, and the paragraphs."""
    scale = points_to_pixels(outline)
    slides = judged_slides(outline)
    broken = [paragraph for slide in slides for paragraph in broken_paragraphs(slide, scale)]
    total = sum(characters(shape) for slide in slides for shape in content_shapes(slide))
    inside = sum(characters(shape) for paragraph in broken for shape in paragraph.lines)
    return (inside / total if total else 0.0), broken


RASTER_FIX = "Set the text as text boxes and the drawings as shapes; keep pictures for photographs."
FRAGMENT_FIX = "Join the lines into one text box that wraps."
WRAP_FIX = "Turn on 'Wrap text in shape' and give the box the width of its column."
HOLD_FIX = (
    "Let the text shrink or the shape grow (Format Shape, Text Box, Autofit), or give the box room."
)


def is_raster_slide(slide: OutlineSlide) -> bool:
    """True where the slide is one picture and nothing else on it can be selected."""
    shapes = content_shapes(slide)
    titled = any(shape.placeholder is not None and has_text(shape) for shape in shapes)
    if titled or sum(characters(shape) for shape in shapes) > SPARSE_TEXT:
        return False
    if background_picture(slide) is not None:
        return not any(paints(shape) for shape in shapes)
    pictures = [shape.box for shape in shapes if shape.kind == "picture" and shape.box]
    covered = coverage(pictures)
    others = [shape for shape in shapes if shape.kind != "picture" and paints(shape)]
    if len(others) > STRAY_SHAPES or any(shape.kind != "shape" for shape in others):
        return False
    alone = len(pictures) == 1 and not others
    return covered >= (ONLY_PICTURE if alone else FULL_SLIDE)


def judge_text(
    outline: DeckOutline,
    reflow: Callable[[], Sequence[ReflowFacts] | NotScored],
    text_gate: TextGate = "box",
) -> EditabilityGate:
    """Gate 1. ``reflow`` is called only where the deck's structure does not decide.

    ``text_gate`` says where doubled text must stay; the summary gives the share for both.
    """
    return _rasterised(outline) or _fragmented(outline) or _reflowed(outline, reflow, text_gate)


def needs_reflow(outline: DeckOutline) -> bool:
    """Whether gate 1 depends on how doubled texts are laid out."""
    return not _rasterised(outline) and not _fragmented(outline) and bool(_texts(outline))


def _texts(outline: DeckOutline) -> list[OutlineShape]:
    return [shape for slide in judged_slides(outline) for shape in content_shapes(slide)
            if has_text(shape)]  # fmt: skip


def _rasterised(outline: DeckOutline) -> EditabilityGate | None:
    slides = filled_slides(outline)
    raster = _raster_evidence(outline, "error")
    if len(raster) <= MOSTLY * len(slides):
        return None
    summary = (
        f"The text is pixels: {percent(len(raster), len(slides))} slides are one picture "
        "with nothing to select."
    )
    return EditabilityGate(1, "failed", summary, tuple(raster), RASTER_FIX, drop_to=0)


def _fragmented(outline: DeckOutline) -> EditabilityGate | None:
    share, broken = broken_share(outline)
    if share <= FRAGMENT_SHARE:
        return None
    slides = sorted({paragraph.slide for paragraph in broken})
    summary = (
        f"Paragraphs are broken into one box per line: {round(100 * share)} % of the text, "
        f"on {slides_named(slides)}."
    )
    evidence = (
        *(_fragment_evidence(paragraph, failing=True) for paragraph in broken),
        *_raster_evidence(outline, "warning"),
    )
    return EditabilityGate(1, "failed", summary, evidence, FRAGMENT_FIX, drop_to=1)


def _fragment_evidence(paragraph: BrokenParagraph, *, failing: bool) -> Finding:
    shown = paragraph.text if len(paragraph.text) <= 60 else paragraph.text[:59] + "…"
    return Finding(
        rule="editability.text-fragments", severity="error" if failing else "warning",
        message=f"One paragraph in {len(paragraph.lines)} text boxes: “{shown}”",
        slide=paragraph.slide, shape=paragraph.lines[0].label, box=paragraph.box, fix=FRAGMENT_FIX,
    )  # fmt: skip


@dataclass(frozen=True)
class _Doubled:
    """A text shape, its layout after doubling, and the complaints; empty ones for no fault."""

    fact: ReflowFacts
    shape: OutlineShape
    wrap: str
    """It does not wrap, or leaves the slide."""
    hold: str
    """It wraps, but its box does not hold it."""

    def complaint(self, text_gate: TextGate) -> str:
        return self.wrap or (self.hold if text_gate == "box" else "")


def _reflowed(
    outline: DeckOutline,
    reflow: Callable[[], Sequence[ReflowFacts] | NotScored],
    text_gate: TextGate,
) -> EditabilityGate:
    if not (texts := _texts(outline)):
        return EditabilityGate(
            1, "not_applicable", "The deck has no text to edit.", tuple(_remarks(outline))
        )
    facts = reflow()
    if isinstance(facts, NotScored):
        summary = f"The doubled text could not be laid out: {facts.reason}"
        return EditabilityGate(1, "not_scored", summary, tuple(_remarks(outline)))
    if not (doubled := _doubled(outline, facts)):
        summary = "The text is native; no box was of a kind that can be tried."
        return EditabilityGate(1, "passed", summary, tuple(_remarks(outline)))
    failing = sum(bool(item.complaint(text_gate)) for item in doubled)
    failed = failing > MOSTLY * len(doubled)
    return EditabilityGate(
        1,
        "failed" if failed else "passed",
        _reflow_summary(doubled, len(texts)),
        (*_reflow_evidence(doubled, text_gate, failed=failed), *_remarks(outline)),
        _reflow_fix(doubled, text_gate),
        drop_to=1 if failed else None,
    )


def _doubled(outline: DeckOutline, facts: Sequence[ReflowFacts]) -> list[_Doubled]:
    slides = {slide.number: slide for slide in outline.slides}
    texts = []
    for fact in facts:
        shape = slides[fact.slide].shape(fact.shape) if fact.slide in slides else None
        if shape is None or shape.text is None or fact.ink is None:
            continue
        wrap = _wrap_complaint(shape.text, fact.ink, fact.container)
        hold = _hold_complaint(shape.text, fact.ink, fact.container)
        texts.append(_Doubled(fact, shape, wrap, hold))
    return texts


def _wrap_complaint(text: TextBody, ink: Box, box: Box) -> str:
    """The fault of a doubled text except its height, as the end of a sentence."""
    on_slide = (
        ink.left >= -REFLOW_TOLERANCE
        and ink.right <= FRAME.right + REFLOW_TOLERANCE
        and ink.top >= -REFLOW_TOLERANCE
        and ink.bottom <= FRAME.bottom + REFLOW_TOLERANCE
    )
    if not text.wraps:
        if not all(_is_label(paragraph) for paragraph in text.paragraphs):
            return "runs on in one line: the box does not wrap"
        return "" if on_slide else "runs off the slide: the box does not wrap"
    if ink.left < box.left - REFLOW_TOLERANCE or ink.right > box.right + REFLOW_TOLERANCE:
        return "leaves its box at the side"
    return "" if on_slide else "runs off the slide"


def _hold_complaint(text: TextBody, ink: Box, box: Box) -> str:
    """Whether a doubled text passes the top or bottom of its box. A growing box never fails."""
    if text.autofit == "grow":
        return ""
    if ink.bottom > box.bottom + REFLOW_TOLERANCE:
        return "runs past the bottom of its box"
    return "runs past the top of its box" if ink.top < box.top - REFLOW_TOLERANCE else ""


def _is_label(paragraph: str) -> bool:
    words = paragraph.split()
    return len(words) <= SHORT_LABEL_WORDS and len(" ".join(words)) <= SHORT_LABEL_CHARACTERS


def _reflow_summary(doubled: list[_Doubled], texts: int) -> str:
    wraps = sum(not item.wrap for item in doubled)
    stays = sum(not item.complaint("box") for item in doubled)
    return (
        f"Doubled text stays in {percent(stays, len(doubled))} boxes; it wraps and stays on the "
        f"slide in {percent(wraps, len(doubled))} (checked {len(doubled)} of {texts} text shapes)."
    )


def _reflow_fix(doubled: list[_Doubled], text_gate: TextGate) -> str:
    wrap = WRAP_FIX if any(item.wrap for item in doubled) else ""
    hold = HOLD_FIX if any(item.hold and not item.wrap for item in doubled) else ""
    return " ".join(fix for fix in (wrap, hold if text_gate == "box" else "") if fix)


def _reflow_evidence(
    doubled: list[_Doubled], text_gate: TextGate, *, failed: bool
) -> list[Finding]:
    return [
        Finding(
            rule="editability.text-reflow", severity="error" if failed else "info",
            message=f"Doubled text {item.complaint(text_gate)}.",
            slide=item.fact.slide, shape=item.shape.label, box=item.fact.container,
            fix=WRAP_FIX if item.wrap else HOLD_FIX,
        )
        for item in doubled
        if item.complaint(text_gate)
    ]  # fmt: skip


def _remarks(outline: DeckOutline) -> list[Finding]:
    """Raster slides and broken paragraphs that are too few to fail the gate."""
    broken = [_fragment_evidence(item, failing=False) for item in broken_share(outline)[1]]
    return _raster_evidence(outline, "warning") + broken


def _raster_evidence(outline: DeckOutline, severity: Severity) -> list[Finding]:
    return [
        Finding(
            rule="editability.raster-slide", severity=severity,
            message="The slide is one picture; nothing on it can be selected and changed.",
            slide=slide.number, box=FRAME, fix=RASTER_FIX,
        )
        for slide in filled_slides(outline)
        if is_raster_slide(slide)
    ]  # fmt: skip
