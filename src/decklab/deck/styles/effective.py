"""A value as it takes effect, and the place that states it."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

__all__ = ["Effective", "Origin"]

T_co = TypeVar("T_co", covariant=True)

Origin = Literal[
    "run",
    "paragraph",
    "shape",
    "group",
    "slide",
    "layout",
    "master",
    "theme",
    "presentation",
    "table_style",
    "default",
]
"""Where a value is stated.

``run`` and ``paragraph`` are its own properties, ``shape`` anything else the shape (or table cell,
or its own reference to a theme style) says, ``group`` a fill taken from the enclosing group,
``slide`` the slide's own background, ``layout`` and ``master`` the placeholder or text styles it
inherits from, ``theme`` the theme's format scheme, ``presentation`` the deck's default text
style, ``table_style`` the table's style, ``default`` what the standard or PowerPoint takes where
nothing is stated. A theme colour or theme font named by a run is stated by the run.
"""


@dataclass(frozen=True, slots=True)
class Effective(Generic[T_co]):
    """One effective value and where it is stated."""

    value: T_co
    source: Origin
