"""The program path: Python that a model wrote, run in the sandbox on a copy of the deck."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from decklab.agents.editor.conversation import Conversation
from decklab.agents.editor.paths.brief import Brief, StepFailed
from decklab.agents.editor.planning.outline import deck_outline, slides_in_full
from decklab.agents.editor.prompts import prompt
from decklab.agents.editor.sandboxed import library_prelude
from decklab.editing.opening import guarded, restored
from decklab.editing.operations import operation_docs
from decklab.errors import DeckError
from decklab.files import write_whole
from decklab.sandbox.errors import CodeFailed, RunFailed
from decklab.sandbox.limits import Limits
from decklab.sandbox.sandbox import Isolation, Sandbox

PROGRAM_SECONDS = 60.0
"""How long a program may run. Ours: an edit of every run of a deck of 300 slides takes a tenth."""
_EDITED = "edited.pptx"
_SHOWN = 1500
_FENCED = re.compile(r"^```[ \t]*(?:python|py)?[ \t]*\r?\n(.*?)^```", re.DOTALL | re.MULTILINE)
_AFTER = f"""


def _decklab_edit_file(path):
    prs = presentation_in(path)
    edit(prs)
    prs.save({_EDITED!r})
"""
"""Goes after the program, so that its lines keep their numbers."""


def ask_for_program(talk: Conversation, brief: Brief) -> str:
    """The program a model writes for a step; raises StepFailed where its reply holds none."""
    text = prompt(
        "program",
        library=operation_docs(),
        task=brief.step.task,
        plan=brief.planned,
        slides=slides_in_full(brief.taken, brief.step.slides) or "none: see the outline",
        outline=deck_outline(brief.taken),
        emu=brief.emu_per_px,
        pictures=brief.pictures or "There are no pictures.",
        instruction=brief.instruction,
        feedback=brief.feedback,
    )
    reply = talk.text("program", text, images=brief.images)
    blocks = _FENCED.findall(reply)
    code = max(blocks, key=len) if blocks else ""
    if "def edit" not in code:
        said = " ".join(reply.split())[:200]
        raise StepFailed(f"The reply holds no ```python block that defines edit(prs): {said}")
    return str(code)


def run_program(
    code: str,
    deck: Path,
    target: Path,
    *,
    seconds: float = PROGRAM_SECONDS,
    isolation: Isolation = "bubblewrap",
) -> str:
    """Run a program on a copy of ``deck``, save it as ``target``, and give what it printed.

    Raises StepFailed where the program fails, runs too long or wants too much, and
    SandboxUnavailable where it cannot be run here.
    """
    prelude, data = library_prelude()
    limits = Limits(seconds=seconds, cpu_seconds=max(1, round(2 * seconds)))
    with (
        TemporaryDirectory(prefix="decklab-program-") as room,
        Sandbox(
            files={"deck.pptx": guarded(deck, Path(room) / "deck.pptx")}, prelude=prelude,
            data=data, limits=limits, isolation=isolation,
        ) as sandbox,
    ):  # fmt: skip
        try:
            done = sandbox.call(code + _AFTER, "_decklab_edit_file", sandbox.path("deck.pptx"))
            saved = sandbox.collect(_EDITED).get(_EDITED)
        except RunFailed as error:
            raise StepFailed(_told(error)) from error
    if saved is None:
        raise StepFailed("The program took away the deck that was saved.")
    write_whole(target, saved)
    try:
        restored(target)
    except DeckError as error:
        raise StepFailed(f"The program saved what cannot be read: {error.detail}") from error
    return done.stdout


def _told(error: RunFailed) -> str:
    """How a program failed, as its writer has to know it."""
    lines = [f"The program failed: {error}"]
    if isinstance(error, CodeFailed):
        own = [line for line in error.traceback if "_decklab_edit_file" not in line]
        lines = [f"The program failed with {error.type}: {error.message}"]
        lines += [f"  at {line}" for line in own[-5:]]
    printed = error.stdout.strip()
    if printed:
        lines.append(f"It had printed: {printed[-_SHOWN:]}")
    return "\n".join(lines)
