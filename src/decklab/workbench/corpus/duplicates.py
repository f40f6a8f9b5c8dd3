"""Near-duplicate decks: found by their words and pictures, whatever was saved or moved since.

Candidates come from bands of the MinHash signatures (A. Broder 1997; bands after J. Leskovec and
others, Mining of Massive Datasets, section 3.4) and from pictures that few decks have, so that not
every deck is compared with every other. About 700 bytes a deck are in memory.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from decklab.workbench.cluster.dataset import open_dataset
from decklab.workbench.cluster.fingerprints import HASHES, Signature, bits_apart, resemblance

BAND: Final = 4
"""Numbers of a signature that must be equal for a pair to be compared: two decks with half of
their runs in common are, in 87 of 100 cases; with 0.7 of them, practically always."""
SAME_WORDS: Final = 0.5
"""Share of common runs from which two decks are near-duplicates."""
SAME_PICTURES: Final = 0.7
"""Share of the pictures of the deck with fewer, of which another deck has at least so many."""
FEWEST_PICTURES: Final = 4
SOME_WORDS: Final = 0.2
"""With as many common runs, half of the ``FEWEST_PICTURES`` do."""
BITS: Final = 5
"""Bits in which the codes of one picture may differ."""
COMMON: Final = 40
"""Decks that share a picture, or a band, from which on it says nothing of a pair: a logo, a
template's own words. All but the first are then compared with the first only."""


@dataclass(frozen=True)
class DeckFingerprint:
    """Facts by which decks are compared."""

    deck: str
    sha256: str | None
    slides: int
    words: Signature | None
    pictures: frozenset[int]


@dataclass(frozen=True)
class DuplicatePair:
    """Two decks that are nearly the same, and why."""

    deck: str
    other: str
    words: float | None
    """Share of common runs of letters, 0 to 1; None if one has too few."""
    pictures: float | None
    """Share of the pictures of the deck with fewer that the other has; None without pictures."""
    identical: bool
    """Whether all bytes are the same."""


@dataclass(frozen=True)
class DuplicateGroup:
    """Decks that are near-duplicates of each other, directly or through others."""

    keep: str
    """The one with the most slides, then words, then the first by name."""
    others: tuple[str, ...]


def duplicates(folder: str | Path) -> list[DuplicatePair]:
    """The near-duplicate pairs of a data set, by name; raises SourceError without a data set."""
    return list(duplicate_pairs(_fingerprints(folder)))


def _fingerprints(folder: str | Path) -> list[DeckFingerprint]:
    columns = ["deck", "status", "sha256", "slides", "text_signature", "picture_codes"]
    return [
        DeckFingerprint(
            row["deck"], row["sha256"], row["slides"] or 0, _signature(row["text_signature"]),
            frozenset(row["picture_codes"] or ()),
        )
        for row in open_dataset(folder).rows("decks", columns) if row["status"] == "done"
    ]  # fmt: skip


def _signature(data: bytes | None) -> Signature | None:
    return None if data is None else np.frombuffer(data, np.uint32)


def duplicate_pairs(decks: Sequence[DeckFingerprint]) -> Iterator[DuplicatePair]:
    """The near-duplicate pairs of some decks, each once, in their order."""
    for one, other in sorted(_candidates(decks)):
        pair = compared(decks[one], decks[other])
        if is_duplicate(pair, decks[one], decks[other]):
            yield pair


def _candidates(decks: Sequence[DeckFingerprint]) -> set[tuple[int, int]]:
    pairs: set[tuple[int, int]] = set()
    for start in range(0, HASHES, BAND):
        buckets: dict[bytes, list[int]] = defaultdict(list)
        for place, deck in enumerate(decks):
            if deck.words is not None:
                buckets[deck.words[start : start + BAND].tobytes()].append(place)
        pairs.update(_paired(buckets.values()))
    same: dict[str, list[int]] = defaultdict(list)
    for place, deck in enumerate(decks):
        if deck.sha256:
            same[deck.sha256].append(place)
    pairs.update(_paired(same.values()))
    return pairs | _with_common_pictures(decks)


def _paired(buckets: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    for places in buckets:
        if len(places) <= COMMON:
            yield from combinations(places, 2)
        else:
            yield from ((places[0], place) for place in places[1:])


def _with_common_pictures(decks: Sequence[DeckFingerprint]) -> set[tuple[int, int]]:
    """Pairs with two pictures in common that few decks have."""
    by_code: dict[int, list[int]] = defaultdict(list)
    for place, deck in enumerate(decks):
        for code in deck.pictures:
            by_code[code].append(place)
    common: Counter[tuple[int, int]] = Counter()
    for places in by_code.values():
        if 1 < len(places) <= COMMON:
            common.update(combinations(places, 2))
    return {pair for pair, count in common.items() if count >= FEWEST_PICTURES // 2}


def compared(one: DeckFingerprint, other: DeckFingerprint) -> DuplicatePair:
    """How alike two decks are."""
    words = None
    if one.words is not None and other.words is not None:
        words = resemblance(one.words, other.words)
    fewer = min(len(one.pictures), len(other.pictures))
    pictures = _common(one.pictures, other.pictures) / fewer if fewer else None
    identical = one.sha256 is not None and one.sha256 == other.sha256
    return DuplicatePair(one.deck, other.deck, words, pictures, identical)


def _common(one: frozenset[int], other: frozenset[int]) -> int:
    fewer, more = sorted((one, other), key=len)
    return sum(any(bits_apart(code, each) <= BITS for each in more) for code in fewer)


def is_duplicate(pair: DuplicatePair, one: DeckFingerprint, other: DeckFingerprint) -> bool:
    """Whether a pair is near enough, by words, or by pictures that leave no doubt."""
    if pair.identical or (pair.words is not None and pair.words >= SAME_WORDS):
        return True
    if pair.pictures is None or pair.pictures < SAME_PICTURES:
        return False
    shared = pair.pictures * min(len(one.pictures), len(other.pictures))
    likely = pair.words is not None and pair.words >= SOME_WORDS
    return shared >= (FEWEST_PICTURES // 2 if likely else FEWEST_PICTURES)


def duplicate_groups(folder: str | Path, pairs: Iterable[DuplicatePair]) -> list[DuplicateGroup]:
    """The groups of decks that pairs connect, the largest first."""
    sizes = {
        row["deck"]: (-(row["slides"] or 0), -(row["words"] or 0), row["deck"])
        for row in open_dataset(folder).rows("decks", ["deck", "slides", "words"])
    }
    leaders: dict[str, str] = {}

    def leader(deck: str) -> str:
        while leaders.setdefault(deck, deck) != deck:
            deck = leaders[deck]
        return deck

    for pair in pairs:
        leaders[leader(pair.other)] = leader(pair.deck)
    members: dict[str, list[str]] = defaultdict(list)
    for deck in leaders:
        members[leader(deck)].append(deck)
    groups = (sorted(decks, key=sizes.__getitem__) for decks in members.values())
    found = [DuplicateGroup(first, tuple(others)) for first, *others in groups]
    return sorted(found, key=lambda group: (-len(group.others), group.keep))
