"""Finds which slides of two decks, and which shapes of two slides, correspond."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, hypot
from typing import Any

from decklab.diffing.sequences import best_pairs, overlap, pair_equal, words_of

SHAPE_GATE = 0.44
"""Score below which two shapes do not correspond. Ours."""
_TEXT, _SHAPE_PLACED, _SHAPE_NAMED, _ROLE = 0.45, 0.35, 0.1, 0.1
"""Weights of text, place, name and placeholder; they sum to 1. Ours."""
_SAME_SHAPE_ID = 0.35
"""Added if trusted ids are equal: with an equal name it suffices for a shape of which all else
changed."""
_SAME_SHAPE_CREATION = 0.3
_TRUSTED = 0.5
"""Share of equal ids whose content or name must be equal too for ids to be trusted. Ours."""
_WITHOUT_TEXT = 0.3
"""Likeness of two shapes without text whose outlines differ. Ours."""

Shape = dict[str, Any]
Indexed = dict[int, Shape]


def match_shapes(before: Sequence[Shape], after: Sequence[Shape]) -> list[tuple[int, int]]:
    """Pairs of indexes, in the order of ``after``; pairs are always of one kind.

    Shapes with equal content, place and id or name are paired first; the rest by the best
    assignment of similar ones.
    """
    left, right = dict(enumerate(before)), dict(enumerate(after))
    trust = _trust_in_shapes(before, after)
    keys = (_identity, *((_known,) if trust else ()), _look)
    pairs = [pair for key in keys for pair in pair_equal(left, right, key)]
    pairs += _shapes_by_likeness(left, right, trust)
    return sorted(pairs, key=lambda pair: pair[1])


def _identity(shape: Shape) -> Any:
    return (*_look(shape), shape.get("id"), shape.get("name"))


def _known(shape: Shape) -> Any:
    """Key of shapes of equal look: the id (mirrored groups); the place if there is none."""
    at = () if shape.get("id") and shape["kind"] != "group" else box_of(shape)
    return (shape["kind"], shape["content"], shape.get("id"), shape.get("name"), at)


def _look(shape: Shape) -> Any:
    return (shape["kind"], shape["content"], box_of(shape))


def _trust_in_shapes(before: Sequence[Shape], after: Sequence[Shape]) -> bool:
    by_id = {shape["id"]: shape for shape in before if shape.get("id")}
    shared = [(by_id[shape["id"]], shape) for shape in after if shape.get("id") in by_id]
    agree = sum(
        a["kind"] == b["kind"]
        and (a.get("name") == b.get("name") or (a["content"] == b["content"] and bool(_words(a))))
        for a, b in shared
    )
    return bool(shared) and agree / len(shared) >= _TRUSTED


def _words(shape: Shape) -> Any:
    return words_of(shape_text(shape))


def _shapes_by_likeness(left: Indexed, right: Indexed, trust: bool) -> list[tuple[int, int]]:
    old, new = list(left), list(right)
    words = {id(shape): _words(shape) for shape in (*left.values(), *right.values())}

    def score(a: Shape, b: Shape) -> float:
        if a["kind"] != b["kind"]:
            return 0.0
        likeness = _likeness_of_shapes(
            a, b, overlap(words[id(a)], words[id(b)]), bool(words[id(a)])
        )
        return likeness + _bonus(a, b, trust)

    scores = [[score(left[i], right[j]) for j in new] for i in old]
    return [(old[i], new[j]) for i, j in best_pairs(scores, SHAPE_GATE)]


def _likeness_of_shapes(a: Shape, b: Shape, words: float, has_text: bool) -> float:
    if a["content"] == b["content"]:
        text = 1.0
    elif has_text or words < 1.0:
        text = words
    else:
        text = _WITHOUT_TEXT if a["kind"] == "shape" else 0.0
    return float(
        _TEXT * text
        + _SHAPE_PLACED * nearness(box_of(a), box_of(b))
        + _SHAPE_NAMED * (a.get("name") == b.get("name"))
        + _ROLE * (_role(a) == _role(b))
    )


def _role(shape: Shape) -> Any:
    """The type of a placeholder; its index may change like an id."""
    return shape.get("placeholder", {}).get("type")


def _bonus(a: Shape, b: Shape, trust: bool) -> float:
    creation = a.get("creation_id"), b.get("creation_id")
    if creation[0] and creation[0] == creation[1]:
        return _SAME_SHAPE_CREATION + _SAME_SHAPE_ID * (a.get("id") == b.get("id"))
    return _SAME_SHAPE_ID if trust and a.get("id") and a.get("id") == b.get("id") else 0.0


_REACH = 200.0
"""Px over which nearness falls to 37 %: about a fifth of the slide's width. Ours."""

Box = tuple[float, float, float, float]


def box_of(shape: dict[str, Any]) -> Box:
    """Left, top, width and height of a snapshot's shape; of a line its bounds."""
    if "x1" in shape or "x2" in shape or "y1" in shape or "y2" in shape:
        x1, x2 = shape.get("x1", 0.0), shape.get("x2", 0.0)
        y1, y2 = shape.get("y1", 0.0), shape.get("y2", 0.0)
        return min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)
    return shape.get("x", 0.0), shape.get("y", 0.0), shape.get("w", 0.0), shape.get("h", 0.0)


def nearness(a: Box, b: Box) -> float:
    """1 for equal boxes, less with the distance of their centres and the difference in size."""
    if a == b:
        return 1.0
    away = hypot(a[0] + a[2] / 2 - b[0] - b[2] / 2, a[1] + a[3] / 2 - b[1] - b[3] / 2)
    grown = abs(a[2] - b[2]) + abs(a[3] - b[3])
    return exp(-(away + grown / 2) / _REACH)


def shape_text(shape: dict[str, Any]) -> str:
    """All text of a snapshot's shape: its own without fields, or that of its cells or nodes."""
    return "\n".join(_texts(shape))


def _texts(shape: dict[str, Any]) -> Iterator[str]:
    for paragraph in shape.get("text", {}).get("paragraphs", ()):
        yield "".join(run["text"] for run in paragraph.get("runs", ()) if "field" not in run)
    for row in shape.get("table", {}).get("cells", ()):
        yield from row
    yield from (node.get("text", "") for node in shape.get("diagram", {}).get("nodes", ()))
    chart = shape.get("chart", {})
    yield chart.get("title") or ""
    yield from (series.get("name") or "" for series in chart.get("series", ()))
    yield shape.get("other", {}).get("text", "")


SLIDE_GATE = 0.6
"""Likeness below which two slides do not correspond. Ours: slides of one talk that share layout,
places and footer reach 0.5."""
_WORDS, _SHAPES, _PLACED, _NAMED, _LAYOUT = 0.4, 0.2, 0.25, 0.1, 0.05
"""Weights of words, of equal shapes, of boxes, of the title and of the layout; they sum to 1. Ours:
words distinguish slides best."""
_SAME_ID = 0.6
"""Added if trusted ids are equal: with the layout it suffices for a slide that was emptied or
rewritten in place."""
_SAME_CREATION = 0.15
_COPY, STRANGE = 0.8, 0.5
"""From the first likeness on, a slide may be a copy of an older one; the id of a copy does not
count for a slide less similar to it than the second. Ours."""
_NOTHING = 0.15
"""Likeness below which two slides of different layouts share nothing but the id. Ours."""
_MEANINGLESS = 0.5
"""Mean likeness of slides with equal ids below which ids are not trusted. Ours."""
_SOMEWHAT = 0.35
_SHARED_IDS = 0.5  # share of the slides whose ids both decks have
_GRID = 20.0  # px: boxes that round to the same cell are at the same place

Slides = Sequence[dict[str, Any]]
_Indexed = dict[int, dict[str, Any]]


@dataclass(frozen=True)
class _Features:
    slide: dict[str, Any]

    @cached_property
    def words(self) -> Counter[str]:
        return words_of("\n".join(map(shape_text, self.slide["shapes"])))

    @cached_property
    def contents(self) -> Counter[str]:
        return Counter(shape["content"] for shape in self.slide["shapes"])

    @cached_property
    def places(self) -> Counter[tuple[int, ...]]:
        return Counter(
            tuple(round(edge / _GRID) for edge in box_of(shape)) for shape in self.slide["shapes"]
        )


@dataclass(frozen=True)
class _Ids:
    """How much equal ids count."""

    trust: float
    """Mean likeness of slides with equal ids, 0 to 1."""
    marked: bool
    """Whether the newer deck has creation ids."""
    known: frozenset[str]
    """Contents of the older slides: a copy of one of them may have an id that was free again."""

    def bonus(self, old: dict[str, Any], other: dict[str, Any]) -> float:
        creation = old.get("creation_id"), other.get("creation_id")
        same = bool(old.get("id")) and old.get("id") == other.get("id")
        if creation[0] and creation[0] == creation[1]:
            return _SAME_CREATION + _SAME_ID * same
        if self.marked and creation != (None, None):
            return 0.0  # a new slide has the id of a removed one
        return _SAME_ID * self.trust * same


def match_slides(
    before: Slides, after: Slides, *, numbered_anew: bool = False, kept_ids: bool = False
) -> list[tuple[int, int]]:
    """Pairs of indexes, in the order of ``after``.

    Slides with equal content are paired first, by id and then in order; the rest by the best
    assignment of similar slides. Ids count only as far as slides with equal ids are similar, and
    not at all if the newer ids are only numbers in order (``numbered_anew``), and fully if they are
    known to be the old ones (``kept_ids``). If ids are trusted, a slide that was edited keeps its
    counterpart although another slide now has its old content.
    """
    left, right = dict(enumerate(before)), dict(enumerate(after))
    trust = 0.0 if numbered_anew else 1.0 if kept_ids else _trust(before, after)
    pairs = pair_equal(left, right, lambda slide: (slide.get("id"), _content(slide)))
    if trust == 1.0:
        pairs += _take_edited(left, right)
    pairs += pair_equal(left, right, _content)
    known = frozenset(slide["content"] for slide in before)
    ids = _Ids(trust, any(slide.get("creation_id") for slide in after), known)
    pairs += _by_likeness(left, right, ids)
    if ids.trust < _MEANINGLESS:
        pairs += _by_neighbours(before, after, pairs)
    return sorted(pairs, key=lambda pair: pair[1])


def _take_edited(left: _Indexed, right: _Indexed) -> list[tuple[int, int]]:
    """Take out of both the slides that have the same id and nearly all of their shapes."""
    waiting = {slide.get("id"): i for i, slide in left.items() if slide.get("id")}
    pairs = []
    for j, slide in tuple(right.items()):
        i = waiting.get(slide.get("id"))
        if i is not None and slide["shapes"] and likeness(left[i], slide) >= _COPY:
            pairs.append((i, j))
            del waiting[slide.get("id")], left[i], right[j]
    return pairs


def likeness(old: dict[str, Any], new: dict[str, Any]) -> float:
    """Likeness of two slides of snapshots, without their ids, 0 to 1."""
    return _likeness(_Features(old), _Features(new))


def _content(slide: dict[str, Any]) -> Any:
    """Key of a slide by content; slides without shapes need more than equal content."""
    return (slide["content"], slide.get("layout"), bool(slide["shapes"]))


def _trust(before: Slides, after: Slides) -> float:
    """How much equal ids count, 0 to 1.

    It is 1 if most ids occur in both decks and are not just 256, 257 ...; else the mean likeness of
    the slides with equal ids. Blank slides are left out: something may have been drawn on them
    since.
    """
    by_id = {slide.get("id"): slide for slide in before if slide.get("id")}
    shared = [(by_id[slide["id"]], slide) for slide in after if slide.get("id") in by_id]
    if not shared:
        return 0.0
    if len(shared) >= _SHARED_IDS * len(after) and not _numbered_in_order(after):
        return 1.0
    scores = [
        1.0 if a["content"] == b["content"] else _likeness(_Features(a), _Features(b))
        for a, b in shared
        if a["content"] == b["content"] or (a["shapes"] and b["shapes"])
    ]
    return sum(scores) / len(scores) if scores else 1.0


def _numbered_in_order(slides: Slides) -> bool:
    """Whether the ids are those that a program gives to new slides: 256, 257 ..."""
    return [slide.get("id") for slide in slides] == list(range(256, 256 + len(slides)))


def _by_likeness(left: _Indexed, right: _Indexed, ids: _Ids) -> list[tuple[int, int]]:
    old, new = list(left), list(right)
    a, b = [_Features(left[i]) for i in old], [_Features(right[j]) for j in new]
    alike = [[_likeness(slide, other) for other in b] for slide in a]
    copies = [
        bool(other.slide["shapes"])
        and (other.slide["content"] in ids.known or any(row[j] >= _COPY for row in alike))
        for j, other in enumerate(b)
    ]

    def bonus(i: int, j: int) -> float:
        oldde, other = a[i].slide, b[j].slide
        taken_over = copies[j] and alike[i][j] < STRANGE
        strangers = alike[i][j] < _NOTHING and oldde.get("layout") != other.get("layout")
        return 0.0 if taken_over or strangers else ids.bonus(oldde, other)

    scores = [[score + bonus(i, j) for j, score in enumerate(row)] for i, row in enumerate(alike)]
    return [(old[i], new[j]) for i, j in best_pairs(scores, SLIDE_GATE)]


def _by_neighbours(
    before: Slides, after: Slides, pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """If ids are not trusted: slightly similar single slides between the same neighbours."""
    there = {j: i for i, j in pairs} | {-1: -1, len(after): len(before)}
    paired = {i for i, _ in pairs}
    neighbours = []
    for j, slide in enumerate(after):
        i = there.get(j - 1, len(before)) + 1
        between = j not in there and i not in paired and there.get(j + 1) == i + 1
        if between and _likeness(_Features(before[i]), _Features(slide)) >= _SOMEWHAT:
            neighbours.append((i, j))
    return neighbours


def _likeness(a: _Features, b: _Features) -> float:
    old, other = a.slide, b.slide
    return (
        _WORDS * overlap(a.words, b.words)
        + _SHAPES * overlap(a.contents, b.contents)
        + _PLACED * overlap(a.places, b.places)
        + _NAMED * (old.get("title") == other.get("title"))
        + _LAYOUT * (old.get("layout") == other.get("layout"))
    )
