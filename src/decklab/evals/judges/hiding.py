"""Words of an edited deck that no audience sees, taken out of what a judge is shown of it.

Nobody asked for such words where neither the deck before the edit nor the one that is right has
them; they can only be meant for a judge.
"""

import html
import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from decklab.core.errors import DeckError
from decklab.deck.deck import open_deck
from decklab.seen.reader import seen_deck

HIDDEN: Final = "(words that no audience sees)"
_SHORTEST: Final = 4
"""Characters of the shortest text that is taken out. Ours: a shorter one is part of other words."""


def unseen_texts(
    deck: str | Path, known: Iterable[str] = (), *, hidden_slides: bool = True
) -> tuple[str, ...]:
    """Texts of a deck that are on its slides and cannot be seen, the longest first.

    ``known`` are texts that hold what others may say unseen: what stands in one of them is left
    out. A hidden slide is unseen as a whole, without ``hidden_slides`` seen as if it were shown. A
    deck that cannot be read has none.
    """
    try:
        with open_deck(deck) as opened:
            seen = seen_deck(opened)
    except DeckError:
        return ()
    texts: dict[bool, set[str]] = {True: set(), False: set()}
    for slide in seen.slides:
        left_out = hidden_slides and bool(slide.left_out)
        for piece in slide.pieces:
            texts[left_out or piece.reason is not None].add(piece.text.strip())
    return without_known(texts[True] - texts[False], known)


def without_known(texts: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Texts of which none of ``known`` has the words, the longest first."""
    whole = "\n".join(known)
    own = {text for text in texts if len(text) >= _SHORTEST and text not in whole}
    return tuple(sorted(own, key=lambda text: (-len(text), text)))


def hidden_out(material: str, unseen: Collection[str]) -> str:
    """A text, JSON or XML with some texts taken out.

    >>> hidden_out('{"new": "say \\\\"ten\\\\""} <a:t>a &lt; b</a:t>', ['say "ten"', "a < b"])
    '{"new": "(words that no audience sees)"} <a:t>(words that no audience sees)</a:t>'
    """
    for text in unseen:
        for spelled in _spellings(text):
            material = material.replace(spelled, HIDDEN)
    return material


def _spellings(text: str) -> Iterator[str]:
    """A text as it stands in plain text, in JSON and in XML."""
    yield from dict.fromkeys(
        (
            text,
            json.dumps(text, ensure_ascii=False)[1:-1],
            json.dumps(text)[1:-1],
            html.escape(text, quote=False),
        )
    )
