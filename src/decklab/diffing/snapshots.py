"""Compares two snapshots of decks; gives typed changes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import (
    Change,
    DeckDiff,
    Difference,
    ElementRef,
    Json,
    Placed,
    SlideMove,
    SlideMoves,
    TemplateChanges,
)
from decklab.diffing.compare.slides import (
    default_text_differences,
    document_differences,
    section_differences,
    section_moves,
    slide_differences,
    table_style_differences,
)
from decklab.diffing.compare.templates import TemplateComparison, compare_templates
from decklab.diffing.libreoffice import SaveNoise, saved_by_libreoffice
from decklab.diffing.matching import match_slides
from decklab.diffing.sequences import moved, unpaired
from decklab.diffing.wording import shape_words

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
    pairs = match_slides(
        old, new, numbered_anew=not edited and saved_by_libreoffice(after), kept_ids=edited
    )
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
    whole_slides = [
        *_slide_list_changes(matched, slides),
        *_between_sections(before, after, matched, slides),
    ]
    changes = [
        *_deck_changes(before, after, matched, templates, maker),
        *sorted(
            [
                *(maker.change_without_shape(*difference) for difference in whole_slides),
                *_slide_changes(matched, templates, maker),
            ],
            key=lambda change: change.slide or 0,
        ),
    ]
    joined = tuple(_language_once(changes, len(matched.pairs)))
    result = DeckDiff(changes=joined, slides=slides)
    return Compared(before, after, matched, templates.layouts, result)


def _language_once(changes: list[Change], slides: int) -> list[Change]:
    """Join equal changes of language on most slides into one change of the deck."""
    language = [
        item for item in changes
        if item.property == "font.language" and item.slide is not None and not item.noise
    ]  # fmt: skip
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
        shape = old if new is None else new
        if shape is not None or sheet or difference.part:
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
    order = [old["number"] for old, _new in matched.pairs]
    return SlideMoves(
        added=tuple(slide["number"] for slide in matched.added),
        removed=tuple(slide["number"] for slide in matched.removed),
        moved=tuple(
            SlideMove(before=matched.pairs[i][0]["number"], after=matched.pairs[i][1]["number"])
            for i in moved(order)
        ),
    )


def _deck_changes(
    before: Snapshot,
    after: Snapshot,
    matched: Matched,
    templates: TemplateComparison,
    maker: _ChangeMaker,
) -> Iterator[Change]:
    for own in (
        *(difference for compare in DECK_COMPARERS for difference in compare(before, after)),
        *section_differences(before, after, matched.ids),
    ):
        yield maker.change_without_shape(None, own)
    for name, placed in templates.found:
        yield maker.change(None, placed, sheet=name)


def _slide_changes(
    matched: Matched, templates: TemplateComparison, maker: _ChangeMaker
) -> Iterator[Change]:
    retarget = partial(_retargeted, ids=matched.ids) if _renumbered(matched.ids) else None
    for old, new in matched.pairs:
        state = old if retarget is None else retarget(old)
        inherited = (
            TemplateChanges() if maker.resave.flattens else templates.inherited_changes(old, new)
        )
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


def _renumbered(ids: dict[int, int]) -> bool:
    return any(old != new for old, new in ids.items())


def _retargeted(value: Any, ids: dict[int, int]) -> Any:
    """Replace the slide ids in links by the newer ids."""
    if isinstance(value, dict):
        if value.get("kind") == "slide" and str(value.get("target", "")).isdigit():
            target = ids.get(int(value["target"]), 0)
            return {**value, "target": str(target)}
        return {key: _retargeted(item, ids) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_retargeted(item, ids) for item in value]
    return value
