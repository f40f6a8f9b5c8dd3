"""Annotations: loaded, checked line by line, written."""

import json

import pytest
from tests.evals.judges.scenario.scripts import LONG_DOC, REPORT, key_point, task

from decklab.documents.reading import read_documents
from decklab.evals.judges.scenario.drafting import DRAFTED, draft_task
from decklab.evals.judges.scenario.task import (
    ScenarioTaskError,
    load_task,
    task_problems,
    write_task,
)


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "report.md").write_text(REPORT)
    return read_documents([tmp_path / "report.md"])


def test_a_task_is_the_same_after_writing_and_loading(tmp_path, sources):
    write_task(task(), tmp_path / "task.json")
    assert load_task(tmp_path / "task.json", sources) == task()


def test_each_fault_has_one_line_with_its_place(tmp_path, sources):
    data = {
        **LONG_DOC,
        "key_points": [
            key_point("a", "The crane cost 4.3 million euros."),
            key_point("b", "Every operator trains for 40 hours a year."),
            key_point("b", "Every operator trains for 40 hours a year."),
        ],
        "visuals": [{"id": "v", "document": "other.pdf", "label": "Figure 1"}],
    }
    (tmp_path / "task.json").write_text(json.dumps(data))
    with pytest.raises(ScenarioTaskError) as caught:
        load_task(tmp_path / "task.json", sources)
    assert [line.partition("task.json: ")[2] for line in str(caught.value).splitlines()] == [
        "key_points: the id 'b' is there 2 times",
        "visuals v: other.pdf is not among the sources of the task",
        "key_points a: report.md does not say: The crane cost 4.3 million euros.",
        "visuals v: other.pdf was not given",
    ]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"setting": "multimodal"}, "setting multimodal needs visuals, and there are none"),
        ({"setting": "story"}, "setting: choose 'vague', 'long-doc'"),
        ({"points": []}, "points: is not known here"),
        (
            {"key_points": [{**key_point("a", "x"), "weight": 0}]},
            "key_points a weight: give more than 0",
        ),
        ({"visuals": [{"id": "v", "document": "report.md"}]}, "visuals v: it has neither label"),
    ],
)
def test_what_is_wrong_with_the_form_is_told_with_its_place(tmp_path, changes, told):
    (tmp_path / "task.json").write_text(json.dumps({**LONG_DOC, **changes}))
    with pytest.raises(ScenarioTaskError, match=r"task\.json: ") as caught:
        load_task(tmp_path / "task.json")
    assert told in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"title": NaN}'])
def test_what_is_no_task_is_refused_in_words(tmp_path, text):
    (tmp_path / "task.json").write_text(text)
    with pytest.raises(ScenarioTaskError):
        load_task(tmp_path / "task.json")
    with pytest.raises(ScenarioTaskError, match="cannot be read"):
        load_task(tmp_path / "none.json")


def test_a_table_is_found_by_counting(sources):
    visual = {"id": "v", "document": "report.md", "label": "table 1"}
    assert task_problems(task(visuals=[visual]), sources) == []
    gone = task_problems(task(visuals=[{**visual, "label": "table 2"}]), sources)
    assert gone == ["visuals v: report.md has no such figure or table"]


def test_a_draft_keeps_the_rules_and_says_who_made_it(sources):
    for setting in ("long-doc", "multimodal"):
        drafted = draft_task(setting, sources)
        assert drafted.made_by == DRAFTED
        assert task_problems(drafted, sources) == []
    assert len(draft_task("long-doc", sources).key_points) >= 2
    assert draft_task("vague", read_documents([]), request="cats").title == "cats"
