"""The exam: ten questions, answered from the slides alone; what share was right, and why others
were wrong.

Paper 002, section 2.2 and appendices C and M. A question that was not answered in a way that can be
read is asked again, and then not scored; it never counts as wrong.

Mistakes have the six classes of table 17. A program decides what the deck's text can decide:
whether the right option stands in it, whether something else stands in its place, and whether
reading the pictures lost it. The rest is for a model; without one it is class ``other``, and that
is said.

An examinee without a model is a proxy: it finds what is said in the words of the sources, and not
what is said in others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, get_args

from pydantic import Field

from decklab.core.results import NotScored, Tabular, by_key, plain_json, value_or_none
from decklab.documents.quotes import plain_words
from decklab.evals.judges.asking import (
    FENCE_RULE,
    KnownTally,
    Questions,
    WithKnown,
    fenced,
    known_statements,
    lines_said,
)
from decklab.evals.judges.quiz.amounts import facts_in, same_kind, same_values
from decklab.evals.judges.quiz.bank import LETTERS, QUIZ_PROXY_NOTE, Letter, QuizBank, QuizQuestion
from decklab.evals.judges.quiz.statements import (
    FIGURE_WORDS,
    DeckStatement,
    DeckStatements,
    QuizSlides,
)
from decklab.metrics.statistics import Interval, wilson_interval
from decklab.models.asking import StrictForm, Usage, fill_prompt

INSUFFICIENT: Final = "insufficient information"
Selected = Letter | Literal["insufficient information"]
MistakeClass = Literal["missing", "extraction", "mismatch", "misread", "implicit", "other"]
"""Types 1, 2, 3, 4, 5 and 6 of paper 002, table 17."""
QuestionTrait = Literal["kind", "topic", "difficulty"]
"""By which accuracy is told."""


@dataclass(frozen=True)
class ExamAnswer:
    """An examinee's answer to one question, or why there is no answer, and its reason."""

    number: int
    selected: Selected | NotScored
    reason: str = ""


@dataclass(frozen=True)
class Mistake:
    """Why an answer is wrong: its class, what speaks for it, and who decided."""

    number: int
    kind: MistakeClass
    reason: str
    by: Literal["program", "model", "nobody"]
    """``nobody``: it could not be decided; then the class is ``other``."""


@dataclass(frozen=True)
class Accuracy:
    """The share of right answers among some questions that were scored."""

    questions: int
    """Of which the answer could be read."""
    correct: int
    insufficient: int
    """Answered with "insufficient information", which counts as not right."""
    not_scored: int

    @property
    def share(self) -> float | NotScored:
        """0 to 1, higher is better."""
        if not self.questions:
            return NotScored("no question was scored")
        return self.correct / self.questions

    @property
    def interval(self) -> Interval | NotScored:
        """Wilson's 95% interval of the share."""
        return wilson_interval(self.correct, self.questions)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        ends = plain_json(self.interval)
        return {**asdict(self), "share": value_or_none(self.share), "interval": ends}


def accuracy_of(pairs: Iterable[tuple[QuizQuestion, ExamAnswer]]) -> Accuracy:
    """The share of right answers among some questions with their answers."""
    answered = list(pairs)
    scored = [(asked, said) for asked, said in answered if not isinstance(said.selected, NotScored)]
    return Accuracy(
        questions=len(scored),
        correct=sum(said.selected == asked.answer for asked, said in scored),
        insufficient=sum(said.selected == INSUFFICIENT for _, said in scored),
        not_scored=len(answered) - len(scored),
    )


@dataclass(frozen=True)
class ExamResult(Tabular):
    """An exam of one deck: answers question by question, mistakes, and what it cost."""

    deck: str
    bank: QuizBank
    examinee: str
    """The model that answered, or the program that stood in for one."""
    answers: tuple[ExamAnswer, ...]
    """In the order of the questions."""
    mistakes: tuple[Mistake, ...] = ()
    proxy: bool = False
    """Whether a program made the bank or answered it."""
    read: str = ""
    """How the slides were read, in a few words."""
    notes: tuple[str, ...] = ()
    """Texts not read and questions not decided, a line each."""
    usage: Usage = field(default_factory=Usage)
    known: KnownTally = field(default_factory=KnownTally)
    """How a model did on what is known about the deck."""

    @property
    def pairs(self) -> tuple[tuple[QuizQuestion, ExamAnswer], ...]:
        """Each question with its answer."""
        return tuple(zip(self.bank.questions, self.answers, strict=True))

    @property
    def accuracy(self) -> Accuracy:
        """Of all questions."""
        return accuracy_of(self.pairs)

    def accuracy_by(self, what: QuestionTrait) -> dict[str, Accuracy]:
        """The same for each kind, topic or difficulty, in the order of the bank."""
        return accuracies_by(self.pairs, what)

    @property
    def mistake_counts(self) -> dict[MistakeClass, int]:
        """How many mistakes are of each class; classes without any left out."""
        kinds = [mistake.kind for mistake in self.mistakes]
        return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}

    def records(self) -> Iterator[Mapping[str, Any]]:
        """One row a question."""
        wrong = {mistake.number: mistake for mistake in self.mistakes}
        for question, said in self.pairs:
            missed = wrong.get(question.number)
            selected = value_or_none(said.selected)
            yield {
                "deck": self.deck,
                "question": question.number,
                "kind": question.kind,
                "topic": question.topic,
                "difficulty": question.difficulty,
                "answer": question.answer,
                "selected": selected,
                "correct": selected and selected == question.answer,
                "reason": said.reason if selected else str(said.selected),
                "mistake": missed.kind if missed else None,
                "mistake_reason": missed.reason if missed else None,
                "mistake_by": missed.by if missed else None,
                "proxy": self.proxy,
            }

    def _shares(self, trait: QuestionTrait) -> dict[str, Any]:
        return {name: own.as_json() for name, own in self.accuracy_by(trait).items()}

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        traits: tuple[QuestionTrait, ...] = get_args(QuestionTrait)
        return {
            "deck": self.deck,
            "bank": self.bank.title,
            "made_by": self.bank.made_by,
            "examinee": self.examinee,
            "proxy": self.proxy,
            "read": self.read,
            "told": [*((QUIZ_PROXY_NOTE,) if self.proxy else ()), *self.notes],
            "known": asdict(self.known),
            "accuracy": self.accuracy.as_json(),
            **{f"by_{trait}": self._shares(trait) for trait in traits},
            "mistakes": self.mistake_counts,
            "questions": list(self.records()),
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
        }


def accuracies_by(
    pairs: Sequence[tuple[QuizQuestion, ExamAnswer]], what: QuestionTrait
) -> dict[str, Accuracy]:
    """Accuracy by kind, topic or difficulty; the pairs may be those of several decks."""
    groups = by_key(pairs, lambda pair: str(getattr(pair[0], what)) or "none")
    return {name: accuracy_of(group) for name, group in groups.items()}


# By a model ------------------------------------------------------------------------------------


class AnsweredQuestion(StrictForm):
    """The answer to one question."""

    question: int
    selected: str = Field(
        description='The letter A, B, C or D alone, or "insufficient information".'
    )
    reasoning: str


class AnsweredExam(WithKnown):
    """One answer to every question, and which statements about the deck are true."""

    answers: tuple[AnsweredQuestion, ...]


def answer_by_model(
    judge: Questions, bank: QuizBank, slides: Sequence[str]
) -> tuple[ExamAnswer, ...]:
    """Have a model answer all questions from the Markdown of the slides, and from nothing else.

    Answers that are missing, contradict each other or are no letter are asked for again, three
    times in all, and are then not scored, as are those of a model that failed. Slides without any
    words answer nothing, and nobody is asked. The slides stand between marks; each question also
    holds statements about the deck that are known to be true or false, and an examinee that gets
    them wrong has no score. Raises ModelUnavailable.
    """
    if not any(text.strip() for text in slides):
        reason = "the slides show no words"
        return tuple(ExamAnswer(asked.number, INSUFFICIENT, reason) for asked in bank.questions)
    system = fill_prompt(__package__, "prompts/exam_system.txt")
    lines = [line for said in lines_said(dict(enumerate(slides))).values() for line in said]

    def put(
        open_ones: Mapping[int, QuizQuestion], wrong: Mapping[int, str]
    ) -> AnsweredExam | NotScored:
        questions = "\n\n".join(map(asked_as, open_ones.values()))
        known = known_statements({"The deck says": lines}, questions, judge.secret)
        facts = {"rule": FENCE_RULE, "questions": questions, "again": _again(wrong)}
        facts["slides"] = fenced("\n".join(slides), questions, judge.secret)
        facts["known"] = f"\n{known.text}\n" if known.text else ""
        prompt = fill_prompt(__package__, "prompts/exam.txt", **facts)
        return judge.put(
            prompt, AnsweredExam, known=known, stage="exam", system=system, temperature=0.0
        )

    def read(_: int, question: QuizQuestion, exam: AnsweredExam) -> ExamAnswer | NotScored:
        return _read(question, exam.answers)

    numbered = {asked.number: asked for asked in bank.questions}
    answers = judge.put_items(numbered, put=put, read=read)
    return tuple(_believed(number, said, judge.known) for number, said in answers.items())


def _believed(number: int, said: ExamAnswer | NotScored, known: KnownTally) -> ExamAnswer:
    """An answer, or why there is none that counts; then what was answered is its reason."""
    if isinstance(said, NotScored):
        return ExamAnswer(number, said)
    if known.failure:
        return ExamAnswer(number, NotScored(known.failure), f"answered {said.selected}")
    return said


def asked_as(question: QuizQuestion) -> str:
    """A question with its options, as an examinee sees it: no answer, quote or page."""
    options = (f"{letter}. {text}" for letter, text in zip(LETTERS, question.options, strict=True))
    return "\n".join((f"{question.number}. {question.question}", *options))


def _again(wrong: Mapping[int, str]) -> str:
    if not wrong:
        return ""
    lines = (f"- question {number}: {cause}" for number, cause in wrong.items())
    return "\n".join(("\nYour answers to these could not be used:", *lines))


def _read(question: QuizQuestion, answers: Sequence[AnsweredQuestion]) -> ExamAnswer | NotScored:
    """The answer to a question, or what is wrong with it."""
    own = [answer for answer in answers if answer.question == question.number]
    if not own:
        return NotScored("there is no answer")
    selected: dict[Selected, str] = {}
    for reply in own:
        if (letter := read_selected(question, reply.selected)) is None:
            cause = f"{reply.selected[:80]!r} is neither one letter nor {INSUFFICIENT!r}"
            return NotScored(cause)
        selected.setdefault(letter, reply.reasoning)
    if len(selected) > 1:
        return NotScored(f"there are several answers: {', '.join(selected)}")
    [(letter, reason)] = selected.items()
    return ExamAnswer(question.number, letter, reason)


def read_selected(question: QuizQuestion, text: str) -> Selected | None:
    """A letter, a letter with the words of its option, or these words alone; None for anything
    else, such as two letters, or a letter with the words of another option.

    A full stop or bracket behind the letter may stand there or not.
    """
    said = plain_words(text).strip().strip("*").strip()
    if said.casefold().rstrip(".").startswith("insufficient"):
        return INSUFFICIENT
    own = {
        plain_words(option).casefold().rstrip("."): letter
        for letter, option in zip(LETTERS, question.options, strict=True)
    }
    whole = own.get(said.casefold().rstrip("."))
    match = re.fullmatch(r"\(?([A-Da-d])(?:[).:]+\s*(.*)|)", said)
    if whole is not None and match is None:
        return whole
    if match is None:
        return None
    letter = next(letter_of for letter_of in LETTERS if letter_of == match[1].upper())
    words = (match[2] or "").casefold().rstrip(".")
    return letter if not words or own.get(words) == letter else None


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
    slide = "" if statement.slide is None else f"slide {statement.slide}: "
    return ExamAnswer(question.number, near[0], f"{slide}{statement.text[:200]}")


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
    mistakes: dict[int, Mistake] = {}
    open_ones: list[tuple[QuizQuestion, ExamAnswer]] = []
    for question, said in zip(bank.questions, answers, strict=True):
        if isinstance(said.selected, NotScored) or said.selected == question.answer:
            continue
        if (mistake := mistake_by_program(question, said, texts)).by == "nobody":
            open_ones.append((question, said))
        mistakes[question.number] = mistake
    if judge is not None and open_ones:
        mistakes.update(_by_model(judge, open_ones, texts))
    return tuple(mistakes[number] for number in sorted(mistakes))


def mistake_by_program(question: QuizQuestion, said: ExamAnswer, texts: QuizSlides) -> Mistake:
    """The class of a wrong answer as far as the texts of the deck decide it."""

    def mistake(kind: MistakeClass, reason: str) -> Mistake:
        return Mistake(question.number, kind, reason, "program")

    def undecided(why: str) -> Mistake:
        return Mistake(question.number, "other", f"{_UNDECIDED}: {why}", "nobody")

    seen, own = texts.seen, texts.own
    if seen.best_fit(question, question.right) >= LEAST_FIT:
        return mistake("misread", f"what was read holds option {question.answer} where it fits")
    shown = own is not None and own is not seen and own.best_fit(question, question.right)
    if shown and shown >= LEAST_FIT:
        return mistake("extraction", "the slides' own text holds it, what was read does not")
    # A statement that holds the right option may be about it: it shares some words with the
    # question, or is a number or word in large type that another text explains.
    holding = seen.holding(question, question.right)
    if any(fit >= _SOME_FIT or len(piece.words) <= FIGURE_WORDS for fit, piece in holding):
        return undecided(f"option {question.answer} stands in a statement that hardly fits")
    if (other := _in_its_place(question, said, seen)) is not None:
        slide = "" if other.slide is None else f"slide {other.slide} "
        return mistake("mismatch", f"{slide}says: {other.text[:160]}")
    # A statement may be about what a concept question asks for, without the words of the option.
    paraphrased = max(seen.fits(question.question), default=0.0) >= LEAST_FIT
    if question.kind == "data" or not paraphrased:
        return mistake("missing", f"no slide holds option {question.answer}")
    return undecided("the slides speak of it, and may say it in other words")


def _in_its_place(
    question: QuizQuestion, said: ExamAnswer, deck: DeckStatements
) -> DeckStatement | None:
    """The statement about the fact with the chosen option, or a number like it; or None."""
    if said.selected != INSUFFICIENT and not isinstance(said.selected, NotScored):
        chosen = question.options[LETTERS.index(said.selected)]
        for fit, statement in deck.holding(question, chosen):
            if fit >= SAME_FACT:
                return statement
    wanted = facts_in(question.right)
    asked = facts_in(question.question)
    for fit, statement in zip(deck.fits(question.question), deck.statements, strict=True):
        if wanted and fit >= SAME_FACT:
            for number in statement.numbers:
                stated = any(same_values(number, number_asked) for number_asked in asked)
                if not stated and same_kind(wanted[0], number):
                    return statement
    return None


def _by_model(
    judge: Questions, wrong: Sequence[tuple[QuizQuestion, ExamAnswer]], texts: QuizSlides
) -> dict[int, Mistake]:
    answers = "\n\n".join(
        f"{asked_as(question)}\nThe document says: {question.quote}\n"
        f"Right: {question.answer}. Answered: {said.selected} ({said.reason[:200]})"
        for question, said in wrong
    )
    slides = fenced("\n".join(texts.markdown), answers, judge.secret)
    prompt = fill_prompt(
        __package__, "prompts/mistakes.txt", rule=FENCE_RULE, answers=answers, slides=slides
    )
    said = judge.put(prompt, ClassifiedMistakes, stage="mistakes", temperature=0.0)
    numbers = {question.number for question, _ in wrong}
    if isinstance(said, NotScored):
        cause = f"{_UNDECIDED}: {said.reason}"
        return {number: Mistake(number, "other", cause, "nobody") for number in numbers}
    decided: dict[int, Mistake] = {}
    for number in numbers:
        own = [mistake for mistake in said.mistakes if mistake.question == number]
        kinds = sorted({answer.kind for answer in own})
        if len(kinds) > 1:
            cause = f"{_UNDECIDED}: the model says {' and '.join(kinds)}"
            decided[number] = Mistake(number, "other", cause, "nobody")
        elif own:
            decided[number] = Mistake(number, own[0].kind, own[0].reason, "model")
    return decided
