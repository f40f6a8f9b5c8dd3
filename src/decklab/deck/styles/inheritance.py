"""What paragraphs and runs of a level inherit, worked out once for each chain of list styles."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from decklab.deck.model.base import Effective, Sources
from decklab.deck.model.text import RunFont
from decklab.deck.styles.characters import default_run, finished_run, stated_run
from decklab.deck.styles.paragraphs import default_paragraph, stated_paragraph
from decklab.deck.styles.themes import MappedTheme, Stated
from decklab.ooxml.xml import qn

LEVELS = 9


@dataclass(frozen=True, eq=False)
class Overlay:
    """What is stated of runs at all levels by something that is no list style.

    Two overlays of one ``key`` state the same.
    """

    key: Hashable
    run: Mapping[str, Effective[Any]]


Step = Stated | Overlay
"""One place of a chain: a list style, such as ``a:lstStyle`` or ``p:bodyStyle``, or an overlay."""


@dataclass(frozen=True, eq=False)
class LevelStyles:
    """All that is inherited at one level, by the names that ``stated_run`` and
    ``stated_paragraph`` give."""

    look: MappedTheme
    run: Mapping[str, Effective[Any]]
    paragraph: Mapping[str, Effective[Any]]
    _fonts: dict[tuple[Effective[Any], float], tuple[RunFont, Sources]] = field(
        default_factory=dict
    )

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
    """The levels of all chains met under one look."""

    look: MappedTheme
    _known: dict[Hashable, LevelStyles] = field(default_factory=dict)

    def at(self, chain: Sequence[Step], level: int) -> LevelStyles:
        """What a chain, farthest step first, hands down at a level from 0 to 8."""
        key = (level, tuple(_key(step) for step in chain))
        if key not in self._known:
            self._known[key] = self._read(chain, level)
        return self._known[key]

    def _read(self, chain: Sequence[Step], level: int) -> LevelStyles:
        run, paragraph = default_run(self.look), default_paragraph()
        for step in chain:
            if isinstance(step, Overlay):
                run |= step.run
                continue
            stated = step.element.find(qn(f"a:lvl{level + 1}pPr"))
            if stated is None:
                continue
            paragraph |= stated_paragraph(stated, step.origin, self.look, step.source)
            characters = stated.find(qn("a:defRPr"))
            if characters is not None:
                run |= stated_run(characters, step.origin, self.look, step.source)
        return LevelStyles(self.look, run, paragraph)


def _key(step: Step) -> Hashable:
    return step.key if isinstance(step, Overlay) else (step.element, step.origin)
