"""What goes on in a run: the case and the editor at work, and what they ended with."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class ArenaEvent:
    """An editor begins with a case or is done with it, a model is asked again, or, where nothing
    is named, everything is ready."""

    done: int
    """Edits that are compared and judged, of ``total``."""
    total: int
    case: str = ""
    editor: str = ""
    finished: bool = False
    note: str = ""
    """How it ended, or what a model is asked again for."""

    @property
    def words(self) -> str:
        """The event in a line, such as ``Crew leaders, commands: done, 0.4 s``."""
        place = ", ".join(filter(None, (self.case, self.editor)))
        return ": ".join(filter(None, (place, self.note)))


ArenaProgress = Callable[[ArenaEvent], object]


class ArenaWatch:
    """Counts the edits of a run and passes on what goes on. ``progress`` may be called by
    threads."""

    def __init__(self, progress: ArenaProgress, total: int) -> None:
        self._progress, self.total, self.done = progress, total, 0
        self._at = "", ""
        progress(ArenaEvent(0, total))

    def begin(self, case: str, editor: str) -> None:
        """An editor begins with a case."""
        self._at = case, editor
        self._progress(ArenaEvent(self.done, self.total, case, editor))

    def finish(self, case: str, editor: str, note: str) -> None:
        """The edit is compared and judged."""
        self.done += 1
        self._progress(ArenaEvent(self.done, self.total, case, editor, finished=True, note=note))

    def tell(self, note: str) -> None:
        """A model is asked again, while the editor of the last ``begin`` works or is judged."""
        self._progress(ArenaEvent(self.done, self.total, *self._at, note=note))
