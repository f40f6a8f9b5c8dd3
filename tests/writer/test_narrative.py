from pathlib import Path
from typing import Any

import pytest
from tests.writer.scripted import END, GOOD, OUTLINED, PLAN, SAFE, Script, outlined, page, point

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.models.reading import Unanswered
from decklab.writer.narrative import NarratedOutline, narrate, source_words
from decklab.writer.outline import VisualRef
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
    }
    script = Script(**{**usual, **replies})
    return narrate(sources, WriteOptions(slides=4), script), script


def showing(visual: str) -> dict[str, Any]:
    """The outline, with a figure or table on page 2."""
    pages = [*OUTLINED["pages"]]
    pages[1] = outlined("Traffic grew", "ships", queries=("ships",), visual=visual)
    return {"pages": pages}


def test_each_stage_is_asked_once_and_each_point_has_its_evidence(sources: KnowledgeBase) -> None:
    got, script = made(sources)
    assert script.asked == {"plan": 1, "outline": 1, "page2": 1, "page3": 1, "page4": 1}
    assert got.left_out == ()
    assert got.usage.input_tokens == 500 and got.usage.requests == 5
    assert [one.role for one in got.outline.pages] == ["opening", "body", "body", "ending"]
    (shown,) = got.outline.pages[1].points
    assert shown.evidence[0].quote == "Container traffic grew by 12% to 48,000"
    assert shown.evidence[0].document == "harbour.md"


def test_plan_and_outline_see_whole_sources_and_pages_what_was_said_before(
    sources: KnowledgeBase,
) -> None:
    _, script = made(sources)
    plan, outline, page2, page3, _ = script.prompts
    for text in (plan, outline):
        assert "## Staff" in text and "18,000 containers" in text
        assert "T1: a table of harbour.md under 'Traffic'" in text and "Q2\t262" in text
        assert "Smith" not in text
    assert "nothing yet" not in page2  # the opening was before it
    assert "Container traffic grew by 12% to 48,000 units" in page2
    assert "Traffic grew [body]: Containers grew by 12%" in page3
    assert "Containers grew" not in page2.split("Evidence from")[0]


def test_a_small_budget_of_tokens_cuts_long_sections_first(sources: KnowledgeBase) -> None:
    words = source_words(sources, 130)
    assert len(words) < 700 and "…" in words
    assert all(name in words for name in ("## Traffic", "## The new crane", "## Staff"))
    assert source_words(KnowledgeBase(), 130) == "There are no sources."


def test_a_page_shows_the_table_that_the_outline_names(sources: KnowledgeBase) -> None:
    row = point("Q3 had the most ships", "Q3\t301", 0)
    shown = page(title="Ships peaked at 301", layout="chart_takeaways", points=[row])

    def reply(prompt: str) -> dict[str, Any]:
        assert prompt.count("Q3\t301") == 1
        *_, last = prompt.partition("Q3\t301")[0].rpartition("\n[")
        return {**shown, "points": [{**row, "evidence": int(last.partition("]")[0])}]}

    got, script = made(sources, outline=[showing("T1")], page2=[reply])
    assert script.asked["page2"] == 1 and got.left_out == ()
    made_page = got.outline.pages[1]
    assert made_page.layout == "chart_takeaways"
    assert made_page.visual == VisualRef(kind="table", document="harbour.md", number=1)
    offered = script.prompts[2].split("unless the content asks for it:")[1]
    with_it, without = offered.split("Without the figure or table")
    assert "chart_takeaways:" in with_it and "cards:" in without
    assert "picture_left:" not in offered


def test_years_of_the_topic_that_sources_have_need_no_quote(sources: KnowledgeBase) -> None:
    """The title of the source names 2025; 2031 stands nowhere."""
    dated = {**GOOD, "title": "Traffic grew in 2025"}
    plan = {**PLAN, "title": "A good year, 2025, before 2031"}
    got, script = made(sources, plan=[plan], page2=[dated])
    assert got.left_out == () and script.asked["page2"] == 1
    _, script = made(sources, plan=[plan], page2=[{**GOOD, "title": "Traffic in 2031"}, dated])
    assert script.asked["page2"] == 2 and "'2031' stands in no quote" in script.prompts[3]


@pytest.mark.parametrize(
    ("chart", "said"),
    [
        (
            {"kind": "bar", "rows": ["Q1", "Q9"], "columns": ["Ships"], "accent": ""},
            "'Q9' is none of Q1, Q2",
        ),
        (
            {"kind": "bar", "rows": ["Q1", "Q3"], "columns": ["Profit"], "accent": ""},
            "'Profit' is none of Ships",
        ),
        (
            {"kind": "scatter", "rows": ["Q1", "Q3"], "columns": ["Ships"], "accent": ""},
            "a scatter shows two series",
        ),
    ],
)
def test_a_chart_that_its_table_does_not_hold_is_asked_again_then_left_out(
    sources: KnowledgeBase, chart: dict[str, Any], said: str
) -> None:
    bad = page(layout="chart", chart=chart)
    got, script = made(sources, outline=[showing("T1")], page2=[bad])
    assert script.asked["page2"] == 3 and said in script.prompts[3]
    assert got.outline.pages[1].visual == VisualRef(kind="table", document="harbour.md", number=1)
    assert any("its chart" in line for line in got.left_out)


def test_a_chart_of_a_part_of_the_table_is_kept_with_its_rows(sources: KnowledgeBase) -> None:
    chart = {"kind": "bar", "rows": ["Q1", "Q3", "Q4"], "columns": ["Ships"], "accent": "Q3"}
    got, _ = made(sources, outline=[showing("T1")], page2=[page(layout="chart", chart=chart)])
    visual = got.outline.pages[1].visual
    assert visual is not None
    assert (visual.chart, visual.rows, visual.accent) == ("bar", ("Q1", "Q3", "Q4"), "Q3")


@pytest.mark.parametrize("name", ["T9", "V1"])
def test_what_was_not_offered_is_asked_again(sources: KnowledgeBase, name: str) -> None:
    _, script = made(sources, outline=[showing(name), OUTLINED])
    assert script.asked["outline"] == 2
    assert f"visual {name!r} is none of those offered" in script.prompts[2]


def test_all_that_is_wrong_with_an_answer_is_told_at_once(sources: KnowledgeBase) -> None:
    bad = page(
        title="T" * 81, accent=7,
        points=[point("Up by 15%", "Container traffic doubled"), point("Down by 16%", "none", 99)],
    )  # fmt: skip
    _, script = made(sources, page2=[bad, GOOD])
    again = script.prompts[3]
    for said in (
        "81 characters",
        "no point 7",
        "'15%'",
        "'16%'",
        "traffic doubled",
        "no evidence 99",
    ):
        assert said in again


def test_a_page_that_cannot_be_shown_is_asked_again(sources: KnowledgeBase) -> None:
    script = Script(plan=[PLAN], outline=[OUTLINED], page2=[GOOD], page3=[SAFE], page4=[END])
    faults = iter(["its words need 2 pages", None, None, None])
    narrate(sources, WriteOptions(slides=4), script, fault_of=lambda _page: next(faults))
    assert script.asked["page2"] == 2 and "its words need 2 pages" in script.prompts[3]


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
