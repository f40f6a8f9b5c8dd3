"""Additions of an edit, in full, and the texts it left as they were: for its review and its owner.

A list of changes tells neither: a chart that came is one change, whatever its numbers are, and
notes that nobody translated are none.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DeckError
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.diffing.changes import DeckDiff, Kind
from decklab.editing.every_text import TextPlace
from decklab.editor.deck_tools import place_line
from decklab.editor.outline import shape_words
from decklab.editor.planning import PlannedChange
from decklab.editor.result import EditOverview
from decklab.editor.text_steps import deck_texts

_WORDS: Final[frozenset[Kind]] = frozenset(
    {"text", "table", "chart", "diagram", "notes", "alt text"}
)
"""Kinds of changes that bring other words."""
_Shape = Mapping[str, Any]


def overview_of(
    original: Path, edited: Path, diff: DeckDiff, changes: Iterable[PlannedChange]
) -> EditOverview:
    """The overview of an edit under a plan.

    ``diff`` has its changes, ``changes`` are those of the plan. Raises DeckError if a deck
    cannot be read.
    """
    added = tuple(added_lines(snapshot_of(edited), diff))
    scope = _slides_with_new_words(changes)
    if scope is None:
        return EditOverview(added)
    places = [place for place in _texts(edited) if not scope or place.slide in scope]
    before = {place.id: place.text for place in _texts(original)}
    same = [place for place in places if before.get(place.id) == place.text]
    return EditOverview(added, tuple(map(place_line, same)), _counts(same, len(places)))


def _texts(deck: Path) -> list[TextPlace]:
    """The texts with letters; none for a deck that can be patched, but not opened for editing."""
    try:
        places = deck_texts(deck)
    except DeckError:
        return []
    return [place for place in places if any(letter.isalpha() for letter in place.text)]


def _slides_with_new_words(changes: Iterable[PlannedChange]) -> Collection[int] | None:
    """The slides whose words a plan wants changed, empty for all; None if it wants none."""
    worded = [one for one in changes if one.required and not _WORDS.isdisjoint(one.kinds)]
    if not worded:
        return None
    if not all(one.slides for one in worded):
        return ()
    return {number for one in worded for number in one.slides}


def _counts(places: list[TextPlace], total: int) -> str:
    by_kind: dict[str, list[TextPlace]] = {}
    for place in places:
        by_kind.setdefault(place.kind, []).append(place)
    told = [f"{kind} {len(some)}{_where(some)}" for kind, some in by_kind.items()]
    return f"{len(places)} of {total} texts stayed as they were: {'; '.join(told)}" if told else ""


def _where(places: Iterable[TextPlace]) -> str:
    numbers = sorted({place.slide for place in places if place.slide is not None})
    listed = ", ".join(map(str, numbers[:12])) + (", …" if len(numbers) > 12 else "")
    return f" (slide{'s' * (len(numbers) > 1)} {listed})" if numbers else ""


def added_lines(snapshot: Snapshot, diff: DeckDiff) -> Iterator[str]:
    """Contents of new slides and shapes, one line for each shape with words or numbers, and for
    notes; ``snapshot`` is that of the newer deck."""
    slides = {slide["number"]: slide for slide in snapshot["slides"]}
    for change in diff.edits:
        slide = slides.get(change.slide)
        if slide is None:
            continue
        if (change.kind, change.property) == ("slide", "added"):
            yield from _lines(slide, slide.get("shapes", ()))
            if slide.get("notes"):
                yield f"Slide {slide['number']}, notes: {' '.join(slide['notes'].split())}"
        elif change.kind == "added" and change.element is not None:
            id = change.element.id
            shapes = slide.get("shapes", ())
            yield from _lines(
                slide, [one for one in shapes if id in (one["id"], *one.get("groups", ()))]
            )


def _lines(slide: Mapping[str, Any], shapes: Iterable[_Shape]) -> Iterator[str]:
    for shape in shapes:
        words = shape_contents(shape)
        if words:
            yield f"Slide {slide['number']}, {shape['kind']} “{shape.get('name', '')}”: {words}"


def shape_contents(shape: _Shape) -> str:
    """The words and numbers of a shape of a snapshot on one line, a chart's with its categories.

    >>> series = {"name": "2025", "categories": ["North", "South"], "values": [3.0, None]}
    >>> shape_contents({"kind": "chart", "chart": {"type": "pie", "series": [series]}})
    'pie; 2025: North 3, South none'
    """
    if shape["kind"] == "table":
        rows = shape.get("table", {}).get("cells") or ()
        return " / ".join(" | ".join(map(_on_one_line, row)) for row in rows)
    if shape["kind"] != "chart":
        return shape_words(shape)
    chart = shape.get("chart", {})
    titles = [chart.get("title"), *(axis.get("title") for axis in chart.get("axes", ()))]
    told = [str(chart.get("type", "chart")), *(_on_one_line(one) for one in titles if one)]
    return "; ".join([*told, *map(_series, chart.get("series", ()))])


def _series(series: Mapping[str, Any]) -> str:
    values = series.get("values", ())
    names = [*series.get("categories", ()), *range(1, len(values) + 1)]
    pairs = (
        f"{_on_one_line(name)} {_number(value)}" for name, value in zip(names, values, strict=False)
    )
    return f"{_on_one_line(series.get('name', ''))}: {', '.join(pairs)}"


def _number(value: Any) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _on_one_line(text: object) -> str:
    return " ".join(str(text).split())
