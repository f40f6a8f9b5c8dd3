"""Topics made ready for pages: which numbered lists are steps, which parts stand apart, what is
understood, which further views tables have; and steps, rows and sentences as points of a page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from decklab.core.options import DocumentKindName
from decklab.documents.sentences import word_count
from decklab.documents.shortening import by_number, tells_option
from decklab.writer.outline import OutlinePoint
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.kinds import SectionRole
from decklab.writer.story.material import Statement, Topic
from decklab.writer.story.passages import PAGE_WORDS
from decklab.writer.story.titles import TITLE_CHARACTERS
from decklab.writer.story.visuals import Visuals

_CARDS, _SEVERAL = 4, 2
_PROCESS = re.compile(
    r"steps?\b|phase|stage|stufe|procedure|process|how |order|ablauf|schritt|étapes|pasos|步骤",
    re.IGNORECASE,
)


def without_mere_numbers(topic: Topic, kind: DocumentKindName, *, short: bool = False) -> Topic:
    """A topic and its parts, whose numbered lists are steps only where they are in an order, and
    else at most four cards; of a ``short`` document points as all others."""
    parts = tuple(without_mere_numbers(part, kind, short=short) for part in topic.parts)
    words = [word_count(f"{step.label} {step.text}") for step in topic.steps]
    few = not short and len(words) <= _CARDS and sum(words) <= PAGE_WORDS
    rows = bool(topic.steps and topic.steps[0].cells)
    kept = topic.steps if topic.is_unit or rows or few or in_order(topic, kind) else ()
    items = sum(item.item for item in topic.statements)
    numbered = bool(topic.steps) and not kept and items == len(topic.steps)
    return replace(topic, parts=parts, steps=kept, is_numbered=numbered)


def without_examples(topic: Topic) -> Topic:
    """A topic and its parts without the code that they show."""
    return replace(topic, example=None, parts=tuple(map(without_examples, topic.parts)))


def procedures_apart(topic: Topic) -> list[Topic]:
    """A topic of instructions, whose numbered lists are its procedure; or its parts where several
    of these are such lists: each has pages of its own."""
    role: SectionRole = "method" if topic.steps and topic.role == "other" else topic.role
    if sum(bool(part.steps) for part in topic.parts) < _SEVERAL:
        return [replace(topic, role=role)]
    return [replace(topic, parts=()), *chain.from_iterable(map(procedures_apart, topic.parts))]


def with_options_known(topic: Topic, names: Mapping[str, str]) -> Topic:
    """A topic and its parts, of whose statements those that name an option by its number are
    understood, where the document says what the options are; a heading that is the letter of an
    option has its name behind it."""
    told = bool(names) or any(
        item.opens_list > 1 or tells_option(item.text) for item in topic.statements
    )
    statements = (
        replace(item, standing=1.0) if told and by_number(item.text) else item
        for item in topic.statements
    )
    parts = tuple(with_options_known(part, names) for part in topic.parts)
    name = names.get(topic.heading.casefold(), "")
    heading = f"{topic.heading}: {name}" if name else topic.heading
    steps = tuple(
        step.model_copy(update={"label": f"{step.label}: {names[step.label.casefold()]}"})
        if step.label.casefold() in names and len(step.label) == 1 else step
        for step in topic.steps
    )  # fmt: skip
    return replace(
        topic, heading=heading, statements=tuple(statements), parts=parts, steps=steps
    )  # fmt: skip


def in_order(topic: Topic, kind: DocumentKindName) -> bool:
    """Whether the numbered list of a topic is a process, and not merely numbered."""
    ordered = kind in ("how-to", "manual") or topic.role in ("method", "actions")
    return ordered or _PROCESS.search(topic.heading) is not None


def with_further_views(topic: Topic, visuals: Visuals, *, charts: bool) -> Topic:
    """A topic and its parts with the further pages of long tables, and with further charts."""
    more = (
        ref for visual in topic.visuals for ref in (visual, *visuals.further(visual, charts=charts))
    )
    parts = tuple(with_further_views(part, visuals, charts=charts) for part in topic.parts)
    return replace(topic, visuals=tuple(more), parts=parts)


_SEVEN = 7
"""Rows of a table of which one has a cell in a column that is worth its room. Ours."""
_JOINS = re.compile(r"(?:and|or|und|oder|et|ou|y|o)\b")


def filled_columns(
    rows: Sequence[OutlinePoint], header: Sequence[str]
) -> tuple[tuple[OutlinePoint, ...], tuple[str, ...]]:
    """Rows without the columns that are empty in nearly all of them, and what stands above the
    others."""
    filled = [
        at for at in range(len(header))
        if _SEVEN * sum(row.cells[at : at + 1] > ("",) for row in rows) >= len(rows)
    ]  # fmt: skip
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
