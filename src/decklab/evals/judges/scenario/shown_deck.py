"""A deck as a judge without eyes knows it: the statements of its slides, each with its meaning, the
visuals on them, and which statements come nearest to a claim.

Whether two pictures show the same, whatever their size, is told by perceptual hashes (J. Buchner's
imagehash: signs of the lowest frequencies of a cosine transform), with plain margins cut off first.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from io import BytesIO
from itertools import count, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from decklab.core.errors import UnsupportedFormat
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.lazy import extra_module
from decklab.core.results import by_key
from decklab.deck.deck import open_deck
from decklab.deck.model.shapes import Image
from decklab.deck.model.slide import SlideElements
from decklab.documents.model import Document, DocumentTable, Figure
from decklab.documents.numbers import CURRENCY_WORDS, SCALES
from decklab.documents.pictures import UnreadablePicture, png_of
from decklab.documents.reading import read_document
from decklab.documents.retrieval import search_words
from decklab.evals.judges.meaning import clauses, concepts_of, in_digits, known_unit, measured_by
from decklab.evals.judges.quiz.amounts import COST, RISE, Meaning, meaning_of_text
from decklab.evals.judges.quiz.statements import (
    DeckStatement,
    DeckStatements,
    deck_statements,
    shown_document,
)
from decklab.rendering.opening import deck_kind
from decklab.seen.audience import audience_slides
from decklab.seen.reader import seen_deck

if TYPE_CHECKING:
    from imagehash import ImageHash

_BEFORE: Final = "before"
"""The concept of what comes before, and denied of what comes after."""
_CONTEXT: Final = 0.5
_WINDOW: Final = 3
_LEAST_WORDS: Final = 3
"""How much the heading above counts; how many sentences together bear out a claim, and words that
each of them has at least. Ours."""
_NAME: Final = re.compile(r"[^\W\d]+\d")


def numbered_names(words: Iterable[str]) -> set[str]:
    """Words that are names with a number, such as lme4, Q3 or CO2: they stand as they are, or
    something else is meant. Units are none.

    >>> sorted(numbered_names(["lme4", "12", "3d", "q3", "ships", "km2"]))
    ['lme4', 'q3']
    """
    return {word for word in words if _NAME.match(word) and known_unit(word) is None}


@dataclass(frozen=True)
class StatedPassage:
    """One or more statements of a text that follow each other, and what they mean together."""

    statement: DeckStatement
    meaning: Meaning
    around: frozenset[str]
    document: str = ""
    asks: frozenset[str] = frozenset()
    """Words of which a claim has to have one, where it was worked out of cells of a table."""
    alone: bool = False
    """Whether it is of a table, so that what follows does not belong to it."""
    label: frozenset[str] = frozenset()
    """The words before its row or cell of a table."""

    @property
    def names(self) -> set[str]:
        """Its names with a number, those of the heading too."""
        return numbered_names(search_words(f"{self.statement.text} {self.statement.context}"))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words as they are written, those of the heading too, in small letters."""
        text = f"{self.statement.text} {self.statement.context}"
        return frozenset(re.findall(r"\w+", text.casefold()))

    def __add__(self, other: "StatedPassage") -> "StatedPassage":
        text = f"{self.statement.text} {other.statement.text}"
        statement = replace(self.statement, text=text)
        return replace(self, statement=statement, meaning=self.meaning + other.meaning)


def passage_of(statement: DeckStatement, document: str = "") -> StatedPassage:
    """A statement with what it means; the bare number of a cell has the unit of its column."""
    units = statement.readings if " | " in statement.text else ()
    meaning = meaning_of_text(statement.text, units)
    if any(len(readings) > 1 for readings in units):
        meaning = replace(meaning, clauses=clauses(_UNITS.sub(" ", statement.text)))
    return StatedPassage(statement, meaning, concepts_of(in_digits(statement.context)), document)


_UNITS: Final = re.compile(
    rf"\d[\d.,]*|\b(?:{'|'.join(map(re.escape, (*SCALES, *CURRENCY_WORDS, 'percent', 'in')))})\b|%",
    re.IGNORECASE,
)
"""The head of a column, as the unit of its numbers, and these themselves."""


class Passages:
    """Passages of a text, alone and with those that follow, found by their concepts."""

    def __init__(self, single: Sequence[StatedPassage]) -> None:
        self.single = tuple(single)
        self._all = (*single, *_windows(single))
        self._counts = Counter(
            name for part in single for name in part.meaning.concepts | part.around
        )
        self._own: dict[str, list[int]] = {}
        self._near: dict[str, list[int]] = {}
        for index, part in enumerate(self._all):
            for name in part.meaning.concepts:
                self._own.setdefault(name, []).append(index)
            for name in part.around - part.meaning.concepts:
                self._near.setdefault(name, []).append(index)

    def ranked(self, wanted: Meaning) -> list[tuple[float, StatedPassage]]:
        """Passages with the weighted share of a text's concepts that each has, 0 to 1, the highest
        first; those of its heading count half. Only those that share any.

        A rise or fall between two stated numbers, and which of them comes first, is left to the
        numbers, and so is what one calls having an amount of money or a measure.
        """
        concepts = {RISE, _BEFORE} if len(wanted.amounts) > 1 else set()
        if any(amount.readings[-1].kind == "money" for amount in wanted.amounts):
            concepts = {*concepts, COST}
        concepts = concepts.union(*(_implied(part.readings[-1].unit) for part in wanted.amounts))
        names = wanted.concepts - concepts or wanted.concepts
        weights = {name: self._weight(name) for name in names}
        total = sum(weights.values())
        shares: dict[int, float] = {}
        for name, weight in weights.items():
            for places, much in ((self._own, weight), (self._near, _CONTEXT * weight)):
                for index in places.get(name, ()):
                    shares[index] = shares.get(index, 0.0) + much
        ranked = sorted(shares.items(), key=lambda pair: (-round(pair[1], 9), pair[0]))
        return [(share / total, self._all[index]) for index, share in ranked]

    def share(self, wanted: Meaning, passage: StatedPassage) -> float:
        """Weighted share of the concepts of a text that a passage has, 0 to 1."""
        weights = {name: self._weight(name) for name in wanted.concepts}
        own = sum(weights[name] for name in wanted.concepts & passage.meaning.concepts)
        return own / sum(weights.values()) if weights else 0.0

    def _weight(self, name: str) -> float:
        return math.log(1 + (1 + len(self.single)) / (0.5 + self._counts[name]))


@lru_cache(maxsize=1024)
def _implied(unit: str) -> frozenset[str]:
    """The concepts of having so much of a measure, which the measure says already."""
    return concepts_of(measured_by(unit))


def _windows(passages: Sequence[StatedPassage]) -> Iterator[StatedPassage]:
    """Sentences below one heading that follow each other, two and three together."""
    texts = {passage.statement.text for passage in passages}
    single = [part for part in passages if not _joins(part.statement.text, texts)]
    for start, first in enumerate(single):
        together = first
        for following in single[start + 1 : start + _WINDOW]:
            if not _follows(first, following):
                break
            together += following
            yield together


def _joins(text: str, texts: Collection[str]) -> bool:
    """Whether a text is two others, one after the other."""
    places = [match.start() for match in re.finditer(" ", text)]
    return any(text[:position] in texts and text[position + 1 :] in texts for position in places)


def _follows(first: StatedPassage, other: StatedPassage) -> bool:
    own, two = first.statement, other.statement
    places = [(it.document, it.statement.slide, it.statement.context) for it in (first, other)]
    beside = places[0] == places[1] and own.context != "" and not (first.alone or other.alone)
    fewest = min(len(own.text.split()), len(two.text.split()))
    return beside and " | " not in own.text + two.text and fewest >= _LEAST_WORDS


_MARGIN: Final = 12
"""Grey levels by which a margin may differ from the corner. Ours."""
_APART: Final = 12
"""Of 64 bits so many may differ in two pictures that are the same. Ours: of 192 pictures in decks
190 are known again at half their size, 181 as JPEG of quality 40, 174 cropped by 3 % a side and
176 brighter by a fifth; of 19,306 pairs of different files 23 are alike: copies, some in other
colours."""
_STRETCH: Final = 1.35
"""How much the proportions of the two may differ. Ours."""


@dataclass(frozen=True)
class PictureHash:
    """The perceptual hash of a picture, 64 bits, and its proportions."""

    bits: "ImageHash"
    ratio: float


def picture_hash(data: bytes) -> PictureHash | None:
    """The hash of a picture file; None if it cannot be read or is plain.

    Raises Unavailable without ``decklab[evals]``.
    """
    try:
        png = png_of(data)
    except UnreadablePicture:
        return None
    with Pillow.open(BytesIO(png)) as picture:
        flat = Pillow.new("RGBA", picture.size, "white")
        flat.alpha_composite(picture.convert("RGBA"))
    grey = np.asarray(flat.convert("L"), np.int16)
    if (shown := _without_margin(grey)) is None:
        return None
    phash = extra_module("imagehash", "knowing pictures again", "evals").phash
    height, width = shown.shape
    return PictureHash(phash(Pillow.fromarray(shown.astype(np.uint8))), width / height)


def same_picture(first: PictureHash | None, other: PictureHash | None) -> bool:
    """Whether two pictures show the same; what has no hash is like nothing."""
    if first is None or other is None:
        return False
    low, high = sorted((first.ratio, other.ratio))
    return high <= _STRETCH * low and first.bits - other.bits <= _APART


def _without_margin(grey: NDArray[np.int16]) -> NDArray[np.int16] | None:
    """The part of a picture inside its plain margin; None if there is nothing else."""
    differs = np.abs(grey - grey[0, 0]) > _MARGIN
    rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
    return grey[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] if rows.size else None


_LEAD: Final = re.compile(r"^\(?\d{1,2}[.)]\s+")
_OCCASION: Final = re.compile(
    r"^\D{0,60}\b\d{1,2}\.?\s+[^\W\d]{3,9}\s+20\d\d$|^\D{0,60}\b[^\W\d]{3,9}\s+\d{1,2},\s+20\d\d$"
)
_LEAST_CLAIM: Final = 4
"""Numbers of the steps of a list; where and when a talk
is held; words of a statement without a number from which it is a claim. Ours."""


@dataclass(frozen=True)
class DeckVisual:
    """A picture, table or chart on a slide."""

    name: str
    slide: int | None
    figure: Figure | None = None
    """A picture, which is drawn when it is asked for; None for native tables and charts."""
    table: DocumentTable | None = None
    """The cells of a native table or the values of a native chart."""
    caption: str = ""
    """Alternative text or title."""
    share: float | None = None
    """Of the slide's width or height, whichever it takes more of; None if it is not known."""

    @cached_property
    def hash(self) -> PictureHash | None:
        """Of its picture."""
        data = None if self.figure is None else picture_of(self.figure)
        return None if data is None else picture_hash(data)


@dataclass(frozen=True)
class StatedDeck:
    """A deck as its own text and files have it; slides, texts and graphics that an audience cannot
    see are left out.

    ``notes`` are those of the slides that have any; they claim nothing, but may say how a number
    was computed.
    """

    name: str
    slides: int
    statements: DeckStatements
    titles: frozenset[str]
    visuals: tuple[DeckVisual, ...]
    notes: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def passages(self) -> Passages:
        """Its statements with what they mean."""
        return Passages([passage_of(statement) for statement in self.statements.statements])

    def only(self, slide: int | None) -> "StatedDeck":
        """The same deck with the statements of one slide alone."""
        own = DeckStatements(self.by_slide.get(slide, ()))
        return replace(self, slides=1, statements=own)

    @cached_property
    def claims(self) -> tuple[DeckStatement, ...]:
        """Its statements that say something of the subject: points, sentences and titles of four
        words or with a number among words, and table cells; each once on a slide.

        A number in large type is a claim together with the words beside it, not alone.
        """
        claims: dict[tuple[int | None, str], DeckStatement] = {}
        for slide, statements in self.by_slide.items():
            bare = [replace(piece, text=_LEAD.sub("", piece.text)) for piece in statements]
            alone = {piece.text for piece in statements if not _is_claim(piece) and piece.numbers}
            alone -= _badges(alone)
            for piece, own in zip(statements, bare, strict=True):
                if _is_claim(own) and not _needless(piece, statements, alone):
                    claims.setdefault((slide, " ".join(search_words(own.text))), own)
        return tuple(claims.values())

    def number_of(self, claim: DeckStatement) -> str | None:
        """The number in large type that a claim joins with the words before or after it; None if
        it joins none."""
        others = self.by_slide.get(claim.slide, ())
        texts = {statement.text for statement in others if statement is not claim}
        for statement in others:
            if statement.numbers and not _is_claim(statement):
                before = claim.text.removesuffix(f" {statement.text}")
                after = claim.text.removeprefix(f"{statement.text} ")
                if claim.text != statement.text and {before, after} & (texts - {claim.text}):
                    return statement.text
        return None

    def is_heading(self, statement: DeckStatement) -> bool:
        """Whether a statement only names what follows: the title of the first slide, a line there
        that ends with the day of the talk, and titles without a number, which are headings as often
        as claims."""
        first = next(iter(self.by_slide), None)
        title = self.is_title(statement)
        if statement.slide == first and _OCCASION.match(statement.text):
            return True
        return title and (statement.slide == first or not statement.numbers)

    def is_title(self, statement: DeckStatement) -> bool:
        """Whether a statement is the title of its slide."""
        return not statement.context and statement.text in self.titles

    @cached_property
    def by_slide(self) -> Mapping[int | None, tuple[DeckStatement, ...]]:
        """The statements of each slide that has any."""
        slides = by_key(self.statements.statements, lambda statement: statement.slide)
        return {number: tuple(statements) for number, statements in slides.items()}

    @property
    def texts(self) -> Mapping[int, Sequence[str]]:
        """The statements of its slides, by their numbers."""
        return {number or 1: [piece.text for piece in own] for number, own in self.by_slide.items()}


def _is_claim(statement: DeckStatement) -> bool:
    words = statement.words_beside_numbers
    return bool(words) if statement.numbers else len(words) >= _LEAST_CLAIM


def _badges(numbers: Collection[str]) -> set[str]:
    """Numbers that stand alone and count 1, 2, 3: those of chapters or steps, which claim nothing.

    >>> sorted(_badges({"2", "1", "48", "3"})), _badges({"1", "48"})
    (['1', '2', '3'], set())
    """
    counted = list(takewhile(lambda number: number in numbers, map(str, count(1))))
    return set(counted) if len(counted) > 1 else set()


def _needless(
    statement: DeckStatement, others: Sequence[DeckStatement], alone: Collection[str]
) -> bool:
    """Whether a statement only joins two others, neither of which is a number that stands alone."""
    for near in others:
        if near is not statement and statement.text.startswith(f"{near.text} "):
            rest = statement.text[len(near.text) + 1 :]
            if any(other.text == rest for other in others):
                return not {near.text, rest} & set(alone)
    return False


def read_stated_deck(path: str | Path) -> StatedDeck:
    """A deck of any kind that has text of its own.

    Raises DeckError where it cannot be read, UnsupportedFormat for pictures of slides, Unavailable
    without ``decklab[write]`` where its kind needs that.
    """
    path = Path(path)
    kind = deck_kind(path)
    shares: Mapping[int, Sequence[float | None]] = {}
    notes: dict[int, str] = {}
    if kind == "images":
        raise UnsupportedFormat(path, "pictures of slides have no text of their own to judge")
    if kind == "office":
        with open_deck(path) as deck:
            shown = audience_slides(deck.slides, seen_deck(deck).slides)
            document = shown_document(deck, path.name, shown)
            shares = {slide.number: _shares(slide) for slide in shown}
            notes = {slide.number: slide.notes for slide in shown if slide.notes}
            slides = len(shown)
    else:
        document = read_document(path)
        slides = document.pages
    headings = frozenset(block.text for block in document.headings if block.text)
    visuals, statements = tuple(_visuals(document, shares)), deck_statements(document)
    return StatedDeck(str(path), slides, statements, headings, visuals, notes)


def _shares(slide: SlideElements) -> list[float | None]:
    """How large each picture of a slide is, in the order in which documents have them."""
    images = (item for item in slide.elements() if isinstance(item, Image) and item.sha256)
    pictures = [item for item in images if not (item.hidden or item.decorative)]
    return [max(picture.w / FRAME_WIDTH, picture.h / FRAME_HEIGHT) for picture in pictures]


def _visuals(
    document: Document, shares: Mapping[int, Sequence[float | None]]
) -> Sequence[DeckVisual]:
    visuals = []
    for page, figures in by_key(document.figures, lambda figure: figure.page).items():
        known = shares.get(page or 0, ())
        sizes = known if len(known) == len(figures) else [None] * len(figures)
        visuals += [
            DeckVisual(f"picture {figure.number}", page, figure, None, figure.caption, size)
            for figure, size in zip(figures, sizes, strict=True)
        ]
    visuals += [
        DeckVisual(f"table {table.number}", table.page, None, table, table.caption)
        for table in document.tables
    ]
    return sorted(visuals, key=lambda visual: visual.slide or 0)


def picture_of(visual: Figure | DocumentTable) -> bytes | None:
    """The picture of a figure or table; None if it has none."""
    try:
        return visual.draw()
    except ValueError:
        return None
