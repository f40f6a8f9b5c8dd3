"""``decklab mcp``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab import workbench
from decklab.cli.parameters import MCP_TOKEN, HttpOptions, argument, flag, grouped_options, option
from decklab.cli.terminal import needing
from decklab.core.options import MCP_PROCESSES, MCP_SECONDS

app = typer.Typer(add_completion=False)

_SDK = ("mcp", "mcp_types", "uvicorn", "starlette", "anyio")
"""Packages that the extra brings; an older ``mcp`` lacks modules."""


@app.command()
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
