"""A small business deck built with python-pptx, and checks that read an edited one with it.

The requests in ``plain_requests.py`` are about this deck. Nothing here uses decklab: python-pptx is
the witness of what an edit did.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Inches, Pt

TITLES = (
    "Apple annual review",
    "Agenda",
    "Revenue by region",
    "Our team",
    "The product",
    "Markets",
    "Risks",
    "Roadmap",
    "Outlook",
    "Thank you",
)
IDS = tuple(range(256, 266))
"""The slides' ids, in the order of ``TITLES``: python-pptx counts from 256."""


def build_plain_deck(path: Path) -> Path:
    """Ten slides: bullets, chart, table, picture, two columns, text box, shapes, notes."""
    deck = Presentation()
    layouts = deck.slide_layouts
    slides = [deck.slides.add_slide(layouts[number]) for number in (0, 1, 5, 5, 5, 3, 1, 5, 1, 5)]
    for slide, title in zip(slides, TITLES, strict=True):
        slide.shapes.title.text = title
    slides[0].placeholders[1].text = "Prepared by the finance team"
    slides[1].placeholders[1].text = "Results\nMarkets\nOutlook"
    data = CategoryChartData()
    data.categories = ["North", "South", "West"]
    data.add_series("2024", (4.0, 3.0, 2.0))
    data.add_series("2025", (5.0, 4.0, 3.0))
    box = (Inches(1), Inches(1.8), Inches(8), Inches(5))
    slides[2].shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data).name = "Chart 1"
    table = slides[3].shapes.add_table(4, 3, Inches(1), Inches(1.8), Inches(8), Inches(2.4))
    table.name = "Table 1"
    rows = (
        ("Name", "Role", "Office"),
        ("Ann Lee", "CEO", "London"),
        ("Bob Ray", "CFO", "Paris"),
        ("Cy Dunn", "Sales at Apple", "Oslo"),
    )
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            table.table.cell(row, column).text = text
    picture = io.BytesIO()
    Image.new("RGB", (320, 240), (40, 90, 160)).save(picture, "PNG")
    photo = slides[4].shapes.add_picture(picture, Inches(3), Inches(2), Inches(4), Inches(3))
    photo.name = "Photo"
    photo._element.nvPicPr.cNvPr.set("descr", "The Apple product on a table")
    _text_box(slides[4], "Caption", "Figure 1: the product", 1, 5.5, 8, 0.6)
    slides[5].placeholders[1].text = "Europe\nAsia"
    slides[5].placeholders[2].text = "Growth of 4 %\nGrowth of 9 %"
    slides[6].placeholders[1].text = "Apple depends on few suppliers\nSerious delays\nCosts for us"
    secret = _text_box(slides[6], "Stamp", "Confidential", 7, 6.5, 2.5, 0.6)
    secret.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(0xC0, 0, 0)
    for number, text in enumerate(("Plan", "Build", "Ship")):
        spot = (Inches(0.8 + 3 * number), Inches(3), Inches(2), Inches(1.2))
        shape = slides[7].shapes.add_shape(MSO_SHAPE.RECTANGLE, *spot)
        shape.name, shape.text_frame.text = f"{text} box", text
    slides[8].placeholders[1].text = "Apple opens two stores\nWe hire 20 people"
    slides[8].notes_slide.notes_text_frame.text = "Mention the new Apple store"
    _text_box(slides[9], "Questions", "Any questions?", 3, 3, 4, 1)
    deck.save(str(path))
    return path


def _text_box(slide, name, text, *box):
    shape = slide.shapes.add_textbox(*map(Inches, box))
    shape.name = name
    shape.text_frame.text = text
    shape.text_frame.paragraphs[0].runs[0].font.size = Pt(18)
    return shape


@dataclass(frozen=True)
class Check:
    """What must hold of the edited deck, and which items it is about: those alone may differ."""

    holds: Callable[[Any], bool]
    touches: frozenset = field(default_factory=frozenset)


@dataclass(frozen=True)
class Request:
    """A request in plain words. Without checks it must not be called done (asked back, refused)."""

    words: str
    checks: tuple[Check, ...] = ()


def can(words: str, *checks: Check) -> Request:
    return Request(words, checks)


def cannot(words: str) -> Request:
    return Request(words)


# How to find things. A slide is named by its number in the deck as it was built.


def slide_of(deck, number):
    """The slide that had this number in the deck as it was built."""
    return next(s for s in deck.slides if s.slide_id == IDS[number - 1])


def shape_of(deck, number, name):
    """A shape by its name; ``title``, ``body`` and ``right`` are placeholders."""
    shapes = slide_of(deck, number).shapes
    if name == "title":
        return shapes.title
    if name == "body":
        return slide_of(deck, number).placeholders[1]
    if name == "right":
        return slide_of(deck, number).placeholders[2]
    return next(s for s in shapes if s.name == name)


def runs_of(deck, number, name):
    frame = shape_of(deck, number, name).text_frame
    return [run for paragraph in frame.paragraphs for run in paragraph.runs if run.text.strip()]


def about(number, *names):
    return frozenset((IDS[number - 1], name) for name in names)


def text(number, name, wanted):
    return Check(lambda d: shape_of(d, number, name).text_frame.text == wanted, about(number, name))


def font(number, name, /, **wanted):
    """Each run states ``bold``, ``italic``, ``underline``, ``size`` (points) or ``name``."""

    def holds(deck):
        for run in runs_of(deck, number, name):
            for key, value in wanted.items():
                stated = getattr(run.font, key)
                if key == "size":
                    stated = stated and stated.pt
                if (bool(stated) if isinstance(value, bool) else stated) != value:
                    return False
        return True

    return Check(holds, about(number, name))


def color(number, name, *wanted):
    """Each run has one of these colours: ``RRGGBB``, or a theme colour's name in DrawingML."""

    def stated(run):
        fill = run._r.rPr.find(qn("a:solidFill")) if run._r.rPr is not None else None
        return fill[0].get("val").upper() if fill is not None and len(fill) else None

    names = {one.upper() for one in wanted}
    return Check(
        lambda d: all(stated(run) in names for run in runs_of(d, number, name)), about(number, name)
    )


def fill(number, name, *wanted):
    def holds(deck):
        element = shape_of(deck, number, name)._element.spPr.find(qn("a:solidFill"))
        return element is not None and element[0].get("val").upper() in wanted

    return Check(holds, about(number, name))


def align(number, name, wanted):
    values = {
        "left": (PP_ALIGN.LEFT,), "center": (PP_ALIGN.CENTER,), "right": (PP_ALIGN.RIGHT,)
    }  # fmt: skip
    return Check(
        lambda d: all(
            p.alignment in values[wanted] for p in shape_of(d, number, name).text_frame.paragraphs
        ),
        about(number, name),
    )


def bullets(number, name, *wanted):
    """The paragraphs' texts, in order."""
    return Check(
        lambda d: [p.text for p in shape_of(d, number, name).text_frame.paragraphs] == list(wanted),
        about(number, name),
    )


def order(*numbers):
    """Slides, by their numbers in the deck as built; None: a slide that was not there."""
    wanted = [None if n is None else IDS[n - 1] for n in numbers]
    return Check(
        lambda d: [s.slide_id if s.slide_id in IDS else None for s in d.slides] == wanted,
        frozenset({("deck", "order")}),
    )


def copy_of(place, number):
    """The slide at ``place`` (from 1) is a copy of that slide: same texts."""

    def texts(slide):
        return [s.text_frame.text for s in slide.shapes if s.has_text_frame]

    return Check(
        lambda d: texts(list(d.slides)[place - 1]) == texts(slide_of(d, number)), frozenset()
    )


def new_title(place, wanted):
    return Check(lambda d: list(d.slides)[place - 1].shapes.title.text_frame.text == wanted)


def gone(number, name):
    return Check(
        lambda d: all(s.name != name for s in slide_of(d, number).shapes), about(number, name)
    )


def notes(number, wanted):
    def holds(deck):
        slide = slide_of(deck, number)
        found = slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else ""
        return found.strip() == wanted

    return Check(holds, about(number, "notes"))


def hidden(number, wanted=True):
    return Check(
        lambda d: (slide_of(d, number)._element.get("show") == "0") is wanted,
        about(number, "hidden"),
    )


def alt(number, name, wanted):
    return Check(
        lambda d: (shape_of(d, number, name)._element.nvPicPr.cNvPr.get("descr") or "") == wanted,
        about(number, name),
    )


def transition(number, kind):
    """``kind``: the element's name, as ``fade``; None: no transition."""

    def holds(deck):
        found = slide_of(deck, number)._element.iter(qn("p:transition"))
        kinds = [child.tag.split("}")[1] for one in found for child in one]
        return kind in kinds if kind else not kinds

    return Check(holds, about(number, "transition"))


def cell(row, column, wanted):
    return Check(
        lambda d: shape_of(d, 4, "Table 1").table.cell(row - 1, column - 1).text == wanted,
        about(4, "Table 1"),
    )


def table(*rows):
    def holds(deck):
        found = shape_of(deck, 4, "Table 1").table
        return [[one.text for one in row.cells] for row in found.rows] == [list(r) for r in rows]

    return Check(holds, about(4, "Table 1"))


def cells_font(rows, **wanted):
    """Runs of the table's rows (from 1) state these."""

    def holds(deck):
        found = shape_of(deck, 4, "Table 1").table
        runs = [
            run
            for row in rows
            for one in found.rows[row - 1].cells
            for paragraph in one.text_frame.paragraphs
            for run in paragraph.runs
        ]
        return all(
            bool(getattr(run.font, key)) is value for run in runs for key, value in wanted.items()
        )

    return Check(holds, about(4, "Table 1"))


def chart(kind=None, title=None, value=None):
    """``kind``: a member of XL_CHART_TYPE; ``value``: (series, category, number)."""

    def holds(deck):
        found = shape_of(deck, 3, "Chart 1").chart
        right = kind is None or found.chart_type in kind
        if title is not None:
            right &= found.has_title and found.chart_title.text_frame.text == title
        if value is not None:
            series, category, number = value
            place = list(found.plots[0].categories).index(category)
            one = next(s for s in found.plots[0].series if s.name == series)
            right &= one.values[place] == number
        return bool(right)

    return Check(holds, about(3, "Chart 1"))


def link(number, name, address=None, slide=None):
    """A run of the shape, or the shape, leads to the address or the slide; without both nowhere."""

    def holds(deck):
        shape = shape_of(deck, number, name)
        places = list(shape._element.iter(qn("a:hlinkClick")))
        part = slide_of(deck, number).part
        found = []
        for one in places:
            target = part.rels[one.get(qn("r:id"))]
            found.append(
                target.target_ref if target.is_external else target.target_part.slide.slide_id
            )
        wanted = address if slide is None else IDS[slide - 1]
        if wanted is None:
            return not found
        return any(
            f == wanted or (address and str(f).rstrip("/") == address.rstrip("/")) for f in found
        )

    return Check(holds, about(number, name))


def size(number, name, width=None, height=None, factor=None):
    """In inches, or as a factor of what it was (4 by 3 for the photo)."""

    def holds(deck):
        shape = shape_of(deck, number, name)
        w, h = shape.width / 914400, shape.height / 914400
        if factor:
            return abs(w - 4 * factor) < 0.02 and abs(h - 3 * factor) < 0.02
        return (width is None or abs(w - width) < 0.02) and (
            height is None or abs(h - height) < 0.02
        )

    return Check(holds, about(number, name))


def place(number, name, left=None, top=None):
    def holds(deck):
        shape = shape_of(deck, number, name)
        return all(
            wanted is None or abs(at / 914400 - wanted) < 0.02
            for wanted, at in ((left, shape.left), (top, shape.top))
        )

    return Check(holds, about(number, name))


def background(number, wanted):
    def holds(deck):
        found = slide_of(deck, number).background.fill
        return found.type is not None and str(found.fore_color.rgb) == wanted

    return Check(holds, about(number, "background"))


def slide_number(number, shown=True):
    def holds(deck):
        fields = [one.get("type") for one in slide_of(deck, number)._element.iter(qn("a:fld"))]
        return ("slidenum" in fields) is shown

    return Check(holds, about(number, "numbers"))


def footer(number, wanted):
    def holds(deck):
        found = [
            s.text_frame.text
            for s in slide_of(deck, number).placeholders
            if s.placeholder_format.type is not None and "FOOTER" in str(s.placeholder_format.type)
        ]
        return found == ([wanted] if wanted else [])

    return Check(holds, about(number, "footer"))


ALL = range(1, 11)


def every(make, numbers=ALL):
    """One check of many: ``make(number)`` for each slide."""
    parts = [make(number) for number in numbers]
    return Check(
        lambda d: all(part.holds(d) for part in parts),
        frozenset().union(*(part.touches for part in parts)),
    )


def snapshot_of(path):
    """What stands on each slide, by (slide id, item): equal items were not touched."""
    deck = Presentation(str(path))
    seen: dict[tuple[Any, Any], Any] = {("deck", "order"): tuple(s.slide_id for s in deck.slides)}
    for slide in deck.slides:
        if slide.slide_id not in IDS:
            continue
        key = slide.slide_id
        seen[key, "notes"] = (
            slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else ""
        )
        seen[key, "hidden"] = slide._element.get("show")
        seen[key, "transition"] = len(list(slide._element.iter(qn("p:transition"))))
        seen[key, "background"] = slide._element.cSld.find(qn("p:bg")) is not None
        for shape in slide.shapes:
            seen[key, _item(slide, shape)] = _facts(shape)
    return seen


def _item(slide, shape):
    if not shape.is_placeholder:
        return shape.name
    kind = shape.placeholder_format
    if slide.shapes.title is not None and shape.shape_id == slide.shapes.title.shape_id:
        return "title"
    if "SLIDE_NUMBER" in str(kind.type):
        return "numbers"
    if "FOOTER" in str(kind.type):
        return "footer"
    return {1: "body", 2: "right"}.get(kind.idx, shape.name)


def _facts(shape):
    facts = [shape.left, shape.top, shape.width, shape.height]
    facts.append(etree.tostring(shape._element, method="c14n"))
    if shape.has_chart:
        facts.append(etree.tostring(shape.chart._chartSpace, method="c14n"))
    return facts
