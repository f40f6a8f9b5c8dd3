"""Statements of a deck, and of the sentences of documents that a question can be made of; how well
a statement fits a question; slides as an examinee may read them.

A statement fits by the words that it shares with the question, rare ones counting more; the title
of its slide counts too. Whether it holds an option is decided by words, and for numbers by kind,
value and unit.

Speaker notes, alternative texts, and slides and texts that cannot be seen are never part of it.

Edmundson, "New methods in automatic extracting", Journal of the ACM 16 (1969): the title method
(words of title and headings) and the location method (beginnings, abstract, conclusions). The
extractive writer ranks by centrality instead, so that the two do not pick by the same rule.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Final

from decklab.core.errors import DeckError, RenderError
from decklab.core.results import NotScored
from decklab.core.stages import Progress, silent
from decklab.deck.deck import Deck, open_deck
from decklab.deck.model.slide import SlideElements
from decklab.deck.views.markdown import slide_markdown
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.markdown import read_markdown
from decklab.documents.model import Document, DocumentTable
from decklab.documents.numbers import StatedNumber
from decklab.documents.reading import read_document
from decklab.documents.retrieval import search_words
from decklab.documents.sections import DocumentSection, document_sections
from decklab.documents.sentences import sentences
from decklab.documents.shortening import bare_sentence, stands_alone
from decklab.documents.slides import deck_document
from decklab.evals.judges.asking import Questions
from decklab.evals.judges.preference.showing import hidden_slides
from decklab.evals.judges.quiz.amounts import (
    facts_in,
    left_over,
    number_with_unit,
    same_number,
    single_numbers,
)
from decklab.evals.judges.quiz.bank import BLANK, QuizQuestion
from decklab.models.asking import Ask, StrictForm, Usage, fill_prompt
from decklab.pages.pictures import encode_png
from decklab.rendering.opening import deck_kind, open_rendered
from decklab.rendering.renderer import Renderer
from decklab.seen.audience import audience_slides
from decklab.seen.reader import seen_deck

_MAIN = re.compile(
    r"^(?:[\dIVX.]*\s*)?(?:abstract|(?:executive )?summary|introduction|overview|conclusions?|"
    r"discussion|outlook|results|zusammenfassung|einleitung|fazit|ausblick|ergebnisse)\b",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"^(?:We|Before|Here|To complete|In (?:this|what|general))\b"
    r"|\b(?:such an?|this|these|those|latter|former|above|below|previous(?:ly)?)\b"
    r"|\bwe (?:will |now |also |briefly )*(?:illustrate|describe|discuss|provide|present|show)\b"
)
"""Sentences about the document itself, and those that lean on their neighbours after all."""
_APPENDIX = re.compile(r"^(?:[Aa]ppendi|APPENDI|Anhang|[A-Z]\.(?:\d|\s)|[A-Z]\s+[A-Z][a-z])")
_LEAST, _MOST = 35, 260
_LEAST_WORDS = 6
_TITLE_WEIGHT, _HEADING_WEIGHT, _CARD_WEIGHT = 2.0, 1.0, 0.5
_MAIN_WEIGHT, _FIRST_WEIGHT, _APPENDIX_WEIGHT = 1.3, 1.2, 0.7
_LOOSE_WEIGHT = 0.4
"""Characters and words of a sentence, and weights of its words and place. Ours."""
_BRACKETS = re.compile(r"[\[{]|\(.*\(")


@dataclass(frozen=True)
class SourceSentence:
    """A sentence that says something by itself.

    ``quote`` is as the document has it, ``text`` without citations and asides. ``importance`` is
    more than 0 where it has words of title, headings or abstract; higher is more important.
    """

    text: str
    quote: str
    document: str
    page: int | None
    section: str
    importance: float


def source_sentences(sources: KnowledgeBase) -> list[SourceSentence]:
    """All such sentences of some documents, in their order."""
    return [item for document in sources.documents for item in _of_document(document, sources)]


def _of_document(document: Document, sources: KnowledgeBase) -> Iterator[SourceSentence]:
    weights = _word_weights(document, sources)
    body = (section for section in document_sections(document) if not section.is_apparatus)
    for section in body:
        prose = [block for block in section.blocks if block.kind in {"paragraph", "item"}]
        for number, block in enumerate(prose):
            for sentence in sentences(block.text) if len(block.text) >= _LEAST else []:
                text = bare_sentence(sentence)
                if _fits(text, sentence):
                    importance = _importance(text, weights) * (_FIRST_WEIGHT if not number else 1)
                    importance *= _place_weight(section)
                    importance *= _LOOSE_WEIGHT if _LOOSE.search(text) else 1
                    yield SourceSentence(
                        text, sentence, document.name, block.page, section.heading, importance
                    )


def _place_weight(section: DocumentSection) -> float:
    """More for what sums up, less for what is appended."""
    if any(_APPENDIX.match(heading) for heading in section.path):
        return _APPENDIX_WEIGHT
    return _MAIN_WEIGHT if _MAIN.match(section.heading) else 1.0


def _fits(text: str, sentence: str) -> bool:
    """Whether a sentence is whole and of a length that can be asked about."""
    ended = sentence.rstrip().endswith((".", "!", "”", '"')) and not sentence.endswith("...")
    fits = _LEAST <= len(text) <= _MOST and len(text.split()) >= _LEAST_WORDS
    whole = ended and text[0].isupper() and not _BRACKETS.search(text)
    return fits and whole and stands_alone(text)


def _word_weights(document: Document, sources: KnowledgeBase) -> Mapping[str, float]:
    headings = " ".join(block.text for block in document.headings if block.level <= 2)
    card = sources.cards.get(document.name, "")
    texts = (card, _CARD_WEIGHT), (headings, _HEADING_WEIGHT), (document.title, _TITLE_WEIGHT)
    return {word: weight for text, weight in texts for word in search_words(text) if len(word) > 2}


def _importance(text: str, weights: Mapping[str, float]) -> float:
    words = set(search_words(text))
    return sum(weights.get(word, 0) for word in words) / (4 + len(words))


_SEVERAL = re.compile(r"[.!?][”\")]?\s+\S")
_BAR = " | "
_CONTEXT = 0.5
FIGURE_WORDS = 3
_BY_TITLE = 0.8
_MOST_WORDS = 0.75
"""Separators of sentences. The numbers are ours: how much words of a slide's title count beside its
statements' own; words of a text that is a number in large type; how much an option counts that
only the title holds; the share of its words that a longer option must have."""
_ASKING = frozenset(
    search_words(
        "how much many what which when where who whom whose why did do does following true "
        "according document report best describes statement"
    )
)
"""Words of questions that statements do not have."""
_OF_EACH = frozenset(("each", "apiece", "jeweils"))


@dataclass(frozen=True)
class DeckStatement:
    """A piece of a slide: a title, a point, a sentence, or a cell with its row and column."""

    slide: int | None
    text: str
    context: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """Its own words, as they are compared."""
        return frozenset(search_words(self.text))

    @cached_property
    def around(self) -> frozenset[str]:
        """The words of the title above it."""
        return frozenset(search_words(self.context)) - self.words

    @cached_property
    def numbers(self) -> tuple[StatedNumber, ...]:
        """The numbers that it states."""
        return tuple(facts_in(self.text))

    @cached_property
    def words_beside_numbers(self) -> frozenset[str]:
        """Its words without its numbers, their units, what has a digit, and "each" of these."""
        rest = list(self.text)
        for number in self.numbers:
            rest[number.start : number.end] = " " * (number.end - number.start)
        words = search_words("".join(rest))
        beside = frozenset(word for word in words if not any(char.isdigit() for char in word))
        return beside - _OF_EACH

    @cached_property
    def readings(self) -> tuple[tuple[StatedNumber, ...], ...]:
        """Possible meanings of each of its numbers, both ends of a range apart: a bare number of a
        cell also has the unit of its row or column."""
        row, first, rest = self.text.partition(_BAR)
        column, second, cell = rest.partition(_BAR)
        numbers = single_numbers(self.numbers)
        heads = (column, row) if first and second else ()
        with_unit = [fact for head in heads if (fact := number_with_unit(cell, head)) is not None]
        start = len(self.text) - len(cell)
        return tuple(
            (fact, *with_unit) if with_unit and fact.start >= start else (fact,) for fact in numbers
        )


class DeckStatements:
    """All statements of a deck, and how rare their words are."""

    def __init__(self, statements: Sequence[DeckStatement]) -> None:
        self.statements = tuple(statements)
        self._counts = Counter(word for item in statements for word in (*item.words, *item.around))

    def fit(self, question: str, statement: DeckStatement) -> float:
        """How much of a question a statement has, 0 to 1: the share of its words' weights."""
        return self._share(self._weights(question), statement)

    def fits(self, question: str) -> list[float]:
        """The fit of every statement, in their order."""
        weights = self._weights(question)
        return [self._share(weights, statement) for statement in self.statements]

    def _share(self, weights: Mapping[str, float], statement: DeckStatement) -> float:
        if not (total := sum(weights.values())):
            return 0.0
        own = sum(weights[word] for word in weights.keys() & statement.words)
        near = sum(weights[word] for word in weights.keys() & statement.around)
        return (own + _CONTEXT * near) / total

    def holding(self, question: QuizQuestion, option: str) -> Iterator[tuple[float, DeckStatement]]:
        """The statements that hold an option of a question, each with how well it fits."""
        meant = meaning_of(question, option)
        for statement in self.statements:
            if share := meant.held_by(statement):
                yield share * self.fit(question.question, statement), statement

    def best_fit(self, question: QuizQuestion, option: str) -> float:
        """The fit of the best statement that holds an option; 0 where none does."""
        return max((fit for fit, _ in self.holding(question, option)), default=0.0)

    def _weights(self, question: str) -> dict[str, float]:
        """How much each word of a question counts: more if it is rare in the deck."""
        wanted = set(search_words(question.replace(BLANK, " "))) - _ASKING
        count = 1 + len(self.statements)
        return {word: math.log(1 + count / (0.5 + self._counts[word])) for word in wanted}


@dataclass(frozen=True)
class OptionMeaning:
    """Needs of a statement that holds an option: its numbers, and its words that do not stand in
    the question. ``asked`` are the numbers that the question states itself."""

    numbers: tuple[StatedNumber, ...]
    words: frozenset[str]
    asked: tuple[StatedNumber, ...]

    def held_by(self, statement: DeckStatement) -> float:
        """1 where a statement has all numbers and most of the words, less where it takes the title
        of the slide for the words, 0 where it does not hold them."""
        if not self.numbers and not self.words:
            return 0.0
        left = left_over(statement.numbers, self.asked) if self.numbers else []
        if not all(any(same_number(number, other) for other in left) for number in self.numbers):
            return 0.0
        if self._most(statement.words):
            return 1.0
        return _BY_TITLE if self._most(statement.words | statement.around) else 0.0

    def _most(self, words: frozenset[str]) -> bool:
        least = len(self.words) if len(self.words) <= 2 else _MOST_WORDS * len(self.words)
        return len(self.words & words) >= least


def meaning_of(question: QuizQuestion, option: str) -> OptionMeaning:
    """An option as its question means it: a number has the unit that follows the blank."""
    asked = question.question
    start = asked.find(BLANK)
    own = facts_in(option)
    numbers = own
    if start >= 0:
        inside = range(start, start + len(option))
        numbers = [item for item in facts_in(question.filled(option)) if item.start in inside]
    rest = option
    for item in own:
        rest = rest[: item.start] + " " * (item.end - item.start) + rest[item.end :]
    open_words = asked.replace(BLANK, " ")
    spare = set(search_words(open_words)) if start < 0 else set[str]()
    words = frozenset(search_words(rest)) - spare
    return OptionMeaning(tuple(numbers), words, tuple(facts_in(open_words)))


def deck_statements(document: Document) -> DeckStatements:
    """The statements of a deck that was read as a document."""
    return DeckStatements(list(_stated(document)))


def _stated(document: Document) -> Iterator[DeckStatement]:
    for section in document_sections(document):
        if title := section.heading:
            yield DeckStatement(section.page, title)
        for block in section.blocks:
            if block.kind == "table" and block.index is not None:
                yield from cell_statements(document.tables[block.index], title)
            else:
                several = _SEVERAL.search(block.text)
                for text in sentences(block.text) if several else [block.text]:
                    if text.strip():
                        yield DeckStatement(block.page, text, title)
        yield from _joined(section, title)


def _joined(section: DocumentSection, title: str) -> Iterator[DeckStatement]:
    """Numbers that stand alone, as in large type, with the text before and after them."""
    texts = [block for block in section.blocks if block.kind != "table" and block.text.strip()]
    for text, other in pairwise(texts):
        alone = (_is_figure(text.text), _is_figure(other.text))
        if alone[0] != alone[1] and text.page == other.page:
            yield DeckStatement(text.page, f"{text.text} {other.text}", title)


def _is_figure(text: str) -> bool:
    few = len(search_words(text)) <= FIGURE_WORDS
    return any(char.isdigit() for char in text) and (
        few or not DeckStatement(None, text).words_beside_numbers
    )


def cell_statements(table: DocumentTable, title: str) -> Iterator[DeckStatement]:
    """Each cell with the label of its row and its column."""
    head = table.rows[0] if table.header_rows else ()
    context = f"{title} {table.caption}".strip()
    for row in table.rows[table.header_rows :]:
        if len(row) < 2:
            yield DeckStatement(table.page, " ".join(row), context)
        for at, cell in enumerate(row[1:], start=1):
            column = head[at] if at < len(head) else ""
            yield DeckStatement(table.page, _BAR.join((row[0], column, cell)), context)


PARALLEL: Final = 4
"""Pictures that are read at once. Ours."""


@dataclass(frozen=True)
class QuizSlides:
    """The slides of a deck as an examinee reads them, and what the program knows of them."""

    markdown: tuple[str, ...]
    """One a slide, in the order of the show."""
    seen: DeckStatements
    """The statements of the Markdown."""
    own: DeckStatements | None
    """The statements of the deck's own text; None if it cannot be read."""
    read: str
    """How the slides were read, in a few words."""
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class ReadSlide(StrictForm):
    """Statements of the picture of one slide."""

    headline: str
    statements: tuple[str, ...]
    data: tuple[str, ...]
    visuals: tuple[str, ...]


def own_slide_texts(deck: str | Path) -> QuizSlides:
    """The slides by the deck's own text; what an audience cannot see, such as hidden slides and
    tiny text, and notes and alternative texts are left out.

    Raises DeckError where the deck cannot be read, Unavailable without ``decklab[write]`` where its
    kind needs that.
    """
    path = Path(deck)
    if deck_kind(path) != "office":
        document = read_document(path)
        markdown = tuple(_pages(document))
        notes: tuple[str, ...] = ()
    else:
        with open_deck(path) as opened:
            seen = seen_deck(opened)
            shown = audience_slides(opened.slides, seen.slides)
            document = shown_document(opened, path.name, shown)
        notes = (seen.sentence,) if seen.words_unseen else ()
        markdown = tuple(
            slide_markdown(slide.model_copy(update={"notes": ""}), alt_texts=False)
            for slide in shown
        )
    stated = deck_statements(document)
    return QuizSlides(markdown, stated, stated, "the deck's own text", notes)


def shown_document(deck: Deck, name: str, slides: Sequence[SlideElements]) -> Document:
    """Slides of an open deck, as an audience sees them (``audience_slides``), as a document: no
    notes, no alternative texts.

    Figures keep these texts as their captions.
    """
    document = deck_document(deck, name, slides=slides, notes=False)
    kinds = ((block, (block.kind, block.subject)) for block in document.blocks)
    blocks = tuple(block for block, kind in kinds if kind != ("caption", "figure"))
    return replace(document, blocks=blocks)


def seen_slide_texts(
    deck: str | Path,
    ask: Ask,
    *,
    renderer: Renderer | None = None,
    parallel: int = PARALLEL,
    tell: Progress = silent,
) -> QuizSlides | NotScored:
    """The slides as a model sees their pictures (paper 002, appendix C: claims, data, visuals).

    A slide that the model could not read, or that LibreOffice cannot draw, has its own text in that
    place, and this is told. NotScored where it has none, or the deck cannot be drawn. Raises
    DeckError where the deck cannot be read, and ModelUnavailable.
    """
    own: QuizSlides | None = None
    with suppress(DeckError):
        own = own_slide_texts(deck)
    hidden = hidden_slides(deck)
    try:
        with open_rendered(deck, renderer=renderer, ocr=False, deadly="left out") as drawn:
            shown = [slide for slide in drawn if slide.number not in hidden]
            pictures = {slide.number: encode_png(slide.image) for slide in shown}
            faults = {n: fault for n, fault in drawn.faults.items() if n not in hidden}
    except RenderError as error:
        return NotScored(f"the deck cannot be drawn: {error}")
    system = fill_prompt(__package__, "prompts/slide_system.txt")
    prompt = fill_prompt(__package__, "prompts/slide.txt")

    def look(picture: bytes) -> tuple[ReadSlide | NotScored, Usage]:
        judge = Questions(ask, stage="read slide", system=system, temperature=0.0)
        return judge.put(prompt, ReadSlide, images=[picture]), judge.usage

    with ThreadPoolExecutor(parallel) as pool:
        replies = dict(zip(pictures, pool.map(look, pictures.values()), strict=True))
    answers = {number: said for number, (said, _) in replies.items()}
    seen_or_not = answers | {number: NotScored(fault) for number, fault in faults.items()}
    texts: list[str] = []
    notes: list[str] = []
    for index, (number, said) in enumerate(sorted(seen_or_not.items())):
        if not isinstance(said, NotScored):
            texts.append(_as_markdown(number, said))
            continue
        if own is None or len(own.markdown) != len(seen_or_not):
            return NotScored(f"slide {number} could not be read from its picture: {said.reason}")
        texts.append(own.markdown[index])
        notes.append(f"slide {number} is read by its own text: {said.reason}")
        tell(notes[-1])
    usage = sum((spent for _, spent in replies.values()), Usage())
    seen = deck_statements(read_markdown(Path("slides.md"), "slides", "\n".join(texts)))
    read = f"a model on the pictures of {len(texts)} slides"
    return QuizSlides(tuple(texts), seen, own.own if own else None, read, tuple(notes), usage)


def _as_markdown(number: int, slide: ReadSlide) -> str:
    texts: Sequence[Sequence[str]] = (slide.statements, slide.data, slide.visuals)
    groups = list(zip(("", "Data", "Visuals"), texts, strict=True))
    lines = [f"## {number}. {' '.join(slide.headline.split())}", ""]
    for name, items in groups:
        if items and name:
            lines += ["", f"{name}:", ""]
        lines += [f"- {' '.join(item.split())}" for item in items]
    return "\n".join(lines) + "\n"


def _pages(document: Document) -> list[str]:
    """The text of each page; formats without pages are one."""
    pages = {number: [f"## {number}.", ""] for number in range(1, max(1, document.pages) + 1)}
    for block in document.blocks:
        number = block.page or 1
        lines = pages.setdefault(number, [f"## {number}.", ""])
        if block.text:
            lines.append(block.text)
    return ["\n".join(lines) + "\n" for _number, lines in sorted(pages.items())]
