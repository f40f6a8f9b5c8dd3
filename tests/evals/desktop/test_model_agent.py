"""A model on a screen: through a server on the loopback, as its requests arrive there."""

import base64
import io
import json
from contextlib import contextmanager
from typing import Any

import pytest
from PIL import Image, ImageChops
from tests.evals.desktop.fake_screen import FakeScreen, title_of
from tests.openai_server import Answer, images_of, prompt_of, serving

from decklab.core.errors import ModelFailed
from decklab.core.options import EditLimits
from decklab.evals.desktop.model_agent import ModelAgent, run_agent, with_newest_pictures
from decklab.evals.desktop.trajectory import Trajectory
from decklab.models.asking import AskLimits, Budget, Prices, RunCosts
from decklab.models.inspect import chat_messages, chatting
from decklab.models.model_run import (
    ChatFacts,
    FunctionChat,
    ModelTurn,
    ToolCallMade,
    ToolTurn,
    UserTurn,
    open_record,
    recorded_chat,
)


def call(action, **arguments):
    return Answer(json.dumps({"action": action, **arguments}), tool="computer")


def finish(outcome="done", message="It is renamed."):
    return Answer(json.dumps({"outcome": outcome, "message": message}), tool="finish")


RENAMED = [
    call("left_click", coordinate=[300, 180]),
    call("type", text="New title"),
    call("key", text="CTRL+S"),
    finish(),
]


@contextmanager
def asked(script, **options):
    with serving(script) as server, chatting(server.model(), **options) as (chat, _):
        yield server, chat


@pytest.fixture
def screen(tmp_path):
    return FakeScreen(tmp_path / "deck.pptx")


def decoded(url):
    return Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))


def test_a_model_renames_the_title(screen, tmp_path):
    price = Prices(2.0, 8.0).cost
    first = screen.screenshot()
    with asked(RENAMED) as (server, chat):
        run = run_agent(
            ModelAgent(chat), screen, "Rename the title.", trajectory=tmp_path / "run", price=price
        )
    assert (run.end.ended, run.end.message) == ("finished", "It is renamed.")
    assert title_of(run.deck) == "New title"
    assert len(server.requests) == 4
    # What the server got: the tools, the request, and the screen itself, pixel by pixel.
    told = server.requests[0]
    assert [one["function"]["name"] for one in told["tools"]] == ["computer", "finish"]
    assert "Rename the title." in prompt_of(told)
    arrived = [decoded(url) for url in images_of(told)]
    assert [ImageChops.difference(one, first).getbbox() for one in arrived] == [None]
    last = decoded(images_of(server.requests[3])[-1])
    assert ImageChops.difference(last, screen.screenshot()).getbbox() is None
    # Seven tokens in and three out for each reply; the last one led to no step.
    steps = Trajectory.read(tmp_path / "run").steps
    assert [(one.input_tokens, one.output_tokens) for one in steps] == [(7, 3)] * 3
    assert steps[0].cost == pytest.approx((7 * 2 + 3 * 8) / 1e6)
    assert (run.end.input_tokens, run.end.cost) == (28, pytest.approx(4 * steps[0].cost))


def test_only_the_newest_pictures_go_along(screen):
    with asked(RENAMED) as (server, chat):
        run_agent(ModelAgent(chat, pictures=2), screen, "")
    assert [len(images_of(one)) for one in server.requests] == [1, 2, 2, 2]
    assert "The picture of then is left out." in prompt_of(server.requests[2])


def test_a_large_screen_is_shown_smaller_and_points_are_taken_back(screen):
    with asked([call("left_click", coordinate=[150, 90]), finish()]) as (server, chat):
        run_agent(ModelAgent(chat, longest=320), screen, "")
    assert decoded(images_of(server.requests[0])[0]).size == (320, 200)
    assert (screen.done[0].x, screen.done[0].y) == (301, 181)
    assert "x from 0 to 319, y from 0 to 199" in prompt_of(server.requests[0])


def test_calls_that_cannot_be_done_cost_a_step_and_are_told(screen, tmp_path):
    script = [
        call("left_click", coordinate=[900, 10]),
        call("key", text="ctrl+Entr"),
        Answer("{broken", tool="computer"),
        Answer("{}", tool="open_menu"),
        call("key", text="F9"),
        finish("impossible", "There is no way."),
    ]
    with asked(script) as (server, chat):
        run = run_agent(ModelAgent(chat), screen, "", trajectory=tmp_path / "run")
    assert (run.end.ended, run.end.steps) == ("declined", 5)
    told = prompt_of(server.requests[5])
    assert "That was not done: the point 900, 10 is not on the screen: x goes from 0 to 639" in told
    assert "no key is called 'Entr'; near: " in told
    assert "the arguments cannot be read" in told
    assert "there is no tool 'open_menu'; there are computer, finish" in told
    assert "there is no key F9 on this keyboard" in told
    assert all(step.refused for step in Trajectory.read(tmp_path / "run").steps)


def test_words_without_a_call_are_the_end(screen):
    with asked(["I have renamed it."]) as (_, chat):
        run = run_agent(ModelAgent(chat), screen, "")
    assert (run.end.ended, run.end.message) == ("finished", "I have renamed it.")


def test_a_model_that_says_nothing_is_urged_and_then_left(screen):
    with asked([Answer(""), Answer("I wou", cut=True), Answer("")]) as (server, chat):
        run = run_agent(ModelAgent(chat), screen, "")
    assert (run.end.ended, run.end.failure) == ("agent failed", "agent")
    assert "was empty" in prompt_of(server.requests[1])
    assert "was cut off" in prompt_of(server.requests[2])


def test_a_model_that_repeats_itself_is_stopped(screen):
    with asked([call("left_click", coordinate=[5, 5])]) as (server, chat):
        run = run_agent(ModelAgent(chat), screen, "", repeats=3)
    assert (run.end.ended, len(server.requests)) == ("loop", 3)
    assert "left_click [5, 5]" in run.end.detail


def test_no_reply_is_paid_for_that_leads_to_no_step(screen):
    script = [call("left_click", coordinate=[n, 5]) for n in range(9)]
    with asked(script) as (server, chat):
        run = run_agent(ModelAgent(chat), screen, "", limits=EditLimits(steps=4))
    assert (run.end.ended, run.end.steps, len(server.requests)) == ("step limit", 4, 4)


def test_a_budget_and_a_server_that_refuses_end_a_run_each_in_its_way(screen, tmp_path):
    with asked(RENAMED, account=RunCosts(Budget(tokens=15))) as (_, chat):
        run = run_agent(ModelAgent(chat), screen, "")
    assert (run.end.ended, run.end.steps) == ("budget", 2)
    assert title_of(run.deck) == "New title"
    refusal = Answer("tools are not supported", status=400)
    with asked([refusal], limits=AskLimits(tries=1)) as (_, chat):
        run = run_agent(ModelAgent(chat), FakeScreen(tmp_path / "b.pptx"), "")
    assert (run.end.ended, run.end.failure) == ("model failed", "model")
    assert "tools are not supported" in run.end.detail


def several(turns, **_how):
    """A provider that sends several actions in one call, as OpenAI's does."""
    actions = [
        {"action": "left_click", "coordinate": [300, 180]}, {"action": "type", "text": "Two"},
    ]  # fmt: skip
    done = any(isinstance(turn, ToolTurn) for turn in turns)
    calls = () if done else (ToolCallMade("1", "computer", {"actions": actions}),)
    return ModelTurn("Renamed." if done else "", "I click and write.", calls)


def test_several_actions_of_one_reply_are_a_step_each(screen, tmp_path):
    agent = ModelAgent(FunctionChat(several, ChatFacts("own", own_computer=True)))
    run = run_agent(agent, screen, "", trajectory=tmp_path / "run")
    assert (run.end.ended, run.end.steps, screen.title) == ("finished", 2, "Two")
    steps = Trajectory.read(tmp_path / "run").steps
    assert [step.thought for step in steps] == ["I click and write.", ""]


def test_a_zoom_shows_the_part_as_large_as_the_screen(screen):
    script = [call("zoom", region=[120, 150, 320, 210]), finish()]
    with asked(script) as (server, chat):
        run_agent(ModelAgent(chat), screen, "")
    assert decoded(images_of(server.requests[1])[-1]).size == (640, 192)


def test_a_provider_with_a_tool_of_its_own_gets_the_size_that_it_assumes(screen):
    seen = []

    def chat(turns, **how):
        seen.append((turns, how))
        return ModelTurn("done")

    facts = ChatFacts("own", own_computer=True, frame=(1366, 768), every_picture=True)
    run_agent(ModelAgent(FunctionChat(chat, facts)), screen, "")
    picture = Image.open(io.BytesIO(seen[0][0][0].images[0]))
    assert picture.size == (1366, 768)
    form = seen[0][1]["tools"][0].parameters
    assert "actions" in form.model_fields


def test_a_record_replays_what_it_has_and_asks_the_rest(tmp_path):
    def named(chat):
        return FunctionChat(chat.function, ChatFacts("a model"))

    def play(script, name, account=None):
        with asked(script, account=account) as (server, chat):
            record = open_record(tmp_path / "record", {"run": 1})
            screen = FakeScreen(tmp_path / name)
            run = run_agent(ModelAgent(recorded_chat(named(chat), record)), screen, "x")
            return run, len(server.requests)

    first, asked_first = play(RENAMED, "a.pptx", RunCosts(Budget(tokens=15)))
    second, asked_second = play(RENAMED[2:], "b.pptx")
    assert (first.end.ended, asked_first) == ("budget", 2)
    assert (second.end.ended, asked_second) == ("finished", 2)
    assert title_of(second.deck) == "New title"
    assert second.end.input_tokens == 28
    lines = (tmp_path / "record/questions.jsonl").read_text().splitlines()
    assert len(lines) == 4
    assert len(json.loads(lines[1])["new"]) == 1


def test_failures_are_in_the_record(tmp_path):
    def failing(turns, **how):
        raise ModelFailed("m", "busy", "busy", 3, 1.5)

    record = open_record(tmp_path, {})
    chat = recorded_chat(FunctionChat(failing, ChatFacts("m")), record)
    with pytest.raises(ModelFailed):
        chat([UserTurn("x")])
    line = json.loads((tmp_path / "questions.jsonl").read_text())
    assert (line["failure"], line["requests"]) == ("busy", 3)


def test_the_turns_are_messages_for_inspects_log():
    made = ToolCallMade("1", "computer", {"action": "wait"})
    turns: list[Any] = [
        UserTurn("x", (b"\x89PNG",)),
        ModelTurn("", calls=(made,)),
        ToolTurn(made, "y"),
    ]
    messages = chat_messages(turns, "s")
    assert [one.role for one in messages] == ["system", "user", "assistant", "tool"]
    assert messages[3].tool_call_id == messages[2].tool_calls[0].id


def test_all_pictures_stay_where_none_may_be_left_out():
    turns: list[Any] = [UserTurn("x", (b"1",)), ModelTurn(), UserTurn("y", (b"2",))]
    assert with_newest_pictures(turns, None) == turns
    assert with_newest_pictures(turns, 1)[0].images == ()


def test_controls_go_along_as_text_with_points_of_the_picture(screen):
    with asked(RENAMED) as (server, chat):
        run_agent(ModelAgent(chat, controls=True, pictures=1, longest=320), screen, "")
    first, last = prompt_of(server.requests[0]), prompt_of(server.requests[3])
    assert "shape 'Title' = 'Old title' 60,75 200x30" in first
    assert last.count("Controls on the screen") == 1
    assert "window 'deck'" in last


def test_a_model_that_sees_nothing_can_work_with_the_controls(screen):
    with asked(RENAMED) as (server, chat):
        run = run_agent(ModelAgent(chat, controls=True, pictures=0), screen, "Rename the title")
    assert (run.end.ended, title_of(run.deck)) == ("finished", "New title")
    assert [len(images_of(one)) for one in server.requests] == [0] * 4
    told = prompt_of(server.requests[3])
    assert told.count("Controls on the screen") == 1
    assert "left out" not in told
    assert "shape 'Title' = 'New title' 120,150 400x60" in told
