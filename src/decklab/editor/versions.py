"""The versions of one edit: their review by the model, which is the best, and the outcome; what a
version added, in full, and the texts it left as they were.

The review needs these two, since a list of changes has neither: a new chart is one change, whatever
its numbers are, and notes that nobody translated are none.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DeckError
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.diffing.changes import DeckDiff, Kind
from decklab.diffing.wording import words
from decklab.editing.every_text import TextPlace
from decklab.editing.verify import Verification
from decklab.editor.conversation import NO_PICTURES, Conversation, editor_prompt, review_pictures
from decklab.editor.deck_tools import place_line
from decklab.editor.outline import fitting_lines, shape_contents
from decklab.editor.planning import EditPlan, PlannedChange, plan_words
from decklab.editor.result import EditAttempt, EditOutcome, EditOverview, at_most
from decklab.editor.text_steps import deck_texts
from decklab.models.asking import StrictForm

_WORDS: Final[frozenset[Kind]] = frozenset(
    {"text", "table", "chart", "diagram", "notes", "alt text"}
)
"""Kinds of changes that bring other words."""
_Shape = Mapping[str, Any]


def overview_of(
    original: Path, edited: Path, diff: DeckDiff, changes: Iterable[PlannedChange]
) -> EditOverview:
    """The overview of an edit under a plan.

    ``diff`` has its changes, ``changes`` are those of the plan. Raises DeckError if a deck
    cannot be read.
    """
    snapshot = snapshot_of(edited)
    added = tuple(added_lines(snapshot, diff))
    numbers = () if diff.changes_templates else (slide["number"] for slide in snapshot["slides"])
    alike = tuple(number for number in numbers if number not in diff.changed_slides)
    if (scope := _slides_with_new_words(changes)) is None:
        return EditOverview(added, same_slides=alike)
    places = [place for place in _texts(edited) if not scope or place.slide in scope]
    before = {place.id: place.text for place in _texts(original)}
    same = [place for place in places if before.get(place.id) == place.text]
    return EditOverview(added, tuple(map(place_line, same)), _counts(same, len(places)), alike)


def _texts(deck: Path) -> list[TextPlace]:
    """The texts with letters; none for a deck that can be patched, but not opened for editing."""
    try:
        places = deck_texts(deck)
    except DeckError:
        return []
    return [place for place in places if any(letter.isalpha() for letter in place.text)]


def _slides_with_new_words(changes: Iterable[PlannedChange]) -> Collection[int] | None:
    """The slides whose words a plan wants changed, empty for all; None if it wants none."""
    worded = [
        planned for planned in changes if planned.required and not _WORDS.isdisjoint(planned.kinds)
    ]
    if not worded:
        return None
    if not all(change.slides for change in worded):
        return ()
    return {number for change in worded for number in change.slides}


def _counts(places: list[TextPlace], total: int) -> str:
    by_kind: dict[str, list[TextPlace]] = {}
    for place in places:
        by_kind.setdefault(place.kind, []).append(place)
    counts = [f"{kind} {len(some)}{_where(some)}" for kind, some in by_kind.items()]
    return (
        f"{len(places)} of {total} texts stayed as they were: {'; '.join(counts)}" if counts else ""
    )


def _where(places: Iterable[TextPlace]) -> str:
    numbers = sorted({place.slide for place in places if place.slide is not None})
    listed = ", ".join(map(str, numbers[:12])) + (", …" if len(numbers) > 12 else "")
    return f" (slide{'s' * (len(numbers) > 1)} {listed})" if numbers else ""


def added_lines(snapshot: Snapshot, diff: DeckDiff) -> Iterator[str]:
    """Contents of new slides and shapes, one line for each shape with words or numbers, and for
    notes; ``snapshot`` is that of the newer deck."""
    slides = {slide["number"]: slide for slide in snapshot["slides"]}
    for change in diff.edits:
        if (slide := slides.get(change.slide)) is None:
            continue
        if (change.kind, change.property) == ("slide", "added"):
            yield from _lines(slide, slide.get("shapes", ()))
            if slide.get("notes"):
                yield f"Slide {slide['number']}, notes: {' '.join(slide['notes'].split())}"
        elif change.kind == "added" and change.element is not None:
            id = change.element.id
            shapes = slide.get("shapes", ())
            yield from _lines(
                slide, [shape for shape in shapes if id in (shape["id"], *shape.get("groups", ()))]
            )


def _lines(slide: Mapping[str, Any], shapes: Iterable[_Shape]) -> Iterator[str]:
    for shape in shapes:
        if words := shape_contents(shape):
            yield f"Slide {slide['number']}, {shape['kind']} “{shape.get('name', '')}”: {words}"


_ADDED, _LEFT_ALONE = 8_000, 6_000
"""Characters of the additions, and of texts that stayed as they were. Ours."""


class Review(StrictForm):
    """Findings of a look at the edited deck."""

    satisfied: bool
    problems: tuple[str, ...]
    """Instructions for repairs that are still open, one each."""


def ask_for_review(
    conversation: Conversation,
    instruction: str,
    plan: EditPlan,
    checked: Verification,
    changes: str,
    *,
    overview: EditOverview | None = None,
    put_back: Sequence[str] = (),
    vision: bool = True,
) -> Review:
    """Have a model look at an edited deck.

    ``changes`` are its changes in words, ``put_back`` those that were undone; with ``vision`` the
    slides that were drawn go along, in several questions if they are many: it is satisfied if it is
    each time. Raises Unanswered if no answer can be used, and ModelError.
    """
    planned = [number for change in plan.changes if change.required for number in change.slides]
    seen = overview or EditOverview()
    turns = review_pictures(checked, first=planned) if vision else (NO_PICTURES,)
    reviews = []
    for shown in turns:
        text = editor_prompt(
            "review",
            instruction=instruction,
            plan=plan_words(plan),
            changes=changes,
            added=fitting_lines(seen.added, _ADDED, "of what was added") or "nothing",
            counts=seen.counts or "none",
            same=", ".join(map(str, seen.same_slides)) or "none",
            left_alone=fitting_lines(seen.left_alone, _LEFT_ALONE, "texts"),
            put_back="\n".join(put_back) or "nothing",
            pictures=shown.words or "There are no pictures.",
        )
        reviews.append(
            conversation.answer("review", text, Review, images=shown.images, check=_contradiction)
        )
    problems = dict.fromkeys(problem for review in reviews for problem in review.problems)
    return Review(satisfied=all(review.satisfied for review in reviews), problems=tuple(problems))


def _contradiction(review: Review) -> str | None:
    if review.satisfied and review.problems:
        return "satisfied is true, and there are problems: it can only be one of the two"
    if not review.satisfied and not review.problems:
        return "satisfied is false: say in problems what is still to be mended"
    return None


PUT_BACK = "Changed, but nobody asked for it, so it is as it was again"
_SENTENCES = 60


@dataclass(frozen=True)
class Version:
    """One round: the model's answers, the deck made from them, and its review."""

    attempt: EditAttempt
    answers: tuple[str, ...] = ()
    """The answers of the model by step, up to the last step that was made."""
    decks: tuple[Path, ...] = ()
    """The decks that its steps made."""
    failed_at: int | None = None
    """The step that failed, counted from 0; None if all were made."""
    review: Review | None = None
    unreviewed: str = ""
    """Why there is no review though one was wanted; empty else."""
    impossible: bool = False
    """Whether the model said that the edit cannot be made."""
    remarks: tuple[str, ...] = ()
    """Remarks of the model to the owner of the deck."""
    worse: tuple[str, ...] = ()
    """Results that nobody can want, though they were planned, of an edit made at once."""

    @property
    def complete(self) -> bool:
        """Whether it is sound, with every planned change and no other: what needs a review."""
        checked = self.attempt.verification
        return checked is not None and checked.sound and not (checked.missing or checked.unplanned)

    @property
    def findings(self) -> tuple[str, ...]:
        """Problems to repair, one line each; empty if nothing has any."""
        if (checked := self.attempt.verification) is None:
            return (self.attempt.failure,)
        put_back = (f"{PUT_BACK}: {line}" for line in at_most(self.attempt.put_back))
        problems = self.review.problems if self.review else ()
        return (*checked.messages, *self.worse, *problems, *put_back, *at_most(self.attempt.stayed))

    @property
    def rejected(self) -> tuple[str, ...]:
        """Why the review rejected it, one line each; empty if it did not."""
        if self.review is None or self.review.satisfied:
            return ()
        return tuple(f"The review rejected this: {problem}" for problem in self.review.problems)

    @property
    def settled(self) -> bool:
        """Whether there is nothing that another round could repair."""
        checked = self.attempt.verification
        return (
            checked is not None
            and checked.passed
            and not self.worse
            and (self.review is None or self.review.satisfied)
        )


def may_be_written(version: Version, slides: Collection[int] | None = None) -> bool:
    """Whether a version is better than no edit.

    It has to be sound and have a planned change and, where only some ``slides`` may be changed, no
    change on others.
    """
    checked = version.attempt.verification
    if checked is None or not checked.sound:
        return False
    if checked.missing and not checked.planned:
        return False
    return slides is None or all(change.slide in slides for change in checked.unplanned)


def best_of(versions: Sequence[Version], slides: Collection[int] | None = None) -> Version | None:
    """The version that verification ranks highest; None if none may be written.

    Among equals a review that was satisfied counts most, then no review, then the later version,
    which was made with the faults of the others known.
    """
    ranked = [
        (version.attempt.verification.rank, _review_rank(version.review), number, version)
        for number, version in enumerate(versions)
        if version.attempt.verification and may_be_written(version, slides)
    ]
    return max(ranked, key=lambda item: item[:3])[3] if ranked else None


def _review_rank(review: Review | None) -> int:
    return 1 if review is None else 2 * review.satisfied


def outcome_of(
    best: Version | None, versions: Sequence[Version], plan: EditPlan, doubts: Sequence[str] = ()
) -> tuple[EditOutcome, tuple[str, ...], tuple[str, ...]]:
    """The outcome, and in words what was done and what was not.

    ``doubts`` are said besides; with any of them nothing is done, but partly at the most.
    """
    if best is None or best.attempt.verification is None:
        tried = (
            f"round {number}: {reason}"
            for number, version in enumerate(versions, 1)
            for reason in _reasons(version)
        )
        return "refused", (), (*tried, *doubts)
    checked = best.attempt.verification
    done = tuple(
        change.what for change in plan.changes if change.required and _happened(change, checked)
    )
    undone = best.rejected
    undone += tuple(line for line in checked.messages if not line.startswith("New finding"))
    undone += best.worse
    undone += (best.unreviewed,) if best.unreviewed else ()
    undone += tuple(line for line in doubts if line not in undone)
    return ("partly" if undone else "done"), done, undone


def _reasons(version: Version) -> tuple[str, ...]:
    if findings := version.findings:
        return tuple(line.splitlines()[0] if line else "" for line in findings[:3])
    return ("nothing of what was planned came",)


def _happened(change: PlannedChange, checked: Verification) -> bool:
    return not any(line.startswith(change.what) for line in checked.missing)


def changes_words(version: Version) -> str:
    """The changes of a version in words, one a line, the first ``_SENTENCES`` of them."""
    checked = version.attempt.verification
    lines = words(checked.diff) if checked else ()
    more = len(lines) - _SENTENCES
    shown = [*lines[:_SENTENCES], *([f"… and {more} more lines"] if more > 0 else [])]
    return "\n".join(shown) or "nothing"
