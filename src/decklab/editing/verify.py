"""Changes applied to a deck and compared with the original: what is wrong, and which is to blame.

``verify`` holds an edited deck against its original and the plan. ``settle`` tries several changes
together until all that are left hold.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import DeckError, DecklabError, RenderError
from decklab.core.results import Finding
from decklab.core.stages import Stages
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements
from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.same_parts import PackagePair
from decklab.diffing.wording import sentence
from decklab.editing.plan import Plan, missing_words
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import SlideList, slide_list
from decklab.ooxml.validity.parts import Problem
from decklab.ooxml.validity.validating import validate
from decklab.pages.pictures import encode_png
from decklab.rendering.font_report import FontReport, font_report
from decklab.rendering.opening import open_incremental
from decklab.rendering.pictures import RenderedSlide
from decklab.rendering.renderer import Cache, Renderer
from decklab.rendering.slide_keys import SlideKeys

Item = TypeVar("Item", bound=Hashable)
_Listed = TypeVar("_Listed")
_SlideNumbers = tuple[tuple[int | None, int | None], ...]
"""Of slides, the older and the newer number."""


class CannotMake(DecklabError):
    """A change that cannot be made; ``item`` says which, the text why."""

    def __init__(self, item: Hashable, reason: str) -> None:
        super().__init__(reason)
        self.item = item


@dataclass(frozen=True)
class Complaint(Generic[Item]):
    """Something that is wrong after a trial of changes."""

    reason: str
    suspicions: Sequence[Callable[[Item], bool]] = ()
    """Tests of which change may be to blame. The first that fits any counts; if none does, all
    changes are to blame."""

    def blamed(self, items: Iterable[Item]) -> list[Item]:
        """The changes to blame."""
        known = list(items)
        suspects = ([item for item in known if fits(item)] for fits in self.suspicions)
        return next(filter(None, suspects), known)


@dataclass(frozen=True)
class Settled(Generic[Item]):
    """The changes that hold, and those that were undone."""

    kept: Mapping[Item, int]
    """By change, the number of the way in which it was made, from 0."""
    undone: Mapping[Item, str]
    """By change, the reason."""


def settle(
    ways: Mapping[Item, int],
    trial: Callable[[Mapping[Item, int]], Iterable[Complaint[Item]]],
    *,
    rounds: int,
) -> Settled[Item]:
    """Try changes until all that are left hold.

    ``ways`` says by change in how many ways it can be made, the best first. ``trial`` makes the
    changes that are left, each in the way whose number it is given, and gives what is wrong then;
    the changes to blame are made in their next way, or undone. It raises CannotMake for a change
    that cannot be made, which costs no round. After ``rounds`` rounds nothing is kept; in the last
    but one no other way is tried any more.
    """
    way, reasons, number = dict.fromkeys(ways, 0), dict[Item, str](), 0
    while way and number < rounds:
        failed: dict[Item, str] = {}
        try:
            for complaint in trial(way):
                for item in complaint.blamed(way):
                    failed.setdefault(item, complaint.reason)
            number += 1
        except CannotMake as error:
            failed = {item: str(error) for item in way if item == error.item}
        if not failed:
            break
        for item, reason in failed.items():
            reasons[item] = reason
            if number < rounds - 1 and way[item] + 1 < ways[item]:
                way[item] += 1
            else:
                del way[item]
    else:
        way = {}
    undone = {item: reason for item, reason in reasons.items() if item not in way}
    return Settled(way, undone)


Lint = Callable[[DeckElements, Iterable[RenderedSlide], FontReport], Iterable[Finding]]
"""Finds the faults of drawn slides, such as ``decklab.linting.drawn.drawn_findings``."""


class OriginalDeck:
    """The deck before an edit: read once, however many edited versions are held against it.

    The file must not change meanwhile. ``lint`` finds faults of drawn slides; without it none are
    looked for. Properties raise DeckError if the deck cannot be read.
    """

    def __init__(self, path: str | Path, lint: Lint | None = None) -> None:
        self.path, self.lint = Path(path), lint

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Its errors of validity."""
        with Package.open(self.path) as package:
            return tuple(validate(package))

    @cached_property
    def elements(self) -> DeckElements:
        """All elements of its slides, with their styles."""
        with Package.open(self.path) as package:
            return read_elements(package)


def beyond(
    items: Iterable[_Listed], known: Counter[Any], key: Callable[[_Listed], Hashable]
) -> list[_Listed]:
    """The items of which there are more than are ``known``, by key; the first ones are known.

    >>> beyond("abca", Counter("ac"), str)
    ['b', 'a']
    """
    left, more = known.copy(), []
    for item in items:
        left[key(item)] -= 1
        if left[key(item)] < 0:
            more.append(item)
    return more


def new_problems(
    before: Iterable[Problem], after: Iterable[Problem], *, copies: bool = False
) -> tuple[Problem, ...]:
    """The errors of validity ``after`` an edit that were not there ``before``.

    Two errors are the same if their rule and words are, numbers aside: parts change their names
    when a slide is added or removed. With ``copies`` an error may be there more often than before:
    a copy of a slide has the errors of the slide.
    """
    old, new = ([item for item in side if item.severity == "error"] for side in (before, after))
    known = Counter(map(_without_numbers, old))
    if copies:
        new = [item for item in new if _without_numbers(item) not in known]
    return tuple(beyond(new, known, _without_numbers))


def _without_numbers(problem: Problem) -> tuple[str, str]:
    """Rule and words of a problem, without the digits in names of parts and ids."""
    return problem.rule, "".join(char for char in problem.detail if not char.isdigit())


def new_faults(
    before: Iterable[Finding],
    after: Iterable[Finding],
    pairs: Iterable[tuple[int, int]],
    changed: Collection[int],
) -> tuple[Finding, ...]:
    """The findings on changed slides that the older deck did not have.

    ``pairs`` holds the older and the newer number of each slide; a copy of a slide has the older
    number of that slide. ``changed`` holds newer numbers. Two findings are the same if their rule,
    slide and element are.
    """
    newer: dict[int | None, list[int]] = {}
    for old, new in pairs:
        newer.setdefault(old, []).append(new)
    known = Counter(
        (finding.rule, number, finding.shape)
        for finding in before
        for number in newer.get(finding.slide, [finding.slide])
    )
    shown = (finding for finding in after if finding.slide in changed)
    return tuple(beyond(shown, known, lambda item: (item.rule, item.slide, item.shape)))


def copied_from(
    before: DeckElements, after: DeckElements, added: Collection[int]
) -> dict[int, int]:
    """Of each added slide with the same texts as an older slide, newer number to older number.

    Such a slide is a copy, whose faults are not new.
    """
    texts = {_words(slide): slide.number for slide in reversed(before.slides)}
    models = {slide.number: texts.get(_words(slide)) for slide in after.slides}
    return {new: old for new, old in models.items() if new in added and old is not None}


def _words(slide: SlideElements) -> tuple[tuple[str, str], ...]:
    """Name and text of each shape, without fields, which depend on the number of the slide."""
    words = []
    for item in slide.texts:
        runs = (run for line in item.paragraphs for run in line.runs if run.kind != "field")
        words.append((item.name, "".join(run.text for run in runs)))
    return tuple(words)


@dataclass(frozen=True)
class SlideBeforeAfter:
    """Pictures of a slide before and after an edit; None if a deck does not have the slide.

    Arrays are height x width x 3, red green blue, 0 to 255.
    """

    before_number: int | None
    number: int | None
    before: NDArray[np.uint8] | None
    after: NDArray[np.uint8] | None

    @property
    def pngs(self) -> tuple[bytes | None, bytes | None]:
        """Both pictures as bytes of PNG files."""
        before, after = (
            None if picture is None else encode_png(picture)
            for picture in (self.before, self.after)
        )
        return before, after


@dataclass(frozen=True)
class Verification:
    """The result of verifying an edited deck.

    If the deck cannot be opened, ``unreadable`` says why and the rest is empty.
    """

    unreadable: str = ""
    problems: tuple[Problem, ...] = ()
    """Errors of validity that the original did not have."""
    diff: DeckDiff = field(default_factory=DeckDiff)
    missing: tuple[str, ...] = ()
    """Planned changes that were not made, in words."""
    unplanned: tuple[Change, ...] = ()
    """Changes that the plan does not allow."""
    findings: tuple[Finding, ...] = ()
    """Faults of layout, on changed slides, that were not there before."""
    undrawn: str = ""
    """Why the slides could not be drawn; empty if they were, or did not have to be."""
    drawn: tuple[SlideBeforeAfter, ...] = ()
    """The slides that changed, as pictures."""
    slide_list: tuple[str, ...] = ()
    """Remarks on its slide list: entries that lead to no slide and were left as they are, slides
    that had no id of their own."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage: ``validate``, ``compare``, ``draw``, ``lint``."""

    @property
    def planned(self) -> tuple[Change, ...]:
        """The changes that the plan allows."""
        return tuple(change for change in self.diff.edits if change not in self.unplanned)

    @property
    def sound(self) -> bool:
        """Whether the deck may be written: it opens and has no new errors of validity."""
        return not self.unreadable and not self.problems

    @property
    def passed(self) -> bool:
        """Whether the deck is sound and has all planned changes, no others, and no new findings."""
        return self.sound and not (self.missing or self.unplanned or self.faults)

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that are errors or warnings."""
        return tuple(item for item in self.findings if item.severity != "info")

    @property
    def rank(self) -> tuple[int, ...]:
        """For choosing among versions of one edit; higher is better.

        It compares, in this order: whether the deck opens; the number of errors of validity, of
        missing changes, of unplanned changes, of new findings; whether anything changed.
        """
        faults = self.problems, self.missing, self.unplanned, self.faults
        return (not self.unreadable, *(-len(of_kind) for of_kind in faults), bool(self.diff.edits))

    @property
    def messages(self) -> tuple[str, ...]:
        """Problems to repair, one line each, the worst first; none if it passed."""
        if self.unreadable:
            return (f"The edited deck cannot be opened: {self.unreadable}",)
        return (
            *(f"Invalid: {item.part}: {item.detail} Fix: {item.fix}" for item in self.problems),
            *(f"Planned, but it did not happen: {what}" for what in self.missing),
            *(f"Changed, but nobody asked for it: {sentence(item)}" for item in self.unplanned),
            *(_fault_words(item) for item in self.faults),
        )

    def as_json(self) -> dict[str, Any]:
        """The result as plain JSON, without pictures and diff."""
        return {
            "passed": self.passed,
            "unreadable": self.unreadable,
            "problems": [vars(item) for item in self.problems],
            "missing": list(self.missing),
            "unplanned": [sentence(item) for item in self.unplanned],
            "findings": [item.model_dump(mode="json") for item in self.findings],
            "undrawn": self.undrawn,
            "slides_drawn": [item.number for item in self.drawn if item.number],
            "seconds": dict(self.seconds),
        }


def _fault_words(finding: Finding) -> str:
    places = (f"slide {finding.slide}" if finding.slide else "", finding.shape or "")
    fix = f" Fix: {finding.fix}" if finding.fix else ""
    return f"New finding on {', '.join(filter(None, places))}: {finding.message}{fix}"


def verify(
    original: OriginalDeck,
    edited: str | Path,
    plan: Plan | None = None,
    *,
    renderer: Renderer | None = None,
    draw: bool = True,
) -> Verification:
    """Hold an edited deck against its original and the plan.

    Without a plan nothing counts as missing or unplanned. With ``draw`` the slides that changed,
    and no others, are drawn in both decks, and searched for new findings; by default the user's
    cache folder stores the pictures. Faults of the edited deck are in the result and never raised;
    raises DeckError if the original cannot be read.
    """
    with Package.open(original.path) as before:
        slide_list(before)  # what is wrong with the original is no fault of the edit
    stages = Stages()
    try:
        checked = _without_pictures(original, Path(edited), plan, stages)
        if not (draw and checked.diff.edits):
            return replace(checked, seconds=stages.seconds)
        with Package.open(edited) as package:
            elements = read_elements(package)
    except DeckError as error:
        return Verification(unreadable=str(error), seconds=stages.seconds)
    how = renderer or Renderer(cache=Cache())
    checked = _with_pictures(checked, original, Path(edited), elements, renderer=how, stages=stages)
    return replace(checked, seconds=stages.seconds)


def _without_pictures(
    original: OriginalDeck, edited: Path, plan: Plan | None, stages: Stages
) -> Verification:
    with Package.open(edited) as after:
        with stages.timed("compare"), Package.open(original.path) as before:
            diff = diff_packages(before, after, edited=True)
            unsaid = () if plan is None else tuple(missing_words(after, plan))
            about_list = tuple(_about_list(slide_list(before), slide_list(after)))
        with stages.timed("validate"):
            problems = _new_errors(original, after, copies=bool(diff.slides.added))
    return Verification(
        problems=problems,
        diff=diff,
        missing=() if plan is None else (*plan.missing(diff), *unsaid),
        unplanned=() if plan is None else plan.unplanned(diff),
        slide_list=about_list,
    )


def _new_errors(original: OriginalDeck, after: Package, *, copies: bool) -> tuple[Problem, ...]:
    """The errors of validity that the original did not have; parts that stayed have none."""
    with Package.open(original.path) as before:
        stayed = PackagePair(before, after).identical
    if all(item.severity != "error" for item in validate(after, stayed)):
        return ()
    return new_problems(original.problems, validate(after), copies=copies)


def _about_list(before: SlideList, after: SlideList) -> Iterator[str]:
    """Remarks on the slide list of an edited deck, one line each."""
    for entry in after.dead:
        yield f"{entry}; it was left as it is"
    if all(slide.id == slide.stated_id for slide in after.slides):
        for slide in before.slides:
            if slide.id != slide.stated_id:
                yield f"slide {slide.number} had no id of its own, and has one now"


def _with_pictures(
    checked: Verification,
    original: OriginalDeck,
    edited: Path,
    elements: DeckElements,
    *,
    renderer: Renderer,
    stages: Stages,
) -> Verification:
    """The verification with pictures of what changed, and the faults that are new there."""
    slides = checked.diff.slides.numbers(len(original.elements.slides), len(elements.slides))
    stayed = [(old, new) for old, new in slides if old is not None and new is not None]
    with ExitStack() as stack:
        with stages.timed("draw"):
            if not (shown := _slides_to_draw(checked.diff, slides, original.path, edited)):
                return checked
            before, after = (
                [number for number in side if number] for side in zip(*shown, strict=True)
            )
            models = copied_from(original.elements, elements, checked.diff.slides.added)
            looked_at = sorted({*before, *models.values()})
            try:
                started = stack.enter_context(renderer.started())
                old, new = (
                    _drawn_slides(path, numbers, started)
                    for path, numbers in ((original.path, looked_at), (edited, after))
                )
                with Package.open(edited) as package:
                    fonts = font_report(package, started)
            except RenderError as error:
                return replace(checked, undrawn=str(error))
        with stages.timed("lint"):
            findings = original.lint and new_faults(
                original.lint(original.elements, old.values(), fonts),
                original.lint(elements, new.values(), fonts),
                (*stayed, *((older, newer) for newer, older in models.items())),
                after,
            )
    images: list[dict[int | None, Any]] = [{n: side[n].image for n in side} for side in (old, new)]
    pictures = tuple(
        SlideBeforeAfter(was, now, images[0].get(was), images[1].get(now)) for was, now in shown
    )
    return replace(checked, findings=findings or (), drawn=pictures)


def _slides_to_draw(
    diff: DeckDiff, slides: _SlideNumbers, original: Path, edited: Path
) -> _SlideNumbers:
    """The slides that look different: edited themselves, or under an edited template."""
    own, all_may = diff.changed_slides, diff.changes_templates
    with Package.open(original) as before, Package.open(edited) as after:
        keys = SlideKeys(before, {}), SlideKeys(after, {})
        return tuple(
            (old, new)
            for old, new in slides
            if old is None
            or new is None
            or ((all_may or new in own) and keys[0].of(old) != keys[1].of(new))
        )


def _drawn_slides(path: Path, numbers: list[int], renderer: Renderer) -> dict[int, RenderedSlide]:
    if not numbers:
        return {}
    with open_incremental(path, renderer=renderer, slides=numbers, ocr=False) as deck:
        return {number: deck.slide(number) for number in numbers}
