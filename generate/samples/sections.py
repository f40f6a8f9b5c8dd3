"""Named sections of a deck ([MS-PPTX] 2.2.4, an extension of ``p:presentation``)."""

from collections.abc import Sequence
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import quoteattr

from pptx.oxml import parse_xml
from pptx.presentation import Presentation as Deck

from generate.samples.markup import NAMESPACES


def set_sections(deck: Deck, sections: Sequence[tuple[str, int]]) -> None:
    """Divide the deck's slides; each section has a name and its number of slides."""
    ids = iter([slide.slide_id for slide in deck.slides])
    listed = ""
    for name, slides in sections:
        key = str(uuid5(NAMESPACE_URL, f"decklab:section:{name}")).upper()
        members = "".join(f'<p14:sldId id="{next(ids)}"/>' for _ in range(slides))
        listed += (
            f'<p14:section name={quoteattr(name)} id="{{{key}}}">'
            f"<p14:sldIdLst>{members}</p14:sldIdLst></p14:section>"
        )
    deck.part._element.append(
        parse_xml(
            f'<p:extLst {NAMESPACES}><p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}">'
            '<p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main">'
            f"{listed}</p14:sectionLst></p:ext></p:extLst>"
        )
    )
