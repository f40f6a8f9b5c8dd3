"""``decklab mcp``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab import workbench
from decklab.cli.parameters import argument, file_or_variable, flag, option
from decklab.cli.terminal import needing
from decklab.core.options import MCP_PORT, MCP_PROCESSES, MCP_SECONDS, HttpAddress

app = typer.Typer(add_completion=False)

TOKEN = "DECKLAB_MCP_TOKEN"
"""The variable that may hold the token; on the command line other users could read it."""
_SDK = ("mcp", "mcp_types", "uvicorn", "starlette", "anyio")
"""Packages that the extra brings; an older ``mcp`` lacks modules."""


@app.command()
def mcp_command(
    folders: Annotated[
        list[Path], argument("Where tools read and write, and nowhere else.", "FOLDER...")
    ],
    http: Annotated[
        bool, flag("--http", "Serve by HTTP instead of standard input and output.")
    ] = False,
    host: Annotated[
        str, option("With --http: another than the loopback needs a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int, option("With --http: 0 for one that is free.", min=0, max=65535)
    ] = MCP_PORT,
    token_file: Annotated[
        Path | None,
        option(f"With --http: holds the token that clients send; else {TOKEN}.", "FILE"),
    ] = None,
    host_name: Annotated[
        list[str] | None,
        option("With --http: a name of this machine that clients use; repeatable.", "NAME"),
    ] = None,
    seconds: Annotated[float, option("How long one call of a tool may take.", min=1)] = MCP_SECONDS,
    processes: Annotated[
        int, option("Calls that are done at once.", min=1, max=64)
    ] = MCP_PROCESSES,
) -> None:
    """Serve decklab's tools to coding agents, by the Model Context Protocol.

    Tools see files below FOLDER only, never change an input and never overwrite a file.

    Example: decklab mcp talks/
    """
    address = None
    if http:
        address = HttpAddress(
            host, port, file_or_variable(token_file, TOKEN), tuple(host_name or ())
        )
    elif host != "127.0.0.1" or token_file is not None or host_name:
        raise typer.BadParameter("--host, --host-name and --token-file need --http")
    with needing("decklab mcp", "mcp", *_SDK):
        workbench.serve_mcp(folders, http=address, seconds=seconds, processes=processes)
