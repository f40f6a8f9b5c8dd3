"""``decklab write``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

import decklab
from decklab.cli.model_options import (
    BudgetDollars,
    BudgetMinutes,
    BudgetTokens,
    PricesOption,
    RecordFolder,
    check_without_model,
    spending_of,
)
from decklab.cli.parameters import AsJson
from decklab.cli.terminal import checked_until_begun, echo_json, stages_shown
from decklab.options import WRITE_SLIDES, DeckFormat, TextLength, WriteStage

if TYPE_CHECKING:
    from decklab.agents.writer.write import WrittenDeck

app = typer.Typer(add_completion=False)

Sources = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="A document to write from: PDF, DOCX, PPTX, Markdown, HTML, CSV, XLSX or a "
        "picture; may be given several times.",
    ),
]
Prompt = Annotated[str, typer.Option(metavar="WORDS", help="What the deck should be about.")]
Title = Annotated[
    str, typer.Option(metavar="WORDS", help="Of the deck; else that of the first document.")
]
MostSlides = Annotated[
    int, typer.Option(min=3, max=200, help="How many slides at most; long ones are split.")
]
ThemeName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="light (which it is by itself), dark, editorial, academic, corporate or playful.",
    ),
]
LikeDeckFile = Annotated[
    Path | None,
    typer.Option(metavar="DECK", help="Fill copies of this deck's slides, not a theme."),
]
Language = Annotated[
    str, typer.Option(metavar="TAG", help="Of the documents and the deck, such as en or de-AT.")
]
DeckFile = Annotated[
    Path, typer.Option(metavar="FILE", help="The deck to write; other formats go beside it.")
]
Formats = Annotated[
    str, typer.Option(metavar="LIST", help="Of pptx, html and pdf, such as pptx,html.")
]
KeepFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Keep outline.json, plan.json and the pictures there."),
]
FromStage = Annotated[
    str,
    typer.Option(
        "--from",
        metavar="STAGE",
        help="Go on from outline or plan in --keep, which you may have changed.",
    ),
]
WritingModel = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Have a model write, such as openai/gpt-5, from the documents or --prompt alone.",
    ),
]
Audience = Annotated[
    str, typer.Option(metavar="WORDS", help="With a model: who will see the deck.")
]
Tone = Annotated[str, typer.Option(metavar="WORDS", help="With a model: how the deck speaks.")]
Length = Annotated[TextLength, typer.Option(help="With a model: how much text stands on a slide.")]

_SHOWN = 5


@app.command()
def write_command(
    source: Sources = None,
    prompt: Prompt = "",
    title: Title = "",
    slides: MostSlides = WRITE_SLIDES,
    theme: ThemeName = None,
    like: LikeDeckFile = None,
    language: Language = "en",
    out: DeckFile = Path("deck.pptx"),
    formats: Formats = "pptx",
    keep: KeepFolder = None,
    start: FromStage = "documents",
    model: WritingModel = None,
    audience: Audience = "a general audience",
    tone: Tone = "plain and factual",
    length: Length = "standard",
    budget_tokens: BudgetTokens = None,
    budget_dollars: BudgetDollars = None,
    budget_minutes: BudgetMinutes = None,
    prices: PricesOption = None,
    record: RecordFolder = None,
    as_json: AsJson = False,
) -> None:
    """Write a deck from documents: native, editable, every number found in its source.

    Without --model sentences are chosen and shortened by rule, word for word. What a model writes
    has to stand in the documents: quotes and numbers are looked up by program. Sources stand in the
    notes.

    Exit codes: 0 written; 3 written, but a number on a slide is in no source; 2 it could not begin:
    nothing to write from, or something is missing; 1 something went wrong later.

    Example: decklab write --source report.pdf --theme corporate --out talk.pptx
    """
    chosen = _formats(formats)
    if theme is not None and like is not None:
        raise typer.BadParameter("--like has a design of its own", param_hint="--theme")
    _check_options(start, out, sourced=bool(source) or (model is not None and bool(prompt)))
    if model is None:
        check_without_model(
            budget_tokens=budget_tokens, budget_dollars=budget_dollars,
            budget_minutes=budget_minutes, prices=prices, record=record,
        )  # fmt: skip
    spending = spending_of(budget_tokens, budget_dollars, budget_minutes, prices, record)
    options = decklab.WriteOptions(
        prompt=prompt,
        title=title,
        slides=slides,
        theme=theme or decklab.WriteOptions.theme,
        like=None if like is None else str(like),
        language=language,
        audience=audience,
        tone=tone,
        length=length,
        formats=chosen,
    )
    with checked_until_begun() as stages, stages_shown(stages) as progress:
        written = decklab.write(
            source or [],
            out,
            options=options,
            model=model,
            spending=spending,
            keep=keep,
            start=cast(WriteStage, start),
            progress=progress,
        )
    _print(written, as_json=as_json)
    raise typer.Exit(3 if written.unfounded else 0)


def _check_options(start: str, out: Path, *, sourced: bool) -> None:
    """Raise typer.BadParameter where options do not go together."""
    if start not in get_args(WriteStage):
        detail = f"{start!r} is none of {', '.join(get_args(WriteStage))}"
        raise typer.BadParameter(detail, param_hint="--from")
    if out.suffix.lower() != ".pptx":
        raise typer.BadParameter("the name of a deck ends in .pptx", param_hint="--out")
    if not sourced:
        detail = "name at least one document, or a --model and a --prompt"
        raise typer.BadParameter(detail, param_hint="--source")


def _formats(text: str) -> tuple[DeckFormat, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = get_args(DeckFormat)
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        detail = f"{unknown[0] if unknown else text!r} is none of {', '.join(known)}"
        raise typer.BadParameter(detail, param_hint="--formats")
    return cast(tuple[DeckFormat, ...], tuple(dict.fromkeys(names)))


def _print(written: "WrittenDeck", *, as_json: bool) -> None:
    if as_json:
        echo_json(written.as_json())
        return
    for item in written.unread:
        typer.secho(f"not read: {item}", err=True, fg="yellow")
    for line in written.left_out:
        typer.secho(line, err=True, fg="yellow")
    for fact in written.like.facts if written.like else ():
        typer.secho(str(fact), err=True, fg="yellow")
    if written.usage.requests:
        tokens = written.usage.input_tokens + written.usage.output_tokens
        typer.secho(f"Model: {tokens:,} tokens in {written.usage.requests} requests.", dim=True)
    numbers = len(written.numbers)
    typer.echo(
        f"{written.slides} slides; {numbers - len(written.unfounded)} of {numbers} numbers "
        "on them found in the sources"
    )
    for number in written.unfounded[:_SHOWN]:
        typer.secho(f"slide {number.slide}: in no source: {number.text}", err=True)
    for path in written.files:
        typer.echo(f"Wrote {path}")
