"""Compares two deck files; LibreOffice helps to distinguish edits from what its own save does."""

from collections.abc import Callable
from pathlib import Path

from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.noise.resaved import diff_resaved, needs_resave
from decklab.diffing.packages import diff_packages
from decklab.diffing.snapshots import DeckEdit, diff
from decklab.errors import DeckError, RenderError
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache, cache_key
from decklab.rendering.office.office import SAVE_FILTER, Office

OnFallback = Callable[[str], None]
"""Called with the reason why LibreOffice could not save the older deck, so that rules have to
distinguish noise from edits."""


def diff_decks(
    before: str | Path,
    after: str | Path,
    *,
    office: Office | None = None,
    cache: Cache | None = None,
    on_rules: OnFallback | None = None,
) -> DeckDiff:
    """The changes between two files: those of ``diff_packages``; but where LibreOffice saved the
    newer deck and not the older, those of ``diff_resaved``.

    LibreOffice saves a copy of the older deck then: ``office``, or one that is started for the
    call; ``cache`` keeps what it saved, by default in the user's cache folder. Where it cannot be
    had, or not save the deck, ``on_rules`` is told why, and rules on what LibreOffice does tell
    noise from edits, less well. Raises what opening packages and reading decks raise.

    ::

        for change in decklab.diff("old.pptx", "new.pptx").edits:
            print(change.slide, change.kind, change.property, change.old, change.new)
    """
    with Package.open(before) as old, Package.open(after) as new:
        if not needs_resave(old, new):
            return diff_packages(old, new)
        taken = snapshot(old), snapshot(new)
    return _diff_resaved(Path(before), taken, office, cache, on_rules)


def read_decks(
    before: str | Path,
    after: str | Path,
    *,
    office: Office | None = None,
    cache: Cache | None = None,
    on_rules: OnFallback | None = None,
) -> DeckEdit:
    """The same with both decks read whole; arguments and errors are those of ``diff_decks``."""
    with Package.open(before) as old, Package.open(after) as new:
        taken = snapshot(old), snapshot(new)
        if not needs_resave(old, new):
            return DeckEdit(*taken, diff_packages(old, new, taken=taken))
    return DeckEdit(*taken, _diff_resaved(Path(before), taken, office, cache, on_rules))


def _diff_resaved(
    path: Path,
    taken: tuple[Snapshot, Snapshot],
    office: Office | None,
    cache: Cache | None,
    on_rules: OnFallback | None,
) -> DeckDiff:
    """The changes to the deck in ``path``, whose edited version LibreOffice saved."""
    try:
        resaved = _resaved(path, office, cache or Cache())
    except (DeckError, RenderError) as error:
        if on_rules is not None:
            on_rules(str(error))
        return diff(*taken)
    return diff_resaved(taken[0], resaved, taken[1])


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
