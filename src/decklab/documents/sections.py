"""A document's text by sections, and cut into overlapping chunks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from decklab.documents.bylines import is_byline
from decklab.documents.model import Document, DocumentBlock
from decklab.documents.parts import (
    PartKind,
    begins_appendix,
    block_part,
    contents_entry,
    follows_appendix,
    heading_part,
    is_notes,
    is_prompt,
    part_runs,
    section_number,
)
from decklab.documents.sentences import sentences

CHUNK_CHARACTERS = 900
CHUNK_OVERLAP = 200
"""Paper 004, appendix C: a sliding window of 900 characters with 200 overlap."""


@dataclass(frozen=True)
class DocumentSection:
    """A heading and the text below it, up to the next heading of any level."""

    document: str
    heading: str
    level: int
    """1 to 6; 0 for the text before the first heading."""
    page: int | None
    path: tuple[str, ...]
    """The headings above it and its own, from the top."""
    blocks: tuple[DocumentBlock, ...]
    part: PartKind = "body"
    """The part of the document that it is, by its heading or its form."""

    @property
    def text(self) -> str:
        """Its paragraphs and list items, a line each, without captions, tables and code."""
        return "\n".join(block.text for block in self.blocks if block.kind in _PROSE)

    @property
    def is_bibliography(self) -> bool:
        """Whether it lists literature, whose numbers and words are no facts of the document."""
        return self.part == "references"

    @property
    def is_apparatus(self) -> bool:
        """Whether it says nothing of the subject: all parts but the body and appendices."""
        return self.part not in {"body", "appendix"}


_PROSE = frozenset({"paragraph", "item"})
_SEARCHED = frozenset({"paragraph", "item", "caption", "table"})


_DEEPEST = 6


def document_sections(document: Document) -> list[DocumentSection]:
    """The sections of a document in order; empty ones (a heading above another) are left in.

    Lists of literature, contents, licences and notices inside a section follow it as sections of
    their own with the same heading.
    """
    raw = list(_raw_sections(document))
    headings = frozenset(contents_entry(block.text) for block in document.headings) - {""}
    found: list[DocumentSection] = []
    for section, part in zip(raw, _parts(raw), strict=True):
        if part != "body" or not section.blocks:
            found.append(replace(section, part=part))
            continue
        own = section
        said = document.kind == "email" or any(map(_says_something, found))
        front = 0 if said else _front_lines(section, document.title)
        if front and (len(raw) > 1 or front < len(section.blocks)):
            head = section.blocks[:front]
            found.append(replace(section, blocks=head, part="front"))
            # the heading above the fields of a memo names its kind, not what it says
            is_kind = document.title not in {section.heading, *(block.text for block in head)}
            heading = "" if is_kind else section.heading
            own = replace(section, heading=heading, blocks=section.blocks[front:])
        for number, run in enumerate(part_runs(own.blocks, headings)):
            level = own.level if number == 0 else _DEEPEST  # nothing stands below it
            found.append(replace(own, blocks=run.blocks, part=run.part, level=level))
    return found


def _says_something(section: DocumentSection) -> bool:
    return not section.is_apparatus and bool(section.text)


def _front_lines(section: DocumentSection, title: str) -> int:
    """The first blocks of a section, before which nothing is said, that are a letter-head or the
    fields of a memo or report, two or more of these, or the title of a workbook."""
    fields = [
        block.text == title
        or (is_byline(block.text) and (block.kind == "paragraph" or ":" in block.text))
        for block in section.blocks
    ]
    headless = not section.heading
    count = next(
        (
            at
            for at, block in enumerate(section.blocks)
            if block.kind not in _PROSE
            or not (fields[at] or (headless and not _ENDED.search(block.text)))
        ),
        len(fields),
    )
    while count and not fields[count - 1]:
        count -= 1
    titled = title in {block.text for block in section.blocks[:count]}
    return count if titled or sum(fields[:count]) > 1 else 0


def _raw_sections(document: Document) -> Iterator[DocumentSection]:
    path: list[tuple[int, str]] = []
    gathered: list[DocumentBlock] = []
    head = DocumentBlock("heading", "", page=document.blocks[0].page if document.blocks else None)
    for block in (*document.blocks, None):
        if block is not None and block.kind != "heading":
            gathered.append(block)
            continue
        if head.text or gathered:
            names = tuple(name for _, name in path)
            blocks = tuple(gathered)
            yield DocumentSection(document.name, head.text, head.level, head.page, names, blocks)
        if block is not None:
            head, gathered = block, []
            path = [item for item in path if item[0] < block.level] + [(block.level, block.text)]


_INHERITED = frozenset({"references", "appendix", "licence", "notice", "prompt"})


def _parts(sections: Sequence[DocumentSection]) -> Iterator[PartKind]:
    """The part of each section by its heading, those above it and before it, and by its form."""
    open_parts: list[tuple[int, PartKind]] = []
    ended = False
    """Whether the literature or an appendix came before."""
    appended, counted = 7, 0
    """The level of the first appendix, and the last number of a section of the body."""
    for number, section in enumerate(sections):
        open_parts = [item for item in open_parts if item[0] < section.level]
        part = heading_part(section.heading)
        if part == "body" and is_prompt(section.blocks):
            part = "prompt"
        lettered = counted > 1 and begins_appendix(section.heading)
        lettered = lettered or (
            ended and counted > 1 and bool(section.heading) and not section_number(section.heading)
        )
        if part == "body" and (lettered or (ended and follows_appendix(section.heading))):
            part = "appendix"
        if part == "body" and open_parts:
            part = open_parts[-1][1]
            if part == "references" and not all(
                block_part(block) == part for block in section.blocks
            ):
                part = "appendix"
        goes_on = section_number(section.heading) == counted + 1
        if part == "body" and section.level >= appended and not goes_on:
            part = "appendix"
        if part == "body":
            counted = section_number(section.heading) or counted
        elif part == "appendix":
            appended = min(appended, section.level)
        if part in {"body", "appendix"} and is_notes(section.heading, section.blocks):
            part = "notice"
        if part == "body" and number == 0 and len(sections) > 1 and _is_title_page(section):
            part = "front"
        ended = ended or part in {"references", "appendix"}
        if part in _INHERITED and number:
            open_parts.append((section.level, part))
        yield part


def _is_title_page(section: DocumentSection) -> bool:
    """Whether nothing stands under a title but who wrote the document, and when, or above the
    first heading but lines that are no sentences, as a letter-head is."""
    named = any(is_byline(block.text) for block in section.blocks)
    return bool(section.blocks) and all(
        block.kind == "paragraph"
        and (
            is_byline(block.text)
            or not ((section.heading and not named) or _ENDED.search(block.text))
        )
        for block in section.blocks
    )


_ENDED = re.compile(r"[.!?:;,…。！？：][\"'”’»)\]]*\s*\Z")


def leading_sentences(paragraphs: Sequence[str], characters: int, *, language: str = "en") -> str:
    """As many whole sentences from the start of some paragraphs as fit into ``characters``.

    A first sentence that is longer itself is cut after a word.
    """
    kept: list[str] = []
    left = characters
    for paragraph in paragraphs:
        whole = " ".join(paragraph.split())
        if not whole:
            continue
        if len(whole) <= left:
            kept.append(whole)
            left -= len(whole) + 1
            continue
        part = ""
        for sentence in sentences(whole, language=language):
            longer = f"{part} {sentence}".strip()
            if len(longer) > left:
                break
            part = longer
        if not part and not kept:
            part = whole[: left + 1].rpartition(" ")[0] or whole[:left]
        kept += [part] if part else []
        break
    return "\n".join(kept)


def text_windows(
    text: str, *, characters: int = CHUNK_CHARACTERS, overlap: int = CHUNK_OVERLAP
) -> Iterator[tuple[int, int]]:
    """Starts and ends of windows over a text, cut between words if there are any.

    Each has at most ``characters``, and about the last ``overlap`` of the one before it.

    >>> [("one two three four"[a:b]) for a, b in text_windows("one two three four", characters=9,
    ...                                                       overlap=4)]
    ['one two', 'two three', 'four']
    """
    start = 0
    while start < len(text):
        end = start + characters
        if end >= len(text):
            end = len(text)
        elif (space := max(text.rfind(mark, start + overlap + 1, end + 1) for mark in " \n")) > 0:
            end = space
        yield start, end
        if end == len(text):
            return
        back = re.search(r"\s", text[max(start + 1, end - overlap) : end])
        start = max(start + 1, end - overlap) + back.end() if back else end
        while start < len(text) and text[start].isspace():
            start += 1


@dataclass(frozen=True)
class Passage:
    """A piece of a source, word by word, and where it stands."""

    document: str
    page: int | None
    """Where it begins."""
    quote: str
    section: str = ""
    score: float = 0.0
    """How well it fits the query; 0 without one. Higher is better."""


def section_passages(section: DocumentSection) -> Iterator[Passage]:
    """A section in overlapping windows; tables and captions are in them."""
    starts: list[tuple[int, int | None]] = []
    text = ""
    for block in section.blocks:
        if block.kind in _SEARCHED and block.text.strip():
            starts.append((len(text), block.page))
            text += block.text.strip() + "\n"
    for start, end in text_windows(text.rstrip()):
        page = next((page for place, page in reversed(starts) if place <= start), section.page)
        yield Passage(section.document, page, text[start:end], section.heading)
