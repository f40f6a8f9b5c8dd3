"""What the words of a text mean: concepts in place of words, what is denied, who does what to whom.

Concepts are sets of words of one meaning and of its opposite, from ``words.txt``: "closed" and "not
open" are the same. English; words of other languages stand for themselves.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Final

from decklab.documents.retrieval import search_words


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LIGHT: Final = _words(
    "there here has have had having get gets got do does did done will would shall should can "
    "could may might must been being were am which who whom whose what how when where why "
    "also only just even still about roughly around nearly almost approximately some any such "
    "than then thus so they them their theirs he she his her him our us you your i my me "
    "much ago lest together altogether combined overall itself themselves up out made make makes "
    "making take takes took taken into onto over "
    "under per via both if because since during within upon between among through against "
    "towards according however very quite rather now new each every all times time percent "
    "one ones way ways s t"
)
"""Words that say nothing of the subject. Ours."""
_NOT: Final = _words(
    "not no never none neither nor without nobody nothing cannot hardly n't isnt doesnt"
)
_PHRASES: Final = tuple(
    (re.compile(rf"\b{pattern}\b", re.IGNORECASE), word)
    for pattern, word in (
        (r"turn(?:s|ed)? down", "refused"), (r"drop(?:s|ped)? out", "left"),
        (r"no longer", "not"), (r"set up", "founded"), (r"(?:take|took|taken) over", "bought"),
        (r"(?:go|goes|went|gone|came|come) up", "rose"), (r"gave up", "stopped"),
        (r"(?:go|goes|went|gone|came|come) down", "fell"), (r"not only", "both"),
        (r"according to", "of"), (r"get(?:s|ting)? rid of", "remove"), (r"fit out", "install"),
        (r"(?:is|are|was|were) due to", "is caused by"), (r"mak(?:e|es|ing)? up", "has"),
        (r"as well as", "and"), (r"in order to", "to"), (r"such as", "as"),
        (r"lack(?:s|ed|ing)?", "has no"), (r"(?:work|works|worked) for", "is employed by"),
        (r"no (\w+) (?:may|can)", r"\1 forbidden"), (r"(?:may|must) not", "forbidden"),
        (r"(?:as|than) before", ""), (r"leads? with", "has the highest"),
        (r"without (?=(?:it|them|this|that|these|those)\b)", "lest "),
        (r"(?:take|takes|took|taken|taking) on", "hired"),
    )
)  # fmt: skip
_PARTS: Final = re.compile(
    r"[.;!?]\s+|,?\s+(?:but|while|whereas|although|though|however|if|unless)\s+|\s[—–]\s"
    r"|(?<=\w),\s(?=(?:it|they|he|she|we|the|this|that|there)\s)",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(r"[^\W_]+(?:[’'][^\W_]+)?")
_BEING: Final = _words("is are was were be been being gets got")


def stem(word: str) -> str:
    """A word without the ending that it has in some of its forms.

    >>> [stem(word) for word in ("increase", "increased", "cities", "city", "stopped", "stop")]
    ['increas', 'increas', 'cit', 'cit', 'stop', 'stop']
    """
    found = "".join(search_words(word)[:1]) or word.casefold()
    if len(found) > 3:
        found = re.sub(r"(?<=\w{2})[eyi]$", "", found)
        found = re.sub(r"([bdfgklmnprt])\1$", r"\1", found)
    return found


@lru_cache(maxsize=1)
def _concepts() -> Mapping[str, tuple[str, int]]:
    """By its stem what a word means, and 1, or -1 where it means the opposite."""
    found: dict[str, tuple[str, int]] = {}
    text = resources.files(__package__).joinpath("words.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name = line.lstrip("> ").split()[0]
        for sign, words in zip((1, -1), line.lstrip("> ").split("|"), strict=False):
            for word in words.split():
                found.setdefault(stem(word), (name, sign))
    return found


@lru_cache(maxsize=1)
def _acts() -> frozenset[str]:
    """The concepts whose subject and object may not change places."""
    text = resources.files(__package__).joinpath("words.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line.startswith("> "))
    return frozenset(line[2:].split()[0] for line in lines)


@dataclass(frozen=True)
class Clause:
    """A part of a sentence: its concepts in their order, each with 1, or -1 where it is denied or
    said by its opposite; and the concepts on both sides of an act or a comparison, the doer's
    first."""

    concepts: tuple[tuple[str, int], ...]
    sides: tuple[frozenset[str], frozenset[str]] | None = None

    @cached_property
    def signs(self) -> Mapping[str, int]:
        """The sign of each concept where it stands first."""
        return dict(reversed(self.concepts))

    def without(self, concepts: frozenset[str]) -> "Clause":
        """It without some concepts."""
        if not concepts:
            return self
        return Clause(tuple(one for one in self.concepts if one[0] not in concepts), self.sides)

    def denies(self, other: "Clause") -> bool:
        """Whether two clauses that share concepts say the opposite of each other.

        >>> one, = clauses("The station is closed on Sundays")
        >>> other, = clauses("The station is not open on Sundays")
        >>> one.denies(other), one.denies(*clauses("The station is open on Sundays"))
        (False, True)
        """
        shared = self.signs.keys() & other.signs.keys()
        different = sum(self.signs[name] != other.signs[name] for name in shared)
        return (different + self._swaps(other)) % 2 == 1

    def _swaps(self, other: "Clause") -> bool:
        if self.sides is None or other.sides is None:
            return False
        (doer, object_), (others, theirs) = self.sides, other.sides
        crossed = (doer - object_) & (theirs - others), (object_ - doer) & (others - theirs)
        straight = (doer - object_) & (others - theirs) | (object_ - doer) & (theirs - others)
        return all(crossed) or (any(crossed) and not straight)


@lru_cache(maxsize=16384)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text that have any concept."""
    for pattern, word in _PHRASES:
        text = pattern.sub(word, text)
    found = (_clause(part) for part in _PARTS.split(text))
    return tuple(one for one in found if one.concepts)


def proper_names(text: str) -> frozenset[str]:
    """Words with a capital letter inside a sentence; none of a text that writes most so, such as a
    title or German.

    >>> sorted(proper_names("The choir was founded in Porto by Carla Mendez"))
    ['carla', 'mendez', 'porto']
    """
    words = _INSIDE.findall(text)
    names = [word for word in words if word[0].isupper() and word[1:].islower()]
    few = 2 * len(names) <= len(words)
    return frozenset(word.casefold() for word in names if few and word.casefold() not in _TIMES)


_INSIDE: Final = re.compile(r"(?<=[\w,;)] )[^\W\d_]{2,}")
_TIMES: Final = _words(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday"
)


def concepts_of(text: str) -> frozenset[str]:
    """The concepts of a text, without numbers.

    >>> sorted(concepts_of("12 pupils purchased bicycles"))
    ['bike', 'buy', 'pupil']
    """
    return frozenset(name for clause in clauses(text) for name, _ in clause.concepts)


def _clause(text: str) -> Clause:
    words = [match.group().casefold().replace("’", "'") for match in _TOKEN.finditer(text)]
    placed = list(_placed(words))
    return Clause(tuple((name, sign) for _, name, sign in placed), _sides(words, placed))


def _placed(words: list[str]) -> Iterator[tuple[int, str, int]]:
    denied = False
    for place, word in enumerate(words):
        if word in _NOT or word.endswith("n't"):
            denied = True
        elif word not in _LIGHT and search_words(word) and not word.isdigit():
            name, sign = _meaning_of(word)
            yield place, name, -sign if denied else sign
            denied = False


def _meaning_of(word: str) -> tuple[str, int]:
    """The concept of a word with its sign; "unavailable" is what is not available."""
    found = _concepts().get(stem(word))
    if found is None and word.startswith("un") and not word.startswith(_NOT_DENIED):
        bare = stem(word[2:])
        name, sign = _concepts().get(bare, (bare, 1))
        found = name, -sign
    return found or (stem(word), 1)


_NOT_DENIED: Final = (
    "under", "uni", "uncle", "until", "unto", "unless", "unction", "unanim", "undu", "ungul",
)  # fmt: skip
"""How words begin that have "un" without denying anything."""


def _sides(
    words: list[str], placed: list[tuple[int, str, int]]
) -> tuple[frozenset[str], frozenset[str]] | None:
    """What stands before and after "than" or the second "as" of "as many as", or around a verb of
    ``words.txt``; in the passive what stands after "by" comes first."""

    def between(start: int, end: int) -> frozenset[str]:
        return frozenset(name for place, name, _ in placed if start <= place < end)

    if "than" in words:
        place = words.index("than")
        return between(0, place), between(place, len(words))
    if words.count("as") > 1:
        first = words.index("as")
        place = words.index("as", first + 1)
        return between(first, place), between(place, len(words))
    act = next((place for place, name, _ in placed if name in _acts()), None)
    if act is None:
        return None
    if "by" in words[act:] and _BEING & set(words[max(0, act - 3) : act]):
        by = words.index("by", act)
        return between(by, len(words)), between(0, act)
    return between(0, act), between(act + 1, len(words))
