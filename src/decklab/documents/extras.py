"""Libraries that reading documents needs and the base install does not have."""

from importlib import import_module
from typing import Any

from decklab.core.errors import Unavailable
from decklab.core.extras import needs_extra


def needed(module: str, work: str) -> Any:
    """A library of the extra ``write``; raises Unavailable, naming ``work``, if it is missing.

    >>> needed("json", "reading JSON").loads("[1]")
    [1]
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        raise Unavailable(needs_extra(work, "write")) from error
