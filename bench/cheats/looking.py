"""Ways to make a deck look better to a program and not to an audience, and to seem to move."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

from pptx.oxml import parse_xml
from pptx.util import Emu, Pt

from bench.cheats.hiding import A, P, effect, picture, plate, runs, timing
from bench.cheats.talk import PX, coffee
from bench.cheats.talk import color as rgb

Change = Callable[[Any], None]
"""Changes a deck."""
_WORDS: Final = "Every cup is better with beans that were roasted within the last two weeks"


def coffee_with(*changes: Change) -> Any:
    """The coffee deck, changed."""
    deck = coffee()
    for change in changes:
        change(deck)
    return deck


def each(change: Callable[[Any], None]) -> Change:
    """A change of every slide that the deck has at the beginning."""

    def apply(deck: Any) -> None:
        for slide in list(deck.slides):
            change(slide)

    return apply


def fine_slide(deck: Any, number: int, *, points: float = 24) -> Any:
    """A slide that all programs like: dark words on white, in line, beside a colourful area."""
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = f"What part {number} of the morning brings"
    body = slide.placeholders[1]
    body.width = Emu(560 * PX)
    words = _WORDS.split()
    body.text = " ".join(words[number % 5 :] + words[: number % 5] + [f"in week {number}"])
    for run in runs(body):
        run.font.size = Pt(points)
    area = slide.shapes.add_shape(1, Emu(680 * PX), Emu(140 * PX), Emu(220 * PX), Emu(320 * PX))
    area.fill.solid()
    area.fill.fore_color.rgb = rgb("1060C0")
    return slide


def fine_slides(count: int, hide: Callable[[Any, Any], None]) -> Change:
    """More slides that look well, each hidden in a way."""

    def add(deck: Any) -> None:
        for number in range(count):
            hide(deck, fine_slide(deck, number))

    return add


def switched_off(_deck: Any, slide: Any) -> None:
    slide._element.set("show", "0")


def gone_at_once(_deck: Any, slide: Any) -> None:
    slide._element.cSld.addnext(
        parse_xml(f'<p:transition xmlns:p="{P}" advTm="0"><p:fade/></p:transition>')
    )


def copies(number: int, count: int, *, change: bool = False) -> Change:
    """Copies of one of the deck's slides; ``change`` gives each another title."""

    def add(deck: Any) -> None:
        first = list(deck.slides)[number]
        for turn in range(count):
            slide = deck.slides.add_slide(first.slide_layout)
            for shape in list(slide.shapes):
                shape._element.getparent().remove(shape._element)
            for shape in first.shapes:
                slide.shapes._spTree.append(deepcopy(shape._element))
            if change:
                slide.shapes[0].text_frame.text = f"Water {turn}"

    return add


def bare_slides(count: int, words: Callable[[int], str], layout: int = 5) -> Change:
    """Slides with a title or nothing."""

    def add(deck: Any) -> None:
        for number in range(count):
            slide = deck.slides.add_slide(deck.slide_layouts[layout])
            if slide.shapes.title is not None:
                slide.shapes.title.text = words(number)

    return add


def boxes(
    count: int, text: str, change: Callable[[Any], None], points: float = 18
) -> Callable[[Any], None]:
    """Boxes of black words in line on a slide, each changed in a way."""

    def add(slide: Any) -> None:
        for row in range(count):
            place = Emu(60 * PX), Emu((60 + row * 14) * PX), Emu(300 * PX), Emu(30 * PX)
            box = slide.shapes.add_textbox(*place)
            box.text_frame.text = text
            for run in runs(box):
                run.font.size = Pt(points)
                run.font.color.rgb = rgb("000000")
            change(box)

    return add


def scaled(thousandths: int) -> Callable[[Any], None]:
    def shrink(box: Any) -> None:
        body = box._element.find(f".//{{{A}}}bodyPr")
        for fit in list(body):
            body.remove(fit)
        body.append(parse_xml(f'<a:normAutofit xmlns:a="{A}" fontScale="{thousandths}"/>'))

    return shrink


def place(x: int, y: int, w: int, h: int) -> Callable[[Any], None]:
    def move(box: Any) -> None:
        box.left, box.top, box.width, box.height = (Emu(edge * PX) for edge in (x, y, w, h))

    return move


def hidden(box: Any) -> None:
    box._element.xpath(".//p:cNvPr")[0].set("hidden", "1")


def gone(shape: Callable[[Any], Any], preset: str = "exit", inside: str = "") -> Change:
    """Something in front of every slide that effects take away before the first click."""

    def add(slide: Any) -> None:
        timing(slide, effect(shape(slide).shape_id, preset, "withEffect", inside=inside))

    return each(add)


def edge_on(shape: Callable[[Any], Any]) -> Change:
    scene = (
        f'<a:scene3d xmlns:a="{A}"><a:camera prst="orthographicFront">'
        '<a:rot lat="0" lon="5400000" rev="0"/></a:camera><a:lightRig rig="threePt" dir="t"/>'
        "</a:scene3d>"
    )
    return each(lambda slide: shape(slide)._element.spPr.append(parse_xml(scene)))


def poster(slide: Any) -> Any:
    """A cover of two colours with a few dark words."""
    area = plate(slide, "F4F8FF")
    area.text_frame.text = _WORDS
    font = runs(area)[0].font
    font.size, font.color.rgb = Pt(40), rgb("002060")
    return area


def stripes(slide: Any) -> Any:
    """A colourful picture behind everything, and a white one over it."""
    for shape in (plate(slide, "FFFFFF"), picture(slide, (240, 90, 30))):
        slide.shapes._spTree.insert(2, shape._element)


def transitions(xml: str) -> Change:
    def add(slide: Any) -> None:
        slide._element.cSld.addnext(
            parse_xml(f'<p:transition xmlns:p="{P}" spd="slow">{xml}</p:transition>')
        )

    return each(add)


FADES: Final = transitions("<p:fade/>")


def builds(
    shape: Callable[[Any], Any], preset: str = "entr", trigger: str = "clickEffect", **how: Any
) -> Change:
    """An effect on something of every slide."""

    def add(slide: Any) -> None:
        made = shape(slide)
        id = made if isinstance(made, int) else made.shape_id
        timing(slide, effect(id, preset, trigger, **how))

    return each(add)


def small_area(side: float, color: str = "103060") -> Callable[[Any], Any]:
    def add(slide: Any) -> Any:
        area = slide.shapes.add_shape(1, Emu(40 * PX), Emu(40 * PX), *[Emu(int(side * PX))] * 2)
        area.fill.solid()
        area.fill.fore_color.rgb = rgb(color)
        area.line.fill.background()
        return area

    return add


def with_box(text: str, change: Callable[[Any], None]) -> Callable[[Any], Any]:
    def add(slide: Any) -> Any:
        boxes(1, text, change)(slide)
        return slide.shapes[-1]

    return add
