"""Which elements an operator may touch."""

from pydantic import BaseModel

from decklab.deck.model.plain import PlainText
from decklab.deck.model.shapes import Element


def is_shown(item: BaseModel) -> bool:
    """Whether an element is to be seen: it has a place, is not hidden and, if text, not empty."""
    if isinstance(item, Element) and (item.hidden or not item.placed):
        return False
    return not isinstance(item, PlainText) or has_words(item)


def has_words(text: PlainText) -> bool:
    """Whether a text has any characters."""
    return bool(text.text.strip())
