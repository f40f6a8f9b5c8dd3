"""The look a deck has when nobody chose one: white, Calibri, centred titles."""

from pptx.presentation import Presentation as Deck

from generate.samples.markup import Frame, placeholder, text_style
from generate.samples.masters import blank_deck, layout_xml, master_xml, theme_xml

_COLORS = {
    "dk1": "#000000", "lt1": "#FFFFFF", "dk2": "#44546A", "lt2": "#E7E6E6",
    "accent1": "#4472C4", "accent2": "#ED7D31", "accent3": "#A5A5A5", "accent4": "#FFC000",
    "accent5": "#5B9BD5", "accent6": "#70AD47", "hlink": "#0563C1", "folHlink": "#954F72",
}  # fmt: skip

BODY, LEFT, RIGHT, PICTURE = 1, 1, 2, 13
"""Indices of the placeholders on the layouts."""

_TITLE: Frame = (66, 29, 828, 104)
_BODY: Frame = (66, 144, 828, 343)


def _footers(frames: bool) -> str:
    small = text_style(1, 12, "tx2")
    parts = (
        (5, "Date Placeholder 4", "dt", 10, (66.0, 500.0, 216.0, 29.0), ""),
        (6, "Footer Placeholder 5", "ftr", 11, (318.0, 500.0, 324.0, 29.0), "Footer"),
        (7, "Slide Number Placeholder 6", "sldNum", 12, (678.0, 500.0, 216.0, 29.0), "‹#›"),
    )
    return "".join(
        placeholder(
            id, name, kind, None if frames and kind == "dt" else idx, frame if frames else None,
            prompt=prompt, field=kind == "sldNum", anchor="ctr" if frames else None,
            styles=small.replace('algn="l"', 'algn="r"') if frames and idx == 12 else
            small if frames else "",
        )
        for id, name, kind, idx, frame, prompt in parts
    )  # fmt: skip


def _bodies() -> str:
    sizes = (28, 24, 20, 18, 18, 18, 18, 18, 18)
    return "".join(
        text_style(
            level, size, "tx1", bullet="•", bullet_color="tx1", indent=18 + 36 * (level - 1),
            hang=18, before=10 if level == 1 else 5, spacing=90,
        )
        for level, size in enumerate(sizes, start=1)
    )  # fmt: skip


def _master(layouts: int) -> str:
    shapes = (
        placeholder(2, "Title Placeholder 1", "title", None, _TITLE, prompt="Title", anchor="ctr")
        + placeholder(3, "Text Placeholder 2", "body", 1, _BODY, prompt="Text")
        + _footers(True)
    )
    return master_xml(
        shapes,
        titles=text_style(1, 40, "tx1", font="+mj-lt", spacing=90),
        bodies=_bodies(),
        others=text_style(1, 18, "tx1"),
        layouts=layouts,
    )


def _title(frame: Frame | None = None) -> str:
    return placeholder(2, "Title 1", "title", None, frame, prompt="Click to edit title")


def _layouts() -> list[str]:
    small = text_style(1, 18, "tx1", before=8)
    cover = placeholder(
        2, "Title 1", "ctrTitle", None, (120, 88, 720, 188), prompt="Click to edit title",
        styles=text_style(1, 54, "tx1", font="+mj-lt", align="ctr", spacing=90), anchor="b",
    ) + placeholder(
        3, "Subtitle 2", "subTitle", 1, (120, 284, 720, 130), prompt="Click to edit subtitle",
        styles=text_style(1, 24, "tx2", align="ctr", before=10),
    )  # fmt: skip
    halves = placeholder(
        3, "Content 2", "body", LEFT, (66, 144, 405, 343), prompt="Text"
    ) + placeholder(4, "Content 3", "body", RIGHT, (489, 144, 405, 343), prompt="Text")
    picture = (
        placeholder(3, "Picture 2", "pic", PICTURE, (408, 44, 486, 440), prompt="Picture")
        + placeholder(4, "Text 3", "body", BODY, (66, 150, 312, 334), prompt="Text", styles=small)
        + _footers(False)
    )
    return [
        layout_xml("Title Slide", cover + _footers(False), kind="title"),
        layout_xml(
            "Title and Content",
            _title() + placeholder(3, "Content 2", "body", BODY, prompt="Text") + _footers(False),
            kind="obj",
        ),
        layout_xml("Two Content", _title() + halves + _footers(False), kind="twoObj"),
        layout_xml("Title Only", _title() + _footers(False), kind="titleOnly"),
        layout_xml("Picture with Caption", _title((66, 44, 312, 96)) + picture, kind="picTx"),
        layout_xml("Blank", _footers(False), kind="blank"),
    ]


def office_deck() -> Deck:
    """An empty deck with six ordinary layouts, named as PowerPoint names them."""
    layouts = _layouts()
    theme = theme_xml("Plain Office", _COLORS, "Calibri", "Calibri")
    return blank_deck(theme, _master(len(layouts)), layouts)
