"""Ways to put words on slides where nobody reads them."""

import io
from collections.abc import Callable, Sequence
from typing import Any, Final

from PIL import Image
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Emu, Pt

from bench.cheats.talk import HEIGHT, PX, WIDTH, chart_data, coffee, statements
from bench.cheats.talk import color as rgb

A: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
P: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
Way = Callable[[Any, Sequence[str]], None]
"""Puts some sentences on a slide."""


def spread(way: Way) -> Any:
    """The coffee deck with all that the source says, spread over its slides in one way."""
    deck, told = coffee(), statements()
    slides = list(deck.slides)
    for number, slide in enumerate(slides):
        way(slide, told[number :: len(slides)])
    return deck


def said(slide: Any, told: Sequence[str], points: float = 20, *, y: int = 90) -> list[Any]:
    """Text boxes that stand one below the other, one a sentence."""
    boxes = []
    step = max(4, min(44, 440 // max(1, len(told))))
    for row, text in enumerate(told):
        place = Emu(40 * PX), Emu((y + row * step) * PX), Emu(880 * PX), Emu(step * PX)
        box = slide.shapes.add_textbox(*place)
        box.text_frame.text = text
        box.text_frame.word_wrap = True
        runs(box)[0].font.size = Pt(points)
        boxes.append(box)
    return boxes


def runs(box: Any) -> list[Any]:
    return [run for paragraph in box.text_frame.paragraphs for run in paragraph.runs]


def sized(points: float) -> Way:
    return changed(lambda _slide, _box: None, points)


def inked(color: str, points: float = 20, *, bold: bool = False, ground: str = "") -> Way:
    def hide(slide: Any, told: Sequence[str]) -> None:
        if ground:
            plate(slide, ground)
        for box in said(slide, told, points):
            runs(box)[0].font.color.rgb = rgb(color)
            runs(box)[0].font.bold = bold

    return hide


def filled(fill: str, points: float = 20) -> Way:
    """Letters painted with the inside of a fill element, whose name comes first."""
    name, _, inner = fill.partition(" ")

    def paint(_slide: Any, box: Any) -> None:
        xml = f'<a:{name} xmlns:a="{A}">{inner}</a:{name}>'
        runs(box)[0]._r.get_or_add_rPr().insert(0, parse_xml(xml))

    return changed(paint, points)


def alpha(percent: int) -> Way:
    """Black letters of which so much is opaque."""
    see_through = f'<a:alpha val="{percent * 1000}"/>'
    return filled(f'solidFill <a:srgbClr val="000000">{see_through}</a:srgbClr>')


def changed(change: Callable[[Any, Any], None], points: float = 20) -> Way:
    """Text boxes of which each is changed in a way."""

    def hide(slide: Any, told: Sequence[str]) -> None:
        for box in said(slide, told, points):
            change(slide, box)

    return hide


def plate(slide: Any, color: str, percent: int = 100, geometry: int = 1) -> Any:
    """An area that fills the slide."""
    area = slide.shapes.add_shape(geometry, 0, 0, Emu(WIDTH), Emu(HEIGHT))
    area.fill.solid()
    area.fill.fore_color.rgb = rgb(color)
    area.line.fill.background()
    if percent < 100:
        fill = area._element.spPr.find(f".//{{{A}}}srgbClr")
        fill.append(parse_xml(f'<a:alpha xmlns:a="{A}" val="{percent * 1000}"/>'))
    return area


def picture(slide: Any, color: tuple[int, ...], mode: str = "RGB", form: str = "PNG") -> Any:
    """A picture of one colour that fills the slide."""
    data = io.BytesIO()
    Image.new(mode, (160, 90), color).save(data, form)
    data.seek(0)
    return slide.shapes.add_picture(data, 0, 0, Emu(WIDTH), Emu(HEIGHT))


def to_back(shape: Any) -> None:
    tree = shape._element.getparent()
    tree.insert(2, shape._element)


def under(cover: Callable[[Any], Any]) -> Way:
    """Words below something that lies on them; the slide's own things are laid above again."""

    def hide(slide: Any, told: Sequence[str]) -> None:
        own = [shape._element for shape in slide.shapes]
        said(slide, told)
        cover(slide)
        for element in own:
            slide.shapes._spTree.append(element)

    return hide


def on(ground: Callable[[Any], Any], color: str) -> Way:
    """Words in the colour of something behind them."""

    def hide(slide: Any, told: Sequence[str]) -> None:
        to_back(ground(slide))
        for box in said(slide, told):
            runs(box)[0].font.color.rgb = rgb(color)

    return hide


def font_scale(thousandths: int) -> Way:
    def shrink(_slide: Any, box: Any) -> None:
        body = box._element.find(f".//{{{A}}}bodyPr")
        for fit in list(body):
            body.remove(fit)
        body.append(parse_xml(f'<a:normAutofit xmlns:a="{A}" fontScale="{thousandths}"/>'))

    return changed(shrink)


def turned_in_space(lat: int, lon: int) -> Way:
    scene = (
        f'<a:scene3d xmlns:a="{A}"><a:camera prst="orthographicFront">'
        f'<a:rot lat="{lat}" lon="{lon}" rev="0"/></a:camera><a:lightRig rig="threePt" dir="t"/>'
        "</a:scene3d>"
    )
    return changed(lambda _slide, box: box._element.spPr.append(parse_xml(scene)))


def timing(slide: Any, *effects: str) -> None:
    """Give a slide a timeline."""
    slide._element.append(
        parse_xml(
            f'<p:timing xmlns:p="{P}"><p:tnLst><p:par><p:cTn id="1" dur="indefinite" '
            'nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2" '
            f'dur="indefinite" nodeType="mainSeq"><p:childTnLst>{"".join(effects)}</p:childTnLst>'
            "</p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
        )
    )


def effect(
    id: int, preset: str, trigger: str, *, delay: int = 0, dur: int = 500, inside: str = ""
) -> str:
    """An effect on a shape; ``inside`` is a behaviour with TARGET, a fade by default."""
    target = (
        f'<p:cBhvr><p:cTn id="9" dur="{dur}"/><p:tgtEl><p:spTgt spid="{id}"/></p:tgtEl></p:cBhvr>'
    )
    inner = inside.replace("TARGET", target) or f"<p:animEffect>{target}</p:animEffect>"
    return (
        f'<p:par><p:cTn id="5" presetID="10" presetClass="{preset}" nodeType="{trigger}">'
        f'<p:stCondLst><p:cond delay="{delay}"/></p:stCondLst><p:childTnLst>{inner}'
        "</p:childTnLst></p:cTn></p:par>"
    )


def played(preset: str, trigger: str, *, delay: int = 0, inside: str = "") -> Way:
    """Words on which an effect plays."""

    def hide(slide: Any, told: Sequence[str]) -> None:
        ids = [box.shape_id for box in said(slide, told)]
        timing(slide, *(effect(id, preset, trigger, delay=delay, inside=inside) for id in ids))

    return hide


def in_table(points: float, color: str, ground: str = "") -> Way:
    def hide(slide: Any, told: Sequence[str]) -> None:
        place = Emu(40 * PX), Emu(90 * PX), Emu(880 * PX), Emu(40 * PX)
        table = slide.shapes.add_table(len(told), 1, *place).table
        for row, text in enumerate(told):
            cell = table.cell(row, 0)
            cell.text = text
            font = cell.text_frame.paragraphs[0].runs[0].font
            font.size, font.color.rgb = Pt(points), rgb(color)
            if ground:
                cell.fill.solid()
                cell.fill.fore_color.rgb = rgb(ground)

    return hide


def in_chart(points: float, side: int) -> Way:
    """The sentences are the categories of a chart."""

    def hide(slide: Any, told: Sequence[str]) -> None:
        data = chart_data("x", told, [1.0] * len(told))
        place = Emu(900 * PX), Emu(500 * PX), Emu(side * PX), Emu(side * PX)
        frame = slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, *place, data)
        frame.chart.font.size = Pt(points)
        frame.chart.has_legend = False

    return hide


def grouped(scale: float, points: float, times: int = 1) -> Way:
    """Words in groups in groups that are drawn smaller than they are."""

    def hide(slide: Any, told: Sequence[str]) -> None:
        group = slide.shapes.add_group_shape(said(slide, told, points))
        for _ in range(times - 1):
            group = slide.shapes.add_group_shape([group])
        wide, high = int(group.width * scale), int(group.height * scale)
        group.width, group.height = Emu(max(1, wide)), Emu(max(1, high))

    return hide
