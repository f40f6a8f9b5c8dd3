"""What a look at an edited deck found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.wording import sentence
from decklab.ooxml.validity.inspection import Problem
from decklab.results import Finding


@dataclass(frozen=True)
class Drawn:
    """A slide as it looks before and after; None where it is not in that deck.

    Pictures are height x width x 3, red green blue.
    """

    before_number: int | None
    number: int | None
    before: NDArray[np.uint8] | None
    after: NDArray[np.uint8] | None

    @property
    def pngs(self) -> tuple[bytes | None, bytes | None]:
        """Both pictures as PNG, such as a model is shown."""
        return _png(self.before), _png(self.after)


@dataclass(frozen=True)
class Verification:
    """What is to be said of an edited deck.

    Where a deck cannot be opened, ``unreadable`` says why and the rest is empty.
    """

    unreadable: str = ""
    problems: tuple[Problem, ...] = ()
    """Errors of validity that the original did not have."""
    diff: DeckDiff = field(default_factory=DeckDiff)
    missing: tuple[str, ...] = ()
    """Planned changes that did not come, in words."""
    unplanned: tuple[Change, ...] = ()
    """Changes that nothing in the plan means."""
    findings: tuple[Finding, ...] = ()
    """Faults of layout, on changed slides, that were not there before."""
    undrawn: str = ""
    """Why the slides could not be drawn; empty where they were, or nobody asked."""
    drawn: tuple[Drawn, ...] = ()
    """The slides that changed, as pictures."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage: ``validate``, ``compare``, ``draw``, ``lint``."""

    @property
    def sound(self) -> bool:
        """Whether the deck can be handed out at all: it opens and is as valid as it was."""
        return not self.unreadable and not self.problems

    @property
    def passed(self) -> bool:
        """Whether it is sound, has all planned changes and no others, and no new errors or
        warnings of layout."""
        return self.sound and not (self.missing or self.unplanned or self.faults)

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that matter: errors and warnings."""
        return tuple(item for item in self.findings if item.severity != "info")

    @property
    def rank(self) -> tuple[int, ...]:
        """For choosing among versions of one edit; higher is better.

        What opens before what does not, then what is valid, then the fewest planned changes
        missing, the fewest unplanned ones, the fewest new faults. A deck in which nothing changed
        comes after one with all else equal.
        """
        return (
            not self.unreadable,
            -len(self.problems),
            -len(self.missing),
            -len(self.unplanned),
            -len(self.faults),
            bool(self.diff.edits),
        )

    @property
    def messages(self) -> tuple[str, ...]:
        """What is to be mended, one line each, the gravest first; none where it passed."""
        if self.unreadable:
            return (f"The edited deck cannot be opened: {self.unreadable}",)
        return (
            *(f"Invalid: {one.part}: {one.detail} Fix: {one.fix}" for one in self.problems),
            *(f"Planned, but it did not happen: {what}" for what in self.missing),
            *(f"Changed, but nobody asked for it: {sentence(one)}" for one in self.unplanned),
            *(_told(one) for one in self.faults),
        )

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, pictures and the diff left out."""
        return {
            "passed": self.passed,
            "unreadable": self.unreadable,
            "problems": [vars(one) for one in self.problems],
            "missing": list(self.missing),
            "unplanned": [sentence(one) for one in self.unplanned],
            "findings": [one.model_dump(mode="json") for one in self.findings],
            "undrawn": self.undrawn,
            "slides_drawn": [one.number for one in self.drawn if one.number],
            "seconds": dict(self.seconds),
        }


def _png(picture: NDArray[np.uint8] | None) -> bytes | None:
    if picture is None:
        return None
    held = BytesIO()
    Image.fromarray(picture).save(held, "PNG", compress_level=1)
    return held.getvalue()


def _told(finding: Finding) -> str:
    places = (f"slide {finding.slide}" if finding.slide else "", finding.shape or "")
    fix = f" Fix: {finding.fix}" if finding.fix else ""
    return f"New fault on {', '.join(filter(None, places))}: {finding.message}{fix}"
