"""Charts of pages by their data, as native charts with workbooks in the colours of the deck."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptx.oxml import parse_xml
from pydantic import ValidationError

from decklab.board.blueprint import ChartPlan
from decklab.board.boxes import ChartBox
from decklab.board.chart_looks import chart_words
from decklab.board.fitting import Fitter
from decklab.board.native.palette import Palette
from decklab.board.pptx_charts import add_native_chart
from decklab.board.pptx_text import DECLARED, named_xml
from decklab.board.themes import Colors, DesignTheme, Fonts, RoleStyle
from decklab.core.geometry import Box
from decklab.deck.frames import Frame
from decklab.ooxml.xml import EMU_PER_POINT
from decklab.rendering.measured import ChartItem


@dataclass(frozen=True)
class DeckTheme(DesignTheme):
    """The theme of a deck of somebody else, which may be hard to read."""

    def __post_init__(self) -> None:
        """Its contrast is what it is."""


def deck_theme(palette: Palette) -> DeckTheme:
    """A palette as the theme that charts are drawn in."""
    slots: Mapping[str, str] = palette.slots
    colors = Colors(
        background=slots["bg1"], surface=slots["bg2"], text=slots["tx1"], muted=slots["tx2"],
        accent=slots["accent1"], grey1=slots["accent2"], grey2=slots["accent3"],
        grey3=slots["accent4"], line=slots["accent5"], tint=slots["accent6"],
    )  # fmt: skip
    fonts = Fonts(palette.heading, palette.body)
    return DeckTheme("converted", colors, fonts, {"body": RoleStyle()}, dark=palette.dark)


def chart_plan(item: ChartItem) -> ChartPlan | str:
    """The chart's plan, or the first thing that is wrong with it."""
    try:
        return ChartPlan.model_validate_json(item.plan)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        return f"{where}: {first['msg']}" if where else str(first["msg"])


def chart_frame(
    slide: Any, item: ChartItem, plan: ChartPlan, *, id: int, frame: Frame, size: float,
    fitter: Fitter,
) -> Any:  # fmt: skip
    """Put a native chart on a slide; returns the element of its frame. ``size`` is in points."""
    left, top, width, height = (
        side / EMU_PER_POINT for side in (frame.left, frame.top, frame.width, frame.height)
    )
    box = Box(left, top, left + width, top + height)
    graphic = add_native_chart(slide, ChartBox(f"Chart {id}", box, plan, size), fitter)
    head = (
        f"<p:nvGraphicFramePr {DECLARED}>"
        f"{named_xml(id, f'Chart {id}', item.label or chart_words(plan))}<p:cNvGraphicFramePr>"
        '<a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>'
    )
    graphic.replace(graphic[0], parse_xml(head))
    return graphic
