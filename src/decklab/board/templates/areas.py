"""What stands free on a slide of a template: pages that the browser lays out in one area of it."""

from dataclasses import replace

from decklab.board.blueprint import SlidePlan
from decklab.board.native.charts import DeckTheme, deck_theme
from decklab.board.pages.document import AreaPage
from decklab.board.templates.measuring import body_size
from decklab.board.templates.palette import AreaPalette
from decklab.board.templates.places import TemplateLayout
from decklab.board.themes import Components
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

_BODY, _SMALL = 20.0, 16.0
"""Points that bound the text of a page; see ``SlidePlan.text_size``."""


def page_scale(layout: TemplateLayout) -> float:
    """Points of a template's slide for a pixel of a page, so that the slide lies on the page."""
    width, height = layout.size
    return max(1.0, width / FRAME_WIDTH, height / FRAME_HEIGHT)


def theme_of(layout: TemplateLayout) -> DeckTheme:
    """The fonts and colours of a layout, as the theme of what is drawn on it."""
    theme = deck_theme(AreaPalette.of(layout))
    return replace(theme, name="template", components=Components(card="filled", badge="square"))


def area_page(plan: SlidePlan, layout: TemplateLayout, area: Box, ground: str) -> AreaPage:
    """The content of a slide in an area of a layout, in points; its texts are no larger than the
    layout's own."""
    scale = page_scale(layout)
    values = {name: getattr(plan, name) for name in SlidePlan.model_fields}
    size = body_size(layout) / scale
    if values["text_size"] is None and size <= _BODY:
        values["text_size"] = "small" if size <= _SMALL else "body"
    sides = (area.left, area.top, area.width, area.height)
    return AreaPage.model_construct(
        **values, area=tuple(side / scale for side in sides), ground=ground
    )
