from pathlib import Path

from decklab.diffing.changes import Change, DeckDiff
from decklab.editing.verify import Verification
from decklab.editor.planning import EditPlan, PlannedChange
from decklab.editor.result import EditAttempt
from decklab.editor.versions import Review, Version, best_of, may_be_written, outcome_of

PLAN = EditPlan(
    operations=(),
    steps=(),
    content=(),
    changes=(
        PlannedChange(
            what="titles",
            kinds=("text",),
            slides=(2,),
            design=False,
            shapes=(),
            required=True,
            count=1,
            new_texts=(),
        ),
    ),
    remarks=(),
    cannot="",
)


def change(slide: int) -> Change:
    return Change(slide=slide, element=None, kind="text", property="text", old="a", new="b")


def version(name: str, *slides: int, review: bool | None = None, unreadable: str = "") -> Version:
    diff = DeckDiff(changes=tuple(map(change, slides)))
    seen = Verification(
        unreadable=unreadable,
        diff=diff,
        missing=() if 2 in slides else ("titles (slide 2)",),
        unplanned=tuple(one for one in diff.changes if one.slide != 2),
    )
    said = None if review is None else Review(satisfied=review, problems=() if review else ("x",))
    return Version(EditAttempt(name, Path(name), verification=seen), review=said)


FAILED = Version(EditAttempt("failed", failure="it broke"))


def test_fewer_unplanned_changes_are_better() -> None:
    versions = [version("a", 2, 3, 4), version("b", 2, 3), version("c", 2, 5, 6)]
    assert best_of(versions) is versions[1]


def test_among_equals_the_satisfying_one_then_the_unseen_then_the_later_counts() -> None:
    bad, unseen, good = (
        version("a", 2, review=False), version("b", 2), version("c", 2, review=True)
    )  # fmt: skip
    assert best_of([good, unseen, bad]) is good
    assert best_of([unseen, bad]) is unseen
    later = version("d", 2, review=False)
    assert best_of([bad, later]) is later


def test_a_later_version_that_is_worse_is_never_taken() -> None:
    good, worse = version("a", 2, 3, review=False), version("b", 2, 3, 4, review=True)
    assert best_of([good, worse, FAILED]) is good


def test_what_is_broken_or_beside_the_point_is_not_handed_out() -> None:
    assert not may_be_written(FAILED)
    assert not may_be_written(version("a", 2, unreadable="no zip"))
    assert not may_be_written(version("a", 3))
    assert not may_be_written(version("a"))
    assert not may_be_written(version("a", 2, 3), slides=[2])
    assert may_be_written(version("a", 2, 3), slides=[2, 3])
    assert may_be_written(version("a", 2, 3))
    assert best_of([]) is None


def test_the_outcome_says_what_was_tried() -> None:
    outcome, done, undone = outcome_of(None, [FAILED, version("b", 3)], PLAN)
    assert (outcome, done) == ("refused", ())
    assert undone[0] == "round 1: it broke"
    assert any(line.startswith("round 2: ") for line in undone)
    assert outcome_of(version("a", 2), [], PLAN) == ("done", ("titles",), ())
    assert outcome_of(version("a", 2, 3), [], PLAN)[0] == "partly"
