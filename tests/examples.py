"""How many examples a property test tries: few by day, all with ``make bench``."""

from typing import Any

from hypothesis import settings

LONG = "long"
"""The profile of ``make bench``."""

_SHARE_BY_DAY = 5


def examples(count: int, **more: Any) -> settings:
    """The settings of a property test that tries ``count`` examples, or a fifth of them by day."""
    by_day = max(5, count // _SHARE_BY_DAY)
    long = settings.get_current_profile_name() == LONG
    return settings(max_examples=count if long else by_day, **more)
