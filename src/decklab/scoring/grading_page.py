"""A graded attempt as a page: its tree, and the changed slides before and after."""

from pathlib import Path

from decklab.errors import RenderError
from decklab.reports.pictures import SlidePicture
from decklab.reports.rubric_page import CriterionView, QuestionView, SlidePair, write_rubric_page
from decklab.results import NotScored
from decklab.rubrics.graded import Damage, GradedNode, GradedTree
from decklab.rubrics.running import Side
from decklab.scoring.deck_pair import ComparedDecks
from decklab.scoring.grading_marks import changed_regions
from decklab.scoring.thumbnails import fit_jpeg

SHOWN_SLIDES = 12
"""Changed slides that a page shows; ours. A task changes few."""

_Place = tuple[int | None, int | None, str]

_RULE_WORDS = {
    "ppteval": "the mean of the critical parts, less up to {weight:g} for the others",
    "mind2web2": (
        "a critical part at 0 makes 0; with all of them at 1, the mean of the others; else the "
        "mean of all"
    ),
    "mind2web2-strict": "a critical part short of 1 makes 0, else the mean of the others",
}


def write_grading_page(
    path: str | Path,
    tree: GradedTree,
    decks: ComparedDecks,
    *,
    task: str | None = None,
    pictures: bool = True,
    summary: str = "",
) -> None:
    """Write one page with the tree, its reasons, and the changed slides before and after.

    Slides that cannot be drawn, or are not to be, have no picture, and the page says why.
    ``summary`` is the path, relative to it, of a page that lists all attempts.
    """
    places = _changed(decks)
    pairs: list[SlidePair] = []
    cause = "" if pictures else "They were not asked for."
    for place in places[:SHOWN_SLIDES]:
        pair = SlidePair(*place)
        if not cause:
            try:
                pair = _drawn(decks, place, len(places))
            except RenderError as error:
                cause = str(error)
        pairs.append(pair)
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
        summary=summary,
        damage=_damage_words(tree),
        harms=[] if not isinstance(tree.damage, Damage) else harm_words(tree.damage),
    )


def harm_words(damage: Damage) -> list[str]:
    """What was harmed, a line each, by slide of the original."""
    return [
        f"{'Deck' if one.slide is None else f'Slide {one.slide}'}: {one.what}"
        for one in damage.harms
    ]


def _damage_words(tree: GradedTree) -> str:
    found = tree.damage
    if found is None:
        return ""
    if isinstance(found, NotScored):
        return f"Whether anything else was damaged is not known: {found.reason}"
    share, work = f"{found.share:.1%}", f"{found.work:.0%}"
    counted = f"leaves {found.factor:.0%} of the score" if tree.counted else "is not counted"
    if not found.harms and found.work == 1:
        return "Nothing else was damaged, and all that was changed is seen."
    return f"Damaged beside the task: {share}. Seen of what was changed: {work}. This {counted}."


def changed_pictures(decks: ComparedDecks, most: int) -> list[SlidePair]:
    """The first ``most`` slides that differ, with pictures; raises RenderError."""
    places = _changed(decks)[:most]
    return [_drawn(decks, place, len(places)) for place in places]


def _changed(decks: ComparedDecks) -> list[_Place]:
    """Numbers before and after, and the title, of slides that differ, in order."""
    diff = decks.diff
    found: list[_Place] = [
        (was.slide_number, now.slide_number, now.title or was.title or "")
        for was, now in diff.modified_slides
    ]
    found += [(None, slide.slide_number, slide.title or "") for slide in diff.added_slides]
    found += [(slide.slide_number, None, slide.title or "") for slide in diff.removed_slides]
    return sorted(found, key=lambda place: (place[1] or place[0] or 0, place[1] is None))


def _drawn(decks: ComparedDecks, place: _Place, slides: int) -> SlidePair:
    before, after, title = place
    was = _picture(decks, "original", before, slides)
    now = _picture(decks, "modified", after, slides)
    if before is None or after is None:
        return SlidePair(before, after, title, was, now)
    marks = changed_regions(
        decks.drawn("original", before).image, decks.drawn("modified", after).image
    )
    return SlidePair(before, after, title, was, now, marks)


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
        asked=tuple(
            QuestionView(call.prompt, call.images, call.answer, call.failed) for call in node.asked
        ),
        children=tuple(map(_view, node.children)),
    )
