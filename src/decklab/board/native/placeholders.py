"""Which texts of measured slides are title, subtitle, body, footer and slide number."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from decklab.board.native.carriers import container_of
from decklab.board.native.texts import NativeText, measure_of, text_blocks
from decklab.rendering.measured import MeasuredPage, TableItem, TextItem

Role = Literal[
    "title", "subtitle", "body", "body 2", "body 3", "body 4", "source", "footer", "number"
]
_BODIES: tuple[Role, ...] = ("body", "body 2", "body 3", "body 4")
_ASKED: dict[str, Role] = {
    "title": "title", "subtitle": "subtitle", "footer": "footer", "number": "number",
    "source": "source",
}  # fmt: skip

FOOT, HEAD = 0.86, 0.1
"""Ours: shares of the height below and above which footers stand."""
_SMALL = 0.045
"""Ours: of a footer, its size as a share of the height."""
_TITLE_RATIO = 1.25
_LONGEST_TITLE = 160
_BODY_SHARE = 0.45
"""Ours: of the letters of a slide, beside its title, that are in its body."""
_MOST_ON_COVER = 320
"""Ours: letters beside the title on a slide that has a subtitle."""
_MOST_UNPLACED = 4
"""Ours: text boxes beside the body on a slide whose body is one block."""


@dataclass
class PlacedTexts:
    """The text boxes of a slide, and those that are placeholders."""

    blocks: list[NativeText]
    roles: dict[Role, NativeText] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The layout that the slide needs."""
        if "subtitle" in self.roles:
            return "title"
        if "title" not in self.roles:
            return "blank"
        return "body" if "body" in self.roles else "titleOnly"

    def role_of(self, block: NativeText) -> Role | None:
        """The role of a text box."""
        return next((role for role, other in self.roles.items() if other is block), None)


def place_texts(slides: Sequence[MeasuredPage]) -> list[PlacedTexts]:
    """The text boxes of all slides with their roles."""
    repeated = Counter(key for slide in slides for key in {_key(item) for item in _texts(slide)})
    return [_placed(slide, number, len(slides), repeated) for number, slide in enumerate(slides, 1)]


def _texts(slide: MeasuredPage) -> list[TextItem]:
    return [item for item in slide.items if isinstance(item, TextItem)]


def _key(item: TextItem) -> tuple[str, int, int]:
    return item.text.strip(), round(item.box[0] / 4), round(item.box[1] / 4)


def _placed(
    slide: MeasuredPage, number: int, count: int, repeated: Counter[tuple[str, int, int]]
) -> PlacedTexts:
    texts = [
        item for item in _texts(slide)
        if item.group is None and not item.turns and not item.vertical and item.place < 0
    ]  # fmt: skip
    asked = {item.slot for item in _texts(slide)}
    edge = [item for item in texts if _at_edge(item, slide)]
    page = next((item for item in edge if _is_number(item.text, number, count)), None)
    foot = next(
        (item for item in edge if item is not page
         and (item.role == "footer" or repeated[_key(item)] > 1)),
        None,
    )  # fmt: skip
    rest = [item for item in texts if item not in (page, foot)]
    title = None if "title" in asked else _title(rest, slide)
    subtitle = _subtitle(rest, title, slide) if number == 1 else None
    apart = {item.order for item in (page, foot, subtitle) if item is not None}
    apart |= {item.order for item in _title_items(rest, title)}
    blocks = text_blocks(slide.items, apart)
    placed = PlacedTexts(_with_title(blocks, title, rest))
    by_order = {block.order: block for block in placed.blocks}
    named: tuple[tuple[Role, TextItem | None], ...] = (
        ("title", title), ("subtitle", subtitle), ("footer", foot), ("number", page),
    )  # fmt: skip
    for role, item in named:
        if item is not None and item.order in by_order:
            placed.roles[role] = by_order[item.order]
    _place_asked(placed)
    body = None if "body" in asked else _body(placed, slide)
    if body is not None and "title" in placed.roles:
        placed.roles["body"] = body
    return placed


def _place_asked(placed: PlacedTexts) -> None:
    """Give blocks the placeholders that the page asks for; bodies in their order."""
    largest: dict[int, NativeText] = {}
    for block in placed.blocks:
        place = block.items[0].place
        if place >= 0 and len(block.text) > len(largest[place].text if place in largest else ""):
            largest[place] = block
    bodies = iter(_BODIES)
    for _, block in sorted(largest.items()):
        slot = block.items[0].slot
        role = next(bodies, None) if slot == "body" else _ASKED.get(slot)
        if role is not None and block.items[0].group is None and not block.turns:
            placed.roles[role] = block


def _at_edge(item: TextItem, slide: MeasuredPage) -> bool:
    top, bottom = item.box[1], item.box[1] + item.box[3]
    small = max(run.size for run in item.runs) <= slide.height * _SMALL
    return small and (top >= slide.height * FOOT or bottom <= slide.height * HEAD)


def _is_number(text: str, number: int, count: int) -> bool:
    match = re.fullmatch(r"\s*0*(\d+)\s*(?:[/|]|of)?\s*(\d*)\s*", text)
    return match is not None and int(match[1]) == number and match[2] in ("", str(count))


def _title(texts: Sequence[TextItem], slide: MeasuredPage) -> TextItem | None:
    for tags in (("h1", "h2"), ("h3",)):
        for item in texts:
            if item.tag in tags and item.text.strip():
                return item
    sizes: Counter[float] = Counter()
    for item in texts:
        for run in item.runs:
            sizes[run.size] += len(run.text)
    if not sizes:
        return None
    common = max(sizes, key=lambda size: (sizes[size], -size))
    high = [
        item for item in texts
        if item.box[1] < slide.height * 0.5 and len(item.text) <= _LONGEST_TITLE
        and item.marker is None and any(sign.isalpha() for sign in item.text)
    ]  # fmt: skip
    if not high:
        return None
    largest = max(high, key=lambda item: (max(run.size for run in item.runs), -item.order))
    big = max(run.size for run in largest.runs) >= common * _TITLE_RATIO
    return largest if big or len(texts) == 1 else None


def _title_items(texts: Sequence[TextItem], title: TextItem | None) -> list[TextItem]:
    """The paragraphs of the title: headings may have several."""
    if title is None:
        return []
    after = [item for item in texts if item.order >= title.order]
    items = [title]
    for item in after[1:]:
        if item.tag != title.tag or item.column != title.column or title.tag not in ("h1", "h2"):
            break
        if item.element != title.element:
            break
        items.append(item)
    return items


def _with_title(
    blocks: list[NativeText], title: TextItem | None, texts: Sequence[TextItem]
) -> list[NativeText]:
    """The blocks with those of the title joined to one, where they stand below each other."""
    orders = [item.order for item in _title_items(texts, title)]
    parts = [block for block in blocks if block.order in orders]
    if len(parts) < 2:
        return blocks
    joined = NativeText([measure for block in parts for measure in block.measures])
    if max(m.lower for m in joined.measures) >= min(m.upper for m in joined.measures):
        return blocks
    return [joined if block is parts[0] else block for block in blocks if block not in parts[1:]]


def _subtitle(
    texts: Sequence[TextItem], title: TextItem | None, slide: MeasuredPage
) -> TextItem | None:
    if title is None or any(isinstance(item, TableItem) for item in slide.items):
        return None
    if any(item.marker is not None for item in texts):
        return None
    size = max(run.size for run in title.runs)
    page = (0.0, 0.0, slide.width, slide.height)
    if sum(len(item.text) for item in texts if item is not title) > _MOST_ON_COVER:
        return None
    for item in texts:
        if container_of(NativeText([measure_of(item)]), slide.items, page) is not None:
            continue
        below = item.order > title.order and item.box[1] >= title.box[1] + title.box[3] / 2
        if below and item.marker is None and max(run.size for run in item.runs) < size:
            return item
    return None


def _body(placed: PlacedTexts, slide: MeasuredPage) -> NativeText | None:
    """The block with most of the words, unless the slide is made of many small ones."""
    if "subtitle" in placed.roles:
        return None
    page = (0.0, 0.0, slide.width, slide.height)
    rest = [
        block for block in placed.blocks
        if placed.role_of(block) is None and block.items[0].group is None and not block.turns
        and block.items[0].place < 0 and container_of(block, slide.items, page) is None
    ]  # fmt: skip
    letters = [len(block.text) for block in rest]
    if not rest or len(rest) > _MOST_UNPLACED + 1:
        return None
    largest = max(range(len(rest)), key=lambda at: letters[at])
    if letters[largest] < _BODY_SHARE * sum(letters) or letters[largest] < 20:
        return None
    return rest[largest]
