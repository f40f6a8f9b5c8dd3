"""An edit that the caller wrote: a program that runs in the sandbox, or patches of XML.

Both are made on a copy, which has to open and to be as valid as the original; the changes are put
in words, and the slides that changed are drawn and searched for new faults.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from decklab.core.stages import Progress, Stages
from decklab.editing.verify import OriginalDeck, verify
from decklab.editor.result import EditAttempt, EditOutcome, EditOutput, EditResult
from decklab.editor.steps import StepFailed, run_program
from decklab.linting.lint import drawn_findings
from decklab.ooxml.package import Package
from decklab.ooxml.patch_parts import Patch, PatchesRefused
from decklab.ooxml.patches import apply_patches
from decklab.rendering.renderer import Renderer

PRINTED = "printed"
"""Key of ``EditAttempt.record`` for what a program printed."""

_NO_EDIT = "the program has to define edit(prs), such as: def edit(prs): set_title(prs, 2, 'New')"


def edit_with_program(
    deck: str | Path,
    code: str,
    *,
    out: str | Path | EditOutput | None = None,
    renderer: Renderer | None = None,
    draw: bool = True,
    progress: Progress | None = None,
) -> EditResult:
    """Run a program that defines ``edit(prs)`` on a copy of a deck in the sandbox, and check it.

    ``prs`` is a presentation of python-pptx; the functions of ``decklab.editing.operations`` are
    globals. The other arguments are those of ``edit_with_commands``. If the program fails,
    changes nothing, or leaves a deck with new errors of validity, the outcome is ``refused``, and
    ``undone`` says why. ``record["printed"]`` of the attempt is what it printed.

    ::

        from decklab.editor.given_edits import edit_with_program

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

    return _made(deck, "a program", make, out, renderer, draw=draw, stages=Stages(progress))


def edit_with_patches(
    deck: str | Path,
    patches: Sequence[Patch],
    *,
    out: str | Path | EditOutput | None = None,
    renderer: Renderer | None = None,
    draw: bool = True,
    progress: Progress | None = None,
) -> EditResult:
    """Make patches of XML on a copy of a deck, all of them or none, and check it.

    Arguments, outcome and errors are those of ``edit_with_program``.

    ::

        from decklab.editor.given_edits import edit_with_patches
        from decklab.ooxml.patch_parts import Patch

        patch = Patch("ppt/slides/slide2.xml", "set", "//p:sp[1]//a:rPr",
                      attribute="sz", value="2400")
        result = edit_with_patches("talk.pptx", [patch], out="talk-2.pptx")
    """

    def make(source: Path, target: Path) -> str:
        with Package.open(source) as package:
            apply_patches(package, patches).save(target)
        return ""

    return _made(deck, "patches", make, out, renderer, draw=draw, stages=Stages(progress))


def _made(
    deck: str | Path,
    what: str,
    make: Callable[[Path, Path], str],
    out: str | Path | EditOutput | None,
    renderer: Renderer | None,
    *,
    draw: bool,
    stages: Stages,
) -> EditResult:
    """The result of an edit that ``make`` makes from one file to another, giving what it printed;
    the deck is written where it may be."""
    source, output = Path(deck), EditOutput.checked(out, deck)
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
        stages.tell("check")
        checked = verify(original, copy, renderer=renderer, draw=draw)
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
