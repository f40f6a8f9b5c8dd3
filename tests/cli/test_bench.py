"""``decklab bench`` on the command line."""

import json
import os
import subprocess
import sys

import pytest
from pptx import Presentation
from tests.openai_server import images_of, prompt_of, serving

from decklab.deck.deck import write_samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    write_samples(folder / "decks")
    return folder


def decklab(folder, *words):
    environment = dict(os.environ)
    return subprocess.run(
        [sys.executable, "-m", "decklab", "bench", *words],
        check=False, capture_output=True, text=True, cwd=folder, env=environment,
    )  # fmt: skip


@pytest.mark.long
def test_without_model_and_baseline_it_says_in_one_line_what_is_missing(folder):
    done = decklab(folder, "slideeval-extract", "decks")
    assert done.returncode == 2
    assert done.stderr == (
        "decklab: no judge: give --model NAME, or --baseline to do without a model\n"
    )


@pytest.mark.long
def test_a_baseline_has_no_text_only_questions(folder):
    done = decklab(folder, "slideeval-order", "decks", "--baseline", "--text-only")
    assert done.returncode == 2
    assert "--baseline needs pictures" in " ".join(done.stderr.split())


@pytest.mark.long
def test_an_unknown_model_is_said_before_anything_is_drawn(folder):
    done = decklab(folder, "slideeval-order", "decks", "--model", "nobody/nothing")
    assert done.returncode == 2
    assert done.stderr.startswith("decklab: nobody/nothing: ")
    assert done.stderr.count("\n") == 1


def test_without_inspect_a_command_says_what_to_install(folder):
    program = (
        "import sys\nsys.modules['inspect_ai'] = None\n"
        "sys.argv[1:] = ['bench', 'slideeval-report', '.']\n"
        "from decklab.cli import main\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 2
    assert "bench slideeval-report needs more packages: " in done.stderr
    assert done.stderr.endswith("[evals]'\n") and done.stderr.count("\n") == 1


@pytest.mark.long
@pytest.mark.office
def test_the_ordering_baseline_runs_and_writes_its_report(folder):
    words = ("decks", "--baseline", "--out", "out", "--json")
    done = decklab(folder, "slideeval-order", *words)
    assert done.returncode == 0, done.stderr
    lines = json.loads(done.stdout)
    assert {line["measure"] for line in lines} == {"tau", "rho"}
    assert all(line["judge"] == "decklab baseline" and line["n"] == 3 for line in lines)
    assert (folder / "out" / "slideeval.html").exists()
    assert len(list((folder / "out" / "logs").glob("*.eval"))) == 1


@pytest.mark.long
@pytest.mark.office
def test_a_spent_budget_is_exit_code_3_and_the_record_goes_on_from_there(folder, monkeypatch):
    words = ("slideeval-order", "decks/plain.pptx", "--text-only", "--runs", "1", "--out", "live",
             "--model", "openai-api/loopback/order", "--record", "live/record")  # fmt: skip
    with serving(['{"order": [1, 2, 3, 4, 5, 6, 7]}']) as server:
        monkeypatch.setenv("LOOPBACK_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("LOOPBACK_API_KEY", "none")
        spent = decklab(folder, *words, "--budget-minutes", "0")
        assert (spent.returncode, server.requests) == (3, [])
        assert "the budget of 0.0 minutes is spent" in spent.stderr
        done = decklab(folder, *words)
        assert done.returncode == 0, done.stderr
        assert "openai-api/loopback/order, text only" in done.stdout
        [request] = server.requests
    assert images_of(request) == []
    assert "numbered from 1 to 7" in " ".join(prompt_of(request).split())


@pytest.mark.long
def test_a_folder_of_decks_is_counted_without_a_judge(folder):
    done = decklab(folder, "slideeval-dataset", "decks", "--json", "--out", "counted")
    assert done.returncode == 0, done.stderr
    rows = {row["category"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["slides"]["total"] == sum(
        len(Presentation(str(path)).slides) for path in (folder / "decks").glob("*.pptx")
    )
    assert rows["elements"]["total"] == sum(
        rows[name]["total"] for name in ("texts", "rects", "lines", "images", "tables")
    )
    page = (folder / "counted" / "slideeval.html").read_text()
    assert "Table 2" in page and "All slides of decks" in page


@pytest.mark.office
@pytest.mark.long
def test_inspect_finds_the_tasks_by_name(folder):
    done = subprocess.run(
        [
            sys.executable, "-m", "inspect_ai", "eval", "decklab/slideeval_order",
            "-T", "decks=decks", "-T", "baseline=true", "-T", "runs=1", "--model", "none",
            "--display", "none", "--log-dir", "by-name",
        ],
        check=False, capture_output=True, text=True, cwd=folder,
        env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [log] = (folder / "by-name").glob("*.eval")
    assert "slideeval-order" in log.name
