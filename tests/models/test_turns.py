"""Conversations of many turns: in a task of Inspect AI, and through the door of a run."""

import base64
import gc
import io
from functools import partial
from typing import Any

import anyio
import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.solver import solver
from PIL import Image
from pydantic import BaseModel
from tests.openai_server import Answer, images_of, prompt_of, serving

from decklab.core.errors import BudgetSpent, ModelUnavailable
from decklab.core.options import Spending
from decklab.models.asking import AskLimits, Prices
from decklab.models.asking_loop import PicturesUnseen, sight_number
from decklab.models.inspect import chat_facts, chat_messages, chatting_from_thread
from decklab.models.model_run import (
    ModelTurn,
    OfferedTool,
    ToolTurn,
    UserTurn,
    begin_run,
    open_chat,
)


class Press(BaseModel):
    key: str


pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
TOOLS = [OfferedTool("press", "Press a key.", Press)]


@pytest.fixture(autouse=True)
def nothing_is_left_to_other_tests():
    yield
    gc.collect()


def picture(colour):
    data = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(data, "PNG")
    return data.getvalue()


def seeing(*replies, name):
    """What a server says whose model sees: these replies to all that is not about that."""
    left = list(replies)

    def said(request):
        if "Which number" in prompt_of(request):
            return sight_number(name)
        return left.pop(0)

    return said


def test_a_conversation_in_a_task_is_in_its_log(tmp_path):
    """From a thread, as agents run; messages and model calls are in Inspect's log."""

    def talk(model):
        chat = chatting_from_thread(model)
        turns: list[Any] = [UserTurn("Look.", (picture("red"),))]
        turns.append(chat(turns, system="Be brief.", tools=TOOLS))
        turns.append(ToolTurn(turns[1].calls[0], "Pressed.", (picture("blue"),)))
        turns.append(chat(turns, system="Be brief.", tools=TOOLS))
        return turns

    script: list[Answer | str] = [
        sight_number("openai-api/loopback/seer"),
        Answer('{"key": "F5"}', tool="press"),
        "ok",
    ]
    with serving(script) as server:
        model = server.model("seer")

        @solver
        def talking():
            async def solve(state, generate):
                turns = await anyio.to_thread.run_sync(partial(talk, model))
                state.messages = chat_messages(turns, "Be brief.")
                return state

            return solve

        task = Task([Sample("x")], solver=talking())
        [log] = eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    assert log.samples is not None
    [sample] = log.samples
    roles = [message.role for message in sample.messages]
    assert roles == ["system", "user", "assistant", "tool", "assistant"]
    assert sample.messages[2].tool_calls[0].arguments == {"key": "F5"}
    calls = [event for event in sample.events if event.event == "model"]
    assert len(calls) == 3  # one of them the question whether it sees
    assert log.stats.model_usage[str(model)].input_tokens == 21
    told = [base64.b64decode(url.partition(",")[2]) for url in images_of(server.requests[2])]
    assert told == [picture("red"), picture("blue")]


def test_a_run_counts_bounds_and_records_conversations(tmp_path, monkeypatch):
    script = seeing("one", "two", "three", name="openai-api/turns/m")
    with serving(script) as server:
        monkeypatch.setenv("TURNS_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("TURNS_API_KEY", "none")
        spending = Spending(tokens=25, prices={"": (1.0, 1.0)}, record=tmp_path / "record")
        run = begin_run(spending, {"x": 1})
        turns: list[Any] = [UserTurn("Look.", (picture("red"),))]
        with run.chatting("openai-api/turns/m") as chat:
            first = chat(turns)
            assert chat(turns).text == "two"  # the same again is another question
            with pytest.raises(BudgetSpent):
                chat(turns)
        assert run.costs.cost_of(first.usage, "m") == pytest.approx(10 / 1e6)
        assert run.words.startswith("Models: 30 tokens in 3 requests")
        again = begin_run(Spending(record=tmp_path / "record"), {"x": 1})
        with again.chatting("openai-api/turns/m") as chat:
            assert [chat(turns).text for _ in range(3)] == ["one", "two", "three"]
    assert len(server.requests) == 4


def test_a_model_that_sees_nothing_is_told_before_the_first_picture(monkeypatch):
    with serving(["I see a cat."]) as server:
        monkeypatch.setenv("TURNS_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("TURNS_API_KEY", "none")
        with open_chat("openai-api/turns/blind", limits=AskLimits(tries=1)) as chat:
            assert chat([UserTurn("No picture.")]).text == "I see a cat."
            with pytest.raises(PicturesUnseen):
                chat([UserTurn("Look.", (picture("red"),))])


def test_a_model_that_is_not_there_is_told():
    with pytest.raises(ModelUnavailable), open_chat("nowhere/nothing"):
        pass


def test_turns_of_a_script_are_messages_too():
    [message] = chat_messages([ModelTurn("Hello")])
    assert (message.role, message.text) == ("assistant", "Hello")


def test_prices_of_a_model_give_the_cost_of_a_reply():
    assert Prices(1.0, 2.0).cost(ModelTurn().usage) == 0
    with serving(["x"]) as server:
        assert not chat_facts(server.model()).own_computer
