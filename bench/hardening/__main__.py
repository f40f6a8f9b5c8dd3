"""``python -m bench.hardening FOLDER... [--files 1000] [--seed 1] [--draw] [--results FILE]``

Takes files at random from the folders and damages each: bytes changed, cut off or doubled, parts of
a package dropped, swapped or with other bytes, attributes and elements of its XML moved or changed.
Each damaged file is read by the commands that fit its kind, in a process of its own with a bound on
time. What counts as a fault: a traceback, a signal, a hang, an error without the file's name, and
a death of LibreOffice on a .pptx without the slide. The damaged files behind a fault are left in
``--out``. A file's kind is its ending, such as .pptx, .rubric.json or .ranks.csv. ``--table`` only
prints the table of the outcomes that earlier runs appended to ``--results``.
"""

import argparse
import json
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.hardening.commands import COMMANDS, DRAWN, PICTURES, file_name, filled, kind_of
from bench.hardening.damage import damaged
from bench.hardening.table import table
from bench.hardening.trying import Outcome, outcome_of, run, score

DECKS_A_RUN = 50
"""Decks that one run of ``score`` draws (ours)."""


class Trial:
    """Damages files of some folders and tries them."""

    def __init__(
        self, by_kind: dict[str, list[Path]], kinds: str | None, seed: int, kept: Path | None
    ) -> None:
        wanted = kinds.split(",") if kinds else by_kind
        self._by_kind = {kind: files for kind, files in by_kind.items() if kind in wanted}
        self._sound = {kind: files[0] for kind, files in by_kind.items()}
        self._seed = seed
        self._kept = kept

    def outcomes(self, numbers: range, folder: Path, *, draw: bool) -> Iterator[Outcome]:
        """What came of the damaged files of these numbers."""
        drawn: list[tuple[Path, str]] = []
        for number in numbers:
            file, kind = self._damaged(number, folder)
            out = file.parent / "out"
            for words in COMMANDS[kind]:
                command = filled(words, file, out, self._sound)
                yield self._judged(file, outcome_of(run(command, file.parent), file, kind, words))
            if draw and kind in PICTURES:
                drawn.append((file.parent / "pictures", kind))
            elif draw and kind in DRAWN:
                drawn.append((file, kind))
        if drawn:
            for (file, _), outcome in zip(drawn, score(drawn, folder), strict=True):
                yield self._judged(file, outcome)

    def _damaged(self, number: int, folder: Path) -> tuple[Path, str]:
        chance = random.Random(f"{self._seed} {number}")
        kind = chance.choice(sorted(self._by_kind))
        source = chance.choice(self._by_kind[kind])
        room = folder / str(number)
        room.mkdir()
        file = room / file_name(kind, number)
        file.write_bytes(damaged(source.read_bytes(), kind, chance))
        if kind == ".cases.json":
            shutil.copyfile(self._sound[".pptx"], room / "sound.pptx")
        if kind in PICTURES:  # a deck of two slides, of which one is damaged
            deck = room / "pictures"
            deck.mkdir()
            (deck / file.name).write_bytes(file.read_bytes())
            (deck / f"sound{kind}").write_bytes(source.read_bytes())
        return file, kind

    def _judged(self, file: Path, outcome: Outcome) -> Outcome:
        if outcome.fault:
            print(json.dumps(asdict(outcome)), flush=True)
        if outcome.fault and self._kept and file.is_file():
            self._kept.mkdir(parents=True, exist_ok=True)
            name = f"{self._seed}-{file.parent.name}-{file.name}"
            (self._kept / name).write_bytes(file.read_bytes())
        return outcome


def main(arguments: Sequence[str]) -> int:
    """Try damaged files; print a table; 1 where there are faults."""
    parser = argparse.ArgumentParser(prog="python -m bench.hardening", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", help="only these, such as .pptx,.odp")
    parser.add_argument("--draw", action="store_true", help="score decks, too: needs LibreOffice")
    parser.add_argument("--out", type=Path, metavar="DIR", help="for the files behind faults")
    parser.add_argument("--results", type=Path, metavar="FILE", help="to append outcomes to")
    parser.add_argument("--table", action="store_true", help="only print the table of --results")
    asked = parser.parse_args(arguments)
    outcomes: list[Outcome] = []
    if asked.table:
        with asked.results.open(encoding="utf-8") as lines:
            outcomes = [Outcome(**json.loads(line)) for line in lines]
    else:
        trial = Trial(_sources(asked.folders), asked.kinds, asked.seed, asked.out)
        for first in range(asked.first, asked.first + asked.files, DECKS_A_RUN):
            numbers = range(first, min(first + DECKS_A_RUN, asked.first + asked.files))
            with TemporaryDirectory(prefix="decklab-hardening-") as folder:
                done = list(trial.outcomes(numbers, Path(folder), draw=asked.draw))
            outcomes += done
            if asked.results:
                with asked.results.open("a", encoding="utf-8") as stream:
                    stream.writelines(f"{json.dumps(asdict(one))}\n" for one in done)
    faults = sum(one.fault for one in outcomes)
    print(*table(outcomes), f"\n{len(outcomes)} commands, {faults} faults", sep="\n")
    return 1 if faults else 0


def _sources(folders: Sequence[Path]) -> dict[str, list[Path]]:
    """The files of the folders by kind; of 8 MB at most."""
    by_kind: dict[str, list[Path]] = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        kind = kind_of(path)
        if kind and path.is_file() and path.stat().st_size < 8 * 2**20:
            by_kind.setdefault(kind, []).append(path)
    return by_kind


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
