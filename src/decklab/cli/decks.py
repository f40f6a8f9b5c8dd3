"""Short commands: ``decklab extract``, ``snapshot``, ``validate``, ``seen``, ``diff``, ``read``,
``render``, ``convert``, ``designs``, ``samples``, ``reference``, ``extensions``, ``history`` and
``undo``.
"""

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    ComparisonPage,
    Deadline,
    Deck,
    DrawingOptions,
    Force,
    JsonAlready,
    argument,
    flag,
    grouped_options,
    option,
    parse_whole_numbers,
)
from decklab.cli.terminal import (
    check_there,
    checked_first,
    converted_words,
    echo_json,
    note,
    progress_bar,
)
from decklab.core.files import check_file
from decklab.core.options import SECONDS_A_DECK, PictureFormat

if TYPE_CHECKING:
    from decklab.diffing.changes import DeckDiff
    from decklab.rendering.job import DrawnDeck, SavedDeck
    from decklab.seen.seen_slide import SeenSlide


app = typer.Typer(add_completion=False)


@app.command()
def reference(
    results: Annotated[Path, argument("A folder that decklab score wrote.", "RESULTS")],
    origin: Annotated[str, option("Which decks these are, from where, under which terms.")],
    out: Annotated[Path, option("The file to write.")] = Path("reference.json"),
    force: Force = False,
) -> None:
    """Make a reference of scored decks, for decklab score --reference.

    Only numbers are kept: for each score its distribution over the decks.

    Example: decklab reference results --origin "our talks of 2026" --out talks.json
    """
    with checked_first():
        check_file(out, force=force)
        made = calls.reference_of_run(results, origin)
        calls.write_reference(made, out, force=force)
    typer.echo(f"Wrote {out}: {len(made.metrics)} scores of {made.decks} decks")


@app.command("extensions")
def extensions_command(as_json: AsJson = False) -> None:
    """List what other packages add to decklab, each tried.

    Exits with 1 if something is wrong with one.

    Example: decklab extensions
    """
    listed = calls.extensions()
    if as_json:
        echo_json({"extensions": [vars(item) for item in listed]})
    else:
        for item in listed:
            kind = item.group.removeprefix("decklab.").replace("_", " ").removesuffix("s")
            typer.echo(f"{kind} {item.name} ({item.package}): {'; '.join(item.faults) or 'works'}")
        if not listed:
            typer.echo("No other package adds to decklab.")
    if any(item.faults for item in listed):
        raise typer.Exit(1)


_LONGEST = 60


@app.command()
def seen(
    deck: Deck,
    slides: Annotated[str, option("Only these slides, such as 2,4-6.", "LIST")] = "",
    out: Annotated[
        Path | None, option("Draw the deck; write a page with pictures and marks here.", "FILE")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Say what an audience cannot see of a deck, slide by slide, and why.

    Links that lead nowhere or start a program, charts that draw other numbers than their workbooks
    hold, and what a screen reader has no words for are named as well.

    It is computed from the file; with --out the drawn slides count too.

    Example: decklab seen talk.pptx --out seen.html
    """
    numbers = parse_whole_numbers(slides) if slides else None
    with checked_first():
        if out is None:
            result = decklab.see(deck, slides=numbers)
        else:
            result = calls.write_seen_page(out, deck, slides=numbers, force=force)
    if as_json:
        echo_json(result.as_json())
    else:
        for slide in result.slides:
            _print_seen(slide)
        for problem in result.problems:
            typer.echo(f"not read: {problem}", err=True)
        typer.echo(result.sentence)
    if out is not None and not as_json:
        typer.echo(str(out))


def _print_seen(slide: "SeenSlide") -> None:
    pieces = [piece for piece in slide.unseen if piece.kind != "shape"]
    if slide.left_out:
        typer.secho(f"Slide {slide.number}: not shown: {slide.left_out}", bold=True)
        return
    if pieces or slide.beside:
        typer.secho(f"Slide {slide.number}", bold=True)
    for piece in pieces:
        text = calls.clean_line(piece.text)
        words = f' "{text[:_LONGEST]}{"…" if len(text) > _LONGEST else ""}"' if text else ""
        name = calls.clean_line(piece.name)
        typer.echo(f"  {piece.reason}: {piece.kind}{words} of {name}: {piece.detail}")
    for line in slide.beside:
        typer.echo(f"  {calls.clean_line(line)}")


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
    """Say what PowerPoint would want to repair; exits with 1 if there is an error.

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


@app.command("convert")
def convert(
    deck: Annotated[Path, argument("An HTML deck, or a folder of pages.", "DECK")],
    out: Annotated[Path, argument("The .pptx to write.", "OUT")],
    scripts: Annotated[
        bool, flag("--scripts", "Let the scripts of the deck run; they never reach a network.")
    ] = False,
    force: Force = False,
    deadline: Deadline = SECONDS_A_DECK,
    as_json: AsJson = False,
) -> None:
    """Make a native, editable .pptx of an HTML deck that looks the same.

    What has no native form becomes a picture of that element alone, and is named.

    Example: decklab convert talk.html talk.pptx
    """
    with checked_first():
        made = decklab.convert(deck, out, scripts=scripts, force=force, deadline=deadline)
    if as_json:
        echo_json(made.as_json())
        return
    for line in made.replaced:
        typer.echo(str(line))
    typer.echo(f"Wrote {out}: {made.slides} slide{'s' * (made.slides != 1)}")


@app.command("read")
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


DIFFERENT = 1
"""Exit code, as that of the diff that compares text files; errors have 2 there, too."""


@app.command("diff")
def diff_command(
    context: typer.Context,
    before: Annotated[str, argument("The older deck.", "BEFORE")],
    after: Annotated[str, argument("The newer deck.", "AFTER")],
    html: ComparisonPage = None,
    force: Force = False,
    noise: Annotated[
        bool, flag("--noise", "Also tell what programs do by only saving a deck.")
    ] = False,
    as_json: AsJson = False,
    cluster: ClusterAddress = None,
    out: DatasetFolder = None,
) -> None:
    """Say what changed between two decks; exits with 0 for nothing, 1 for changes, 2 for errors.

    With --cluster both are folders, archives or addresses of decks, paired by name.

    Example: decklab diff before.pptx after.pptx --html changes.html
    """
    check_cluster_options(context, cluster, heeded=("out",), only_there=("out",))
    if cluster is not None:
        job = cluster_job("diff")
        done = run_on_cluster([after], job, out, cluster=cluster, before=before)
        raise typer.Exit(2 * done.all_failed)
    with checked_first():  # an error has this exit code whenever it is found
        if html is None:
            changes = decklab.diff(before, after, on_rules=_warn)
        else:
            changes = calls.write_comparison(html, before, after, on_rules=_warn, force=force)
    for deck, kind in changes.converted.items():
        note(converted_words(deck, kind))
    if as_json:
        echo_json(changes.as_json())
    else:
        _print(changes, noise)
    if changes.edits:
        raise typer.Exit(DIFFERENT)


def _warn(why: str) -> None:
    typer.echo(
        f"decklab: LibreOffice saved the newer deck; rules tell what it changed by that: {why}",
        err=True,
    )


def _print(diff: "DeckDiff", noise: bool) -> None:
    for item in calls.words_by_slide(diff.changes if noise else diff.edits):
        typer.secho(item.place, bold=True)
        for change, words in zip(item.changes, item.clauses, strict=True):
            typer.secho(f"  {words}", dim=change.noise)
    saved = len(diff.changes) - len(diff.edits)
    if not diff.edits:
        typer.echo("Nothing changed.")
    if saved and not noise:
        typer.echo(f"{saved} more that programs write anew when they save (--noise shows them).")


@app.command("history")
def history_command(deck: Deck, as_json: AsJson = False) -> None:
    """List the edits of a deck that were made in place, by their requests.

    Example: decklab history talk.pptx
    """
    check_there(deck)
    history = calls.EditHistory(deck)
    edits, standing = history.edits, history.standing
    if as_json:
        echo_json([{**vars(edit), "stands": edit in standing} for edit in edits])
        return
    for edit in edits:
        taken_back = edit.undoes is None and edit not in standing
        typer.echo(f"{edit.number}. {edit.request}{' (taken back)' if taken_back else ''}")
        for line in edit.sentences:
            typer.secho(f"   {line}", dim=True)
    if not edits:
        typer.echo(f"No edit of {deck} in place is known.")


@app.command("undo")
def undo_command(
    deck: Deck,
    number: Annotated[
        int | None, argument("Which edit, by its number in decklab history; else the last.", "[N]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Take an edit of a deck in place back; what was edited since stays.

    Exit codes: 0 all of it is taken back, 3 part of it; 1 it cannot be.

    Example: decklab undo talk.pptx 2
    """
    check_there(deck)
    undone = calls.undo_edit(calls.EditHistory(deck), number)
    if as_json:
        echo_json({"edit": vars(undone.edit), "gone": undone.gone, "left": undone.left})
    else:
        for line in calls.undone_lines(undone):
            typer.echo(line)
    raise typer.Exit(3 if undone.left else 0)


@app.command("designs")
def designs(
    source: Annotated[
        Path | None,
        argument("Slides in Markdown or a document; without it sample slides.", "SOURCE"),
    ] = None,
    out: Annotated[Path, option("The page to write.", "FILE")] = Path("designs.html"),
    slides: Annotated[int, option("How many slides to show.", min=1, max=12)] = 6,
    force: Force = False,
) -> None:
    """Show all designs of decklab write with your first slides, on one page to choose from.

    Says which design a deck of these slides gets where none is named. Needs the extra html.

    Example: decklab designs talk.md --out designs.html
    """
    with checked_first():
        if source is not None:
            check_there(source)
        chosen = calls.write_design_page(out, source, slides=slides, force=force)
    if source is not None:
        typer.echo(f"{chosen} suits this topic")
    typer.echo(str(out))


_SIZE = re.compile(r"(\d{2,5})x(\d{2,5})")
_LARGEST = 8192  # ours: a picture of this size takes 200 MB while it is drawn


@app.command()
@grouped_options
def render(
    decks: Annotated[
        list[str], argument("Decks of any kind, folders of them, or patterns.", "DECK...")
    ],
    out: Annotated[Path, option("Folder for the pictures, one folder a deck.")],
    drawing: DrawingOptions,
    size: Annotated[str, option("Pixels that a picture may take.", "WxH")] = "1280x720",
    slides: Annotated[str, option("Draw only these, such as 2,4-6.", "LIST")] = "",
    format: Annotated[PictureFormat, option("Of the pictures.")] = "png",
    text: Annotated[
        bool, flag("--text", "With --json: also the text of each slide, as laid out.")
    ] = False,
    deadline: Deadline = SECONDS_A_DECK,
    as_json: AsJson = False,
) -> None:
    """Draw slides as pictures, OUT/DECK/slide-001.png; exits with 1 if any could not be drawn.

    Of decks of one name, in this run or an earlier one, the later get a few digits after it.

    A slide that looks as it did in an earlier run is not drawn again.

    Example: decklab render talk.pptx --out pictures --slides 2,4-6
    """
    if text and not as_json:
        raise typer.BadParameter("the text is part of what --json prints", param_hint="--text")
    wanted = decklab.Pictures(
        parse_whole_numbers(slides) if slides else None, _parsed_size(size), format, text
    )
    with checked_first(), progress_bar() as bar:
        task = bar.add_task("Drawing", total=None)
        outcomes = decklab.render(
            decks, out, wanted,
            deadline=deadline, cache=drawing.kept(),
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )  # fmt: skip
    if as_json:
        echo_json({"decks": [outcome.as_json() for outcome in outcomes]})
    for outcome in outcomes:
        _print_drawn(outcome, quiet=as_json)
    if any(outcome.errors for outcome in outcomes):
        raise typer.Exit(1)


def _parsed_size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (16 <= width <= _LARGEST and 16 <= height <= _LARGEST):
        detail = f"{text!r} is no size such as 1280x720, at most {_LARGEST} each way"
        raise typer.BadParameter(detail, param_hint="--size")
    return width, height


def _print_drawn(outcome: "DrawnDeck", *, quiet: bool) -> None:
    for error in outcome.errors:
        typer.echo(f"decklab: {error}", err=True)
    if outcome.fonts:
        replaced = ", ".join(
            f"{item.use.family} by {item.drawn or 'another'}"
            f"{' (same widths)' if item.same_widths else ''}"
            for item in outcome.fonts
        )
        typer.echo(f"{outcome.deck}: fonts replaced: {replaced}", err=True)
    if outcome.saved is not None and not quiet:
        typer.echo(f"{outcome.deck}: {_summary(outcome.saved)}")


def _summary(saved: "SavedDeck") -> str:
    pictures = [slide for slide in saved.slides if slide.picture is not None]
    drawn = sum(slide.drawn for slide in pictures)
    hidden = ", ".join(str(slide.number) for slide in saved.slides if slide.hidden)
    folder = next((slide.picture.parent for slide in pictures if slide.picture), None)
    return (
        f"{len(pictures)} of {saved.count} slides{f' in {folder}' if folder else ''}, "
        f"{drawn} drawn, {len(pictures) - drawn} from the cache"
        f"{f'; hidden: {hidden}' if hidden else ''}"
    )
