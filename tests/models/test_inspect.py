import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import Any

import anyio
import anyio.to_thread
import pytest
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from pydantic import BaseModel, ConfigDict
from tests.openai_server import Answer, form_of, images_of, prompt_of, serving

from decklab.core.errors import ModelFailed, ModelUnavailable
from decklab.models.asking import Ask, AskLimits, RunCosts
from decklab.models.inspect import ask_model, asking, asking_from_thread, open_model

PNG = b"\x89PNG\r\n\x1a\nnot really"
JPEG = b"\xff\xd8\xff\xe0 nor this"


class Score(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
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
        ('{"score": true, "reason": "a"}', "score: Input should be a valid integer"),
        ("", "the reply is empty"),
    ],
)
def test_a_reply_that_does_not_fit_is_kept_with_what_is_wrong(text: str, problem: str) -> None:
    with serving([text]) as server, asking(server.model()) as ask:
        reply = ask("How good?", answer=Score)
    assert reply.answer is None
    assert reply.text == text
    assert reply.problem is not None
    assert reply.problem.startswith(problem)


async def no_pause(_seconds: float) -> None:
    pass


def test_a_passing_failure_is_tried_again() -> None:
    with (
        serving([Answer("busy", 503), "fine"]) as server,
        asking(server.model(), sleep=no_pause) as ask,
    ):
        assert ask("Well?").text == "fine"
    assert len(server.requests) == 2


def test_only_decklab_puts_a_request_again() -> None:
    with (
        serving([Answer("broken", 500)]) as server,
        asking(server.model(), sleep=no_pause) as ask,
        pytest.raises(ModelFailed, match=r"gave up after 5 requests.*500: broken") as caught,
    ):
        ask("Well?")
    assert len(server.requests) == caught.value.requests == 5


def test_the_pause_that_a_server_asks_for_is_made() -> None:
    pauses = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    busy = Answer("slow down", 429, headers={"Retry-After": "7"})
    with serving([busy, "fine"]) as server, asking(server.model(), sleep=pause) as ask:
        ask("Well?")
    assert pauses == [7.0]


@pytest.mark.by_day(3)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_a_refused_request_is_an_error_that_says_why(status: int) -> None:
    with (
        serving([Answer("picture too large", status)]) as server,
        asking(server.model()) as ask,
        pytest.raises(ModelFailed, match="picture too large") as caught,
    ):
        ask("Well?")
    assert (caught.value.kind, len(server.requests)) == ("refused", 1)


def test_a_question_longer_than_the_context_is_told_at_once() -> None:
    words = "This model's maximum context length is 512 tokens. context_length_exceeded"
    with (
        serving([Answer(words, 400)]) as server,
        asking(server.model()) as ask,
        pytest.raises(ModelFailed, match="512 tokens") as caught,
    ):
        ask("Well?", answer=Score)
    assert (caught.value.kind, len(server.requests)) == ("too_long", 1)


def test_a_server_that_never_answers_costs_the_time_allowed() -> None:
    limits = AskLimits(attempt_seconds=0.6)
    with (
        serving([Answer("late", delay=5)]) as server,
        asking(server.model(), limits=limits) as ask,
        pytest.raises(ModelFailed) as caught,
    ):
        ask("Well?")
    assert (caught.value.kind, len(server.requests)) == ("stalled", 2)
    assert caught.value.seconds < 3


@pytest.mark.long
def test_a_connection_that_is_cut_is_tried_three_times() -> None:
    with (
        serving([Answer(drop=True)]) as server,
        asking(server.model(), sleep=no_pause) as ask,
        pytest.raises(ModelFailed) as caught,
    ):
        ask("Well?")
    assert (caught.value.kind, len(server.requests)) == ("unreachable", 3)


def llama(request: dict[str, Any]) -> Answer:
    """As llama-cpp-python 0.3.36 answers (docs/models.md)."""
    if form_of(request) == "json_schema":
        return Answer("literal_error: response_format.type: Input should be 'text'", 500)
    said = '{"score": 4, "reason": "neat"}'
    return Answer(said, tool="give_answer" if form_of(request) == "tool" else "")


def test_a_server_without_schemas_is_asked_by_a_tool_call_from_then_on() -> None:
    told: list[str] = []
    with serving(llama) as server, asking(server.model(), tell=told.append) as ask:
        replies = [ask("How good?", answer=Score) for _ in range(3)]
    assert [form_of(request) for request in server.requests] == ["json_schema", *["tool"] * 3]
    assert {reply.answer for reply in replies} == {Score(score=4, reason="neat")}
    assert [reply.usage.requests for reply in replies] == [2, 1, 1]
    assert [line.split(" (")[0] for line in told] == ["a JSON schema is not taken"]
    function = server.requests[1]["tools"][0]["function"]
    assert function["parameters"]["required"] == ["score", "reason"]
    assert server.requests[1]["tool_choice"]["function"]["name"] == "give_answer"


@pytest.mark.parametrize(
    ("written", "reason", "problem"),
    [
        ('{"score": 4, "reason": "neat\nand short"}', "neat\nand short", None),
        ('{"score": 4, "reason": "neat",}', "neat", None),
        ('{"score": 4, "reas', None, "the reply is no JSON: it is cut off"),
        ('{"score": Infinity}', None, 'the reply is no JSON: {"score": Infinity}'),
    ],
)
def test_arguments_that_inspect_cannot_read_are_read_as_the_model_wrote_them(
    written: str, reason: str | None, problem: str | None
) -> None:
    def said(request: dict[str, Any]) -> Answer:
        tool = "give_answer" if form_of(request) == "tool" else ""
        return Answer(written if tool else "no", 200 if tool else 500, tool=tool)

    with serving(said) as server, asking(server.model()) as ask:
        reply = ask("How good?", answer=Score)
    assert reply.text == written
    assert (reply.answer and reply.answer.reason, reply.problem) == (reason, problem)


def test_forms_go_down_to_words_with_the_schema() -> None:
    def said(request: dict[str, Any]) -> Answer | str:
        if form_of(request) == "text":
            return '{"score": 4, "reason": "neat"}'
        return Answer("unknown argument", 422)

    with serving(said) as server, asking(server.model()) as ask:
        reply = ask("How good?", answer=Score)
    forms = [form_of(request) for request in server.requests]
    assert forms == ["json_schema", "tool", "json_object", "text"]
    assert server.requests[2]["response_format"]["schema"]["required"] == ["score", "reason"]
    assert '"required":["score","reason"]' in prompt_of(server.requests[3])
    assert reply.answer == Score(score=4, reason="neat")


def test_without_pictures_the_prompt_is_a_plain_string() -> None:
    with serving(["fine"]) as server, asking(server.model()) as ask:
        ask("Well?", system="Be fair.")
        ask("And this?", images=[PNG])
    assert [message["content"] for message in server.requests[0]["messages"]] == [
        "Be fair.", "Well?",
    ]  # fmt: skip
    assert isinstance(server.requests[1]["messages"][-1]["content"], list)


def test_a_reply_that_is_cut_is_asked_for_once_more() -> None:
    with serving([Answer('{"score": 4', cut=True)]) as server, asking(server.model()) as ask:
        reply = ask("How good?", answer=Score)
    assert (reply.cut, reply.answer, len(server.requests)) == (True, None, 2)
    assert "and shorter" in prompt_of(server.requests[1])


def test_tasks_that_share_a_model_share_what_is_known_of_it() -> None:
    with serving(llama) as server:
        model = server.model()

        async def both() -> None:
            async with model:
                await ask_model(model, "How good?", answer=Score)
                await ask_model(model, "And now?", answer=Score)

        anyio.run(both)
    assert len(server.requests) == 3


def test_the_record_of_usage_is_the_servers() -> None:
    account = RunCosts()
    replies: list[Answer | str] = [Answer("busy", 503), "one", "two"]
    with serving(replies) as server, asking(
        server.model(), sleep=no_pause, account=account
    ) as ask:  # fmt: skip
        ask("Well?")
        ask("And?")
    assert account.spent.requests == len(server.requests) == 3
    assert (account.spent.input_tokens, account.spent.output_tokens) == (14, 6)


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


def test_threads_of_a_thread_that_asked_may_ask_too() -> None:
    usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)

    def said(*_: object) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", "yes")
        output.usage = usage
        return output

    def work() -> list[str]:
        ask = asking_from_thread(get_model("mockllm/model", custom_outputs=said, memoize=False))
        first = ask("Well?").text
        with ThreadPoolExecutor(2) as pool:
            asked: list[Any] = [pool.submit(copy_context().run, ask, "And?") for _ in range(3)]
            return [first, *(one.result().text for one in asked)]

    async def task() -> list[str]:
        return await anyio.to_thread.run_sync(work)

    assert anyio.run(task) == ["yes"] * 4


def test_a_function_that_the_task_made_serves_any_thread_and_counts_for_the_task() -> None:
    counted: ContextVar[list[str] | None] = ContextVar("counted", default=None)

    def said(*_: object) -> ModelOutput:
        found = counted.get()
        assert found is not None, "the model was asked outside the context of the task"
        found.append("asked")
        output = ModelOutput.from_content("mockllm/model", "yes")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    def work(ask: Ask) -> list[str]:
        with ThreadPoolExecutor(2) as pool:  # plain threads, without a copy of the context
            return [reply.text for reply in pool.map(ask, ["Well?"] * 4)]

    async def task() -> tuple[list[str], int]:
        counted.set([])
        ask = asking_from_thread(get_model("mockllm/model", custom_outputs=said, memoize=False))
        replies = await anyio.to_thread.run_sync(work, ask)
        return replies, len(counted.get() or [])

    assert anyio.run(task) == (["yes"] * 4, 4)


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
