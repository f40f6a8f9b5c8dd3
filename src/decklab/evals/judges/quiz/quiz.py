"""Banks of questions about documents, built by a model or from sentences without one; and decks
that answer them.

A proxy: it asks what the documents say word for word, not what a reader should have understood.

Paper 002, section 2.2 and appendix L. Between the phases a program looks every quote up in the
documents, so that nothing invented becomes a question.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, Field

from decklab.core.errors import DeckError
from decklab.core.files import check_file, output_file
from decklab.core.options import SlideReading, Spending
from decklab.core.results import NotScored
from decklab.core.stages import Progress, silent
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document
from decklab.documents.reading import read_documents
from decklab.documents.retrieval import retrieve, search_words
from decklab.documents.sections import document_sections
from decklab.evals.judges.asking import AskedModel, Questions, asked_model
from decklab.evals.judges.preference.showing import judge_instructions
from decklab.evals.judges.quiz.amounts import facts_in, holds_all
from decklab.evals.judges.quiz.bank import (
    LETTERS,
    OF_EACH_KIND,
    QUESTIONS,
    ClozeQuestion,
    Difficulty,
    Letter,
    QuizBank,
    QuizError,
    QuizKind,
    QuizQuestion,
    bank_problems,
    load_bank,
    numbered,
    question_problems,
    sources_title,
    write_bank,
)
from decklab.evals.judges.quiz.cloze_questions import (
    number_questions,
    table_questions,
    term_questions,
)
from decklab.evals.judges.quiz.exam import (
    EXAMINEE,
    ExamAnswer,
    ExamResult,
    answer_by_model,
    answer_by_retrieval,
    classify_mistakes,
)
from decklab.evals.judges.quiz.statements import (
    QuizSlides,
    own_slide_texts,
    seen_slide_texts,
    source_sentences,
)
from decklab.models.asking import Ask, StrictForm, Usage, fill_prompt
from decklab.models.model_run import file_digest
from decklab.rendering.renderer import Renderer

PART_CHARACTERS: Final = 48_000
"""Of a document in one question; a longer one is read in parts. Ours."""
DATA_ANCHORS: Final = 6
CONCEPT_ANCHORS: Final = 8
"""At most, as paper 002, figure 18 has them: 4 to 6 and 6 to 8."""
_CARD_CHARACTERS = 4_000
_SHOWN = 8
LEAST_QUOTE: Final = 3
"""Words of a quote that proves something. Ours."""
_KINDS: Final[tuple[QuizKind, ...]] = ("data", "concept")

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
    sources: KnowledgeBase, ask: Ask, model: str = "a model", seed: int = 0, tell: Progress = silent
) -> BuiltBank:
    """Have a model write a bank about documents.

    What breaks a rule is told to the model, which is asked again, three times in all in every
    phase. ``seed`` puts the options in order, so that each letter is right two or three times,
    whatever a model's habits are. Raises QuizError if no bank keeps the rules, with what was wrong
    last, and what ``ask`` raises.
    """
    if not any(block.text.strip() for doc in sources.documents for block in doc.blocks):
        raise QuizError("the documents have no words to ask about")
    return _Builder(sources, ask).built(model, seed, tell)


class _Builder:
    def __init__(self, sources: KnowledgeBase, ask: Ask) -> None:
        self.sources = sources
        system = fill_prompt(__package__, "prompts/build_system.txt")
        self.questions = Questions(ask, system=system)

    def built(self, model: str, seed: int, tell: Progress) -> BuiltBank:
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
        anchors: list[QuizAnchor] = []
        for number, text in enumerate(parts, start=1):
            facts = {"part": str(number), "parts": str(len(parts)), "text": text}
            facts |= {"data": str(DATA_ANCHORS), "concepts": str(CONCEPT_ANCHORS)}
            asked = fill_prompt(__package__, "prompts/anchors.txt", **facts)
            anchors += self._answer(asked, QuizAnchors, "anchors").anchors
        return anchors

    def _verified(self, drafts: Sequence[QuizAnchor]) -> tuple[list[QuizAnchor], list[str]]:
        """Phase two: quotes looked up, refined by the model, and looked up again."""
        cards = [*self.sources.cards.values()]
        headings = [block.text for doc in self.sources.documents for block in doc.headings]
        facts = {"draft": "\n".join(self._looked_up(drafts)), "passages": self._passages(drafts)}
        facts |= {"card": "\n".join([*cards, *headings])[:_CARD_CHARACTERS]}
        asked = fill_prompt(__package__, "prompts/refine.txt", least=str(OF_EACH_KIND), **facts)
        refined = self._answer(asked, QuizAnchors, "verify", check=self._anchor_problem).anchors
        problems = [(anchor, self._quote_problem(anchor)) for anchor in refined]
        left_out = [f"{anchor.statement} ({problem})" for anchor, problem in problems if problem]
        return [anchor for anchor, problem in problems if not problem], left_out

    def _looked_up(self, drafts: Sequence[QuizAnchor]) -> Iterator[str]:
        for anchor, line in zip(drafts, _listed(drafts), strict=True):
            yield f"{line}\n   program: {self._quote_problem(anchor) or 'found'}"

    def _passages(self, drafts: Sequence[QuizAnchor]) -> str:
        """Where the documents speak of the anchors whose quotes are not found, and of the whole."""
        lost = [anchor for anchor in drafts if self._quote_problem(anchor) is not None]
        queries = [anchor.statement for anchor in lost[:_SHOWN]]
        queries += [" ".join(document.title for document in self.sources.documents)]
        near = (item for query in queries for item in retrieve(self.sources, query, passages=2))
        passages = [f"[{item.document}, page {item.page}] {item.quote}" for item in near]
        return "\n\n".join(dict.fromkeys(passages)) or "none"

    def _quote_problem(self, anchor: QuizAnchor) -> str | None:
        """The fault of an anchor's quote."""
        if (problem := unproven(self.sources, anchor.quote)) or anchor.kind != "data":
            return problem or None
        if not facts_in(anchor.quote):
            return "the quote of a data anchor has no number"
        if not holds_all(facts_in(anchor.statement), anchor.quote):
            return "a number of the statement is not in the quote"
        return None

    def _anchor_problem(self, reply: QuizAnchors) -> str | None:
        """The reason why checked anchors are too few for ten questions."""
        problems = [(anchor, self._quote_problem(anchor)) for anchor in reply.anchors]
        wrong = [f"{anchor.quote[:100]!r}: {line}" for anchor, line in problems if line]
        good = Counter(anchor.kind for anchor, line in problems if line is None)
        needed = f"anchors have a quote that is found; {OF_EACH_KIND} are needed"
        few = [kind for kind in _KINDS if good[kind] < OF_EACH_KIND]
        short = [f"only {good[kind]} {kind} {needed}" for kind in few]
        return "; ".join([*short, *wrong[:_SHOWN]]) if short else None

    def _exam(self, anchors: Sequence[QuizAnchor], model: str, seed: int) -> QuizBank:
        """Phase three: ten questions on the anchors that hold."""
        listed = "\n".join(_listed(anchors))
        asked = fill_prompt(__package__, "prompts/questions.txt", anchors=listed)

        def bank_of(reply: SetExam) -> QuizBank:
            raw = [self._question(asked, anchors) for asked in reply.questions[:QUESTIONS]]
            title, questions = sources_title(self.sources), numbered(raw, Random(seed))
            return QuizBank(title=title, made_by=model, questions=questions)

        def problem(reply: SetExam) -> str | None:
            problems = list(_exam_problems(reply, anchors))
            problems = problems or bank_problems(bank_of(reply), self.sources)
            return "; ".join(problems[:_SHOWN]) or None

        return bank_of(self._answer(asked, SetExam, "questions", check=problem))

    def _question(self, raw: SetQuestion, anchors: Sequence[QuizAnchor]) -> QuizQuestion:
        """A question of the model with the place of its quote."""
        anchor = anchors[raw.anchor - 1]
        passage = self.sources.find_quote(anchor.quote)
        document, page = (passage.document, passage.page) if passage else ("", None)
        right = raw.options[LETTERS.index(raw.answer)]
        where = {"quote": anchor.quote, "document": document, "page": page}
        how = {"kind": raw.kind, "topic": anchor.topic, "difficulty": raw.difficulty}
        return QuizQuestion.of(raw.question, right, raw.options, **where, **how)

    def _answer(self, prompt: str, form: type[Form], stage: str, **how: Any) -> Form:
        def error(cause: str) -> QuizError:
            return QuizError(f"no bank of questions ({stage}): {cause}")

        return self.questions.draft(prompt, form, error, stage=stage, **how)


def _listed(anchors: Sequence[QuizAnchor]) -> Iterator[str]:
    for number, anchor in enumerate(anchors, start=1):
        yield f"{number}. [{anchor.kind}] {anchor.statement}\n   quote: {anchor.quote}"


def unproven(sources: KnowledgeBase, quote: str) -> str:
    """Why a quote proves nothing; empty if it stands in the sources and is long enough."""
    if sources.find_quote(quote) is None:
        return "the quote is not in the document"
    few = len(quote.split()) < LEAST_QUOTE
    return "the quote is too short to prove anything" if few else ""


def _exam_problems(reply: SetExam, anchors: Sequence[QuizAnchor]) -> Iterator[str]:
    """Faults of the questions before they are a bank."""
    if len(reply.questions) != QUESTIONS:
        yield f"there are {len(reply.questions)} questions, not {QUESTIONS}"
    used: set[int] = set()
    for number, drafted in enumerate(reply.questions, start=1):
        if not 1 <= drafted.anchor <= len(anchors):
            yield f"question {number}: there is no fact {drafted.anchor}"
        elif anchors[drafted.anchor - 1].kind != drafted.kind:
            yield f"question {number}: fact {drafted.anchor} is no {drafted.kind} fact"
        elif drafted.anchor in used:
            yield f"question {number}: fact {drafted.anchor} is used twice"
        used.add(drafted.anchor)
        if any(option.strip()[:2] in {"A.", "B.", "C.", "D."} for option in drafted.options):
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


MADE_BY: Final = "decklab, by program"
_POOL = 3
_OF_TABLES = 1
_MOST_OF_SECTION = 5
_ALIKE = 0.6
"""How many times as many questions are drawn from as are wanted; how many of five are of tables
where sentences have enough; the most of one section; the share of common words from which two
questions ask the same. Ours."""


def cloze_bank(sources: KnowledgeBase, *, seed: int = 0) -> QuizBank:
    """Ten questions from documents, five about terms and five about numbers.

    The same documents and seed give the same bank; another seed draws other questions from the most
    important ones. Difficulty is the third of importance among all that could be asked: what title,
    headings and abstract speak of is easy. Raises QuizError if there is too little to ask about.
    """
    random = Random(seed)
    sentences = source_sentences(sources)
    concepts = term_questions(sentences, random)
    numbers = number_questions(sentences, sources, random)
    tables = table_questions(sources, random)
    draw = _Draw(sources, random)
    data = draw.some(tables, "data", _OF_TABLES)
    data += draw.some(numbers, "data", OF_EACH_KIND - len(data))
    data += draw.some(tables, "data", OF_EACH_KIND - len(data))
    asked = draw.some(concepts, "concept", OF_EACH_KIND)
    for kind, drawn in (("concept", asked), ("data", data)):
        if len(drawn) < OF_EACH_KIND:
            raise QuizError(
                f"the documents give {len(drawn)} {kind} questions by program, not {OF_EACH_KIND}: "
                "they say too little in whole sentences; name more of them, or a model"
            )
    level = _difficulties([*numbers, *concepts])
    questions = [
        *(_question(question, "concept", level(question)) for question in asked),
        *(_question(question, "data", level(question)) for question in data),
    ]
    title, made_by = sources_title(sources), f"{MADE_BY}, seed {seed}"
    return QuizBank(title=title, made_by=made_by, proxy=True, questions=numbered(questions, random))


class _Draw:
    """Draws questions about different things; remembers the answers and quotes that are taken."""

    def __init__(self, sources: KnowledgeBase, random: Random) -> None:
        self.sources, self.random = sources, random
        self.taken: list[ClozeQuestion] = []

    def some(
        self, questions: Sequence[ClozeQuestion], kind: QuizKind, count: int
    ) -> list[ClozeQuestion]:
        """Up to ``count`` of the most important ones, each with a quote that is found."""
        drawn = self._found(self._pool(questions, kind, count * _POOL), count)
        if len(drawn) < count:
            more = self._pool(questions, kind, count * _POOL, same_answers=True)
            drawn += self._found(more, count - len(drawn))
        return drawn

    def _found(self, pool: Sequence[ClozeQuestion], count: int) -> list[ClozeQuestion]:
        """Some of a pool, with the places of their quotes."""
        drawn: list[ClozeQuestion] = []
        for question in self.random.sample(pool, len(pool)):
            where = self.sources.find_quote(question.quote) if len(drawn) < count else None
            if where is not None:
                drawn.append(replace(question, document=where.document, page=where.page))
        self.taken += drawn
        return drawn

    def _pool(
        self,
        questions: Sequence[ClozeQuestion],
        kind: QuizKind,
        size: int,
        *,
        same_answers: bool = False,
    ) -> list[ClozeQuestion]:
        """The most important ones that keep the rules, of as many sections as there are."""
        ranked = sorted(questions, key=lambda question: -question.importance)
        pool: list[ClozeQuestion] = []
        of_section: Counter[tuple[str, str]] = Counter()
        for most in range(1, _MOST_OF_SECTION + 1):
            for item in ranked:
                section = (item.document, item.topic)
                if len(pool) >= size or of_section[section] >= most or item in pool:
                    continue
                broken = any(question_problems(_question(item, kind, "medium")))
                others = [*pool, *self.taken]
                if not broken and not _asked(item, others, same_answers=same_answers):
                    pool.append(item)
                    of_section[section] += 1
        return pool


def _asked(question: ClozeQuestion, others: Sequence[ClozeQuestion], *, same_answers: bool) -> bool:
    """Whether an answer is taken already, or a question says what another one says."""
    words = set(search_words(question.question))
    return any(
        (question.right.casefold() == other.right.casefold() and not same_answers)
        or question.quote == other.quote
        or len(words & said) > _ALIKE * min(len(words), len(said))
        for other in others
        for said in [set(search_words(other.question))]
    )


def _difficulties(questions: Sequence[ClozeQuestion]) -> Callable[[ClozeQuestion], Difficulty]:
    """The third of importance that a question is in."""
    ranked = sorted((question.importance for question in questions), reverse=True)
    third = max(1, len(ranked) // 3)
    easy, medium = ranked[third - 1], ranked[min(2 * third, len(ranked)) - 1]

    def level(question: ClozeQuestion) -> Difficulty:
        if question.importance >= easy:
            return "low"
        return "medium" if question.importance >= medium else "high"

    return level


def _question(cloze: ClozeQuestion, kind: QuizKind, difficulty: Difficulty) -> QuizQuestion:
    options = [cloze.right, *cloze.wrong]
    where = {"quote": cloze.quote, "document": cloze.document, "page": cloze.page}
    how = {"kind": kind, "topic": cloze.topic, "difficulty": difficulty}
    return QuizQuestion.of(cloze.question, cloze.right, options, **where, **how)


def build_quiz(
    documents: Sequence[str | Path],
    out: str | Path,
    *,
    model: str | Ask | None = None,
    seed: int = 0,
    force: bool = False,
    spending: Spending | None = None,
    progress: Progress = silent,
) -> BuiltBank:
    """Build a bank of ten questions about documents and write it to ``out``, a JSON file.

    ``model`` writes it in three phases, with quotes looked up by program; None leaves numbers and
    terms of sentences out, which is a proxy. ``seed`` chooses the questions of a program and puts
    options in order. With ``force`` ``out`` may exist; a copy of it is kept beside it. Raises
    QuizError where no bank keeps the rules; nothing is written then. Raises NameTaken where
    ``out`` exists.
    """
    check_file(out, inputs=documents, force=force)
    if not (sources := read_documents(documents)).documents:
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
    progress: Progress = silent,
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
    progress: Progress,
) -> ExamResult:
    """The exam of one deck."""
    progress("exam")
    examinee, proxy = asked.name if asked else EXAMINEE, bank.proxy or asked is None
    result = ExamResult(str(deck), bank, examinee, (), proxy=proxy, read=reading)
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
        return replace(result, answers=none, notes=(texts.reason,))
    answers = retrieved = tuple(answer_by_retrieval(item, texts.seen) for item in bank.questions)
    if judge := Questions(asked.ask, asked.secret) if asked else None:
        answers = answer_by_model(judge, bank, texts.markdown)
    mistakes = classify_mistakes(bank, answers, texts, judge)
    usage, known = texts.usage, result.known
    if judge:
        usage, known = usage + judge.usage, judge.known
    unclear = sum(mistake.by == "nobody" for mistake in mistakes)
    notes = [known.failure, *texts.notes]
    notes.append(f"mistakes that nobody classified: {unclear}" if unclear else "")
    if judge and not known.failure:
        notes.append(_by_program(bank, answers, retrieved))
    notes += judge_instructions(deck)
    said = tuple(dict.fromkeys(filter(None, notes)))
    result = replace(result, answers=answers, mistakes=mistakes, read=texts.read, notes=said)
    return replace(result, usage=usage, known=known)


def _by_program(
    bank: QuizBank, answers: Sequence[ExamAnswer], retrieved: Sequence[ExamAnswer]
) -> str:
    """Beside the answers of a model, those that a program finds in the slides, which is a proxy."""
    asked = {item.number: item.answer for item in bank.questions}
    right, held = (
        {said.number for said in own if said.selected == asked[said.number]}
        for own in (answers, retrieved)
    )
    return (
        f"beside the model, a program finds the right option in the slides for {len(held)} of "
        f"{len(bank.questions)} questions; the model has {len(right - held)} more and "
        f"{len(held - right)} fewer"
    )
