"""``decklab board``."""

from pathlib import Path

from tests.evals.results.test_board import run
from typer.testing import CliRunner

from decklab.cli import app


def test_the_page_is_named_and_a_board_is_not_written_over(tmp_path: Path):
    folder, out = run(tmp_path / "a", {"one": 60.0}), tmp_path / "site"
    asked = ["board", str(folder), "--out", str(out), "--title", "June"]
    done = CliRunner().invoke(app, asked)
    assert (done.exit_code, done.output.strip()) == (0, str(out / "index.html"))
    assert "<bdi>June</bdi>" in (out / "index.html").read_text()
    assert CliRunner().invoke(app, asked).exit_code == 2
    assert CliRunner().invoke(app, [*asked, "--overwrite"]).exit_code == 0


def test_a_folder_without_results_ends_in_a_line(tmp_path: Path):
    done = CliRunner().invoke(app, ["board", str(tmp_path), "--out", str(tmp_path / "site")])
    assert done.exit_code == 2
    assert "has no board.json" in done.output
