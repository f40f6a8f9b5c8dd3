"""Touching slides: seconds from the change to the drawn slide, by kind, beside requests in words.

``python -m bench.workbench_touch DECK [--rounds 10] [--users 1]``. A workbench is started on the
loopback. Each user has a copy of DECK, and changes it as a page does: moves a shape, types a text,
writes notes, moves, copies and deletes a slide; then types by a request, as before slides could be
touched. Prints by kind the median and the 95th percentile of the seconds until the picture of the
slide was there, and as shares of the seconds that drawing all slides takes, without a cache, in an
office that runs; both in one run.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.request import Request, urlopen

from pptx import Presentation

from bench.workbench_kills import served, uploaded
from decklab.rendering.job import draw_decks
from decklab.rendering.renderer import Renderer
from decklab.workbench.web.looking import PICTURES

SECONDS = 600.0
Times = dict[str, list[float]]


def answer(place: str, body: bytes | None = None) -> bytes:
    """The answer to a request."""
    headers = {"x-decklab": "1", "content-type": "application/json"}
    with urlopen(Request(place, body, headers), timeout=60) as opened:
        content: bytes = opened.read()
    return content


def asked(place: str, body: Any) -> Any:
    return json.loads(answer(place, json.dumps(body).encode()))


def ended(base: str, job: str) -> Any:
    """A job when it has ended."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        row = json.loads(answer(f"{base}/api/jobs/{job}?wait=20"))
        if not row["open"]:
            if row["state"] != "done":
                raise SystemExit(f"{row['asked']}: {row['message']}")
            return row
    raise SystemExit(f"a job is not done after {SECONDS:.0f} s")


def drawn(base: str, deck: str, version: int, slide: int) -> None:
    """Wait for the picture of a slide."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        try:
            answer(f"{base}/api/decks/{deck}/versions/{version}/slides/{slide}.webp")
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise SystemExit("a slide was not drawn")


def touches(shape: int, slides: int, number: int) -> dict[str, tuple[int, dict[str, Any]]]:
    """By kind, the slide to wait for, and the call."""
    call = {
        "move a shape": (2, "set_geometry", {"slide": 2, "shape": shape, "x": 20.0 + number}),
        "type": (2, "set_text", {"slide": 2, "shape": shape, "text": f"Text {number}"}),
        "notes": (2, "set_notes", {"slide": 2, "text": f"Notes {number}"}),
        "move a slide": (3, "move_slide", {"slide": 2, "position": 3}),
        "move it back": (2, "move_slide", {"slide": 3, "position": 2}),
        "copy a slide": (3, "clone_slide", {"slide": 2, "position": 3}),
        "delete a slide": (min(3, slides), "delete_slide", {"slide": 3}),
    }
    return {
        kind: (slide, {"operation": name, "arguments": arguments})
        for kind, (slide, name, arguments) in call.items()
    }


def use(base: str, deck: Path, rounds: int, times: Times) -> None:
    """One user: all kinds of changes, ``rounds`` times."""
    prs = Presentation(str(deck))
    text = next(item for item in prs.slides[1].shapes if item.has_text_frame)
    shape, name = text.shape_id, text.name
    own = uploaded(f"{base}/", deck.read_bytes())
    for job in json.loads(answer(f"{base}/api/decks/{own}"))["jobs"]:
        ended(base, job["id"])

    def timed(kind: str, slide: int, ask: Callable[[], Any]) -> None:
        begun = time.monotonic()
        row = ended(base, ask()["id"])
        drawn(base, own, row["result"]["version"], slide)
        times[kind].append(time.monotonic() - begun)

    def version() -> str:
        current = json.loads(answer(f"{base}/api/decks/{own}"))["current"]
        return f"{base}/api/decks/{own}/versions/{current}"

    for number in range(1, rounds + 1):
        for kind, (slide, call) in touches(shape, len(prs.slides), number).items():
            place = f"{version()}/touch"
            timed(kind, slide, lambda: asked(place, {"calls": [call], "follow": True}))  # noqa: B023
        said = f"set the text of the shape '{name}' on slide 2 to 'Title {number}'"
        words = {"instruction": said, "follow": True}
        place = f"{version()}/edit"
        timed("type, by a request", 2, lambda: asked(place, words))  # noqa: B023


def whole(deck: Path) -> float:
    """The seconds that all slides take without a cache; the office has drawn once before."""
    with Renderer().started() as renderer, tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            begun = time.monotonic()
            list(draw_decks({deck: Path(folder)}, PICTURES, renderer=renderer))
    return time.monotonic() - begun


def main() -> int:
    """Run it, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deck", type=Path)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--users", type=int, default=1)
    given = parser.parse_args()
    times: Times = defaultdict(list)
    before = whole(given.deck)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), []) as (_server, place):
        base = place.rstrip("/")
        users = [
            threading.Thread(target=use, args=(base, given.deck, given.rounds, times))
            for _ in range(given.users)
        ]
        for user in users:
            user.start()
        for user in users:
            user.join()
    after = whole(given.deck)
    all_slides = (before + after) / 2
    print(f"all slides: {before:.2f} s before, {after:.2f} s after")
    for kind, seconds in times.items():
        high = quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
        middle = median(seconds)
        print(f"{kind:20} n={len(seconds):3}  p50 {middle:6.2f} s ({middle / all_slides:.2f})"
              f"  p95 {high:6.2f} s ({high / all_slides:.2f})")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
