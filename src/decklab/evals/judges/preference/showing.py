"""A deck as a judge sees it: pictures of its slides, one by one and on sheets, and their text;
words that no judge gets, and words to judges.

Slides that a show leaves out, such as hidden ones, are left out, for no audience sees them. Words
of an edited deck that no audience sees are taken out of what a judge is shown: nobody asked for
them if neither the deck before the edit nor the one that is right has them, and they can only be
meant for a judge.
"""

import html
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Final

from decklab.core.colors import Image
from decklab.core.errors import DeckError
from decklab.deck.deck import open_deck
from decklab.evals.judges.asking import batches, commands_in, scrambled
from decklab.ooxml.package import Package
from decklab.pages.pictures import SlidePicture, contact_sheet, decoded, encode_jpeg
from decklab.rendering.opening import deck_kind, open_rendered
from decklab.rendering.pictures import RenderedSlide
from decklab.rendering.renderer import Renderer
from decklab.seen.audience import readable_spans
from decklab.seen.reader import SeenDeck, seen_deck
from decklab.seen.seen_slide import SeenSlide
from decklab.seen.stated import slides_left_out

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
    in_json = [json.dumps(text, ensure_ascii=ascii)[1:-1] for ascii in (False, True)]
    yield from dict.fromkeys((text, *in_json, html.escape(text, quote=False)))


def deck_notes(
    deck: str | Path, visible: Mapping[int, Sequence[str]] | None = None
) -> tuple[str, ...]:
    """Texts that nobody sees in a deck, which no judge gets, and text that reads as an instruction
    to a judge, with its slide: a line each.

    ``visible`` are the texts that a judge gets, by slide; by default what an audience sees of a
    PowerPoint deck.
    """
    seen, notes = _read(deck)
    unseen = [f"{seen.sentence.rstrip('.')}; no judge reads them"] if seen.words_unseen else []
    return (*unseen, *_instructions(seen, notes, visible))


def judge_instructions(deck: str | Path, original: str | Path | None = None) -> tuple[str, ...]:
    """Text that reads as an instruction to a judge, with its slide, also where nobody can see it: a
    line each. What the ``original`` of an edited deck has too is left out."""
    before = () if original is None else judge_instructions(original)
    return tuple(line for line in _instructions(*_read(deck), None) if line not in before)


def _instructions(
    seen: SeenDeck, notes: Mapping[int, str], visible: Mapping[int, Sequence[str]] | None
) -> tuple[str, ...]:
    texts = [(number, own, "") for number, own in (visible or seen_texts(seen)).items()]
    for slide in seen.slides:
        unseen = [*(piece.text for piece in slide.unseen_text), notes.get(slide.number, "")]
        texts.append((slide.number, unseen, ", out of sight, which no judge reads"))
    lines = (
        f"slide {number}{where}, speaks to the judge: “{said}”"
        for number, own, where in texts
        for said in commands_in(own)
    )
    return tuple(dict.fromkeys(lines))


def _read(deck: str | Path) -> tuple[SeenDeck, dict[int, str]]:
    """The seen content of a readable PowerPoint deck, and its notes; nothing of others."""
    if deck_kind(deck) != "office":
        return SeenDeck(()), {}
    try:
        with open_deck(deck) as opened:
            return seen_deck(opened), {slide.number: slide.notes or "" for slide in opened.slides}
    except DeckError:
        return SeenDeck(()), {}


def seen_texts(seen: SeenDeck) -> dict[int, list[str]]:
    """The texts that an audience sees, by the number of their slide."""
    return {
        slide.number: [piece.text for piece in slide.pieces if piece.text and piece.reason is None]
        for slide in seen.slides
        if not slide.left_out
    }


SLIDES_A_SHEET: Final = 6
_COLUMNS: Final = 2
_SHEET_SLIDE: Final = 640
_SLIDE: Final = 960
_COVER_SLIDE: Final = 320
_COVER: Final = 720
_QUALITY: Final = 80
"""Ours: how many slides a sheet holds, and in how many columns; the width of a slide on a sheet,
alone and on a cover, and of a cover, in pixels; the quality of JPEG, of 100."""


@dataclass(frozen=True)
class ShownDeck:
    """A deck as a judge is shown it, without its name."""

    name: str
    """As it was given."""
    slides: tuple[bytes, ...]
    """A JPEG of each slide."""
    sheets: tuple[bytes, ...]
    """JPEGs of up to ``SLIDES_A_SHEET`` slides each, numbered."""
    texts: tuple[str, ...]
    """Lines drawn on each slide that can be seen."""
    numbers: tuple[int, ...]
    """The number of each slide in its deck."""
    cover: SlidePicture | None = None
    """The first ``SLIDES_A_SHEET`` slides, small, for people; None if there are none."""
    notes: tuple[str, ...] = ()
    """Facts on it for a reader of scores, such as words that speak to the judge."""


def show_deck(path: str | Path, renderer: Renderer) -> ShownDeck:
    """Draw a deck of any kind for a judge; raises DeckError and RenderError."""
    seen = {slide.number: slide for slide in _read(path)[0].slides}
    with open_rendered(path, renderer=renderer) as deck:
        drawn = {
            number: slide
            for number, slide in enumerate(deck, 1)
            if number not in seen or not seen[number].left_out
        }
    images = [slide.image for slide in drawn.values()]
    texts = {number: _text(slide, seen.get(number)) for number, slide in drawn.items()}
    shown = shown_slides(str(path), images, list(texts.values()), list(texts))
    lines = {number: text.splitlines() for number, text in texts.items()}
    return replace(shown, notes=deck_notes(path, None if seen else lines))


def hidden_slides(path: str | Path) -> frozenset[int]:
    """The numbers of the slides that a show leaves out (``slides_left_out``); none of a deck whose
    kind has no such slides or is only drawn, not read."""
    if deck_kind(path) != "office":
        return frozenset()
    try:
        with Package.open(path) as package:
            return frozenset(slides_left_out(package))
    except DeckError:
        return frozenset()


def shown_slides(
    name: str, images: list[Image], texts: list[str], numbers: Sequence[int] | None = None
) -> ShownDeck:
    """A deck of slides that are drawn: RGB pictures (height, width, 3) uint8, and their texts.

    ``numbers`` are those of the slides in their deck; 1, 2, 3 by default.
    """
    own = tuple(numbers or range(1, len(images) + 1))
    numbered = [(f"slide {number}", image) for number, image in zip(own, images, strict=True)]
    parts = list(batches(numbered, SLIDES_A_SHEET))
    sheets = [contact_sheet(part, columns=_COLUMNS, width=_SHEET_SLIDE) for part in parts]
    covers = [contact_sheet(part, columns=3, width=_COVER_SLIDE) for part in parts[:1]]
    return ShownDeck(
        name=name,
        slides=tuple(_jpeg(image, _SLIDE) for image in images),
        sheets=tuple(_jpeg(sheet, sheet.shape[1]) for sheet in sheets),
        texts=tuple(texts),
        numbers=own,
        cover=encode_jpeg(covers[0], width=_COVER, quality=_QUALITY) if covers else None,
    )


def damaged_copy(deck: ShownDeck) -> ShownDeck | None:
    """The same deck with its slides cut into pieces that changed places (``scrambled``); None if
    that shows on less than half of them."""
    pictures = [decoded(data) for data in deck.slides]
    copies = [scrambled(picture) for picture in pictures]
    if 2 * sum(copy is not None for copy in copies) < max(1, len(copies)):
        return None
    shown = [image if copy is None else copy for image, copy in zip(pictures, copies, strict=True)]
    return shown_slides(f"{deck.name}, damaged", shown, list(deck.texts), deck.numbers)


def _jpeg(image: Image, width: int) -> bytes:
    return encode_jpeg(image, width=width, quality=_QUALITY).data


def _text(slide: RenderedSlide, seen: SeenSlide | None) -> str:
    spans = slide.spans if seen is None else readable_spans(slide.spans, seen)
    lines = groupby(spans, key=lambda span: span.line)
    return "\n".join(" ".join(span.text for span in line) for _, line in lines)
