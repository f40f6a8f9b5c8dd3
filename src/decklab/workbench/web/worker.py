"""Work of the workbench's processes: each kind of it, over one renderer."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final

from decklab.core.errors import DecklabError, one_line
from decklab.documents.reading import read_documents
from decklab.rendering.renderer import Cache, Renderer
from decklab.workbench.web.deck_work import DECK_WORK
from decklab.workbench.web.evaluate_work import EVALUATE_WORK
from decklab.workbench.web.work import WorkDone, WorkKind, WorkTask, tell
from decklab.workbench.web.write_work import WRITE_WORK

_LINES = 8
_LINE_LENGTH = 160


def _read(task: WorkTask, _renderer: Renderer) -> Mapping[str, Any]:
    tell(task, "read")
    (found,) = read_documents([task.file]).documents
    texts = [" ".join(block.text.split()) for block in found.blocks if block.text.strip()]
    return {
        "lines": [text[:_LINE_LENGTH] for text in islice(texts, _LINES)],
        "words": "\n".join(texts)[:100_000], "pages": found.pages or None,
    }  # fmt: skip


DOCUMENT_WORK: Final[Mapping[str, WorkKind]] = {"read": _read}
"""Reading, as a process does it."""


WORK: Final[Mapping[str, WorkKind]] = {
    **DECK_WORK, **DOCUMENT_WORK, **WRITE_WORK, **EVALUATE_WORK,
}  # fmt: skip
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
