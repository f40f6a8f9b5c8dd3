"""Cover and the town in three numbers."""

from pptx.enum.shapes import MSO_SHAPE
from pptx.presentation import Presentation as Deck
from pptx.shapes.group import GroupShape
from pptx.slide import Slide

from generate.samples.filling import add_shape, add_slide, add_text, fill_placeholder, set_notes
from generate.samples.icons import add_icon
from generate.samples.rich.design import FIRST
from generate.samples.timing import Step, animate

_CARDS = (
    ("house", "6,400", "homes within reach of the network", "accent4", "accent2"),
    ("leaf", "71 %", "less carbon dioxide by 2035", "accent1", "accent6"),
    ("coins", "€ 210", "saved by a household each year", "tx2", "accent2"),
)


def cover(deck: Deck) -> Slide:
    """Title slide: all drawing comes from the layout."""
    slide = add_slide(deck, "Cover", "Heat from the harbour")
    fill_placeholder(slide, FIRST, [
        "A seawater heat network for Nordholm",
        "Town council briefing, March 2026",
    ])  # fmt: skip
    set_notes(slide, "Welcome. Twenty minutes, then questions. The decision comes at the end.")
    return slide


def numbers(deck: Deck) -> Slide:
    """Three cards, each a group of icon, number and label, entering one after the other."""
    slide = add_slide(deck, "Title on tint", "The plan in three numbers")
    cards = [_card(slide, n, card) for n, card in enumerate(_CARDS)]
    animate(slide, [Step(card, "wipe", start="click") for card in cards])
    set_notes(
        slide,
        "Homes: addresses within 60 m of a planned pipe. Carbon: against 2024. "
        "Savings: a flat of 80 square metres now heated with oil.",
    )
    return slide


def _card(slide: Slide, place: int, content: tuple[str, str, str, str, str]) -> GroupShape:
    icon, number, label, color, spark = content
    left = 56 + place * 290
    back = add_shape(
        slide.shapes, "Card", MSO_SHAPE.ROUNDED_RECTANGLE, (left, 132, 268, 340), color,
        corner=0.06,
    )  # fmt: skip
    drawing = add_icon(
        slide, icon, (left + 26, 158, 92, 92), f"{icon.title()} icon", disc="bg1", ink=color,
        spark=spark,
    )  # fmt: skip
    figure = add_text(
        slide.shapes, "Number", (left + 16, 262, 236, 88), [number], size=56, color="bg1",
        bold=True, anchor="middle",
    )  # fmt: skip
    words = add_text(
        slide.shapes, "Label", (left + 16, 356, 236, 92), [label], size=20, color="bg1"
    )
    card = slide.shapes.add_group_shape([back, drawing, figure, words])
    card.name = f"Card: {number}"
    return card
