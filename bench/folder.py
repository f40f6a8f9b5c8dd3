"""How long `decklab score` takes on a folder of decks, against LibreOffice's own conversion.

Both start cold on the same decks in the same run, taking turns: `soffice --convert-to pdf` one
deck after the other in a profile that is already set up, and `decklab score` with an empty cache.
Run as ``python -m bench.folder [FOLDER]``; without a folder, ten of the decks in
``../shared/decks/real``, or the three samples where those are absent.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from decklab.deck.samples import write_samples

REAL = Path(__file__).parents[2] / "shared" / "decks" / "real"
BUDGET = 1.5
"""`decklab score` may take at most so many times as long; the aim is 1."""
ROUNDS = 3
DECKS = 10


def main(arguments: list[str]) -> int:
    """Time both, print each round and the median ratio; 1 where the budget is missed."""
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        decks = _decks(arguments, room)
        print(f"{len(decks)} decks, {sum(deck.stat().st_size for deck in decks) / 1e6:.1f} MB")
        profile = room / "profile"
        _soffice(decks[:1], profile, room / "warm")
        ratios = []
        for number in range(ROUNDS):
            plain = _seconds(lambda: _soffice(decks, profile, room / "pdf"))
            ours = _seconds(lambda: _decklab(decks, room / "cache", room / "out"))
            ratios.append(ours / plain)
            print(f"round {number + 1}: soffice {plain:6.1f} s, decklab score {ours:6.1f} s,"
                  f" ratio {ours / plain:.2f}")  # fmt: skip
    ratio = median(ratios)
    met = ratio <= BUDGET
    print(f"folder: decklab score takes {ratio:.2f} times as long as soffice"
          f" (budget {BUDGET}): {'met' if met else 'MISSED'}")  # fmt: skip
    return 0 if met else 1


def _decks(arguments: list[str], room: Path) -> list[Path]:
    if arguments:
        return sorted(Path(arguments[0]).glob("*.pptx"))
    if REAL.is_dir():
        return sorted(REAL.glob("*.pptx"))[:DECKS]
    return write_samples(room / "samples")


def _soffice(decks: list[Path], profile: Path, out: Path) -> None:
    for deck in decks:
        subprocess.run(
            [
                "soffice", f"-env:UserInstallation=file://{profile}", "--headless",
                "--convert-to", "pdf", "--outdir", str(out), str(deck),
            ],
            check=True, capture_output=True,
        )  # fmt: skip


def _decklab(decks: list[Path], cache: Path, out: Path) -> None:
    for folder in (cache, out):
        shutil.rmtree(folder, ignore_errors=True)
    command = [str(Path(sys.executable).with_name("decklab")), "score", *map(str, decks)]
    subprocess.run(
        [*command, "--out", str(out), "--cache", str(cache)], check=True, capture_output=True
    )


def _seconds(action: Callable[[], None]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
