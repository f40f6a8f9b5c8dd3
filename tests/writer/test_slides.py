"""Which layout shows a page: looks in turn, key points, opposites, events, figures of a report."""

from itertools import pairwise
from pathlib import Path

import pytest

from decklab.board.blueprint import SlidePlan
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.workbench.web.draft_work import noted_evidence
from decklab.writer.outline import Evidence, Outline, OutlinePage, OutlinePoint, PageForm, VisualRef
from decklab.writer.slides import deck_plan
from decklab.writer.story.outlining import story_of
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
    assert {layout for layout, _ in looks} == {"cards", "two_columns"}


def test_none_of_equal_points_stands_out(sources: KnowledgeBase, tmp_path: Path) -> None:
    points = ("The stay of a ship shortened by 5 hours", f"First {LONG}", f"Then {LONG}")
    (plan,) = plans(sources, tmp_path, page(*points))
    assert plan.key is None
    assert list(plan.texts[1:]) == list(points)


def test_a_sentence_beside_a_list_has_no_bullet_and_numbers_are_the_marks(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    listed = page("1. Open the valve", "2. Close it again").points
    told = OutlinePoint(text=f"Nobody else does it. {LONG}", bare=True)
    (plan,) = plans(sources, tmp_path, OutlinePage(title="T", points=(*listed, told)))
    marks = [(point.mark, point.text) for point in plan.body]
    assert marks == [("1.", "Open the valve"), ("2.", "Close it again"), ("", told.text)]


def test_the_caption_of_a_table_stands_below_the_title_with_its_units(tmp_path: Path) -> None:
    path = tmp_path / "noise.md"
    caption = "Table 1: Noise by job. Action values: lower 80 dB, upper 85 dB."
    rows = "| Job | Level |\n|---|---|\n| Press | 88.7 |\n| Office | low |\n"
    path.write_text(f"# Noise\n\n## Results\n\n{caption}\n\n{rows}")
    known = read_documents([path])
    shown = OutlinePage(title="T", visual=VisualRef(kind="table", document=path.name, number=1))
    (plan,) = plans(known, tmp_path, shown)
    assert plan.layout == "table"
    assert plan.subtitle == "Noise by job. Action values: lower 80 dB, upper 85 dB"


def test_notes_are_what_to_say_and_then_the_sources(sources: KnowledgeBase, tmp_path: Path) -> None:
    said = Evidence(document="harbour.md", page=1, quote="ships called\nat the quay")
    asked = Evidence(document="harbour.md", page=2, quote="How often?")
    points = (
        OutlinePoint(text="How often?", evidence=(asked,)),
        OutlinePoint(text="Ships called", evidence=(said,)),
    )
    whole = OutlinePage(title="T", evidence=(said,), points=points)
    told = whole.model_copy(update={"notes": "Say hello."})
    (plan, own) = plans(sources, tmp_path, whole, told)
    prose, quotes = plan.notes.split("\n", 1)
    assert prose == "Ships called at the quay. How often?"
    found = noted_evidence(plan.notes.replace("called\nat", "called at"))
    assert [item["quote"] for item in found["evidence"]] == [
        "ships called at the quay",
        "How often?",
    ]
    assert found["notes"] == prose
    assert own.notes.split("\n")[0] == "Say hello." and own.notes.endswith(quotes)


@pytest.mark.parametrize(
    ("texts", "cards"),
    [
        (("Budget: 34 sensors are built", "Review: it is rehearsed on 12 January"),
         [("Budget", "34 sensors are built"), ("Review", "it is rehearsed on 12 January")]),
        (("Replace the glands (N. Ames, 11 December)", "Raise the antennas, A. Cole, by 3 May"),
         [("N. Ames · 11 December", "Replace the glands"),
          ("A. Cole · by 3 May", "Raise the antennas")]),
        (("完成防水施工,负责人李敏,11月15日前", "鼓风机验收,负责人陈国强,11月20日前"),
         [("负责人李敏 · 11月15日前", "完成防水施工"),
          ("负责人陈国强 · 11月20日前", "鼓风机验收")]),
        (("Budget: it is kept", "We met at 10:30 in the hut"),
         [("Budget: it is kept", None), ("We met at 10:30 in the hut", None)]),
    ],
)  # fmt: skip
def test_terms_with_meanings_and_tasks_with_owners_are_pairs(
    texts: tuple[str, ...], cards: list[tuple[str, str | None]],
    sources: KnowledgeBase, tmp_path: Path,
) -> None:  # fmt: skip
    (plan,) = plans(sources, tmp_path, page(*texts))
    assert [(card.label, card.text) for card in plan.cards] == cards


def test_what_announces_a_list_stands_above_it(sources: KnowledgeBase, tmp_path: Path) -> None:
    points = (
        OutlinePoint(text="A declaration can be:"),
        OutlinePoint(text="A rule", level=1),
        OutlinePoint(text="A build edge", level=1),
    )
    (plan,) = plans(sources, tmp_path, OutlinePage(title="T", topic="Files", points=points))
    assert plan.subtitle == "A declaration can be"
    assert [card.label for card in plan.cards] == ["A rule", "A build edge"]


def test_headings_side_by_side_are_cards_after_columns(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    texts = (("Joining", "All"), ("Leaving", "Yes"), ("Leaving", "At any time"))
    points = tuple(OutlinePoint(text=text, label=label) for label, text in texts)
    listed = OutlinePage(title="T", points=points, form="columns")
    single = listed.model_copy(update={"points": points[:2]})
    first, second, third = plans(sources, tmp_path, single, single, listed)
    assert (first.layout, second.layout) == ("two_columns", "cards")
    assert [card.text for card in second.cards] == ["All", "Yes"]
    assert third.layout == "two_columns"  # the points of a list stay apart


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


def test_a_cover_names_author_and_date_and_the_file_only_in_its_notes(tmp_path: Path) -> None:
    plain = tmp_path / "wells.md"
    plain.write_text("# Wells\n\nThe survey counted forty wells in the north in May.\n")
    other = tmp_path / "pumps.md"
    other.write_text("# Pumps\n\nSixteen pumps stood still for more than a month in June.\n")
    for paths, byline in (([plain], None), ([plain, other], "Source: wells.md, pumps.md")):
        sources = read_documents(paths)
        plan = deck_plan(story_of(sources, slides=5).outline, sources, tmp_path)
        assert plan.slides[0].byline == byline and "wells.md" in plan.slides[0].notes


def test_questions_with_their_answers_have_the_layout_of_these(tmp_path: Path) -> None:
    path = tmp_path / "faq.md"
    path.write_text(
        "# FAQ\n\n## Joining\n\n### Who can join?\n\nEverybody who lives in one of the six towns "
        "can join.\n\n### What does it cost?\n\nIt costs $12 a year, and nothing for children.\n"
    )
    sources = read_documents([path])
    plan = deck_plan(story_of(sources, slides=3).outline, sources, tmp_path)
    shown = next(slide for slide in plan.slides if slide.layout == "faq")
    assert [card.label for card in shown.cards] == ["Who can join?", "What does it cost?"]
