"""``decklab bench ppteval`` and its sets, as people and programs call them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from decklab.sandbox import Sandbox, SandboxUnavailable


@pytest.fixture(scope="module", autouse=True)
def caged() -> None:
    try:
        with Sandbox():
            pass
    except SandboxUnavailable as error:
        pytest.skip(str(error))


def bench(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "decklab", "bench", *map(str, words)],
        check=False, capture_output=True, text=True, cwd=folder, timeout=120,
    )  # fmt: skip


def test_chosen_starter_tasks_run_and_results_are_written(tmp_path: Path) -> None:
    done = bench(tmp_path, "ppteval", "--starter", "--task", "cover-wording", "--editor", "truth",
                 "--no-pictures", "--out", "out", "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["summary"]["overall"]["success"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert found == json.loads((tmp_path / "out" / "results.json").read_text())
    assert len(list((tmp_path / "out" / "logs").glob("*.eval"))) == 1
    kept = {path.name for path in (tmp_path / "out/decks/cover-wording").iterdir()}
    assert kept == {"before.pptx", "edited.pptx"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ppteval"], "either --tasks or --starter"),
        (["ppteval", "--starter", "--editor", "nop"], "did you mean 'noop'"),
        (["ppteval", "--starter", "--task", "no-such"], "no task named no-such"),
        (["ppteval", "--tasks", "."], "there is no tasks.json here"),
        (["ppteval", "--starter", "--model", "nobody/nothing"], "nobody/nothing"),
        (["ppteval-meta", "."], "there is no tasks.json here"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, words: list[str], said: str) -> None:
    done = bench(tmp_path, *words)
    assert done.returncode in (1, 2)
    assert said in done.stderr and "Traceback" not in done.stderr


def test_a_part_of_the_starter_set_is_meta_evaluated_with_a_report(tmp_path: Path) -> None:
    assert bench(tmp_path, "ppteval-starter", "set").returncode == 0
    registry = tmp_path / "set" / "task_registry" / "tasks.json"
    listed = json.loads(registry.read_text())
    registry.write_text(json.dumps({"cover-wording": listed["cover-wording"]}))
    decks = tmp_path / "set" / "attempts" / "cover-wording"
    decks.mkdir(parents=True)
    for name in ("none.pptx", "perfect.pptx"):  # the latter is mislabelled
        shutil.copy(tmp_path / "set/data/files/PowerPoint/plain.pptx", decks / name)
    done = bench(tmp_path, "ppteval-meta", "set", "--out", "report")
    assert done.returncode == 0, done.stderr
    assert "No progress           0                1   0.000   100.00%   100.00%" in done.stdout
    assert "cover-wording, perfect: scored 0" in done.stderr
    assert "2 trees; mean seconds a tree: snapshot" in done.stdout
    assert (tmp_path / "report" / "index.html").is_file()
    pages = {path.name for path in (tmp_path / "report" / "trees").iterdir()}
    assert pages == {"cover-wording-none.html", "cover-wording-perfect.html"}
