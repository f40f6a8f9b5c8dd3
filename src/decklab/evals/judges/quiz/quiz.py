"""The two jobs: build a bank of questions about documents, and have decks answer it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import Final

from decklab.core.errors import DeckError
from decklab.core.files import check_file, output_file
from decklab.core.options import SlideReading, Spending
from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.deck_notes import judge_instructions
from decklab.evals.judges.quiz.bank import QuizBank, QuizError, load_bank, write_bank
from decklab.evals.judges.quiz.building import BuiltBank, bank_by_model
from decklab.evals.judges.quiz.cloze import cloze_bank
from decklab.evals.judges.quiz.exam import ExamAnswer, ExamAnswers, ExamResult, answer_by_model
from decklab.evals.judges.quiz.mistakes import EXAMINEE, answer_by_retrieval, classify_mistakes
from decklab.evals.judges.quiz.slide_texts import QuizSlides, own_slide_texts, seen_slide_texts
from decklab.models.asking import Ask
from decklab.models.model_run import begin_run
from decklab.models.record import file_digest
from decklab.rendering.renderer import Renderer

_FUNCTION: Final = "a function"


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
        with _asking(model, facts, spending, progress) as (ask, name, _):
            built = bank_by_model(sources, ask, model=name, seed=seed, tell=progress)
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
        return tuple(exam(deck, None, EXAMINEE, secret="") for deck in decks)
    facts = {"command": "quiz take", "bank": bank.model_dump_json(), "reading": reading}
    with _asking(model, facts, spending, progress, secret) as (ask, name, kept):
        return tuple(exam(deck, ask, name, secret=kept) for deck in decks)


def _exam(
    bank: QuizBank, deck: str | Path, ask: Ask | None, examinee: str, *, secret: str,
    reading: SlideReading, renderer: Renderer | None, progress: Callable[[str], None],
) -> ExamResult:  # fmt: skip
    """The exam of one deck."""
    progress("exam")
    result = ExamResult(
        str(deck), bank, examinee, (), proxy=bank.proxy or ask is None, read=reading
    )
    texts: QuizSlides | NotScored
    try:
        if reading == "pictures" and ask is not None:
            texts = seen_slide_texts(deck, ask, renderer=renderer, tell=progress)
        else:
            texts = own_slide_texts(deck)
    except DeckError as error:
        texts = NotScored(str(error))
    if isinstance(texts, NotScored):
        none = tuple(ExamAnswer(question.number, texts) for question in bank.questions)
        return replace(result, answers=none, told=(texts.reason,))
    found = _answers(bank, texts, ask, secret)
    mistakes, more = classify_mistakes(bank, found.answers, texts, ask, secret=secret)
    unclear = sum(mistake.by == "nobody" for mistake in mistakes)
    told = [*texts.told, *([f"mistakes that nobody classified: {unclear}"] if unclear else [])]
    if found.known.failure:
        told.insert(0, found.known.failure)
    elif ask is not None:
        told.append(_by_program(bank, texts, found.answers))
    told += judge_instructions(deck)
    return replace(
        result, answers=found.answers, mistakes=mistakes, read=texts.read,
        told=tuple(dict.fromkeys(told)), usage=texts.usage + found.usage + more, known=found.known,
    )  # fmt: skip


def _by_program(bank: QuizBank, texts: QuizSlides, answers: Sequence[ExamAnswer]) -> str:
    """Beside the answers of a model, those that a program finds in the slides, which is a proxy."""
    right = {one.number for one, said in zip(bank.questions, answers, strict=True)
             if said.selected == one.answer}  # fmt: skip
    held = {
        one.number
        for one in bank.questions
        if answer_by_retrieval(one, texts.seen).selected == one.answer
    }
    return (
        f"beside the model, a program finds the right option in the slides for {len(held)} of "
        f"{len(bank.questions)} questions; the model has {len(right - held)} more and "
        f"{len(held - right)} fewer"
    )


def _answers(bank: QuizBank, texts: QuizSlides, ask: Ask | None, secret: str) -> ExamAnswers:
    if ask is None:
        answers = tuple(answer_by_retrieval(question, texts.seen) for question in bank.questions)
        return ExamAnswers(answers)
    return answer_by_model(ask, bank, texts.markdown, secret=secret)


@contextmanager
def _asking(
    model: str | Ask,
    facts: Mapping[str, object],
    spending: Spending | None,
    tell: Callable[[str], None],
    secret: str = "",
) -> Iterator[tuple[Ask, str, str]]:
    """The model as a plain function, with its budget and record, its name, and the secret of the
    run."""
    if not isinstance(model, str):
        yield model, _FUNCTION, secret or token_hex()
        return
    run = begin_run(spending, {"decklab": version("decklab"), "model": model, **facts})
    with run.asking(model, tell=tell) as ask:
        yield ask, model, run.secret
