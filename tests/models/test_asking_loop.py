"""Which requests are put again, how often, and how it ends; nobody really waits."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import anyio
import pytest
from pydantic import BaseModel, ConfigDict

from decklab.core.errors import BudgetSpent, ModelFailed
from decklab.models.asking import AskLimits, Budget, ModelReply, Prices, RunCosts, Usage
from decklab.models.asking_loop import (
    SHORTER,
    SIGHT_STAGE,
    Asker,
    ModelQuestion,
    ModelRequest,
    SendFailure,
    Sent,
)

SCHEMA_REFUSED = "literal_error: response_format.type: Input should be 'text' or 'json_object'"
"""Of llama-cpp-python 0.3.36, shortened; it comes with status 500."""


class Score(BaseModel):
    model_config = ConfigDict(extra="forbid")
    score: int


class Scripted:
    """A server by its replies, in order, the last repeated; each request takes ``took`` seconds."""

    def __init__(self, *said: str | Sent | SendFailure, took: float = 1.0) -> None:
        self.said, self.took = said, took
        self.requests: list[ModelRequest[Any]] = []
        self.pauses: list[float] = []
        self.told: list[str] = []
        self.now = 0.0

    async def send(self, request: ModelRequest[Any]) -> Sent:
        self.requests.append(request)
        self.now += min(self.took, request.seconds)
        said = self.said[min(len(self.requests), len(self.said)) - 1]
        if isinstance(said, SendFailure):
            raise said
        return Sent(said, 7, 3) if isinstance(said, str) else said

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def asker(self, **how: Any) -> Asker:
        return Asker("a/model", self.send, self.sleep, tell=self.told.append,
                     clock=lambda: self.now, **how)  # fmt: skip

    @property
    def forms(self) -> list[str | None]:
        return [request.form for request in self.requests]


def run(ask: Callable[..., Awaitable[Any]], *questions: ModelQuestion[Any]) -> Any:
    for question in questions:
        reply = anyio.run(ask, question)
    return reply


def failed(server: Scripted, *, answer: Any = None, **how: Any) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        run(server.asker(**how).ask, ModelQuestion("Well?", answer=answer))
    return caught.value


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 413, 415, 422, 501])
def test_a_refusal_is_told_at_once(status: int) -> None:
    server = Scripted(SendFailure("not like that", status))
    error = failed(server)
    assert (error.kind, error.requests, server.pauses) == ("refused", 1, [])
    assert str(error) == f"a/model: refused ({status}: not like that)"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (408, "busy"),
        (429, "busy"),
        (529, "busy"),
        (500, "server"),
        (503, "server"),
        (504, "server"),
    ],
)
def test_a_busy_server_is_asked_five_times(status: int, kind: str) -> None:
    server = Scripted(SendFailure("slow down", status))
    error = failed(server)
    assert (error.kind, error.requests, len(server.requests)) == (kind, 5, 5)
    assert [round(pause / 2**at, 2) <= 2 for at, pause in enumerate(server.pauses)] == [True] * 4
    assert all(pause >= 1.5 * 2**at for at, pause in enumerate(server.pauses))
    assert len(server.told) == 4
    assert f"({status}: slow down), try 2 of 5 in 2 s" in server.told[0]
    assert error.seconds == pytest.approx(5 + sum(server.pauses))


def test_a_server_that_fails_when_it_is_shown_a_picture_is_asked_twice() -> None:
    server = Scripted(SendFailure("can only concatenate str", 500))
    with pytest.raises(ModelFailed) as caught:
        run(server.asker().ask, ModelQuestion("Which number?", images=(b"",), stage=SIGHT_STAGE))
    assert (caught.value.kind, len(server.requests)) == ("server", 2)


def test_a_failure_that_passes_leaves_the_reply() -> None:
    server = Scripted(SendFailure("busy", 503), "fine")
    reply = run(server.asker().ask, ModelQuestion("Well?"))
    assert (reply.text, reply.usage.requests, reply.usage.input_tokens) == ("fine", 2, 7)


def test_the_pause_is_the_one_that_the_server_asks_for() -> None:
    server = Scripted(SendFailure("later", 429, retry_after=7.0), "fine")
    run(server.asker().ask, ModelQuestion("Well?"))
    assert server.pauses == [7.0]


def test_a_pause_beyond_the_time_left_is_not_waited_for() -> None:
    server = Scripted(SendFailure("tomorrow", 429, retry_after=86_400.0))
    error = failed(server)
    assert (error.kind, error.requests, server.pauses) == ("busy", 1, [])


def test_all_tries_together_are_bounded_by_time() -> None:
    server = Scripted(SendFailure("broken", 503), took=100.0)
    error = failed(server, limits=AskLimits(question_seconds=250, tries=99))
    assert error.kind == "server"
    assert server.now <= 250
    assert len(server.requests) <= 3


def test_a_server_that_gives_no_sign_is_asked_once_more() -> None:
    server = Scripted(SendFailure("", kind="stalled"), took=1e9)
    error = failed(server)
    assert (error.kind, error.requests, server.now) == ("stalled", 2, 600.0)


def test_a_server_that_cannot_be_reached_is_tried_three_times() -> None:
    server = Scripted(SendFailure("connection refused", kind="unreachable"))
    assert (failed(server).kind, len(server.requests)) == ("unreachable", 3)


@pytest.mark.parametrize("words", ["context_length_exceeded", "This model's maximum context is 8"])
def test_a_question_that_is_too_long_is_said_so(words: str) -> None:
    server = Scripted(SendFailure(words, 400))
    error = failed(server, answer=Score)
    assert (error.kind, error.requests) == ("too_long", 1)


def test_what_the_filter_withholds_is_said_so() -> None:
    error = failed(Scripted(SendFailure("", kind="withheld")))
    assert (error.kind, error.detail) == ("withheld", "the provider's filter withheld the reply")


@pytest.mark.parametrize("status", [400, 404, 405, 415, 422, 500, 501])
def test_a_form_that_is_refused_gives_way_to_the_next_and_is_remembered(status: int) -> None:
    server = Scripted(SendFailure(SCHEMA_REFUSED, status), '{"score": 4}')
    asker = server.asker()
    question = ModelQuestion("How good?", answer=Score)
    first = run(asker.ask, question)
    assert (first.answer, first.form, first.usage.requests) == (Score(score=4), "tool", 2)
    assert (run(asker.ask, question).form, server.pauses) == ("tool", [])
    assert server.forms == ["json_schema", "tool", "tool"]
    assert "a JSON schema is not taken" in server.told[0]


def test_the_last_form_is_words() -> None:
    refused = SendFailure("no such thing", 400)
    server = Scripted(refused, refused, refused, '{"score": 4}')
    assert run(server.asker().ask, ModelQuestion("?", answer=Score)).form == "text"
    assert server.forms == ["json_schema", "tool", "json_object", "text"]


def test_where_every_form_is_refused_nothing_is_remembered() -> None:
    server = Scripted(*[SendFailure("picky", 400)] * 4, '{"score": 4}')
    asker = server.asker()
    with pytest.raises(ModelFailed, match="after 4 requests in 4 s: refused"):
        run(asker.ask, ModelQuestion("?", answer=Score))
    assert run(asker.ask, ModelQuestion("?", answer=Score)).form == "json_schema"


def test_a_picture_that_is_refused_is_no_fault_of_the_form() -> None:
    server = Scripted(SendFailure("image too large", 400))
    assert failed(server, answer=Score).requests == 1


def test_a_form_that_worked_is_not_left_for_a_server_that_fails() -> None:
    server = Scripted('{"score": 4}', SendFailure("json trouble", 500), '{"score": 3}')
    question = ModelQuestion("How good?", answer=Score)
    reply = run(server.asker().ask, question, question)
    assert server.forms == ["json_schema"] * 3
    assert (reply.answer, len(server.pauses)) == (Score(score=3), 1)


def test_a_form_that_worked_is_left_for_one_schema_that_is_refused_by_name() -> None:
    class Odd(Score):
        pass

    server = Scripted('{"score": 4}', SendFailure("schema: unsupported keyword", 400),
                      '{"score": 3}')  # fmt: skip
    asker = server.asker()
    run(asker.ask, ModelQuestion("?", answer=Score), ModelQuestion("?", answer=Odd))
    run(asker.ask, ModelQuestion("?", answer=Score), ModelQuestion("?", answer=Odd))
    assert server.forms == ["json_schema", "json_schema", "tool", "json_schema", "tool"]


def test_a_form_that_brings_prose_twice_is_left() -> None:
    server = Scripted("Four.", "Four!", '{"score": 4}')
    question = ModelQuestion("?", answer=Score)
    asker = server.asker()
    assert run(asker.ask, question).problem == "the reply is no JSON: Four."
    run(asker.ask, question, question)
    assert server.forms == ["json_schema", "json_schema", "tool"]


def test_a_temperature_that_is_refused_is_left_out() -> None:
    server = Scripted(SendFailure("Unsupported value: temperature", 400), "fine")
    run(server.asker().ask, ModelQuestion("?", temperature=0.2, answer=Score))
    assert server.forms == ["json_schema"] * 2
    assert [one.question.temperature for one in server.requests] == [0.2, None]
    assert server.pauses == []


def test_a_reply_that_is_cut_off_is_asked_for_once_more_and_shorter() -> None:
    server = Scripted(Sent('{"score":', 7, 3, cut=True))
    reply: ModelReply[Score] = run(server.asker().ask, ModelQuestion("?", answer=Score))
    assert (reply.cut, reply.problem) == (True, "the reply is cut off by its length limit")
    assert [one.again for one in server.requests] == ["", SHORTER]
    assert [one.more_room for one in server.requests] == [False, True]
    assert reply.usage.output_tokens == 6


def test_a_reply_that_is_cut_off_counts_where_the_budget_allows_no_other() -> None:
    server = Scripted(Sent('{"sco', 7, 400, cut=True), '{"score": 4}')
    asker = server.asker(account=RunCosts(Budget(tokens=400)))
    reply = run(asker.ask, ModelQuestion("How good?", answer=Score))
    assert (reply.cut, reply.usage.output_tokens, len(server.requests)) == (True, 400, 1)


def test_where_the_first_reply_counts_nothing_is_asked_again() -> None:
    server = Scripted(Sent("Fo", 7, 3, cut=True), "Four.", "Four!", '{"score": 4}')
    question = ModelQuestion("?", answer=Score, first_reply=True)
    reply = run(server.asker().ask, *[question] * 4)
    assert (reply.answer, len(server.requests)) == (Score(score=4), 4)
    assert server.forms == ["json_schema"] * 4


def test_an_empty_reply_is_a_problem() -> None:
    assert run(Scripted("").asker().ask, ModelQuestion("?")).problem == "the reply is empty"


@pytest.mark.parametrize(
    ("budget", "told", "allowed"),
    [
        (Budget(tokens=25), "the budget of 25 tokens is spent: 30", 3),
        (Budget(dollars=0.00007), "the budget of 7e-05 dollars is spent: 0.0001", 2),
        (Budget(minutes=0.05), "the budget of 0.05 minutes is spent: 0.1", 3),
    ],
)
def test_beyond_the_budget_nothing_is_sent(budget: Budget, told: str, allowed: int) -> None:
    server = Scripted("yes")
    account = RunCosts(budget, Prices(1.0, 10.0), clock=lambda: server.now)
    asker = server.asker(account=account)
    with pytest.raises(BudgetSpent, match=told):
        run(asker.ask, *[ModelQuestion("?")] * 9)
    assert len(server.requests) == allowed == account.spent.requests


def test_failed_requests_count() -> None:
    server = Scripted(SendFailure("busy", 429), "yes", took=2.0)
    account = RunCosts(clock=lambda: server.now)
    run(server.asker(account=account).ask, ModelQuestion("?"))
    assert replace(account.spent, seconds=0.0) == Usage(7, 3, 0.0, 2)
    assert account.spent.seconds == pytest.approx(4.0)
    assert account.cost is None


def test_dollars_need_prices() -> None:
    with pytest.raises(ValueError, match="prices"):
        RunCosts(Budget(dollars=1.0))


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (Budget(tokens=1000), "the budget of 1,000 tokens cannot be kept: the provider tells no"),
        (Budget(dollars=1.5), "the budget of 1.5 dollars cannot be kept: the provider tells no"),
    ],
)
def test_where_tokens_are_not_told_a_budget_in_them_ends_the_run(budget: Budget, told: str) -> None:
    server = Scripted(Sent("yes", 0, 0, untold=1))
    account = RunCosts(budget, Prices(1.0, 10.0), clock=lambda: server.now)
    asker = server.asker(account=account)
    with pytest.raises(BudgetSpent, match=told):
        run(asker.ask, *[ModelQuestion("?")] * 9)
    assert len(server.requests) == account.spent.untold == 1
    assert account.cost is None
    account = RunCosts(replace(budget, minutes=9.0), Prices(1.0, 10.0), clock=lambda: server.now)
    run(server.asker(account=account).ask, *[ModelQuestion("?")] * 3)  # minutes bound it


def test_each_model_has_its_own_prices() -> None:
    account = RunCosts(prices={"a/dear": Prices(10.0, 100.0), "": Prices(1.0, 10.0)})
    account.add(Usage(7, 3), "a/dear")
    account.add(Usage(7, 3), "a/cheap")
    assert account.cost == pytest.approx((70 + 300 + 7 + 30) / 1e6)


def test_the_cost_of_a_model_without_prices_is_not_known() -> None:
    account = RunCosts(Budget(dollars=1.0), {"a/dear": Prices(10.0, 100.0)})
    account.check("a/dear")
    account.add(Usage(7, 3), "a/cheap")
    assert account.cost is None
    with pytest.raises(BudgetSpent, match="there are no prices of a/cheap"):
        account.check("a/dear")
