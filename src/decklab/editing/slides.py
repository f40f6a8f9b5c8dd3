"""Slides cloned, deleted, moved and hidden, with nothing left dangling."""

from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.presentation import Presentation

from decklab.editing.cloning import copied_slide
from decklab.editing.errors import EditError
from decklab.editing.finding import slide_at
from decklab.editing.parts import edited
from decklab.ooxml.slides.references import drop_references, drop_zooms, refers_by_id
from decklab.ooxml.slides.sections import leave_sections, settle_in_section
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import local_name, qn

_COUNTS = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"


def clone_slide(prs: Presentation, slide: int, position: int | None = None) -> int:
    """Double a slide with its charts, diagrams and notes; return the number of the new one.

    It goes right after the original, or to the 1-based ``position``. Charts and all else that can
    be edited are copies; pictures and the layout are shared.

    Example: clone_slide(prs, 3)
    """
    place = slide + 1 if position is None else position
    original = slide_at(prs, slide)
    _check_place(prs, place, len(prs.slides) + 1)
    new = copied_slide(prs, original)
    listed = prs.slides._sldIdLst
    entry = listed._add_sldId(
        id=listed._next_id, rId=prs.part.relate_to(new, RELATIONSHIP_TYPE.SLIDE)
    )
    _place(listed, entry, place)
    settle_in_section(prs.part._element, entry.id)
    _recount(prs)
    return place


def delete_slide(prs: Presentation, slide: int) -> None:
    """Delete a slide, with what only it needs and all links to it; other slides move up.

    The only slide of a deck cannot be deleted.

    Example: delete_slide(prs, 7)
    """
    part = slide_at(prs, slide).part
    if len(prs.slides) == 1:
        raise EditError("the only slide of a deck cannot be deleted")
    root: Any = prs.part._element
    entry = root.sldIdLst[slide - 1]
    number = int(entry.get("id"))
    root.sldIdLst.remove(entry)
    leave_sections(root, number)
    _forget(prs, part)
    for other in prs.slides:
        drop_zooms(other._element, {number})
    _clamp_show(prs)
    _recount(prs)


def move_slide(prs: Presentation, slide: int, position: int) -> None:
    """Move a slide so that it is number ``position``; those between make room.

    Example: move_slide(prs, 8, 2)
    """
    slide_at(prs, slide)
    _check_place(prs, position, len(prs.slides))
    if slide == position:
        return
    listed = prs.slides._sldIdLst
    entry = listed[slide - 1]
    _place(listed, entry, position)
    settle_in_section(prs.part._element, int(entry.get("id")))


def hide_slide(prs: Presentation, slide: int, hidden: bool = True) -> None:
    """Hide a slide from the show, or show it again.

    Example: hide_slide(prs, 5)
    """
    root = slide_at(prs, slide)._element
    if hidden:
        root.set("show", "0")
    else:
        root.attrib.pop("show", "")
    _recount(prs)


def _check_place(prs: Presentation, place: int, last: int) -> None:
    if not 1 <= place <= last:
        raise EditError(f"there is no place {place}; the deck has {len(prs.slides)} slides")


def _place(listed: Any, entry: Any, position: int) -> None:
    listed.remove(entry)
    entries = listed.findall(qn("p:sldId"))
    if position <= len(entries):
        entries[position - 1].addprevious(entry)
    else:
        entries[-1].addnext(entry)


def _forget(prs: Presentation, gone: Any) -> None:
    """Take out every link to a slide's part, and what refers by it."""
    for owner in (prs.part, *_leading_to(prs, gone)):
        ids = {
            id
            for id, link in owner.rels.items()
            if not link.is_external and link.target_part is gone
        }
        if ids:
            with edited(owner) as root:
                if refers_by_id(root, ids):
                    drop_references(root, ids)
            for id in ids:
                owner.rels.pop(id)


def _leading_to(prs: Presentation, gone: Any) -> list[Any]:
    """The other parts that link to a slide."""
    return [
        part
        for part in prs.part.package.iter_parts()
        if part is not prs.part
        and part is not gone
        and any(not link.is_external and link.target_part is gone for link in part.rels.values())
    ]


def _clamp_show(prs: Presentation) -> None:
    """A show from slide ``st`` to ``end`` cannot go past the last slide."""
    total = len(prs.slides)
    for link in prs.part.rels.values():
        if link.reltype.endswith("/presProps"):
            with edited(link.target_part) as root:
                for item in root.iter():
                    if isinstance(item.tag, str) and local_name(item.tag) == "sldRg":
                        for name in ("st", "end"):
                            item.set(name, str(min(parse_int(item.get(name)) or total, total)))


def _recount(prs: Presentation) -> None:
    """Keep the numbers of slides, hidden slides and notes true that the file states of itself."""
    counts = {
        "Slides": len(prs.slides),
        "HiddenSlides": sum(slide._element.get("show") in ("0", "false") for slide in prs.slides),
        "Notes": sum(slide.has_notes_slide for slide in prs.slides),
    }
    for link in prs.part.package._rels.values():
        if link.reltype.endswith("/extended-properties"):
            with edited(link.target_part) as root:
                for name, count in counts.items():
                    item = root.find(f"{{{_COUNTS}}}{name}")
                    if item is not None:
                        item.text = str(count)
