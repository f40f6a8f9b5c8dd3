import threading

import anyio
import anyio.to_thread
import pytest
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model
from pydantic import BaseModel, ConfigDict
from tests.openai_server import Answer, images_of, prompt_of, serving

from decklab.errors import ModelFailed, ModelUnavailable
from decklab.models.inspect import ask_model, asking, asking_from_thread, open_model

PNG = b"\x89PNG\r\n\x1a\nnot really"
JPEG = b"\xff\xd8\xff\xe0 nor this"


class Score(BaseModel):
    model_config = ConfigDict(extra="forbid")
    score: int
    reason: str


def test_prompt_pictures_and_schema_arrive_in_order() -> None:
    with serving(['{"score": 4, "reason": "neat"}']) as server, asking(server.model()) as ask:
        reply = ask("How good?", images=[PNG, JPEG], answer=Score, system="Be fair.")
    (request,) = server.requests
    assert reply.answer == Score(score=4, reason="neat")
    assert reply.problem is None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (7, 3)
    assert prompt_of(request) == "Be fair.\nHow good?"
    assert [url[:15] for url in images_of(request)] == ["data:image/png;", "data:image/jpeg"]
    form = request["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["schema"]["required"] == ["score", "reason"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I would say four", "the reply is no JSON"),
        ('{"score": 4}', "reason: Field required"),
        ('{"score": 4, "reason": "a", "mood": 1}', "mood: Extra inputs"),
        ("", "the reply is no JSON"),
    ],
)
def test_a_reply_that_does_not_fit_is_kept_with_what_is_wrong(text: str, problem: str) -> None:
    with serving([text]) as server, asking(server.model()) as ask:
        reply = ask("How good?", answer=Score)
    assert reply.answer is None
    assert reply.text == text
    assert reply.problem is not None
    assert reply.problem.startswith(problem)


def test_a_passing_failure_is_tried_again() -> None:
    with serving([Answer("busy", 503), "fine"]) as server, asking(server.model()) as ask:
        assert ask("Well?").text == "fine"
    assert len(server.requests) == 2


def test_a_refused_request_is_an_error_that_says_why() -> None:
    with (
        serving([Answer("picture too large", 400)]) as server,
        asking(server.model()) as ask,
        pytest.raises(ModelFailed, match="picture too large"),
    ):
        ask("Well?")


def test_a_server_that_never_answers_costs_the_time_allowed() -> None:
    config = GenerateConfig(attempt_timeout=1, max_retries=0)
    with (
        serving([Answer("late", delay=20)]) as server,
        asking(server.model(config=config)) as ask,
        pytest.raises(ModelFailed),
    ):
        ask("Well?")


def test_several_threads_may_ask_at_once() -> None:
    def said(request: dict[str, object]) -> str:
        return prompt_of(request).upper()

    replies: dict[str, str] = {}
    with serving(said) as server, asking(server.model()) as ask:
        threads = [
            threading.Thread(target=lambda word=word: replies.update({word: ask(word).text}))
            for word in "abcdef"
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert replies == {word: word.upper() for word in "abcdef"}


def test_a_thread_of_an_async_task_asks_through_its_loop() -> None:
    output = ModelOutput.from_content("mock", "yes")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=[output], memoize=False)

    async def task() -> str:
        ask = asking_from_thread(model)
        return await anyio.to_thread.run_sync(lambda: ask("Well?").text)

    assert anyio.run(task) == "yes"


def test_an_exception_in_a_provider_is_a_model_failure() -> None:
    def broken(*_: object) -> ModelOutput:
        raise KeyError("choices")

    model = get_model("mockllm/model", custom_outputs=broken, memoize=False)
    with pytest.raises(ModelFailed, match="KeyError"):
        anyio.run(ask_model, model, "Well?")


@pytest.mark.parametrize("name", ["no-such-provider/model", "model", "openai/gpt-4o"])
def test_a_model_that_cannot_be_had_is_said_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ModelUnavailable):
        open_model(name)
