"""``decklab mcp``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab import workbench
from decklab.cli.parameters import server_token
from decklab.core.errors import Unavailable
from decklab.core.extras import needs_extra
from decklab.core.options import MCP_PORT, MCP_PROCESSES, MCP_SECONDS, HttpAddress

app = typer.Typer(add_completion=False)

TOKEN = "DECKLAB_MCP_TOKEN"
"""The variable that may hold the token; on the command line other users could read it."""
_SDK = ("mcp", "mcp_types", "uvicorn", "starlette", "anyio")
"""Packages that the extra brings; an older ``mcp`` lacks modules."""


@app.command()
def mcp_command(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="FOLDER...", help="Where tools read and write, and nowhere else."),
    ],
    http: Annotated[
        bool, typer.Option("--http", help="Serve by HTTP instead of standard input and output.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="With --http: another than the loopback needs a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="With --http: 0 for one that is free.")
    ] = MCP_PORT,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help=f"With --http: holds the token that clients send; else {TOKEN}."
        ),
    ] = None,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="With --http: a name of this machine that clients use; repeatable."
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=1, help="How long one call of a tool may take.")
    ] = MCP_SECONDS,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Calls that are done at once.")
    ] = MCP_PROCESSES,
) -> None:
    """Serve decklab's tools to coding agents, by the Model Context Protocol.

    Tools see files below FOLDER only, never change an input and never overwrite a file.

    Example: decklab mcp talks/
    """
    address = None
    if http:
        address = HttpAddress(host, port, server_token(token_file, TOKEN), tuple(host_name or ()))
    elif host != "127.0.0.1" or token_file is not None or host_name:
        raise typer.BadParameter("--host, --host-name and --token-file need --http")
    try:
        workbench.serve_mcp(folders, http=address, seconds=seconds, processes=processes)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _SDK:
            raise
        raise Unavailable(needs_extra("decklab mcp", "mcp")) from error
