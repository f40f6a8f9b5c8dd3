"""What happens when LibreOffice misbehaves, with stand-ins that do so on purpose."""

import gc
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from decklab.core.errors import RendererDied, RendererMissing, RenderFailed, RenderTimeout
from decklab.rendering import office as office_module
from decklab.rendering.office import Office, WorkerLimits
from decklab.rendering.office_process import find_installation
from decklab.rendering.opening import open_rendered

StandIn = Callable[..., Office]

_PROLOGUE = """
import json, os, subprocess, sys, time
log = open({log!r}, "a")
log.write(f"{{os.getpid()}}\\n")
log.close()
starts = len(open({log!r}).readlines())
def say(**message):
    print(json.dumps(message), flush=True)
def give(request, content=b"%PDF-1.7 stand-in"):
    open(request["target"], "wb").write(content)
    say(ok=True, pages=1, rss=0)
"""


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """An Office whose worker runs the given code; no LibreOffice takes part."""
    soffice, python = tmp_path / "soffice", tmp_path / "python"
    soffice.write_text("#!/bin/sh\necho StandIn 1.0\n")
    python.write_text(f'#!/bin/sh\n[ "$1" = -c ] && exit 0\nexec "{sys.executable}" "$@"\n')
    soffice.chmod(0o700)
    python.chmod(0o700)

    def make(code: str, **options: object) -> Office:
        worker = tmp_path / "stand_in.py"
        worker.write_text(_PROLOGUE.format(log=str(tmp_path / "starts")) + code)
        return Office(
            installation=find_installation(soffice, python), worker=worker, isolate=False, **options  # type: ignore[arg-type]
        )  # fmt: skip

    return make


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "talk.pptx"
    path.write_bytes(b"anything")
    return path


def starts(deck: Path) -> list[int]:
    return [int(line) for line in (deck.parent / "starts").read_text().split()]


def test_a_worker_that_hangs_is_replaced_once_and_then_the_deck_times_out(
    stand_in: StandIn, deck: Path
) -> None:
    with (
        stand_in("say(ready=True)\ntime.sleep(600)", deadline=0.4) as office,
        pytest.raises(RenderTimeout, match=r"talk\.pptx: not drawn in 0\.4 seconds, twice"),
    ):
        office.pdf(deck)
    assert len(starts(deck)) == 2
    assert not any(psutil.pid_exists(pid) for pid in starts(deck))


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("time.sleep(600)", "it is not up after 0.3 seconds"),
        ("say(ok=False, why='died', detail='it ended with code 6')", "it ended with code 6"),
    ],
)
def test_a_libreoffice_that_does_not_start_is_tried_twice_and_not_for_every_deck(
    stand_in: StandIn, deck: Path, code: str, cause: str
) -> None:
    limits = WorkerLimits(start_seconds=0.3 if "sleep" in code else 30)
    with stand_in(code, limits=limits) as office:
        for draw in (office.pdf, office.pdf, office.pdf_once):
            match = rf"talk\.pptx: LibreOffice does not start here: {cause}, twice$"
            with pytest.raises(RenderFailed, match=match) as raised:
                draw(deck)
            assert not isinstance(raised.value, RendererDied)  # it is not the deck's fault
    assert len(starts(deck)) == 2


def test_without_any_font_libreoffice_does_not_start_and_the_cause_is_told(
    stand_in: StandIn, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_module, "installed_families", frozenset)
    code = "say(ok=False, why='died', detail='it ended with code -6')"
    with (
        stand_in(code) as office,
        pytest.raises(RenderFailed, match="twice; fontconfig names no font: install some"),
    ):
        office.pdf(deck)


def test_a_failure_on_a_full_disk_names_the_folder(
    stand_in: StandIn, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path) -> object:
        return SimpleNamespace(free=0)

    monkeypatch.setattr(shutil, "disk_usage", full)
    code = (
        "say(ready=True)\nfor line in sys.stdin:\n    say(ok=False, why='failed', detail='0x20d')"
    )
    match = rf"only 0\.0 MB are left for temporary files in {tempfile.gettempdir()}: 0x20d$"
    with stand_in(code) as office, pytest.raises(RenderFailed, match=match):
        office.pdf(deck)


def test_a_worker_that_dies_is_replaced_once_and_then_the_deck_fails(
    stand_in: StandIn, deck: Path
) -> None:
    with (
        stand_in("say(ready=True)\nsys.stdin.readline()\nos._exit(3)") as office,
        pytest.raises(RenderFailed, match="ended without an answer, twice"),
    ):
        office.pdf(deck)
    assert len(starts(deck)) == 2


@pytest.mark.parametrize("content", ["", "open('deck.pdf', 'wb').write(b'32 bytes, but no PDF')\n"])
def test_a_worker_that_answers_without_a_pdf_is_replaced(
    stand_in: StandIn, deck: Path, content: str
) -> None:
    code = "say(ready=True)\nfor line in sys.stdin:\n"
    code += f"    {content.strip() or 'pass'}\n    say(ok=True)"
    with (
        stand_in(code) as office,
        pytest.raises(RenderFailed, match="answered without a file, twice"),
    ):
        office.pdf(deck)
    assert len(starts(deck)) == 2


def test_the_second_try_counts(stand_in: StandIn, deck: Path) -> None:
    code = """
say(ready=True)
for line in sys.stdin:
    if starts == 1:
        os._exit(1)
    give(json.loads(line))
"""
    with stand_in(code) as office:
        assert office.pdf(deck) == b"%PDF-1.7 stand-in"
    assert len(starts(deck)) == 2


@pytest.mark.parametrize("line", ["no json", "[1]", "null"])
def test_nonsense_from_a_worker_is_a_failure(stand_in: StandIn, deck: Path, line: str) -> None:
    code = f"say(ready=True)\nfor line in sys.stdin:\n    print({line!r}, flush=True)"
    with stand_in(code) as office, pytest.raises(RenderFailed, match="answered no JSON"):
        office.pdf(deck)


def test_a_refusal_of_a_fresh_worker_is_final(stand_in: StandIn, deck: Path) -> None:
    code = "say(ready=True)\nfor line in sys.stdin:\n    say(ok=False, why='refused', detail='no')"
    with stand_in(code) as office, pytest.raises(RenderFailed, match=r"talk\.pptx: no$"):
        office.pdf(deck)
    assert len(starts(deck)) == 1


def test_a_refusal_of_a_used_worker_is_checked_with_a_fresh_one(
    stand_in: StandIn, deck: Path
) -> None:
    code = """
say(ready=True)
for turn, line in enumerate(sys.stdin):
    if turn:
        say(ok=False, why="refused", detail="worn out")
    else:
        give(json.loads(line))
"""
    with stand_in(code) as office:
        assert office.pdf(deck) == office.pdf(deck)
    assert len(starts(deck)) == 2


GIVES = "say(ready=True)\nfor line in sys.stdin:\n    give(json.loads(line))"


def test_a_worker_is_kept_from_deck_to_deck(stand_in: StandIn, deck: Path) -> None:
    with stand_in(GIVES) as office:
        for _ in range(3):
            office.pdf(deck)
    assert len(starts(deck)) == 1


def test_a_worker_is_recycled_after_so_many_decks(stand_in: StandIn, deck: Path) -> None:
    with stand_in(GIVES, limits=WorkerLimits(recycle_decks=2)) as office:
        for _ in range(5):
            office.pdf(deck)
    assert len(starts(deck)) == 3


def test_a_worker_that_has_grown_is_recycled(stand_in: StandIn, deck: Path) -> None:
    grown = "say(ready=True)\nfor line in sys.stdin:\n    open('deck.pdf', 'wb').write(b'%PDF-')\n"
    grown += "    say(ok=True, rss=2**31)"
    with stand_in(grown) as office:
        office.pdf(deck)
        office.pdf(deck)
    assert len(starts(deck)) == 2


@pytest.mark.long
def test_a_worker_that_eats_memory_is_ended(stand_in: StandIn, deck: Path) -> None:
    eats = "say(ready=True)\nsys.stdin.readline()\nheld = bytearray(300 * 2**20)\ntime.sleep(600)"
    with (
        stand_in(eats, limits=WorkerLimits(memory_bytes=200 * 2**20)) as office,
        pytest.raises(RenderFailed, match="more than 200 MiB of memory, twice"),
    ):
        office.pdf(deck)


def test_a_worker_ends_with_an_office_that_is_forgotten(stand_in: StandIn, deck: Path) -> None:
    office = stand_in(GIVES)
    office.pdf(deck)
    (worker,) = starts(deck)
    assert psutil.pid_exists(worker)
    del office
    gc.collect()
    assert not psutil.pid_exists(worker)


@pytest.mark.long
def test_closing_ends_the_worker_and_what_it_started(stand_in: StandIn, deck: Path) -> None:
    code = """
child = subprocess.Popen(["sleep", "600"])
open({log!r}, "a").write(f"{{child.pid}}\\n")
""".format(log=str(deck.parent / "starts"))
    with stand_in(code + GIVES) as office:
        office.pdf(deck)
        worker, child = starts(deck)
        assert psutil.pid_exists(child)
    assert not psutil.pid_exists(worker)
    gone, _ = psutil.wait_procs([psutil.Process(child)] if psutil.pid_exists(child) else [], 5)
    assert not psutil.pid_exists(child) or gone


def test_a_missing_libreoffice_says_what_to_install(
    tmp_path: Path, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RendererMissing, match="apt-get install libreoffice-impress python3-uno"):
        _ = Office().engine


def test_a_missing_uno_says_what_to_install(tmp_path: Path) -> None:
    soffice = tmp_path / "soffice"
    soffice.write_text("#!/bin/sh\n")
    soffice.chmod(0o700)
    with pytest.raises(RendererMissing, match="apt-get install libreoffice-impress python3-uno"):
        find_installation(soffice, sys.executable)


def test_pictures_and_pdfs_need_no_libreoffice(
    tmp_path: Path, make_pdf: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "deck.pdf"
    path.write_bytes(make_pdf("BT /F1 20 Tf 50 50 Td (Text) Tj ET"))
    with open_rendered(path) as opened:
        assert len(opened) == 1
