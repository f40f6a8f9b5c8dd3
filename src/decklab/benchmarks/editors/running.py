"""An editor put to one task, and the safe taking of the deck that it leaves."""

import os
import stat
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from decklab.benchmarks.editors.isolation import IsolatedEditor, LeftDeck
from decklab.benchmarks.editors.protocol import Editor, EditSession, EditTask, LimitReached, Trusted
from decklab.errors import (
    DeckError,
    DecklabError,
    LimitExceeded,
    MissingPart,
    ModelError,
    UnsupportedFormat,
)
from decklab.files import write_whole
from decklab.ooxml.limits import DEFAULT_LIMITS
from decklab.ooxml.package import Package
from decklab.sandbox.errors import SandboxUnavailable
from decklab.sandbox.host_files import FunctionReference


@dataclass(frozen=True)
class Submission:
    """What an editor left of one task, and what that took."""

    original: Path
    """The deck that it was given, as it was."""
    deck: Path
    """Where the edited deck is; nothing is there, or no plain file, where it left no deck."""
    session: EditSession
    seconds: float
    ended: str = ""
    """What ended it before it was done, in a line; its deck counts as it then was."""
    error: DecklabError | None = None
    """What came through from decklab or the model: each benchmark says whose fault that is."""


def run_editor(
    editor: Editor | IsolatedEditor, task: EditTask, out: Path, session: EditSession
) -> Submission:
    """Have ``editor`` do ``task`` on a copy of its deck, which is then at ``out``.

    Only what is ``trusted`` runs in this process. A function that is not is imported anew in an
    ``IsolatedEditor``, and UnknownName is raised where another process cannot import it; what goes
    wrong there is the editor's doing and ends it, but for ModelError and SandboxUnavailable. Of
    trusted editors all errors of decklab's are told; other exceptions come through.
    """
    if isinstance(editor, Trusted):
        return _run_trusted(editor, task, out, session)
    if isinstance(editor, IsolatedEditor):
        return _run_isolated(editor, task, out, session)
    hidden = [task.deck, out.parent]
    reference = FunctionReference.of(editor)
    with IsolatedEditor(reference, limits=session.limits, hidden=hidden) as isolated:
        return _run_isolated(isolated, task, out, session)


def _run_isolated(
    editor: IsolatedEditor, task: EditTask, out: Path, session: EditSession
) -> Submission:
    left, error = LeftDeck(task.deck.read_bytes()), None
    started = time.perf_counter()
    try:
        left = editor.edit(task.deck, task.instruction, session)
    except (ModelError, SandboxUnavailable) as caught:
        error = caught
    seconds = time.perf_counter() - started
    if left.deck is None:
        out.unlink(missing_ok=True)
    else:
        write_whole(out, left.deck)
    return Submission(task.deck, out, session, seconds, left.ended, error)


def _run_trusted(editor: Editor, task: EditTask, out: Path, session: EditSession) -> Submission:
    write_whole(out, task.deck.read_bytes())
    started = time.perf_counter()
    ended, error = "", None
    try:
        other = editor(out, task.instruction, session)
        if other is not None and Path(other) != out:
            write_whole(out, submitted_bytes(Path(other)))
    except LimitReached as caught:
        ended = str(caught)
    except DecklabError as caught:
        error = caught
    return Submission(task.deck, out, session, time.perf_counter() - started, ended, error)


def submitted_bytes(path: Path) -> bytes:
    """What is in the file ``path``, if that is a plain file of its own.

    A link, also one among the folder's hard ones, might lead to somebody else's deck. Raises
    UnsupportedFormat for it, for folders, pipes and devices; MissingPart where there is nothing;
    LimitExceeded for a file too large to be a deck; DeckError where it cannot be opened.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        if stat.S_ISLNK(path.lstat().st_mode):
            raise UnsupportedFormat(path, "it is a link, not a file")
        with ExitStack() as stack:
            descriptor = os.open(path, flags)
            stack.callback(os.close, descriptor)
            _check(path, os.fstat(descriptor))
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read(DEFAULT_LIMITS.file_bytes + 1)
    except FileNotFoundError:
        raise MissingPart(path, "there is no such file") from None
    except OSError as error:
        raise DeckError(path, f"cannot be opened: {error.strerror}") from None


def check_readable(edited: Path, original: Path) -> None:
    """See that all XML which is in ``edited`` and not in ``original`` can be read.

    Reading a deck skips a damaged slide; programs that show decks refuse the whole. Raises the
    DeckError of the first such part, and that of a file that cannot be opened, ``original`` first.
    """
    with Package.open(original) as old, Package.open(edited) as new:
        for name in new.names:
            if name.endswith((".xml", ".rels")) and new.read(name) != _part(old, name):
                new.xml(name)


def _part(package: Package, name: str) -> bytes | None:
    try:
        return package.read(name)
    except DeckError:
        return None


def _check(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnsupportedFormat(path, "it is a folder, a pipe or a device, not a file")
    if status.st_nlink != 1:
        raise UnsupportedFormat(path, "it is a hard link, not a file of its own")
    if status.st_size > DEFAULT_LIMITS.file_bytes:
        most = DEFAULT_LIMITS.file_bytes
        raise LimitExceeded(path, f"{status.st_size:,} bytes, more than the limit of {most:,}")
