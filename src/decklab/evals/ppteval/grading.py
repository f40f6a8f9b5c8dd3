"""One task: have an editor edit a copy of the deck, then grade what it left.

A leaf whose code raises, runs out of time or lacks pictures has no score, and the score of the
task is open. An editor could abuse this and leave a deck on which no leaf can be scored. So the
same rubric is run on the untouched deck: where a leaf can be scored there and not on the edited
deck, the edited deck is at fault.
"""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from decklab.core.errors import (
    DeckError,
    DecklabError,
    EncryptedDeck,
    LimitExceeded,
    MissingPart,
    ModelError,
    RenderError,
    UnknownName,
)
from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import Isolation
from decklab.core.results import NotScored
from decklab.evals.editors.isolation import IsolatedEditor
from decklab.evals.editors.protocol import Editor, EditSession
from decklab.evals.editors.running import (
    EnvironmentBroken,
    Submission,
    check_readable,
    run_editor,
    submitted_bytes,
)
from decklab.evals.ppteval.outcomes import Failure, TaskOutcome
from decklab.evals.ppteval.tasks import EditingTask
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.grade import GradeOptions, explained, grade_compared
from decklab.evals.rubrics.graded import Damage, GradedNode, GradedTree, Harm, LeafResult, graded
from decklab.evals.rubrics.page import SlidePair, changed_pictures, write_grading_page
from decklab.evals.rubrics.rubric import Rubric
from decklab.evals.rubrics.running import NEEDS_MODEL, LeafRoom
from decklab.models.asking import Ask
from decklab.rendering.renderer import Renderer
from decklab.sandbox.limits import SandboxUnavailable


@dataclass(frozen=True)
class Grading:
    """How edits are graded: ``judge`` is the model that leaves ask; with ``pictures`` changed
    slides are drawn. Rubrics run in ``room``; ``secret`` as in ``GradeOptions``."""

    judge: Ask | None = None
    pictures: bool = True
    isolation: Isolation = "bubblewrap"
    room: LeafRoom | None = None
    renderer: Renderer | None = None
    secret: str = ""


def zero_for_broken_leaves(
    tree: GradedTree, rubric: Rubric, original: Path, how: Grading
) -> GradedTree:
    """``tree`` with 0 for leaves that can be scored on ``original`` and not on the edited deck, and
    with the whole score lost where damage can be measured on ``original`` only. Leaves that ask a
    model stay unchanged: models fail without the deck's fault.
    """
    doubtful = {
        leaf.path: leaf.not_scored
        for leaf in tree.root.leaves()
        if leaf.not_scored and leaf.not_scored != NEEDS_MODEL
    }
    unknown = tree.counted and isinstance(tree.damage, NotScored)
    if not doubtful and not unknown:
        return tree
    with scratch_folder("untouched") as folder:
        copy = folder / f"untouched{original.suffix}"
        shutil.copyfile(original, copy)
        with ComparedDecks(original, copy, renderer=how.renderer) as decks:
            options = GradeOptions(isolation=how.isolation, damage="show" if unknown else "off")
            untouched = grade_compared(decks, rubric, options=options, room=how.room)
    scored = {leaf.path for leaf in untouched.root.leaves() if not leaf.not_scored}
    spoilt = doubtful.keys() & scored
    damage = tree.damage
    if isinstance(damage, NotScored) and isinstance(untouched.damage, Damage):
        reason = f"{damage.reason}; the untouched deck can be looked at, so all is lost"
        damage = Damage((Harm(None, reason, 1.0),), loss=1.0, work=0.0)
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


PICTURES = 6
"""Changed slides whose pictures go into the log, before and after. Ours: few tasks change more."""

_WHOLE = (EncryptedDeck, LimitExceeded)
"""Errors at opening a deck that is not broken."""
_NOT_ITS_FAULT = (ModelError, UnknownName, SandboxUnavailable, EnvironmentBroken)
"""Errors that are not the editor's fault: the edit is not scored."""
BEFORE, EDITED = "before.pptx", "edited.pptx"
"""Names of the decks in a task's folder."""
NO_DECK = "the editor left no deck: nothing is in its place, or a link, a folder or a pipe"


@dataclass(frozen=True)
class Graded:
    """An outcome with the graded tree and the pictures that explain it."""

    outcome: TaskOutcome
    tree: Mapping[str, Any] | None = None
    """The graded rubric as JSON; None if the rubric was not run."""
    pictures: tuple[SlidePair, ...] = ()
    """Changed slides before and after, the first few."""
    no_pictures: str = ""
    """Why there are no pictures, in one line."""


def edit_task(
    editor: Editor | IsolatedEditor, task: EditingTask, folder: Path, session: EditSession
) -> Submission:
    """Have ``editor`` do ``task`` in ``folder``, see ``run_editor``.

    The original deck, for grading, is written beside the edited deck when the editor is done.
    """
    before, original = folder / BEFORE, task.deck.read_bytes()
    before.unlink(missing_ok=True)
    try:
        done = run_editor(editor, task, folder / EDITED, session)
    finally:
        write_whole(before, original)
    return replace(done, original=before)


def grade_edit(
    task: EditingTask,
    edit: Submission,
    how: Grading,
    *,
    page: Path | None = None,
    steps_page: str = "",
) -> Graded:
    """Grade what an editor left with the task's rubric.

    ``page`` is the path of the page that shows the graded tree, in a folder beside the run's index;
    it is written where the rubric was run, and leads to ``steps_page``, a path relative to it.

    A deck that cannot be opened scores 0, whether it is broken, encrypted, too large or a link. A
    leaf that cannot be scored because of the edited deck scores 0, see `zero_for_broken_leaves`.
    An edit that broke off without the editor's fault, such as for lack of a model, is not scored.
    Raises DeckError where the original cannot be read.
    """
    if isinstance(edit.error, _NOT_ITS_FAULT):
        return Graded(_outcome(task, edit, 0.0, 1.0, str(edit.error)))
    try:
        submitted_bytes(edit.deck)
    except MissingPart:
        return Graded(_outcome(task, edit, 0.0, 0.0, NO_DECK))
    except DeckError as error:
        return Graded(_outcome(task, edit, 0.0, 0.0, f"the edited deck: {error.detail}"))
    try:
        check_readable(edit.deck, edit.original)
        decks = ComparedDecks(edit.original, edit.deck, renderer=how.renderer)
    except DeckError as error:
        if error.path == str(edit.original):
            raise
        problem = "cannot be opened" if isinstance(error, _WHOLE) else "is broken"
        return Graded(_outcome(task, edit, 0.0, 0.0, f"the edited deck {problem}: {error.detail}"))
    with decks:
        options = GradeOptions(isolation=how.isolation, secret=how.secret)
        tree = grade_compared(decks, task.rubric, ask=how.judge, options=options, room=how.room)
        tree = zero_for_broken_leaves(tree, task.rubric, edit.original, how)
        if page is not None:
            about = {"task": task.goal, "summary": "../index.html", "steps": steps_page}
            write_grading_page(page, tree, decks, pictures=how.pictures, **about)
        graded = Graded(
            _outcome(task, edit, tree.root.low, tree.root.high, _reason(tree)), tree.to_json()
        )
        if not how.pictures:
            return replace(graded, no_pictures="none were asked for")
        try:
            return replace(graded, pictures=tuple(changed_pictures(decks, PICTURES)))
        except RenderError as error:
            return replace(graded, no_pictures=str(error))


def _reason(tree: GradedTree) -> str:
    """The reason of the score, or why there is none."""
    if not isinstance(tree.score, NotScored):
        return tree.root.reason
    missing = {leaf.not_scored for leaf in tree.root.leaves() if leaf.not_scored}
    if tree.counted and isinstance(tree.damage, NotScored):
        missing.add(tree.damage.reason)
    return "; ".join(sorted(missing))


def _outcome(
    task: EditingTask, edit: Submission, low: float, high: float, reason: str
) -> TaskOutcome:
    return TaskOutcome(
        task=task.name,
        difficulty=task.difficulty,
        categories=task.categories,
        low=low,
        high=high,
        reason=reason,
        steps=len(edit.session.steps),
        seconds=edit.seconds,
        ended=edit.ended or _ending(edit.error),
        failure=_failure(edit.error),
        looped=edit.looped,
        tokens=edit.session.usage.input_tokens + edit.session.usage.output_tokens,
        cost=edit.session.cost,
    )


def _failure(error: DecklabError | None) -> Failure:
    """Whose failure ended an edit that is not scored."""
    if isinstance(error, EnvironmentBroken | SandboxUnavailable):
        return "environment"
    return "model" if isinstance(error, ModelError | UnknownName) else ""


def _ending(error: DecklabError | None) -> str:
    if error is None:
        return ""
    return str(error) if isinstance(error, _NOT_ITS_FAULT) else f"the editor failed: {error}"
