"""Lists of a presentation that python-pptx does not keep: its master of notes and its sections."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import quoteattr

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml

from decklab.board.native.markup import DECLARED
from decklab.ooxml.slide_list import list_items
from decklab.ooxml.xml import NAMESPACES, qn

_SECTIONS: Final = "{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"


def list_notes_master(deck: Any) -> None:
    """List the master of notes, which python-pptx makes but does not list."""
    root = deck.part._element
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


def list_sections(deck: Any, sections: Sequence[str], starts: Sequence[str | None]) -> None:
    """The sections of a deck; ``starts`` names for each slide the one that begins with it."""
    if not sections:
        return
    root = deck.part._element
    members: dict[str, list[str]] = {name: [] for name in sections}
    current = sections[0]
    for entry, start in zip(list_items(root), starts, strict=True):
        current = start or current
        members[current].append(str(entry.get("id")))
    inner = "".join(
        f'<p14:section name={quoteattr(name)} id="{{{_guid(name)}}}"><p14:sldIdLst>'
        + "".join(f'<p14:sldId id="{id}"/>' for id in ids)
        + "</p14:sldIdLst></p14:section>"
        for name, ids in members.items()
    )
    p14 = NAMESPACES["p14"]
    root.append(
        parse_xml(
            f'<p:extLst {DECLARED}><p:ext uri="{_SECTIONS}"><p14:sectionLst xmlns:p14="{p14}">'
            f"{inner}</p14:sectionLst></p:ext></p:extLst>"
        )
    )


def _guid(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"decklab:section:{name}")).upper()
