"""What holds where a snapshot leaves a key out: the defaults of the models behind it."""

from typing import Any

from pydantic import BaseModel

from decklab.deck.model.slide import Animation, Transition
from decklab.deck.model.text import Body, Paragraph, RunFont


def _defaults(model: type[BaseModel]) -> dict[str, Any]:
    """Of the fields, as plain JSON; None for those that must be there."""
    found = {}
    for name, field in model.model_fields.items():
        value = None if field.is_required() else field.get_default()
        if isinstance(value, BaseModel):
            value = value.model_dump(mode="json", exclude_defaults=True)
        found[name] = list(value) if isinstance(value, tuple) else value
    return found


BODY = _defaults(Body)
PARAGRAPH = _defaults(Paragraph)
FONT = _defaults(RunFont)
TRANSITION = _defaults(Transition)
ANIMATION = _defaults(Animation)
