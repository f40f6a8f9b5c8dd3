from pathlib import Path
from typing import Any

import pytest
from tests.evals.judges.quiz.scripts import Script

from decklab.core.results import NotScored
from decklab.documents.markdown import read_markdown
from decklab.evals.judges.asking import Questions
from decklab.evals.judges.quiz.bank import QuizBank, QuizKind, QuizQuestion
from decklab.evals.judges.quiz.exam import (
    INSUFFICIENT,
    ExamAnswer,
    Mistake,
    Selected,
    classify_mistakes,
    mistake_by_program,
)
from decklab.evals.judges.quiz.statements import DeckStatements, QuizSlides, deck_statements


def stated(text: str) -> DeckStatements:
    return deck_statements(read_markdown(Path("deck.md"), "deck", text))


def texts(seen: str, own: str | None = None) -> QuizSlides:
    read = stated(seen)
    return QuizSlides((seen,), read, read if own is None else stated(own), "a test")


def question(
    number: int = 1, text: str = "Bulk goods fell by ____ in the harbour.",
    options: tuple[str, str, str, str] = ("3%", "20%", "12%", "4%"), kind: QuizKind = "data",
) -> QuizQuestion:  # fmt: skip
    return QuizQuestion(
        number=number, kind=kind, question=text, options=options, answer="A", quote="q"
    )


TERM = question(
    text="The ____ feeds power back to the harbour.", options=("crane", "ship", "quay", "yard"),
    kind="concept",
)  # fmt: skip


def program(
    shown: QuizSlides, said: Selected = INSUFFICIENT, of: QuizQuestion | None = None
) -> Mistake:
    return mistake_by_program(of or question(), ExamAnswer(1, said), shown)


@pytest.mark.parametrize(
    ("seen", "own", "said", "kind"),
    [
        ("- Ships called at the harbour", None, INSUFFICIENT, "missing"),
        ("", None, "B", "missing"),
        ("- Bulk goods fell by 5% in the harbour", None, INSUFFICIENT, "mismatch"),
        ("- Bulk goods fell by 20% in the harbour", None, "B", "mismatch"),
        ("- The council raised its parking tax by 3% last winter", None, "B", "missing"),
        ("- Bulk goods fell by 5 tonnes in the harbour", None, INSUFFICIENT, "missing"),
        ("- Bulk goods fell by 3% in the harbour", None, "B", "misread"),
        ("- Bulk goods fell", "- Bulk goods fell by 3% in the harbour", "C", "extraction"),
        ("", "- Bulk goods fell by 3% in the harbour", INSUFFICIENT, "extraction"),
    ],
)
def test_what_a_program_can_decide(seen: str, own: str | None, said: Selected, kind: str) -> None:
    found = program(texts(seen, own), said)
    assert (found.kind, found.by) == (kind, "program")
    assert found.reason


def test_what_it_cannot_decide_is_other_and_says_so() -> None:
    elsewhere = program(texts("- The tax is 3%"))
    assert (elsewhere.kind, elsewhere.by) == ("other", "nobody")
    assert elsewhere.reason.startswith("not classified")
    reworded = program(texts("- Power returns to the harbour: something feeds it back"), of=TERM)
    assert (reworded.kind, reworded.by) == ("other", "nobody")
    assert program(texts("- Cats sleep"), of=TERM).kind == "missing"


def classified(*replies: Any) -> tuple[tuple[Mistake, ...], Script]:
    """Of a right answer, one not scored, one that a program decides, and two it cannot."""
    questions = (
        question(1), question(2), question(3, "Ships come from ____ lands.", ("9", "8", "7", "6")),
        question(4, "Staff grew by ____ in winter.", ("2 %", "5 %", "6 %", "7 %")),
        question(5, "The quay has ____ lamps.", ("40", "30", "20", "10")),
    )  # fmt: skip
    bank = QuizBank(title="t", made_by="m", questions=questions)
    answers = [
        ExamAnswer(1, "A"), ExamAnswer(2, NotScored("odd")), ExamAnswer(3, INSUFFICIENT),
        ExamAnswer(4, "B"), ExamAnswer(5, "C"),
    ]  # fmt: skip
    shown = texts("- Somewhere 2 % is paid\n- A town bought 40 lamps for its long street")
    script = Script(mistakes=replies)
    judge = Questions(script, "test") if replies else None
    return classify_mistakes(bank, answers, shown, judge), script


def test_only_wrong_answers_have_a_class() -> None:
    found, _ = classified()
    assert [(one.number, one.kind, one.by) for one in found] == [
        (3, "missing", "program"), (4, "other", "nobody"), (5, "other", "nobody"),
    ]  # fmt: skip


def test_a_model_decides_what_is_open() -> None:
    reply = {
        "mistakes": [
            {"question": 4, "kind": "implicit", "reason": "one has to add it up"},
            {"question": 5, "kind": "misread", "reason": "it says 40"},
            {"question": 3, "kind": "misread", "reason": "nobody asked for this one"},
        ]
    }
    found, script = classified(reply)
    assert [(one.number, one.kind, one.by) for one in found] == [
        (3, "missing", "program"), (4, "implicit", "model"), (5, "misread", "model"),
    ]  # fmt: skip
    assert "Staff grew by ____" in script.prompts[0]
    assert "Ships come from" not in script.prompts[0]


def test_a_model_that_does_not_say_leaves_them_open() -> None:
    found, script = classified("because")
    assert script.asked["mistakes"] == 3
    assert [one.by for one in found] == ["program", "nobody", "nobody"]
    assert "the judge's reply does not fit" in found[1].reason
    half = {"mistakes": [{"question": 4, "kind": "missing", "reason": "gone"}]}
    found, _ = classified(half)
    assert [one.by for one in found] == ["program", "model", "nobody"]
