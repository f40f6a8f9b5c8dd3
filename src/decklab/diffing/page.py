"""Two decks compared for people: what changed in words, and how the changed slides look."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from decklab.core.colors import Image
from decklab.core.errors import RenderError
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import NotScored
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.decks import OnFallback, read_decks
from decklab.diffing.pictures import DeckSide, DecksSideBySide, visual_diff
from decklab.diffing.sequences import blocks
from decklab.diffing.snapshots import DeckEdit
from decklab.diffing.wording import in_centimetres, words_by_slide
from decklab.pages.page import check_page, output_page, write_page
from decklab.pages.pictures import SlidePicture, jpeg_within_budget, tag_beside
from decklab.rendering.renderer import Cache, Renderer

DIFF_PAGE = "diff.html"
EDIT_PAGE = "edit.html"
"""Templates of the pages of a comparison and of an edit."""

_MARGIN = 8.0
"""Px of the frame between what changed and the frame around it, so that neither hides the other."""
_NEAR = 14.0
"""Px of the frame over which two marks become one, so that words of a line are not marked one by
one. Ours."""


@dataclass(frozen=True)
class TextPiece:
    """A stretch of a text that stayed, was removed or was added."""

    text: str
    state: Literal["same", "gone", "come"]


@dataclass(frozen=True)
class ChangeLine:
    """One change in words; a changed text also piece by piece, a colour with both its values."""

    kind: str
    words: str
    pieces: tuple[TextPiece, ...] = ()
    colors: tuple[str, ...] = ()
    """Old and new as ``#RRGGBB``; empty if no colour changed."""
    boxes: tuple[Box, ...] = ()
    """Where the element was and is, in the 960x540 frame; empty for a thing without a place."""


@dataclass(frozen=True)
class PictureMark:
    """A numbered frame around what looks different, and the box of its number.

    In the units of a drawing that is 960 wide.
    """

    label: int
    box: Box
    tag: Box


@dataclass(frozen=True)
class ChangedSlide:
    """A slide that changed, was added or was removed, and its pictures if there are any."""

    before: int | None
    """Number in the older deck; None for a slide that was added."""
    after: int | None
    title: str
    changes: tuple[ChangeLine, ...]
    old_picture: SlidePicture | None = None
    new_picture: SlidePicture | None = None
    regions: tuple[Box, ...] = ()
    """Areas that look different, in the 960x540 frame."""
    likeness: float | None = None
    """Structural similarity of the pictures, 1 for equal ones."""

    @property
    def heading(self) -> str:
        """The slide's heading on the page."""
        return f"Slide {self.after}" if self.after else f"Slide {self.before} of the older deck"

    @property
    def anchor(self) -> str:
        """Where links to the slide lead."""
        return f"slide-{self.after}" if self.after else f"removed-{self.before}"

    @property
    def fate(self) -> str:
        """The fate of the slide as a whole; empty if it stayed in its place."""
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        moved = any(line.kind == "slide" and "moved" in line.words for line in self.changes)
        return "moved" if moved else ""

    @property
    def looks_same(self) -> bool:
        """Whether both pictures are there and nothing on them differs visibly."""
        return bool(self.old_picture and self.new_picture) and not self.regions

    def marks(self, picture: SlidePicture) -> list[PictureMark]:
        """Frames around the regions, near ones in one, on a drawing of ``picture``."""
        room = Box(0, 0, FRAME_WIDTH, picture.frame_height)
        scale = picture.frame_height / FRAME_HEIGHT
        joined = _joined([box.scaled(1, scale) for box in self.regions])
        joined.sort(key=lambda box: (box.top, box.left))
        boxes = [box.grown(_MARGIN).intersection(room) for box in joined]
        tags: list[Box] = []
        for box in boxes:
            tags.append(tag_beside(box, boxes, tags, picture.frame_height, above=True))
        return [
            PictureMark(label, box, tag)
            for label, (box, tag) in enumerate(zip(boxes, tags, strict=True), start=1)
        ]

    def labels(self, line: ChangeLine) -> list[int]:
        """The numbers of the marks whose middle is on the element that ``line`` tells of, or on
        which the element's middle is."""
        if self.new_picture is None or self.old_picture is None:
            return []
        scale = FRAME_HEIGHT / self.new_picture.frame_height
        marks = [(mark.label, mark.box.scaled(1, scale)) for mark in self.marks(self.new_picture)]
        return [label for label, box in marks if any(_meet(box, on) for on in line.boxes)]


@dataclass(frozen=True)
class Comparison:
    """Two decks compared, ready to be shown."""

    before: str
    """Path of the older deck."""
    after: str
    deck: tuple[ChangeLine, ...]
    """Changes of the deck as a whole, its layouts, masters and themes."""
    slides: tuple[ChangedSlide, ...]
    slide_count: int
    """Of the newer deck."""
    noise: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Changes that programs made by only saving: place, and their words."""
    unpictured: str = ""
    """Why the page has no pictures; empty if it has."""
    not_drawn: str = ""
    """Which slides of which deck LibreOffice cannot draw, and why; empty if it draws all."""

    @property
    def edits(self) -> int:
        """How many changes there are, noise left out."""
        return len(self.deck) + sum(len(slide.changes) for slide in self.slides)

    @property
    def saved(self) -> int:
        """How many differences are noise."""
        return sum(len(clauses) for _place, clauses in self.noise)

    @property
    def marked(self) -> bool:
        """Whether a picture has a mark."""
        return any(slide.before and slide.after and slide.regions for slide in self.slides)

    def count(self, fate: str) -> int:
        """How many slides were ``added``, ``removed`` or ``moved``; for "" how many changed."""
        return sum(slide.fate == fate for slide in self.slides)


def write_diff_page(path: str | Path, comparison: Comparison, *, edit: object = None) -> None:
    """Write the page of ``comparison`` to ``path``, whole or not at all.

    With ``edit``, an ``EditResult`` of the editor, the instruction and its outcome stand above the
    changes. The page loads nothing, from the network or from disk, and works without JavaScript, on
    a phone, in dark mode and on paper.
    """
    template = DIFF_PAGE if edit is None else EDIT_PAGE
    with output_page(path, template) as page:
        write_page(
            page, template, "open-for-print.js", package="decklab.diffing", edit=edit,
            comparison=comparison, frame_width=FRAME_WIDTH,
        )  # fmt: skip


def _meet(box: Box, other: Box) -> bool:
    return _middle_on(box, other) or _middle_on(other, box)


def _middle_on(box: Box, other: Box) -> bool:
    x, y = box.middle
    return other.left <= x <= other.right and other.top <= y <= other.bottom


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that stand near each other as one."""
    joined: list[Box] = []
    for box in boxes:
        around = box
        while near := [other for other in joined if _near(around, other)]:
            joined = [other for other in joined if other not in near]
            for other in near:
                around = around.union(other)
        joined.append(around)
    return joined


def _near(a: Box, b: Box) -> bool:
    across = max(a.left, b.left) - _NEAR < min(a.right, b.right)
    return across and max(a.top, b.top) - _NEAR < min(a.bottom, b.bottom)


_TEXTS = frozenset({("text", "text"), ("table", "cell text"), ("notes", "text"),
                    ("comment", "text"), ("alt text", "description")})  # fmt: skip
_CONTEXT = 60
"""Characters shown of a text before and after a change in it. Ours."""


def write_comparison(
    path: str | Path,
    before: str | Path,
    after: str | Path,
    *,
    renderer: Renderer | None = None,
    on_rules: OnFallback | None = None,
    force: bool = False,
) -> DeckDiff:
    """Compare two decks, write the page to ``path``, and give the changes.

    Arguments and errors are those of ``compare_decks``; also OSError, before anything is read,
    if the page cannot be written or its name is that of one of the decks, and NameTaken if
    the file exists and is no such page. With ``force`` a copy of it is kept beside it.
    """
    check_page(path, DIFF_PAGE, inputs=[before, after], force=force)
    diff, comparison = compare_decks(before, after, renderer=renderer, on_rules=on_rules)
    write_diff_page(path, comparison)
    return diff


def compare_decks(
    before: str | Path,
    after: str | Path,
    *,
    renderer: Renderer | None = None,
    on_rules: OnFallback | None = None,
) -> tuple[DeckDiff, Comparison]:
    """The changes between two decks, and all that a page shows of them.

    Slides that changed are drawn as they were and as they are; after a change of a theme, master
    or layout all slides are, and those that look different are shown; by default the user's cache
    folder stores what was drawn. Where they cannot be drawn the comparison says why and has no
    pictures. Where LibreOffice saved the newer deck the changes are those of
    ``decklab.diffing.decks.diff_decks``, which calls ``on_rules``. Raises what opening a package
    and taking a snapshot raise.
    """
    unpictured = not_drawn = ""
    with (renderer or Renderer(cache=Cache())).started() as started:
        decks = read_decks(before, after, renderer=started, on_rules=on_rules)
        slides = list(_changed_slides(decks))
        try:
            with DecksSideBySide(before, after, renderer=started) as drawn:
                slides = _pictured(slides, drawn)
                not_drawn = _not_drawn(drawn) if slides else ""
        except RenderError as error:
            unpictured = str(error)
    diff = decks.found
    noise = words_by_slide(change for change in diff.changes if change.noise)
    shown = [it for it in slides if it.changes or (diff.changes_templates and it.regions)]
    comparison = Comparison(
        before=str(before),
        after=str(after),
        deck=_lines((change for change in diff.edits if change.slide is None), decks),
        slides=tuple(shown),
        slide_count=len(decks.after["slides"]),
        noise=tuple((words.place, words.clauses) for words in noise),
        unpictured=unpictured,
        not_drawn=not_drawn,
    )
    return diff, comparison


def _changed_slides(decks: DeckEdit) -> Iterator[ChangedSlide]:
    """Slides with changes of their own; all slides after a change of a theme, master or layout."""
    removed: dict[int, list[Change]] = {}
    changed: dict[int, list[Change]] = {}
    for change in decks.found.edits:
        if change.slide is not None:
            is_removed = (change.kind, change.property) == ("slide", "removed")
            (removed if is_removed else changed).setdefault(change.slide, []).append(change)
    for before, after in decks.numbers:
        changes = removed[before or 0] if after is None else changed.get(after, [])
        if changes or decks.found.changes_templates:
            lines = _lines(changes, decks, (before, after))
            yield ChangedSlide(before, after, _title(decks, before, after), lines)


def _title(decks: DeckEdit, before: int | None, after: int | None) -> str:
    deck, number = (decks.before, before) if after is None else (decks.after, after)
    return str(deck["slides"][(number or 1) - 1].get("title") or "")


def _lines(
    edits: Iterable[Change], decks: DeckEdit, numbers: tuple[int | None, int | None] = (None, None)
) -> tuple[ChangeLine, ...]:
    both = decks.before, decks.after
    slides = [deck["slides"][n - 1] if n else {} for deck, n in zip(both, numbers, strict=True)]
    shapes = [{shape["id"]: shape for shape in slide.get("shapes", ())} for slide in slides]
    sizes = [deck["size_pt"] for deck in both]
    lines = ((change, _line(change, *sizes)) for change in edits)
    return tuple(replace(line, boxes=tuple(_boxes(change, shapes))) for change, line in lines)


def _boxes(change: Change, shapes: Sequence[Mapping[int, Mapping[str, Any]]]) -> Iterator[Box]:
    """Where the element of a change stands in each deck that has it among its slide's shapes."""
    for of_deck in shapes:
        shape = None if change.element is None else of_deck.get(change.element.id)
        if shape is not None and "w" in shape and change.kind not in _UNSEEN:
            x, y = shape["x"], shape["y"]
            yield Box(x, y, x + shape["w"], y + shape["h"])


_UNSEEN = frozenset({"notes", "comment", "alt text", "animation", "transition", "detail"})
"""Kinds of changes that no picture of a slide shows."""


def _line(change: Change, before: Sequence[float], after: Sequence[float]) -> ChangeLine:
    colors = (change.old, change.new) if _is_color(change.old) and _is_color(change.new) else ()
    is_text = (change.kind, change.property) in _TEXTS
    if is_text and isinstance(change.old, str) and isinstance(change.new, str):
        return ChangeLine(change.kind, _where(change), tuple(_pieces(change.old, change.new)))
    return ChangeLine(change.kind, in_centimetres(change, before, after), colors=colors)


def _is_color(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 7 and value.startswith("#")


def _where(change: Change) -> str:
    """Names of the shape and part that the text belongs to, else the kind of the change."""
    element = change.element
    names = () if element is None else (element.name, element.part)
    return ", ".join(name for name in names if name) or change.kind


def _pieces(old: str, new: str) -> Iterator[TextPiece]:
    parts = blocks(old, new)
    for index, block in enumerate(parts):
        if block.same:
            text = old[block.a0 : block.a1]
            yield TextPiece(_cut(text, first=not index, last=index == len(parts) - 1), "same")
            continue
        pieces: tuple[tuple[str, Literal["gone", "come"]], ...] = (
            (old[block.a0 : block.a1], "gone"),
            (new[block.b0 : block.b1], "come"),
        )
        yield from (TextPiece(text, state) for text, state in pieces if text)


def _cut(text: str, *, first: bool, last: bool) -> str:
    """The ends of a text that are next to a change."""
    if len(text) <= 2 * _CONTEXT:
        return text
    head, tail = text[:_CONTEXT], text[-_CONTEXT:]
    return f"…{tail}" if first else f"{head}…" if last else f"{head} … {tail}"


def _pictured(slides: Sequence[ChangedSlide], decks: DecksSideBySide) -> list[ChangedSlide]:
    """The slides with their pictures; RenderError if one of the decks cannot be drawn."""
    if slides:
        _ = decks.rendered("original"), decks.rendered("modified")
    return [_with_pictures(slide, decks, 2 * len(slides)) for slide in slides]


def _not_drawn(decks: DecksSideBySide) -> str:
    """One line on the slides of both decks that cannot be drawn; empty if all can."""
    sides: tuple[DeckSide, ...] = ("original", "modified")
    return "; ".join(
        f"{decks.paths[side]}: slide {number}: {fault}"
        for side in sides
        for number, fault in decks.rendered(side).faults.items()
    )


def _picture(decks: DecksSideBySide, side: DeckSide, number: int | None) -> Image | None:
    """A slide's picture; None if there is no such slide, or it cannot be drawn."""
    if number is None or number in decks.rendered(side).faults:
        return None
    return decks.drawn(side, number).image


def _with_pictures(slide: ChangedSlide, decks: DecksSideBySide, shown: int) -> ChangedSlide:
    old = _picture(decks, "original", slide.before)
    new = _picture(decks, "modified", slide.after)
    if old is None and new is None:
        return slide
    (visual,) = visual_diff([old], [new])
    return replace(
        slide,
        old_picture=None if old is None else jpeg_within_budget(old, slides=shown),
        new_picture=None if new is None else jpeg_within_budget(new, slides=shown),
        regions=() if old is None or new is None else visual.regions,
        likeness=None if isinstance(visual.ssim, NotScored) else visual.ssim,
    )
