"""Findings with a cause, merged so that one cause gives one finding; the wording they share."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from decklab.core.results import Finding

SAME_CAUSE_SLIDES: Final = 3
"""Ours: from this many slides on, one cause gives one finding for the deck."""

_QUOTED = 40
_T = TypeVar("_T")


@dataclass(frozen=True)
class Occurrence:
    """A finding on one slide and its cause. Findings with the same cause are the same fault."""

    finding: Finding
    cause: Hashable
    also: str | None = None
    """Label of a second shape that the finding concerns."""


def merge_by_cause(occurrences: Iterable[Occurrence]) -> list[Finding]:
    """Findings by slide, with one for the deck where slides share a cause.

    One cause on one slide gives one finding, the first; on three slides or more one finding at
    the first of them, which names them all.
    """
    groups: dict[Hashable, list[Finding]] = {}
    for item in occurrences:
        groups.setdefault((item.finding.rule, item.cause), []).append(item.finding)
    merged: list[Finding] = []
    for group in groups.values():
        by_slide = {finding.slide: finding for finding in reversed(group)}
        slides = sorted(number for number in by_slide if number is not None)
        if len(slides) < SAME_CAUSE_SLIDES:
            merged += [by_slide[slide] for slide in by_slide][::-1]
        else:
            merged.append(_for_deck(by_slide[slides[0]], slides))
    return sorted(merged, key=lambda finding: finding.slide or 0)


def _for_deck(first: Finding, slides: Sequence[int]) -> Finding:
    message = f"{first.message} The same on {len(slides)} slides: {named_slides(slides)}."
    return first.model_copy(update={"message": message, "slides": tuple(slides)})


def grouped(items: Iterable[_T], alike: Callable[[_T, _T], bool]) -> list[list[_T]]:
    """Items in groups: each joins the first group whose first item it equals under the given test.

    >>> grouped([1, 2, 7, 8, 3], lambda first, item: abs(first - item) < 3)
    [[1, 2, 3], [7, 8]]
    """
    groups: list[list[_T]] = []
    for item in items:
        for group in groups:
            if alike(group[0], item):
                group.append(item)
                break
        else:
            groups.append([item])
    return groups


def first_names(names: Sequence[str], most: int = 3) -> str:
    """The first names of a list, and how many more there are.

    >>> first_names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def named_slides(slides: Iterable[int]) -> str:
    """Slide numbers as text for people.

    >>> named_slides([1, 2, 3, 5, 8, 9])
    '1-3, 5, 8, 9'
    """
    runs: list[list[int]] = []
    for number in sorted(set(slides)):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    long = [[f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run) for run in runs]
    return ", ".join(name for names in long for name in names)


def quoted(text: str) -> str:
    """The first words of a text in quotation marks, on one line.

    >>> quoted("Our  plan")
    '"Our plan"'
    """
    plain = " ".join(text.split())
    return f'"{plain}"' if len(plain) <= _QUOTED else f'"{plain[: _QUOTED - 1].rstrip()}…"'
