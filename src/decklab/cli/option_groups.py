"""Groups of options that several commands share: a dataclass in place of a parameter for each."""

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints


def grouped_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command, whose parameters of dataclass types become the options that their fields are.

    Fields are annotated as typer wants its parameters, and have defaults.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in groups:
            parameters.append(parameter.replace(annotation=hints[name]))
            continue
        kinds = get_type_hints(groups[name], include_extras=True)
        for field in fields(groups[name]):
            option = parameter.replace(name=field.name, default=field.default)
            parameters.append(option.replace(annotation=kinds[field.name]))

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
