"""Which layout shows a page: looks in turn, key points, opposites, events, figures of a report."""

from itertools import pairwise
from pathlib import Path

import pytest

from decklab.board.blueprint import SlidePlan
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.writer.extractive import extractive_outline
from decklab.writer.facts import is_figure, number_points, year_points
from decklab.writer.outline import Outline, OutlinePage, OutlinePoint, PageForm
from decklab.writer.slides import deck_plan
from decklab.writer.titling import is_claim, title_lines

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


def test_a_short_statement_with_an_amount_stands_out(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    points = (f"First {LONG}", "The stay of a ship shortened by 5 hours", f"Then {LONG}")
    (plan,) = plans(sources, tmp_path, page(*points))
    assert (plan.layout, plan.key) == ("body", 1)
    assert [point.text for point in plan.body] == list(points)


def test_one_point_is_a_quote_with_its_place_and_two_are_cards(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    one, two = plans(sources, tmp_path, page("A quay is a wall"), page("A quay is a wall", "B"))
    assert one.quote is not None and one.quote.text == "A quay is a wall"
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


def test_figures_are_percentages_and_money_in_short_sentences() -> None:
    assert is_figure("Sales fell by 12%", "12%")
    assert not is_figure("We sold 12% more of these", "12%")
    assert not is_figure("The crane lifts 60 tonnes", "60 tonnes")
    assert not is_figure(f"Sales fell by 12%, {LONG}", "12%")
    assert not is_figure("Nothing", "")
    two = number_points([OutlinePoint(text="Up by 4%"), OutlinePoint(text="It cost 3 euros")])
    assert [point.label for point in two] == ["4%", "3 euros"]
    assert number_points([OutlinePoint(text="Up by 4%")]) == ()


def test_a_report_with_money_in_three_long_chapters_opens_with_them(tmp_path: Path) -> None:
    chapter = (
        "The {0} cost {1} euros. Boats of the {0} come at night. The {0} has a red roof. "
        "A guard walks round the {0}. Lamps light the {0} after ten. Gulls sleep on the {0}.\n\n"
    )
    text = "".join(
        f"## The {name}\n\n{chapter.format(name, cost)}"
        for name, cost in (("quay", 310), ("tower", 520), ("bridge", 740), ("market", 0))
    ).replace("The market cost 0 euros. ", "")
    source = tmp_path / "town.md"
    source.write_text(f"# The town\n\n{text}")
    outline = extractive_outline(read_documents([source]), slides=12)
    figures = next(page for page in outline.pages if page.form == "numbers")
    assert figures.title == "Key figures"
    assert [point.label for point in figures.points] == ["310 euros", "520 euros", "740 euros"]
    said = [point.text for page in outline.pages if page.role == "body" for point in page.points]
    assert len(said) == len(set(said))


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The harbour earned 61 million euros", True),
        ("Meeting rooms are the scarcest thing in the house", True),
        ("We thank all who helped us with it", False),
        ("There are three types of cranes here", False),
        ("The crane, as we know, is large", False),
        ("Multiple endpoints per subject", False),
        ("", False),
    ],
)
def test_titles_state_something_by_themselves(text: str, claim: bool) -> None:
    assert is_claim(text) == claim


def test_a_long_title_ends_before_a_part_of_it() -> None:
    kept = "Testing and dating structural changes in the presence of heteroskedasticity"
    assert title_lines(f"{kept} and autocorrelation")[0] == kept
