"""Work on many slides in batches: which go together, and how several are asked about at once."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Final, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")

BATCH_CHARACTERS: Final = 8_000
"""Most characters of the texts of a batch: some 2,500 tokens, so that an answer of the same length
has room in the 4,096 tokens that many servers end a reply at. Ours."""


def batches_by_size(
    items: Iterable[Item], size_of: Callable[[Item], int], most: int
) -> list[tuple[Item, ...]]:
    """The items in their order, in as few groups as possible of at most ``most`` in size each.

    An item that is larger stands alone.

    >>> batches_by_size(["aaa", "b", "cc", "ddddd"], len, 4)
    [('aaa', 'b'), ('cc',), ('ddddd',)]
    """
    found: list[list[Item]] = []
    room = 0
    for item in items:
        size = size_of(item)
        if not found or size > room:
            found.append([])
            room = most
        found[-1].append(item)
        room -= size
    return [tuple(group) for group in found]


def in_parallel(
    make: Callable[[Item], Made], items: Sequence[Item], *, parallel: int
) -> list[Made]:
    """``make`` of every item, in their order, up to ``parallel`` at once in threads, each with a
    copy of the context (``contextvars``) of this one.

    Where one raises, those not begun are left out, and the error is raised once the others ended.
    """
    if parallel < 2 or len(items) < 2:
        return [make(item) for item in items]
    with ThreadPoolExecutor(min(parallel, len(items))) as pool:
        waiting = [pool.submit(copy_context().run, make, item) for item in items]
        try:
            return [one.result() for one in waiting]
        finally:
            pool.shutdown(cancel_futures=True)
