"""Word level differences of two texts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

_TOKENS = re.compile(r"\w+|\s|[^\w\s]")
_MOST_PAIRS = 4_000_000
"""Pairs of tokens beyond which the middle of two texts is taken as replaced whole. Ours: keeps
the longest notes under a second."""


@dataclass(frozen=True)
class WordEdit:
    """Words that were put in, taken out or replaced."""

    action: Literal["insert", "delete", "replace"]
    old: str
    new: str
    position: int
    """Of the first character, in the older text."""


@dataclass(frozen=True)
class Block:
    """Two stretches of characters that correspond: ``[a0, a1)`` in the old, ``[b0, b1)`` in the
    new text."""

    same: bool
    a0: int
    a1: int
    b0: int
    b1: int


def word_edits(old: str, new: str) -> tuple[WordEdit, ...]:
    """What turns ``old`` into ``new``, word by word.

    >>> word_edits("the red fox", "the quick red dog")
    (WordEdit(action='insert', old='', new='quick ', position=4),\
 WordEdit(action='replace', old='fox', new='dog', position=8))
    """
    found = []
    for block in blocks(old, new):
        if block.same:
            continue
        gone, come = old[block.a0 : block.a1], new[block.b0 : block.b1]
        action: Literal["insert", "delete", "replace"] = (
            "replace" if gone and come else "delete" if gone else "insert"
        )
        found.append(WordEdit(action, gone, come, block.a0))
    return tuple(found)


def blocks(old: str, new: str) -> list[Block]:
    """How two texts correspond, in whole words, from start to end.

    Blanks and punctuation that stand alone between two replaced stretches belong to these.
    """
    if old == new:
        return [Block(True, 0, len(old), 0, len(new))] if old else []
    a, b = _TOKENS.findall(old), _TOKENS.findall(new)
    places_a, places_b = _places(a), _places(b)
    found = [
        Block(same, places_a[i0], places_a[i1], places_b[j0], places_b[j1])
        for same, i0, i1, j0, j1 in _opcodes(a, b)
    ]
    return _rid_of_crumbs(found, old)


def _rid_of_crumbs(found: list[Block], old: str) -> list[Block]:
    kept: list[Block] = []
    for place, block in enumerate(found):
        crumb = (
            block.same
            and 0 < place < len(found) - 1
            and _replaces(found[place - 1])
            and _replaces(found[place + 1])
            and not any(map(str.isalnum, old[block.a0 : block.a1]))
        )
        if kept and not kept[-1].same and (crumb or not block.same):
            first = kept.pop()
            kept.append(Block(False, first.a0, block.a1, first.b0, block.b1))
        else:
            kept.append(block)
    return kept


def _replaces(block: Block) -> bool:
    return block.a0 < block.a1 and block.b0 < block.b1


def _places(tokens: Sequence[str]) -> list[int]:
    places = [0]
    for token in tokens:
        places.append(places[-1] + len(token))
    return places


def _opcodes(a: Sequence[str], b: Sequence[str]) -> list[tuple[bool, int, int, int, int]]:
    """The common start and end are cut off first: what is left is usually short."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    inner_a, inner_b = a[start : len(a) - end], b[start : len(b) - end]
    found = [(True, 0, start, 0, start)] if start else []
    if len(inner_a) * len(inner_b) > _MOST_PAIRS:
        found.append((False, start, len(a) - end, start, len(b) - end))
    else:
        matcher = SequenceMatcher(None, inner_a, inner_b, autojunk=False)
        found += [
            (tag == "equal", start + i0, start + i1, start + j0, start + j1)
            for tag, i0, i1, j0, j1 in matcher.get_opcodes()
        ]
    if end:
        found.append((True, len(a) - end, len(a), len(b) - end, len(b)))
    return found
