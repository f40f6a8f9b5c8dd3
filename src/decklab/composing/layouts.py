"""The library of layouts: from a slide's content and a theme to absolute boxes.

Every layout is a function that fills a ``PageDraft``. They share one grid, and the places of title,
source and footers, so that nothing jumps from slide to slide.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from decklab.composing.blueprint import LayoutName, Step
from decklab.composing.boxes import (
    BoxParagraph,
    ChartBox,
    GroupBox,
    Item,
    Shape,
    Slot,
    TableBox,
    TextBox,
    TextStyle,
    Token,
)
from decklab.composing.fitting import LEAST_PT, chart_fits, fit_table
from decklab.composing.languages import quotation_marks
from decklab.composing.page import (
    FOOTER_BOX,
    GUTTER,
    IDX_BODY,
    IDX_OBJECT,
    IDX_SECOND,
    IDX_SUBTITLE,
    IDX_THIRD,
    IDX_UNIT,
    NUMBER_BOX,
    UNIT,
    PageDraft,
    across,
    corners,
    glued,
    shares,
    span,
)
from decklab.composing.pictures import placed_picture
from decklab.geometry import Box

_CARD_INSET = 16.0
_LEAST_CARD = 128.0
_MOST_ROW_AIR = 14.0
_MOST_STEPS = 5
_MOST_CARDS = 6


def _title(page: PageDraft) -> None:
    centred = page.style.align == "center"
    left, right = span(0, 12) if centred else span(0, 10)
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


def _section(page: PageDraft) -> None:
    left, right = span(0, 10)
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


def _contents(page: PageDraft) -> None:
    page.head()
    box = page.points("Contents", across(0, 10, page.area), page.plan.body, IDX_BODY, number=True)
    page.fit([replace(box, style=replace(box.style, spacing=14.0))], least=page.theme.scale.small)


def _body(page: PageDraft) -> None:
    page.head()
    box = page.points("Text", across(0, 10, page.area), page.plan.body, IDX_BODY)
    page.fit([box], least=page.theme.scale.small)


def _columns(page: PageDraft, count: int) -> None:
    page.head()
    boxes: list[TextBox] = []
    rules: list[Shape] = []
    for number, (area, column, idx) in enumerate(
        zip(
            shares(page.area, count),
            page.plan.columns,
            (IDX_BODY, IDX_SECOND, IDX_THIRD),
            strict=False,
        ),
        start=1,
    ):
        left, top, right, bottom = area
        rules.append(Shape(f"Column {number} rule", Box(left, top, right, top + 2), "accent"))
        boxes.append(
            page.points(
                f"Column {number}",
                Box(left, top + 16, right, bottom),
                column.points,
                idx,
                heading=column.heading,
            )
        )
    boxes = page.fitted(boxes, least=page.least)
    for rule, box in zip(rules, boxes, strict=True):
        page.add(rule, box)


def _picture_beside(page: PageDraft, *, right: bool) -> None:
    page.head()
    first, text = (6, 0) if right else (0, 6)
    area = page.area
    box = placed_picture(page, across(first, 6, area))
    words = []
    if page.plan.body:
        words = [page.points("Text", across(text, 6, area), page.plan.body, IDX_BODY)]
        words = page.fitted(words)
    items: list[Item] = [*words, box] if right else [box, *words]
    page.add(*items)


def _picture_full(page: PageDraft) -> None:
    page.head()
    page.add(placed_picture(page, page.area))


def _chart_in(page: PageDraft, area: Box) -> None:
    """The chart with its unit above."""
    chart = page.plan.chart
    if chart is None:
        return
    scale = page.theme.scale
    unit = Box(area.left, area.top, area.right, area.top + 20)
    style = TextStyle(scale.caption, page.style.muted)
    if chart.unit:
        page.line("Unit", unit, chart.unit, style, Slot("body", IDX_UNIT))
    size = scale.caption
    if len(chart.categories) * len(chart.series) <= 8 and area.width > 700:
        size = scale.small
    if not chart_fits(chart, page.fitter, size, area.width):
        size = scale.caption
    if not chart_fits(chart, page.fitter, size, area.width):
        more = " (a chart of kind 'bar' has more room)" if chart.kind in ("column", "line") else ""
        page.problems.append(f"Chart: the names of its categories do not fit{more}")
    box = Box(area.left, area.top + 24, area.right, area.bottom)
    page.add(ChartBox("Chart", box, chart, size, Slot("chart", IDX_OBJECT)))


def _chart(page: PageDraft) -> None:
    page.head()
    _chart_in(page, page.area)


def _chart_takeaways(page: PageDraft) -> None:
    page.head()
    _chart_in(page, across(0, 8, page.area))
    if page.plan.body:
        box = page.points("Takeaways", across(8, 4, page.area), page.plan.body, IDX_BODY)
        page.fit([box])


def _table(page: PageDraft) -> None:
    page.head()
    table, area = page.plan.table, page.area
    if table is None:
        return
    fit = fit_table(table, page.fitter, area.width, area.height)
    if not fit.fits:
        page.problems.append(f"Table: its rows do not fit at {fit.size:g} pt")
    spare = max(area.height - sum(fit.heights), 0) / len(fit.heights)
    heights = tuple(height + min(spare, _MOST_ROW_AIR) for height in fit.heights)
    numeric = tuple(
        _is_numeric([row[column] for row in table.rows]) for column in range(len(table.header))
    )
    box = Box(area.left, area.top, area.right, area.top + sum(heights))
    page.add(
        TableBox(
            "Table", box, table, fit.size, fit.widths, heights, numeric, Slot("table", IDX_OBJECT)
        )
    )


def _is_numeric(cells: Sequence[str]) -> bool:
    """Whether most cells that are not empty begin with a digit, after a sign or currency."""
    full = [cell.strip() for cell in cells if cell.strip()]
    begin = [cell.lstrip("+-−–$€£¥≈<>~( ")[:1].isdigit() for cell in full]
    return bool(full) and sum(begin) > len(full) / 2 and max(map(len, full)) <= 16


def _card(page: PageDraft, name: str, box: Box, paragraphs: Sequence[BoxParagraph]) -> TextBox:
    """The text of a card on its area; not fitted yet."""
    kind = page.theme.components.card
    style = TextStyle(page.theme.scale.body, page.style.text, spacing=6.0)
    return TextBox(
        name,
        box,
        tuple(paragraphs),
        style,
        fill="surface" if kind == "filled" else None,
        line="line" if kind == "outlined" else None,
        geometry=corners(page.theme),
        inset=_CARD_INSET,
    )


def _add_cards(page: PageDraft, cards: Sequence[TextBox]) -> None:
    """Fit cards at one size, and put them on the slide with what the theme draws of them."""
    ruled = page.theme.components.card == "ruled"
    for card in page.fitted(cards, least=page.least):
        if not ruled:
            page.add(card)
            continue
        left, top, right, _ = card.box
        rule = Shape(f"{card.name} rule", Box(left, top, right, top + 2), "accent")
        text = replace(card, box=Box(left, top + _CARD_INSET, right, card.box.bottom), inset=0.0)
        page.add(GroupBox(f"{card.name} group", (rule, text)))


def _step_paragraphs(page: PageDraft, step: Step) -> list[BoxParagraph]:
    label = BoxParagraph(step.label, bold=True, color="accent")
    text = [] if step.text is None else [BoxParagraph(step.text, color=page.style.text)]
    return [label, *text]


def _row_height(page: PageDraft, cards: Sequence[TextBox], most: float) -> float:
    """Height of a row of cards: room for a longest paragraph of twice the length, for editors."""
    cards, _fits = page.fitter.largest(
        [replace(card, box=_with_height(card.box, most)) for card in cards], LEAST_PT
    )
    high = max(page.fitter.height(_doubled(card)) + 2 * card.inset for card in cards)
    return min(max(UNIT * (high // UNIT + 1), _LEAST_CARD), most)


def _doubled(card: TextBox) -> TextBox:
    longest = max(range(len(card.paragraphs)), key=lambda place: len(card.paragraphs[place].text))
    twice = [
        replace(item, text=f"{item.text} {item.text}") if place == longest else item
        for place, item in enumerate(card.paragraphs)
    ]
    return replace(card, paragraphs=tuple(twice))


def _with_height(box: Box, height: float) -> Box:
    return Box(box.left, box.top, box.right, box.top + height)


def _cards(page: PageDraft) -> None:
    page.head()
    cards = page.plan.cards[:_MOST_CARDS]
    _too_many(page, page.plan.cards, _MOST_CARDS)
    columns = len(cards) if len(cards) <= 3 else 2 if len(cards) == 4 else 3
    rows = -(-len(cards) // columns)
    slots = shares(page.area, columns)
    made = [
        _card(page, f"Card {number + 1}", slots[number % columns], _step_paragraphs(page, card))
        for number, card in enumerate(cards)
    ]
    most = (page.area.height - GUTTER * (rows - 1)) / rows
    high = _row_height(page, made, most)
    top = _optical_top(page.area, rows * high + (rows - 1) * GUTTER)
    placed = []
    for number, card in enumerate(made):
        y = top + number // columns * (high + GUTTER)
        placed.append(replace(card, box=Box(card.box.left, y, card.box.right, y + high)))
    _add_cards(page, placed)


def _optical_top(area: Box, height: float) -> float:
    """Where something begins that stands a little above the middle of an area, on the unit."""
    return area.top + round((area.height - height) * 0.4 / UNIT) * UNIT


def _too_many(page: PageDraft, items: Sequence[object], most: int) -> None:
    if len(items) > most:
        page.problems.append(f"{len(items)} are more than the {most} that a slide shows")


def _big_numbers(page: PageDraft) -> None:
    page.head()
    scale = page.theme.scale
    made = []
    numbers = page.plan.numbers
    for number, (item, box) in enumerate(
        zip(numbers, shares(page.area, max(len(numbers), 2)), strict=False), start=1
    ):
        value = BoxParagraph(
            item.value, size=scale.display, color="accent", bold=True, heading=True
        )
        label = BoxParagraph(item.label, color=page.style.text)
        made.append(_card(page, f"Number {number}", box, (value, label)))
    made = _values_in_one_line(page, made)
    high = _row_height(page, made, page.area.height)
    top = _optical_top(page.area, high)
    _add_cards(
        page,
        [replace(card, box=Box(card.box.left, top, card.box.right, top + high)) for card in made],
    )


def _values_in_one_line(page: PageDraft, cards: list[TextBox]) -> list[TextBox]:
    """Numbers at the largest size of the scale at which none of them breaks."""
    sizes = page.theme.scale.down_from(page.theme.scale.display, page.theme.scale.body)
    for size in sizes:
        tried = [
            replace(card, paragraphs=(replace(card.paragraphs[0], size=size), *card.paragraphs[1:]))
            for card in cards
        ]
        if all(len(page.fitter.lines(card)[0]) == 1 for card in tried):
            return tried
    return tried


def _quote(page: PageDraft) -> None:
    page.head()
    quote = page.plan.quote
    if quote is None:
        return
    marks = quotation_marks(page.fitter.language)
    area = across(1, 10, page.area)
    area = Box(area.left, area.top + 24, area.right, area.bottom - 24)
    bar = Shape(
        "Quote bar",
        Box(area.left - GUTTER, area.top, area.left - GUTTER + 4, area.bottom),
        "accent",
    )
    paragraphs = [BoxParagraph(f"{marks[0]}{quote.text}{marks[1]}")]
    if quote.by:
        paragraphs.append(
            BoxParagraph(
                f"— {quote.by}", size=page.theme.scale.small, color=page.style.muted, heading=False
            )
        )
    style = TextStyle(
        page.theme.scale.title, page.style.text, heading=True, anchor="middle", spacing=16.0
    )
    page.add(bar)
    page.fit(
        [TextBox("Quote", area, tuple(paragraphs), style, Slot("body", IDX_BODY), prompt="Quote")]
    )


def _timeline(page: PageDraft) -> None:
    page.head()
    steps = page.plan.steps[:_MOST_STEPS]
    _too_many(page, page.plan.steps, _MOST_STEPS)
    slots = shares(page.area, len(steps), 16)
    side, line_y = 24.0, page.area.top + 72
    dots, texts = [], []
    for number, (step, slot) in enumerate(zip(steps, slots, strict=True), start=1):
        dot = Box(slot.left, line_y - side / 2, slot.left + side, line_y + side / 2)
        round_dot = page.theme.components.badge == "disc"
        dots.append(
            Shape(f"Point {number}", dot, "accent", geometry="ellipse" if round_dot else "rect")
        )
        box = Box(slot.left, line_y + 32, slot.right, page.area.bottom)
        style = TextStyle(page.theme.scale.body, page.style.text, spacing=6.0)
        texts.append(TextBox(f"Step {number}", box, tuple(_step_paragraphs(page, step)), style))
    texts = page.fitted(texts, least=page.least)
    for dot_shape, text in zip(dots, texts, strict=True):
        page.add(dot_shape, text)
    page.add(*(glued(*pair, arrow=False) for pair in pairwise(dots)))


def _process(page: PageDraft) -> None:
    page.head()
    steps = page.plan.steps[:_MOST_STEPS]
    _too_many(page, page.plan.steps, _MOST_STEPS)
    made = []
    for number, (step, slot) in enumerate(
        zip(steps, shares(page.area, len(steps), 32), strict=True), start=page.plan.first
    ):
        box = _card(page, f"Step {number}", slot, _step_paragraphs(page, step))
        fill: Token = "tint" if page.theme.components.card == "filled" else "surface"
        box = replace(box, fill=fill, line=None, inset=12.0, paragraphs=_numbered(box, number))
        made.append(box)
    high = _row_height(page, made, page.area.height)
    top = _optical_top(page.area, high)
    made = [replace(box, box=Box(box.box.left, top, box.box.right, top + high)) for box in made]
    made = page.fit(made, least=page.least)
    page.add(*(glued(*pair) for pair in pairwise(made)))


def _numbered(box: TextBox, number: int) -> tuple[BoxParagraph, ...]:
    first = replace(box.paragraphs[0], text=f"{number}. {box.paragraphs[0].text}", color=None)
    return (first, *box.paragraphs[1:])


def _comparison(page: PageDraft) -> None:
    page.head()
    heads: list[TextBox] = []
    bodies: list[TextBox] = []
    fills: tuple[Token, Token] = ("grey1", "accent")
    for number, (column, slot, fill, idx) in enumerate(
        zip(page.plan.columns, shares(page.area, 2), fills, (IDX_BODY, IDX_SECOND), strict=True),
        start=1,
    ):
        top = slot.top + 56
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
    heads, bodies = page.fitted(heads, lines=1), page.fitted(bodies, least=page.least)
    for head_box, body_box in zip(heads, bodies, strict=True):
        page.add(head_box, body_box)


def _closing(page: PageDraft) -> None:
    _title(page)


_LAYOUTS: Final[dict[LayoutName, Callable[[PageDraft], None]]] = {
    "title": _title,
    "contents": _contents,
    "section": _section,
    "body": _body,
    "two_columns": lambda page: _columns(page, 2),
    "three_columns": lambda page: _columns(page, 3),
    "picture_left": lambda page: _picture_beside(page, right=False),
    "picture_right": lambda page: _picture_beside(page, right=True),
    "picture_full": _picture_full,
    "chart": _chart,
    "chart_takeaways": _chart_takeaways,
    "table": _table,
    "big_numbers": _big_numbers,
    "quote": _quote,
    "timeline": _timeline,
    "process": _process,
    "comparison": _comparison,
    "cards": _cards,
    "closing": _closing,
}


def lay_out_page(page: PageDraft, *, footer: str | None = None, number: int = 1) -> None:
    """Fill a page by the layout that its plan names, with source line, footer and slide number."""
    _LAYOUTS[page.plan.layout](page)
    if page.plan.shown_role in ("body", "contents"):
        page.source()
        add_footers(page, footer, number)


def add_footers(page: PageDraft, footer: str | None, number: int) -> None:
    """The footer, where there is one, and the number of a slide."""
    style = TextStyle(page.theme.scale.caption, page.style.muted, anchor="middle")
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
