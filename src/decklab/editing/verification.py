"""The plan of an edit, and what comparing the edited deck with the plan found."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decklab.core.results import Finding
from decklab.diffing.changes import Change, DeckDiff, Kind
from decklab.diffing.wording import sentence
from decklab.ooxml.validity.inspection import Problem
from decklab.pages.pictures import encode_png


@dataclass(frozen=True)
class ExpectedChange:
    """A change that an edit is meant to make, in one place or several.

    A field that is empty does not restrict. Every change that fits is allowed; with ``required``
    there has to be at least one, on each slide of ``slides``.
    """

    what: str
    """The change in words, for messages: ``the titles become 32 pt``."""
    kinds: tuple[Kind, ...]
    slides: tuple[int | None, ...] = ()
    """Numbers in the edited deck, of removed slides in the original; None stands for the deck as a
    whole with its layouts, masters and themes."""
    properties: tuple[str, ...] = ()
    """Names of properties, such as ``font.size``; ``font`` stands for all names of ``font.*``."""
    shapes: tuple[int | str, ...] = ()
    """Ids or names of the elements."""
    new: tuple[Any, ...] = ()
    """The values that a property may get."""
    required: bool = True
    words: tuple[str, ...] = ()
    """Words that have to be on one of ``slides`` afterwards, blanks aside; see ``verify``."""

    def allows(self, change: Change) -> bool:
        """Whether a change fits."""
        return (
            (not self.kinds or change.kind in self.kinds)
            and (not self.slides or change.slide in self.slides)
            and (not self.properties or any(_under(change.property, p) for p in self.properties))
            and (not self.shapes or _is_one(change, self.shapes))
            and (not self.new or change.new in self.new)
        )

    def missing(self, changes: Iterable[Change]) -> tuple[int | None, ...]:
        """The slides in ``slides`` without a change that fits.

        Where ``slides`` is empty and no change fits, ``(None,)``.
        """
        if not self.required:
            return ()
        found = {change.slide for change in changes if self.allows(change)}
        if not self.slides:
            return () if found else (None,)
        return tuple(slide for slide in self.slides if slide not in found)


@dataclass(frozen=True)
class Plan:
    """All changes that an edit is meant to make."""

    changes: tuple[ExpectedChange, ...] = field(default=())

    def allows(self, change: Change) -> bool:
        """Whether a change fits any of the plan."""
        return any(planned.allows(change) for planned in self.changes)

    def missing(self, changes: Iterable[Change]) -> Iterator[str]:
        """The planned changes that were not made, in words."""
        found = tuple(changes)
        added = {c.slide for c in found if (c.kind, c.property) == ("slide", "added")}
        for planned in self.changes:
            # A change on a new slide comes with the slide and is not listed by itself.
            own = "slide" not in planned.kinds
            gone = [slide for slide in planned.missing(found) if not (own and slide in added)]
            numbers = ", ".join(str(slide) for slide in gone if slide is not None)
            if gone:
                yield f"{planned.what} (slide {numbers})" if numbers else planned.what


def _under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(f"{prefix}.")


def _is_one(change: Change, shapes: tuple[int | str, ...]) -> bool:
    element = change.element
    return element is not None and (element.id in shapes or element.name in shapes)


@dataclass(frozen=True)
class SlideBeforeAfter:
    """Pictures of a slide before and after an edit; None where a deck does not have the slide.

    Arrays are height x width x 3, red green blue, 0 to 255.
    """

    before_number: int | None
    number: int | None
    before: NDArray[np.uint8] | None
    after: NDArray[np.uint8] | None

    @property
    def pngs(self) -> tuple[bytes | None, bytes | None]:
        """Both pictures as bytes of PNG files."""
        before, after = (
            None if picture is None else encode_png(picture)
            for picture in (self.before, self.after)
        )
        return before, after


@dataclass(frozen=True)
class Verification:
    """What was found in an edited deck.

    Where the deck cannot be opened, ``unreadable`` says why and the rest is empty.
    """

    unreadable: str = ""
    problems: tuple[Problem, ...] = ()
    """Errors of validity that the original did not have."""
    diff: DeckDiff = field(default_factory=DeckDiff)
    missing: tuple[str, ...] = ()
    """Planned changes that were not made, in words."""
    unplanned: tuple[Change, ...] = ()
    """Changes that the plan does not allow."""
    findings: tuple[Finding, ...] = ()
    """Faults of layout, on changed slides, that were not there before."""
    undrawn: str = ""
    """Why the slides could not be drawn; empty where they were, or did not have to be."""
    drawn: tuple[SlideBeforeAfter, ...] = ()
    """The slides that changed, as pictures."""
    slide_list: tuple[str, ...] = ()
    """What there is to say of its slide list: entries that lead to no slide and were left as they
    are, slides that had no id of their own."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage: ``validate``, ``compare``, ``draw``, ``lint``."""

    @property
    def sound(self) -> bool:
        """Whether the deck may be written: it opens and has no new errors of validity."""
        return not self.unreadable and not self.problems

    @property
    def passed(self) -> bool:
        """Whether the deck is sound and has all planned changes, no others, and no new faults."""
        return self.sound and not (self.missing or self.unplanned or self.faults)

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that are errors or warnings."""
        return tuple(item for item in self.findings if item.severity != "info")

    @property
    def rank(self) -> tuple[int, ...]:
        """For choosing among versions of one edit; higher is better.

        It compares, in this order: whether the deck opens; the number of errors of validity, of
        missing changes, of unplanned changes, of new faults; whether anything changed.
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
        """What has to be repaired, one line each, the worst first; none where it passed."""
        if self.unreadable:
            return (f"The edited deck cannot be opened: {self.unreadable}",)
        return (
            *(f"Invalid: {item.part}: {item.detail} Fix: {item.fix}" for item in self.problems),
            *(f"Planned, but it did not happen: {what}" for what in self.missing),
            *(f"Changed, but nobody asked for it: {sentence(item)}" for item in self.unplanned),
            *(_fault_words(item) for item in self.faults),
        )

    def as_json(self) -> dict[str, Any]:
        """The result as plain JSON, without pictures and diff."""
        return {
            "passed": self.passed,
            "unreadable": self.unreadable,
            "problems": [vars(item) for item in self.problems],
            "missing": list(self.missing),
            "unplanned": [sentence(item) for item in self.unplanned],
            "findings": [item.model_dump(mode="json") for item in self.findings],
            "undrawn": self.undrawn,
            "slides_drawn": [item.number for item in self.drawn if item.number],
            "seconds": dict(self.seconds),
        }


def _fault_words(finding: Finding) -> str:
    places = (f"slide {finding.slide}" if finding.slide else "", finding.shape or "")
    fix = f" Fix: {finding.fix}" if finding.fix else ""
    return f"New fault on {', '.join(filter(None, places))}: {finding.message}{fix}"
