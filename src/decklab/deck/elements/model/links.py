"""Hyperlinks and actions."""

from typing import Literal

from decklab.deck.elements.model.base import Model

__all__ = ["Action", "ActionKind"]

ActionKind = Literal[
    "url", "slide", "jump", "file", "program", "macro", "media", "show", "ole", "none", "unknown"
]
"""``jump`` is relative to the show (next slide, last slide viewed ...), ``none`` does nothing
though it may play a sound or have a tooltip."""


class Action(Model):
    """What happens on a click, or when the pointer comes over."""

    kind: ActionKind
    target: str = ""
    """Address, file, program or macro; for ``jump`` its name, such as ``nextslide``; the id of a
    slide or custom show."""
    tooltip: str = ""
    action: str = ""
    """The action as the file spells it, where the kind does not say all."""
