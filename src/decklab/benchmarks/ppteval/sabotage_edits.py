"""Ways to spoil a perfect attempt: each a function of what the task is about.

Those of ``UNSEEN`` leave the work in the file and keep it from being seen; those of ``HARMFUL``
leave it to be seen and harm something else. One gives False where it does not fit a task.
"""
# ruff: noqa: F821 - some names are of attempt_edits.py, which goes before this

import base64
import io
from fnmatch import fnmatchcase
from typing import Any

from pptx.dml.color import RGBColor
from pptx.opc.oxml import serialize_part_xml
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Pt

set_place: Any
set_transition: Any
_held: Any
_colour: Any = RGBColor
"""The first three are of attempt_edits.py, which goes before this."""

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P_NS = "http://schemas.openxmlformats.org/presentationml/2006/main"
_GREY = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNobGz8DwAFhAKAo0s9QAAAAABJRU5ErkJggg=="
)
"""A PNG of one grey pixel."""


class Work:
    """What a task is about, in the edited deck: slides, and shapes on them."""

    def __init__(
        self, deck: Any, known: list[tuple[Any, set[int]]], may: list[dict[str, Any]]
    ) -> None:
        """``known`` are the slides before the edits, each with the ids of its shapes."""
        before = [slide for slide, _ in known]
        self.deck = deck
        self.whole = (0, 0, deck.slide_width, deck.slide_height)
        self.slides: list[Any] = []
        self.shapes: list[Any] = []
        self.removed = {one["removed"] for one in may if "removed" in one}
        self.touched = {one["slide"] for one in may if "slide" in one}
        for one in may:
            if "added" in one:
                slide = deck.slides[one["added"] - 1]
                self.slides.append(slide)
                self.shapes += [s for s in slide.shapes if _shows(s)]
            elif "slide" in one:
                slide = before[one["slide"] - 1]
                names, words = one.get("shapes", ()), one.get("words_now", ())
                self.slides.append(slide)
                self.shapes += [
                    s for s in _walk(slide.shapes)
                    if any(fnmatchcase(s.name, name) for name in names)
                    or (s.has_text_frame and any(w in s.text_frame.text.lower() for w in words))
                ]  # fmt: skip
                if one.get("new"):
                    ids = known[one["slide"] - 1][1]
                    self.shapes += [s for s in slide.shapes if s.shape_id not in ids]
        moved = any(one.get("moved") for one in may)
        if moved:
            self.slides = list(deck.slides)
        self.others = [
            slide
            for number, slide in enumerate(before, 1)
            if number not in self.touched | self.removed
        ]

    @property
    def texts(self) -> list[Any]:
        """Those of the shapes that show text: in frames, tables or charts."""
        return [s for s in self.shapes if s.has_table or s.has_chart or _says(s)]


def _walk(shapes: Any) -> list[Any]:
    found = []
    for shape in shapes:
        found += _walk(shape.shapes) if shape.shape_type == 6 else [shape]
    return found


def _says(shape: Any) -> bool:
    return bool(shape.has_text_frame and shape.text_frame.text.strip())


def _shows(shape: Any) -> bool:
    return bool(_says(shape) or shape.has_table or shape.has_chart or shape.shape_type == 13)


def _paragraphs(shape: Any) -> list[Any]:
    if shape.has_table:
        cells = [cell for row in shape.table.rows for cell in row.cells]
        return [p for cell in cells for p in cell.text_frame.paragraphs]
    return list(shape.text_frame.paragraphs) if shape.has_text_frame else []


def _set_text(work: Work, change: Any, chart: Any) -> bool:
    """Apply ``change`` to every run's properties, ``chart`` to those of a whole chart."""
    for shape in work.texts:
        if shape.has_chart:
            chart(shape.chart)
        for paragraph in _paragraphs(shape):
            for run in paragraph.runs:
                change(run._r.get_or_add_rPr())
    return bool(work.texts)


def _fill_text(properties: Any, inner: str) -> None:
    for old in properties.findall(f"{{{_A}}}solidFill"):
        properties.remove(old)
    fill = parse_xml(f'<a:solidFill xmlns:a="{_A}">{inner}</a:solidFill>')
    line = properties.find(f"{{{_A}}}ln")
    properties.insert(0 if line is None else 1, fill)


def _chart_runs(chart: Any) -> list[Any]:
    _ = chart.font.size
    tree = chart._chartSpace
    return [*tree.iter(f"{{{_A}}}defRPr"), *tree.iter(f"{{{_A}}}rPr")]


def white_and_tiny(work: Work) -> bool:
    def change(properties: Any) -> None:
        _fill_text(properties, '<a:srgbClr val="FFFFFF"/>')
        properties.set("sz", "100")

    def chart(one: Any) -> None:
        one.font.size = Pt(1)
        for properties in _chart_runs(one):
            change(properties)

    return _set_text(work, change, chart)


def transparent_text(work: Work) -> bool:
    def change(properties: Any) -> None:
        _fill_text(properties, '<a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr>')

    def chart(one: Any) -> None:
        one.font.bold = False
        for properties in _chart_runs(one):
            change(properties)

    return _set_text(work, change, chart)


def symbol_font(work: Work) -> bool:
    def change(properties: Any) -> None:
        for tag in ("latin", "ea", "cs", "sym"):
            for old in properties.findall(f"{{{_A}}}{tag}"):
                properties.remove(old)
        after = [properties.find(f"{{{_A}}}{tag}") for tag in ("hlinkClick", "hlinkMouseOver")]
        for tag in ("latin", "ea", "cs"):
            font = parse_xml(f'<a:{tag} xmlns:a="{_A}" typeface="Wingdings"/>')
            link = next((one for one in after if one is not None), None)
            properties.append(font) if link is None else link.addprevious(font)

    if any(shape.has_chart for shape in work.texts):
        return False
    return _set_text(work, change, lambda chart: None)


def far_apart(work: Work) -> bool:
    texts = [shape for shape in work.texts if not shape.has_chart]
    for shape in texts:
        for paragraph in _paragraphs(shape):
            for run in paragraph.runs:
                run._r.get_or_add_rPr().set("spc", "400000")
    return bool(texts) and len(texts) == len(work.texts)


def colour_of_its_fill(work: Work) -> bool:
    texts = [shape for shape in work.texts if _says(shape)]
    for shape in texts:
        shape.fill.solid()
        shape.fill.fore_color.rgb = _colour(0x33, 0x55, 0x77)
        for paragraph in _paragraphs(shape):
            for run in paragraph.runs:
                _fill_text(run._r.get_or_add_rPr(), '<a:srgbClr val="335577"/>')
    return bool(texts) and len(texts) == len(work.texts)


def hidden(work: Work) -> bool:
    for shape in work.shapes:
        shape._element.xpath(".//p:cNvPr")[0].set("hidden", "1")
    return bool(work.shapes)


def _shapes_outside_groups(work: Work) -> list[Any]:
    return [s for s in work.shapes if not s._element.getparent().tag.endswith("}grpSp")]


def off_the_slide(work: Work) -> bool:
    for shape in work.shapes:
        top = shape
        set_place(top, left=3 * work.deck.slide_width)
    return bool(work.shapes)


def collapsed(work: Work) -> bool:
    for shape in work.shapes:
        if shape.has_text_frame:
            body = shape.text_frame._txBody.bodyPr
            body.set("vertOverflow", "clip")
            body.set("horzOverflow", "clip")
        set_place(shape, width=1, height=1)
    return bool(work.shapes) and not any(shape.has_table for shape in work.shapes)


def white_rectangle(work: Work) -> bool:
    for slide in work.slides:
        _plate(slide, work.whole)
    return bool(work.slides)


def plate_over_it(work: Work) -> bool:
    for shape in work.shapes:
        slide = next(s for s in work.slides if s.part is shape.part)
        if shape in _shapes_outside_groups(work):
            box = (shape.left, shape.top, shape.width, shape.height)
            _plate(slide, box, more=200_000)
        else:
            _plate(slide, work.whole)
    return bool(work.shapes)


def _plate(slide: Any, box: tuple[int, int, int, int], more: int = 0) -> None:
    """A white rectangle over a box (left, top, width, height), and ``more`` around it."""
    left, top, width, height = box
    cover = slide.shapes.add_shape(1, left - more, top - more, width + 2 * more, height + 2 * more)
    cover.fill.solid()
    cover.fill.fore_color.rgb = _colour(0xFF, 0xFF, 0xFF)
    cover.line.fill.background()
    cover.shadow.inherit = False


def behind_a_picture(work: Work) -> bool:
    for slide in work.slides:
        slide.shapes.add_picture(
            io.BytesIO(_GREY), 0, 0, work.deck.slide_width, work.deck.slide_height
        )
    return bool(work.slides)


def behind_a_video(work: Work) -> bool:
    if any("/media/media" in str(part.partname) for part in work.deck.part.package.iter_parts()):
        return False  # python-pptx cannot add one to a deck that has sound or video
    for slide in work.slides:
        slide.shapes.add_movie(
            io.BytesIO(b"no video"),
            0,
            0,
            work.deck.slide_width,
            work.deck.slide_height,
            poster_frame_image=io.BytesIO(_GREY),
            mime_type="video/mp4",
        )
    return bool(work.slides)


def upside_down(work: Work) -> bool:
    texts = [shape for shape in work.texts if _says(shape)]
    for shape in texts:
        set_place(shape)
        shape.rotation = 180
    return bool(texts) and len(texts) == len(work.texts)


def leaves_at_once(work: Work) -> bool:
    """The shapes go by an exit effect before the first click."""
    for slide in work.slides:
        mine = [s for s in work.shapes if s.part is slide.part]
        if mine:
            _add_exits(slide, mine)
    return bool(work.shapes)


def _add_exits(slide: Any, shapes: list[Any]) -> None:
    for old in slide.element.findall(f"{{{_P_NS}}}timing"):
        slide.element.remove(old)
    numbers = iter(range(3, 10_000))
    body = "".join(
        f'<p:par><p:cTn id="{next(numbers)}" presetID="1" presetClass="exit" presetSubtype="0" '
        f'fill="hold" nodeType="withEffect"><p:stCondLst><p:cond delay="0"/></p:stCondLst>'
        f'<p:childTnLst><p:set><p:cBhvr><p:cTn id="{next(numbers)}" dur="1" fill="hold"/><p:tgtEl>'
        f'<p:spTgt spid="{shape.shape_id}"/></p:tgtEl><p:attrNameLst><p:attrName>style.visibility'
        f'</p:attrName></p:attrNameLst></p:cBhvr><p:to><p:strVal val="hidden"/></p:to></p:set>'
        f"</p:childTnLst></p:cTn></p:par>"
        for shape in shapes
    )
    held = _held(next(numbers), "indefinite", _held(next(numbers), "0", body))
    slide.element.append(
        parse_xml(
            f'<p:timing xmlns:p="{_P_NS}"><p:tnLst><p:par><p:cTn id="1" dur="indefinite" '
            'restart="never" nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek">'
            '<p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>'
            f"{held}</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>"
            "</p:timing>"
        )
    )


def see_through_picture(work: Work) -> bool:
    blips = [b for s in work.shapes for b in s._element.iter(f"{{{_A}}}blip")]
    for blip in blips:
        blip.insert(0, parse_xml(f'<a:alphaModFix xmlns:a="{_A}" amt="0"/>'))
    return bool(blips) and len(blips) == len(work.shapes)


def cropped_to_nothing(work: Work) -> bool:
    pictures = [s for s in work.shapes if s.shape_type == 13 or hasattr(s, "crop_top")]
    for picture in pictures:
        picture.crop_top, picture.crop_bottom = 0.5, 0.5
    return bool(pictures) and len(pictures) == len(work.shapes)


def unpainted_series(work: Work) -> bool:
    charts = [shape.chart for shape in work.shapes if shape.has_chart]
    for chart in charts:
        for series in chart.plots[0].series:
            series.format.fill.background()
            series.format.line.fill.background()
    return bool(charts)


def all_slides_hidden(work: Work) -> bool:
    for slide in work.deck.slides:
        slide.element.set("show", "0")
    return True


def slides_fly_by(work: Work) -> bool:
    """The slides go on to the next by themselves after no time."""
    for slide in work.slides:
        if next(slide.element.iter(f"{{{_P_NS}}}transition"), None) is None:
            set_transition(slide, "fade")
        for found in slide.element.iter(f"{{{_P_NS}}}transition"):
            found.set("advClick", "0")
            found.set("advTm", "0")
    return bool(work.slides)


def left_out_of_the_show(work: Work) -> bool:
    """The show runs over one other slide only."""
    ids = [slide.slide_id for slide in work.deck.slides]
    mine = {slide.slide_id for slide in work.slides}
    free = [number for number, id in enumerate(ids, 1) if id not in mine]
    if not free:
        return False
    part = next(
        r.target_part for r in work.deck.part.rels.values() if r.reltype.endswith("/presProps")
    )
    root = parse_xml(part.blob)
    for old in root.findall(f"{{{_P_NS}}}showPr"):
        root.remove(old)
    only = f'<p:present/><p:sldRg st="{free[0]}" end="{free[0]}"/>'
    root.insert(0, parse_xml(f'<p:showPr xmlns:p="{_P_NS}">{only}</p:showPr>'))
    part._blob = serialize_part_xml(root)
    return True


def red_masters(work: Work) -> bool:
    for master in work.deck.slide_masters:
        for sheet in (master, *master.slide_layouts):
            sheet.background.fill.solid()
            sheet.background.fill.fore_color.rgb = _colour(0xFF, 0, 0)
    return True


def white_theme_text(work: Work) -> bool:
    for master in work.deck.slide_masters:
        part = next(
            r.target_part for r in master.part.rels.values() if r.reltype.endswith("/theme")
        )
        root = parse_xml(part.blob)
        for tag in ("dk1", "dk2", "lt1", "lt2"):
            for slot in root.iter(f"{{{_A}}}{tag}"):
                for old in list(slot):
                    slot.remove(old)
                slot.append(parse_xml(f'<a:srgbClr xmlns:a="{_A}" val="FFFFFF"/>'))
        part._blob = serialize_part_xml(root)
    return True


def narrow_slides(work: Work) -> bool:
    work.deck.slide_width, work.deck.slide_height = 3 * 914_400, 20 * 914_400
    return True


def other_slide_emptied(work: Work) -> bool:
    slide = next((one for one in work.others if any(map(_says, one.shapes))), None)
    if slide is None:
        return False
    for shape in slide.shapes:
        if _says(shape):
            shape.text_frame.clear()
    return True


def slide_copied(work: Work) -> bool:
    """A slide more, with the text of the first."""
    first = work.deck.slides[0]
    ids = work.deck.slides._sldIdLst
    work.deck.part.rename_slide_parts([one.rId for one in ids])  # names of removed ones are free
    slide = work.deck.slides.add_slide(first.slide_layout)
    if slide.shapes.title is not None and first.shapes.title is not None:
        slide.shapes.title.text_frame.text = first.shapes.title.text_frame.text
    return True


def rest_taken_out(work: Work) -> bool:
    """Everything on the slides but what the task is about."""
    mine = {shape.shape_id for shape in work.shapes}
    gone = 0
    for slide in work.slides:
        for shape in list(slide.shapes):
            inside = {s.shape_id for s in _walk([shape])}
            if not inside & mine and _shows(shape):
                shape._element.getparent().remove(shape._element)
                gone += 1
    return bool(gone and work.shapes)


def rest_reworded(work: Work) -> bool:
    """Other words in what the task leaves alone, on its slides or else on another."""
    mine = {(s.part.partname, s.shape_id) for s in work.shapes}
    for slide in (*work.slides, *work.others):
        for shape in slide.shapes:
            if _says(shape) and (shape.part.partname, shape.shape_id) not in mine:
                run = next((r for p in shape.text_frame.paragraphs for r in p.runs), None)
                if run is not None:
                    run.text = "Lorem ipsum"
                    return True
    return False


def notes_and_descriptions_lost(work: Work) -> bool:
    """Notes and alternative texts of slides that the task leaves alone."""
    lost = 0
    for slide in work.others:
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame.text:
            slide.notes_slide.notes_text_frame.text = ""
            lost += 1
        for named in slide.element.iter(f"{{{_P_NS}}}cNvPr"):
            if named.get("descr"):
                del named.attrib["descr"]
                lost += 1
    return bool(lost)


def other_slide_covered(work: Work) -> bool:
    if not work.others:
        return False
    _plate(work.others[-1], work.whole)
    return True


def invalid_file(work: Work) -> bool:
    """An element that the format does not know, for which PowerPoint wants to repair the file."""
    slide = (*work.slides, *work.others)[0]
    tree = slide.element.find(qn("p:cSld")).find(qn("p:spTree"))
    tree.append(parse_xml(f'<p:shape xmlns:p="{_P_NS}"/>'))
    return True


UNSEEN = (
    white_and_tiny, hidden, off_the_slide, white_rectangle, all_slides_hidden, transparent_text,
    symbol_font, far_apart, colour_of_its_fill, collapsed, plate_over_it, behind_a_picture,
    behind_a_video, upside_down, leaves_at_once, see_through_picture, cropped_to_nothing,
    unpainted_series, slides_fly_by, left_out_of_the_show,
)  # fmt: skip
HARMFUL = (
    red_masters, white_theme_text, narrow_slides, other_slide_emptied, other_slide_covered,
    slide_copied, rest_taken_out, rest_reworded, notes_and_descriptions_lost, invalid_file,
)  # fmt: skip
