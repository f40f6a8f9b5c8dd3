"""What Inspect AI finds under the name ``decklab``: the tasks of all benchmarks."""

from decklab.benchmarks.editors.inspect_solver import edit_deck
from decklab.benchmarks.pptarena.task import pptarena
from decklab.benchmarks.ppteval.task import ppteval
from decklab.benchmarks.ppteval.task import rubric_tree
from decklab.benchmarks.preference.task import compare_decks
from decklab.benchmarks.preference.task import prefer_task
from decklab.benchmarks.quizbank.task import quizbank
from decklab.benchmarks.quizbank.task import take_exam
from decklab.benchmarks.slideeval.questions import answer_with
from decklab.benchmarks.slideeval.questions import ask
from decklab.benchmarks.slideeval.questions import every_run
from decklab.benchmarks.slideeval.tasks import slideeval_extract
from decklab.benchmarks.slideeval.tasks import slideeval_order
from decklab.benchmarks.slideeval.tasks import slideeval_perturb
from decklab.benchmarks.slidesgen.task import deck_measures
from decklab.benchmarks.slidesgen.task import slidesgen
from decklab.benchmarks.slidesgen.task import write_or_take
from decklab.benchmarks.unippt.task import make_deck_for
from decklab.benchmarks.unippt.task import scenario_scores
from decklab.benchmarks.unippt.task import unippt


__all__ = [
    "answer_with",
    "ask",
    "compare_decks",
    "deck_measures",
    "edit_deck",
    "every_run",
    "make_deck_for",
    "pptarena",
    "ppteval",
    "prefer_task",
    "quizbank",
    "rubric_tree",
    "scenario_scores",
    "slideeval_extract",
    "slideeval_order",
    "slideeval_perturb",
    "slidesgen",
    "take_exam",
<<<<<<< ours
    "write_or_take",
=======
    "unippt",
>>>>>>> theirs
]
