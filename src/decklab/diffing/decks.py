"""Compares two deck files by the parts that differ; LibreOffice helps to distinguish edits from
what its own save does.
"""

from collections.abc import Callable, Collection, Iterable
from itertools import chain
from pathlib import Path

from decklab.core.errors import DeckError, RenderError
from decklab.deck.sheets import Sheet
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.compare.difference import Json
from decklab.diffing.match.slides import STRANGE, likeness
from decklab.diffing.noise.resaved import diff_resaved, needs_resave
from decklab.diffing.same_parts import PackagePair, Unchanged, unchanged_slides, with_shared
from decklab.diffing.snapshots import (
    Compared,
    DeckEdit,
    Matched,
    compare_matched,
    diff,
    match_decks,
)
from decklab.diffing.xml.remaining import with_xml_changes
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import SlideEntry
from decklab.rendering.extracting import as_powerpoint
from decklab.rendering.renderer import Cache, Renderer


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
    if taken is not None:
        return with_xml_changes(
            packages, compare_matched(*taken, match_decks(*taken, edited=edited)), whole=True
        )
    with after.share_relationships(before, packages.identical):
        same = unchanged_slides(packages)
        compared = _changed_slides(before, after, same, edited=edited) if same else None
        if compared is not None:
            return with_xml_changes(packages, compared, whole=False)
        old, new = snapshot(before), snapshot(after)
        return with_xml_changes(
            packages, compare_matched(old, new, match_decks(old, new, edited=edited)), whole=True
        )


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
        used = frozenset(chain(*layouts))
        old, new = _snapshots(before, after, same, used)
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
    listed = same.listed[side]
    deck = snapshot(
        package,
        slides={entry.number for entry in listed if entry.id not in same.ids},
        layouts=layouts,
        masters=same.recolored,
        without={
            one.part: same.same_shapes[one.id].ids for one in listed if one.id in same.same_shapes
        },
        templates=templates,
    )
    read = {slide["number"]: slide for slide in deck["slides"]}
    slides = []
    for entry in listed:
        slide = read.get(entry.number) or _blank(entry)
        if entry.id in same.same_shapes:
            whole = with_shared(slide, same.same_shapes[entry.id], side)
            if whole is None:
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
