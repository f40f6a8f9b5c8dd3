"""Slides that a renderer drew, as the rules of lint take them, and their findings."""

from collections.abc import Iterable

from decklab.core.results import Finding
from decklab.deck.model.slide import DeckElements
from decklab.linting.rules.every import file_findings, integrity_findings
from decklab.linting.rules.page import Page, stand_ins
from decklab.rendering.font_report import FontReport
from decklab.rendering.pictures import RenderedSlide


def page_of(slide: RenderedSlide) -> Page:
    """A drawn slide as the rules take it; without text that was only recognised in the picture."""
    spans = slide.spans if slide.text_source == "layout" else ()
    return Page(slide.number, spans, lambda: slide.image, slide.key)


def drawn_findings(
    elements: DeckElements, slides: Iterable[RenderedSlide], fonts: FontReport
) -> list[Finding]:
    """The findings of the scored rules for a deck of which some slides were drawn."""
    pages, replaced = map(page_of, slides), stand_ins(fonts.replaced)
    matches = integrity_findings(elements, pages, replaced_fonts=replaced)
    return [*matches, *file_findings(elements)]
