"""What differs between the layouts, masters and themes of two decks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from decklab.diff.comparing.canvas import compare_shapes
from decklab.diff.comparing.slides import background_differences, shape_changes
from decklab.diff.differences import Difference, Json, Placed
from decklab.diff.inheritance import THEME_FACES, Behind, Recoloring, placeholder_boxes
from decklab.diff.model import Kind

__all__ = ["Templates", "compare_templates"]

Named = tuple[str, Placed]
"""Name of a layout, master or theme, and how it, or a shape on it, differs."""


@dataclass(frozen=True)
class Templates:
    """What became of what stands behind the slides."""

    found: tuple[Named, ...]
    layouts: dict[str, str]
    """Part name of each older layout that lives on, to that in the newer deck."""
    _sides: tuple[dict[str, Json], dict[str, Json]]
    _changed: frozenset[str]
    """Parts of the newer deck that differ from their older state."""
    _themes: dict[str, Recoloring]
    """By the newer theme's name."""

    def switched(self, old: Json, new: Json) -> bool:
        """Whether a slide has another layout; of layouts that were not read only the part tells."""
        was, now = old.get("layout_part", ""), new.get("layout_part", "")
        if was not in self._sides[0] and now not in self._sides[1]:
            return bool(was != now)
        return bool(self.layouts.get(was) != now)

    def behind_slide(self, old: Json, new: Json) -> Behind:
        """What changed behind a slide."""
        parts = old.get("layout_part", ""), new.get("layout_part", "")
        sheets = [
            (name, _ancestor(side, part, name))
            for name in ("layout", "master")
            for side, part in [(self._sides[1], parts[1])]
        ]
        changed = {
            name for name, sheet in sheets if sheet is not None and sheet["part"] in self._changed
        }
        switched = self.switched(old, new)
        if switched:
            changed |= {"layout"}
            if old.get("master") != new.get("master"):
                changed |= {"master"}
        theme = self._themes.get(new.get("theme", ""), Recoloring())
        if theme or old.get("theme") != new.get("theme"):
            changed |= {"theme"}
        if not changed:
            return Behind()
        boxes = [
            placeholder_boxes(
                *(one for name in ("layout", "master") if (one := _ancestor(side, part, name)))
            )
            for side, part in zip(self._sides, parts, strict=True)
        ]
        return Behind(frozenset(changed), theme, switched, (boxes[0], boxes[1]))


def _ancestor(sheets: dict[str, Json], layout_part: str, kind: str) -> Json | None:
    layout = sheets.get(layout_part)
    if layout is None or kind == "layout":
        return layout
    return sheets.get(layout.get("parent") or "")


def compare_templates(before: Json, after: Json) -> Templates:
    """Match and compare the themes, masters and layouts of two snapshots."""
    found: list[Named] = []
    themes: dict[str, Recoloring] = {}
    pairs = _paired(before["themes"], after["themes"], (_name_and_part, _part, _name))
    for old, new in pairs:
        found += [(new["name"], Placed(None, None, one)) for one in _theme(old, new)]
        themes[new["name"]] = themes.get(new["name"], Recoloring()) | Recoloring.of(old, new)
    found += _loners("theme", before["themes"], after["themes"], pairs)
    layouts: dict[str, str] = {}
    changed: set[str] = set()
    for kind in ("master", "layout"):
        sides = before[f"{kind}s"], after[f"{kind}s"]
        pairs = _paired(*sides, (_name_and_part, _name_and_type, _part_and_type, _part, _name))
        for old, new in pairs:
            behind = _behind(old, new, changed, themes)
            differing = list(_sheet(kind, old, new, behind))
            found += differing
            if differing:
                changed.add(new["part"])
            if kind == "layout":
                layouts[old["part"]] = new["part"]
        found += _loners(kind, *sides, pairs)
    sheets = tuple(
        {sheet["part"]: sheet for sheet in (*side["masters"], *side["layouts"])}
        for side in (before, after)
    )
    return Templates(
        tuple(found), layouts, (sheets[0], sheets[1]), frozenset(changed),
        {name: one for name, one in themes.items() if one},
    )  # fmt: skip


def _behind(old: Json, new: Json, changed: set[str], themes: dict[str, Recoloring]) -> Behind:
    theme = themes.get(new.get("theme", ""), Recoloring())
    sheets = {"theme"} if theme else set()
    if new.get("parent") in changed:
        sheets.add("master")
    return Behind(frozenset(sheets), theme)


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
    """Pairs by the first key that agrees."""
    left, right = list(a), list(b)
    pairs = []
    for key in keys:
        for new in tuple(right):
            old = next((one for one in left if key(one) == key(new)), None)
            if old is not None and key(new):
                pairs.append((old, new))
                left.remove(old)
                right.remove(new)
    return pairs


def _loners(
    kind: Kind, a: Sequence[Json], b: Sequence[Json], pairs: Sequence[tuple[Json, Json]]
) -> Iterator[Named]:
    kept_old, kept_new = {id(old) for old, _ in pairs}, {id(new) for _, new in pairs}
    for one in a:
        if id(one) not in kept_old:
            yield _name(one), Placed(None, None, Difference(kind, "removed", _name(one), None))
    for one in b:
        if id(one) not in kept_new:
            yield _name(one), Placed(None, None, Difference(kind, "added", None, _name(one)))


def _theme(old: Json, new: Json) -> Iterator[Difference]:
    if old.get("name") != new.get("name"):
        yield Difference("theme", "name", old.get("name"), new.get("name"))
    a, b = old.get("colors", {}), new.get("colors", {})
    for slot in dict.fromkeys((*a, *b)):
        if a.get(slot) != b.get(slot):
            yield Difference("theme", f"color {slot}", a.get(slot), b.get(slot))
    for face in THEME_FACES:
        if old.get(face, "") != new.get(face, ""):
            yield Difference("theme", f"font {face}", old.get(face, ""), new.get(face, ""))


def _sheet(kind: Kind, old: Json, new: Json, behind: Behind) -> Iterator[Named]:
    name = _name(new)
    for key in ("name", "type"):
        if old.get(key, "") != new.get(key, ""):
            if key == "name" and kind == "master":
                continue  # a master is named for its theme, which tells
            values = old.get(key, ""), new.get(key, "")
            yield name, Placed(None, None, Difference(kind, key, *values))
    if not (old.get("used", True) and new.get("used", True)):
        return  # of a layout that no slide uses only names are known
    for found in background_differences(old, new):
        if not behind.explains(found):
            yield name, Placed(None, None, replace(found, kind=kind))
    canvas = compare_shapes(old["shapes"], new["shapes"])
    for was, now, found in shape_changes(canvas, behind):
        word = found.kind if found.kind in ("added", "removed") else found.property
        yield name, Placed(was, now, replace(found, kind=kind, property=word))
