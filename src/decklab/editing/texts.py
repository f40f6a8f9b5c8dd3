"""A new text with the formatting of the old one: titles, shapes, cells, notes, footers, SmartArt;
alternative texts; titles moved between their placeholder and the body.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from typing import Any

from lxml import etree
from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.slide import Slide

from decklab.editing.finding import (
    BODIES,
    TITLES,
    EditError,
    GivenShape,
    body_of,
    find_graphic,
    find_shape,
    placeholder_of,
    placeholder_type,
    properties,
    shapes,
    slide_at,
    slides_of,
)
from decklab.editing.open_parts import edited
from decklab.editing.paragraphs import add_body_text, set_body_text, set_paragraph_text
from decklab.editing.phrasing import phrase, table_phrase
from decklab.ooxml.xml import NAMESPACES, qn, shape_id

SIZE_WITHOUT_ANY = 18.0
"""Points if no part states a size (ECMA-376 Part 1, 21.1.2.3.9, sz)."""
_STYLES = {"title": "titleStyle", "body": "bodyStyle", "other": "otherStyle"}


def resize_text(
    prs: Presentation, slide: int, lines: Iterable[Any], *, points: float = 0, factor: float = 1
) -> int:
    """Make each run of paragraphs of a slide larger by points, by a factor, or both.

    Each run starts from the size it has, its own or inherited; the result is rounded to tenths
    of points. Returns the number of runs. Raises EditError for a size out of 1 to 4000 points.
    """
    sized = [
        (look, size * factor + points)
        for paragraph in lines
        for look, size in _sizes(prs, slide, paragraph)
    ]
    for _look, size in sized:
        if not 1 <= size <= 4000:
            raise EditError(f"a size of {size:g} pt is none: text has 1 to 4000 pt")
    for look, size in sized:
        look.set("sz", str(round(size * 10) * 10))
    return len(sized)


def _sizes(prs: Presentation, slide: int, paragraph: Any) -> Iterator[tuple[Any, float]]:
    """The properties of each run, made if it has none, with its size in points."""
    inherited = None
    for run in (*paragraph.findall(qn("a:r")), *paragraph.findall(qn("a:fld"))):
        look = run.get_or_add_rPr() if hasattr(run, "get_or_add_rPr") else run.find(qn("a:rPr"))
        if look is None:
            look = run.makeelement(qn("a:rPr"))
            run.insert(0, look)
        if look.get("sz"):
            yield look, int(look.get("sz")) / 100
            continue
        if inherited is None:
            inherited = inherited_size(prs, slide, paragraph)
        yield look, inherited


def inherited_size(prs: Presentation, slide: int, paragraph: Any) -> float:
    """The size in points of a run of a paragraph without one of its own."""
    level = level_of(paragraph)
    for holder in _styles(prs, slide, paragraph.getparent()):
        for tag in (f"a:lvl{level + 1}pPr", "a:defPPr"):
            stated = holder.find(f"{qn(tag)}/{qn('a:defRPr')}")
            if stated is not None and stated.get("sz"):
                return int(stated.get("sz")) / 100
    return SIZE_WITHOUT_ANY


def _styles(prs: Presentation, slide: int, body: Any) -> Iterator[Any]:
    """The text styles behind a text body, the nearest first."""
    shape = body.getparent()
    layout = slide_at(prs, slide).slide_layout
    mark = shape.xpath("./*/p:nvPr/p:ph") if shape.tag == qn("p:sp") else []
    yield from body.iterfind(qn("a:lstStyle"))
    if mark:
        for sheet in (layout, layout.slide_master):
            for model in _models(sheet, mark[0]):
                yield from model.iterfind(f"{qn('p:txBody')}/{qn('a:lstStyle')}")
    role = placeholder_type(shape) if mark else None
    family = "title" if role in TITLES else "body" if _is_body(role) else "other"
    master = layout.slide_master._element
    if mark:
        yield from master.iterfind(f"{qn('p:txStyles')}/{qn('p:' + _STYLES[family])}")
    yield from prs.part._element.iterfind(qn("p:defaultTextStyle"))


def _is_body(role: str | None) -> bool:
    return role is not None and role not in ("ftr", "dt", "sldNum", "hdr", *TITLES)


def _models(sheet: Any, mark: Any) -> list[Any]:
    """The placeholders of a layout or master that a slide's placeholder follows."""
    holders = (item for item in shapes(sheet) if placeholder_type(item) is not None)
    marked = [(item, item.xpath("./*/p:nvPr/p:ph")[0]) for item in holders]
    if mark.get("idx") and hasattr(sheet, "slide_master"):
        same = [item for item, ph in marked if ph.get("idx") == mark.get("idx")]
        if same:
            return same
    family = _family(mark.get("type"))
    return [item for item, ph in marked if _family(ph.get("type")) == family][:1]


def _family(kind: str | None) -> str:
    if kind in TITLES:
        return "title"
    return kind if kind in ("ftr", "dt", "sldNum", "hdr") else "body"


@phrase("(set|replace) <text of {shape}> (to|with) {text:words}",
        "set {shape:box shape} to {text:words}",
        "<text of {shape}> should (be|read|say) {text:words}",
        example="set the text of 'Picture note' on slide 4 to 'Below'", changes="text",
        follows="style:font")  # fmt: skip
def set_text(prs: Presentation, slide: int, shape: str | int, text: str) -> None:
    """Give a shape a new text; each line becomes a paragraph that looks as the old one there did.

    Lines that stay keep all looks; new ones look like the line before. A line with other words
    looks like the longest run of its paragraph. Raises EditError where the shape cannot hold text.

    Example: set_text(prs, 3, "Content Placeholder 2", "First point\\nSecond point")
    """
    set_body_text(body_of(prs, slide, shape), text)


@table_phrase("set {cell} [from {was:words}] to {text:words} [(in|of) {table}]",
              "(write|put|enter) {text:words} (in|into) {cell}",
              example="set row 2, column 3 of the table on slide 6 to '17 %'",
              follows="table:font")  # fmt: skip
@table_phrase(
    "rename {lines} to {text:words}",
    "(rename|set) (heading|header) ({lines:sort column}|of {lines}) to {text:words}",
    example="rename column 2 of the table on slide 6 to 'Before'", follows="table:font",
)  # fmt: skip
def set_cell(
    prs: Presentation, slide: int, row: int, column: int, text: str, *, shape: GivenShape = None
) -> None:
    """Give a table cell a new text in the looks of the old one; rows and columns count from 1.

    ``shape`` may be left out where the slide has one table. Raises EditError where there is no
    such cell.

    Example: set_cell(prs, 4, 2, 3, "17 %")
    """
    table = find_graphic(prs, slide, shape, qn("a:tbl"), "table")
    rows = table.findall(qn("a:tr"))
    cells = rows[row - 1].findall(qn("a:tc")) if 1 <= row <= len(rows) else []
    if not 1 <= column <= len(cells):
        wide = len(rows[0].findall(qn("a:tc"))) if rows else 0
        size = f"{len(rows)} rows and {wide} columns"
        raise EditError(f"the table on slide {slide} has {size}, no cell {row}, {column}")
    fill_cell(cells[column - 1], text)


def fill_cell(cell: Any, text: str) -> None:
    """Give a table cell (``a:tc``) a text, one paragraph a line, with the formatting it has."""
    if (body := cell.find(qn("a:txBody"))) is None:
        body = etree.Element(qn("a:txBody"))
        body.extend([etree.Element(qn("a:bodyPr")), etree.Element(qn("a:p"))])
        cell.insert(0, body)
    set_body_text(body, text)


def get_notes(prs: Presentation, slide: int) -> str:
    """The speaker notes of a slide; empty where it has none.

    Example: get_notes(prs, 2)
    """
    page = slide_at(prs, slide)
    frame = page.notes_slide.notes_text_frame if page.has_notes_slide else None
    return "" if frame is None else str(frame.text)


@phrase("(set|replace) <[speaker] notes {on}> (to|with) {text:words}",
        example="set the notes of slide 2 to 'Start with the story.'", changes="notes")  # fmt: skip
@phrase("(delete|clear) [all] <[speaker] notes {on}>",
        example="remove all notes", changes="notes", text="")  # fmt: skip
def set_notes(prs: Presentation, slide: int, text: str) -> None:
    """Give a slide these speaker notes in place of those it has.

    Example: set_notes(prs, 2, "Start with the story.\\nThen the numbers.")
    """
    page = slide_at(prs, slide)
    if not text and not page.has_notes_slide:
        return
    if (frame := page.notes_slide.notes_text_frame) is None:
        raise EditError(f"the notes page of slide {slide} has no place for text")
    set_body_text(frame._txBody, text)


@phrase("add [speaker] notes [saying] {text:quoted} {on}",
        "add [speaker] notes {on} (saying|:) {text:words}",
        "add {text:quoted} to <[speaker] notes {on}>",
        example="add the note 'Ask for questions.' to slide 2", changes="notes")  # fmt: skip
def add_notes(prs: Presentation, slide: int, text: str) -> None:
    """Add a paragraph to the end of a slide's speaker notes.

    Example: add_notes(prs, 2, "Questions until here?")
    """
    if not get_notes(prs, slide):
        set_notes(prs, slide, text)
        return
    if (frame := slide_at(prs, slide).notes_slide.notes_text_frame) is not None:
        add_body_text(frame._txBody, text)


@phrase("set <(alt text|alternative text|description) of {shape}> to {text:words}",
        "describe {shape} as {text:words}",
        "(add|give) [(alt text|alternative text|description)] {text:quoted} [(as alt text|as "
        "description)] to {shape}",
        example="set the alt text of the picture on slide 4 to 'Sales by region'",
        changes="alt_text")  # fmt: skip
@phrase(
    "delete <(alt text|alternative text|description) of {shape}>",
    example="remove the alt text of the picture on slide 4", changes="alt_text", text="",
)  # fmt: skip
def set_alt_text(prs: Presentation, slide: int, shape: str | int, text: str) -> None:
    """Give a shape, picture, chart or table an alternative text; an empty one takes it away.

    Example: set_alt_text(prs, 5, "Picture 3", "Sales by region, north leading")
    """
    attributes = properties(find_shape(prs, slide, shape))
    if text:
        attributes.set("descr", text)
    else:
        attributes.attrib.pop("descr", None)


DEEPEST_LEVEL = 8
"""Levels of text count from 0 to this (ECMA-376 Part 1, 21.1.2.2.7, lvl)."""


@phrase("set <title {on}> to {text:words}",
        "(rename|call) ({slides}|{slides:titled}) [to] {text:words}",
        "(give {slides} title {text:words}|add title {text:quoted} {on})",
        "<title {on}> should (read|be|say) {text:words}",
        example="set the title of slide 2 to 'What we found'", changes="text added",
        follows="style:font")  # fmt: skip
def set_title(prs: Presentation, slide: int, text: str) -> int:
    """Give a slide a title, in the looks of the old one; return the id of its shape.

    A slide without its title gets the one of its layout back. Raises EditError where the layout
    has none.

    Example: set_title(prs, 3, "Sales grew by 12 %")
    """
    held = slide_at(prs, slide)
    if (title := placeholder_of(held, TITLES)) is None:
        models: Any = held.slide_layout.placeholders
        model = next(
            (candidate for candidate in models if placeholder_type(candidate._element) in TITLES),
            None,
        )
        if model is None:
            name = held.slide_layout.name
            raise EditError(f"the layout {name!r} of slide {slide} has no title; apply another one")
        held.shapes.clone_placeholder(model)
        title = placeholder_of(held, TITLES)
    set_body_text(title.find(qn("p:txBody")), text)
    return shape_id(title)


def set_body(
    prs: Presentation,
    slide: int,
    lines: Sequence[str | tuple[int, str]],
    *,
    shape: GivenShape = None,
) -> int:
    """Give a slide's body new paragraphs; return the id of its shape.

    Each line is a text, or (level, text) with levels from 0 to 8. A paragraph looks as the first
    one of its level did, else as the design wants that level. ``shape`` may be left out where the
    slide has one body placeholder.

    Example: set_body(prs, 3, ["Costs fell", (1, "by 8 % in the north"), "Prices stayed"])
    """
    element = _body(prs, slide) if shape is None else find_shape(prs, slide, shape)
    if (body := element.find(qn("p:txBody"))) is None:
        raise EditError(f"{shape!r} on slide {slide} holds no text")
    wanted = [(0, line) if isinstance(line, str) else line for line in lines] or [(0, "")]
    for level, text in wanted:
        if not 0 <= level <= DEEPEST_LEVEL:
            raise EditError(f"{text!r} has level {level}; levels are 0 to {DEEPEST_LEVEL}")
        if "\n" in text:
            raise EditError(f"{text!r} has several lines; give each its own")
    old = body.findall(qn("a:p"))
    models: dict[int, Any] = {}
    for paragraph in old:
        models.setdefault(level_of(paragraph), paragraph)
    for level, text in wanted:
        body.append(_paragraph(models.get(level), body, level, text))
    for paragraph in old:
        body.remove(paragraph)
    return shape_id(element)


def _body(prs: Presentation, slide: int) -> Any:
    texts = (shape for shape in shapes(slide_at(prs, slide)) if shape.tag == qn("p:sp"))
    bodies = [shape for shape in texts if placeholder_type(shape) in BODIES]
    if len(bodies) != 1:
        count = f"{len(bodies)} body placeholders; say which by name or id"
        raise EditError(f"slide {slide} has {count if bodies else 'no body placeholder'}")
    return bodies[0]


def level_of(paragraph: Any) -> int:
    """The level of a paragraph, from 0."""
    look = paragraph.find(qn("a:pPr"))
    return 0 if look is None else int(look.get("lvl") or 0)


def _paragraph(model: Any, body: Any, level: int, text: str) -> Any:
    if model is not None:
        paragraph = deepcopy(model)
    else:
        paragraph = body.makeelement(qn("a:p"))
        if level:
            paragraph.append(body.makeelement(qn("a:pPr"), {"lvl": str(level)}))
    set_paragraph_text(paragraph, text)
    return paragraph


@phrase("(show|add|turn on|switch on) (slide|page) numbers",
        "number slides",
        example="show slide numbers on slides 2-4", changes="added")  # fmt: skip
@phrase("(delete|hide|turn off|switch off|no) (slide|page) numbers",
        example="remove slide numbers on slide 1", changes="removed", on=False)  # fmt: skip
def show_slide_numbers(
    prs: Presentation, on: bool = True, *, slides: Iterable[int] | None = None
) -> int:
    """Put slide numbers on slides, or take them off; return the number of slides changed.

    They appear where the slide's layout has its slide number; slides whose layout has none are
    left alone.

    Example: show_slide_numbers(prs, slides=[2, 3, 4])
    """
    count = 0
    for number, slide in slides_of(prs, slides):
        present = _placeholders(slide, "sldNum")
        if on and not present:
            if (placeholder := _from_layout(slide, "sldNum")) is not None:
                placeholder.find(qn("p:txBody")).append(_number_field(number))
                count += 1
        elif not on and present:
            _take_out(present)
            count += 1
    return count


@phrase("set <footer [text] {on}> to {text:words}",
        "add footer [saying] {text:quoted}",
        example="set the footer on slides 2-3 to Draft", changes="added text")  # fmt: skip
@phrase("(delete|no|hide) <footer {on}>",
        example="remove the footer on slide 1", changes="removed", text=None)  # fmt: skip
def set_footer(prs: Presentation, text: str | None, *, slides: Iterable[int] | None = None) -> int:
    """Give slides this footer, None takes footers off; return the number of slides changed.

    Slides whose layout has no place for a footer are left alone.

    Example: set_footer(prs, "Internal")
    """
    count = 0
    for _number, slide in slides_of(prs, slides):
        present = _placeholders(slide, "ftr")
        if not text:
            _take_out(present)
            count += bool(present)
            continue
        if (placeholder := present[0] if present else _from_layout(slide, "ftr")) is not None:
            body = placeholder.find(qn("p:txBody"))
            if not present:
                body.append(parse_xml(f'<a:p xmlns:a="{NAMESPACES["a"]}"/>'))
            set_body_text(body, text)
            count += 1
    return count


def _placeholders(slide: Slide, kind: str) -> list[Any]:
    return [item for item in shapes(slide) if placeholder_type(item) == kind]


def _take_out(elements: list[Any]) -> None:
    for item in elements:
        item.getparent().remove(item)


def _from_layout(slide: Slide, kind: str) -> Any:
    """The layout's placeholder, copied to the slide without text; None if it has none."""
    models = [item for item in shapes(slide.slide_layout) if placeholder_type(item) == kind]
    if not models:
        return None
    tree = slide.shapes._spTree
    id = max((int(properties(item).get("id") or 0) for item in shapes(slide)), default=1) + 1
    shape = parse_xml(
        f'<p:sp xmlns:p="{NAMESPACES["p"]}" xmlns:a="{NAMESPACES["a"]}"><p:nvSpPr>'
        f'<p:cNvPr id="{id}" name=""/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        "<p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/></p:txBody></p:sp>"
    )
    properties(shape).set("name", properties(models[0]).get("name") or kind)
    shape.xpath("p:nvSpPr/p:nvPr")[0].append(deepcopy(models[0].xpath("./*/p:nvPr/p:ph")[0]))
    tree.insert_element_before(shape, "p:extLst")
    return shape


def _number_field(number: int) -> Any:
    guid = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}"  # any will do; PowerPoint's own for this field
    return parse_xml(
        f'<a:p xmlns:a="{NAMESPACES["a"]}"><a:fld id="{guid}" type="slidenum">'
        f"<a:rPr/><a:t>{number}</a:t></a:fld></a:p>"
    )


_IDS = qn("dgm:relIds")
_DATA = qn("r:dm")
_MODEL = "{http://schemas.microsoft.com/office/drawing/2008/diagram}dataModelExt"
_DRAWING = "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing"


def diagram_texts(prs: Presentation, slide: int, shape: GivenShape = None) -> list[str]:
    """The texts of a SmartArt diagram, one for each of its points that has any.

    ``shape`` may be left out where the slide has one diagram.

    Example: diagram_texts(prs, 5)
    """
    ids = find_graphic(prs, slide, shape, _IDS, "SmartArt diagram")
    part = slide_at(prs, slide).part.related_part(ids.get(_DATA))
    root = etree.fromstring(part.blob)
    texts = (_text(point) for point in root.iter(qn("dgm:pt")))
    return [text for text in texts if text]


@phrase("set diagram text {old:node} to {new:words}",
        "(change|rename|replace) {old:node} (in|of) diagram {on} (to|with) {new:words}",
        "(change|rename|replace) {old:node} (to|with) {new:words} (in|of) diagram",
        example="set the diagram text 'Plan' to 'Prepare' on slide 5", changes="diagram",
        follows="detail other", shape="diagram")  # fmt: skip
def set_diagram_text(
    prs: Presentation, slide: int, old: str, new: str, *, shape: GivenShape = None
) -> int:
    """Give the points of a SmartArt diagram that read ``old`` the text ``new``; return how many.

    The drawing that programs show is changed along. Raises EditError where no point reads so.

    Example: set_diagram_text(prs, 5, "Plan", "Prepare")
    """
    ids = find_graphic(prs, slide, shape, _IDS, "SmartArt diagram")
    page = slide_at(prs, slide)
    count = 0
    for part in parts_of_diagram(page.part, ids):
        with edited(part) as root:
            bodies = [item for item in _texts(root) if _text(item) == old]
            for item in bodies:
                set_body_text(item, new)
            for line in _lines_of_drawing(root, old) if not bodies and "\n" not in new else ():
                set_paragraph_text(line, new)
        count = count or len(bodies)
    if not count:
        texts = ", ".join(map(repr, diagram_texts(prs, slide, shape)))
        raise EditError(f"the diagram on slide {slide} has no text {old!r}; it has {texts}")
    return count


@contextmanager
def diagram_parts(slide: Slide) -> Iterator[list[Any]]:
    """The data and drawings of all diagrams of a slide, for changes in place."""
    frames = [ids for item in shapes(slide) for ids in item.findall(f".//{_IDS}")]
    parts = [part for ids in frames for part in parts_of_diagram(slide.part, ids)]
    with ExitStack() as editing:
        yield [editing.enter_context(edited(part)) for part in parts]


def parts_of_diagram(owner: Any, ids: Any) -> Iterator[Any]:
    """The data part of a diagram, and its drawing, which the data names by a link of its owner.

    ``owner`` is the part of the slide that has the diagram's frame. Yields nothing if there is
    no data.
    """
    if (link := owner.rels.get(ids.get(_DATA))) is None or link.is_external:
        return
    data = link.target_part
    yield data
    named = {item.get("relId") for item in etree.fromstring(data.blob).iter(_MODEL)}
    for id, relation in owner.rels.items():
        if relation.reltype == _DRAWING and id in named:
            yield relation.target_part


def _texts(root: Any) -> list[Any]:
    """The text bodies of a diagram's data or drawing."""
    return [*root.iter(qn("dgm:t")), *root.iter(qn("dsp:txBody"))]


def _lines_of_drawing(root: Any, text: str) -> list[Any]:
    """The paragraphs of a drawing with a text: a shape of it may show several points."""
    lines = (line for body in root.iter(qn("dsp:txBody")) for line in body.iter(qn("a:p")))
    return [line for line in lines
            if "".join(item.text or "" for item in line.iter(qn("a:t"))) == text]  # fmt: skip


def _text(holder: Any) -> str:
    lines = ("".join(item.text or "" for item in line.iter(qn("a:t"))) for line in
             holder.iter(qn("a:p")))  # fmt: skip
    return "\n".join(lines)
