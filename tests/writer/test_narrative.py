from pathlib import Path
from typing import Any

import pytest
from tests.writer.scripted import END, GOOD, NO_VISUAL, OUTLINED, PLAN, SAFE, Script, page, point

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.models.reading import Unanswered
from decklab.writer.narrative import NarratedOutline, narrate
from decklab.writer.request import WriteOptions


@pytest.fixture(scope="module")
def sources(harbour: Path) -> KnowledgeBase:
    return read_documents([harbour])


def made(sources: KnowledgeBase, **replies: list[Any]) -> tuple[NarratedOutline, Script]:
    usual: dict[str, list[Any]] = {
        "plan": [PLAN],
        "outline": [OUTLINED],
        "page2": [GOOD],
        "page3": [SAFE],
        "page4": [END],
        "figures": [NO_VISUAL],
    }
    script = Script(**{**usual, **replies})
    return narrate(sources, WriteOptions(slides=4), script, parallel=2), script


def test_each_stage_is_asked_once_and_each_point_has_its_evidence(sources: KnowledgeBase) -> None:
    got, script = made(sources)
    counts = {"plan": 1, "outline": 1, "page2": 1, "page3": 1, "page4": 1, "figures": 2}
    assert script.asked == counts
    assert got.left_out == ()
    assert got.usage.input_tokens == 700 and got.usage.requests == 7
    assert [one.role for one in got.outline.pages] == ["opening", "body", "body", "ending"]
    (shown,) = got.outline.pages[1].points
    assert shown.evidence[0].quote == "Container traffic grew by 12% to 48,000"
    assert shown.evidence[0].document == "harbour.md"


def test_stages_see_no_more_than_they_need(sources: KnowledgeBase) -> None:
    _, script = made(sources)
    plan = next(text for text in script.prompts if text.startswith("Plan the story"))
    assert "Traffic grew by 12% compared with 2024" in plan
    assert "18,000 containers" not in plan
    page2 = next(text for text in script.prompts if text.startswith("Write page 2"))
    assert "Container traffic grew by 12% to 48,000 units" in page2


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (point("Containers grew by 15%", "Container traffic grew by 12% to 48,000"), "15%"),
        (point("Containers grew", "Container traffic doubled"), "does not have the words"),
        (point("Containers grew", "Container traffic grew by 12%", 99), "no evidence 99"),
    ],
    ids=["an invented number", "an invented quote", "an invented source"],
)
def test_what_the_evidence_does_not_hold_is_asked_again_with_the_cause(
    sources: KnowledgeBase, bad: dict[str, Any], said: str
) -> None:
    got, script = made(sources, page2=[page(points=[bad]), GOOD])
    assert script.asked["page2"] == 2
    assert any(said in text for text in script.prompts)
    assert got.left_out == ()
    assert got.outline.pages[1].points[0].text == "Containers grew by 12%"


def test_a_model_that_insists_loses_the_point_and_it_is_named(sources: KnowledgeBase) -> None:
    both = page(points=[
        point("Containers grew by 12%", "Container traffic grew by 12% to 48,000"),
        point("Profits rose by 99%", "Container traffic grew by 12% to 48,000"),
    ])  # fmt: skip
    got, script = made(sources, page2=[both])
    assert script.asked["page2"] == 3
    assert [one.text for one in got.outline.pages[1].points] == ["Containers grew by 12%"]
    (line,) = got.left_out
    assert "page 2" in line and "Profits rose by 99%" in line


def test_a_page_of_which_nothing_holds_is_left_out_and_named(sources: KnowledgeBase) -> None:
    got, _ = made(sources, page2=[page(points=[point("Up by 99%", "nowhere", 1)])])
    assert [one.title for one in got.outline.pages] == [
        "A good year for the harbour", "Work is safer", "What follows",
    ]  # fmt: skip
    assert any("nothing of it could be proven" in line for line in got.left_out)


def test_a_title_with_an_invented_number_gives_way_to_the_planned_one(
    sources: KnowledgeBase,
) -> None:
    got, _ = made(sources, page2=[{**GOOD, "title": "Traffic grew by 77%"}])
    assert got.outline.pages[1].title == "Traffic"
    assert any("77%" in line for line in got.left_out)


@pytest.mark.parametrize(
    "plan",
    [
        {**PLAN, "pages": PLAN["pages"][:3]},
        {**PLAN, "pages": [*PLAN["pages"][:3], {**PLAN["pages"][3], "role": "body"}]},
        "no JSON at all",
        {"title": "T"},
    ],
    ids=["too few pages", "no ending", "prose", "half a form"],
)
def test_a_malformed_plan_is_asked_again_and_then_told(sources: KnowledgeBase, plan: Any) -> None:
    got, script = made(sources, plan=[plan, PLAN])
    assert script.asked["plan"] == 2 and len(got.outline.pages) == 4
    with pytest.raises(Unanswered, match="plan"):
        made(sources, plan=[plan])


def test_without_sources_nothing_is_quoted_and_numbers_are_refused() -> None:
    free = page(points=[point("Ships matter", "", 0)])
    numbered = page(points=[point("9 of 10", "", 0)])
    script = Script(plan=[PLAN], outline=[OUTLINED], page2=[numbered, free], page=[free])
    got = narrate(KnowledgeBase(), WriteOptions(prompt="harbours", slides=4), script)
    assert got.outline.pages[1].points[0].text == "Ships matter"
    assert script.asked["page2"] == 2
