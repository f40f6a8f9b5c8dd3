"""Notes of slides that stand in somebody else's design."""

from collections.abc import Iterable
from typing import Any

from pptx.oxml import parse_xml
from pptx.slide import Slide

from decklab.board.native.markup import DECLARED, named_xml
from decklab.ooxml.xml import qn


def write_notes(slide: Slide, words: Iterable[str], language: str) -> None:
    """Give a slide notes, a paragraph each; none where there are no words."""
    text = "\n".join(filter(None, words))
    if not text:
        return
    notes = slide.notes_slide
    if notes.notes_text_frame is None:
        _add_notes_text(notes._element)
    frame: Any = notes.notes_text_frame
    frame.text = text
    for run in frame._txBody.iter(qn("a:r")):
        run.get_or_add_rPr().set("lang", language)


def _add_notes_text(notes: Any) -> None:
    """Give a notes page a place for text, where the template's master of notes has none."""
    tree = notes.cSld.spTree
    id = max(int(one.get("id") or 0) for one in tree.iter(qn("p:cNvPr"))) + 1
    tree.append(
        parse_xml(
            f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, 'Notes')}"
            '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" idx="1"/>'
            "</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>"
        )
    )
