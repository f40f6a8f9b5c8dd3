"""What a patch says, and why patches are refused."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from decklab.errors import DecklabError

__all__ = ["Action", "Patch", "PatchesRefused", "Position", "Refusal"]

Action = Literal["add", "replace", "remove", "set", "text"]
"""``add`` puts ``xml`` at ``position`` of what the path finds, ``replace`` puts it in its place,
``remove`` takes elements, or attributes, out, ``set`` gives an attribute a value, ``text`` gives an
element without children its text."""

Position = Literal["first", "last", "before", "after"]
"""Where ``add`` puts elements: as the first or last children of what is found, or beside it."""


@dataclass(frozen=True)
class Patch:
    """One edit of one part, made at every node that the path finds.

    Prefixes in ``xpath``, ``xml`` and ``attribute`` are those of
    ``decklab.ooxml.names.NAMESPACES``, whatever the part itself calls them.
    """

    part: str
    action: Action
    xpath: str
    xml: str = ""
    position: Position = "last"
    attribute: str = ""
    value: str = ""


class Refusal(DecklabError):
    """One patch that cannot be made; the text says what to do instead."""


class PatchesRefused(DecklabError):
    """Patches that were not made, none of them; ``reasons`` says why, one line each."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(" ".join(self.reasons))
