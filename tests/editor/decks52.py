"""A deck of 52 slides with words in all places that hold some, and a plain walk of it."""

import re
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Pt

from decklab.deck.deck import write_samples

SLIDES = 52
PRODUCT = "Harbour"
_SHEETS = re.compile(r"ppt/(slides/slide|notesSlides/notesSlide|diagrams/data)\d+\.xml")
_DESIGNS = re.compile(r"ppt/(slideLayouts/slideLayout|slideMasters/slideMaster)\d+\.xml")
_CHARTS = re.compile(r"ppt/charts/chart\d+\.xml")
_PARAGRAPH = re.compile(r"<a:p>.*?</a:p>|<a:p [^>]*>.*?</a:p>", re.DOTALL)
_PIECE = re.compile(r"<a:t(?: [^>]*)?>([^<]*)</a:t>|<a:br\b|<a:fld\b", re.DOTALL)
_FIELD = re.compile(r"<a:fld\b.*?</a:fld>", re.DOTALL)
_SHAPE = re.compile(r"<p:(sp|pic)[ >].*?</p:\1>", re.DOTALL)
_DESCRIPTION = re.compile(r'<p:cNvPr [^>]*?\bdescr="([^"]+)"')
_CACHE = re.compile(r"<c:strCache>.*?</c:strCache>", re.DOTALL)
_FIELD_SIGN = "\ufffc"


def write_deck52(folder: Path, *, slides: int = SLIDES) -> Path:
    """The rich sample, 14 slides, with more of tables, groups, charts, notes, descriptions."""
    write_samples(folder)
    prs = Presentation(str(folder / "rich.pptx"))
    layout = next(one for one in prs.slide_layouts if len(one.placeholders) > 1)
    for number in range(len(prs.slides) + 1, slides + 1):
        slide = prs.slides.add_slide(layout)
        if slide.shapes.title is not None:
            slide.shapes.title.text_frame.text = f"{PRODUCT} heat, step {number}"
        kinds = (_add_words, _add_table, _add_group, _add_chart)
        kinds[number % 4](slide, number)
        slide.notes_slide.notes_text_frame.text = f"Say why {PRODUCT} matters in step {number}."
        if number == 20:
            slide._element.set("show", "0")
    _add_to_master(prs)
    made = folder / "made.pptx"
    prs.save(str(made))
    return _with_product_in_diagram(made, folder / "fiftytwo.pptx")


def _add_words(slide: Any, number: int) -> None:
    box = slide.shapes.add_textbox(Pt(60), Pt(300), Pt(600), Pt(80))
    first, second = box.text_frame.paragraphs[0], box.text_frame.add_paragraph()
    for words, bold in (("Har", True), ("bour", False), (f" pumps in year {number}", False)):
        run = first.add_run()
        run.text, run.font.bold = words, bold
    second.text = f"Warm water\vin pipe {number}"
    box._element.nvSpPr.cNvPr.set("descr", f"Box about {PRODUCT} {number}")


def _add_table(slide: Any, number: int) -> None:
    table = slide.shapes.add_table(3, 3, Pt(60), Pt(200), Pt(600), Pt(120)).table
    for row in range(3):
        for column in range(3):
            words = f"{PRODUCT} cell" if row == column else "Cell"
            table.cell(row, column).text = f"{words} {number}.{row}.{column}"


def _add_group(slide: Any, number: int) -> None:
    group = slide.shapes.add_group_shape()
    for at in range(2):
        inner = group.shapes.add_group_shape()
        box = inner.shapes.add_textbox(Pt(60 + 200 * at), Pt(300), Pt(180), Pt(40))
        box.text_frame.text = f"Part {at} of {PRODUCT} {number}"


def _add_chart(slide: Any, number: int) -> None:
    data: Any = CategoryChartData()
    data.categories = ["Oil", f"{PRODUCT} {number}", "Wood"]
    data.add_series(f"Heat by {PRODUCT}", (3, 5, 7))
    data.add_series("Last year", (4, 4, 4))
    shown = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Pt(60), Pt(150), Pt(600), Pt(300), data
    ).chart
    shown.has_title = True
    shown.chart_title.text_frame.text = f"What {PRODUCT} gives, {number}"


def _add_to_master(prs: Any) -> None:
    source = next(s for s in prs.slides[15].shapes if s.has_text_frame and not s.is_placeholder)
    box = deepcopy(source._element)
    box.nvSpPr.cNvPr.set("id", "990")
    box.nvSpPr.cNvPr.attrib.pop("descr", None)
    tree = prs.slide_master._element.cSld.spTree
    tree.append(box)


def _with_product_in_diagram(source: Path, target: Path) -> Path:
    with ZipFile(source) as held, ZipFile(target, "w", ZIP_DEFLATED) as out:
        names = [n for n in held.namelist() if "diagrams/data" in n or "diagrams/drawing" in n]
        word = re.findall(r"<a:t>([^<]+)</a:t>", held.read(sorted(names)[0]).decode())[0]
        for name in held.namelist():
            data = held.read(name)
            if name in names:
                data = data.replace(f">{word}<".encode(), f">{word} of {PRODUCT}<".encode())
            out.writestr(name, data)
    return target


@dataclass(frozen=True)
class ShownWords:
    """What a walk over the XML with regular expressions finds: texts with a letter."""

    paragraphs: Counter[str]
    """Of slides, notes, diagrams; of layouts and masters those of no placeholders."""
    descriptions: Counter[str]
    charts: dict[str, set[str]]
    """Titles and names of categories and series, by part."""

    @property
    def all(self) -> str:
        """All of them, for searching."""
        charts = [text for found in self.charts.values() for text in found]
        return "\n".join([*self.paragraphs, *self.descriptions, *charts])


def shown_words(deck: Path) -> ShownWords:
    """The words of a deck file, found without decklab."""
    paragraphs, descriptions = Counter[str](), Counter[str]()
    charts = dict[str, set[str]]()
    with ZipFile(deck) as held:
        for name in held.namelist():
            text = held.read(name).decode("utf-8", "replace") if name.endswith(".xml") else ""
            if _CHARTS.fullmatch(name):
                caches = "".join(_CACHE.findall(text))
                names = {unescape(one) for one in re.findall(r"<c:v>([^<]*)</c:v>", caches)}
                charts[name] = {one for one in {*names, *_paragraphs(text)} if _letters(one)}
            if _DESIGNS.fullmatch(name):
                text = _SHAPE.sub(lambda found: "" if "<p:ph" in found[0] else found[0], text)
            if _SHEETS.fullmatch(name) or _DESIGNS.fullmatch(name):
                paragraphs.update(_paragraphs(text))
                descriptions.update(unescape(one) for one in _DESCRIPTION.findall(text))
    return ShownWords(paragraphs, descriptions, charts)


def split_words(number: int) -> bool:
    """Whether the product's name is in two runs on the slide of this number."""
    return number > 14 and number % 4 == 0


def without_words(deck: Path) -> dict[str, bytes]:
    """The parts of a deck, XML in canonical form with all words blank; workbooks left out."""
    with ZipFile(deck) as held:
        return {
            name: _blank(held.read(name)) if name.endswith((".xml", ".rels")) else held.read(name)
            for name in held.namelist()
            if not name.endswith(".xlsx")
        }


def _blank(data: bytes) -> bytes:
    root = etree.fromstring(data)
    for item in root.iter():
        name = etree.QName(item).localname if isinstance(item.tag, str) else ""
        if name in ("t", "v"):
            item.text = None
        if name == "cNvPr" and item.get("descr"):
            item.set("descr", "")
        if name == "section":
            item.set("name", "")
    return etree.tostring(root, method="c14n")


def _paragraphs(text: str) -> list[str]:
    found = [_words(_FIELD.sub("<a:fld/>", one)) for one in _PARAGRAPH.findall(text)]
    return [one for one in found if _letters(one)]


def _words(paragraph: str) -> str:
    pieces = _PIECE.finditer(paragraph)
    return "".join(
        unescape(one[1]) if one[1] is not None
        else "\n" if one[0].startswith("<a:br") else _FIELD_SIGN
        for one in pieces
    )  # fmt: skip


def _letters(text: str) -> bool:
    return any(letter.isalpha() for letter in text)
