"""A model for commands that work without one too, so that only asking needs the extra."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from decklab.errors import ModelUnavailable
from decklab.models.asking import Ask

NEEDED = "inspect_ai"


@contextmanager
def asking_model(name: str | None) -> Iterator[Ask | None]:
    """The model that Inspect AI knows as ``name`` as a plain function; None for no name.

    Raises ModelUnavailable where there is no such model, or ``decklab[bench]`` is missing.
    """
    if name is None:
        yield None
        return
    try:
        door = import_module("decklab.models.inspect")
    except ModuleNotFoundError as error:
        if error.name != NEEDED:
            raise
        raise ModelUnavailable(name, "asking models needs decklab[bench]") from error
    with door.asking(door.open_model(name)) as ask:
        yield ask
