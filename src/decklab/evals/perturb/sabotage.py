"""Sabotage: a finished edit made worthless, to see whether the grader notices it.

Each sabotage is a function of an `EditedDeck`. One of kind ``unseen`` leaves the work in the file
and keeps it from being seen; one of kind ``harmful`` leaves it to be seen and harms something else.
It returns False if it does not fit the edit; the deck may be changed in part then, and must not
be used.

It imports python-pptx and nothing of decklab's, so that it can run in the sandbox.
"""

import base64
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import Any, Final, Literal

from pptx.dml.color import RGBColor
from pptx.opc.oxml import serialize_part_xml
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Pt

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_PICTURE, _GROUP = 13, 6
_colour: Any = RGBColor  # python-pptx has no types
_GREY = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNobGz8DwAFhAKAo0s9QAAAAABJRU5ErkJggg=="
)
"""A PNG of one grey pixel."""
SlideBefore = tuple[Any, set[int]]
"""A slide as it was before an edit, with the ids of its shapes."""


def slides_before(deck: Any) -> list[SlideBefore]:
    """The slides of a deck before its edit, as `EditedDeck` takes them."""
    return [(slide, {shape.shape_id for shape in slide.shapes}) for slide in deck.slides]


class EditedDeck:
    """A deck after an edit: the slides and shapes that the edit is about, and the other slides."""

    def __init__(
        self, deck: Any, before: list[SlideBefore], may_change: list[dict[str, Any]]
    ) -> None:
        """``may_change`` says what the edit is about, in the words of a rubric's metadata."""
        self.deck = deck
        self.whole = (0, 0, deck.slide_width, deck.slide_height)
        slides: list[Any] = []
        shapes: list[Any] = []
        for entry in may_change:
            if "added" in entry:
                slide = deck.slides[entry["added"] - 1]
                slides.append(slide)
                shapes += [shape for shape in slide.shapes if _shows(shape)]
            elif "slide" in entry:
                slide, ids = before[entry["slide"] - 1]
                slides.append(slide)
                shapes += [shape for shape in _walk(slide.shapes) if _is_named(shape, entry)]
                if entry.get("new"):
                    shapes += [shape for shape in slide.shapes if shape.shape_id not in ids]
        self.slides = list({id(slide.part): slide for slide in slides}.values())
        self.shapes = list({id(shape._element): shape for shape in shapes}.values())
        if any(entry.get("moved") for entry in may_change):
            self.slides = list(deck.slides)
        numbers = {entry.get(key) for entry in may_change for key in ("slide", "removed")}
        self.others = [slide for n, (slide, _) in enumerate(before, 1) if n not in numbers]

    @property
    def texts(self) -> list[Any]:
        """The shapes that show text: in frames, tables or charts."""
        return [s for s in self.shapes if s.has_table or s.has_chart or _has_text(s)]

    @property
    def only_frames(self) -> bool:
        """Whether there is text, and all of it in frames."""
        return bool(self.texts) and all(map(_has_text, self.texts))


def _is_named(shape: Any, entry: dict[str, Any]) -> bool:
    if any(fnmatchcase(shape.name, name) for name in entry.get("shapes", ())):
        return True
    words = entry.get("words_now", ())
    return shape.has_text_frame and any(w in shape.text_frame.text.lower() for w in words)


def _walk(shapes: Any) -> list[Any]:
    members = []
    for shape in shapes:
        members += _walk(shape.shapes) if shape.shape_type == _GROUP else [shape]
    return members


def _has_text(shape: Any) -> bool:
    return bool(shape.has_text_frame and shape.text_frame.text.strip())


def _shows(shape: Any) -> bool:
    drawn = shape.has_table or shape.has_chart or shape.shape_type == _PICTURE
    return bool(_has_text(shape) or drawn)


def _run_properties(shape: Any) -> Iterator[Any]:
    frames = [shape.text_frame] if shape.has_text_frame else []
    if shape.has_table:
        frames = [cell.text_frame for row in shape.table.rows for cell in row.cells]
    for frame in frames:
        for paragraph in frame.paragraphs:
            yield from (run._r.get_or_add_rPr() for run in paragraph.runs)


def _change_text(edited: EditedDeck, change: Callable[[Any], None], **chart_font: Any) -> bool:
    """Apply ``change`` to all runs; charts fit only with ``chart_font`` for their own font."""
    for shape in edited.texts:
        if not shape.has_chart:
            runs = list(_run_properties(shape))
        elif chart_font:
            for name, value in chart_font.items():
                setattr(shape.chart.font, name, value)
            tree = shape.chart._chartSpace
            runs = [*tree.iter(qn("a:defRPr")), *tree.iter(qn("a:rPr"))]
        else:
            return False
        for properties in runs:
            change(properties)
    return bool(edited.texts)


def _fill_text(properties: Any, inner: str) -> None:
    for old in properties.findall(qn("a:solidFill")):
        properties.remove(old)
    fill = parse_xml(f'<a:solidFill xmlns:a="{_A}">{inner}</a:solidFill>')
    properties.insert(0 if properties.find(qn("a:ln")) is None else 1, fill)


def _set_place(shape: Any, **sides: int) -> None:
    """Set some sides of a shape, and state the others, which a placeholder inherits."""
    stated = {side: getattr(shape, side) for side in ("left", "top", "width", "height")}
    for side, length in (stated | sides).items():
        setattr(shape, side, length)


def _cover(slide: Any, box: tuple[int, int, int, int], margin: int = 0) -> None:
    """A white rectangle over a box (left, top, width, height) and a ``margin`` around it, EMU."""
    left, top, width, height = box
    sides = (left - margin, top - margin, width + 2 * margin, height + 2 * margin)
    plate = slide.shapes.add_shape(1, *sides)
    plate.fill.solid()
    plate.fill.fore_color.rgb = _colour(0xFF, 0xFF, 0xFF)
    plate.line.fill.background()
    plate.shadow.inherit = False


@contextmanager
def _part_xml(owner: Any, kind: str) -> Iterator[Any]:
    """The XML of the part to which ``owner`` has a relationship of ``kind``, to be changed."""
    part = next(r.target_part for r in owner.rels.values() if r.reltype.endswith(f"/{kind}"))
    root = parse_xml(part.blob)
    yield root
    part._blob = serialize_part_xml(root)


def white_and_tiny(edited: EditedDeck) -> bool:
    def change(properties: Any) -> None:
        _fill_text(properties, '<a:srgbClr val="FFFFFF"/>')
        properties.set("sz", "100")

    return _change_text(edited, change, size=Pt(1))


def transparent_text(edited: EditedDeck) -> bool:
    def change(properties: Any) -> None:
        _fill_text(properties, '<a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr>')

    return _change_text(edited, change, bold=False)


def symbol_font(edited: EditedDeck) -> bool:
    def change(properties: Any) -> None:
        for tag in ("a:latin", "a:ea", "a:cs", "a:sym"):
            for old in properties.findall(qn(tag)):
                properties.remove(old)
        links = [properties.find(qn(tag)) for tag in ("a:hlinkClick", "a:hlinkMouseOver")]
        link = next((item for item in links if item is not None), None)
        for tag in ("latin", "ea", "cs"):
            font = parse_xml(f'<a:{tag} xmlns:a="{_A}" typeface="Wingdings"/>')
            properties.append(font) if link is None else link.addprevious(font)

    return _change_text(edited, change)


def far_apart(edited: EditedDeck) -> bool:
    return _change_text(edited, lambda properties: properties.set("spc", "400000"))


def colour_of_its_fill(edited: EditedDeck) -> bool:
    for shape in edited.texts if edited.only_frames else ():
        shape.fill.solid()
        shape.fill.fore_color.rgb = _colour(0x33, 0x55, 0x77)
        for properties in _run_properties(shape):
            _fill_text(properties, '<a:srgbClr val="335577"/>')
    return edited.only_frames


def hidden(edited: EditedDeck) -> bool:
    for shape in edited.shapes:
        shape._element.xpath(".//p:cNvPr")[0].set("hidden", "1")
    return bool(edited.shapes)


def off_the_slide(edited: EditedDeck) -> bool:
    for shape in edited.shapes:
        _set_place(shape, left=3 * edited.deck.slide_width)
    return bool(edited.shapes)


def collapsed(edited: EditedDeck) -> bool:
    for shape in edited.shapes:
        if shape.has_text_frame:
            body = shape.text_frame._txBody.bodyPr
            body.set("vertOverflow", "clip")
            body.set("horzOverflow", "clip")
        _set_place(shape, width=1, height=1)
    return bool(edited.shapes) and not any(shape.has_table for shape in edited.shapes)


def white_rectangle(edited: EditedDeck) -> bool:
    for slide in edited.slides:
        _cover(slide, edited.whole)
    return bool(edited.slides)


def plate_over_it(edited: EditedDeck) -> bool:
    for shape in edited.shapes:
        slide = next(slide for slide in edited.slides if slide.part is shape.part)
        if shape._element.getparent().tag == qn("p:grpSp"):
            _cover(slide, edited.whole)  # its own place is within the group
        else:
            _cover(slide, (shape.left, shape.top, shape.width, shape.height), margin=200_000)
    return bool(edited.shapes)


def behind_a_picture(edited: EditedDeck) -> bool:
    for slide in edited.slides:
        slide.shapes.add_picture(io.BytesIO(_GREY), *edited.whole)
    return bool(edited.slides)


def behind_a_video(edited: EditedDeck) -> bool:
    parts = edited.deck.part.package.iter_parts()
    if any("/media/media" in str(part.partname) for part in parts):
        return False  # python-pptx cannot add one to a deck that has sound or video
    for slide in edited.slides:
        film, shown = io.BytesIO(b"no video"), io.BytesIO(_GREY)
        slide.shapes.add_movie(film, *edited.whole, poster_frame_image=shown, mime_type="video/mp4")
    return bool(edited.slides)


def upside_down(edited: EditedDeck) -> bool:
    for shape in edited.texts if edited.only_frames else ():
        _set_place(shape)
        shape.rotation = 180
    return edited.only_frames


def leaves_at_once(edited: EditedDeck) -> bool:
    """The shapes go by an exit effect before the first click."""
    for slide in edited.slides:
        mine = [shape.shape_id for shape in edited.shapes if shape.part is slide.part]
        if mine:
            for old in slide.element.findall(qn("p:timing")):
                slide.element.remove(old)
            slide.element.append(parse_xml(_exits(mine)))
    return bool(edited.shapes)


def _exits(shapes: list[int]) -> str:
    """A timeline on which the shapes of these ids leave as soon as the slide is there."""
    numbers = iter(range(3, 10_000))
    body = "".join(
        f'<p:par><p:cTn id="{next(numbers)}" presetID="1" presetClass="exit" presetSubtype="0" '
        f'fill="hold" nodeType="withEffect"><p:stCondLst><p:cond delay="0"/></p:stCondLst>'
        f'<p:childTnLst><p:set><p:cBhvr><p:cTn id="{next(numbers)}" dur="1" fill="hold"/><p:tgtEl>'
        f'<p:spTgt spid="{shape}"/></p:tgtEl><p:attrNameLst><p:attrName>style.visibility'
        f'</p:attrName></p:attrNameLst></p:cBhvr><p:to><p:strVal val="hidden"/></p:to></p:set>'
        f"</p:childTnLst></p:cTn></p:par>"
        for shape in shapes
    )
    outer = next(numbers)
    for number, delay in ((next(numbers), "0"), (outer, "indefinite")):
        body = (
            f'<p:par><p:cTn id="{number}" fill="hold"><p:stCondLst><p:cond delay="{delay}"/>'
            f"</p:stCondLst><p:childTnLst>{body}</p:childTnLst></p:cTn></p:par>"
        )
    return (
        f'<p:timing xmlns:p="{_P}"><p:tnLst><p:par><p:cTn id="1" dur="indefinite" '
        'restart="never" nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek">'
        '<p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>'
        f"{body}</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
    )


def see_through_picture(edited: EditedDeck) -> bool:
    pictures = [blip for s in edited.shapes for blip in s._element.iter(qn("a:blip"))]
    for blip in pictures:
        blip.insert(0, parse_xml(f'<a:alphaModFix xmlns:a="{_A}" amt="0"/>'))
    return bool(pictures) and len(pictures) == len(edited.shapes)


def cropped_to_nothing(edited: EditedDeck) -> bool:
    pictures = [s for s in edited.shapes if s.shape_type == _PICTURE or hasattr(s, "crop_top")]
    for picture in pictures:
        picture.crop_top, picture.crop_bottom = 0.5, 0.5
    return bool(pictures) and len(pictures) == len(edited.shapes)


def unpainted_series(edited: EditedDeck) -> bool:
    charts = [shape.chart for shape in edited.shapes if shape.has_chart]
    for series in (plot_series for chart in charts for plot_series in chart.plots[0].series):
        series.format.fill.background()
        series.format.line.fill.background()
    return bool(charts)


def all_slides_hidden(edited: EditedDeck) -> bool:
    for slide in edited.deck.slides:
        slide.element.set("show", "0")
    return True


def slides_fly_by(edited: EditedDeck) -> bool:
    """The slides go on to the next by themselves after no time."""
    for slide in edited.slides:
        if next(slide.element.iter(qn("p:transition")), None) is None:
            _add_fade(slide.element)
        for transition in slide.element.iter(qn("p:transition")):
            transition.set("advClick", "0")
            transition.set("advTm", "0")
    return bool(edited.slides)


def _add_fade(slide: Any) -> None:
    office = "http://schemas.microsoft.com/office/powerpoint/2010/main"
    spaces = f'xmlns:p="{_P}" xmlns:p14="{office}"'
    fade = parse_xml(f'<p:transition {spaces} spd="med" p14:dur="500"><p:fade/></p:transition>')
    timing = slide.find(qn("p:timing"))
    slide.append(fade) if timing is None else timing.addprevious(fade)


def left_out_of_the_show(edited: EditedDeck) -> bool:
    """The show runs over one other slide only."""
    mine = {slide.slide_id for slide in edited.slides}
    ids = [slide.slide_id for slide in edited.deck.slides]
    if (free := next((number for number, id in enumerate(ids, 1) if id not in mine), None)) is None:
        return False
    with _part_xml(edited.deck.part, "presProps") as root:
        for old in root.findall(qn("p:showPr")):
            root.remove(old)
        only = f'<p:present/><p:sldRg st="{free}" end="{free}"/>'
        root.insert(0, parse_xml(f'<p:showPr xmlns:p="{_P}">{only}</p:showPr>'))
    return True


def red_masters(edited: EditedDeck) -> bool:
    for master in edited.deck.slide_masters:
        for sheet in (master, *master.slide_layouts):
            sheet.background.fill.solid()
            sheet.background.fill.fore_color.rgb = _colour(0xFF, 0, 0)
    return True


def white_theme_text(edited: EditedDeck) -> bool:
    for master in edited.deck.slide_masters:
        with _part_xml(master.part, "theme") as root:
            for slot in list(root.iter(*map(qn, ("a:dk1", "a:dk2", "a:lt1", "a:lt2")))):
                for old in list(slot):
                    slot.remove(old)
                slot.append(parse_xml(f'<a:srgbClr xmlns:a="{_A}" val="FFFFFF"/>'))
    return True


def narrow_slides(edited: EditedDeck) -> bool:
    edited.deck.slide_width, edited.deck.slide_height = 3 * 914_400, 20 * 914_400
    return True


def other_slide_emptied(edited: EditedDeck) -> bool:
    slide = next((item for item in edited.others if any(map(_has_text, item.shapes))), None)
    for shape in slide.shapes if slide is not None else ():
        if _has_text(shape):
            shape.text_frame.clear()
    return slide is not None


def slide_copied(edited: EditedDeck) -> bool:
    """A slide more, with the title of the first."""
    slides = edited.deck.slides
    first = slides[0]
    # The part names of removed slides are free to be taken again.
    edited.deck.part.rename_slide_parts([item.rId for item in slides._sldIdLst])
    slide = slides.add_slide(first.slide_layout)
    if slide.shapes.title is not None and first.shapes.title is not None:
        slide.shapes.title.text_frame.text = first.shapes.title.text_frame.text
    return True


def rest_taken_out(edited: EditedDeck) -> bool:
    """Everything on the slides but what the edit is about."""
    mine = {shape.shape_id for shape in edited.shapes}
    removed = False
    for slide in edited.slides:
        for shape in list(slide.shapes):
            if _shows(shape) and not mine & {inner.shape_id for inner in _walk([shape])}:
                shape._element.getparent().remove(shape._element)
                removed = True
    return removed and bool(edited.shapes)


def rest_reworded(edited: EditedDeck) -> bool:
    """Other words in what the edit leaves alone, on its slides or else on another."""
    mine = {(shape.part.partname, shape.shape_id) for shape in edited.shapes}
    for slide in (*edited.slides, *edited.others):
        for shape in slide.shapes:
            if _has_text(shape) and (shape.part.partname, shape.shape_id) not in mine:
                run = next((r for p in shape.text_frame.paragraphs for r in p.runs), None)
                if run is not None:
                    run.text = "Lorem ipsum"
                    return True
    return False


def notes_and_descriptions_lost(edited: EditedDeck) -> bool:
    """Notes and alternative texts of slides that the edit leaves alone."""
    lost = 0
    for slide in edited.others:
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame.text:
            slide.notes_slide.notes_text_frame.text = ""
            lost += 1
        for named in slide.element.iter(qn("p:cNvPr")):
            if named.get("descr"):
                del named.attrib["descr"]
                lost += 1
    return bool(lost)


def other_slide_covered(edited: EditedDeck) -> bool:
    for slide in edited.others[-1:]:
        _cover(slide, edited.whole)
    return bool(edited.others)


def invalid_file(edited: EditedDeck) -> bool:
    """An element that the format does not know, for which PowerPoint wants to repair the file."""
    slide = (*edited.slides, *edited.others)[0]
    tree = slide.element.find(qn("p:cSld")).find(qn("p:spTree"))
    tree.append(parse_xml(f'<p:shape xmlns:p="{_P}"/>'))
    return True


_UNSEEN = (
    white_and_tiny, hidden, off_the_slide, white_rectangle, all_slides_hidden, transparent_text,
    symbol_font, far_apart, colour_of_its_fill, collapsed, plate_over_it, behind_a_picture,
    behind_a_video, upside_down, leaves_at_once, see_through_picture, cropped_to_nothing,
    unpainted_series, slides_fly_by, left_out_of_the_show,
)  # fmt: skip
_HARMFUL = (
    red_masters, white_theme_text, narrow_slides, other_slide_emptied, other_slide_covered,
    slide_copied, rest_taken_out, rest_reworded, notes_and_descriptions_lost, invalid_file,
)  # fmt: skip

SABOTAGES: Final[dict[str, Literal["unseen", "harmful"]]] = {
    **{way.__name__: "unseen" for way in _UNSEEN},
    **{way.__name__: "harmful" for way in _HARMFUL},
}
"""The names of all sabotages, each with its kind."""


def sabotage(name: str, edited: EditedDeck) -> bool:
    """Spoil the deck by the sabotage ``name``, in place; whether that fits the edit.

    Raises KeyError for a name that is none of ``SABOTAGES``.
    """
    return {function.__name__: function for function in (*_UNSEEN, *_HARMFUL)}[name](edited)
