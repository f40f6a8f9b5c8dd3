"""Edits given as calls of operations, as a program or as patches of XML, and how they are made.

A program runs in the sandbox; calls of operations are one. Each function makes an edit from one
deck file to another. A StepFailed is the fault of whoever gave the edit, and its text is for him;
other errors keep their own type.

``edit_with_program`` and ``edit_with_patches`` make an edit that the caller wrote, on a copy, which
has to open and to be as valid as the original.
"""

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from decklab.core.errors import DeckError, DecklabError
from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import Isolation
from decklab.core.stages import Stages
from decklab.editing.opening import guarded, restored
from decklab.editing.operations import named_operations, operation_doc
from decklab.editing.verify import OriginalDeck, verify
from decklab.editor.result import EditAttempt, EditOutcome, EditOutput, EditResult
from decklab.linting.drawn import drawn_findings
from decklab.models.asking import StrictForm
from decklab.ooxml.package import Package
from decklab.ooxml.patch_parts import Action, Patch, PatchesRefused
from decklab.ooxml.patches import apply_patches
from decklab.sandbox.limits import CodeFailed, Plain, RunFailed, RunLimits
from decklab.sandbox.sandbox import Sandbox, bundle_module

_OPERATIONS = "decklab.editing.operations"
_GLOBALS = f"""
from {_OPERATIONS} import *
from decklab.editing.open_parts import presentation_in
from pptx import Presentation
"""


def library_prelude() -> tuple[str, dict[str, Plain]]:
    """The ``prelude`` and ``data`` of a sandbox whose runs have the editing operations as globals.

    ::

        prelude, data = library_prelude()
        with Sandbox(files={"in.pptx": deck}, prelude=prelude, data=data) as sandbox:
            sandbox.run(code)

    ``Presentation`` of python-pptx is a global as well, ``EditError``, and ``presentation_in``,
    which opens templates and shows too.
    """
    prelude, data = bundle_module(_OPERATIONS)
    return prelude + _GLOBALS, data


PROGRAM_SECONDS = 60.0
"""How long a program may run. Ours: an edit of every run of a deck of 300 slides takes a tenth."""
_EDITED = "edited.pptx"
_PRINTED_CHARACTERS = 1500
_AFTER = f"""


def _decklab_edit_file(path):
    prs = presentation_in(path)
    edit(prs)
    prs.save({_EDITED!r})
"""
"""Appended to the program: lines before it would change its line numbers."""


class PatchForm(StrictForm):
    """One patch as a model writes it; fields that its action has no use for are empty."""

    part: str
    action: Action
    xpath: str
    xml: str
    position: Literal["first", "last", "before", "after", ""]
    attribute: str
    value: str
    owner: str
    relationship: str
    relationship_id: str
    copy_of: str

    def patch(self) -> Patch:
        """The same for ``decklab.ooxml.patches``."""
        return Patch(**self.model_dump() | {"position": self.position or "last"})


class PatchList(StrictForm):
    """All patches of one step, in the order in which they are made."""

    patches: tuple[PatchForm, ...]


class StepFailed(DecklabError):
    """An edit that could not be made as it was given; the text says what to do better.

    ``given`` is what the model gave of it that may be used again.
    """

    def __init__(self, reason: str, given: str = "") -> None:
        super().__init__(reason)
        self.given = given


def operations_program(calls: Sequence[str]) -> str:
    """A program that makes calls of editing operations in their order, and prints what they return.

    A call is Python such as ``set_title(2, "New")``, with values only; the presentation may stand
    first. Raises StepFailed for what is no such call, with the operation's documentation where its
    arguments do not fit.

    >>> print(operations_program(["set_title(2, 'New')"]))
    def edit(prs):
        print('set_title:', set_title(prs, 2, 'New'))
    """
    lines = [_call_line(number, call) for number, call in enumerate(calls, 1)]
    return "\n".join(["def edit(prs):", *(f"    {line}" for line in lines)])


def _call_line(number: int, text: str) -> str:
    """A call of an operation as a line of a program."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise StepFailed(f"call {number} is no Python: {error.msg}: {text}") from error
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        raise StepFailed(f"call {number} is no call of one function: {text}")
    if call.args and isinstance(call.args[0], ast.Name) and call.args[0].id == "prs":
        del call.args[0]
    name, known = call.func.id, named_operations()
    if name not in known:
        near = ", ".join(get_close_matches(name, known)) or "list_operations names them"
        raise StepFailed(f"call {number}: there is no function {name}; {near}")
    try:
        values = [ast.literal_eval(item) for item in call.args]
        named = {str(item.arg): ast.literal_eval(item.value) for item in call.keywords}
    except ValueError as error:
        raise StepFailed(f"call {number} has something else than values: {text}") from error
    try:
        inspect.signature(known[name]).bind(None, *values, **named)
    except TypeError as error:
        doc = operation_doc(known[name])
        raise StepFailed(f"call {number}, {name}: {error}. It is:\n{doc}") from error
    call.args.insert(0, ast.Name("prs"))
    return f"print('{name}:', {ast.unparse(call)})"


def run_program(
    code: str,
    deck: Path,
    target: Path,
    *,
    seconds: float = PROGRAM_SECONDS,
    isolation: Isolation = "bubblewrap",
) -> str:
    """Run a program on a copy of ``deck``, save the copy as ``target``, and give what it printed.

    Raises StepFailed if the program fails or exceeds its limits, and SandboxUnavailable if
    no program can be run here.
    """
    prelude, data = library_prelude()
    limits = RunLimits(seconds=seconds, cpu_seconds=max(1, round(2 * seconds)))
    with (
        scratch_folder("program") as room,
        Sandbox(
            files={"deck.pptx": guarded(deck, room / "deck.pptx")}, prelude=prelude,
            data=data, limits=limits, isolation=isolation,
        ) as sandbox,
    ):  # fmt: skip
        try:
            done = sandbox.call(code + _AFTER, "_decklab_edit_file", sandbox.path("deck.pptx"))
            saved = sandbox.collect(_EDITED).get(_EDITED)
        except RunFailed as error:
            raise StepFailed(_failure(error)) from error
    if saved is None:
        raise StepFailed("The program took away the deck that was saved.")
    write_whole(target, saved)
    try:
        restored(target)
    except DeckError as error:
        raise StepFailed(f"The program saved what cannot be read: {error.detail}") from error
    return done.stdout


def _failure(error: RunFailed) -> str:
    """How a program failed, for the model that wrote it."""
    lines = [f"The program failed: {error}"]
    if isinstance(error, CodeFailed):
        frames = [line for line in error.traceback if "_decklab_edit_file" not in line]
        lines = [f"The program failed with {error.type}: {error.message}"]
        lines += [f"  at {line}" for line in frames[-5:]]
    if printed := error.stdout.strip():
        lines.append(f"It had printed: {printed[-_PRINTED_CHARACTERS:]}")
    return "\n".join(lines)


def make_patches(patches: PatchList, deck: Path, target: Path) -> None:
    """Apply patches to ``deck`` and save the result as ``target``, whole or not at all.

    Raises StepFailed if they are refused; nothing is written then.
    """
    with Package.open(deck) as package:
        try:
            draft = apply_patches(package, [form.patch() for form in patches.patches])
        except PatchesRefused as error:
            reasons = "\n".join(error.reasons[:20])
            raise StepFailed(f"The patches were refused, and none was made:\n{reasons}") from error
        draft.save(target)


PRINTED = "printed"
"""Key of ``EditAttempt.record`` for what a program printed."""

_NO_EDIT = "the program has to define edit(prs), such as: def edit(prs): set_title(prs, 2, 'New')"


def edit_with_program(
    deck: str | Path, code: str, *, out: str | Path | EditOutput | None = None, draw: bool = True
) -> EditResult:
    """Run a program that defines ``edit(prs)`` on a copy of a deck in the sandbox, and check it.

    ``prs`` is a presentation of python-pptx; the functions of ``decklab.editing.operations`` are
    globals. The other arguments are those of ``edit_with_commands``. If the program fails,
    changes nothing, or leaves a deck with new errors of validity, the outcome is ``refused``, and
    ``undone`` says why. ``record["printed"]`` of the attempt is what it printed.

    ::

        from decklab.editor.steps import edit_with_program

        code = "def edit(prs): set_title(prs, 2, 'What we found')"
        result = edit_with_program("talk.pptx", code, out="talk-2.pptx")
        print(result.outcome, result.sentences, result.undone)

    Raises DeckError if the deck cannot be read, OSError if the output cannot be written, and
    SandboxUnavailable if no program can be run here.
    """

    def make(source: Path, target: Path) -> str:
        if "def edit" not in code:
            raise StepFailed(_NO_EDIT)
        return run_program(code, source, target)

    return _made(deck, "a program", make, out, draw=draw)


def edit_with_patches(
    deck: str | Path,
    patches: Sequence[Patch],
    *,
    out: str | Path | EditOutput | None = None,
    draw: bool = True,
) -> EditResult:
    """Make patches of XML on a copy of a deck, all of them or none, and check it.

    Arguments, outcome and errors are those of ``edit_with_program``.

    ::

        from decklab.editor.steps import edit_with_patches
        from decklab.ooxml.patch_parts import Patch

        patch = Patch("ppt/slides/slide2.xml", "set", "//p:sp[1]//a:rPr",
                      attribute="sz", value="2400")
        result = edit_with_patches("talk.pptx", [patch], out="talk-2.pptx")
    """

    def make(source: Path, target: Path) -> str:
        with Package.open(source) as package:
            apply_patches(package, patches).save(target)
        return ""

    return _made(deck, "patches", make, out, draw=draw)


def _made(
    deck: str | Path,
    what: str,
    make: Callable[[Path, Path], str],
    out: str | Path | EditOutput | None,
    *,
    draw: bool,
) -> EditResult:
    """The result of an edit that ``make`` makes from one file to another, giving what it printed;
    the deck is written where it may be."""
    source, output, stages = Path(deck), EditOutput.checked(out, deck), Stages()
    original = OriginalDeck(source, drawn_findings)
    _ = original.problems  # a deck that cannot be read is no fault of the edit
    with output.copies() as folder:
        copy = Path(folder) / f"edited{source.suffix}"
        try:
            with stages.stage("edit"):
                printed = make(source, copy)
        except (StepFailed, PatchesRefused) as error:
            lines = error.reasons if isinstance(error, PatchesRefused) else (str(error),)
            return EditResult(source, what, "refused", undone=tuple(lines))
        checked = verify(original, copy, draw=draw)
        stages.add(checked.seconds)
        attempt = EditAttempt(what, copy, verification=checked, record={PRINTED: printed})
        outcome: EditOutcome = "done"
        undone: tuple[str, ...] = ()
        if not checked.sound:
            outcome, undone = "refused", tuple(checked.messages)
        elif not checked.diff.edits:
            outcome, undone = "refused", (f"{what} changed nothing",)
        result = EditResult(
            source, what, outcome, undone=undone, best=attempt, attempts=(attempt,),
            done=() if undone else (what,),
        )  # fmt: skip
        result = output.write(result, stages)
        return output.without_deleted(replace(result, seconds=dict(stages.seconds)))
