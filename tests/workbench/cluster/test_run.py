"""Whole runs: rows as those of the plain command, exactly one set a deck, whatever dies."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq
import pytest
from tests.workbench.cluster.conftest import small_deck

from decklab.core.errors import SourceError, Unavailable
from decklab.deck.deck import write_samples
from decklab.linting.lint import lint
from decklab.scoring.run import score
from decklab.workbench.cluster.dataset import MARK, Dataset, open_dataset
from decklab.workbench.cluster.jobs import Job
from decklab.workbench.cluster.run import DatasetRun, Machine, machine_named, run_job
from decklab.workbench.cluster.sources import SourceItem, pair_items, source_items

DECKLAB = str(Path(sys.executable).with_name("decklab"))
ALONE = Machine(processes=1)
QUICK = Job("lint", rules=frozenset({"accessibility.missing-slide-title", "placeholder.empty"}))
"""Rules that need no drawing."""


def run(source: Path, out: Path, job: Job = QUICK, **settings: Any) -> DatasetRun:
    return run_job(source_items([str(source)]), job, out, **{"machine": ALONE, **settings})


def names(dataset: Dataset, table: str = "decks") -> Counter[str]:
    return Counter(row["deck"] for row in dataset.rows(table, ["deck"]))


@pytest.mark.long
def test_every_deck_is_one_row_also_one_that_cannot_be_read(decks: Path, tmp_path: Path) -> None:
    done = run(decks, tmp_path / "out")
    assert (done.finished, done.failed, done.skipped) == (5, 1, 0)
    rows = {row["deck"]: row for row in done.dataset.rows("decks")}
    assert set(rows) == set(map(str, decks.rglob("*.pptx")))
    delta = rows[str(decks / "more" / "delta.pptx")]
    assert (delta["status"], delta["slides"], delta["titled"], delta["kind"]) == (
        "done", 2, 2, "pptx"
    )  # fmt: skip
    broken = rows[str(decks / "more" / "broken.pptx")]
    assert broken["status"] == "failed"
    assert broken["error"].startswith(f"{decks}/more/broken.pptx: ")
    slides = [row for row in done.dataset.rows("slides") if row["deck"] == delta["deck"]]
    assert [row["title"] for row in slides] == ["delta 1", "delta 2"]


@pytest.mark.long
def test_a_second_run_does_only_what_is_missing(decks: Path, tmp_path: Path) -> None:
    source = shutil.copytree(decks, tmp_path / "decks")
    run(source, tmp_path / "out")
    small_deck(source / "new.pptx", "new")
    small_deck(source / "alpha.pptx", "alpha is other now", slides=3)
    done = run(source, tmp_path / "out")
    assert (done.finished, done.skipped, done.replaced) == (2, 4, 1)
    assert set(names(done.dataset).values()) == {1} and len(names(done.dataset)) == 6
    assert names(done.dataset, "slides")[str(source / "alpha.pptx")] == 3
    again = run(source, tmp_path / "out")
    assert (again.finished, again.skipped) == (0, 6)
    fresh = run(source, tmp_path / "out", fresh=True)
    assert (fresh.finished, fresh.skipped) == (6, 0)
    assert set(names(fresh.dataset).values()) == {1}


@pytest.mark.long
def test_other_work_into_the_same_folder_is_refused(decks: Path, tmp_path: Path) -> None:
    run(decks, tmp_path / "out")
    with pytest.raises(FileExistsError, match="is a data set of decklab lint"):
        run(decks, tmp_path / "out", Job("extract"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="holds other files"):
        run(decks, tmp_path / "mine")
    with pytest.raises(SourceError, match="no such file"):
        run(tmp_path / "nothing", tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.long
def test_a_part_without_its_list_of_decks_is_removed(decks: Path, tmp_path: Path) -> None:
    dataset = run(decks, tmp_path / "out").dataset
    part = dataset.files("slides")[0]
    stray = part.with_name("part-0000099.parquet")
    shutil.copy(part, stray)
    (part.parent / ".half.part").write_bytes(b"half")
    run(decks, tmp_path / "out")
    assert not stray.exists() and not (part.parent / ".half.part").exists()


@pytest.mark.long
def test_lint_has_the_findings_of_one_deck_alone(tmp_path: Path) -> None:
    write_samples(tmp_path / "decks")
    job = Job("lint", rules=frozenset({"accessibility.missing-alt-text", "shape.drift"}))
    dataset = run(tmp_path / "decks", tmp_path / "out", job).dataset
    for deck in (tmp_path / "decks").iterdir():
        alone = lint(deck, rules=job.rules).findings
        rows = [row for row in dataset.rows("findings") if row["deck"] == str(deck)]
        assert [(row["rule"], row["slide"], row["message"]) for row in rows] == [
            (item.rule, item.slide, item.message) for item in alone
        ]


@pytest.mark.long
def test_two_folders_of_decks_are_compared(decks: Path, tmp_path: Path) -> None:
    small_deck(tmp_path / "new" / "alpha.pptx", "omega")
    shutil.copy(decks / "beta.pptx", tmp_path / "new" / "beta.pptx")
    items = pair_items(str(decks), str(tmp_path / "new"))
    dataset = run_job(items, Job("diff"), tmp_path / "out", machine=ALONE).dataset
    changed = {row["deck"] for row in dataset.rows("changes") if not row["noise"]}
    assert changed == {str(tmp_path / "new" / "alpha.pptx")}
    titles = [row for row in dataset.rows("changes") if json.loads(row["new"]) == "omega 1"]
    assert json.loads(titles[0]["old"]) == "alpha 1"


@pytest.mark.long
@pytest.mark.office
def test_scores_equal_those_of_the_plain_command(decks: Path, tmp_path: Path) -> None:
    """Also on Dask workers one of which is killed on the way."""
    source = shutil.copytree(decks, tmp_path / "decks")
    for number in range(6):
        small_deck(source / "many" / f"{number}.pptx", f"number {number}")
    plain = score(source, tmp_path / "plain", jobs=2)
    killed: list[int] = []

    def kill_one(progress: Any) -> None:
        if progress.finished == 2 and not killed:
            killed.append(one_worker())
            os.kill(killed[0], signal.SIGKILL)

    done = run(
        source, tmp_path / "out", Job("score"), machine=machine_named("local:2"), progress=kill_one
    )
    assert killed and done.finished == 11
    assert table_rows(done.dataset.read("measurements").to_pylist()) == table_rows(
        pq.read_table(plain.out / "results.parquet").to_pylist()
    )
    findings = [
        (result.deck, item.rule, item.slide, item.message, item.measured)
        for result in plain.results()
        for item in result.findings
    ]
    assert Counter(findings) == Counter(
        tuple(row[name] for name in ("deck", "rule", "slide", "message", "measured"))
        for row in done.dataset.rows("findings")
    )
    assert names(done.dataset) == Counter(map(str, source.rglob("*.pptx")))


def table_rows(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def one_worker() -> int:
    """A Dask worker of ours, which has a process of decklab below it."""
    for one in psutil.Process().children(recursive=True):
        below = [" ".join(child.cmdline()) for child in one.children()]
        if "multiprocessing" in " ".join(one.cmdline()) and any("serve_tasks" in c for c in below):
            return one.pid
    raise AssertionError("no Dask worker was found")


@pytest.mark.long
def test_a_deck_that_kills_its_process_is_a_row_and_the_rest_goes_on(
    decks: Path, tmp_path: Path
) -> None:
    """The memory bound stands for whatever ends a process: no deck can be read in so little."""
    done = run(decks, tmp_path / "out", Job("lint", rules=QUICK.rules, memory_bytes=2**20))
    rows = list(done.dataset.rows("decks"))
    assert [row["status"] for row in rows] == ["failed"] * 5
    assert {row["attempts"] for row in rows} == {2}
    assert "it took more than 1 MB of memory, 2 times" in rows[0]["error"]
    again = run(decks, tmp_path / "out")
    assert (again.finished, again.failed, again.replaced) == (5, 1, 5)


@pytest.mark.long
def test_work_is_taken_from_the_source_only_as_it_is_done(decks: Path, tmp_path: Path) -> None:
    taken: list[int] = []

    def endless() -> Any:
        for number in range(60):
            taken.append(number)
            yield SourceItem(f"{number}", "path", str(decks / "alpha.pptx"))

    ahead: list[int] = []
    done = run_job(
        endless(), QUICK, tmp_path / "out", machine=Machine(processes=1),
        progress=lambda state: ahead.append(len(taken) - state.finished),
    )  # fmt: skip
    assert done.finished == 60
    assert max(ahead) <= 5


def test_no_scheduler_is_one_line(decks: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("decklab.workbench.cluster.run.CONNECT_SECONDS", 0.5)
    with pytest.raises(Unavailable, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        run(decks, tmp_path / "out", machine=machine_named("tcp://127.0.0.1:9"))


@pytest.mark.long
def test_ctrl_c_writes_what_is_done_and_leaves_no_process(decks: Path, tmp_path: Path) -> None:
    source = tmp_path / "decks"
    for number in range(120):
        (source / "d").mkdir(parents=True, exist_ok=True)
        shutil.copy(decks / "alpha.pptx", source / "d" / f"{number}.pptx")
    out = tmp_path / "out"
    command = [DECKLAB, "extract", str(source), "--cluster", "local:1", "--out", str(out)]
    # Shells let what they start in the background ignore interrupts, and that is inherited.
    heeding = ["env", "--default-signal=INT", *command]
    process = subprocess.Popen(
        heeding, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    below = until_one_works(process)
    time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    _, alive = psutil.wait_procs(below, timeout=10)
    assert not alive
    done = subprocess.run([*command[:-3], "local:0", "--out", str(out)], check=True,
                          capture_output=True, text=True)  # fmt: skip
    assert "120 done" in done.stdout
    assert set(names(open_dataset(out)).values()) == {1}


def until_one_works(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    for _ in range(300):
        below = psutil.Process(process.pid).children(recursive=True)
        if any("serve_tasks" in " ".join(one.cmdline()) for one in below):
            return below
        time.sleep(0.1)
    raise AssertionError("no process began to work")


@pytest.mark.long
def test_missing_packages_are_one_line(decks: Path, tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['distributed'] = None; from decklab.cli import main; "
        f"sys.argv = ['decklab', 'score', {str(decks)!r}, '--cluster', 'local', '--out', 'x']; "
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False,
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("decklab: --cluster needs more packages: ")
    assert done.stderr.endswith("[cluster]'\n")


@pytest.mark.parametrize("mark", ['{"kind": "poems"}', "{}", "[]", "no JSON"])
def test_a_folder_of_another_kind_is_no_data_set(mark: str, tmp_path: Path) -> None:
    (tmp_path / MARK).write_text(mark)
    with pytest.raises(SourceError, match="is no data set"):
        open_dataset(tmp_path)
