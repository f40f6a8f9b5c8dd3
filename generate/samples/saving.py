"""A deck on disk: the same bytes at every build, and whole or not there at all."""

import io
from pathlib import Path

from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.presentation import Presentation as Deck

from decklab.ooxml.package import Package, write_package
from generate.samples.charts import MADE
from generate.samples.markup import NAMESPACES


def save_deck(deck: Deck, path: Path, *, title: str, author: str, subject: str) -> Path:
    """Write the deck with these properties and no trace of the hour it was written.

    python-pptx dates every part by the clock; a part that is replaced gets a fixed date.
    """
    core = deck.core_properties
    core.title, core.author, core.subject = title, author, subject
    core.last_modified_by, core.revision = author, 1
    core.created = core.modified = MADE
    core.language = "en-GB"
    _list_notes_master(deck)
    file = io.BytesIO()
    deck.save(file)
    with Package.from_bytes(file.getvalue(), path.name) as package:
        return write_package(
            package, path, replace={name: package.read(name) for name in package.names}
        )


def _list_notes_master(deck: Deck) -> None:
    """Name the notes master in the presentation, which python-pptx only relates to it."""
    for id, relationship in deck.part.rels.items():
        if relationship.reltype == RT.NOTES_MASTER:
            masters = parse_xml(
                f'<p:notesMasterIdLst {NAMESPACES}><p:notesMasterId r:id="{id}"/>'
                "</p:notesMasterIdLst>"
            )
            deck.element.sldMasterIdLst.addnext(masters)
