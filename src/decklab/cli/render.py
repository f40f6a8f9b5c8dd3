"""``decklab render``."""

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from decklab.cli.checked import checked_first
from decklab.cli.parameters import AsJson
from decklab.cli.progress import progress_bar
from decklab.cli.ranges import parse_numbers
from decklab.errors import DeckError, DecklabError, RendererMissing, RenderError
from decklab.files import check_folder
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache
from decklab.rendering.font_report import Replacement, font_report
from decklab.rendering.office.office import Office
from decklab.rendering.saving import SavedDeck, SavedSlide, save_pictures
from decklab.scoring.inputs import check_decks, find_decks
from decklab.scoring.output import names_in

app = typer.Typer(add_completion=False)

_SIZE = re.compile(r"(\d{2,5})x(\d{2,5})")
_LARGEST = 8192  # ours: a picture of this size takes 200 MB while it is drawn


class Format(StrEnum):
    """Of the pictures."""

    png = "png"
    jpeg = "jpeg"
    webp = "webp"


@dataclass(frozen=True)
class Outcome:
    """What became of one deck."""

    deck: Path
    saved: SavedDeck | None
    fonts: Sequence[Replacement]
    errors: tuple[str, ...]


@app.command()
def render(
    decks: Annotated[
        list[str],
        typer.Argument(metavar="DECK...", help="Decks of any kind, folders of them, or patterns."),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the pictures, one folder a deck.")],
    size: Annotated[
        str, typer.Option(metavar="WxH", help="Pixels that a picture may take.")
    ] = "1280x720",
    slides: Annotated[
        str, typer.Option(metavar="LIST", help="Draw only these, such as 2,4-6.")
    ] = "",
    format: Annotated[Format, typer.Option(help="Of the pictures.")] = Format.png,
    text: Annotated[
        bool, typer.Option("--text", help="With --json: also the text of each slide, as laid out.")
    ] = False,
    deadline: Annotated[
        float, typer.Option(min=1, help="Seconds that drawing one deck may take.")
    ] = 120.0,
    cache: Annotated[
        Path | None, typer.Option(help="Folder that keeps drawn slides between runs.")
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Draw every slide anew and keep nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Draw slides as pictures, OUT/DECK/slide-001.png; exits with 1 if any could not be drawn.

    Of decks of one name, in this run or an earlier one, the later get a few digits after it.

    A slide that looks as it did in an earlier run is not drawn again.

    Example: decklab render talk.pptx --out pictures --slides 2,4-6
    """
    if text and not as_json:
        raise typer.BadParameter("the text is part of what --json prints", param_hint="--text")
    asked = {
        "slides": parse_numbers(slides) if slides else None,
        "size": _parsed_size(size), "format": format.value, "text": text, "deadline": deadline,
    }  # fmt: skip
    found = find_decks(decks)
    with checked_first():
        check_decks(found)
        check_folder(out)
    names = names_in(out, found)
    outcomes = []
    with _office(deadline) as office, _kept(cache, no_cache) as keep, progress_bar() as bar:
        for deck in bar.track(found, description="Drawing"):
            outcomes.append(_drawn(deck, out / names[deck], office, keep, asked))
    if as_json:
        told = [_as_json(outcome) for outcome in outcomes]
        typer.echo(json.dumps({"decks": told}, ensure_ascii=False))
    for outcome in outcomes:
        _tell(outcome, quiet=as_json)
    if any(outcome.errors for outcome in outcomes):
        raise typer.Exit(1)


def _parsed_size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (16 <= width <= _LARGEST and 16 <= height <= _LARGEST):
        detail = f"{text!r} is no size such as 1280x720, at most {_LARGEST} each way"
        raise typer.BadParameter(detail, param_hint="--size")
    return width, height


@contextmanager
def _office(deadline: float) -> Iterator[Office | None]:
    """None where there is none; decks that need it then say so."""
    try:
        office = Office(deadline=deadline)
    except RendererMissing:
        yield None
        return
    with office:
        yield office


@contextmanager
def _kept(folder: Path | None, never: bool) -> Iterator[Cache]:
    if never:
        with tempfile.TemporaryDirectory(prefix="decklab-") as gone:
            yield Cache(gone)
    else:
        yield Cache(folder)


def _drawn(
    deck: Path, folder: Path, office: Office | None, cache: Cache, asked: dict[str, Any]
) -> Outcome:
    try:
        saved = save_pictures(deck, folder, office=office, cache=cache, **asked)
    except DecklabError as error:
        return Outcome(deck, None, (), (str(error),))
    errors = [slide.error for slide in saved.slides if slide.error]
    beyond = sorted(number for number in set(asked["slides"] or ()) if number > saved.count)
    errors += [f"{deck}: there is no slide {number}; it has {saved.count}" for number in beyond]
    return Outcome(deck, saved, _replaced_fonts(deck, office, cache), tuple(errors))


def _replaced_fonts(deck: Path, office: Office | None, cache: Cache) -> Sequence[Replacement]:
    """Nothing for decks of kinds that do not name their fonts in a way we read."""
    if deck.is_dir() or office is None:
        return ()
    try:
        with Package.open(deck) as package:
            return font_report(package, office, cache).replaced
    except (DeckError, RenderError):
        return ()


def _tell(outcome: Outcome, *, quiet: bool) -> None:
    for error in outcome.errors:
        typer.echo(f"decklab: {error}", err=True)
    if outcome.fonts:
        told = ", ".join(
            f"{item.use.family} by {item.drawn or 'another'}"
            f"{' (same widths)' if item.same_widths else ''}"
            for item in outcome.fonts
        )
        typer.echo(f"{outcome.deck}: fonts replaced: {told}", err=True)
    if outcome.saved is not None and not quiet:
        typer.echo(f"{outcome.deck}: {_summary(outcome.saved)}")


def _summary(saved: SavedDeck) -> str:
    pictures = [slide for slide in saved.slides if slide.picture is not None]
    drawn = sum(slide.drawn for slide in pictures)
    hidden = ", ".join(str(slide.number) for slide in saved.slides if slide.hidden)
    folder = next((slide.picture.parent for slide in pictures if slide.picture), None)
    return (
        f"{len(pictures)} of {saved.count} slides{f' in {folder}' if folder else ''}, "
        f"{drawn} drawn, {len(pictures) - drawn} from the cache"
        f"{f'; hidden: {hidden}' if hidden else ''}"
    )


def _as_json(outcome: Outcome) -> dict[str, Any]:
    saved = outcome.saved
    pictured = [slide for slide in saved.slides if slide.picture] if saved else []
    return {
        "deck": str(outcome.deck),
        "engine": saved.engine if saved else None,
        "slide_count": saved.count if saved else None,
        "drawn": sum(slide.drawn for slide in pictured),
        "from_cache": sum(not slide.drawn for slide in pictured),
        "slides": [_slide_as_json(slide) for slide in saved.slides] if saved else [],
        "fonts_replaced": [
            {"asked": item.use.family, "drawn": item.drawn, "same_widths": item.same_widths}
            for item in outcome.fonts
        ],
        "errors": list(outcome.errors),
    }


def _slide_as_json(slide: SavedSlide) -> dict[str, Any]:
    told: dict[str, Any] = {
        "number": slide.number,
        "picture": str(slide.picture) if slide.picture else None,
        "width": slide.width,
        "height": slide.height,
        "hidden": slide.hidden,
        "drawn": slide.drawn,
        "error": slide.error or None,
    }
    if slide.spans is not None:
        spans = [asdict(span) | {"box": list(span.box)} for span in slide.spans]
        told |= {"text_source": slide.text_source, "text": spans}
    return told
