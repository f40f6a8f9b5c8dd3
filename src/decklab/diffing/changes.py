"""The result of a comparison of two decks: typed changes, each with its place; and differences as
comparers find them, before they have one.

Also here: which differences are too small to be seen, and which follow from a change of the theme,
the master or the layout, or from another difference of the same shape.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isclose
from typing import Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from decklab.core.results import Tabular

Kind = Literal[
    "text",
    "style",
    "geometry",
    "z-order",
    "added",
    "removed",
    "table",
    "chart",
    "diagram",
    "picture",
    "media",
    "notes",
    "comment",
    "link",
    "transition",
    "animation",
    "slide",
    "layout",
    "master",
    "theme",
    "alt text",
    "section",
    "show",
    "properties",
    "name",
    "other",
    "detail",
]
"""Subject of a change. ``added`` and ``removed`` are elements; a slide that was added, removed or
moved is of kind ``slide``. ``detail`` is a part, relationship, element or attribute without a name
of its own: ``part`` and ``path`` of the change say which."""

_TEMPLATE_KINDS = frozenset({"theme", "master", "layout"})


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ElementRef(_Record):
    """The element that changed, by the id and name it has in the newer deck that holds it."""

    id: int
    """Id of the shape; 0 if it has none, or if a layout, master or theme itself is meant."""
    name: str
    part: str = ""
    """Which part of the element, such as ``paragraph 2`` or ``row 1, column 3``."""
    sheet: str = ""
    """The layout, master or theme it is on; empty for slides."""
    words: str = ""
    """A shape with an automatic name by what it shows, such as ``text box “Costs rose”``."""
    members: tuple[str, ...] = ()
    """Of a group that was made or dissolved: the shapes that are in both decks, in words."""


class Change(_Record):
    """One difference.

    ``old`` and ``new`` are plain JSON; None if there is nothing, as before an addition. Geometry
    is in px of the 960x540 frame, sizes in points, colours ``#RRGGBB``.
    """

    slide: int | None
    """1-based number in the newer deck, for a removed slide the one it had in the older; None
    if the deck as a whole, a layout, a master or a theme changed."""
    element: ElementRef | None
    kind: Kind
    property: str
    """The property that changed, such as ``position``, ``font.size`` or ``cell text``."""
    old: Any
    new: Any
    noise: bool = False
    """Whether a program makes such a change by only saving a deck."""
    part: str = ""
    """Where it was found by comparing XML, the part, such as ``ppt/slides/slide3.xml``: in the
    newer deck, of what was removed in the older."""
    path: str = ""
    """The element, attribute or text in that part; empty if the part as such is meant."""
    shown: tuple[str, str] = ("", "")
    """Old and new in words, where they only name what the XML holds; empty for all else."""
    rule: str = ""
    """By which rule of ``decklab.diffing.xml.claims`` it is noise; empty for all else."""


class SlideMove(_Record):
    """A slide that moved: its place changed by more than insertions and removals explain."""

    before: int
    after: int


class SlideMoves(_Record):
    """Slides that were added, removed or moved."""

    added: tuple[int, ...] = ()
    """Numbers in the newer deck."""
    removed: tuple[int, ...] = ()
    """Numbers in the older deck."""
    moved: tuple[SlideMove, ...] = ()

    def pairs(self, before: int, after: int) -> tuple[tuple[int, int], ...]:
        """Older and newer number of each slide that both decks hold, in the newer order.

        ``before`` and ``after`` are the numbers of slides of the decks.

        >>> SlideMoves(added=(1,), moved=(SlideMove(before=3, after=2),)).pairs(3, 4)
        ((3, 2), (1, 3), (2, 4))
        """
        not_old = {*self.removed, *(move.before for move in self.moved)}
        not_new = {*self.added, *(move.after for move in self.moved)}
        old = sorted({*range(1, before + 1)} - not_old)
        new = sorted({*range(1, after + 1)} - not_new)
        stayed = zip(old, new, strict=True)
        moved = ((move.before, move.after) for move in self.moved)
        return tuple(sorted((*stayed, *moved), key=lambda pair: pair[1]))

    def numbers(self, before: int, after: int) -> tuple[tuple[int | None, int | None], ...]:
        """Older and newer number of every slide of either deck: the newer ones in order, None for
        the older number of an added slide, then the removed ones. Arguments as in ``pairs``.

        >>> SlideMoves(added=(1,), removed=(2,)).numbers(2, 2)
        ((None, 1), (1, 2), (2, None))
        """
        older = {new: old for old, new in self.pairs(before, after)}
        newer = ((older.get(number), number) for number in range(1, after + 1))
        return (*newer, *((number, None) for number in self.removed))


_RECORDED: Final = ("kind", "property", "old", "new", "noise")


class DeckDiff(_Record, Tabular):
    """All differences between two decks: those of the deck as a whole first, then by slide."""

    changes: tuple[Change, ...] = ()
    slides: SlideMoves = SlideMoves()
    converted: Mapping[str, str] = Field(default={})
    """Kind of file that LibreOffice converted to compare it, such as "an OpenDocument
    presentation", by deck; PowerPoint files have no entry."""

    @property
    def edits(self) -> tuple[Change, ...]:
        """The changes that are no noise."""
        return tuple(change for change in self.changes if not change.noise)

    @property
    def changed_slides(self) -> frozenset[int]:
        """Numbers in the newer deck of the slides that were added or edited themselves."""
        return frozenset(
            change.slide
            for change in self.edits
            if change.slide is not None and (change.kind, change.property) != ("slide", "removed")
        )

    @property
    def changes_templates(self) -> bool:
        """Whether a theme, master or layout was edited, or anything on one: then slides may look
        different though nothing on them changed."""
        return any(
            change.slide is None
            and (change.kind in _TEMPLATE_KINDS or bool(change.element and change.element.sheet))
            for change in self.edits
        )

    def records(self) -> Iterator[dict[str, Any]]:
        """One row a change, save noise too, with the shape's id and name."""
        for change in self.changes:
            shape = change.element
            id, name = (shape.id, shape.name) if shape else (None, None)
            facts = {key: getattr(change, key) for key in _RECORDED}
            yield {"slide": change.slide, "shape": id, "name": name, **facts}

    def summary(self) -> Iterator[dict[str, Any]]:
        """The rows of what somebody changed; what programs change by saving is left out."""
        return (row for row in self.records() if not row["noise"])

    def as_json(self) -> dict[str, Any]:
        """Plain JSON: ``changes`` and ``slides``; every change has the first seven keys, those
        found by comparing XML also ``part``, ``path`` and ``rule``. ``converted`` is there if a
        deck was converted.

        >>> DeckDiff().as_json()
        {'changes': [], 'slides': {'added': [], 'removed': [], 'moved': []}}
        """
        data = self.model_dump(mode="json", exclude=None if self.converted else {"converted"})
        for change in data["changes"]:
            for key in ("part", "path", "rule"):
                if not change[key]:
                    del change[key]
            if not any(change["shown"]):
                del change["shown"]
            if (shape := change["element"]) is not None:
                keys = [key for key in shape if shape[key] or key in ("id", "name")]
                change["element"] = {key: shape[key] for key in keys}
        return data


Json = dict[str, Any]

_PARTS_NAMED = 3
"""How many parts of an element a change names before it counts the rest. Ours."""


@dataclass(frozen=True)
class Difference:
    """One difference between two versions of an element, slide or deck."""

    kind: Kind
    property: str
    old: Any
    new: Any
    part: str = ""
    origins: tuple[str, str] = ("", "")
    """Where the old and the new value are stated; empty if that is not known."""
    slots: tuple[str, str] = ("", "")
    """Names of the theme colours that the old and the new value use."""
    noise: bool = False
    unseen: bool = False
    """Whether it is the style of blanks, line breaks or an empty paragraph, which draw nothing."""
    members: tuple[str, ...] = ()
    """Of an added or removed group: its shapes that are in both versions, in words."""


class Placed(NamedTuple):
    """A difference with the older and the newer state of its shape.

    ``old`` is None for an added shape, ``new`` for a removed one; both are None for a difference of
    the slide, layout, master, theme or deck itself.
    """

    old: Json | None
    new: Json | None
    difference: Difference

    @classmethod
    def without_shape(cls, difference: Difference) -> "Placed":
        """A difference of the slide, layout, master, theme or deck itself."""
        return cls(None, None, difference)


@dataclass(frozen=True)
class FieldRules:
    """How the fields of one kind of thing are compared."""

    kind: Kind
    prefix: str = ""
    """Text before the names of the fields."""
    skip: Collection[str] = ()
    """Fields that are compared elsewhere, or not at all."""
    defaults: Json = field(default_factory=dict)
    """Values of fields that are missing; None for fields not named here."""


def default_values(model: type[BaseModel]) -> dict[str, Any]:
    """The default of each field of a model as plain JSON; None for required fields."""
    defaults = {}
    for name, info in model.model_fields.items():
        value = None if info.is_required() else info.get_default()
        if isinstance(value, BaseModel):
            value = value.model_dump(mode="json", exclude_defaults=True)
        defaults[name] = list(value) if isinstance(value, tuple) else value
    return defaults


def field_differences(
    old: Json, new: Json, rules: FieldRules, part: str = "", origins: tuple[Json, Json] = ({}, {})
) -> Iterator[Difference]:
    """Yield a difference for each field whose values differ.

    ``origins`` are the ``sources`` of both versions: the origin of each field by its name.
    """
    for key in dict.fromkeys((*old, *new)):
        if key in rules.skip:
            continue
        default = rules.defaults.get(key)
        before, after = old.get(key, default), new.get(key, default)
        if before != after:
            stated = (origins[0].get(key, ""), origins[1].get(key, ""))
            yield Difference(rules.kind, rules.prefix + key, before, after, part, stated)


def key_difference(
    kind: Kind, key: str, old: Json, new: Json, usual: Any = None, *, name: str = "", part: str = ""
) -> Iterator[Difference]:
    """The difference of the values of one key, if they differ; ``name`` is its property, if it is
    not called like the key."""
    values = old.get(key, usual), new.get(key, usual)
    if values[0] != values[1]:
        yield Difference(kind, name or key, *values, part)


def merged(differences: Iterable[Difference]) -> list[Difference]:
    """Join equal differences of several parts into one that names the parts, in order.

    A difference of the whole element is not joined with those of its parts.
    """
    by_state: dict[str, tuple[Difference, dict[str, None]]] = {}
    for item in differences:
        state = item.kind, item.property, item.old, item.new, item.noise, item.unseen
        _first, parts = by_state.setdefault(repr((*state, not item.part)), (item, {}))
        if item.part:
            parts[item.part] = None
    return [replace(item, part=_parts(tuple(parts))) for item, parts in by_state.values()]


def _parts(parts: tuple[str, ...]) -> str:
    named = "; ".join(parts[:_PARTS_NAMED])
    more = len(parts) - _PARTS_NAMED
    return f"{named}; and {more} more" if more > 0 else named


_INVISIBLE = 0.05
"""Points: a twentieth, in which spacing of characters is counted. Ours."""
_DECIMALS = 1e-9
_STYLES = ("font.size", "font.spacing", "paragraph.", "body.inset")


def rounded(difference: Difference) -> bool:
    """Whether both values are numbers, or lengths in one unit, that look the same.

    >>> rounded(Difference("style", "body.inset_left", 7.2, 7.19))
    True
    >>> rounded(Difference("style", "font.size", 18.0, 18.5))
    False
    """
    if difference.kind == "chart":
        return _same_numbers(difference.old, difference.new)
    if difference.kind not in ("style", "layout", "master"):
        return False
    distance = difference.property.startswith(_STYLES) or difference.property.endswith("line.width")
    return distance and near(difference.old, difference.new, _INVISIBLE)


def _same_numbers(old: Any, new: Any) -> bool:
    """Whether two lists hold the same numbers, except for the last digits."""
    if not (isinstance(old, list) and isinstance(new, list) and len(old) == len(new)):
        return False
    return all(
        a == b or (_number(a) and _number(b) and isclose(a, b, rel_tol=_DECIMALS))
        for a, b in zip(old, new, strict=True)
    )


def near(old: Any, new: Any, far: float) -> bool:
    """Whether two numbers, distances in one unit, or lists of numbers are at most ``far`` apart,
    in points or px; for shares a tenth of that counts.

    >>> near([10.0, 20.0], [10.04, 20.0], 0.05), near(True, 1, 0.05)
    (True, False)
    """
    if isinstance(old, dict) and isinstance(new, dict):
        far = far if old.get("unit") == "points" else far / 10
        return old.get("unit") == new.get("unit") and near(old.get("value"), new.get("value"), far)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return all(near(a, b, far) for a, b in zip(old, new, strict=True))
    return _number(old) and _number(new) and abs(old - new) <= far


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


INHERITED = frozenset({"layout", "master", "theme", "presentation", "table_style", "default", ""})
"""Origins outside the slide; the empty name means that nothing states the value."""
_FORMS = ("geometry", "path", "adjustments", "effects", "placed")
"""Properties that placeholders take from their layout; snapshots do not hold their origin."""
_CHOOSE = {"paragraph.level": "paragraph", "placeholder": "shape"}
"""Properties that decide what is inherited, and by what: the paragraph, or the whole shape."""
_STYLED = {
    "line": ("line.",),
    "fill": ("fill",),
    "effect": ("effects",),
    "font": ("font.name", "font.color", "font.east_asian", "font.complex_script"),
}
"""Properties that a shape takes from a style of the theme, by the kind of reference."""
_FONTS = ("font.name", "font.east_asian", "font.complex_script", "paragraph.bullet.font")
THEME_FACES = (
    "major", "minor", "major_east_asian", "minor_east_asian",
    "major_complex_script", "minor_complex_script",
)  # fmt: skip
"""Where the ``themes`` entries of snapshots name typefaces."""
_BOX = ("x", "y", "w", "h")


@dataclass(frozen=True)
class ThemeChange:
    """Changes between two versions of a theme."""

    colors: frozenset[tuple[str, str]] = frozenset()
    """Old and new colour of every slot that changed."""
    fonts: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, old: Json, new: Json) -> "ThemeChange":
        """From the ``themes`` entries of two snapshots."""
        a, b = old.get("colors", {}), new.get("colors", {})
        colors = {(a.get(slot, ""), b.get(slot, "")) for slot in (*a, *b)}
        faces = {(old.get(name, ""), new.get(name, "")) for name in THEME_FACES}
        return cls(
            *(frozenset(pair for pair in side if len({*pair}) > 1) for side in (colors, faces))
        )

    def __bool__(self) -> bool:
        return bool(self.colors or self.fonts)

    def __or__(self, other: "ThemeChange") -> "ThemeChange":
        """The changes of both: for themes that share a name it is unknown which one a slide
        uses."""
        return ThemeChange(self.colors | other.colors, self.fonts | other.fonts)


@dataclass(frozen=True)
class TemplateChanges:
    """Changes in the layout, master and theme of a slide, or in the master and theme of a
    layout."""

    sheets: frozenset[str] = frozenset()
    """Origins that changed or were replaced: ``layout``, ``master``, ``theme``, ``presentation``,
    ``table_style``."""
    theme: ThemeChange = ThemeChange()
    switched: bool = False
    """Whether the slide has another layout than before."""
    remapped: bool = False
    """Whether names of theme colours mean other slots than before."""
    grounds: tuple[Any, Any] = (None, None)
    """Older and newer background of the layout (of a layout: its master); None if unknown."""
    boxes: tuple[frozenset[Any], frozenset[Any]] = field(default=(frozenset(), frozenset()))
    """Older and newer boxes of the placeholders on the layout and master."""
    texts_only: bool = False
    """Whether only styles of text changed: then no place or outline follows from it."""

    def explains(self, difference: Difference) -> bool:
        """Whether a difference of the slide follows from these changes."""
        if not (self.sheets or self.remapped):
            return False
        if self.theme and self._explained_by_theme(difference):
            return True
        same_slot = difference.slots[0] and difference.slots[0] == difference.slots[1]
        if (self.switched or self.remapped) and same_slot:
            return True  # the name means another colour
        if not (stated := set(difference.origins)) <= INHERITED or stated == {""}:
            return False
        return self.switched or bool(stated & self.sheets)

    def explains_ground(self, difference: Difference, old: Json, new: Json) -> bool:
        """Whether a sheet shows the inherited background in both versions."""
        if not self.sheets or self.grounds == (None, None):
            return False
        paints = old.get("background_paint"), new.get("background_paint")
        return self.grounds == paints and set(difference.origins) <= INHERITED

    def explains_place(self, old: Json, new: Json) -> bool:
        """Whether a placeholder has the box that its template gives it, in both versions."""
        if self.texts_only or not self.sheets & {"layout", "master"} or "placeholder" not in new:
            return False
        placed = _box(new) in self.boxes[1] or not new.get("placed", True)
        return placed and _box(old) in self.boxes[0]

    def explains_form(self, difference: Difference, new: Json) -> bool:
        """Whether a placeholder takes another outline from its layout."""
        is_form = difference.property in _FORMS and set(difference.origins) <= INHERITED
        sheets = not self.texts_only and bool(self.sheets & {"layout", "master"})
        return sheets and "placeholder" in new and is_form

    def _explained_by_theme(self, difference: Difference) -> bool:
        if difference.property in _FONTS:
            return (difference.old or "", difference.new or "") in self.theme.fonts
        if difference.slots[0] and difference.slots[0] == difference.slots[1]:
            return bool(self.theme.colors)
        pair = difference.old, difference.new
        return all(isinstance(color, str) for color in pair) and pair in self.theme.colors


def without_consequences(differences: Sequence[Difference]) -> Iterator[Difference]:
    """Differences of a shape, without those that follow from others of them.

    A paragraph with another level, or a placeholder of another kind, inherits from elsewhere: the
    values that it inherits are no changes of their own. The same holds for a shape that refers to
    another style of the theme; but if only one value differs because of that, the value is reported
    and not the reference.
    """
    chosen = {item.part for item in differences if _CHOOSE.get(item.property) == "paragraph"}
    whole = any(_CHOOSE.get(difference.property) == "shape" for difference in differences)
    remaining = []
    for difference in differences:
        follows = (whole and _inherited_from(difference, INHERITED)) or (
            difference.part in chosen and _inherited_from(difference, INHERITED | {"shape"})
        )  # a shape's own list style has all levels
        if difference.property in _CHOOSE or not follows:
            remaining.append(difference)
    styles = [difference for difference in remaining if difference.property == "theme_style"]
    governed = [item for item in remaining for style in styles if _governs(style, item)]
    values = {(item.property, repr(item.old), repr(item.new)) for item in governed}
    skipped = styles if len(values) == 1 else governed
    return (item for item in remaining if not any(item is other for other in skipped))


def _inherited_from(difference: Difference, origins: frozenset[str]) -> bool:
    return set(difference.origins) != {""} and set(difference.origins) <= origins


def _governs(style: Difference, difference: Difference) -> bool:
    """Whether a difference follows from another reference to a style of the theme."""
    old, new = style.old or {}, style.new or {}
    changed = {name for name in (*old, *new) if old.get(name) != new.get(name)}
    names = [name for name in changed if difference.property.startswith(_STYLED.get(name, ("?",)))]
    own = {"shape"} if difference.property.startswith("font.") else set()  # "shape" is a list style
    return bool(names) and set(difference.origins) <= INHERITED | own


def placeholder_boxes(*sheets: Json) -> frozenset[Any]:
    """Boxes of the placeholders on layouts and masters."""
    return frozenset(_boxes(sheets))


def _boxes(sheets: Iterable[Json]) -> Iterable[Any]:
    for sheet in sheets:
        yield from (_box(shape) for shape in sheet.get("shapes", ()) if "placeholder" in shape)


def _box(shape: Json) -> tuple[float, ...]:
    return tuple(shape.get(key, 0.0) for key in _BOX)
