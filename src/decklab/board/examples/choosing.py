"""For each planned slide the example that shows it best, with every text fitted beforehand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.board.examples.item_texts import (
    Content,
    ContentItem,
    FilledItems,
    FilledText,
    content_of,
    fill_items,
    places_of_items,
)
from decklab.board.examples.slots import ExampleSlide, ObjectSlot, SlideScale, TextLine, TextSlot
from decklab.board.slots.measuring import air_of
from decklab.board.slots.parts import Avoided, DrawnPart
from decklab.board.splitting import split
from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Chart

_TITLE_SHARE: Final = 0.55
"""Titles are not set smaller than this share of the example's size."""
_OPENING_SHARE: Final = 0.4
_EVEN_SHARE: Final = 0.7
"""A title that needs less of the example's size does not make the others as small. Ours."""
_TEXT_TO_TITLE: Final = 0.9
"""Text of a page is set no larger than this share of its title. Ours."""
_TITLE_LINES: Final = 4
_USED_AGAIN: Final = 0.6
_USED_JUST_NOW: Final = 1.5
_SMALL_TEXT: Final = 30.0
_TEXT_LOW: Final = 4.0
"""Cost of text that begins below 0.6 of the slide's height."""
_SPLIT: Final = 2.0
"""Cost of each further slide that shares the content of one."""
MOST_COST: Final = 9.0
"""Cost of an example from which on a slide is made on a layout of the deck instead. Ours."""
_SMALL_OBJECT: Final = 20.0
_LEAST_TEXT: Final = 0.22
"""Share of the slide below which a place for text costs, by what it lacks; for objects 0.3. Ours,
as the next."""
_THIN: Final = 4.0
_LONG: Final = 40.0
"""Pixels up to which a drawing is a line, and from which on a line is seen to cross something."""
_TITLE_ASIDE: Final = 3.0
_TITLE_LOW: Final = 9.0
"""Cost of a title of less than 0.4 of the slide's width, twice for one of less than 0.3 that stands
alone, and of one that begins below 0.3 of the slide's height and has content below it."""
_TITLE_SMALL: Final = 4.0
"""Cost of a title that the example sets smaller than its text."""
_TITLE_BOX: Final = 4.0
"""Cost of a title in a text box, which outlines and screen readers do not know as a title."""
_CHART_TYPES: Final = ("column", "bar", "line", "area", "pie", "doughnut")
"""Charts over categories, which can get the data of planned ones."""
_LEAST_OBJECT: Final = (300.0, 170.0)
_STRANGE_ROLE: Final = 12.0
"""Cost of a role that makes no sense: only where nothing else holds the slide."""
_LISTED: Final = 5.0
"""Cost of items that become points of a text: drawn ones are better."""
_DRAWN_POINTS: Final = 5.0
"""Cost of points that are drawn: the example's own text is better, unless it is hardly one."""
_OWN_PARTS: Final = 3
"""Slides that one slide may become before a layout of the deck holds it."""
SOURCE_HEIGHT: Final = 24.0
"""Pixels below an object for the line that names its source."""


@dataclass(frozen=True)
class PlacedObject:
    """Where the picture, chart or table goes; ``slot`` is what it replaces, None for nothing."""

    box: Box
    slot: ObjectSlot | None = None
    ink: TextSlot | None = None
    """A text of the example whose colour and font new text in the object takes."""


@dataclass(frozen=True)
class ChosenSlide:
    """A planned slide, the example for it and what goes where."""

    plan: SlidePlan
    content: Content
    example: ExampleSlide
    texts: tuple[FilledText, ...]
    items: FilledItems | None = None
    placed: PlacedObject | None = None
    cost: float = 0.0
    facts: tuple[str, ...] = ()
    """Content that the example could not show as planned, and its substitute."""
    part: DrawnPart | str | None = None
    """The drawing in the place of its object, or the cause that there is none."""


@dataclass
class _Chooser:
    examples: Sequence[ExampleSlide]
    scale: SlideScale
    avoided: Avoided
    most: float
    """The cost from which on a slide is better made on a layout of the deck."""
    used: list[int] = field(default_factory=list)

    def best(
        self, plan: SlidePlan, of: int, *, drawn: bool = False, parts: int = 1
    ) -> ChosenSlide | None:
        """The example that shows a slide best, if any does well enough."""
        content = content_of(plan)
        if drawn:
            content = content.as_drawing()
        held = plan.shown_role in ("body", "contents")
        most = self.most if held else min(self.most, MOST_COST)
        most -= _SPLIT * (parts - 1)
        candidates = [
            replace(choice, cost=cost + self._habit(example) + _box_cost(example))
            for example in self.examples
            if example.title is not None and example.key not in self.avoided.get(of, ())
            for choice in _choices(plan, content, example, self.scale)
            if (cost := choice.cost + _title_cost(plan, example)) <= most
        ]
        return min(candidates, key=lambda choice: choice.cost, default=None)

    def _habit(self, example: ExampleSlide) -> float:
        again = _USED_AGAIN * self.used.count(example.number)
        return again + (_USED_JUST_NOW if self.used[-1:] == [example.number] else 0.0)


def _box_cost(example: ExampleSlide) -> float:
    titled = example.title is not None and example.title.placeholder in ("title", "ctrTitle")
    return 0.0 if titled else _TITLE_BOX


def _first_line(title: TextSlot) -> float:
    """Pixels from the top of the slide to a title of one line, by how its text is anchored."""
    box, line = title.box, min(1.3 * title.size, title.box.height)
    down = {"bottom": box.height - line, "middle": (box.height - line) / 2}
    return box.top + down.get(title.body.anchor, 0.0)


def _title_cost(plan: SlidePlan, example: ExampleSlide) -> float:
    """The cost of the place of an example's title."""
    title = example.title
    assert title is not None, "only examples with a title are used"
    cost = 0.0
    held = plan.shown_role in ("body", "contents")
    if title.room.width < (0.4 if held else 0.3) * FRAME.width:
        cost += _TITLE_ASIDE * (1 if held else 2)
    if held:
        cost += _TITLE_LOW * (_first_line(title) > 0.3 * FRAME.height)
        cost += _TITLE_SMALL * any(slot.size > title.size for slot in example.bodies)
    return cost


def choose(
    plan: DeckPlan,
    examples: Sequence[ExampleSlide],
    scale: SlideScale,
    most: float,
    avoided: Avoided,
) -> list[list[ChosenSlide]]:
    """For each slide of a plan the examples that hold it: none where none does at such a cost, and
    several where it is split."""
    chooser = _Chooser(examples, scale, avoided, most)
    chosen = [
        _chosen_parts(slide, of, chooser) or _chosen_drawn(slide, of, chooser)
        for of, slide in enumerate(plan.slides)
    ]
    return _even_titles(chosen, scale)


def _chosen_parts(slide: SlidePlan, of: int, chooser: _Chooser) -> list[ChosenSlide]:
    """The slide, or the fewest parts of it that examples hold."""
    before = list(chooser.used)
    for count in range(1, _OWN_PARTS + 1):
        parts = split(slide, count)
        if len(parts) != count:
            continue
        found: list[ChosenSlide] = []
        for part in parts:
            best = chooser.best(part, of, parts=count)
            if best is None:
                break
            chooser.used.append(best.example.number)
            if count > 1:
                fact = f"it held too much for one slide: part {len(found) + 1} of {count}"
                best = replace(best, facts=(fact, *best.facts))
            found.append(best)
        else:
            return found
        chooser.used[:] = before
    return []


def _chosen_drawn(slide: SlidePlan, of: int, chooser: _Chooser) -> list[ChosenSlide]:
    """A slide that no example holds, with all but its title drawn in the place for content."""
    best = chooser.best(slide, of, drawn=True)
    if best is None:
        return []
    chooser.used.append(best.example.number)
    return [best]


def _even_titles(chosen: Sequence[list[ChosenSlide]], scale: SlideScale) -> list[list[ChosenSlide]]:
    """Titles of one example have one size, unless one needs a much smaller one; text is smaller."""
    least: dict[int, float] = {}
    for choice in chain.from_iterable(chosen):
        number, factor = choice.example.number, choice.texts[0].factor
        if factor >= _EVEN_SHARE:
            least[number] = min(factor, least.get(number, 1.0))

    def evened(choice: ChosenSlide) -> ChosenSlide:
        title = choice.texts[0]
        title = replace(title, factor=min(title.factor, least.get(choice.example.number, 1.0)))
        texts = (_below(title, text, scale) for text in choice.texts[1:])
        return replace(choice, texts=(title, *texts))

    return [list(map(evened, slides)) for slides in chosen]


def _below(title: FilledText, text: FilledText, scale: SlideScale) -> FilledText:
    """A text no larger than its title, where that is not small itself."""
    most = max(_TEXT_TO_TITLE * title.slot.sized(0, scale, title.factor), 16 * scale.down)
    if text.slot.sized(0, scale, text.factor) <= most:
        return text
    return _filled(text.slot, text.lines, most / text.slot.size, scale)


def _choices(
    plan: SlidePlan, content: Content, example: ExampleSlide, scale: SlideScale
) -> Iterator[ChosenSlide]:
    """The ways in which an example can show a slide, each with its cost."""
    cost = _role_cost(plan, example)
    title = _title(content, example, scale)
    if title is None:
        return
    facts: list[str] = []
    texts = [title]
    cost += 6 * (1 - title.factor) + example.clutter * (0.8 if example.role == "body" else 0.3)
    if content.subtitle is not None:
        subtitle = _fitted(example.subtitle, ((content.subtitle, 0),), scale)
        if subtitle is not None:
            texts.append(subtitle)
        else:
            facts.append("the subtitle has no place and stands in the notes")
            cost += 0.8
    base = ChosenSlide(plan, content, example, tuple(texts), cost=cost, facts=tuple(facts))
    ways: Iterator[ChosenSlide]
    if content.drawn:
        ways = _in_region(base, scale)
    elif content.shown is not None:
        ways = _with_object(base, scale)
    elif content.items:
        ways = chain(_with_items(base, scale), _in_region(_as_drawing(base), scale))
    elif content.points:
        dear = replace(base, cost=base.cost + _DRAWN_POINTS)
        ways = chain(_with_points(base, scale), _in_region(_as_drawing(dear), scale))
    else:
        ways = iter([base])
    for way in ways:
        yield replace(way, cost=way.cost + _unfilled(way))


def _as_drawing(base: ChosenSlide) -> ChosenSlide:
    return replace(base, content=base.content.as_drawing())


def _role_cost(plan: SlidePlan, example: ExampleSlide) -> float:
    """The cost of a slide of one role in the place of another."""
    wanted, given = plan.shown_role, example.role
    if wanted == "ending" and (plan.body or plan.numbers):
        wanted = "body"
    costs = {
        ("opening", "section"): 5.0, ("opening", "ending"): 6.0,
        ("section", "opening"): 4.0, ("section", "ending"): 5.0,
        ("contents", "body"): 1.0, ("body", "contents"): 2.5,
        ("ending", "section"): 2.5, ("ending", "opening"): 2.5,
    }  # fmt: skip
    return 0.0 if wanted == given else costs.get((wanted, given), _STRANGE_ROLE)


def _title(content: Content, example: ExampleSlide, scale: SlideScale) -> FilledText | None:
    slot = example.title
    assert slot is not None, "only examples with a title are used"
    lines = ((content.title, 0),)
    share = _OPENING_SHARE if example.role == "opening" else _TITLE_SHARE
    least = min(max(share * slot.size, 16 * scale.down), slot.size)
    factor = slot.factor(lines, scale, least, _TITLE_LINES)
    return None if factor is None else FilledText(slot, lines, factor)


def _fitted(
    slot: TextSlot | None, lines: tuple[TextLine, ...], scale: SlideScale
) -> FilledText | None:
    if slot is None:
        return None
    factor = slot.factor(lines, scale)
    return None if factor is None else _filled(slot, lines, factor, scale)


def _filled(
    slot: TextSlot, lines: tuple[TextLine, ...], factor: float, scale: SlideScale
) -> FilledText:
    air = air_of(slot.placed(lines, scale, factor), slot.room.height * scale.down, scale.language)
    return FilledText(slot, lines, factor, air)


def _unfilled(choice: ChosenSlide) -> float:
    """Cost of what the example has and the slide has not."""
    example = choice.example
    taken = {filled.slot.id for filled in choice.texts}
    cost = sum(2.5 for slot in example.bodies if slot.id not in taken)
    used = None if choice.items is None else choice.items.source
    cost += sum(3.0 for one in example.lists if one is not used)
    gone = None if choice.placed is None else choice.placed.slot
    cost += sum(2.5 for slot in example.objects if slot is not gone)
    cost += 0.3 * (example.subtitle is not None and example.subtitle.id not in taken)
    same = choice.plan.shown_role == example.role != "body"
    return 0.3 * cost if same else cost


def _shrink(factor: float, size: float, scale: SlideScale) -> float:
    """Cost of smaller text: little down to 16 points, more below."""
    reached = size * factor
    small = max(0.0, 16 * scale.down - reached) * 0.7 + max(0.0, 20 * scale.down - reached) * 0.1
    return 3 * (1 - factor) + small / scale.down


def _empty(filled: FilledText, scale: SlideScale) -> float:
    """Cost of a place that stays nearly empty, or that is small itself."""
    high, room = filled.height(scale), filled.slot.room
    empty = 0.8 if high < 0.25 * room.height * scale.down else 0.0
    low = _TEXT_LOW * (filled.slot.box.top > 0.6 * FRAME.height)
    return empty + low + _SMALL_TEXT * max(0.0, _LEAST_TEXT - room.area / FRAME.area)


def _with_points(base: ChosenSlide, scale: SlideScale) -> Iterator[ChosenSlide]:
    content, example = base.content, base.example
    spare = () if content.subtitle is not None else _subtitle_as_body(example)
    for slot in (*example.bodies, *spare):
        filled = _fitted(slot, content.points, scale)
        if filled is not None:
            cost = _shrink(filled.factor, slot.size, scale) + _empty(filled, scale)
            yield replace(base, texts=(*base.texts, filled), cost=base.cost + cost)
    if all(level == 0 for _text, level in content.points) and len(content.points) >= 2:
        items = [ContentItem(text) for text, _level in content.points]
        for choice in _in_lists(base, items, scale):
            yield replace(choice, cost=choice.cost + 0.5)


def _subtitle_as_body(example: ExampleSlide) -> tuple[TextSlot, ...]:
    slot = example.subtitle
    if slot is None or example.bodies or example.role == "opening":
        return ()
    return (slot,) if slot.room.height > 100 else ()


def _with_items(base: ChosenSlide, scale: SlideScale) -> Iterator[ChosenSlide]:
    content = base.content
    yield from _in_lists(base, content.items, scale)
    for slot in base.example.bodies:
        lines = tuple(line for item in content.items for line in item.as_lines(len(slot.looks)))
        filled = _fitted(slot, lines, scale)
        if filled is not None:
            cost = base.cost + _LISTED + _shrink(filled.factor, slot.size, scale)
            facts = (*base.facts, "items stand as a list: no slide of the example has as many")
            yield replace(base, texts=(*base.texts, filled), cost=cost, facts=facts)


def _in_lists(
    base: ChosenSlide, items: Sequence[ContentItem], scale: SlideScale
) -> Iterator[ChosenSlide]:
    for source in base.example.lists:
        boxes = places_of_items(source, len(items))
        if boxes is None:
            continue
        filled = fill_items(source, boxes, items, scale)
        if filled is None:
            continue
        texts, factor, size = filled
        if _blocked(texts, [box for _id, box in base.example.blocks], scale):
            continue
        cost = base.cost + _shrink(factor, size, scale) + 0.6 * abs(len(items) - len(source.items))
        cost -= 0.8 if base.content.ordered and source.rigid else 0.0
        cost -= 1.0 if base.content.numbers and base.example.kind == "numbers" else 0.0
        yield replace(base, items=FilledItems(source, tuple(boxes), tuple(texts)), cost=cost)


def _blocked(
    texts: Sequence[dict[int, FilledText]], blocks: Sequence[Box], scale: SlideScale
) -> bool:
    """Whether a drawing of the example stands where a text comes."""
    for filled in (one for item in texts for one in item.values()):
        slot = filled.slot
        if slot.filled:
            continue
        high = filled.height(scale) / scale.down
        box = slot.box._replace(bottom=max(slot.box.top + high, slot.box.top + 10))
        if any(_meet(block, box) for block in blocks):
            return True
    return False


def _meet(block: Box, box: Box) -> bool:
    shared = block.intersection(box)
    around = block.area > box.area and shared.area > 0.8 * box.area
    return shared.width > 8 and shared.height > 8 and not around


def _with_object(base: ChosenSlide, scale: SlideScale) -> Iterator[ChosenSlide]:
    content, example = base.content, base.example
    for slot in example.objects:
        if slot.kind != content.kind or not _takes(slot):
            continue
        ink = next(iter(example.bodies), None) or example.title
        placed = PlacedObject(slot.box, slot, ink)
        cost = base.cost + _small_area(slot.box)
        yield from _beside(replace(base, cost=cost, placed=placed), example.bodies, scale)
    yield from _in_region(base, scale)


def _takes(slot: ObjectSlot) -> bool:
    """Whether other data can be put into an object, and can be seen there."""
    if not isinstance(slot.shown, Chart):
        return _roomy(slot.box)
    shown = slot.shown
    return shown.type in _CHART_TYPES and len(shown.plots) == 1 and shown.workbook is not None


def _roomy(box: Box) -> bool:
    return box.width >= _LEAST_OBJECT[0] and box.height >= _LEAST_OBJECT[1]


def _beside(
    base: ChosenSlide, bodies: Sequence[TextSlot], scale: SlideScale
) -> Iterator[ChosenSlide]:
    """An object with the points beside it in a text of the example, where there are points."""
    points = base.content.points
    if not points:
        yield base
        return
    for slot in bodies:
        filled = _fitted(slot, points, scale)
        if filled is not None:
            cost = base.cost + _shrink(filled.factor, slot.size, scale)
            yield replace(base, texts=(*base.texts, filled), cost=cost)


def _in_region(base: ChosenSlide, scale: SlideScale) -> Iterator[ChosenSlide]:
    """An object where the example has text or nothing; what stood there goes."""
    example, points = base.example, base.content.points
    region, ink = region_of(example)
    if region is None:
        return
    title = base.texts[0]
    if title.slot.box.top < region.top:
        reach = title.slot.box.top + title.height(scale) / scale.down
        region = region._replace(top=max(region.top, reach + 6))
    fact = f"the example has no such {base.content.kind}: it was made in its place for content"
    cost = base.cost + 1.0 + (1.5 if example.lists or example.objects else 0.0)
    base = replace(base, cost=cost, facts=(*base.facts, fact))
    if points:  # it takes its words along
        base = _as_drawing(base)
    if _roomy(region):
        cost = base.cost + _small_area(region)
        yield replace(base, cost=cost, placed=PlacedObject(region, None, ink))


def _small_area(box: Box) -> float:
    """Cost of an object that is drawn small."""
    return _SMALL_OBJECT * max(0.0, 0.3 - box.area / FRAME.area)


def region_of(example: ExampleSlide) -> tuple[Box | None, TextSlot | None]:
    """Where an example has its content, and a text there; below its title where it has none."""
    boxes = [slot.room for slot in example.bodies]
    boxes += [one.box for one in example.lists] + [slot.box for slot in example.objects]
    title = example.title
    assert title is not None, "only examples with a title are used"
    ink: TextSlot | None = max(example.bodies, key=lambda slot: slot.box.area, default=None)
    if ink is None and example.lists:
        parts = example.lists[0].items[0].parts
        ink = next((part.text for part in parts if part.text and not part.text.filled), None)
    if not boxes and title.box.bottom < 0.45 * FRAME.height and example.role == "body":
        boxes = [
            Box(max(title.box.left, 36), title.box.bottom + 16, FRAME.width - 48, example.foot)
        ]
    region = Box.around(boxes)
    if region is None:
        return None, ink
    over = region.intersection(title.box)
    top = title.box.bottom + 6 if over.area > 0.02 * title.box.area else region.top
    clear = Box(max(region.left, 24), top, min(region.right, 936), min(region.bottom, example.foot))
    for inner in example.rounds:
        if inner.intersection(clear).area > 0.4 * min(inner.area, clear.area):
            clear = clear.intersection(inner)
    gone = {id for id, _held in example.attached}
    standing = [box for id, box in example.blocks if id not in gone]
    lines = [box for box in standing if min(box.width, box.height) < _THIN]
    if sum(box.intersection(clear).area for box in standing) > 0.02 * clear.area or any(
        max(shared.width, shared.height) > _LONG
        for box in lines if (shared := box.grown(1).intersection(clear)).area
    ):  # fmt: skip
        return None, ink
    return clear, ink
