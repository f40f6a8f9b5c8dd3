"""Flaws of one slide in words, layout and style, each a share from 0 (none) to 1 (all of it).

Ours. They are read from the slide's elements and from where its text was drawn, and know no other
slide, no original and no ideal.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from decklab.core.colors import Color, parse_color
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box, BoxIndex
from decklab.deck.model.shapes import Element, Image, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.styles.themes import family_without_style
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.metrics.spelling import misspelt_share

# All ours. Lengths in px of the frame.
_ALIGNED = 2.0
_MARGIN = 12.0
_WORDY = 12  # words that fit a line of a bullet
_LONG = 15  # letters of a word that is probably two
_SMALL_PT = 12.0
_LARGE_PT = 60.0
_LEGIBLE_PT = 18.0
_MARKS = 3
_TITLES = ("title", "ctrTitle")
_TITLES_COMPARED = 3
_FAMILIES_A_DECK = 3
_WORDS_A_SLIDE = 90
_FEW_WORDS = 15
_NOTICED = 0.005  # of the slide, as large as an icon of 51 by 51 px
_THIN = 8.0
_ADRIFT = 24.0
_PAIR = 2
_PITCH = 1.2
_STRETCHED = 0.5  # logarithm of the change in a ratio of sides at which this flaw is 1
_FAMILIES = 3  # beyond the first: numbers at which these flaws are 1
_SIZES = 5
_COLORS = 4
_FINE_PX = 20.0  # drawn lines below this height are the finer the lower
_HEADLINE_PX = 60.0  # height of a line that stands out from the back of a room
_MANY_WORDS = 120
_COLORFUL = 40.0  # Hasler and Süsstrunk: between moderate (33) and averagely colourful (45)
_OTHER_COLOR = 8  # of 255 in a channel: an area that differs less from its ground is not noticed
_OVERPRINTED = 0.3  # of the lower line's height, and px along it, that two lines have in common
_OVERPRINTED_PX = 4.0
_WHITE = 245  # channels above which a ground is white
_LOUD = 0.75  # saturation and value above which a colour of text is loud


@dataclass(frozen=True)
class MeasuredSlide:
    """A slide's elements, the text that was drawn, and how much of it is hard to tell apart."""

    slide: SlideElements
    regions: Sequence[TextRegion]
    """Drawn lines or pieces of lines of text."""
    faint: float = 0.0
    """Share of them with less contrast than WCAG asks, 0 to 1."""
    english: bool = False
    """Whether the deck's text is English, so that its spelling can be judged."""
    known: frozenset[str] = frozenset()
    """Words that are right, such as those that several slides of the deck have."""
    colorfulness: float = _COLORFUL
    """Of its picture (``engagement.colorfulness``)."""
    stated: "MeasuredSlide | None" = None
    """The slide with all that it states and all text that was drawn, if an audience does not see
    some of that."""

    @property
    def texts(self) -> list[Text]:
        """The visible texts."""
        return [item for item in self.slide.texts if _shown(item) and item.text.strip()]


def _shown(item: Text | Image) -> bool:
    return item.placed and not item.hidden


def word_flaws(seen: MeasuredSlide) -> dict[str, float]:
    """Words run together, capitals out of place, many or wordy lines, words that look misspelt."""
    texts = [item.text for item in seen.texts]
    words = [word for text in texts for word in text.split()]
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    return {
        "misspelt": _misspelt(seen),
        "joined": _mean([len(word) > _LONG and word.isalpha() for word in words]),
        "capitals": _mean([_mixed_case(word) for word in words if word not in seen.known]),
        "many": min(1.0, len(words) / _MANY_WORDS),
        "wordy": _mean([len(line.split()) > _WORDY for line in lines]),
    }


def _misspelt(seen: MeasuredSlide) -> float:
    text = "\n".join(item.text for item in seen.texts)
    return (seen.english and misspelt_share(text, seen.known)) or 0.0


def layout_flaws(seen: MeasuredSlide) -> dict[str, float]:
    """Boxes unaligned, overlapping or at the edge; text that does not fit, and lines that run into
    each other; stretched pictures."""
    shown: list[Text | Image] = [*seen.texts, *(i for i in seen.slide.images if _shown(i))]
    boxes = [Box(item.x, item.y, item.x + item.w, item.y + item.h) for item in shown]
    inks = [region.frame_box for region in seen.regions]
    pixels = FRAME_WIDTH / seen.slide.size_pt[0]
    gaps = _alignment_gaps(boxes)
    overlap, crowded = _overlaps(boxes)
    places = BoxIndex(boxes)
    pictures = [item for item in seen.slide.images if _shown(item) and len(item.pixels) == 2]
    return {
        "unaligned": _mean([gap > _ALIGNED for gap in gaps]),
        "overlap": overlap,
        "cut": float(any(_is_cut(box) for box in inks)),
        "margin": _mean([_near_edge(box) for box in boxes]),
        "thin": _mean([min(box.width, box.height) < _THIN for box in boxes]),
        "overflow": _mean(
            [not _is_inside(ink, (boxes[n] for n in places.near(ink))) for ink in inks]
        ),
        "stretched": _mean([_stretch(item) for item in pictures]),
        "unbalanced": _unbalanced(boxes),
        "adrift": _mean([min(1.0, gap / _ADRIFT) for gap in gaps]),
        "crowded": crowded,
        "cramped": _mean([_cramped(item, pixels) for item in seen.texts]),
        "blank": float(not shown or not seen.regions),
        "overprinted": _overprinted(seen.regions),
    }


def _overprinted(regions: Sequence[TextRegion]) -> float:
    """Share of the drawn lines of text that another line runs into."""
    lines: dict[object, Box] = {}
    for place, region in enumerate(regions):
        box, line = region.frame_box, (place, 0) if region.line is None else region.line
        if region.text.strip() and box.area:
            lines[line] = lines[line].union(box) if line in lines else box
    boxes = list(lines.values())
    index = BoxIndex(boxes)
    return _mean([
        any(_runs_into(box, boxes[other]) for other in index.near(box) if other != place)
        for place, box in enumerate(boxes)
    ])  # fmt: skip


def _runs_into(line: Box, other: Box) -> bool:
    common = line.intersection(other)
    least = _OVERPRINTED * min(line.height, other.height)
    return common.width > _OVERPRINTED_PX and common.height > least


def style_flaws(seen: MeasuredSlide) -> dict[str, float]:
    """Low contrast, too many families, sizes and colours, emphasis, odd sizes, loud colours; fine
    print, no line that stands out, and plain black on white."""
    looks = _looks(seen)
    fonts = [(item.font, len(item.text)) for item in seen.texts]
    if not fonts:
        return dict.fromkeys(_STYLE, 0.0) | looks
    families = {font.name.casefold() for font, _n in fonts}
    typefaces = {family_without_style(font.name).casefold() for font, _n in fonts}
    sizes = Counter(round(font.size) for font, _n in fonts)
    colors = {font.color for font, _n in fonts}
    marks = [font.style for font, _n in fonts]
    values = (
        seen.faint,
        min(1.0, (len(families) - 1) / _FAMILIES),
        min(1.0, (len(sizes) - 1) / _SIZES),
        min(1.0, (len(colors) - 1) / _COLORS),
        _mean(["italic" in style for style in marks]),
        _mean(["underscore" in style for style in marks]),
        _mean([font.size < _SMALL_PT for font, _n in fonts]),
        _mean([font.size > _LARGE_PT for font, _n in fonts]),
        _mean([_is_loud(font.color) for font, _n in fonts]),
        min(1.0, float(np.std([np.log(font.size) for font, _n in fonts]))),
        _mean([max(0.0, 1 - font.size / _LEGIBLE_PT) for font, _n in fonts]),
        min(1.0, (len({font.style for font, _n in fonts}) - 1) / _MARKS),
        min(1.0, (len(typefaces) - 1) / _FAMILIES),
    )
    return dict(zip(_STYLE, values, strict=True)) | looks


def _looks(seen: MeasuredSlide) -> dict[str, float]:
    """Flaws of what was drawn, text in pictures of charts and tables included."""
    heights = [region.frame_box.height for region in seen.regions]
    return {
        "fine": _mean([max(0.0, 1 - height / _FINE_PX) for height in heights]),
        "flat": max(0.0, 1 - max(heights, default=0.0) / _HEADLINE_PX),
        "plain": _is_white(seen.slide) * max(0.0, 1 - seen.colorfulness / _COLORFUL),
    }


def _is_white(slide: SlideElements) -> bool:
    plain = slide.background_paint.kind in ("solid", "none")
    return plain and min(parse_color(slide.background)[:3]) > _WHITE


_STYLE = (
    "faint", "families", "sizes", "colors", "italic", "underlined", "small", "large", "loud",
    "uneven", "tiny", "marks", "typefaces",
)  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def _mixed_case(word: str) -> bool:
    """Whether a word has capitals after its first letter, and also small letters."""
    inner = word[1:]
    return not word.isupper() and not inner.islower() and any(c.isupper() for c in inner)


def _cramped(item: Text, pixels: float) -> float:
    """How much of a text does not fit its box by a rule of thumb: half an em a letter.

    ``pixels`` is the length of a point in the frame.
    """
    size = item.font.size * pixels
    a_line = max(1.0, item.w / (size / 2))
    lines = sum(max(1, -(-len(line) // int(a_line))) for line in item.text.splitlines())
    needed = lines * size * _PITCH
    return max(0.0, 1 - max(item.h, 1.0) / needed) if needed > item.h else 0.0


def _alignment_gaps(boxes: Sequence[Box]) -> list[float]:
    """Of each box the distance to the next line that another begins, ends or is centred on.

    Empty for fewer than two boxes.
    """
    if len(boxes) < _PAIR:
        return []
    edges = np.array([tuple(box) for box in boxes])
    centres = np.column_stack([edges[:, 0] + edges[:, 2], edges[:, 1] + edges[:, 3]]) / 2
    nearest = np.full(len(boxes), np.inf)
    for line in np.hstack([edges, centres]).T:
        order = np.argsort(line)
        steps = np.diff(line[order])
        nearest[order[1:]] = np.minimum(nearest[order[1:]], steps)
        nearest[order[:-1]] = np.minimum(nearest[order[:-1]], steps)
    return [float(gap) for gap in nearest]


def _overlaps(boxes: Sequence[Box]) -> tuple[float, float]:
    """Common area of pairs over that of the smaller, the most of each box, mean over boxes; and
    common area of all pairs as a share of the slide; each at most 1."""
    if len(boxes) < _PAIR:
        return 0.0, 0.0
    left, top, right, bottom = np.array([tuple(box) for box in boxes]).T
    areas = np.array([box.area for box in boxes])
    most, common = np.zeros(len(boxes)), 0.0
    for at in range(len(boxes) - 1):
        rest = slice(at + 1, None)
        across = np.minimum(right[at], right[rest]) - np.maximum(left[at], left[rest])
        down = np.minimum(bottom[at], bottom[rest]) - np.maximum(top[at], top[rest])
        shared = np.maximum(across, 0.0) * np.maximum(down, 0.0)
        shares = shared / np.maximum(1.0, np.minimum(areas[at], areas[rest]))
        most[at] = max(most[at], shares.max())
        most[rest] = np.maximum(most[rest], shares)
        common += float(shared.sum())
    return float(most.mean()), min(1.0, common / (FRAME_WIDTH * FRAME_HEIGHT))


def _is_cut(ink: Box) -> bool:
    """Whether more than 0.1 of the area of drawn text lies off the slide."""
    return ink.intersection(FRAME).area < 0.9 * ink.area


def _near_edge(box: Box) -> bool:
    gaps = (box.left, box.top, FRAME_WIDTH - box.right, FRAME_HEIGHT - box.bottom)
    return min(gaps) < _MARGIN


def _is_inside(ink: Box, boxes: Iterable[Box]) -> bool:
    """Whether more than 0.9 of the area of drawn text lies in one of the boxes."""
    area = max(ink.area, 1.0)
    return any(ink.intersection(box).area / area > 0.9 for box in boxes)


def _stretch(item: Image) -> float:
    """How far a picture's ratio of sides is from that of its file, 0 to 1."""
    across = item.pixels[0] * (1 - item.crop.left - item.crop.right)
    down = item.pixels[1] * (1 - item.crop.top - item.crop.bottom)
    if min(across, down, item.w, item.h) <= 0:
        return 0.0
    return min(1.0, abs(float(np.log(item.w * down / (item.h * across)))) / _STRETCHED)


def _unbalanced(boxes: Sequence[Box]) -> float:
    """Distance of the boxes' common middle from the slide's, as a share of the way to its edge."""
    total = sum(box.area for box in boxes)
    if not total:
        return 0.0
    x = sum((box.left + box.right) / 2 * box.area for box in boxes) / total
    y = sum((box.top + box.bottom) / 2 * box.area for box in boxes) / total
    return min(1.0, float(np.hypot(2 * x / FRAME_WIDTH - 1, 2 * y / FRAME_HEIGHT - 1)))


def _is_loud(color: str) -> bool:
    red, green, blue = bytes.fromhex(color[1:])
    high, low = max(red, green, blue), min(red, green, blue)
    return high > 255 * _LOUD and (high - low) / max(high, 1) > _LOUD


def deck_flaws(slides: Sequence[MeasuredSlide]) -> dict[str, float]:
    """Flaws that only several slides together show, each a share of the slides or of a limit."""
    titles = [_title(seen) for seen in slides]
    families = {
        family_without_style(item.font.name).casefold() for seen in slides for item in seen.texts
    }
    words = [sum(len(item.text.split()) for item in seen.texts) for seen in slides]
    return {
        "untitled": _mean([title is None for title in titles]),
        "titles_apart": _titles_apart([title for title in titles if title is not None]),
        "many_families": min(1.0, max(0, len(families) - _FAMILIES_A_DECK) / _FAMILIES),
        "only_text": _mean([_is_only_text(seen) for seen in slides]),
        "dense": _mean([count > _WORDS_A_SLIDE for count in words]),
    }


def _title(seen: MeasuredSlide) -> Text | None:
    found = [t for t in seen.texts if t.placeholder and t.placeholder.type in _TITLES]
    return found[0] if found else None


def _titles_apart(titles: Sequence[Text]) -> float:
    """Share of titles whose left or top edge no other slide's title has."""
    if len(titles) < _TITLES_COMPARED:
        return 0.0
    places = Counter((round(title.x / _ADRIFT), round(title.y / _ADRIFT)) for title in titles)
    return sum(1 for count in places.values() if count == 1) / len(titles)


def _differs(color: Color, ground: Color) -> bool:
    return max(abs(one - other) for one, other in zip(color, ground, strict=True)) > _OTHER_COLOR


def _is_only_text(seen: MeasuredSlide) -> bool:
    """Whether a slide has many words and no picture, chart, table with words, diagram or area of
    another colour that is large enough to be noticed. Words that are not seen count too."""
    slide = seen.slide
    ground = parse_color(slide.background)
    filled = (
        rect for rect in slide.rects
        if rect.fill and not rect.hidden and _differs(parse_color(rect.fill), ground)
    )  # fmt: skip
    tables = (table for table in slide.tables if any(map(str.strip, chain(*table.cells))))
    graphics: list[Element] = [
        *slide.images, *tables, *slide.charts, *slide.diagrams, *slide.media, *filled,
    ]  # fmt: skip
    areas = [box.area for item in graphics if (box := box_of(item)) is not None]
    words = sum(len(item.text.split()) for item in (seen.stated or seen).slide.texts)
    return max(areas, default=0.0) < _NOTICED * FRAME.area and words > _FEW_WORDS
