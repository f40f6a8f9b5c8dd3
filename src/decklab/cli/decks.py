"""``decklab extract``, ``snapshot``, ``validate`` and ``samples``: short commands on one deck."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import decklab
from decklab.cli import calls
from decklab.cli.cluster_work import (
    ClusterAddress,
    DatasetFolder,
    check_cluster_options,
    cluster_job,
    run_on_cluster,
)
from decklab.cli.parameters import (
    AsJson,
    Deck,
    Force,
    JsonAlready,
    argument,
    flag,
    option,
    parse_whole_numbers,
)
from decklab.cli.terminal import checked_first, converted_words, echo_json, note

app = typer.Typer(add_completion=False)


@app.command()
def extract(
    context: typer.Context,
    deck: Annotated[
        str | None, argument("A .pptx, .potx, .ppsx or .pptm; .odp or .ppt.", "DECK")
    ] = None,
    plain: Annotated[
        bool, flag("--plain", "Only what a picture shows: the schema for models.")
    ] = False,
    slides: Annotated[str, option("Only these slides, such as 2,4-6; no others are read.")] = "",
    laid_out: Annotated[
        bool, flag("--laid-out", "Draw the deck; say where and how large text is.")
    ] = False,
    schema: Annotated[bool, flag("--schema", "Print the JSON schema of a slide instead.")] = False,
    as_json: JsonAlready = False,
    cluster: ClusterAddress = None,
    out: DatasetFolder = None,
) -> None:
    """Print the elements of every slide, effective styles and where they come from, as JSON.

    Of damaged parts the rest is printed, and standard error tells them.

    Example: decklab extract talk.pptx --slides 2,4-6 --plain
    """
    check_cluster_options(context, cluster, heeded=("out",), only_there=("out",))
    if schema:
        options = {"DECK": deck is not None, "--slides": bool(slides), "--laid-out": laid_out}
        if any(options.values()):
            needless = " and ".join(name for name, there in options.items() if there)
            raise typer.BadParameter(f"the schema is that of any deck: leave out {needless}")
        echo_json(calls.slide_schema(full=not plain))
        return
    if deck is None:
        raise typer.BadParameter("name a deck, or ask for the --schema", param_hint="DECK")
    if cluster is not None:
        done = run_on_cluster([deck], cluster_job("extract"), out, cluster=cluster)
        raise typer.Exit(int(done.all_failed))
    numbers = parse_whole_numbers(slides) if slides else None
    with checked_first():
        elements = decklab.extract(deck, slides=numbers)
    if elements.converted:
        note(converted_words(deck, elements.converted))
    for problem in elements.problems:
        typer.echo(f"not read: {deck}: {problem}", err=True)
    shown = elements.slides
    if laid_out:
        drawn = calls.lay_out(Path(deck), shown)
        shown = drawn.slides
        share = "no text" if drawn.matched is None else f"{drawn.matched:.1%} of the text"
        typer.echo(f"{deck}: found {share} on the drawn slides", err=True)
    echo_json(
        [(calls.plain_slide(slide) if plain else slide).model_dump(mode="json") for slide in shown]
    )


@app.command()
def snapshot(deck: Deck, as_json: JsonAlready = False) -> None:
    """Print a deck as plain JSON: the same file always gives the same bytes.

    Example: decklab snapshot talk.pptx > talk.json
    """
    with checked_first(), decklab.open(deck) as opened:
        content = calls.snapshot_bytes(opened.snapshot())
    typer.echo(content.decode(), nl=False)


@app.command()
def validate(deck: Deck, as_json: AsJson = False) -> None:
    """Say what PowerPoint would want to repair; exits with 1 where there is an error.

    Exit codes: 0 no error, 1 errors, 2 the deck could not be read.

    Example: decklab validate talk.pptx
    """
    with checked_first():
        problems = decklab.validate(deck)
    if as_json:
        echo_json([asdict(problem) for problem in problems])
    else:
        for problem in problems:
            typer.echo(f"{problem.severity}: {problem.part}: {problem.detail} [{problem.rule}]")
    if any(problem.severity == "error" for problem in problems):
        raise typer.Exit(1)


@app.command()
def samples(
    folder: Annotated[Path, argument("Where the decks go; made where missing.")],
    force: Force = False,
) -> None:
    """Write three sample decks: a plain one, a rich one and a bad one.

    Example: decklab samples build/samples
    """
    with checked_first():
        paths = decklab.write_samples(folder, force=force)
    for path in paths:
        typer.echo(path)
