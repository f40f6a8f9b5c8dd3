"""Layouts of text: body, columns, comparison, quote."""

from collections.abc import Sequence
from dataclasses import replace

from decklab.board.boxes import BoxParagraph, Shape, Slot, TextBox, TextStyle, Token
from decklab.board.fitting import at_size, doubled
from decklab.board.languages import quotation_marks
from decklab.board.page import (
    CARD_INSET,
    IDX_BODY,
    IDX_OBJECT,
    IDX_SECOND,
    IDX_THIRD,
    PageDraft,
    across,
    corners,
    shares,
)
from decklab.core.geometry import Box

_LINES_MORE = 2
_RULE, _SIDE_HEAD = 6.0, 56.0
"""Pixels of what stands above a column and a side of a comparison."""


def lay_out_body(page: PageDraft) -> None:
    """Points of text, with the key one of them apart on the accent colour."""
    page.head()
    if page.plan.key is not None:
        _key_beside(page, page.plan.key)
        return
    boxes = page.roomy([page.points("Text", page.area, page.plan.body, IDX_BODY)])
    if boxes[0].style.size <= page.theme.scale.body and page.plan.shown_role == "body":
        boxes = [replace(box, box=across(0, 11, page.area)) for box in boxes]
    page.add(*(page.aired(box) for box in page.fitted(boxes, least=page.theme.scale.small)))


def _key_beside(page: PageDraft, key: int) -> None:
    """One point on the accent colour, the others beside it."""
    points = page.plan.body
    scale = page.theme.scale
    style = TextStyle(scale.title, "background", heading=True, anchor="middle")
    box = TextBox(
        "Key point", across(0, 5, page.area), (BoxParagraph(points[key].text),), style,
        fill="accent", geometry=corners(page.theme), inset=24.0,
    )  # fmt: skip
    large = [scale.title, scale.lead] if page.most in (None, scale.body) else []
    roomy = [at_size(box, size) for size in (*large, scale.body, scale.small)]
    spare = [one for one in roomy if page.fitter.fits(doubled(one))]
    page.fit(spare[:1] or [box], least=page.least)
    rest = (*points[:key], *points[key + 1 :])
    text = page.points("Text", across(5, 7, page.area), rest, IDX_BODY)
    text = replace(
        text, box=Box(text.box.left + 8, *text.box[1:]), style=replace(text.style, anchor="middle")
    )
    page.add(*(page.aired(one) for one in page.fitted(page.roomy([text]), least=scale.small)))


def lay_out_columns(page: PageDraft, count: int) -> None:
    """Columns of points, each with its heading, on areas of their own."""
    page.head()
    boxes: list[TextBox] = []
    for number, (area, column, idx) in enumerate(
        zip(
            shares(page.area, count),
            page.plan.columns,
            (IDX_BODY, IDX_SECOND, IDX_THIRD),
            strict=False,
        ),
        start=1,
    ):
        room = area._replace(top=area.top + _RULE)
        text = page.points(f"Column {number}", room, column.points, idx, heading=column.heading)
        boxes.append(replace(text, fill="surface", inset=CARD_INSET))
    for number, box in enumerate(_side_by_side(page, boxes, _RULE), start=1):
        left, top, right, _ = box.box
        page.add(Shape(f"Column {number} rule", Box(left, top - _RULE, right, top), "accent"), box)


def _side_by_side(page: PageDraft, boxes: Sequence[TextBox], above: float) -> list[TextBox]:
    """Fitted texts as high as the longest of them needs, below something of a height."""
    boxes = page.fitted(page.roomy(boxes), least=page.least)
    high = min(page.high_enough(boxes), page.area.height - above)
    top = page.optical_top(high + above) + above
    placed = (replace(box, box=box.box._replace(top=top, bottom=top + high)) for box in boxes)
    return [page.aired(box) for box in placed]


def lay_out_comparison(page: PageDraft) -> None:
    """Two sides with their points; the heading of the second is on the accent colour."""
    page.head()
    heads: list[TextBox] = []
    bodies: list[TextBox] = []
    fills: tuple[Token, Token] = ("grey1", "accent")
    for number, (column, slot, fill, idx) in enumerate(
        zip(page.plan.columns, shares(page.area, 2), fills, (IDX_BODY, IDX_SECOND), strict=True),
        start=1,
    ):
        top = slot.top + _SIDE_HEAD
        style = TextStyle(page.theme.scale.body, "background", bold=True, anchor="middle")
        head = Box(slot.left, slot.top, slot.right, top)
        words = column.heading or ""
        heads.append(
            TextBox(f"Side {number}", head, (BoxParagraph(words),), style, fill=fill, inset=12.0)
        )
        body = page.points(
            f"Side {number} text", Box(slot.left, top, slot.right, slot.bottom), column.points, idx
        )
        bodies.append(replace(body, fill="surface", inset=12.0))
    bodies = _side_by_side(page, bodies, _SIDE_HEAD)
    for head_box, body_box in zip(page.fitted(heads, lines=1), bodies, strict=True):
        top = body_box.box.top
        place = head_box.box._replace(top=top - _SIDE_HEAD, bottom=top)
        page.add(replace(head_box, box=place), body_box)


def lay_out_quote(page: PageDraft) -> None:
    """A quote, or a statement that stands alone, in large letters, with who said it."""
    page.head()
    quote = page.plan.quote
    if quote is None:
        return
    marks = quotation_marks(page.fitter.language) if quote.quoted else ("", "")
    area = page.area
    bar = Shape("Quote bar", Box(area.left, area.top, area.left + 16, area.bottom), "accent")
    area = Box(area.left + 16, *area[1:])
    paragraphs = [BoxParagraph(f"{marks[0]}{quote.text}{marks[1]}")]
    if quote.by:
        paragraphs.append(
            BoxParagraph(f"— {quote.by}", size=page.theme.scale.small, color="text", heading=False)
        )
    style = TextStyle(page.theme.scale.title, "text", heading=True, anchor="middle", spacing=16.0)
    page.add(bar)
    box = TextBox(
        "Quote", area, tuple(paragraphs), style, Slot("body", IDX_BODY), fill="tint", inset=48.0,
        prompt="Quote",
    )  # fmt: skip
    page.fit([box])


def lay_out_code(page: PageDraft) -> None:
    """Code on an area of its own, with remarks beside it; below it, if the lines are long."""
    page.head()
    code = page.plan.code
    if code is None:
        return
    style = TextStyle(page.theme.scale.body, page.style.text, code=True)
    area = page.area
    box = TextBox(
        "Code", area, tuple(BoxParagraph(line) for line in code.lines), style,
        Slot("body", IDX_OBJECT), fill="surface", geometry=corners(page.theme), inset=CARD_INSET,
        prompt="Code",
    )  # fmt: skip
    if not page.plan.body:
        _add_code(page, box)
        return
    beside = replace(at_size(box, page.theme.scale.small), box=across(0, 8, area))
    text = page.points("Text", across(8, 4, area), page.plan.body, IDX_BODY)
    if any(len(lines) > 1 for lines in page.fitter.lines(beside)):
        text = page.points("Text", area, page.plan.body, IDX_BODY, size=page.theme.scale.small)
        top = area.bottom - page.fitter.height(text)
        end = _add_code(page, replace(box, box=area._replace(bottom=top - CARD_INSET)))
        text = replace(text, box=area._replace(top=end + CARD_INSET))
    else:
        _add_code(page, beside)
    page.fit([text], least=page.theme.scale.caption)


def _add_code(page: PageDraft, box: TextBox) -> float:
    """Put code on an area that ends below its last line, with room for some lines more; returns
    where it ends."""
    (code,) = page.fitted([box], least=page.least)
    left, top, right, bottom = code.box
    high = page.fitter.height(code) + 2 * code.inset + _LINES_MORE * code.style.size
    end = min(bottom, top + high)
    page.add(replace(code, box=Box(left, top, right, end)))
    return end
