"""``decklab write``."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer
from rich.console import Console

import decklab
from decklab.cli import calls
from decklab.cli.model_options import NO_BUDGET, BudgetOptions, check_without_model
from decklab.cli.option_groups import grouped_options
from decklab.cli.parameters import AsJson, Force
from decklab.cli.terminal import checked_until_begun, echo_json, note, stages_shown
from decklab.cli.write_options import (
    BudgetPictures,
    ClosingPage,
    ContentsPage,
    FreeLayout,
    IconsChoice,
    ImageModelName,
    ImageUrl,
    LikeDeckFile,
    PicturesFolder,
    RedoSlide,
    RefineDeck,
    ScoreCard,
    SlidesFrom,
    SourceLanguage,
    StyleFilled,
    TemplateFile,
    TitlePage,
    image_model_of,
)
from decklab.core.errors import RendererMissing
from decklab.core.files import scratch_folder
from decklab.core.options import MOST_GENERATED, WRITE_SLIDES, DeckFormat, TextLength, WriteStage

if TYPE_CHECKING:
    from decklab.writer.write import WrittenDeck

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
    str,
    typer.Option(
        metavar="NAME",
        help="light, dark, editorial, academic, corporate or playful; light where nothing "
        "else is named.",
    ),
]
Language = Annotated[str, typer.Option(metavar="TAG", help="Of the deck, such as en or de-AT.")]
DeckFile = Annotated[
    Path, typer.Option(metavar="FILE", help="The deck to write; other formats go beside it.")
]
Formats = Annotated[
    str, typer.Option(metavar="LIST", help="Of pptx, html and pdf, such as pptx,html.")
]
KeepFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Keep outline.json, plan.json, slides.md and the pictures there."
    ),
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
@grouped_options
def write_command(
    source: Sources = None,
    slides_from: SlidesFrom = None,
    prompt: Prompt = "",
    title: Title = "",
    pictures: PicturesFolder = None,
    image_model: ImageModelName = "",
    image_url: ImageUrl = "",
    budget_pictures: BudgetPictures = MOST_GENERATED,
    icons: IconsChoice = False,
    slides: MostSlides = WRITE_SLIDES,
    theme: ThemeName = "",
    template: TemplateFile = None,
    like: LikeDeckFile = None,
    language: Language = "en",
    source_language: SourceLanguage = "",
    title_page: TitlePage = None,
    contents: ContentsPage = None,
    closing: ClosingPage = None,
    out: DeckFile = Path("deck.pptx"),
    force: Force = False,
    formats: Formats = "pptx",
    keep: KeepFolder = None,
    start: FromStage = "documents",
    redo: RedoSlide = (0, ""),
    score: ScoreCard = True,
    model: WritingModel = None,
    audience: Audience = "a general audience",
    tone: Tone = "plain and factual",
    length: Length = "standard",
    style: StyleFilled = None,
    free_layout: FreeLayout = None,
    refine: RefineDeck = None,
    budget: BudgetOptions = NO_BUDGET,
    as_json: AsJson = False,
) -> None:
    """Write a deck from documents: native, editable, every number found in its source.

    Or from slides in Markdown (--slides-from), or one slide of a kept deck anew (--redo).

    Without --model sentences are chosen and shortened by rule, word for word. What a model writes
    has to stand in the documents: quotes and numbers are looked up by program. Sources stand in the
    notes.

    Exit codes: 0 written; 3 written, but a number on a slide is in no source; 2 it could not begin:
    nothing to write from, or something is missing; 1 something went wrong later.

    Example: decklab write --source report.pdf --theme corporate --out talk.pptx
    """
    chosen = _formats(formats)
    _check_options(start, out)
    kept = start == "plan" or redo[0]
    sourced = bool(source or slides_from or kept or (model is not None and prompt))
    _check_together(
        sourced=sourced,
        slides_from=slides_from is not None
        and (model or prompt or start != "documents" or redo[0]),
        redo=redo[0] and (start != "documents" or keep is None),
    )
    if model is None:
        check_without_model(
            **vars(budget),
            style=style or None, free_layout=free_layout or None,
        )  # fmt: skip
    spending = budget.spending()
    images = image_model_of(image_model, image_url, budget_pictures)
    options = decklab.WriteOptions(
        prompt=prompt,
        title=title,
        slides=slides,
        theme=theme,
        template=None if template is None else str(template),
        like=None if like is None else str(like),
        language=language,
        source_language=source_language,
        title_page=title_page,
        contents=contents,
        closing=closing,
        slides_from=str(slides_from or ""),
        pictures=str(pictures or ""),
        images=images,
        icons=icons,
        redo=redo if redo != (0, "") else None,
        audience=audience,
        tone=tone,
        length=length,
        formats=chosen,
        style=style is not False,
        free_layout=bool(free_layout),
        refine=refine,
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
            force=force,
            progress=progress,
        )
    _print(written, spending.prices, as_json=as_json)
    if score and not as_json:
        _print_score(written.files[0], keep)
    raise typer.Exit(3 if written.unfounded else 0)


def _check_options(start: str, out: Path) -> None:
    """Raise typer.BadParameter if an option has no value that is known."""
    if start not in get_args(WriteStage):
        detail = f"{start!r} is none of {', '.join(get_args(WriteStage))}"
        raise typer.BadParameter(detail, param_hint="--from")
    if out.suffix.lower() != ".pptx":
        raise typer.BadParameter("the name of a deck ends in .pptx", param_hint="--out")


def _check_together(*, sourced: bool, slides_from: object, redo: object) -> None:
    """Raise typer.BadParameter if options do not go together, which the last two say."""
    if slides_from:
        detail = "the slides are written already: it takes no --model, --prompt, --from or --redo"
        raise typer.BadParameter(detail, param_hint="--slides-from")
    if redo:
        detail = "it needs the folder of an earlier run, --keep DIR, and goes on from its plan"
        raise typer.BadParameter(detail, param_hint="--redo")
    if not sourced:
        detail = "name at least one document, slides in Markdown (--slides-from), or a --model "
        raise typer.BadParameter(f"{detail}and a --prompt", param_hint="--source")


def _formats(text: str) -> tuple[DeckFormat, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = get_args(DeckFormat)
    unknown = [name for name in names if name not in known]
    if unknown or not names:
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
    found = (
        f"; {numbers - len(written.unfounded)} of {numbers} numbers on them found in the sources"
    )
    typer.echo(f"{written.slides} slides{found if written.looked_up else ''}")
    for number in written.unfounded[:_SHOWN]:
        typer.secho(f"slide {number.slide}: in no source: {number.text}", err=True)
    for path in written.files:
        typer.echo(f"Wrote {path}")


def _cost(written: "WrittenDeck", prices: Mapping[str, tuple[float, float]]) -> str:
    """Tokens and price of the model; the price in dollars if it is known."""
    usage = written.usage
    tokens = usage.input_tokens + usage.output_tokens
    words = f"Model: {tokens:,} tokens in {usage.requests} requests"
    price = prices.get(written.model, prices.get(""))
    if price is None:
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
