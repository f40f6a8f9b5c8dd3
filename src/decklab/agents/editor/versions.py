"""The versions of one edit: which is the best, and what it comes to."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from decklab.agents.editor.answer_forms import EditPlan, Review
from decklab.agents.editor.result import EditAttempt, EditOutcome
from decklab.agents.editor.verification import Verification


@dataclass(frozen=True)
class Version:
    """One round: what was given, what came of it, what a review said."""

    attempt: EditAttempt
    given: tuple[str, ...] = ()
    """Program or patches by step, as far as it got."""
    failed_at: int | None = None
    """The step that failed, from 0; None where all were made."""
    review: Review | None = None

    @property
    def findings(self) -> tuple[str, ...]:
        """What is to be mended, one line each; none where it is as it should be."""
        seen = self.attempt.verification
        if seen is None:
            return (self.attempt.failure,)
        return (*seen.messages, *(self.review.problems if self.review else ()))

    @property
    def settled(self) -> bool:
        """Whether another round has nothing to mend."""
        seen = self.attempt.verification
        return seen is not None and seen.passed and (self.review is None or self.review.satisfied)


def may_be_handed_out(
    version: Version, plan: EditPlan, slides: Collection[int] | None = None
) -> bool:
    """Whether a version is better than no edit.

    It has to be sound, some planned change has to be in it, and, where only some ``slides`` may be
    changed, no change on another one.
    """
    seen = version.attempt.verification
    if seen is None or not seen.sound:
        return False
    planned = plan.plan()
    if not any(planned.allows(change) for change in seen.diff.edits):
        return False
    return slides is None or all(change.slide in slides for change in seen.unplanned)


def best_of(
    versions: Sequence[Version], plan: EditPlan, slides: Collection[int] | None = None
) -> Version | None:
    """The version that verification ranks highest.

    Among equals the one a review was satisfied with counts most, then one that had none, then the
    later one, which was made knowing what was wrong with the others. None where there is none to
    hand out.
    """
    ranked = [
        (version.attempt.verification.rank, _liked(version.review), number, version)
        for number, version in enumerate(versions)
        if version.attempt.verification and may_be_handed_out(version, plan, slides)
    ]
    return max(ranked, key=lambda item: item[:3])[3] if ranked else None


def _liked(review: Review | None) -> int:
    return 1 if review is None else 2 * review.satisfied


def outcome_of(
    best: Version | None, versions: Sequence[Version], plan: EditPlan
) -> tuple[EditOutcome, tuple[str, ...], tuple[str, ...]]:
    """The outcome, what was done in words, and what was not."""
    if best is None or best.attempt.verification is None:
        tried = (
            f"round {number}: {reason}"
            for number, version in enumerate(versions, 1)
            for reason in _reasons(version)
        )
        return "refused", (), tuple(tried)
    seen = best.attempt.verification
    done = tuple(change.what for change in plan.changes if change.required and _came(change, seen))
    undone = tuple(line for line in seen.messages if not line.startswith("New fault"))
    if best.review is not None and not best.review.satisfied:
        undone += tuple(f"Still to be mended: {problem}" for problem in best.review.problems)
    return ("partly" if undone else "done"), done, undone


def _reasons(version: Version) -> tuple[str, ...]:
    found = version.findings
    if found:
        return tuple(line.splitlines()[0] if line else "" for line in found[:3])
    return ("nothing of what was planned came",)


def _came(change: object, seen: Verification) -> bool:
    what = getattr(change, "what", "")
    return not any(line.startswith(what) for line in seen.missing)
