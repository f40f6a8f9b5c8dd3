"""``decklab serve``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab import workbench
from decklab.cli.parameters import file_or_variable, server_token
from decklab.cli.terminal import check_there
from decklab.core.errors import Unavailable
from decklab.core.extras import needs_extra
from decklab.core.options import HttpAddress

app = typer.Typer(add_completion=False)

TOKEN = "DECKLAB_TOKEN"
"""The variable that may hold the token; on the command line other users could read it."""

PASSWORD = "DECKLAB_DATABASE_PASSWORD"
"""The variable that may hold the database's password, for the same reason."""

_EARLIER = Path("decklab-workbench")
"""Where versions before this one kept decks if no folder was named."""

WANTED = ("fastapi", "multipart", "python_multipart", "sqlalchemy", "uvicorn")
"""Packages that the extra brings."""


@app.command()
def serve_command(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="Decks to show; else those of this folder."),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Keeps versions and pictures; else the user's state folder does."
        ),
    ] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Results of decklab's commands to look at; repeatable."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Another than the loopback needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for one that is free.")] = 8321,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"Holds the token; else {TOKEN}.")
    ] = None,
    host_name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name of this machine that people use; repeatable."),
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Another database than the SQLite of --state.")
    ] = None,
    database_password_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"Holds the database's password; else {PASSWORD}."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model that edits; else commands do.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Decks worked on at once.")] = 2,
    seconds: Annotated[float, typer.Option(min=10, help="How long one job may take.")] = 600.0,
    megabytes: Annotated[int, typer.Option(min=512, help="Memory that one job may take.")] = 4096,
    upload_megabytes: Annotated[int, typer.Option(min=1, help="The largest upload.")] = 300,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Open the workbench: a page to keep, look at, edit and compare decks.

    Example: decklab serve talks/
    """
    address = HttpAddress(host, port, server_token(token_file, TOKEN), tuple(host_name or ()))
    if folder is None:
        folder = _EARLIER if (_EARLIER / "workbench.id").is_file() else Path()
    check_there(folder)
    try:
        workbench.serve(
            folder,
            state=state,
            runs=runs or (),
            address=address,
            database=database,
            database_password=file_or_variable(
                database_password_file, PASSWORD, "--database-password-file"
            ),
            model=model,
            processes=processes,
            seconds=seconds,
            megabytes=megabytes,
            upload_megabytes=upload_megabytes,
            browser=browser,
        )
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in (
            "fastapi",
            "sqlalchemy",
            "uvicorn",
            "multipart",
        ):
            raise
        raise Unavailable(needs_extra("decklab serve", "web")) from error
