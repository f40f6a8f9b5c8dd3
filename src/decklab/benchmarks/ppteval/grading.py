"""One task: have an editor edit a copy of the deck, then grade what it left."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from decklab.benchmarks.editors.isolation import IsolatedEditor
from decklab.benchmarks.editors.protocol import Editor, EditSession
from decklab.benchmarks.editors.running import (
    Submission,
    check_readable,
    run_editor,
    submitted_bytes,
)
from decklab.benchmarks.ppteval.outcomes import TaskOutcome
from decklab.benchmarks.ppteval.spoilt import without_spoilt
from decklab.benchmarks.ppteval.tasks import EditingTask
from decklab.errors import (
    DeckError,
    DecklabError,
    EncryptedDeck,
    LimitExceeded,
    MissingPart,
    ModelError,
    RenderError,
    UnknownName,
)
from decklab.files import write_whole
from decklab.models.asking import Ask
from decklab.rendering.cache import Cache
from decklab.rendering.office.office import Converter
from decklab.reports.rubric_page import SlidePair
from decklab.results import NotScored
from decklab.rubrics.graded import GradedTree
from decklab.rubrics.running import LeafRoom
from decklab.sandbox.errors import SandboxUnavailable
from decklab.sandbox.sandbox import Isolation
from decklab.scoring.deck_pair import ComparedDecks
from decklab.scoring.grading import grade_compared
from decklab.scoring.grading_page import changed_pictures, write_grading_page

PICTURES = 6
"""Changed slides whose pictures are kept, before and after. Ours: few tasks change more."""

_WHOLE = (EncryptedDeck, LimitExceeded)
"""What keeps a deck that is not broken from being opened."""
_NOBODYS = (ModelError, UnknownName, SandboxUnavailable)
"""What comes through of an editor and is no fault of its edit, which is not scored then."""
BEFORE, EDITED = "before.pptx", "edited.pptx"
"""The decks of a task in its folder."""
NO_DECK = "the editor left no deck: nothing is in its place, or a link, a folder or a pipe"


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


def edit_task(
    editor: Editor | IsolatedEditor, task: EditingTask, folder: Path, session: EditSession
) -> Submission:
    """Have ``editor`` do ``task``, see ``run_editor``; what it left is then in ``folder``.

    The deck to grade against is put beside the edited one when the editor is done.
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

    A deck that cannot be opened scores 0, whatever keeps it from that: it is broken, encrypted,
    beyond the limits, a link; so does a leaf that only the edited deck keeps from being scored, see
    ``spoilt``. An edit that broke off by no fault of its own, as for want of a
    model, is not scored. Raises DeckError where the
    original cannot be read.
    """
    if isinstance(edit.error, _NOBODYS):
        return Graded(_outcome(task, edit, 0.0, 1.0, str(edit.error)))
    try:
        submitted_bytes(edit.deck)
    except MissingPart:
        return Graded(_outcome(task, edit, 0.0, 0.0, NO_DECK))
    except DeckError as error:
        return Graded(_outcome(task, edit, 0.0, 0.0, f"the edited deck: {error.detail}"))
    try:
        check_readable(edit.deck, edit.original)
        decks = ComparedDecks(edit.original, edit.deck, office=office, cache=cache)
    except DeckError as error:
        if error.path == str(edit.original):
            raise
        told = "cannot be opened" if isinstance(error, _WHOLE) else "is broken"
        return Graded(_outcome(task, edit, 0.0, 0.0, f"the edited deck {told}: {error.detail}"))
    with decks:
        tree = grade_compared(decks, task.rubric, ask=judge, isolation=isolation, room=room)
        tree = without_spoilt(
            tree, task.rubric, edit.original, isolation=isolation, room=room, office=office,
            cache=cache,
        )  # fmt: skip
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
    missing = {leaf.not_scored for leaf in tree.root.leaves() if leaf.not_scored}
    if isinstance(tree.damage, NotScored):
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
        ended=edit.ended or _told(edit.error),
    )


def _told(error: DecklabError | None) -> str:
    if error is None:
        return ""
    return str(error) if isinstance(error, _NOBODYS) else f"the editor failed: {error}"
