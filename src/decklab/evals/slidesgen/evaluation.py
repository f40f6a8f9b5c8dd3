"""One deck evaluated: its exam, its scores, its page, what speaks for each, and why others are
missing."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decklab.core.errors import DeckError, ModelError, RenderError, Unavailable
from decklab.core.files import write_whole
from decklab.core.options import SlideReading
from decklab.core.results import DeckResult, NotScored, reason_of, scored_by_name
from decklab.core.version import VERSION
from decklab.documents.knowledge import KnowledgeBase
from decklab.evals.judges.quiz.bank import LETTERS, QuizBank, QuizError, QuizQuestion, load_bank
from decklab.evals.judges.quiz.exam import ExamAnswer, ExamResult, Mistake
from decklab.evals.judges.quiz.quiz import bank_by_model, cloze_bank, take_quiz
from decklab.evals.slidesgen.instructions import Richness
from decklab.metrics.catalogue import metric_labels
from decklab.models.asking import Ask, Usage
from decklab.pages.pictures import SlidePicture, decoded, encode_jpeg
from decklab.pages.wording import rule_title
from decklab.rendering.renderer import Renderer
from decklab.scoring.deck import score_deck
from decklab.scoring.reports.deck_page import write_deck_page
from decklab.scoring.reports.standing import FLAWS
from decklab.scoring.scored import ScoredDeck, failed

DECK_METRICS: Final[Mapping[str, str]] = {
    "aesthetics": "aesthetics.total",
    "usability": "usability.score",
    "engagement": "engagement.score",
    "harmony": "harmony.score",
    "rhythm": "rhythm.score",
    "level": "editability.level",
    "quality": "quality.score",
}
"""The measures that ``decklab score`` takes, by the names they have in tables of paper 002."""
DECK_MEASURES: Final = ("content", *DECK_METRICS, "seconds", "tokens", "dollars")
"""Everything a row may have. ``content`` is a share, 0 to 1; ``level`` 0 to 5; ``quality`` 0 to
100; ``seconds``, ``tokens`` and ``dollars`` are what writing the deck cost, less is better; the
rest is in the units of paper 002, more is better."""
LOWER_BETTER: Final = frozenset({"seconds", "tokens", "dollars"})
MOST_COSTS: Final = 6
_LEAST_COST: Final = 1.0
"""Points of quality below which a flaw of a slide is not shown. Ours."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MissedQuestion(_Part):
    """A question that the deck did not answer rightly."""

    number: int
    kind: str
    question: str
    right: str
    """The right option in words."""
    answered: str
    """The chosen option in words, "insufficient information", or why there is no answer."""
    mistake: str = ""
    """Its class in table 17; empty if nothing was answered."""
    reason: str = ""
    quote: str
    """Quote from the source."""
    place: str = ""
    """Document and page of the quote."""


class SlideCost(_Part):
    """A flaw that costs a slide or the whole deck points of quality, or a finding of lint."""

    slide: int | None
    """None for the deck as a whole."""
    words: str
    points: float | None = None
    """Points of quality that the slide would gain without it; None of a finding."""


class Thumbnail(_Part):
    """A small picture of a slide: a ``data:`` address and its size in pixels."""

    uri: str
    width: int
    height: int


class SlidesgenRow(_Part):
    """One deck of one system."""

    system: str
    topic: str
    title: str = ""
    purpose: str
    richness: Richness | None = None
    deck: str = ""
    """Its path; empty if it has none."""
    absent: bool = False
    """Whether the system was never said to have a deck about the topic; then no mean counts it."""
    slides: int = 0
    values: dict[str, float] = Field(default={})
    """Values of ``DECK_MEASURES``."""
    reasons: dict[str, str] = Field(default={})
    """Why there is no value, for every other measure."""
    questions: int = 0
    """Of which the answer could be read."""
    proxy: bool = False
    """Whether a program made the questions or answered them."""
    examinee: str = ""
    missed: tuple[MissedQuestion, ...] = ()
    costs: tuple[SlideCost, ...] = ()
    told: tuple[str, ...] = ()
    """Further remarks, a line each."""
    page: str = ""
    """The path of the deck's own page in the folder of the run; empty if it has none."""
    pictures: tuple[Thumbnail, ...] = ()
    judge_tokens: int = 0
    again: bool = False
    """Whether another run may get what this one could not, such as from a model that was busy."""

    def value(self, measure: str) -> float | NotScored:
        """One of ``DECK_MEASURES``, or why there is none."""
        if (known := self.values.get(measure)) is not None:
            return known
        return NotScored(self.reasons.get(measure, "it was not measured"))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON without the pictures; null for unknown values."""
        row_json = self.model_dump(mode="json", exclude={"pictures", "values", "again"})
        return row_json | {"values": {name: self.values.get(name) for name in DECK_MEASURES}}


_UNTIMED: Final = NotScored("nobody timed it")
_UNPRICED: Final = NotScored("nobody said what it cost")
_UNCOUNTED: Final = NotScored("nobody counted them")


@dataclass(frozen=True)
class MadeCost:
    """Cost of writing a deck."""

    seconds: float | NotScored = _UNTIMED
    dollars: float | NotScored = _UNPRICED
    tokens: int | NotScored = _UNCOUNTED

    @classmethod
    def of(cls, seconds: float, usage: Usage, dollars: float | None) -> Self:
        """The cost of a deck that was written here; ``dollars`` None if prices are not known."""
        unpriced = 0.0 if usage == Usage() else NotScored("prices are not known")
        tokens = usage.input_tokens + usage.output_tokens
        untold = NotScored("the provider reported no tokens")
        spent = unpriced if dollars is None else dollars
        return cls(seconds, spent, untold if usage.untold else tokens)

    @property
    def measures(self) -> dict[str, float | NotScored]:
        """The three by their names in ``DECK_MEASURES``."""
        return {"seconds": self.seconds, "dollars": self.dollars, "tokens": self.tokens}


def split_measures(measures: Mapping[str, float | NotScored]) -> dict[str, Any]:
    """Measures as ``values`` and ``reasons`` of a row."""
    reasons = {name: reason_of(cell) for name, cell in measures.items() if reason_of(cell)}
    return {"values": scored_by_name(measures), "reasons": reasons}


def slide_costs_of(result: DeckResult) -> tuple[SlideCost, ...]:
    """Worst faults of a deck: errors of lint, then flaws by points, the worst first, a few."""
    errors = [
        SlideCost(slide=finding.slide, words=f"{rule_title(finding.rule)}: {finding.message}")
        for finding in result.findings
        if finding.severity == "error"
    ]
    flaws = [
        SlideCost(
            slide=row.slide, words=FLAWS.get(flaw, {}).get("words", rule_title(flaw)), points=points
        )
        for row in result.measurements
        if row.metric in ("quality.slide", "quality.score")
        for flaw, points in row.evidence.get("gains", {}).items()
        if points >= _LEAST_COST and (row.slide is not None or flaw.startswith("deck."))
    ]
    flaws.sort(key=lambda cost: (-(cost.points or 0), cost.slide or 0, cost.words))
    return (*errors[: MOST_COSTS // 2], *flaws)[:MOST_COSTS]


def write_row(row: SlidesgenRow, path: Path, key: str) -> None:
    """Store a row under a key, whole or not at all."""
    data = {"key": key, "row": row.model_dump(mode="json")}
    write_whole(path, json.dumps(data, ensure_ascii=False).encode())


def read_row(path: Path, key: str) -> SlidesgenRow | None:
    """The row that was stored under the same key and needs no other try; None if none was."""
    try:
        data = json.loads(path.read_bytes())
        row = SlidesgenRow.model_validate(data["row"]) if data["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return None
    return None if row is None or row.again else row


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
        small = encode_jpeg(decoded(picture.data), width=_THUMB_WIDTH, quality=_THUMB_QUALITY)
        thumbnails.append(Thumbnail(uri=small.uri, width=small.width, height=small.height))
    return thumbnails
