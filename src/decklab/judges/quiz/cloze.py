"""A bank of questions without a model: sentences of the documents with a number or term left out.

A proxy: it asks what the documents say word for word, not what a reader should have understood.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.retrieval import search_words
from decklab.judges.quiz.bank import (
    LETTERS,
    OF_EACH_KIND,
    Difficulty,
    QuizBank,
    QuizError,
    QuizKind,
    QuizQuestion,
    bank_problems,
)
from decklab.judges.quiz.concept_questions import term_questions
from decklab.judges.quiz.data_questions import ClozeQuestion, number_questions, table_questions
from decklab.judges.quiz.source_sentences import source_sentences

MADE_BY: Final = "decklab, by program"
_POOL = 3
_OF_TABLES = 2
_ALIKE = 0.6
"""How many times as many questions are drawn from as are wanted; how many of five may be of
tables; the share of common words from which two questions ask the same. Ours."""


def cloze_bank(sources: KnowledgeBase, *, seed: int = 0) -> QuizBank:
    """Ten questions from documents, five about terms and five about numbers.

    The same documents and seed give the same bank; another seed draws other questions from the
    most important ones. Difficulty is the third of importance among all that could be asked: what
    title, headings and abstract speak of is easy. Raises QuizError where there is too little to
    ask about.
    """
    random = Random(seed)
    sentences = source_sentences(sources)
    concepts = term_questions(sentences, random)
    numbers = number_questions(sentences, sources, random)
    tables = table_questions(sources, random)
    right: set[str] = set()
    data = _drawn(numbers, OF_EACH_KIND, random, sources, right)
    of_tables = _drawn(
        tables, max(1, min(_OF_TABLES, len(tables))) if tables else 0, random, sources, right
    )
    few = OF_EACH_KIND - len(data)
    more = _drawn(tables, few, random, sources, right) if few > len(of_tables) else of_tables
    data = [*data[: OF_EACH_KIND - min(len(of_tables), 1)], *more][:OF_EACH_KIND]
    used = {question.quote for question in data}
    rest = [question for question in concepts if question.quote not in used]
    asked = _drawn(rest, OF_EACH_KIND, random, sources, right)
    for kind, found in (("concept", asked), ("data", data)):
        if len(found) < OF_EACH_KIND:
            raise QuizError(
                f"the documents give {len(found)} {kind} questions by program, not {OF_EACH_KIND}: "
                "they say too little in whole sentences; name more of them, or a model"
            )
    level = _difficulties([*numbers, *concepts])
    questions = [
        *(_question(one, "concept", level(one), random) for one in asked),
        *(_question(one, "data", level(one), random) for one in data),
    ]
    numbered = tuple(
        question.model_copy(update={"number": number})
        for number, question in enumerate(questions, start=1)
    )
    titles = [document.title or document.name for document in sources.documents]
    bank = QuizBank(
        title="; ".join(titles), made_by=f"{MADE_BY}, seed {seed}", proxy=True, questions=numbered
    )
    problems = bank_problems(bank, sources)
    if problems:
        raise QuizError(f"the bank made by program breaks a rule: {problems[0]}")
    return bank


def _drawn(
    questions: Sequence[ClozeQuestion], count: int, random: Random, sources: KnowledgeBase,
    right: set[str],
) -> list[ClozeQuestion]:  # fmt: skip
    """Some of the most important questions, of as many sections as there are, about different
    things, each with a quote that is found; ``right`` are answers that are taken."""
    ranked = sorted(questions, key=lambda one: -one.importance)
    pool: list[ClozeQuestion] = []
    for rounds in range(1, count + 1):
        for one in ranked:
            if len(pool) >= count * _POOL:
                break
            of_section = sum((one.document, one.topic) == (o.document, o.topic) for o in pool)
            if of_section < rounds and one not in pool and not _asked(one, pool, right):
                pool.append(one)
    found: list[ClozeQuestion] = []
    for one in random.sample(pool, len(pool)):
        place = sources.find_quote(one.quote)
        if len(found) < count and place is not None and place.page == one.page:
            found.append(one)
            right.add(one.right.casefold())
    return found


def _asked(one: ClozeQuestion, others: Sequence[ClozeQuestion], right: set[str]) -> bool:
    """Whether an answer is taken already, or a question says what another one says."""
    taken = {other.right.casefold() for other in others} | right
    words = set(search_words(one.question))
    return one.right.casefold() in taken or any(
        len(words & said) > _ALIKE * min(len(words), len(said))
        for said in (set(search_words(other.question)) for other in others)
    )


def _difficulties(questions: Sequence[ClozeQuestion]) -> Callable[[ClozeQuestion], Difficulty]:
    """The third of importance that a question is in."""
    ranked = sorted((one.importance for one in questions), reverse=True)
    third = max(1, len(ranked) // 3)
    easy, medium = ranked[third - 1], ranked[min(2 * third, len(ranked)) - 1]

    def level(one: ClozeQuestion) -> Difficulty:
        if one.importance >= easy:
            return "low"
        return "medium" if one.importance >= medium else "high"

    return level


def _question(
    one: ClozeQuestion, kind: QuizKind, difficulty: Difficulty, random: Random
) -> QuizQuestion:
    options = [one.right, *one.wrong]
    random.shuffle(options)
    first, second, third, fourth = options
    return QuizQuestion(
        number=1, kind=kind, question=one.question, options=(first, second, third, fourth),
        answer=LETTERS[options.index(one.right)], quote=one.quote, document=one.document,
        page=one.page, topic=one.topic, difficulty=difficulty,
    )  # fmt: skip
