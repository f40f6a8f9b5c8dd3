"""Layouts of like things side by side: cards, big numbers, timeline, process."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from decklab.board.blueprint import Step
from decklab.board.boxes import BoxParagraph, GroupBox, Shape, TextBox, TextStyle, Token
from decklab.board.fitting import LEAST_PT, doubled
from decklab.board.page import CARD_INSET, GUTTER, UNIT, PageDraft, corners, glued, shares
from decklab.core.geometry import Box

_LEAST_CARD, _LEAST_ONLY_CARD = 128.0, 184.0
_MOST_STEPS: Final = 5
_MOST_CARDS: Final = 6
_EDGE: Final = 8.0
_CHANGE_ROOM: Final = 160.0
"""Between two numbers, for an arrow and the change that it stands for."""
_LABEL_CHARACTERS: Final = 40
"""A longer label of a card is a sentence, and is set as one."""


def lay_out_cards(page: PageDraft) -> None:
    """Up to six cards in one row or two."""
    page.head()
    cards = page.plan.cards[:_MOST_CARDS]
    page.note_too_many(page.plan.cards, _MOST_CARDS)
    columns = len(cards) if len(cards) <= 3 else 2 if len(cards) == 4 else 3
    rows = -(-len(cards) // columns)
    slots = shares(page.area, columns)
    made = [
        _card(page, f"Card {number + 1}", slots[number % columns], _step_paragraphs(page, card))
        for number, card in enumerate(cards)
    ]
    most = (page.area.height - GUTTER * (rows - 1)) / rows
    high = _row_height(page, made, most)
    top = _optical_top(page.area, rows * high + (rows - 1) * GUTTER)
    placed = []
    for number, card in enumerate(made):
        y = top + number // columns * (high + GUTTER)
        placed.append(replace(card, box=Box(card.box.left, y, card.box.right, y + high)))
    _add_cards(page, page.fitted(placed, least=page.least))


def lay_out_big_numbers(page: PageDraft) -> None:
    """Large numbers with their labels, the first on the accent colour; of two with a change between
    them the second, to which an arrow leads."""
    page.head()
    scale = page.theme.scale
    made = []
    numbers = page.plan.numbers
    gap = GUTTER if page.plan.change is None else min(_CHANGE_ROOM, page.area.width / 4)
    for number, (item, box) in enumerate(
        zip(numbers, shares(page.area, max(len(numbers), 2), gap), strict=False), start=1
    ):
        value = BoxParagraph(
            item.value, size=scale.display, color="accent", bold=True, heading=True
        )
        label = BoxParagraph(item.label, color=page.style.text)
        made.append(_card(page, f"Number {number}", box, (value, label)))
    made = _values_in_one_line(page, made)
    high = _row_height(page, made, page.area.height)
    top = _optical_top(page.area, high)
    made = [replace(card, box=Box(card.box.left, top, card.box.right, top + high)) for card in made]
    first, *others = page.fitted(made, least=page.least)
    if page.plan.change is not None:
        _add_change(page, first, others[0], page.plan.change)
        return
    page.add(_on_accent(page, first))
    _add_cards(page, others)


def _add_change(page: PageDraft, before: TextBox, after: TextBox, change: str) -> None:
    """Two numbers, an arrow from the one before to the one after, and the change above it."""
    before = replace(before, fill="surface", line=None)
    after = _on_accent(page, after)
    arrow = glued(before, after)
    words = TextBox(
        "Change",
        Box(before.box.right + UNIT, before.box.top, after.box.left - UNIT, arrow.y1 - UNIT),
        (BoxParagraph(change),),
        TextStyle(
            page.theme.scale.title, "accent", heading=True, bold=True, align="center",
            anchor="bottom",
        ),
    )  # fmt: skip
    page.add(before)
    page.fit([words], least=page.theme.scale.caption)
    page.add(after, arrow)


def lay_out_timeline(page: PageDraft) -> None:
    """Up to five steps below points on a line."""
    page.head()
    steps = page.plan.steps[:_MOST_STEPS]
    page.note_too_many(page.plan.steps, _MOST_STEPS)
    slots = shares(page.area, len(steps), 16)
    side, line_y = 24.0, page.area.top + 32
    dots, texts = [], []
    for number, (step, slot) in enumerate(zip(steps, slots, strict=True), start=1):
        dot = Box(slot.left, line_y - side / 2, slot.left + side, line_y + side / 2)
        round_dot = page.theme.components.badge == "disc"
        dots.append(
            Shape(f"Point {number}", dot, "accent", geometry="ellipse" if round_dot else "rect")
        )
        box = Box(slot.left, line_y + 32, slot.right, page.area.bottom)
        text = _card(page, f"Step {number}", box, _step_paragraphs(page, step))
        texts.append(replace(text, fill="surface", line=None, inset=12.0))
    high = _row_height(page, texts, page.area.bottom - line_y - 32)
    texts = page.fitted(
        [replace(text, box=_with_height(text.box, high)) for text in texts], least=page.least
    )
    for dot_shape, text in zip(dots, texts, strict=True):
        page.add(dot_shape, text)
    page.add(*(glued(*pair, arrow=False) for pair in pairwise(dots)))


def lay_out_process(page: PageDraft) -> None:
    """Up to five numbered steps in a row, joined by arrows."""
    page.head()
    steps = page.plan.steps[:_MOST_STEPS]
    page.note_too_many(page.plan.steps, _MOST_STEPS)
    made = []
    for number, (step, slot) in enumerate(
        zip(steps, shares(page.area, len(steps), 32), strict=True), start=page.plan.first
    ):
        box = _card(page, f"Step {number}", slot, _step_paragraphs(page, step))
        fill: Token = "tint" if page.theme.components.card == "filled" else "surface"
        box = replace(box, fill=fill, line=None, inset=14.0, paragraphs=_numbered(box, number))
        made.append(box)
    high = _row_height(page, made, page.area.height)
    top = _optical_top(page.area, high)
    made = [replace(box, box=Box(box.box.left, top, box.box.right, top + high)) for box in made]
    made = page.fit(made, least=page.least)
    page.add(*(glued(*pair) for pair in pairwise(made)))


def _card(page: PageDraft, name: str, box: Box, paragraphs: Sequence[BoxParagraph]) -> TextBox:
    """The text of a card on its area; not fitted yet."""
    kind = page.theme.components.card
    alone = len(paragraphs) == 1 and kind != "ruled"
    style = TextStyle(
        page.theme.scale.body, page.style.text, anchor="middle" if alone else "top", spacing=6.0
    )
    return TextBox(
        name,
        box,
        tuple(paragraphs),
        style,
        fill="surface" if kind == "filled" else None,
        line="line" if kind == "outlined" else None,
        geometry=corners(page.theme),
        inset=CARD_INSET,
    )


def _add_cards(page: PageDraft, cards: Sequence[TextBox]) -> None:
    """Put fitted cards on the slide with what the theme draws of them."""
    ruled = page.theme.components.card == "ruled"
    for card in cards:
        left, top, right, bottom = card.box
        if ruled:
            rule = Shape(f"{card.name} rule", Box(left, top, right, top + 4), "accent")
            text = replace(card, box=Box(left, top + CARD_INSET, right, bottom), inset=0.0)
        else:
            rule = Shape(f"{card.name} edge", Box(left, top, left + _EDGE, bottom), "accent")
            text = replace(card, box=Box(left + _EDGE, top, right, bottom), geometry="rect")
        page.add(GroupBox(f"{card.name} group", (rule, text)))


def _are_sentences(cards: Sequence[Step]) -> bool:
    """Whether the labels of cards are too long for names of something."""
    longest = max(len(card.label) for card in cards)
    return longest > _LABEL_CHARACTERS and all(card.text is None for card in cards)


def _step_paragraphs(page: PageDraft, step: Step) -> list[BoxParagraph]:
    if page.plan.layout == "cards" and _are_sentences(page.plan.cards):
        return [BoxParagraph(step.label, color=page.style.text)]
    label = BoxParagraph(step.label, bold=True, color="accent")
    text = [] if step.text is None else [BoxParagraph(step.text, color=page.style.text)]
    return [label, *text]


def _row_height(page: PageDraft, cards: Sequence[TextBox], most: float) -> float:
    """Height of a row of cards: room for a longest paragraph of twice the length, for editors."""
    least = _LEAST_CARD if most < page.area.height / 2 else _LEAST_ONLY_CARD
    cards, _fits = page.fitter.largest(
        [replace(card, box=_with_height(card.box, most)) for card in cards], LEAST_PT
    )
    high = max(page.fitter.height(doubled(card)) + 2 * card.inset for card in cards)
    return min(max(UNIT * (high // UNIT + 1), least), most)


def _with_height(box: Box, height: float) -> Box:
    return Box(box.left, box.top, box.right, box.top + height)


def _optical_top(area: Box, height: float) -> float:
    """Where something begins that stands a little above the middle of an area, on the unit."""
    return area.top + round((area.height - height) * 0.4 / UNIT) * UNIT


def _on_accent(page: PageDraft, card: TextBox) -> TextBox:
    """A card whose words stand on the accent colour."""
    paragraphs = tuple(replace(item, color=None) for item in card.paragraphs)
    style = replace(card.style, color="background")
    return replace(
        card, paragraphs=paragraphs, style=style, fill="accent", line=None,
        geometry=corners(page.theme), inset=CARD_INSET,
    )  # fmt: skip


def _values_in_one_line(page: PageDraft, cards: list[TextBox]) -> list[TextBox]:
    """Numbers at the largest size of the scale at which none of them breaks."""
    sizes = page.theme.scale.down_from(page.theme.scale.display, page.theme.scale.body)
    for size in sizes:
        tried = [
            replace(card, paragraphs=(replace(card.paragraphs[0], size=size), *card.paragraphs[1:]))
            for card in cards
        ]
        if all(len(page.fitter.lines(card)[0]) == 1 for card in tried):
            return tried
    return tried


def _numbered(box: TextBox, number: int) -> tuple[BoxParagraph, ...]:
    first = replace(box.paragraphs[0], text=f"{number}. {box.paragraphs[0].text}", color=None)
    return (first, *box.paragraphs[1:])
