"""Whether a diff reports exactly the edits that were made."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from pptx import Presentation
from tests.diffing.edits import Expected

from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.snapshots import diff
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries


def resaved(path: Path, expected: list[Expected]) -> list[Expected]:
    """Save a deck again with python-pptx, which names the parts of slides anew; what to expect
    then."""
    old = _parts(path)
    deck = Presentation(str(path))
    deck.save(str(path))
    new = _parts(path)
    names = {part: new[id] for id, part in old.items()}
    return [replace(one, part=names.get(one.part, one.part)) for one in expected]


def _parts(path: Path) -> dict[int, str]:
    with Package.open(path) as package:
        return {entry.id: entry.part for entry in slide_entries(package)}


def compared(before: Path, after: Path) -> DeckDiff:
    """The changes between two files."""
    with Package.open(before) as old, Package.open(after) as new:
        return diff_packages(old, new)


def taken(path: Path) -> Snapshot:
    """The snapshot of a file."""
    with Package.open(path) as package:
        return snapshot(package)


def of_snapshots(found: DeckDiff) -> DeckDiff:
    """What comparing the snapshots of two files says: the changes that name no part.

    Shapes that are the same in both files are not read, so that they may be named in fewer words.
    """
    told = tuple(_by_name(change) for change in found.changes if not change.part)
    return found.model_copy(update={"changes": told})


def _by_name(change: Change) -> Change:
    """The change, its shape named by id and name alone."""
    if change.element is None:
        return change
    return change.model_copy(update={"element": change.element.model_copy(update={"words": ""})})


def shortfall(
    before: Snapshot, after: Snapshot, expected: list[Expected], files: DeckDiff | None = None
) -> tuple[Counter[Expected], Counter[Expected], DeckDiff]:
    """Edits that the diff misses, and changes that it reports though nobody made them; in the
    changes between two files, or else between their snapshots, which come third."""
    found = diff(before, after)
    seen = Counter(_as_expected(change, before, after) for change in (files or found).edits)
    wanted = Counter(_named(one, after) for one in expected)
    return wanted - seen, seen - wanted, found


def _as_expected(change: Change, before: Snapshot, after: Snapshot) -> Expected:
    element = change.element
    shape = element.id if element is not None and element.id else None
    return Expected(_part(change, before, after), shape, change.kind, change.property)


def _part(change: Change, before: Snapshot, after: Snapshot) -> str:
    if change.slide is not None:
        side = before if (change.kind, change.property) == ("slide", "removed") else after
        return str(side["slides"][change.slide - 1]["part"])
    if change.element is not None and change.kind in ("layout", "master", "theme"):
        return change.element.sheet
    return ""


def _named(expected: Expected, after: Snapshot) -> Expected:
    """Layouts, masters and themes by name: that is how changes tell them."""
    for sheet in (*after["layouts"], *after["masters"], *after["themes"]):
        if sheet["part"] == expected.part:
            return replace(expected, part=sheet["name"])
    return expected
