"""Decks of cases: read and drawn once however many attempts are compared with them."""

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.packages import diff_packages
from decklab.diffing.snapshots import DeckEdit
from decklab.errors import RenderError
from decklab.files import Closing
from decklab.grading.decks import ComparedDecks
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache
from decklab.rendering.model import RenderedDeck
from decklab.rendering.opening import open_incremental
from decklab.rendering.renderer import Renderer
from decklab.results import NotScored

Image = NDArray[np.uint8]
_KEPT = 4
"""Decks whose pictures are held at once: original, truth, prediction and one more; and as many
edits. Ours."""
_READ = 48
"""Snapshots that are held at once, some MB each. Ours."""
_SIZE = (1280, 720)


class Decks(Closing):
    """A place to read and draw decks from; a context manager.

    With ``pictures=False`` nothing is drawn; by default the user's cache folder stores what is.
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
        """Release drawn decks and what drew them."""
        if self._compared is not None:
            self._compared.close()
        self._stack.close()

    def snapshot(self, path: Path) -> Snapshot:
        """The snapshot of a deck; raises DeckError where it cannot be read."""
        if path not in self._read:
            with Package.open(path) as package:
                self._read[path] = snapshot(package)
            while len(self._read) > _READ:
                self._read.popitem(last=False)
        self._read.move_to_end(path)
        return self._read[path]

    def edit(self, before: Path, after: Path) -> DeckEdit:
        """What leads from one deck to another; raises DeckError where one cannot be read."""
        key = before, after
        if key not in self._edits:
            taken = self.snapshot(before), self.snapshot(after)
            with Package.open(before) as old, Package.open(after) as new:
                self._edits[key] = DeckEdit(*taken, diff_packages(old, new, taken=taken))
            while len(self._edits) > _KEPT:
                self._edits.popitem(last=False)
        self._edits.move_to_end(key)
        return self._edits[key]

    def pictures(self, path: Path, *, again: bool = False) -> tuple[Image, ...] | NotScored:
        """All slides as they look, RGB (height, width, 3) uint8, or why there are none.

        What could not be drawn is not tried a second time, but ``again``.
        """
        if not self._wanted:
            return NotScored("pictures were not asked for")
        if path not in self._drawn or (again and isinstance(self._drawn[path], NotScored)):
            self._drawn[path] = self._draw(path)
            while len(self._drawn) > _KEPT:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(path)
        return self._drawn[path]

    def side_by_side(self, truth: Path, prediction: Path) -> ComparedDecks | None:
        """Two decks, to say what of each is seen; until the next call. None where nothing is to be
        drawn."""
        if not self._wanted:
            return None
        if self._compared is not None:
            self._compared.close()
        known = self._compared
        same = known is not None and known.paths["original"] == truth
        self._compared = ComparedDecks(
            truth, prediction, like=known if same else None,
            renderer=self._renderer,
        )  # fmt: skip
        return self._compared

    def _draw(self, path: Path) -> tuple[Image, ...] | NotScored:
        try:
            with open_incremental(path, renderer=self._renderer, size=_SIZE, ocr=False) as deck:
                return tuple(_slides(deck))
        except RenderError as error:
            return NotScored(str(error))


def _slides(deck: RenderedDeck) -> Sequence[Image]:
    return [deck.slide(number).image for number in range(1, len(deck) + 1)]
