"""Every judge beside servers whose replies have not the form: nothing is scored, nothing is 0."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.evals.judges.preference.conftest import deck
from tests.evals.judges.quiz.scripts import REPORT, bank
from tests.evals.judges.quiz.test_mistakes import question, texts
from tests.openai_server import Answer, serving

from decklab.core.errors import ModelFailed
from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.asking import Questions
from decklab.evals.judges.preference.rating import DeckJudge
from decklab.evals.judges.quiz.bank import QuizBank, QuizError
from decklab.evals.judges.quiz.exam import ExamAnswer, answer_by_model, classify_mistakes
from decklab.evals.judges.quiz.quiz import bank_by_model
from decklab.evals.judges.scenario.asking import AskedItem, ItemQuestion, judge_items
from decklab.models.asking import Ask
from decklab.models.inspect import asking

Scores = Iterator[Any]


def examinee(ask: Ask) -> Scores:
    slides = ["## 1. Ships\n\n- 31 countries\n"]
    return (said.selected for said in answer_by_model(Questions(ask, "test"), bank(), slides))


def rating(ask: Ask) -> Scores:
    return iter(DeckJudge(ask, "5G").rating(deck("a")).scores.values())


def ppteval(ask: Ask) -> Scores:
    return iter(DeckJudge(ask, "5G").ppteval(deck("a")).scores.values())


def arena(ask: Ask) -> Scores:
    found = DeckJudge(ask, "5G").arena([deck("a"), deck("b")])
    yield found.strengths
    yield found.flicker
    yield from (one.outcome for one in found.meetings)


def scenario(ask: Ask) -> Scores:
    asked = [AskedItem("a", "A point"), AskedItem("b", "Another")]
    question = ItemQuestion("deduplication")
    yield from (item.state for item in judge_items(Questions(ask, "test"), question, asked))


JUDGES: list[Callable[[Ask], Scores]] = [examinee, rating, ppteval, arena, scenario]
ODD = {
    "words": "I would rather talk about ships.",
    "nothing": "",
    "another form": '{"verdict": "good"}',
    "empty lists": '{"items": [], "answers": [], "mistakes": []}',
    "a reply cut short": Answer('{"items": [{"item": 1, "state": "full"', cut=True),
    "a failing server": Answer("broken", 503),
}


async def no_pause(_seconds: float) -> None:
    """Servers that fail are asked again at once."""


@pytest.mark.by_day(1)
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_a_judge_without_an_answer_scores_nothing(odd: str | Answer) -> None:
    with serving([odd]) as server, asking(server.model(), sleep=no_pause) as ask:
        for judge in JUDGES:
            asked = len(server.requests)
            scores = list(judge(ask))
            assert scores and len(server.requests) > asked
            assert [one for one in scores if not isinstance(one, NotScored) or not one.reason] == []


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_a_builder_without_an_answer_gives_no_bank(odd: str | Answer, tmp_path: Path) -> None:
    (tmp_path / "harbour.md").write_text(REPORT)
    sources = read_documents([tmp_path / "harbour.md"])
    with (
        serving([odd]) as server,
        asking(server.model(), sleep=no_pause) as ask,
        pytest.raises((QuizError, ModelFailed)) as refused,
    ):
        bank_by_model(sources, ask)
    assert str(refused.value) and server.requests


def test_two_classes_of_one_mistake_are_none() -> None:
    """The first one is not taken for the right one."""
    asked = QuizBank(title="t", made_by="m", questions=(question(1), question(2)))
    answers = [ExamAnswer(1, "B"), ExamAnswer(2, "B")]
    reply = (
        '{"mistakes": [{"question": 1, "kind": "missing", "reason": "gone"},'
        ' {"question": 1, "kind": "misread", "reason": "it is there"},'
        ' {"question": 2, "kind": "implicit", "reason": "add it up"},'
        ' {"question": 2, "kind": "implicit", "reason": "add it up"}]}'
    )
    with serving([reply]) as server, asking(server.model()) as ask:
        found = classify_mistakes(asked, answers, texts("- The tax is 3%"), Questions(ask, "test"))
    assert [(one.kind, one.by) for one in found] == [("other", "nobody"), ("implicit", "model")]
    assert "misread and missing" in found[0].reason
