"""Decks drawn by LibreOffice in the background, while the caller works on something else."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from decklab.rendering.office.office import DrawsOnce
from decklab.rendering.renderer import Renderer


@runtime_checkable
class Interruptible(Protocol):
    """A converter whose present deck another thread can give up."""

    def interrupt(self) -> None:
        """End the conversion that is at work, which raises RenderFailed in its thread."""

    def close(self) -> None:
        """End the converter; it starts again when asked to."""


class DrawnAhead:
    """A converter that begins decks before they are asked for, one after the other.

    Use it in a ``with`` statement, and in place of the office of ``renderer``, which must be
    started: ``Renderer(ahead)``. All decks go through the one background thread and through the
    cache of ``renderer``. Where the block ends with an error, the deck at work is given up.

    >>> from decklab.rendering.office.office import RecordedOffice
    >>> with DrawnAhead(Renderer(RecordedOffice({"a.pptx": b"%PDF-1.7"}))) as ahead:
    ...     ahead.pdf("pyproject.toml")
    Traceback (most recent call last):
    decklab.core.errors.RenderFailed: pyproject.toml: no PDF was recorded for it
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="decklab-drawing")
        self._begun: dict[Path, Future[bytes]] = {}
        self._submitted: list[Future[bytes]] = []

    @property
    def engine(self) -> str:
        """Of the office behind it, as the options."""
        return self._renderer.converter.engine

    @property
    def options(self) -> Mapping[str, object]:
        """Settings that change the PDF."""
        return self._renderer.converter.options

    def begin(self, path: Path) -> None:
        """Draw a deck as soon as those begun before it are drawn; ``pdf`` then waits for it."""
        self._begun[path] = self._submit(self._renderer.pdf, path)

    def pdf(self, path: str | Path) -> bytes:
        """The deck as PDF; raises DeckError and RenderError, now also for a deck begun before."""
        begun = self._begun.pop(Path(path), None)
        return (begun or self._submit(self._renderer.pdf, Path(path))).result()

    def pdf_once(self, path: str | Path) -> bytes:
        """The PDF of a deck, past the cache and without a second try."""
        office = self._renderer.converter
        draw = office.pdf_once if isinstance(office, DrawsOnce) else office.pdf
        return self._submit(draw, Path(path)).result()

    def resaved(self, path: str | Path) -> bytes:
        """The deck opened and saved as .pptx; raises RenderError if that fails."""
        return self._submit(self._renderer.resaved, Path(path)).result()

    def _submit(self, make: Callable[[Path], bytes], path: Path) -> Future[bytes]:
        submitted = self._thread.submit(make, path)
        self._submitted.append(submitted)
        return submitted

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        office = self._renderer.converter
        at_work = [one for one in self._submitted if not one.cancel() and not one.done()]
        if error is not None and at_work and isinstance(office, Interruptible):
            office.interrupt()
            self._thread.shutdown()
            office.close()
        self._thread.shutdown()
