"""An edited deck is held against its original and the plan."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from decklab.core.errors import DeckError, RenderError
from decklab.core.results import Finding
from decklab.core.stages import Stages
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements
from decklab.diffing.changes import DeckDiff, Kind
from decklab.diffing.decks import diff_packages
from decklab.editing.verification import Plan, SlideBeforeAfter, Verification
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import SlideList, slide_entries, slide_list
from decklab.ooxml.validity.inspection import Problem
from decklab.ooxml.validity.validating import validate
from decklab.ooxml.xml import qn
from decklab.rendering.font_report import FontReport, font_report
from decklab.rendering.incremental.keys import SlideKeys
from decklab.rendering.model import RenderedSlide
from decklab.rendering.opening import open_incremental
from decklab.rendering.renderer import Cache, Renderer

_SlideNumbers = tuple[tuple[int | None, int | None], ...]
"""Of slides, the older and the newer number."""


Lint = Callable[[DeckElements, Iterable[RenderedSlide], FontReport], Iterable[Finding]]
"""Finds the faults of drawn slides, such as ``decklab.linting.lint.drawn_findings``."""


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


def new_problems(
    before: tuple[Problem, ...], after: tuple[Problem, ...], *, copies: bool = False
) -> tuple[Problem, ...]:
    """The errors of validity ``after`` an edit that were not there ``before``.

    Two errors are the same where their rule and words are, numbers aside: parts change their names
    when a slide is added or removed. With ``copies`` an error may be there more often than before:
    a copy of a slide has the errors of the slide.
    """
    known = Counter(
        (problem.rule, _without(problem)) for problem in before if problem.severity == "error"
    )
    new = []
    for problem in after:
        if problem.severity != "error":
            continue
        if known[problem.rule, _without(problem)]:
            known[problem.rule, _without(problem)] -= not copies
        else:
            new.append(problem)
    return tuple(new)


def _without(problem: Problem) -> str:
    """The words of a problem, without the digits in names of parts and ids."""
    return "".join(char for char in problem.detail if not char.isdigit())


def new_faults(
    before: Iterable[Finding], after: Iterable[Finding], pairs: Iterable[tuple[int, int]],
    changed: Collection[int],
) -> tuple[Finding, ...]:  # fmt: skip
    """The findings on changed slides that the older deck did not have.

    ``pairs`` holds the older and the newer number of each slide; a copy of a slide has the older
    number of that slide. ``changed`` holds newer numbers. Two findings are the same where their
    rule, slide and element are.
    """
    older: dict[int | None, list[int]] = {}
    for old, new in pairs:
        older.setdefault(old, []).append(new)
    known = Counter(
        (finding.rule, number, finding.shape)
        for finding in before
        for number in older.get(finding.slide, [finding.slide])
    )
    fresh = []
    for finding in after:
        if finding.slide not in changed:
            continue
        if known[finding.rule, finding.slide, finding.shape]:
            known[finding.rule, finding.slide, finding.shape] -= 1
        else:
            fresh.append(finding)
    return tuple(fresh)


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
    return tuple(
        (item.name, "".join(run.text for line in item.paragraphs for run in line.runs
                            if run.kind != "field"))
        for item in slide.texts
    )  # fmt: skip


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
    and no others, are drawn in both decks, and searched for new faults; by default the user's cache
    folder stores the pictures. Faults of the edited deck are in the result and never raised; raises
    DeckError if the original cannot be read.
    """
    _ = original.problems  # what is wrong with the original is no fault of the edit
    stages = Stages()
    try:
        checked = _without_pictures(original, Path(edited), plan, stages)
        with Package.open(edited) as package:
            elements = read_elements(package)
    except DeckError as error:
        return Verification(unreadable=str(error), seconds=stages.seconds)
    if draw and checked.diff.edits:
        checked = _with_pictures(
            checked, original, Path(edited), elements,
            renderer=renderer or Renderer(cache=Cache()), stages=stages,
        )  # fmt: skip
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
            all_problems = tuple(validate(after))
            problems = new_problems(original.problems, all_problems, copies=bool(diff.slides.added))
    return Verification(
        problems=problems,
        diff=diff,
        missing=() if plan is None else (*plan.missing(diff), *unsaid),
        unplanned=() if plan is None else plan.unplanned(diff),
        slide_list=about_list,
    )


def _about_list(before: SlideList, after: SlideList) -> Iterator[str]:
    """Remarks on the slide list of an edited deck, one line each."""
    for entry in after.dead:
        yield f"{entry}; it was left as it is"
    if all(slide.id == slide.stated_id for slide in after.slides):
        for slide in before.slides:
            if slide.id != slide.stated_id:
                yield f"slide {slide.number} had no id of its own, and has one now"


_SAYING: frozenset[Kind] = frozenset(
    {"text", "table", "chart", "diagram", "notes", "added", "slide"}
)
"""Kinds of changes that bring words which people read on a slide or in its notes."""
_READ = ("notesSlide", "chart", "diagramData")
"""Kinds of parts of a slide with such words."""


def missing_words(package: Package, plan: Plan) -> Iterator[str]:
    """The words of planned changes that are on none of their slides, one line each.

    If a change names no slides, they may be on any. Blanks count as one.
    """
    texts: dict[int | None, str] = {}
    for planned in plan.changes:
        wanted = planned.words if planned.required and _SAYING.intersection(planned.kinds) else ()
        if wanted and not texts:
            texts = {entry.number: _said(package, entry.part) for entry in slide_entries(package)}
        slides = [number for number in planned.slides if number in texts] or list(texts)
        for words in wanted:
            if not any(_blanks_as_one(words) in texts[number] for number in slides):
                yield f"{planned.what}: “{_blanks_as_one(words)}” is not there"


def _said(package: Package, slide: str) -> str:
    """All words of a slide and its notes, paragraph after paragraph."""
    parts = [slide, *(name for kind in _READ for name in package.related(slide, kind))]
    lines = []
    for part in parts:
        for item in package.xml(part).iter(qn("a:p"), qn("c:v")):
            pieces = item.iter(qn("a:t"), qn("a:br"), qn("c:v"))
            lines.append(
                "".join(" " if piece.tag == qn("a:br") else piece.text or "" for piece in pieces)
            )
    return _blanks_as_one(" ".join(lines))


def _blanks_as_one(text: str) -> str:
    return " ".join(text.split())


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
            shown = _slides_to_draw(checked.diff, slides, original.path, edited)
            if not shown:
                return checked
            before, after = ([one for one in side if one] for side in zip(*shown, strict=True))
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
    pictures = tuple(
        SlideBeforeAfter(
            older,
            newer,
            old[older].image if older in old else None,
            new[newer].image if newer in new else None,
        )
        for older, newer in shown
    )
    return replace(checked, findings=findings or (), drawn=pictures)


def _slides_to_draw(
    diff: DeckDiff, slides: _SlideNumbers, original: Path, edited: Path
) -> _SlideNumbers:
    """The slides that came, went, or have changes of their own that can be seen; after a change of
    a theme, master or layout all slides that it makes look different."""
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
