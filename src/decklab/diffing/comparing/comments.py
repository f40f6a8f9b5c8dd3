"""What differs between the comments on two states of a slide."""

from collections.abc import Iterator, Sequence

from decklab.diffing.differences import Difference, Json

_TOLD = ("author", "created", "text")
_FIELDS = ("text", "author", "status")
_INVISIBLE_PX = 2.0
"""Classic comments stand on a coarse grid of their own (1/576 inch): nearer is the same place."""


def comment_differences(old: Sequence[Json], new: Sequence[Json]) -> Iterator[Difference]:
    """Comments that came, went or changed, and answers to them.

    Comments are the same by id and text, else by author, date and text, else by id alone.
    """
    if old == new:
        return
    left, right = dict(enumerate(old)), dict(enumerate(new))
    pairs: list[tuple[int, int]] = []
    for keys in (("id", "text"), ("author", "created", "text"), ("author", "text"), ("id",)):
        for j in tuple(right):
            wanted = [right[j].get(key) for key in keys]
            i = next((i for i in left if [left[i].get(key) for key in keys] == wanted), None)
            if i is not None:
                pairs.append((i, j))
                del left[i], right[j]
    for one in left.values():
        yield Difference("comment", "removed", _told(one), None)
    for one in right.values():
        yield Difference("comment", "added", None, _told(one))
    for i, j in pairs:
        yield from _changed(old[i], new[j])


def _told(comment: Json) -> Json:
    return {key: comment[key] for key in _TOLD if comment.get(key)}


def _changed(old: Json, new: Json) -> Iterator[Difference]:
    part = f"comment of {new.get('author') or 'nobody'}"
    for key in _FIELDS:
        if old.get(key) != new.get(key):
            yield Difference("comment", key, old.get(key), new.get(key), part)
    places = [(one.get("x"), one.get("y")) for one in (old, new)]
    if places[0] != places[1]:
        noise = all(
            a is not None and b is not None and abs(a - b) <= _INVISIBLE_PX
            for a, b in zip(*places, strict=True)
        )
        was, now = list(places[0]), list(places[1])
        yield Difference("comment", "position", was, now, part, noise=noise)
    answers = [[_told(reply) for reply in one.get("replies", ())] for one in (old, new)]
    if answers[0] != answers[1]:
        yield Difference("comment", "replies", answers[0], answers[1], part)
