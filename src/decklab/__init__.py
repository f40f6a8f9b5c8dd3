"""decklab: the workbench for slide decks, and for the agents that judge, edit and write them.

What people, the command line and other programs call; each is loaded when it is first used::

    import decklab

    with decklab.open("talk.pptx") as deck:              # slides, elements, snapshot, Markdown
        print(deck.markdown())
    run = decklab.score("talk.pptx", "results")          # aesthetics, editability, findings, reports
    found = decklab.lint("talk.pptx")                    # what is wrong, where, and how to mend it
    changes = decklab.diff("old.pptx", "new.pptx")       # typed changes, save noise apart
    edited = decklab.edit("talk.pptx", "delete slide 3") # exactly what was asked, verified
    graded = decklab.grade("old.pptx", "new.pptx", "rubric.json")
    drawn = decklab.render("talk.pptx", "pictures")      # one picture a slide
    elements = decklab.extract("talk.pptx")              # effective styles and where they come from

Results print as tables in a notebook, and ``to_frame()`` turns them into a data frame.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from decklab.agents.editor.edit import edit as edit
    from decklab.comparing.page import diff as diff
    from decklab.deck.deck import Deck as Deck
    from decklab.deck.deck import open_deck as open
    from decklab.deck.samples import write_samples as write_samples
    from decklab.deck.views.plain import plain_slide as plain_slide
    from decklab.deck.views.plain import slide_schema as slide_schema
    from decklab.deck.views.snapshot import snapshot_bytes as snapshot_bytes
    from decklab.extract_elements import extract as extract
    from decklab.extract_elements import lay_out as lay_out
    from decklab.grading.grade import grade as grade
    from decklab.linting.lint import lint as lint
    from decklab.rendering.job import render as render
    from decklab.scoring.run import score as score

_HOMES = {
    "Deck": "deck.deck",
    "diff": "comparing.page",
}
"""Where each name is defined, below ``decklab``."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, other = _HOMES[name].partition(":")
    return getattr(import_module(f"{__name__}.{module}"), other or name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
