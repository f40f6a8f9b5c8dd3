"""The report of an edit: what was asked and what came of it, above what changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.reports.diff_page import Comparison
from decklab.reports.page import write_page
from decklab.reports.pictures import SlidePicture


@dataclass(frozen=True)
class EditStory:
    """A request to edit a deck, and how it went."""

    instruction: str
    outcome: Literal["done", "partly", "refused"]
    done: Sequence[str]
    undone: Sequence[str]
    """Parts that were not done, and why."""
    warnings: Sequence[str]
    """What is worse than before though it was asked for."""
    stages: Sequence[tuple[str, float]]
    """Seconds by stage, in order."""
    tokens: int = 0
    """That a model read and wrote."""
    cost: float | None = None
    """In US dollars; None where no model was asked, or its price is not known."""
    written: str = ""
    """Path of the edited deck; empty where none was written."""

    @property
    def seconds(self) -> float:
        """All stages together."""
        return sum(seconds for _name, seconds in self.stages)


def write_edit_page(
    path: str | Path, story: EditStory, comparison: Comparison, *, generated_by: str = "decklab"
) -> None:
    """Write the page of an edit to ``path``, whole or not at all; ``comparison`` is of the deck
    before and after. The page loads nothing and works without JavaScript."""
    write_page(
        path,
        "edit.html",
        "open-for-print.js",
        story=story,
        comparison=comparison,
        frame_width=FRAME_WIDTH,
        height=_height,
        generated_by=generated_by,
    )


def _height(picture: SlidePicture) -> float:
    """Of a drawing 960 units wide; that of the frame where the picture has no width."""
    return FRAME_WIDTH * picture.height / picture.width if picture.width else FRAME_HEIGHT
