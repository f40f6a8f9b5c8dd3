"""The notebook for researchers runs from top to bottom."""

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs" / "notebooks" / "research.ipynb"


@pytest.mark.long
@pytest.mark.office
def test_the_notebook_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient").NotebookClient
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    book = nbformat.read(NOTEBOOK, as_version=4)
    client(
        book, timeout=240, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    shown = [cell.outputs[-1].data["text/plain"] for cell in code if cell.outputs]
    assert len(shown) == len(code)
    assert "quality.score" in shown[1]
    assert "Figure size" in shown[6]


def test_the_notebook_is_kept_without_results() -> None:
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(book)
    assert all(not cell.outputs for cell in book.cells if cell.cell_type == "code")
