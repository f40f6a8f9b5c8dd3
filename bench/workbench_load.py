"""Twenty people at once on the workbench: do all requests come back, how fast, in how much memory?

``python -m bench.workbench_load DECK [--users 20] [--minutes 3]``. A server is started on the
loopback. Two in five users ask for edits and wait until they are done, one in five uploads decks
and waits until they are looked at, two in five rank; they look at pages between. Prints requests,
errors and times by kind, and the memory of the server with all its processes. Exit code 1 where
any request failed.
"""

import argparse
import json
import re
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen
from uuid import uuid4

import psutil

from bench.workbench_kills import served

THINK_SECONDS = 1.0
"""Between two things a user does (ours)."""
JOB_SECONDS = 300.0
"""After which a job that is not done counts as an error (ours)."""


@dataclass
class Seen:
    """What users saw: seconds by kind of request, and errors in words."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(
        self,
        kind: str,
        place: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> bytes:
        """One request; its time and its failure are noted."""
        begun = time.monotonic()
        content = b""
        try:
            with urlopen(Request(place, body, headers or {}), timeout=60) as answer:
                content = answer.read()
        except HTTPError as error:
            self.fail(f"{kind}: {error.code} {error.read(200)!r}")
        except (URLError, OSError, HTTPException) as error:
            self.fail(f"{kind}: {error}")
        with self.lock:
            self.seconds[kind].append(time.monotonic() - begun)
        return content

    def fail(self, line: str) -> None:
        """Note an error."""
        with self.lock:
            self.errors.append(line)


@dataclass
class User:
    """One person with the workbench at ``base``."""

    base: str
    deck: bytes
    seen: Seen
    number: int

    def json(self, kind: str, path: str, given: Any = None) -> dict[str, Any]:
        """Ask the JSON API."""
        body = None if given is None else json.dumps(given).encode()
        headers = {"x-decklab": "1", "content-type": "application/json"}
        content = self.seen.ask(kind, f"{self.base}{path}", body, headers)
        found: dict[str, Any] = json.loads(content or b"{}")
        return found

    def upload(self) -> dict[str, Any]:
        """Upload the deck."""
        edge = uuid4().hex
        head = (
            f'--{edge}\r\ncontent-disposition: form-data; name="file"; '
            f'filename="deck {self.number}.pptx"\r\n\r\n'
        )
        body = head.encode() + self.deck + f"\r\n--{edge}--\r\n".encode()
        headers = {"x-decklab": "1", "content-type": f"multipart/form-data; boundary={edge}"}
        found: dict[str, Any] = json.loads(
            self.seen.ask("upload", f"{self.base}/api/decks", body, headers) or b"{}"
        )
        return found

    def done(self, job: str) -> dict[str, Any]:
        """Wait for a job; one that fails or never ends is an error."""
        begun = time.monotonic()
        while time.monotonic() - begun < JOB_SECONDS:
            found = self.json("job", f"/api/jobs/{job}")
            if not found.get("open"):
                break
            time.sleep(0.3)
        if found.get("state") != "done":
            self.seen.fail(f"job: {found.get('state')} {found.get('message')}")
        with self.seen.lock:
            self.seen.seconds[f"until {found.get('kind')} is done"].append(time.monotonic() - begun)
        return found

    def edits(self, until: float) -> None:
        """Change titles, and look at each new version."""
        deck = self.upload().get("id")
        version, count = 1, 0
        while deck and time.monotonic() < until:
            count += 1
            words = f"change the title of slide 1 to 'Edit {count} of {self.number}'"
            asked = self.json(
                "edit", f"/api/decks/{deck}/versions/{version}/edit", {"instruction": words}
            )
            if asked:
                version = (self.done(asked["id"]).get("result") or {}).get("version", version)
            self.seen.ask("page", f"{self.base}/decks/{deck}")
            time.sleep(THINK_SECONDS)

    def uploads(self, until: float) -> None:
        """Upload decks, wait until each was looked at, and look at the library."""
        while time.monotonic() < until:
            deck = self.upload().get("id")
            if deck:
                jobs = self.json("deck", f"/api/decks/{deck}")["jobs"]
                self.done(jobs[0]["id"])
            self.seen.ask("page", self.base)
            time.sleep(THINK_SECONDS)

    def ranks(self, until: float, link: str) -> None:
        """Put decks in an order, which changes all the time."""
        with urlopen(link, timeout=60) as answer:
            cookie = (answer.headers["set-cookie"] or "").partition(";")[0]
        page = self.seen.ask("page", f"{self.base}/rank/own/1", None, {"cookie": cookie}).decode()
        keys = list(dict.fromkeys(re.findall(r'data-key="(\w+)"', page)))
        headers = {"x-decklab": "1", "content-type": "application/json", "cookie": cookie}
        while keys and time.monotonic() < until:
            keys.append(keys.pop(0))
            body = json.dumps({"ranked": [[key] for key in keys], "seconds": 1}).encode()
            self.seen.ask("rank", f"{self.base}/rank/own/1", body, headers)
            picture = f"{self.base}/rank/own/1/{keys[0]}/1.webp"
            self.seen.ask("picture", picture, None, {"cookie": cookie})
            time.sleep(THINK_SECONDS)


def links(user: User, people: int) -> list[str]:
    """A study with four decks, and a link for each person."""
    study = user.json("study", "/api/studies", {"name": "Load"})["id"]
    for product in "abcd":
        deck = user.upload()["id"]
        user.done(user.json("deck", f"/api/decks/{deck}")["jobs"][0]["id"])
        given = {"topic": "one", "product": product, "deck": deck}
        user.json("study", f"/api/studies/{study}/entries", given)
    place = f"/api/studies/{study}/annotators"
    return [user.json("study", place, {"name": str(one)})["link"] for one in range(people)]


def memory(server: int) -> float:
    """Megabytes of the server and all that it started, shared pages counted once for each."""
    process = psutil.Process(server)
    found = [process, *process.children(recursive=True)]
    total = 0
    for one in found:
        try:
            total += one.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total / 2**20


def main(arguments: Sequence[str]) -> int:
    """Let the users work; print what they saw."""
    parser = argparse.ArgumentParser(prog="python -m bench.workbench_load", description=__doc__)
    parser.add_argument("deck", type=Path, metavar="DECK")
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=3.0)
    asked = parser.parse_args(arguments)
    seen, deck = Seen(), asked.deck.read_bytes()
    with (
        tempfile.TemporaryDirectory(prefix="decklab-load-", ignore_cleanup_errors=True) as folder,
        served(Path(folder), []) as (server, address),
    ):
        base = address.rstrip("/")
        rankers = links(User(base, deck, seen, 0), asked.users)
        seen.seconds.clear()
        before = most = memory(server.pid)
        until = time.monotonic() + 60 * asked.minutes
        threads = [
            threading.Thread(target=_work(User(base, deck, seen, number), until, link))
            for number, link in enumerate(rankers)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            most = max(most, memory(server.pid))
            time.sleep(1)
        after = memory(server.pid)
    _print(seen)
    print(f"memory in MB: {before:.0f} before, {most:.0f} at most, {after:.0f} after")
    print(f"{sum(map(len, seen.seconds.values()))} requests and waits, {len(seen.errors)} errors")
    for line in seen.errors[:20]:
        print(f"  {line}")
    return 1 if seen.errors else 0


def _work(user: User, until: float, link: str) -> Callable[[], None]:
    """What a user does: two in five edit, one in five uploads, two in five rank."""
    if user.number % 5 < 2:
        return lambda: user.edits(until)
    if user.number % 5 == 2:
        return lambda: user.uploads(until)
    return lambda: user.ranks(until, link)


def _print(seen: Seen) -> None:
    for kind, times in sorted(seen.seconds.items()):
        times.sort()
        p95 = times[min(int(len(times) * 0.95), len(times) - 1)]
        middle = times[len(times) // 2]
        print(f"{kind:24} {len(times):6} times, p50 {middle:7.3f} s, p95 {p95:7.3f} s")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
