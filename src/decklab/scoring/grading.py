"""An edited deck graded against its original with a rubric tree: paper 001, section 3.5."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from decklab.errors import RenderError
from decklab.models.asking import Ask
from decklab.render import Cache
from decklab.render.office import Converter
from decklab.reports import SlidePicture
from decklab.reports.rubric_page import CriterionView, SlidePair, write_rubric_page
from decklab.rubrics import NON_CRITICAL_WEIGHT, RULES, Rubric
from decklab.rubrics.drafting import REPAIRS, draft_rubric
from decklab.rubrics.explaining import explained
from decklab.rubrics.graded import GradedNode, GradedTree, graded
from decklab.rubrics.running import LEAF_SECONDS, LeafRoom, Side, run_leaves
from decklab.sandbox import Isolation
from decklab.scoring.deck_pair import ComparedDecks
from decklab.scoring.thumbnails import fit_jpeg

__all__ = ["changed_pictures", "draft_for_deck", "grade", "grade_compared", "write_grading_page"]

SHOWN_SLIDES = 12
"""Changed slides that a page shows; ours. A task changes few."""


def grade(
    original: str | Path,
    modified: str | Path,
    rubric: Rubric,
    *,
    ask: Ask | None = None,
    explain: Ask | None = None,
    rule: str = "ppteval",
    weight: float = NON_CRITICAL_WEIGHT,
    seconds: float = LEAF_SECONDS,
    isolation: Isolation = "bubblewrap",
    office: Converter | None = None,
    cache: Cache | None = None,
) -> GradedTree:
    """Grade ``modified`` against ``original``; both files are only read.

    ``ask`` is the model behind leaves that want one (without it they are NotScored), ``explain``
    the one that words the reasons of inner nodes (without it a template does). ``rule`` is a name
    of ``RULES``, ``weight`` lambda of ``ppteval``; ``seconds`` bounds each leaf. ``office`` and
    ``cache`` serve where a leaf wants pictures.

    Raises DeckError where a deck cannot be read, UnknownName for a rule, SandboxUnavailable where
    ``isolation`` cannot be had.
    """
    with ComparedDecks(original, modified, office=office, cache=cache) as decks:
        return grade_compared(
            decks, rubric, ask=ask, explain=explain, rule=rule, weight=weight,
            seconds=seconds, isolation=isolation,
        )  # fmt: skip


def grade_compared(
    decks: ComparedDecks,
    rubric: Rubric,
    *,
    ask: Ask | None = None,
    explain: Ask | None = None,
    rule: str = "ppteval",
    weight: float = NON_CRITICAL_WEIGHT,
    seconds: float = LEAF_SECONDS,
    isolation: Isolation = "bubblewrap",
    room: LeafRoom | None = None,
) -> GradedTree:
    """``grade`` for decks that are open already; ``room`` is a sandbox kept over many trees."""
    _ = RULES[rule]  # an unknown name is told before anything is run
    started = time.perf_counter()
    clock = dict(decks.seconds)
    leaves = run_leaves(
        rubric, decks.pair, ask=ask, seconds=seconds, isolation=isolation, room=room, clock=clock
    )
    tree = graded(rubric, leaves, rule=rule, weight=weight)
    tree = explained(tree, explain)
    clock["total"] = sum(decks.seconds.values()) + time.perf_counter() - started
    return replace(tree, seconds=clock)


def draft_for_deck(
    task: str,
    deck: str | Path,
    ask: Ask,
    *,
    critical: Sequence[str] = (),
    non_critical: Sequence[str] = (),
    repairs: int = REPAIRS,
    isolation: Isolation = "bubblewrap",
    office: Converter | None = None,
) -> Rubric:
    """A rubric for a task on ``deck``, drafted by ``ask`` and tried out on the unedited deck.

    See ``draft_rubric``; raises what it and ``grade`` raise.
    """
    with TemporaryDirectory(prefix="decklab-draft-") as folder:
        copy = Path(folder) / "unedited.pptx"
        copy.write_bytes(Path(deck).read_bytes())
        with ComparedDecks(deck, copy, office=office) as decks:

            def try_out(rubric: Rubric) -> GradedTree:
                return grade_compared(decks, rubric, ask=ask, isolation=isolation)

            return draft_rubric(
                task, decks.snapshots["original"], ask, try_out=try_out,
                critical=critical, non_critical=non_critical, repairs=repairs,
            )  # fmt: skip


def write_grading_page(
    path: str | Path,
    tree: GradedTree,
    decks: ComparedDecks,
    *,
    task: str | None = None,
    pictures: bool = True,
) -> None:
    """Write one page with the tree, its reasons, and the changed slides before and after.

    Slides that cannot be drawn, or are not to be, have no picture, and the page says why.
    """
    places = _changed(decks)
    pairs: list[SlidePair] = []
    cause = "" if pictures else "They were not asked for."
    for before, after, title in places[:SHOWN_SLIDES]:
        if not pictures:
            pairs.append(SlidePair(before, after, title, None, None))
            continue
        try:
            was = _picture(decks, "original", before, len(places))
            now = _picture(decks, "modified", after, len(places))
        except RenderError as error:
            was = now = None
            cause = str(error)
        pairs.append(SlidePair(before, after, title, was, now))
    write_rubric_page(
        path,
        _view(tree.root),
        task=task,
        original=str(decks.paths["original"]),
        modified=str(decks.paths["modified"]),
        rule=_RULE_WORDS.get(tree.rule, tree.rule).format(weight=tree.weight),
        slides=pairs,
        more_slides=max(0, len(places) - SHOWN_SLIDES),
        no_pictures=cause,
    )


def changed_pictures(decks: ComparedDecks, most: int) -> list[SlidePair]:
    """The first ``most`` slides that differ, with pictures; raises RenderError."""
    places = _changed(decks)[:most]
    return [
        SlidePair(before, after, title, _picture(decks, "original", before, len(places)),
                  _picture(decks, "modified", after, len(places)))
        for before, after, title in places
    ]  # fmt: skip


_RULE_WORDS = {
    "ppteval": "the mean of the critical parts, less up to {weight:g} for the others",
    "mind2web2": "any failed critical part makes 0, else the mean of the others",
}


def _changed(decks: ComparedDecks) -> list[tuple[int | None, int | None, str]]:
    """Numbers before and after, and the title, of slides that differ, in order."""
    diff = decks.diff
    found: list[tuple[int | None, int | None, str]] = [
        (was.slide_number, now.slide_number, now.title or was.title or "")
        for was, now in diff.modified_slides
    ]
    found += [(None, slide.slide_number, slide.title or "") for slide in diff.added_slides]
    found += [(slide.slide_number, None, slide.title or "") for slide in diff.removed_slides]
    return sorted(found, key=lambda place: (place[1] or place[0] or 0, place[1] is None))


def _picture(
    decks: ComparedDecks, side: Side, number: int | None, slides: int
) -> SlidePicture | None:
    if number is None:
        return None
    return fit_jpeg(decks.drawn(side, number).image, slides=2 * min(slides, SHOWN_SLIDES))


def _view(node: GradedNode) -> CriterionView:
    return CriterionView(
        name=node.name,
        description=node.description,
        critical=node.is_critical,
        low=node.low,
        high=node.high,
        reason=node.reason,
        not_scored=node.not_scored,
        children=tuple(map(_view, node.children)),
    )
