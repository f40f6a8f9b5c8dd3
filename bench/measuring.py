"""What a command costs, and what earlier runs of the budgets gave.

Each budget is a ratio of two things measured in turns in one run. ``build/bench-history.jsonl`` has
a line for each: when, at which commit, the ratio and its budget, and the memory of both sides.
"""

import json
import os
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

HISTORY = Path(__file__).parents[1] / "build" / "bench-history.jsonl"
LOOK_SECONDS = 0.05
"""Time between two looks at a command's memory. Ours: LibreOffice needs longer for a slide."""


@dataclass(frozen=True)
class Cost:
    """The cost of one run of a command, with all processes that it started."""

    seconds: float
    megabytes: float
    """The most resident memory of all its processes together; shared pages count in each."""
    cpu: float = 0.0
    """Seconds of CPU of it and of processes that it waited for: not of LibreOffice, which is
    killed."""


def cost_of(commands: Sequence[Sequence[str]], codes: Sequence[int] = (0,)) -> Cost:
    """Run commands one after the other; raises CalledProcessError for another exit code."""
    most = 0.0
    stop = threading.Event()
    at_work: list[psutil.Process] = []

    def look() -> None:
        nonlocal most
        while not stop.wait(LOOK_SECONDS):
            most = max(most, sum(map(resident_of_tree, at_work[-1:])))

    watching = threading.Thread(target=look, daemon=True)
    started, before = time.perf_counter(), os.times()
    watching.start()
    try:
        for command in commands:
            with subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as process:
                at_work.append(psutil.Process(process.pid))
                code = process.wait()
            if code not in codes:
                raise subprocess.CalledProcessError(code, list(command))
        after = os.times()
        cpu = after.children_user + after.children_system
        cpu -= before.children_user + before.children_system
        return Cost(time.perf_counter() - started, most, cpu)
    finally:
        stop.set()
        watching.join()


def resident_of_tree(top: psutil.Process) -> float:
    """Megabytes of a process and all below it; 0 where it has ended."""
    total = 0
    try:
        processes = [top, *top.children(recursive=True)]
    except psutil.Error:
        return 0.0
    for process in processes:
        try:
            total += process.memory_info().rss
        except psutil.Error:
            continue
    return total / 2**20


def remember(
    name: str,
    ratio: float,
    budget: float,
    *,
    ours: Cost | None = None,
    theirs: Cost | None = None,
    history: Path = HISTORY,
) -> str:
    """Add a line to the history; gives the memory of both sides and the ratio of the last run."""
    earlier = [line for line in read_history(history) if line.get("name") == name]
    line: dict[str, object] = {
        "name": name,
        "when": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "commit": _commit(),
        "cores": len(os.sched_getaffinity(0)),
        "ratio": round(ratio, 3),
        "budget": budget,
    }
    said = []
    if ours is not None and theirs is not None:
        line |= {"megabytes": round(ours.megabytes), "other_megabytes": round(theirs.megabytes)}
        said.append(f"memory {ours.megabytes:.0f} MB against {theirs.megabytes:.0f} MB")
    if earlier:
        last = earlier[-1]
        said.append(f"{last.get('ratio')} at {last.get('commit')} before")
    history.parent.mkdir(parents=True, exist_ok=True)
    with history.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    return "; ".join(said)


def read_history(history: Path = HISTORY) -> list[dict[str, object]]:
    """The lines of a history file, oldest first; none where there is no file."""
    if not history.is_file():
        return []
    return [json.loads(line) for line in history.read_text(encoding="utf-8").splitlines() if line]


def _commit() -> str:
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=Path(__file__).parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return found.stdout.strip() or "no commit"
