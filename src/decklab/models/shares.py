"""How much of each of several texts goes into a prompt that may hold only so many characters."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

Key = TypeVar("Key")

PARALLEL: Final = 4
"""Questions put at once. Ours."""


def in_shares(needs: Mapping[Key, int], most: int, make: Callable[[Key, int], str]) -> list[str]:
    """Texts made within ``most`` characters together, in the order of ``needs``.

    ``needs`` has the characters of each in full; ``make`` gives one within a share. What short ones
    do not need goes to the longer ones.
    """
    left, made = most, dict[Key, str]()
    for count, key in enumerate(sorted(needs, key=lambda one: needs[one])):
        made[key] = make(key, left // (len(needs) - count))
        left = max(0, left - len(made[key]) - 1)
    return [made[key] for key in needs]
