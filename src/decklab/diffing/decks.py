"""Compares two deck files; LibreOffice helps to distinguish edits from what its own save does."""

from collections.abc import Callable
from pathlib import Path

from decklab.core.errors import DeckError, RenderError
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.noise.resaved import diff_resaved, needs_resave
from decklab.diffing.packages import diff_packages
from decklab.diffing.snapshots import DeckEdit, diff
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache
from decklab.rendering.converting import as_powerpoint
from decklab.rendering.renderer import Renderer

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
    """The changes between two files: those of ``diff_packages``; but where LibreOffice saved the
    newer deck and not the older, those of ``diff_resaved``.

    LibreOffice saves a copy of the older deck then; by default the user's cache folder stores that
    copy. Where LibreOffice is missing, or cannot save the deck, ``on_rules`` is called with the
    reason, and rules on what LibreOffice does distinguish noise from edits, less well. Of ``.odp``
    and ``.ppt`` copies are compared that LibreOffice converts; ``converted`` says so. Raises what
    opening packages and reading decks raise, and RenderError where a deck cannot be converted.

    ::

        for change in decklab.diff("old.pptx", "new.pptx").edits:
            print(change.slide, change.kind, change.property, change.old, change.new)
    """
    with as_powerpoint(before, renderer) as older, as_powerpoint(after, renderer) as newer:
        found = _diff_files(older.path, newer.path, renderer, on_rules)
    kinds = {str(before): older.converted, str(after): newer.converted}
    converted = {deck: kind for deck, kind in kinds.items() if kind}
    return found.model_copy(update={"converted": converted}) if converted else found


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
    """What LibreOffice makes of a deck by only saving it."""
    with renderer.started() as started:
        data = started.resaved(path)
    with Package.from_bytes(data, f"{path}, saved by LibreOffice") as package:
        return snapshot(package)
