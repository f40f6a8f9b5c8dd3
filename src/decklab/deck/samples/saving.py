"""A deck on disk: the same bytes at every build, and whole or not there at all."""

import io
from pathlib import Path

from pptx.presentation import Presentation as Deck

from decklab.deck.samples.charts import MADE
from decklab.ooxml.package import Package
from decklab.ooxml.writing import write_package

__all__ = ["save_deck"]


def save_deck(deck: Deck, path: Path, *, title: str, author: str, subject: str) -> Path:
    """Write the deck with these properties and no trace of the hour it was written.

    python-pptx dates every part by the clock; a part that is replaced gets a fixed date.
    """
    core = deck.core_properties
    core.title, core.author, core.subject = title, author, subject
    core.last_modified_by, core.revision = author, 1
    core.created = core.modified = MADE
    core.language = "en-GB"
    file = io.BytesIO()
    deck.save(file)
    with Package.from_bytes(file.getvalue(), path.name) as package:
        return write_package(
            package, path, replace={name: package.read(name) for name in package.names}
        )
