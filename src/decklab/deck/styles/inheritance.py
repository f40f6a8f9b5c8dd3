"""Inherited values of paragraphs and runs, by level, once for each chain of list styles."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from decklab.deck.model.base import Effective, Sources
from decklab.deck.model.text import RunFont
from decklab.deck.styles.characters import (
    default_paragraph,
    default_run,
    finished_paragraph,
    finished_run,
    stated_paragraph,
    stated_run,
)
from decklab.deck.styles.themes import MappedTheme, Stated
from decklab.ooxml.xml import qn

LEVELS = 9


@dataclass(frozen=True, eq=False)
class Overlay:
    """Values for the runs of all levels that something other than a list style states.

    Two overlays with the same ``key`` state the same.
    """

    key: Hashable
    run: Mapping[str, Effective[Any]]


ChainLink = Stated | Overlay
"""One place of a chain: a list style, such as ``a:lstStyle`` or ``p:bodyStyle``, or an overlay."""


@dataclass(frozen=True, eq=False)
class LevelStyles:
    """All inherited values of one level, by the names that ``stated_run`` and ``stated_paragraph``
    give."""

    look: MappedTheme
    run: Mapping[str, Effective[Any]]
    paragraph: Mapping[str, Effective[Any]]
    _fonts: dict[tuple[Effective[Any], float], tuple[RunFont, Sources]] = field(
        default_factory=dict
    )
    _fields: dict[float, dict[str, Any]] = field(default_factory=dict)

    def fields(self, stated: Mapping[str, Effective[Any]], reduction: float) -> dict[str, Any]:
        """The fields of a paragraph that states ``stated`` itself, except level and runs;
        ``reduction`` is autofit's, of line spacing."""
        if stated:
            return finished_paragraph({**self.paragraph, **stated}, self.look, reduction)
        if reduction not in self._fields:
            self._fields[reduction] = finished_paragraph(self.paragraph, self.look, reduction)
        return self._fields[reduction]

    def font(self, stated: Mapping[str, Effective[Any]], scale: float) -> tuple[RunFont, Sources]:
        """The font of a run that states ``stated`` itself, and where its values are stated;
        ``scale`` is autofit's."""
        language = stated.get("language")
        if len(stated) > (language is not None):
            return finished_run({**self.run, **stated}, self.look, scale)
        key = (language or self.run["language"], scale)
        if key not in self._fonts:
            self._fonts[key] = finished_run({**self.run, **stated}, self.look, scale)
        return self._fonts[key]


@dataclass(frozen=True, eq=False)
class Inheritance:
    """Values that chains of list styles give at each level, under one theme and colour map."""

    look: MappedTheme
    _known: dict[Hashable, LevelStyles] = field(default_factory=dict)

    def at(self, chain: Sequence[ChainLink], level: int) -> LevelStyles:
        """The inherited values of a chain, farthest link first, at a level from 0 to 8."""
        key = (level, tuple(_key(link) for link in chain))
        if key not in self._known:
            self._known[key] = self._read(chain, level)
        return self._known[key]

    def _read(self, chain: Sequence[ChainLink], level: int) -> LevelStyles:
        run, paragraph = default_run(self.look), default_paragraph()
        for link in chain:
            if isinstance(link, Overlay):
                run |= link.run
                continue
            stated = link.element.find(qn(f"a:lvl{level + 1}pPr"))
            if stated is None:
                continue
            paragraph |= stated_paragraph(stated, link.origin, self.look, link.source)
            characters = stated.find(qn("a:defRPr"))
            if characters is not None:
                run |= stated_run(characters, link.origin, self.look, link.source)
        return LevelStyles(self.look, run, paragraph)


def _key(link: ChainLink) -> Hashable:
    return link.key if isinstance(link, Overlay) else (link.element, link.origin)
