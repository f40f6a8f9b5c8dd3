"""A step of an edit that a model tries before it gives it: numbered copies of a deck, the tools
that make one from another, and the question whose answer is one of them.

Each copy is verified against the deck before the edit and against the plan, so that the model
learns at once what changed, what is missing, what nobody asked for and which faults are new, with
pictures of the slides that look different. In paper 003 the model writes blind, and a round is
verified.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from pydantic import Field

from decklab.core.errors import DeckError, DecklabError
from decklab.core.files import write_whole
from decklab.core.options import EditPaths, Isolation
from decklab.core.stages import Stages
from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.wording import words
from decklab.editing.operations import operation_calls, operation_docs
from decklab.editing.verify import Verification
from decklab.editor.conversation import (
    NO_PICTURES,
    Conversation,
    SlidePictures,
    changed_slides,
    editor_prompt,
    with_less,
)
from decklab.editor.outline import DETAIL_CHARACTERS, deck_outline, fitting_lines, slides_in_full
from decklab.editor.planning import FULL_WORDS, EditPlan, EditStep, plan_words
from decklab.editor.steps import (
    PatchForm,
    PatchList,
    StepFailed,
    make_patches,
    operations_program,
    run_program,
)
from decklab.models.asking import ModelTool, StrictForm, TextWithPictures, in_shares
from decklab.ooxml.package import Package
from decklab.ooxml.patches import part_text

MOST_TRIES: Final = 8
"""Tries in one question. Ours: who has not found it by then wants a round's findings."""
MOST_SHOWN: Final = 3
"""Pictures that come back from one try. Ours."""
_CHARACTERS: Final = 4_000
"""Most characters of the changes, and of the problems, that a try tells. Ours."""
_PRINTED: Final = 1_000
_NO_LIMIT: Final = 1 << 30
_HELD: Final = ("chart", "diagramData", "diagramDrawing", "notesSlide")
"""Kinds of parts that a slide is made of."""
_WAYS: Final[dict[EditPaths, str]] = {
    "hybrid": "It is made by calls of functions, by a program in Python or by patches of XML.",
    "program": "It is made by calls of functions or by a program in Python.",
    "xml": "It is made by patches of XML.",
}


class TryOperations(StrictForm):
    """Calls of functions, in order, and the number of the copy that they change."""

    calls: tuple[str, ...]
    """Such as set_title(2, "New"): values only, without prs."""
    onto: int = Field(ge=0)


class TryProgram(StrictForm):
    """Python that defines edit(prs), and the number of the copy that it changes."""

    code: str
    onto: int = Field(ge=0)


class TryPatches(StrictForm):
    """Patches of XML, and the number of the copy that they change."""

    patches: tuple[PatchForm, ...]
    onto: int = Field(ge=0)


class EditAnswer(StrictForm):
    """The copy that is the edited deck, and what is still to be done to it."""

    state: int = Field(ge=0)
    """Number of the copy."""
    operations: tuple[str, ...]
    program: str
    patches: tuple[PatchForm, ...]
    remarks: tuple[str, ...]
    """Facts that the owner of the deck has to know besides."""
    cannot: str


class EditImpossible(StepFailed):
    """The model says that an edit cannot be made; the text says why."""


@dataclass(frozen=True)
class DeckState:
    """One copy of a deck on the way to an edit."""

    deck: Path
    source: str = ""
    """The calls, program or patches that made it; empty if the model did not."""
    onto: int = 0
    checked: Verification | None = None
    printed: str = ""


@dataclass
class Workpiece:
    """A deck, and the copies that a model makes of it.

    ``check`` verifies a copy against the deck before the edit. A fault of a program or patch is a
    StepFailed, for the model; any other error of ours is kept in ``broken`` and ends the tries.
    """

    deck: Path
    folder: Path
    stages: Stages
    seconds: float
    """How long a program may run."""
    isolation: Isolation
    check: Callable[[Path], Verification] = lambda _deck: Verification()
    states: list[DeckState] = field(default_factory=list)
    tries: int = 0
    tried_seconds: float = 0.0
    """Time that the tries of the question took."""
    broken: DecklabError | OSError | None = None

    def __post_init__(self) -> None:
        self.states.append(DeckState(self.deck))

    def begin(self, folder: Path, deck: Path | None = None) -> int:
        """Begin a question whose files go to ``folder``; give the number of the copy that it
        starts from, which is ``deck``, or else the newest."""
        self.folder, self.tries, self.tried_seconds = folder, 0, 0.0
        known = [number for number, state in enumerate(self.states) if state.deck == deck]
        if deck is not None and not known:
            self.states.append(DeckState(deck))
        return known[-1] if known else len(self.states) - 1

    def operations(self, calls: Sequence[str], onto: int) -> DeckState:
        """A copy made from another by calls of operations; raises StepFailed."""
        return self.program(operations_program(calls), onto)

    def program(self, code: str, onto: int) -> DeckState:
        """A copy made from another by a program; raises StepFailed."""
        if "def edit" not in code:
            raise StepFailed("the program does not define edit(prs)")

        def make(source: Path, target: Path) -> str:
            return run_program(code, source, target, seconds=self.seconds, isolation=self.isolation)

        return self._made(code, "py", make, onto)

    def patches(self, forms: Sequence[PatchForm], onto: int) -> DeckState:
        """A copy made from another by patches of XML; raises StepFailed."""
        patches = PatchList(patches=tuple(forms))

        def make(source: Path, target: Path) -> str:
            make_patches(patches, source, target)
            return ""

        return self._made(patches.model_dump_json(indent=1), "patches.json", make, onto)

    def finished(self, answer: EditAnswer) -> DeckState:
        """The copy that an answer means, with what it adds; raises StepFailed."""
        if answer.cannot.strip():
            raise EditImpossible(answer.cannot.strip())
        if answer.operations:
            return self.operations(answer.operations, answer.state)
        if answer.program.strip():
            return self.program(answer.program, answer.state)
        if answer.patches:
            return self.patches(answer.patches, answer.state)
        return self.states[answer.state]

    def sources(self, state: DeckState) -> str:
        """All that made a copy, in its order."""
        made = list[str]()
        while state.source:
            made.append(state.source)
            state = self.states[state.onto]
        return "\n\n".join(reversed(made))

    def _made(
        self, source: str, suffix: str, make: Callable[[Path, Path], str], onto: int
    ) -> DeckState:
        if onto >= len(self.states):
            raise StepFailed(f"there is no copy {onto}; the newest is {len(self.states) - 1}")
        number = len(self.states)
        target = self.folder / f"try-{number}{self.deck.suffix}"
        write_whole(self.folder / f"try-{number}.{suffix}", source.encode(errors="replace"))
        with self.stages.timed("make"):
            printed = make(self.states[onto].deck, target)
        checked = self.check(target)
        if not checked.sound:
            raise StepFailed("\n".join(checked.messages[:10]))
        self.states.append(DeckState(target, source, onto, checked, printed))
        return self.states[-1]

    def tools(self, paths: EditPaths, *, sees: Callable[[], bool]) -> tuple[ModelTool, ...]:
        """The tools that make copies; without ``sees()`` they show no pictures."""

        def tool(name: str, says: str, form: type[StrictForm], make: Callable[..., DeckState]):  # type: ignore[no-untyped-def]
            def run(asked: Any) -> TextWithPictures:
                return self._tried(lambda: make(asked), asked.onto, sees=sees)

            return ModelTool(name, says, form, run, changes=True)

        known = {
            "try_operations": tool(
                "try_operations", "Make a copy by calls of functions.", TryOperations,
                lambda asked: self.operations(asked.calls, asked.onto),
            ),
            "try_program": tool(
                "try_program", "Make a copy by a program in Python.", TryProgram,
                lambda asked: self.program(asked.code, asked.onto),
            ),
            "try_patches": tool(
                "try_patches", "Make a copy by patches of XML. Without any patch it tells how they "
                "are written.", TryPatches, self._patched,
            ),
        }  # fmt: skip
        offered = {"program": list(known)[:2], "xml": list(known)[2:]}.get(paths, list(known))
        return tuple(known[name] for name in offered)

    def _patched(self, asked: TryPatches) -> DeckState:
        if not asked.patches:
            raise StepFailed(editor_prompt("patches"))
        return self.patches(asked.patches, asked.onto)

    def _tried(
        self, make: Callable[[], DeckState], onto: int, *, sees: Callable[[], bool]
    ) -> TextWithPictures:
        """The answer to a try, in words and pictures."""
        if self.broken is not None or self.tries >= MOST_TRIES:
            return TextWithPictures("There are no more tries. Give the answer now.")
        self.tries += 1
        started = perf_counter()
        try:
            made = make()
        except StepFailed as error:
            newest = len(self.states) - 1
            return TextWithPictures(f"No copy was made; the newest is {newest}. {error}")
        except (DecklabError, OSError) as error:
            self.broken = error
            return TextWithPictures("There are no more tries. Give the answer now.")
        finally:
            self.tried_seconds += perf_counter() - started
        before = self.states[onto].checked
        shown = _shown(made, before) if sees() else NO_PICTURES
        number = self.states.index(made)
        text = "\n".join([f"Copy {number} is made, from copy {onto}.", *_told(made, before)])
        return TextWithPictures(f"{text}\n{shown.words}".strip(), shown.images)


def _told(made: DeckState, before: Verification | None) -> list[str]:
    """The changes of a copy and its faults, one line each."""
    checked = made.checked or Verification()
    known = set(words(before.diff)) if before else set()
    now = words(checked.diff)
    new = [line for line in dict.fromkeys(now) if line not in known]
    gone = [line for line in words(before.diff) if line not in now] if before else []
    lines = [f"It printed: {made.printed.strip()[-_PRINTED:]}"] if made.printed.strip() else []
    lines += [fitting_lines(new, _CHARACTERS, "changes") or "It changed nothing more."]
    lines += [f"Not changed any more: {line}" for line in gone[:10]]
    problems = fitting_lines(checked.messages, _CHARACTERS, "problems")
    return [*lines, problems or "All that is planned is there, nothing else, and no new finding."]


def _shown(made: DeckState, before: Verification | None) -> SlidePictures:
    checked = made.checked or Verification()
    shown = changed_slides(checked, most=MOST_SHOWN, since=before)
    return shown if shown.images or checked.undrawn else NO_PICTURES


@dataclass(frozen=True)
class StepContext:
    """One step of an edit, with all that a prompt for it holds."""

    instruction: str
    step: EditStep
    plan: EditPlan
    snapshot: Snapshot
    """The snapshot of the deck that the step starts from."""
    deck: Path
    images: tuple[bytes, ...] = ()
    pictures: str = ""
    """Says which slides the images show."""
    feedback: str = ""
    """Feedback on the round before; empty in the first."""
    tools: tuple[ModelTool, ...] = ()
    """By which the model may look at the deck; without any it cannot try either."""
    paths: EditPaths = "hybrid"
    most: int = DETAIL_CHARACTERS
    """Most characters of the slides in full; parts as XML may be a third longer."""

    def prompt(self) -> str:
        """The question for the step."""
        trying = "You cannot try it: give all of it in your answer."
        if self.tools:
            trying = editor_prompt("tries", tries=str(MOST_TRIES))
        return editor_prompt(
            "edit",
            ways=_WAYS[self.paths],
            trying=trying,
            guide="\n\n".join(self._guide()),
            task=self.step.task,
            plan=plan_words(self.plan),
            slides=self._slides(),
            pictures=self.pictures or "There are no pictures.",
            feedback=self.feedback,
            instruction=self.instruction,
        )

    def _guide(self) -> list[str]:
        """How calls, programs and patches are written; in full where nothing can be looked up."""
        guide = list[str]()
        if self.paths != "xml":
            functions = f"{operation_calls()}\nlist_operations shows what they do."
            guide = [
                editor_prompt("calls", functions=functions if self.tools else operation_docs()),
                editor_prompt("python", emu=self._emu_per_px),
            ]
        if self.paths == "xml" or not (self.tools or self.paths == "program"):
            guide.append(editor_prompt("patches"))
        return guide

    def _slides(self) -> str:
        """The slides of the step, with their XML if the model cannot ask for it; the outline of
        the deck where the step names none."""
        full = slides_in_full(self.snapshot, self.step.slides, most=self.most)
        shown = f"{FULL_WORDS}\n{full}" if full else deck_outline(self.snapshot)
        if self.tools or self.paths == "program":
            return shown
        with Package.open(self.deck) as package:
            parts = _parts_xml(package, self._parts(package), self.most * 4 // 3)
        return "\n\n".join([shown, "The parts (extensions may be shown as …):", *parts])

    def _parts(self, package: Package) -> list[str]:
        """Names of the parts of its slides with their charts, diagrams and notes; the list of
        slides, masters and the theme where it names none."""
        by_number = {slide["number"]: slide.get("part", "") for slide in self.snapshot["slides"]}
        slides = [by_number[number] for number in self.step.slides if by_number.get(number)]
        links = (link for slide in slides for link in package.relationships(slide).values())
        held = [link.target for link in links if link.kind in _HELD and link.target in package]
        design = (
            name for name in package.names if "slideMasters/slide" in name or "theme1" in name
        )
        return [*slides, *held] or [package.main_part, *design]

    @property
    def _emu_per_px(self) -> str:
        """EMU of a pixel of the 960x540 frame, across and down."""
        width, height = self.snapshot["size_pt"]
        across, down = round(width * 12700 / 960), round(height * 12700 / 540)
        return str(across) if across == down else f"{across} across, {down} down"


def _parts_xml(package: Package, names: Sequence[str], most: int) -> list[str]:
    """The XML of parts, in ``most`` characters together as far as it can be."""

    def shown(name: str, share: int) -> str:
        try:
            return f"{name}:\n{part_text(package, name, most=share)}"
        except DeckError as error:
            return f"{name}: cannot be shown: {error.detail}"

    return in_shares({name: len(shown(name, _NO_LIMIT)) for name in names}, most, shown)


def ask_for_edit(
    conversation: Conversation, context: StepContext, workpiece: Workpiece, start: int
) -> EditAnswer:
    """Ask a model for a step of an edit, which it may try on ``workpiece`` if it has tools.

    ``start`` is the copy that it starts from. The question is put with less of the deck if it is
    too long for the model. Raises Unanswered if no answer can be used, ModelError, and what kept
    the tries from being made.
    """
    if tools := context.tools:
        tools = (*workpiece.tools(context.paths, sees=lambda: not conversation.unseen), *tools)

    def asked(most: int) -> EditAnswer:
        text = replace(context, most=most).prompt()
        return conversation.answer(
            "edit", text, EditAnswer, images=context.images, tools=tools,
            check=lambda got: _problem(got, workpiece, context.paths, start),
        )  # fmt: skip

    try:
        return with_less(asked, context.most)
    finally:
        if workpiece.broken is not None:
            raise workpiece.broken


def _problem(answer: EditAnswer, workpiece: Workpiece, paths: EditPaths, start: int) -> str | None:
    """Why an answer cannot be used, in a line."""
    if answer.cannot.strip():
        return None
    newest = len(workpiece.states) - 1
    if answer.state > newest:
        return f"state: there is no copy {answer.state}; the newest is {newest}"
    given = [bool(answer.operations), bool(answer.program.strip()), bool(answer.patches)]
    if sum(given) > 1:
        return "give operations, or a program, or patches, not several of them"
    if not any(given) and answer.state == start == 0:
        return f"nothing is done: copy 0 is the deck as it was; the newest copy is {newest}"
    if (paths == "xml" and any(given[:2])) or (paths == "program" and given[2]):
        return _WAYS[paths]
    try:
        operations_program(answer.operations)
    except StepFailed as error:
        return f"operations: {error}"
    return None
