"""Items asked about together: only what cannot be used is asked for again, and is told why."""

from collections.abc import Mapping
from typing import Any

import pytest

from decklab.core.results import NotScored
from decklab.evals.judges.asking import Questions
from decklab.models.asking import ModelReply, StrictForm, Usage


class Letters(StrictForm):
    said: dict[int, str]


class Replies:
    """Replies one after another; ``asked`` holds what was asked for, and what was told."""

    def __init__(self, *replies: Mapping[int, str] | NotScored) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[list[int], dict[int, str]]] = []

    def put(self, still: Mapping[int, str], told: Mapping[int, str]) -> Letters | NotScored:
        self.asked.append((sorted(still), dict(told)))
        said = self.replies.pop(0)
        return said if isinstance(said, NotScored) else Letters(said=dict(said))

    def answers(self, items: Mapping[int, str]) -> Mapping[int, str | NotScored]:
        return Questions(nobody).put_items(items, put=self.put, read=read, tries=3)


def nobody(prompt: str, **_: Any) -> ModelReply[Any]:
    raise AssertionError(prompt)


def read(number: int, item: str, reply: Letters) -> str | NotScored:
    said = reply.said.get(number, "")
    return item + said if said else NotScored("there is no answer")


def test_only_what_is_missing_is_asked_for_again() -> None:
    replies = Replies({1: "x"}, {2: "y"})
    assert replies.answers({1: "a", 2: "b"}) == {1: "ax", 2: "by"}
    assert replies.asked == [([1, 2], {}), ([2], {2: "there is no answer"})]


def test_what_is_missing_to_the_end_is_not_scored() -> None:
    replies = Replies({1: "x"}, {}, {})
    assert replies.answers({1: "a", 2: "b"}) == {1: "ax", 2: NotScored("there is no answer")}
    assert len(replies.asked) == 3


def test_a_reply_without_a_form_ends_it_for_what_is_open() -> None:
    replies = Replies({2: "y"}, NotScored("no JSON"))
    assert replies.answers({1: "a", 2: "b"}) == {1: NotScored("no JSON"), 2: "by"}
    assert len(replies.asked) == 2


def test_no_items_ask_nothing() -> None:
    replies = Replies()
    assert replies.answers({}) == {}
    assert replies.asked == []


class Numbers(StrictForm):
    said: list[int]


def test_what_all_tries_cost_adds_up_and_drafts_that_do_not_hold_are_named() -> None:
    prompts: list[str] = []

    def ask(prompt: str, **_: Any) -> ModelReply[Any]:
        prompts.append(prompt)
        text = "no JSON" if len(prompts) == 1 else '{"said": [1, 2]}'
        return ModelReply(text, usage=Usage(input_tokens=1))

    questions = Questions(ask)
    kept = questions.draft_items(
        lambda end: questions.draft(f"Numbers{end}", Numbers, ValueError).said,
        lambda number: number if number == 1 else "too large",
        lambda number: f"number {number}",
    )
    assert kept == [1, 1, 1] and questions.left_out == ["number 2: too large"]
    assert questions.usage.input_tokens == len(prompts) == 4
    assert prompts[0] == "Numbers" and "- number 2: too large" in prompts[2]


def test_a_draft_that_cannot_be_had_is_an_error_of_the_caller() -> None:
    def ask(prompt: str, **_: Any) -> ModelReply[Any]:
        return ModelReply("no JSON", usage=Usage(requests=1))

    questions = Questions(ask)
    with pytest.raises(LookupError, match="JSON"):
        questions.draft("Numbers", Numbers, LookupError)
    assert questions.usage.requests == 3
