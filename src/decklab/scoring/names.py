"""File names for the reports of decks."""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

__all__ = ["page_names"]

LONGEST = 160
"""Bytes of a deck's name that its report keeps: file systems stop at 255 (ours)."""


def page_names(decks: Sequence[Path]) -> dict[Path, str]:
    """A file name for the report of each deck: its own name, made safe, with ``.html``.

    Names that several decks share get a few digits of their path's digest, so that a name does
    not depend on which other runs came before.

    >>> page_names([Path("a/Q3 report.pptx"), Path("b/talk.pdf")])[Path("a/Q3 report.pptx")]
    'Q3_report.html'
    """
    stems = {deck: _safe(deck.stem if deck.suffix else deck.name) for deck in decks}
    shared = Counter(stem.lower() for stem in stems.values())
    return {
        deck: (f"{stem}.html" if shared[stem.lower()] == 1 else f"{stem}-{_digits(deck)}.html")
        for deck, stem in stems.items()
    }


def _safe(name: str) -> str:
    kept = re.sub(r"[^\w.()=+-]+", "_", name).strip("._")
    return kept.encode()[:LONGEST].decode(errors="ignore") or "deck"


def _digits(deck: Path) -> str:
    return hashlib.sha256(os.fsencode(deck)).hexdigest()[:8]
