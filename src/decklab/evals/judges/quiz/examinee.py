"""An examinee without a model: it looks for the statement of the deck that fits a question.

A proxy: it finds what is said in the words of the sources, and not what is said in others.
"""

from typing import Final

from decklab.evals.judges.quiz.bank import LETTERS, QuizQuestion
from decklab.evals.judges.quiz.exam import INSUFFICIENT, ExamAnswer
from decklab.evals.judges.quiz.statements import DeckStatements

EXAMINEE: Final = "decklab, by retrieval"
LEAST_FIT: Final = 0.4
"""The share of a question's words, weighted, that a statement must have to count as evidence. Ours;
docs/quiz.md says what other values give."""
_CLEARLY: Final = 0.02
"""How much better one option must be held than another. Ours."""


def answer_by_retrieval(question: QuizQuestion, deck: DeckStatements) -> ExamAnswer:
    """The option that the best fitting statement holds; "insufficient information" where no
    statement fits well enough, or where two options are held equally well."""
    fits = [deck.best_fit(question, option) for option in question.options]
    best = max(fits)
    near = [letter for letter, fit in zip(LETTERS, fits, strict=True) if best - fit < _CLEARLY]
    if best < LEAST_FIT:
        reason = "no statement of the deck fits the question and holds an option"
        return ExamAnswer(question.number, INSUFFICIENT, reason)
    if len(near) > 1:
        reason = f"the deck holds options {' and '.join(near)} equally well"
        return ExamAnswer(question.number, INSUFFICIENT, reason)
    held = deck.holding(question, question.options[LETTERS.index(near[0])])
    _, statement = max(held, key=lambda pair: pair[0])
    place = "" if statement.slide is None else f"slide {statement.slide}: "
    return ExamAnswer(question.number, near[0], f"{place}{statement.text[:200]}")
