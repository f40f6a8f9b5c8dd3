"""Self-check of cases: do they separate untouched original, truth, and truth with damage?

The damage is collateral and made by program: one shape damaged that the truth does not change.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DecklabError
from decklab.core.files import scratch_folder
from decklab.core.results import NotScored
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.pptarena.case_decks import Decks
from decklab.evals.pptarena.cases import Case
from decklab.evals.pptarena.reference_scores import Companions, compare
from decklab.evals.pptarena.running import Judge
from decklab.metrics.edits import atomic_changes
from decklab.ooxml.package import Package
from decklab.ooxml.units import parse_int
from decklab.ooxml.writing import write_package
from decklab.ooxml.xml import qn, serialize_xml, shape_id

_RIGHT: Final = 48 * 12_700
_DOWN: Final = 36 * 12_700
"""EMU by which a shape is moved: far enough to be seen. Ours."""


def collateral_damage(
    truth: Path, shapes: Iterable[tuple[Mapping[str, Any], int, str]], out: Path
) -> str | NotScored:
    """Write the deck ``truth`` to ``out`` with one of ``shapes`` damaged.

    ``shapes`` are the shapes that the edit should not change, each with the snapshot of its slide,
    its id and its name. The first of them that the deck has is moved, or removed if it has no
    position of its own. Returns the damage in words; NotScored if no shape is found. Raises
    DeckError if the deck cannot be read.
    """
    with Package.open(truth) as package:
        for slide, id, name in shapes:
            part = slide["part"]
            root = package.xml(part)
            done = _spoil(root, id)
            if done:
                write_package(package, out, replace={part: serialize_xml(root)})
                return f"slide {slide['number']}: {name!r} was {done}"
    return NotScored("the truth leaves no shape alone")


def _spoil(root: Any, id: int) -> str:
    """Move the shape, or remove it if it inherits its position; returns the damage."""
    for shape in root.iterfind(f"{qn('p:cSld')}/{qn('p:spTree')}/*"):
        if shape_id(shape) != id:
            continue
        place = next(shape.iter(qn("a:off")), None)
        if place is None:
            shape.getparent().remove(shape)
            return "taken out"
        place.set("x", str((parse_int(place.get("x")) or 0) + _RIGHT))
        place.set("y", str((parse_int(place.get("y")) or 0) + _DOWN))
        return "moved"
    return ""


def _untouched(asked: DeckEdit) -> Iterator[tuple[dict[str, Any], int, str]]:
    """Slides of the truth with id and name of each shape that the edit does not change.

    Unchanged slides come first, the last of the deck before others.
    """
    places = [atom.place for atom in atomic_changes(asked)]
    slides = {place[0] for place in places}
    shapes = {(place[0], place[2]) for place in places}
    older = [one for one in reversed(asked.after["slides"]) if one["number"] in asked.older]
    older.sort(key=lambda slide: asked.older[slide["number"]] in slides)
    for slide in older:
        for shape in slide.get("shapes", []):
            id = shape.get("id", 0)
            if not shape.get("groups") and (asked.older[slide["number"]], id) not in shapes:
                yield slide, id, shape.get("name", "")


PASSING = 4.0
"""Lowest IF and VQ that count as passed. Ours: at 4 everything asked for is there."""

BEST = 5.0


@dataclass(frozen=True)
class CaseCheck:
    """The result of checking one case; without ``faults`` it is sound."""

    case: Case
    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What could not be checked, and why."""


def self_check(
    cases: Iterable[Case], *, decks: Decks, judge: Judge | None = None
) -> list[CaseCheck]:
    """Check each case: the untouched original must not pass, the truth must, and the truth with
    collateral damage must lose preservation (or VQ, with a judge).

    A judge's scores are checked besides the companions; from ``PASSING`` on they count as passed.
    """
    with scratch_folder("case") as scratch:
        return [
            _checked(case, scratch / f"spoilt-{number}.pptx", decks, judge)
            for number, case in enumerate(cases)
        ]


def _checked(case: Case, scratch: Path, decks: Decks, judge: Judge | None) -> CaseCheck:
    try:
        same = compare(case, case.original, decks)
        best = compare(case, case.ground_truth, decks)
        if not same.agreement.missing:
            return CaseCheck(case, ("original and truth are the same",))
        found = [
            *_of_companions(same, best),
            *_judged(case, decks, judge),
            *_of_damage(case, best, scratch, decks, judge),
        ]
    except DecklabError as error:
        return CaseCheck(case, (str(error),))
    faults = tuple(one for one in found if isinstance(one, str))
    return CaseCheck(case, faults, tuple(one.reason for one in found if not isinstance(one, str)))


def _of_companions(same: Companions, best: Companions) -> Iterator[str]:
    if same.passed:
        yield "the untouched original passes"
    if not best.passed:
        yield "the truth does not pass"


def _judged(case: Case, decks: Decks, judge: Judge | None) -> Iterator[str | NotScored]:
    """A fault, or why there was no verdict."""
    if judge is None:
        return
    for path, name, should in (
        (case.original, "the untouched original", False),
        (case.ground_truth, "the truth", True),
    ):
        scores = [verdict.score for verdict in judge(case, path, decks)]
        missing = [score.reason for score in scores if isinstance(score, NotScored)]
        if missing:
            yield NotScored(f"{name} was not judged: {missing[0]}")
            continue
        passed = all(score >= PASSING for score in scores if not isinstance(score, NotScored))
        if passed is not should:
            yield f"{name} {'passes' if passed else 'does not pass'} with the judges"


def _of_damage(
    case: Case, best: Companions, scratch: Path, decks: Decks, judge: Judge | None
) -> Iterator[str | NotScored]:
    done = collateral_damage(case.ground_truth, _untouched(best.asked), scratch)
    if isinstance(done, NotScored):
        yield NotScored(f"no collateral damage was tried: {done.reason}")
        return
    share = compare(case, scratch, decks).preservation.share
    visual = judge(case, scratch, decks)[1].score if judge else NotScored("no judge was asked")
    if isinstance(share, NotScored) or share == 1:
        if isinstance(visual, NotScored) or visual == BEST:
            yield f"collateral damage goes unseen: {done}"
    elif visual == BEST:
        yield NotScored(f"preservation sees the collateral damage, VQ does not: {done}")
