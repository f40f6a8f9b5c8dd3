"""One step of an edit, made in one of the two ways of paper 003, section 4.

A step is a program that runs in the sandbox, or patches of XML. For each way one function asks a
model for them, and another makes the step, from one deck file to another. A StepFailed is the
model's fault, and its text is for the model; other errors keep their own type.

``edit_with_program`` and ``edit_with_patches`` make an edit that the caller wrote, on a copy, which
has to open and to be as valid as the original.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from decklab.core.errors import DeckError, DecklabError
from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import Isolation
from decklab.core.stages import Progress, Stages
from decklab.deck.views.snapshot import Snapshot
from decklab.editing.opening import guarded, restored
from decklab.editing.operations import operation_docs, operation_names
from decklab.editing.verify import OriginalDeck, verify
from decklab.editor.conversation import Conversation, editor_prompt
from decklab.editor.outline import DETAIL_CHARACTERS, deck_outline, slides_in_full
from decklab.editor.planning import EditPlan, RouteStep
from decklab.editor.result import EditAttempt, EditOutcome, EditOutput, EditResult
from decklab.linting.lint import drawn_findings
from decklab.models.asking import ModelTool, StrictForm, in_shares
from decklab.ooxml.package import Package
from decklab.ooxml.parts import relationships_part
from decklab.ooxml.patch_parts import Action, Patch, PatchesRefused
from decklab.ooxml.patches import apply_patches, part_text
from decklab.rendering.renderer import Renderer
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
_FENCED = re.compile(r"^```[ \t]*(?:python|py)?[ \t]*\r?\n(.*?)^```", re.DOTALL | re.MULTILINE)
_AFTER = f"""


def _decklab_edit_file(path):
    prs = presentation_in(path)
    edit(prs)
    prs.save({_EDITED!r})
"""
"""Appended to the program: lines before it would change its line numbers."""
_PARTS_LISTED = 60
_NO_LIMIT = 1 << 30
_BESIDE = ("chart", "diagramData", "notesSlide", "slideLayout")
"""Kinds of parts of a slide that a prompt names beside the parts it shows."""


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
        return Patch(
            part=self.part,
            action=self.action,
            xpath=self.xpath,
            xml=self.xml,
            position=self.position or "last",
            attribute=self.attribute,
            value=self.value,
            owner=self.owner,
            relationship=self.relationship,
            relationship_id=self.relationship_id,
            copy_of=self.copy_of,
        )


class PatchList(StrictForm):
    """All patches of one step, in the order in which they are made."""

    patches: tuple[PatchForm, ...]


class StepFailed(DecklabError):
    """A step that could not be made as the model gave it; the text says what to do better."""


@dataclass(frozen=True)
class StepContext:
    """One step of an edit, with all that a prompt for it holds."""

    instruction: str
    step: RouteStep
    plan: EditPlan
    snapshot: Snapshot
    """The snapshot of the deck that the step starts from."""
    images: tuple[bytes, ...] = ()
    pictures: str = ""
    """Says which slides the images show."""
    feedback: str = ""
    """Feedback on the round before; empty in the first."""
    layouts: str = ""
    """The layouts of the deck with their placeholders."""
    tools: tuple[ModelTool, ...] = ()
    """By which the model may look at the deck."""
    most: int = DETAIL_CHARACTERS
    """Most characters of the slides in full; parts as XML may be a third longer."""

    def values(self, no_slides: str) -> dict[str, str]:
        """The values of prompts for the step; ``no_slides`` is said where it names no slide."""
        return {
            "task": self.step.task,
            "plan": plan_words(self.plan),
            "slides": slides_in_full(self.snapshot, self.step.slides, most=self.most) or no_slides,
            "layouts": self.layouts or "none",
            "emu": self._emu_per_px,
            "pictures": self.pictures or "There are no pictures.",
            "instruction": self.instruction,
            "feedback": self.feedback,
        }

    @property
    def _emu_per_px(self) -> str:
        """EMU of a pixel of the 960x540 frame, across and down."""
        width, height = self.snapshot["size_pt"]
        across, down = round(width * 12700 / 960), round(height * 12700 / 540)
        return str(across) if across == down else f"{across} (across) or {down} (down)"


def plan_words(plan: EditPlan) -> str:
    """The plan, one line for each change and each text."""
    lines = []
    for change in plan.changes:
        where = f" (slides {', '.join(map(str, change.slides))})" if change.slides else ""
        often = f" (at least {change.count} on each)" if change.count > 1 else ""
        lines.append(f"- {'' if change.required else 'perhaps: '}{change.what}{where}{often}")
    return "\n".join([*lines, *(f"- {line}" for line in plan.content)])


def ask_for_program(conversation: Conversation, context: StepContext) -> str:
    """Ask a model for the program of a step; raises StepFailed if its reply holds none."""
    text = editor_prompt(
        "program",
        library="\n\n".join(f"# {name}\n\n{operation_docs([name])}" for name in operation_names()),
        outline=deck_outline(context.snapshot),
        **context.values("none: see the outline"),
    )
    reply = conversation.text("program", text, images=context.images, tools=context.tools)
    blocks = _FENCED.findall(reply)
    code = max(blocks, key=len) if blocks else ""
    if "def edit" not in code:
        start = " ".join(reply.split())[:200]
        raise StepFailed(f"The reply holds no ```python block that defines edit(prs): {start}")
    return str(code)


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
    printed = error.stdout.strip()
    if printed:
        lines.append(f"It had printed: {printed[-_PRINTED_CHARACTERS:]}")
    return "\n".join(lines)


def ask_for_patches(conversation: Conversation, context: StepContext, deck: Path) -> PatchList:
    """Ask a model for the patches of a step on ``deck``; raises Unanswered or DeckError."""
    with Package.open(deck) as package:
        shown, others = _parts(package, context)
        text = "\n\n".join(_parts_xml(package, shown, context.most * 4 // 3))
    asked = editor_prompt(
        "patch",
        parts=text,
        others=", ".join(others[:_PARTS_LISTED]) or "none",
        **context.values("none: the design is meant"),
    )
    return conversation.answer(
        "patch", asked, PatchList, images=context.images, tools=context.tools
    )


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


def _parts(package: Package, context: StepContext) -> tuple[list[str], list[str]]:
    """Names of the parts to show, and of other parts that the step may need."""
    by_number = {
        slide["number"]: str(slide.get("part", "")) for slide in context.snapshot["slides"]
    }
    slides = [by_number[number] for number in context.step.slides if by_number.get(number)]
    named = [part for name in context.plan.parts if (part := package.find(name))]
    links = [name for slide in slides if (name := package.find(relationships_part(slide)))]
    near = [name for slide in slides for kind in _BESIDE for name in package.related(slide, kind)]
    design = [
        name
        for name in package.names
        if name.startswith(("ppt/theme/", "ppt/slideMasters/slide", "ppt/slideLayouts/slide"))
        or name == package.main_part
    ]
    shown = list(dict.fromkeys([*slides, *named]))
    if not shown:
        shown = [name for name in design if "slideMasters/" in name or "theme1" in name]
    beside = dict.fromkeys([*links, *near, *design])
    return shown, [name for name in beside if name not in shown]


def _parts_xml(package: Package, names: list[str], most: int) -> list[str]:
    """The XML of parts, in ``most`` characters together as far as it can be."""

    def shown(name: str, share: int) -> str:
        try:
            return f"{name}:\n{part_text(package, name, most=share)}"
        except DeckError as error:
            return f"{name}: cannot be shown: {error.detail}"

    return in_shares({name: len(shown(name, _NO_LIMIT)) for name in names}, most, shown)


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
