"""Which folder ``decklab serve`` shows."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from decklab import workbench
from decklab.cli.serve import app


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[Path, Path | None]]:
    """The folders and states that would be served, in an empty current folder."""
    served: list[tuple[Path, Path | None]] = []

    def serve(folder: Path, *, state: Path | None, **_options: object) -> None:
        served.append((folder.resolve(), state))

    monkeypatch.setattr(workbench, "serve", serve, raising=False)
    monkeypatch.chdir(tmp_path)
    return served


def test_without_a_name_it_is_the_current_folder(
    shown: list[tuple[Path, Path | None]], tmp_path: Path
) -> None:
    assert CliRunner().invoke(app, ["serve", "--state", "kept"]).exit_code == 0
    assert shown == [(tmp_path, Path("kept"))]


def test_the_folder_of_earlier_versions_goes_on_to_be_the_one_without_a_name(
    shown: list[tuple[Path, Path | None]], tmp_path: Path
) -> None:
    (tmp_path / "decklab-workbench").mkdir()
    (tmp_path / "decklab-workbench" / "workbench.id").write_text("0\n")
    assert CliRunner().invoke(app, ["serve"]).exit_code == 0
    assert CliRunner().invoke(app, ["serve", "."]).exit_code == 0
    assert [folder for folder, _ in shown] == [tmp_path / "decklab-workbench", tmp_path]
