"""Parameters that several commands share, and lists of numbers as people type them."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from decklab.core.options import EditorAccess, LadderDraws

_RANGE = re.compile(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?")
_MOST = 100

Deck = Annotated[Path, typer.Argument(metavar="DECK", help="A .pptx, .potx, .ppsx or .pptm.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of lines.")]
JsonAlready = Annotated[
    bool, typer.Option("--json", help="JSON is what it prints anyway; for scripts that always ask.")
]
ComparisonPage = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Also write a page with pictures before and after."),
]
CacheFolder = Annotated[
    Path | None, typer.Option(help="Folder that keeps drawn decks between runs.")
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Draw every deck anew and keep nothing.")]
Deadline = Annotated[float, typer.Option(min=1, help="Seconds that drawing one deck may take.")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Write over the results of an earlier run in --out.")
]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Replace a file that exists; a copy of it is kept beside it, FILE.bak."
    ),
]
LadderDrawsOption = Annotated[
    LadderDraws,
    typer.Option(
        help="coupled: each severity adds to the damage of those below it. independent: each is "
        "drawn anew, as in the paper."
    ),
]


@dataclass(frozen=True)
class EditorOptions:
    """Access of an editor of the user's own."""

    trust_editor: Annotated[
        bool,
        typer.Option(
            "--trust-editor",
            help="Run an editor of yours without walls: it can then see and change all that you "
            "can.",
        ),
    ] = False
    editor_env: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A variable that it gets; repeatable.")
    ] = None
    editor_file: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="A file or folder that it may read; repeatable."),
    ] = None
    editor_network: Annotated[
        bool,
        typer.Option("--editor-network", help="Let it use the network, as for a model of its own."),
    ] = False

    def access(self) -> EditorAccess:
        """The same as ``decklab.evals`` takes it."""
        return EditorAccess(
            self.trust_editor, self.editor_env or (), self.editor_file or (), self.editor_network
        )


WALLED: Final = EditorOptions()


def parse_whole_numbers(text: str) -> list[int]:
    """Whole numbers from a list with ranges.

    Raises typer.BadParameter for anything else.

    >>> parse_whole_numbers("1,3-5")
    [1, 3, 4, 5]
    """
    numbers: list[int] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
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
    return steps + [round(steps[-1] + (place + 1) * apart, 6) for place in range(count)]


def server_token(file: Path | None, variable: str) -> str:
    """The token in a file, or else in an environment variable; empty for none."""
    return file_or_variable(file, variable, "--token-file")


def file_or_variable(file: Path | None, variable: str, option: str) -> str:
    """The line in the ``option``'s file, or else in an environment variable; empty for none."""
    if file is None:
        return os.environ.get(variable, "").strip()
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{file} cannot be read", param_hint=option) from error
