"""A document as the benchmark reads it: sections with sentences, tables and figures.

The readers are apart from decklab's own, so that what they miss is not what the writer misses.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.story.words import content_words, sentences

Rows = tuple[tuple[str, ...], ...]

_BEHIND: Final = re.compile(
    r"^\W*(?:[\dA-Z]+(?:\.\d+)*[.):]?\s+)?(?:references|bibliography|literature|works cited"
    r"|licen[cs]e|copyright|(?:table of )?contents|acknowledge?ments?|trademarks?"
    r"|appendix|appendices|annex|see also|literatur(?:verzeichnis)?|quellen|inhalt(?:sverzeichnis)?"
    r"|anhang|referencias|bibliografía|índice|anexo|参考文献|附录|目录)\b",
    re.IGNORECASE,
)
_GIST: Final = re.compile(
    r"\b(?:abstract|summary|conclusions?|concluding|(?:key|main) (?:findings|points"
    r"|messages)|in brief|at a glance|zusammenfassung|fazit|kurzfassung|resumen"
    r"|conclusi(?:ón|ones)|tl;?dr)\b"
    r"|摘要|结论|总结|小结",
    re.IGNORECASE,
)
_REFERENCES: Final = re.compile(r"^\W*(?:\d+[.)]?\s+)?(?:references|bibliography)\b", re.IGNORECASE)
_LETTERED: Final = re.compile(r"^[A-Z](?:\.\d+)*[.:]?\s+[A-Z]")
LARGE_TABLE: Final = 60
"""Ours: a table of more body cells is shown by a part or by a chart, not cell by cell."""


@dataclass
class Section:
    """A heading and what stands below it, up to the next heading."""

    heading: str
    level: int
    units: list[str] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)

    @property
    def is_gist(self) -> bool:
        """Whether it is an abstract, a summary or a conclusion."""
        return bool(_GIST.search(self.heading))


@dataclass(frozen=True)
class Figure:
    """A figure's caption, which may be empty, and its picture where it can be had."""

    caption: str
    picture: bytes | None = None


@dataclass
class Source:
    """A document, filled by a reader from top to bottom.

    References, appendices, contents and licences are left out, with all that is below them, and
    sections with a letter ("A Prompts") that come after the references.
    """

    sections: list[Section] = field(default_factory=lambda: [Section("", 0)])
    figures: list[Figure] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    _behind: int | None = None
    _past_references: bool = False

    def heading(self, text: str, level: int) -> None:
        """Begin a section; ``level`` is 1 for the largest heading."""
        text = " ".join(text.split())
        self.headings.append(text)
        if self._behind is not None and level > self._behind:
            return
        appended = self._past_references and bool(_LETTERED.match(text))
        self._behind = level if appended or _BEHIND.match(text) else None
        self._past_references |= bool(_REFERENCES.match(text))
        if self._behind is None:
            self.sections.append(Section(text, level))

    def paragraph(self, text: str) -> None:
        """Add the sentences of a paragraph or list item to the section."""
        if self._behind is None:
            kept = [unit for unit in sentences(" ".join(text.split())) if content_words(unit)]
            self.sections[-1].units.extend(kept)

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        """Add a table, its head first; one with less than two rows or columns is none."""
        kept = tuple(tuple(" ".join(str(cell).split()) for cell in row) for row in rows if any(row))
        if self._behind is None and len(kept) > 1 and max(map(len, kept)) > 1:
            self.sections[-1].tables.append(kept)

    def figure(self, caption: str, picture: bytes | None = None) -> None:
        """Add a figure with its caption, without "Figure 3:"."""
        if self._behind is None:
            self.figures.append(Figure(" ".join(caption.split()), picture))

    def caption(self, text: str) -> None:
        """Give a caption to the figure just before it, or add a figure that has only a caption."""
        bare = bool(self.figures) and not self.figures[-1].caption
        picture = self.figures.pop().picture if bare and self._behind is None else None
        self.figure(text, picture)

    @property
    def filled(self) -> list[Section]:
        """The sections with a sentence, an item or a table of their own."""
        return [section for section in self.sections if section.units or section.tables]

    @property
    def units(self) -> list[str]:
        """All sentences and items."""
        return [unit for section in self.sections for unit in section.units]

    @property
    def tables(self) -> list[Rows]:
        """All tables."""
        return [rows for section in self.sections for rows in section.tables]

    @property
    def gist(self) -> set[str]:
        """The content words of abstract, summary and conclusion; empty if there is none."""
        texts = [unit for section in self.sections if section.is_gist for unit in section.units]
        return content_words(" ".join(texts))


def body_cells(rows: Rows) -> list[str]:
    """The cells below the head that are not empty."""
    return [cell for row in rows[1:] for cell in row if cell]
