"""Work of the workbench's processes: each kind of it, over one renderer."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from decklab.core.errors import DecklabError, one_line
from decklab.rendering.renderer import Cache, Renderer
from decklab.workbench.web.decks import DECK_WORK
from decklab.workbench.web.evaluate_jobs import EVALUATE_WORK
from decklab.workbench.web.jobs import WorkDone, WorkKind, WorkTask
from decklab.workbench.web.library_pages import DOCUMENT_WORK
from decklab.workbench.web.writing import WRITE_WORK

WORK: Final[Mapping[str, WorkKind]] = {**DECK_WORK, **DOCUMENT_WORK, **WRITE_WORK, **EVALUATE_WORK}
"""Each kind of work by its name."""


@contextmanager
def worker() -> Iterator[Callable[[WorkTask], WorkDone]]:
    """Give the function that does one piece of work; LibreOffice is started when needed."""
    with Renderer(cache=Cache()).started() as renderer:

        def do(task: WorkTask) -> WorkDone:
            try:
                return WorkDone(WORK[task.kind](task, renderer))
            except DecklabError as error:
                line = str(error)
            except (OSError, ValueError) as error:
                line = f"{type(error).__name__}: {error}"
            return WorkDone(failure=_without_place(one_line(line), task))

        yield do


def _without_place(line: str, task: WorkTask) -> str:
    """A line for people, without the place of the server's files."""
    return line.replace(f"{task.file}: ", "").replace(str(task.file), "the deck")
