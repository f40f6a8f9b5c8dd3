"""What a slide of an example deck is for, and what it shows most of."""

import re
from dataclasses import replace

from decklab.board.examples.slide_parts import WORD
from decklab.board.examples.slots import ExampleKind, ExampleRole, ExampleSlide
from decklab.deck.model.slide import SlideElements

_BIG_NUMBER = re.compile(r"\D{0,2}\d[\d.,]*\s?\S{0,3}\Z")
_QUOTED = re.compile(r"[“„«\"].{12,}|^\s*[—–]\s*\w", re.DOTALL)
_CONTENTS = re.compile(
    r"contents|agenda|outline|inhalt|übersicht|sommaire|índice|indice|inhoud|roadmap of",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"thank|question|contact|danke|fragen|merci|gracias|obrigad|grazie|bedankt|the end",
    re.IGNORECASE,
)


def example_role(
    example: ExampleSlide, slide: SlideElements, total: int, usual: float
) -> ExampleRole:
    """What a slide is for in its deck of ``total`` slides and titles of ``usual`` points."""
    layout = slide.layout.casefold()
    words = sum(len(WORD.findall(text.text)) for text in slide.texts)
    title = example.title.text if example.title else ""
    few = 2 if slide.number == 1 else 0
    bare = not (example.lists or example.objects) and len(example.left_over) <= few
    slight = bare and words <= 30
    if example.of_layout:
        return _layout_role(slide)
    if slide.number <= 2 and slight and not _CONTENTS.search(title) and (
        slide.number == 1 or "title slide" in layout or (example.subtitle is not None
        and example.subtitle.placeholder == "subTitle")
    ):  # fmt: skip
        return "opening"
    if _CONTENTS.search(title) and (example.lists or example.bodies):
        return "contents"
    listed = any(slot.placeholder in ("body", "obj") for slot in example.bodies)
    last = slide.number == total and not listed
    if slight and (last or _THANKS.search(title)):
        return "ending"
    if bare and words <= 16 and not any(
        slot.placeholder in ("body", "obj") for slot in example.bodies
    ) and (example.title is None or example.title.size >= usual - 1):  # fmt: skip
        return "section"
    if "section" in layout and slight:
        return "section"
    return "body"


def _layout_role(slide: SlideElements) -> ExampleRole:
    kinds = {text.placeholder.type for text in slide.texts if text.placeholder}
    name = slide.layout.casefold()
    if "ctrTitle" in kinds or "subTitle" in kinds:
        return "opening"
    return "section" if "section" in name else "body"


def example_kind(example: ExampleSlide) -> ExampleKind:
    """What the largest part of the content of a slide is."""
    kinds = {slot.kind for slot in example.objects}
    if "chart" in kinds:
        return "chart"
    if "table" in kinds:
        return "table"
    if example.lists:
        items = example.lists[0].items
        firsts = [part.text for item in items for part in item.parts if part.text]
        largest = max(firsts, key=lambda slot: slot.size)
        if all(_BIG_NUMBER.match(part.text.text.strip()) for item in items
               for part in item.parts if part.text and part.text.size == largest.size):  # fmt: skip
            return "numbers" if largest.size >= 24 else "items"
        return "timeline" if example.lists[0].rigid else "items"
    if "picture" in kinds:
        return "picture"
    if example.bodies:
        only = len(example.bodies) == 1 and example.bodies[0].text
        return "quote" if only and _QUOTED.search(only) else "bullets"
    return "title"


def with_one_opening(examples: list[ExampleSlide]) -> list[ExampleSlide]:
    """Only one opening: the first; where none looks like one, the one of the first three."""
    own = [example for example in examples if not example.of_layout]
    if not any(example.role == "opening" for example in own):
        early = [one for one in own if one.number <= 3 and one.title and not one.lists]
        if early:
            first = min(early, key=lambda one: (not _of_title_layout(one), one.number))
            examples = [replace(one, role="opening") if one is first else one for one in examples]
    opened = False
    result = []
    for example in examples:
        role = example.role
        if role == "opening" and not example.of_layout:
            role = "section" if opened else role
            opened = True
        result.append(replace(example, role=role))
    return result


def _of_title_layout(example: ExampleSlide) -> bool:
    assert example.title is not None, "only slides with titles open a deck"
    return example.title.placeholder == "ctrTitle" or "title" in example.layout_name.casefold()
