"""How commands declare their arguments and options, alone or as groups that several share."""

import inspect
import re
from collections.abc import Callable
from copy import copy
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, cast, get_args, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo


def option(help: str, metavar: str | None = None, name: str = "", **how: Any) -> OptionInfo:
    """An option: its help, the word for its value, and its names if they are not the parameter's.

    ``how`` goes to ``typer.Option``, such as ``min``.
    """
    return cast(OptionInfo, typer.Option(*name.split(), help=help, metavar=metavar, **how))


def flag(name: str, help: str, **how: Any) -> OptionInfo:
    """An option without a value, of which there is no ``--no-`` form."""
    return option(help, name=name, **how)


def argument(help: str, metavar: str | None = None) -> ArgumentInfo:
    """An argument: its help, and the word that stands for it."""
    return cast(ArgumentInfo, typer.Argument(help=help, metavar=metavar))


def grouped_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command, whose parameters of dataclass types become the options that their fields are.

    Fields are annotated as typer wants its parameters, and have defaults. The first words of a
    group's docstring, up to a colon or full stop, head its panel on the help page.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        free = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        if name not in groups:
            parameters.append(free.replace(annotation=hints[name]))
            continue
        panel = re.split(r"[:.]", inspect.getdoc(groups[name]) or "")[0]
        kinds = get_type_hints(groups[name], include_extras=True)
        for field in fields(groups[name]):
            kind, shown = get_args(kinds[field.name])
            shown = copy(shown)
            shown.rich_help_panel = panel
            option = free.replace(name=field.name, default=field.default)
            parameters.append(option.replace(annotation=Annotated[kind, shown]))

    @wraps(command)
    def called(**given: Any) -> None:
        for name, kind in groups.items():
            own = {field.name: given.pop(field.name) for field in fields(kind)}
            given[name] = kind(**own)
        command(**given)

    read_by_typer: Any = called
    read_by_typer.__signature__ = inspect.Signature(parameters)
    read_by_typer.__annotations__ = {option.name: option.annotation for option in parameters}
    return called
