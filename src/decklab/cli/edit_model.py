"""What ``decklab edit`` takes for a model, which is opened only where one is named."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, get_args

import typer

from decklab.agents.editor.command_editor import edit_with_commands
from decklab.agents.editor.model_editor import edit_with_model
from decklab.agents.editor.planning import Paths
from decklab.agents.editor.result import EditResult
from decklab.errors import ModelUnavailable
from decklab.models.asking import Ask
from decklab.sandbox.sandbox import check_isolation

RETRIES = 6
"""How often a failing server is tried again; with Inspect AI's pauses, which double from 3 s, that
is some minutes. Inspect AI by itself would go on for ever."""
SECONDS = 600
"""How long one question may take, all tries together."""


_WAYS: dict[str, Paths] = {way: way for way in get_args(Paths)}


def _is_way(text: str) -> str:
    if text not in _WAYS:
        raise typer.BadParameter(f"{text!r} is none of {', '.join(_WAYS)}")
    return text


def _is_pair(text: str | None) -> str | None:
    if text is not None:
        try:
            _pair(text)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is no pair such as 1.25,10") from None
    return text


ModelName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Have a model edit, such as openai/gpt-5, in any words."),
]
Rounds = Annotated[
    int, typer.Option(min=1, help="With a model: how often it may try, the first included.")
]
Way = Annotated[
    str,
    typer.Option(
        metavar="hybrid|program|xml", callback=_is_way,
        help="With a model: how edits are made; hybrid lets it choose.",
    ),
]  # fmt: skip
Vision = Annotated[
    bool, typer.Option("--vision/--no-vision", help="With a model: show it the slides.")
]
Prices = Annotated[
    str | None,
    typer.Option(
        metavar="IN,OUT", callback=_is_pair, help="With a model: US dollars for a million tokens."
    ),
]
RecordFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="With a model: keep every question, reply and version."),
]


@contextmanager
def editor(
    model: str | None, *, rounds: int, paths: str, vision: bool, prices: str | None
) -> Iterator[Callable[..., EditResult]]:
    """What edits: ``edit_with_model`` where one is named, else ``edit_with_commands``.

    Raises ModelUnavailable where the model, its key or the extra is missing, SandboxUnavailable
    where programs that it writes could not be run.
    """
    if model is None:
        yield edit_with_commands
        return
    if paths != "xml":
        check_isolation()
    with _asked(model) as ask:
        cost = None if prices is None else _pair(prices)
        yield partial(
            edit_with_model, ask=ask, rounds=rounds, paths=_WAYS[paths], vision=vision, prices=cost
        )


@contextmanager
def _asked(name: str) -> Iterator[Ask]:
    try:
        door = import_module("decklab.models.inspect")
    except ModuleNotFoundError as error:
        if error.name != "inspect_ai":
            raise
        raise ModelUnavailable(name, "asking models needs decklab[bench]") from error
    config = door.GenerateConfig(max_retries=RETRIES, timeout=SECONDS)
    with door.asking(door.open_model(name, config=config)) as ask:
        yield ask


def _pair(text: str) -> tuple[float, float]:
    into, out = (float(one) for one in text.split(","))
    return into, out
