"""What can be wrong with rubrics."""

from pathlib import Path

from decklab.errors import DecklabError


class RubricError(DecklabError):
    """A rubric or a list of tasks that cannot be loaded.

    ``path`` is the file, ``node`` the place inside it (``root.children[1].scorer``), ``detail``
    what is wrong. The text is ``path: node: detail`` on one line.
    """

    def __init__(self, path: str | Path, detail: str, node: str | None = None) -> None:
        self.path = str(path)
        self.node = node
        self.detail = " ".join(detail.split())
        super().__init__(": ".join(filter(None, (self.path, node, self.detail))))
