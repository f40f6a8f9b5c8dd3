"""Two decks side by side, their slides drawn only when somebody asks for them."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from decklab.errors import RenderError, RenderFailed
from decklab.files import Closing
from decklab.rendering.cache import Cache
from decklab.rendering.model import RenderedDeck, RenderedSlide
from decklab.rendering.office.office import Converter, Office
from decklab.rendering.opening import open_incremental

DeckSide = Literal["original", "modified"]


class DecksSideBySide(Closing):
    """An original deck and what was made of it; a context manager. Both files are only read.

    Slides are drawn by ``office`` (without one LibreOffice is started at the first need) and kept
    in ``cache`` (without one in a folder that goes with this object). A deck that cannot be drawn
    is tried once.
    """

    def __init__(
        self,
        original: str | Path,
        modified: str | Path,
        *,
        office: Converter | None = None,
        cache: Cache | None = None,
    ) -> None:
        self.paths: dict[DeckSide, Path] = {"original": Path(original), "modified": Path(modified)}
        self._office, self._cache = office, cache
        self._stack = ExitStack()
        self._drawn: dict[DeckSide, RenderedDeck | RenderError] = {}

    def close(self) -> None:
        """Release drawn decks, and LibreOffice where it was started for them."""
        self._stack.close()
        self._drawn.clear()

    def rendered(self, side: DeckSide) -> RenderedDeck:
        """A whole deck as drawn slides; raises RenderError where it cannot be had."""
        if side not in self._drawn:
            self._drawn[side] = self._open(side)
        deck = self._drawn[side]
        if isinstance(deck, RenderError):
            raise deck
        return deck

    def drawn(self, side: DeckSide, number: int) -> RenderedSlide:
        """A slide as it looks, by its 1-based number; raises RenderError where it cannot be had."""
        deck = self.rendered(side)
        if not 1 <= number <= len(deck):
            raise RenderFailed(self.paths[side], f"there is no picture of slide {number}")
        return deck.slide(number)

    @property
    def _picture_cache(self) -> Cache:
        """The cache of drawn slides; one for this pair alone where none was given."""
        if self._cache is None:
            folder = self._stack.enter_context(TemporaryDirectory(prefix="decklab-drawn-"))
            self._cache = Cache(folder)
        return self._cache

    def _open(self, side: DeckSide) -> RenderedDeck | RenderError:
        try:
            if self._office is None:
                self._office = self._stack.enter_context(Office())
            deck = open_incremental(
                self.paths[side], cache=self._picture_cache, office=self._office, ocr=False
            )
        except RenderError as error:
            return error
        return self._stack.enter_context(deck)
