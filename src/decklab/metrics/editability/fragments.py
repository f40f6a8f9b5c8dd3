"""Paragraphs broken into one text box per line, as exports by character recognition leave them."""

from dataclasses import dataclass

from decklab.deck.model.outline import DeckOutline, Shape, Slide
from decklab.geometry import Box
from decklab.metrics.editability.content import (
    characters,
    content_shapes,
    has_text,
    judged_slides,
    points_to_pixels,
)
from decklab.metrics.editability.thresholds import (
    DEFAULT_SIZE_PT,
    FRAGMENT_INDENT,
    FRAGMENT_LEADING,
    MIN_FRAGMENTS,
    SINGLE_LINE_HEIGHT,
    WIDE_LINE,
)

SENTENCE_ENDS = ".!?:;…。！？：；।؟"
LINE_FACTOR = 1.2
"""Height of a line in font sizes, the usual leading."""


@dataclass(frozen=True)
class BrokenParagraph:
    """Text boxes of one slide, top to bottom, that read as one paragraph."""

    slide: int
    lines: tuple[Shape, ...]
    box: Box

    @property
    def text(self) -> str:
        """The paragraph as it reads."""
        return " ".join(shape.text.text.strip() for shape in self.lines if shape.text is not None)


@dataclass(frozen=True)
class _Line:
    shape: Shape
    box: Box
    size: float
    text: str


def _line(shape: Shape, scale: float) -> _Line | None:
    """The shape as a line of text, or None where it is anything more than one line."""
    text, box = shape.text, shape.box
    if text is None or box is None or shape.placeholder is not None or text.vertical:
        return None
    filled = [paragraph.strip() for paragraph in text.paragraphs if paragraph.strip()]
    size = (text.size_pt or DEFAULT_SIZE_PT) * scale
    if len(filled) != 1 or box.height > SINGLE_LINE_HEIGHT * size:
        return None
    return _Line(shape, box, size, filled[0])


def _follows(upper: _Line, lower: _Line) -> bool:
    """True where the lower line stands where the next line of a paragraph would."""
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
    """True where the text of the upper line is continued by the lower one."""
    if upper.text[-1] in SENTENCE_ENDS:
        return False
    first = lower.text[0]
    if first.islower():
        return True
    cased = first.isupper() or not first.isalpha()
    return not cased and upper.box.width >= WIDE_LINE * lower.box.width


def broken_paragraphs(slide: Slide, scale: float) -> list[BrokenParagraph]:
    """The broken paragraphs of a slide. ``scale`` is frame pixels per point."""
    found = (_line(shape, scale) for shape in content_shapes(slide) if has_text(shape))
    lines = sorted((line for line in found if line), key=lambda line: (line.box.top, line.box.left))
    chains: list[list[_Line]] = []
    for line in lines:
        for chain in chains:
            if _follows(chain[-1], line) and _reads_on(chain[-1], line):
                chain.append(line)
                break
        else:
            chains.append([line])
    return [_paragraph(slide, chain) for chain in chains if len(chain) >= MIN_FRAGMENTS]


def _paragraph(slide: Slide, chain: list[_Line]) -> BrokenParagraph:
    box = chain[0].box
    for line in chain[1:]:
        box = box.union(line.box)
    return BrokenParagraph(slide.number, tuple(line.shape for line in chain), box)


def broken_share(outline: DeckOutline) -> tuple[float, list[BrokenParagraph]]:
    """Share of the deck's characters that sit in broken paragraphs, and the paragraphs."""
    scale = points_to_pixels(outline)
    slides = judged_slides(outline)
    broken = [paragraph for slide in slides for paragraph in broken_paragraphs(slide, scale)]
    total = sum(characters(shape) for slide in slides for shape in content_shapes(slide))
    inside = sum(characters(shape) for paragraph in broken for shape in paragraph.lines)
    return (inside / total if total else 0.0), broken
