"""Mutated files of every kind that decklab reads: is each taken, or refused in one line in time?

``python -m bench.hardening FOLDER... [--files 1000] [--seed 1] [--jobs 2] [--out DIR] [--draw]``

Takes files at random from the folders and damages each: bytes changed, cut off or doubled, parts of
a package dropped, swapped or with other bytes, attributes and elements of its XML moved or changed.
Each damaged file is read by the commands that fit its kind, in a process of its own with a bound on
time. What counts as a fault: a traceback, a signal, a hang, or an error without the file's name.
The damaged files behind a fault are left in ``--out``.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from lxml import etree

DECKS: Final = frozenset((".pptx", ".pptm", ".potx", ".ppsx", ".potm", ".ppsm"))
DRAWN: Final = frozenset((".odp", ".ppt", ".pdf"))
DOCUMENTS: Final = frozenset((".pdf", ".docx", ".xlsx", ".md", ".html", ".txt", ".csv"))
SECONDS: Final = 240.0
"""After which a command counts as hanging (ours: LibreOffice has two tries of 60 s here)."""


@dataclass(frozen=True)
class Outcome:
    """What came of one command on one damaged file."""

    file: Path
    command: str
    kind: str
    """``taken``, ``refused``, ``part`` (some slides), or a fault: ``traceback``, ``signal``,
    ``hang``, ``unnamed``."""
    seconds: float
    line: str


def damaged(content: bytes, suffix: str, chance: random.Random) -> bytes:
    """The content of a file with some damage."""
    if suffix in DECKS | {".odp", ".docx", ".xlsx"} and chance.random() < 0.8:
        return _package_damaged(content, chance)
    return _bytes_damaged(content, chance)


def _bytes_damaged(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.choice((1, 3, 20))):
        place = chance.randrange(max(len(data), 1))
        what = chance.randrange(4)
        if what == 0:
            data[place : place + chance.randrange(1, 64)] = chance.randbytes(chance.randrange(64))
        elif what == 1:
            del data[place:]
        elif what == 2:
            data[place:place] = data[place : place + 4096]
        elif data:
            data[place % len(data)] ^= 1 << chance.randrange(8)
    return bytes(data)


def _package_damaged(content: bytes, chance: random.Random) -> bytes:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    for _ in range(chance.choice((1, 2, 6))):
        if not parts:
            break
        name, other = chance.choice(sorted(parts)), chance.choice(sorted(parts))
        what = chance.randrange(6)
        if what == 0:
            del parts[name]
        elif what == 1:
            parts[name] = parts[other]
        elif what == 2:
            parts[name] = _bytes_damaged(parts[name], chance)
        else:
            parts[name] = _xml_damaged(parts[name], chance)
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def _xml_damaged(content: bytes, chance: random.Random) -> bytes:
    try:
        root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, huge_tree=True))
    except (etree.XMLSyntaxError, ValueError):
        return _bytes_damaged(content, chance)
    items = [item for item in root.iter() if isinstance(item.tag, str)]
    for _ in range(chance.choice((1, 4, 15))):
        item, above = chance.choice(items), chance.choice(items)
        what = chance.randrange(5)
        parent = item.getparent()
        if what == 0 and parent is not None:
            parent.remove(item)
        elif what == 1 and item.attrib:
            item.set(chance.choice(sorted(item.attrib)), chance.choice(_VALUES))
        elif what == 2 and item.attrib:
            del item.attrib[chance.choice(sorted(item.attrib))]
        elif what == 3 and item is not above and item not in above.iterancestors():
            above.append(item)
        else:
            item.text = chance.choice(_VALUES)
    return etree.tostring(root)


_VALUES: Final = (
    *("", "-1", "0", "9" * 18, "9" * 4000, "NaN", "1e400", "rId1", "rId999", "true", "FFFFFF"),
    *("../../etc/passwd", "http://[bad", "\N{RIGHT-TO-LEFT OVERRIDE}"),
)


def commands(file: Path, out: Path, *, draw: bool) -> Iterator[list[str]]:
    """The commands that read a file of its kind."""
    suffix = file.suffix
    if suffix in DECKS:
        yield ["extract", str(file)]
        yield ["snapshot", str(file)]
        yield ["validate", str(file)]
    if suffix in DECKS | DRAWN and draw:
        yield ["score", str(file), "--out", str(out), "--jobs", "1"]
    if suffix in DECKS | DOCUMENTS:
        yield ["read", str(file)]


def tried(file: Path, command: Sequence[str]) -> Outcome:
    """Run one command on one file."""
    begun = time.monotonic()
    environment = os.environ | {"XDG_CACHE_HOME": str(file.parent / "cache")}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "decklab", *command], capture_output=True, text=True,
            check=False, timeout=SECONDS, env=environment, errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Outcome(file, command[0], "hang", time.monotonic() - begun, "")
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    last = lines[-1] if lines else ""
    if "Traceback" in done.stderr or "Error" in last.partition(":")[0]:
        kind = "traceback"
    elif done.returncode < 0 or done.returncode > 100:
        kind = "signal"
    elif done.returncode in (0, 1) and command[0] != "score":
        kind = "taken"
    elif done.returncode == 0:
        kind = "part" if _some_not_drawn(command) else "taken"
    else:
        said = done.stderr + done.stdout
        kind = "refused" if file.stem in said.replace("\n", "") else "unnamed"
    return Outcome(file, command[0], kind, time.monotonic() - begun, last)


def _some_not_drawn(command: Sequence[str]) -> bool:
    results = Path(command[command.index("--out") + 1]) / "results.json"
    return results.is_file() and "not drawn" in results.read_text(encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Try damaged files; print a table; 1 where there are faults."""
    parser = argparse.ArgumentParser(prog="python -m bench.hardening", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--draw", action="store_true", help="score decks, too: needs LibreOffice")
    parser.add_argument("--out", type=Path, metavar="DIR", help="for the files behind faults")
    asked = parser.parse_args(arguments)
    kinds = DECKS | DRAWN | DOCUMENTS
    found = sorted(
        path
        for folder in asked.folders
        for path in folder.rglob("*")
        if path.suffix.lower() in kinds and path.stat().st_size < 8 * 2**20
    )
    by_kind: dict[str, list[Path]] = {}
    for path in found:
        by_kind.setdefault(path.suffix.lower(), []).append(path)
    table: dict[str, Counter[str]] = {}
    slowest: dict[str, float] = {}
    faulty: list[Outcome] = []

    def one(number: int) -> list[Outcome]:
        chance = random.Random(f"{asked.seed} {number}")
        suffix = chance.choice(sorted(by_kind))
        source = chance.choice(by_kind[suffix])
        content = damaged(source.read_bytes(), suffix, chance)
        with TemporaryDirectory(prefix="decklab-hardening-") as scratch:
            file = Path(scratch) / f"damaged-{number}{suffix}"
            file.write_bytes(content)
            done = [
                tried(file, command)
                for command in commands(file, Path(scratch) / "out", draw=asked.draw)
            ]
            if asked.out and any(is_fault(outcome) for outcome in done):
                asked.out.mkdir(parents=True, exist_ok=True)
                (asked.out / file.name).write_bytes(content)
        return done

    with ThreadPoolExecutor(asked.jobs) as pool:
        for done in pool.map(one, range(asked.files)):
            for outcome in done:
                row = f"{outcome.file.suffix} {outcome.command}"
                table.setdefault(row, Counter())[outcome.kind] += 1
                slowest[row] = max(slowest.get(row, 0), outcome.seconds)
                if is_fault(outcome):
                    faulty.append(outcome)
                    print(json.dumps([str(outcome.file), *vars(outcome).values()][2:], default=str))
    for row in sorted(table):
        counted = ", ".join(f"{kind} {number}" for kind, number in table[row].most_common())
        print(f"{row:22} {counted}; slowest {slowest[row]:.1f} s")
    print(f"{sum(map(Counter.total, table.values()))} commands, {len(faulty)} faults")
    return 1 if faulty else 0


def is_fault(outcome: Outcome) -> bool:
    """Whether it is neither taken nor refused in one line."""
    return outcome.kind in {"traceback", "signal", "hang", "unnamed"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
