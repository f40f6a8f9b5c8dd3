"""``decklab designs``: what it prints, and its exit codes."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from decklab.cli.decks import app
from decklab.writer import design_page


def test_it_prints_the_design_that_suits_and_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(design_page, "THEMES", {})
    monkeypatch.setattr(design_page, "design_for", lambda *_: "nordic")
    source, out = tmp_path / "talk.md", tmp_path / "page.html"
    source.write_text("# Forests\n\n## Trees\n\n- Oak\n")
    ran = CliRunner().invoke(app, ["designs", str(source), "--out", str(out)])
    assert ran.exit_code == 0 and "Forests" in out.read_text()
    assert ran.output.splitlines() == ["nordic suits this topic", str(out)]


def test_a_source_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    ran = CliRunner().invoke(
        app, ["designs", str(tmp_path / "none.md"), "--out", str(tmp_path / "a.html")]
    )
    assert ran.exit_code == 2 and "none.md" in ran.output
