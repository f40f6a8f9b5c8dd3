"""Two decks side by side, drawn where somebody looks at them."""

from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Literal

from decklab.core.errors import RenderError, RenderFailed
from decklab.core.files import Closing
from decklab.rendering.model import RenderedDeck, RenderedSlide
from decklab.rendering.opening import open_incremental
from decklab.rendering.renderer import Renderer

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
