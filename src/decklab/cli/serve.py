"""``decklab serve`` and ``decklab mcp``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab import workbench
from decklab.cli.parameters import (
    MCP_TOKEN,
    TOKEN,
    AddressOptions,
    HttpOptions,
    argument,
    file_or_variable,
    flag,
    grouped_options,
    option,
)
from decklab.cli.terminal import check_there, needing
from decklab.core.options import MCP_PROCESSES, MCP_SECONDS

app = typer.Typer(add_completion=False)

_SDK = ("mcp", "mcp_types", "uvicorn", "starlette", "anyio")
"""Packages that the extra brings; an older ``mcp`` lacks modules."""


@app.command("mcp")
@grouped_options
def mcp_command(
    at: HttpOptions,
    folders: Annotated[
        list[Path], argument("Where tools read and write, and nowhere else.", "FOLDER...")
    ],
    http: Annotated[
        bool, flag("--http", "Serve by HTTP instead of standard input and output.")
    ] = False,
    seconds: Annotated[float, option("How long one call of a tool may take.", min=1)] = MCP_SECONDS,
    processes: Annotated[
        int, option("Calls that are done at once.", min=1, max=64)
    ] = MCP_PROCESSES,
) -> None:
    """Serve decklab's tools to coding agents, by the Model Context Protocol.

    Tools see files below FOLDER only, never change an input and never overwrite a file.

    Example: decklab mcp talks/
    """
    if not http and at != HttpOptions(port=at.port):
        raise typer.BadParameter("--host, --host-name and --token-file need --http")
    address = at.address(MCP_TOKEN) if http else None
    with needing("decklab mcp", "mcp", *_SDK):
        workbench.serve_mcp(folders, http=address, seconds=seconds, processes=processes)


PASSWORD = "DECKLAB_DATABASE_PASSWORD"
"""The variable that may hold the database's password, which other users must not read either."""

_EARLIER = Path("decklab-workbench")
"""Where versions before this one kept decks if no folder was named."""


@app.command("serve")
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
