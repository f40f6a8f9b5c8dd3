"""Charts of pages by their data, as native charts with workbooks in the colours of the deck."""

from typing import Any

from pptx.oxml import parse_xml
from pydantic import ValidationError

from decklab.board.blueprint import ChartPlan
from decklab.board.boxes import ChartBox
from decklab.board.chart_looks import chart_words
from decklab.board.native.markup import DECLARED, named_xml
from decklab.board.native.palette import Palette
from decklab.board.pptx_charts import add_native_chart
from decklab.board.themes import SCHEME, Colors
from decklab.board.typography import Face
from decklab.core.geometry import Box
from decklab.deck.frames import Frame
from decklab.ooxml.xml import EMU_PER_POINT
from decklab.rendering.measured import ChartItem


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
    palette: Palette, language: str,
) -> Any:  # fmt: skip
    """Put a native chart on a slide; returns the element of its frame. ``size`` is in points."""
    colors = Colors(**{token: palette.slots[slot] for token, slot in SCHEME.items()})
    left, top, width, height = (
        side / EMU_PER_POINT for side in (frame.left, frame.top, frame.width, frame.height)
    )
    box = Box(left, top, left + width, top + height)
    item_box = ChartBox(f"Chart {id}", box, plan, size)
    graphic = add_native_chart(slide, item_box, Face(palette.body, language=language), colors)
    head = (
        f"<p:nvGraphicFramePr {DECLARED}>"
        f"{named_xml(id, f'Chart {id}', item.label or chart_words(plan))}<p:cNvGraphicFramePr>"
        '<a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>'
    )
    graphic.replace(graphic[0], parse_xml(head))
    return graphic
