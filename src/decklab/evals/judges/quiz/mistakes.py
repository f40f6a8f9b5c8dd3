"""An examinee without a model, and why answers are wrong: the six classes of paper 002, table 17.

A program decides what the deck's text can decide: whether the right option stands in it, whether
something else stands in its place, and whether reading the pictures lost it. The rest is for a
model; without one it is class ``other``, and that is said.

A proxy: it finds what is said in the words of the sources, and not what is said in others.
"""

from collections.abc import Sequence
from typing import Final

from decklab.core.results import NotScored
from decklab.evals.judges.asking import Questions
from decklab.evals.judges.fencing import FENCE_RULE, fenced
from decklab.evals.judges.quiz.amounts import facts_in, same_kind, same_values
from decklab.evals.judges.quiz.bank import LETTERS, QuizBank, QuizQuestion
from decklab.evals.judges.quiz.exam import INSUFFICIENT, ExamAnswer, Mistake, MistakeClass, asked_as
from decklab.evals.judges.quiz.slide_texts import QuizSlides
from decklab.evals.judges.quiz.statements import FIGURE_WORDS, DeckStatement, DeckStatements
from decklab.models.asking import StrictForm, fill_prompt

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


SAME_FACT: Final = 0.6
"""The fit from which a statement is about the very fact that a question asks for. Ours."""
_SOME_FIT = 0.15
_UNDECIDED: Final = "not classified"


class ClassifiedMistake(StrictForm):
    """Why one answer was wrong."""

    question: int
    kind: MistakeClass
    reason: str


class ClassifiedMistakes(StrictForm):
    """One class for every question."""

    mistakes: tuple[ClassifiedMistake, ...]


def classify_mistakes(
    bank: QuizBank, answers: Sequence[ExamAnswer], texts: QuizSlides, judge: Questions | None = None
) -> tuple[Mistake, ...]:
    """The class of every answer that is not right; answers not scored have none. Without a
    ``judge``, and where it does not say, class ``other`` by ``nobody``."""
    found: dict[int, Mistake] = {}
    open_ones: list[tuple[QuizQuestion, ExamAnswer]] = []
    for question, said in zip(bank.questions, answers, strict=True):
        if isinstance(said.selected, NotScored) or said.selected == question.answer:
            continue
        mistake = mistake_by_program(question, said, texts)
        if mistake.by == "nobody":
            open_ones.append((question, said))
        found[question.number] = mistake
    if judge is not None and open_ones:
        found.update(_by_model(judge, open_ones, texts))
    return tuple(found[number] for number in sorted(found))


def mistake_by_program(question: QuizQuestion, said: ExamAnswer, texts: QuizSlides) -> Mistake:
    """The class of a wrong answer as far as the texts of the deck decide it."""

    def mistake(kind: MistakeClass, reason: str) -> Mistake:
        return Mistake(question.number, kind, reason, "program")

    seen, own = texts.seen, texts.own
    held = seen.best_fit(question, question.right)
    if held >= LEAST_FIT:
        return mistake("misread", f"what was read holds option {question.answer} where it fits")
    shown = own is not None and own is not seen and own.best_fit(question, question.right)
    if shown and shown >= LEAST_FIT:
        return mistake("extraction", "the slides' own text holds it, what was read does not")
    if any(_may_be_meant(fit, one) for fit, one in seen.holding(question, question.right)):
        reason = f"{_UNDECIDED}: option {question.answer} stands in a statement that hardly fits"
        return Mistake(question.number, "other", reason, "nobody")
    other = _in_its_place(question, said, seen)
    if other is not None:
        place = "" if other.slide is None else f"slide {other.slide} "
        return mistake("mismatch", f"{place}says: {other.text[:160]}")
    if question.kind == "data" or not _paraphrased(question, seen):
        return mistake("missing", f"no slide holds option {question.answer}")
    reason = f"{_UNDECIDED}: the slides speak of it, and may say it in other words"
    return Mistake(question.number, "other", reason, "nobody")


def _may_be_meant(fit: float, statement: DeckStatement) -> bool:
    """Whether a statement that holds the right option may be about it: it shares some words with
    the question, or is a number or word in large type that another text explains."""
    return fit >= _SOME_FIT or len(statement.words) <= FIGURE_WORDS


def _in_its_place(
    question: QuizQuestion, said: ExamAnswer, deck: DeckStatements
) -> DeckStatement | None:
    """The statement about the very fact that holds the option chosen, or another number of the
    same kind and unit; None where there is none."""
    if said.selected != INSUFFICIENT and not isinstance(said.selected, NotScored):
        chosen = question.options[LETTERS.index(said.selected)]
        for fit, statement in deck.holding(question, chosen):
            if fit >= SAME_FACT:
                return statement
    wanted = facts_in(question.right)
    asked = facts_in(question.question)
    for fit, statement in zip(deck.fits(question.question), deck.statements, strict=True):
        if wanted and fit >= SAME_FACT:
            others = [
                number
                for number in statement.numbers
                if not any(same_values(number, one) for one in asked)
            ]
            if any(same_kind(wanted[0], number) for number in others):
                return statement
    return None


def _paraphrased(question: QuizQuestion, deck: DeckStatements) -> bool:
    """Whether a statement is about what a question asks for, though it does not hold the words of
    its right option."""
    return max(deck.fits(question.question), default=0.0) >= LEAST_FIT


def _by_model(
    judge: Questions, wrong: Sequence[tuple[QuizQuestion, ExamAnswer]], texts: QuizSlides
) -> dict[int, Mistake]:
    answers = "\n\n".join(
        f"{asked_as(question)}\nThe document says: {question.quote}\n"
        f"Right: {question.answer}. Answered: {said.selected} ({said.reason[:200]})"
        for question, said in wrong
    )
    prompt = fill_prompt(
        __package__, "prompts/mistakes.txt", rule=FENCE_RULE, answers=answers,
        slides=fenced("\n".join(texts.markdown), answers, judge.secret),
    )  # fmt: skip
    said = judge.put(prompt, ClassifiedMistakes, stage="mistakes", temperature=0.0)
    numbers = {question.number for question, _ in wrong}
    if isinstance(said, NotScored):
        cause = f"{_UNDECIDED}: {said.reason}"
        return {number: Mistake(number, "other", cause, "nobody") for number in numbers}
    decided: dict[int, Mistake] = {}
    for number in numbers:
        own = [one for one in said.mistakes if one.question == number]
        kinds = sorted({one.kind for one in own})
        if len(kinds) > 1:
            cause = f"{_UNDECIDED}: the model says {' and '.join(kinds)}"
            decided[number] = Mistake(number, "other", cause, "nobody")
        elif own:
            decided[number] = Mistake(number, own[0].kind, own[0].reason, "model")
    return decided
