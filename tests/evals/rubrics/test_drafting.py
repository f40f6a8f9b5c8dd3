"""Drafts of models: what is wrong goes back to them, and nothing wrong comes out."""

import json
from hashlib import sha256
from typing import Any

import pytest
from tests.evals.rubrics.conftest import inner, leaf, returning

from decklab.core.results import NotScored
from decklab.evals.rubrics.drafting import (
    DraftRejected,
    Proposal,
    RequiredCriteria,
    draft_rubric,
    propose_tasks,
)
from decklab.evals.rubrics.graded import GradedTree, LeafResult, graded
from decklab.evals.rubrics.rubric import Rubric
from decklab.models.asking import ModelReply, fill_prompt

DECK = {
    "slides": [
        {"number": 1, "layout": "Title Slide", "notes": "Say hello",
         "shapes": [{"kind": "text", "name": "Title 1", "text": {"text": "All about cats"}}]},
        {"number": 2, "shapes": []},
    ]
}  # fmt: skip


class Script:
    """A model that says what stands in its script, and keeps what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, prompt: str, **how: Any) -> ModelReply[Any]:
        self.asked.append(prompt)
        return ModelReply(self.answers.pop(0))


def good() -> dict[str, Any]:
    ask, keep = returning("'no', 0.0", critical=True), returning("'same', 1.0")
    return {"root": inner({**ask, "name": "Title is new"}, {**keep, "name": "Nothing else"})}


def try_out(rubric: Rubric) -> GradedTree:
    """Stands for the sandbox: the score that the code ends with, or that it raises."""
    results = {}
    for path, node in rubric.leaves():
        code = getattr(node.scorer, "code", "")
        if "raise" in code:
            results[path] = LeafResult(NotScored("its code raised ValueError: no"))
        else:
            results[path] = LeafResult(float(code.split(",")[-1]), "found")
    return graded(rubric, results)


def test_a_good_draft_is_taken_at_once() -> None:
    script = Script(f"Sure:\n```json\n{json.dumps(good())}\n```")
    rubric = draft_rubric("Rename the title", DECK, script, try_out=try_out)
    assert [node.name for _, node in rubric.leaves()] == ["Title is new", "Nothing else"]
    (prompt,) = script.asked
    for said in ("Rename the title", "All about cats", "Say hello", "0.30 times", "ppt_diff"):
        assert said in prompt


@pytest.mark.parametrize(
    ("draft", "fault"),
    [
        ("I would rather not.", "the reply is no JSON"),
        (json.dumps({"root": {"name": "x"}}), "root: has neither children nor a scorer"),
        (
            json.dumps({"root": inner(returning("'', 0.0", critical=True))}),
            "the root needs critical children",
        ),
        (
            json.dumps({"root": inner(returning("'', 1.0", critical=True), returning("'', 1.0"))}),
            "a deck that was not edited at all scores 1 and must score 0; root.children[0] (leaf) "
            "gave 1: found",
        ),
        (
            json.dumps({"root": inner(leaf("def compute_score():\n  raise ValueError",
                                           critical=True), returning("'', 1.0"))}),
            "root.children[0] (leaf): its code raised ValueError: no",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_goes_back_to_the_model(draft: str, fault: str) -> None:
    script = Script(draft, json.dumps(good()))
    draft_rubric("Rename the title", DECK, script, try_out=try_out)
    assert fault in script.asked[1]
    assert draft in script.asked[1]


def test_criteria_that_were_told_must_be_there_as_told() -> None:
    wrong = good()
    wrong["root"]["children"][1]["name"] = "Calm"
    script = Script(json.dumps(wrong), json.dumps(good()))
    draft_rubric(
        "Rename", DECK, script, try_out=try_out,
        criteria=RequiredCriteria(["title is NEW"], ["Nothing else"]),
    )  # fmt: skip
    assert "- critical: title is NEW\n- non-critical: Nothing else" in script.asked[0]
    assert "there is no non-critical criterion named 'Nothing else'" in script.asked[1]
    assert "no critical criterion named" not in script.asked[1]


def test_a_draft_that_stays_wrong_is_rejected_with_what_is_wrong() -> None:
    script = Script("no", "no", "no")
    with pytest.raises(DraftRejected, match=r"still wrong after 2 repairs.*the reply is no JSON"):
        draft_rubric("Rename", DECK, script, try_out=try_out, repairs=2)
    assert script.answers == []


def test_tasks_are_proposed_with_difficulty_and_slide() -> None:
    script = Script("Here they are:\n1. [EASY] [SLIDE:1] Make the title bold\n"
                    "- [hard] [slide: 2] Add a chart\n")  # fmt: skip
    assert propose_tasks(DECK, script, count=2) == (
        Proposal("Make the title bold", "easy", 1), Proposal("Add a chart", "hard", 2),
    )  # fmt: skip


def test_proposals_that_do_not_fit_the_deck_go_back() -> None:
    first = (
        "[easy] [SLIDE:9] One\n[grim] [SLIDE:1] Two\n[easy] [SLIDE:1] Three\n[easy] [SLIDE:1] three"
    )
    script = Script(first, "[easy] [SLIDE:1] One\n[easy] [SLIDE:2] Two")
    assert len(propose_tasks(DECK, script, count=2)) == 2
    for said in ("the deck has slides 1 to 2", "the difficulty is one of", "'three' comes twice",
                 "1 usable tasks, not 2"):  # fmt: skip
        assert said in script.asked[1]


@pytest.mark.parametrize(
    ("name", "values", "digest"),
    [
        ("rubric", {"task": "task", "deck": "deck", "weight": "0.30", "criteria": "criteria"},
         "b415b5e05942de15360dfbf9b54858e8ecf64f0f2ae8cae2cfa403b5ae341886"),
        ("proposals", {"count": "10", "slides": "3", "deck": "deck"},
         "5bd752c9c5f1d945bcd8fdced9555dd39c1e8b24d3911549b856c049579554f3"),
        ("explanation", {"name": "name", "description": "description", "score": "0.50",
                         "parts": "parts", "rule": "rule"},
         "f22c485fded385acc8f6df01402c9666e72cd8f6018d1810d2efe91c86cb8202"),
    ],
)  # fmt: skip
def test_no_byte_of_a_prompt_changes_unnoticed(
    name: str, values: dict[str, str], digest: str
) -> None:
    """Cached answers of models belong to the prompt as it was sent."""
    prompt = fill_prompt("decklab.evals.rubrics", f"prompts/{name}.txt", **values)
    assert sha256(prompt.encode()).hexdigest() == digest
