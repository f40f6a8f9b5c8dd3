"""One graded attempt for readers: a page with the tree of criteria, reasons and slides before and
after; or the tree as lines on a terminal."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from decklab.core.colors import differing_pixels
from decklab.core.errors import RenderError
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import SAME, NotScored
from decklab.diffing.pictures import regions
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.graded import Damage, GradedNode, GradedTree
from decklab.evals.rubrics.running import Side
from decklab.pages.page import write_page
from decklab.pages.pictures import SlidePicture, jpeg_within_budget
from decklab.pages.wording import clean_line, number


@dataclass(frozen=True)
class SlidePair:
    """A slide before and after; a 1-based number is None if the slide was not there.

    ``marks`` are boxes in the 960x540 frame around what looks different.
    """

    before: int | None
    after: int | None
    title: str = ""
    picture_before: SlidePicture | None = None
    picture_after: SlidePicture | None = None
    marks: tuple[Box, ...] = ()


@dataclass(frozen=True)
class ChangedSlides:
    """The changed slides as a page shows them."""

    pairs: tuple[SlidePair, ...] = ()
    more: int = 0
    """How many changed slides are not among them."""
    no_pictures: str = ""
    """Why pictures are missing; empty where none is."""


@dataclass(frozen=True)
class _Cell:
    """A criterion in the picture of the tree: a row for each level, as wide as its leaves."""

    node: GradedNode
    anchor: str
    row: int
    column: int
    span: int


def _cells(root: GradedNode) -> Iterator[_Cell]:
    """The tree as cells, parents first; anchors are those that the template gives criteria."""
    waiting = [(root, "c", 1, 1)]
    while waiting:
        node, anchor, row, column = waiting.pop()
        yield _Cell(node, anchor, row, column, len(node.leaves()))
        for at, child in enumerate(node.children):
            waiting.append((child, f"{anchor}-{at}", row + 1, column))
            column += len(child.leaves())


def shown_score(node: GradedNode) -> str:
    """The score as a reader expects it: ``0.85``, ``1``, ``0 to 0.7``."""
    return f"{_short(node.low)} to {_short(node.high)}" if node.open else _short(node.low)


def _short(score: float) -> str:
    if (shown := number(score)) in ("1.00", "0.00") and not (score <= SAME or score >= 1 - SAME):
        return "just over 0" if score < 0.5 else "just under 1"
    return shown.rstrip("0").rstrip(".")


_VISIBLE = 25
"""Levels of 255 by which a pixel must differ in some channel: rounding and smoothing differ by
less. Ours."""
_NEAR = 13
"""Changes at most this many frame pixels apart are one; about a line of text. Ours."""
_MOST = 8
"""With more boxes than this they no longer guide the eye. Ours."""
_MARGIN = 4


def changed_regions(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> tuple[Box, ...]:
    """Boxes in the 960x540 frame around what differs between two (H, W, 3) RGB pictures.

    The largest first, eight at most; none where the pictures look the same. Pictures of another
    size are compared at that of the frame.

    >>> white = np.full((540, 960, 3), 255, np.uint8)
    >>> other = white.copy()
    >>> other[100:200, 300:400] = 0
    >>> changed_regions(white, other)
    (Box(left=296, top=96, right=404, bottom=204),)
    >>> changed_regions(white, white)
    ()
    """
    size = (FRAME_WIDTH, FRAME_HEIGHT)
    older, newer = (
        np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        for image in (before, after)
    )
    boxes = [
        Box(*map(int, box)).grown(_MARGIN).intersection(FRAME)
        for box in regions(differing_pixels(older, newer, _VISIBLE), gap=_NEAR, least=1)
    ]
    return tuple(sorted(boxes, key=lambda box: box.area, reverse=True)[:_MOST])


SHOWN_SLIDES = 12
"""Changed slides that a page shows; ours. A task changes few."""

_Place = tuple[int | None, int | None, str]

_RULE_WORDS = {
    "ppteval": "the mean of the critical parts, less up to {weight:g} for the others",
    "mind2web2": (
        "a critical part at 0 makes 0; with all of them at 1, the mean of the others; else the "
        "mean of all"
    ),
    "mind2web2-strict": "a critical part short of 1 makes 0, else the mean of the others",
}

GRADING_PAGE = "rubric.html"
"""The template of the page."""


def write_grading_page(
    path: str | Path,
    tree: GradedTree,
    decks: ComparedDecks,
    *,
    task: str | None = None,
    pictures: bool = True,
    summary: str = "",
    steps: str = "",
) -> None:
    """Write one page with the tree, its reasons, and the changed slides before and after.

    Slides that cannot or should not be drawn have no picture, and the page says why. ``summary`` is
    the path, relative to it, of a page that lists all attempts, ``steps`` that of a page with what
    the editor did.
    """
    names = {side: str(deck) for side, deck in decks.paths.items()}
    slides = _changed_slides(decks, pictures=pictures)
    pages = {"summary": summary, "steps": steps}
    write_tree_page(path, tree, task=task, slides=slides, **names, **pages)


def write_tree_page(
    path: str | Path,
    tree: GradedTree,
    *,
    original: str,
    modified: str,
    task: str | None = None,
    slides: ChangedSlides | None = None,
    summary: str = "",
    steps: str = "",
) -> None:
    """Write the same page without the decks' files; ``original`` and ``modified`` are their names.

    The page is written whole or not at all, loads nothing and works without JavaScript.
    """
    root = tree.root
    cells = list(_cells(root)) if root.children else []
    write_page(
        path,
        GRADING_PAGE,
        "open-for-print.js",
        package="decklab.evals.rubrics",
        root=root,
        shown=shown_score,
        open_leaves=sum(node.not_scored is not None for node in root.nodes()),
        cells=cells,
        levels=max((cell.row for cell in cells), default=0),
        frame=(FRAME_WIDTH, FRAME_HEIGHT),
        task=task or root.name,
        original=original,
        modified=modified,
        rule=_RULE_WORDS.get(tree.rule, tree.rule).format(weight=tree.weight),
        slides=slides or ChangedSlides(),
        summary=summary,
        steps=steps,
        damage=_damage_words(tree),
        notes=tree.notes,
        harms=harm_words(tree.damage) if isinstance(tree.damage, Damage) else [],
    )


def harm_words(damage: Damage) -> list[str]:
    """The harm, one line each, by slide of the original."""
    return [
        f"{'Deck' if harm.slide is None else f'Slide {harm.slide}'}: {harm.what}"
        for harm in damage.harms
    ]


def _damage_words(tree: GradedTree) -> str:
    if (damage := tree.damage) is None:
        return ""
    if isinstance(damage, NotScored):
        return f"Whether anything else was damaged is not known: {damage.reason}"
    loss, work = f"{damage.loss:.3g}", f"{damage.work:.0%}"
    counted = f"leaves {damage.factor:.0%} of the score" if tree.counted else "is not counted"
    if not damage.harms and damage.work == 1:
        return "Nothing else was damaged, and all that was changed is seen."
    return f"Things lost beside the task: {loss}. Seen of what was changed: {work}. This {counted}."


def changed_pictures(decks: ComparedDecks, most: int) -> list[SlidePair]:
    """The first ``most`` slides that differ, with pictures; raises RenderError."""
    places = _changed(decks)[:most]
    return [_drawn(decks, slides, len(places)) for slides in places]


def _changed_slides(decks: ComparedDecks, *, pictures: bool) -> ChangedSlides:
    """With pictures up to the first slide that cannot be drawn."""
    places = _changed(decks)
    pairs: list[SlidePair] = []
    cause = "" if pictures else "They were not asked for."
    for slides in places[:SHOWN_SLIDES]:
        pair = SlidePair(*slides)
        if not cause:
            try:
                pair = _drawn(decks, slides, len(places))
            except RenderError as error:
                cause = str(error)
        pairs.append(pair)
    return ChangedSlides(tuple(pairs), max(0, len(places) - SHOWN_SLIDES), cause)


def _changed(decks: ComparedDecks) -> list[_Place]:
    """Numbers before and after, and the title, of slides that differ, in order."""
    diff = decks.diff
    places: list[_Place] = [
        (was.slide_number, now.slide_number, now.title or was.title or "")
        for was, now in diff.modified_slides
    ]
    places += [(None, slide.slide_number, slide.title or "") for slide in diff.added_slides]
    places += [(slide.slide_number, None, slide.title or "") for slide in diff.removed_slides]
    return sorted(places, key=lambda slides: (slides[1] or slides[0] or 0, slides[1] is None))


def _drawn(decks: ComparedDecks, pair: _Place, slides: int) -> SlidePair:
    before, after, title = pair
    was = _picture(decks, "original", before, slides)
    now = _picture(decks, "modified", after, slides)
    if before is None or after is None:
        return SlidePair(before, after, title, was, now)
    marks = changed_regions(
        decks.drawn("original", before).image, decks.drawn("modified", after).image
    )
    return SlidePair(before, after, title, was, now, marks)


def _picture(
    decks: ComparedDecks, side: Side, number: int | None, slides: int
) -> SlidePicture | None:
    if number is None:
        return None
    return jpeg_within_budget(decks.drawn(side, number).image, slides=2 * min(slides, SHOWN_SLIDES))


def print_graded(tree: GradedTree, console: Console) -> None:
    """Print every criterion with its score and reason, the damage, and the score of the tree."""
    _print_node(tree.root, 0, console)
    if isinstance(tree.damage, NotScored):
        _print_line(f"\n{clean_line(tree.damage.reason)}", console)
    elif tree.damage is not None:
        leaves = "leaves" if tree.counted else "would leave"
        factor = f"{tree.damage.factor:.0%}"
        _print_line(f"\nDamage beside the task {leaves} {factor} of the score.", console)
        for words in harm_words(tree.damage):
            _print_line(f"  {clean_line(words)}", console, "dim")
    for note in tree.notes:
        _print_line(f"note: {clean_line(note)}", console)
    if isinstance(tree.score, NotScored):
        low, high = tree.root.low, tree.root.high
        _print_line(f"\nScore: open, from {low:.3g} to {high:.3g}", console)
    else:
        _print_line(f"\nScore: {tree.score:.3g}", console)


def _print_node(node: GradedNode, depth: int, console: Console) -> None:
    indent = "  " * depth
    critical = " [critical]" if node.is_critical else ""
    score = node.score
    shown = f"{node.low:.2f}-{node.high:.2f}" if isinstance(score, NotScored) else f"{score:.2f}"
    name = f"{indent}{shown:>9}  {clean_line(node.name)}{critical}"
    _print_line(name, console, "" if depth else "bold")
    reason = node.reason if node.not_scored is None else f"not scored: {node.not_scored}"
    if reason:
        _print_line(f"{indent}           {clean_line(reason)}", console, "dim")
    for child in node.children:
        _print_node(child, depth + 1, console)


def _print_line(text: str, console: Console, style: str = "") -> None:
    console.print(text, style=style, markup=False, highlight=False, emoji=False, soft_wrap=True)
