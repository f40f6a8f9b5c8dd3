"""Reading a document of the library: its text for search, and its first lines."""

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from decklab.documents.reading import read_documents
from decklab.rendering.renderer import Renderer
from decklab.workbench.web.work import WorkKind, WorkTask, tell

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
