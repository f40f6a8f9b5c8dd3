"""Compares the layouts, masters and themes of two decks."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from decklab.diffing.changes import (
    INHERITED,
    THEME_FACES,
    Difference,
    Json,
    Kind,
    Placed,
    TemplateChanges,
    ThemeChange,
    key_difference,
    placeholder_boxes,
)
from decklab.diffing.compare.geometry import Resizing
from decklab.diffing.compare.shapes import ShapeComparison, compare_shapes
from decklab.diffing.compare.slides import (
    background_differences,
    color_map_differences,
    default_text_differences,
    format_differences,
    level_differences,
    removed_and_added,
    shape_changes,
    table_style_differences,
)
from decklab.diffing.sequences import pair_by_keys

_ROLES = {"title style": "title", "body style": "body", "other style": ""}
"""Text styles of masters, and the placeholder that shows each."""
_MASTER_STYLES = tuple(_ROLES)
_LISTED = INHERITED | {"shape"}
"""Origins of a text on a template whose only stated style is its list style."""

Named = tuple[str, Placed]
"""Name of a layout, master or theme, and how it, or a shape on it, differs."""


@dataclass(frozen=True)
class TemplateComparison:
    """Changes of the masters, layouts and themes of two decks."""

    found: tuple[Named, ...]
    layouts: dict[str, str]
    """Newer part of each layout that both decks have, by its older part."""
    _sides: tuple[dict[str, Json], dict[str, Json]]
    _changed: frozenset[str]
    """Parts of the newer deck that differ from their older state."""
    _shared: "Shared"
    resizing: Resizing
    """The older and the newer size of the slides."""

    def switched(self, old: Json, new: Json) -> bool:
        """Whether a slide has another layout; layouts that were not read are compared by part."""
        was, now = old.get("layout_part", ""), new.get("layout_part", "")
        if was not in self._sides[0] and now not in self._sides[1]:
            return bool(was != now)
        return bool(self.layouts.get(was) != now)

    def inherited_changes(self, old: Json, new: Json) -> TemplateChanges:
        """The changes in the layout, master and theme of a slide."""
        parts = old.get("layout_part", ""), new.get("layout_part", "")
        sheets = [
            {name: _ancestor(side, part, name) for name in ("layout", "master")}
            for side, part in zip(self._sides, parts, strict=True)
        ]
        changed = {
            name for name, sheet in sheets[1].items()
            if sheet is not None and sheet["part"] in self._changed
        }  # fmt: skip
        switched = self.switched(old, new)
        if switched:
            changed |= {"layout"}
            if old.get("master") != new.get("master"):
                changed |= {"master"}
        changed |= self._shared.changed(old, new)
        remapped = old.get("color_map") != new.get("color_map") or any(
            _field(sheets[0][name], "color_map") != _field(sheets[1][name], "color_map")
            for name in ("layout", "master")
        )
        if not (changed or remapped):
            return TemplateChanges()
        boxes = [
            placeholder_boxes(*(template for template in side.values() if template is not None))
            for side in sheets
        ]
        grounds = [_field(side["layout"], "background_paint") for side in sheets]
        colors = self._shared.recoloring(new)
        for name in ("layout", "master") if remapped else ():
            colors |= self._shared.remapping(sheets[0][name], sheets[1][name])
        return TemplateChanges(
            frozenset(changed), colors, switched, remapped,
            (grounds[0], grounds[1]), (boxes[0], boxes[1]),
        )  # fmt: skip


@dataclass
class Shared:
    """Changes of what many sheets share: themes (by the name of the newer one), default text style,
    table styles."""

    recolored: dict[str, ThemeChange]
    reformatted: set[str]
    colors: tuple[dict[str, Json], dict[str, Json]]
    """Colours by slot, of the older and the newer themes by their names."""
    deck: frozenset[str]
    """Origins of the deck itself that changed: ``presentation``, ``table_style``."""

    @classmethod
    def of(cls, pairs: Sequence[tuple[Json, Json]], before: Json, after: Json) -> "Shared":
        """From pairs of themes; changes of themes that share a name are joined."""
        recolored: dict[str, ThemeChange] = {}
        for old, new in pairs:
            known = recolored.get(new["name"], ThemeChange())
            recolored[new["name"]] = known | ThemeChange.of(old, new)
        formats = {new["name"] for old, new in pairs if old.get("formats") != new.get("formats")}
        colors = [{theme["name"]: theme.get("colors", {}) for theme in side}
                  for side in zip(*pairs, strict=True)]  # fmt: skip
        both = (colors[0], colors[1]) if colors else ({}, {})
        return cls(recolored, formats, both, _changed_of_deck(before, after))

    def remapping(self, old: Json | None, new: Json | None) -> ThemeChange:
        """Changes of the colours whose names mean other slots on a layout or master now."""
        if old is None or new is None:
            return ThemeChange()
        maps = old.get("color_map", {}), new.get("color_map", {})
        themes = [
            colors.get(sheet.get("theme", ""), {})
            for colors, sheet in zip(self.colors, (old, new), strict=True)
        ]
        return ThemeChange(frozenset(
            (themes[0].get(slot, ""), themes[1].get(maps[1].get(name, ""), ""))
            for name, slot in maps[0].items() if slot != maps[1].get(name)
        ))  # fmt: skip

    def recoloring(self, sheet: Json) -> ThemeChange:
        """How the theme of a slide, layout or master changed."""
        return self.recolored.get(sheet.get("theme", ""), ThemeChange())

    def changed(self, old: Json, new: Json) -> frozenset[str]:
        """Changed origins from which a slide, layout or master inherits: ``theme`` if its theme
        changed or was replaced, and the changed origins of the deck."""
        same = old.get("theme") == new.get("theme") and not self.recoloring(new)
        if same and new.get("theme") not in self.reformatted:
            return self.deck
        return self.deck | {"theme"}


def _field(sheet: Json | None, key: str) -> Any:
    return None if sheet is None else sheet.get(key)


def _ancestor(sheets: dict[str, Json], layout_part: str, kind: str) -> Json | None:
    layout = sheets.get(layout_part)
    if layout is None or kind == "layout":
        return layout
    return sheets.get(layout.get("parent") or "")


def compare_templates(
    before: Json, after: Json, slides: Sequence[tuple[Json, Json]] = ()
) -> TemplateComparison:
    """Match and compare the themes, masters and layouts of two snapshots. Layouts and masters are
    matched first by the pairs of slides that use them (``slides``), then by name and part."""
    differences: list[Named] = []
    pairs = _paired(before["themes"], after["themes"], (_name_and_part, _part, _name))
    for old, new in pairs:
        differences += [
            (new["name"], Placed.without_shape(difference)) for difference in _theme(old, new)
        ]
    differences += _removed_and_added("theme", before["themes"], after["themes"], pairs)
    resizing = Resizing.of(before, after)
    pen = _TemplateComparer(Shared.of(pairs, before, after), resizing)
    older = {sheet["part"]: sheet for sheet in (*before["masters"], *before["layouts"])}
    newer = {sheet["part"]: sheet for sheet in (*after["masters"], *after["layouts"])}
    layouts: dict[str, str] = {}
    for kind in ("master", "layout"):
        sides = before[f"{kind}s"], after[f"{kind}s"]
        pairs = _matched(sides, _by_use(sides, slides, kind, before, after))
        for was, new in pairs:
            old = older[was["part"]] = resizing.rescaled(was, new) if resizing else was
            differences += pen.differences(kind, old, new)
            if kind == "layout":
                layouts[old["part"]] = new["part"]
        differences += _removed_and_added(kind, *sides, pairs)
    return TemplateComparison(
        tuple(differences), layouts, (older, newer), frozenset(pen.changed), pen.shared, resizing
    )


@dataclass
class _TemplateComparer:
    """Compares masters, then layouts; stores which of them changed."""

    shared: Shared
    resizing: Resizing
    changed: set[str] = field(default_factory=set)
    """Parts of the newer deck."""
    _states: dict[str, tuple[Json, Json]] = field(default_factory=dict)

    def differences(self, kind: Kind, old: Json, new: Json) -> list[Named]:
        """Differences of a layout or master that no change of its master or theme explains."""
        inherited = self._inherited(old, new, self._states.get(new.get("parent") or ""))
        differences = list(_sheet(kind, old, new, inherited))
        if self.resizing:
            differences = [
                named for named in differences if not self.resizing.scaled(named[1].difference)
            ]
        self._states[new["part"]] = old, new
        if differences:
            self.changed.add(new["part"])
        return differences

    def _inherited(self, old: Json, new: Json, master: tuple[Json, Json] | None) -> TemplateChanges:
        """``master`` is the layout's, before and after; None for a master."""
        sheets = set(self.shared.changed(old, new))
        pairs = [(old, new)] if master is None else [(old, new), master]
        remapped = any(a.get("color_map") != b.get("color_map") for a, b in pairs)
        colors = self.shared.recoloring(new)
        if master is None:
            return TemplateChanges(frozenset(sheets), colors, remapped=remapped)
        if master[1]["part"] in self.changed:
            sheets.add("master")
        grounds = master[0].get("background_paint"), master[1].get("background_paint")
        boxes = placeholder_boxes(master[0]), placeholder_boxes(master[1])
        return TemplateChanges(
            frozenset(sheets), colors, remapped=remapped, grounds=grounds, boxes=boxes
        )


def _matched(
    sides: tuple[Sequence[Json], Sequence[Json]], used: Sequence[tuple[Json, Json]]
) -> list[tuple[Json, Json]]:
    """The pairs known by their use; then pairs of the rest by name, type and part."""
    known = {id(sheet) for pair in used for sheet in pair}
    rest = [[template for template in side if id(template) not in known] for side in sides]
    keys = (_name_and_part, _name_and_type, _part_and_type, _part, _name)
    return [*used, *_paired(rest[0], rest[1], keys)]


def _by_use(
    sides: tuple[Sequence[Json], Sequence[Json]], slides: Sequence[tuple[Json, Json]], kind: str,
    before: Json, after: Json,
) -> list[tuple[Json, Json]]:  # fmt: skip
    """The pairs of layouts, or of masters, that most slides have in common."""
    parents = [{sheet["part"]: sheet.get("parent") or "" for sheet in deck["layouts"]}
               for deck in (before, after)]  # fmt: skip
    votes: Counter[tuple[str, str]] = Counter()
    for pair in slides:
        if pair[0].get("layout") != pair[1].get("layout"):
            continue  # a slide that now uses another one
        parts = [slide.get("layout_part", "") for slide in pair]
        if kind == "master":
            parts = [known.get(part, "") for known, part in zip(parents, parts, strict=True)]
        votes[(parts[0], parts[1])] += 1
    by_part = [{sheet["part"]: sheet for sheet in side} for side in sides]
    used: list[set[str]] = [set(), set()]
    pairs = []
    for (old, new), _count in votes.most_common():
        if old in by_part[0].keys() - used[0] and new in by_part[1].keys() - used[1]:
            used[0].add(old)
            used[1].add(new)
            pairs.append((by_part[0][old], by_part[1][new]))
    return pairs


def _changed_of_deck(before: Json, after: Json) -> frozenset[str]:
    """Which origins of the deck itself changed: its default text style, its table styles."""
    changed = {
        "presentation": bool(default_text_differences(before, after)),
        "table_style": any(table_style_differences(before, after)),
    }
    return frozenset(origin for origin, differs in changed.items() if differs)


def _name(sheet: Json) -> str:
    return str(sheet.get("name", ""))


def _part(sheet: Json) -> str:
    return str(sheet.get("part", ""))


def _name_and_part(sheet: Json) -> str:
    return f"{_name(sheet)}\n{_part(sheet)}"


def _name_and_type(sheet: Json) -> str:
    return f"{_name(sheet)}\n{sheet.get('type', '')}"


def _part_and_type(sheet: Json) -> str:
    return f"{_part(sheet)}\n{sheet.get('type', '')}"


def _paired(
    a: Sequence[Json], b: Sequence[Json], keys: Sequence[Callable[[Json], str]]
) -> list[tuple[Json, Json]]:
    """Pairs by the first key that agrees and is not empty."""
    return [(a[i], b[j]) for i, j in pair_by_keys(a, b, keys)]


def _removed_and_added(
    kind: Kind, a: Sequence[Json], b: Sequence[Json], pairs: Sequence[tuple[Json, Json]]
) -> Iterator[Named]:
    """The themes, masters or layouts that are in no pair, removed ones first."""
    paired = {id(sheet) for pair in pairs for sheet in pair}
    rest = [[sheet for sheet in side if id(sheet) not in paired] for side in (a, b)]
    for difference in removed_and_added(kind, rest[0], rest[1], ()):
        name = difference.new if difference.old is None else difference.old
        yield name, Placed.without_shape(difference)


def _theme(old: Json, new: Json) -> Iterator[Difference]:
    yield from key_difference("theme", "name", old, new)
    a, b = old.get("colors", {}), new.get("colors", {})
    for slot in dict.fromkeys((*a, *b)):
        yield from key_difference("theme", slot, a, b, name=f"color {slot}")
    for face in THEME_FACES:
        yield from key_difference("theme", face, old, new, "", name=f"font {face}")
    yield from format_differences(old, new)


def _sheet(kind: Kind, old: Json, new: Json, inherited: TemplateChanges) -> Iterator[Named]:
    name = _name(new)
    for difference in _of_itself(kind, old, new):
        yield name, Placed.without_shape(difference)
    if not (old.get("used", True) and new.get("used", True)):
        return  # a layout that no slide uses has only its name
    for difference in color_map_differences(old, new, kind):
        yield name, Placed.without_shape(difference)
    for difference in background_differences(old, new):
        follows = inherited.explains(difference) or inherited.explains_ground(difference, old, new)
        if kind in difference.origins or not follows:
            yield name, Placed.without_shape(replace(difference, kind=kind))
    canvas = compare_shapes(old["shapes"], new["shapes"])
    styles = [at for at in _styles(old, new, canvas) if not inherited.explains(at.difference)]
    differences = {(id(at.new), at.difference.property) for at in styles}
    if any(at.difference.part.startswith(_MASTER_STYLES) for at in styles):
        alone = "master" not in inherited.sheets
        inherited = replace(inherited, sheets=inherited.sheets | {"master"}, texts_only=alone)
    shapes = [
        placed
        for placed in shape_changes(canvas, inherited)
        if not (
            set(placed.difference.origins) <= _LISTED
            and (id(placed.new), placed.difference.property) in differences
        )
    ]
    for was, now, difference in (*styles, *shapes):
        word = difference.kind if difference.kind in ("added", "removed") else difference.property
        yield name, Placed(was, now, replace(difference, kind=kind, property=word))


def _of_itself(kind: Kind, old: Json, new: Json) -> Iterator[Difference]:
    for key, default in (("name", ""), ("type", ""), ("shows_master", True)):
        if key == "name" and kind == "master":
            continue  # a master has the name of its theme, whose change is reported
        yield from key_difference(kind, key, old, new, default)


def _styles(old: Json, new: Json, canvas: ShapeComparison) -> Iterator[Placed]:
    """Differences of a master's text styles and of placeholders' list styles; each with the
    placeholder that has the style, if there is one."""
    texts = [side.get("text_styles", {}) for side in (old, new)]
    for style, role in _ROLES.items():
        levels = [_of_style(side, style) for side in texts]
        holders = [pair for pair in canvas.pairs
                   if pair[1].get("placeholder", {}).get("type") == role]  # fmt: skip
        was, now = holders[0] if holders else (None, None)
        for difference in level_differences(levels[0], levels[1], where=style):
            yield Placed(was, now, difference)
    lists = [side.get("list_styles", {}) for side in (old, new)]
    for pair in canvas.pairs:
        own = [side.get(str(shape.get("id", "")), {})
               for side, shape in zip(lists, pair, strict=True)]  # fmt: skip
        for difference in level_differences(own[0], own[1]):
            yield Placed(*pair, difference)


def _of_style(styles: Json, name: str) -> dict[str, Json]:
    return {
        key.removeprefix(f"{name}, "): stated
        for key, stated in styles.items()
        if key.startswith(f"{name}, ")
    }
