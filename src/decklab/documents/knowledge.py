"""The knowledge base: some documents at three grains, with their figures, tables and numbers.

Paper 004, section V-A and appendix C: a card of 1,200 characters for planning, facts of at most
1,800 characters a section for the outline, chunks of 900 characters with 200 overlap for evidence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from decklab.core.geometry import Box
from decklab.core.results import Tabular
from decklab.documents.model import Document, DocumentTable, Figure, Unread
from decklab.documents.numbers import DecimalMark, NumberKind, decimal_mark, parse_numbers
from decklab.documents.quotes import SearchableText
from decklab.documents.sections import (
    DocumentSection,
    Passage,
    document_sections,
    leading_sentences,
    section_passages,
)
from decklab.documents.sentences import sentence_at, sentences

CARD_CHARACTERS = 1_200
FACT_CHARACTERS = 1_800

_ABSTRACT = re.compile(
    r"^(?:[\dIVX.]*\s*)?(?:abstract|summary|executive summary|overview|zusammenfassung|"
    r"kurzfassung|r[ée]sum[ée]|resumen)\b",
    re.IGNORECASE,
)
_ABSTRACT_LEAD = re.compile(r"^(?:abstract|summary|zusammenfassung)\s*[.:—–-]\s*", re.IGNORECASE)
_LEAST_PROSE = 80  # ours: characters; shorter are names, dates and addresses of a title page


@dataclass(frozen=True)
class Number:
    """A number of a source, in its context."""

    kind: NumberKind
    values: tuple[float, ...]
    unit: str
    text: str
    """As it is written."""
    sentence: str
    document: str
    page: int | None

    @property
    def is_fact(self) -> bool:
        """Whether it says something, other than the number of a section, figure or citation."""
        return self.kind != "reference"


@dataclass(frozen=True)
class SectionFacts:
    """The beginning of a section's text in whole sentences."""

    document: str
    heading: str
    page: int | None
    text: str


@dataclass(frozen=True)
class QuotePlace:
    """Where a quote begins in its source."""

    document: str
    page: int | None
    box: Box | None
    section: str


class KnowledgeBase(Tabular):
    """Contents of some documents, to plan, write and check with. Never changed.

    Parts are made when they are first asked for. As rows: one for each document.
    """

    def __init__(
        self, documents: tuple[Document, ...] = (), unread: tuple[Unread, ...] = ()
    ) -> None:
        self.documents = documents
        self._refused = unread

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Unread things: whole files, then pages and objects of the others."""
        return self._refused + tuple(item for doc in self.documents for item in doc.unread)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures, document by document."""
        return tuple(figure for document in self.documents for figure in document.figures)

    @property
    def tables(self) -> tuple[DocumentTable, ...]:
        """All tables, document by document."""
        return tuple(table for document in self.documents for table in document.tables)

    @cached_property
    def sections(self) -> tuple[DocumentSection, ...]:
        """All sections, document by document."""
        return tuple(section for doc in self.documents for section in document_sections(doc))

    @property
    def card(self) -> str:
        """The subject of the documents: the cards of all, a blank line between."""
        return "\n\n".join(self.cards.values())

    @cached_property
    def cards(self) -> Mapping[str, str]:
        """For each document its title and abstract, at most 1,200 characters.

        Without an abstract the first paragraphs stand for it.
        """
        return {document.name: self._card(document) for document in self.documents}

    @cached_property
    def facts(self) -> tuple[SectionFacts, ...]:
        """For each section with text its beginning, at most 1,800 characters."""
        return tuple(
            SectionFacts(
                section.document,
                section.heading,
                section.page,
                leading_sentences(section.text.splitlines(), FACT_CHARACTERS),
            )
            for section in self.sections
            if section.text.strip()
        )

    @cached_property
    def chunks(self) -> tuple[Passage, ...]:
        """The text of all sections in windows of 900 characters with 200 overlap, lists of
        literature left out."""
        told = (section for section in self.sections if not section.is_bibliography)
        return tuple(passage for section in told for passage in section_passages(section))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of all paragraphs, list items, captions and tables, references too; none of
        lists of literature."""
        return tuple(number for document in self.documents for number in _numbers_of(document))

    @cached_property
    def values(self) -> frozenset[float]:
        """The values of all ``numbers``, in much less time than these, which have sentences."""
        return frozenset(
            value
            for document in self.documents
            for decimal in (_decimal_of(document),)
            for place in _number_texts(document)
            for item in parse_numbers(place.text[place.skipped :], decimal=decimal)
            for value in item.values
        )

    def find_quote(self, quote: str) -> QuotePlace | None:
        """Where a quote begins; None if no document has exactly these words.

        Line breaks, hyphenation, ligatures and the shapes of dashes and quotation marks may differ.
        """
        for document in self.documents:
            number = self._searchable[document.name].find(quote)
            if number is not None:
                block = document.blocks[number]
                section = self._heads[document.name][number]
                return QuotePlace(document.name, block.page, block.box, section)
        return None

    def records(self) -> Iterator[Mapping[str, Any]]:
        """One row a document: its kind, pages, and how much was found in it."""
        for document in self.documents:
            yield {
                "document": document.name,
                "kind": document.kind,
                "pages": document.pages,
                "headings": len(document.headings),
                "words": sum(len(block.text.split()) for block in document.blocks),
                "figures": len(document.figures),
                "tables": len(document.tables),
                "native": sum(table.native for table in document.tables),
                "unread": len(document.unread),
            }

    @cached_property
    def _searchable(self) -> Mapping[str, SearchableText]:
        return {
            document.name: SearchableText([block.text for block in document.blocks])
            for document in self.documents
        }

    @cached_property
    def _heads(self) -> Mapping[str, Sequence[str]]:
        """For each block of each document the heading above it, or its own."""
        found: dict[str, list[str]] = {}
        for document in self.documents:
            head, heads = "", found.setdefault(document.name, [])
            for block in document.blocks:
                head = block.text if block.kind == "heading" else head
                heads.append(head)
        return found

    def _card(self, document: Document) -> str:
        sections = [section for section in self.sections if section.document == document.name]
        paragraphs = _abstract(sections)
        title = document.title or next((item.heading for item in sections if item.heading), "")
        text = leading_sentences(paragraphs, CARD_CHARACTERS - len(title) - 1)
        return "\n".join(part for part in (title[:CARD_CHARACTERS], text) if part)


def _abstract(sections: list[DocumentSection]) -> list[str]:
    """The paragraphs of the abstract, or the first ones of the document."""
    named = next((item for item in sections if _ABSTRACT.match(item.heading) and item.text), None)
    if named:
        return named.text.splitlines()
    lines = [line for item in sections for line in item.text.splitlines()]
    leads = [number for number, line in enumerate(lines) if _ABSTRACT_LEAD.match(line)]
    if leads:
        return [_ABSTRACT_LEAD.sub("", lines[leads[0]], 1), *lines[leads[0] + 1 :]]
    return [line for line in lines if len(line) >= _LEAST_PROSE] or lines


_WITH_NUMBERS = frozenset({"paragraph", "item", "caption"})
_LEADING = re.compile(r"^(?:\(?[\dIVXivx]+(?:\.\d+)*[.)]|[•–—-])\s")


@dataclass(frozen=True)
class _NumberText:
    """A paragraph, or a cell with its row as ``sentence``, in which numbers are sought."""

    text: str
    page: int | None
    sentence: str | None = None
    skipped: int = 0
    """Characters of the number that leads a list item, which is none."""


def _number_texts(document: Document) -> Iterator[_NumberText]:
    """The texts of a document in which numbers say something: no list of literature."""
    told = (section for section in document_sections(document) if not section.is_bibliography)
    for block in (block for section in told for block in section.blocks):
        if block.kind in _WITH_NUMBERS:
            lead = _LEADING.match(block.text)
            yield _NumberText(block.text, block.page, skipped=lead.end() if lead else 0)
        elif block.kind == "table" and block.index is not None:
            table = document.tables[block.index]
            for row in table.rows[table.header_rows :]:
                line = "\t".join(row)
                yield from (_NumberText(cell, table.page, line) for cell in row)


def _decimal_of(document: Document) -> DecimalMark:
    return decimal_mark("\n".join(block.text for block in document.blocks))


def _numbers_of(document: Document) -> Iterator[Number]:
    decimal = _decimal_of(document)
    for place in _number_texts(document):
        found = parse_numbers(place.text[place.skipped :], decimal=decimal)
        parts = sentences(place.text) if found and place.sentence is None else []
        for item in found:
            start, end = place.skipped + item.start, place.skipped + item.end
            yield Number(
                item.kind,
                item.values,
                item.unit,
                place.text[start:end],
                sentence_at(place.text, start, parts) if place.sentence is None else place.sentence,
                document.name,
                place.page,
            )
