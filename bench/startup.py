"""How soon the command line is there, against importing typer and rich, which every command needs.

Run as ``python -m bench.startup [--diff PATH/TO/OLD/decklab]``. Processor time of whole processes,
the least of seven runs each, taken in turns: help, a command's help, a usage error. Budget: 4 times
what importing typer and rich takes. With ``--diff``, a diff of two small decks by this ``decklab``
against the one that is named; budget: half the time.
"""

import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measuring import remember
from decklab.deck.deck import write_samples

TURNS = 7
BUDGET = 4.0
HALF = 0.5
DECKLAB = str(Path(sys.executable).with_name("decklab"))
PLAIN = [sys.executable, "-c", "import typer, rich"]
CASES = {
    "decklab --help": ["--help"],
    "decklab score --help": ["score", "--help"],
    "decklab grade --help": ["grade", "--help"],
    "decklab bench slideeval-extract --help": ["bench", "slideeval-extract", "--help"],
    "usage error: an argument is missing": ["diff"],
    "usage error: no such command": ["nosuch"],
}


def processor_time(command: Sequence[str]) -> float:
    """Seconds of processor time that a command takes, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def least_times(commands: dict[str, Sequence[str]]) -> dict[str, float]:
    """The least of some runs of each command, taken in turns."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _turn in range(TURNS):
        for name, command in commands.items():
            taken[name].append(processor_time(command))
    return {name: min(times) for name, times in taken.items()}


def main(arguments: Sequence[str]) -> int:
    """Print a ratio a line; 1 where one is over its budget."""
    found = least_times({"plain": PLAIN, **{n: [DECKLAB, *w] for n, w in CASES.items()}})
    plain = found.pop("plain")
    print(f"  {'importing typer and rich':40} {plain:6.3f} s")
    missed = False
    for name, seconds in found.items():
        over = seconds > BUDGET * plain
        missed |= over
        mark = "MISSED" if over else "met"
        remember(f"start, {name}", seconds / plain, BUDGET)
        print(f"  {name:40} {seconds:6.3f} s  {seconds / plain:5.2f}x (at most {BUDGET:g}) {mark}")
    if "--diff" in arguments:
        missed |= _diff_missed(arguments[list(arguments).index("--diff") + 1])
    return int(missed)


def _diff_missed(older: str) -> bool:
    with TemporaryDirectory() as folder:
        decks = [str(path) for path in write_samples(Path(folder))[:2]]
        found = least_times({"before": [older, "diff", *decks], "now": [DECKLAB, "diff", *decks]})
    ratio = found["now"] / found["before"]
    over = ratio > HALF
    print(f"  {'diff of two small decks':40} {found['now']:6.3f} s  {ratio:5.2f} of"
          f" {found['before']:.3f} s (at most {HALF:g}) {'MISSED' if over else 'met'}")  # fmt: skip
    return over


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
