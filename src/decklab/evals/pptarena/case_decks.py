"""Decks of cases, read and drawn once for all attempts that are compared with them."""

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import RenderError
from decklab.core.files import Closing
from decklab.core.results import NotScored
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.decks import diff_packages
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.ooxml.package import Package
from decklab.rendering.opening import open_incremental
from decklab.rendering.pictures import RenderedDeck
from decklab.rendering.renderer import Cache, Renderer

K = TypeVar("K")
V = TypeVar("V")
Image = NDArray[np.uint8]
_KEPT = 4
"""Decks whose pictures are in memory at once: original, truth, prediction and one more; and as
many edits. Ours."""
_READ = 48
"""Snapshots that are in memory at once, some MB each. Ours."""
_SIZE = (1280, 720)


class Decks(Closing):
    """Reads and draws decks, and remembers the recent ones; a context manager.

    With ``pictures=False`` nothing is drawn. By default the user's cache folder stores drawings.
    Hidden slides have pictures like others.
    """

    def __init__(self, *, pictures: bool = True, renderer: Renderer | None = None) -> None:
        self._wanted = pictures
        self._compared: ComparedDecks | None = None
        self._stack = ExitStack()
        given = renderer or Renderer(cache=Cache())
        self._renderer = self._stack.enter_context(given.started())
        self._read: OrderedDict[Path, Snapshot] = OrderedDict()
        self._edits: OrderedDict[tuple[Path, Path], DeckEdit] = OrderedDict()
        self._drawn: OrderedDict[Path, tuple[Image, ...] | NotScored] = OrderedDict()

    def close(self) -> None:
        """Release drawn decks and the renderer."""
        if self._compared is not None:
            self._compared.close()
        self._stack.close()

    def snapshot(self, path: Path) -> Snapshot:
        """The snapshot of a deck; raises DeckError where it cannot be read."""
        if path not in self._read:
            with Package.open(path) as package:
                self._read[path] = snapshot(package)
        return _recent(self._read, path, _READ)

    def edit(self, before: Path, after: Path) -> DeckEdit:
        """The edit from one deck to another; raises DeckError where one cannot be read."""
        key = before, after
        if key not in self._edits:
            snapshots = self.snapshot(before), self.snapshot(after)
            with Package.open(before) as old, Package.open(after) as new:
                self._edits[key] = DeckEdit(*snapshots, diff_packages(old, new, taken=snapshots))
        return _recent(self._edits, key, _KEPT)

    def pictures(self, path: Path, *, again: bool = False) -> tuple[Image, ...] | NotScored:
        """All slides as they look, RGB (height, width, 3) uint8, or why there are none.

        A deck that could not be drawn is tried again only with ``again``.
        """
        if not self._wanted:
            return NotScored("pictures were not asked for")
        if path not in self._drawn or (again and isinstance(self._drawn[path], NotScored)):
            self._drawn[path] = self._draw(path)
        return _recent(self._drawn, path, _KEPT)

    def side_by_side(self, truth: Path, prediction: Path) -> ComparedDecks | None:
        """Two decks compared, to find what of each is visible; valid until the next call. None
        where nothing is drawn."""
        if not self._wanted:
            return None
        if self._compared is not None:
            self._compared.close()
        known = self._compared
        same = known is not None and known.paths["original"] == truth
        self._compared = ComparedDecks(
            truth, prediction, like=known if same else None, renderer=self._renderer
        )
        return self._compared

    def _draw(self, path: Path) -> tuple[Image, ...] | NotScored:
        try:
            with open_incremental(path, renderer=self._renderer, size=_SIZE, ocr=False) as deck:
                return tuple(_slides(deck))
        except RenderError as error:
            return NotScored(str(error))


def _recent(cache: OrderedDict[K, V], key: K, most: int) -> V:
    """The value of ``key``, now the most recent; of the others only the ``most`` recent stay."""
    cache.move_to_end(key)
    while len(cache) > most:
        cache.popitem(last=False)
    return cache[key]


def _slides(deck: RenderedDeck) -> Sequence[Image]:
    return [deck.slide(number).image for number in range(1, len(deck) + 1)]
