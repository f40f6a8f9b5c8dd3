"""Text of a slide in Markdown in the groups that its headings and columns make."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from decklab.board.blueprint import Point, Step
from decklab.board.marked_text import cut, joined
from decklab.writer.markdown_parts import ListItem

DEEPEST_LEVEL: Final = 2
"""Of the points of a slide, counted from 0."""


@dataclass
class TextGroup:
    """Text below a heading or in a column. ``items`` keep what was bold at their beginning."""

    heading: str = ""
    items: list[ListItem] = field(default_factory=list)
    marked: bool = False
    """Whether a heading or column begins it."""

    @property
    def points(self) -> tuple[Point, ...]:
        """Its items as points of at most three levels."""
        return points_of(self.items)


def points_of(items: Sequence[ListItem], deeper: int = 0) -> tuple[Point, ...]:
    """Items as points, so many levels deeper; what is too deep stands on the deepest level."""
    return tuple(
        Point(text=item.text, level=min(item.level + deeper, DEEPEST_LEVEL), mark=item.mark)
        for item in items
    )


def by_outer_points(group: TextGroup) -> list[TextGroup]:
    """The outermost points of a list as headings of what stands below each."""
    groups: list[TextGroup] = []
    for item in group.items:
        if item.level == 0:
            groups.append(TextGroup(item.text, marked=True))
        elif groups:
            groups[-1].items.append(replace(item, level=item.level - 1))
    return groups


def steps_of(items: Sequence[ListItem]) -> list[Step]:
    """The outermost items as steps; what stands below one is part of its text."""
    found: list[tuple[str, list[str]]] = []
    for item in items:
        if item.level == 0 or not found:
            label, text = (item.label, item.rest) if item.label else _label_and_text(item.text)
            found.append((label, [text] if text else []))
        else:
            found[-1][1].append(item.text)
    return [Step(label=label, text=joined("; ", texts) or None) for label, texts in found]


def _label_and_text(text: str) -> tuple[str, str]:
    """``Label: text`` in its two parts, where the label is short.

    >>> _label_and_text("Plan: two weeks"), _label_and_text("We meet at 10:30")
    (('Plan', 'two weeks'), ('We meet at 10:30', ''))
    """
    label, mark, rest = text.partition(": ")
    short = mark and len(label) <= 40 and rest.strip()
    return (cut(text, 0, len(label)), cut(text, len(label) + 2)) if short else (text, "")
