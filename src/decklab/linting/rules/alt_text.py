"""Pictures and other objects without words for those who do not see them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from decklab.core.geometry import FRAME
from decklab.core.results import Finding
from decklab.deck.model.paint import PictureFill
from decklab.deck.model.shapes import Chart, Diagram, Element, Image, Media, Other, Rect, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.linting.rules.page import share_inside
from decklab.linting.rules.rule import MICROSOFT, WCAG, Rule, label
from decklab.metrics.findings import (
    SAME_CAUSE_SLIDES,
    Occurrence,
    first_names,
    named_slides,
    quoted,
)

ALT_TEXT_LEAST: Final = 3
"""Ours: a description has at least so many letters; ``1`` or ``x`` are none."""

_MISSING = "missing"
_FILE = re.compile(
    r"\S*[^\s.]\.(?:png|jpe?g|jfif|gif|bmp|svg|emf|wmf|tiff?|webp|heic|mp4|wmv|mov)", re.IGNORECASE
)
_NAME = re.compile(
    r"(?:picture|image|img|photo|graphic|chart|diagram|object|bild|imagem|imagen|grafik|shape"
    r"|google shape;.*|content placeholder|picture placeholder)[\s_-]*\d*",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r"(?:description automatically generated|description generated with \w+ ?\w* confidence"
    r"|automatically generated description|beschreibung automatisch generiert"
    r"|descrição gerada automaticamente|descripción generada automáticamente"
    r"|description générée automatiquement)",
    re.IGNORECASE,
)


def is_file_name(text: str) -> bool:
    """Whether an alternative text is only the name of a file, or of the object.

    >>> is_file_name("IMG_0042.jpg"), is_file_name("Picture 3"), is_file_name("Map of Peru")
    (True, True, False)
    """
    words = " ".join(text.split())
    return bool(_FILE.fullmatch(words) or _NAME.fullmatch(words))


def is_generated(text: str) -> bool:
    """Whether an alternative text says of itself that a program made it.

    >>> is_generated("A dog on a sofa\\n\\nDescription automatically generated")
    True
    """
    return _GENERATED.search(" ".join(text.split())) is not None


MISSING_ALT_TEXT = Rule(
    "accessibility.missing-alt-text",
    "MissingAltText",
    "A picture or other object has no alternative text.",
    source=f"{MICROSOFT}; {WCAG} 1.1.1",
    severity="error",
    threshold="no text, and not marked as decorative",
    fix="Say in a sentence what it shows, or mark it as decorative.",
)

POOR_ALT_TEXT = Rule(
    "accessibility.poor-alt-text",
    "PoorAltText",
    "The alternative text is a file name or was made by a program.",
    source=f"{WCAG} 1.1.1",
    severity="warning",
    threshold=f"a file's or object's name, under {ALT_TEXT_LEAST} letters, or a program's remark",
    fix="Say in a sentence what it shows.",
)


def deck_alt_text(deck: DeckElements) -> Iterator[Occurrence]:
    """The findings of ``alt_text`` by slide; one finding where no object of a deck has any text."""
    objects = {
        slide.number: [item for item in slide.elements() if _needs_text(item, slide)]
        for slide in deck.slides
    }
    slides = [number for number, items in objects.items() if items]
    bare = not any(_text_of(item) for items in objects.values() for item in items)
    if bare and len(slides) >= SAME_CAUSE_SLIDES:
        yield _none_at_all(objects, slides)
        return
    missing = {
        number: lacking
        for number, items in objects.items()
        if (lacking := [item for item in items if not _text_of(item)])
    }
    many = len(missing) >= SAME_CAUSE_SLIDES
    if many:
        yield _missing_on_many(missing, sum(map(len, objects.values())))
    for slide in deck.slides:
        occurrences = alt_text(slide)
        yield from (item for item in occurrences if not (many and item.cause == _MISSING))


def _missing_on_many(missing: Mapping[int, Sequence[Element]], objects: int) -> Occurrence:
    """One finding for the objects of a deck that lack a text, the largest of them first."""
    slides = sorted(missing)
    count = sum(map(len, missing.values()))
    number, first = max(
        ((number, item) for number in slides for item in missing[number]),
        key=lambda pair: (_area(pair[1]), -pair[0]),
    )
    says = (
        f"{count} of {objects} pictures and other objects have no alternative text, such"
        f" as {label(first)} on slide {number}"
    )
    return Occurrence(_for_deck(says, number, first, slides, count), _MISSING)


def _for_deck(says: str, number: int, first: Element, slides: Sequence[int], count: int) -> Finding:
    return MISSING_ALT_TEXT.finding(
        f"{says}: slides {named_slides(slides)}.",
        number,
        first,
        slides=tuple(slides),
        measured=float(count),
        threshold=0.0,
        fix="Say in a sentence what each shows, or mark it as decorative.",
    )


def _area(item: Element) -> float:
    box = box_of(item)
    return 0.0 if box is None else box.area


def _none_at_all(objects: Mapping[int, Sequence[Element]], slides: Sequence[int]) -> Occurrence:
    first = objects[slides[0]][0]
    count = sum(map(len, objects.values()))
    says = f"None of the deck's {count} pictures and other objects has an alternative text"
    return Occurrence(_for_deck(says, slides[0], first, slides, count), "none")


def alt_text(slide: SlideElements) -> Iterator[Occurrence]:
    """Objects that need an alternative text and have none, or one that says nothing.

    Objects are pictures, areas filled with one, charts, diagrams, media and embedded objects; a
    group's text speaks for its members. Decorative, hidden and off-slide ones need none.
    """
    needing = [item for item in slide.elements() if _needs_text(item, slide)]
    missing = lacking_alt_text(slide)
    poor = [item for item in needing if _says_nothing(_text_of(item))]
    generated = [item for item in needing if is_generated(_text_of(item))]
    if missing:
        yield _missing(missing, slide)
    if poor:
        yield _poor(poor, slide)
    if generated:
        yield _generated(generated, slide)


def lacking_alt_text(slide: SlideElements) -> list[Element]:
    """The objects of a slide that need an alternative text and have none."""
    needing = [item for item in slide.elements() if _needs_text(item, slide)]
    return [item for item in needing if not _text_of(item)]


def _needs_text(item: Element, slide: SlideElements) -> bool:
    place = box_of(item)
    if item.hidden or item.decorative or place is None or share_inside(place, FRAME) == 0:
        return False
    around = [group for group in slide.groups if group.id in item.groups]
    if any(group.decorative or _text_of(group) for group in around):
        return False
    if isinstance(item, Rect):
        picture = isinstance(item.paint, PictureFill) and not item.paint.tiled
        return picture and not any(text.z == item.z and text.text.strip() for text in slide.texts)
    if isinstance(item, Other):
        return item.what == "ole"
    return isinstance(item, Image | Chart | Diagram | Media)


def _text_of(item: Element) -> str:
    return item.alt_text.strip() or item.alt_title.strip()


def _says_nothing(text: str) -> bool:
    letters = sum(char.isalpha() for char in text)
    return bool(text) and (is_file_name(text) or letters < ALT_TEXT_LEAST)


def _missing(items: Sequence[Element], slide: SlideElements) -> Occurrence:
    finding = MISSING_ALT_TEXT.counted(
        f"{first_names([label(item) for item in items])} {'have' if len(items) > 1 else 'has'} no"
        " alternative text.",
        slide.number,
        items,
    )
    return Occurrence(finding, _MISSING)


def _poor(items: Sequence[Element], slide: SlideElements) -> Occurrence:
    text = _text_of(items[0])
    more = f", and so with {len(items) - 1} more" if len(items) > 1 else ""
    finding = POOR_ALT_TEXT.counted(
        f"The alternative text of {items[0].name} is {quoted(text)}, which does not say what it"
        f" shows{more}.",
        slide.number,
        items,
    )
    return Occurrence(finding, "poor")


def _generated(items: Sequence[Element], slide: SlideElements) -> Occurrence:
    more = f", and that of {len(items) - 1} more" if len(items) > 1 else ""
    finding = POOR_ALT_TEXT.counted(
        f"A program wrote the alternative text of {items[0].name}{more}:"
        f" {quoted(_text_of(items[0]))}.",
        slide.number,
        items,
        severity="info",
        fix="Read it, correct it, and delete the remark that it was generated.",
    )
    return Occurrence(finding, ("generated",))
