"""Points made of other points: steps as a list, rows without empty columns, two sentences as one,
the beginning of an item, and what changed as a title."""

import re
from collections.abc import Sequence

from decklab.writer.outline import OutlinePoint
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.material import Statement
from decklab.writer.story.titles import TITLE_CHARACTERS

_JOINS = re.compile(r"(?:and|or|und|oder|et|ou|y|o)\b")


def filled_columns(
    rows: Sequence[OutlinePoint], header: Sequence[str]
) -> tuple[tuple[OutlinePoint, ...], tuple[str, ...]]:
    """Rows without the columns that are empty in all of them, and what stands above the others."""
    filled = [
        at for at in range(len(header)) if any(row.cells[at : at + 1] > ("",) for row in rows)
    ]
    points = (row.model_copy(update={"cells": tuple(row.cells[at] for at in filled if row.cells)})
              for row in rows)  # fmt: skip
    return tuple(points), tuple(header[at] for at in filled)


def as_list(steps: Sequence[OutlinePoint], first: int) -> tuple[OutlinePoint, ...]:
    """Steps as points of a list, with their numbers."""
    return tuple(
        step.model_copy(update={"text": f"{number}. {_whole_step(step)}", "label": ""})
        for number, step in enumerate(steps, start=first)
    )


def _whole_step(step: OutlinePoint) -> str:
    if step.text == step.label:
        return step.text
    link = ". " if step.text[0].isupper() else ", " if _JOINS.match(step.text) else ": "
    return f"{step.label}{link}{step.text}"


def changed_words(point: OutlinePoint) -> str:
    """A sentence that says what changed, as a title: whole, or up to the amounts; empty if too
    long."""
    change = change_of(point.text, "")
    claims = (point.text, change.claim if change else "")
    return next((words for words in claims if 0 < len(words) <= TITLE_CHARACTERS), "")


def begun_item(item: Statement, text: str) -> OutlinePoint:
    """The beginning of an item as a point, quoted if the source has it so."""
    quote = text if text in item.evidence.quote else item.evidence.quote
    evidence = item.evidence.model_copy(update={"quote": quote})
    return OutlinePoint(text=text.rstrip(".;"), evidence=(evidence,))


def joined_points(first: OutlinePoint, second: OutlinePoint) -> OutlinePoint:
    """Two sentences as one point."""
    end = "" if first.text.endswith((".", "!", "?", ":", "。", "？")) else "."
    text, evidence = f"{first.text}{end} {second.text}", (*first.evidence, *second.evidence)
    return first.model_copy(update={"text": text, "evidence": evidence})
