"""An example deck read: for each slide its role in its deck and its places, without a model."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final, NamedTuple

from decklab.board.examples.colors import areas_of
from decklab.board.examples.items import Leaf, item_lists
from decklab.board.examples.rooms import distance, frames_it, with_room
from decklab.board.examples.shapes import (
    SHORT_NUMBER,
    WORD,
    ExampleSlide,
    SlideParts,
    repeated_keys,
)
from decklab.board.slots.parts import page_scale
from decklab.board.templates.grounds import rounds_of
from decklab.board.templates.margins import MOST_DRAWN, holds
from decklab.board.templates.places import (
    ExampleShapes,
    ItemList,
    LayoutPlace,
    LevelLook,
    PageRole,
    TemplateLayout,
    around,
)
from decklab.board.templates.reading import look_of_paragraph
from decklab.board.themes import LEAST_PT
from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Image, Paragraph, PictureFill, Text, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.editing.finding import FOOTERS

NOWHERE = -1
"""The id of no shape: what is attached to it always goes."""


def page_of(example: ExampleSlide, base: TemplateLayout, number: int) -> TemplateLayout:
    """A slide of an example as a layout to fill, in points, on the layout that it has."""
    slide, size = example.slide, base.size
    across, down = size[0] / FRAME.width, size[1] / FRAME.height
    slots = [slot for slot in (example.title, example.subtitle) if slot]
    slots += [*example.bodies, *example.objects]
    gone = {id for id, _held in example.shapes.attached}
    area, design = size[0] * size[1], [box.scaled(across, down) for box in example.design]
    blocks = tuple((id, box.scaled(across, down)) for id, box in example.blocks)
    inner = around([slot.box for slot in slots[1:]] or [FRAME])
    ground, shade = _ground(slide, base, inner, {slot.id for slot in slots} | gone)
    grounds = {place.ground for place in base.places if place.levels}
    plain = ground or (grounds.pop() if len(grounds) == 1 else None)
    places = tuple(slot.scaled(across, down) for slot in slots)
    places = tuple(replace(one, ground=plain) for one in places)
    if example.role in ("body", "contents"):
        places = tuple(map(_at_room, places))
    return replace(
        base,
        number=number, type="", places=places,
        fixed=(*base.fixed, *(box for box in design if box.area < MOST_DRAWN * area),
               *(box for id, box in blocks if id not in gone)),
        grounds=tuple(box for box in design if box.area >= MOST_DRAWN * area),
        ground=ground, shade=shade, shown_by=0, slide=slide.number, role=example.role,
        rounds=(*base.rounds, *(box.scaled(across, down) for box in rounds_of([slide]))),
        lists=tuple(replace(one, box=one.box.scaled(across, down)) for one in example.lists),
        shapes=replace(example.shapes, blocks=blocks), clutter=example.clutter,
    )  # fmt: skip


def _at_room(place: LayoutPlace) -> LayoutPlace:
    """A place of an example whose running text may take all of its room."""
    if place.room is None or place.filled or place.kind != "text":
        return place
    return replace(place, box=place.room, moved=place.room != place.box)


def _ground(
    slide: SlideElements, base: TemplateLayout, box: Box, gone: Collection[int]
) -> tuple[str | None, str | None]:
    """The colour behind the content of a slide once some shapes are gone, and its shade."""
    staying = slide.model_copy(update={"rects": tuple(one for one in slide.rects
                                                      if one.id not in gone)})  # fmt: skip
    (_all, plain), *areas = areas_of(staying)
    over = [color for area, color in areas if area.intersection(box).area > 0.7 * box.area]
    if over:
        return over[-1], over[-1]
    if isinstance(slide.background_paint, PictureFill):
        return None, base.shade
    return (None, base.shade) if base.ground is None else (plain, plain)


_CONTENTS = re.compile(
    r"contents|agenda|outline|inhalt|übersicht|sommaire|índice|indice|inhoud|roadmap of",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"thank|question|contact|danke|fragen|merci|gracias|obrigad|grazie|bedankt|the end",
    re.IGNORECASE,
)


def example_role(example: ExampleSlide, slide: SlideElements, total: int, usual: float) -> PageRole:
    """The role of a slide in its deck of ``total`` slides and titles of ``usual`` points."""
    layout = slide.layout.casefold()
    words = sum(len(WORD.findall(text.text)) for text in slide.texts)
    title = example.title.prompt if example.title else ""
    few = 2 if slide.number == 1 else 0
    bare = not (example.lists or example.objects) and len(example.shapes.left_over) <= few
    slight = bare and words <= 30
    listed = any(slot.placeholder in ("body", "obj") for slot in example.bodies)
    if slide.number <= 2 and slight and not listed and not _CONTENTS.search(title) and (
        slide.number == 1 or "title slide" in layout or (example.subtitle is not None
        and example.subtitle.placeholder == "subTitle")
    ):  # fmt: skip
        return "opening"
    if _CONTENTS.search(title) and (example.lists or example.bodies):
        return "contents"
    last = slide.number == total and not listed
    if slight and (last or _THANKS.search(title)):
        return "ending"
    listed = listed or any("\n" in slot.prompt.strip() for slot in example.bodies)
    plain = len(example.blocks) <= _MOST_DRAWINGS
    if bare and plain and words <= 16 and not listed and (
        example.title is None or example.title.size >= usual - 1
    ):  # fmt: skip
        return "section"
    if "section" in layout and slight:
        return "section"
    return "body"


def with_one_opening(examples: list[ExampleSlide]) -> list[ExampleSlide]:
    """Only one opening: the first; where none looks like one, the one of the first three."""
    if not any(example.role == "opening" for example in examples):
        early = [one for one in examples if one.number <= 3 and _may_open(one)]
        if early:
            first = min(early, key=lambda one: (not _of_title_layout(one), one.number))
            examples = [replace(one, role="opening") if one is first else one for one in examples]
    opened = False
    result = []
    for example in examples:
        role = example.role
        if role == "opening":
            role = "section" if opened else role
            opened = True
        result.append(replace(example, role=role))
    return result


def _may_open(example: ExampleSlide) -> bool:
    """Whether a slide has a title and no place for running text or items."""
    listed = any(slot.placeholder in ("body", "obj") for slot in example.bodies)
    return example.title is not None and not example.lists and not listed


def _of_title_layout(example: ExampleSlide) -> bool:
    assert example.title is not None, "only slides with titles open a deck"
    named = "title" in example.slide.layout.casefold()
    return example.title.placeholder == "ctrTitle" or named


_MOST_DRAWINGS: Final = 2
"""Drawings of its own that a slide between sections has at most. Ours."""
_MOST_LEFT_OVER: Final = 4
"""Texts without a place from which on a slide is a drawing of its own and no example."""
_MOST_BODIES: Final = 4
_ICON: Final = 0.025
"""Share of the slide below which a drawing beside a text is its icon. Ours, as the next."""
_PANEL: Final = 0.03
"""Share of the slide from which on a box is seen. Ours."""
_INNER: Final = FRAME.grown(-24.0)
"""Where boxes that repeat hold content, and are no bands at the edges. Ours."""
_ALL_OVER: Final = 0.9
"""Share of the slide from which on a drawing is the ground of all that stands on it. Ours."""
_NEAR_ICON: Final = 48.0
_LEAST_LINES: Final = 0.8
"""Least distance of lines as a share of a line: programs that shrink text take more off. Ours."""
_CODE_FONT = re.compile(r"mono(?!type)|consol|courier|\bcode|menlo", re.IGNORECASE)


def read_examples(deck: DeckElements, illustrations: Collection[str] = ()) -> list[ExampleSlide]:
    """The slides of a deck that can serve as examples, in its order.

    ``illustrations`` are the SHA-256 of pictures that belong to the design wherever they stand.
    Slides that hold what cannot be filled (SmartArt, media, embedded objects), and drawings full of
    small texts, are left out.
    """
    repeated = repeated_keys(deck.slides)
    titles = [_largest(slide) for slide in deck.slides]
    usual = median(size for size in titles if size) if any(titles) else 24.0
    found = []
    for slide in deck.slides:
        parts = SlideParts(slide, repeated, illustrations)
        example = _Reader(parts, len(deck.slides), usual).example()
        if example is not None:
            found.append(example)
    return with_one_opening(found)


def representatives(examples: Sequence[ExampleSlide]) -> list[ExampleSlide]:
    """Of each cluster of near duplicates the cleanest slide."""
    clusters: dict[tuple[object, ...], list[ExampleSlide]] = {}
    for example in examples:
        clusters.setdefault(example.signature, []).append(example)
    return [min(group, key=lambda one: (one.clutter, one.number)) for group in clusters.values()]


def _largest(slide: SlideElements) -> float:
    sizes = [slot_size(text) for text in slide.texts if text.text.strip()]
    return max(sizes, default=0.0)


def slot_size(text: Text) -> float:
    """Size of the first words of a text, in points; 0 where it has none."""
    return next((p.runs[0].font.size for p in text.paragraphs if p.runs), 0.0)


class _Furniture(NamedTuple):
    """Texts that go, numbers of slides, words that stay, and all other texts."""

    gone: list[int]
    numbers: list[int]
    stays: list[str]
    plain: list[Text]


_CONTENT_TYPES = ("title", "ctrTitle", "body", "obj", "subTitle")


@dataclass
class _Reader:
    """Reads one slide."""

    parts: SlideParts
    total: int
    """Slides of the deck."""
    usual: float
    """Size of titles in the deck, in points."""

    @property
    def least(self) -> float:
        """The smallest size of text on such slides, in points."""
        return LEAST_PT * page_scale(self.slide.size_pt)

    @property
    def slide(self) -> SlideElements:
        return self.parts.slide

    def example(self) -> ExampleSlide | None:
        slide = self.slide
        if slide.diagrams or slide.media or slide.others:
            return None
        texts = [text for text in slide.texts if text.text.strip() and text.placed]
        furniture = self._furniture(texts)
        plain = furniture.plain
        if not plain:
            return None
        slots = {text.id: self._slot(text) for text in plain}
        if len(slots) != len(plain):  # two texts of one id cannot be told apart
            return None
        if _is_drawing(list(slots.values())):
            return None
        objects = list(self.parts.objects())
        lists = item_lists(list(self._leaves(plain, slots)))
        title = self._title(plain, slots, lists)
        if title is not None:
            lists = [one for one in lists if title.id not in one.ids]
        used = {id for one in lists for id in one.ids}
        objects = [slot for slot in objects if slot.id not in used]
        shown = [slot.box for slot in objects if slot.kind == "picture"]
        captions = [
            text.id for text in plain
            if text.id not in used and any(holds(box, slots[text.id].box) for box in shown)
            and (title is None or text.id != title.id)
        ]  # fmt: skip
        rest = [slots[text.id] for text in plain if text.id not in used | set(captions)]
        rest = [slot for slot in rest if title is None or slot.id != title.id]
        subtitle = self._subtitle(title, rest, content=bool(lists or objects))
        rest = [slot for slot in rest if subtitle is None or slot.id != subtitle.id]
        bodies = [slot for slot in rest if self._is_body(slot, len(rest))]
        if len(bodies) > _MOST_BODIES:
            return None
        left = (*captions, *(slot.id for slot in rest if slot not in bodies))
        if len(left) >= _MOST_LEFT_OVER and len(left) > len(used) / 2:
            return None
        large = [slot for slot in rest if slot.id in left and slot.placeholder is None]
        if title is not None and any(slot.size >= 0.8 * title.size for slot in large):
            return None  # which of them is the title cannot be told
        taken = [slot.box for slot in (title, subtitle, *bodies) if slot]
        taken += [one.box for one in lists] + [slot.box for slot in objects]
        filled_ids = used | {slot.id for slot in objects}
        blocks = self._blocks(filled_ids, taken)
        shapes = ExampleShapes(
            (*left, *furniture.gone), tuple(furniture.numbers), tuple(furniture.stays),
            tuple(self._attached(filled_ids, list(slots.values()), objects)),
        )  # fmt: skip
        found = ExampleSlide(
            slide, "body", title and replace(title, kind="title"),
            subtitle and replace(subtitle, kind="subtitle"), tuple(bodies), tuple(lists),
            tuple(objects), shapes, tuple(blocks), self._panels({id for id, _box in blocks}, taken),
            tuple(self._design()),
        )  # fmt: skip
        found = with_room(found, self.parts)
        return replace(found, role=example_role(found, slide, self.total, self.usual))

    def _furniture(self, texts: Sequence[Text]) -> "_Furniture":
        found = _Furniture([], [], [], [])
        for text in texts:
            kind = text.placeholder.type if text.placeholder else ""
            same = self.parts.repeats(text)
            if SHORT_NUMBER.fullmatch(text.text) and kind != "sldNum" and same:
                found.numbers.append(text.id)
            elif kind == "sldNum":
                pass
            elif kind != "dt" and same and kind not in _CONTENT_TYPES:
                found.stays.append(" ".join(text.text.split()))
            elif kind in FOOTERS:
                found.gone.append(text.id)
            else:
                found.plain.append(text)
        return found

    def _slot(self, text: Text) -> LayoutPlace:
        """The place of a text with the looks of its levels."""
        box = box_of(text)
        assert box is not None, "texts without a place were left out"
        worded = [(index, one) for index, one in enumerate(text.paragraphs)
                  if one.runs and one.text.strip()]  # fmt: skip
        set_so = [
            (one, replace(look_of_paragraph(one, self.least), index=index)) for index, one in worded
        ]
        looks = [replace(look, line_share=look.line_share and max(look.line_share, _LEAST_LINES))
                 for look in _usual_looks(set_so)]  # fmt: skip
        filled = any(
            rect.id == text.id and (rect.paint.kind != "none" or rect.stroke is not None)
            for rect in self.slide.rects
        )
        body, mark = text.body, text.placeholder
        insets = Box(body.inset_left, body.inset_top, body.inset_right, body.inset_bottom)
        return LayoutPlace(
            "text", "", (("type", mark.type),) if mark else (), box, insets, tuple(looks),
            prompt=text.text, anchor=body.anchor, grows=body.autofit == "grow", room=box,
            id=text.id, filled=filled,
        )  # fmt: skip

    def _leaves(self, plain: Sequence[Text], slots: dict[int, LayoutPlace]) -> Iterator[Leaf]:
        for text in plain:
            slot = slots[text.id]
            if slot.placeholder in ("title", "ctrTitle"):
                continue
            if _CODE_FONT.search(slot.levels[0].family):
                continue
            yield Leaf(text.id, slot.box, "text", slot)
        texts = {text.id for text in plain}
        for element in self.parts.drawn(lines=False):
            box = box_of(element)
            if box is None or element.id in texts or self.parts.is_design(element):
                continue
            photograph = isinstance(element, Image) and self.parts.is_content(element, box)
            if box.width * box.height < 0.25 * FRAME.area and not photograph:
                shape = getattr(element, "geometry", "")
                kind = "picture" if isinstance(element, Image) else f"drawn {shape}"
                yield Leaf(element.id, box, kind)

    def _title(
        self, plain: Sequence[Text], slots: dict[int, LayoutPlace], lists: Sequence[ItemList]
    ) -> LayoutPlace | None:
        for text in plain:
            if slots[text.id].placeholder in ("title", "ctrTitle"):
                return slots[text.id]
        items = {id for one in lists for id in one.ids}
        free = [slots[text.id] for text in plain if text.id not in items]
        free = [
            slot for slot in free
            if WORD.search(slot.prompt) and slot.box.width > 120 and self._stands_free(slot)
            and len(slot.prompt) < 160
        ]  # fmt: skip
        if not free:
            return None
        best = max(free, key=lambda slot: (round(slot.size), -slot.box.top))
        content = bool(lists or self.slide.charts or self.slide.tables)
        if best.size < 0.6 * self.usual or (content and best.box.top > 0.6 * FRAME.height):
            return None
        return best

    def _stands_free(self, slot: LayoutPlace) -> bool:
        """Whether no placeholder says what a text is: covers may have those of text for all."""
        cover = self.slide.number == 1 and slot.placeholder == "body"
        return slot.placeholder is None or (cover and not slot.levels[0].bulleted)

    def _subtitle(
        self, title: LayoutPlace | None, rest: Sequence[LayoutPlace], *, content: bool
    ) -> LayoutPlace | None:
        for slot in rest:
            if slot.placeholder == "subTitle":
                return slot
        if title is None:
            return None
        others = [slot for slot in rest if self._stands_free(slot) and not slot.filled]
        below = [
            slot for slot in others
            if 0 <= slot.box.top - title.box.bottom + 16 < 70 and slot.size < title.size
            and len(slot.prompt) < 100 and slot.box.left < title.box.right
            and slot.box.height < 100
        ]  # fmt: skip
        if not below or not (content or len(rest) > 1 or self.slide.number == 1):
            return None
        return min(below, key=lambda slot: slot.box.top)

    def _is_body(self, slot: LayoutPlace, rest: int) -> bool:
        if _CODE_FONT.search(slot.levels[0].family):
            return False
        if slot.placeholder in ("body", "obj", "subTitle"):
            return slot.box.height > 36 or rest == 1
        lines = [line for line in slot.prompt.splitlines() if line.strip()]
        big = slot.box.area > 0.08 * FRAME.area
        return slot.box.width > 200 and (rest == 1 or big or len(lines) > 2)

    def _blocks(self, filled: set[int], taken: Sequence[Box]) -> list[tuple[int, Box]]:
        """Places of drawings and pictures of this slide alone that stay."""
        found = []
        texts = {text.id for text in self.slide.texts}
        for element in self.parts.drawn():
            box = box_of(element)
            if element.id in filled or element.id in texts or box is None:
                continue
            if self.parts.is_design(element) or any(holds(box, one) for one in taken):
                continue
            found.append((element.id, box))
        return found

    def _design(self) -> Iterator[Box]:
        """Places of the drawings that repeat or reach over the slide, but for those all over it."""
        boxes = [box_of(one) for one in self.parts.drawn() if self.parts.is_design(one)]
        for box in boxes:
            if box is not None and box.intersection(FRAME).area < _ALL_OVER * FRAME.area:
                yield box.intersection(FRAME)

    def _panels(self, blocks: Collection[int], taken: Sequence[Box]) -> int:
        """How many of the drawings that stay are boxes that are seen to hold nothing."""
        plain = [one for one in self.slide.rects if one.geometry in ("rect", "roundRect")]
        boxes = [box for one in plain if (box := box_of(one)) is not None and (
            one.id in blocks or (self.parts.is_design(one) and holds(_INNER, box)
                                 and not any(holds(box, inner) for inner in taken))
        )]  # fmt: skip
        return sum(min(box.width, box.height) > 24 and box.area > _PANEL * FRAME.area
                   for box in boxes)  # fmt: skip

    def _attached(
        self, filled: Collection[int], slots: Sequence[LayoutPlace], objects: Sequence[LayoutPlace]
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Panels around texts and icons beside them, with the ids of these texts."""
        texts = {slot.id for slot in slots}
        for element in self.parts.drawn():
            box = box_of(element)
            if box is None or element.id in filled or element.id in texts:
                continue
            if self.parts.repeats(element) or box.area > 0.5 * FRAME.area:
                continue
            held = tuple(slot.id for slot in slots if holds(box, slot.box))
            inside = box.left > 0 and box.right < FRAME.width and box.bottom < FRAME.height
            if self.parts.is_design(element) and not (held and inside):
                continue
            if any(holds(slot.box, box) for slot in objects):
                held = (NOWHERE,)
            held = held or tuple(slot.id for slot in objects if frames_it(box, slot.box))
            if not held and box.area < _ICON * FRAME.area:
                titles = ("title", "ctrTitle")
                near = [
                    slot for slot in slots
                    if slot.placeholder not in titles and distance(box, slot.box) < _NEAR_ICON
                ]  # fmt: skip
                near.sort(key=lambda slot: distance(box, slot.box))
                held = tuple(slot.id for slot in near[:1])
            if held:
                yield element.id, held


def _usual_looks(set_so: Sequence[tuple[Paragraph, LevelLook]]) -> list[LevelLook]:
    """The look of most words on each level, from that of the first paragraph on."""
    looks: list[LevelLook] = []
    level = set_so[0][0].level
    while alike := [pair for pair in set_so if pair[0].level == level + len(looks)]:
        weights: Counter[LevelLook] = Counter()
        for paragraph, look in alike:
            weights[replace(look, index=0)] += len(paragraph.text)
        usual = weights.most_common(1)[0][0]
        looks.append(next(look for _one, look in alike if replace(look, index=0) == usual))
    return looks


def _is_drawing(slots: Sequence[LayoutPlace]) -> bool:
    """Whether shapes with words stand in one another, as in a diagram."""
    return any(
        outer.filled
        and outer is not inner
        and holds(outer.box, inner.box)
        and len(inner.prompt) > 2
        for outer in slots
        for inner in slots
    )
