"""``decklab bench unippt`` from the command line."""

import gc
import json
import shutil
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from tests.evals.judges.scenario.scripts import always_full
from tests.openai_server import prompt_of, serving
from typer.testing import CliRunner, Result

from decklab import evals
from decklab.cli.bench_writers import app
from decklab.evals.inspect_run import run_task
from decklab.evals.registry import unippt
from decklab.models.asking_loop import QUESTION, sight_number

JUDGE = "openai-api/loopback/unippt-judge"

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def bench(*words: object) -> Result:
    done = CliRunner().invoke(app, [str(word) for word in words])
    gc.collect()
    return done


@pytest.fixture(scope="module")
def set_(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task of the starter set with its four decks, as files."""
    folder = tmp_path_factory.mktemp("starter")
    done = bench("unippt-starter", folder / "tasks", "--decks", folder / "decks", "--task", "dunes")
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.long
@pytest.mark.office
def test_given_decks_are_judged_and_reported_in_order(set_: Path, tmp_path: Path) -> None:
    words = ["unippt", "--tasks", set_ / "tasks", "--decks", set_ / "decks", "--out", tmp_path]
    done = bench(*words)
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "results.json").read_text())
    rows = {row["name"]: row for row in found["settings"]["multimodal"]}
    order = [rows[name]["judged"]["mean"] for name in ("thorough", "fair", "poor", "bad")]
    assert order == sorted(order, reverse=True) and len(set(order)) == 4
    shared = [deck["means"]["shared"] for deck in found["decks"]]
    assert all(mean["score"] is None and mean["reason"] for mean in shared)
    page = (tmp_path / "index.html").read_text()
    assert "./judged/thorough/dunes.html" in page and "Multimodal document" in page
    assert (tmp_path / "judged" / "bad" / "dunes.html").exists()
    agreed = evals.agree(tmp_path / "scores.csv", set_ / "decks" / "ranks.csv")
    rho = {one.metric: one.rho for one in agreed.metrics}
    assert rho["judged"] == pytest.approx(1.0)
    assert bench(*words).exit_code == 2  # an earlier run's results stay


@pytest.mark.long
@pytest.mark.office
def test_a_spent_budget_leaves_scores_open_and_the_record_goes_on(
    set_: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", "none")
    decks = tmp_path / "decks" / "only"
    decks.mkdir(parents=True)
    (decks / "dunes.pptx").write_bytes((set_ / "decks" / "bad" / "dunes.pptx").read_bytes())
    words = ["unippt", "--tasks", set_ / "tasks", "--decks", decks.parent, "--runs", 1,
             "--judge", JUDGE, "--out", tmp_path / "out",
             "--record", tmp_path / "kept"]  # fmt: skip

    def script(request: dict[str, object]) -> str:
        prompt = prompt_of(request)
        return sight_number(JUDGE) if QUESTION in prompt else always_full(prompt)

    with serving(script) as server:
        monkeypatch.setenv("LOOPBACK_BASE_URL", f"{server.url}/v1")
        done = bench(*words, "--budget-tokens", 15)
        assert done.exit_code == 3, done.output
        assert "not scored" in done.output and "the budget of 15 tokens is spent" in done.output
        done = bench(*words)
        assert done.exit_code == 0, done.output
        asked = len(server.requests)
        assert asked > 4
        assert bench(*words).exit_code == 0 and len(server.requests) == asked
    found = json.loads((tmp_path / "out" / "results.json").read_text())
    (row,) = found["settings"]["multimodal"]
    assert row["name"] == "only" and row["average"]["mean"] is not None


@pytest.mark.long
@pytest.mark.office
def test_inspect_runs_the_task_with_the_writer(set_: Path, tmp_path: Path) -> None:
    log = run_task(unippt(tasks=str(set_ / "tasks"), slides=6), logs=tmp_path)
    read = read_eval_log(log.location)
    assert [one.id for one in read.samples or []] == ["decklab write/dunes"]
    assert read.results is not None
    values = {name: one.value for name, one in read.results.scores[0].metrics.items()}
    assert 0 < values["multimodal_judged"] <= 10


@pytest.mark.by_day(4)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["unippt"], "give either --tasks FILE or --starter"),
        (["unippt", "--starter", "--tasks", "."], "give either --tasks FILE or --starter"),
        (["unippt", "--starter", "--model", "a/b"], "needs --write"),
        (["unippt", "--starter", "--runs", "2"], "needs --judge"),
        (["unippt", "--starter", "--task", "sailing"], "no task 'sailing'"),
        (["unippt", "--tasks", "."], "no folder in it has a task.json"),
        (["unippt", "--starter", "--judge", "nobody/nothing"], "nobody/nothing"),
        (["unippt-starter", "here", "--task", "sailing"], "no task 'sailing'"),
    ],
)
def test_what_is_wrong_is_told(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = bench(*words)
    assert done.exit_code != 0
    assert said in " ".join(f"{done.output} {done.exception or ''}".split())


def test_an_annotation_without_its_figure_is_told_before_anything_is_made(
    set_: Path, tmp_path: Path
) -> None:
    shutil.copytree(set_ / "tasks", tmp_path / "tasks")
    file = tmp_path / "tasks" / "dunes" / "task.json"
    task = json.loads(file.read_text())
    task["visuals"][0] |= {"label": "Figure 99", "page": None}
    file.write_text(json.dumps(task))
    done = bench("unippt", "--tasks", tmp_path / "tasks", "--write", "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert f"visuals {task['visuals'][0]['id']}: " in " ".join(done.output.split())
    assert not (tmp_path / "out").exists()
