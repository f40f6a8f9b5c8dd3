"""A bank of questions about documents: its file, and the rules that it has to keep.

Paper 002, section 2.2 and appendix L: exactly ten questions with four options and one right letter,
five about concepts and five about data, each with the words of the source and their page. Files in
the form that the paper prints (figure 20) are read too.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, cycle, islice
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decklab.core.errors import DecklabError, fault_words, json_of
from decklab.core.files import write_whole
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.quotes import plain_words
from decklab.evals.judges.quiz.amounts import SPELLED, facts_in, holds_all, same_values

QuizKind = Literal["concept", "data"]
Difficulty = Literal["low", "medium", "high"]
Letter = Literal["A", "B", "C", "D"]
LETTERS: Final[tuple[Letter, ...]] = ("A", "B", "C", "D")
QUESTIONS: Final = 10
OF_EACH_KIND: Final = 5
QUIZ_PROXY_NOTE: Final = (
    "a program stands in for a model: a proxy, which sees words and numbers, not meaning"
)
"""Stands in every output of a bank or an exam by program."""
BLANK: Final = "____"
"""Stands in a cloze question where the answer belongs."""


class QuizError(DecklabError):
    """A bank of questions that breaks a rule or could not be made; the text says which and why."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class QuizQuestion(_Part):
    """One question, its four options in the order of the letters, and where the answer stands."""

    number: int = Field(ge=1, le=QUESTIONS)
    kind: QuizKind
    question: str = Field(min_length=1)
    options: tuple[str, str, str, str]
    answer: Letter
    quote: str = Field(min_length=1)
    """The words of the source that hold the answer."""
    document: str = ""
    page: int | None = None
    topic: str = ""
    """Its subject: the heading of its section, or a model's word."""
    difficulty: Difficulty = "medium"

    @classmethod
    def of(cls, question: str, right: str, options: Sequence[str], **how: Any) -> Self:
        """A question with four options, of which one is right; ``how`` are the other fields. Its
        number is 1 until it is in a bank."""
        answer = LETTERS[list(options).index(right)]
        data = {"number": 1, "question": question, "options": tuple(options), "answer": answer}
        return cls.model_validate({**data, **how})

    @property
    def right(self) -> str:
        """The right option."""
        return self.options[LETTERS.index(self.answer)]

    def filled(self, option: str) -> str:
        """The question with an option in its blank, or behind it where it has none."""
        if BLANK in self.question:
            return self.question.replace(BLANK, option)
        return f"{self.question} {option}"


class QuizBank(_Part):
    """Ten questions about documents, and who made them."""

    title: str
    """Of the documents."""
    made_by: str = Field(min_length=1)
    """The model, or how a program made it."""
    proxy: bool = False
    """Whether a program made it, which stands in for a model."""
    published: bool = False
    """Whether it came in the form of paper 002; then only the rules that the paper states hold."""
    questions: tuple[QuizQuestion, ...]


def numbered(questions: Sequence[QuizQuestion], random: Random) -> tuple[QuizQuestion, ...]:
    """Questions with their numbers from 1 and their options in an order that is drawn: each letter
    is right as often as any other, or once more, so that one letter said ten times earns 3 at most.
    """
    letters = list(islice(cycle(random.sample(LETTERS, len(LETTERS))), len(questions)))
    random.shuffle(letters)
    return tuple(
        _placed(question, letter, random).model_copy(update={"number": number})
        for number, (question, letter) in enumerate(zip(questions, letters, strict=True), start=1)
    )


def _placed(question: QuizQuestion, letter: Letter, random: Random) -> QuizQuestion:
    """A question whose right option stands under ``letter``."""
    options = [option for option in question.options if option != question.right]
    random.shuffle(options)
    options.insert(LETTERS.index(letter), question.right)
    return question.model_copy(update={"options": tuple(options), "answer": letter})


def sources_title(sources: KnowledgeBase) -> str:
    """The titles of documents in one line."""
    return "; ".join(document.title or document.name for document in sources.documents)


def bank_problems(bank: QuizBank, sources: KnowledgeBase | None = None) -> list[str]:
    """Broken rules, a line each with the number of the question; empty for none.

    With ``sources`` every quote has to stand in them, on the page that is named.
    """
    problems = list(_count_problems(bank.questions))
    own_rules = not bank.published
    for question in bank.questions:
        faults = question_problems(question, own_rules=own_rules)
        problems += [f"question {question.number}: {line}" for line in faults]
        if sources is not None:
            problems += [
                f"question {question.number}: {line}" for line in _quote_problems(question, sources)
            ]
    return problems


def _count_problems(questions: Sequence[QuizQuestion]) -> Iterator[str]:
    if len(questions) != QUESTIONS:
        yield f"a bank has exactly {QUESTIONS} questions, not {len(questions)}"
    kinds = Counter(question.kind for question in questions)
    if any(kinds[kind] != OF_EACH_KIND for kind in ("concept", "data")):
        yield (
            f"it has {kinds['concept']} concept and {kinds['data']} data questions, "
            f"not {OF_EACH_KIND} of each"
        )
    if [question.number for question in questions] != list(range(1, len(questions) + 1)):
        yield "questions are not numbered from 1 in their order"
    asked = Counter(_compared(question.question) for question in questions)
    for text, times in asked.items():
        if times > 1:
            yield f"the question {text[:80]!r} is there {times} times"


def question_problems(question: QuizQuestion, *, own_rules: bool = True) -> Iterator[str]:
    """Broken rules within one question; without ``own_rules`` only those of the paper."""
    options = list(zip(LETTERS, question.options, strict=True))
    yield from (f"option {letter} is empty" for letter, option in options if not _compared(option))
    for (letter, option), (other, second) in combinations(options, 2):
        if _compared(option) and _says_the_same(option, second):
            yield f"options {letter} and {other} say the same"
    if not own_rules:
        return
    if _whole(_compared(question.right), _compared(question.question)):
        yield "the question holds its answer"
    if question.kind == "data":
        stated = facts_in(question.filled(question.right))
        if not (own := facts_in(question.right)) and not _has_number(question.right):
            yield f"option {question.answer} of a data question has no number"
        elif not holds_all(own, question.quote) and not holds_all(stated, question.quote):
            yield f"the numbers of option {question.answer} do not stand in the quote"


def _quote_problems(question: QuizQuestion, sources: KnowledgeBase) -> Iterator[str]:
    if (quote_place := sources.find_quote(question.quote)) is None:
        yield f"no source says: {question.quote[:120]}"
    elif question.page is not None and (question.document, question.page) not in (
        (quote_place.document, quote_place.page),
        ("", quote_place.page),
    ):
        yield f"its quote stands in {quote_place.document} on page {quote_place.page}"


def load_bank(path: str | Path, sources: KnowledgeBase | None = None) -> QuizBank:
    """A bank from a file that ``write_bank`` wrote and a person may have changed.

    A file in the form that paper 002 prints (``quiz_bank``, figure 20) is read too.

    Raises QuizError, in one line that names the place, where it is none or breaks a rule.
    """
    try:
        data = json_of(Path(path).read_bytes())
        if isinstance(data, dict) and "quiz_bank" in data:
            data = _from_published(data, Path(path).stem)
        bank = QuizBank.model_validate(_strict(data))
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "missing" or not field:
            lacks = f" (no {field!r})" if field else ""
            make = "decklab quiz build report.pdf --out bank.json"
            raise QuizError(f"{path} is no question bank{lacks}. Make one: {make}") from error
        raise QuizError(f"{path}: {field}: {fault_words(fault)}") from error
    except ValueError as error:
        raise QuizError(f"{path} is no question bank (JSON expected)") from error
    except OSError as error:
        raise QuizError(f"{path}: it cannot be read: {error.strerror}") from error
    if problems := bank_problems(bank, sources):
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise QuizError(f"{path}: {problems[0]}{more}")
    return bank


def write_bank(bank: QuizBank, path: str | Path) -> None:
    """Write a bank as JSON that a person can read and change, whole or not at all.

    Options stand under their letters.
    """
    data = bank.model_dump(mode="json")
    for question in data["questions"]:
        question["options"] = dict(zip(LETTERS, question["options"], strict=True))
    write_whole(path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())


def _strict(data: Any) -> Any:
    """Plain data of a file with the options of each question as a list."""
    if isinstance(data, dict) and isinstance(data.get("questions"), list):
        for question in data["questions"]:
            options = question.get("options") if isinstance(question, dict) else None
            if isinstance(options, dict) and set(options) == set(LETTERS):
                question["options"] = [options[letter] for letter in LETTERS]
    return data


_LETTERED = re.compile(r"\(?([A-D])[.):](?:\s+(.*))?", re.DOTALL)
_PAGE = re.compile(r"\bpages?\s+(\d+)", re.IGNORECASE)
_QUOTED = re.compile(r"""['"\u2018\u201c](.+)['"\u2019\u201d]""", re.DOTALL)


def _from_published(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A bank in the form of figure 20 in ours; what does not fit stays, for the check."""
    listed = data["quiz_bank"]
    questions = listed if isinstance(listed, list) else []
    return {
        "title": str(data.get("title") or data.get("topic") or name),
        "made_by": "paper 002's pipeline",
        "published": True,
        "questions": [
            _published_question(entry, number) if isinstance(entry, dict) else entry
            for number, entry in enumerate(questions, start=1)
        ],
    }


def _published_question(entry: Mapping[str, Any], number: int) -> dict[str, Any]:
    """A question with bare options; quote and page may stand in its explanation."""
    why = str(entry.get("explanation") or "")
    quoted, page = _QUOTED.search(why), _PAGE.search(str(entry.get("location") or why))
    quote = entry.get("source_quote") or (quoted[1] if quoted else why)
    options = entry.get("options")
    if isinstance(options, list) and len(options) == len(LETTERS):
        options = [_bare_option(text, at) for text, at in zip(options, LETTERS, strict=True)]
    return {
        "number": number,
        "kind": str(entry.get("type", "")).strip().casefold(),
        "question": entry.get("question"),
        "options": options,
        "answer": str(entry.get("correct_answer", "")).strip().rstrip(".").upper(),
        "quote": quote,
        "page": int(page[1]) if page else None,
        "topic": str(entry.get("topic") or ""),
        **({"difficulty": entry["difficulty"]} if "difficulty" in entry else {}),
    }


def _bare_option(text: object, letter: Letter) -> object:
    """An option without its own letter in front."""
    match = _LETTERED.fullmatch(text.strip()) if isinstance(text, str) else None
    return (match[2] or "") if match and match[1] == letter else text


def _has_number(text: str) -> bool:
    return any(char.isdigit() for char in text) or not set(chain(*SPELLED)).isdisjoint(
        _compared(text).split()
    )


def _says_the_same(first: str, second: str) -> bool:
    """Whether two options have the same words, or one number each and of the same value."""
    if _compared(first) == _compared(second):
        return True
    own, other = facts_in(first), facts_in(second)
    if len(own) != 1 or len(other) != 1 or own[0].kind != other[0].kind:
        return False
    return _bare(first) == _bare(second) and same_values(own[0], other[0])


def _bare(text: str) -> str:
    """An option without its number: what is left has to agree too."""
    number = facts_in(text)[0]
    return _compared(text[: number.start] + text[number.end :])


def _compared(text: str) -> str:
    return plain_words(text).casefold().strip(" .;:,")


def _whole(part: str, text: str) -> bool:
    """Whether a text has some words, as whole ones; a number or a single letter says too little."""
    letters = sum(char.isalpha() for char in part)
    return letters >= 4 and f" {part} " in f" {''.join(c if c.isalnum() else ' ' for c in text)} "


@dataclass(frozen=True)
class ClozeQuestion:
    """A question before its options are put in order: the right one and three wrong ones."""

    question: str
    right: str
    wrong: tuple[str, str, str]
    quote: str
    document: str
    page: int | None
    topic: str
    importance: float


def blanked(text: str, start: int, end: int) -> str:
    """A sentence with a blank in the place of ``text[start:end]``, and an end.

    >>> blanked("It has 3 parts", 7, 8)
    'It has ____ parts.'
    """
    asked = f"{text[:start]}{BLANK}{text[end:]}"
    return asked if asked.endswith(("!", "?", "”", '"')) else f"{asked}."
