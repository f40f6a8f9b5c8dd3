"""A difference as comparers find it, before it has a place in the deck."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from decklab.diffing.model import Kind

Json = dict[str, Any]

_PARTS_NAMED = 3
"""How many parts of an element a change names before it counts the rest. Ours."""


@dataclass(frozen=True)
class Difference:
    """Something that differs between two states of one element, slide or deck."""

    kind: Kind
    property: str
    old: Any
    new: Any
    part: str = ""
    origins: tuple[str, str] = ("", "")
    """Where the old and the new value are stated, where that is known."""
    slots: tuple[str, str] = ("", "")
    """Names by which the two refer to theme colours."""
    noise: bool = False
    unseen: bool = False
    """Whether it is the style of blanks, line breaks or an empty paragraph, which draw nothing."""


class Placed(NamedTuple):
    """A difference and the shape it is of: its older and newer state, None where there is none.

    Both are None for what is of the slide, layout or deck itself.
    """

    old: Json | None
    new: Json | None
    found: Difference


def field_differences(
    old: Json,
    new: Json,
    kind: Kind,
    *,
    prefix: str = "",
    part: str = "",
    skip: Collection[str] = (),
    origins: tuple[Json, Json] = ({}, {}),
    defaults: Json | None = None,
) -> Iterator[Difference]:
    """The keys whose values differ.

    A key that is not there has the value in ``defaults``, else None. ``origins`` are the
    ``sources`` of both, in which a key is looked up by its own name.
    """
    for key in dict.fromkeys((*old, *new)):
        if key in skip:
            continue
        none = None if defaults is None else defaults.get(key)
        before, after = old.get(key, none), new.get(key, none)
        if before != after:
            stated = (origins[0].get(key, ""), origins[1].get(key, ""))
            yield Difference(kind, prefix + key, before, after, part, stated)


def merged(found: Iterable[Difference]) -> list[Difference]:
    """Alike differences of several parts as one that names the parts, in order; one of the whole
    stays apart."""
    kept: dict[str, tuple[Difference, dict[str, None]]] = {}
    for one in found:
        state = one.kind, one.property, one.old, one.new, one.noise, one.unseen
        key = repr((*state, not one.part))
        _first, parts = kept.setdefault(key, (one, {}))
        if one.part:
            parts[one.part] = None
    return [replace(one, part=_parts(tuple(parts))) for one, parts in kept.values()]


def _parts(parts: tuple[str, ...]) -> str:
    named = "; ".join(parts[:_PARTS_NAMED])
    more = len(parts) - _PARTS_NAMED
    return f"{named}; and {more} more" if more > 0 else named
