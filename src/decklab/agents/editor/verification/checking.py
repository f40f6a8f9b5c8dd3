"""The look at an edited deck, from whether it opens to how its changed slides are laid out."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from decklab.agents.editor.verification.faults import copied_from, faults, new_faults
from decklab.agents.editor.verification.model import Drawn, Verification
from decklab.agents.editor.verification.original import Original, new_problems
from decklab.agents.editor.verification.plan import Plan
from decklab.deck.model.slide import DeckElements
from decklab.deck.reading import read_elements
from decklab.diffing.model import DeckDiff
from decklab.diffing.reading import diff_packages
from decklab.errors import DeckError, RenderError
from decklab.metrics.integrity.page import StandIn, stand_ins
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate
from decklab.rendering.cache import Cache
from decklab.rendering.font_report import font_report
from decklab.rendering.incremental.keys import SlideKeys
from decklab.rendering.model import RenderedSlide
from decklab.rendering.office.office import Converter, Office
from decklab.rendering.opening import open_incremental

_BEHIND = frozenset({"theme", "master", "layout"})


def verify(
    original: Original,
    edited: str | Path,
    plan: Plan | None = None,
    *,
    office: Converter | None = None,
    cache: Cache | None = None,
    draw: bool = True,
) -> Verification:
    """Hold an edited deck against its original and the plan.

    Without a plan nothing counts as missing or unplanned. With ``draw`` the slides that changed,
    and no others, are drawn in both decks, and looked at for faults that are new. ``office`` draws
    (without one LibreOffice is started for the call), ``cache`` keeps what was drawn, by default
    in the user's cache folder. What is wrong with the edited deck is told, never raised; raises
    DeckError where the original cannot be read.
    """
    _ = original.problems  # what is wrong with the original is no fault of the edit
    clock: dict[str, float] = {}
    try:
        found = _compared(original, Path(edited), plan, clock)
        with Package.open(edited) as package:
            elements = read_elements(package)
    except DeckError as error:
        return Verification(unreadable=str(error), seconds=clock)
    if draw and found.diff.edits:
        found = _drawn(
            found, original, Path(edited), elements,
            office=office, cache=cache or Cache(), clock=clock,
        )  # fmt: skip
    return replace(found, seconds=clock)


def _compared(
    original: Original, edited: Path, plan: Plan | None, clock: dict[str, float]
) -> Verification:
    with Package.open(edited) as after:
        with _timed(clock, "compare"), Package.open(original.path) as before:
            diff = diff_packages(before, after)
        with _timed(clock, "validate"):
            found = tuple(validate(after))
            problems = new_problems(original.problems, found, copies=bool(diff.slides.added))
    return Verification(
        problems=problems,
        diff=diff,
        missing=() if plan is None else tuple(plan.missing(diff.edits)),
        unplanned=()
        if plan is None
        else tuple(change for change in diff.edits if not plan.allows(change)),
    )


@dataclass(frozen=True)
class _Shown:
    """The slides to draw, by their numbers in both decks."""

    pairs: tuple[tuple[int | None, int | None], ...]

    @property
    def before(self) -> list[int]:
        return [number for number, _after in self.pairs if number is not None]

    @property
    def after(self) -> list[int]:
        return [number for _before, number in self.pairs if number is not None]


def _drawn(
    found: Verification,
    original: Original,
    edited: Path,
    elements: DeckElements,
    *,
    office: Converter | None,
    cache: Cache,
    clock: dict[str, float],
) -> Verification:
    """The verification with pictures of what changed, and the faults that are new there."""
    stayed = found.diff.slides.pairs(len(original.elements.slides), len(elements.slides))
    with ExitStack() as stack:
        with _timed(clock, "draw"):
            shown = _to_show(found.diff, stayed, original.path, edited)
            if not shown.pairs:
                return found
            models = copied_from(original.elements, elements, found.diff.slides.added)
            looked_at = sorted({*shown.before, *models.values()})
            try:
                drawer = office or stack.enter_context(Office())
                old, new = (
                    _slides(path, numbers, drawer, cache)
                    for path, numbers in ((original.path, looked_at), (edited, shown.after))
                )
                fonts = _replaced(edited, drawer, cache)
            except RenderError as error:
                return replace(found, undrawn=str(error))
        with _timed(clock, "lint"):
            findings = new_faults(
                faults(original.elements, list(old.values()), fonts),
                faults(elements, list(new.values()), fonts),
                (*stayed, *((before, after) for after, before in models.items())),
                shown.after,
            )
    pictures = tuple(
        Drawn(
            before,
            after,
            old[before].image if before in old else None,
            new[after].image if after in new else None,
        )
        for before, after in shown.pairs
    )
    return replace(found, findings=findings, drawn=pictures)


def _to_show(
    diff: DeckDiff, stayed: tuple[tuple[int, int], ...], original: Path, edited: Path
) -> _Shown:
    """The slides with changes of their own that show; after a change of a theme, master or layout
    every slide that looks different by it."""
    older = {after: before for before, after in stayed}
    wanted = {
        change.slide
        for change in diff.edits
        if change.slide is not None and (change.kind, change.property) != ("slide", "removed")
    }
    if any(change.slide is None and change.kind in _BEHIND for change in diff.edits):
        wanted |= set(older)
    with Package.open(original) as before, Package.open(edited) as after:
        keys = SlideKeys(before, {}), SlideKeys(after, {})
        pairs = [
            (older.get(number), number)
            for number in sorted(wanted)
            if number not in older or keys[0].of(older[number]) != keys[1].of(number)
        ]
    return _Shown((*pairs, *((number, None) for number in diff.slides.removed)))


def _slides(
    path: Path, numbers: list[int], office: Converter, cache: Cache
) -> dict[int, RenderedSlide]:
    if not numbers:
        return {}
    with open_incremental(path, cache=cache, office=office, slides=numbers, ocr=False) as deck:
        return {number: deck.slide(number) for number in numbers}


def _replaced(path: Path, office: Converter, cache: Cache) -> dict[str, StandIn]:
    """The fonts that are drawn in one of other widths."""
    with Package.open(path) as package:
        report = font_report(package, office, cache)
    return stand_ins(report.replaced)


@contextmanager
def _timed(clock: dict[str, float], stage: str) -> Iterator[None]:
    started = perf_counter()
    try:
        yield
    finally:
        clock[stage] = clock.get(stage, 0.0) + perf_counter() - started
