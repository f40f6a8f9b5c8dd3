"""Edits without a model on real decks: exactly what was asked, and everything else pixel for pixel.

Each request is carried out by ``edit_with_commands``; then both decks are drawn whole, and every
slide that the request does not mean is compared with what it was. The table says how many changes
the diff has, how many of them nobody asked for, and how many slides look different that should not.
Then edits of one slide and more on the decks of about 40 slides, with the time of each stage.

Run as ``python -m bench.edits [FOLDER]``; without a folder the decks of ``../shared/decks/real``.
"""

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from decklab.agents.editor.result import EditResult
from decklab.agents.editor.running import edit_with_commands
from decklab.render import Cache, Office, open_rendered

SHARED = Path(__file__).parents[2] / "shared" / "decks" / "real"
EDITS = (
    ("full_intro-react_slides.pptx", "replace 'React' with 'Preact' on slides 2-4, whole word"),
    ("full_azure-functions_slides.pptx", "set the size of the titles on slides 3-5 to 30 pt"),
    ("full_django-get-started_slides.pptx", "delete slide 4"),
    ("full_intro-git-github-version-control_slides.pptx", "duplicate slide 6"),
    ("long_slides_43.pptx", "move slide 5 to position 2"),
    ("full_build-resume-website_slides.pptx", "add slide numbers on slides 6-8"),
    ("test-data_slideshow_aptia.pptx", "align the titles right on slides 2-4"),
    (
        "full_regression-aml-designer_RegressionAMLDesigner.pptx",
        "set the font of the titles on slides 4-6 to 'Georgia'; make the title on slide 5 bold",
    ),
    (
        "test-data_slideshow_keyframes.pptx",
        "set the transition on slides 1-2 to fade, lasting 0.7 seconds; "
        "set the notes of slide 1 to 'Start with the story.'",
    ),
    (
        "full_azure-functions_slides.pptx",
        "set row 2, column 1 of the table on slide 22 to 'Pilot'; "
        "set the alt text of the picture on slide 26 to 'A function and its triggers'",
    ),
)
"""Deck and request."""
ABOUT_40 = (
    "full_azure-functions_slides.pptx",
    "full_intro-react_slides.pptx",
    "test-data_integration_stress021.pptx",
    "test-data_slideshow_2411-Performance_Up.pptx",
)
STAGES = ("read", "edit", "save", "validate", "compare", "draw", "lint", "write")


@dataclass(frozen=True)
class Row:
    """What one edit came to."""

    result: EditResult
    meant: int
    """Slides that were meant to change, or came or went."""
    astray: tuple[int, ...]
    """Other slides, by newer number, that look different."""


def main(folder: Path) -> None:
    """Print both tables."""
    with tempfile.TemporaryDirectory(prefix="decklab-edits-") as room, Office() as office:
        rows = [_edited(folder / deck, request, Path(room), office) for deck, request in EDITS]
        for row in rows:
            print(_line(row))
            for sentence in row.result.sentences[:4]:
                print(f"      {sentence}")
        print(f"{sum(not row.astray for row in rows)} of {len(rows)} pixel-equal elsewhere")
        for deck in ABOUT_40:
            _by_stage(folder / deck, Path(room), office)


def _edited(deck: Path, request: str, room: Path, office: Office) -> Row:
    out, cache = room / "out.pptx", Cache(room / deck.stem)
    result = edit_with_commands(deck, request, out=out, office=office, cache=cache)
    if result.output is None:
        return Row(result, 0, ())
    moves = result.changes.slides
    meant = {change.slide for change in result.changes.edits}
    before, after = _pictures(deck, office, cache), _pictures(out, office, cache)
    astray = tuple(
        new
        for old, new in moves.pairs(len(before), len(after))
        if new not in meant and not np.array_equal(before[old], after[new])
    )
    return Row(result, len(meant - {None}), astray)


def _pictures(deck: Path, office: Office, cache: Cache) -> Mapping[int, NDArray[np.uint8]]:
    with open_rendered(deck, office=office, cache=cache, size=(640, 360), ocr=False) as drawn:
        return {slide.number: slide.image for slide in drawn}


def _line(row: Row) -> str:
    result = row.result
    checked = result.best.verification if result.best else None
    return (
        f"{result.deck.name[:34]:34} {result.outcome:8} changes {len(result.changes.edits):3} "
        f"unplanned {len(checked.unplanned) if checked else 0} missing "
        f"{len(checked.missing) if checked else 0} astray {len(row.astray)} {row.astray or ''} "
        f"new faults {len(checked.faults) if checked else 0} "
        f"{sum(result.seconds.values()):.1f} s ({_times(result.seconds)}) | {result.instruction}"
    )


def _by_stage(deck: Path, room: Path, office: Office) -> None:
    """Edits of one slide and of several, with nothing known of the deck; and all slides drawn."""
    for slides in ("5", "5-8", "5-20"):
        cache = Cache(room / f"{deck.stem}-{slides}")
        result = edit_with_commands(
            deck, f"make all text italic on slides {slides}", out=room / "stages.pptx",
            office=office, cache=cache,
        )  # fmt: skip
        checked = result.best.verification if result.best else None
        print(f"{deck.name[:34]:34} {result.outcome} slides drawn "
              f"{len(checked.drawn) if checked else 0:2}: {_times(result.seconds)}")  # fmt: skip
    started = perf_counter()
    cache = Cache(room / f"{deck.stem}-whole")
    with open_rendered(deck, office=office, cache=cache, ocr=False) as drawn:
        count = sum(slide.image.size > 0 for slide in drawn)
    print(f"{deck.name[:34]:34} whole deck drawn once, {count} slides: "
          f"{perf_counter() - started:.2f}")  # fmt: skip


def _times(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{stage} {seconds[stage]:.2f}" for stage in STAGES if stage in seconds)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED)
