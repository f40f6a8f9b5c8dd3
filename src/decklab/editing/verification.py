"""The plan of an edit, the changes that it implies, and the comparison of the edited deck with it.

A row that is added makes its table taller. Nobody plans that, and to put it back would damage the
requested change. Each line of ``IMPLIED_CHANGES`` names a cause, its consequence, and the reason.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from decklab.core.results import Finding
from decklab.diffing.changes import Change, DeckDiff, Kind
from decklab.diffing.wording import sentence
from decklab.ooxml.validity.inspection import Problem
from decklab.pages.pictures import encode_png


@dataclass(frozen=True)
class ChangePattern:
    """Some changes: those of a kind that have one of the properties, if any are given."""

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


@dataclass(frozen=True)
class ExpectedChange:
    """A change that an edit is meant to make, in one place or several.

    A field that is empty does not restrict. Every change that fits is allowed, and what comes along
    with it (``implied_changes``); with ``required`` there have to be at least ``count``, on each
    slide of ``slides``.
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
    """Ids or names of the elements. They do not restrict what no shape has, such as notes or a
    background, nor shapes that are added, as long as ``kinds`` names it."""
    new: tuple[Any, ...] = ()
    """The values that a property may get."""
    required: bool = True
    words: tuple[str, ...] = ()
    """Words that have to be on one of ``slides`` afterwards, blanks aside; see ``verify``."""
    count: int = 1
    """How many there have to be, in different places."""
    within_new: bool = False
    """Whether it may be part of a slide or shape that is added."""
    design: bool = True
    """Whether empty ``slides`` stand for the deck as a whole, too."""

    def allows(self, change: Change) -> bool:
        """Whether a change fits."""
        return (
            (not self.kinds or change.kind in self.kinds)
            and self._is_there(change)
            and (not self.properties or any(_under(change.property, p) for p in self.properties))
            and (not self.shapes or self._is_of_shapes(change))
            and (not self.new or change.new in self.new)
        )

    def _is_of_shapes(self, change: Change) -> bool:
        element = change.element
        if element is None or not (element.id or element.name) or change.kind == "added":
            return change.kind in self.kinds
        return element.id in self.shapes or element.name in self.shapes

    def _is_there(self, change: Change) -> bool:
        if self.slides:
            return change.slide in self.slides
        return self.design or change.slide is not None

    def missing(self, changes: Iterable[Change]) -> tuple[tuple[int | None, int], ...]:
        """The slides in ``slides`` with too few changes that fit, each with their number.

        If ``slides`` is empty, all slides count together, as ``None``.
        """
        if not self.required:
            return ()
        places = {_place(change) for change in changes if self.allows(change)}
        counts = Counter(slide if self.slides else None for slide, *_ in places)
        return tuple(
            (slide, counts[slide])
            for slide in self.slides or (None,)
            if counts[slide] < max(1, self.count)
        )


@dataclass(frozen=True)
class Plan:
    """All changes that an edit is meant to make."""

    changes: tuple[ExpectedChange, ...] = field(default=())

    def allows(self, change: Change) -> bool:
        """Whether a change fits any of the plan by itself."""
        return any(planned.allows(change) for planned in self.changes)

    def unplanned(self, diff: DeckDiff) -> tuple[Change, ...]:
        """The edits that the plan does not allow, nor any change that it allows brings along.

        A shape that got another name is known by both.
        """
        known = _by_older_name(diff)
        planned = [edit for edit in diff.edits if self.allows(edit) or self.allows(known(edit))]
        allowed = {id(change) for change in planned}
        return tuple(
            edit for edit in diff.edits if id(edit) not in allowed and not follows(edit, planned)
        )

    def missing(self, diff: DeckDiff) -> Iterator[str]:
        """The planned changes that were not made, in words."""
        known = _by_older_name(diff)
        for planned in self.changes:
            # Names of shapes count as noise, for programs make them up.
            seen = [change for change in diff.changes if not change.noise or change.kind == "name"]
            edits = [change if planned.allows(change) else known(change) for change in seen]
            short = [
                (slide, count)
                for slide, count in planned.missing(edits)
                if not _comes_with_what_is_new(planned, slide, diff)
            ]
            if short:
                yield _missing_words(planned, short)


def _place(change: Change) -> tuple[int | None, int, str, str]:
    """Key of the changed thing; for an effect with the paragraphs that it shows, so that several
    effects on one placeholder are no effect for each of its lines."""
    value = next((one for one in (change.new, change.old) if isinstance(one, dict)), {})
    shape = change.element
    lines = str(value.get("paragraphs", "")) if change.kind == "animation" else ""
    id, part = (shape.id, shape.part) if shape else (0, "")
    return change.slide, id, part, lines


def _missing_words(planned: ExpectedChange, short: Sequence[tuple[int | None, int]]) -> str:
    numbers = ", ".join(str(slide) for slide, _ in short if slide is not None)
    words = f"{planned.what} (slide {numbers})" if numbers else planned.what
    if planned.count > 1:
        words += f": {max(count for _, count in short)} of {planned.count}"
    return words


def _comes_with_what_is_new(planned: ExpectedChange, slide: int | None, diff: DeckDiff) -> bool:
    """Whether a change may be part of a new slide or shape, and so is not listed by itself."""
    if {"slide", "added", "removed"}.intersection(planned.kinds):
        return False
    if slide in diff.slides.added:
        return True
    return planned.within_new and any(
        change.property == "added" if change.kind == "slide" else change.kind == "added"
        for change in diff.edits
        if slide in (None, change.slide)
    )


def _by_older_name(diff: DeckDiff) -> Callable[[Change], Change]:
    """A function that gives a change the name that its shape had before."""
    names = {
        (change.slide, change.element.id): str(change.old)
        for change in diff.changes
        if change.kind == "name" and change.element is not None and change.element.id
    }

    def known(change: Change) -> Change:
        shape = change.element
        older = names.get((change.slide, shape.id)) if shape else None
        if shape is None or older is None:
            return change
        return change.model_copy(update={"element": shape.model_copy(update={"name": older})})

    return known


def _under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(f"{prefix}.")


@dataclass(frozen=True)
class SlideBeforeAfter:
    """Pictures of a slide before and after an edit; None if a deck does not have the slide.

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
    """The result of verifying an edited deck.

    If the deck cannot be opened, ``unreadable`` says why and the rest is empty.
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
    """Why the slides could not be drawn; empty if they were, or did not have to be."""
    drawn: tuple[SlideBeforeAfter, ...] = ()
    """The slides that changed, as pictures."""
    slide_list: tuple[str, ...] = ()
    """Remarks on its slide list: entries that lead to no slide and were left as they are, slides
    that had no id of their own."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage: ``validate``, ``compare``, ``draw``, ``lint``."""

    @property
    def planned(self) -> tuple[Change, ...]:
        """The changes that the plan allows."""
        return tuple(change for change in self.diff.edits if change not in self.unplanned)

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
        """Problems to repair, one line each, the worst first; none if it passed."""
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
