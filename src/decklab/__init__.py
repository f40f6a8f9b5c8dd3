"""decklab: the workbench for slide decks, and for the agents that judge, edit and write them.

Verbs, each loaded when it is first used::

    import decklab

    with decklab.open("talk.pptx") as deck:               # slides, elements, snapshot, Markdown
        print(deck.markdown())
    elements = decklab.extract("talk.pptx")               # effective styles, and their sources
    problems = decklab.validate("talk.pptx")              # what PowerPoint would have to repair
    seen = decklab.see("talk.pptx")                       # what an audience sees, and why not all
    drawn = decklab.render("talk.pptx", "pictures")       # one picture a slide
    found = decklab.lint("talk.pptx")                     # findings, each with its place and fix
    every = decklab.lint(["talks/", "old/*.pptx"])        # the same of many decks
    fixed = decklab.fix_deck("talk.pptx", decklab.LintOptions())  # what is safe to fix
    run = decklab.score("talk.pptx", "results")           # scores, findings and reports
    changes = decklab.diff("old.pptx", "new.pptx")        # typed changes, without save noise
    edited = decklab.edit("talk.pptx", "delete slide 3")  # the change asked for, verified
    kb = decklab.read_documents(["report.pdf"])           # text, figures, tables, numbers, places
    written = decklab.write(["report.pdf"], "deck.pptx")  # a deck from documents
    made = decklab.convert("talk.html", "talk.pptx")      # an HTML deck as native slides
    checked = decklab.check_template("company.pptx")      # whether decks can be written in it
    decks = decklab.write_samples("samples")              # three decks to try all this on

Results print as tables in a notebook; ``to_frame()`` makes a data frame, and a score that could
not be had is ``NotScored`` with its cause. Settings of the verbs: ``Cache``, ``EditModel``,
``LintOptions``, ``Pictures``, ``Renderer``, ``ScoreOptions``, ``WriteOptions``.

``decklab.evals`` has judges, rubrics and benchmarks, ``decklab.workbench`` what is served.
"""

from typing import TYPE_CHECKING

from decklab.core.lazy import loaded_on_use
from decklab.core.version import VERSION

__version__ = VERSION

if TYPE_CHECKING:
    from decklab.board.native.decks import convert as convert
    from decklab.board.templates.checking import check_template as check_template
    from decklab.core.results import NotScored as NotScored
    from decklab.deck.deck import Deck as Deck
    from decklab.deck.deck import open_deck
    from decklab.deck.deck import write_samples as write_samples
    from decklab.diffing.decks import diff_decks
    from decklab.documents.reading import read_documents as read_documents
    from decklab.editor.edit import edit as edit
    from decklab.editor.model_editor import EditModel as EditModel
    from decklab.linting.mend import fix_deck as fix_deck
    from decklab.linting.project import LintOptions as LintOptions
    from decklab.linting.project import lint_paths
    from decklab.ooxml.validity.validating import validate_deck
    from decklab.rendering.job import Pictures as Pictures
    from decklab.rendering.job import render as render
    from decklab.rendering.opening import extract as extract
    from decklab.rendering.renderer import Cache as Cache
    from decklab.rendering.renderer import Renderer as Renderer
    from decklab.scoring.run import score as score
    from decklab.scoring.scored import ScoreOptions as ScoreOptions
    from decklab.seen.reader import see as see
    from decklab.writer.request import WriteOptions as WriteOptions
    from decklab.writer.write import write_deck

    diff = diff_decks
    lint = lint_paths
    open = open_deck
    validate = validate_deck
    write = write_deck
else:
    __getattr__, __dir__ = loaded_on_use(__name__)
