"""Compares two deck files; LibreOffice helps to distinguish edits from what its own save does."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Literal

from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.noise.resaved import diff_resaved, needs_resave
from decklab.diffing.packages import diff_packages
from decklab.diffing.snapshots import DeckEdit, diff
from decklab.errors import DeckError, RenderError, RenderFailed
from decklab.files import Closing
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache
from decklab.rendering.model import RenderedDeck, RenderedSlide
from decklab.rendering.opening import open_incremental
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
    reason, and rules on what LibreOffice does distinguish noise from edits, less well. Raises what
    opening packages and reading decks raise.

    ::

        for change in decklab.diff("old.pptx", "new.pptx").edits:
            print(change.slide, change.kind, change.property, change.old, change.new)
    """
    with Package.open(before) as old, Package.open(after) as new:
        if not needs_resave(old, new):
            return diff_packages(old, new)
        snapshots = snapshot(old), snapshot(new)
    return _diff_resaved(Path(before), snapshots, renderer, on_rules)


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


DeckSide = Literal["original", "modified"]


class DecksSideBySide(Closing):
    """An original deck and its edited version; a context manager. Both files are only read.

    Where ``renderer`` has none, LibreOffice is started at the first need, and drawn slides are
    stored while this object is open. A deck that cannot be drawn is tried once.
    """

    def __init__(
        self, original: str | Path, modified: str | Path, *, renderer: Renderer | None = None
    ) -> None:
        self.paths: dict[DeckSide, Path] = {"original": Path(original), "modified": Path(modified)}
        self._stack = ExitStack()
        self._given = renderer or Renderer()
        self._drawn: dict[DeckSide, RenderedDeck | RenderError] = {}

    def close(self) -> None:
        """Release drawn decks, and LibreOffice where it was started for them."""
        self._stack.close()
        self._drawn.clear()

    def rendered(self, side: DeckSide) -> RenderedDeck:
        """A whole deck as drawn slides; raises RenderError where it cannot be drawn."""
        if side not in self._drawn:
            self._drawn[side] = self._open(side)
        deck = self._drawn[side]
        if isinstance(deck, RenderError):
            raise deck
        return deck

    def drawn(self, side: DeckSide, number: int) -> RenderedSlide:
        """A slide as it looks, by 1-based number; raises RenderError where it cannot be drawn."""
        deck = self.rendered(side)
        if not 1 <= number <= len(deck):
            raise RenderFailed(self.paths[side], f"there is no picture of slide {number}")
        return deck.slide(number)

    @cached_property
    def _renderer(self) -> Renderer:
        return self._stack.enter_context(self._given.started(own_cache=True))

    def _open(self, side: DeckSide) -> RenderedDeck | RenderError:
        try:
            deck = open_incremental(self.paths[side], renderer=self._renderer, ocr=False)
        except RenderError as error:
            return error
        return self._stack.enter_context(deck)
