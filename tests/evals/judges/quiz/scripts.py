"""A report, a bank on it, and a model that answers each stage with its replies in turn."""

import json
from collections import Counter
from collections.abc import Sequence
from threading import Lock
from typing import Any

from tests.evals.judges.honest import with_known

from decklab.evals.judges.quiz.bank import Letter, QuizBank, QuizQuestion
from decklab.models.asking import ModelReply, ModelTool, Usage

CONCEPTS = (
    ("Energy became cheaper because the crane feeds power back.", "the crane feeds power back"),
    ("Bulk goods fell because two steel works closed.", "two steel works closed"),
    ("The crane was paid from reserves of the harbour.", "paid from reserves"),
    ("Demand for cold storage exceeds what the harbour offers.", "cold storage"),
    ("A rail link to the north takes lorries off the road.", "takes lorries off the road"),
)
DATA = (
    ("Ships from 31 countries called at the harbour.", "31"),
    ("The crane cost 4.2 million euros in total.", "4.2 million euros"),
    ("Container traffic grew by 12% in one year.", "12%"),
    ("It moved 18,000 containers in its first year.", "18,000"),
    ("The harbour plans a second crane for 2027.", "2027"),
)
REPORT = (
    "# The harbour\n\n## Reasons\n\n"
    + " ".join(text for text, _ in CONCEPTS)
    + "\n\n## Figures\n\n"
    + " ".join(text for text, _ in DATA)
    + "\n"
)
_WRONG_NUMBERS = (
    ("13", "48", "52"), ("61 million euros", "4.3 million euros", "2.4 million euros"),
    ("3%", "20%", "21%"), ("12,000", "48,000", "21,000"), ("2025", "2028", "2031"),
)  # fmt: skip


def _concept_questions() -> list[dict[str, Any]]:
    others = [answer for _, answer in CONCEPTS]
    return [
        {
            "anchor": number, "kind": "concept", "question": f"Which reason is number {number}?",
            "options": [right, *[one for one in others if one != right][:3]], "answer": "A",
            "difficulty": "low",
        }
        for number, (_, right) in enumerate(CONCEPTS, start=1)
    ]  # fmt: skip


def _data_questions() -> list[dict[str, Any]]:
    return [
        {
            "anchor": number + 5, "kind": "data", "question": f"How much is figure {'abcde'[at]}?",
            "options": [wrong[0], right, *wrong[1:]], "answer": "B", "difficulty": "high",
        }
        for at, (number, (_, right), wrong) in enumerate(
            zip(range(1, 6), DATA, _WRONG_NUMBERS, strict=True)
        )
    ]  # fmt: skip


def anchor(kind: str, text: str, quote: str | None = None) -> dict[str, Any]:
    """An anchor whose statement is its quote."""
    return {"kind": kind, "statement": text, "quote": quote or text, "page": 0, "topic": "harbour"}


ANCHORS = {
    "anchors": [
        *(anchor("concept", text) for text, _ in CONCEPTS),
        *(anchor("data", text) for text, _ in DATA),
    ]
}
EXAM = {"questions": [*_concept_questions(), *_data_questions()]}


def bank(*, answers: str = "ABCDABCDAB") -> QuizBank:
    """A bank that keeps the rules, with these right letters."""
    letters: tuple[Letter, ...] = ("A", "B", "C", "D")
    questions = []
    for number, (letter, one) in enumerate(zip(answers, EXAM["questions"], strict=True), start=1):
        right = one["options"]["AB".index(one["answer"])]
        wrong = [option for option in one["options"] if option != right]
        place = "ABCD".index(letter)
        options: list[str] = [*wrong[:place], right, *wrong[place:]]
        first, second, third, fourth = options
        text = [*CONCEPTS, *DATA][number - 1][0]
        questions.append(
            QuizQuestion(
                number=number, kind=one["kind"], question=one["question"],
                options=(first, second, third, fourth), answer=letters[place], quote=text,
                document="harbour.md", topic=("reasons", "figures")[number > 5],
                difficulty=one["difficulty"],
            )
        )  # fmt: skip
    return QuizBank(title="The harbour", made_by="a person", questions=tuple(questions))


class Script:
    """A model that answers each stage with its replies in turn, the last one for ever."""

    def __init__(self, **replies: Sequence[Any]) -> None:
        self.replies = {stage.replace("_", " "): said for stage, said in replies.items()}
        self.asked = Counter[str]()
        self.prompts: list[str] = []
        self._lock = Lock()

    def __call__(
        self,
        prompt: str,
        *,
        images: Sequence[bytes] = (),
        answer: Any = None,
        system: str | None = None,
        temperature: float | None = None,
        tools: Sequence[ModelTool] = (),
        most_calls: int = 0,
        stage: str = "",
    ) -> ModelReply[Any]:
        with self._lock:
            replies = self.replies[stage]
            said = replies[min(self.asked[stage], len(replies) - 1)]
            self.asked[stage] += 1
            self.prompts.append(prompt)
        if isinstance(said, Exception):
            raise said
        text = said if isinstance(said, str) else json.dumps(said)
        text = with_known(prompt, text, always=stage == "exam")
        return ModelReply(text, usage=Usage(100, 10, 0.1, 1), model="script")


def exam_reply(letters: str) -> dict[str, Any]:
    """A reply with these letters for the questions from 1; ``-`` is insufficient information."""
    return {
        "answers": [
            {
                "question": number,
                "selected": "insufficient information" if letter == "-" else letter,
                "reasoning": "slide 1 says so",
            }
            for number, letter in enumerate(letters, start=1)
        ]
    }
