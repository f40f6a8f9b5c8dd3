"""Requested changes compared with the changes that were made.

Each edit is split into atomic changes, each with its place in the original deck. Two changes of one
place agree where their new values are the same, up to small differences of measure.
``preservation`` is the share of content that an edit left alone, of what it should leave alone.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.results import NotScored
from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Change, ElementRef
from decklab.diffing.sequences import best_assignment
from decklab.diffing.snapshots import DeckEdit

Place = tuple[Any, ...]
"""The place of a change; changes of two edits with equal places change the same thing."""
_ADDED = "+"


@dataclass(frozen=True)
class AtomicChange:
    """One atomic change and its place."""

    place: Place
    change: Change


def atomic_changes(edit: DeckEdit) -> tuple[AtomicChange, ...]:
    """The changes of an edit without noise, each as small as it can be described.

    Texts of equally many paragraphs change paragraph by paragraph, a chart's values and a
    diagram's nodes one by one, and a slide that was added is each of its shapes besides.
    """
    return tuple(
        AtomicChange(_place(edit, atom), atom)
        for change in edit.found.edits
        for atom in (*_split(change), *_contents(edit, change))
    )


def _split(change: Change) -> Iterator[Change]:
    if (parts := _parts(change)) is None:
        yield change
        return
    for number, (old, new) in enumerate(zip(*parts, strict=True), start=1):
        if old != new:
            yield _of_part(change, number, old, new)


def _of_part(change: Change, number: int, old: Any, new: Any) -> Change:
    """The same change of one paragraph, value or node only."""
    element = change.element or ElementRef(id=0, name="")
    if change.kind == "text":
        part = f"{element.part}, paragraph {number}" if element.part else f"paragraph {number}"
        element, name = element.model_copy(update={"part": part}), change.property
    else:
        name = f"{change.property.removesuffix('s')} {number}"
    return change.model_copy(update={"element": element, "property": name, "old": old, "new": new})


def _parts(change: Change) -> tuple[Sequence[Any], Sequence[Any]] | None:
    """Old and new piece by piece, if there are equally many."""
    old, new = change.old, change.new
    if change.kind == "text" and isinstance(old, str) and isinstance(new, str):
        old, new = old.split("\n"), new.split("\n")
    elif change.kind not in ("chart", "diagram") or not isinstance(old, list):
        return None
    return (old, new) if isinstance(new, list) and len(old) == len(new) else None


def _contents(edit: DeckEdit, change: Change) -> Iterator[Change]:
    if (change.kind, change.property) != ("slide", "added") or change.slide is None:
        return
    for shape in edit.after["slides"][change.slide - 1].get("shapes", []):
        shown = {key: shape[key] for key in ("kind", "content", "x", "y", "w", "h") if key in shape}
        element = ElementRef(id=shape.get("id", 0), name=shape.get("name", ""))
        yield Change(
            slide=change.slide, element=element, kind="added", property=shape["kind"],
            old=None, new=shown,
        )  # fmt: skip


def _place(edit: DeckEdit, change: Change) -> Place:
    slide = _slide(edit, change)
    if change.kind == "added":
        return (slide, "added", change.property)
    return (slide, *_element(edit, change, slide), change.kind, change.property)


def _slide(edit: DeckEdit, change: Change) -> int | str | None:
    """Number in the original deck; ``+`` for slides it does not have, None for the deck."""
    if change.slide is None or (change.kind, change.property) == ("slide", "removed"):
        return change.slide
    return edit.older.get(change.slide, _ADDED)


def _element(edit: DeckEdit, change: Change, slide: int | str | None) -> Place:
    if (element := change.element) is None:
        return ("", 0, "")
    if element.sheet or not isinstance(slide, int):
        return (element.sheet, element.id, element.part)
    return ("", _original_id(edit.before["slides"][slide - 1], element), element.part)


def _original_id(slide: Snapshot, element: ElementRef) -> int | str:
    """Names are stable where a program saves a deck anew, ids are stable elsewhere."""
    shapes = slide.get("shapes", [])
    names = Counter(shape.get("name", "") for shape in shapes)
    if names[element.name] == 1:
        named = next(shape for shape in shapes if shape.get("name", "") == element.name)
        return int(named.get("id", 0))
    if any(shape.get("id") == element.id for shape in shapes):
        return element.id
    return element.name


TOLERANCE: Final = 0.01
"""Sizes, lengths and times may be off by 1 % (paper 003, listing 4), places by 1 % of the frame's
side and colours by 1 % of a channel's range (both ours: a place or a colour has no size of which a
share could be taken)."""
_PIXEL = 1.0
"""Px by which the width or height of something small may be off. Ours."""
_CHANNEL = 255 * TOLERANCE
_EXACT: Final = 1e-6
"""Share by which data may be off: the numbers of a chart are not measured. Ours."""
_IGNORED = frozenset({"name", "id", "creation_id"})
"""Properties of an added thing that an editor may choose freely."""
_COUNTED = frozenset({"slide", "z-order", "section", "chart", "table"})
"""Kinds of changes whose numbers are counts or data."""
_SIDES = {"x": FRAME_WIDTH, "y": FRAME_HEIGHT, "x1": FRAME_WIDTH, "y1": FRAME_HEIGHT,
          "x2": FRAME_WIDTH, "y2": FRAME_HEIGHT}  # fmt: skip


def same_value(first: Any, second: Any, *, kind: str = "style", key: str = "") -> bool:
    """Whether two new values of one property are the same for people.

    ``kind`` and ``key`` are a change's kind and property, or the name of a value inside one: they
    say what a number measures. Texts are compared with white space as one space.

    >>> same_value(18.0, 18.1), same_value(18.0, 18.5)
    (True, False)
    >>> same_value("#137A8B", "#147A8B"), same_value([100.0, 50.0], [105.0, 50.0], key="position")
    (True, True)
    >>> same_value([1000.0], [1001.0], kind="chart", key="values")
    False
    """
    if isinstance(first, bool) or isinstance(second, bool) or first is None or second is None:
        return first == second and isinstance(first, bool) == isinstance(second, bool)
    if isinstance(first, int | float) and isinstance(second, int | float):
        return abs(first - second) <= _leeway(max(abs(first), abs(second)), kind, key)
    if isinstance(first, str) and isinstance(second, str):
        return _same_text(first, second)
    if isinstance(first, dict) and isinstance(second, dict):
        keys = (first.keys() | second.keys()) - (_IGNORED if kind == "added" else frozenset())
        return all(
            same_value(first.get(name), second.get(name), kind=kind, key=name) for name in keys
        )
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(
            same_value(a, b, kind=kind, key=name)
            for a, b, name in zip(first, second, _names(key, len(first)), strict=True)
        )
    return bool(first == second)


def _names(key: str, count: int) -> tuple[str, ...]:
    """The unit that the numbers of a list measure."""
    sides = {"position": ("x", "y"), "size": ("w", "h")}.get(key, ())
    return sides if len(sides) == count else (key,) * count


def _leeway(size: float, kind: str, key: str) -> float:
    if kind in _COUNTED:
        return size * _EXACT
    if key in _SIDES:
        return _SIDES[key] * TOLERANCE
    if key in ("w", "h"):
        return max(size * TOLERANCE, _PIXEL)
    return size * TOLERANCE


def _same_text(first: str, second: str) -> bool:
    if first == second:
        return True
    channels = _channels(first), _channels(second)
    if channels[0] and channels[1]:
        return all(abs(a - b) <= _CHANNEL for a, b in zip(*channels, strict=True))
    return " ".join(first.split()) == " ".join(second.split())


def _channels(text: str) -> tuple[int, ...]:
    """Of ``#RRGGBB``; nothing for other texts."""
    if len(text) != 7 or not text.startswith("#"):
        return ()
    try:
        return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))
    except ValueError:
        return ()


@dataclass(frozen=True)
class ChangeAgreement:
    """How far the changes made agree with the requested ones."""

    matched: tuple[Change, ...]
    """Requested and made; the requested change."""
    missing: tuple[Change, ...]
    """Requested, and not made, or made differently."""
    unasked: tuple[Change, ...]
    """Made, and not requested."""
    unseen: tuple[tuple[Change, str], ...] = ()
    """Requested and made, but not visible: the change and the reason; counts as not made."""

    @property
    def recall(self) -> float | NotScored:
        """Share of the requested changes that were made, 0 to 1, higher is better."""
        asked = self._asked
        return len(self.matched) / asked if asked else NotScored("the truth asks for no change")

    @property
    def precision(self) -> float | NotScored:
        """Share of the changes made that were requested, 0 to 1, higher is better."""
        changes = len(self.matched) + len(self.unasked)
        return len(self.matched) / changes if changes else NotScored("nothing was changed")

    @property
    def f1(self) -> float | NotScored:
        """Twice the common changes over all requested and all made, 0 to 1, higher is better; 0
        where nothing was changed, though precision has no value there."""
        if not self._asked:
            return NotScored("the truth asks for no change")
        return 2 * len(self.matched) / (self._asked + len(self.matched) + len(self.unasked))

    @property
    def _asked(self) -> int:
        return len(self.matched) + len(self.missing) + len(self.unseen)


def change_agreement(
    asked: DeckEdit, made: DeckEdit, *, why_unseen: Callable[[Change, Change], str] | None = None
) -> ChangeAgreement:
    """Match the changes of two edits of one deck: original to truth, original to prediction.

    Two changes are the same where they change the same thing in the original (elements by name,
    else by id) to the same value (``same_value``); each is matched once, as many as possible.
    ``why_unseen`` takes a change as requested and as made, and returns why the latter is not
    visible though the former is, or "". Companion of IF, paper 003 section 3.3; the paper has no
    such number. ValueError where the two do not start from the same number of slides.

    >>> from decklab.diffing.changes import DeckDiff
    >>> same = DeckEdit({"slides": []}, {"slides": []}, DeckDiff())
    >>> change_agreement(same, same).recall
    NotScored(reason='the truth asks for no change')
    """
    if len(asked.before["slides"]) != len(made.before["slides"]):
        raise ValueError("the two edits are not of one deck")
    wanted, done = _by_place(atomic_changes(asked)), _by_place(atomic_changes(made))
    matched: list[Change] = []
    missing: list[Change] = []
    unasked: list[Change] = []
    unseen: list[tuple[Change, str]] = []
    for where in dict.fromkeys((*wanted, *done)):
        left, right = wanted.get(where, []), done.get(where, [])
        pairs = _pairs(left, right)
        for i, j in pairs:
            why = why_unseen(left[i], right[j]) if why_unseen is not None else ""
            if why:
                unseen.append((left[i], why))
            else:
                matched.append(left[i])
        missing += [change for i, change in enumerate(left) if i not in {i for i, _ in pairs}]
        unasked += [change for j, change in enumerate(right) if j not in {j for _, j in pairs}]
    return ChangeAgreement(tuple(matched), tuple(missing), tuple(unasked), tuple(unseen))


def _by_place(atoms: Iterable[AtomicChange]) -> dict[Place, list[Change]]:
    places: dict[Place, list[Change]] = defaultdict(list)
    for atom in atoms:
        places[atom.place].append(atom.change)
    return places


def _pairs(left: list[Change], right: list[Change]) -> list[tuple[int, int]]:
    """As many pairs as possible of changes to the same value."""
    if not left or not right:
        return []
    same = np.array([[_same(a, b) for b in right] for a in left], dtype=float)
    rows, columns = best_assignment(same, maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if same[i, j]]


def _same(first: Change, second: Change) -> bool:
    """Without an element, changes of the same old value are changes of the same thing."""
    return (first.element is not None or first.old == second.old) and same_value(
        first.new, second.new, kind=first.kind, key=first.property
    )


Unit = tuple[Any, ...]

FACETS: Final = ("content", "look", "place", "extras")
"""The sides of a shape that count separately: its words or pictures; paint and type; box and
drawing order; links, alt text and name. Ours."""
_FACET_OF: Final = {
    "text": "content", "table": "content", "chart": "content", "diagram": "content",
    "picture": "content", "media": "content", "style": "look", "geometry": "place",
    "z-order": "place",
}  # fmt: skip
"""The side of a shape by kind of change; all other kinds are extras."""
_SLIDE_UNITS: Final = (
    "shapes", "place", "shown", "layout", "look", "notes", "comment", "transition", "animation",
)  # fmt: skip
"""The sides of a slide besides its shapes; ``shapes`` is the list of its shapes."""
_SHEETS: Final = {"theme": "theme", "master": "master", "layout": "layout"}
"""Kinds of changes to what slides inherit from, and the key under which a slide names it."""


@dataclass(frozen=True)
class Preservation:
    """Content that was not to be touched, and how much of it was."""

    share: float | NotScored
    """Share of the untouched content left untouched, 0 to 1, higher is better."""
    units: int
    """Units of content that the truth leaves alone."""
    touched: tuple[Unit, ...]
    """Those of them that the prediction changes."""


def preservation(asked: DeckEdit, made: DeckEdit) -> Preservation:
    """The share of content that the truth leaves alone and the prediction leaves alone too.

    Content is counted in units: of each shape its content, look, place and extras; of each slide
    which shapes it has, its place, whether it is shown, layout, background, notes, comments,
    transition and animations; every theme, master and layout in use; sections, size and
    properties of the deck. A change of a theme, master or layout touches the look of the slides
    that follow it. Companion of VQ, paper 003 section 3.3; the paper has no such number.
    """
    everything = tuple(dict.fromkeys(_units(asked.before)))
    touched_by_truth = set(_touched(asked))
    alone = [unit for unit in everything if unit not in touched_by_truth]
    if not alone:
        return Preservation(NotScored("the truth leaves nothing as it was"), 0, ())
    touched_by_prediction = set(_touched(made))
    touched = tuple(unit for unit in alone if unit in touched_by_prediction)
    return Preservation(1 - len(touched) / len(alone), len(alone), touched)


def _units(deck: Snapshot) -> Iterator[Unit]:
    for name in ("slides", "section", "show", "properties", "other"):
        yield ("deck", name)
    for kind in ("theme", "master", "layout"):
        yield from ((kind, sheet.get("name", "")) for sheet in deck.get(f"{kind}s", []))
    for slide in deck["slides"]:
        yield from _slide_units(slide)


def _slide_units(slide: Snapshot) -> Iterator[Unit]:
    number = slide["number"]
    yield from (("slide", number, name) for name in _SLIDE_UNITS)
    for shape in slide.get("shapes", []):
        yield from (("shape", number, shape.get("id", 0), facet) for facet in FACETS)


def _touched(edit: DeckEdit) -> Iterator[Unit]:
    for atom in atomic_changes(edit):
        yield from _units_of(edit.before, atom)


def _units_of(deck: Snapshot, atom: AtomicChange) -> Iterator[Unit]:
    change, slide = atom.change, atom.place[0]
    if change.slide is None:
        yield from _deck_units(deck, change)
    elif not isinstance(slide, int):
        yield ("deck", "slides")
    elif (change.kind, change.property) == ("slide", "removed"):
        yield from _slide_units(deck["slides"][slide - 1])
    elif change.kind == "added":
        yield ("slide", slide, "shapes")
    elif change.kind == "removed":
        yield from (("shape", slide, atom.place[2], facet) for facet in FACETS)
    elif change.kind == "animation":
        yield ("slide", slide, "animation")
    elif change.element is not None and atom.place[2]:
        yield ("shape", slide, atom.place[2], _FACET_OF.get(change.kind, "extras"))
    else:
        yield ("slide", slide, _of_slide(change))


def _of_slide(change: Change) -> str:
    if change.kind == "slide":
        return "place" if change.property == "moved" else "shown"
    return change.kind if change.kind in _SLIDE_UNITS else "look"


def _deck_units(deck: Snapshot, change: Change) -> Iterator[Unit]:
    if change.kind not in _SHEETS or change.element is None:
        named = change.kind in ("section", "show", "properties")
        yield ("deck", change.kind if named else "other")
        return
    sheet = change.element.sheet
    yield (change.kind, sheet)
    for slide in deck["slides"]:
        if slide.get(_SHEETS[change.kind]) == sheet:
            yield ("slide", slide["number"], "look")
