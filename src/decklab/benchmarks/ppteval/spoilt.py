"""Leaves that cannot be scored, and whether that is the edited deck's doing.

A leaf whose code raises, runs out of time or lacks pictures has no score, and the task is open.
An editor that cannot do a task could leave a deck on which all leaves end so. Hence the same tree
is tried on the untouched deck: a leaf that can be scored there, and not on what was handed in, was
kept from it by what was handed in.
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from decklab.grading.decks import ComparedDecks
from decklab.grading.grade import GradeOptions, grade_compared
from decklab.options import Isolation
from decklab.rendering.cache import Cache
from decklab.rendering.office.office import Converter
from decklab.results import NotScored
from decklab.rubrics.explaining import explained
from decklab.rubrics.graded import Damage, GradedNode, GradedTree, Harm, LeafResult, graded
from decklab.rubrics.rubric import Rubric
from decklab.rubrics.running import NEEDS_MODEL, LeafRoom


def without_spoilt(
    tree: GradedTree,
    rubric: Rubric,
    original: Path,
    *,
    isolation: Isolation = "bubblewrap",
    room: LeafRoom | None = None,
    office: Converter | None = None,
    cache: Cache | None = None,
) -> GradedTree:
    """``tree`` with 0 for leaves that can be scored on ``original``, left as it is, and not on the
    edited deck, and with all lost where only the edited deck cannot be looked at for damage.
    Leaves that want a model stay as they are: models fail by themselves.
    """
    doubtful = {
        leaf.path: leaf.not_scored
        for leaf in tree.root.leaves()
        if leaf.not_scored and leaf.not_scored != NEEDS_MODEL
    }
    unknown = tree.counted and isinstance(tree.damage, NotScored)
    if not doubtful and not unknown:
        return tree
    with TemporaryDirectory(prefix="decklab-untouched-") as folder:
        copy = Path(folder) / f"untouched{original.suffix}"
        shutil.copyfile(original, copy)
        with ComparedDecks(original, copy, office=office, cache=cache) as decks:
            options = GradeOptions(isolation=isolation, damage="show" if unknown else "off")
            untouched = grade_compared(decks, rubric, options=options, room=room)
    scored = {leaf.path for leaf in untouched.root.leaves() if not leaf.not_scored}
    spoilt = doubtful.keys() & scored
    damage = tree.damage
    if isinstance(damage, NotScored) and isinstance(untouched.damage, Damage):
        told = f"{damage.reason}; the untouched deck can be looked at, so all is lost"
        damage = Damage((Harm(None, told, 1.0),), share=1.0, work=1.0)
    if not spoilt and damage is tree.damage:
        return tree
    leaves = {leaf.path: _result(leaf, leaf.path in spoilt) for leaf in tree.root.leaves()}
    again = graded(rubric, leaves, rule=tree.rule, weight=tree.weight, seconds=tree.seconds)
    again = explained(again, None)
    return again if damage is None else again.with_damage(damage, counted=tree.counted)


def _result(leaf: GradedNode, spoilt: bool) -> LeafResult:
    if spoilt:
        reason = f"{leaf.not_scored}; on the untouched deck it can be scored, so this counts as 0"
        return LeafResult(0.0, reason, leaf.seconds, leaf.asked)
    score = leaf.low if leaf.not_scored is None else NotScored(leaf.not_scored)
    return LeafResult(score, leaf.reason, leaf.seconds, leaf.asked)
