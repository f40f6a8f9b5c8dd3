"""Known edits of real decks, made in the XML, each with the changes that a diff has to report.

Nothing here reads a deck through decklab's snapshot: edits are chosen and foretold from the XML
alone. ``edit_deck`` makes some of them, no two on the same thing.
"""

import random
from pathlib import Path

from tests.diffing.edits.content import CONTENT
from tests.diffing.edits.desk import Desk, Edit, Expected, parsed
from tests.diffing.edits.links import LINKS
from tests.diffing.edits.shapes import SHAPES
from tests.diffing.edits.slides import COMMENTS, EFFECT, SLIDES, WHOLE_SLIDES
from tests.diffing.edits.templates import TEMPLATES
from tests.diffing.edits.texts import TEXTS

from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package

__all__ = ["COMMENTS", "EDITS", "EFFECT", "Expected", "edit_deck", "parsed"]


def edit_deck(
    path: Path, out: Path, kinds: list[str], seed: int
) -> tuple[list[str], list[Expected]]:
    """Make the edits that the deck has a place for; the names of those made, what to expect."""
    made = []
    with Package.open(path) as package:
        desk = Desk(Draft(package), random.Random(seed))
        for kind in sorted(kinds, key=lambda one: one in WHOLE_SLIDES):
            if EDITS[kind](desk):
                made.append(kind)
        desk.draft.save(out)
    return made, desk.expected


EDITS: dict[str, Edit] = {
    **TEXTS, **SHAPES, **CONTENT, **LINKS, **SLIDES, **COMMENTS, **TEMPLATES, **WHOLE_SLIDES,
}  # fmt: skip
"""All kinds of edits, by name."""
