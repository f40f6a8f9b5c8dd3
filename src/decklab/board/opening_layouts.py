"""Layouts that lead through a deck: title page, contents, section, closing."""

from itertools import pairwise
from typing import Final

from decklab.board.boxes import BoxParagraph, Geometry, Slot, TextBox, TextStyle
from decklab.board.page import IDX_BODY, IDX_SUBTITLE, PageDraft, corners, glued, shares, span
from decklab.core.geometry import Box

_ONE_COLUMN: Final = 4
_MOST_STATIONS, _MOST_STATION = 6, 80.0
"""Parts of the deck in a column of the contents, and the most height of one."""
_BADGE: Final = 36.0


def lay_out_title_page(page: PageDraft) -> None:
    """A large title with subtitle and byline, in the middle or at the side."""
    centred = page.style.align == "center"
    left, right = span(0, 12) if centred else span(0, max(9, page.style.columns))
    scale = page.theme.scale
    page.heading(
        Box(left, 112, right, 264), scale.display, least=scale.body, align=page.style.align
    )
    _below_title(page, left, right, 280)


def _below_title(page: PageDraft, left: float, right: float, top: float) -> None:
    """Subtitle, then byline or lines of the body, below a large title."""
    align, scale = page.style.align, page.theme.scale
    if page.plan.subtitle:
        style = TextStyle(scale.body, page.style.muted, align=align)
        page.line(
            "Subtitle",
            Box(left, top, right, top + 64),
            page.plan.subtitle,
            style,
            Slot("subtitle", IDX_SUBTITLE),
        )
    lines = [point.text for point in page.plan.body]
    if page.plan.byline:
        lines.append(page.plan.byline)
    if lines:
        style = TextStyle(scale.small, page.style.text, align=align, spacing=4)
        paragraphs = tuple(BoxParagraph(line) for line in lines)
        box = Box(left, top + 72, right, top + 136)
        page.fit(
            [TextBox("Byline", box, paragraphs, style, Slot("body", IDX_BODY), prompt="Byline")]
        )


def lay_out_section_page(page: PageDraft) -> None:
    """A large title with a subtitle, at the start of a part."""
    left, right = span(0, max(9, page.style.columns))
    page.heading(Box(left, 152, right, 296), page.theme.scale.display, least=page.theme.scale.body)
    if page.plan.subtitle:
        style = TextStyle(page.theme.scale.body, page.style.muted)
        page.line(
            "Subtitle",
            Box(left, 312, right, 384),
            page.plan.subtitle,
            style,
            Slot("subtitle", IDX_SUBTITLE),
        )


def lay_out_contents(page: PageDraft) -> None:
    """The parts of the deck as stations of a way, in one column or two."""
    page.head()
    points = page.plan.body
    page.note_too_many(points, 2 * _MOST_STATIONS)
    columns = 1 if len(points) <= _ONE_COLUMN else 2
    rows = -(-len(points) // columns)
    high = min(page.area.height / rows, _MOST_STATION)
    areas = shares(page.area, columns)
    badges, names = [], []
    for place, point in enumerate(points[: columns * rows]):
        area = areas[place // rows]
        middle = area.top + (place % rows + 0.5) * high
        number = page.plan.first + place
        side = Box(area.left, middle - _BADGE / 2, area.left + _BADGE, middle + _BADGE / 2)
        badges.append(_badge(page, f"Station {number}", side, str(number)))
        box = Box(side.right + 16, middle - high / 2 + 3, area.right, middle + high / 2 - 3)
        style = TextStyle(page.theme.scale.body, page.style.text, anchor="middle")
        names.append(
            TextBox(f"Contents {number}", box, (BoxParagraph(point.text),), style, fill="surface",
                    geometry=corners(page.theme), inset=6.0)
        )  # fmt: skip
    for badge, name in zip(badges, page.fitted(names, least=page.least), strict=True):
        page.add(badge, name)
    page.add(
        *(glued(one, other, arrow=False) for one, other in pairwise(badges)
          if one.box.bottom <= other.box.top)
    )  # fmt: skip


def _badge(page: PageDraft, name: str, box: Box, text: str) -> TextBox:
    """A number on the accent colour."""
    style = TextStyle(
        page.theme.scale.small, "background", bold=True, align="center", anchor="middle"
    )
    kind: Geometry = "ellipse" if page.theme.components.badge == "disc" else "rect"
    return TextBox(name, box, (BoxParagraph(text),), style, fill="accent", geometry=kind)
