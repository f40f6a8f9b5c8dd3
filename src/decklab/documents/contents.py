"""Lists of contents in a plain text: lines that stand again further down, above their sections."""

from collections.abc import Mapping, Sequence
from typing import Final

from decklab.documents.parts import contents_entry, heading_part

_HEADING_LINES: Final = 2
_LEAST_ENTRIES: Final = 3
_FIRST: Final = 3
"""Ours: lines of a heading at the most; entries of a list at the least, each at its own section;
entries of which one leads to the end of the list."""

_Runs = Sequence[Sequence[str]]
"""Lines between empty ones."""


def listed_contents(runs: _Runs) -> frozenset[int]:
    """The numbers of the runs of lines that are lists of contents.

    Such a list goes on from a line that stands again as a heading further down, as far as there, if
    it is below a heading such as "Contents" or if most lines between stand again too.
    """
    found: set[int] = set()
    for numbered in (True, False):
        keys = [[contents_entry(line, numbered=numbered) for line in run] for run in runs]
        heads: dict[str, list[int]] = {}
        for number, entries in enumerate(keys):
            if entries[0] and len(entries) <= _HEADING_LINES:
                heads.setdefault(entries[0], []).append(number)
        start = 0
        while start < len(runs):
            end = 0 if start in found else _end(runs, keys, heads, start)
            found.update(range(start, end))
            start = max(start + 1, end)
    return frozenset(found)


def _end(runs: _Runs, keys: _Runs, heads: Mapping[str, Sequence[int]], start: int) -> int:
    """The run that ends the list of contents beginning with a run; 0 if none begins there."""
    first = next((key for key in keys[start][:_FIRST] if heads.get(key, [0])[-1] > start), "")
    end = next((number for number in heads.get(first, ()) if number > start), 0)
    headed = start > 0 and heading_part(" ".join(runs[start - 1])) == "contents"
    places: set[int] = set()
    for number in range(start, end):
        again = [heads[key][-1] for key in keys[number] if heads.get(key, [0])[-1] >= end]
        places.update(again)
        if 2 * len(again) < len(keys[number]) and not headed:
            return 0
        introduces = runs[number][-1].endswith(".") and not runs[number][0].strip()[:1].isdigit()
        if not again and introduces:
            end = number
            break
    return end if len(places) >= _LEAST_ENTRIES else 0
