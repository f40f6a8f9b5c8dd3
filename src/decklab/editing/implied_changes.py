"""Changes that come along with others, whoever makes them: allowed wherever their cause is planned.

A row that is added makes its table taller. Nobody plans that, and to put it back would damage what
was asked for. Each line of ``IMPLIED_CHANGES`` names a cause, its consequence, and the reason.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from decklab.diffing.changes import Change, Kind


@dataclass(frozen=True)
class ChangePattern:
    """Some changes: those of a kind that have one of the properties, where any are given."""

    kinds: tuple[Kind, ...]
    properties: tuple[str, ...] = ()
    path: str = ""
    """A regular expression that is found in part and path of the change, as ``part path``."""
    wordless: bool = False
    """Only shapes that had no words."""

    def fits(self, change: Change) -> bool:
        """Whether a change is one of them."""
        return (
            change.kind in self.kinds
            and (not self.properties or change.property in self.properties)
            and (not self.path or re.search(self.path, f"{change.part} {change.path}") is not None)
            and not (self.wordless and isinstance(change.old, dict) and change.old.get("text"))
        )


@dataclass(frozen=True)
class ImpliedChange:
    """A consequence that comes with its cause."""

    cause: ChangePattern
    consequence: ChangePattern
    reach: Literal["shape", "slide", "deck"]
    """How far it is from its cause: the same shape of the same slide, that slide, or anywhere."""
    reason: str

    def follows(self, change: Change, causes: Iterable[Change]) -> bool:
        """Whether a change is the consequence of one of ``causes``."""
        return self.consequence.fits(change) and any(
            self.cause.fits(cause) and self._reaches(cause, change) for cause in causes
        )

    def _reaches(self, cause: Change, change: Change) -> bool:
        if self.reach == "deck":
            return True
        if cause.slide != change.slide:
            return False
        return self.reach == "slide" or (
            cause.element is not None
            and change.element is not None
            and cause.element.id == change.element.id
        )


IMPLIED_CHANGES: Final = (
    ImpliedChange(
        ChangePattern(
            ("table",),
            (
                "row added", "row removed", "row height",
                "column added", "column removed", "column width",
            ),
        ),
        ChangePattern(("geometry", "style"), ("height", "width", "size")),
        "shape",
        "a table is as large as its rows and columns",
    ),
    ImpliedChange(
        ChangePattern(("geometry",)),
        ChangePattern(("geometry", "style", "detail"), path=r"/p:cxnSp(\[\d+\])?/p:spPr/a:xfrm\b"),
        "slide",
        "connectors follow the shapes that they hold on to",
    ),
    ImpliedChange(
        ChangePattern(("picture",), ("crop",)),
        ChangePattern(("geometry",)),
        "shape",
        "the frame of a picture shrinks by what is cropped",
    ),
    ImpliedChange(
        ChangePattern(("picture",), ("image",)),
        ChangePattern(("picture", "detail"), ("crop", "content type")),
        "shape",
        "another picture has a format of its own, and is cropped to fill the frame",
    ),
    ImpliedChange(
        ChangePattern(("chart",)),
        ChangePattern(("detail", "other"), path="charts/|embeddings/"),
        "shape",
        "a chart has its names and numbers three times: as data, as drawn, and in its workbook",
    ),
    ImpliedChange(
        ChangePattern(("transition",)),
        ChangePattern(("detail",), path="mc:AlternateContent|p:transition"),
        "slide",
        "a transition is written once more for programs that do not know it",
    ),
    ImpliedChange(
        ChangePattern(("text",)),
        ChangePattern(("style",), ("paragraph.level",)),
        "shape",
        "the level of a line comes with its words",
    ),
    ImpliedChange(
        ChangePattern(("other",), ("placeholder",)),
        ChangePattern(("name", "geometry", "style", "detail", "other")),
        "shape",
        "a shape that becomes a placeholder, such as a title, or stops being one changes its type, "
        "name and locks, and what it takes from the layout",
    ),
    ImpliedChange(
        ChangePattern(("layout",), ("layout",)),
        ChangePattern(("style", "other"), ("placeholder", "placeholder.sz")),
        "slide",
        "placeholders follow those of the new layout",
    ),
    ImpliedChange(
        ChangePattern(("layout",), ("layout",)),
        ChangePattern(("removed",), wordless=True),
        "slide",
        "empty placeholders that the new layout does not have go",
    ),
    ImpliedChange(
        ChangePattern(("slide",), ("added", "removed", "moved")),
        ChangePattern(("section", "show")),
        "deck",
        "sections and shows list the slides",
    ),
    ImpliedChange(
        ChangePattern(("slide",), ("removed",)),
        ChangePattern(("link",)),
        "deck",
        "links to a slide go with it",
    ),
)  # fmt: skip
"""Each with its reason. Ours; a test performs every operation and finds no other consequence."""


def follows(change: Change, causes: Iterable[Change]) -> bool:
    """Whether a change comes along with one of ``causes``."""
    known = tuple(causes)
    return any(implied.follows(change, known) for implied in IMPLIED_CHANGES)
