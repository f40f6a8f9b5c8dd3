"""Pages of topics: what shares a page, what gets several, and what is left out."""

from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decklab.documents.knowledge import KnowledgeBase
from decklab.writer.outline import Evidence
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import Statement, Topic
from decklab.writer.story.paging import Pager, Paging
from decklab.writer.story.parts import page_parts
from decklab.writer.story.passages import FULL_WORDS, PAGE_WORDS
from decklab.writer.story.visuals import Visuals

pytestmark = pytest.mark.usefixtures("long_document")

VISUALS = Visuals(KnowledgeBase(), "en")
_NUMBERS = count()


def statement(words: int) -> Statement:
    text = " ".join(["word"] * words)
    return Statement(text, Evidence(document="d", quote=f"{text} {next(_NUMBERS)}"), 1.0)


def topic(heading: str, *lengths: int, parts: tuple[Topic, ...] = ()) -> Topic:
    return Topic("d", heading, statements=tuple(map(statement, lengths)), parts=parts)


def weights_of(topics: list[Topic]) -> Weighed:
    """Weights that are all alike, of statements that have no word in common."""
    statements: list[Statement] = []
    places: dict[int, range] = {}
    for part in (part for whole in topics for part in whole.walk()):
        places[id(part)] = range(len(statements), len(statements) + len(part.statements))
        statements += part.statements
    return Weighed(tuple(statements), (1.0,) * len(statements), np.eye(len(statements)), places)


def paging_of(topics: list[Topic], pages: int) -> tuple[Weighed, Paging]:
    weights = weights_of(topics)
    return weights, Pager(weights, VISUALS).paging(topics, pages)


def test_each_topic_gets_a_page_and_a_long_one_more() -> None:
    long = topic("Long", *[20] * 9)
    _, paging = paging_of([topic("First", 20, 20), long], 8)
    assert [(group.heading, group.pages) for group in paging.groups] == [("First", 1), ("Long", 3)]


def test_a_part_leaves_the_page_of_its_heading_where_there_is_room() -> None:
    whole = topic("Whole", 20, 20, parts=(topic("One", 20, 20), topic("Two", 20, 20)))
    for pages, headings in ((1, ["Whole"]), (2, ["Whole", "One"]), (5, ["Whole", "One", "Two"])):
        _, paging = paging_of([whole], pages)
        assert sorted(group.heading for group in paging.groups) == sorted(headings)


def test_short_neighbours_stand_side_by_side() -> None:
    _, paging = paging_of([topic("Costs", 9), topic("Staff", 9), topic("Ships", 40)], 9)
    assert [group.side_by_side for group in paging.groups] == [True, False]
    assert [part.heading for part in paging.groups[0].topics] == ["Costs", "Staff"]


def test_with_too_few_pages_topics_are_joined_or_left_out() -> None:
    topics = [topic(f"Topic {at}", 20, 20) for at in range(9)]
    _, paging = paging_of(topics, 2)
    assert len(paging.groups) == 2
    held = [part.heading for group in paging.groups for part in group.topics]
    assert len(held) + len(paging.left_out) == 9
    assert all(len(group.topics) <= 3 for group in paging.groups)


lengths = st.lists(st.integers(1, 44), max_size=9)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(lengths, st.lists(lengths, max_size=3)), min_size=1, max_size=6),
       st.integers(1, 12))  # fmt: skip
def test_pages_are_bounded_and_say_nothing_twice(
    drawn: list[tuple[list[int], list[list[int]]]], pages: int
) -> None:
    topics = [
        topic(f"T{at}", *own, parts=tuple(
            topic(f"T{at}.{number}", *part) for number, part in enumerate(parts)
        ))
        for at, (own, parts) in enumerate(drawn)
    ]  # fmt: skip
    topics = [whole for whole in topics if not whole.is_empty]
    weights, paging = paging_of(topics, pages)
    said: set[int] = set()
    shown = [part for group in paging.groups for part in page_parts(group, weights, VISUALS, said)]
    assert len(shown) <= pages
    numbers = [at for part in shown for at in part.statements]
    assert len(numbers) == len(set(numbers))
    for part in shown:
        assert part.statements == tuple(sorted(part.statements))
        words = sum(weights.statements[at].words for at in part.statements)
        assert words <= FULL_WORDS or len(part.statements) == 1
        inside = {id(topic) for topic in part.group.topics}
        assert {id(topic) for topic in part.topics} <= inside


@pytest.mark.parametrize("pages", [6, 20])
def test_while_there_is_room_nothing_is_left_out(pages: int) -> None:
    topics = [topic(f"T{at}", PAGE_WORDS // 3, PAGE_WORDS // 3) for at in range(5)]
    weights, paging = paging_of(topics, pages)
    said: set[int] = set()
    for group in paging.groups:
        page_parts(group, weights, VISUALS, said)
    assert said == set(range(10)) and paging.left_out == ()


def test_the_name_of_an_option_keeps_its_brackets() -> None:
    text = "--heap=<yes|no> [default: yes]: Whether heap profiling is done"
    item = Statement(text, Evidence(document="d", quote=text), 1.0, item=True)
    assert item.name == "--heap=<yes|no> [default: yes]"
