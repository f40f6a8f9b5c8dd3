"""The size of each run of a text, its own or inherited; texts made larger or smaller."""

from collections.abc import Iterable, Iterator
from typing import Any

from pptx.presentation import Presentation

from decklab.editing.finding import TITLES, EditError, placeholder_type, shapes, slide_at
from decklab.ooxml.xml import qn

SIZE_WITHOUT_ANY = 18.0
"""Points, where no part states a size (ECMA-376 Part 1, 21.1.2.3.9, sz)."""
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
    """The properties of each run, made where it has none, with its size in points."""
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
