"""Names for what is written of a deck: its report, its folder of pictures."""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

LONGEST = 160
"""Bytes of a deck's name that what is written of it keeps: file systems stop at 255 (ours)."""


def deck_names(decks: Sequence[Path], taken: Collection[str] = ()) -> dict[Path, str]:
    """A name for what is written of each deck: the deck's own, made safe.

    Names that several decks share, and those that are ``taken``, get a few digits of the digest
    of the deck's absolute path.

    >>> names = deck_names([Path("a/Q3 report.pptx"), Path("b/talk.pdf")], taken={"Talk"})
    >>> names[Path("a/Q3 report.pptx")]
    'Q3_report'
    >>> len(names[Path("b/talk.pdf")])
    13
    """
    stems = {deck: _safe(deck.stem if deck.suffix else deck.name) for deck in decks}
    shared = Counter(stem.lower() for stem in stems.values())
    shared.update({name.lower(): 2 for name in taken})
    return {
        deck: stem if shared[stem.lower()] == 1 else f"{stem}-{_digits(deck)}"
        for deck, stem in stems.items()
    }


def _safe(name: str) -> str:
    kept = re.sub(r"[^\w.()=+-]+", "_", name).strip("._")
    return kept.encode()[:LONGEST].decode(errors="ignore") or "deck"


def _digits(deck: Path) -> str:
    return hashlib.sha256(os.fsencode(deck.absolute())).hexdigest()[:8]
