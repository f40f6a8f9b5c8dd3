"""A new text with the formatting of the old one: shapes, cells, notes; alternative texts."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from lxml import etree
from pptx.presentation import Presentation

from decklab.editing.finding import (
    TITLES,
    EditError,
    find_graphic,
    find_shape,
    placeholder_type,
    properties,
    shapes,
    slide_at,
)
from decklab.editing.phrasing import phrase, table_phrase
from decklab.ooxml.xml import qn

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
    found = [
        (look, size * factor + points)
        for paragraph in lines
        for look, size in _sizes(prs, slide, paragraph)
    ]
    for _look, size in found:
        if not 1 <= size <= 4000:
            raise EditError(f"a size of {size:g} pt is none: text has 1 to 4000 pt")
    for look, size in found:
        look.set("sz", str(round(size * 10) * 10))
    return len(found)


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
    properties = paragraph.find(qn("a:pPr"))
    level = int(properties.get("lvl") or 0) if properties is not None else 0
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
    found = [(item, item.xpath("./*/p:nvPr/p:ph")[0]) for item in shapes(sheet)
             if placeholder_type(item) is not None]  # fmt: skip
    if mark.get("idx") and hasattr(sheet, "slide_master"):
        same = [item for item, ph in found if ph.get("idx") == mark.get("idx")]
        if same:
            return same
    family = _family(mark.get("type"))
    return [item for item, ph in found if _family(ph.get("type")) == family][:1]


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

    Lines beyond the old ones look like the last of them. A line looks like the longest run of its
    paragraph. Raises EditError where the shape cannot hold text.

    Example: set_text(prs, 3, "Content Placeholder 2", "First point\\nSecond point")
    """
    body = find_shape(prs, slide, shape).find(qn("p:txBody"))
    if body is None:
        raise EditError(f"{shape!r} on slide {slide} holds no text")
    set_body_text(body, text)


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
    prs: Presentation,
    slide: int,
    row: int,
    column: int,
    text: str,
    *,
    shape: str | int | None = None,
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
        raise EditError(
            f"the table on slide {slide} has {len(rows)} rows and {wide} columns, "
            f"no cell {row}, {column}"
        )
    fill_cell(cells[column - 1], text)


def fill_cell(cell: Any, text: str) -> None:
    """Give a table cell (``a:tc``) a text, one paragraph a line, with the formatting it has."""
    body = cell.find(qn("a:txBody"))
    if body is None:
        body = etree.Element(qn("a:txBody"))
        body.extend([etree.Element(qn("a:bodyPr")), etree.Element(qn("a:p"))])
        cell.insert(0, body)
    set_body_text(body, text)


def set_body_text(body: Any, text: str) -> None:
    """Give a text body new paragraphs, one a line, with the formatting of the replaced ones."""
    old = body.findall(qn("a:p"))
    for place, line in enumerate(text.split("\n")):
        if place < len(old):
            paragraph = old[place]
        else:
            last = body.findall(qn("a:p"))
            paragraph = deepcopy(last[-1]) if last else etree.Element(qn("a:p"))
            body.append(paragraph)
        set_paragraph_text(paragraph, line)
    for paragraph in old[text.count("\n") + 1 :]:
        body.remove(paragraph)


def add_body_text(body: Any, text: str) -> None:
    """Add a paragraph for each line to a text body, with the formatting of its last paragraph."""
    for line in text.split("\n"):
        last = body.findall(qn("a:p"))[-1]
        paragraph = deepcopy(last)
        last.addnext(paragraph)
        set_paragraph_text(paragraph, line)


def set_paragraph_text(paragraph: Any, line: str) -> None:
    """Give a paragraph a new text in the look of its longest run."""
    runs = paragraph.findall(qn("a:r"))
    end = paragraph.find(qn("a:endParaRPr"))
    run = (
        max(runs, key=lambda candidate: len(candidate.findtext(qn("a:t"), "")))
        if runs
        else _new_run(end)
    )
    for item in list(paragraph):
        if item.tag in (qn("a:r"), qn("a:br"), qn("a:fld")) and item is not run:
            paragraph.remove(item)
    if not line:
        if runs:
            paragraph.remove(run)
        return
    run.find(qn("a:t")).text = line
    if not runs and end is not None:
        end.addprevious(run)
    elif not runs:
        paragraph.append(run)


def _new_run(end: Any) -> Any:
    """A run with the formatting of its paragraph's end."""
    run = etree.Element(qn("a:r"))
    if end is not None:
        look = deepcopy(end)
        look.tag = qn("a:rPr")
        run.append(look)
    etree.SubElement(run, qn("a:t"))
    return run


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
    frame = page.notes_slide.notes_text_frame
    if frame is None:
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
    frame = slide_at(prs, slide).notes_slide.notes_text_frame
    if frame is not None:
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
