"""Clone, delete, move and import of slides, tried on whole decks and held against other programs.

On each deck: clone, delete, move, and import with the old design and with the deck's own. Every
result must open in python-pptx, show no new problem, and LibreOffice must draw every slide that
was not touched as it drew it before, pixel by pixel, and a clone like its original.

Slide numbers are made plain text for the drawing, since they change with the place. LibreOffice
fits the text of some slides according to what else is in the deck: a slide that differs counts as
the same where it looks just as after python-pptx alone brought the slides into that order, or put
an empty slide or the last one in front; such slides are counted.

Run as ``python -m bench.operations [FOLDER]``; without a folder the decks of
``../shared/decks/real``, or the samples where those are absent.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pptx import Presentation

from decklab.deck.deck import write_samples
from decklab.editing.slide_import import import_slide
from decklab.editing.slide_operations import clone_slide, delete_slide, move_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate
from decklab.ooxml.xml import Element, qn
from decklab.rendering.office import Office
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer

REAL = Path(__file__).parents[2] / "shared" / "decks" / "real"
SIZE = (640, 360)

Picture = NDArray[np.uint8]
Origins = list[int | None]
"""For each slide of a result the number it had before; None for one that came from elsewhere."""


@dataclass
class Outcome:
    """What became of one operation on one deck."""

    name: str
    seconds: float
    """To edit and save."""
    trouble: list[str]
    excused: int = 0
    """Slides that LibreOffice draws otherwise for standing elsewhere, whoever put them there."""


def main(arguments: list[str]) -> int:
    """Try every operation on every deck and print a table; 1 where anything went wrong."""
    with tempfile.TemporaryDirectory() as name, Office() as office:
        room = Path(name)
        decks = _decks(arguments, room)
        print(f"{len(decks)} decks; seconds to edit and save, or what went wrong")
        print(f"{'deck':44} {'slides':>6} " + " ".join(f"{name:>9}" for name in OPERATIONS))
        wrong = excused = 0
        for index, path in enumerate(decks):
            outcomes = try_deck(path, decks[index - 1], room, office)
            cells = [f"{one.seconds:9.2f}" if not one.trouble else "    WRONG" for one in outcomes]
            with Package.open(path) as package:
                count = len(slide_entries(package))
            print(f"{path.stem[:44]:44} {count:6} " + " ".join(cells), flush=True)
            for outcome in outcomes:
                wrong += bool(outcome.trouble)
                excused += outcome.excused
                for line in outcome.trouble:
                    print(f"    {outcome.name}: {line}")
    print(f"operations: {len(decks) * len(OPERATIONS)} tried, {wrong} went wrong")
    print(f"slides that LibreOffice alone draws otherwise in their new place: {excused}")
    return 1 if wrong else 0


def try_deck(path: Path, other: Path, room: Path, office: Office) -> list[Outcome]:
    """Try every operation on one deck; ``other`` is a deck to import from."""
    before = _pictures(path, room, office)
    outcomes = []
    for name, operation in OPERATIONS.items():
        out = room / f"{name}.pptx"
        with Package.open(path) as package, Package.open(other) as source:
            started = time.perf_counter()
            draft = Draft(package)
            origins = operation(draft, source)
            draft.save(out)
            seconds = time.perf_counter() - started
            known = {(one.rule, one.detail) for one in validate(package) + validate(source)}
        trouble = [*_new_problems(out, known), *_opens(out, len(origins))]
        outcome = Outcome(name, seconds, trouble)
        if not trouble:
            changed = _changed(before, _pictures(out, room, office), origins)
            if changed:
                outcome.trouble = _inexcusable((path, out), origins, changed, room, office)
                outcome.excused = len(changed) - len(outcome.trouble)
        outcomes.append(outcome)
        out.unlink()
    return outcomes


def _clone(draft: Draft, source: Package) -> Origins:
    count = len(slide_entries(draft))
    middle = _fullest(draft)
    clone_slide(draft, middle)
    return [*range(1, middle + 1), middle, *range(middle + 1, count + 1)]


def _delete(draft: Draft, source: Package) -> Origins:
    count = len(slide_entries(draft))
    middle = _fullest(draft)
    if count == 1:  # the only slide cannot go, so its clone stands in for it
        clone_slide(draft, 1)
        delete_slide(draft, 1)
        return [1]
    delete_slide(draft, middle)
    return [number for number in range(1, count + 1) if number != middle]


def _move(draft: Draft, source: Package) -> Origins:
    count = len(slide_entries(draft))
    move_slide(draft, count, 1)
    return [count, *range(1, count)]


def _import(draft: Draft, source: Package) -> Origins:
    count = len(slide_entries(draft))
    import_slide(draft, source, _fullest(source))
    return [*range(1, count + 1), None]


def _adopt(draft: Draft, source: Package) -> Origins:
    count = len(slide_entries(draft))
    import_slide(draft, source, _fullest(source), 1, keep_design=False)
    return [None, *range(1, count + 1)]


OPERATIONS: dict[str, Callable[[Draft, Package], Origins]] = {
    "clone": _clone,
    "delete": _delete,
    "move": _move,
    "import": _import,
    "adopt": _adopt,
}


def _fullest(parts: Draft | Package) -> int:
    """The slide with the most relationships: the hardest one to take along."""
    entries = slide_entries(parts)
    return max(entries, key=lambda entry: len(parts.relationships(entry.part))).number


def _new_problems(path: Path, known: set[tuple[str, str]]) -> Iterator[str]:
    with Package.open(path) as package:
        for one in validate(package):
            if (one.rule, one.detail) not in known:
                yield f"{one.severity} {one.rule} {one.part}: {one.detail}"


def _opens(path: Path, slides: int) -> Iterator[str]:
    count = len(Presentation(str(path)).slides)
    if count != slides:
        yield f"python-pptx finds {count} slides, not {slides}"


def _changed(before: list[Picture], after: list[Picture], origins: Origins) -> dict[int, str]:
    """What looks different, by the number of the slide in the result."""
    if len(after) != len(origins):
        return {0: f"LibreOffice draws {len(after)} slides, not {len(origins)}"}
    found = {}
    for number, (picture, origin) in enumerate(zip(after, origins, strict=True), start=1):
        if origin is not None and not np.array_equal(picture, before[origin - 1]):
            share = np.mean(np.any(picture != before[origin - 1], axis=2))
            found[number] = f"slide {number}, formerly {origin}: {share:.2%} of pixels differ"
    return found


def _inexcusable(
    paths: tuple[Path, Path], origins: Origins, changed: dict[int, str], room: Path, office: Office
) -> list[str]:
    """Of the slides that ``changed``, those that look as in none of the witnesses."""
    path, out = paths
    ours = _pictures(out, room, office)
    count = max(origin or 0 for origin in origins)
    orders: list[Origins] = [origins, [None, *range(1, count + 1)], [count, *range(1, count)]]
    seen: dict[int, list[Picture]] = {}
    for order in orders:
        pictures = _pictures(_witness(path, order, room), room, office)
        for origin, picture in zip(order, pictures, strict=True):
            seen.setdefault(origin or 0, []).append(picture)
    return [
        detail
        for number, detail in changed.items()
        if number == 0 or not _among(ours[number - 1], seen[origins[number - 1] or 0])
    ]


def _among(picture: Picture, others: list[Picture]) -> bool:
    return any(np.array_equal(picture, other) for other in others)


def _witness(path: Path, origins: Origins, room: Path) -> Path:
    """A copy that python-pptx brought into the same order, empty slides standing for new ones."""
    deck = Presentation(str(path))
    listed = deck.slides._sldIdLst
    old = list(listed)
    left = set(range(1, len(old) + 1))
    order = []
    for origin in origins:
        if origin in left:
            left.remove(origin)
            order.append(old[origin - 1])
        else:
            deck.slides.add_slide(deck.slides[0].slide_layout)
            order.append(listed[-1])
    listed[:] = order
    deck.save(str(room / "witness.pptx"))
    return room / "witness.pptx"


def _pictures(path: Path, room: Path, office: Office) -> list[Picture]:
    plain = room / "plain.pptx"
    with Package.open(path) as package:
        draft = Draft(package)
        for name in package.names:
            if name.endswith(".xml") and b"slidenum" in package.read(name):
                _fix_numbers(draft.edit(name))
        draft.save(plain)
    with open_rendered(plain, renderer=Renderer(office), size=SIZE, ocr=False) as deck:
        return [slide.image for slide in deck]


def _fix_numbers(root: Element) -> None:
    """Turn the fields of slide numbers into the text they show now."""
    for field in list(root.iter(qn("a:fld"))):
        if field.get("type") != "slidenum":
            continue
        field.tag = qn("a:r")
        field.attrib.clear()
        for properties in field.findall(qn("a:pPr")):
            field.remove(properties)


def _decks(arguments: list[str], room: Path) -> list[Path]:
    if arguments:
        return sorted(Path(arguments[0]).glob("*.pptx"))
    if REAL.is_dir():
        return sorted(REAL.glob("*.pptx"))
    return write_samples(room / "samples")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
