from typing import Any

import pytest
from tests.evals.judges.quiz.scripts import Script, bank, exam_reply

from decklab.core.errors import BudgetSpent, ModelFailed, ModelUnavailable
from decklab.core.results import NotScored
from decklab.evals.judges.asking import Questions
from decklab.evals.judges.quiz.bank import QuizBank
from decklab.evals.judges.quiz.exam import (
    INSUFFICIENT,
    Accuracy,
    ExamAnswer,
    ExamResult,
    answer_by_model,
    read_selected,
)

SLIDES = ["## 1. The harbour\n\n- Ships from 31 countries\n"]


class Taken:
    """An exam that a script answers."""

    def __init__(self, ask: Script, of: QuizBank, slides: list[str], secret: str = "test") -> None:
        self.judge = Questions(ask, secret)
        self.answers = answer_by_model(self.judge, of, slides)


def taken(*replies: Any, of: QuizBank | None = None) -> tuple[Taken, Script]:
    script = Script(exam=replies)
    return Taken(script, of or bank(), SLIDES), script


def selected(found: Taken) -> str:
    return "".join(
        "?" if isinstance(one.selected, NotScored) else "-" if one.selected == INSUFFICIENT
        else one.selected
        for one in found.answers
    )  # fmt: skip


def with_answer(letters: str, number: int, **values: Any) -> dict[str, Any]:
    reply = exam_reply(letters)
    reply["answers"][number - 1].update(values)
    return reply


def test_a_good_reply_is_read_once() -> None:
    found, script = taken(exam_reply("ABCD-BCDAB"))
    assert selected(found) == "ABCD-BCDAB"
    assert script.asked["exam"] == 1 and found.judge.usage.input_tokens == 100
    assert "Ships from 31 countries" in script.prompts[0]


def test_the_examinee_sees_neither_answers_nor_quotes() -> None:
    _, script = taken(exam_reply("ABCDABCDAB"))
    assert "Energy became cheaper" not in script.prompts[0]
    assert "harbour.md" not in script.prompts[0]
    assert "A. the crane feeds power back" in script.prompts[0]


def test_only_missing_answers_are_asked_for_again() -> None:
    short = exam_reply("ABCDABCDAB")
    del short["answers"][2]
    found, script = taken(short, {"answers": [exam_reply("ABC")["answers"][2]]})
    assert selected(found) == "ABCDABCDAB"
    assert script.asked["exam"] == 2
    assert "question 3: there is no answer" in script.prompts[1]
    assert "Which reason is number 3?" in script.prompts[1]
    assert "Which reason is number 4?" not in script.prompts[1]


def test_what_stays_missing_is_not_scored_and_not_wrong() -> None:
    short = exam_reply("ABCDABCDAB")
    del short["answers"][2]
    found, script = taken(short)
    assert selected(found) == "AB?DABCDAB" and script.asked["exam"] == 3
    result = ExamResult("a.pptx", bank(), "script", found.answers)
    assert result.accuracy == Accuracy(questions=9, correct=9, insufficient=0, not_scored=1)
    third = list(result.records())[2]
    assert third["correct"] is None and "there is no answer" in third["reason"]


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("A and C", "neither one letter"),
        ("A or B", "neither one letter"),
        ("E", "neither one letter"),
        ("", "neither one letter"),
        ("B. the crane feeds power back", "neither one letter"),
    ],
)
def test_an_odd_answer_is_asked_again_and_then_not_scored(said: str, cause: str) -> None:
    found, script = taken(with_answer("ABCDABCDAB", 1, selected=said))
    assert selected(found) == "?BCDABCDAB" and script.asked["exam"] == 3
    first = found.answers[0].selected
    assert isinstance(first, NotScored) and cause in first.reason


def test_two_answers_to_one_question_contradict_each_other() -> None:
    both = exam_reply("ABCDABCDAB")
    both["answers"].append({"question": 4, "selected": "B", "reasoning": "also"})
    found, script = taken(both, {"answers": exam_reply("ABCD")["answers"][3:]})
    assert selected(found) == "ABCDABCDAB"
    assert "question 4: there are several answers: D, B" in script.prompts[1]


def test_the_same_answer_twice_is_one() -> None:
    twice = exam_reply("ABCDABCDAB")
    twice["answers"] *= 2
    found, script = taken(twice)
    assert selected(found) == "ABCDABCDAB" and script.asked["exam"] == 1


def test_a_reply_of_no_form_scores_nothing() -> None:
    found, script = taken("I would rather talk about ships.")
    assert selected(found) == "??????????" and script.asked["exam"] == 3
    accuracy = ExamResult("a.pptx", bank(), "script", found.answers).accuracy
    assert accuracy.share == NotScored("no question was scored")
    assert isinstance(accuracy.interval, NotScored)


@pytest.mark.parametrize(
    "error", [ModelFailed("m", "it said no", "refused"), BudgetSpent("m", "spent")]
)
def test_a_model_that_fails_keeps_what_it_answered_before(error: Exception) -> None:
    short = exam_reply("ABCDABCDAB")
    del short["answers"][9]
    found, _ = taken(short, error)
    assert selected(found) == "ABCDABCDA?"


def test_no_model_is_an_error() -> None:
    with pytest.raises(ModelUnavailable):
        taken(ModelUnavailable("m", "no key"))


def test_an_empty_deck_answers_nothing_and_nobody_is_asked() -> None:
    script = Script(exam=[exam_reply("ABCDABCDAB")])
    found = Taken(script, bank(), [])
    assert selected(found) == "----------" and not script.asked


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("C", "C"), ("c", "C"), ("(C)", "C"), ("C.", "C"), ("C) 4.2 million euros", "C"),
        ("4.2 million euros", "C"), ("**C**", "C"), ("Insufficient information.", INSUFFICIENT),
        ("C. 61 million euros", None), ("C or D", None), ("AC", None), ("none", None),
    ],
)  # fmt: skip
def test_letters_are_read_as_they_are_written(said: str, meant: str | None) -> None:
    question = bank(answers="ABCDABCDAB").questions[6]
    assert question.right == "4.2 million euros" and question.answer == "C"
    assert read_selected(question, said) == meant


def test_accuracy_by_hand() -> None:
    # Right letters ABCDABCDAB. Concept: 1 right, 1 insufficient of 4, 1 not scored. Data: 4 of 5.
    told: tuple[Any, ...] = (
        "A", "C", INSUFFICIENT, "A", NotScored("odd"), "B", "C", "D", "A", "D"
    )  # fmt: skip
    answers = tuple(ExamAnswer(number, said) for number, said in enumerate(told, start=1))
    result = ExamResult("a.pptx", bank(), "script", answers)
    assert result.accuracy == Accuracy(questions=9, correct=5, insufficient=1, not_scored=1)
    assert result.accuracy.share == pytest.approx(5 / 9)
    by_kind = result.accuracy_by("kind")
    assert by_kind["concept"] == Accuracy(questions=4, correct=1, insufficient=1, not_scored=1)
    assert by_kind["data"] == Accuracy(questions=5, correct=4, insufficient=0, not_scored=0)
    assert set(result.accuracy_by("topic")) == {"reasons", "figures"}
    assert result.accuracy_by("difficulty")["high"].correct == 4
    # Wilson for 4 of 5, z 1.96: centre (0.8 + z²/10) / (1 + z²/5), half width
    # z / (1 + z²/5) * sqrt(0.8 * 0.2 / 5 + z² / 100).
    assert by_kind["data"].interval == pytest.approx((0.3755, 0.9638), abs=1e-4)


def test_an_examinee_that_does_not_know_the_deck_has_no_score() -> None:
    slides = ["## 1. The harbour\n\n- Ships from 31 countries called here\n- Traffic grew by 12%\n"]
    reply = exam_reply("ABCDABCDAB")
    for true in (True, False):
        script = Script(exam=[reply | {"known": [
            {"statement": number, "true": true} for number in range(1, 5)
        ]}])  # fmt: skip
        found = Taken(script, bank(), slides)
        assert selected(found) == "??????????" and found.judge.known.of == 4
        cause = found.answers[0].selected
        assert isinstance(cause, NotScored) and "2 of 4 statements wrong" in cause.reason
        assert found.answers[0].reason == "answered A"


def test_slides_stand_between_marks_that_a_replay_repeats() -> None:
    asked = []
    for secret in ("one", "one", "two"):
        script = Script(exam=[exam_reply("ABCDABCDAB")])
        Taken(script, bank(), SLIDES, secret)
        asked.append(script.prompts[0])
    assert asked[0] == asked[1] != asked[2]
    between = asked[0].partition("[deck ")[2].partition("[end of deck")[0]
    assert "Ships from 31 countries" in between and "Which reason" not in between
