"""Impress on a screen: how long it takes to start and to act, its memory, and what it leaves.

Starts 20 screens one after the other and 3 side by side, then looks for processes, folders and
locks of displays that were not there before. With decks named, each is saved twice on a screen
without an edit, and what differs is printed: it has to be nothing. With ``--kills N`` as many
programs with an episode each, some side by side, are ended by SIGKILL at random moments; then
processes, folders and locks are looked for, before and after one more episode.

Run as ``python -m bench.desktop [--runs N] [--side-by-side N] [--kills N [--within SECONDS] [--seed
S]] [DECK ...]``. 1 where anything is left, or where a save alone changed a deck.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import psutil

from bench.kills import adopt_orphans, left_processes
from decklab.deck.deck import write_samples
from decklab.diffing.decks import diff_packages
from decklab.evals.desktop.environment import Action, Click, Keys, Screenshot, Type
from decklab.evals.desktop.impress import Impress, roundtrip
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Cache

ACTIONS: dict[str, Action] = {
    "look": Screenshot(),
    "click": Click(700, 400),
    "double click": Click(700, 400, count=2),
    "select all": Keys("ctrl+a"),
    "type 20 letters": Type("A title of 20 marks."),
    "type 20 others": Type("ÄÖÜßéèñçø€£¥中文字漢العر"),
    "undo": Keys("ctrl+z"),
    "open a dialog": Keys("ctrl+h"),
    "close it": Keys("Escape"),
}
_NAMES = ("Xvfb", "openbox", "soffice.bin", "bwrap")
_SETTLE_SECONDS = 2.0


def main(arguments: Sequence[str]) -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(prog="bench.desktop")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--side-by-side", type=int, default=3)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--within", type=float, default=LONGEST_SECONDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("decks", nargs="*", type=Path)
    chosen = parser.parse_args(arguments)
    if chosen.kills:
        chance = random.Random(chosen.seed)
        return _killed(chosen.kills, chosen.side_by_side, chosen.within, chance)
    before = _state()
    with tempfile.TemporaryDirectory(prefix="bench-desktop-") as name:
        room = Path(name)
        deck = next(path for path in write_samples(room) if path.stem == "plain")
        _one(deck, room / "one.pptx")
        _many(deck, room, chosen.runs)
        _side_by_side(deck, room, chosen.side_by_side)
        changed = sum(_resaved(path, room) for path in chosen.decks)
    time.sleep(_SETTLE_SECONDS)
    left = sorted(_state() - before)
    print(f"left behind: {', '.join(left) or 'nothing'}")
    return int(bool(left or changed))


def _one(deck: Path, out: Path) -> None:
    with Impress(deck, out) as screen:
        for name, action in ACTIONS.items():
            start = time.perf_counter()
            screen.act(action)
            print(f"{name:16} {time.perf_counter() - start:6.2f} s")
        start = time.perf_counter()
        for _ in range(20):
            screen.screenshot()
        print(f"{'screenshot':16} {(time.perf_counter() - start) / 20 * 1000:6.0f} ms")
        start = time.perf_counter()
        controls = (screen.accessible_text() or "").splitlines()
        print(f"{'controls':16} {time.perf_counter() - start:6.2f} s, {len(controls)} of them")
        first = psutil.Process(screen.process_id)
        for process in (first, *first.children(recursive=True)):
            memory = process.memory_full_info()
            print(f"{process.name():16} {memory.pss / 2**20:6.0f} MiB of its own share")
        start = time.perf_counter()
        screen.close()
        print(f"{'save and close':16} {time.perf_counter() - start:6.2f} s")


def _many(deck: Path, room: Path, runs: int) -> None:
    starts = []
    for _ in range(runs):
        start = time.perf_counter()
        with Impress(deck, room / "many.pptx") as screen:
            starts.append(time.perf_counter() - start)
            screen.close()
    if starts:
        print(f"{runs} in a row: up in {median(starts):.2f} s (median), {max(starts):.2f} s (most)")


def _side_by_side(deck: Path, room: Path, count: int) -> None:
    done: list[int] = []

    def run(number: int) -> None:
        with Impress(deck, room / f"side-{number}.pptx") as screen:
            screen.act(Keys("ctrl+a"))
            screen.close()
            done.append(number)

    start = time.perf_counter()
    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{len(done)} of {count} side by side: {time.perf_counter() - start:.2f} s")


EPISODE = """
import sys
from decklab.evals.desktop.environment import Click, Keys, Type
from decklab.evals.desktop.impress import Impress
with Impress(sys.argv[1], sys.argv[2]) as screen:
    print("up", flush=True)
    for number in range(6):
        for action in (Click(700, 400, count=2), Keys("ctrl+a"), Type(f"Title {number}")):
            screen.act(action)
    screen.close()
"""
LONGEST_SECONDS = 40.0
"""Of an episode on a busy machine; kills come at any moment of it. Ours."""


def _killed(kills: int, at_once: int, within: float, chance: random.Random) -> int:
    """End episodes at random moments of so many seconds, and say what they leave; their folders are
    in one of their own, so that other programs' are not counted."""
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="bench-desktop-") as name:
        room = Path(name)
        os.environ["TMPDIR"] = tempfile.tempdir = name
        deck = next(path for path in write_samples(room) if path.stem == "plain")
        before, faults, done = _state(), 0, 0
        while done < kills:
            batch = [
                _begun(deck, room / f"{done + n}.pptx") for n in range(min(at_once, kills - done))
            ]
            moments = sorted((chance.uniform(0.2, within), process) for process in batch)
            begun = time.monotonic()
            for moment, process in moments:
                time.sleep(max(0.0, begun + moment - time.monotonic()))
                late = process.poll() is not None
                process.send_signal(signal.SIGKILL)
                up = bool(process.communicate()[0])
                state = (
                    "ended before" if late else "killed at work" if up else "killed at its start"
                )
                print(f"{moment:5.1f} s: {state}", flush=True)
            left, spent = left_processes()
            faults += len(left)
            print(f"       processes left: {', '.join(left) or 'none'} ({spent:.1f} s)", flush=True)
            done += len(batch)
        print(f"left behind before the next start: {len(_state() - before)} folders or locks")
        with Impress(deck, room / "next.pptx") as screen:
            screen.close()
        running, _ = left_processes()
        left = [*running, *sorted(_state() - before)]
        print(f"left behind after it: {', '.join(left) or 'nothing'}")
        return int(bool(left or faults))


def _begun(deck: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", EPISODE, str(deck), str(out)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _resaved(deck: Path, room: Path) -> bool:
    """Whether a second save without an edit differs from the first."""
    first = roundtrip(deck, room / "first.pptx", cache=Cache(room))
    with Impress(deck, room / "second.pptx") as screen:
        screen.act(Keys("ctrl+s"))
        second = screen.close().deck
    with Package.open(first) as old, Package.open(second) as new:
        edits = diff_packages(old, new).edits
    print(f"{deck.name}: {len(edits)} differences after a save alone")
    for change in edits[:5]:
        print(
            f"    slide {change.slide}: {change.property}: {change.old!s:.60} -> {change.new!s:.60}"
        )
    return bool(edits)


def _state() -> set[str]:
    """Our processes of such names, and the folders and locks that screens could leave."""
    own = psutil.Process(os.getpid())
    running = {
        f"{process.name()} {process.pid}"
        for process in own.children(recursive=True)
        if process.name() in _NAMES
    }
    places = Path(tempfile.gettempdir())
    found = [*places.glob("decklab-office-*"), *Path("/tmp").glob(".X*-lock")]
    found += Path("/tmp/.X11-unix").glob("X*")
    return running | {str(path) for path in found}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
