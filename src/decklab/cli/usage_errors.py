"""Errors in how a command is used, in our words: the option, the value given, and what is allowed.

Typer leaves such words to its libraries, which say "Value error" and "Input should be".
"""

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, Final

import typer

from decklab.core.registry import nearest, one_of

_UsageError: Final[Any] = typer.BadParameter.__mro__[1]
_KINDS: Final = {int: "a whole number", float: "a number"}


@contextmanager
def usage_in_words() -> Iterator[None]:
    """Errors of usage in the block are raised in our words, where we have any."""
    try:
        yield
    except _UsageError as error:
        words = _words(error)
        if words is None:
            raise
        raise _UsageError(words, ctx=error.ctx) from error


def _words(error: Any) -> str | None:
    possible = getattr(error, "possibilities", None)
    if possible:
        bare = {name.lstrip("-"): name for name in possible}
        near = get_close_matches(error.option_name.lstrip("-"), bare, n=1)
        offer = f" Did you mean {bare[near[0]]}?" if near else ""
        return f"No such option: {error.option_name}.{offer}"
    if type(error) is not typer.BadParameter:
        return None
    param: Any = error.param
    cause: Any = error.__cause__
    if param is None or not hasattr(cause, "errors"):
        hint = error.param_hint or (param and param.get_error_hint().strip("'"))
        return f"{hint}: {error.message}" if hint else error.message
    given = str(cause.errors(include_url=False)[0]["input"])
    name = param.opts[0] if param.param_type_name == "option" else param.make_metavar(error.ctx)
    return f"{name} {given}: {_allowed(param.type_descriptor, given)}"


def _allowed(described: Any, given: str) -> str:
    """What an option takes, as Typer describes its type."""
    if described.choices:
        names = [str(getattr(choice, "value", choice)) for choice in described.choices]
        offer = nearest(given, names)
        return f"{offer} Choose {one_of(names)}." if offer else f"choose {one_of(names)}."
    kind = _KINDS.get(described.annotation, "another value")
    low, high = described.parameter_info.min, described.parameter_info.max
    if low is not None and high is not None:
        return f"give {kind} from {low:g} to {high:g}."
    if low is not None:
        return f"give {kind}, at least {low:g}."
    return f"give {kind}." if high is None else f"give {kind}, at most {high:g}."
