"""What the diff makes of one change of a deck's parts."""

from dataclasses import dataclass
from pathlib import Path

from decklab.core.errors import DecklabError
from decklab.diffing.changes import Change
from decklab.diffing.decks import diff_packages
from decklab.diffing.wording import sentence
from decklab.ooxml.package import Package

__all__ = ["Verdict", "verdict"]


@dataclass(frozen=True)
class Verdict:
    """How a change was told."""

    fate: str
    """``typed`` by a change with a name, ``path`` by part and path only, ``noise``, ``silent``, or
    ``unreadable``."""
    changes: tuple[Change, ...] = ()
    rules: tuple[str, ...] = ()
    """What makes it noise."""


def verdict(before: Path, after: Path) -> Verdict:
    """Compare two decks of which the newer one was changed in one place."""
    try:
        with Package.open(before) as old, Package.open(after) as new:
            found = diff_packages(old, new)
    except DecklabError:
        return Verdict("unreadable")
    for change in found.changes:
        assert sentence(change), "every change has words"
    if any(change.kind != "detail" for change in found.edits):
        return Verdict("typed", found.edits)
    if found.edits:
        return Verdict("path", found.edits)
    if found.changes:
        return Verdict("noise", found.changes, tuple(sorted(map(_rule, found.changes))))
    return Verdict("silent")


def _rule(change: Change) -> str:
    return change.rule or f"{change.kind} {change.property}"
