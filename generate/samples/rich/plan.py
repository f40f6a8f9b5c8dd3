"""What is planned: the energy mix, the phases, the decision, and the assumptions behind them."""

from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.group import GroupShape
from pptx.slide import Slide
from pptx.util import Pt

from generate.samples.charts import insert_chart, style_legend
from generate.samples.filling import (
    add_shape,
    add_slide,
    describe,
    fill_placeholder,
    paint,
    place,
    set_notes,
)
from generate.samples.rich.design import CHART, FIRST
from generate.samples.smartart import Phase, add_phases
from generate.samples.timing import Step, animate

_MIX = {
    "Seawater heat pump": (0.58, "accent1"),
    "Waste heat, fish hall": (0.17, "accent3"),
    "Wood chips": (0.15, "accent4"),
    "Power-to-heat": (0.07, "accent5"),
    "Peak boiler": (0.03, "accent2"),
}

_PHASES = (
    Phase("2026 Design", ("Permits", "Intake survey", "Contracts with large users"), "tx1"),
    Phase("2027 Quay", ("Intake and pump hall", "Schools, hospital"), "tx2"),
    Phase("2029 Old town", ("9 km of pipe", "2,300 homes"), "accent4"),
    Phase("2032 Hillside", ("7 km of pipe", "4,100 homes"), "accent1"),
)

_COSTS = ("€ 1.9", "€ 18", "€ 31", "€ 22")

_ASSUMPTIONS = (
    ("Assumption", "Low", "Base", "High"),
    ("Electricity price (€/MWh)", "62", "84", "120"),
    ("Seasonal performance", "2.7", "3.0", "3.3"),
    ("Homes connected by 2035", "4,800", "6,400", "7,100"),
    ("Interest on the loan", "2.4 %", "3.1 %", "4.0 %"),
    ("Heat price (€/MWh)", "88", "96", "118"),
)


def mix(deck: Deck) -> Slide:
    """A doughnut of the heat sources in 2035."""
    slide = add_slide(
        deck, "Chart and takeaways", "In 2035 three quarters of the heat is already here"
    )
    frame = insert_chart(
        slide, CHART, XL_CHART_TYPE.DOUGHNUT, list(_MIX),
        {"Share of heat in 2035": [share for share, _ in _MIX.values()]},
        name="Heat mix 2035", number_format="0%",
        alt="Doughnut chart of the heat mix in 2035: seawater heat pump 58 %, waste heat 17 %, "
        "wood chips 15 %, power-to-heat 7 %, peak boiler 3 %",
    )  # fmt: skip
    _style_doughnut(frame)
    body = fill_placeholder(slide, FIRST, [
        "Sea and fish hall: 75 %",
        "Wood chips on cold days only",
        "\tfrom the town's own forest",
        "Peak boiler: 3 %",
        "\tkept for safety",
    ])  # fmt: skip
    animate(slide, [
        Step(frame, duration_ms=800),
        Step(body, paragraph=0),
        *(Step(body, start="click" if n % 2 else "with", paragraph=n) for n in (1, 2, 3, 4)),
    ])  # fmt: skip
    set_notes(slide, "The fish hall's cooling plant warms the air today; we would buy that heat.")
    return slide


def _style_doughnut(frame: GraphicFrame) -> None:
    chart = frame.chart
    chart.has_title = False
    chart.font.size = Pt(14)
    style_legend(chart, size=14, color="tx1", side="right")
    plot = chart.plots[0]
    plot._element.find(qn("c:holeSize")).set("val", "56")
    series = plot.series[0]
    series.data_labels.show_value = True
    for n, (_, color) in enumerate(_MIX.values()):
        point = series.points[n]
        paint(point.format.fill, color)
        paint(point.format.line.fill, "bg1")
        font = point.data_label.font
        font.size, font.bold = Pt(15), True
        paint(font, "bg1" if color in ("accent1", "accent4") else "tx1")


def roadmap(deck: Deck) -> Slide:
    """Native SmartArt."""
    slide = add_slide(deck, "Title only", "Four phases to full service")
    diagram = add_phases(
        slide, _PHASES, (56, 134, 848, 240), name="Four phases",
        alt="Four arrows: design in 2026, quay in 2027, old town in 2029, hillside in 2032",
    )  # fmt: skip
    budget = _budget(slide)
    animate(slide, [Step(diagram, "wipe", duration_ms=1000), Step(budget)])
    set_notes(slide, "No street is opened twice: water mains are renewed in the same trench.")
    return slide


def _budget(slide: Slide) -> GroupShape:
    """What each phase costs, one label below each arrow, as one group."""
    width = (848 - 3 * 10) / 4
    labels = [
        add_shape(
            slide.shapes, f"Budget {phase.heading}", MSO_SHAPE.RECTANGLE,
            (56 + n * (width + 10), 390, width, 84), "bg2", lines=[cost, "million"], size=18,
            text_color="tx2", bold=True,
        )
        for n, (phase, cost) in enumerate(zip(_PHASES, _COSTS, strict=True))
    ]  # fmt: skip
    for label in labels:
        label.text_frame.paragraphs[0].runs[0].font.size = Pt(30)
    group = slide.shapes.add_group_shape(labels)
    group.name = "Budget per phase"
    return group


def decision(deck: Deck) -> Slide:
    """What the council is asked for."""
    slide = add_slide(deck, "Closing", "What we ask you to decide today")
    body = fill_placeholder(slide, FIRST, [
        "Release € 1.9 million for the design phase",
        "Reserve the pier site until 2028",
        "Name two members for the steering group",
    ])  # fmt: skip
    animate(slide, [Step(body, paragraph=n) for n in range(3)])
    set_notes(slide, "Vote on the three points one by one. The assumptions are on the next slide.")
    return slide


def link_to_backup(decision: Slide, backup: Slide) -> None:
    """A button that jumps to the hidden slide."""
    button = add_shape(
        decision.shapes, "Assumptions button", MSO_SHAPE.ROUNDED_RECTANGLE, (658, 424, 194, 44),
        "bg1", lines=["See the assumptions"], size=15, text_color="tx2", bold=True, corner=0.5,
    )  # fmt: skip
    button.click_action.target_slide = backup


def assumptions(deck: Deck) -> Slide:
    """Backup table, hidden in the show."""
    slide = add_slide(deck, "Title only", "Backup: assumptions behind the numbers")
    slide.element.set("show", "0")
    frame = slide.shapes.add_table(6, 4, *place((56, 132, 848, 336)))
    frame.name = "Assumptions"
    describe(frame, "Low, base and high value of the five main assumptions")
    table = frame.table
    for column, width in enumerate((380, 156, 156, 156)):
        table.columns[column].width = Pt(width)
    for row, texts in enumerate(_ASSUMPTIONS):
        for column, text in enumerate(texts):
            cell = table.cell(row, column)
            cell.text = text
            run = cell.text_frame.paragraphs[0].runs[0]
            run.font.size = Pt(18)
            run.font.bold = row == 0 or column == 2
            cell.vertical_anchor = MSO_ANCHOR.MIDDLE
    set_notes(slide, "Only if asked. The base case is what all other slides use.")
    return slide
