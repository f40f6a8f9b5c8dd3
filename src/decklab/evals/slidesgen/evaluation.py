"""One deck evaluated: its exam, its scores, its page, and what speaks for each."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from decklab.core.errors import DeckError, ModelError, RenderError, Unavailable
from decklab.core.options import SlideReading
from decklab.core.results import DeckResult, NotScored
from decklab.core.version import VERSION
from decklab.documents.knowledge import KnowledgeBase
from decklab.evals.judges.quiz.bank import LETTERS, QuizBank, QuizError, QuizQuestion, load_bank
from decklab.evals.judges.quiz.exam import ExamAnswer, ExamResult, Mistake
from decklab.evals.judges.quiz.quiz import bank_by_model, cloze_bank, take_quiz
from decklab.evals.slidesgen.rows import (
    DECK_METRICS,
    MadeCost,
    MissedQuestion,
    SlidesgenRow,
    Thumbnail,
    slide_costs_of,
    split_measures,
)
from decklab.metrics.catalogue import metric_labels
from decklab.models.asking import Ask
from decklab.pages.pictures import SlidePicture, encode_jpeg
from decklab.rendering.renderer import Renderer
from decklab.scoring.deck import ScoredDeck, failed, score_deck
from decklab.scoring.reports.deck_page import write_deck_page

MOST_THUMBNAILS: Final = 12
_THUMB_WIDTH: Final = 280
_THUMB_QUALITY: Final = 60
"""Ours: about 6 kB a slide."""


@dataclass(frozen=True)
class BankFound:
    """The questions about the documents of a topic, or why there are none."""

    bank: QuizBank | NotScored
    again: bool = False
    """Whether another run may get them, such as from a model that was busy."""
    tokens: int = 0


def find_bank(sources: KnowledgeBase, given: Path | None, ask: Ask | None, judge: str) -> BankFound:
    """The bank that is given, else one that a model builds, else cloze questions by program."""
    if given is not None:
        try:
            return BankFound(load_bank(given))
        except QuizError as error:
            return BankFound(NotScored(str(error)))
    if not sources.documents:
        return BankFound(
            NotScored("no source documents are named, so nobody can say what a deck should hold")
        )
    try:
        if ask is None:
            return BankFound(cloze_bank(sources))
        built = bank_by_model(sources, ask, model=judge)
        return BankFound(built.bank, tokens=built.usage.input_tokens + built.usage.output_tokens)
    except QuizError as error:
        return BankFound(NotScored(f"no questions could be made: {error}"), again=ask is not None)
    except ModelError as error:
        return BankFound(NotScored(f"no questions could be made: {error}"), again=True)


@dataclass(frozen=True)
class Evaluating:
    """How decks are evaluated."""

    ask: Ask | None
    """Answers the questions; None for the proxy."""
    reading: SlideReading
    renderer: Renderer
    secret: str = ""
    """The secret of marks around deck text; a new one by default."""


def evaluate_deck(
    deck: Path, known: SlidesgenRow, cost: MadeCost, bank: BankFound, how: Evaluating,
    *, page: Path | None, index: str = "",
) -> SlidesgenRow:  # fmt: skip
    """The row of a deck; ``known`` is the row before it was looked at.

    ``page`` is where the deck's own page goes, with a link to ``index``. Raises nothing for a deck
    that cannot be read: its scores are missing with the cause.
    """
    scored, again = _scored(deck, how.renderer)
    result = scored.result
    if page is not None and result.status == "scored":
        labels, made_by = metric_labels(), f"decklab {VERSION}"
        write_deck_page(
            page, result, scored.pictures, labels=labels, generated_by=made_by, index=index
        )
    measured: dict[str, float | NotScored] = {
        name: result.value(metric) for name, metric in DECK_METRICS.items()
    }
    content, exam = _content(deck, result, bank, how)
    row = known.model_copy(
        update={
            "deck": str(deck),
            "slides": result.slides,
            **split_measures({"content": content, **measured, **cost.measures}),
            "costs": slide_costs_of(result),
            "pictures": tuple(_thumbnails(scored.pictures)),
            "again": again or bank.again,
        }
    )
    return row if exam is None else _with_exam(row, exam)


def without_deck(
    known: SlidesgenRow, reason: str, cost: MadeCost | None = None, *, again: bool = False
) -> SlidesgenRow:
    """The row of a deck that is not there: nothing is scored, for one reason."""
    missing: dict[str, float | NotScored] = dict.fromkeys(
        ("content", *DECK_METRICS), NotScored(reason)
    )
    spent = cost.measures if cost else dict.fromkeys(MadeCost().measures, NotScored(reason))
    return known.model_copy(update={**split_measures(missing | spent), "again": again})


def _scored(deck: Path, renderer: Renderer) -> tuple[ScoredDeck, bool]:
    """The deck's scores, and whether they may be had another time."""
    try:
        return score_deck(deck, renderer=renderer), False
    except DeckError as error:
        return failed(deck, error), False
    except RenderError as error:
        return failed(deck, error), True
    except OSError as error:
        return failed(deck, DeckError(deck, f"cannot be read: {error.strerror or error}")), False


def _content(
    deck: Path, result: DeckResult, bank: BankFound, how: Evaluating
) -> tuple[float | NotScored, ExamResult | None]:
    """The share of right answers, and the exam; no exam if it could not be taken."""
    if isinstance(bank.bank, NotScored):
        return bank.bank, None
    if result.status == "failed":
        return NotScored(result.error or "the deck could not be read"), None
    try:
        (exam,) = take_quiz(
            bank.bank, [deck], model=how.ask, reading=how.reading, renderer=how.renderer,
            secret=how.secret,
        )  # fmt: skip
    except (ModelError, Unavailable, RenderError) as error:
        return NotScored(str(error)), None
    share = exam.accuracy.share
    if isinstance(share, NotScored):
        share = NotScored("; ".join(exam.notes) or str(share))
    return share, exam


def _with_exam(row: SlidesgenRow, exam: ExamResult) -> SlidesgenRow:
    open_ones = exam.accuracy.not_scored
    notes = [*row.told, *exam.notes]
    if open_ones and exam.accuracy.questions:
        notes.append(f"questions that were not scored: {open_ones} of {len(exam.answers)}")
    usage = exam.usage
    return row.model_copy(
        update={
            "questions": exam.accuracy.questions,
            "proxy": exam.proxy,
            "examinee": exam.examinee,
            "missed": tuple(_missed(exam)),
            "told": tuple(notes),
            "judge_tokens": usage.input_tokens + usage.output_tokens,
            "again": row.again or (usage.requests > 0 and open_ones > 0),
        }
    )


def _missed(exam: ExamResult) -> list[MissedQuestion]:
    mistakes = {wrong.number: wrong for wrong in exam.mistakes}
    return [
        _missed_question(question, said, mistakes.get(question.number))
        for question, said in exam.pairs
        if said.selected != question.answer
    ]


def _missed_question(
    question: QuizQuestion, said: ExamAnswer, mistake: Mistake | None
) -> MissedQuestion:
    options: dict[str, str] = dict(zip(LETTERS, question.options, strict=True))
    answered = str(said.selected)
    page = "" if question.page is None else f"page {question.page}"
    return MissedQuestion(
        number=question.number,
        kind=question.kind,
        question=question.question,
        right=question.right,
        answered=options.get(answered, answered),
        mistake=mistake.kind if mistake else "",
        reason=mistake.reason if mistake else said.reason,
        quote=question.quote,
        place=", ".join(filter(None, (question.document, page))),
    )


def _thumbnails(pictures: Mapping[int, SlidePicture]) -> list[Thumbnail]:
    """Small pictures of the first slides."""
    thumbnails = []
    for picture in islice(pictures.values(), MOST_THUMBNAILS):
        with Image.open(BytesIO(picture.data)) as opened:
            pixels = np.asarray(opened.convert("RGB"), dtype=np.uint8)
        small = encode_jpeg(pixels, width=_THUMB_WIDTH, quality=_THUMB_QUALITY)
        thumbnails.append(Thumbnail(uri=small.uri, width=small.width, height=small.height))
    return thumbnails
