"""Parameters that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["AsJson", "Deck", "JsonAlready"]

Deck = Annotated[Path, typer.Argument(metavar="DECK", help="A .pptx, .potx, .ppsx or .pptm.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of lines.")]
JsonAlready = Annotated[
    bool, typer.Option("--json", help="JSON is what it prints anyway; for scripts that always ask.")
]
