"""Tools that a model calls while it answers."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from pydantic import BaseModel
from tests.openai_server import Answer, images_of, prompt_of, serving

from decklab.core.errors import DeckError
from decklab.core.options import TOOL_CALLS
from decklab.models.asking import ModelReply, ModelTool, ToolOutput
from decklab.models.inspect import asking
from decklab.models.model_run import open_record, recorded
from decklab.models.reading import Unanswered, answered

PNG = b"\x89PNG\r\n\x1a\nnot really"


class SlideNumber(BaseModel):
    number: int


class Plan(BaseModel):
    words: str


class Slides:
    """A tool that shows slides; the third is a picture, others than 1 to 3 are none."""

    def __init__(self) -> None:
        self.shown: list[int] = []
        self.tool = ModelTool("show_slide", "Show a slide.", SlideNumber, self.show)

    def show(self, asked: SlideNumber) -> ToolOutput:
        self.shown.append(asked.number)
        if not 1 <= asked.number <= 3:
            raise DeckError("talk.pptx", "there is no such slide")
        return PNG if asked.number == 3 else f"slide {asked.number}"


def call(number: Any) -> Answer:
    return Answer(json.dumps({"number": number}), tool="show_slide")


ANSWER = Answer('{"words": "two slides"}', tool="give_answer")


def test_tools_are_run_until_the_answer_comes() -> None:
    slides = Slides()
    with serving([call(1), call(2), ANSWER]) as server, asking(server.model()) as ask:
        reply = ask("What is there?", answer=Plan, tools=[slides.tool])
    assert (reply.answer, slides.shown) == (Plan(words="two slides"), [1, 2])
    assert (reply.usage.requests, reply.usage.input_tokens) == (3, 21)
    names = [tool["function"]["name"] for tool in server.requests[0]["tools"]]
    assert names == ["show_slide", "give_answer"]
    assert server.requests[0]["tool_choice"] == "required"
    said = [one["content"] for one in server.requests[2]["messages"] if one["role"] == "tool"]
    assert said == ["slide 1", "slide 2"]


def test_a_picture_follows_in_a_message_of_its_own() -> None:
    with serving([call(3), "A cat."]) as server, asking(server.model()) as ask:
        assert ask("What is there?", tools=[Slides().tool]).text == "A cat."
    assert [len(images_of(request)) for request in server.requests] == [0, 1]
    assert [one["role"] for one in server.requests[1]["messages"]][-2:] == ["tool", "user"]
    assert server.requests[0]["tool_choice"] == "auto"


@pytest.mark.parametrize(("number", "told"), [(9, "no such slide"), ("nine", "do not fit")])
def test_what_is_wrong_with_a_call_is_told_to_the_model(number: Any, told: str) -> None:
    with serving([call(number), ANSWER]) as server, asking(server.model()) as ask:
        reply = ask("What is there?", answer=Plan, tools=[Slides().tool])
    assert reply.answer is not None
    assert told in server.requests[1]["messages"][-1]["content"]


@pytest.mark.long
def test_calls_without_end_are_ended() -> None:
    def said(request: dict[str, Any]) -> Answer:
        return call(1) if request["tool_choice"] == "required" else ANSWER

    slides = Slides()
    with serving(said) as server, asking(server.model()) as ask:
        reply = ask("What is there?", answer=Plan, tools=[slides.tool])
    assert reply.answer == Plan(words="two slides")
    assert len(slides.shown) == TOOL_CALLS == len(server.requests) - 1 == 30


def test_a_server_that_rejects_tools_is_asked_without_from_then_on() -> None:
    def said(request: dict[str, Any]) -> Answer | str:
        return Answer("tools are not supported", 400) if request.get("tools") else '{"words": "a"}'

    with serving(said) as server, asking(server.model()) as ask:
        replies = [ask("?", answer=Plan, tools=[Slides().tool]) for _ in range(2)]
    assert [reply.answer for reply in replies] == [Plan(words="a")] * 2
    assert [bool(request.get("tools")) for request in server.requests] == [True, False, False]


def test_a_server_that_ignores_tools_twice_is_asked_without() -> None:
    with serving(["I would rather talk."]) as server, asking(server.model()) as ask:
        for _ in range(3):
            ask("?", answer=Plan, tools=[Slides().tool])
    assert [bool(request.get("tools")) for request in server.requests] == [True, True, False]
    assert "I would" not in prompt_of(server.requests[2])


def mock(said: Any, *, input_tokens: int = 4_000) -> tuple[Any, list[str]]:
    """A model of Inspect AI that needs no server: what it says, with its tokens; and how each of
    its replies was asked for."""
    choices = list[str]()

    def output(_input: Any, _tools: Any, choice: Any, _config: Any) -> ModelOutput:
        choices.append(choice if isinstance(choice, str) else choice.name)
        made: ModelOutput = said(len(choices))
        made.usage = ModelUsage(
            input_tokens=input_tokens, output_tokens=20, total_tokens=input_tokens + 20
        )
        return made

    return get_model("mockllm/model", custom_outputs=output, memoize=False), choices


def looking(*numbers: int) -> ModelOutput:
    """A reply that calls the tool for each of the numbers at once."""
    made = ModelOutput.for_tool_call("mockllm/model", "show_slide", {"number": numbers[0]})
    assert made.message.tool_calls is not None
    first = made.message.tool_calls[0]
    made.message.tool_calls = [
        replace(first, id=f"call-{at}", arguments={"number": number})
        for at, number in enumerate(numbers)
    ]
    return made


def test_a_model_that_only_calls_tools_is_asked_once_and_its_tokens_count() -> None:
    slides = Slides()
    model, choices = mock(lambda _number: looking(1))
    with asking(model) as ask, pytest.raises(Unanswered) as ended:
        answered(ask, "What is there?", Plan, tools=[slides.tool], most_calls=5)
    assert ended.value.problem == (
        "it called tools 5 times, the most that are allowed, and gave no answer"
    )
    assert slides.shown == [1] * 5
    assert choices == ["any"] * 5 + ["give_answer"]
    assert (ended.value.usage.requests, ended.value.usage.input_tokens) == (6, 24_000)


def test_calls_at_once_are_run_up_to_the_limit() -> None:
    slides = Slides()
    model, choices = mock(lambda number: looking(*[1, 2] * 20) if number < 9 else ModelOutput())
    with asking(model) as ask:
        reply: ModelReply[Any] = ask("What is there?", tools=[slides.tool], most_calls=30)
    assert len(slides.shown) == reply.calls == 30
    assert choices == ["auto", "none"]
    assert "it called tools 30 times" in (reply.problem or "")


def test_an_answer_at_the_limit_is_an_answer() -> None:
    def said(number: int) -> ModelOutput:
        if number < 3:
            return looking(number)
        return ModelOutput.for_tool_call("mockllm/model", "give_answer", {"words": "two slides"})

    slides = Slides()
    model, _ = mock(said)
    with asking(model) as ask:
        found = answered(ask, "What is there?", Plan, tools=[slides.tool], most_calls=2)
    assert found.answer == Plan(words="two slides")
    assert (slides.shown, found.reply.calls, found.reply.problem) == ([1, 2], 2, None)


def test_a_wrong_answer_after_the_last_call_is_asked_for_again_without_tools() -> None:
    def said(number: int) -> ModelOutput:
        if number < 3:
            return looking(number)
        wanted = {"words": "two slides"} if number > 3 else {"said": "two slides"}
        return ModelOutput.for_tool_call("mockllm/model", "give_answer", wanted)

    model, choices = mock(said)
    with asking(model) as ask:
        found = answered(ask, "What is there?", Plan, tools=[Slides().tool], most_calls=2)
    assert found.answer == Plan(words="two slides")
    assert "any" not in choices[3:]


def test_the_calls_of_a_recorded_reply_are_known_when_it_is_read_again(tmp_path: Path) -> None:
    slides = Slides()
    for _ in range(2):
        model, choices = mock(lambda _number: looking(1))
        with asking(model) as ask, pytest.raises(Unanswered, match="called tools 3 times"):
            kept = recorded(ask, open_record(tmp_path / "kept", {"command": "test"}), "a/model")
            answered(kept, "What is there?", Plan, tools=[slides.tool], most_calls=3)
    assert choices == []
    assert len(slides.shown) == 3
