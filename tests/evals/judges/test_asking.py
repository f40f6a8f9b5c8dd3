"""Items asked about together: only what cannot be used is asked for again, and is told why."""

from collections.abc import Mapping

from decklab.core.results import NotScored
from decklab.evals.judges.asking import JudgeReply, ask_for_items
from decklab.models.asking import StrictForm, Usage


class Letters(StrictForm):
    said: dict[int, str]


class Replies:
    """Replies one after another; ``asked`` holds what was asked for, and what was told."""

    def __init__(self, *replies: Mapping[int, str] | NotScored) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[list[int], dict[int, str]]] = []

    def put(self, still: Mapping[int, str], told: Mapping[int, str]) -> JudgeReply[Letters]:
        self.asked.append((sorted(still), dict(told)))
        said = self.replies.pop(0)
        answer = said if isinstance(said, NotScored) else Letters(said=dict(said))
        return JudgeReply(answer, Usage(input_tokens=1))


def read(number: int, item: str, reply: Letters) -> str | NotScored:
    said = reply.said.get(number, "")
    return item + said if said else NotScored("there is no answer")


def test_only_what_is_missing_is_asked_for_again() -> None:
    replies = Replies({1: "x"}, {2: "y"})
    found = ask_for_items({1: "a", 2: "b"}, put=replies.put, read=read, tries=3)
    assert found.found == {1: "ax", 2: "by"}
    assert replies.asked == [([1, 2], {}), ([2], {2: "there is no answer"})]
    assert found.usage.input_tokens == 2


def test_what_is_missing_to_the_end_is_not_scored() -> None:
    replies = Replies({1: "x"}, {}, {})
    found = ask_for_items({1: "a", 2: "b"}, put=replies.put, read=read, tries=3)
    assert found.found == {1: "ax", 2: NotScored("there is no answer")}
    assert len(replies.asked) == 3


def test_a_reply_without_a_form_ends_it_for_what_is_open() -> None:
    replies = Replies({2: "y"}, NotScored("no JSON"))
    found = ask_for_items({1: "a", 2: "b"}, put=replies.put, read=read, tries=3)
    assert found.found == {1: NotScored("no JSON"), 2: "by"}
    assert len(replies.asked) == 2


def test_no_items_ask_nothing() -> None:
    replies = Replies()
    assert ask_for_items({}, put=replies.put, read=read, tries=3).found == {}
    assert replies.asked == []
