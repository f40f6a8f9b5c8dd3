"""Compares two snapshots of decks, with their layouts, masters and themes; gives typed changes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import (
    INHERITED,
    THEME_FACES,
    Change,
    DeckDiff,
    Difference,
    ElementRef,
    Json,
    Kind,
    Placed,
    SlideMove,
    SlideMoves,
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
    document_differences,
    format_differences,
    level_differences,
    removed_and_added,
    section_differences,
    section_moves,
    shape_changes,
    slide_differences,
    table_style_differences,
)
from decklab.diffing.libreoffice import SaveNoise, saved_by_libreoffice
from decklab.diffing.matching import match_slides
from decklab.diffing.sequences import moved, pair_by_keys, unpaired
from decklab.diffing.wording import shape_words

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
        read = [{name: sheet for name, sheet in side.items() if sheet} for side in sheets]
        changed = {name for name, sheet in read[1].items() if sheet["part"] in self._changed}
        if switched := self.switched(old, new):
            changed |= {"layout"}
            if old.get("master") != new.get("master"):
                changed |= {"master"}
        changed |= self._shared.changed(old, new)
        maps = [
            [_field(sheet, "color_map") for sheet in (slide, *side.values())]
            for slide, side in zip((old, new), sheets, strict=True)
        ]
        remapped = maps[0] != maps[1]
        if not (changed or remapped):
            return TemplateChanges()
        boxes = placeholder_boxes(*read[0].values()), placeholder_boxes(*read[1].values())
        grounds = tuple(_field(side["layout"], "background_paint") for side in sheets)
        colors = self._shared.recoloring(new)
        for name in ("layout", "master") if remapped else ():
            colors |= self._shared.remapping(sheets[0][name], sheets[1][name])
        return TemplateChanges(frozenset(changed), colors, switched, remapped, grounds, boxes)


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
        sides = zip(*pairs, strict=True)
        colors = [{theme["name"]: theme.get("colors", {}) for theme in side} for side in sides]
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
        slots = ((slot, maps[1].get(name, "")) for name, slot in maps[0].items())
        return ThemeChange(
            frozenset(
                (themes[0].get(was, ""), themes[1].get(now, "")) for was, now in slots if was != now
            )
        )

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
    if (layout := sheets.get(layout_part)) is None or kind == "layout":
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
        differences += [(new["name"], Placed.without_shape(item)) for item in _theme(old, new)]
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
    layouts = (deck["layouts"] for deck in (before, after))
    parents = [{sheet["part"]: sheet.get("parent") or "" for sheet in own} for own in layouts]
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
        if not set(placed.difference.origins) <= _LISTED
        or (id(placed.new), placed.difference.property) not in differences
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
    """Differences of text styles and list styles, with the placeholder that has each."""
    texts = [side.get("text_styles", {}) for side in (old, new)]
    for style, role in _ROLES.items():
        start = f"{style}, "
        levels = (
            {key.removeprefix(start): side[key] for key in side if key.startswith(start)}
            for side in texts
        )
        roles = ((pair, pair[1].get("placeholder", {}).get("type")) for pair in canvas.pairs)
        was, now = next((pair for pair, held in roles if held == role), (None, None))
        for difference in level_differences(*levels, where=style):
            yield Placed(was, now, difference)
    lists = [side.get("list_styles", {}) for side in (old, new)]
    for pair in canvas.pairs:
        sides = zip(lists, pair, strict=True)
        own = (side.get(str(shape.get("id", "")), {}) for side, shape in sides)
        for difference in level_differences(*own):
            yield Placed(*pair, difference)


DECK_COMPARERS: tuple[Callable[[Json, Json], Iterable[Difference]], ...] = (
    document_differences,
    default_text_differences,
    table_style_differences,
)
"""Comparers of two decks as a whole, in the order of the changes; a new comparer is one line.
Comparers of slides are in ``compare.slides``, of a kind of shape in ``compare.shapes``."""


@dataclass(frozen=True)
class Matched:
    """Which slides of two snapshots correspond."""

    pairs: tuple[tuple[Json, Json], ...]
    """Older and newer state, in the newer order."""
    added: tuple[Json, ...]
    removed: tuple[Json, ...]

    @property
    def ids(self) -> dict[int, int]:
        """Newer id of each slide by its older one."""
        return {old["id"]: new["id"] for old, new in self.pairs if old.get("id") and new.get("id")}


def match_decks(before: Snapshot, after: Snapshot, *, edited: bool = False) -> Matched:
    """Match the slides of two snapshots; with ``edited`` ids of slides are trusted."""
    old, new = before["slides"], after["slides"]
    anew = not edited and saved_by_libreoffice(after)
    pairs = match_slides(old, new, numbered_anew=anew, kept_ids=edited)
    removed, added = unpaired(old, new, pairs)
    return Matched(
        tuple((old[i], new[j]) for i, j in pairs),
        tuple(slide for _j, slide in added),
        tuple(slide for _i, slide in removed),
    )


def diff(before: Snapshot, after: Snapshot) -> DeckDiff:
    """The changes that lead from one snapshot to another.

    Slides and shapes are matched by id where ids can be trusted, else by content. Consequences of
    another change are left out: values inherited from a theme, master or layout that changed;
    members that moved, were added or removed with their group; effects and connections of a removed
    shape. Changes that programs make by only saving a deck are marked as noise.
    """
    return compare_matched(before, after, match_decks(before, after)).found


@dataclass(frozen=True)
class DeckEdit:
    """A deck before and after, as snapshots, and the changes between."""

    before: Snapshot
    after: Snapshot
    found: DeckDiff

    @classmethod
    def of(cls, before: Snapshot, after: Snapshot) -> "DeckEdit":
        """The edit that leads from one snapshot to the other."""
        return cls(before, after, diff(before, after))

    @property
    def numbers(self) -> tuple[tuple[int | None, int | None], ...]:
        """Older and newer number of every slide of either deck, see ``SlideMoves.numbers``."""
        return self.found.slides.numbers(len(self.before["slides"]), len(self.after["slides"]))

    @cached_property
    def older(self) -> dict[int, int]:
        """The number that a slide of the newer deck had in the older one."""
        return {new: old for old, new in self.numbers if old is not None and new is not None}


@dataclass(frozen=True)
class Compared:
    """Two snapshots, their changes, and the pairs that were compared."""

    before: Snapshot
    after: Snapshot
    matched: Matched
    layouts: dict[str, str]
    """Newer part of each layout that both decks have, by its older part."""
    found: DeckDiff


def compare_matched(before: Snapshot, after: Snapshot, matched: Matched) -> Compared:
    """Compare two snapshots whose slides are matched already."""
    slides = _moves(matched)
    maker = _ChangeMaker(SaveNoise.of(before, after))
    used = matched.pairs if maker.resave.regrows else ()
    templates = compare_templates(before, after, used)
    moves = _slide_list_changes(matched, slides), _between_sections(before, after, matched, slides)
    own = [maker.change_without_shape(*difference) for difference in chain(*moves)]
    own += _slide_changes(matched, templates, maker)
    changes = [*_deck_changes(before, after, matched, templates, maker)]
    changes += sorted(own, key=lambda change: change.slide or 0)
    joined = tuple(_language_once(changes, len(matched.pairs)))
    result = DeckDiff(changes=joined, slides=slides)
    return Compared(before, after, matched, templates.layouts, result)


def _language_once(changes: list[Change], slides: int) -> list[Change]:
    """Join equal changes of language on most slides into one change of the deck."""
    edits = (item for item in changes if item.slide is not None and not item.noise)
    language = [item for item in edits if item.property == "font.language"]
    numbers = {item.slide for item in language}
    if len(numbers) < 2 or 2 * len(numbers) < slides or len({(c.old, c.new) for c in language}) > 1:
        return changes
    whole = ElementRef(id=0, name="", part=f"the texts of {len(numbers)} slides")
    change = language[0].model_copy(update={"slide": None, "element": whole})
    return [change, *(item for item in changes if not any(item is other for other in language))]


@dataclass(frozen=True)
class _ChangeMaker:
    """Makes changes of differences."""

    resave: SaveNoise

    def change(
        self,
        slide: int | None,
        placed: Placed,
        sheet: str = "",
        states: tuple[Json, Json] | None = None,
    ) -> Change:
        """The change that a difference is; ``states`` are the older and newer slide."""
        old, new, difference = placed
        element = None
        if (shape := old if new is None else new) is not None or sheet or difference.part:
            state = shape or {}
            element = ElementRef(
                id=state.get("id", 0), name=state.get("name", ""), part=difference.part,
                sheet=sheet, words="" if sheet else shape_words(old or state),
                members=difference.members,
            )  # fmt: skip
        noise = difference.noise or self.resave.makes(placed, states)
        return Change(
            slide=slide, element=element, kind=difference.kind, property=difference.property,
            old=difference.old, new=difference.new, noise=noise,
        )  # fmt: skip

    def change_without_shape(self, slide: int | None, difference: Difference) -> Change:
        return self.change(slide, Placed.without_shape(difference))


def _moves(matched: Matched) -> SlideMoves:
    numbers = [(old["number"], new["number"]) for old, new in matched.pairs]
    places = (numbers[i] for i in moved([old for old, _new in numbers]))
    return SlideMoves(
        added=tuple(slide["number"] for slide in matched.added),
        removed=tuple(slide["number"] for slide in matched.removed),
        moved=tuple(SlideMove(before=old, after=new) for old, new in places),
    )


def _deck_changes(
    old: Snapshot, new: Snapshot, matched: Matched, sheets: TemplateComparison, maker: _ChangeMaker
) -> Iterator[Change]:
    own = [difference for compare in DECK_COMPARERS for difference in compare(old, new)]
    for difference in (*own, *section_differences(old, new, matched.ids)):
        yield maker.change_without_shape(None, difference)
    yield from (maker.change(None, placed, sheet=name) for name, placed in sheets.found)


def _slide_changes(
    matched: Matched, templates: TemplateComparison, maker: _ChangeMaker
) -> Iterator[Change]:
    ids, inherited = matched.ids, TemplateChanges()
    is_retargeted = any(old != new for old, new in ids.items())
    for old, new in matched.pairs:
        state = _retargeted(old, ids) if is_retargeted else old
        if not maker.resave.flattens:
            inherited = templates.inherited_changes(old, new)
        if templates.resizing:
            state = templates.resizing.rescaled(state, new)
        for placed in _one_slide(state, new, templates, inherited):
            if not (templates.resizing and templates.resizing.scaled(placed.difference)):
                yield maker.change(new["number"], placed, states=(old, new))


def _between_sections(
    before: Snapshot, after: Snapshot, matched: Matched, slides: SlideMoves
) -> Iterator[tuple[int, Difference]]:
    """Slides in another section, except moved ones: they are in the section of their place."""
    elsewhere = {move.after for move in slides.moved}
    for new, difference in section_moves(before, after, matched.pairs):
        if new["number"] not in elsewhere:
            yield new["number"], difference


def _slide_list_changes(matched: Matched, slides: SlideMoves) -> Iterator[tuple[int, Difference]]:
    for slide in matched.removed:
        yield slide["number"], Difference("slide", "removed", _title(slide), None)
    for slide in matched.added:
        yield slide["number"], Difference("slide", "added", None, _title(slide))
    for move in slides.moved:
        yield move.after, Difference("slide", "moved", move.before, move.after)


def _title(slide: Json) -> str:
    return str(slide.get("title") or "")


def _one_slide(
    old: Json, new: Json, templates: TemplateComparison, inherited: TemplateChanges
) -> Iterator[Placed]:
    if templates.switched(old, new):
        layouts = old.get("layout", ""), new.get("layout", "")
        yield Placed.without_shape(Difference("layout", "layout", *layouts))
    if not _same(old, new):
        yield from slide_differences(old, new, inherited)


def _same(old: Json, new: Json) -> bool:
    return old.keys() | {"number"} == new.keys() | {"number"} and all(
        old[key] == value for key, value in new.items() if key != "number"
    )


def _retargeted(value: Any, ids: dict[int, int]) -> Any:
    """Replace the slide ids in links by the newer ids."""
    if isinstance(value, dict):
        if value.get("kind") == "slide" and str(value.get("target", "")).isdigit():
            return {**value, "target": str(ids.get(int(value["target"]), 0))}
        return {key: _retargeted(item, ids) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_retargeted(item, ids) for item in value]
    return value
