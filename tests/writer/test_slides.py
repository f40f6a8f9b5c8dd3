"""Which layout shows a page: looks in turn, key points, opposites, events, figures of a report."""

from itertools import pairwise
from pathlib import Path

import pytest

from decklab.board.blueprint import SlidePlan
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.writer.outline import Outline, OutlinePage, OutlinePoint, PageForm
from decklab.writer.slides import deck_plan
from decklab.writer.story.facts import number_points, year_points
from decklab.writer.story.titles import claim_text, title_lines

LONG = (
    "the authority of the harbour in the north paid for all of the new cranes on the quay and for "
    "the road that leads to the warehouses behind it"
)


@pytest.fixture(scope="module")
def sources(harbour: Path) -> KnowledgeBase:
    return read_documents([harbour])


def page(*texts: str, label: str = "", form: PageForm = "points") -> OutlinePage:
    points = tuple(OutlinePoint(text=text, label=label) for text in texts)
    return OutlinePage(title="T", points=points, form=form)


def plans(sources: KnowledgeBase, folder: Path, *pages: OutlinePage) -> tuple[SlidePlan, ...]:
    return deck_plan(Outline(title="T", pages=pages), sources, folder).slides


def test_pages_of_one_kind_look_different_in_turn(sources: KnowledgeBase, tmp_path: Path) -> None:
    four = page(
        "Ships from 31 countries called at the quay",
        "Repairs took 4 days in total",
        "The crane lifts 60 tonnes of freight",
        "Accidents fell from 14 to 9",
    )
    made = plans(sources, tmp_path, *[four] * 5)
    looks = [(plan.layout, plan.key is not None) for plan in made]
    assert all(first != second for first, second in pairwise(looks))
    assert {layout for layout, _ in looks} == {"cards", "body"}


def test_a_short_first_statement_with_an_amount_stands_out(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    points = ("The stay of a ship shortened by 5 hours", f"First {LONG}", f"Then {LONG}")
    (plan,) = plans(sources, tmp_path, page(*points))
    assert (plan.layout, plan.key) == ("body", 0)
    assert [point.text for point in plan.body] == list(points)


def test_only_words_in_quotation_marks_are_a_quote_and_two_points_are_cards(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    said, plain, two = plans(
        sources, tmp_path, page("“A quay is a wall”"), page("A quay is a wall"),
        page("A quay is a wall", "B"),
    )  # fmt: skip
    assert said.quote is not None and said.quote.text == "A quay is a wall"
    assert plain.quote is not None and not plain.quote.quoted
    assert [card.label for card in two.cards] == ["A quay is a wall", "B"]


@pytest.mark.parametrize(
    ("first", "second", "layout"),
    [("Costs of 2025", "Savings", "comparison"), ("Costs", "Staff", "two_columns")],
)
def test_opposites_are_compared(
    first: str, second: str, layout: str, sources: KnowledgeBase, tmp_path: Path
) -> None:
    points = (OutlinePoint(text="a", label=first), OutlinePoint(text="b", label=second))
    both = OutlinePage(title="T", points=points, form="columns")
    (plan,) = plans(sources, tmp_path, both)
    assert plan.layout == layout


def test_events_stand_in_the_order_of_their_years() -> None:
    texts = ("It closed in 2024", "The quay was built in 1911", "A crane came in 1950")
    dated = year_points([OutlinePoint(text=text) for text in texts])
    assert [point.label for point in dated] == ["1911", "1950", "2024"]
    assert year_points([OutlinePoint(text=text) for text in (*texts, "No year at all")]) == ()
    assert year_points([OutlinePoint(text=text) for text in (*texts, "Again in 1911")]) == ()
    assert year_points([]) == ()


def test_points_with_amounts_are_labelled_by_them() -> None:
    two = number_points([OutlinePoint(text="Up by 4%"), OutlinePoint(text="It cost 3 euros")])
    assert [point.label for point in two] == ["4%", "3 euros"]
    assert number_points([OutlinePoint(text="Up by 4%")]) == ()


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The harbour earned 61 million euros", True),
        ("Meeting rooms are the scarcest thing in the house", True),
        ("We thank all who helped us with it", False),
        ("They are larger than in 2024", False),
        ("Is the crane large enough for us?", False),
        ("There are three types of cranes here", False),
        ("The crane, as we know, is large, and new", False),
        ("Multiple endpoints per subject", False),
        ("", False),
    ],
)
def test_titles_state_something_by_themselves(text: str, claim: bool) -> None:
    assert bool(claim_text(text)) == claim


def test_a_long_title_ends_before_a_part_of_it() -> None:
    kept = "Testing and dating structural changes in the presence of heteroskedasticity"
    assert title_lines(f"{kept} and autocorrelation")[0] == kept


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        (
            "The stay of a ship shortened by 5 hours, which the pilots of the harbour had "
            "asked for in every year of the last decade",
            "The stay of a ship shortened by 5 hours",
        ),
        (
            "The stay of a ship shortened by a third of the time of the year before, which is "
            "5 hours for a large one",
            "",
        ),
        (
            "The authority did not pay for the road that leads from the quay to the warehouses in "
            "the north of the town",
            "",
        ),
    ],
)
def test_a_title_keeps_its_numbers_and_its_negation(sentence: str, title: str) -> None:
    assert claim_text(sentence) == title
