"""Parameters that several commands share."""

import errno
from pathlib import Path
from typing import Annotated

import typer

from decklab.files import check_folder
from decklab.perturb.constants import LadderDraws

Deck = Annotated[Path, typer.Argument(metavar="DECK", help="A .pptx, .potx, .ppsx or .pptm.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of lines.")]
JsonAlready = Annotated[
    bool, typer.Option("--json", help="JSON is what it prints anyway; for scripts that always ask.")
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Write over the results of an earlier run in --out.")
]
LadderDrawsOption = Annotated[
    LadderDraws,
    typer.Option(
        help="coupled: each severity adds to the damage of those below it. independent: each is "
        "drawn anew, as in the paper."
    ),
]
TrustEditor = Annotated[
    bool,
    typer.Option(
        "--trust-editor",
        help="Run an editor of yours without walls: it can then see and change all that you can.",
    ),
]
EditorEnvironment = Annotated[
    list[str] | None,
    typer.Option("--editor-env", metavar="NAME", help="A variable that it gets; repeatable."),
]
EditorFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--editor-file", metavar="PATH", help="A file or folder that it may read; repeatable."
    ),
]
EditorNetwork = Annotated[
    bool,
    typer.Option("--editor-network", help="Let it use the network, as for a model of its own."),
]


def check_run_folder(out: Path, *, overwrite: bool | None, mark: str = "results.json") -> None:
    """See that a run may write to the folder ``out``, and can.

    Raises FileExistsError where an earlier run's results are there, told by the file ``mark``,
    unless they are to be overwritten; None is for commands that never do.
    """
    if not overwrite and (out / mark).exists():
        way = "" if overwrite is None else ", or say --overwrite"
        detail = f"has what an earlier run wrote; name another folder{way}"
        raise FileExistsError(errno.EEXIST, detail, str(out))
    check_folder(out)
