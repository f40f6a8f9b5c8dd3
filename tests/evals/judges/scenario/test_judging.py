"""``decklab judge`` from the command line and from Python, without a model."""

import json

import pytest
from tests.evals.judges.scenario.scripts import LONG_DOC, REPORT, write_slides
from typer.testing import CliRunner

from decklab import evals
from decklab.cli.judge import app
from decklab.evals.judges.scenario.task import ScenarioTaskError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judge")
    (folder / "report.md").write_text(REPORT)
    (folder / "task.json").write_text(json.dumps(LONG_DOC))
    write_slides(folder / "talk.pptx", [("Traffic", ["Container traffic grew by 12% in 2025"])])
    return folder


def run(folder, *words):
    return CliRunner().invoke(app, ["judge", str(folder / "talk.pptx"), *words])


@pytest.mark.office
def test_scores_and_evidence_are_printed_as_proxies(folder):
    source = ("--source", str(folder / "report.md"))
    said = run(folder, *source, "--task", str(folder / "task.json"), "--setting", "long-doc")
    assert said.exit_code == 0, said.output
    assert "Key point coverage" in said.output and "5.00" in said.output
    assert "program (proxy)" in said.output
    assert "no   crane: The crane cost 4.2 million euros" in said.output
    assert "Only a model judges: Instruction fulfillment" in said.output


@pytest.mark.office
def test_json_has_every_item_with_its_evidence(folder):
    saved = folder / "drafted.json"
    said = run(
        folder, "--source", str(folder / "report.md"), "--setting", "long-doc", "--json",
        "--save-task", str(saved),
    )  # fmt: skip
    assert said.exit_code == 0, said.output
    (found,) = json.loads(said.output)
    coverage = next(one for one in found["metrics"] if one["name"] == "key_coverage")
    assert coverage["proxy"] and coverage["items"][0][0]["evidence"]
    assert found["average"]["reason"] == "only a model judges this"
    assert any("drafted" in line for line in found["told"])
    assert json.loads(saved.read_text())["made_by"] == "decklab, by program"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "--setting"),
        (("--setting", "long-doc"), "needs 1 sources"),
        (("--setting", "vague", "--runs", "2"), "needs --model"),
        (("--setting", "story"), "story"),
    ],
)
def test_what_cannot_begin_ends_with_2(folder, words, told):
    said = run(folder, *words)
    assert said.exit_code == 2
    assert told in said.output


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ("notes.md", "notes.md: neither a deck nor a PDF, image or HTML file; a source is named"),
        ("none.pptx", "none.pptx: cannot be opened"),
        ("cut.pptx", "cut.pptx: the archive's directory is missing or damaged"),
    ],
)
def test_what_is_no_deck_ends_with_2_before_anything_is_judged(folder, second, told):
    (folder / "notes.md").write_text(REPORT)
    (folder / "cut.pptx").write_bytes((folder / "talk.pptx").read_bytes()[:900])
    words = ("--source", str(folder / "report.md"), str(folder / second), "--setting", "long-doc")
    said = run(folder, *words)
    assert said.exit_code == 2
    assert told in said.output


@pytest.mark.office
def test_a_deck_that_looks_like_a_source_is_told(folder):
    page = "<html><body><p>Container traffic grew by 12% in 2025.</p></body></html>"
    for name in ("one.html", "two.html"):
        (folder / name).write_text(page)
    words = ("--source", str(folder / "one.html"), str(folder / "two.html"))
    said = run(folder, *words, "--setting", "long-doc")
    assert said.exit_code == 3, said.output
    assert "two.html is judged as a deck; a source needs --source before it" in said.output


def test_a_task_of_another_setting_is_refused(folder):
    with pytest.raises(ScenarioTaskError, match="of setting long-doc, not vague"):
        evals.judge(
            [folder / "talk.pptx"], sources=[folder / "report.md"], setting="vague",
            task=folder / "task.json",
        )  # fmt: skip
    with pytest.raises(ValueError, match="once at least"):
        evals.judge([folder / "talk.pptx"], setting="vague", runs=0)
