"""What a reader of scores has to know of a deck: words that no judge gets, and words to judges."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from decklab.core.errors import DeckError
from decklab.deck.deck import open_deck
from decklab.evals.judges.fencing import commands_in
from decklab.rendering.opening import deck_kind
from decklab.seen.reader import SeenDeck, seen_deck


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
