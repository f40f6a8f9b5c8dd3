"""The rich deck's own look: a theme of teals with one coral accent, and nine layouts.

All decoration (bands, waves, logo, panels, footers) lives on the master and the layouts. The hues
keep to one harmonic template: teals within a sector around 195 degrees, coral opposite to them.
"""

from pptx.presentation import Presentation as Deck

from generate.samples.icons import icon_xml
from generate.samples.markup import (
    Frame,
    freeform,
    gradient,
    group,
    line,
    placeholder,
    preset,
    solid,
    text_style,
)
from generate.samples.masters import blank_deck, layout_xml, master_xml, theme_xml

_COLORS = {
    "dk1": "#0B2E3B", "lt1": "#FFFFFF", "dk2": "#0F4C5C", "lt2": "#E3F1F2",
    "accent1": "#137A8B", "accent2": "#F2704E", "accent3": "#4FB3BF", "accent4": "#1D5C8F",
    "accent5": "#9CD3D3", "accent6": "#F7B08F", "hlink": "#0E6E80", "folHlink": "#3E6B7A",
}  # fmt: skip

FIRST, SECOND, CHART = 1, 2, 13
"""Indices of the text and the chart (or picture) placeholders on the layouts."""

HEADINGS = (14, 15)
"""Indices of the two column headings."""

_SLIDE: Frame = (0, 0, 960, 540)
_PALE_TEXT = "accent5"


def _logo(id: int, left: float, top: float, ink: str, text: str) -> str:
    mark = icon_xml(
        "drop", (left, top, 22, 22), id, "Logo mark", disc="accent2", ink="bg1", spark="accent6"
    )
    words = preset(
        id + 4, "Logo name", "rect", (left + 28, top, 130, 22), "<a:noFill/>", text=text,
        style=text_style(1, 11, ink, bold=True, font="+mj-lt"),
    )  # fmt: skip
    return group(id + 5, "Logo", (left, top, 158, 22), mark + words)


def _wave(id: int, name: str, top: float, swing: float, fill: str) -> str:
    high, low = max(0, round(60 - swing)), round(60 + swing)
    path = f"M 0 60 C 160 {high} 320 {low} 480 60 C 640 {high} 800 {low} 960 60 L 960 300 L 0 300 Z"
    return freeform(id, name, (0, top, 960, 540 - top), path, fill, grid=(960, 300))


def _footers(own: bool, color: str = "tx2", *, number_left: float = 824) -> str:
    """Footer and slide number; without ``own`` place and style they inherit the master's."""
    return placeholder(
        40, "Footer Placeholder 39", "ftr", 11, (230, 505, 300, 22) if own else None,
        prompt="Footer", anchor="ctr", styles=text_style(1, 11, color) if own else "",
    ) + placeholder(
        41, "Slide Number Placeholder 40", "sldNum", 12,
        (number_left, 505, 80, 22) if own else None, prompt="‹#›", anchor="ctr", field=True,
        styles=text_style(1, 11, color, bold=True, align="r") if own else "",
    )  # fmt: skip


def _master(layouts: int) -> str:
    shapes = (
        preset(20, "Edge band", "rect", (0, 0, 14, 540), gradient("accent3", "accent4", 90))
        + preset(21, "Title accent", "roundRect", (56, 38, 44, 5), solid("accent2"))
        + preset(22, "Footer rule", "rect", (56, 498, 848, 1), solid("accent5"))
        + _logo(23, 56, 505, "tx2", "TIDEWATER HEAT")
        + placeholder(
            2, "Title Placeholder 1", "title", None, (56, 46, 848, 64), prompt="Title",
            anchor="ctr", inset=(0, 0),
        )
        + placeholder(
            3, "Text Placeholder 2", "body", 1, (56, 128, 848, 352), prompt="Text", inset=(0, 4)
        )
        + _footers(True)
    )  # fmt: skip
    sizes = (20, 17, 15, 14, 14, 14, 14, 14, 14)
    bodies = "".join(
        text_style(
            level, size, "tx1", bullet="•", bullet_color="accent2", indent=18 * level, hang=18,
            before=10 if level == 1 else 4, spacing=100,
        )
        for level, size in enumerate(sizes, start=1)
    )  # fmt: skip
    return master_xml(
        shapes,
        titles=text_style(1, 28, "tx2", bold=True, font="+mj-lt", spacing=92),
        bodies=bodies,
        others=text_style(1, 16, "tx1"),
        layouts=layouts,
    )


def _cover(name: str, closing: bool) -> str:
    sun = preset(20, "Sun", "ellipse", (650, 226 if closing else 120, 210, 210), solid("accent2"))
    waves = (
        _wave(21, "Far wave", 250, 46, solid("accent4"))
        + _wave(22, "Middle wave", 316, -40, solid("accent1"))
        + _wave(23, "Near wave", 392, 34, solid("accent3"))
    )
    if closing:
        waves = _wave(22, "Middle wave", 366, -40, solid("accent4")) + _wave(
            23, "Near wave", 430, 34, solid("accent1")
        )
    logo = _logo(30, 56, 40, "bg1", "TIDEWATER HEAT")
    if closing:
        words = placeholder(
            2,
            "Title 1",
            "title",
            None,
            (56, 84, 560, 84),
            prompt="Title",
            anchor="ctr",
            inset=(0, 0),
            styles=text_style(1, 36, "bg1", bold=True, font="+mj-lt", spacing=92),
        ) + placeholder(
            3,
            "Text 2",
            "body",
            FIRST,
            (56, 176, 560, 200),
            prompt="Text",
            inset=(0, 4),
            styles=text_style(
                1, 20, "bg1", bullet="•", bullet_color="accent2", indent=20, hang=20, before=12
            ),
        )
        kind = None
    else:
        words = placeholder(
            2,
            "Title 1",
            "ctrTitle",
            None,
            (56, 96, 580, 120),
            prompt="Title",
            anchor="b",
            inset=(0, 0),
            styles=text_style(1, 50, "bg1", bold=True, font="+mj-lt", spacing=92),
        ) + placeholder(
            3,
            "Subtitle 2",
            "subTitle",
            FIRST,
            (56, 224, 540, 70),
            prompt="Subtitle",
            inset=(0, 2),
            styles=text_style(1, 20, _PALE_TEXT, before=4),
        )
        kind = "title"
    shapes = sun + waves + logo + words
    if closing:
        shapes += _footers(True, "bg1")
    background = gradient("dk1", "dk2", 90)
    return layout_xml(name, shapes, kind=kind, background=background, master_shapes=False)


def _section() -> str:
    rings = "".join(
        preset(
            20 + n, "Ripple", "ellipse", (724 - size / 2, 262 - size / 2, size, size),
            solid("bg1", 8), outline=line("bg1", 2, 40),
        )
        for n, size in enumerate((540, 410, 285, 165))
    )  # fmt: skip
    shapes = (
        rings
        + preset(26, "Accent", "roundRect", (64, 268, 56, 6), solid("accent2"))
        + placeholder(
            4, "Number 3", "body", 13, (634, 187, 180, 150), prompt="1", anchor="ctr",
            inset=(0, 0),
            styles=text_style(1, 110, "bg1", bold=True, align="ctr", font="+mj-lt"),
        )
        + placeholder(
            2, "Title 1", "title", None, (64, 140, 400, 116), prompt="Section", anchor="b",
            inset=(0, 2), styles=text_style(1, 42, "bg1", bold=True, font="+mj-lt", spacing=92),
        )
        + placeholder(
            3, "Text 2", "body", FIRST, (64, 286, 376, 90), prompt="In one sentence",
            inset=(0, 2), styles=text_style(1, 19, "bg2"),
        )
        + _footers(True, "bg1")
    )  # fmt: skip
    background = gradient("accent1", "accent4", 45)
    return layout_xml("Section", shapes, kind="secHead", background=background, master_shapes=False)


def _title() -> str:
    return placeholder(2, "Title 1", "title", None, prompt="Title")


def _body(
    name: str, idx: int, frame: Frame, color: str, size: float, *, id: int = 3, anchor: str = "t"
) -> str:
    first = text_style(
        1, size, color, bullet="•", bullet_color="accent2", indent=16, hang=16, before=10
    )
    second = text_style(
        2, size - 2, color, bullet="–", bullet_color="accent2", indent=32, hang=14, before=3
    )
    return placeholder(
        id,
        name,
        "body",
        idx,
        frame,
        prompt="Text",
        styles=first + second,
        inset=(0, 0),
        anchor=anchor,
    )


def _heading(id: int, idx: int, frame: Frame, color: str) -> str:
    style = text_style(1, 21, color, bold=True, font="+mj-lt")
    return placeholder(
        id, f"Heading {id - 1}", "body", idx, frame, prompt="Heading", styles=style, anchor="ctr",
        inset=(0, 0),
    )  # fmt: skip


def _chart(frame: Frame) -> str:
    return placeholder(4, "Chart 3", "chart", CHART, frame, prompt="Chart")


def _content_layouts() -> list[str]:
    foot = _footers(False)
    content = _title() + placeholder(3, "Text 2", "body", FIRST, prompt="Text") + foot
    panel = preset(20, "Takeaway panel", "rect", (640, 122, 264, 360), solid("tx2"))
    edge = preset(21, "Panel edge", "rect", (640, 122, 6, 360), solid("accent2"))
    chart = (
        panel + edge + _title() + _chart((50, 122, 574, 360))
        + _body("Takeaways 2", FIRST, (666, 140, 216, 324), "bg1", 19, anchor="ctr") + foot
    )  # fmt: skip
    strip = preset(20, "Takeaway strip", "rect", (56, 424, 848, 60), solid("accent1"))
    wide = strip + _title() + _chart((50, 116, 860, 298)) + placeholder(
        3, "Takeaway 2", "body", FIRST, (76, 428, 808, 52), prompt="Takeaway", anchor="ctr",
        styles=text_style(1, 18, "bg1", bold=True), inset=(0, 0),
    ) + foot  # fmt: skip
    columns = (
        preset(20, "Left panel", "rect", (56, 126, 412, 356), solid("bg2"))
        + preset(21, "Right panel", "rect", (492, 126, 412, 356), solid("accent1"))
        + _title()
        + _heading(5, HEADINGS[0], (148, 144, 300, 60), "tx2")
        + _heading(6, HEADINGS[1], (584, 144, 300, 60), "bg1")
        + _body("Left text 2", FIRST, (80, 222, 366, 240), "tx1", 18)
        + _body("Right text 3", SECOND, (516, 222, 366, 240), "bg1", 18, id=4)
        + foot
    )
    return [
        layout_xml("Title and content", content, kind="obj"),
        layout_xml("Chart and takeaways", chart),
        layout_xml("Wide chart", wide),
        layout_xml("Two columns", columns, kind="twoTxTwoObj"),
        layout_xml("Title only", _title() + foot, kind="titleOnly"),
        layout_xml("Title on tint", _title() + foot, background=solid("bg2")),
    ]


def _picture() -> str:
    style = text_style(1, 30, "bg1", bold=True, font="+mj-lt", spacing=92)
    shapes = (
        preset(21, "Title accent", "roundRect", (56, 48, 44, 5), solid("accent2"))
        + placeholder(
            2, "Title 1", "title", None, (56, 58, 440, 84), prompt="Title", styles=style,
            anchor="ctr", inset=(0, 0),
        )
        + placeholder(4, "Picture 3", "pic", CHART, (540, 0, 420, 540), prompt="Picture")
        + _body("Text 2", FIRST, (56, 152, 440, 170), "bg1", 19)
        + _logo(23, 56, 505, "bg1", "TIDEWATER HEAT")
        + _footers(True, "bg1", number_left=460)
    )  # fmt: skip
    return layout_xml(
        "Picture and text", shapes, background=gradient("dk2", "dk1", 90), master_shapes=False
    )


def designed_deck() -> Deck:
    """An empty deck with the theme, the master and its ten layouts."""
    layouts = [
        _cover("Cover", closing=False),
        _section(),
        *_content_layouts(),
        _picture(),
        _cover("Closing", closing=True),
    ]
    theme = theme_xml("Tidewater", _COLORS, "Lato", "Lato")
    return blank_deck(theme, _master(len(layouts)), layouts)
