"""``decklab bench ppteval`` and its sets, as people and programs call them."""

import gc
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from tests.openai_server import serving
from typer.testing import CliRunner, Result

from decklab.cli import app
from decklab.core.errors import DecklabError
from decklab.evals.ppteval.outcomes import TaskOutcome
from decklab.evals.ppteval.tasks import SOURCES, EditingTask, write_starter

pytestmark = pytest.mark.usefixtures("caged")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the starter set one task, with an attempt that is labelled right and one that is not."""
    folder = tmp_path_factory.mktemp("small")
    registry = write_starter(folder)
    listed = json.loads(registry.read_text())
    registry.write_text(json.dumps({"cover-wording": listed["cover-wording"]}))
    decks = folder / "attempts" / "cover-wording"
    decks.mkdir(parents=True)
    for name in ("none.pptx", "perfect.pptx"):
        shutil.copy(folder / "data/files/PowerPoint/plain.pptx", decks / name)
    return folder


def bench(*words: object) -> Result:
    """In this process: importing all of Inspect AI takes long."""
    return CliRunner().invoke(app, ["bench", *map(str, words)])


def alone(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """In a process of its own, as a run leaves loops and streams to be cleaned up."""
    return subprocess.run(
        [sys.executable, "-m", *map(str, words)],
        check=False, capture_output=True, text=True, cwd=folder, timeout=120,
        env={**os.environ, "COLUMNS": "120"},
    )  # fmt: skip


@pytest.mark.long
def test_chosen_starter_tasks_run_and_results_are_written(tmp_path: Path) -> None:
    done = alone(tmp_path, "decklab", "bench", "ppteval", "--starter", "--task", "speaker-notes",
                 "--editor", "commands", "--no-pictures", "--out", "out", "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["summary"][0]["score"]["mean"] == 1
    assert found == json.loads((tmp_path / "out" / "results.json").read_text())
    assert len(list((tmp_path / "out" / "logs").glob("*.eval"))) == 1
    kept = {path.name for path in (tmp_path / "out/decks/speaker-notes").iterdir()}
    assert kept == {"before.pptx", "edited.pptx"}
    assert "./tasks/speaker-notes.html" in (tmp_path / "out" / "index.html").read_text()
    assert "Pass the map" in (tmp_path / "out" / "tasks" / "speaker-notes.html").read_text()


@pytest.mark.parametrize("names", [["cover-wording"], ["cover-wording", "new-order"]])
def test_the_report_is_named_beneath_the_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    def run(tasks: Sequence[EditingTask], *_: object, **__: object) -> list[TaskOutcome]:
        return [
            TaskOutcome(one.name, one.difficulty, one.categories, 0.0, 1.0, f"no {one.name}")
            for one in tasks
        ]

    monkeypatch.setattr("decklab.evals.ppteval.running.run_ppteval", run)
    words = [word for name in names for word in ("--task", name)]
    done = bench("ppteval", "--starter", *words, "--out", tmp_path, "--limit-steps", 7)
    assert done.stdout.endswith(f"\nThe report is {tmp_path / 'index.html'}.\n")
    assert done.stderr.count("not scored") == len(names)
    html = (tmp_path / "index.html").read_text()
    assert "PPT-Eval, starter set" in html and "600 s, 7 steps, 120 messages a task" in html
    assert html.count("Not scored: ") == len(names)
    assert "0.00 to 1.00" in html and "0.00</td>" not in html


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_spent_budget_leaves_tasks_open_and_the_run_goes_on_from_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", "none")
    words = ["ppteval", "--starter", "--task", "cover-wording", "--editor", "agent", "--model",
             "openai-api/loopback/some-model", "--no-pictures", "--out", tmp_path / "out",
             "--record", tmp_path / "kept"]  # fmt: skip
    with serving(["I would rather not."]) as server:
        monkeypatch.setenv("LOOPBACK_BASE_URL", f"{server.url}/v1")
        done = bench(*words, "--budget-tokens", 5)
        assert done.exit_code == 3, done.output
        assert len(server.requests) == 1
        assert "cover-wording: not scored: " in done.output
        assert "the budget of 5 tokens is spent: 10" in done.output
        assert "Models: 10 tokens in 1 requests." in done.output
        done = bench(*words)
        assert done.exit_code == 0, done.output
        before = len(server.requests)
        assert before > 1
        done = bench(*words)
        assert (done.exit_code, len(server.requests)) == (0, before)
        found = json.loads((tmp_path / "out" / "results.json").read_text())
        assert (found["spent"], found["ended"]) == ("", "")
    gc.collect()


@pytest.mark.long
def test_inspect_finds_the_task_by_name(tmp_path: Path) -> None:
    done = alone(tmp_path, "inspect_ai", "eval", "decklab/ppteval", "--model", "none",
                 "-T", "editor=truth", "-T", "pictures=false", "--limit", 1,
                 "--log-dir", "logs", "--display", "none")  # fmt: skip
    assert done.returncode == 0, done.stderr
    [path] = (tmp_path / "logs").glob("*.eval")
    log = read_eval_log(str(path))
    assert log.results is not None
    values = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    assert values["success"] == values["easy_score"] == values["steps"] == 1.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ppteval"], "give either --tasks FILE or --starter"),
        (["ppteval", "--starter", "--editor", "agent"], "the agent needs --model"),
        (["ppteval", "--starter", "--editor", "nop"], "did you mean 'noop'"),
        (["ppteval", "--starter", "--task", "no-such"], "no task named no-such"),
        (["ppteval", "--tasks", "."], "there is no tasks.json here"),
        (["ppteval", "--starter", "--task", "cover-wording", "--model", "nobody/nothing"],
         "nobody/nothing"),
        (["ppteval-meta", "."], "there is no tasks.json here"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = bench(*words)
    assert done.exit_code in (1, 2)
    told = str(done.exception) if isinstance(done.exception, DecklabError) else done.stderr
    assert said in told


@pytest.mark.shared
def test_without_the_decks_it_says_which_lack_and_where_they_come_from(
    shared: Path, tmp_path: Path
) -> None:
    done = bench("ppteval", "--tasks", shared / "ppteval", "--files", tmp_path)
    assert done.exit_code == 2
    told = done.stderr
    assert all(name in told for name in SOURCES)
    assert f"decklab bench ppteval-fetch --files {tmp_path}" in told and "Internet Archive" in told


@pytest.mark.long
def test_a_set_is_meta_evaluated_with_a_report(small: Path, tmp_path: Path) -> None:
    done = bench("ppteval-meta", small, "--out", tmp_path, "--repeat", 2)
    assert done.exit_code == 0, done.stderr
    assert "No progress           0                1   0.000   100.00%   100.00%" in done.stdout
    assert "cover-wording, perfect: scored 0" in done.stderr
    assert "2 attempts, judged 2 times" in done.stdout
    assert "all scores are 0    0.0930" in done.stdout
    assert "2 trees, seconds" in done.stdout and "a leaf, of 10" in done.stdout
    assert (tmp_path / "index.html").is_file()
    pages = {path.name for path in (tmp_path / "trees").iterdir()}
    assert pages == {"cover-wording-none.html", "cover-wording-perfect.html"}


@pytest.mark.long
def test_a_meta_evaluation_is_plain_json(small: Path) -> None:
    done = bench("ppteval-meta", small, "--json", "--repeat", 2)
    found = json.loads(done.stdout)
    assert [row["attempts"] for row in found["levels"]] == [1, 0, 0, 1]
    assert found["levels"][1]["accuracy"] is None
    assert found["wrong"] == [["cover-wording", "perfect", 0.0]]
    assert found["repeated"] == {
        "attempts": 2, "mean_variance": 0.0, "median_variance": 0.0, "mean_cv": None,
        "without_cv": 2, "left_out": [],
    }  # fmt: skip
    assert set(found["seconds"]) >= {"snapshot", "diff", "pictures", "sandbox", "total"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--agent-command", "x {deck} {instruction}"], "--agent-command is for --agent command"),
        (["--agent", "desktop", "--page", "http://x/"], "--page is for --agent browser"),
        (["--agent", "browser", "--page", "http://x/"], "name one of --page-keys"),
        (["--agent", "browser"], "--agent browser needs --page"),
        (["--agent", "command"], "--agent command needs --agent-command"),
        (["--environments", "2"], "--environments is for --agent"),
        (["--agent-scripts", "scripts"], "is for --agent desktop or browser"),
        (["--agent", "desktop", "--editor", "truth"], "either --agent or --editor"),
    ],
)
def test_options_of_agents_that_do_not_go_together_are_told(words: list[str], told: str) -> None:
    done = bench("ppteval", "--starter", *words)
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.long
def test_a_command_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    done = alone(tmp_path, "decklab", "bench", "ppteval", "--starter", "--agent", "command",
                 "--agent-command", "tool {dek} {instruction}", "--out", "out")  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "decklab: the agent's command names {dek}; did you mean {deck}?\n"
    assert list(tmp_path.iterdir()) == []
