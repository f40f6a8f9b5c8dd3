"""``decklab write``."""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args
from urllib.parse import urlsplit

import typer
from rich.console import Console

import decklab
from decklab.cli import calls
from decklab.cli.parameters import AsJson, BudgetOptions, Force, argument, grouped_options, option
from decklab.cli.terminal import checked_until_begun, echo_json, note, stages_shown
from decklab.core.errors import RendererMissing
from decklab.core.files import scratch_folder
from decklab.core.lazy import extra_module
from decklab.core.options import (
    MOST_GENERATED,
    WRITE_SLIDES,
    DeckFormat,
    DocumentKindName,
    ImageModel,
    TextLength,
    WriteStage,
)
from decklab.pages.wording import counted

if TYPE_CHECKING:
    from decklab.writer.write import WrittenDeck

app = typer.Typer(add_completion=False)

_SHOWN = 5


@dataclass(frozen=True)
class SourceOptions:
    """Content: what the deck says, and what that is taken from."""

    documents: Annotated[
        list[Path] | None,
        argument(
            "What to write from: PDF, DOCX, PPTX, Markdown, HTML, CSV, XLSX or pictures.",
            "DOCUMENT",
        ),
    ] = None
    source: Annotated[
        list[Path] | None, option("One more document, as if it stood without an option.", "FILE")
    ] = None
    slides_from: Annotated[
        Path | None,
        option(
            "Slides in Markdown, as in Marp, Slidev or Pandoc; --source then proves numbers.",
            "FILE",
        ),
    ] = None
    prompt: Annotated[str, option("What the deck should be about.", "WORDS")] = ""
    title: Annotated[str, option("Of the deck; else that of the first document.", "WORDS")] = ""
    slides: Annotated[
        int, option("How many slides at most; long ones are split.", min=3, max=200)
    ] = WRITE_SLIDES
    kind: Annotated[
        DocumentKindName | None,
        option("The kind of document, which decides what comes first; else found by rules."),
    ] = None
    language: Annotated[
        str, option("Of the deck, such as en or de-AT; else that of the documents.", "TAG")
    ] = ""
    source_language: Annotated[
        str, option("Of the documents, where it is not that of the deck.", "TAG")
    ] = ""
    title_page: Annotated[bool | None, option("Begin with a title page.")] = None
    contents: Annotated[bool | None, option("List the parts; else where there are three.")] = None
    closing: Annotated[bool | None, option("End with a closing page; else with a summary.")] = None

    @property
    def sources(self) -> list[Path]:
        """All documents to write from, in the order they were named."""
        return [*(self.documents or []), *(self.source or [])]


@dataclass(frozen=True)
class LookOptions:
    """Look: a theme, a template or a deck that is like it, and pictures."""

    theme: Annotated[
        str,
        option(
            "Of the designs that decklab designs shows; without it the one that suits topic and "
            "audience.",
            "NAME",
        ),
    ] = ""
    template: Annotated[
        Path | None,
        option("Use the masters and layouts of this .pptx or .potx, not a theme.", "FILE"),
    ] = None
    like: Annotated[
        Path | None, option("Fill copies of this deck's slides, not a theme.", "DECK")
    ] = None
    icons: Annotated[bool, option("Icons on cards, steps and numbers (English words).")] = False
    pictures: Annotated[
        Path | None,
        option("Show pictures of a folder on slides whose words fit their captions.", "DIR"),
    ] = None
    image_model: Annotated[str, option("Have an image model make pictures for slides.", "NAME")] = (
        ""
    )
    image_url: Annotated[
        str,
        option(
            "Where the image model is, such as https://host/v1 (OpenAI-compatible).",
            "URL",
            envvar="DECKLAB_IMAGE_URL",
        ),
    ] = ""
    budget_pictures: Annotated[
        int, option("Pictures of the image model at most.", "N", min=1, max=50)
    ] = MOST_GENERATED

    def images(self) -> ImageModel | None:
        """The image model that is named; raises typer.BadParameter if its address is wrong."""
        url = self.image_url
        if not self.image_model:
            if url and not os.environ.get("DECKLAB_IMAGE_URL"):
                raise typer.BadParameter("needs --image-model", param_hint="--image-url")
            return None
        if (parts := urlsplit(url)).scheme not in ("http", "https") or not parts.netloc:
            detail = f"{url!r} is no address such as https://host/v1"
            raise typer.BadParameter(detail, param_hint="--image-url")
        return ImageModel(self.image_model, url, self.budget_pictures)


@dataclass(frozen=True)
class WritingModelOptions:
    """With a model: which writes, for whom, and what it may arrange."""

    model: Annotated[
        str | None,
        option(
            "Have a model write, such as openai/gpt-5, from the documents or --prompt alone.",
            "NAME",
        ),
    ] = None
    audience: Annotated[str, option("With a model: who will see the deck.", "WORDS")] = (
        "a general audience"
    )
    tone: Annotated[str, option("With a model: how the deck speaks.", "WORDS")] = (
        "plain and factual"
    )
    length: Annotated[TextLength, option("With a model: how much text stands on a slide.")] = (
        "standard"
    )
    source_tokens: Annotated[
        int, option("With a model: tokens of the sources that it reads before it plans.")
    ] = 30_000
    style: Annotated[
        bool | None,
        option(
            "With a model: have it fill in colours, sizes, fonts and parts on top of the theme."
        ),
    ] = None
    free_layout: Annotated[
        bool | None, option("With a model: let it write the HTML of a page that no layout shows.")
    ] = None
    refine: Annotated[
        bool | None,
        option("Look at the drawn deck and fix what is wrong; the default with a model."),
    ] = None


@dataclass(frozen=True)
class OutputOptions:
    """Output: files, and what is kept for the next run."""

    out: Annotated[Path, option("The deck to write; other formats go beside it.", "FILE")] = Path(
        "deck.pptx"
    )
    force: Force = False
    formats: Annotated[str, option("Of pptx, html and pdf, such as pptx,html.", "LIST")] = "pptx"
    keep: Annotated[
        Path | None,
        option("Keep the outline, the plan and the pictures there, as files to change.", "DIR"),
    ] = None
    start: Annotated[
        str,
        option(
            "Go on from what --keep has, with your changes: outline (name the documents again) or "
            "plan.",
            "STAGE",
            name="--from",
        ),
    ] = "documents"
    redo: Annotated[
        tuple[int, str],
        option(
            'Make slide N of the deck in --keep anew, such as 4 "shorter, as a timeline".',
            "N WISH",
            show_default=False,
        ),
    ] = (0, "")
    score: Annotated[bool, option("Score the deck, and print what is found.")] = True
    as_json: AsJson = False


@app.command()
@grouped_options
def write_command(
    content: SourceOptions,
    look: LookOptions,
    output: OutputOptions,
    by_model: WritingModelOptions,
    budget: BudgetOptions,
) -> None:
    """Write a deck from documents: native, editable, every number found in its source.

    Or from slides in Markdown (--slides-from), or one slide of a kept deck anew (--redo).

    Without --model sentences are chosen and shortened by rule, word for word. What a model writes
    has to stand in the documents: quotes and numbers are looked up by program. Sources stand in the
    notes.

    Exit codes: 0 written; 3 written, but a number on a slide is in no source; 2 it could not begin:
    nothing to write from, or something is missing; 1 something went wrong later.

    Example: decklab write report.pdf --theme corporate --out talk.pptx
    """
    extra_module("playwright", "decklab write", "write")
    chosen = _formats(output.formats)
    _check_options(content, output, by_model)
    model = by_model.model
    spending = budget.spending(
        model, style=by_model.style or None, free_layout=by_model.free_layout or None
    )
    options = decklab.WriteOptions(
        **_same(content, "documents", "source", slides_from=str(content.slides_from or "")),
        **_same(
            look, "image_model", "image_url", "budget_pictures",
            template=None if look.template is None else str(look.template),
            like=None if look.like is None else str(look.like),
            pictures=str(look.pictures or ""),
        ),
        **_same(
            by_model, "model",
            style=by_model.style is not False, free_layout=bool(by_model.free_layout),
        ),
        images=look.images(),
        redo=output.redo if output.redo != (0, "") else None,
        formats=chosen,
    )  # fmt: skip
    with checked_until_begun() as stages, stages_shown(stages) as progress:
        written = decklab.write(
            content.sources, output.out,
            options=options, model=model, spending=spending, keep=output.keep,
            start=cast(WriteStage, output.start), force=output.force, progress=progress,
        )  # fmt: skip
    _print(written, spending.prices, as_json=output.as_json)
    if output.score and not output.as_json:
        _print_score(written.files[0], output.keep)
    raise typer.Exit(3 if written.unfounded else 0)


def _same(group: object, *but: str, **changed: object) -> dict[str, Any]:
    """The options of a group by name, without some, and with others as the writer takes them."""
    kept = {name: value for name, value in vars(group).items() if name not in but}
    return kept | changed


def _check_options(
    content: SourceOptions, output: OutputOptions, by_model: WritingModelOptions
) -> None:
    """Raise typer.BadParameter if an option has no known value, or options do not go together."""
    start, redo = output.start, output.redo[0]
    if start not in get_args(WriteStage):
        detail = f"{start!r} is none of {', '.join(get_args(WriteStage))}"
        raise typer.BadParameter(detail, param_hint="--from")
    if output.out.suffix.lower() != ".pptx":
        raise typer.BadParameter("the name of a deck ends in .pptx", param_hint="--out")
    asked = by_model.model is not None and content.prompt
    anew = start != "documents"
    if content.slides_from is not None and (by_model.model or content.prompt or anew or redo):
        detail = "the slides are written already: it takes no --model, --prompt, --from or --redo"
        raise typer.BadParameter(detail, param_hint="--slides-from")
    if redo and (anew or output.keep is None):
        detail = "it needs the folder of an earlier run, --keep DIR, and goes on from its plan"
        raise typer.BadParameter(detail, param_hint="--redo")
    if not (content.sources or content.slides_from or start == "plan" or redo or asked):
        detail = "name at least one document, slides in Markdown (--slides-from), or a --model "
        raise typer.BadParameter(f"{detail}and a --prompt", param_hint="DOCUMENT")


def _formats(text: str) -> tuple[DeckFormat, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = get_args(DeckFormat)
    if (unknown := [name for name in names if name not in known]) or not names:
        detail = f"{unknown[0] if unknown else text!r} is none of {', '.join(known)}"
        raise typer.BadParameter(detail, param_hint="--formats")
    return cast(tuple[DeckFormat, ...], tuple(dict.fromkeys(names)))


def _print(
    written: "WrittenDeck", prices: Mapping[str, tuple[float, float]], *, as_json: bool
) -> None:
    if as_json:
        echo_json(written.as_json())
        return
    for item in written.unread:
        typer.secho(f"not read: {item}", err=True, fg="yellow")
    for line in (*written.left_out, *written.told, *written.not_looked):
        typer.secho(line, err=True, fg="yellow")
    for line in written.changes:
        typer.secho(f"mended: {line}", err=True, dim=True)
    for defect in written.defects:
        typer.secho(f"left: {defect}", err=True, fg="yellow")
    seconds = (f"{name} {spent:.1f}" for name, spent in written.seconds.items())
    typer.secho(f"Seconds: {', '.join(seconds)}", err=True, dim=True)
    if written.usage.requests:
        typer.secho(_cost(written, prices), dim=True)
    numbers = len(written.numbers)
    outcome = (
        f"; {numbers - len(written.unfounded)} of {numbers} numbers on them found in the sources"
    )
    typer.echo(f"{counted(written.slides, 'slide')}{outcome if written.looked_up else ''}")
    for number in written.unfounded[:_SHOWN]:
        typer.secho(f"slide {number.slide}: in no source: {number.text}", err=True)
    for line in written.coverage.lines() if written.coverage else ():
        typer.secho(line, err=True, dim=not line.startswith("on slides"))
    for path in written.files:
        typer.echo(f"Wrote {path}")


def _cost(written: "WrittenDeck", prices: Mapping[str, tuple[float, float]]) -> str:
    """Tokens and price of the model; the price in dollars if it is known."""
    usage = written.usage
    tokens = usage.input_tokens + usage.output_tokens
    words = f"Model: {tokens:,} tokens in {usage.requests} requests"
    if (price := prices.get(written.model, prices.get(""))) is None:
        return f"{words}."
    dollars = (usage.input_tokens * price[0] + usage.output_tokens * price[1]) / 1e6
    return f"{words}, ${dollars:,.4f}."


def _print_score(deck: Path, keep: Path | None) -> None:
    """The score card of the deck; its report stays in the kept folder."""
    try:
        calls.find_installation()
    except RendererMissing as error:
        note(f"no score card: {error}")
        return
    with ExitStack() as stack:
        folder = keep / "score" if keep else stack.enter_context(scratch_folder("score"))
        run = decklab.score([str(deck)], folder, jobs=1)
        calls.print_table(run.rows(), Console())
        if keep:
            typer.echo(f"Report: {run.index}")
