"""Which decks and slides a run looks at: any folder, the same ones for the same seed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final

from decklab.errors import DeckError
from decklab.rendering.inputs import find_decks

SUFFIXES: Final = frozenset({".pptx", ".pptm", ".ppsx"})
"""Decks whose elements can be read. The paper leaves the old .ppt out, too (section 3)."""


def deck_files(folder: str | Path) -> list[Path]:
    """The decks below a folder, or the single deck, sorted by path.

    Raises DeckError where there is none.
    """
    found = [path for path in find_decks([folder]) if path.suffix.lower() in SUFFIXES]
    decks = sorted(path for path in found if path.is_file())
    if not decks:
        raise DeckError(folder, "holds no .pptx, .pptm or .ppsx")
    return decks


def deck_names(folder: str | Path, decks: Sequence[Path]) -> dict[str, Path]:
    """Decks by their path below the folder; a single deck by its file name."""
    base = Path(folder)
    return {
        path.name if path == base else path.relative_to(base).as_posix(): path for path in decks
    }


def shuffled(items: Sequence[int], seed: int, name: str) -> list[int]:
    """``items`` in an order that depends on seed and name only, the same on every machine.

    >>> shuffled([1, 2, 3, 4], 0, "a.pptx") == shuffled([1, 2, 3, 4], 0, "a.pptx")
    True
    """
    order = list(items)
    Random(f"{seed}/{name}").shuffle(order)
    return order


def choose_slides(
    slides: Mapping[str, Sequence[int]], sample: int | None, *, seed: int = 0
) -> dict[str, list[int]]:
    """A sample of slides by deck, sorted; None for all of them.

    Decks take turns, each giving one of its slides at random, so that a small sample comes from
    many decks: intervals are over decks.

    >>> choose_slides({"a": [1, 2, 3], "b": [1]}, 3)["b"]
    [1]
    """
    order = {name: shuffled(numbers, seed, name) for name, numbers in slides.items()}
    turns = [
        (turn, name, number)
        for name, numbers in order.items()
        for turn, number in enumerate(numbers)
    ]
    chosen: dict[str, list[int]] = {}
    for _, name, number in sorted(turns, key=lambda each: each[0])[:sample]:
        chosen.setdefault(name, []).append(number)
    return {name: sorted(numbers) for name, numbers in chosen.items()}
