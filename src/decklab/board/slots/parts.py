"""Slides that somebody else designed: parts drawn in an area of a slide."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pptx.oxml import parse_xml
from pptx.slide import Slide

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.board.boxes import Token
from decklab.board.native.decks import PageDrawer
from decklab.board.native.palette import Palette
from decklab.board.native.scale import Scale
from decklab.board.pages.document import AreaPage
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.themes import SCHEME, Colors, Components, DesignTheme, Fonts, RoleStyle
from decklab.core.errors import PlanError
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.ooxml.xml import EMU_PER_POINT, qn

_MOST: Final = 28.0
"""Points of the text of a page at most, until that of its deck is known."""


@dataclass(frozen=True)
class PartTheme(DesignTheme):
    """The theme of a part, in the colours of its slide, which may be hard to read."""

    def __post_init__(self) -> None:
        """Its contrast is what it is."""


@dataclass(frozen=True)
class DrawnPart:
    """A page of a deck that the browser laid out; pages are counted from 0."""

    deck: LaidOutDeck
    page: int

    @property
    def plan(self) -> SlidePlan:
        """Its words."""
        return self.deck.slides[self.page]


def part_theme(colors: Mapping[Token, str], heading: str, body: str) -> PartTheme:
    """The theme of parts with these colours by what they are for, and these fonts."""
    return PartTheme(
        "slide", Colors(**{token: colors[token] for token in SCHEME}), Fonts(heading, body),
        {"body": RoleStyle()}, Components(card="filled", badge="square"),
    )  # fmt: skip


def page_scale(size: tuple[float, float]) -> float:
    """Points of a slide for a pixel of a page, so that a slide of that size lies on the page.

    >>> page_scale((720.0, 540.0)), page_scale((480.0, 270.0)), page_scale((1920.0, 1080.0))
    (1.0, 0.5, 2.0)
    """
    return max(size[0] / FRAME_WIDTH, size[1] / FRAME_HEIGHT)


def area_page(plan: SlidePlan, area: Box, *, size: tuple[float, float], ground: str) -> AreaPage:
    """The content of a plan in an area of a slide of that size, both in points.

    ``ground`` is the colour behind it.
    """
    scale = page_scale(size)
    values = {name: getattr(plan, name) for name in SlidePlan.model_fields}
    if plan.layout == "picture_half":  # it takes half of a whole page
        values["layout"] = "picture_right" if plan.body else "picture_full"
    sides = (area.left, area.top, area.width, area.height)
    return AreaPage.model_construct(
        **values, area=tuple(side / scale for side in sides), ground=ground, most=_MOST
    )


def draw_parts(
    plan: DeckPlan, theme: DesignTheme, parts: Mapping[int, AreaPage]
) -> dict[int, list[DrawnPart] | str]:
    """The pages of parts, by their numbers; for one that no number of pages holds, why.

    ``plan`` says the language. Raises what the browser raises.
    """
    try:
        deck = lay_out_deck(
            plan.model_copy(update={"slides": tuple(parts.values()), "sections": ()}), theme
        )
    except PlanError as error:
        if len(parts) == 1:
            why = str(error).partition("): ")[2] or str(error)
            return dict.fromkeys(parts, why)
        return {
            number: pages
            for number, part in parts.items()
            for pages in draw_parts(plan, theme, {number: part}).values()
        }
    numbers = list(parts)
    drawn: dict[int, list[DrawnPart] | str] = {}
    for number in numbers:
        drawn[number] = [
            DrawnPart(deck, page) for page, of in enumerate(deck.places) if numbers[of] == number
        ]
    return drawn


@dataclass
class PartDrawer:
    """Draws parts on slides of one size; pictures of one laid-out deck are embedded once."""

    size: tuple[float, float]
    drawers: dict[int, PageDrawer]

    def shapes(self, part: DrawnPart, slide: Slide, palette: Palette, first: int) -> list[Any]:
        """The elements of a part for a slide: their ids count from ``first``."""
        key = id(part.deck)
        if key not in self.drawers:
            scale = Scale(page_scale(self.size) * EMU_PER_POINT)
            self.drawers[key] = PageDrawer(part.deck.measured, palette, scale)
        return self.drawers[key].shapes(part.page, slide, first)


def recolor(root: Any, colors: Mapping[Token, str]) -> None:
    """Give an element that was written with the slots of decklab's themes other colours.

    ``colors`` are elements of DrawingML by what they are for.
    """
    tokens = {slot: token for token, slot in SCHEME.items()}
    for item in list(root.iter(qn("a:schemeClr"))):
        token = tokens.get(item.get("val") or "")
        if token is not None:
            fresh = parse_xml(colors[token])
            fresh.extend(list(item))
            item.getparent().replace(item, fresh)


Avoided = Mapping[int, frozenset[str]]
"""For slides of a plan, counted from 0, the keys of what they should not stand on."""
NOTHING: Final[Avoided] = MappingProxyType({})


class PageUse(NamedTuple):
    """A written slide: which slide of the plan it shows, from 0, and the key of what it is on."""

    of: int
    key: str
