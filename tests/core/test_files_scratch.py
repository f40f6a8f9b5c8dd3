"""Private folders: gone after use, swept after a kill, never somebody else's."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from decklab.core.files import Scratch, scratch_folder, sweep_stale_folders


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_gone_after_the_block_even_when_it_fails(temporary: Path) -> None:
    with pytest.raises(RuntimeError), scratch_folder("probe") as folder:
        (folder / "file").touch()
        raise RuntimeError
    assert list(temporary.iterdir()) == []


def test_a_live_folder_is_not_swept_however_old() -> None:
    scratch = Scratch("html")
    sweep_stale_folders()
    assert scratch.folder.is_dir()
    scratch.remove()
    scratch.remove()


def test_a_folder_whose_owner_was_killed_is_swept(temporary: Path) -> None:
    left = temporary / "decklab-html-abcdefgh"
    (left / "room").mkdir(parents=True)
    (left / ".decklab-lock").touch()
    sweep_stale_folders()
    assert not left.exists()


def test_the_next_process_removes_the_folder_of_a_killed_one(temporary: Path) -> None:
    holding = "from decklab.core.files import Scratch; one = Scratch('x')"
    holding += "; print(one.folder, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", holding], env=os.environ | {"TMPDIR": str(temporary)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        sweep_stale_folders()
        assert left.is_dir()
        process.kill()
    with scratch_folder("probe") as folder:
        assert list(temporary.iterdir()) == [folder]


def test_what_cannot_be_removed_keeps_its_lock_for_the_next_sweep(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = temporary / "decklab-html-abcdefgh"
    (left / "room").mkdir(parents=True)
    (left / ".decklab-lock").touch()
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)
        sweep_stale_folders()
        assert (left / ".decklab-lock").exists()
    sweep_stale_folders()
    assert not left.exists()


def test_a_folder_that_only_sounds_like_ours_stays(temporary: Path) -> None:
    mine = temporary / "decklab-html-report"
    mine.mkdir()
    (mine / "index.html").touch()
    sweep_stale_folders()
    assert [path.name for path in mine.iterdir()] == ["index.html"]
