"""``decklab read``: what it prints, writes and refuses."""

import json

import pytest
from typer.testing import CliRunner

from decklab.cli import app

TEXT = "# Report\n\nSales rose by 12%.\n\n![plan](https://example.org/plan.png)\n"


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "report.md"
    path.write_text(TEXT)
    return path


def run(*words):
    return CliRunner().invoke(app, ["read", *map(str, words)])


def test_headings_and_what_was_not_read_are_listed(report):
    done = run(report)
    assert done.exit_code == 0
    assert "report.md: 5 words, 0 figures, 0 tables" in done.stdout
    assert "Report" in done.stdout
    assert "not read: report.md: the picture https://example.org/plan.png" in done.stdout


def test_json_has_every_block(report):
    read = json.loads(run(report, "--json").stdout)
    [document] = read["documents"]
    assert [block["text"] for block in document["blocks"]] == ["Report", "Sales rose by 12%."]
    assert len(read["unread"]) == 1


def test_passages_are_printed(report):
    assert "Sales rose by 12%." in run(report, "--query", "rising sales").stdout


def test_files_are_written_and_never_over_an_earlier_reading(report, tmp_path):
    assert run(report, "--out", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "report.md" / "document.json").exists()
    again = run(report, "--out", tmp_path / "out")
    assert again.exit_code == 2
    assert "earlier run" in again.stderr


def test_a_file_that_cannot_be_read_ends_it_unless_skipped(report, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7")
    done = run(broken, report)
    assert done.exit_code == 2
    assert "broken.pdf: the PDF is damaged" in done.stderr
    done = run(broken, report, "--skip-unreadable")
    assert done.exit_code == 0
    assert "not read: broken.pdf" in done.stdout
