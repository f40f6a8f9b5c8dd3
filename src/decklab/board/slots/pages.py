"""Where a slide of a plan stands: on a layout of a template, or in place of an example."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

Avoided = Mapping[int, frozenset[str]]
"""For slides of a plan, counted from 0, the keys of what they should not stand on."""
NOTHING: Final[Avoided] = MappingProxyType({})


class PageUse(NamedTuple):
    """A written slide: which slide of the plan it shows, from 0, and the key of what it is on."""

    of: int
    key: str
