"""The plan of an edit: the changes it is meant to make, and those that come along with them.

A row that is added makes its table taller. Nobody plans that, and to put it back would damage the
requested change. Each line of ``IMPLIED_CHANGES`` names a cause, its consequence, and the reason.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from decklab.diffing.changes import Change, DeckDiff, Kind
from decklab.editing.phrasing import Phrase
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import qn


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
        own, other = cause.element, change.element
        is_same = own is not None and other is not None and own.id == other.id
        return self.reach == "slide" or is_same


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
        ChangePattern(("text", "table", "notes")),
        ChangePattern(("style", "table", "notes", "detail"), ("font.language",)),
        "shape",
        "other words may be of another language",
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
        slides = ((slide, counts[slide]) for slide in self.slides or (None,))
        return tuple((slide, count) for slide, count in slides if count < max(1, self.count))


OF_SHAPES = frozenset(
    ("text", "alt text", "geometry", "style", "table", "chart", "diagram", "picture", "z-order")
)
"""Kinds of changes of shapes that are there; what changes in one of these is one place."""


def declared_changes(
    phrase: Phrase, what: str, slides: Sequence[int | None], shapes: Sequence[int] = ()
) -> tuple[ExpectedChange, ...]:
    """The changes that a phrase declares, on some slides and shapes, and those that may follow."""
    changes = [_declared(phrase.changes, what, slides, shapes, required=True)]
    if phrase.follows:
        # When slides move or a design changes, others follow.
        is_wide = tuple(slides) in ((), (None,)) or phrase.changes.startswith("slide:")
        beside = () if is_wide else (*slides, None)
        changes.append(_declared(phrase.follows, what, beside, (), required=False))
    return tuple(changes)


def kinds_of(declared: str) -> tuple[str, ...]:
    """The kinds of changes that a phrase names, ``alt_text table``."""
    return tuple(kind.replace("_", " ") for kind in declared.split())


def _declared(
    declared: str, what: str, slides: Sequence[int | None], shapes: Sequence[int], *, required: bool
) -> ExpectedChange:
    text, _colon, names = declared.partition(":")
    kinds = kinds_of(text)
    of_shapes = OF_SHAPES.issuperset(kinds)
    return ExpectedChange(
        what, kinds, tuple(slides), tuple(names.replace("_", " ").split()),  # type: ignore[arg-type]
        tuple(shapes) if of_shapes else (), required=required,
    )  # fmt: skip


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
            few = planned.missing(edits)
            short = [pair for pair in few if not _comes_with_what_is_new(planned, pair[0], diff)]
            if short:
                yield _missing_words(planned, short)


def _place(change: Change) -> tuple[int | None, int, str, str]:
    """Key of the changed thing; an effect counts once for all its paragraphs."""
    value = next((state for state in (change.new, change.old) if isinstance(state, dict)), {})
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


_SAYING: frozenset[Kind] = frozenset(
    {"text", "table", "chart", "diagram", "notes", "added", "slide"}
)
"""Kinds of changes that bring words which people read on a slide or in its notes."""
_READ = ("notesSlide", "chart", "diagramData")
"""Kinds of parts of a slide with such words."""


def missing_words(package: Package, plan: Plan) -> Iterator[str]:
    """The words of planned changes that are on none of their slides, one line each.

    If a change names no slides, they may be on any. Blanks count as one.
    """
    texts: dict[int | None, str] = {}
    for planned in plan.changes:
        wanted = planned.words if planned.required and _SAYING.intersection(planned.kinds) else ()
        if wanted and not texts:
            texts = {entry.number: _said(package, entry.part) for entry in slide_entries(package)}
        slides = [number for number in planned.slides if number in texts] or list(texts)
        for words in wanted:
            if not any(_blanks_as_one(words) in texts[number] for number in slides):
                yield f"{planned.what}: “{_blanks_as_one(words)}” is not there"


def _said(package: Package, slide: str) -> str:
    """All words of a slide and its notes, paragraph after paragraph."""
    parts = [slide, *(name for kind in _READ for name in package.related(slide, kind))]
    lines = []
    for part in parts:
        for item in package.xml(part).iter(qn("a:p"), qn("c:v")):
            pieces = item.iter(qn("a:t"), qn("a:br"), qn("c:v"))
            lines.append(
                "".join(" " if piece.tag == qn("a:br") else piece.text or "" for piece in pieces)
            )
    return _blanks_as_one(" ".join(lines))


def _blanks_as_one(text: str) -> str:
    return " ".join(text.split())
