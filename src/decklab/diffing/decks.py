"""Compares two deck files by the parts that differ, and finds the edits in a deck that LibreOffice
saved by comparing it with another resave.

LibreOffice writes a deck anew from its own model. If it can be started it saves the older deck too:
a difference between that copy and the newer deck is an edit, for both were rewritten in the same
way. All other differences between the older and the newer deck are noise.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

from decklab.core.errors import DeckError, RenderError
from decklab.deck.reading import properties_of
from decklab.deck.sheets import Sheet
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import INHERITED, Change, DeckDiff, Json
from decklab.diffing.libreoffice import saved_by_libreoffice
from decklab.diffing.matching import STRANGE, likeness, match_shapes
from decklab.diffing.same_parts import PackagePair, Unchanged, unchanged_slides, with_shared
from decklab.diffing.snapshots import (
    Compared,
    DeckEdit,
    Matched,
    compare_matched,
    diff,
    match_decks,
)
from decklab.diffing.wording import shape_words
from decklab.diffing.xml.remaining import with_xml_changes
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import SlideEntry
from decklab.rendering.opening import as_powerpoint
from decklab.rendering.renderer import Cache, Renderer

_TEMPLATES = ("theme", "master", "layout")
_LEVELLED = ("font.", "paragraph.margin", "paragraph.indent", "paragraph.space",
             "paragraph.line", "paragraph.bullet", "paragraph.align")  # fmt: skip
"""Properties that a paragraph inherits from its level."""


def needs_resave(before: Package, after: Package) -> bool:
    """Whether LibreOffice saved the newer deck, and not the older one; their properties say so.
    Raises MissingPart if one has no main part."""
    facts = ({"properties": properties_of(deck)} for deck in (before, after))
    old, new = map(saved_by_libreoffice, facts)
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
    plain = {_key(item): item for item in compare_matched(before, after, matched).found.changes}
    origins = _Originals(before, resaved, {new: old for old, new in pairs})
    edits = [origins.named(change) for change in _once(origins.causes(real.edits))]
    reported = [
        plain[_key(change)].model_copy(update={"noise": False})
        if _key(change) in plain and change.property not in ("added", "removed")
        else change
        for change in edits
    ]
    known = {_key(change) for change in reported}
    others = (item for key, item in plain.items() if key not in known)
    noise = [item.model_copy(update={"noise": True}) for item in others]
    changes = sorted((*reported, *noise), key=lambda item: item.slide or 0)
    return DeckDiff(changes=tuple(changes), slides=real.slides)


def _key(change: Change) -> Any:
    element = change.element
    at = (0, "", "") if element is None else (element.id, element.part, element.sheet)
    value = repr(change.new) if change.kind in ("added", "removed", "slide") else ""
    return change.slide, at, change.kind, change.property, value


def _values(change: Change) -> tuple[str, str, str]:
    return change.property, repr(change.old), repr(change.new)


def _once(changes: Iterable[Change]) -> Iterator[Change]:
    """Drop repeated changes: LibreOffice makes a master and a theme for each layout."""
    reported = set()
    for change in changes:
        if change.slide is None and change.kind in _TEMPLATES and change.element is not None:
            element, values = change.element, (change.old, change.new)
            state = repr((element.sheet, change.kind, change.property, element.part, values))
            if state in reported:
                continue
            reported.add(state)
        yield change


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
        if (shape := self._shape(self._older.get(change.slide, 0), element.id)) is None:
            return change
        named = {"id": shape.get("id", 0), "name": shape.get("name", "")}
        named["words"] = shape_words(shape)
        return change.model_copy(update={"element": element.model_copy(update=named)})

    def causes(self, changes: Iterable[Change]) -> list[Change]:
        """The changes, without those that follow from others: LibreOffice states inherited values
        on slides, where a template or another level has the same change, and writes one layout and
        master per use."""
        details = [change for change in changes if not _of_use(change)]
        levels = {_text(change) for change in details if change.property == "paragraph.level"}
        of_templates = (item for item in details if item.slide is None and item.kind in _TEMPLATES)
        templates = set(map(_values, of_templates))

        def follows(item: Change) -> bool:
            if _text(item) in levels and item.property.startswith(_LEVELLED):
                return True
            return _values(item) in templates and self._inherited(item)

        return [item for item in details if not follows(item)]

    def _inherited(self, change: Change) -> bool:
        """Whether the older deck does not state the changed value on the slide itself."""
        if not (number := self._older.get(change.slide or 0, 0)):
            return False
        if (element := change.element) is None or not element.id:
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


def diff_packages(
    before: Package,
    after: Package,
    *,
    taken: tuple[Snapshot, Snapshot] | None = None,
    edited: bool = False,
) -> DeckDiff:
    """The changes that lead from one deck to another: those of ``diff`` on their snapshots, and
    every other difference of their parts.

    A difference that no change explains is reported by part and path (``decklab.diffing.xml``).
    Slides and shapes that are the same in both files, with all that they lead to, are not read if
    the templates are the same too or differ only in theme colours and fonts. ``taken`` are the
    snapshots of both decks, if the caller has them. With ``edited`` the newer deck was made from
    the older one by an editor that keeps the ids of slides, so that they count however little is
    left of a slide, as in a translation. Raises what taking a snapshot raises.
    """
    packages = PackagePair(before, after)
    with ExitStack() as stack:
        if taken is None:
            stack.enter_context(after.share_relationships(before, packages.identical))
            same = unchanged_slides(packages)
            compared = _changed_slides(before, after, same, edited=edited) if same else None
            if compared is not None:
                return with_xml_changes(packages, compared, whole=False)
            taken = snapshot(before), snapshot(after)
        compared = compare_matched(*taken, match_decks(*taken, edited=edited))
        return with_xml_changes(packages, compared, whole=True)


def _changed_slides(
    before: Package, after: Package, same: Unchanged, *, edited: bool
) -> Compared | None:
    """Compare snapshots in which unchanged slides are blank and unchanged shapes are summaries;
    None if that might miss changes.

    Layouts and masters are the same in both decks, except for their themes; they are read only if a
    slide uses another layout than before.
    """
    old, new = _snapshots(before, after, same)
    if old is None or new is None:
        return None
    matched = match_decks(old, new, edited=edited)
    if _doubtful(matched, same):
        return None
    layouts = _layouts(old["slides"]), _layouts(new["slides"])
    if layouts[0] != layouts[1] or any(map(_switched, matched.pairs)):
        old, new = _snapshots(before, after, same, frozenset(chain(*layouts)))
        if old is None or new is None:
            return None
        matched = match_decks(old, new, edited=edited)
    return compare_matched(old, new, matched)


def _switched(pair: tuple[Json, Json]) -> bool:
    return bool(pair[0].get("layout_part") != pair[1].get("layout_part"))


def _layouts(slides: Iterable[Json]) -> frozenset[str]:
    return frozenset(part for slide in slides if (part := slide.get("layout_part")))


def _snapshots(
    before: Package, after: Package, same: Unchanged, layouts: Collection[str] = ()
) -> tuple[Snapshot | None, Snapshot | None]:
    """Both snapshots; layouts and masters are read once, unless their colours differ."""
    shared: dict[str, Sheet] | None = None if same.recolored else {}
    old = _snapshot(before, same, 0, layouts, shared)
    return old, _snapshot(after, same, 1, layouts, shared)


def _snapshot(
    package: Package,
    same: Unchanged,
    side: int,
    layouts: Collection[str],
    templates: dict[str, Sheet] | None,
) -> Snapshot | None:
    """Snapshot without unchanged shapes; None if the shapes found do not match."""
    listed, shapes = same.listed[side], same.same_shapes
    changed = {entry.number for entry in listed if entry.id not in same.ids}
    without = {item.part: shapes[item.id].ids for item in listed if item.id in shapes}
    deck = snapshot(
        package, slides=changed, layouts=layouts, masters=same.recolored,
        without=without, templates=templates,
    )  # fmt: skip
    read = {slide["number"]: slide for slide in deck["slides"]}
    slides = []
    for entry in listed:
        slide = read.get(entry.number) or _blank(entry)
        if entry.id in same.same_shapes:
            if (whole := with_shared(slide, same.same_shapes[entry.id], side)) is None:
                return None
            slide = whole
        slides.append(slide)
    return {**deck, "slides": slides}


def _blank(entry: SlideEntry) -> Json:
    return {"number": entry.number, "id": entry.id, "content": "", "shapes": []}


def _doubtful(matched: Matched, same: Unchanged) -> bool:
    """Whether slides or shapes that were not read may matter for the matching.

    They may matter if a slide has an old id but hardly any old content (it may be a copy of another
    one), if its creation id changed, or if a slide whose shapes were not read has no counterpart.
    """
    if any(matched.ids.get(id) != id for id in same.same_shapes):
        return True
    return any(
        old.get("creation_id") != new.get("creation_id")
        or (new["shapes"] and likeness(old, new) < STRANGE)
        for old, new in matched.pairs
        if old["id"] not in same.ids
    )


OnFallback = Callable[[str], None]
"""Called with the reason why LibreOffice could not save the older deck, so that rules have to
distinguish noise from edits."""


def diff_decks(
    before: str | Path,
    after: str | Path,
    *,
    renderer: Renderer | None = None,
    on_rules: OnFallback | None = None,
) -> DeckDiff:
    """The changes between two files: those of ``diff_packages``; but if LibreOffice saved the
    newer deck and not the older, those of ``diff_resaved``.

    LibreOffice saves a copy of the older deck then; by default the user's cache folder stores that
    copy. If LibreOffice is missing, or cannot save the deck, ``on_rules`` is called with the
    reason, and rules on what LibreOffice does distinguish noise from edits, less well. Of ``.odp``
    and ``.ppt`` copies are compared that LibreOffice converts; ``converted`` says so. Raises what
    opening packages and reading decks raise, and RenderError if a deck cannot be converted.

    ::

        for change in decklab.diff("old.pptx", "new.pptx").edits:
            print(change.slide, change.kind, change.property, change.old, change.new)
    """
    with as_powerpoint(before, renderer) as older, as_powerpoint(after, renderer) as newer:
        result = _diff_files(older.path, newer.path, renderer, on_rules)
    kinds = {str(before): older.converted, str(after): newer.converted}
    converted = {deck: kind for deck, kind in kinds.items() if kind}
    return result.model_copy(update={"converted": converted}) if converted else result


def _diff_files(
    before: Path, after: Path, renderer: Renderer | None, on_rules: OnFallback | None
) -> DeckDiff:
    with Package.open(before) as old, Package.open(after) as new:
        if not needs_resave(old, new):
            return diff_packages(old, new)
        snapshots = snapshot(old), snapshot(new)
    return _diff_resaved(before, snapshots, renderer, on_rules)


def read_decks(
    before: str | Path,
    after: str | Path,
    *,
    renderer: Renderer | None = None,
    on_rules: OnFallback | None = None,
) -> DeckEdit:
    """The same as ``diff_decks``, with both decks read whole; the same arguments and errors."""
    with Package.open(before) as old, Package.open(after) as new:
        snapshots = snapshot(old), snapshot(new)
        if not needs_resave(old, new):
            return DeckEdit(*snapshots, diff_packages(old, new, taken=snapshots))
    return DeckEdit(*snapshots, _diff_resaved(Path(before), snapshots, renderer, on_rules))


def _diff_resaved(
    path: Path,
    snapshots: tuple[Snapshot, Snapshot],
    renderer: Renderer | None,
    on_rules: OnFallback | None,
) -> DeckDiff:
    """The changes to the deck in ``path``, whose edited version LibreOffice saved."""
    try:
        resaved = _resaved(path, renderer or Renderer(cache=Cache()))
    except (DeckError, RenderError) as error:
        if on_rules is not None:
            on_rules(str(error))
        return diff(*snapshots)
    return diff_resaved(snapshots[0], resaved, snapshots[1])


def _resaved(path: Path, renderer: Renderer) -> Snapshot:
    """The deck as LibreOffice opens and saves it, without an edit."""
    with renderer.started() as started:
        data = started.resaved(path)
    with Package.from_bytes(data, f"{path}, saved by LibreOffice") as package:
        return snapshot(package)
