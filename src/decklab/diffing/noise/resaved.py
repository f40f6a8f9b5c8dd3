"""Finds the edits in a deck that LibreOffice saved, by comparing it with another resave.

LibreOffice writes a deck anew from its own model. If it can be started it saves the older deck too:
a difference between that copy and the newer deck is an edit, for both were rewritten in the same
way. All other differences between the older and the newer deck are noise.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from decklab.deck.reading import properties_of
from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.compare.difference import INHERITED, Json
from decklab.diffing.match.shapes import match_shapes
from decklab.diffing.noise.libreoffice import saved_by_libreoffice
from decklab.diffing.snapshots import Matched, compare_matched, diff
from decklab.diffing.wording import shape_words
from decklab.ooxml.package import Package

_TEMPLATES = ("theme", "master", "layout")
_LEVELLED = ("font.", "paragraph.margin", "paragraph.indent", "paragraph.space",
             "paragraph.line", "paragraph.bullet", "paragraph.align")  # fmt: skip
"""Properties that a paragraph inherits from its level."""


def needs_resave(before: Package, after: Package) -> bool:
    """Whether LibreOffice saved the newer deck, and not the older one; their properties say so.
    Raises MissingPart if one has no main part."""
    old, new = (saved_by_libreoffice({"properties": properties_of(deck)})
                for deck in (before, after))  # fmt: skip
    return new and not old


def diff_resaved(before: Snapshot, resaved: Snapshot, after: Snapshot) -> DeckDiff:
    """The changes that lead from one deck to another that LibreOffice saved.

    ``resaved`` is the older deck as the same LibreOffice saves it, without an edit. The changes are
    those of ``diff``; those found between ``resaved`` and ``after`` are edits, all others noise.
    Content that LibreOffice does not save, such as sections, is not compared. If LibreOffice left
    out slides of the older deck the result is that of ``diff``.
    """
    if len(resaved["slides"]) != len(before["slides"]):
        return diff(before, after)
    real = diff(resaved, after)
    olds, news = before["slides"], after["slides"]
    pairs = real.slides.pairs(len(olds), len(news))
    matched = Matched(
        tuple((olds[i - 1], news[j - 1]) for i, j in pairs),
        tuple(news[number - 1] for number in real.slides.added),
        tuple(olds[number - 1] for number in real.slides.removed),
    )
    plain = {_key(one): one for one in compare_matched(before, after, matched).found.changes}
    origins = _Originals(before, resaved, {new: old for old, new in pairs})
    edits = [origins.named(change) for change in _once(origins.causes(real.edits))]
    reported = [
        plain[_key(change)].model_copy(update={"noise": False})
        if _key(change) in plain and change.property not in ("added", "removed")
        else change
        for change in edits
    ]
    known = {_key(change) for change in reported}
    noise = [
        one.model_copy(update={"noise": True}) for key, one in plain.items() if key not in known
    ]
    changes = sorted((*reported, *noise), key=lambda one: one.slide or 0)
    return DeckDiff(changes=tuple(changes), slides=real.slides)


def _key(change: Change) -> Any:
    element = change.element
    place = (0, "", "") if element is None else (element.id, element.part, element.sheet)
    value = repr(change.new) if change.kind in ("added", "removed", "slide") else ""
    return change.slide, place, change.kind, change.property, value


def _once(changes: Iterable[Change]) -> Iterator[Change]:
    """Drop repeated changes: LibreOffice makes a master and a theme for each layout, so that one
    change of a template occurs several times."""
    reported = set()
    for one in changes:
        if one.slide is None and one.kind in _TEMPLATES and one.element is not None:
            state = one.element.sheet, one.kind, one.property, one.element.part, one.old, one.new
            if repr(state) in reported:
                continue
            reported.add(repr(state))
        yield one


def _of_use(change: Change) -> bool:
    """Whether a whole layout, master or theme was added or removed."""
    named = change.element is not None and not change.element.id
    whole = change.kind in _TEMPLATES and change.property in ("added", "removed")
    return change.slide is None and whole and named


def _text(change: Change) -> tuple[int | None, int, str]:
    element = change.element
    return change.slide, 0 if element is None else element.id, element.part if element else ""


class _Originals:
    """Names and origins of values in the older deck, which the resaved copy no longer has."""

    def __init__(self, before: Snapshot, resaved: Snapshot, older: dict[int, int]) -> None:
        self._sides = before["slides"], resaved["slides"]
        self._older = older
        """Number of each slide in the older deck by that in the newer."""

    def named(self, change: Change) -> Change:
        """A change in which a removed shape has the id and name of the older deck."""
        element = change.element
        if change.kind != "removed" or element is None or change.slide is None:
            return change
        shape = self._shape(self._older.get(change.slide, 0), element.id)
        if shape is None:
            return change
        named = {"id": shape.get("id", 0), "name": shape.get("name", ""),
                 "words": shape_words(shape)}  # fmt: skip
        return change.model_copy(update={"element": element.model_copy(update=named)})

    def causes(self, changes: Iterable[Change]) -> list[Change]:
        """The changes, without those that follow from others: LibreOffice states inherited values
        on slides, where a template or another level has the same change, and writes one layout and
        master per use."""
        details = [change for change in changes if not _of_use(change)]
        levels = {_text(change) for change in details if change.property == "paragraph.level"}
        templates = {
            (change.property, repr(change.old), repr(change.new))
            for change in details
            if change.slide is None and change.kind in _TEMPLATES
        }
        return [
            one
            for one in details
            if not (
                ((one.property, repr(one.old), repr(one.new)) in templates and self._inherited(one))
                or (_text(one) in levels and one.property.startswith(_LEVELLED))
            )
        ]

    def _inherited(self, change: Change) -> bool:
        """Whether the older deck does not state the changed value on the slide itself."""
        number = self._older.get(change.slide or 0, 0)
        if not number:
            return False
        element = change.element
        if element is None or not element.id:
            sources = [self._sides[0][number - 1].get("sources", {})]
        else:
            shape = self._shape(number, element.id)
            sources = [] if shape is None else list(_sources(shape, change.property))
        name = change.property.rpartition(".")[2]
        return bool(sources) and any(source.get(name, "") in INHERITED for source in sources)

    def _shape(self, number: int, id: int) -> Json | None:
        """A shape of the older deck, by its id in the resaved copy."""
        if not 1 <= number <= len(self._sides[0]):
            return None
        old, new = (side[number - 1]["shapes"] for side in self._sides)
        for i, j in match_shapes(old, new):
            if new[j].get("id") == id:
                return dict(old[i])
        return None


def _sources(shape: Json, property: str) -> Iterator[Json]:
    """The ``sources`` of the parts of a shape that a property belongs to."""
    if property.startswith("body."):
        yield shape.get("text", {}).get("body", {}).get("sources", {})
    elif property.startswith(("font.", "paragraph.")):
        for paragraph in shape.get("text", {}).get("paragraphs", ()):
            runs = paragraph.get("runs", ()) if property.startswith("font.") else [paragraph]
            yield from (run.get("sources", {}) for run in runs)
    else:
        yield shape.get(shape["kind"], {}).get("sources", {})
