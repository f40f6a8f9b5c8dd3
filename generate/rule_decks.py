"""Two small decks for the rules of lint: one breaks each rule once, the other heeds all.

Every rule has its slides in both decks, alike but for what the rule is about. What cannot be
seen on a slide is written on it.
"""

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from PIL import Image, ImageDraw
from pptx.chart.data import ChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import MSO_AUTO_SIZE, PP_ALIGN
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.picture import Picture
from pptx.slide import Slide
from pptx.util import Pt

from decklab.ooxml.package import Package, write_package
from generate.samples.filling import (
    add_shape,
    add_slide,
    add_text,
    describe,
    fill_placeholder,
    paint,
    place,
)
from generate.samples.markup import Frame
from generate.samples.office import office_deck
from generate.samples.saving import save_deck

Draw = Callable[[Slide, bool], None]
"""Puts the content of a rule on a slide; True for the deck that breaks the rule."""

_BLUE, _GREY = "#1F4E79", "#D9E2EC"
_WORDS = "The harbour grows by three berths a year and needs pilots, tugs and a deeper channel."


def _said(slide: Slide, words: str, top: float = 430) -> None:
    """What cannot be seen, written on the slide."""
    add_text(slide.shapes, "Note", (66, top, 828, 50), [words], size=24, color=_BLUE)


def _overflow(slide: Slide, bad: bool) -> None:
    words = " ".join([_WORDS] * (3 if bad else 1))
    box = add_text(slide.shapes, "Words", (230, 160, 500, 130), [words], size=24, fits=False)
    paint(box.fill, _GREY)


def _off_slide(slide: Slide, bad: bool) -> None:
    left = 560 if bad else 66
    box = add_text(
        slide.shapes,
        "Words",
        (left, 220, 700, 60),
        ["Three berths a year, in all ports"],
        size=32,
        fits=False,
    )
    box.text_frame.word_wrap = False


def _overlap(slide: Slide, bad: bool) -> None:
    for name, top, words in (
        ("First", 200, "Berths grow by three a year"),
        ("Second", 212 if bad else 270, "Pilots are hard to find"),
    ):
        add_text(slide.shapes, name, (120, top, 700, 50), [words], size=32, fits=False)


def _hidden(slide: Slide, bad: bool) -> None:
    add_text(slide.shapes, "Words", (300, 230, 500, 50), ["Pilots are hard to find"], size=32)
    frame = (250, 180, 460, 180) if bad else (66, 180, 200, 180)
    add_shape(slide.shapes, "Cover", MSO_SHAPE.RECTANGLE, frame, _BLUE)


def _struck(slide: Slide, bad: bool) -> None:
    add_text(slide.shapes, "Words", (120, 230, 700, 50), ["Pilots are hard to find"], size=32)
    top = 256 if bad else 300
    line = slide.shapes.add_connector(
        MSO_CONNECTOR.STRAIGHT, *(Pt(value) for value in (100, top, 700, top))
    )
    line.line.width = Pt(3)
    paint(line.line.fill, _BLUE)


def _on_object(slide: Slide, bad: bool) -> None:
    _photo(slide, (500, 160, 390, 270), "A boat on calm water", busy=True)
    words = "Pilots are hard to find, and so are tugs"
    box = add_text(slide.shapes, "Words", (66, 230, 420, 90), [words], size=32, fits=False)
    box.text_frame.word_wrap = not bad


def _pale(slide: Slide, bad: bool) -> None:
    add_text(slide.shapes, "Words", (120, 230, 700, 50), ["Pilots are hard to find"], size=32,
             color="#D0D4D8" if bad else "#333333")  # fmt: skip


def _strong(slide: Slide, bad: bool) -> None:
    add_shape(slide.shapes, "Words", MSO_SHAPE.RECTANGLE, (280, 200, 400, 120),
              "#E8112D" if bad else "#FBE3E6", lines=["Pilots are hard to find this year"],
              size=12, text_color="#000000")  # fmt: skip


def _small(slide: Slide, bad: bool) -> None:
    add_text(slide.shapes, "Words", (120, 260, 700, 120), [_WORDS], size=7 if bad else 20)


def _margin(slide: Slide, bad: bool) -> None:
    box = add_text(
        slide.shapes,
        "Words",
        (0 if bad else 66, 230, 700, 60),
        ["Pilots are hard to find"],
        size=32,
    )
    box.text_frame.margin_left = 0


def _cut_table(slide: Slide, bad: bool) -> None:
    _table(slide, (330 if bad else 130, 190, 700, 150))


def _drift(slide: Slide, bad: bool) -> None:
    for number in range(4):
        top = 200 + (5 if bad and number == 2 else 0)
        add_shape(slide.shapes, f"Card {number}", MSO_SHAPE.RECTANGLE,
                  (90 + 200 * number, top, 160, 110), _BLUE)  # fmt: skip


def _no_image(slide: Slide, bad: bool) -> None:
    picture = _photo(slide, (300, 150, 360, 250), "A boat on calm water")
    if bad:
        blip = picture.element.xpath(".//a:blip")[0]
        del blip.attrib[qn("r:embed")]
    _said(slide, "The picture’s image is not in the file." if bad else "The image is in the file.")


def _empty(slide: Slide, bad: bool) -> None:
    if bad:
        _said(slide, "An empty placeholder is here; whoever edits the slide sees its prompt.", 445)
    else:
        fill_placeholder(slide, 1, ["Berths grow by three a year", *_MORE])


def _prompt(slide: Slide, bad: bool) -> None:
    first = "Click to add text" if bad else "Berths grow by three a year"
    fill_placeholder(slide, 1, [first, *_MORE])


def _moved(slide: Slide, bad: bool) -> None:
    _plain(slide)
    if bad and slide.shapes.title is not None:
        title = slide.shapes.title
        title.left, title.top, title.width, title.height = place((66, 90, 828, 104))


def _resized(slide: Slide, bad: bool) -> None:
    _plain(slide)
    if bad:
        _title_run(slide).font.size = Pt(28)


def _other_font(slide: Slide, bad: bool) -> None:
    _plain(slide)
    if bad:
        _title_run(slide).font.name = "Liberation Serif"


def _shrunk(slide: Slide, bad: bool) -> None:
    _plain(slide)
    title = slide.shapes.title
    if bad and title is not None:
        title.text_frame.text = " ".join([_WORDS] * 9)
        title.text_frame.auto_size = MSO_AUTO_SIZE.TEXT_TO_FIT_SHAPE


def _alt(words: str | None, said: str) -> Draw:
    def draw(slide: Slide, bad: bool) -> None:
        good = "A sailing boat on calm water"
        _photo(slide, (300, 150, 360, 250), (words or "") if bad else good)
        _said(slide, said if bad else f"Alternative text: “{good}”")

    return draw


def _untitled(slide: Slide, bad: bool) -> None:
    if bad and slide.shapes.title is not None:
        slide.shapes._spTree.remove(slide.shapes.title.element)
        add_text(
            slide.shapes, "Words", (66, 50, 828, 60), ["Looks like a title, and is none"], size=40
        )
    _said(
        slide,
        "A text box stands for the title." if bad else "The title is a title placeholder.",
        230,
    )


def _plain(slide: Slide, _bad: bool = False) -> None:
    add_text(slide.shapes, "Words", (66, 210, 828, 120), [_WORDS], size=28)


def _touching(slide: Slide, bad: bool) -> None:
    add_text(slide.shapes, "Words", (120, 220, 700, 50), ["Three berths a year"], size=32)
    bar = (100, 251 if bad else 280, 720, 12)
    add_shape(slide.shapes, "Bar", MSO_SHAPE.RECTANGLE, bar, _BLUE)


def _broken(slide: Slide, bad: bool) -> None:
    width = 150 if bad else 420
    add_text(slide.shapes, "Words", (120, 250, width, 160), ["Harbourmaster"], size=32)


def _crossing(slide: Slide, bad: bool) -> None:
    frame = (300 if bad else 100, 200, 550 if bad else 760, 110)
    add_shape(slide.shapes, "Panel", MSO_SHAPE.RECTANGLE, frame, "#F0C419")
    add_text(slide.shapes, "Words", (120, 230, 700, 50), ["Pilots are hard to find"], size=32)


def _restless(slide: Slide, bad: bool) -> None:
    """Text on a picture of speckles, or on a plain fill in front of it."""
    image = Image.frombytes("L", (120, 50), Random(1).randbytes(6_000)).resize((720, 300))
    stream = io.BytesIO()
    image.save(stream, format="PNG")
    picture = slide.shapes.add_picture(stream, *place((100, 150, 760, 300)))
    picture.name = "Speckles"
    describe(picture, "Light and dark speckles")
    if not bad:
        add_shape(slide.shapes, "Plate", MSO_SHAPE.RECTANGLE, (100, 240, 760, 110), "#FFFFFF")
    add_text(slide.shapes, "Words", (120, 270, 720, 50), ["Pilots are hard to find"], size=36)


def _orphan(slide: Slide, bad: bool) -> None:
    _plain(slide)
    _title_run(
        slide
    ).text = f"Three berths a year need tugs, a channel and{'' if bad else ' many'} pilots"
    title = slide.shapes.title
    if title is not None:
        title.left, title.top, title.width, title.height = place((66, 30, 828, 104))
        title.text_frame.paragraphs[0].runs[0].font.size = Pt(40)


def _justified(slide: Slide, bad: bool) -> None:
    words = "Of a port interdepartmentalisation reports on tugs, pilots and berths."
    box = add_text(slide.shapes, "Words", (300, 170, 330, 300), [words], size=24)
    box.text_frame.paragraphs[0].alignment = PP_ALIGN.JUSTIFY if bad else PP_ALIGN.LEFT


def _glyphs(slide: Slide, bad: bool) -> None:
    words = "Pilots are \ufffd hard to find" if bad else "Pilots are hard to find"
    add_text(slide.shapes, "Words", (120, 230, 700, 50), [words], size=32)


def _upside_down(slide: Slide, bad: bool) -> None:
    box = add_text(slide.shapes, "Words", (120, 230, 700, 50), ["Pilots are hard to find"], size=32)
    box.rotation = 180 if bad else 0


def _weak(slide: Slide, bad: bool) -> None:
    add_text(slide.shapes, "Words", (120, 230, 700, 50), ["Pilots are hard to find"], size=32,
             color="#8A8A8A" if bad else "#333333")  # fmt: skip


def _sides(slide: Slide, bad: bool) -> None:
    words = "Three berths a year in all ports of the northern coast"
    box = add_text(slide.shapes, "Words", (6, 230, 948, 60), [words], size=44 if bad else 34)
    box.text_frame.margin_left = box.text_frame.margin_right = 0
    box.text_frame.paragraphs[0].alignment = PP_ALIGN.CENTER


def _gaps(slide: Slide, bad: bool) -> None:
    for number, left in enumerate((90, 330, 600 if bad else 570)):
        frame = (left, 200, 200, 110)
        add_shape(slide.shapes, f"Card {number}", MSO_SHAPE.RECTANGLE, frame, _BLUE,
                  lines=["Berths"], size=20)  # fmt: skip


def _grid(slide: Slide, bad: bool) -> None:
    for number, (left, top) in enumerate(((150, 180), (520, 180), (168, 320), (504, 320))):
        frame = (left if bad else (150, 520)[number % 2], top, 280, 100)
        add_shape(slide.shapes, f"Card {number}", MSO_SHAPE.RECTANGLE, frame, _BLUE,
                  lines=["Berths"], size=20)  # fmt: skip


def _near_edge(slide: Slide, bad: bool) -> None:
    _photo(slide, (5 if bad else 66, 180, 360, 250), "A boat on calm water")


def _panels(slide: Slide, bad: bool) -> None:
    for number, (left, top) in enumerate(((120, 170), (500 - 30 * bad, 230))):
        frame = (left, top, 360, 160)
        add_shape(slide.shapes, f"Panel {number}", MSO_SHAPE.RECTANGLE, frame, _BLUE,
                  lines=["Berths"], size=20, outline="#FFFFFF")  # fmt: skip


def _spaces(slide: Slide, bad: bool) -> None:
    words = (
        "Pilots,tugs and berths , by the year" if bad else "Pilots, tugs and berths, by the year"
    )
    add_text(slide.shapes, "Words", (120, 220, 700, 60), [words], size=28)


def _thrice(slide: Slide, bad: bool) -> None:
    for number, words in enumerate(_MORE):
        add_text(slide.shapes, f"Words {number}", (120, 160 + 90 * number, 700, 60),
                 [_MORE[0] if bad else words], size=28)  # fmt: skip


def _row(slide: Slide, bad: bool) -> None:
    for number, left in enumerate((90, 330, 570)):
        top = 200 + (14, 0, 8)[number] * bad
        add_shape(slide.shapes, f"Card {number}", MSO_SHAPE.RECTANGLE, (left, top, 200, 110), _BLUE,
                  lines=["Berths"], size=20)  # fmt: skip


def _edges(slide: Slide, bad: bool) -> None:
    for number, words in enumerate(("Pilots are hard to find", "Tugs are hired by the day")):
        left = 150 + 8 * number * bad
        add_text(slide.shapes, f"Words {number}", (left, 190 + 90 * number, 600, 60), [words],
                 size=28)  # fmt: skip


def _typed(slide: Slide, bad: bool) -> None:
    marks = ("1. ", "2. ", "3. ") if bad else ("", "", "")
    words = [mark + item for mark, item in zip(marks, _MORE, strict=True)]
    box = add_text(slide.shapes, "Words", (120, 170, 700, 200), words, size=28)
    for paragraph in box.text_frame.paragraphs:
        properties = paragraph._p.get_or_add_pPr()
        properties.set("marL", "342900")
        properties.set("indent", "-342900")
        bullet = properties.makeelement(qn("a:buChar"), {"char": "•"})
        properties.append(bullet)


def _odd_one(slide: Slide, bad: bool) -> None:
    for number, left in enumerate((90, 360, 630)):
        size = 14 if bad and number == 1 else 20
        add_shape(slide.shapes, f"Card {number}", MSO_SHAPE.RECTANGLE, (left, 200, 240, 110), _BLUE,
                  lines=[_MORE[number]], size=size)  # fmt: skip


def _labels(slide: Slide, bad: bool) -> None:
    # Long names of few points are set in many lines; of many, over each other.
    _drawn_chart(slide, XL_CHART_TYPE.PIE, 6, labels=bad)


def _slices(slide: Slide, bad: bool) -> None:
    _drawn_chart(slide, XL_CHART_TYPE.PIE, 10 if bad else 4)


def _legend(slide: Slide, bad: bool) -> None:
    _drawn_chart(slide, XL_CHART_TYPE.COLUMN_CLUSTERED, 4, legend=bad)


def _drawn_chart(
    slide: Slide, kind: XL_CHART_TYPE, count: int, *, legend: bool = False, labels: bool = False
) -> None:
    data: Any = ChartData()  # type: ignore[no-untyped-call]
    data.categories = [f"Port {number + 1}" for number in range(count)]
    sizes = (40, 1, 1, 1, 1, 30) if labels else (12, 15, 18, 21, 11, 9, 14, 16, 10, 8)
    data.add_series("Berths", sizes[:count])
    frame: Any = slide.shapes.add_chart(kind, *place((230, 140, 500, 340)), data)
    frame.name = "Chart"
    describe(frame, "Berths of each port")
    chart = frame.chart
    chart.has_title, chart.has_legend, chart.font.size = False, legend, Pt(14)
    if labels:
        chart.plots[0].has_data_labels = True
        shown = chart.plots[0].data_labels
        shown.show_category_name, shown.show_value = True, False
        shown.position, shown.font.size = XL_LABEL_POSITION.CENTER, Pt(18)


def _crowded(slide: Slide, bad: bool) -> None:
    words = [_WORDS] * (9 if bad else 5)
    add_text(slide.shapes, "Words", (66, 130, 828, 340), [" ".join(words)], size=20)


def _nothing(slide: Slide, bad: bool) -> None:
    if not bad:
        _plain(slide)


def _typefaces(slide: Slide, bad: bool) -> None:
    for number, font in enumerate(("Carlito", "Liberation Serif", "Liberation Mono", "Caladea")):
        box = add_text(slide.shapes, f"Words {number}", (66, 150 + 70 * number, 828, 50),
                       [(*_MORE, _LATER)[number]], size=24)  # fmt: skip
        if bad:
            box.text_frame.paragraphs[0].runs[0].font.name = font


def _stretched(slide: Slide, bad: bool) -> None:
    _photo(slide, (180, 150, 600 if bad else 360, 250), "A boat on calm water")


def _coarse(slide: Slide, bad: bool) -> None:
    image = Image.open(io.BytesIO(_boat(busy=False)))
    stream = io.BytesIO()
    image.resize((72, 50) if bad else image.size).save(stream, format="PNG")
    picture = slide.shapes.add_picture(stream, *place((300, 150, 360, 250)))
    picture.name = "Boat"
    describe(picture, "A boat on calm water")


def _twice(slide: Slide, bad: bool) -> None:
    _photo(slide, (120, 160, 288, 200), "A boat on calm water")
    if bad:
        _photo(slide, (540, 160, 288, 200), "A sailing boat on calm water")


def _written(bad_words: str, good_words: str) -> Draw:
    def draw(slide: Slide, bad: bool) -> None:
        _said(slide, bad_words if bad else good_words, 230)

    return draw


def _slide_title(slide: Slide, bad: bool) -> None:
    _plain(slide)
    if bad:
        _title_run(slide).text = "Slide 27"


def _repeated(slide: Slide, bad: bool) -> None:
    _plain(slide)
    title = "Plan" if bad else _LATER
    _said(slide, f"The title of the last slide: “{title}”")


def _order(slide: Slide, bad: bool) -> None:
    words = ("First, ships come", "Then they wait", "Then pilots board", "Then they land")
    boxes = list(enumerate(words))
    for place_, text in reversed(boxes) if bad else boxes:
        add_text(
            slide.shapes, f"Step {place_ + 1}", (66, 150 + 62 * place_, 500, 44), [text], size=26
        )
    said = "4, 3, 2, 1" if bad else "1, 2, 3, 4"
    add_text(
        slide.shapes, "Note", (600, 200, 290, 100), ["Read aloud:", said], size=26, color=_BLUE
    )


def _headers(slide: Slide, bad: bool) -> None:
    _table(slide, (130, 180, 700, 150)).table.first_row = not bad
    _said(slide, f"Header Row is {'not ' if bad else ''}checked.")


def _merged(slide: Slide, bad: bool) -> None:
    table = _table(slide, (130, 180, 700, 150)).table
    if bad:
        table.cell(1, 0).merge(table.cell(2, 0))


def _link(slide: Slide, bad: bool) -> None:
    words = (
        ("For the plan of the harbour click ", "here")
        if bad
        else ("See ", "the plan of the harbour")
    )
    box = add_text(slide.shapes, "Words", (120, 230, 760, 50), [words[0]], size=32)
    run = box.text_frame.paragraphs[0].add_run()
    run.text = words[1]
    run.font.size = Pt(32)
    run.hyperlink.address = "https://example.org/plan"


def _language(slide: Slide, bad: bool) -> None:
    box = add_text(
        slide.shapes, "Words", (120, 220, 760, 60), ["Гавань растёт на три причала в год"], size=32
    )
    language = "en-GB" if bad else "ru-RU"
    box.text_frame.paragraphs[0].runs[0]._r.get_or_add_rPr().set("lang", language)
    _said(slide, f"Proofing language: {'English' if bad else 'Russian'}")


def _video(slide: Slide, bad: bool) -> None:
    if bad:
        film = slide.shapes.add_movie(
            io.BytesIO(b"\0\0\0\x18ftypmp42"), *place((300, 150, 360, 250)),
            poster_frame_image=io.BytesIO(_boat(busy=False)), mime_type="video/mp4",
        )  # fmt: skip
        film.name = "Film"
        describe(film, "A film of the harbour")
        _said(slide, "Embedded video; nobody has checked its captions.")
        return
    _photo(slide, (300, 150, 360, 250), "A still of the film of the harbour")
    box = add_text(slide.shapes, "Words", (66, 430, 828, 50), ["See "], size=24)
    run = box.text_frame.paragraphs[0].add_run()
    run.text, run.font.size = "the film of the harbour with captions", Pt(24)
    run.hyperlink.address = "https://example.org/film"


def _chart(slide: Slide, bad: bool) -> None:
    # The types of python-pptx know no graphic frames: what is added to a slide is any of them.
    data: Any = ChartData(number_format="General")  # type: ignore[no-untyped-call]
    data.categories = ["2024", "2025", "2026"]
    data.add_series("Berths", (12, 15, 18))
    frame: Any = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, *place((230, 140, 500, 280)), data
    )
    frame.name = "Chart"
    describe(frame, "Berths: 12 in 2024, 15 in 2025, 18 in 2026")
    frame.chart.has_legend, frame.chart.font.size = False, Pt(14)
    _said(slide, "The chart’s part of the file cannot be read." if bad else "The chart is whole.")


_MORE = ("Pilots are hard to find", "Tugs are hired by the day", "The channel is too shallow")
_LATER = "Plan of the years to come"


def _table(slide: Slide, frame: Frame) -> GraphicFrame:
    rows = (("Year", "Berths", "Pilots"), ("2025", "15", "9"), ("2026", "18", "9"))
    made = slide.shapes.add_table(3, 3, *place(frame))
    made.name = "Table"
    describe(made, "Berths and pilots by year")
    for number, words in enumerate(rows):
        for column, word in enumerate(words):
            made.table.cell(number, column).text = word
    return made


def _title_run(slide: Slide):  # type: ignore[no-untyped-def]
    assert slide.shapes.title is not None  # every slide here has a layout with a title
    return slide.shapes.title.text_frame.paragraphs[0].runs[0]


def _boat(*, busy: bool) -> bytes:
    """A drawing of a boat; ``busy`` with waves all over."""
    image = Image.new("RGB", (720, 500), "#BFD9EA")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 330, 720, 500), fill="#3E7CA6")
    pen.polygon([(190, 330), (530, 330), (460, 410), (250, 410)], fill="#7A3E1D")
    pen.polygon([(360, 60), (360, 310), (510, 310)], fill="#FFFFFF")
    pen.polygon([(340, 110), (340, 310), (230, 310)], fill="#F0C419")
    if busy:
        for top in range(20, 500, 24):
            pen.line(
                [(x, top + (8 if x // 24 % 2 else -8)) for x in range(0, 744, 24)], "#F0C419", 7
            )
    stream = io.BytesIO()
    image.save(stream, format="PNG")
    return stream.getvalue()


def _photo(slide: Slide, frame: Frame, alt: str, *, busy: bool = False) -> Picture:
    picture = slide.shapes.add_picture(io.BytesIO(_boat(busy=busy)), *place(frame))
    picture.name = "Boat"
    describe(picture, alt)
    return picture


_TITLE_ONLY, _WITH_TEXT = "Title Only", "Title and Content"

RULE_SLIDES: Final[Mapping[str, tuple[str, str, Draw]]] = {
    "text.overflow": (_TITLE_ONLY, "Text and its shape", _overflow),
    "text.off-slide": (_TITLE_ONLY, "Text and the slide’s edge", _off_slide),
    "text.overlap": (_TITLE_ONLY, "Two texts", _overlap),
    "text.hidden": (_TITLE_ONLY, "What is in front", _hidden),
    "text.struck": (_TITLE_ONLY, "A line", _struck),
    "text.on-object": (_TITLE_ONLY, "Text and a picture", _on_object),
    "text.touching": (_TITLE_ONLY, "A bar under words", _touching),
    "text.broken": (_TITLE_ONLY, "A long word", _broken),
    "text.crosses-edge": (_TITLE_ONLY, "Text and a panel", _crossing),
    "text.busy": (_TITLE_ONLY, "Text on a picture", _restless),
    "text.orphan": (_TITLE_ONLY, "The last line of a title", _orphan),
    "text.justified": (_TITLE_ONLY, "The gaps between words", _justified),
    "text.glyphs": (_TITLE_ONLY, "A lost sign", _glyphs),
    "text.unseen": (_TITLE_ONLY, "Text on its head", _upside_down),
    "contrast.low": (_TITLE_ONLY, "Text and its ground", _pale),
    "contrast.weak": (_TITLE_ONLY, "Large text and its ground", _weak),
    "contrast.strong-color": (_TITLE_ONLY, "Small text on a colour", _strong),
    "text.small": (_TITLE_ONLY, "The size of text", _small),
    "text.margin": (_TITLE_ONLY, "The margin", _margin),
    "shape.off-slide": (_TITLE_ONLY, "A table and the edge", _cut_table),
    "shape.drift": (_TITLE_ONLY, "A row", _drift),
    "shape.margin": (_TITLE_ONLY, "A picture and the edge", _near_edge),
    "shape.overlap": (_TITLE_ONLY, "Two panels", _panels),
    "layout.margins": (_TITLE_ONLY, "The sides", _sides),
    "layout.gaps": (_TITLE_ONLY, "The gaps of a row", _gaps),
    "layout.grid": (_TITLE_ONLY, "The lines of a grid", _grid),
    "layout.row": (_TITLE_ONLY, "The heights of a row", _row),
    "layout.edge": (_TITLE_ONLY, "Two left edges", _edges),
    "layout.list": (_TITLE_ONLY, "The marks of a list", _typed),
    "density.crowded": (_TITLE_ONLY, "How many words", _crowded),
    "density.empty": (_TITLE_ONLY, "A title, and then", _nothing),
    "style.typefaces": (_TITLE_ONLY, "How many typefaces", _typefaces),
    "style.peers": (_TITLE_ONLY, "Three of a kind", _odd_one),
    "chart.labels": (_TITLE_ONLY, "The labels of a chart", _labels),
    "chart.crowded": (_TITLE_ONLY, "The slices of a pie", _slices),
    "chart.legend": (_TITLE_ONLY, "The legend of a chart", _legend),
    "picture.stretched": (_TITLE_ONLY, "The sides of a picture", _stretched),
    "picture.coarse": (_TITLE_ONLY, "The pixels of a picture", _coarse),
    "picture.twice": (_TITLE_ONLY, "The same picture", _twice),
    "picture.missing": (_TITLE_ONLY, "An image", _no_image),
    "placeholder.empty": (_WITH_TEXT, "A placeholder", _empty),
    "placeholder.prompt": (_WITH_TEXT, "Words of the template", _prompt),
    "written.title": (_TITLE_ONLY, "Three berths a year", _slide_title),
    "written.markup": (
        _TITLE_ONLY, "Marks of markup",
        _written("Berths grow by **three** a year", "Berths grow by three a year"),
    ),
    "written.unfinished": (
        _TITLE_ONLY, "A gap to be filled in",
        _written("Berths grow by XX % a year", "Berths grow by 20 % a year"),
    ),
    "written.doubled": (
        _TITLE_ONLY, "A word too many",
        _written("Berths of the the harbour", "Berths of the harbour"),
    ),
    "written.misspelt": (
        _TITLE_ONLY, "A word that is off",
        _written("Berths of the habour and its enviroment", "Berths of the harbour and its coast"),
    ),
    "written.spacing": (_TITLE_ONLY, "Commas and spaces", _spaces),
    "written.repeated": (_TITLE_ONLY, "Three lines", _thrice),
    "written.axis": (
        _TITLE_ONLY, "Numbers of an axis",
        _written("0 10 20 30 40", "From 0 to 40 berths in ten years"),
    ),
    "title.position": (_TITLE_ONLY, "The place of the title", _moved),
    "title.size": (_TITLE_ONLY, "The size of the title", _resized),
    "title.font": (_TITLE_ONLY, "The font of the title", _other_font),
    "title.shrunk": (_TITLE_ONLY, "The length of the title", _shrunk),
    "accessibility.missing-alt-text": (
        _TITLE_ONLY, "A boat", _alt(None, "No alternative text"),
    ),
    "accessibility.poor-alt-text": (
        _TITLE_ONLY, "A picture and its words",
        _alt("IMG_2045.jpg", "Alternative text: “IMG_2045.jpg”"),
    ),
    "accessibility.missing-slide-title": (_TITLE_ONLY, "The title is a title", _untitled),
    "accessibility.duplicate-slide-title": (_TITLE_ONLY, "Plan", _repeated),
    "accessibility.reading-order": (_TITLE_ONLY, "The order of reading", _order),
    "accessibility.missing-table-headers": (_TITLE_ONLY, "A table’s header", _headers),
    "accessibility.merged-table-cells": (_TITLE_ONLY, "A table’s cells", _merged),
    "accessibility.link-text": (_TITLE_ONLY, "A link", _link),
    "accessibility.language": (_TITLE_ONLY, "The language of text", _language),
    "accessibility.captions": (_TITLE_ONLY, "A film", _video),
    "package.damaged-part": (_TITLE_ONLY, "A chart", _chart),
}  # fmt: skip
"""Layout, title and content by rule, in the order of the slides of both decks."""


def slide_of(rule: str) -> int:
    """The 1-based number of a rule's slide in both decks."""
    return list(RULE_SLIDES).index(rule) + 1


def write_rule_deck(path: Path, *, bad: bool) -> Path:
    """Write the deck that breaks each rule on its slide, or the one that heeds them."""
    deck: Deck = office_deck()
    for layout, title, draw in RULE_SLIDES.values():
        draw(add_slide(deck, layout, title), bad)
    # The plan comes again at the end, with other words.
    last = add_slide(deck, _TITLE_ONLY, "Plan" if bad else _LATER)
    _said(last, "In the years to come the channel is made deeper.", 230)
    save_deck(deck, path, title="Rules", author="decklab", subject="")
    if bad:
        _damage(path)
    return path


def _damage(path: Path) -> None:
    """Cut the part of the damaged chart in two."""
    data = path.read_bytes()
    with Package.from_bytes(data, path.name) as package:
        charts = [name for name in package.names if name.startswith("ppt/charts/chart")]
        chart = max(charts, key=lambda name: (len(name), name))  # of the last slide with a chart
        half = package.read(chart)
        write_package(package, path, replace={chart: half[: len(half) // 2]})
