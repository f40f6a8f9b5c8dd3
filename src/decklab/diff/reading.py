"""Two packages in, typed changes out, reading no more of them than differs."""

from collections.abc import Collection, Iterable
from itertools import chain

from decklab.deck.snapshot import Snapshot, snapshot
from decklab.diff.deck import Matched, diff, diff_matched, match_decks
from decklab.diff.differences import Json
from decklab.diff.matching.slides import STRANGE, likeness
from decklab.diff.model import DeckDiff
from decklab.diff.unchanged import Listed, Unchanged, unchanged_slides
from decklab.ooxml.package import Package

__all__ = ["diff_packages"]


def diff_packages(before: Package, after: Package) -> DeckDiff:
    """The changes that lead from one deck to another: those of ``diff`` on their snapshots.

    Slides that are the same in both files, with all their parts, are not read, where the
    templates are the same too. Raises what taking a snapshot raises.
    """
    same = unchanged_slides(before, after)
    if same.ids:
        found = _changed_slides(before, after, same)
        if found is not None:
            return found
    return diff(snapshot(before), snapshot(after))


def _changed_slides(before: Package, after: Package, same: Unchanged) -> DeckDiff | None:
    """The changes where unchanged slides are blank; None where that may not be all.

    What stands behind the slides is the same in both decks: it needs no reading unless a slide
    went to another layout.
    """
    old, new = _snapshot(before, same, 0), _snapshot(after, same, 1)
    matched = match_decks(old, new)
    if _doubtful(matched, same.ids):
        return None
    layouts = _layouts(old["slides"]), _layouts(new["slides"])
    if layouts[0] != layouts[1] or any(map(_switched, matched.pairs)):
        every = frozenset(chain(*layouts))
        old, new = _snapshot(before, same, 0, every), _snapshot(after, same, 1, every)
        return diff(old, new)
    return diff_matched(old, new, matched)


def _switched(pair: tuple[Json, Json]) -> bool:
    return bool(pair[0].get("layout_part") != pair[1].get("layout_part"))


def _layouts(slides: Iterable[Json]) -> frozenset[str]:
    return frozenset(part for slide in slides if (part := slide.get("layout_part")))


def _snapshot(
    package: Package, same: Unchanged, side: int, layouts: Collection[str] = ()
) -> Snapshot:
    listed = same.listed[side]
    read = {one.number for one in listed if one.id not in same.ids}
    taken = snapshot(package, slides=read, layouts=layouts)
    slides = {slide["number"]: slide for slide in taken["slides"]}
    return {**taken, "slides": [slides.get(one.number) or _blank(one) for one in listed]}


def _blank(one: Listed) -> Json:
    return {"number": one.number, "id": one.id, "content": "", "shapes": []}


def _doubtful(matched: Matched, same: frozenset[int]) -> bool:
    """Whether slides that were not read may matter: some slide kept its id and little else, so
    that it may be a copy of one of them, or lost the mark by which slides are told apart."""
    return any(
        old.get("creation_id") != new.get("creation_id")
        or (new["shapes"] and likeness(old, new) < STRANGE)
        for old, new in matched.pairs
        if old["id"] not in same
    )
