"""One task: have an editor edit a copy of the deck, then grade what it left."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decklab.benchmarks.editors.handing_in import check_parts, deck_bytes
from decklab.benchmarks.editors.places import Outside
from decklab.benchmarks.editors.room import EditorRoom, HandedIn
from decklab.benchmarks.editors.session import Editor, LimitReached, Session, Trusted
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
from decklab.grading.decks import ComparedDecks
from decklab.grading.grade import GradeOptions, grade_compared
from decklab.grading.page import SlidePair, changed_pictures, write_grading_page
from decklab.models.asking import Ask
from decklab.options import Isolation
from decklab.rendering.cache import Cache
from decklab.rendering.office.office import Converter
from decklab.results import NotScored
from decklab.rubrics.graded import GradedTree
from decklab.rubrics.running import LeafRoom
from decklab.sandbox.errors import SandboxUnavailable

PICTURES = 6
"""Changed slides whose pictures are kept, before and after. Ours: few tasks change more."""

_WHOLE = (EncryptedDeck, LimitExceeded)
"""What keeps a deck that is not broken from being opened."""
NO_DECK = "the editor left no deck: nothing is in its place, or a link, a folder or a pipe"


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


def laid_out(folder: Path, before: bytes, after: bytes | None) -> tuple[Path, Path]:
    """The deck to grade against and the one to grade in ``folder``; None leaves the latter out."""
    paths = folder / "before.pptx", folder / "edited.pptx"
    write_whole(paths[0], before)
    if after is None:
        paths[1].unlink(missing_ok=True)
    else:
        write_whole(paths[1], after)
    return paths


def run_editor(
    editor: Editor | EditorRoom, task: EditingTask, folder: Path, session: Session
) -> Edit:
    """Have ``editor`` do ``task`` on a copy; what it left is then in ``folder``.

    Only what is ``trusted`` runs in this process. A function that is not is imported anew in an
    ``EditorRoom``, and UnknownName is raised where another process cannot import it. What goes
    wrong in a room is the editor's doing: its deck counts as it is.

    ModelError and a lack of model or sandbox make an edit that failed, which is nobody's fault. Of
    a trusted editor, other errors of decklab's end it, and its deck counts as it is; other
    exceptions come through.
    """
    if isinstance(editor, Trusted):
        return _run_here(editor, task, folder, session)
    if isinstance(editor, EditorRoom):
        return _run_apart(editor, task, folder, session)
    hidden = [task.deck, folder]
    with EditorRoom(Outside.of(editor), limits=session.limits, hidden=hidden) as room:
        return _run_apart(room, task, folder, session)


def _run_apart(room: EditorRoom, task: EditingTask, folder: Path, session: Session) -> Edit:
    original = task.deck.read_bytes()
    started = time.perf_counter()
    handed, failed = HandedIn(original), ""
    try:
        handed = room.edit(task.deck, task.goal, session)
    except (ModelError, SandboxUnavailable) as error:
        failed = str(error)
    seconds = time.perf_counter() - started
    before, after = laid_out(folder, original, handed.deck)
    return Edit(before, after, session, seconds, handed.ended, failed)


def _run_here(editor: Editor, task: EditingTask, folder: Path, session: Session) -> Edit:
    """The deck to grade against is put beside the edited one when the editor is done."""
    original = task.deck.read_bytes()
    after = folder / "edited.pptx"
    (folder / "before.pptx").unlink(missing_ok=True)
    write_whole(after, original)
    started = time.perf_counter()
    ended = failed = ""
    try:
        other = editor(after, task.goal, session)
        if other is not None and Path(other) != after:
            write_whole(after, deck_bytes(Path(other)))
    except LimitReached as error:
        ended = str(error)
    except (ModelError, UnknownName, SandboxUnavailable) as error:
        failed = str(error)
    except DecklabError as error:
        ended = f"the editor failed: {error}"
    finally:
        seconds = time.perf_counter() - started
        write_whole(folder / "before.pptx", original)
    return Edit(folder / "before.pptx", after, session, seconds, ended, failed)


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

    A deck that cannot be opened scores 0, whatever keeps it from that: it is broken, encrypted,
    beyond the limits, a link; so does a leaf that only the edited deck keeps from being scored, see
    ``spoilt``. An edit that failed is not scored. Raises DeckError where the
    original cannot be read.
    """
    if edit.failed:
        return Graded(_outcome(task, edit, 0.0, 1.0, edit.failed))
    try:
        deck_bytes(edit.after)
    except MissingPart:
        return Graded(_outcome(task, edit, 0.0, 0.0, NO_DECK))
    except DeckError as error:
        return Graded(_outcome(task, edit, 0.0, 0.0, f"the edited deck: {error.detail}"))
    try:
        check_parts(edit.after, edit.before)
        decks = ComparedDecks(edit.before, edit.after, office=office, cache=cache)
    except DeckError as error:
        if error.path == str(edit.before):
            raise
        told = "cannot be opened" if isinstance(error, _WHOLE) else "is broken"
        return Graded(_outcome(task, edit, 0.0, 0.0, f"the edited deck {told}: {error.detail}"))
    with decks:
        tree = grade_compared(
            decks, task.rubric, ask=judge, room=room, options=GradeOptions(isolation=isolation)
        )
        tree = without_spoilt(
            tree, task.rubric, edit.before, isolation=isolation, room=room, office=office,
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
