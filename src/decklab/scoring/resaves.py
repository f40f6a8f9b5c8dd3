"""Two deck files compared, with LibreOffice at hand to tell edits from what its own save does."""

from collections.abc import Callable
from pathlib import Path

from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.noise.resaved import diff_resaved, needs_resave
from decklab.diffing.packages import diff_packages
from decklab.diffing.snapshots import diff
from decklab.errors import DeckError, RenderError
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache, cache_key
from decklab.rendering.office.office import SAVE_FILTER, Office


def nothing_said(_why: str) -> None:
    """Nobody asked why."""


def diff_decks(
    before: str | Path,
    after: str | Path,
    *,
    office: Office | None = None,
    cache: Cache | None = None,
    on_rules: Callable[[str], None] = nothing_said,
) -> DeckDiff:
    """The changes between two files: those of ``diff_packages``; but where LibreOffice saved the
    newer deck and not the older, those of ``diff_resaved``.

    LibreOffice saves a copy of the older deck then: ``office``, or one that is started for the
    call; ``cache`` keeps what it saved, by default in the user's cache folder. Where it cannot be
    had, or not save the deck, ``on_rules`` is told why, and rules on what LibreOffice does tell
    noise from edits, less well. Raises what opening packages and reading decks raise.
    """
    with Package.open(before) as old, Package.open(after) as new:
        marks = snapshot(old, slides=()), snapshot(new, slides=())
        if not needs_resave(*marks):
            return diff_packages(old, new)
        taken = snapshot(old), snapshot(new)
    return diff_snapshots(before, *taken, office=office, cache=cache, on_rules=on_rules)


def diff_snapshots(
    path: str | Path,
    before: Snapshot,
    after: Snapshot,
    *,
    office: Office | None = None,
    cache: Cache | None = None,
    on_rules: Callable[[str], None] = nothing_said,
) -> DeckDiff:
    """The same of two snapshots; ``path`` is the file of the older deck."""
    if not needs_resave(before, after):
        return diff(before, after)
    try:
        resaved = _resaved(Path(path), office, cache or Cache())
    except (DeckError, RenderError) as error:
        on_rules(str(error))
        return diff(before, after)
    return diff_resaved(before, resaved, after)


def _resaved(path: Path, office: Office | None, cache: Cache) -> Snapshot:
    """What LibreOffice makes of a deck by only saving it."""
    if office is None:
        with Office() as started:
            return _resaved(path, started, cache)
    key = cache_key(path.read_bytes(), {"resaved by": office.engine, "filter": SAVE_FILTER})
    data = cache.get(key)
    if data is None:
        data = office.resaved(path)
        cache.put(key, data)
    with Package.from_bytes(data, f"{path}, saved by LibreOffice") as package:
        return snapshot(package)
