"""Slides and decks degraded along one axis; decks are built again as .pptx files, and shown on
contact sheets.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from decklab.core.errors import DeckError
from decklab.core.files import output_file, scratch_folder
from decklab.core.options import Axis, LadderDraws
from decklab.deck.model.shapes import Body, Element, Line, Run, Text
from decklab.deck.model.slide import KINDS, SlideElements
from decklab.deck.reading import read_elements
from decklab.editing.building.deck import BuiltDeck, build_deck, images_of
from decklab.evals.perturb.constants import LADDER_DRAWS, NO_OP, AnySlide, Draws
from decklab.evals.perturb.operators import perturb_geometry, perturb_style, perturb_text
from decklab.ooxml.package import Package
from decklab.pages.pictures import contact_sheet
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer


def perturb(
    slide: AnySlide,
    axis: Axis,
    severity: float,
    *,
    seed: int = 0,
    key: str | int = "",
    ladder_draws: LadderDraws = "coupled",
) -> AnySlide:
    """The slide degraded along one axis, with the defaults of paper 000, appendix D.

    ``severity`` goes from 0, which changes nothing, to 1. ``key`` names the slide: draws depend
    on ``seed``, ``key`` and ``axis`` and on nothing else, so the same call gives the same slide
    in any process on any machine, and a higher severity adds to the damage of a lower one. With
    ``ladder_draws="independent"`` they depend on the severity, too (to six decimals), as section
    3 and appendix H of the paper have it. At one severity the damage has the same distribution in
    both. Give every slide a key of its own, or all get the same draws. Raises ValueError for a
    severity outside 0 to 1 and for other draws.
    """
    if ladder_draws not in LADDER_DRAWS:
        raise ValueError(f"draws are {' or '.join(LADDER_DRAWS)}, not {ladder_draws!r}")
    if not 0 <= severity <= 1:
        raise ValueError(f"severity must be between 0 and 1, not {severity}")
    if severity <= NO_OP:
        return slide.model_copy()
    operators: dict[Axis, Callable[[AnySlide, float, Draws], AnySlide]] = {
        "geometry": perturb_geometry,
        "text": perturb_text,
        "style": perturb_style,
    }
    names = (seed, key, axis, float(severity))
    draws = Draws(*names) if ladder_draws == "independent" else Draws(*names[:3])
    return operators[axis](slide, severity, draws)


def write_perturbed(
    package: Package,
    path: str | Path,
    axis: Axis,
    severity: float,
    *,
    seed: int = 0,
    slides: Collection[int] | None = None,
    ladder_draws: LadderDraws = "coupled",
    force: bool = False,
) -> BuiltDeck:
    """Write a copy of a deck with slides degraded along one axis.

    ``slides`` are 1-based numbers; None stands for all. The other slides are not degraded, but are
    built again like those that are, so that at severity 0 the whole deck is the rebuilt one.
    ``ladder_draws`` as in ``perturb``. Parts that could not be read are listed in ``left_out``.
    Raises DeckError if the deck cannot be read or has no such slide, ValueError for a
    severity outside 0 to 1, OSError if the file cannot be written, NameTaken if it exists;
    with ``force`` a copy of it is kept beside it.
    """
    read = read_elements(package)
    for number in slides or ():
        _check(package, number, len(read.slides))
    degraded = []
    for slide in read.slides:
        apart = taken_apart(slide)
        if slides is None or slide.number in slides:
            key = slide_key(slide)
            apart = perturb(apart, axis, severity, seed=seed, key=key, ladder_draws=ladder_draws)
        degraded.append(apart)
    return _written(path, degraded, package, read.problems, force=force)


def write_ladder(
    package: Package,
    path: str | Path,
    axis: Axis,
    severities: Sequence[float],
    *,
    slide: int = 1,
    seed: int = 0,
    ladder_draws: LadderDraws = "coupled",
    force: bool = False,
) -> BuiltDeck:
    """Write a deck that shows one slide at each severity, in their order.

    ``ladder_draws`` as in ``perturb``. Raises as ``write_perturbed`` does.
    """
    slides = read_elements(package).slides
    _check(package, slide, len(slides))
    clean = slides[slide - 1]
    apart = taken_apart(clean).model_copy(update={"hidden": False})
    key = slide_key(clean)
    rungs = [
        perturb(apart, axis, at, seed=seed, key=key, ladder_draws=ladder_draws) for at in severities
    ]
    return _written(path, rungs, package, (), force=force)


def _written(
    path: str | Path,
    slides: Sequence[SlideElements],
    package: Package,
    problems: Iterable[str],
    *,
    force: bool,
) -> BuiltDeck:
    with output_file(path, force=force) as unfinished:
        try:
            built = build_deck(slides, unfinished, images=images_of(package))
        except DeckError as error:
            raise DeckError(path, error.detail) from None  # the only name that the caller knows
    return replace(built, path=Path(path), left_out=(*problems, *built.left_out))


def slide_key(slide: SlideElements) -> str:
    """The key of a slide for ``perturb``: its id, which stays, or its number if it has none."""
    return f"id {slide.id}" if slide.id else f"number {slide.number}"


def taken_apart(slide: SlideElements) -> SlideElements:
    """A slide as it is built into a degraded deck: no element depends on another.

    Text in a shape becomes a text box of its own over the shape, as in the schema of paper 000, so
    that the two can be moved apart; no text shrinks or grows to fit, which would undo a part of
    the damage; connectors are connected to nothing; fields become the text that they show now,
    slide numbers included.
    """
    order = {id(item): index for index, item in enumerate(slide.elements())}
    spoken = {item.z for item in slide.texts if item.z is not None}
    update: dict[str, Any] = {
        kind: tuple(
            item.model_copy(update=_detached(item, order[id(item)], spoken))
            for item in getattr(slide, kind)
        )
        for kind in KINDS
    }
    update["texts"] = tuple(_without_fields(text, slide.number) for text in update["texts"])
    return slide.model_copy(update=update)


def _without_fields(text: Text, number: int) -> Text:
    """The text with plain characters in place of fields."""
    if all(run.kind != "field" for paragraph in text.paragraphs for run in paragraph.runs):
        return text
    paragraphs = tuple(
        part.model_copy(update={"runs": tuple(_plain_run(run, number) for run in part.runs)})
        for part in text.paragraphs
    )
    plain = "\n".join(part.text for part in paragraphs)
    return text.model_copy(update={"paragraphs": paragraphs, "text": plain})


def _plain_run(run: Run, number: int) -> Run:
    if run.kind != "field":
        return run
    text = str(number) if run.field == "slidenum" else run.text
    return run.model_copy(update={"text": text, "kind": "run", "field": None})


def _detached(item: Element, z: int, spoken: Collection[int | None]) -> dict[str, Any]:
    """The fields of an element that change so that it depends on no other."""
    if isinstance(item, Text):
        return {"z": z, "creation_id": None, "body": _settled(item.body)}
    update: dict[str, Any] = {"z": z}
    if item.z in spoken:
        update["placeholder"] = None
    if isinstance(item, Line):
        update |= {"start": None, "start_site": None, "end": None, "end_site": None}
    return update


def _settled(body: Body) -> Body:
    """The text body without autofit; sizes of runs and spacing are already those it gave."""
    update = {"autofit": "none", "font_scale": 1.0, "line_reduction": 0.0}
    return body.model_copy(update=update)


def _check(package: Package, number: int, count: int) -> None:
    if not 1 <= number <= count:
        raise DeckError(package.label, f"there is no slide {number}; the deck has {count}")


def write_ladder_sheet(
    deck: Path,
    sheet: Path,
    axis: Axis,
    severities: Sequence[float],
    *,
    slide: int = 1,
    seed: int = 0,
    ladder_draws: LadderDraws = "coupled",
    keep: Path | None = None,
    force: bool = False,
    renderer: Renderer | None = None,
) -> tuple[str, ...]:
    """Write a PNG that shows one slide of a deck at each severity; returns what was left out of it.

    ``slide`` is 1-based, ``ladder_draws`` as in ``perturb``. ``keep`` is the path at which to store
    the deck of the damaged slides; without it that deck is deleted. Raises DeckError if the deck
    cannot be read or has no such slide, RenderError if it cannot be drawn, OSError if the sheet
    cannot be written, NameTaken if a file exists; with ``force`` a copy of it is kept beside it.
    """
    with scratch_folder("ladder") as folder:
        with Package.open(deck) as package:
            path = keep or folder / "ladder.pptx"
            draw = partial(write_ladder, slide=slide, seed=seed, ladder_draws=ladder_draws)
            built = draw(package, path, axis, severities, force=force)
        with open_rendered(built.path, renderer=renderer, ocr=False) as drawn:
            rungs = zip(severities, drawn, strict=True)
            pictures = [(f"{axis} {severity:g}", picture.image) for severity, picture in rungs]
    with output_file(sheet, force=force) as unfinished:
        Image.fromarray(contact_sheet(pictures)).save(unfinished, format="PNG")
    return built.left_out
