"""Typing errors, each kept with the place in the text that it comes from."""

import re
from collections.abc import Sequence

from decklab.perturb.constants import EDITS
from decklab.perturb.draws import Draws
from decklab.perturb.keyboard import mistyped

Glyph = tuple[str, int]
"""A character, and the index of the one in the clean text whose place it has."""

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_BREAKS = frozenset("\n\v")


def noised(text: str, rate: float, draws: Draws) -> list[Glyph]:
    """``text`` with each character affected at ``rate``; ends of lines stay.

    A swap takes the next character along and passes it over; at the end of a line it does
    nothing.
    """
    found: list[Glyph] = []
    passed = -1
    for index, character in enumerate(text):
        hit, edit, other = draws.chance(rate), draws.weighted(EDITS), mistyped(character, draws)
        if index == passed:
            continue
        if character in _BREAKS or not hit:
            found.append((character, index))
            continue
        match edit:
            case "substitute":
                found.append((other, index))
            case "insert":
                found += [(character, index), (other, index)]
            case "swap" if text[index + 1 : index + 2].strip("\n\v"):
                found += [(text[index + 1], index), (character, index + 1)]
                passed = index + 1
            case "swap":
                found.append((character, index))
    return found


def with_numbers_of(text: str, glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs with their numbers replaced by those of ``text``, first by first.

    Where noise has broken a number in two or swallowed one, those that follow stand in other
    places: the order is all that is kept.

    >>> joined(with_numbers_of("a 12 b 3.5", [(c, i) for i, c in enumerate("a 71 b 3x5")]))
    'a 12 b 3.5x5'
    """
    found: list[Glyph] = []
    at = 0
    for clean, broken in zip(_NUMBER.findall(text), _NUMBER.finditer(joined(glyphs)), strict=False):
        owner = glyphs[broken.start()][1]
        found += [*glyphs[at : broken.start()], *((digit, owner) for digit in clean)]
        at = broken.end()
    return [*found, *glyphs[at:]]


def joined(glyphs: Sequence[Glyph]) -> str:
    """The text that glyphs make."""
    return "".join(character for character, _index in glyphs)
