"""``decklab serve``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab import workbench
from decklab.cli.parameters import (
    TOKEN,
    AddressOptions,
    argument,
    file_or_variable,
    grouped_options,
    option,
)
from decklab.cli.terminal import check_there, needing

app = typer.Typer(add_completion=False)

PASSWORD = "DECKLAB_DATABASE_PASSWORD"
"""The variable that may hold the database's password, which other users must not read either."""

_EARLIER = Path("decklab-workbench")
"""Where versions before this one kept decks if no folder was named."""


@app.command()
@grouped_options
def serve_command(
    at: AddressOptions,
    folder: Annotated[
        Path | None, argument("Decks to show; else those of this folder.", "[FOLDER]")
    ] = None,
    state: Annotated[
        Path | None,
        option("Keeps versions and pictures; else the user's state folder does.", "DIR"),
    ] = None,
    runs: Annotated[
        list[Path] | None, option("Results of decklab's commands to look at; repeatable.", "DIR")
    ] = None,
    database: Annotated[
        str | None, option("Another database than the SQLite of --state.", "URL")
    ] = None,
    database_password_file: Annotated[
        Path | None, option(f"Holds the database's password; else {PASSWORD}.", "FILE")
    ] = None,
    model: Annotated[str | None, option("The model that edits; else commands do.", "NAME")] = None,
    processes: Annotated[int, option("Decks worked on at once.", min=1, max=64)] = 2,
    seconds: Annotated[float, option("How long one job may take.", min=10)] = 600.0,
    megabytes: Annotated[int, option("Memory that one job may take.", min=512)] = 4096,
    upload_megabytes: Annotated[int, option("The largest upload.", min=1)] = 300,
    browser: Annotated[bool, option("Open the page in the browser.")] = True,
) -> None:
    """Open the workbench: a page to keep, look at, edit and compare decks.

    Example: decklab serve talks/
    """
    address = at.address(TOKEN)
    if folder is None:
        folder = _EARLIER if (_EARLIER / "workbench.id").is_file() else Path()
    check_there(folder)
    password = file_or_variable(database_password_file, PASSWORD, "--database-password-file")
    with needing("decklab serve", "web", "fastapi", "sqlalchemy", "uvicorn", "multipart"):
        workbench.serve(
            folder,
            state=state, runs=runs or (), address=address, database=database,
            database_password=password, model=model, processes=processes, seconds=seconds,
            megabytes=megabytes, upload_megabytes=upload_megabytes, browser=browser,
        )  # fmt: skip
