"""Annotations by scripted models: what is quoted is looked up, asked again, and left out."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.evals.judges.scenario.scripts import REPORT, Script, always_full, write_slides
from tests.openai_server import prompt_of, serving
from typer.testing import CliRunner

from decklab import evals
from decklab.cli.judge import app
from decklab.core.errors import BudgetSpent, ModelFailed
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.evals.judges.scenario.drafting import draft_task_by_model
from decklab.evals.judges.scenario.task import ScenarioTaskError, load_task, task_problems
from decklab.models.asking_loop import QUESTION, sight_number

COUNCIL = (
    "# The council\n\nThe crane cost 4.2 million euros. Residents measured 68 decibels at night.\n"
)


def point(statement: str, quote: str = "", weight: int = 1) -> dict[str, Any]:
    return {
        "statement": statement, "quote": quote or statement, "weight": weight, "signals": ["a"],
    }  # fmt: skip


TRAFFIC = point("Container traffic grew by 12% in 2025.", weight=3)
CRANE = point("The crane cost 4.2 million euros", "The crane cost 4.2 million euros")
INVENTED = point("The harbour has 99 cranes.")
FEWER = point("Accidents fell from 14 to 8.", "Accidents fell from 14 to 9 in one year.")


@pytest.fixture
def sources(tmp_path: Path) -> KnowledgeBase:
    (tmp_path / "report.md").write_text(REPORT)
    return read_documents([tmp_path / "report.md"])


@pytest.fixture
def both(tmp_path: Path) -> KnowledgeBase:
    (tmp_path / "report.md").write_text(REPORT)
    (tmp_path / "council.md").write_text(COUNCIL)
    return read_documents([tmp_path / "report.md", tmp_path / "council.md"])


def test_key_points_are_those_whose_quotes_stand_in_the_source(sources: KnowledgeBase) -> None:
    script = Script(draft_task=[{"points": [TRAFFIC, CRANE]}])
    found = draft_task_by_model("long-doc", sources, script, request="for all", model="script")
    task = found.task
    assert [(one.statement, one.weight) for one in task.key_points] == [
        ("Container traffic grew by 12% in 2025.", 3), ("The crane cost 4.2 million euros", 1),
    ]  # fmt: skip
    assert task_problems(task, sources) == [] and found.left_out == ()
    assert (task.made_by, task.request) == ("script, a draft", "for all")
    assert found.usage.requests == 1 and "Accidents fell" in script.prompts[0]


def test_what_does_not_stand_there_is_asked_again_alone_and_left_out(
    sources: KnowledgeBase,
) -> None:
    first = {"points": [TRAFFIC, INVENTED, FEWER, point("It grew", "grew by")]}
    mended = point("Accidents fell from 14 to 9.", "Accidents fell from 14 to 9 in one year.")
    script = Script(draft_task=[first, {"points": [mended, INVENTED]}])
    found = draft_task_by_model("long-doc", sources, script)
    assert [one.statement for one in found.task.key_points] == [
        "Container traffic grew by 12% in 2025.", "Accidents fell from 14 to 9.",
    ]  # fmt: skip
    again = script.prompts[1].split("Give only these again")[1]
    assert "99 cranes" in again and "a number of the statement is not in the quote" in again
    assert "the quote is too short" in again and "Container traffic" not in again
    assert script.asked["draft task"] == 3
    assert found.left_out == (
        "The harbour has 99 cranes. (The harbour has 99 cranes.): the quote is not in the document",
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"points": [INVENTED]}, "drafted no key_points that hold; The harbour has 99 cranes"),
        ({"points": []}, "drafted no key_points"),
        ("I would rather not.", "no task could be drafted"),
        ({"points": [{**TRAFFIC, "weight": 9}]}, "no task could be drafted"),
        (BudgetSpent("m", "the budget is spent"), "the budget is spent"),
    ],
)
def test_without_an_annotation_that_holds_there_is_no_task(
    sources: KnowledgeBase, said: Any, told: str
) -> None:
    with pytest.raises(ScenarioTaskError, match=told):
        draft_task_by_model("long-doc", sources, Script(draft_task=[said]))


def test_a_model_that_fails_is_told_as_it_is(sources: KnowledgeBase) -> None:
    with pytest.raises(ModelFailed):
        draft_task_by_model("long-doc", sources, Script(draft_task=[ModelFailed("m", "gone")]))


def test_visuals_are_those_that_the_sources_have(sources: KnowledgeBase) -> None:
    table = {"number": 1, "claims": ["Q1"], "uses": ["redraw"], "chart_fidelity": True, "weight": 2}
    foreign = {**table, "claims": ["Ships sank in Q3."]}
    script = Script(
        draft_task=[{"visuals": [foreign, {**table, "number": 7}]}, {"visuals": [table, table]},
                    {"visuals": []}],
    )  # fmt: skip
    found = draft_task_by_model("multimodal", sources, script)
    (visual,) = found.task.visuals
    assert (visual.label, visual.uses, visual.chart_fidelity) == ("table 1", ("redraw",), True)
    assert task_problems(found.task, sources) == []
    assert "no document says: Ships sank in Q3." in script.prompts[1]
    assert "there is no 7" in script.prompts[1]
    assert "it is chosen twice" in script.prompts[2]
    assert found.left_out == ()


def test_links_name_statements_of_two_documents(both: KnowledgeBase) -> None:
    said = {"report.md": [CRANE, TRAFFIC], "council.md": [CRANE, point(
        "Residents measured 68 decibels at night.")]}  # fmt: skip
    link = {"text": "Cost and noise", "statements": [1, 4], "weight": 2}
    one_sided = {**link, "text": "Traffic", "statements": [1, 2]}
    links = {
        "integrations": [link, one_sided, {**link, "text": "Gone", "statements": [1, 40]}],
        "overlaps": [{**link, "text": "The cost", "statements": [1, 3]}],
    }
    nothing: dict[str, list[Any]] = {"integrations": [], "overlaps": []}
    replies = [{"points": said["report.md"]}, {"points": said["council.md"]}, links, nothing]
    found = draft_task_by_model("multi-source", both, Script(draft_task=replies))
    task = found.task
    assert [one.evidence.document for one in task.contributions] == ["report.md"] * 2 + [
        "council.md"
    ] * 2
    assert [one.statement for one in task.integrations] == ["Cost and noise"]
    assert {one.document for one in task.overlaps[0].members} == {"report.md", "council.md"}
    assert task_problems(task, both) == [] and found.left_out == ()


def test_a_lazy_second_reply_leaves_links_out_with_their_cause(both: KnowledgeBase) -> None:
    link = {"text": "Traffic", "statements": [1], "weight": 2}
    replies = [{"points": [CRANE]}, {"points": [CRANE]}, {"integrations": [link], "overlaps": []}]
    found = draft_task_by_model("multi-source", both, Script(draft_task=replies))
    assert found.task.integrations == ()
    assert found.left_out == ("together Traffic: its statements are not of two documents",)


@pytest.mark.long
@pytest.mark.office
def test_the_command_drafts_with_a_model_and_says_so(tmp_path: Path, monkeypatch: Any) -> None:
    model = "openai-api/loopback/draft-test"
    report = tmp_path / "report.md"
    report.write_text(REPORT)
    deck = write_slides(tmp_path / "talk.pptx", [("Traffic", ["Traffic grew by 12% in 2025"])])

    def script(request: dict[str, Any]) -> str:
        prompt = prompt_of(request)
        if QUESTION in prompt:
            return sight_number(model)
        if "Choose up to" in prompt:
            return json.dumps({"points": [TRAFFIC, INVENTED]})
        return always_full(prompt)

    saved = tmp_path / "task.json"
    with serving(script) as server:
        monkeypatch.setenv("LOOPBACK_API_KEY", "none")
        monkeypatch.setenv("LOOPBACK_BASE_URL", f"{server.url}/v1")
        words = [str(deck), "--sources", str(report), "--setting", "long-doc", "--model", model]
        words += ["--runs", "1", "--draft-by-model", "--save-task", str(saved)]
        done = CliRunner().invoke(app, ["judge", *words])
    assert done.exit_code == 0, done.output
    assert f"drafted by {model}" in done.output and "left out of the draft" in done.output
    task = load_task(saved, read_documents([report]))
    assert [one.statement for one in task.key_points] == [TRAFFIC["statement"]]
    by_program = CliRunner().invoke(app, ["judge", *words[:5], "--draft-by-model"])
    assert by_program.exit_code == 2 and "--model" in by_program.output


def test_a_draft_by_nobody_is_refused(sources: KnowledgeBase) -> None:
    with pytest.raises(ValueError, match="needs a model"):
        evals.judge([], setting="vague", draft_by_model=True)
