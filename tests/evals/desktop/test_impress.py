"""Impress on a screen: what is done there by mouse and keyboard is read by python-pptx."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import psutil
import pytest
from pptx import Presentation

from decklab.core.errors import DeckError, UnsupportedFormat
from decklab.core.programs import is_available
from decklab.deck.deck import write_samples
from decklab.diffing.decks import diff_packages
from decklab.evals.desktop.environment import (
    ActionRefused,
    Click,
    Drag,
    EnvironmentFailed,
    Keys,
    Screenshot,
    Type,
)
from decklab.evals.desktop.impress import Impress, ScreenLimits, roundtrip
from decklab.evals.desktop.session import alike
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Cache

ROOT = Path(__file__).parents[3]
MISSING = [name for name in ("soffice", "Xvfb", "openbox") if shutil.which(name) is None]
pytestmark = [
    pytest.mark.office,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
    pytest.mark.skipif(not is_available(), reason="bubblewrap cannot be used here"),
]

TITLE = (700, 400)
TEXT = "Über 中文 العربية 😀 «x» {a}~@"


def texts(deck: Path) -> list[str]:
    slide = Presentation(str(deck)).slides[0]
    return [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]


def living(screen: Impress) -> list[psutil.Process]:
    first = psutil.Process(screen.process_id)
    return [first, *first.children(recursive=True)]


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decks")
    write_samples(folder)
    return folder / "plain.pptx"


@pytest.fixture(scope="module")
def edited(deck: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """One run: what was seen on the way, and what was left."""
    out = tmp_path_factory.mktemp("out") / "left.pptx"
    before = deck.read_bytes()
    with Impress(deck, out) as screen:
        processes = living(screen)
        seen = {"start": screen.act(Screenshot())}
        controls = screen.accessible_text() or ""
        refused = pytest.raises(ActionRefused, match="outside the screen")
        with refused:
            screen.act(Click(1280, 0))
        seen["refused"] = screen.screenshot()
        screen.act(Click(*TITLE, count=2))
        screen.act(Keys("ctrl+a"))
        seen["typed"] = screen.act(Type(TEXT))
        screen.act(Keys("Escape"))
        screen.act(Keys("Escape"))
        seen["dialog"] = screen.act(Keys("ctrl+h"))
        dialog = screen.accessible_text() or ""
        closed = screen.close()
        again = screen.close()
    yield SimpleNamespace(
        seen=seen, controls=controls, dialog=dialog, closed=closed, again=again, out=out,
        processes=processes, same=deck.read_bytes() == before,
    )  # fmt: skip


@pytest.mark.long
def test_any_text_is_typed_and_saved_with_a_dialog_open(edited: SimpleNamespace) -> None:
    assert edited.closed.saved
    assert edited.closed.deck == edited.out
    assert TEXT in texts(edited.closed.deck)
    assert edited.again == edited.closed
    assert edited.same


@pytest.mark.long
def test_pictures_show_what_happened(edited: SimpleNamespace) -> None:
    assert edited.seen["start"].size == (1280, 800)
    assert edited.seen["start"].mode == "RGB"
    assert alike(edited.seen["start"], edited.seen["refused"])
    assert not alike(edited.seen["start"], edited.seen["typed"])
    assert not alike(edited.seen["typed"], edited.seen["dialog"])
    # The window fills the screen: its grey reaches the last row and column.
    assert edited.seen["start"].getpixel((1279, 780)) == edited.seen["start"].getpixel((1000, 780))


@pytest.mark.long
def test_the_controls_are_told_as_text(edited: SimpleNamespace) -> None:
    assert "menu 'Insert'" in edited.controls
    assert "paragraph '' = 'Ridge Trail: 2025 season review'" in edited.controls
    assert "dialog 'Find and Replace'" not in edited.controls
    assert "dialog 'Find and Replace'" in edited.dialog
    assert "push_button 'Replace All' (disabled)" in edited.dialog


@pytest.mark.long
def test_nothing_runs_on_after_the_end(edited: SimpleNamespace) -> None:
    names = {"Xvfb", "openbox", "soffice.bin"}
    assert len(edited.processes) >= 5
    psutil.wait_procs(edited.processes, timeout=5)
    assert not [one for one in edited.processes if one.is_running() and one.name() in names]


def written_as_show(deck: Path, show: Path) -> Path:
    """The deck with the content type of a show, which LibreOffice would play when it opens it."""
    with ZipFile(deck) as old, ZipFile(show, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "[Content_Types].xml":
                assert content.count(b"presentation.main+xml") == 1
                content = content.replace(b"presentation.main+xml", b"slideshow.main+xml")
            new.writestr(name, content)
    return show


@pytest.mark.long
def test_a_deck_and_a_show_side_by_side_leave_nothing_behind(
    deck: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    show = written_as_show(deck, tmp_path_factory.mktemp("show") / "plain.ppsx")
    left: dict[int, Path] = {}
    folders: list[Path] = []

    def run(number: int) -> None:
        opened = deck if number == 1 else show
        with Impress(opened, tmp_path / f"{number}.pptx", size=(1024, 700)) as screen:
            folders.append(screen.folder)
            screen.act(Click(550, 350, count=2))
            screen.act(Keys("ctrl+a"))
            screen.act(Type(f"Run {number}"))
            screen.act(Drag(((300, 550), (500, 600))))
            screen.act(Keys("Escape"))  # it would end a show, and the editor with it
            left[number] = screen.close().deck

    threads = [threading.Thread(target=run, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: f"Run {number}" in texts(path) for number, path in left.items()} == {
        1: True,
        2: True,
    }
    assert len(folders) == 2
    assert not [folder for folder in folders if folder.exists()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.pptx", "2.pptx"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("victim", "blow", "ended"),
    [
        ("soffice.bin", signal.SIGKILL, "editor"),
        ("soffice.bin", signal.SIGSTOP, "editor"),
        ("Xvfb", signal.SIGKILL, "display"),
    ],
)
def test_what_ended_is_told_apart(
    deck: Path, tmp_path: Path, victim: str, blow: signal.Signals, ended: str
) -> None:
    limits = ScreenLimits(settle_seconds=1, answer_seconds=1)
    with Impress(deck, tmp_path / "out.pptx", limits=limits) as screen:
        processes = living(screen)
        struck = next(process for process in processes if process.name() == victim)
        os.kill(struck.pid, blow)
        with pytest.raises(EnvironmentFailed) as failure:
            for _ in range(3):
                screen.act(Keys("ctrl+a"))
        assert failure.value.ended == ended
        assert failure.value.saved == tmp_path / "out.pptx"
        assert "Ridge Trail: 2025 season review" in texts(failure.value.saved)
        with pytest.raises(EnvironmentFailed):
            screen.close()
    _gone, alive = psutil.wait_procs(processes, timeout=5)
    assert not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.long
def test_a_save_alone_is_no_edit_and_links_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_samples(tmp_path)
    deck, cache = tmp_path / "rich.pptx", Cache(tmp_path / "cache")
    original = roundtrip(deck, tmp_path / "original.pptx", cache=cache)
    with Impress(deck, tmp_path / "left.pptx") as screen:
        screen.act(Keys("ctrl+s"))
        left = screen.close().deck
    with Package.open(original) as old, Package.open(left) as new:
        assert diff_packages(old, new).edits == ()
        assert b"Read the cost study" in b"".join(
            old.read(name) for name in old.names if name.startswith("ppt/slides/slide")
        )
    monkeypatch.setattr("decklab.evals.desktop.impress.Impress", None)  # it is made once
    again = roundtrip(deck, tmp_path / "again.pptx", cache=cache)
    assert again.read_bytes() == original.read_bytes()


def test_what_is_no_powerpoint_deck_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\n")
    with pytest.raises(UnsupportedFormat):
        Impress(tmp_path / "a.pdf", tmp_path / "out.pptx")
    with pytest.raises(DeckError):
        Impress(tmp_path / "none.pptx", tmp_path / "out.pptx")


def test_sizes_have_bounds(deck: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="320 to 4096"):
        Impress(deck, tmp_path / "out.pptx", size=(100, 800))


@pytest.mark.long
@pytest.mark.timeout(600)
def test_eight_episodes_killed_at_random_leave_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench.desktop", "--kills", "8", "--side-by-side", "8"]
    ended = subprocess.run(
        [*command, "--within", "15", "--seed", "5"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.count("killed at") + ended.stdout.count("ended before") == 8
    assert "left behind after it: nothing" in ended.stdout
