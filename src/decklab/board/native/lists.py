"""Notes, sections and properties of a presentation."""

from collections.abc import Iterable, Sequence
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.slide import Slide

from decklab.board.native.markup import DECLARED, named_xml
from decklab.editing.opening import FIXED_DATE
from decklab.editing.slides import add_section
from decklab.ooxml.xml import qn


def describe(deck: Any, title: str, language: str) -> None:
    """State the properties of a deck, and list its master of notes: python-pptx only makes it."""
    core, root = deck.core_properties, deck.part._element
    core.title, core.language = title, language
    core.author, core.last_modified_by, core.revision = "", "", 1
    core.created = core.modified = FIXED_DATE
    links = [
        link for link in deck.part.rels.values() if link.reltype == RELATIONSHIP_TYPE.NOTES_MASTER
    ]
    if links and root.find(qn("p:notesMasterIdLst")) is None:
        root.sldMasterIdLst.addnext(
            parse_xml(
                f'<p:notesMasterIdLst {DECLARED}><p:notesMasterId r:id="{links[0].rId}"/>'
                "</p:notesMasterIdLst>"
            )
        )


def list_sections(deck: Any, names: Sequence[str | None]) -> None:
    """The sections of a deck; ``names`` names for each slide that of its section, or None for the
    one before; slides before the first are in the first."""
    current, first = None, next(filter(None, names), None)
    for number, own in enumerate(names, start=1):
        name = own or current or first
        if name and name != current:
            add_section(deck, name, number)
            current = name


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
        if language:
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
