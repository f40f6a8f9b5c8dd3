"""What differs between two decks as such: size, properties, sections, custom shows."""

from collections.abc import Iterator, Sequence
from typing import Any

from decklab.deck.views.snapshot import SAVED_KEYS
from decklab.diffing.differences import Difference, Json
from decklab.diffing.matching.order import moved


def document_differences(before: Json, after: Json) -> Iterator[Difference]:
    """Slide size and properties; counts and dates that programs write are noise."""
    if before["size_pt"] != after["size_pt"]:
        yield Difference("properties", "slide size", before["size_pt"], after["size_pt"])
    a, b = before.get("properties", {}), after.get("properties", {})
    for key in dict.fromkeys((*a, *b)):
        if a.get(key) != b.get(key):
            noise = key in SAVED_KEYS
            yield Difference("properties", key, a.get(key), b.get(key), noise=noise)


def section_differences(
    before: Json, after: Json, slide_ids: dict[int, int]
) -> Iterator[Difference]:
    """Sections and custom shows that came, went, changed their name or order or slides."""
    pairs = _pairs(before.get("sections", ()), after.get("sections", ()))
    yield from _listed("section", before.get("sections", ()), after.get("sections", ()), pairs)
    shows = before.get("shows", ()), after.get("shows", ())
    pairs = _pairs(*shows)
    yield from _listed("show", *shows, pairs)
    for old, new in pairs:
        kept = [slide_ids[id] for id in old.get("slides", ()) if id in slide_ids]
        if kept != list(new.get("slides", ())):
            yield Difference("show", "slides", kept, list(new.get("slides", ())), new["name"])


def _listed(
    kind: Any, a: Sequence[Json], b: Sequence[Json], pairs: Sequence[tuple[Json, Json]]
) -> Iterator[Difference]:
    kept_old, kept_new = {id(old) for old, _ in pairs}, {id(new) for _, new in pairs}
    for one in a:
        if id(one) not in kept_old:
            yield Difference(kind, "removed", one["name"], None)
    for one in b:
        if id(one) not in kept_new:
            yield Difference(kind, "added", None, one["name"])
    for old, new in pairs:
        if old["name"] != new["name"]:
            yield Difference(kind, "name", old["name"], new["name"])
    ordered = sorted(pairs, key=lambda pair: [id(one) for one in b].index(id(pair[1])))
    places = [[id(one) for one in a].index(id(old)) for old, _ in ordered]
    for index in moved(places):
        yield Difference(kind, "order", places[index] + 1, index + 1, ordered[index][1]["name"])


def _pairs(a: Sequence[Json], b: Sequence[Json]) -> list[tuple[Json, Json]]:
    left, right = list(a), list(b)
    pairs = []
    for key in ("id", "name"):
        for new in tuple(right):
            old = next((one for one in left if one.get(key) == new.get(key)), None)
            if old is not None:
                pairs.append((old, new))
                left.remove(old)
                right.remove(new)
    return pairs


def section_moves(
    before: Json, after: Json, slides: Sequence[tuple[Json, Json]]
) -> Iterator[tuple[Json, Difference]]:
    """Slides that went from one lasting section to another."""
    pairs = _pairs(before.get("sections", ()), after.get("sections", ()))
    lasting = {old["id"]: new["id"] for old, new in pairs}
    names = {one["id"]: one["name"] for one in after.get("sections", ())}
    homes = [
        {slide: one["id"] for one in side.get("sections", ()) for slide in one.get("slides", ())}
        for side in (before, after)
    ]
    for old, new in slides:
        was, now = homes[0].get(old.get("id", 0)), homes[1].get(new.get("id", 0))
        if was in lasting and now in lasting.values() and lasting[was] != now:
            yield new, Difference("section", "section", names[lasting[was]], names[now])
