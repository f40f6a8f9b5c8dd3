"""What stands free on a slide of a template: pages that the browser lays out in one area of it."""

from dataclasses import dataclass

from decklab.board.blueprint import SlidePlan
from decklab.board.pages.document import AreaPage
from decklab.board.templates.measuring import body_size
from decklab.board.templates.palette import AreaPalette
from decklab.board.templates.places import TemplateLayout
from decklab.board.themes import SCHEME, Colors, Components, DesignTheme, Fonts, RoleStyle
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

_BODY, _SMALL = 20.0, 16.0
"""Points that bound the text of a page; see ``SlidePlan.text_size``."""


@dataclass(frozen=True)
class TemplateTheme(DesignTheme):
    """The theme of a template, which may be hard to read."""

    def __post_init__(self) -> None:
        """Its contrast is what it is."""


def page_scale(layout: TemplateLayout) -> float:
    """Points of a template's slide for a pixel of a page, so that the slide lies on the page."""
    width, height = layout.size
    return max(1.0, width / FRAME_WIDTH, height / FRAME_HEIGHT)


def theme_of(layout: TemplateLayout) -> DesignTheme:
    """The fonts and colours of a layout, as the theme of what is drawn on it."""
    palette = AreaPalette.of(layout)
    return TemplateTheme(
        "template",
        Colors(**{token: palette.slots[slot] for token, slot in SCHEME.items()}),
        Fonts(palette.heading, palette.body),
        {"body": RoleStyle()},
        Components(card="filled", badge="square"),
        dark=palette.dark,
    )


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
