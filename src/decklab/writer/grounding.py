"""Whether every number on the slides of a deck stands in its sources.

The paper asks for faithful decks (paper 004, section IV-B); for numbers a program can decide. The
deck itself is read, not its plan: what stands on slides is what counts.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any

from decklab.deck.views.snapshot import snapshot_of
from decklab.documents.computed import founded_values, table_values
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.numbers import DecimalMark, decimal_mark, parse_numbers

_STEP = re.compile(
    r"^\d{1,2}\.\s|\(\d{1,2}/\d{1,2}\)$"
    r"|\((?:\d{1,3}–)?\d{1,3} (?:of|von|sur|de|di|van|من|/) \d{1,3}\)$",
    re.MULTILINE,
)
_LEAD = re.compile(r"(\d{1,2})(?:\s|\Z)")
_AGAIN = re.compile(r"\S \(\d{1,2}\)\Z")
_STATION = re.compile(r"Station \d+\Z")
"""What decklab writes: the number of a step, the part of a split slide or of a list, the number of
another page with the same heading, the badge of a chapter."""


@dataclass(frozen=True)
class NumberOnSlide:
    """A number that a slide shows, and whether a source has its value."""

    slide: int
    text: str
    """As the slide writes it, with the words around it."""
    values: tuple[float, ...]
    found: bool


def numbers_on_slides(deck: str | Path, sources: KnowledgeBase) -> list[NumberOnSlide]:
    """Every number of a deck's texts, tables and charts, slide by slide.

    A number is found where a source has the same values, however it writes them, or if the notes
    have it as a computed number whose formula gives it again from numbers of its source. What
    refers to a place (page 3, Figure 2) is no statement and is left out, as are slide numbers,
    those of steps, and notes. Raises DeckError where the deck cannot be read.
    """
    slides = snapshot_of(deck)["slides"]
    notes = [str(slide.get("notes") or "") for slide in slides]
    known = sorted({*_values_of(sources), *founded_values(notes, sources)})
    decimal = decimal_mark(
        "\n".join(block.text for doc in sources.documents for block in doc.blocks)
    )
    return [
        NumberOnSlide(slide["number"], text, values, all(_known(value, known) for value in values))
        for slide in slides
        for text, values in _stated(slide, decimal)
    ]


def _values_of(sources: KnowledgeBase) -> set[float]:
    found = set(sources.values)
    for document in sources.documents:
        found |= table_values(document)
        headers = (
            cell for table in document.tables for row in table.rows[: table.header_rows]
            for cell in row
        )  # fmt: skip
        titles = (block.text for block in document.blocks if block.kind in ("heading", "code"))
        texts = [document.title, document.name, *titles, *headers]
        for text in texts:
            found.update(value for item in parse_numbers(text) for value in item.values)
    return found


def _known(value: float, known: list[float]) -> bool:
    """Whether a value is one of a sorted list, or next to it by rounding."""
    place = bisect_left(known, value)
    near = known[max(0, place - 1) : place + 1]
    return any(isclose(value, other, rel_tol=1e-9, abs_tol=1e-12) for other in near)


def _stated(
    slide: Mapping[str, Any], decimal: DecimalMark
) -> Iterator[tuple[str, tuple[float, ...]]]:
    shapes = [shape for shape in _leaves(slide.get("shapes", ()))
              if _holder(shape) not in ("sldNum", "dt")]  # fmt: skip
    listed = [shape for shape in shapes if _holder(shape) not in ("title", "ctrTitle")]
    ordinals = _ordinals([text for shape in listed for text in _texts(shape)])
    for shape in shapes:
        holder = _holder(shape)
        if _STATION.match(str(shape.get("name"))):
            continue
        for text in _texts(shape):
            steps = [match.span() for match in _STEP.finditer(text)]
            if (lead := _LEAD.match(text)) and int(lead[1]) in ordinals:
                steps.append(lead.span(1))
            if holder in ("title", "ctrTitle"):
                steps += [match.span() for match in _AGAIN.finditer(text)]
            for item in parse_numbers(text, decimal=decimal):
                if any(first <= item.start < end for first, end in steps):
                    continue
                if item.kind != "reference":
                    yield text[max(0, item.start - 30) : item.end + 30], item.values
        for series in shape.get("chart", {}).get("series", ()):
            for value in series.get("values", ()):
                if value is not None:
                    yield f"{series.get('name')}: {value}", (float(value),)


def _holder(shape: Mapping[str, Any]) -> str | None:
    return (shape.get("placeholder") or {}).get("type")


def _ordinals(texts: Sequence[str]) -> frozenset[int]:
    """The numbers that lead the texts of a slide if they count on from the first: badges of a list,
    of steps or of chapters."""
    leads = [int(lead[1]) for text in texts if (lead := _LEAD.match(text))]
    counted = range(min(leads), min(leads) + len(leads)) if len(leads) > 1 else ()
    return frozenset(leads) if sorted(leads) == list(counted) else frozenset()


def _leaves(shapes: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for shape in shapes:
        yield shape
        yield from _leaves(shape.get("shapes", ()))


def _texts(shape: Mapping[str, Any]) -> Iterator[str]:
    text = shape.get("text")
    if isinstance(text, Mapping) and text.get("text"):
        yield str(text["text"])
    for row in shape.get("table", {}).get("cells", ()):
        yield from (str(cell) for cell in row)
    chart = shape.get("chart", {})
    yield from (str(chart[key]) for key in ("title",) if chart.get(key))
    yield from (str(name) for name in chart.get("categories", ()))
