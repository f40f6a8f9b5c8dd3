"""What of the documents a deck does not show: sentences, tables and figures by section, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from decklab.core.options import DocumentKindName
from decklab.writer.outline import Outline
from decklab.writer.story.material import Apparatus, Topic

_MOST_LINES = 12
_HEADING_CHARACTERS = 60

Reason = Literal["no room", "not about the subject"]


@dataclass(frozen=True)
class SectionCoverage:
    """How much of one section is on slides; sentences count list items too."""

    document: str
    heading: str
    sentences: int
    shown: int
    tables: int = 0
    tables_shown: int = 0
    figures: int = 0
    figures_shown: int = 0
    flawed: int = 0
    """Sentences that lint finds faulty, such as with marks of markup; they are never shown."""
    reason: Reason = "no room"
    """Why the rest is not shown."""

    @property
    def is_whole(self) -> bool:
        """Whether all of it is on slides."""
        return (self.shown, self.tables_shown, self.figures_shown) == (
            self.sentences, self.tables, self.figures,
        )  # fmt: skip

    def __str__(self) -> str:
        parts = [
            (self.sentences - self.shown, self.sentences, "sentence"),
            (self.tables - self.tables_shown, self.tables, "table"),
            (self.figures - self.figures_shown, self.figures, "figure"),
        ]
        missing = ", ".join(
            f"{count} of {total} {noun}{'s' if total != 1 else ''}"
            for count, total, noun in parts if count
        )  # fmt: skip
        name = self.heading[:_HEADING_CHARACTERS] or "the beginning"
        flawed = f"; lint finds errors in {self.flawed}" if self.flawed else ""
        return f"{self.document}, {name}: {missing} ({self.reason}{flawed})"


@dataclass(frozen=True)
class Coverage:
    """What of some documents is on the slides of a deck that was written by rules."""

    kind: DocumentKindName
    asked: int
    """How many slides were asked for."""
    slides: int
    sections: tuple[SectionCoverage, ...] = ()

    @property
    def sentences(self) -> int:
        """Sentences and list items of all sections that are about the subject."""
        return sum(item.sentences for item in self._told)

    @property
    def shown(self) -> int:
        """Of these the ones on slides."""
        return sum(item.shown for item in self._told)

    @property
    def _told(self) -> list[SectionCoverage]:
        return [item for item in self.sections if item.reason != "not about the subject"]

    def lines(self) -> Iterator[str]:
        """The same in a few lines: how much is shown, and what is not, the largest part first."""
        if self.sentences:
            share = round(100 * self.shown / self.sentences)
            yield (
                f"on slides: {self.shown:,} of {self.sentences:,} sentences and list items "
                f"({share} %); kind of document: {self.kind} (--kind)"
            )
        if self.slides < self.asked:
            yield f"{self.slides} of {self.asked} slides: {self._why_fewer}"
        missing = sorted(
            (item for item in self.sections if not item.is_whole),
            key=lambda item: (item.reason != "no room", item.shown - item.sentences),
        )
        yield from (f"not on slides: {item}" for item in missing[:_MOST_LINES])
        if len(missing) > _MOST_LINES:
            rest = sum(item.sentences - item.shown for item in missing[_MOST_LINES:])
            yield f"not on slides: {rest} sentences of {len(missing) - _MOST_LINES} more sections"

    @property
    def _why_fewer(self) -> str:
        if self.shown == self.sentences:
            return "the documents hold no more"
        return "pages of the rest would be nearly empty, or say the same again"

    def as_json(self) -> dict[str, Any]:
        """The same as plain data, section by section."""
        return {
            "kind": self.kind,
            "asked": self.asked,
            "slides": self.slides,
            "sentences": self.sentences,
            "shown": self.shown,
            "sections": [{**vars(item)} for item in self.sections],
        }


def coverage_of(
    outline: Outline,
    topics: Sequence[Topic],
    left_out: Sequence[Apparatus],
    *,
    asked: int,
    kind: DocumentKindName,
) -> Coverage:
    """What an outline shows of topics and their parts.

    ``left_out`` are sections that no deck has.
    """
    quotes = {(item.document, item.quote) for _, item in outline.evidence}
    visuals: set[tuple[str, str, int]] = {
        (page.visual.kind, page.visual.document, page.visual.number)
        for page in outline.pages if page.visual is not None
    }  # fmt: skip
    sections = [
        _section(topic, quotes, visuals) for whole in topics for topic in whole.walk()
        if topic.statements or topic.visuals
    ]  # fmt: skip
    sections += [
        SectionCoverage(
            item.document, item.heading, item.sentences, 0, reason="not about the subject"
        )
        for item in left_out
    ]
    return Coverage(kind, asked, len(outline.pages), tuple(sections))


def _section(
    topic: Topic, quotes: set[tuple[str, str]], visuals: set[tuple[str, str, int]]
) -> SectionCoverage:
    refs = dict.fromkeys((item.kind, item.document, item.number) for item in topic.visuals)
    tables = [ref for ref in refs if ref[0] == "table"]
    figures = [ref for ref in refs if ref[0] == "figure"]
    own = [quote for document, quote in quotes if document == topic.document]
    said = [
        2 * sum(len(quote) for quote in own if quote in item.evidence.quote)
        >= len(item.evidence.quote)
        for item in topic.statements
    ]
    return SectionCoverage(
        topic.document, topic.heading, len(said), sum(said),
        len(tables), sum(ref in visuals for ref in tables),
        len(figures), sum(ref in visuals for ref in figures),
        sum(bool(item.flaw) for item in topic.statements),
    )  # fmt: skip
