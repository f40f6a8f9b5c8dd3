"""A bank of questions by a model, in three phases: anchors, verification, questions.

Paper 002, section 2.2 and appendix L. Between the phases a program looks every quote up in the
documents, so that nothing invented becomes a question.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, Field

from decklab.documents.knowledge import KnowledgeBase, QuotePlace
from decklab.documents.model import Document
from decklab.documents.retrieval import retrieve
from decklab.documents.sections import document_sections
from decklab.evals.judges.asking import Questions
from decklab.evals.judges.quiz.amounts import facts_in, holds_all
from decklab.evals.judges.quiz.bank import (
    LETTERS,
    OF_EACH_KIND,
    QUESTIONS,
    Difficulty,
    Letter,
    QuizBank,
    QuizError,
    QuizKind,
    QuizQuestion,
    bank_problems,
    numbered,
    sources_title,
)
from decklab.models.asking import Ask, StrictForm, Usage, fill_prompt

PART_CHARACTERS: Final = 48_000
"""Of a document in one question; a longer one is read in parts. Ours."""
DATA_ANCHORS: Final = 6
CONCEPT_ANCHORS: Final = 8
"""At most, as paper 002, figure 18 has them: 4 to 6 and 6 to 8."""
_CARD_CHARACTERS = 4_000
_SHOWN = 8
_LEAST_QUOTE = 3

Form = TypeVar("Form", bound=BaseModel)


class QuizAnchor(StrictForm):
    """A fact of the document that a presentation must not lose, with the words that prove it."""

    kind: QuizKind
    statement: str = Field(min_length=1)
    quote: str = Field(min_length=1)
    page: int
    topic: str


class QuizAnchors(StrictForm):
    """Some facts."""

    anchors: tuple[QuizAnchor, ...]


class SetQuestion(StrictForm):
    """One question, made of one fact."""

    anchor: int
    kind: QuizKind
    question: str = Field(min_length=1)
    options: Annotated[list[str], Field(min_length=4, max_length=4)]
    answer: Letter
    difficulty: Difficulty


class SetExam(StrictForm):
    """All ten questions."""

    questions: tuple[SetQuestion, ...]


@dataclass(frozen=True)
class BuiltBank:
    """A bank by a model, the anchors that had to be left out, and what it cost."""

    bank: QuizBank
    left_out: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


def bank_by_model(
    sources: KnowledgeBase,
    ask: Ask,
    *,
    model: str = "a model",
    seed: int = 0,
    temperature: float | None = None,
    tell: Callable[[str], None] = lambda _line: None,
) -> BuiltBank:
    """Have a model write a bank about documents.

    What breaks a rule is told to the model, which is asked again, three times in all in every
    phase. ``seed`` puts the options in order, so that the right letter does not depend on a
    model's habits. Raises QuizError where no bank keeps the rules, with what was wrong last, and
    what ``ask`` raises.
    """
    if not any(block.text.strip() for doc in sources.documents for block in doc.blocks):
        raise QuizError("the documents have no words to ask about")
    return _Builder(sources, ask, temperature).built(model, seed, tell)


class _Builder:
    def __init__(self, sources: KnowledgeBase, ask: Ask, temperature: float | None) -> None:
        self.sources = sources
        system = fill_prompt(__package__, "prompts/build_system.txt")
        self.questions = Questions(ask, system=system, temperature=temperature)

    def built(self, model: str, seed: int, tell: Callable[[str], None]) -> BuiltBank:
        tell("anchors")
        drafts = self._drafts()
        tell("verify")
        kept, left_out = self._verified(drafts)
        tell("questions")
        bank = self._exam(kept, model, seed)
        return BuiltBank(bank, tuple(left_out), self.questions.usage)

    def _drafts(self) -> list[QuizAnchor]:
        """Phase one: what a presentation must not lose, part by part of the documents."""
        parts = list(document_parts(self.sources))
        found: list[QuizAnchor] = []
        for number, text in enumerate(parts, start=1):
            asked = fill_prompt(
                __package__, "prompts/anchors.txt", part=str(number), parts=str(len(parts)),
                text=text, data=str(DATA_ANCHORS), concepts=str(CONCEPT_ANCHORS),
            )  # fmt: skip
            found += self._answer(asked, QuizAnchors, "anchors").anchors
        return found

    def _verified(self, drafts: Sequence[QuizAnchor]) -> tuple[list[QuizAnchor], list[str]]:
        """Phase two: quotes looked up by program, notes checked by the model, and looked up
        again; anchors whose quotes are still not found are left out."""
        cards = [*self.sources.cards.values()]
        headings = [block.text for doc in self.sources.documents for block in doc.headings]
        asked = fill_prompt(
            __package__, "prompts/refine.txt", draft="\n".join(self._looked_up(drafts)),
            card="\n".join([*cards, *headings])[:_CARD_CHARACTERS],
            passages=self._passages(drafts), least=str(OF_EACH_KIND),
        )  # fmt: skip
        refined = self._answer(asked, QuizAnchors, "verify", check=self._anchor_problem).anchors
        kept, left_out = [], []
        for anchor in refined:
            problem = self._quote_problem(anchor)
            if problem is None:
                kept.append(anchor)
            else:
                left_out.append(f"{anchor.statement} ({problem})")
        return kept, left_out

    def _looked_up(self, drafts: Sequence[QuizAnchor]) -> Iterator[str]:
        for number, anchor in enumerate(drafts, start=1):
            problem = self._quote_problem(anchor)
            yield (
                f"{number}. [{anchor.kind}] {anchor.statement}\n   quote: {anchor.quote}\n"
                f"   program: {problem or 'found'}"
            )

    def _passages(self, drafts: Sequence[QuizAnchor]) -> str:
        """Where the documents speak of the anchors whose quotes are not found, and of the whole."""
        lost = [anchor for anchor in drafts if self._quote_problem(anchor) is not None]
        queries = [anchor.statement for anchor in lost[:_SHOWN]]
        queries += [" ".join(document.title for document in self.sources.documents)]
        found = [
            f"[{passage.document}, page {passage.page}] {passage.quote}"
            for query in queries
            for passage in retrieve(self.sources, query, passages=2)
        ]
        return "\n\n".join(dict.fromkeys(found)) or "none"

    def _quote_problem(self, anchor: QuizAnchor) -> str | None:
        """What is wrong with the quote of an anchor."""
        if self._place(anchor) is None:
            return "the quote is not in the document"
        if len(anchor.quote.split()) < _LEAST_QUOTE:
            return "the quote is too short to prove anything"
        if anchor.kind == "data" and not facts_in(anchor.quote):
            return "the quote of a data anchor has no number"
        if not holds_all(facts_in(anchor.statement), anchor.quote) and anchor.kind == "data":
            return "a number of the statement is not in the quote"
        return None

    def _place(self, anchor: QuizAnchor) -> QuotePlace | None:
        return self.sources.find_quote(anchor.quote)

    def _anchor_problem(self, reply: QuizAnchors) -> str | None:
        """What keeps checked anchors from being enough for ten questions."""
        wrong = [
            f"{anchor.quote[:100]!r}: {problem}"
            for anchor in reply.anchors
            if (problem := self._quote_problem(anchor)) is not None
        ]
        good = [anchor for anchor in reply.anchors if self._quote_problem(anchor) is None]
        short = [
            f"only {count} {kind} anchors have a quote that is found; {OF_EACH_KIND} are needed"
            for kind in ("data", "concept")
            if (count := sum(anchor.kind == kind for anchor in good)) < OF_EACH_KIND
        ]
        return "; ".join([*short, *wrong[:_SHOWN]]) if short else None

    def _exam(self, anchors: Sequence[QuizAnchor], model: str, seed: int) -> QuizBank:
        """Phase three: ten questions on the anchors that hold."""
        listed = "\n".join(
            f"{number}. [{anchor.kind}] {anchor.statement}\n   quote: {anchor.quote}"
            for number, anchor in enumerate(anchors, start=1)
        )
        asked = fill_prompt(__package__, "prompts/questions.txt", anchors=listed)

        def bank_of(reply: SetExam) -> QuizBank:
            questions = (self._question(one, anchors, seed) for one in reply.questions[:QUESTIONS])
            return QuizBank(
                title=sources_title(self.sources), made_by=model, questions=numbered(questions)
            )

        def problem(reply: SetExam) -> str | None:
            found = list(_exam_problems(reply, anchors))
            found = found or bank_problems(bank_of(reply), self.sources)
            return "; ".join(found[:_SHOWN]) or None

        return bank_of(self._answer(asked, SetExam, "questions", check=problem))

    def _question(self, one: SetQuestion, anchors: Sequence[QuizAnchor], seed: int) -> QuizQuestion:
        """A question of the model with the place of its quote, its options in another order."""
        anchor = anchors[one.anchor - 1]
        place = self._place(anchor)
        right = one.options[LETTERS.index(one.answer)]
        first, second, third, fourth = Random(f"{seed} {one.question}").sample(one.options, 4)
        options = (first, second, third, fourth)
        return QuizQuestion(
            number=1, kind=one.kind, question=one.question, options=options,
            answer=LETTERS[options.index(right)], quote=anchor.quote,
            document=place.document if place else "", page=place.page if place else None,
            topic=anchor.topic, difficulty=one.difficulty,
        )  # fmt: skip

    def _answer(self, prompt: str, form: type[Form], stage: str, **how: Any) -> Form:
        def error(cause: str) -> QuizError:
            return QuizError(f"no bank of questions ({stage}): {cause}")

        return self.questions.draft(prompt, form, error, stage=stage, **how)


def _exam_problems(reply: SetExam, anchors: Sequence[QuizAnchor]) -> Iterator[str]:
    """What is wrong with the questions before they are a bank."""
    if len(reply.questions) != QUESTIONS:
        yield f"there are {len(reply.questions)} questions, not {QUESTIONS}"
    used: set[int] = set()
    for number, one in enumerate(reply.questions, start=1):
        if not 1 <= one.anchor <= len(anchors):
            yield f"question {number}: there is no fact {one.anchor}"
        elif anchors[one.anchor - 1].kind != one.kind:
            yield f"question {number}: fact {one.anchor} is no {one.kind} fact"
        elif one.anchor in used:
            yield f"question {number}: fact {one.anchor} is used twice"
        used.add(one.anchor)
        if any(option.strip()[:2] in {"A.", "B.", "C.", "D."} for option in one.options):
            yield f"question {number}: leave out the letters in front of options"


def document_parts(sources: KnowledgeBase) -> Iterator[str]:
    """The text of documents with marks where pages begin, in parts that fit one question.

    A part ends between blocks; what a document appends, such as literature, is left out.
    """
    for document in sources.documents:
        text = f"[document {document.name}]"
        for line in _lines(document):
            if len(text) + len(line) > PART_CHARACTERS:
                yield text
                text = f"[document {document.name}, continued]"
            text += f"\n{line[:PART_CHARACTERS]}"
        if "\n" in text:
            yield text


def _lines(document: Document) -> Iterator[str]:
    page: int | None = None
    for section in document_sections(document):
        if section.is_apparatus:
            continue
        if section.heading:
            yield f"{'#' * max(1, section.level)} {section.heading}"
        for block in section.blocks:
            if block.page is not None and block.page != page:
                page = block.page
                yield f"[page {page}]"
            if block.text.strip() and block.kind != "code":
                yield block.text
