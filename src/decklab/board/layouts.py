"""The library of layouts: from a slide's content and a theme to absolute boxes.

Every layout is a function that fills a ``PageDraft``. They share one grid, and the places of title,
source and footers, so that nothing jumps from slide to slide.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from decklab.board.boxes import BoxParagraph, Slot, TextBox, TextStyle
from decklab.board.card_layouts import (
    lay_out_big_numbers,
    lay_out_cards,
    lay_out_process,
    lay_out_timeline,
)
from decklab.board.library import LayoutName
from decklab.board.object_layouts import (
    lay_out_chart,
    lay_out_chart_takeaways,
    lay_out_picture_beside,
    lay_out_picture_full,
    lay_out_table,
)
from decklab.board.opening_layouts import lay_out_contents, lay_out_section_page, lay_out_title_page
from decklab.board.page import FOOTER_BOX, NUMBER_BOX, PageDraft
from decklab.board.text_layouts import (
    lay_out_body,
    lay_out_code,
    lay_out_columns,
    lay_out_comparison,
    lay_out_quote,
)
from decklab.core.errors import PlanError

_LAYOUTS: Final[dict[LayoutName, Callable[[PageDraft], None]]] = {
    "title": lay_out_title_page,
    "contents": lay_out_contents,
    "section": lay_out_section_page,
    "body": lay_out_body,
    "two_columns": lambda page: lay_out_columns(page, 2),
    "three_columns": lambda page: lay_out_columns(page, 3),
    "picture_left": lambda page: lay_out_picture_beside(page, right=False),
    "picture_right": lambda page: lay_out_picture_beside(page, right=True),
    "picture_full": lay_out_picture_full,
    "chart": lay_out_chart,
    "chart_takeaways": lay_out_chart_takeaways,
    "table": lay_out_table,
    "big_numbers": lay_out_big_numbers,
    "quote": lay_out_quote,
    "timeline": lay_out_timeline,
    "process": lay_out_process,
    "comparison": lay_out_comparison,
    "cards": lay_out_cards,
    "code": lay_out_code,
    "closing": lay_out_title_page,
}


def lay_out_page(page: PageDraft, *, footer: str | None = None, number: int = 1) -> None:
    """Fill a page by the layout that its plan names, with source line, footer and slide number."""
    if page.plan.layout not in _LAYOUTS:
        raise PlanError(f"layout {page.plan.layout!r} is drawn by the browser only")
    _LAYOUTS[page.plan.layout](page)
    if page.plan.shown_role in ("body", "contents"):
        page.source()
        add_footers(page, footer, number)


def add_footers(page: PageDraft, footer: str | None, number: int) -> None:
    """The footer, where there is one, and the number of a slide."""
    style = TextStyle(page.theme.scale.caption, page.style.foot, anchor="middle")
    if footer:
        page.fit([TextBox("Footer", FOOTER_BOX, (BoxParagraph(footer),), style, Slot("footer", 11),
                          prompt="Footer")], lines=1)  # fmt: skip
    page.add(
        TextBox(
            "Slide number",
            NUMBER_BOX,
            (BoxParagraph(str(number)),),
            replace(style, align="end"),
            Slot("number", 12),
            prompt="‹#›",
        )
    )
