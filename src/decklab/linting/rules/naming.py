"""Elements in messages: by the name that a person gave, else by their words."""

import re
from typing import Final

from decklab.core.naming import NOUNS, name_in_words
from decklab.deck.model.shapes import Element, Image, Line, Media, Rect, Text
from decklab.metrics.findings import quoted

_STEMS: Final = {"textbox": "text box", "autoshape": "shape"}
_OTHERS: Final = frozenset({"", "content", "google", "placeholder"})
_KINDS: Final = {
    "Image": "picture", "Line": "line", "Table": "table", "Chart": "chart", "Group": "group",
    "Diagram": "diagram",
}  # fmt: skip


def called(element: Element, *, start: bool = False) -> str:
    """An element in a sentence: ``the text box “Costs rose”`` if a program gave it its name, else
    the name; at the ``start`` of the sentence with a capital letter.

    >>> map_of = Image(id=2, name="Picture 4", alt_text="A map", x=0, y=0, w=9, h=9)
    >>> called(map_of, start=True), called(map_of.model_copy(update={"name": "Map"}))
    ('The picture “A map”', 'Map')
    """
    noun = _noun(element)
    text = element.text if isinstance(element, Text) else element.alt_text
    form = re.findall("[A-Z]?[a-z]+", element.geometry) if isinstance(element, Rect | Line) else ()
    words = name_in_words(
        element.name, noun, text,
        placeholder=element.placeholder is not None, geometry=" ".join(form).lower(),
    )  # fmt: skip
    if element.name and not words:
        return element.name
    return f"{'The' if start else 'the'} {words or noun}"


def words_of(text: str, element: Element, *, start: bool = False) -> str:
    """Words of an element with the element; not twice if it is called by them.

    >>> named = {"name": "Picture 4", "alt_text": "Costs rose"}
    >>> words_of("Costs", Image(**named, x=0, y=0, w=9, h=9))
    'the picture “Costs rose”'
    >>> words_of("rose", Image(**named, x=0, y=0, w=9, h=9))
    '"rose" of the picture “Costs rose”'
    """
    name = called(element, start=start)
    known = f"“{' '.join(text.split())}"
    return name if known in name else f"{quoted(text)} of {called(element)}"


def _noun(element: Element) -> str:
    role = element.placeholder.type if element.placeholder else ""
    if isinstance(element, Text) or (role and not isinstance(element, Image | Media)):
        if role:
            return NOUNS.get(role, "text")
        stem = element.name.rpartition(" ")[0].split(":")[0].lower()
        return "text" if stem in _OTHERS else _STEMS.get(stem, stem)
    if isinstance(element, Media):
        return element.medium
    return _KINDS.get(type(element).__name__, "shape")
