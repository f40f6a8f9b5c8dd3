"""Time and peak memory of scoring 250, 500 and 1,000 extracted slides, and what hangs on weights.

Slides come from the decks of a folder, read over and over, or are drawn by code where there is
none. Predictions are the truth, blurred by known amounts: shifted, misspelt, recoloured, some
elements lost, some replies lost. Each size runs in a process of its own, so that its peak is its
own. Run as ``python -m bench.slideeval_scale [FOLDER]``. Exits with 1 where time or memory grows
faster than slides.
"""

import json
import random
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from decklab.core.results import NotScored
from decklab.deck.model.base import PlainSlide
from decklab.deck.reading import read_elements
from decklab.deck.views.snapshot import plain_slide
from decklab.metrics.element_estimates import Pool, estimates, score_slide
from decklab.metrics.element_matching import FAMILIES, headline_by_weights
from decklab.ooxml.package import Package

HEADLINES: tuple[str, ...] = (
    "matching_f1", "iou_error", "center_error", "size_error", "aspect_error", "text_f1",
    "any_style_f1", "font_family_accuracy", "font_group_accuracy", "font_size_error",
    "text_color", "contrast_shift",
)  # fmt: skip
"""The rows of table 4, in its order."""
SIZES = (250, 500, 1000)
DECKS = Path(__file__).parents[2] / "shared" / "decks" / "real"
GROWTH = 1.5
"""Ours: time and memory of a slide may differ by so much between the sizes."""
WIDE, HIGH = 960.0, 540.0

Deck = tuple[str, tuple[PlainSlide, ...]]


def main(arguments: list[str]) -> int:
    """Print the table and the weights; 1 where the cost does not grow in line."""
    if len(arguments) == 2:
        return _measure(_load(Path(arguments[0])), int(arguments[1]))
    decks = _decks(Path(arguments[0]) if arguments else DECKS)
    with TemporaryDirectory() as folder:
        path = Path(folder, "decks.json")
        path.write_text(
            json.dumps([[name, [s.model_dump() for s in many]] for name, many in decks])
        )
        rows = _rows(path)
    _headlines(decks)
    (few, quick, small), *_, (many, slow, large) = rows
    in_line = slow / quick <= GROWTH * many / few and large <= max(small, 1) * GROWTH * many / few
    print("grows in line with slides" if in_line else "GROWS FASTER THAN SLIDES")
    return 0 if in_line else 1


def _rows(path: Path) -> list[tuple[int, float, float]]:
    """Print each size's line; slides, seconds and megabytes of growth."""
    rows = []
    print(
        f"{'slides':>7}{'elements':>10}{'score s':>9}{'ms/slide':>10}{'sums s':>8}"
        f"{'scoring MB':>12}{'process MB':>12}"
    )
    for size in SIZES:
        done = subprocess.run(
            [sys.executable, "-m", "bench.slideeval_scale", str(path), str(size)],
            check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        elements, score, sums, scoring, process = map(float, done.stdout.split())
        rows.append((size, score, scoring))
        print(
            f"{size:7}{elements:10.0f}{score:9.2f}{1000 * score / size:10.2f}{sums:8.2f}"
            f"{scoring:12.1f}{process:12.0f}"
        )
    return rows


def _measure(decks: list[Deck], size: int) -> int:
    """Score so many slides twice, on the clock and under watch of every byte; print the numbers."""
    pool, elements, spent = Pool(), 0, 0.0
    for deck, truth, reply in islice(_replies(decks), size):
        elements += sum(len(getattr(truth, family)) for family in FAMILIES)
        began = time.process_time()
        pool.add(deck, score_slide(truth, reply))
        spent += time.process_time() - began
    began = time.process_time()
    estimates(pool)
    summed = time.process_time() - began
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    tracemalloc.start()
    watched = Pool()
    for deck, truth, reply in islice(_replies(decks), size):
        watched.add(deck, score_slide(truth, reply))
    estimates(watched)
    print(elements, spent, summed, tracemalloc.get_traced_memory()[1] / 2**20, resident)
    return 0


def _headlines(decks: list[Deck]) -> None:
    pairs = [(deck, truth, reply) for deck, truth, reply in islice(_replies(decks), SIZES[-1])]
    pool = Pool()
    for deck, truth, reply in pairs:
        pool.add(deck, score_slide(truth, reply))
    print(f"\n{'table 4, blurred truth':28}{'end to end':>12}{'95%':>18}{'parsed':>9}{'cover':>8}")
    found = {(row.measure, row.scope): row for row in estimates(pool) if row.where == "all"}
    for name in HEADLINES:
        whole = found[f"extraction.{name}", "end_to_end"]
        parsed = found[f"extraction.{name}", "parsed_only"]
        print(
            f"{name:28}{_shown(whole.value):>12}{_shown(whole.interval):>18}"
            f"{_shown(parsed.value):>9}{_shown(whole.coverage):>8}"
        )
    print(f"\n{'changed':10}{'times':>6}{'matching F1':>13}{'moves by':>10}")
    for row in headline_by_weights((truth, reply) for _, truth, reply in pairs):
        print(f"{row.changed:10}{row.factor:6g}{_shown(row.f1):>13}{_shown(row.shift):>10}")
    print()


def _shown(value: float | tuple[float, float] | NotScored) -> str:
    if isinstance(value, NotScored):
        return "-"
    if isinstance(value, tuple):
        return " to ".join(f"{end:.3f}" for end in value)
    return f"{value:.3f}"


def _decks(folder: Path) -> list[Deck]:
    files = sorted(folder.glob("*.pptx"))
    if not files:
        return [(f"drawn {deck}", tuple(_drawn(deck))) for deck in range(20)]
    return [(path.name, _read(path)) for path in files]


def _read(path: Path) -> tuple[PlainSlide, ...]:
    with Package.open(path) as package:
        return tuple(map(plain_slide, read_elements(package).slides))


def _load(path: Path) -> list[Deck]:
    decks = json.loads(path.read_text())
    return [(name, tuple(map(PlainSlide.model_validate, slides))) for name, slides in decks]


def _replies(decks: list[Deck]) -> Iterator[tuple[str, PlainSlide, PlainSlide | None]]:
    """Truth and reply, slide after slide, over and over under new names."""
    rng = random.Random(7)
    for turn, (name, slides) in enumerate(cycle(decks)):
        for truth in slides:
            reply = None if rng.random() < 0.05 else _blurred(truth, rng)
            yield f"{name} {turn // len(decks)}", truth, reply


def _blurred(truth: PlainSlide, rng: random.Random) -> PlainSlide:
    """The slide as a poor reader has it."""
    data: dict[str, Any] = truth.model_dump()
    for family in ("texts", "rects", "images", "tables", "lines"):
        kept = [item for item in data[family] if rng.random() < 0.85]
        for item in kept:
            for key in ("x", "y", "x1", "y1"):
                if key in item:
                    item[key] += rng.gauss(0, 12)
            for key in ("w", "h"):
                if key in item:
                    item[key] *= rng.lognormvariate(0, 0.2)
            if "text" in item:
                item["text"] = "".join(c for c in item["text"] if rng.random() < 0.95)
                item["font"]["size"] *= rng.lognormvariate(0, 0.15)
                item["font"]["name"] = rng.choice([item["font"]["name"], "Arial", "Calibri"])
        data[family] = kept
    return PlainSlide.model_validate(data)


def _drawn(deck: int) -> Iterator[PlainSlide]:
    """Twenty slides with about as many texts, areas and pictures as the paper's (table 2)."""
    rng = random.Random(deck)
    words = ["plan", "budget", "results", "team", "growth", "risk", "steps", "owner", "review"]
    for _ in range(20):
        texts = [_text(rng, words) for _ in range(rng.choice((1, 2, 3, 3, 4, 6)))]
        yield PlainSlide.model_validate(
            {
                "size": {"w": WIDE, "h": HIGH}, "background": "#FFFFFF", "texts": texts,
                "rects": [
                    _box(rng) | {"rx": 0.0, "fill": "#CCDDEE", "stroke": None, "strokeWidth": 0.0}
                    for _ in range(rng.choice((0, 0, 1, 3)))
                ],
                "lines": [], "images": [_box(rng) for _ in range(rng.choice((0, 1, 2, 3)))],
                "tables": [],
            }
        )  # fmt: skip


def _box(rng: random.Random) -> dict[str, float]:
    w, h = rng.uniform(40, 500), rng.uniform(20, 250)
    return {"x": rng.uniform(0, WIDE - w), "y": rng.uniform(0, HIGH - h), "w": w, "h": h}


def _text(rng: random.Random, words: list[str]) -> dict[str, Any]:
    font = {"name": "Lato", "size": rng.choice((12.0, 18.0, 32.0)), "style": [], "color": "#222222"}
    text = " ".join(rng.choices(words, k=rng.randint(1, 30)))
    return _box(rng) | {"text": text, "font": font, "align": "left"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
