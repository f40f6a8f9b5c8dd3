"""Tools that a model calls while it answers."""

import json
from typing import Any

import pytest
from pydantic import BaseModel
from tests.openai_server import Answer, images_of, prompt_of, serving

from decklab.core.errors import DeckError
from decklab.core.options import TOOL_CALLS
from decklab.models.asking import ModelTool, ToolOutput
from decklab.models.inspect import asking

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
