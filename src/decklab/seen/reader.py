"""A deck as an audience sees it, slide by slide; what is left out, and why; and its page, with each
slide's picture, marks and reasons."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import RenderError
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import Tabular
from decklab.deck.deck import Deck, open_deck
from decklab.deck.model.slide import Contents, DeckElements, SlideElements, TemplateElements
from decklab.ooxml.package import Package
from decklab.pages.page import check_page, output_page, write_page
from decklab.pages.pictures import SlidePicture, jpeg_within_budget, tag_beside
from decklab.pages.wording import counted
from decklab.rendering.opening import open_rendered
from decklab.rendering.pictures import RenderedDeck
from decklab.rendering.renderer import Renderer
from decklab.seen.computed import seen_slide
from decklab.seen.drawn import AudienceView
from decklab.seen.seen_slide import (
    PART,
    SeenPiece,
    SeenSlide,
    VisibilityFault,
    chart_workbooks,
    slide_links,
    spoken_order,
)
from decklab.seen.stated import DeckPictures, slide_facts, slides_left_out


@dataclass(frozen=True)
class SeenDeck(Tabular):
    """A deck as an audience sees it. As rows: one for each piece that is not seen."""

    slides: tuple[SeenSlide, ...]
    problems: tuple[str, ...] = ()
    """Problems of reading, one line each."""

    @property
    def words_seen(self) -> int:
        """How many words are seen."""
        return sum(slide.words_seen for slide in self.slides)

    @property
    def words_unseen(self) -> Mapping[VisibilityFault, int]:
        """How many words are not seen, by reason, the most frequent first."""
        counts: Counter[VisibilityFault] = Counter()
        for slide in self.slides:
            counts.update(slide.words_unseen)
        return dict(counts.most_common())

    @property
    def sentence(self) -> str:
        """How much cannot be seen, in one sentence.

        >>> SeenDeck(()).sentence
        'All words can be seen.'
        """
        words = sum(self.words_unseen.values())
        slides = sum(any(slide.words_unseen.values()) for slide in self.slides)
        if not words:
            return "All words can be seen."
        return f"{counted(words, 'word')} on {counted(slides, 'slide')} cannot be seen."

    def as_json(self) -> dict[str, Any]:
        """Everything, as plain JSON."""
        return {
            "words_seen": self.words_seen,
            "words_unseen": dict(self.words_unseen),
            "sentence": self.sentence,
            "slides": [
                {
                    "slide": slide.number,
                    "left_out": slide.left_out,
                    "words_seen": slide.words_seen,
                    "words_unseen": dict(slide.words_unseen),
                    "pieces": [piece.record() for piece in slide.pieces],
                    "links": [link.record() for link in slide.links],
                    "workbooks": [book.record() for book in slide.workbooks],
                    "spoken": [item.record() for item in slide.spoken],
                }
                for slide in self.slides
            ],
            "problems": list(self.problems),
        }

    def records(self) -> Iterator[Mapping[str, Any]]:
        """One row for each piece that is not seen."""
        for slide in self.slides:
            for piece in slide.pieces if slide.left_out else slide.unseen:
                row = {"slide": slide.number, **piece.record()}
                if slide.left_out:
                    row |= {"seen": False, "reason": "slide", "detail": slide.left_out}
                yield row


def see(
    path: str | Path,
    *,
    slides: Collection[int] | None = None,
    drawn: RenderedDeck | None = None,
    renderer: Renderer | None = None,
) -> SeenDeck:
    """The pieces of a deck that an audience sees, and why not the rest; where its links lead,
    whether charts draw what their workbooks hold, and what a screen reader says.

    It is computed from the file. With ``drawn``, the same deck as drawn slides, text of which
    nothing shows there counts as not seen too, and text that hardly stands off from a ground of
    which the file does not state the colour. ``slides`` are the 1-based
    numbers of the slides to read, all by default. Raises DeckError where the deck cannot be read,
    RenderError where a slide of ``drawn`` cannot be drawn::

        for slide in decklab.see("talk.pptx").slides:
            print(slide.number, slide.words_seen, slide.words_unseen)
    """
    with open_deck(path) as deck:
        seen = _with_beside(seen_deck(deck, slides), deck)
    if drawn is None:
        return seen
    view = AudienceView(Path(path), drawn, renderer=renderer or Renderer())
    return replace(seen, slides=tuple(_as_drawn(slide, view) for slide in seen.slides))


def _with_beside(seen: SeenDeck, deck: Deck) -> SeenDeck:
    """The same with links, workbooks of charts and what a screen reader says, slide by slide."""
    elements = deck.elements
    read = {slide.number: slide for slide in elements.slides}
    outline = {slide.number: slide for slide in deck.outline.slides}
    return replace(
        seen,
        slides=tuple(
            replace(
                slide,
                links=slide_links(read[slide.number], elements),
                workbooks=chart_workbooks(deck.package, outline[slide.number]),
                spoken=spoken_order(read[slide.number]),
            )
            for slide in seen.slides
        ),
    )


def seen_deck(deck: Deck, slides: Collection[int] | None = None) -> SeenDeck:
    """An open deck as an audience sees it; ``slides`` as for ``see``. Raises DeckError."""
    return seen_of(deck.package, deck.elements, slides)


def seen_of(
    package: Package, elements: DeckElements, slides: Collection[int] | None = None
) -> SeenDeck:
    """A deck that was read, as an audience sees it; ``slides`` as for ``see``. Raises DeckError."""
    left_out = slides_left_out(package)
    pictures = DeckPictures(package, elements.media)
    return SeenDeck(
        tuple(
            seen_slide(
                slide,
                sheets_behind(slide, elements),
                facts=slide_facts(package, slide.part, pictures),
                left_out=left_out.get(slide.number, ""),
            )
            for slide in elements.slides
            if slides is None or slide.number in slides
        ),
        elements.problems,
    )


def sheets_behind(slide: SlideElements, deck: DeckElements) -> tuple[Contents, ...]:
    """The master and the layout of a slide, as far as their shapes show behind its own."""
    if not slide.shows_master:
        return ()
    layouts = [layout for layout in deck.layouts if layout.part == slide.layout_part]
    wanted = {sheet.parent for sheet in layouts if sheet.shows_master}
    masters: list[TemplateElements] = [master for master in deck.masters if master.part in wanted]
    return (*masters, *layouts)


def _as_drawn(slide: SeenSlide, view: AudienceView) -> SeenSlide:
    """A slide of which the smaller share, as computed and as drawn, counts for each text."""
    if slide.left_out:
        return slide
    pieces = (_piece_as_drawn(piece, slide.number, view) for piece in slide.pieces)
    return replace(slide, pieces=tuple(pieces))


def _piece_as_drawn(piece: SeenPiece, number: int, view: AudienceView) -> SeenPiece:
    if piece.kind not in ("text", "cell") or piece.reason is not None:
        return piece
    sight = view.text(number, piece.id, piece.text)
    stated = sight.fault == "faint" and piece.contrast is not None
    if sight.fault not in ("covered", "faint") or stated or sight.share >= PART:
        return piece
    share = min(piece.share, sight.share)
    return replace(piece, share=share, reason=sight.fault, detail=sight.detail)


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
    force: bool = False,
) -> SeenDeck:
    """Write a page with the picture of each slide, on which what is not seen is marked with its
    reason, and return what is seen.

    The slides are drawn, and what their pictures hide counts too (``see``). Without LibreOffice the
    page has no pictures and says why. Raises DeckError where the deck cannot be read, OutputExists
    where ``path`` is a file and ``force`` is false.
    """
    check_page(path, SEEN_PAGE, inputs=[deck], force=force)
    drawer = Renderer()
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
    if (around := Box.around(piece.box for piece in pieces if piece.box is not None)) is None:
        return None
    inside = around.grown(_MARGIN).intersection(FRAME)
    return inside.scaled(1, height / FRAME_HEIGHT) if inside.area else None
