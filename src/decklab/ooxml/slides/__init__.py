"""Slides cloned, deleted, moved and brought in from other decks, with nothing left dangling.

Each operation is a function on a :class:`Draft`, an edited view of a package that is then saved::

    with Package.open("talk.pptx") as package:
        draft = Draft(package)
        clone_slide(draft, 3)
        move_slide(draft, 4, position=1)
        delete_slide(draft, 7)
        draft.save("talk-2.pptx")
"""

from decklab.ooxml.slides.cloning import clone_slide
from decklab.ooxml.slides.deleting import delete_slide
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.importing import import_slide
from decklab.ooxml.slides.listing import SlideEntry, slide_entries
from decklab.ooxml.slides.moving import move_slide

__all__ = [
    "Draft",
    "SlideEntry",
    "clone_slide",
    "delete_slide",
    "import_slide",
    "move_slide",
    "slide_entries",
]
