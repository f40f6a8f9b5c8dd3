"""Tasks of all benchmarks, as Inspect AI finds them under the name ``decklab``."""

from decklab.evals.editors.running import edit_deck
from decklab.evals.judge_tasks import judge_topic, prefer_task, quizbank, take_exam
from decklab.evals.pptarena.task import pptarena
from decklab.evals.ppteval.running import ppteval, rubric_tree
from decklab.evals.presentbench.running import checklist_scores, presentbench
from decklab.evals.slideeval.questions import answer_with, ask, every_run
from decklab.evals.slideeval.tasks import slideeval_extract, slideeval_order, slideeval_perturb
from decklab.evals.slidesgen.running import deck_measures, slidesgen, write_or_take
from decklab.evals.unippt.deck_systems import make_deck_for
from decklab.evals.unippt.running import scenario_scores, unippt

__all__ = [
    "answer_with",
    "ask",
    "checklist_scores",
    "deck_measures",
    "edit_deck",
    "every_run",
    "judge_topic",
    "make_deck_for",
    "pptarena",
    "ppteval",
    "prefer_task",
    "presentbench",
    "quizbank",
    "rubric_tree",
    "scenario_scores",
    "slideeval_extract",
    "slideeval_order",
    "slideeval_perturb",
    "slidesgen",
    "take_exam",
    "unippt",
    "write_or_take",
]
