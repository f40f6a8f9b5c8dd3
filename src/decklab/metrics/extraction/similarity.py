"""Similarity of the content of two elements: texts by characters, tables by values of cells."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

LONGEST_TEXT: Final = 4000
"""Ours: characters of a text that are compared. The comparison grows with the product of two
lengths, and a model that repeats itself may write very much; no slide has a text that long."""

_IGNORED = frozenset("PS")
"""Unicode's punctuation and symbols, by the first letter of the category."""


def _sequence_matcher() -> Any:
    """CyDifflib's matcher, which is compiled and gives the same results, or difflib's where it is
    not installed."""
    try:
        return import_module("cydifflib").SequenceMatcher
    except ModuleNotFoundError:
        return import_module("difflib").SequenceMatcher


_SequenceMatcher = _sequence_matcher()


def normalized(text: str) -> str:
    """Text normalised for comparison (paper 000, E.2): lower case, ``&`` as ``and``, no punctuation
    or symbols, single spaces.

    >>> normalized("R&D:  Plan,\\nBudget!")
    'randd plan budget'
    """
    plain = text.lower().replace("&", "and")
    plain = "".join(c for c in plain if unicodedata.category(c)[0] not in _IGNORED)
    return " ".join(plain.split())


def similarity(prediction: str, truth: str, *, autojunk: bool = True) -> float:
    """Similarity of two texts, 0 to 1, higher is better: difflib's ratio on normalised text (E.2).

    Twice the characters in matching blocks over all characters; two empty texts have 1.
    ``autojunk`` is difflib's shortcut, on by default there and so here. It leaves out characters
    that are frequent in texts of 200 or more, where a ratio may then be far too low: one letter put
    before a long text can take it to 0. Without it the ratio is the full one. Only the first 4,000
    characters count.

    >>> similarity("Hallo, World", "hello world")
    0.9090909090909091
    """
    return _ratio(_comparable(prediction), _comparable(truth), autojunk)


def similarities(
    predictions: Sequence[str], truths: Sequence[str], *, autojunk: bool = True
) -> NDArray[np.float64]:
    """``similarity`` of every truth (rows) with every prediction (columns), shape (m, n).

    Equal texts are compared once.
    """
    rows = [_comparable(text) for text in truths]
    columns = [_comparable(text) for text in predictions]
    wanted = sorted(set(columns))
    place = {text: index for index, text in enumerate(wanted)}
    known: dict[str, NDArray[np.float64]] = {}
    for truth in rows:
        if truth not in known:
            known[truth] = _ratios(wanted, truth, autojunk)
    order = np.array([place[text] for text in columns], dtype=np.intp)
    ratios = np.empty((len(rows), len(columns)))
    for index, truth in enumerate(rows):
        ratios[index] = known[truth][order]
    return ratios


def cell_overlap(prediction: Sequence[Sequence[str]], truth: Sequence[Sequence[str]]) -> float:
    """Similarity of two tables, 0 to 1, higher is better: twice the common cell values over all.

    Values are normalised and counted as often as they occur; their place does not matter. Appendix
    C names the overlap of cell values without a formula. Two tables without values have 1.

    >>> cell_overlap([["Year", "Sum"], ["2024", "7"]], [["year", "sum"], ["2024", "9"]])
    0.75
    """
    theirs, ours = _values(prediction), _values(truth)
    total = theirs.total() + ours.total()
    return 2 * (theirs & ours).total() / total if total else 1.0


def _values(cells: Sequence[Sequence[str]]) -> Counter[str]:
    return Counter(value for row in cells for cell in row if (value := normalized(cell)))


def _comparable(text: str) -> str:
    return normalized(text)[:LONGEST_TEXT]


def _ratio(prediction: str, truth: str, autojunk: bool) -> float:
    if prediction == truth:
        return 1.0
    return float(_SequenceMatcher(None, prediction, truth, autojunk).ratio())


def _ratios(predictions: Sequence[str], truth: str, autojunk: bool) -> NDArray[np.float64]:
    """Ratios of one truth with all; the matcher analyses the truth only once."""
    matcher = _SequenceMatcher(None, "", truth, autojunk)
    ratios = np.empty(len(predictions))
    for index, prediction in enumerate(predictions):
        if prediction == truth:
            ratios[index] = 1.0
        elif not prediction or not truth:
            ratios[index] = 0.0
        else:
            matcher.set_seq1(prediction)
            ratios[index] = matcher.ratio()
    return ratios
