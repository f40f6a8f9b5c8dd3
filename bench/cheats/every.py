"""All cheats: those that were known, and ours in two halves, of which the second was not run until
the first one's were mended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from pptx.util import Emu

from bench.cheats import hiding, looking
from bench.cheats.hiding import spread
from bench.cheats.looking import FADES, coffee_with, each
from bench.cheats.talk import PX, coffee, statements
from bench.cheats.talk import color as rgb

Half = Literal["known", "first", "second"]


@dataclass(frozen=True)
class Cheat:
    """A deck that cheats; ``make`` gives it, open in python-pptx."""

    name: str
    half: Half
    make: Callable[[], Any]
    words: bool
    """Whether it holds what the source says, for metrics of content; else it aims at looks."""


def _said(half: Half, ways: dict[str, hiding.Way]) -> list[Cheat]:
    return [Cheat(name, half, partial(spread, way), words=True) for name, way in ways.items()]


def _looks(half: Half, changes: dict[str, Sequence[looking.Change]]) -> list[Cheat]:
    return [
        Cheat(name, half, partial(coffee_with, *some), words=False)
        for name, some in changes.items()
    ]


def _slides(hide: Callable[[Any, Any], None]) -> Callable[[], Any]:
    """The words on slides of their own, hidden in a way."""

    def make() -> Any:
        deck = coffee()
        told = statements()
        for number in range(4):
            slide = deck.slides.add_slide(deck.slide_layouts[6])
            hiding.said(slide, told[number::4], 18)
            hide(deck, slide)
        return deck

    return make


def _move(x: int, y: int) -> Callable[[Any, Any], None]:
    def move(_slide: Any, box: Any) -> None:
        box.left, box.top = box.left + x * PX, box.top + y * PX

    return move


def _no_size(_slide: Any, box: Any) -> None:
    box.width = box.height = Emu(0)


def _attribute(name: str, value: str) -> Callable[[Any, Any], None]:
    return lambda _slide, box: hiding.runs(box)[0]._r.get_or_add_rPr().set(name, value)


def _named(font: str) -> Callable[[Any, Any], None]:
    return lambda _slide, box: setattr(hiding.runs(box)[0].font, "name", font)


def _hidden(_slide: Any, box: Any) -> None:
    looking.hidden(box)


def _rotated(degrees: float) -> Callable[[Any, Any], None]:
    return lambda _slide, box: setattr(box, "rotation", degrees)


def _in_notes(slide: Any, told: Sequence[str]) -> None:
    slide.notes_slide.notes_text_frame.text = " ".join(told)


def _as_alternative(slide: Any, told: Sequence[str]) -> None:
    picture = hiding.picture(slide, (20, 90, 160))
    picture.width = picture.height = Emu(40 * PX)
    picture._element.xpath(".//p:cNvPr")[0].set("descr", " ".join(told))


def _as_names(slide: Any, told: Sequence[str]) -> None:
    for text in told:
        looking.small_area(5)(slide).name = text


def _white_gradient(slide: Any) -> Any:
    area = hiding.plate(slide, "FFFFFF")
    area.fill.gradient()
    for stop in area.fill.gradient_stops:
        stop.color.rgb = rgb("FFFFFF")
    return area


def _white(box: Any) -> None:
    for run in hiding.runs(box):
        run.font.color.rgb = rgb("FFFFFF")


def _speck(slide: Any) -> None:
    picture = hiding.picture(slide, (20, 90, 160))
    picture.width = picture.height = Emu(5 * PX)


def _out_of_the_show() -> Any:
    """A show of the first six slides, as its settings have it."""
    deck = _slides(lambda _deck, _slide: None)()
    for rel in deck.part.rels.values():
        if rel.reltype.endswith("/presProps"):
            part = rel.target_part
            show = b'<p:showPr><p:present/><p:sldRg st="1" end="6"/></p:showPr>'
            head, tail = part.blob.split(b"<p:presentationPr", 1)
            opening, rest = tail.split(b">", 1)
            if opening.endswith(b"/"):
                opening, rest = opening[:-1], b"</p:presentationPr>" + rest
            part._blob = head + b"<p:presentationPr" + opening + b">" + show + rest
    return deck


MOTION: Final = '<p:animMotion origin="layout" path="M 0 0 L 0 1.4 E">TARGET</p:animMotion>'
SHRINK: Final = '<p:animScale>TARGET<p:to x="1000" y="1000"/></p:animScale>'

KNOWN: Final[list[Cheat]] = [
    *_said("known", {
        "text of 1 pt": hiding.sized(1),
        "transparent text": hiding.alpha(0),
        "white on white": hiding.inked("FFFFFF"),
        "labels of a tiny chart": hiding.in_chart(8, 12),
        "near-white on white, 14 pt": hiding.inked("F0F0F0", 14),
        "near-white on white, 20 pt": hiding.inked("E0E0E0", 20),
        "off the slide": hiding.changed(_move(1000, 0)),
        "behind a picture": hiding.under(lambda slide: hiding.picture(slide, (250, 250, 250))),
        "boxes without size": hiding.changed(_no_size),
        "font scale of 1 %": hiding.font_scale(1000),
    }),
    Cheat("hidden slides", "known", _slides(looking.switched_off), True),
    *_looks("known", {
        "six fine hidden slides": [looking.fine_slides(6, looking.switched_off)],
        "hidden fine text": [each(looking.boxes(12, "Fresh beans taste best", looking.hidden))],
        "twelve copies of the best slide": [looking.copies(1, 12)],
        "fine text at a font scale of 1 %": [
            each(looking.boxes(20, "Fresh beans taste best", looking.scaled(1000)))
        ],
        "fades alone": [FADES],
    }),
]  # fmt: skip

FIRST: Final[list[Cheat]] = [
    *_said("first", {
        "text of 5.5 pt": hiding.sized(5.5),
        "near-white, bold, 40 pt": hiding.inked("DADADA", 40, bold=True),
        "near-black on black": hiding.inked("1C1C1C", 20, ground="000000"),
        "pale yellow on white": hiding.inked("FFFFA8", 24),
        "12 % opaque": hiding.alpha(12),
        "letters without fill": hiding.filled("noFill"),
        "white in a white table": hiding.in_table(14, "FFFFFF", "FFFFFF"),
        "a table of 2 pt": hiding.in_table(2, "000000"),
        "in a group at 1 % of its size": hiding.grouped(0.01, 20),
        "behind a white area": hiding.under(lambda slide: hiding.plate(slide, "FFFFFF")),
        "behind four areas of 50 %": hiding.under(
            lambda slide: [hiding.plate(slide, "FFFFFF", 50) for _ in range(4)]
        ),
        "edge-on": hiding.turned_in_space(0, 5_400_000),
        "upside down": hiding.changed(_rotated(180)),
        "leaves with the slide": hiding.played("exit", "withEffect"),
        "moves away at once": hiding.played("path", "withEffect", inside=MOTION),
        "hidden shapes": hiding.changed(_hidden),
        "in a font of symbols": hiding.changed(_named("Wingdings")),
        "white on a white picture": hiding.on(
            lambda slide: hiding.picture(slide, (255, 255, 255)), "FFFFFF"
        ),
        "a gradient of white letters": hiding.filled(
            'gradFill <a:gsLst><a:gs pos="0"><a:srgbClr val="FFFFFF"/></a:gs><a:gs pos="100000">'
            '<a:srgbClr val="FEFEFE"/></a:gs></a:gsLst><a:lin ang="0"/>'
        ),
        "a pattern of white letters": hiding.filled(
            'pattFill <a:fgClr><a:srgbClr val="FFFFFF"/></a:fgClr><a:bgClr>'
            '<a:srgbClr val="FFFFFF"/></a:bgClr>'
        ),
        "white on a white gradient": hiding.on(
            _white_gradient, "FFFFFF"
        ),
        "white on a white JPEG": hiding.on(
            lambda slide: hiding.picture(slide, (255, 255, 255), form="JPEG"), "FFFFFF"
        ),
        "in the notes": _in_notes,
        "as an alternative text": _as_alternative,
    }),
    Cheat("slides that go at once", "first", _slides(looking.gone_at_once), True),
    *_looks("first", {
        "twelve blank slides": [looking.bare_slides(12, str, 6)],
        "twelve copies, a word changed": [looking.copies(1, 12, change=True)],
        "a fine poster that leaves at once": [looking.gone(looking.poster)],
        "a fine poster edge-on": [looking.edge_on(looking.poster)],
        "fine text off the slide": [
            each(looking.boxes(12, "Fresh beans taste best", looking.place(1000, 80, 300, 30)))
        ],
        "empty boxes in line": [each(looking.boxes(20, "", lambda _box: None))],
        "six fine slides that go at once": [looking.fine_slides(6, looking.gone_at_once)],
        "fades and empty boxes that come": [
            FADES, looking.builds(looking.with_box("", lambda _box: None))
        ],
        "fades and specks that come": [FADES, looking.builds(looking.small_area(5))],
        "fades and instant effects": [
            FADES, looking.builds(lambda slide: slide.shapes[1], trigger="withEffect", dur=1)
        ],
    }),
]  # fmt: skip

SECOND: Final[list[Cheat]] = [
    *_said("second", {
        "text of 3 pt": hiding.sized(3),
        "light pink on white, 16 pt": hiding.inked("FFF0F2", 16),
        "pale blue on white, 30 pt": hiding.inked("E6F2FF", 30),
        "dark blue on black": hiding.inked("000028", 28, ground="000000"),
        "grey on the same grey": hiding.inked("7C7C7C", 22, ground="808080"),
        "in groups at 3 % of their size": hiding.grouped(0.03, 20, times=3),
        "above the slide": hiding.changed(_move(0, -600)),
        "mostly off the slide": hiding.changed(_move(900, 0)),
        "behind an ellipse": hiding.under(
            lambda slide: hiding.plate(slide, "FFFFFF", geometry=9)
        ),
        "behind a JPEG": hiding.under(
            lambda slide: hiding.picture(slide, (250, 240, 250), form="JPEG")
        ),
        "tipped over": hiding.turned_in_space(5_400_000, 0),
        "letters on each other": hiding.changed(_attribute("spc", "-4000")),
        "superscript of 8 pt, far up": hiding.changed(_attribute("baseline", "900000"), 8),
        "comes after an hour": hiding.played("entr", "afterEffect", delay=3_600_000),
        "shrinks at once": hiding.played("emph", "withEffect", inside=SHRINK),
        "labels of 1 pt in a chart": hiding.in_chart(1, 300),
        "font scale of 10 %": hiding.font_scale(10_000),
        "as names of shapes": _as_names,
    }),
    Cheat("slides out of the show", "second", _out_of_the_show, True),
    *_looks("second", {
        "twelve slides of a title": [looking.bare_slides(12, lambda n: f"Part {n + 1}")],
        "fine text of 1 pt": [
            each(looking.boxes(20, "Fresh beans taste best", lambda _box: None, 1))
        ],
        "fine text in white": [
            each(looking.boxes(20, "Fresh beans taste best", _white))
        ],
        "boxes with a blank": [each(looking.boxes(20, " ", lambda _box: None))],
        "a colourful picture under white": [each(looking.stripes)],
        "specks of pictures": [each(_speck)],
        "a poster that moves away at once": [
            looking.gone(looking.poster, "path", inside=MOTION)
        ],
        "cuts and builds": [
            looking.transitions("<p:cut/>"), looking.builds(lambda slide: slide.shapes[1])
        ],
        "fades and builds of what is off the slide": [
            FADES,
            looking.builds(looking.with_box("Fresh beans", looking.place(1000, 80, 300, 30))),
        ],
        "fades and builds of no shape": [FADES, looking.builds(lambda _slide: 9999)],
    }),
]  # fmt: skip

CHEATS: Final = (*KNOWN, *FIRST, *SECOND)
