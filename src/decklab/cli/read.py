"""``decklab read``."""

from pathlib import Path
from typing import Annotated

import typer

import decklab
from decklab.cli import calls
from decklab.cli.parameters import argument, flag, option
from decklab.cli.terminal import checked_first, echo_json

app = typer.Typer(add_completion=False)


@app.command()
def read(
    files: Annotated[
        list[Path], argument("PDF, DOCX, PPTX, Markdown, HTML, CSV, XLSX, image.", "FILE...")
    ],
    out: Annotated[
        Path | None, option("Write figures, tables and pages with what was found on them here.")
    ] = None,
    query: Annotated[str, option("Print the passages that fit these words.")] = "",
    embeddings: Annotated[
        bool, flag("--embeddings", "Find passages by meaning too (see the docs).")
    ] = False,
    ocr: Annotated[bool, flag("--ocr", "Read text in pictures and scans.")] = False,
    skip_unreadable: Annotated[
        bool, flag("--skip-unreadable", "Go on without files that cannot be read.")
    ] = False,
    as_json: Annotated[bool, flag("--json", "Print all that was read as JSON.")] = False,
) -> None:
    """Show what is read from documents: headings, figures, tables, what cannot be read.

    Nothing is fetched from the network. Pages that cannot be read are named with the reason; a
    file that cannot be read ends the command unless --skip-unreadable is given.

    Example: decklab read report.pdf figures.xlsx --out reading
    """
    with checked_first():
        kb = decklab.read_documents(files, skip_unreadable=skip_unreadable, ocr=ocr)
        if out is not None:
            calls.write_reading(kb, out)
    if as_json:
        documents = [calls.document_json(document) for document in kb.documents]
        unread = [str(item) for item in kb.unread]
        echo_json({"documents": documents, "unread": unread})
    elif query:
        with checked_first():
            passages = calls.retrieve(kb, query, embeddings=embeddings)
        for passage in passages:
            page = f", page {passage.page}" if passage.page else ""
            typer.echo(f"{passage.document}{page}: {passage.section}\n{passage.quote}\n")
    else:
        calls.print_reading(kb)
    if out is not None:
        typer.echo(str(out))
