"""Words of a deck and its judges: words that no judge gets, and words to judges.

Words of an edited deck that no audience sees are taken out of what a judge is shown. Nobody asked
for them if neither the deck before the edit nor the one that is right has them; they can only be
meant for a judge.
"""

import html
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from decklab.core.errors import DeckError
from decklab.deck.deck import open_deck
from decklab.evals.judges.fencing import commands_in
from decklab.rendering.opening import deck_kind
from decklab.seen.reader import SeenDeck, seen_deck

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


def deck_notes(
    deck: str | Path, visible: Mapping[int, Sequence[str]] | None = None
) -> tuple[str, ...]:
    """What nobody sees in a deck, which no judge gets, and what reads as an instruction to a judge,
    with its slide: a line each.

    ``visible`` are the texts that a judge gets, by slide; by default what an audience sees of a
    PowerPoint deck.
    """
    seen, notes = _read(deck)
    unseen = [f"{seen.sentence.rstrip('.')}; no judge reads them"] if seen.words_unseen else []
    return (*unseen, *_instructions(seen, notes, visible))


def judge_instructions(
    deck: str | Path, visible: Mapping[int, Sequence[str]] | None = None
) -> tuple[str, ...]:
    """What reads as an instruction to a judge, with its slide, also where nobody can see it: a line
    each; ``visible`` as in ``deck_notes``."""
    seen, notes = _read(deck)
    return _instructions(seen, notes, visible)


def _instructions(
    seen: SeenDeck, notes: Mapping[int, str], visible: Mapping[int, Sequence[str]] | None
) -> tuple[str, ...]:
    unseen = {
        slide.number: [*(piece.text for piece in slide.unseen_text), notes.get(slide.number, "")]
        for slide in seen.slides
    }
    lines = (
        *_told(visible or seen_texts(seen), ""),
        *_told(unseen, ", out of sight, which no judge reads"),
    )
    return tuple(dict.fromkeys(lines))


def _read(deck: str | Path) -> tuple[SeenDeck, dict[int, str]]:
    """What is seen of a PowerPoint deck, and its speaker notes; nothing of other kinds, and of
    decks that cannot be read."""
    if deck_kind(deck) != "office":
        return SeenDeck(()), {}
    try:
        with open_deck(deck) as opened:
            return seen_deck(opened), {one.number: one.notes or "" for one in opened.slides}
    except DeckError:
        return SeenDeck(()), {}


def seen_texts(seen: SeenDeck) -> dict[int, list[str]]:
    """The texts that an audience sees, by the number of their slide."""
    return {
        slide.number: [piece.text for piece in slide.pieces if piece.text and piece.reason is None]
        for slide in seen.slides
        if not slide.left_out
    }


def _told(texts: Mapping[int, Sequence[str]], where: str) -> Iterable[str]:
    for number, own in texts.items():
        for said in dict.fromkeys(commands_in(own)):
            yield f"slide {number}{where}, speaks to the judge: “{said}”"
