"""One task: have an editor edit a copy of the deck, then grade what it left."""

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decklab.benchmarks.ppteval.editing import Editor, LimitReached, Session
from decklab.benchmarks.ppteval.outcomes import TaskOutcome
from decklab.benchmarks.ppteval.tasks import EditingTask
from decklab.errors import (
    DeckError,
    DecklabError,
    EncryptedDeck,
    LimitExceeded,
    ModelError,
    RenderError,
    UnknownName,
)
from decklab.models.asking import Ask
from decklab.render import Cache
from decklab.render.office import Converter
from decklab.reports.rubric_page import SlidePair
from decklab.results import NotScored
from decklab.rubrics.graded import GradedTree
from decklab.rubrics.running import LeafRoom
from decklab.sandbox import Isolation, SandboxUnavailable
from decklab.scoring.deck_pair import ComparedDecks
from decklab.scoring.grading import grade_compared
from decklab.scoring.grading_page import changed_pictures, write_grading_page

__all__ = ["Edit", "Graded", "grade_edit", "lay_out", "run_editor"]

PICTURES = 6
"""Changed slides whose pictures are kept, before and after. Ours: few tasks change more."""

_OURS = (EncryptedDeck, LimitExceeded)
"""What keeps a deck from being read without its being broken."""


@dataclass(frozen=True)
class Edit:
    """What an editor left, and what that took."""

    before: Path
    after: Path
    session: Session
    seconds: float
    ended: str = ""
    """Why it did not end by itself, in a line."""
    failed: str = ""
    """Why there is nothing to grade; then it is no fault of the edit."""


@dataclass(frozen=True)
class Graded:
    """An outcome with what is behind it."""

    outcome: TaskOutcome
    tree: Mapping[str, Any] | None = None
    """The graded rubric as JSON; None where it was not run."""
    pictures: tuple[SlidePair, ...] = ()
    """Changed slides before and after, the first few."""
    no_pictures: str = ""
    """Why there are none, in a line."""


def lay_out(task: EditingTask, folder: Path) -> tuple[Path, Path]:
    """Two copies of the task's deck in ``folder``: the one to grade against, the one to edit."""
    folder.mkdir(parents=True, exist_ok=True)
    copies = folder / "before.pptx", folder / "edited.pptx"
    for copy in copies:
        shutil.copyfile(task.deck, copy)
    return copies


def run_editor(editor: Editor, task: EditingTask, folder: Path, session: Session) -> Edit:
    """Have ``editor`` do ``task`` on a copy in ``folder``.

    ModelError and a lack of model or sandbox make an edit that failed; what else of decklab's
    errors comes up ends it, and its deck counts as it is. Other exceptions are the editor's bugs
    and come through.
    """
    before, after = lay_out(task, folder)
    started = time.perf_counter()
    ended = failed = ""
    try:
        other = editor(after, task.goal, session)
        if other is not None and Path(other) != after:
            shutil.copyfile(other, after)
    except LimitReached as error:
        ended = str(error)
    except (ModelError, UnknownName, SandboxUnavailable) as error:
        failed = str(error)
    except DecklabError as error:
        ended = f"the editor failed: {error}"
    return Edit(before, after, session, time.perf_counter() - started, ended, failed)


def grade_edit(
    task: EditingTask,
    edit: Edit,
    *,
    judge: Ask | None = None,
    pictures: bool = True,
    page: Path | None = None,
    isolation: Isolation = "bubblewrap",
    room: LeafRoom | None = None,
    office: Converter | None = None,
    cache: Cache | None = None,
) -> Graded:
    """Grade what an editor left with the task's rubric; pictures of changed slides if so wished.

    Where a tree was run, ``page`` is where the page that shows it goes, in a folder beside the
    run's index.

    A deck that the editor broke, so that it is no deck any more, scores 0. One that is only too
    large for decklab, and an edit that failed, are not scored. Raises DeckError where the original
    cannot be read.
    """
    if edit.failed:
        return Graded(_outcome(task, edit, 0.0, 1.0, edit.failed))
    if not edit.after.is_file():
        return Graded(_outcome(task, edit, 0.0, 0.0, "the editor left no deck"))
    try:
        decks = ComparedDecks(edit.before, edit.after, office=office, cache=cache)
    except DeckError as error:
        if error.path == str(edit.before):
            raise
        told = "was not read" if isinstance(error, _OURS) else "is broken"
        most = 1.0 if isinstance(error, _OURS) else 0.0
        return Graded(_outcome(task, edit, 0.0, most, f"the edited deck {told}: {error.detail}"))
    with decks:
        tree = grade_compared(decks, task.rubric, ask=judge, isolation=isolation, room=room)
        if page is not None:
            write_grading_page(
                page, tree, decks, task=task.goal, pictures=pictures, summary="../index.html"
            )
        outcome = _outcome(task, edit, tree.root.low, tree.root.high, _reason(tree))
        if not pictures:
            return Graded(outcome, tree.to_json(), (), "none were asked for")
        try:
            return Graded(outcome, tree.to_json(), tuple(changed_pictures(decks, PICTURES)))
        except RenderError as error:
            return Graded(outcome, tree.to_json(), (), str(error))


def _reason(tree: GradedTree) -> str:
    """Why the score is what it is, or what keeps it from being known."""
    if not isinstance(tree.score, NotScored):
        return tree.root.reason
    return "; ".join(sorted({leaf.not_scored for leaf in tree.root.leaves() if leaf.not_scored}))


def _outcome(task: EditingTask, edit: Edit, low: float, high: float, reason: str) -> TaskOutcome:
    return TaskOutcome(
        task=task.name,
        difficulty=task.difficulty,
        categories=task.categories,
        low=low,
        high=high,
        reason=reason,
        steps=len(edit.session.steps),
        seconds=edit.seconds,
        ended=edit.ended or edit.failed,
    )
