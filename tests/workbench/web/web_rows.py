"""Libraries with many decks, made without files."""

import json
import time
from uuid import uuid4

from decklab.core.files import write_whole
from decklab.workbench.web.database import DeckRow, JobRow, VersionRow
from decklab.workbench.web.library import Library


def fill(library: Library, decks: int) -> None:
    """Add decks that were looked at and scored: three jobs each, and the facts of their version."""
    facts = {"slides": 9, "findings": [], "scores": []}
    with library.writing() as session:
        for number in range(decks):
            deck, digest = uuid4().hex, uuid4().hex * 2
            session.add(DeckRow(
                id=deck, name=f"Deck {number}.pptx", created=time.time(), words="crane " * 500
            ))  # fmt: skip
            session.flush()
            session.add(VersionRow(
                deck=deck, number=1, digest=digest, suffix=".pptx", size=1, made_by="", created=0.0
            ))  # fmt: skip
            session.add_all(
                JobRow(id=uuid4().hex, kind=kind, deck=deck, number=1, state="done", created=at)
                for at, kind in enumerate(("look", "score", "edit"))
            )
            folder = library.folder / "seen" / digest
            folder.mkdir()
            write_whole(folder / "facts.json", json.dumps(facts).encode())
