"""Options of commands: how they are declared, those that several commands share, groups of them,
and lists of numbers as people type them.
"""

import inspect
import math
import os
import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

import decklab
from decklab.core.options import MCP_PORT, EditorAccess, HttpAddress, LadderDraws, Spending

if TYPE_CHECKING:
    from decklab.rendering.renderer import Cache


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


_RANGE = re.compile(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?")
_MOST = 100

TOKEN, MCP_TOKEN = "DECKLAB_TOKEN", "DECKLAB_MCP_TOKEN"
"""Variables that may hold the token; on the command line other users could read it."""

Deck = Annotated[Path, argument("A .pptx, .potx, .ppsx or .pptm.", "DECK")]
AsJson = Annotated[bool, flag("--json", "Print JSON instead of lines.")]
JsonAlready = Annotated[
    bool, flag("--json", "JSON is what it prints anyway; for scripts that always ask.")
]
ComparisonPage = Annotated[
    Path | None, option("Also write a page with pictures before and after.", "FILE")
]
Deadline = Annotated[float, option("Seconds that drawing one deck may take.", min=1)]
Overwrite = Annotated[
    bool, flag("--overwrite", "Write over the results of an earlier run in --out.")
]
Force = Annotated[
    bool, flag("--force", "Replace a file that exists; a copy of it is kept beside it, FILE.bak.")
]
LadderDrawsOption = Annotated[
    LadderDraws,
    option(
        "coupled: each severity adds to the damage of those below it. independent: each is "
        "drawn anew, as in the paper."
    ),
]
WriterModel = Annotated[
    str | None, option("The writer's model, as Inspect AI names it.", name="--model")
]


@dataclass(frozen=True)
class DrawingOptions:
    """Drawing: where drawn slides are kept."""

    cache: Annotated[Path | None, option("Folder that keeps drawn slides between runs.")] = None
    no_cache: Annotated[bool, flag("--no-cache", "Draw every slide anew and keep nothing.")] = False

    def kept(self) -> "Cache | None":
        """The cache of drawn slides, None for none."""
        return None if self.no_cache else decklab.Cache(self.cache)

    def for_workers(self) -> "Cache | None":
        """Where workers of a cluster keep drawn decks: nowhere unless a folder is named, as suits
        decks that are drawn once. Raises typer.BadParameter for a folder and none at once."""
        if self.cache is None:
            return None
        if self.no_cache:
            raise typer.BadParameter("--cache names what --no-cache leaves out")
        return decklab.Cache(self.cache.absolute())


@dataclass(frozen=True)
class BudgetOptions:
    """Budget and record of a model: bounds of a run, prices of tokens, the folder of the record."""

    budget_tokens: Annotated[
        int | None, option("Ask models no more after so many tokens in and out.", "N", min=1)
    ] = None
    budget_dollars: Annotated[
        float | None, option("Ask models no more after so many US dollars.", "X", min=0)
    ] = None
    budget_minutes: Annotated[
        float | None, option("Ask models no more after so many minutes.", "N", min=0)
    ] = None
    prices: Annotated[
        list[str] | None,
        option(
            "US dollars for a million tokens in and out, of a model or of all; repeatable.",
            "[MODEL=]IN,OUT",
        ),
    ] = None
    record: Annotated[
        Path | None,
        option(
            "Keep every question and reply; the same command with it asks only the rest.", "DIR"
        ),
    ] = None

    def spending(self, model: str | None = "", **others: object) -> Spending:
        """The same, checked; raises typer.BadParameter for a wrong option.

        If ``model`` is None, none may be given: neither these nor ``others``, by their names in
        Python, which are None if they are not given.
        """
        for name, value in {**others, **vars(self)}.items():
            if model is None and value is not None:
                raise typer.BadParameter("needs --model", param_hint=f"--{name.replace('_', '-')}")
        pairs = dict(map(_price, self.prices or ()))
        if self.budget_dollars is not None and not pairs:
            raise typer.BadParameter("--budget-dollars needs --prices")
        for name, bound in (("dollars", self.budget_dollars), ("minutes", self.budget_minutes)):
            if bound is not None and not math.isfinite(bound):
                raise typer.BadParameter(f"{bound} is no number of {name}")
        return Spending(
            self.budget_tokens, self.budget_dollars, self.budget_minutes, pairs, self.record
        )


def _price(text: str) -> tuple[str, tuple[float, float]]:
    """The name of a model, empty for all others, and its prices.

    >>> _price("openai/gpt-5=1.25,10"), _price("1,2")
    (('openai/gpt-5', (1.25, 10.0)), ('', (1.0, 2.0)))
    """
    model, _, pair = text.rpartition("=")
    try:
        into, out = (float(price) for price in pair.split(","))
    except ValueError:
        into = out = -1.0
    if not (0 <= into < float("inf") and 0 <= out < float("inf")):
        detail = f"{text!r} is no pair such as 1.25,10 or openai/gpt-5=1.25,10"
        raise typer.BadParameter(detail, param_hint="--prices")
    return model, (into, out)


@dataclass(frozen=True)
class EditorOptions:
    """An editor of yours: what it may reach."""

    trust_editor: Annotated[
        bool,
        flag(
            "--trust-editor",
            "Run an editor of yours without walls: it can then see and change all that you can.",
        ),
    ] = False
    editor_env: Annotated[
        list[str] | None, option("A variable that it gets; repeatable.", "NAME")
    ] = None
    editor_file: Annotated[
        list[Path] | None, option("A file or folder that it may read; repeatable.", "PATH")
    ] = None
    editor_network: Annotated[
        bool, flag("--editor-network", "Let it use the network, as for a model of its own.")
    ] = False

    def access(self) -> EditorAccess:
        """The same as ``decklab.evals`` takes it."""
        return EditorAccess(
            self.trust_editor, self.editor_env or (), self.editor_file or (), self.editor_network
        )


@dataclass(frozen=True)
class AddressOptions:
    """Address: where the server is reached."""

    host: Annotated[str, option("Another than the loopback needs a token.")] = "127.0.0.1"
    port: Annotated[int, option("0 for one that is free.", min=0, max=65535)] = 8321
    token_file: Annotated[
        Path | None, option(f"Holds the token; else {TOKEN} does, for mcp {MCP_TOKEN}.", "FILE")
    ] = None
    host_name: Annotated[
        list[str] | None, option("A name of this machine that people use; repeatable.", "NAME")
    ] = None

    def address(self, variable: str) -> HttpAddress:
        """The same for ``decklab.workbench``; without a file the token is in ``variable``."""
        token = file_or_variable(self.token_file, variable)
        return HttpAddress(self.host, self.port, token, tuple(self.host_name or ()))


@dataclass(frozen=True)
class HttpOptions(AddressOptions):
    """Address with --http: where clients reach the server."""

    port: Annotated[int, option("0 for one that is free.", min=0, max=65535)] = MCP_PORT


def parse_whole_numbers(text: str) -> list[int]:
    """Whole numbers from a list with ranges.

    Raises typer.BadParameter for anything else.

    >>> parse_whole_numbers("1,3-5")
    [1, 3, 4, 5]
    """
    numbers: list[int] = []
    for part in text.split(","):
        if (match := _RANGE.fullmatch(part)) is None:
            raise typer.BadParameter(f"{text!r} is no list of numbers such as 1,3-5")
        first = int(match[1])
        last = int(match[2] or first)
        if not first <= last < first + 10_000:
            raise typer.BadParameter(f"{part.strip()!r} is no range of numbers")
        numbers += range(first, last + 1)
    return numbers


def parse_steps(text: str) -> list[float]:
    """Severities from 0 to 1; ``...`` goes on from two steps to a last one.

    Raises typer.BadParameter for anything else.

    >>> parse_steps("0,0.25,...,1")
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    before, dots, last = (part.strip(" ,") for part in text.partition("..."))
    try:
        steps = [float(part) for part in before.split(",")]
        if dots:
            steps = _continued(steps, float(last))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no list such as 0,0.5,1 or 0,0.1,...,1") from None
    if not all(0 <= step <= 1 for step in steps) or len(steps) > _MOST:
        raise typer.BadParameter(f"{text!r}: severities go from 0 to 1, {_MOST} at the most")
    return steps


def _continued(steps: list[float], last: float) -> list[float]:
    """Steps as far apart as the last two, up to ``last``; ValueError if they never get there."""
    apart = steps[-1] - steps[-2] if len(steps) > 1 else 0.0
    if not 1 / _MOST <= apart <= 1 or not steps[-1] <= last <= 1:
        raise ValueError
    count = round((last - steps[-1]) / apart)
    return steps + [round(steps[-1] + (number + 1) * apart, 6) for number in range(count)]


def file_or_variable(file: Path | None, variable: str, option: str = "--token-file") -> str:
    """The line in the ``option``'s file, or else in an environment variable; empty for none."""
    if file is None:
        return os.environ.get(variable, "").strip()
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{file} cannot be read", param_hint=option) from error
