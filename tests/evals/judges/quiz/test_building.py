from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.evals.judges.quiz.scripts import ANCHORS, DATA, EXAM, REPORT, Script, anchor

from decklab.core.errors import ModelFailed
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.bank import QuizError, bank_problems
from decklab.evals.judges.quiz.quiz import PART_CHARACTERS, BuiltBank, bank_by_model, document_parts


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    path = tmp_path_factory.mktemp("report") / "harbour.md"
    path.write_text(REPORT)
    return read_documents([path])


def built(sources: KnowledgeBase, **replies: Sequence[Any]) -> tuple[BuiltBank, Script]:
    script = Script(**{"anchors": [ANCHORS], "verify": [ANCHORS], "questions": [EXAM], **replies})
    return bank_by_model(sources, script, model="script"), script


def exam(**changes: dict[str, Any]) -> dict[str, Any]:
    """The exam with some questions changed: ``q3={...}``."""
    changed = deepcopy(EXAM)
    for name, values in changes.items():
        changed["questions"][int(name[1:]) - 1].update(values)
    return changed


def test_three_phases_give_a_bank_with_places(sources: KnowledgeBase) -> None:
    got, script = built(sources)
    assert script.asked == {"anchors": 1, "verify": 1, "questions": 1}
    assert got.usage.requests == 3 and got.left_out == ()
    assert bank_problems(got.bank, sources) == []
    assert not got.bank.proxy and got.bank.made_by == "script"
    sixth = got.bank.questions[5]
    assert (sixth.right, sixth.document, sixth.topic) == ("31", "harbour.md", "harbour")
    assert sixth.quote == "Ships from 31 countries called at the harbour."


def test_the_program_says_which_quotes_it_found(sources: KnowledgeBase) -> None:
    draft = {"anchors": [*ANCHORS["anchors"], anchor("data", "The harbour has 99 cranes.")]}
    _, script = built(sources, anchors=[draft])
    verify = script.prompts[1]
    assert verify.count("program: found") == 10
    assert "quote: The harbour has 99 cranes.\n   program: the quote is not in the doc" in verify


def test_options_are_put_in_another_order_by_the_seed(sources: KnowledgeBase) -> None:
    letters = set()
    for seed in range(4):
        script = Script(anchors=[ANCHORS], verify=[ANCHORS], questions=[EXAM])
        bank = bank_by_model(sources, script, seed=seed).bank
        assert {one.right for one in bank.questions} >= {"31", "12%"}
        letters.add("".join(one.answer for one in bank.questions))
    assert len(letters) == 4


def test_malformed_anchors_are_asked_for_again(sources: KnowledgeBase) -> None:
    bad = {"anchors": [{"kind": "opinion", "statement": "nice"}]}
    _, script = built(sources, anchors=["no JSON", bad, ANCHORS])
    assert script.asked["anchors"] == 3
    with pytest.raises(QuizError, match=r"\(anchors\)"):
        built(sources, anchors=[bad])


def test_invented_quotes_are_sent_back_and_then_left_out(sources: KnowledgeBase) -> None:
    invented = anchor("data", "The harbour earned 99 million euros.")
    bad = {"anchors": [*ANCHORS["anchors"][:-1], invented]}
    got, script = built(sources, verify=[bad, ANCHORS])
    assert script.asked["verify"] == 2 and got.left_out == ()
    assert "only 4 data anchors" in script.prompts[2]
    assert "The harbour earned 99 million euros." in script.prompts[2]
    spare = {"anchors": [*ANCHORS["anchors"], invented]}
    got, script = built(sources, verify=[spare])
    assert script.asked["verify"] == 1
    assert got.left_out == (
        "The harbour earned 99 million euros. (the quote is not in the document)",
    )


def test_nothing_but_inventions_is_refused_with_the_cause(sources: KnowledgeBase) -> None:
    bad = {"anchors": [anchor("data", "It has 99 cranes."), anchor("concept", "All is well here.")]}
    with pytest.raises(QuizError, match="only 0 data anchors have a quote that is found"):
        built(sources, verify=[bad])


def test_a_number_that_its_quote_does_not_hold_is_no_anchor(sources: KnowledgeBase) -> None:
    text, _ = DATA[0]
    wrong = {**anchor("data", "Ships came from 32 countries."), "quote": text}
    bad = {"anchors": [*ANCHORS["anchors"][:5], wrong, *ANCHORS["anchors"][6:]]}
    with pytest.raises(QuizError, match="a number of the statement is not in the quote"):
        built(sources, verify=[bad])


NINE = {"questions": EXAM["questions"][:9]}


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (NINE, "there are 9 questions, not 10"),
        (exam(q1={"answer": "AB"}), "answer"),
        (exam(q1={"options": ["same", "Same.", "other", "more"]}), "say the same"),
        (exam(q7={"options": ["€4,200,000", "4.2 million euros", "1", "2"]}), "say the same"),
        (exam(q6={"options": ["13", "32", "48", "52"]}), "do not stand in the quote"),
        (exam(q6={"anchor": 1}), "fact 1 is no data fact"),
        (exam(q6={"anchor": 77}), "there is no fact 77"),
        (exam(q2={"anchor": 1}), "fact 1 is used twice"),
        (exam(q2={"options": ["A. a", "B. b", "C. c", "D. d"]}), "leave out the letters"),
        (exam(q2={"options": ["one", "two", "three"]}), "options"),
        (exam(q2={"question": "Which reason is number 1?"}), "is there 2 times"),
    ],
)  # fmt: skip
def test_a_bad_exam_is_repaired_or_refused(
    reply: dict[str, Any], said: str, sources: KnowledgeBase
) -> None:
    got, script = built(sources, questions=[reply, EXAM])
    assert script.asked["questions"] == 2 and said in script.prompts[3]
    assert bank_problems(got.bank, sources) == []
    with pytest.raises(QuizError, match=r"no bank of questions \(questions\)"):
        built(sources, questions=[reply])


def test_a_failing_model_is_told_as_it_is(sources: KnowledgeBase) -> None:
    with pytest.raises(ModelFailed):
        built(sources, verify=[ModelFailed("m", "gone", "server")])


def test_long_documents_are_read_in_parts_with_nothing_lost(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    lines = [f"Paragraph {number} says that ship {number} came." for number in range(4000)]
    path.write_text("# Ships\n\n" + "\n\n".join(lines) + "\n\n# References\n\nSmith 2019.\n")
    parts = list(document_parts(read_documents([path])))
    assert len(parts) > 2 and max(map(len, parts)) <= PART_CHARACTERS
    assert all(any(line in part for part in parts) for line in lines)
    assert "Smith" not in parts[-1]


def test_documents_without_words_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.md"
    path.write_text("\n")
    with pytest.raises(QuizError, match="no words"):
        built(read_documents([path]))
