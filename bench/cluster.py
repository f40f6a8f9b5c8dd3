"""Many decks on Dask workers against one machine's run: ``python -m bench.cluster [--decks N]``.

Writes N small decks, scores them with those of ``--also`` plainly, on one and on two workers, and
on two workers of which one is killed three times; ``--runs`` names some of these. Prints whether
all rows are equal, decks a minute, the memory of each worker with all below it, and what a million
decks would take.
"""

import argparse
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pyarrow.parquet as pq
from pptx import Presentation

from bench.measuring import resident_of_tree
from decklab.rendering.renderer import Renderer
from decklab.scoring.run import score
from decklab.workbench.cluster.jobs import Job
from decklab.workbench.cluster.run import DatasetRun, Progress, machine_named, run_job
from decklab.workbench.cluster.sources import source_items

WORDS = ("the market grew by share of data from users who asked for more in time and cost").split()  # noqa: SIM905
A_MILLION = 1_000_000
KILLS = 3
RUNS = {"one": ("local:1", 0), "two": ("local:2", 0), "killed": ("local:2", KILLS)}


def write_decks(folder: Path, count: int) -> None:
    """Decks of one to four slides of random words; the same ones every time."""
    random_words = random.Random(7)
    for number in range(count):
        deck = Presentation()
        for _ in range(random_words.randint(1, 4)):
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = " ".join(random_words.choices(WORDS, k=4))
            lines = [" ".join(random_words.choices(WORDS, k=6)) for _ in range(3)]
            slide.placeholders[1].text = "\n".join(lines)
        path = folder / f"{number // 100:03d}" / f"deck-{number:05d}.pptx"
        path.parent.mkdir(parents=True, exist_ok=True)
        deck.save(str(path))


@contextmanager
def memory_seen() -> Iterator[dict[int, list[float]]]:
    """Megabytes of each child of this process with all below it, once a second, by process id."""
    seen: dict[int, list[float]] = {}
    stop = threading.Event()

    def look() -> None:
        while not stop.wait(1.0):
            for child in psutil.Process().children():
                seen.setdefault(child.pid, []).append(resident_of_tree(child))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()


def _below(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def killer(times: int, every: int) -> Callable[[Progress], None]:
    """Kills a Dask worker each time that so many more decks are done."""
    done: list[int] = []

    def look(progress: Progress) -> None:
        if len(done) < times and progress.finished >= every * (len(done) + 1):
            for child in _below(psutil.Process()):
                below = [" ".join(one.cmdline()) for one in child.children()]
                if any("serve_tasks" in line for line in below) and child.ppid() == os.getpid():
                    os.kill(child.pid, signal.SIGKILL)
                    done.append(child.pid)
                    print(f"killed worker {child.pid} after {progress.finished} decks", flush=True)
                    return

    return look


def on_cluster(
    sources: list[str], out: Path, name: str, watch: Callable[[Progress], None]
) -> DatasetRun:
    with memory_seen() as seen:
        done = run_job(
            source_items(sources), Job("score"), out, machine=machine_named(name), progress=watch
        )
    rate = done.finished / done.seconds * 60
    print(f"{name}: {done.seconds:.0f} s, {rate:.1f} decks a minute, {done.failed} failed")
    for values in seen.values():
        if len(values) > 10:
            quarter = len(values) // 4
            first, last = (sorted(part)[len(part) // 2] for part in
                           (values[quarter:2 * quarter], values[-quarter:]))  # fmt: skip
            print(f"  a child: {first:.0f} MB in the second quarter, {last:.0f} in the last, "
                  f"{max(values):.0f} at most")  # fmt: skip
    hours = A_MILLION / rate / 60
    print(f"  a million such decks: {hours:.0f} hours on this, {hours / 100:.1f} on 100 of it")
    return done


def rows_of(file_or_files: Sequence[Path]) -> Counter[str]:
    return Counter(
        repr(sorted(row.items()))
        for file in file_or_files
        for row in pq.read_table(file).to_pylist()
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.cluster", description=__doc__)
    parser.add_argument("--decks", type=int, default=2000)
    parser.add_argument("--also", action="append", default=[], help="such as ../shared/decks")
    parser.add_argument("--runs", default=",".join(RUNS), help="some of one,two,killed")
    asked = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="decklab-cluster-") as scratch:
        place = Path(scratch)
        write_decks(place / "decks", asked.decks)
        sources = [str(place / "decks"), *asked.also]
        begun = time.monotonic()
        plain = score(sources, place / "plain", jobs=2, renderer=Renderer())  # without a cache
        seconds = time.monotonic() - begun
        decks = plain.scored + plain.failed
        print(f"plain, 2 processes: {seconds:.0f} s, {decks / seconds * 60:.1f} decks a minute")
        expected = rows_of([plain.out / "results.parquet"])
        wrong = 0
        for number, (name, kills) in enumerate(RUNS[run] for run in asked.runs.split(",")):
            watch = killer(kills, max(1, decks // (KILLS + 1)))
            done = on_cluster(sources, place / f"out-{number}", name, watch)
            equal = rows_of(done.dataset.files("measurements")) == expected
            print(f"  rows equal to the plain run's: {equal}", flush=True)
            wrong |= not equal
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
