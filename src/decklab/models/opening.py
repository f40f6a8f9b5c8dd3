"""A model by its name, for what works without models too, so that only asking needs the extra."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from decklab.errors import ModelUnavailable
from decklab.models.asking import Ask

_FRAMEWORK = "inspect_ai"


@contextmanager
def open_asking(
    name: str, *, retries: int | None = None, seconds: int | None = None
) -> Iterator[Ask]:
    """The model that Inspect AI knows as ``name``, as a plain function.

    ``retries`` is how often a failing server is tried again, ``seconds`` how long one question may
    take with all its tries; None leaves either to Inspect AI. Raises ModelUnavailable where there
    is no such model, its key is missing, or ``decklab[bench]`` is not installed.
    """
    try:
        door = import_module("decklab.models.inspect")
    except ModuleNotFoundError as error:
        if error.name != _FRAMEWORK:
            raise
        raise ModelUnavailable(name, "asking models needs decklab[bench]") from error
    given = {"max_retries": retries, "timeout": seconds}
    limits = {option: value for option, value in given.items() if value is not None}
    options = {"config": door.GenerateConfig(**limits)} if limits else {}
    with door.asking(door.open_model(name, **options)) as ask:
        yield ask
