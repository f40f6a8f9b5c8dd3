"""Runs of agents on a screen: how each ends, and what is written down of it."""

import json
from typing import Any

import pytest
from tests.evals.desktop.fake_screen import FakeScreen, title_of

from decklab.core.errors import BudgetSpent, ModelFailed
from decklab.core.options import EditLimits
from decklab.evals.desktop.environment import (
    Action,
    Click,
    EnvironmentFailed,
    Keys,
    Type,
    picture_scale,
)
from decklab.evals.desktop.model_agent import ScriptedAgent, do_nothing, run_agent
from decklab.evals.desktop.session import Finish, ReadCall, call_of, read_call
from decklab.evals.desktop.trajectory import Trajectory

SCRIPT: list[dict[str, Any]] = [
    {"action": "left_click", "coordinate": [300, 180], "thought": "Select the title"},
    {"action": "type", "text": "New title"},
    {"action": "key", "text": "ctrl+s"},
]


@pytest.fixture
def screen(tmp_path):
    return FakeScreen(tmp_path / "deck.pptx")


def test_a_script_changes_the_deck_and_leaves_a_trajectory(screen, tmp_path):
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    agent = ScriptedAgent.load(tmp_path / "script.json")
    run = run_agent(agent, screen, "Rename it", trajectory=tmp_path / "run", about={"agent": "x"})
    assert (run.end.ended, run.end.steps, run.end.failure) == ("finished", 3, "")
    assert title_of(run.deck) == "New title"
    told = Trajectory.read(tmp_path / "run")
    assert told.run["instruction"] == "Rename it"
    assert told.run["screen"] == [640, 400]
    assert [step.call["action"] for step in told.steps] == ["left_click", "type", "key"]
    assert told.steps[0].thought == "Select the title"
    assert told.steps[0].pointer == (300, 180)
    assert [step.before for step in told.steps[1:]] == [step.after for step in told.steps[:-1]]
    assert told.picture(told.steps[1].after).size == (640, 400)
    assert told.end == run.end
    assert not list((tmp_path / "run").rglob("*.part"))


def test_doing_nothing_leaves_the_deck_as_it_was(screen):
    run = run_agent(do_nothing, screen, "Rename it")
    assert (run.end.ended, run.end.steps) == ("declined", 0)
    assert title_of(run.deck) == "Old title"
    assert screen.closed


def test_steps_and_time_end_a_run(screen, tmp_path):
    agent = ScriptedAgent([{"action": "left_click", "coordinate": [n, 5]} for n in range(50)])
    run = run_agent(agent, screen, "", limits=EditLimits(steps=7))
    assert (run.end.ended, run.end.steps) == ("step limit", 7)
    assert run.deck is not None
    run = run_agent(agent, FakeScreen(tmp_path / "b.pptx"), "", limits=EditLimits(seconds=-1))
    assert (run.end.ended, run.end.steps) == ("time", 0)


@pytest.mark.parametrize("blinks", [False, True])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_loop_is_found_and_named(screen, length, blinks):
    screen.blinks = blinks

    def clicking(session):
        for n in range(100):
            x = n % length
            call = {"action": "left_click", "coordinate": [x, 5]}
            session.do(ReadCall((Click(x, 5),), (x, 5)), call)
        return Finish()

    run = run_agent(clicking, screen, "", repeats=4)
    assert (run.end.ended, run.end.steps) == ("loop", 4 * length)
    assert run.end.detail.startswith("4 times the same, and the screen did not change: left_click")
    assert run.end.failure == ""


def test_the_same_action_on_another_picture_is_no_loop(screen):
    texts: list[dict[str, Any]] = [{"action": "type", "text": word} for word in ("a", "b")]

    def typing(session):
        for call in [SCRIPT[0], *texts * 3, *[{"action": "wait"}] * 3]:
            session.do(read_call(call, picture_scale((640, 400))), call)
        return Finish()

    assert run_agent(typing, screen, "").end.ended == "finished"


def test_what_a_script_repeats_is_no_loop(screen):
    run = run_agent(ScriptedAgent([{"action": "key", "text": "Tab"}] * 9), screen, "")
    assert (run.end.ended, run.end.steps) == ("finished", 9)


def test_what_was_done_can_be_done_again(screen, tmp_path):
    calls = [*SCRIPT, {"action": "key", "text": "Tab", "repeat": 2}]
    run_agent(ScriptedAgent(calls), screen, "", trajectory=tmp_path / "run")
    again = FakeScreen(tmp_path / "again.pptx")
    run_agent(ScriptedAgent.of(Trajectory.read(tmp_path / "run")), again, "")
    assert again.done == screen.done
    assert again.saved == "New title"


def test_an_action_that_the_screen_refuses_ends_a_script(screen, tmp_path):
    agent = ScriptedAgent([{"action": "key", "text": "F9"}])
    run = run_agent(agent, screen, "", trajectory=tmp_path / "run")
    assert (run.end.ended, run.end.failure) == ("agent failed", "agent")
    assert run.end.detail == "action 1 of the script: there is no key F9 on this keyboard"
    step = Trajectory.read(tmp_path / "run").steps[0]
    assert (step.actions, step.refused) == ([], "there is no key F9 on this keyboard")


def test_an_editor_that_ends_is_no_failure_of_the_agent(tmp_path):
    screen = FakeScreen(tmp_path / "deck.pptx", dies_at=2)
    run = run_agent(ScriptedAgent(SCRIPT), screen, "", trajectory=tmp_path / "run")
    assert (run.end.ended, run.end.failure) == ("environment failed", "environment")
    assert run.deck is None
    assert run.last_saved == tmp_path / "deck.pptx"
    assert "the editor ended" in Trajectory.read(tmp_path / "run").steps[1].refused


def test_an_editor_that_ends_while_saving_is_told(tmp_path):
    screen = FakeScreen(tmp_path / "deck.pptx")
    screen.dies_at, screen.done = 1, [Keys("a")]
    run = run_agent(do_nothing, screen, "")
    assert (run.end.ended, run.deck) == ("environment failed", None)


@pytest.mark.parametrize(
    ("error", "ended", "failure"),
    [
        (ModelFailed("m", "busy", "busy"), "model failed", "model"),
        (BudgetSpent("m", "spent"), "budget", ""),
        (EnvironmentFailed("agent", "its process was killed"), "agent failed", "agent"),
        (EnvironmentFailed("display", "it is gone"), "environment failed", "environment"),
    ],
)
def test_failures_are_told_apart(screen, error, ended, failure):
    def failing(session):
        raise error

    run = run_agent(failing, screen, "")
    assert (run.end.ended, run.end.failure) == (ended, failure)
    assert (run.deck is None) == (ended == "environment failed")


def test_a_crash_leaves_the_steps_so_far(screen, tmp_path):
    def crashing(session):
        ScriptedAgent(SCRIPT[:2])(session)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_agent(crashing, screen, "", trajectory=tmp_path / "run")
    with (tmp_path / "run/steps.jsonl").open("a") as file:
        file.write('{"number": 3, "thou')
    told = Trajectory.read(tmp_path / "run")
    assert (len(told.steps), told.end.ended, told.end.failure) == (2, "broken off", "environment")


def test_a_trajectory_is_never_written_over_another(screen, tmp_path):
    run_agent(do_nothing, screen, "", trajectory=tmp_path / "run")
    with pytest.raises(FileExistsError, match="earlier run"):
        run_agent(do_nothing, screen, "", trajectory=tmp_path / "run")


def test_equal_screens_are_kept_once(screen, tmp_path):
    actions: list[Action] = [Click(5, 5), Click(6, 5), Click(200, 180), Type("x")]
    agent = ScriptedAgent([call_of(action) for action in actions])
    run_agent(agent, screen, "", trajectory=tmp_path / "run")
    assert len(list((tmp_path / "run/screens").iterdir())) == 3


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("{", "is no JSON"),
        ("3", "a script is a list of actions"),
        ('[{"action": "wait"}, {"action": "hop"}]', "action 2: there is no action 'hop'"),
        ("[3]", "action 1: it is no object"),
    ],
)
def test_a_script_that_is_none_is_told(tmp_path, script, told):
    (tmp_path / "script.json").write_text(script)
    with pytest.raises(ValueError, match=told):
        ScriptedAgent.load(tmp_path / "script.json")


def test_an_agent_that_ends_says_its_last_words(screen):
    run = run_agent(lambda session: Finish("all is done"), screen, "")
    assert run.end.message == "all is done"


def test_numbers_that_json_does_not_have_are_written_as_text(screen, tmp_path):
    def odd(session):
        session.refuse("no", {"action": "wait", "duration": float("inf"), "x": [float("nan")]})
        return Finish()

    run_agent(odd, screen, "", trajectory=tmp_path / "run")
    [step] = Trajectory.read(tmp_path / "run").steps
    assert step.call == {"action": "wait", "duration": "inf", "x": ["nan"]}
