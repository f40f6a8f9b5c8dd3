"""Small fingerprints of a deck's words and pictures, which find near-duplicates.

Words: MinHash of overlapping runs of letters (A. Broder, "On the resemblance and containment of
documents", 1997), which needs no spaces between words. Pictures: 64-bit difference hashes (N.
Krawetz, "Kind of like that", 2013), read from a reduced decoding: a deck of photographs takes
milliseconds. They stay equal when a program stores a picture anew.
"""

import re
from functools import lru_cache
from typing import Final
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

Signature = NDArray[np.uint32]
"""128 numbers; two decks agree in a share of them that estimates the share of common runs."""

HASHES: Final = 128
"""Numbers of a signature. Ours: the estimate's standard error is at most 0.044."""
RUN: Final = 9
"""Letters and digits of a run, about two words. After J. Leskovec and others, Mining of Massive
Datasets, section 3.2.2, which takes 9 for longer texts."""
FEWEST_LETTERS: Final = 40
"""With fewer letters and digits a deck has no signature. Ours: one short title would decide."""
LEAST_SIDE: Final = 48
"""Pixels of the shorter side from which a picture has a hash. Ours: icons are like each other."""
_LEAST_SPREAD: Final = 8.0
"""Grey levels by which a picture must vary, as a standard deviation. Ours: plain ones are alike."""
_PRIME: Final = 4_294_967_311
_SEED: Final = 20_240_607
_LETTERS: Final = re.compile(r"[^\W_]+")


def signature(text: str) -> Signature | None:
    """The signature of a text; None if it has fewer than ``FEWEST_LETTERS``.

    >>> signature("too little") is None
    True
    """
    letters = "".join(_LETTERS.findall(text.casefold()))
    if len(letters) < FEWEST_LETTERS:
        return None
    runs = {letters[start : start + RUN] for start in range(len(letters) - RUN + 1)}
    hashed = np.fromiter((crc32(run.encode()) for run in runs), np.uint64, len(runs))
    scales, shifts = _permutations()
    smallest = np.full(HASHES, np.iinfo(np.uint32).max, np.uint64)
    for start in range(0, len(hashed), _AT_ONCE):
        piece = hashed[start : start + _AT_ONCE, None]
        values = (piece * scales + shifts) % np.uint64(_PRIME)
        smallest = np.minimum(smallest, values.min(axis=0))
    return smallest.astype(np.uint32)


_AT_ONCE: Final = 4096


@lru_cache(maxsize=1)
def _permutations() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Scale and shift of each hash function; products stay below 2**64."""
    random = np.random.default_rng(_SEED)
    scales = random.integers(1, 2**31, HASHES, dtype=np.uint64)
    return scales, random.integers(0, 2**31, HASHES, dtype=np.uint64)


def resemblance(one: Signature, other: Signature) -> float:
    """The estimated share of runs that two texts have in common, 0 to 1."""
    return float(np.mean(one == other))


def picture_code(data: bytes) -> int | None:
    """The 64-bit difference hash of a picture file; None if it is small, plain or unreadable."""
    if not data:
        return None
    flags = cv2.IMREAD_REDUCED_GRAYSCALE_2 if len(data) > _LARGE else cv2.IMREAD_GRAYSCALE
    try:
        grey = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    if grey is None or min(grey.shape) < LEAST_SIDE or float(np.std(grey)) < _LEAST_SPREAD:
        return None
    small = cv2.resize(grey, (9, 8), interpolation=cv2.INTER_AREA)
    bits = np.packbits(small[:, 1:] > small[:, :-1])
    return int.from_bytes(bits.tobytes(), "big")


_LARGE: Final = 200_000


def bits_apart(one: int, other: int) -> int:
    """In how many bits two codes differ.

    >>> bits_apart(0b1010, 0b0110)
    2
    """
    return (one ^ other).bit_count()
