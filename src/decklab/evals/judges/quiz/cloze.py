"""A bank of questions without a model: sentences of the documents with a number or term left out.

A proxy: it asks what the documents say word for word, not what a reader should have understood.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.retrieval import search_words
from decklab.evals.judges.quiz.bank import (
    LETTERS,
    OF_EACH_KIND,
    ClozeQuestion,
    Difficulty,
    QuizBank,
    QuizError,
    QuizKind,
    QuizQuestion,
    numbered,
    question_problems,
    sources_title,
)
from decklab.evals.judges.quiz.cloze_questions import (
    number_questions,
    table_questions,
    term_questions,
)
from decklab.evals.judges.quiz.source_sentences import source_sentences

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
    draw = _Draw(sources, random)
    data = draw.some(tables, "data", _OF_TABLES)
    data += draw.some(numbers, "data", OF_EACH_KIND - len(data))
    data += draw.some(tables, "data", OF_EACH_KIND - len(data))
    asked = draw.some(concepts, "concept", OF_EACH_KIND)
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
    return QuizBank(
        title=sources_title(sources), made_by=f"{MADE_BY}, seed {seed}", proxy=True,
        questions=numbered(questions),
    )  # fmt: skip


class _Draw:
    """Draws questions about different things; remembers the answers and quotes that are taken."""

    def __init__(self, sources: KnowledgeBase, random: Random) -> None:
        self.sources, self.random = sources, random
        self.taken: list[ClozeQuestion] = []

    def some(
        self, questions: Sequence[ClozeQuestion], kind: QuizKind, count: int
    ) -> list[ClozeQuestion]:
        """Up to ``count`` of the most important ones, each with a quote that is found."""
        found = self._found(self._pool(questions, kind, count * _POOL), count)
        if len(found) < count:
            more = self._pool(questions, kind, count * _POOL, same_answers=True)
            found += self._found(more, count - len(found))
        return found

    def _found(self, pool: Sequence[ClozeQuestion], count: int) -> list[ClozeQuestion]:
        """Some of a pool, with the places of their quotes."""
        found: list[ClozeQuestion] = []
        for one in self.random.sample(pool, len(pool)):
            place = self.sources.find_quote(one.quote) if len(found) < count else None
            if place is not None:
                found.append(replace(one, document=place.document, page=place.page))
        self.taken += found
        return found

    def _pool(
        self,
        questions: Sequence[ClozeQuestion],
        kind: QuizKind,
        size: int,
        *,
        same_answers: bool = False,
    ) -> list[ClozeQuestion]:
        """The most important ones that keep the rules, of as many sections as there are: a second
        one of a section comes after the first of all others, and no two have the same answer
        unless ``same_answers``."""
        ranked = sorted(questions, key=lambda question: -question.importance)
        pool: list[ClozeQuestion] = []
        of_section: Counter[tuple[str, str]] = Counter()
        for most in range(1, _MOST_OF_SECTION + 1):
            for one in ranked:
                section = (one.document, one.topic)
                if len(pool) >= size or of_section[section] >= most or one in pool:
                    continue
                broken = any(question_problems(_question(one, kind, "medium", Random(0))))
                others = [*pool, *self.taken]
                if not broken and not _asked(one, others, same_answers=same_answers):
                    pool.append(one)
                    of_section[section] += 1
        return pool


def _asked(one: ClozeQuestion, others: Sequence[ClozeQuestion], *, same_answers: bool) -> bool:
    """Whether an answer is taken already, or a question says what another one says."""
    words = set(search_words(one.question))
    return any(
        (one.right.casefold() == other.right.casefold() and not same_answers)
        or one.quote == other.quote
        or len(words & said) > _ALIKE * min(len(words), len(said))
        for other in others
        for said in [set(search_words(other.question))]
    )


def _difficulties(questions: Sequence[ClozeQuestion]) -> Callable[[ClozeQuestion], Difficulty]:
    """The third of importance that a question is in."""
    ranked = sorted((question.importance for question in questions), reverse=True)
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
