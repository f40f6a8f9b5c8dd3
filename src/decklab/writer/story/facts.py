"""Points that state amounts: numbers that stand out."""

import re
from collections.abc import Sequence

from decklab.documents.numbers import parse_numbers
from decklab.documents.table_times import read_time
from decklab.writer.outline import OutlinePoint

_FACT_CHARACTERS = 90
_LABEL_CHARACTERS = 18
_BOUND = re.compile(
    r"\b(?:after|before|for|from|since|than|until|up to|within|nach|vor|seit|bis|als|après|avant|"
    r"depuis|pendant|que|tras|desde|hasta|antes de)\s\Z",
    re.IGNORECASE,
)
"""What stands before an amount that a text does not state, but is bounded by."""


_JOINING = frozenset({"à", "a", "al", "bis", "to", "et", "und", "and", "or", "ou", "oder", "y"})
"""Words behind a number that join it to another one."""


def _is_month(word: str) -> bool:
    return bool(word) and read_time(f"{word} 2000") is not None


def number_points(points: Sequence[OutlinePoint]) -> tuple[OutlinePoint, ...]:
    """Points with the number of each as its label; none where they are not all short facts.

    Two to four points of at most 90 characters, each with an amount that no other has.
    """
    if not 2 <= len(points) <= 4 or any(len(point.text) > _FACT_CHARACTERS for point in points):
        return ()
    labels = [amount_of(point.text) for point in points]
    if "" in labels or len(set(labels)) < len(labels):
        return ()
    return tuple(
        point.model_copy(update={"label": label})
        for point, label in zip(points, labels, strict=True)
    )


def amount_of(text: str) -> str:
    """The first amount of a text as it is written, with its unit; empty where it has none.

    Days of a month, and counts that only bound what the text is about, are no amounts.

    >>> amount_of("Sales fell by 12% in 2019"), amount_of("It took 4 days of work")
    ('12%', '4 days')
    >>> amount_of("We met on 4 May"), amount_of("We report it after 60 months")
    ('', '')
    """
    for item in parse_numbers(text):
        label = text[item.start : item.end]
        if item.unit in _JOINING:
            continue
        if item.kind == "count" and (_BOUND.search(text[: item.start]) or _is_month(item.unit)):
            continue
        if item.kind in ("percent", "money") or (item.kind == "count" and item.unit):
            if item.unit and label.isdigit() and item.kind == "count":
                follows = text[item.end :].split(maxsplit=1)
                label = f"{label} {item.unit}" if follows[:1] == [item.unit] else label
            return label if len(label) <= _LABEL_CHARACTERS else ""
    return ""
