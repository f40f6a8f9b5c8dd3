"""The page of all that an audience does not see of a deck: each slide's picture, with marks and
reasons."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

from decklab.core.errors import RenderError
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.pages.page import check_page, output_page, write_page
from decklab.pages.pictures import SlidePicture, jpeg_within_budget, tag_beside
from decklab.rendering.opening import open_rendered
from decklab.rendering.pictures import RenderedDeck
from decklab.rendering.renderer import Renderer
from decklab.seen.reader import SeenDeck, see
from decklab.seen.seen_slide import SeenPiece, SeenSlide, VisibilityFault

SEEN_PAGE: Final = "seen.html"
_MARGIN: Final = 4.0
"""Px of the frame between a thing and the frame around it."""


@dataclass(frozen=True)
class UnseenThing:
    """The parts of one shape that are not seen for one reason."""

    label: int
    name: str
    reason: VisibilityFault
    detail: str
    texts: tuple[str, ...]
    box: Box | None
    """Around it on the drawing; None if it is off the slide or has no place."""
    tag: Box | None
    """The box of its number."""


@dataclass(frozen=True)
class ShownSlide:
    """A slide as the page shows it."""

    slide: SeenSlide
    picture: SlidePicture | None
    things: tuple[UnseenThing, ...]


def write_seen_page(
    path: str | Path,
    deck: str | Path,
    *,
    slides: Collection[int] | None = None,
    renderer: Renderer | None = None,
    force: bool = False,
) -> SeenDeck:
    """Write a page with the picture of each slide, on which what is not seen is marked with its
    reason, and return what is seen.

    The slides are drawn, and what their pictures hide counts too (``see``). Without LibreOffice the
    page has no pictures and says why. Raises DeckError where the deck cannot be read, OutputExists
    where ``path`` is a file and ``force`` is false.
    """
    check_page(path, SEEN_PAGE, inputs=[deck], force=force)
    drawer = renderer or Renderer()
    try:
        with open_rendered(deck, renderer=drawer, ocr=False, deadly="left out") as drawn:
            seen = see(deck, slides=slides, drawn=drawn, renderer=drawer)
            shown = [_shown(slide, _picture(drawn, slide, len(drawn))) for slide in seen.slides]
            unpictured = ""
    except RenderError as error:
        seen, unpictured = see(deck, slides=slides), str(error)
        shown = [_shown(slide, None) for slide in seen.slides]
    with output_page(path, SEEN_PAGE) as page:
        write_page(
            page, SEEN_PAGE, "open-for-print.js", package="decklab.seen", deck=str(deck), seen=seen,
            slides=shown, unpictured=unpictured, frame_width=FRAME_WIDTH,
        )  # fmt: skip
    return seen


def _picture(drawn: RenderedDeck, slide: SeenSlide, count: int) -> SlidePicture | None:
    if slide.number in drawn.faults:
        return None
    return jpeg_within_budget(drawn.slide(slide.number).image, slides=count)


def _shown(slide: SeenSlide, picture: SlidePicture | None) -> ShownSlide:
    height = FRAME_HEIGHT if picture is None else picture.frame_height
    return ShownSlide(slide, picture, tuple(_things(slide, height)))


def _things(slide: SeenSlide, height: float) -> Iterator[UnseenThing]:
    pieces = [piece for piece in slide.unseen if piece.kind != "shape"]
    groups = [list(group) for _, group in groupby(pieces, key=lambda p: (p.id, p.reason))]
    boxes = [_marked(group, height) for group in groups]
    marked = [box for box in boxes if box is not None]
    tags: list[Box] = []
    for label, (group, box) in enumerate(zip(groups, boxes, strict=True), 1):
        if box is not None:
            tags.append(tag_beside(box, marked, tags, height, above=True))
        first = group[0]
        assert first.reason is not None, "the pieces are those that are not seen"
        texts = tuple(piece.text for piece in group if piece.text)
        tag = None if box is None else tags[-1]
        yield UnseenThing(label, first.name, first.reason, first.detail, texts, box, tag)


def _marked(pieces: Sequence[SeenPiece], height: float) -> Box | None:
    around = Box.around(piece.box for piece in pieces if piece.box is not None)
    if around is None:
        return None
    inside = around.grown(_MARGIN).intersection(FRAME)
    return inside.scaled(1, height / FRAME_HEIGHT) if inside.area else None
