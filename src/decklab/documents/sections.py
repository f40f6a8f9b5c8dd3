"""A document's text by sections, and cut into overlapping chunks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decklab.documents.model import Document, DocumentBlock
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

    @property
    def text(self) -> str:
        """Its paragraphs and list items, a line each, without captions, tables and code."""
        return "\n".join(block.text for block in self.blocks if block.kind in _PROSE)

    @property
    def is_bibliography(self) -> bool:
        """Whether it lists literature, whose numbers and words are no facts of the document."""
        return bool(_LITERATURE.match(self.heading))

    @property
    def is_apparatus(self) -> bool:
        """Whether its heading is that of literature, contents, licences, thanks and the like, which
        say nothing of the subject."""
        return bool(_APPARATUS.match(self.heading))


_LITERATURE = re.compile(
    r"^(?:[\dA-Z.]+\s+)?(?:references|bibliography|works cited|literatur(?:verzeichnis)?)$",
    re.IGNORECASE,
)
_APPARATUS = re.compile(
    r"^(?:[\dIVXA-Z]+[.)]?(?:\d+[.)]?)*\s+)?(?:references|bibliography|literature(?: cited)?|index|"
    r"acknowledge?ments?|(?:table of )?contents|list of (?:figures|tables)|colophon|funding|"
    r"session info(?:rmation)?|computational details|licen[cs]e|copyright|change ?log|"
    r"further reading|author contributions|conflicts? of interest|declarations|"
    r"literatur(?:verzeichnis)?|inhalt(?:sverzeichnis)?|danksagung|quellen)\b",
    re.IGNORECASE,
)
_PROSE = frozenset({"paragraph", "item"})
_SEARCHED = frozenset({"paragraph", "item", "caption", "table"})


def document_sections(document: Document) -> list[DocumentSection]:
    """The sections of a document in order; empty ones (a heading above another) are left in."""
    found: list[DocumentSection] = []
    path: list[tuple[int, str]] = []
    gathered: list[DocumentBlock] = []
    head = DocumentBlock("heading", "", page=document.blocks[0].page if document.blocks else None)

    def close() -> None:
        if head.text or gathered:
            names = tuple(name for _, name in path)
            found.append(
                DocumentSection(
                    document.name, head.text, head.level, head.page, names, tuple(gathered)
                )
            )

    for block in document.blocks:
        if block.kind != "heading":
            gathered.append(block)
            continue
        close()
        gathered = []
        head = block
        path = [item for item in path if item[0] < block.level] + [(block.level, block.text)]
    close()
    return found


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
