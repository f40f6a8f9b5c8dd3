"""Degraded slides, an operator for each axis. Layout: elements moved, resized, repositioned and
collapsed. Style: font families, sizes, emphasis and colours of texts, and the background. Texts:
typing errors, texts removed, texts added that do not belong.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass
from itertools import accumulate
from math import dist, exp
from typing import Any, Final, TypeVar

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.base import Font, FontStyle, PlainSlide, PlainText
from decklab.deck.model.shapes import Paragraph, PictureFill, Run, RunFont, Solid, Table, Text
from decklab.deck.model.slide import SlideElements
from decklab.evals.perturb.constants import (
    ALPHA,
    BACKGROUND,
    CHARACTER,
    COLLAPSE,
    COLLAPSED_PX,
    DROP,
    EDITS,
    EXTREME,
    EXTREME_LARGE,
    EXTREME_SMALL,
    FAMILIES,
    FAMILY,
    HUE_DEG,
    INJECT,
    INJECTED_COLORS,
    INSERT,
    INSERTED_COLOR,
    INSERTED_EMPHASIS,
    INSERTED_FAMILY,
    INSERTED_HEIGHT,
    INSERTED_SIZE_PT,
    INSERTED_TEXTS,
    INSERTED_WIDTH,
    INSERTS_AT_MOST,
    INSERTS_PER_SEVERITY,
    LEAST_PX,
    LIGHTNESS,
    LOG_SCALE,
    LOG_SIZE,
    LOW_CONTRAST,
    OUTLIER,
    OUTLIER_FACTOR,
    REPOSITION,
    SATURATION,
    SIZE_PT,
    TOGGLE,
    TRANSLATION,
    AnySlide,
    Draws,
    is_shown,
)

_STYLES: tuple[FontStyle, ...] = ("bold", "italic", "underscore")
_DIGITS = 2  # of places in the frame and of sizes, as they are read

_BOXES = ("texts", "images", "tables", "rects", "charts")

_Place = tuple[float, float, float, float]
"""x, y, w, h."""


@dataclass(frozen=True)
class GeometryOptions:
    """Options of ``perturb_geometry``; the operators are those that the paper calls optional."""

    share: float = 1.0
    """The probability that an element is changed."""
    extreme: bool = True
    """Whether elements may become extremely large or small."""
    reposition: bool = True
    """Whether elements may move to a random place."""
    collapse: bool = True
    """Whether one side of an element may shrink to a few pixels."""
    allow_clipping: bool = False
    """Whether elements may leave the frame and be larger than it."""


_GEOMETRY = GeometryOptions()


def perturb_geometry(
    slide: AnySlide, severity: float, draws: Draws, options: GeometryOptions = _GEOMETRY
) -> AnySlide:
    """Move and resize texts, images, tables, rects and charts (paper 000, appendix D, geometry).

    ``severity`` goes from 0 to 1. No side becomes less than a pixel.
    """
    update: dict[str, Any] = {}
    for kind in _BOXES:
        moved = []
        for index, item in enumerate(getattr(slide, kind, ())):
            stream = draws.of(kind, index)
            if is_shown(item) and stream.chance(options.share):
                box = (item.x, item.y, item.w, item.h)
                change = _moved(box, severity, _GeometryDraws.drawn(stream), options)
                moved.append(_put(item, change))
            else:
                moved.append(item)
        if moved:
            update[kind] = tuple(moved)
    return slide.model_copy(update=update)


@dataclass(frozen=True)
class _GeometryDraws:
    """All random numbers for one element; they do not depend on the severity."""

    shift: tuple[float, float]
    """Across and down, in standard deviations."""
    growth: tuple[float, float]
    """Of width and height, in standard deviations."""
    thresholds: tuple[float, float, float]
    """Probabilities above which the size is extreme, the place random, a side collapsed."""
    extreme: float
    """The factor of an extreme size."""
    corner: tuple[float, float]
    """A random place, as a share of the space that there is."""
    collapsed: tuple[float, bool]
    """The length of the collapsed side in pixels, and whether it is the width."""

    @classmethod
    def drawn(cls, draws: Draws) -> "_GeometryDraws":
        return cls(
            shift=(draws.normal(1), draws.normal(1)),
            growth=(draws.normal(1), draws.normal(1)),
            thresholds=(draws.uniform(0, 1), draws.uniform(0, 1), draws.uniform(0, 1)),
            extreme=draws.uniform(*draws.choice((EXTREME_SMALL, EXTREME_LARGE))),
            corner=(draws.uniform(0, 1), draws.uniform(0, 1)),
            collapsed=(draws.uniform(*COLLAPSED_PX), draws.chance(0.5)),
        )


def _moved(box: _Place, severity: float, drawn: _GeometryDraws, options: GeometryOptions) -> _Place:
    sigma = TRANSLATION(severity)
    x = box[0] + drawn.shift[0] * sigma * FRAME_WIDTH
    y = box[1] + drawn.shift[1] * sigma * FRAME_HEIGHT
    w = box[2] * exp(drawn.growth[0] * LOG_SCALE(severity))
    h = box[3] * exp(drawn.growth[1] * LOG_SCALE(severity))
    if options.extreme and drawn.thresholds[0] < EXTREME(severity):
        w, h = w * drawn.extreme, h * drawn.extreme
    if options.reposition and drawn.thresholds[1] < REPOSITION(severity):
        x = drawn.corner[0] * max(0.0, FRAME_WIDTH - w)
        y = drawn.corner[1] * max(0.0, FRAME_HEIGHT - h)
    if options.collapse and drawn.thresholds[2] < COLLAPSE(severity):
        thin, across = drawn.collapsed
        w, h = (thin, h) if across else (w, thin)
    w, h = max(LEAST_PX, w), max(LEAST_PX, h)
    if not options.allow_clipping:
        w, h = min(w, float(FRAME_WIDTH)), min(h, float(FRAME_HEIGHT))
        x = min(max(0.0, x), FRAME_WIDTH - w)
        y = min(max(0.0, y), FRAME_HEIGHT - h)
    return x, y, w, h


def _put(item: Any, box: _Place) -> Any:
    """The element in another place. Where its text is drawn there is not known."""
    x, y, w, h = (round(value, _DIGITS) for value in box)
    update: dict[str, Any] = {"x": x, "y": y, "w": w, "h": h}
    if isinstance(item, Table):
        across, down = (new / old if old else 1.0 for new, old in ((w, item.w), (h, item.h)))
        update["columns"] = tuple(round(width * across, _DIGITS) for width in item.columns)
        update["heights"] = tuple(round(height * down, _DIGITS) for height in item.heights)
    if hasattr(item, "drawn"):
        update["drawn"] = None
    return item.model_copy(update=update)


_FULL = 255


def jittered(color: str, severity: float, draws: Draws) -> str:
    """A colour near ``color`` in hue, lightness and saturation (appendix D, style)."""
    hue, lightness, saturation = rgb_to_hls(*_channels(color))
    hue += draws.uniform(-HUE_DEG, HUE_DEG) * severity / 360
    lightness += draws.uniform(-LIGHTNESS, LIGHTNESS) * severity
    saturation += draws.uniform(-SATURATION, SATURATION) * severity
    return _hex(hls_to_rgb(hue % 1, _share(lightness), _share(saturation)))


def mixed(color: str, other: str, alpha: float) -> str:
    """(1 - alpha) of ``color`` with alpha of ``other``.

    >>> mixed("#000000", "#FFFFFF", 0.2)
    '#333333'
    """
    pairs = zip(_channels(color), _channels(other), strict=True)
    red, green, blue = ((1 - alpha) * a + alpha * b for a, b in pairs)
    return _hex((red, green, blue))


def _channels(color: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red / _FULL, green / _FULL, blue / _FULL


def _hex(channels: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(_share(value) * _FULL):02X}" for value in channels)


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


F = TypeVar("F", bound=Font)


def perturb_style(
    slide: AnySlide, severity: float, draws: Draws, *, share: float = 1.0
) -> AnySlide:
    """Change fonts and colours of texts, and the background (paper 000, appendix D, style).

    ``severity`` goes from 0 to 1, ``share`` is the probability that a text is changed. Sizes stay
    between 6 and 120 pt, outliers too. A background that is a picture keeps its picture.
    """
    texts = []
    for index, item in enumerate(slide.texts):
        stream = draws.of("texts", index)
        if is_shown(item) and stream.chance(share):
            change = _Restyling.drawn(item.font, slide.background, severity, stream)
            texts.append(_restyled(item, change))
        else:
            texts.append(item)
    update: dict[str, Any] = {"texts": tuple(texts)}
    if (ground := draws.of("background")).chance(BACKGROUND(severity)):
        update |= _repainted(slide, jittered(slide.background, severity, ground))
    return slide.model_copy(update=update)


@dataclass(frozen=True)
class _Restyling:
    """All random changes to the font of a text; they apply to each of its runs."""

    family: str | None
    factor: float
    toggled: frozenset[FontStyle]
    injected: str | None
    jitter: tuple[float, int]
    """Severity, and the name of a stream of draws, so that runs of one colour keep one colour."""
    ground: str
    alpha: float

    @classmethod
    def drawn(cls, font: Font, ground: str, severity: float, draws: Draws) -> "_Restyling":
        others = [name for name in FAMILIES if name.casefold() != font.name.casefold()]
        switched, family = draws.chance(FAMILY(severity)), draws.choice(others)
        factor = exp(draws.normal(LOG_SIZE(severity)))
        far, outlier = draws.chance(OUTLIER(severity)), draws.uniform(*OUTLIER_FACTOR)
        toggled = [style for style in _STYLES if draws.chance(TOGGLE(severity))]
        loud, injected = draws.chance(INJECT(severity)), draws.choice(INJECTED_COLORS)
        return cls(
            family=family if switched else None,
            factor=factor * outlier if far else factor,
            toggled=frozenset(toggled),
            injected=injected if loud else None,
            jitter=(severity, draws.index(2**53)),
            ground=ground,
            alpha=ALPHA(severity) if draws.chance(LOW_CONTRAST(severity)) else 0.0,
        )

    def color(self, color: str) -> str:
        """A colour, changed."""
        severity, name = self.jitter
        color = self.injected or jittered(color, severity, Draws("jitter", name))
        return mixed(color, self.ground, self.alpha)

    def font(self, font: F) -> F:
        """A font, changed."""
        size = min(max(font.size * self.factor, SIZE_PT.low), SIZE_PT.high)
        style = tuple(name for name in _STYLES if (name in font.style) != (name in self.toggled))
        update: dict[str, Any] = {"name": self.family or font.name, "size": round(size, _DIGITS)}
        update |= {"style": style, "color": self.color(font.color)}
        if isinstance(font, RunFont):
            update |= {"paint": None, "slot": None}
        return font.model_copy(update=update)


def _restyled(item: PlainText, change: _Restyling) -> PlainText:
    update: dict[str, Any] = {"font": change.font(item.font)}
    if isinstance(item, Text):
        update |= {
            "paragraphs": tuple(_restyled_paragraph(line, change) for line in item.paragraphs),
            "drawn": None,
        }
    return item.model_copy(update=update)


def _restyled_paragraph(paragraph: Paragraph, change: _Restyling) -> Paragraph:
    runs = tuple(run.model_copy(update={"font": change.font(run.font)}) for run in paragraph.runs)
    return paragraph.model_copy(update={"runs": runs})


def _repainted(slide: PlainSlide | SlideElements, color: str) -> dict[str, Any]:
    """The fields of a slide with another background colour; a picture as background stays."""
    update: dict[str, Any] = {"background": color}
    if isinstance(slide, SlideElements) and not isinstance(slide.background_paint, PictureFill):
        update["background_paint"] = Solid(kind="solid", color=color)
    return update


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SHIFTS = (0.0, 0.25, 0.75)  # of the rows against the first, in widths of a key
_REACH = 1.3  # widths of a key: the six keys around one
_LETTERS = "".join(sorted("".join(_ROWS)))
_DIGIT_KEYS = "1234567890"


def _neighbors() -> dict[str, str]:
    places = {
        letter: (column + shift, row)
        for row, (letters, shift) in enumerate(zip(_ROWS, _SHIFTS, strict=True))
        for column, letter in enumerate(letters)
    }
    digits = {
        character: _DIGIT_KEYS[max(0, at - 1) : at] + _DIGIT_KEYS[at + 1 : at + 2]
        for at, character in enumerate(_DIGIT_KEYS)
    }
    near = {
        key: [other for other in places if other != key and dist(places[other], at) <= _REACH]
        for key, at in places.items()
    }
    return digits | {key: "".join(sorted(others)) for key, others in near.items()}


NEIGHBORS: Final = _neighbors()
"""The letters around each lower-case letter on a QWERTY keyboard, the digits beside each digit.

>>> NEIGHBORS["g"], NEIGHBORS["q"], NEIGHBORS["1"]
('bfhtvy', 'aw', '2')
"""


def mistyped(character: str, draws: Draws) -> str:
    """A neighbour of a character on the keyboard, in its case; any letter if it has none."""
    letter = draws.choice(NEIGHBORS.get(character.lower(), _LETTERS))
    return letter.upper() if character.isupper() else letter


Glyph = tuple[str, int]
"""A character, and the index of the one in the clean text whose place it has."""

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_BREAKS = frozenset("\n\v")


def noised(text: str, rate: float, draws: Draws) -> list[Glyph]:
    """``text`` with each character changed with the probability ``rate``; ends of lines stay.

    A swap also moves the next character, which is not changed again; at the end of a line it does
    nothing.
    """
    glyphs: list[Glyph] = []
    swapped = -1
    for index, character in enumerate(text):
        hit, edit, other = draws.chance(rate), draws.weighted(EDITS), mistyped(character, draws)
        if index == swapped:
            continue
        if character in _BREAKS or not hit:
            glyphs.append((character, index))
            continue
        match edit:
            case "substitute":
                glyphs.append((other, index))
            case "insert":
                glyphs += [(character, index), (other, index)]
            case "swap" if text[index + 1 : index + 2].strip("\n\v"):
                glyphs += [(text[index + 1], index), (character, index + 1)]
                swapped = index + 1
            case "swap":
                glyphs.append((character, index))
    return glyphs


def with_numbers_of(text: str, glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs with their numbers replaced by those of ``text``, in order.

    If noise has divided a number in two or removed one, the numbers after it are in other
    places: only their order stays.

    >>> joined(with_numbers_of("a 12 b 3.5", [(c, i) for i, c in enumerate("a 71 b 3x5")]))
    'a 12 b 3.5x5'
    """
    result: list[Glyph] = []
    at = 0
    for clean, broken in zip(_NUMBER.findall(text), _NUMBER.finditer(joined(glyphs)), strict=False):
        owner = glyphs[broken.start()][1]
        result += [*glyphs[at : broken.start()], *((digit, owner) for digit in clean)]
        at = broken.end()
    return [*result, *glyphs[at:]]


def joined(glyphs: Sequence[Glyph]) -> str:
    """The text that glyphs make."""
    return "".join(character for character, _index in glyphs)


@dataclass(frozen=True)
class TextOptions:
    """Options of ``perturb_text``; the switches are those that the paper calls optional."""

    share: float = 1.0
    """The probability that a text is changed."""
    keep_numbers: bool = True
    """Whether numbers are restored after typing errors."""
    drop: bool = True
    """Whether texts may be removed."""
    insert: bool = True
    """Whether texts may be added that do not belong on the slide."""
    max_inserts: int = INSERTS_AT_MOST
    """How many texts are added at most."""


_TEXTS = TextOptions()


def perturb_text(
    slide: AnySlide, severity: float, draws: Draws, options: TextOptions = _TEXTS
) -> AnySlide:
    """Misspell, drop and insert texts (paper 000, appendix D, text content).

    ``severity`` goes from 0 to 1.
    """
    texts: list[PlainText] = []
    for index, item in enumerate(slide.texts):
        stream = draws.of("texts", index)
        if not is_shown(item) or not stream.chance(options.share):
            texts.append(item)
            continue
        if stream.chance(DROP(severity)) and options.drop:
            continue
        glyphs = noised(item.text, CHARACTER(severity), stream)
        if options.keep_numbers:
            glyphs = with_numbers_of(item.text, glyphs)
        texts.append(_respelt(item, glyphs))
    boxes = draws.of("inserted")
    if options.insert and boxes.chance(INSERT(severity)):
        most = min(options.max_inserts, 1 + int(INSERTS_PER_SEVERITY * severity))
        kind = Text if isinstance(slide, SlideElements) else PlainText
        texts += [_added_text(kind, severity, boxes.of(n)) for n in range(1 + boxes.index(most))]
    return slide.model_copy(update={"texts": tuple(texts)})


def _respelt(item: PlainText, glyphs: Sequence[Glyph]) -> PlainText:
    """A text with other characters, each in the style of the character that it replaces."""
    update: dict[str, Any] = {"text": joined(glyphs)}
    if isinstance(item, Text):
        update |= {"paragraphs": _respelt_paragraphs(item.paragraphs, glyphs), "drawn": None}
    return item.model_copy(update=update)


def _respelt_paragraphs(
    paragraphs: Sequence[Paragraph], glyphs: Sequence[Glyph]
) -> tuple[Paragraph, ...]:
    runs = [(number, run) for number, line in enumerate(paragraphs) for run in (*line.runs, None)]
    starts = [0, *accumulate(1 if run is None else len(run.text) for _number, run in runs)]
    texts = [""] * len(runs)
    for character, index in glyphs:
        texts[bisect_right(starts, index) - 1] += character
    rewritten: list[list[Run]] = [[] for _ in paragraphs]
    for (number, run), text in zip(runs, texts, strict=True):
        if run is not None and text:
            rewritten[number].append(run if text == run.text else _retyped(run, text))
    return tuple(
        line.model_copy(update={"runs": tuple(runs_left)})
        for line, runs_left in zip(paragraphs, rewritten, strict=True)
    )


def _retyped(run: Run, text: str) -> Run:
    """A run with another text, and no field: programs show the field's own text."""
    return run.model_copy(update={"text": text, "kind": "run", "field": None})


def _added_text(kind: type[PlainText], severity: float, draws: Draws) -> PlainText:
    """A text box that does not belong on the slide."""
    w = FRAME_WIDTH * draws.uniform(INSERTED_WIDTH[0], INSERTED_WIDTH[1](severity))
    h = FRAME_HEIGHT * draws.uniform(INSERTED_HEIGHT[0], INSERTED_HEIGHT[1](severity))
    x, y = draws.uniform(0, FRAME_WIDTH - w), draws.uniform(0, FRAME_HEIGHT - h)
    style = tuple(name for name in _STYLES if draws.chance(INSERTED_EMPHASIS(severity)))
    size = round(INSERTED_SIZE_PT(severity), 1)
    font = Font(name=INSERTED_FAMILY, size=size, style=style, color=INSERTED_COLOR)
    x, y, w, h = (round(value, _DIGITS) for value in (x, y, w, h))
    text = draws.choice(INSERTED_TEXTS)
    return kind(x=x, y=y, w=w, h=h, text=text, font=font, align="left")
