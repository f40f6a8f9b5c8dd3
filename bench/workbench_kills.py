"""Kill the workbench at random moments: is everything there that it had accepted?

``python -m bench.workbench_kills DECK [--rounds 10] [--seed 1] [--database URL]``. In each round
two threads upload the deck and ask for edits through the API, and the server is ended by SIGKILL
after a random time. Then it is started again on the same folder, and every deck and version that an
answer had named has to be there with the very bytes. Exit code 1 where something is missing.
"""

import argparse
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen
from uuid import uuid4


@dataclass
class Accepted:
    """What the server said was done: versions by deck and number, with their checksums."""

    versions: dict[tuple[str, int], str] = field(default_factory=dict)
    asked: int = 0
    study: str = ""
    token: str = ""
    ranked: int = 0
    """Number of the last order that the server said it has saved."""


@contextmanager
def served(folder: Path, options: list[str]) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server on ``folder``, killed at the end, and its address."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "decklab", "serve", str(folder), "--state", str(folder)]
    command += ["--no-browser", "--port", "0"]
    command += options
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline().decode()
        if "http" not in line:
            raise SystemExit(f"the server did not start: {line}")
        try:
            yield process, "http" + line.split("http")[1].strip()
        finally:
            process.kill()


def _ask(
    place: str, body: bytes | None = None, kind: str = "application/json", link: str = ""
) -> dict[str, object]:
    headers = {"x-decklab": "1", "content-type": kind}
    if link:
        headers["cookie"] = f"decklab_annotator={link}"
    with urlopen(Request(place, body, headers), timeout=30) as answer:
        found: dict[str, object] = json.load(answer)
        return found


def uploaded(base: str, deck: bytes) -> str:
    """Upload a deck to the server at ``base``; gives its id; URLError where it is refused."""
    mark = uuid4().hex
    head = f'--{mark}\r\ncontent-disposition: form-data; name="file"; filename="a.pptx"\r\n\r\n'
    body = head.encode() + deck + f"\r\n--{mark}--\r\n".encode()
    return str(_ask(f"{base}api/decks", body, f"multipart/form-data; boundary={mark}")["id"])


def _rank(base: str, deck: bytes, seen: Accepted, end: threading.Event) -> None:
    """Save one order after the other; the number of each is its note."""
    with suppress(OSError, ValueError, HTTPException):
        if not seen.token:
            study = str(_ask(f"{base}api/studies", b'{"name": "Kills"}')["id"])
            given = {"topic": "one", "product": "a", "deck": uploaded(base, deck)}
            _ask(f"{base}api/studies/{study}/entries", json.dumps(given).encode())
            made = _ask(f"{base}api/studies/{study}/annotators", b'{"name": "Ann"}')
            seen.study, seen.token = study, str(made["link"]).rpartition("/")[2]
        number = seen.ranked
        while not end.is_set():
            number += 1
            order = json.dumps({"ranked": [], "note": str(number)}).encode()
            _ask(f"{base}rank/own/1", order, link=seen.token)
            seen.ranked = number


def _use(base: str, deck: bytes, seen: Accepted, end: threading.Event) -> None:
    """Upload and edit until the server is gone; remember what it said was done."""
    with suppress(OSError, ValueError, HTTPException):
        while not end.is_set():
            name = uploaded(base, deck)
            seen.versions[name, 1] = hashlib.sha256(deck).hexdigest()
            asked = json.dumps({"instruction": "delete slide 2"}).encode()
            job = _ask(f"{base}api/decks/{name}/versions/1/edit", asked)
            seen.asked += 1
            while job["open"] and not end.is_set():
                time.sleep(0.05)
                job = _ask(f"{base}api/jobs/{job['id']}")
            if job["state"] == "done":
                version = _ask(f"{base}api/decks/{name}/versions/2")
                seen.versions[name, 2] = str(version["sha256"])


def killed_round(
    folder: Path, options: list[str], deck: bytes, seconds: float, seen: Accepted
) -> None:
    """Start the server, use it for ``seconds``, and kill it; ``seen`` notes what it accepted."""
    end = threading.Event()
    with served(folder, options) as (process, base):
        works = (_use, _use, _rank)
        users = [threading.Thread(target=work, args=(base, deck, seen, end)) for work in works]
        for user in users:
            user.start()
        time.sleep(seconds)
        process.kill()
        end.set()
        for user in users:
            user.join()


def missing_after(folder: Path, options: list[str], seen: Accepted) -> list[str]:
    """What the server had accepted and does not have, or has with other bytes."""
    missing = []
    with served(folder, options) as (_, base):
        for (deck, number), digest in seen.versions.items():
            try:
                with urlopen(f"{base}api/decks/{deck}/versions/{number}/file", timeout=30) as file:
                    if hashlib.sha256(file.read()).hexdigest() != digest:
                        missing.append(f"{deck} version {number}: other bytes")
            except URLError as error:
                missing.append(f"{deck} version {number}: {error}")
        if seen.ranked:
            study = json.dumps(_ask(f"{base}api/studies/{seen.study}"))
            kept = max([0, *map(int, re.findall(r'"note": "(\d+)"', study))])
            if kept < seen.ranked:
                missing.append(f"order {seen.ranked}: the last one is {kept}")
    return missing


def main() -> int:
    """Run the rounds and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("deck", type=Path)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", metavar="URL", help="An empty one; else SQLite.")
    given = parser.parse_args()
    options = ["--database", given.database] if given.database else []
    chance, seen, bad = random.Random(given.seed), Accepted(), 0
    with tempfile.TemporaryDirectory(prefix="decklab-kills-") as folder:
        for number in range(1, given.rounds + 1):
            seconds = chance.uniform(0.3, 8)
            killed_round(Path(folder), options, given.deck.read_bytes(), seconds, seen)
            missing = missing_after(Path(folder), options, seen)
            bad += len(missing)
            print(
                f"round {number}: killed after {seconds:.1f} s; {len(seen.versions)} versions, "
                f"{seen.ranked} orders accepted so far, {len(missing)} missing",
                *missing,
                sep="\n  ",
            )
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
