"""The known requests that come nearest to one that is not known."""

import re
from collections.abc import Collection
from functools import cache

NEAREST = 3
"""Requests that are named at most."""

_SAME = {
    "remove": "delete", "clear": "delete", "erase": "delete", "drop": "delete", "take": "delete",
    "change": "set", "turn": "set", "switch": "show", "insert": "add", "append": "add",
    "substitute": "replace", "swap": "move", "reorder": "move", "clone": "duplicate",
    "copy": "duplicate", "colour": "color", "image": "picture", "photo": "picture",
    "heading": "title", "headline": "title", "big": "size", "bigger": "size", "small": "size",
    "smaller": "size", "large": "size", "larger": "size", "typeface": "font", "url": "link",
    "hyperlink": "link", "bolded": "bold", "unbold": "bold", "italicize": "italic",
    "page": "slide", "paragraph": "body", "bullet": "body", "rename": "replace",
    "description": "alt", "hidden": "hide", "invisible": "hide", "centre": "center",
    "centered": "center", "effect": "animation", "animated": "animation", "speaker": "note",
}  # fmt: skip
"""Words that people use for others which the requests know."""
_EMPTY = frozenset({"the", "of", "on", "to", "in", "and", "a", "an", "all", "it", "by", "with",
                    "as", "for", "from", "slide", "set", "make", "add"})  # fmt: skip
"""Words that alone make no request like another."""


def nearest(part: str, examples: Collection[str]) -> tuple[str, ...]:
    """The examples that share the most words with a part, rare words counting more.

    None where they share only words that stand in requests of every kind.
    """
    bags = _bags(tuple(examples))
    counts: dict[str, int] = {}
    for bag in bags.values():
        for word in bag:
            counts[word] = counts.get(word, 0) + 1
    asked = _bag(part)
    scores = {
        example: sum(1 / counts[word] for word in bag & asked) / (len(bag) + 4)
        for example, bag in bags.items()
        if (bag & asked) - _EMPTY
    }
    return tuple(sorted(scores, key=lambda example: -scores[example])[:NEAREST])


@cache
def _bags(examples: tuple[str, ...]) -> dict[str, frozenset[str]]:
    return {example: _bag(example) for example in examples}


def _bag(text: str) -> frozenset[str]:
    plain = re.sub(r"'[^']*'|<\d+>", " ", text.lower())
    words = (word if word in _SAME else word.rstrip("s") for word in re.findall(r"[a-z]+", plain))
    return frozenset(_SAME.get(word, word) for word in words)
