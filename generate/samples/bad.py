"""A deck with the failures that amateurs and careless generators make; it opens all the same."""

import io
from collections.abc import Sequence
from pathlib import Path

from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.presentation import Presentation as Deck
from pptx.shapes.picture import Picture
from pptx.slide import Slide
from pptx.util import Pt

from generate.samples.filling import add_shape, add_slide, add_text, describe, paint, place
from generate.samples.markup import Frame
from generate.samples.media import link_video
from generate.samples.office import office_deck
from generate.samples.pictures import (
    chart_screenshot,
    jpeg,
    neon_backdrop,
    png,
    slide_as_picture,
    teaser_frame,
)
from generate.samples.saving import save_deck

_WHOLE: Frame = (0, 0, 960, 540)

_PITCH = (
    "In today's fast-paced digital landscape, organizations",
    "face unprecedented challenges in aligning their people,",
    "processes and platforms. SynergyFlow AI leverages a",
    "cutting-edge neural orchestration layer to seamlessly",
    "unlock value across the entire enterprise ecosystem,",
    "empowering teams to do more with less, at scale.",
)

_JOURNEY = (
    "Every successful transformation begins with a bold vision, and",
    "our proprietary four-stage framework takes teams from the very",
    "first spark of inspiration all the way to exponential impact.",
)

_GROWTH = (
    "The numbers speak for themselves: adoption has more than doubled",
    "quarter over quarter across all of our key strategic verticals.",
)

_BARS = (
    ("2022", 70, "#FF0000"),
    ("2023", 120, "#00FF00"),
    ("2024", 165, "#FF00FF"),
    ("2025", 230, "#FFFF00"),
    ("2026", 310, "#00FFFF"),
)


def write_bad(path: Path) -> Path:
    """Write the pitch of a start-up, seven slides."""
    deck = office_deck()
    backdrop = jpeg(neon_backdrop(), quality=70)
    _cover(deck)
    for add in (_pitch, _dead_chart, _chart_picture, _loose_pieces, _wall_of_text, _goodbye):
        add(deck, backdrop)
    return save_deck(deck, path, title="PowerPoint Presentation", author="SynergyFlow", subject="")


def _picture(slide: Slide, image: bytes, frame: Frame, name: str) -> Picture:
    """A picture without alt text; python-pptx would put the file name there."""
    picture = slide.shapes.add_picture(io.BytesIO(image), *place(frame))
    picture.name = name
    describe(picture, "")
    return picture


def _on_backdrop(deck: Deck, backdrop: bytes, layout: str, title: str | None = None) -> Slide:
    """A slide with the background picture pasted over it, below whatever follows."""
    slide = add_slide(deck, layout, title)
    picture = _picture(slide, backdrop, _WHOLE, "Picture 99")
    tree = slide.shapes._spTree
    tree.remove(picture.element)
    tree.insert(2, picture.element)
    return slide


def _cover(deck: Deck) -> None:
    """All of it one picture; nothing to select, nothing to read aloud."""
    slide = add_slide(deck, "Blank")
    _picture(slide, jpeg(slide_as_picture(), quality=62), _WHOLE, "Picture 1")


def _pitch(deck: Deck, backdrop: bytes) -> None:
    """One text box for each line of a paragraph, grey on a busy picture."""
    slide = _on_backdrop(deck, backdrop, "Blank")
    add_text(
        slide.shapes, "TextBox 2", (60, 40, 840, 70), ["Why SynergyFlow???"], size=48,
        color="#FF0033", bold=True, align="center", fits=False,
    )  # fmt: skip
    _line_by_line(slide, 3, _PITCH, (118, 168), 24)
    add_text(
        slide.shapes, "TextBox 12", (640, 505, 310, 20),
        ["*based on internal projections, forward-looking, may differ"], size=7,
        color="#7A6FA0", fits=False,
    )  # fmt: skip


def _line_by_line(
    slide: Slide, number: int, lines: Sequence[str], at: tuple[float, float], size: float
) -> None:
    """A paragraph as an export leaves it: each line a text box of its own, edges unsteady."""
    left, top = at
    for n, line in enumerate(lines):
        frame = (left + (n % 2) * 3, top + n * size * 1.5, 740, size * 1.45)
        add_text(
            slide.shapes, f"TextBox {number + n}", frame, [line], size=size, color="#8C86A8",
            fits=False,
        )  # fmt: skip


def _dead_chart(deck: Deck, backdrop: bytes) -> None:
    """A bar chart put together from rectangles, labels typed beside them."""
    slide = _on_backdrop(deck, backdrop, "Title Only", "Our Solution")
    _recolor_title(slide, "#00FF00")
    shapes = slide.shapes
    for start, end in (((150, 480), (860, 480)), ((150, 140), (150, 480))):
        axis = shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *(Pt(v) for v in (*start, *end)))
        paint(axis.line.fill, "#FFFFFF")
    for n, (year, height, color) in enumerate(_BARS):
        left = 190 + n * 132
        add_shape(
            shapes,
            f"Rectangle {n * 3 + 4}",
            MSO_SHAPE.RECTANGLE,
            (left, 480 - height, 90, height),
            color,
        )
        add_text(
            shapes,
            f"TextBox {n * 3 + 5}",
            (left, 450 - height, 90, 28),
            [f"${height / 10:.0f}M"],
            size=16,
            color="#FFA500",
            bold=True,
            align="center",
            fits=False,
        )
        add_text(
            shapes, f"TextBox {n * 3 + 6}", (left, 484, 90, 26), [year], size=12,
            color="#5A4FCF", align="center", fits=False,
        )  # fmt: skip
    add_text(
        shapes, "TextBox 30", (14, 280, 134, 30), ["Revenue (USD)"], size=13, color="#3A3AFF",
        fits=False,
    )  # fmt: skip


def _chart_picture(deck: Deck, backdrop: bytes) -> None:
    """A screenshot of a chart, blown up until it blurs."""
    slide = _on_backdrop(deck, backdrop, "Title Only", "Our Solution")
    _recolor_title(slide, "#FFFF00")
    _picture(slide, png(chart_screenshot()), (160, 120, 640, 316), "Screenshot 2025-11-03 at 16.42")
    _line_by_line(slide, 6, _GROWTH, (140, 446), 20)
    add_text(
        slide.shapes, "TextBox 4", (160, 516, 720, 18),
        ["Source: company data, analyst estimates, Google"], size=8, color="#6C63A6", fits=False,
    )  # fmt: skip


def _loose_pieces(deck: Deck, backdrop: bytes) -> None:
    """Figures whose heads, bodies and arms were never grouped, one of them off the slide."""
    slide = _on_backdrop(deck, backdrop, "Title Only", "Our Solution")
    _recolor_title(slide, "#FF00FF")
    words = ("Ideate", "Orchestrate", "Monetize", "Scale!!")
    for n, word in enumerate(words):
        _loose_figure(slide, 110 + n * 232, 170, word, n)
    for n in range(3):
        line = slide.shapes.add_connector(
            MSO_CONNECTOR.STRAIGHT, *(Pt(v) for v in (218 + n * 232, 252, 330 + n * 232, 246))
        )
        line.line.width = Pt(4)
        paint(line.line.fill, "#00FF00")
    _line_by_line(slide, 90, _JOURNEY, (60, 418), 20)
    add_shape(
        slide.shapes, "Explosion 40", MSO_SHAPE.EXPLOSION1, (800, 396, 260, 190), "#FF0000",
        lines=["10X ROI"], size=26, text_color="#FFFF00", bold=True,
    )  # fmt: skip


def _loose_figure(slide: Slide, left: float, top: float, word: str, place: int) -> None:
    color = ("#FF6600", "#00CCFF", "#FF0099", "#33FF33")[place]
    pieces = (
        (MSO_SHAPE.OVAL, (left + 30, top, 44, 44), "#FFD9B3"),
        (MSO_SHAPE.OVAL, (left + 40, top + 14, 6, 6), "#000000"),
        (MSO_SHAPE.OVAL, (left + 58, top + 14, 6, 6), "#000000"),
        (MSO_SHAPE.BLOCK_ARC, (left + 28, top - 6, 48, 40), "#552200"),
        (MSO_SHAPE.TRAPEZOID, (left + 18, top + 46, 68, 84), color),
        (MSO_SHAPE.RECTANGLE, (left + 4, top + 52, 14, 60), color),
        (MSO_SHAPE.RECTANGLE, (left + 86, top + 52, 14, 60), color),
        (MSO_SHAPE.RECTANGLE, (left + 30, top + 130, 16, 56), "#222288"),
        (MSO_SHAPE.RECTANGLE, (left + 58, top + 130, 16, 56), "#222288"),
        (MSO_SHAPE.GEAR_6, (left + 66, top + 70, 34, 34), "#FFFF00"),
    )
    for n, (kind, frame, fill) in enumerate(pieces):
        add_shape(slide.shapes, f"Shape {place * 20 + n + 5}", kind, frame, fill)
    add_text(
        slide.shapes, f"TextBox {place * 20 + 18}", (left - 20, top + 190, 146, 34), [word],
        size=20, color="#B0A8D8", align="center", fits=False,
    )  # fmt: skip


def _wall_of_text(deck: Deck, backdrop: bytes) -> None:
    """Too much text for its box, light grey on grey, and a title that is only a text box."""
    slide = _on_backdrop(deck, backdrop, "Blank")
    add_text(
        slide.shapes, "TextBox 2", (30, 14, 600, 50), ["our competitive MOAT"], size=36,
        color="#FF9900", bold=True, fits=False,
    )  # fmt: skip
    panel = add_shape(
        slide.shapes, "Rectangle 3", MSO_SHAPE.RECTANGLE, (40, 90, 560, 250), "#A6A6A6"
    )
    paint(panel.line.fill, "#FF0000")
    sentence = " ".join(_PITCH)
    text = [sentence, sentence.replace("In today's", "Moreover, in our")]
    add_text(
        slide.shapes, "TextBox 4", (46, 94, 548, 240), text, size=21, color="#C8C8C8", fits=False
    )
    add_shape(
        slide.shapes, "Rectangle 5", MSO_SHAPE.RECTANGLE, (630, 120, 300, 120), "#00FF00",
        lines=["TRUSTED BY 10,000+ TEAMS"], size=28, text_color="#FF0000", bold=True,
    )  # fmt: skip
    add_shape(
        slide.shapes, "Rectangle 6", MSO_SHAPE.RECTANGLE, (610, 200, 300, 120), "#0000FF",
        lines=["#1 on every list"], size=28, text_color="#FF0000", bold=True,
    )  # fmt: skip
    add_text(
        slide.shapes, "TextBox 7", (880, 470, 240, 40), ["CONFIDENTIAL DRAFT v7"], size=20,
        color="#FFFFFF", fits=False,
    )  # fmt: skip


def _goodbye(deck: Deck, backdrop: bytes) -> None:
    """A film that lies on somebody's disk, and a placeholder nobody filled."""
    slide = _on_backdrop(deck, backdrop, "Title and Content")
    link_video(
        slide, "file:///C:/Users/marketing/Videos/launch_teaser_FINAL.mp4", png(teaser_frame()),
        (250, 120, 460, 259), name="launch_teaser_FINAL",
    )  # fmt: skip
    colors = ("#FF0000", "#FFFF00", "#00FF00", "#00FFFF", "#FF00FF")
    words = add_text(
        slide.shapes, "TextBox 5", (130, 400, 700, 90), [""], size=66, align="center", fits=False
    )
    for n, letter in enumerate("THANK YOU!!!"):
        run = words.text_frame.paragraphs[0].add_run()
        run.text = letter
        run.font.size, run.font.bold = Pt(66), True
        paint(run.font, colors[n % len(colors)])


def _recolor_title(slide: Slide, color: str) -> None:
    title = slide.shapes.title
    assert title is not None
    for run in title.text_frame.paragraphs[0].runs:
        paint(run.font, color)
