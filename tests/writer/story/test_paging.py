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
from decklab.writer.story.paging import PagePart, told_on_pages
from decklab.writer.story.pieces import MOST_WORDS
from decklab.writer.story.roles import StatementRole
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
    count = len(statements)
    roles = (frozenset[StatementRole](),) * count
    return Weighed(tuple(statements), (1.0,) * count, np.eye(count), places, roles)


def pages_of(topics: list[Topic], pages: int) -> tuple[Weighed, list[PagePart]]:
    weights = weights_of(topics)
    made = told_on_pages(topics, weights, VISUALS, "report", most=pages)
    return weights, made(pages)[0]


def test_each_section_gets_a_page_and_a_long_one_more() -> None:
    topics = [topic("First", 20, 20), topic("Long", *[20] * 9), topic("Last", 20, 20)]
    _, parts = pages_of(topics, 8)
    headings = [part.group.heading for part in parts]
    assert headings[0] == "First" and headings[-1] == "Last"
    assert headings.count("Long") > 2


def test_of_every_section_something_is_told_while_others_are_long() -> None:
    topics = [topic(f"Topic {at}", *[20] * (30 if at == 2 else 4)) for at in range(6)]
    _, parts = pages_of(topics, 6)
    told = {part.heading for page in parts for part in page.topics}
    assert told == {whole.heading for whole in topics}


def test_with_too_few_pages_sections_are_joined_or_left_out() -> None:
    topics = [topic(f"Topic {at}", 20, 20) for at in range(9)]
    _, parts = pages_of(topics, 2)
    assert len(parts) == 2
    assert all(len(part.topics) <= 3 for part in parts)


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
    weights, parts = pages_of(topics, pages)
    assert len(parts) <= pages
    numbers = [at for part in parts for at in part.statements]
    assert len(numbers) == len(set(numbers))
    for part in parts:
        assert part.statements == tuple(sorted(part.statements))
        assert sum(weights.statements[at].words for at in part.statements) <= MOST_WORDS
        assert {id(topic) for topic in part.topics} <= {id(topic) for topic in part.group.topics}


@pytest.mark.parametrize("pages", [6, 20])
def test_while_there_is_room_nothing_is_left_out(pages: int) -> None:
    _, parts = pages_of([topic(f"T{at}", 20, 20) for at in range(5)], pages)
    assert [at for part in parts for at in part.statements] == [*range(10)]


def test_the_name_of_an_option_keeps_its_brackets() -> None:
    text = "--heap=<yes|no> [default: yes]: Whether heap profiling is done"
    item = Statement(text, Evidence(document="d", quote=text), 1.0, item=True)
    assert item.name == "--heap=<yes|no> [default: yes]"
