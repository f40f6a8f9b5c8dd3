"""How it works: from the sea to the radiator, and what neighbours will hear of it."""

import io

import numpy as np
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.oxml import parse_xml
from pptx.presentation import Presentation as Deck
from pptx.shapes.autoshape import Shape
from pptx.shapes.connector import Connector
from pptx.shapes.group import GroupShape
from pptx.slide import Slide
from pptx.util import Pt

from generate.samples.filling import (
    add_shape,
    add_slide,
    add_text,
    describe,
    fill_placeholder,
    link_text,
    paint,
    set_notes,
)
from generate.samples.icons import add_icon
from generate.samples.markup import NAMESPACES
from generate.samples.media import HUM_SECONDS, embed_sound, pump_hum
from generate.samples.pictures import harbour_evening, jpeg, png, sound_poster
from generate.samples.rich.design import CHART, FIRST, HEADINGS, SECOND
from generate.samples.timing import Step, animate

_PUMP_NAME = "!!Heat pump"
"""Two exclamation marks tie shapes of neighbouring slides together in a morph."""

_STEPS = (
    ("waves", "Sea intake", "Water from 12\u00a0m depth, 4 to 14\u00a0°C", "accent4", "Sea intake"),
    ("plates", "Heat exchanger", "Salt water stays outside", "accent1", "Heat exchanger"),
    ("pump", "Heat pump", "Lifts the heat to 70\u00a0°C", "accent2", _PUMP_NAME),
    ("tank", "Storage", "Covers six hours of peak demand", "accent1", "Storage"),
    ("house", "Homes", "Heat and hot water, no boiler", "accent4", "Homes"),
)


def how_it_works(deck: Deck) -> Slide:
    """Section slide."""
    slide = add_slide(deck, "Section", "How it works")
    fill_placeholder(slide, FIRST, ["The sea never freezes here: even in February it holds heat."])
    fill_placeholder(slide, CHART, ["2"])
    set_notes(slide, "Coldest harbour reading in thirty years: 3.1 degrees.")
    return slide


def flow(deck: Deck) -> Slide:
    """Five steps; the arrows are connectors glued to the boxes."""
    slide = add_slide(deck, "Title only", "From the harbour to the radiator in five steps")
    boxes: list[Shape] = []
    icons: list[GroupShape] = []
    arrows: list[Connector] = []
    for n, (icon, title, text, color, name) in enumerate(_STEPS):
        left = 56 + n * 177
        boxes.append(_step_box(slide, left, title, text, color))
        icons.append(
            _step_icon(slide, icon, left, color, f"{name} icon" if name != _PUMP_NAME else name)
        )
        if n:
            arrows.append(_arrow(slide, boxes[n - 1], boxes[n]))
    steps = [Step(boxes[0]), Step(icons[0], start="with")]
    for arrow, box, icon_group in zip(arrows, boxes[1:], icons[1:], strict=True):
        steps += [
            Step(arrow, "wipe", duration_ms=300),
            Step(box, start="after"),
            Step(icon_group, start="with"),
        ]
    animate(slide, steps)
    set_notes(slide, "Follow one litre of warmth from left to right; the pump gets its own slide.")
    return slide


def _step_box(slide: Slide, left: float, title: str, text: str, color: str) -> Shape:
    box = add_shape(
        slide.shapes, f"{title} box", MSO_SHAPE.ROUNDED_RECTANGLE, (left, 226, 140, 206), "bg2",
        lines=[title, text], outline=color, size=16, text_color="tx1", corner=0.09, anchor="top",
    )  # fmt: skip
    frame = box.text_frame
    frame.margin_top = Pt(50)
    frame.margin_left = frame.margin_right = Pt(8)
    heading = frame.paragraphs[0].runs[0].font
    heading.size, heading.bold = Pt(18), True
    paint(heading, "tx2")
    frame.paragraphs[1].space_before = Pt(6)
    return box


def _step_icon(slide: Slide, icon: str, left: float, color: str, name: str) -> GroupShape:
    spark = "accent1" if color == "accent2" else "accent2"
    return add_icon(slide, icon, (left + 20, 166, 100, 100), name, disc=color, spark=spark)


def _arrow(slide: Slide, start: Shape, end: Shape) -> Connector:
    connector = slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *[Pt(0)] * 4)
    connector.begin_connect(start, 3)  # type: ignore[no-untyped-call]
    connector.end_connect(end, 1)  # type: ignore[no-untyped-call]
    connector.name = f"{start.name} to {end.name}"
    connector.line.width = Pt(3)
    paint(connector.line.fill, "tx2")
    connector.line._get_or_add_ln().append(
        parse_xml(f'<a:tailEnd {NAMESPACES} type="triangle" w="med" len="med"/>')
    )
    return connector


def pump(deck: Deck) -> Slide:
    """The pump of the slide before grows into the picture that explains it."""
    slide = add_slide(deck, "Title on tint", "One unit of power moves three units of heat")
    add_icon(
        slide, "pump", (62, 150, 300, 300), _PUMP_NAME, disc="accent2", spark="accent1",
        alt="Heat pump drawn as a wheel with four blades",
    )  # fmt: skip
    power = _unit_row(slide, 150, "Electricity", 1, color="accent2", text_color="tx1")
    sea = _unit_row(slide, 258, "From the sea", 2, color="accent3", text_color="tx1")
    heat = _unit_row(slide, 366, "Heat delivered", 3, color="accent1", text_color="bg1")
    animate(slide, [
        Step(power, "wipe"), Step(sea, "wipe"), Step(heat, "wipe"),
    ])  # fmt: skip
    describe(power, "One unit of electricity goes in")
    describe(sea, "Two units of heat come from the sea")
    describe(heat, "Three units of heat are delivered")
    set_notes(slide, "Seasonal performance 3.0 is the cautious figure; the supplier says 3.3.")
    return slide


def _unit_row(
    slide: Slide, top: float, label: str, units: int, *, color: str, text_color: str
) -> GroupShape:
    words = add_text(
        slide.shapes, f"{label} label", (400, top, 150, 84), [label], size=20, color="tx2",
        bold=True, anchor="middle",
    )  # fmt: skip
    blocks = [
        add_shape(
            slide.shapes, f"{label} unit {n + 1}", MSO_SHAPE.ROUNDED_RECTANGLE,
            (556 + n * 118, top, 108, 84), color, lines=["1 kWh"], size=20, text_color=text_color,
            bold=True, corner=0.12,
        )
        for n in range(units)
    ]  # fmt: skip
    row = slide.shapes.add_group_shape([words, *blocks])
    row.name = f"{label}: {units} kWh"
    return row


def boilers_or_network(deck: Deck) -> Slide:
    """Two columns to compare."""
    slide = add_slide(deck, "Two columns", "A boiler in every cellar, or one shared network")
    fill_placeholder(slide, HEADINGS[0], ["Boilers, as today"])
    fill_placeholder(slide, HEADINGS[1], ["Shared network"])
    left = fill_placeholder(slide, FIRST, [
        "3,900 chimneys to sweep",
        "Fuel price set abroad",
        "New boiler every 20 years",
        "\tabout € 14,000 each",
        "Tank or gas pipe in each house",
        "Read the cost study",
    ])  # fmt: skip
    link_text(left, 5, "https://nordholm.example.org/heat/cost-study")
    right = fill_placeholder(slide, SECOND, [
        "One plant, watched day and night",
        "Power from the regional wind farm",
        "Pipes last 60 years",
        "\tstation in the cellar: € 4,500",
        "The size of a kitchen cupboard",
    ])  # fmt: skip
    flame = add_icon(slide, "coins", (80, 142, 60, 60), "Cost icon", disc="tx2", spark="accent2")
    drop = add_icon(
        slide, "drop", (516, 142, 60, 60), "Water icon", disc="bg1", ink="accent1", spark="accent2"
    )
    animate(slide, [
        Step(flame), *(Step(left, start="with", paragraph=n) for n in range(6)),
        Step(drop), *(Step(right, start="with", paragraph=n) for n in range(5)),
    ])  # fmt: skip
    set_notes(slide, "Prices: average of three offers from January, before any grant.")
    return slide


def quiet(deck: Deck) -> Slide:
    """Picture, text and a sound that plays from the deck."""
    slide = add_slide(deck, "Picture and text", "Quiet enough for the old town")
    target = next(p for p in slide.placeholders if p.placeholder_format.idx == CHART)
    picture = target.insert_picture(io.BytesIO(jpeg(harbour_evening())))
    picture.name = "Harbour in the evening"
    describe(picture, "Gabled houses with lit windows behind two boats, mirrored in the harbour")
    fill_placeholder(slide, FIRST, [
        "38 dB at the nearest bedroom window, less than rain",
        "The pump hall lies below the old ferry pier",
    ])  # fmt: skip
    sound = pump_hum()
    samples = np.frombuffer(sound, dtype="<i2", offset=44)
    player = embed_sound(
        slide, sound, png(sound_poster(samples)), (56, 344, 440, 126), name="Pump hall sound",
        alt=f"Sound of the pump hall at full load, {HUM_SECONDS} seconds; click to play",
    )  # fmt: skip
    animate(slide, [Step(player, "play", duration_ms=HUM_SECONDS * 1000)], sound=player)
    set_notes(slide, "Play the recording. It is the reference plant at full load, ten metres away.")
    return slide
