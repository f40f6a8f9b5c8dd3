"""The two jobs: build a bank of questions about documents, and have decks answer it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from decklab.core.errors import DeckError
from decklab.core.files import check_file, output_file
from decklab.core.options import SlideReading, Spending
from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.asking import AskedModel, Questions, asked_model
from decklab.evals.judges.preference.showing import judge_instructions
from decklab.evals.judges.quiz.bank import QuizBank, QuizError, load_bank, write_bank
from decklab.evals.judges.quiz.building import BuiltBank, bank_by_model
from decklab.evals.judges.quiz.cloze import cloze_bank
from decklab.evals.judges.quiz.exam import (
    EXAMINEE,
    ExamAnswer,
    ExamResult,
    answer_by_model,
    answer_by_retrieval,
    classify_mistakes,
)
from decklab.evals.judges.quiz.slide_texts import QuizSlides, own_slide_texts, seen_slide_texts
from decklab.models.asking import Ask
from decklab.models.record import file_digest
from decklab.rendering.renderer import Renderer


def build_quiz(
    documents: Sequence[str | Path],
    out: str | Path,
    *,
    model: str | Ask | None = None,
    seed: int = 0,
    force: bool = False,
    spending: Spending | None = None,
    progress: Callable[[str], None] = lambda _stage: None,
) -> BuiltBank:
    """Build a bank of ten questions about documents and write it to ``out``, a JSON file.

    ``model`` writes it in three phases, with quotes looked up by program; None leaves numbers and
    terms of sentences out, which is a proxy. ``seed`` chooses the questions of a program and puts
    options in order. With ``force`` ``out`` may exist; a copy of it is kept beside it. Raises
    QuizError where no bank keeps the rules; nothing is written then. Raises NameTaken where
    ``out`` exists.
    """
    check_file(out, inputs=documents, force=force)
    sources = read_documents(documents)
    if not sources.documents:
        raise QuizError("name at least one document")
    if model is None:
        progress("questions")
        built = BuiltBank(cloze_bank(sources, seed=seed))
    else:
        files = {document.name: file_digest(document.path) for document in sources.documents}
        facts = {**files, "command": "quiz build", "seed": seed}
        with asked_model(model, spending, facts, tell=progress) as asked:
            built = bank_by_model(sources, asked.ask, model=asked.name, seed=seed, tell=progress)
    with output_file(out, force=force) as unfinished:
        write_bank(built.bank, unfinished)
    return built


def take_quiz(
    bank: QuizBank | str | Path,
    decks: Sequence[str | Path],
    *,
    model: str | Ask | None = None,
    reading: SlideReading = "text",
    documents: Sequence[str | Path] = (),
    spending: Spending | None = None,
    renderer: Renderer | None = None,
    secret: str = "",
    progress: Callable[[str], None] = lambda _stage: None,
) -> tuple[ExamResult, ...]:
    """Answer a bank of questions from each deck alone, and say what share was right and why not.

    ``model`` answers; None has a program look for the statement that fits, which is a proxy. With
    ``reading`` "pictures" the model reads the slides from their pictures, else by the deck's own
    text; notes are never read. With ``documents`` the quotes of the bank are looked up in them
    first. ``secret`` makes the marks around deck text for a ``model`` that is a function; a new one
    by default. A deck that cannot be read has no scores. Raises QuizError for a bank that breaks a
    rule, ValueError for pictures without a model.
    """
    if reading == "pictures" and model is None:
        raise ValueError("only a model can read pictures of slides")
    sources = read_documents(documents) if documents else None
    if not isinstance(bank, QuizBank):
        bank = load_bank(bank, sources)
    exam = partial(_exam, bank, reading=reading, renderer=renderer, progress=progress)
    if model is None:
        return tuple(exam(deck, None) for deck in decks)
    facts = {"command": "quiz take", "bank": bank.model_dump_json(), "reading": reading}
    with asked_model(model, spending, facts, secret=secret, tell=progress) as asked:
        return tuple(exam(deck, asked) for deck in decks)


def _exam(
    bank: QuizBank,
    deck: str | Path,
    asked: AskedModel | None,
    *,
    reading: SlideReading,
    renderer: Renderer | None,
    progress: Callable[[str], None],
) -> ExamResult:
    """The exam of one deck."""
    progress("exam")
    examinee = asked.name if asked else EXAMINEE
    result = ExamResult(
        str(deck), bank, examinee, (), proxy=bank.proxy or asked is None, read=reading
    )
    texts: QuizSlides | NotScored
    try:
        if reading == "pictures" and asked:
            texts = seen_slide_texts(deck, asked.ask, renderer=renderer, tell=progress)
        else:
            texts = own_slide_texts(deck)
    except DeckError as error:
        texts = NotScored(str(error))
    if isinstance(texts, NotScored):
        none = tuple(ExamAnswer(question.number, texts) for question in bank.questions)
        return replace(result, answers=none, told=(texts.reason,))
    notes = list(texts.told)
    usage, known = texts.usage, result.known
    if asked is None:
        answers = _retrieved(bank, texts)
        mistakes = classify_mistakes(bank, answers, texts)
    else:
        judge = Questions(asked.ask, asked.secret)
        answers = answer_by_model(judge, bank, texts.markdown)
        mistakes = classify_mistakes(bank, answers, texts, judge)
        usage, known = usage + judge.usage, judge.known
    unclear = sum(mistake.by == "nobody" for mistake in mistakes)
    notes += [f"mistakes that nobody classified: {unclear}"] if unclear else []
    if known.failure:
        notes.insert(0, known.failure)
    elif asked:
        notes.append(_by_program(bank, texts, answers))
    notes += judge_instructions(deck)
    return replace(
        result, answers=answers, mistakes=mistakes, read=texts.read,
        told=tuple(dict.fromkeys(notes)), usage=usage, known=known,
    )  # fmt: skip


def _retrieved(bank: QuizBank, texts: QuizSlides) -> tuple[ExamAnswer, ...]:
    return tuple(answer_by_retrieval(question, texts.seen) for question in bank.questions)


def _by_program(bank: QuizBank, texts: QuizSlides, answers: Sequence[ExamAnswer]) -> str:
    """Beside the answers of a model, those that a program finds in the slides, which is a proxy."""
    right = {one.number for one, said in zip(bank.questions, answers, strict=True)
             if said.selected == one.answer}  # fmt: skip
    held = {one.number for one, said in zip(bank.questions, _retrieved(bank, texts), strict=True)
            if said.selected == one.answer}  # fmt: skip
    return (
        f"beside the model, a program finds the right option in the slides for {len(held)} of "
        f"{len(bank.questions)} questions; the model has {len(right - held)} more and "
        f"{len(held - right)} fewer"
    )
