"""Layouts of like things side by side: cards, big numbers, timeline, process."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from decklab.board.blueprint import Step
from decklab.board.boxes import BoxParagraph, GroupBox, Shape, TextBox, TextStyle, Token
from decklab.board.fitting import LEAST_PT
from decklab.board.page import CARD_INSET, GUTTER, UNIT, PageDraft, across, corners, glued, shares
from decklab.core.geometry import Box

_MOST_STEPS: Final = 5
_MOST_CARDS: Final = 6
_GRIDS: Final = {2: (2, 1), 3: (3, 1), 4: (2,), 5: (3, 1), 6: (3, 2)}
"""For each number of cards how many may stand in a row."""
_EDGE: Final = 8.0
_ROW_GAP: Final = 16.0
"""Between cards one below another."""
_LEAST_BESIDE: Final = 50
"""Characters of a text from which it stands beside its label and not below it. Ours."""
_CHANGE_ROOM: Final = 160.0
"""Between two numbers, for an arrow and the change that it stands for."""
_LABEL_CHARACTERS: Final = 40
"""A longer label of a card is a sentence, and is set as one."""


def lay_out_cards(page: PageDraft) -> None:
    """Up to six cards, in the grid in which their text is largest and leaves room for more."""
    page.head()
    cards = page.plan.cards[:_MOST_CARDS]
    page.note_too_many(page.plan.cards, _MOST_CARDS)
    if all(card.text for card in cards) and _as_pairs(page, cards):
        return
    made = [
        _card(page, f"Card {number}", page.area, _step_paragraphs(page, card, cards))
        for number, card in enumerate(cards, start=1)
    ]
    _add_cards(page, _best_grid(page, made, _GRIDS[len(cards)]))


def _as_pairs(page: PageDraft, cards: Sequence[Step]) -> bool:
    """Put cards one below another, each with its label beside its text; False where the texts are
    short, or too long for that."""
    if max(len(card.text or "") for card in cards) < _LEAST_BESIDE:
        return False
    most = (page.area.height - _ROW_GAP * (len(cards) - 1)) / len(cards)
    texts = []
    for number, card in enumerate(cards, start=1):
        label = BoxParagraph(card.label, bold=True, color="accent")
        text = BoxParagraph(card.text or "", color=page.style.text)
        for name, first, count, words in (("label", 0, 4, label), ("text", 4, 8, text)):
            box = _with_height(across(first, count, page.area), most)
            made = _card(page, f"Card {number} {name}", box, (words,))
            style = replace(made.style, anchor="middle")
            texts.append(replace(made, style=style, fill=None, line=None, inset=CARD_INSET))
    texts, fits = page.fitter.largest(page.roomy(texts), page.theme.scale.small)
    if not fits:
        return False
    high = page.high_enough(texts, len(cards), _ROW_GAP)
    top = page.optical_top(len(cards) * (high + _ROW_GAP) - _ROW_GAP)
    places = [top + at // 2 * (high + _ROW_GAP) for at in range(len(texts))]
    texts = [
        replace(text, box=_with_height(text.box._replace(top=place), high))
        for text, place in zip(texts, places, strict=True)
    ]
    texts = page.fitted(texts, least=page.least)
    for number, both in enumerate(zip(texts[::2], texts[1::2], strict=True), start=1):
        page.add(_pair(page, f"Card {number}", *both))
    return True


def _pair(page: PageDraft, name: str, label: TextBox, text: TextBox) -> GroupBox:
    """A label and its text with what the theme draws of a card."""
    kind = page.theme.components.card
    left, top, right, bottom = label.box._replace(right=text.box.right)
    fill: Token = "surface" if kind == "filled" else "background"
    ground = Shape(f"{name} ground", label.box._replace(right=right), fill,
                   "line" if kind == "outlined" else None)  # fmt: skip
    edge = (
        Box(left, top, right, top + 4) if kind == "ruled" else Box(left, top, left + _EDGE, bottom)
    )
    return GroupBox(f"{name} group", (ground, Shape(f"{name} edge", edge, "accent"), label, text))


def _best_grid(
    page: PageDraft, cards: Sequence[TextBox], columns: Sequence[int], gap: float = GUTTER
) -> list[TextBox]:
    """Cards in rows of as many as make them most legible, fitted."""
    grids = [_in_grid(page, cards, count, _ROW_GAP if count == 1 else gap) for count in columns]
    return page.fitted(max(grids, key=page.legible), least=page.least)


def _in_grid(page: PageDraft, cards: Sequence[TextBox], columns: int, gap: float) -> list[TextBox]:
    """Cards in rows of so many, at the largest size that holds them."""
    rows = -(-len(cards) // columns)
    most = (page.area.height - gap * (rows - 1)) / rows
    slots = [_with_height(slot, most) for slot in shares(page.area, columns, gap)]
    made = [replace(card, box=slots[at % columns]) for at, card in enumerate(cards)]
    made, _ = page.fitter.largest(page.roomy(made), LEAST_PT)
    high = page.high_enough(made, rows, gap)
    top = page.optical_top(rows * high + (rows - 1) * gap)
    return [
        replace(
            card, box=_with_height(card.box._replace(top=top + at // columns * (high + gap)), high)
        )
        for at, card in enumerate(made)
    ]


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
    high = page.high_enough(made)
    top = page.optical_top(high)
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
        text = _card(page, f"Step {number}", box, _step_paragraphs(page, step, steps))
        texts.append(replace(text, fill="surface", line=None, inset=12.0))
    high = min(page.high_enough(texts), page.area.bottom - line_y - 32)
    texts = page.fitted(
        [replace(text, box=_with_height(text.box, high)) for text in texts], least=page.least
    )
    for dot_shape, text in zip(dots, texts, strict=True):
        page.add(dot_shape, text)
    page.add(*(glued(*pair, arrow=False) for pair in pairwise(dots)))


def lay_out_process(page: PageDraft) -> None:
    """Up to five numbered steps joined by arrows: in a row, or one below another if they are
    sentences."""
    page.head()
    steps = page.plan.steps[:_MOST_STEPS]
    page.note_too_many(page.plan.steps, _MOST_STEPS)
    fill: Token = "tint" if page.theme.components.card == "filled" else "surface"
    below = _are_sentences(steps)
    made = []
    for number, step in enumerate(steps, start=page.plan.first):
        box = _card(page, f"Step {number}", page.area, _step_paragraphs(page, step, steps))
        inset = 8.0 if below else 14.0
        made.append(
            replace(box, fill=fill, line=None, inset=inset, paragraphs=_numbered(box, number))
        )
    made = _best_grid(page, made, [1 if below else len(steps)], gap=32.0)
    page.add(*made, *(glued(*pair) for pair in pairwise(made)))


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


def _step_paragraphs(page: PageDraft, step: Step, steps: Sequence[Step]) -> list[BoxParagraph]:
    """The text of one of some cards or steps."""
    if _are_sentences(steps):
        return [BoxParagraph(step.label, color=page.style.text)]
    label = BoxParagraph(step.label, bold=True, color="accent")
    text = [] if step.text is None else [BoxParagraph(step.text, color=page.style.text)]
    return [label, *text]


def _with_height(box: Box, height: float) -> Box:
    return Box(box.left, box.top, box.right, box.top + height)


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
