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
    Geometry,
    GroupBox,
    Item,
    Shape,
    Slot,
    TableBox,
    TextBox,
    TextStyle,
    Token,
)
from decklab.composing.fitting import LEAST_PT, at_size, chart_fits, fit_table
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
_LEAST_CARD, _LEAST_ONLY_CARD = 128.0, 184.0
_MOST_ROW_AIR = 14.0
_MOST_STEPS = 5
_MOST_CARDS = 6
_ONE_COLUMN = 4
_MOST_STATIONS, _MOST_STATION = 6, 80.0
"""Parts of the deck in a column of the contents, and the most height of one."""
_BADGE = 36.0
_EDGE = 8.0
_LABEL_CHARACTERS = 40
"""A longer label of a card is a sentence, and is set as one."""


def _title(page: PageDraft) -> None:
    centred = page.style.align == "center"
    left, right = span(0, 12) if centred else span(0, page.style.columns)
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
    left, right = span(0, page.style.columns)
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
    """The parts of the deck as stations of a way, in one column or two."""
    page.head()
    points = page.plan.body
    _too_many(page, points, 2 * _MOST_STATIONS)
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


def _body(page: PageDraft) -> None:
    page.head()
    if page.plan.key is not None:
        _key_beside(page, page.plan.key)
        return
    area = across(0, 11, page.area) if page.plan.shown_role == "body" else page.area
    box = page.points("Text", area, page.plan.body, IDX_BODY)
    page.add(*(page.aired(one) for one in page.fitted([box], least=page.theme.scale.small)))


def _key_beside(page: PageDraft, key: int) -> None:
    """One point on the accent colour, the others beside it."""
    points = page.plan.body
    scale = page.theme.scale
    style = TextStyle(scale.title, "background", heading=True, anchor="middle")
    box = TextBox(
        "Key point", across(0, 5, page.area), (BoxParagraph(points[key].text),), style,
        fill="accent", geometry=corners(page.theme), inset=24.0,
    )  # fmt: skip
    sizes = [scale.title, scale.body] if page.most in (None, scale.body) else [scale.body]
    roomy = [at_size(box, size) for size in (*sizes, scale.small)]
    spare = [one for one in roomy if page.fitter.fits(_doubled(one))]
    page.fit(spare[:1] or [box], least=page.least)
    rest = (*points[:key], *points[key + 1 :])
    text = page.points("Text", across(5, 7, page.area), rest, IDX_BODY)
    text = replace(
        text, box=Box(text.box.left + 8, *text.box[1:]), style=replace(text.style, anchor="middle")
    )
    page.add(*(page.aired(one) for one in page.fitted([text], least=scale.small)))


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
        rules.append(Shape(f"Column {number} rule", Box(left, top, right, top + 6), "accent"))
        text = page.points(
            f"Column {number}",
            Box(left, top + 6, right, bottom),
            column.points,
            idx,
            heading=column.heading,
        )
        boxes.append(replace(text, fill="surface", inset=_CARD_INSET))
    boxes = page.fitted(boxes, least=page.least)
    for rule, box in zip(rules, boxes, strict=True):
        page.add(rule, box)


def _picture_beside(page: PageDraft, *, right: bool) -> None:
    page.head()
    first, text = (6, 0) if right else (0, 6)
    area = page.area
    room = across(first, 6, area)
    box = _on_plate(page, room)
    words = []
    if page.plan.body:
        words = [page.points("Text", across(text, 6, area), page.plan.body, IDX_BODY)]
        words = [page.aired(one) for one in page.fitted(words)]
    items: list[Item] = [*words, *box] if right else [*box, *words]
    page.add(*items)


def _on_plate(page: PageDraft, room: Box) -> list[Item]:
    """The picture in its place; a figure that is shown whole stands on an area of that place."""
    picture = page.plan.picture
    if picture is not None and picture.kind == "photograph":
        return [placed_picture(page, room)]
    inner = Box(room.left + 16, room.top + 16, room.right - 16, room.bottom - 16)
    plate = Shape("Plate", room, "background", "line", corners(page.theme))
    return [plate, placed_picture(page, inner)]


def _picture_full(page: PageDraft) -> None:
    page.head()
    page.add(*_on_plate(page, page.area))


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
        box = replace(box, fill="tint", inset=_CARD_INSET, geometry=corners(page.theme))
        page.add(*(page.aired(one) for one in page.fitted([box])))


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
    alone = len(paragraphs) == 1 and kind != "ruled"
    style = TextStyle(
        page.theme.scale.body, page.style.text, anchor="middle" if alone else "top", spacing=6.0
    )
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
    """Put fitted cards on the slide with what the theme draws of them."""
    ruled = page.theme.components.card == "ruled"
    for card in cards:
        left, top, right, bottom = card.box
        if ruled:
            rule = Shape(f"{card.name} rule", Box(left, top, right, top + 4), "accent")
            text = replace(card, box=Box(left, top + _CARD_INSET, right, bottom), inset=0.0)
        else:
            rule = Shape(f"{card.name} edge", Box(left, top, left + _EDGE, bottom), "accent")
            text = replace(card, box=Box(left + _EDGE, top, right, bottom), geometry="rect")
        page.add(GroupBox(f"{card.name} group", (rule, text)))


def _are_sentences(cards: Sequence[Step]) -> bool:
    """Whether the labels of cards are too long for names of something."""
    longest = max(len(card.label) for card in cards)
    return longest > _LABEL_CHARACTERS and all(card.text is None for card in cards)


def _step_paragraphs(page: PageDraft, step: Step) -> list[BoxParagraph]:
    if page.plan.layout == "cards" and _are_sentences(page.plan.cards):
        return [BoxParagraph(step.label, color=page.style.text)]
    label = BoxParagraph(step.label, bold=True, color="accent")
    text = [] if step.text is None else [BoxParagraph(step.text, color=page.style.text)]
    return [label, *text]


def _row_height(page: PageDraft, cards: Sequence[TextBox], most: float) -> float:
    """Height of a row of cards: room for a longest paragraph of twice the length, for editors."""
    least = _LEAST_CARD if most < page.area.height / 2 else _LEAST_ONLY_CARD
    cards, _fits = page.fitter.largest(
        [replace(card, box=_with_height(card.box, most)) for card in cards], LEAST_PT
    )
    high = max(page.fitter.height(_doubled(card)) + 2 * card.inset for card in cards)
    return min(max(UNIT * (high // UNIT + 1), least), most)


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
    _add_cards(page, page.fitted(placed, least=page.least))


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
    made = [replace(card, box=Box(card.box.left, top, card.box.right, top + high)) for card in made]
    first, *others = page.fitted(made, least=page.least)
    page.add(_on_accent(page, first))
    _add_cards(page, others)


def _on_accent(page: PageDraft, card: TextBox) -> TextBox:
    """A card whose words stand on the accent colour."""
    paragraphs = tuple(replace(item, color=None) for item in card.paragraphs)
    style = replace(card.style, color="background")
    return replace(
        card, paragraphs=paragraphs, style=style, fill="accent", line=None,
        geometry=corners(page.theme), inset=_CARD_INSET,
    )  # fmt: skip


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


def _timeline(page: PageDraft) -> None:
    page.head()
    steps = page.plan.steps[:_MOST_STEPS]
    _too_many(page, page.plan.steps, _MOST_STEPS)
    slots = shares(page.area, len(steps), 16)
    side, line_y = 24.0, page.area.top + 32
    dots, texts = [], []
    for number, (step, slot) in enumerate(zip(steps, slots, strict=True), start=1):
        dot = Box(slot.left, line_y - side / 2, slot.left + side, line_y + side / 2)
        round_dot = page.theme.components.badge == "disc"
        dots.append(
            Shape(f"Point {number}", dot, "accent", geometry="ellipse" if round_dot else "rect")
        )
        box = Box(slot.left, line_y + 32, slot.right, page.area.bottom)
        text = _card(page, f"Step {number}", box, _step_paragraphs(page, step))
        texts.append(replace(text, fill="surface", line=None, inset=12.0))
    high = _row_height(page, texts, page.area.bottom - line_y - 32)
    texts = page.fitted(
        [replace(text, box=_with_height(text.box, high)) for text in texts], least=page.least
    )
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
        box = replace(box, fill=fill, line=None, inset=14.0, paragraphs=_numbered(box, number))
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
