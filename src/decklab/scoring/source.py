"""A deck to score: as it was read, and as an audience sees it."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from decklab.core.errors import DeckError, RenderError
from decklab.core.files import scratch_folder
from decklab.core.results import NotScored
from decklab.deck.model.outline import DeckOutline
from decklab.deck.model.slide import SlideElements
from decklab.deck.part import DAMAGE
from decklab.deck.reading import ReadDeck, read_deck
from decklab.metrics.editability.text import needs_reflow
from decklab.ooxml.package import Package
from decklab.rendering.inputs import as_powerpoint
from decklab.rendering.pictures import RenderedSlide, TextSpan
from decklab.rendering.renderer import DrawnAhead, Renderer
from decklab.scoring.editability.relayout import RelayoutCopy, write_relayout
from decklab.seen.audience import audience_outline, audience_slides, readable_spans
from decklab.seen.reader import SeenDeck, seen_of
from decklab.seen.seen_slide import SeenSlide
from decklab.seen.shown_copy import needs_shown_copy, write_shown_copy


@dataclass(frozen=True)
class DeckSource:
    """A deck as it was read, as an audience sees it, and its first format if LibreOffice converted
    it."""

    package: Package
    """Of the file that is drawn."""
    read: ReadDeck
    """The deck itself."""
    seen: SeenDeck
    with_hidden: bool
    """Whether all counts, seen or not."""
    shown: Path
    """The file to draw: the deck, or a copy without what only LibreOffice shows of it."""
    relaid: RelayoutCopy | NotScored | None = None
    converted: str = ""

    @cached_property
    def outline(self) -> DeckOutline:
        """Its outline as an audience sees it."""
        return audience_outline(self.read.outline, self.read.elements.slides, self.seen.slides)

    @cached_property
    def slides(self) -> tuple[SlideElements, ...]:
        """The slides of the show, with what counts of them."""
        slides = self.read.elements.slides
        if self.with_hidden:
            return tuple(slide for slide in slides if not slide.hidden)
        return audience_slides(slides, self.seen.slides)

    @cached_property
    def left_out(self) -> Mapping[int, str]:
        """Why slides are not measured, by number: those that could not be read, of which the
        drawing is a blank page, and those that the show does not reach."""
        unread = unread_slides(self.package, self.read.outline)
        if self.with_hidden:
            return unread
        return {
            slide.number: slide.left_out for slide in self.seen.slides if slide.left_out
        } | unread

    @property
    def unseen(self) -> str:
        """How much does not count because nobody sees it, in a sentence; empty for nothing."""
        return self.seen.sentence if self.seen.words_unseen and not self.with_hidden else ""

    def spans(self, slide: RenderedSlide, *, faint: bool = True) -> Sequence[TextSpan]:
        """The drawn text of a slide that counts; ``faint`` text too, for who measures contrast."""
        if self.with_hidden or slide.number not in self._seen:
            return slide.spans
        return readable_spans(slide.spans, self._seen[slide.number], faint=faint)

    @cached_property
    def _seen(self) -> Mapping[int, SeenSlide]:
        return {slide.number: slide for slide in self.seen.slides}


def read_own(deck: Path, office: DrawnAhead, stack: ExitStack, *, with_hidden: bool) -> DeckSource:
    """A .pptx, which LibreOffice begins to draw meanwhile; open until the end of ``stack``."""
    package = stack.enter_context(Package.open(deck))
    office.begin(deck)
    read = read_deck(package)
    seen, shown = seen_of(package, read.elements), deck
    if needs_shown_copy(seen.slides) and not with_hidden:
        folder = stack.enter_context(scratch_folder("shown"))
        shown = write_shown_copy(package, seen.slides, folder / deck.name)
        package = stack.enter_context(Package.open(shown))
        office.begin(shown)
    source = DeckSource(package, read, seen, with_hidden, shown)
    if not needs_reflow(source.outline):
        return source
    folder = stack.enter_context(scratch_folder("probe"))
    return replace(source, relaid=write_relayout(package, source.outline, folder))


def read_copy(
    deck: Path, slides: int, renderer: Renderer, stack: ExitStack, *, with_hidden: bool
) -> DeckSource | NotScored:
    """The copy as .pptx of a deck with so many slides, open until the end of ``stack``; the reason
    if there is none, or it has other slides."""
    try:
        file = stack.enter_context(as_powerpoint(deck, renderer))
        package = stack.enter_context(Package.open(file.path))
        read = read_deck(package)
        seen = seen_of(package, read.elements)
    except (DeckError, RenderError) as error:
        return NotScored(f"its copy as .pptx cannot be read: {error.detail}")
    count = len(read.outline.slides)
    if count != slides:
        return NotScored(f"its copy as .pptx has {count} slides, not {slides}")
    return DeckSource(package, read, seen, with_hidden, deck, converted=file.converted)


def unread_slides(package: Package, outline: DeckOutline) -> dict[int, str]:
    """The reason for each slide that could not be read, by number; it is drawn as a blank page."""
    reasons: dict[int, str] = {}
    for slide in outline.slides if outline.problems else ():
        if not slide.shapes:
            try:
                package.xml(slide.part)
            except DAMAGE as error:
                reasons[slide.number] = f"{error.part or slide.part}: {error.detail}"
    return reasons
