"""The board of several runs: systems compared anew, and never across versions."""

import json
from pathlib import Path

import pytest

from decklab.core.errors import ResultsError
from decklab.core.results import NotScored
from decklab.evals.results.board import BOARD, leave_results, read_board, write_board
from decklab.evals.results.means import Observation
from decklab.evals.results.page import ResultPage
from decklab.evals.results.tables import ResultColumn, system_table

COLUMNS = [
    ResultColumn("quality", "Quality", scale=(0.0, 100.0)),
    ResultColumn("seconds", "s a deck", scale=(0.0, float("inf")), lower_better=True),
]


def run(folder: Path, systems: dict[str, float], *, judge: str = "none", topics: int = 12) -> Path:
    """A run whose systems have a mean each and little spread around it."""
    rows = [
        Observation(name, f"topic {n}", metric, mean + n % 3, ("all",))
        for name, mean in systems.items() for n in range(topics)
        for metric in ("quality", "seconds")
    ]  # fmt: skip
    rows.append(Observation(next(iter(systems)), "lost", "quality", NotScored("no deck")))
    table = system_table("systems", "Systems", rows, COLUMNS, main="quality", units="topics")
    facts = {"Judge": judge, "Spent": "nothing"}
    folder.mkdir()
    page = ResultPage("Bench", "Bench", [], facts, units="topics")
    leave_results(folder, page, [table], shared=["Judge"])
    (folder / "index.html").write_text("<p>cases</p>")
    return folder


def test_a_run_is_read_as_it_was_left(tmp_path: Path):
    folder = run(tmp_path / "a", {"good": 60.0, "bad": 20.0})
    [table] = read_board(folder).tables
    assert [row.name for row in table.rows] == ["good", "bad"]
    assert [row.place for row in table.rows] == ["1", "2"]
    assert table.columns == tuple(COLUMNS)
    assert [cell.of for row in table.rows for cell in row.cells.values()] == [13, 12, 12, 12]


def test_systems_of_several_runs_are_compared_anew(tmp_path: Path):
    runs = [run(tmp_path / "a", {"good": 60.0}), run(tmp_path / "b", {"bad": 20.0, "same": 20.0})]
    page = write_board(runs, tmp_path / "board").read_text()
    csv = (tmp_path / "board" / "tables" / "systems.csv").read_text()
    assert [line.split(",")[:2] for line in csv.splitlines()[1:]] == [
        ["good", "1"], ["bad", "2–3"], ["same", "2–3"]
    ]  # fmt: skip
    assert 'href="./runs/a/index.html"' in page
    assert (tmp_path / "board" / "runs" / "b" / "index.html").is_file()


def test_a_board_leads_to_the_page_of_a_run_whatever_its_name(tmp_path: Path):
    table = system_table("systems", "Systems", [Observation("a", "t", "quality", 1.0)], COLUMNS)
    leave_results(tmp_path / "a", ResultPage("Bench", "Bench", []), [table], file="judged.html")
    page = write_board([tmp_path / "a"], tmp_path / "board").read_text()
    assert 'href="./runs/a/judged.html"' in page
    assert (tmp_path / "board" / "runs" / "a" / "judged.html").is_file()


def test_results_under_other_judges_stand_apart(tmp_path: Path):
    runs = [run(tmp_path / "a", {"one": 60.0}), run(tmp_path / "b", {"two": 20.0}, judge="gpt")]
    page = write_board(runs, tmp_path / "board").read_text()
    assert page.count("Results with another of these stand apart.") == 2
    assert "Judge: gpt" in page and "Spent" not in page


def test_a_name_that_two_runs_have_gets_that_of_its_run(tmp_path: Path):
    runs = [run(tmp_path / "june", {"ours": 60.0}), run(tmp_path / "july", {"ours": 20.0})]
    write_board(runs, tmp_path / "board")
    csv = (tmp_path / "board" / "tables" / "systems.csv").read_text()
    assert [line.split(",")[0] for line in csv.splitlines()[1:]] == ["ours (june)", "ours (july)"]


def test_a_version_grows_with_its_results_only(tmp_path: Path):
    first = run(tmp_path / "a", {"one": 60.0})
    write_board([first], tmp_path / "board")
    with pytest.raises(FileExistsError):
        write_board([first], tmp_path / "board")
    write_board([first], tmp_path / "board", overwrite=True)
    write_board([first, run(tmp_path / "b", {"two": 1.0})], tmp_path / "board", overwrite=True)
    versions = json.loads((tmp_path / "board" / BOARD).read_text())["versions"]
    assert [entry["version"] for entry in versions] == [1, 2]
    assert versions[0]["digest"] != versions[1]["digest"]
    assert versions[0]["digest"] in (tmp_path / "board" / "index.html").read_text()


@pytest.mark.parametrize("content", [None, "{}", "[]", "no json"])
def test_folders_without_results_are_refused_by_name(tmp_path: Path, content: str | None):
    (tmp_path / "x").mkdir()
    if content is not None:
        (tmp_path / "x" / BOARD).write_text(content)
    with pytest.raises(ResultsError, match="x"):
        write_board([tmp_path / "x"], tmp_path / "board")
    assert not (tmp_path / "board").exists()
