"""Degraded texts: typing errors, texts removed, texts added that do not belong."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.plain import Font, FontStyle, PlainText
from decklab.deck.model.shapes import Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.model.text import Paragraph, Run
from decklab.evals.perturb.constants import (
    CHARACTER,
    DROP,
    EDITS,
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
    AnySlide,
    Draws,
    is_shown,
)

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
    return digits | {
        character: "".join(
            sorted(
                other
                for other, (x, y) in places.items()
                if other != character and (x - at) ** 2 + (y - row) ** 2 <= _REACH**2
            )
        )
        for character, (at, row) in places.items()
    }


NEIGHBORS: Final = _neighbors()
"""The letters around each lower-case letter on a QWERTY keyboard, the digits beside each digit.

>>> NEIGHBORS["g"], NEIGHBORS["q"], NEIGHBORS["1"]
('bfhtvy', 'aw', '2')
"""


def mistyped(character: str, draws: Draws) -> str:
    """A neighbour of a character on the keyboard, in its case; any letter if it has none."""
    near = NEIGHBORS.get(character.lower(), _LETTERS)
    letter = draws.choice(near)
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


_STYLES: tuple[FontStyle, ...] = ("bold", "italic", "underscore")
_DIGITS = 2


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


_ALL = TextOptions()


def perturb_text(
    slide: AnySlide, severity: float, draws: Draws, options: TextOptions = _ALL
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
    runs = [(number, run) for number, one in enumerate(paragraphs) for run in (*one.runs, None)]
    starts = [0, *accumulate(1 if run is None else len(run.text) for _number, run in runs)]
    texts = [""] * len(runs)
    for character, index in glyphs:
        texts[bisect_right(starts, index) - 1] += character
    rewritten: list[list[Run]] = [[] for _ in paragraphs]
    for (number, run), text in zip(runs, texts, strict=True):
        if run is not None and text:
            rewritten[number].append(run if text == run.text else _retyped(run, text))
    return tuple(
        one.model_copy(update={"runs": tuple(runs_left)})
        for one, runs_left in zip(paragraphs, rewritten, strict=True)
    )


def _retyped(run: Run, text: str) -> Run:
    """A run with another text, and no field: programs show the field's own text."""
    return run.model_copy(update={"text": text, "kind": "run", "field": None})


def _added_text(kind: type[PlainText], severity: float, draws: Draws) -> PlainText:
    """A text box that does not belong on the slide."""
    w = FRAME_WIDTH * draws.uniform(INSERTED_WIDTH[0], INSERTED_WIDTH[1](severity))
    h = FRAME_HEIGHT * draws.uniform(INSERTED_HEIGHT[0], INSERTED_HEIGHT[1](severity))
    x, y = draws.uniform(0, FRAME_WIDTH - w), draws.uniform(0, FRAME_HEIGHT - h)
    font = Font(
        name=INSERTED_FAMILY,
        size=round(INSERTED_SIZE_PT(severity), 1),
        style=tuple(name for name in _STYLES if draws.chance(INSERTED_EMPHASIS(severity))),
        color=INSERTED_COLOR,
    )
    x, y, w, h = (round(value, _DIGITS) for value in (x, y, w, h))
    text = draws.choice(INSERTED_TEXTS)
    return kind(x=x, y=y, w=w, h=h, text=text, font=font, align="left")
