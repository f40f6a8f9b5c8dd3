"""What numbers tell of the place of a slide: its own, those of its title, those of its list.

Matrices of evidence are as in ``cues``.
"""

import re
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from decklab.benchmarks.slideeval.baselines.words import title_of

Floats = NDArray[np.float64]

_COUNTED = re.compile(r"([^\W\d_]{2,})[\s#:.]*(\d{1,2})\b")
_LEADING = re.compile(r"^\s*(\d{1,2})\s*[.):-]\s*\w")
_OF = re.compile(r"(?:\(|\b)(\d{1,2})\s*(?:/|of)\s*(\d{1,2})(?:\)|\b)")
_CONTINUED = re.compile(r"\bcont(?:'?d|inued)?\b\.?|…\s*$")
_ITEM = re.compile(r"^\s*(\d{1,2})\s*[.)]")
_PAGE = re.compile(r"\s*(?:page\s*|slide\s*)?(\d{1,3})(?:\s*(?:/|of)\s*\d{1,3})?\s*", re.IGNORECASE)
_PAGE_SHARE = 0.6
"""Ours: of the slides that show a number, for the numbers to be those of pages."""


def without_page_numbers(text: str) -> str:
    """The text without lines that hold nothing but a number."""
    return "\n".join(line for line in text.splitlines() if not _PAGE.fullmatch(line))


def page_numbers(texts: Sequence[str]) -> list[int | None]:
    """The number that each slide shows of itself; none at all where they do not look like one run.

    A slide's number stands on a line of its own, as a rule the last such.
    """
    found: list[int | None] = []
    for text in texts:
        alone = [match for line in text.splitlines() if (match := _PAGE.fullmatch(line))]
        found.append(int(alone[-1][1]) if alone else None)
    shown = [number for number in found if number is not None]
    run = len(shown) >= _PAGE_SHARE * len(texts) and len(set(shown)) >= 0.8 * len(shown)
    return found if run else [None] * len(found)


def counts(texts: Sequence[str]) -> Floats:
    """Evidence of numbers in titles: Step 2, Part 3, 4. Results, 1 of 3, continuations."""
    evidence = np.zeros((len(texts), len(texts)))
    titles = [title_of(text).lower() for text in texts]
    marks = [_marks(title) for title in titles]
    for one, other in permutations(range(len(texts)), 2):
        shared = marks[one].keys() & marks[other].keys()
        if any(marks[one][kind] < marks[other][kind] for kind in shared):
            evidence[one, other] = 1.0
        bare = _CONTINUED.sub("", titles[other]).strip(" ()-:")
        if bare != titles[other] and bare == titles[one].strip(" ()-:"):
            evidence[one, other] = 1.0
    return evidence


def _marks(title: str) -> dict[str, int]:
    """What a title counts, by what it counts."""
    found = {match[1]: int(match[2]) for match in _COUNTED.finditer(title)}
    leading, of = _LEADING.match(title), _OF.search(title)
    if leading is not None:
        found["leading"] = int(leading[1])
    if of is not None:
        found[_OF.sub("", title).strip()] = int(of[1])
    return found


def lists(texts: Sequence[str]) -> Floats:
    """Evidence of numbered lists that go on from slide to slide: 1, 2 here, then 3 or more there.

    A list that begins with 1 says nothing of the slide it is on.
    """
    evidence = np.zeros((len(texts), len(texts)))
    items = [_items(text) for text in texts]
    for one, other in permutations(range(len(texts)), 2):
        if items[one] and items[other] and max(items[one]) < min(items[other]):
            evidence[one, other] = 1.0
    return evidence


def _items(text: str) -> list[int]:
    """The numbers that lines begin with."""
    return [int(match[1]) for line in text.splitlines() if (match := _ITEM.match(line))]
