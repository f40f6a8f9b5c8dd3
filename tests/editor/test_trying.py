"""Edits that a model tries on copies, and small ones that are made at once."""

import json
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.editor.scripted import (
    GOOD,
    SATISFIED,
    WIDE,
    Said,
    given,
    plan,
    program,
    scripted,
    trying,
)
from tests.editor.test_model_editor import (
    BOLD,
    WANTED,
    deck,  # noqa: F401 - fixture
    edited,
    prompts,
    samples,  # noqa: F401 - fixture
    stages,
    title,
)
from tests.openai_server import Answer, OpenAIServer, images_of

from decklab.core.errors import ModelFailed
from decklab.editor import trying as trying_module
from decklab.editor.model_editor import edit_with_model
from decklab.editor.trying import MOST_TRIES
from decklab.models.asking import Budget, RunCosts
from decklab.models.inspect import asking
from decklab.models.model_run import open_record, recorded
from decklab.sandbox.limits import SandboxUnavailable

RETITLE = f"set_title(2, {WANTED!r})"
WRONG = "set_title(3, 'Elsewhere')"


def tool_answers(server: OpenAIServer) -> list[str]:
    """What tools answered, in their order, as the last question of an edit holds them."""
    last = [one for one in server.requests if "Make this edit" in str(one["messages"])][-1]
    return [one["content"] for one in last["messages"] if one["role"] == "tool"]


def test_a_small_edit_takes_one_question(deck: Path) -> None:  # noqa: F811
    small = plan(operations=[RETITLE], new_texts=[WANTED], remarks=["Slide 5 says another year."])
    with scripted(plan=small) as (ask, server):
        result = edited(deck, ask)
    assert (result.outcome, result.undone) == ("done", ())
    assert (title(result.output), stages(server)) == (WANTED, ["plan"])
    assert result.remarks == ("Slide 5 says another year.",)
    assert result.as_json()["remarks"] == ["Slide 5 says another year."]


@pytest.mark.long
def test_a_small_edit_that_went_elsewhere_is_tried_again_from_there(deck: Path) -> None:  # noqa: F811
    with scripted(
        plan=plan(operations=[WRONG]), edit=given(state=1, operations=[RETITLE]), review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert stages(server) == ["plan", "edit", "review"]
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    assert title(result.output, 3) == title(deck, 3)
    asked = prompts(server, "edit")[0]
    assert "Planned, but it did not happen: the title changes" in asked
    assert "Copy 1 is what your calls made." in asked


@pytest.mark.long
def test_a_small_edit_that_makes_text_unreadable_is_not_done_at_once(deck: Path) -> None:  # noqa: F811
    pale = plan("the title is white", ("style",),
                operations=["format_text(slides=[2], where='title', color='#FFFFFF')"])  # fmt: skip
    with scripted(plan=pale, edit=given(state=1), review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert stages(server) == ["plan", "edit", "review"]
    assert result.outcome == "partly"
    assert "can no longer be read" in prompts(server, "edit")[0]


@pytest.mark.long
def test_a_call_that_fails_is_told_and_the_edit_goes_on(deck: Path) -> None:  # noqa: F811
    lost = plan(operations=["set_text(2, 'Heading', 'New')"])
    with scripted(plan=lost, edit=GOOD, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    assert "'Title 1' (id 2" in prompts(server, "edit")[0]


@pytest.mark.long
def test_a_try_is_answered_with_what_changed_and_what_is_missing(deck: Path) -> None:  # noqa: F811
    replies: list[Said] = [
        trying("operations", calls=["set_titel(2, 'x')"]),
        trying("operations", calls=[WRONG]),
        trying("program", code=f"def edit(prs):\n    set_title(prs, 2, {WANTED!r})", onto=0),
        given(state=2),
    ]
    with scripted(plan=plan(), edit=replies, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert stages(server) == ["plan", "edit", "edit", "edit", "edit", "review"]
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    first, second, third = tool_answers(server)
    assert first.startswith("No copy was made; the newest is 0. call 1: there is no function")
    assert "Copy 1 is made, from copy 0." in second
    assert "“Work done by month” became “Elsewhere”" in second
    assert "Planned, but it did not happen: the title changes" in second
    assert "Changed, but nobody asked for it: Slide 3" in second
    assert third.endswith("All that is planned is there, nothing else, and no new finding.")
    assert "Slide 3" not in third


@pytest.mark.long
def test_patches_are_tried_too_and_explained_on_demand(deck: Path) -> None:  # noqa: F811
    patch = {
        "part": "ppt/slides/slide2.xml", "action": "text", "value": WANTED,
        "xpath": "//p:sp[p:nvSpPr/p:cNvPr[@id='2']]//a:t",
    }  # fmt: skip
    empty = dict.fromkeys(("xml", "position", "attribute", "owner", "relationship",
                           "relationship_id", "copy_of"), "")  # fmt: skip
    replies: list[Said] = [
        trying("patches", patches=[]),
        trying("patches", patches=[{**empty, **patch}]),
        given(state=1),
    ]
    with scripted(plan=plan(), edit=replies, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    assert "add part: the part" in tool_answers(server)[0]
    assert "add part: the part" not in prompts(server, "edit")[0]


@pytest.mark.long
def test_the_tools_that_look_look_at_the_newest_copy(deck: Path) -> None:  # noqa: F811
    look = Answer('{"slide": 2}', tool="slide_elements")
    replies: list[Said] = [trying("operations", calls=[RETITLE]), look, given(state=1)]
    with scripted(plan=plan(), edit=replies, review=SATISFIED) as (ask, server):
        edited(deck, ask)
    shown = json.loads(tool_answers(server)[1])
    assert WANTED in json.dumps(shown["shapes"])


@pytest.mark.long
def test_tries_come_to_an_end(deck: Path) -> None:  # noqa: F811
    again: list[Said] = [trying("operations", calls=[RETITLE])] * (MOST_TRIES + 1)
    with scripted(plan=plan(), edit=[*again, given(state=1)], review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    answers = tool_answers(server)
    assert answers[-1] == "There are no more tries. Give the answer now."
    assert sum(line.startswith("Copy ") for line in answers) == MOST_TRIES
    assert result.outcome == "done"


@pytest.mark.long
def test_tries_end_with_the_budget_and_what_there_is_counts(deck: Path) -> None:  # noqa: F811
    retitle = trying("operations", calls=[RETITLE])
    replies: list[Said] = [retitle, retitle, given(state=1)]
    with scripted(plan=plan(), edit=replies) as (_, server):
        account = RunCosts(Budget(tokens=25))  # the plan and two of the three turns take ten each
        with asking(server.model(), account=account) as ask:
            result = edited(deck, ask)
    assert stages(server) == ["plan", "edit", "edit", "edit"]
    choice = [one.get("tool_choice") for one in server.requests if one.get("tools")]
    assert choice[-1] == {"type": "function", "function": {"name": "give_answer"}}
    assert (result.outcome, title(result.output)) == ("partly", WANTED)
    assert any("the budget of 25 tokens is spent" in line for line in result.undone)


@pytest.mark.long
def test_a_round_goes_on_from_the_last_copy(deck: Path) -> None:  # noqa: F811
    """The second answer says nothing of the title, which is there already."""
    both = plan("the title changes, in bold", ("text", "style"))
    bold = program(BOLD, state=1)
    with scripted(plan=both, edit=[GOOD, bold], review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    assert "in bold: style" in prompts(server, "edit")[1]
    shape = Presentation(str(result.output)).slides[1].shapes.title
    assert shape is not None and shape.text_frame.paragraphs[0].runs[0].font.bold


@pytest.mark.long
def test_a_round_that_leaves_the_deck_as_it_is_ends_the_edit(deck: Path) -> None:  # noqa: F811
    both = plan("the title changes, in bold", ("text", "style"))
    with scripted(plan=both, edit=[GOOD, given(state=1)]) as (ask, server):
        result = edited(deck, ask)
    assert stages(server) == ["plan", "edit", "edit"]
    assert (result.outcome, title(result.output)) == ("partly", WANTED)


@pytest.mark.long
def test_a_record_makes_its_tries_again(deck: Path, tmp_path: Path) -> None:  # noqa: F811
    wrong, right = (trying("operations", calls=[call]) for call in (WRONG, RETITLE))
    replies: list[Said] = [wrong, right, given(state=2)]
    asked = list[int]()
    for _ in range(2):
        with scripted(plan=plan(), edit=replies, review=SATISFIED) as (ask, server):
            kept = recorded(ask, open_record(tmp_path / "record", {"command": "test"}), "a/model")
            result = edited(deck, kept)
            asked.append(len(server.requests))
        assert (result.outcome, title(result.output)) == ("done", WANTED)
        assert result.output is not None
        result.output.unlink()
    assert asked == [5, 0]
    deck.with_name("talk.edited.pptx").write_bytes(b"")


def test_a_sandbox_that_breaks_is_no_fault_of_the_model(
    deck: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: Any, **__: Any) -> str:
        raise SandboxUnavailable("bubblewrap: it is gone")

    monkeypatch.setattr(trying_module, "run_program", broken)
    replies: list[Said] = [
        trying("operations", calls=[RETITLE]),
        given(cannot="The tool does not work."),
    ]
    with (
        scripted(plan=plan(), edit=replies) as (ask, server),
        pytest.raises(SandboxUnavailable, match="it is gone"),
    ):
        edit_with_model(deck, "Call slide 2 so", ask, draw=False)
    assert tool_answers(server) == ["There are no more tries. Give the answer now."]


@pytest.mark.long
@pytest.mark.office
def test_a_try_shows_the_slides_that_look_different_now(deck: Path) -> None:  # noqa: F811
    replies: list[Said] = [
        trying("operations", calls=[RETITLE]),
        trying("operations", calls=["set_title(3, 'Elsewhere')"], onto=1),
        given(state=1),
    ]
    with scripted(plan=plan(), edit=replies, review=SATISFIED) as (ask, server):
        edit_with_model(deck, "Call slide 2 so", ask, out=deck.with_name("o.pptx"))
    answers = tool_answers(server)
    assert answers[0].endswith("The pictures show, in this order: slide 2 after the edit.")
    assert answers[1].endswith("The pictures show, in this order: slide 3 after the edit.")
    counts = [len(images_of(request)) for request in server.requests]
    assert counts == [0, 1, 2, 3, 2]


def test_without_tools_all_of_it_stands_in_the_answer(deck: Path) -> None:  # noqa: F811
    with scripted(plan=WIDE, edit=given(operations=[RETITLE]), review=SATISFIED) as (ask, server):
        result = edited(deck, ask, tools=False)
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    asked = prompts(server, "edit")[0]
    assert "You cannot try it" in asked and "try_operations" not in asked
    assert "Give slides a plain background, None that of the layout" in asked
    assert "ppt/slides/slide2.xml:\n<p:sld" in asked


def test_an_answer_beyond_what_there_is_is_asked_for_again(deck: Path) -> None:  # noqa: F811
    wrong = [given(), given(state=4), given(operations=[RETITLE], program="def edit(prs): pass")]
    with scripted(plan=plan(), edit=[*wrong[:2], GOOD], review=SATISFIED) as (ask, server):
        assert edited(deck, ask).outcome == "done"
    assert "nothing is done" in prompts(server, "edit")[1]
    assert "there is no copy 4" in prompts(server, "edit")[2]
    deck.with_name("talk.edited.pptx").unlink()
    with scripted(plan=plan(), edit=[wrong[2], GOOD], review=SATISFIED) as (ask, server):
        assert edited(deck, ask).outcome == "done"
    assert "not several of them" in prompts(server, "edit")[1]


def test_a_model_that_cannot_be_asked_is_no_refusal(deck: Path) -> None:  # noqa: F811
    with (
        scripted(plan=plan(), edit=Answer("slow down", 429)) as (ask, _),
        pytest.raises(ModelFailed, match="busy"),
    ):
        edit_with_model(deck, "Call slide 2 so", ask, draw=False)
