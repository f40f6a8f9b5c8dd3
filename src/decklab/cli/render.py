"""``decklab render``."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import decklab
from decklab.cli.parameters import (
    AsJson,
    Deadline,
    DrawingOptions,
    argument,
    flag,
    grouped_options,
    option,
    parse_whole_numbers,
)
from decklab.cli.terminal import checked_first, echo_json, progress_bar
from decklab.core.options import SECONDS_A_DECK, PictureFormat

if TYPE_CHECKING:
    from decklab.rendering.job import DrawnDeck, SavedDeck

app = typer.Typer(add_completion=False)

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
        _print(outcome, quiet=as_json)
    if any(outcome.errors for outcome in outcomes):
        raise typer.Exit(1)


def _parsed_size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (16 <= width <= _LARGEST and 16 <= height <= _LARGEST):
        detail = f"{text!r} is no size such as 1280x720, at most {_LARGEST} each way"
        raise typer.BadParameter(detail, param_hint="--size")
    return width, height


def _print(outcome: "DrawnDeck", *, quiet: bool) -> None:
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
