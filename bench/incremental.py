"""Drawing a deck again after an edit: how much faster than the whole deck, and whether it is equal.

On decks of about 40 slides both ways are timed in turns, with LibreOffice warm for both: the whole
edited deck converted and all its slides drawn, against the edited deck opened incrementally and
the slides drawn that changed; the pictures are compared. The ratio of the conversions alone, and
where the time of the incremental way goes, are printed beside it.

With ``--equal``, first every slide of every deck is drawn alone and compared with itself in the
whole deck, pixel by pixel and span by span; then every deck is edited in each of the ways of
``deck_edits``, drawn incrementally and as a whole, and every slide compared (a quarter of an hour).

Run as ``python -m bench.incremental [--equal] [FOLDER...]``; without a folder the decks of
``../shared/decks/real`` and, with ``--equal``, ``features``; or a deck of 40 slides made from the
samples where those are absent.
"""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median

import numpy as np

from bench.deck_edits import EDITS, edit_text
from bench.measuring import remember
from decklab.core.errors import DecklabError
from decklab.deck.deck import write_samples
from decklab.editing.slide_operations import clone_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import qn
from decklab.rendering.office import Office
from decklab.rendering.opening import IncrementalDeck, open_incremental, open_rendered
from decklab.rendering.partial_copies import can_write_partial_copy, write_partial_copy
from decklab.rendering.pdf import PageOptions, PdfDeck
from decklab.rendering.pictures import RenderedDeck, RenderedSlide
from decklab.rendering.renderer import Cache, Renderer
from decklab.rendering.slide_keys import SlideKeys

SHARED = Path(__file__).parents[2] / "shared" / "decks"
BUDGET = 8.0
"""Drawing again must be at least so many times faster than drawing the whole deck."""
ABOUT_40 = range(35, 49)
TOLERATED = 0.005
"""Share of slides that may differ: LibreOffice 7.4 places the text of some that shrink it by all
that was laid out before (see ``decklab.rendering.slide_keys``)."""
ROUNDS = 3
SMALL = (640, 360)


@dataclass(frozen=True)
class Pace:
    """Seconds of one edit drawn both ways."""

    whole: float
    """All slides converted and drawn."""
    whole_pdf: float
    office: float
    """In LibreOffice, for the slides that changed."""
    around: float
    """Keys, cache, and writing the copy."""
    drawing: float
    """Pictures of the slides that changed."""

    @property
    def ratio(self) -> float:
        return self.whole / (self.office + self.around + self.drawing)

    @property
    def conversion_ratio(self) -> float:
        return self.whole_pdf / (self.office + self.around)


class TimedOffice:
    """A converter that notes how long it took."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self.engine = office.engine
        self.options: Mapping[str, object] = office.options
        self.seconds = 0.0

    def pdf(self, path: str | Path) -> bytes:
        started = time.perf_counter()
        made = self._office.pdf(path)
        self.seconds += time.perf_counter() - started
        return made

    def resaved(self, path: str | Path) -> bytes:
        return self._office.resaved(path)


def main(arguments: list[str]) -> int:
    """Print all tables; 1 where too many slides differ or the budget is missed."""
    equal = "--equal" in arguments
    folders = [Path(name) for name in arguments if name != "--equal"]
    with tempfile.TemporaryDirectory() as name, Office() as office:
        room = Path(name)
        right = True
        if equal:
            decks = _decks(folders or [SHARED / "real", SHARED / "features"], room)
            right = _alone(decks, room, office) and _changed(decks, room, office)
        decks = _decks(folders or [SHARED / "real"], room)
        paced = _paced([path for path in decks if _count(path) in ABOUT_40], room, office)
    return 0 if paced and right else 1


def _paced(decks: list[Path], room: Path, office: Office) -> bool:
    if not decks:
        print("incremental: there is no deck of about 40 slides to time")
        return True
    print("seconds, LibreOffice warm both ways")
    print(f"{'deck':32} {'slides':>6} {'whole':>6} {'office':>7} {'around':>7} {'picture':>8} "
          f"{'faster':>7} {'without pictures':>17}")  # fmt: skip
    ratios = []
    for path in decks:
        rounds = [_pace(path, room, office, turn) for turn in range(ROUNDS)]
        ratios.append(median(pace.ratio for pace in rounds))
        pace = sorted(rounds, key=lambda pace: pace.ratio)[len(rounds) // 2]
        print(f"{path.stem[:32]:32} {_count(path):6} {pace.whole:6.2f} {pace.office:7.3f} "
              f"{pace.around:7.3f} {pace.drawing:8.3f} {pace.ratio:6.1f}x "
              f"{pace.conversion_ratio:16.1f}x", flush=True)  # fmt: skip
    ratio = geometric_mean(ratios)
    met = ratio >= BUDGET
    print(f"incremental: {ratio:.1f} times faster than the whole deck, at least {min(ratios):.1f}"
          f" (budget {BUDGET:g}): {'met' if met else 'MISSED'}; "
          f"{remember('incremental', ratio, BUDGET)}")  # fmt: skip
    return met


def _alone(decks: list[Path], room: Path, office: Office) -> bool:
    """Draw every slide in a copy of its own; whether few enough differ."""
    seen = Counter[str]()
    copy = room / "alone.pptx"
    for path in decks:
        try:
            with Package.open(path) as package, _whole(path, office) as whole:
                keys = SlideKeys(package, {})
                for number in range(1, len(keys) + 1):
                    if not can_write_partial_copy(keys, [number]) or len(whole) != len(keys):
                        seen["not told apart, drawn with all others"] += 1
                        continue
                    place = write_partial_copy(package, keys, [number], copy)[number]
                    with PdfDeck(copy, office.pdf(copy), options=PageOptions(SMALL)) as some:
                        wrong = _differ(whole.slide(number), some.slide(place + 1))
                    seen["differ" if wrong else "equal"] += 1
                    if wrong:
                        print(f"{path.stem[:44]:44} slide {number} looks different", flush=True)
        except DecklabError as error:
            print(error)
    print(f"slides of {len(decks)} decks drawn alone:", _told(seen), flush=True)
    return seen["differ"] <= TOLERATED * seen.total()


def _changed(decks: list[Path], room: Path, office: Office) -> bool:
    """Change decks and draw them both ways; whether few enough slides differ."""
    totals = Counter[str]()
    for name in EDITS:
        seen = Counter[str]()
        for path in decks:
            try:
                _change(name, path, room, office, seen)
            except DecklabError as error:
                print(error)
        print(f"{name:8}", _told(seen), flush=True)
        totals.update(seen)
    print("all     ", _told(totals))
    return totals["differ"] <= TOLERATED * (totals["equal"] + totals["differ"])


def _change(name: str, path: Path, room: Path, office: Office, seen: Counter[str]) -> None:
    """Count the slides that were compared, and how, after one edit of one deck."""
    cache = Cache(room / "changed")
    edited = room / path.name
    open_incremental(path, renderer=Renderer(office, cache)).close()
    with Package.open(path) as package:
        if not EDITS[name](package, random.Random(path.name + name), edited):
            return
    with (
        open_incremental(edited, renderer=Renderer(office, cache), size=SMALL, ocr=False) as some,
        _whole(edited, office) as whole,
    ):
        wrong = [page.number for page in whole if _differ(page, some.slide(page.number))]
        fresh = len(some.fresh) if isinstance(some, IncrementalDeck) else len(some)
        seen.update({"tries": 1, "equal": len(whole) - len(wrong), "differ": len(wrong),
                     "drawn anew": fresh})  # fmt: skip
        if wrong:
            drawn = sorted(some.fresh) if isinstance(some, IncrementalDeck) else "all"
            print(f"{path.stem[:44]:44} {name}: {wrong} differ; drawn {drawn}", flush=True)


def _whole(path: Path, office: Office) -> RenderedDeck:
    return open_rendered(path, renderer=Renderer(office), size=SMALL, ocr=False)


def _told(seen: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in seen.items())


def _differ(one: RenderedSlide, other: RenderedSlide) -> bool:
    return one.spans != other.spans or not np.array_equal(one.image, other.image)


def _pace(path: Path, room: Path, office: Office, turn: int) -> Pace:
    """One edit of a slide, drawn both ways; every turn edits another."""
    edited = room / path.name
    with Package.open(path) as package:
        edit_text(package, _with_text(package, turn), f"Turn {turn}", edited)
    cache = Cache(room / "paced")
    open_incremental(path, renderer=Renderer(office, cache)).close()
    started = time.perf_counter()
    whole = open_rendered(edited, renderer=Renderer(office), ocr=False)
    whole_converted = time.perf_counter()
    pictures = list(whole)
    whole_drawn = time.perf_counter()
    timed = TimedOffice(office)
    some = open_incremental(edited, renderer=Renderer(timed, cache), ocr=False)
    some_converted = time.perf_counter()
    assert isinstance(some, IncrementalDeck)
    fresh = [some.slide(number) for number in sorted(some.fresh)]
    some_drawn = time.perf_counter()
    if any(_differ(pictures[slide.number - 1], slide) for slide in fresh):
        print(f"{path.stem}: a slide looks different")
    whole.close()
    some.close()
    return Pace(
        whole=whole_drawn - started,
        whole_pdf=whole_converted - started,
        office=timed.seconds,
        around=some_converted - whole_drawn - timed.seconds,
        drawing=some_drawn - some_converted,
    )


def _count(path: Path) -> int:
    with Package.open(path) as package:
        return len(slide_entries(package))


def _with_text(package: Package, turn: int) -> str:
    """A slide with text, at random but the same in each run."""
    parts = [
        entry.part
        for entry in slide_entries(package)
        if next(package.xml(entry.part).iter(qn("a:t")), None) is not None
    ]
    return random.Random(package.path.name).sample(parts, ROUNDS)[turn]


def _decks(folders: list[Path], room: Path) -> list[Path]:
    found = [path for folder in folders for path in sorted(folder.glob("*.pptx"))]
    if found:
        return found
    sample = write_samples(room / "samples")[0]
    with Package.open(sample) as package:
        draft = Draft(package)
        slides = len(slide_entries(draft))
        for copy in range(40 - slides):
            clone_slide(draft, 1 + copy % slides)
        return [draft.save(room / "forty.pptx")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
