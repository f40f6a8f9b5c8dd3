"""The chapters of documents, and what each offers for slides: points, figures and tables."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document, DocumentBlock
from decklab.documents.quotes import SearchableText
from decklab.documents.sections import DocumentSection, document_sections
from decklab.documents.sentences import sentences
from decklab.documents.shortening import point_text
from decklab.writer.outline import Evidence, OutlinePoint, VisualRef

_STEP = re.compile(r"^\(?(\d{1,2})[.)]\s+")
_LEAST_STEPS, _MOST_STEPS = 3, 10
_STEP_NAME = 60
_ABBREVIATION = 5
_NUMBERING = re.compile(
    r"^(?:(?:chapter|part|section|kapitel|teil|chapitre|partie|capítulo|capitolo|parte)\s+"
    r"(?:\d+|[IVX]+|[A-Z])(?:\.\d+)*[.):]?|\d+(?:\.\d+)*[.):]?|(?-i:[IVX]{2,})[.):]?"
    r"|[A-Z](?:(?:\.\d+)+[.):]?|[.):]|(?-i:(?=\s+A\s))))\s+(?=\S)",
    re.IGNORECASE,
)
"""The number of a heading; a letter alone may be a word or a name, as in "C Programming"."""


@dataclass(frozen=True)
class PointCandidate:
    """A sentence or list item that can be a point of a slide."""

    text: str
    """Shortened."""
    evidence: Evidence
    section: int
    """Which section of its chapter it is in, from 0."""
    item: bool
    """Whether it is an item of a list."""


@dataclass(frozen=True)
class Chapter:
    """A part of a document: a heading and all below it; ``topics`` are its sections' headings."""

    document: str
    heading: str
    topics: tuple[str, ...]
    candidates: tuple[PointCandidate, ...]
    visuals: tuple[tuple[int, VisualRef], ...]
    """With the number of the section that each stands in."""
    steps: tuple[tuple[int, tuple[OutlinePoint, ...]], ...] = ()
    """Numbered lists of its sections, each as a process."""


def clean_heading(text: str) -> str:
    """A heading without its number and footnote marks, and not all in capital letters.

    >>> clean_heading("2.1 Kaplan-Meier curves"), clean_heading("A plan")
    ('Kaplan-Meier curves', 'A plan')
    >>> clean_heading("A A TALE ∗"), clean_heading("DNA"), clean_heading("C Programming")
    ('A tale', 'DNA', 'C Programming')
    >>> clean_heading("Chapitre 1. Partir du bon pied")
    'Partir du bon pied'
    """
    plain = text.strip().rstrip(" *∗†‡§¶")
    found = _NUMBERING.sub("", plain, count=1)
    return found.capitalize() if found.isupper() and len(found) > _ABBREVIATION else found


def chapters_of(document: Document, sources: KnowledgeBase) -> list[Chapter]:
    """The chapters of a document in order, without those that say nothing (references, index).

    Chapters begin at the highest level of headings that occurs twice or more. What stands before
    the first is a chapter without a heading.
    """
    sections = document_sections(document)
    level = _chapter_level(sections)
    groups: list[list[DocumentSection]] = []
    for section in sections:
        if not groups or (section.heading and section.level <= level):
            groups.append([])
        groups[-1].append(section)
    made = (_chapter(document, group, level, sources) for group in groups)
    found = [chapter for chapter in made if chapter is not None]
    if found and found[0].heading in ("", document.title):
        found[0] = _opening(found[0], sources.cards[document.name])
    return [chapter for chapter in found if chapter.candidates or chapter.visuals]


def joined_chapters(chapters: Sequence[Chapter]) -> list[Chapter]:
    """Chapters of one heading as one, so that documents about one thing are told together."""
    found: dict[str, Chapter] = {}
    for place, chapter in enumerate(chapters):
        key = chapter.heading.casefold() or f"{place}:{chapter.document}"
        found[key] = _both(found[key], chapter) if key in found else chapter
    return list(found.values())


def _both(first: Chapter, second: Chapter) -> Chapter:
    past = len(first.topics)
    return replace(
        first,
        topics=first.topics + second.topics,
        candidates=first.candidates
        + tuple(replace(item, section=item.section + past) for item in second.candidates),
        visuals=first.visuals + tuple((at + past, visual) for at, visual in second.visuals),
        steps=first.steps + tuple((at + past, steps) for at, steps in second.steps),
    )


def _opening(chapter: Chapter, card: str) -> Chapter:
    """What stands under the title of a document: of its text the abstract alone, since names,
    addresses and remarks of the publisher stand there too."""
    said = " ".join(card.split())
    kept = tuple(
        item for item in chapter.candidates if " ".join(item.evidence.quote.split()) in said
    )
    return replace(chapter, heading="", topics=("",) * len(chapter.topics), candidates=kept)


def _chapter_level(sections: Sequence[DocumentSection]) -> int:
    counts = Counter(section.level for section in sections if section.heading)
    several = [level for level, count in counts.items() if count >= 2]
    return min(several, default=max(counts, default=1))


def _chapter(
    document: Document, group: Sequence[DocumentSection], level: int, sources: KnowledgeBase
) -> Chapter | None:
    kept = [section for section in group if not section.is_apparatus]
    if not kept or group[0].is_apparatus:
        return None
    first = kept[0]
    heading = clean_heading(first.heading) if first.level == level else ""
    found = tuple(
        candidate
        for number, section in enumerate(kept)
        for candidate in _candidates(section, number, sources)
    )
    visuals = tuple(
        (number, visual)
        for number, section in enumerate(kept)
        for visual in _visuals(document, section.blocks)
    )
    steps = tuple(
        (number, found_steps)
        for number, section in enumerate(kept)
        if (found_steps := numbered_steps(section, sources))
    )
    topics = tuple(clean_heading(section.heading) for section in kept)
    if not found and not visuals:
        return None
    return Chapter(document.name, heading, topics, found, visuals, steps)


def numbered_steps(section: DocumentSection, sources: KnowledgeBase) -> tuple[OutlinePoint, ...]:
    """The first numbered list of a section as steps; none where an item has no short name.

    The name of a step is its first sentence, what it means the second.
    """
    steps: list[OutlinePoint] = []
    for block in section.blocks:
        marker = _STEP.match(block.text) if block.kind == "item" else None
        if marker is None or int(marker[1]) != len(steps) + 1:
            if len(steps) >= _LEAST_STEPS:
                break
            steps = []
            continue
        step = _step(section.document, block, block.text[marker.end() :], sources)
        if step is None:
            return ()
        steps.append(step)
    return tuple(steps) if _LEAST_STEPS <= len(steps) <= _MOST_STEPS else ()


def _step(
    document: str, block: DocumentBlock, text: str, sources: KnowledgeBase
) -> OutlinePoint | None:
    first, *rest = sentences(text) or [""]
    name = point_text(first, item=True)
    if name is None or len(name) > _STEP_NAME or sources.find_quote(first) is None:
        return None
    meaning = point_text(rest[0], item=True) if rest else None
    evidence = tuple(
        Evidence(document=document, page=block.page, quote=quote)
        for quote in (first, *(rest[:1] if meaning else []))
        if sources.find_quote(quote) is not None
    )
    return OutlinePoint(text=meaning or name, label=name, evidence=evidence)


def _candidates(
    section: DocumentSection, number: int, sources: KnowledgeBase
) -> Iterator[PointCandidate]:
    for block in section.blocks:
        if block.kind not in ("paragraph", "item"):
            continue
        item = block.kind == "item"
        own = SearchableText([block.text])
        for place, sentence in enumerate(sentences(block.text)):
            text = point_text(sentence, item=item and place == 0)
            if text is None:
                continue
            if own.find(sentence) is None and sources.find_quote(sentence) is None:
                continue
            evidence = Evidence(document=section.document, page=block.page, quote=sentence)
            yield PointCandidate(text, evidence, number, item)


def _visuals(document: Document, blocks: Sequence[DocumentBlock]) -> Iterator[VisualRef]:
    seen: set[tuple[object, object]] = set()
    for block in blocks:
        if block.index is None or (block.box and (block.page, block.box) in seen):
            continue
        seen.add((block.page, block.box))
        if block.kind == "table":
            number = document.tables[block.index].number
            yield VisualRef(kind="table", document=document.name, number=number)
        elif block.kind == "figure" and (
            document.kind == "image" or document.figures[block.index].caption
        ):
            number = document.figures[block.index].number
            yield VisualRef(kind="figure", document=document.name, number=number)
