"""One round of an edit with a model, and the model's options: steps are asked for and made, on
copies of the deck, and the plan is amended where it forgot what the request needs.

Otherwise what was asked for would be put back wherever a plan had forgotten it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from decklab.core.errors import DeckError
from decklab.core.options import EDIT_ROUNDS, TOOL_CALLS, EditPaths, Isolation
from decklab.core.stages import Stages
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.diffing.changes import Change
from decklab.diffing.wording import sentence
from decklab.editing.verify import Verification
from decklab.editor.conversation import (
    NO_PICTURES,
    Conversation,
    changed_slides,
    editor_prompt,
    slides_before,
)
from decklab.editor.deck_tools import deck_tools
from decklab.editor.outline import DETAIL_CHARACTERS, fitting_lines, slides_named_in
from decklab.editor.planning import (
    EditPlan,
    EditStep,
    PlannedChange,
    bound_words,
    change_problem,
    objections_to,
)
from decklab.editor.steps import PROGRAM_SECONDS, StepFailed
from decklab.editor.text_steps import EarlierTexts, TextStep, ask_for_texts, set_step_texts
from decklab.editor.trying import EditImpossible, StepContext, Workpiece, ask_for_edit
from decklab.editor.versions import Version
from decklab.models.asking import ModelTool, Prices, StrictForm, Usage
from decklab.models.reading import Unanswered
from decklab.rendering.renderer import Renderer

SHOWN_CHARACTERS = 24_000
"""Most characters of slides in full that a question shows if the model can ask for others. Ours."""


@dataclass(frozen=True, kw_only=True)
class ModelEditOptions:
    """How a model edits. The first four are the switches of paper 003's ablation (table 4).

    Raises ValueError for fewer than one round, call of a tool or question at once.
    """

    paths: EditPaths = "hybrid"
    """How edits are made: ``program``, ``xml``, or as the model chooses."""
    rounds: int = EDIT_ROUNDS
    """How often it may try, the first included."""
    vision: bool = True
    """Whether it is shown the slides; they have to be drawn for that."""
    review: bool = True
    """Whether a version that passes verification is shown to it once more, also that of the last
    round; an objection then makes the outcome ``partly``. Else that version is taken."""
    check_plan: bool = True
    """Whether a second question holds a plan that is not small against the request before anything
    is made; an objection made twice makes the outcome ``partly``."""
    temperature: float | None = None
    prices: tuple[float, float] | None = None
    """US dollars for a million tokens in and out."""
    seconds: float = PROGRAM_SECONDS
    """How long a program that it writes may run."""
    isolation: Isolation = "bubblewrap"
    """Of the programs that it writes."""
    tools: bool = True
    """Whether it may look at the deck by tools, and try edits on copies, if it can."""
    tool_calls: int = TOOL_CALLS
    """How often it may call them in one question."""
    parallel: int = 4
    """Most batches of texts that are asked about at once."""

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError("rounds must be at least 1")
        if self.tool_calls < 1:
            raise ValueError("tool_calls must be at least 1")
        if self.parallel < 1:
            raise ValueError("parallel must be at least 1")

    def cost(self, usage: Usage) -> float | None:
        """US dollars; None if the prices are not known."""
        return None if self.prices is None else Prices(*self.prices).cost(usage)


_CHARACTERS = 6_000
"""Characters of the changes that a model gets: some 60 lines. Ours."""


class PlanAmendment(StrictForm):
    """Changes that the plan should have had, and why the request needs them; else empty."""

    changes: tuple[PlannedChange, ...]
    reason: str


NOT_AMENDED = PlanAmendment(changes=(), reason="")


def may_be_forgotten(plan: EditPlan, checked: Verification) -> tuple[Change, ...]:
    """The unplanned changes that are where the plan has something to change."""
    required = [change for change in plan.changes if change.required]
    anywhere = any(not change.slides for change in required)
    slides = {number for change in required for number in change.slides}
    design = any(change.design for change in required)
    return tuple(
        change
        for change in checked.unplanned
        if (design if change.slide is None else anywhere or change.slide in slides)
    )


def ask_for_amendment(
    conversation: Conversation,
    instruction: str,
    snapshot: Snapshot,
    plan: EditPlan,
    unplanned: Sequence[Change],
    *,
    slides: Collection[int] | None = None,
    check_plan: bool = True,
    objections: Collection[str] = (),
) -> tuple[EditPlan, PlanAmendment]:
    """The plan with the changes that a model adds to it, which may come and need not.

    ``slides`` are the only ones that may be changed. With ``check_plan`` the new plan is held
    against the request like the first one, and not taken where anything speaks against it besides
    ``objections``, which are known; the amendment is empty then. Raises Unanswered if no answer
    can be used, and ModelError.
    """
    text = editor_prompt(
        "amend",
        instruction=instruction,
        plan="\n".join(change.model_dump_json() for change in plan.changes),
        changes=fitting_lines([*map(sentence, unplanned)], _CHARACTERS, "changes"),
        bound=bound_words(slides),
    )
    amendment = conversation.answer(
        "amend", text, PlanAmendment, check=lambda got: _problem(got, slides)
    )
    if not amendment.changes:
        return plan, NOT_AMENDED
    allowed = tuple(
        change.model_copy(update={"required": False, "count": 1}) for change in amendment.changes
    )
    amended = plan.model_copy(update={"changes": (*plan.changes, *allowed)})
    if check_plan:
        said = objections_to(conversation, instruction, snapshot, amended)
        if set(said) - set(objections):
            return plan, NOT_AMENDED
    return amended, amendment


def _problem(amendment: PlanAmendment, slides: Collection[int] | None) -> str | None:
    if bool(amendment.changes) != bool(amendment.reason.strip()):
        return "give changes with the reason why the request needs them, or leave both empty"
    for number, change in enumerate(amendment.changes):
        if problem := change_problem(change, slides):
            return f"changes.{number}: {problem}"
    return None


@dataclass(frozen=True)
class RoundResult:
    """Result of one round: a deck, or why there is none."""

    answers: tuple[str, ...]
    """The answers of the model by step: calls as a program, programs, patches, texts."""
    decks: tuple[Path, ...] = ()
    """The decks that steps made, up to the one that failed."""
    checked: Verification | None = None
    """Verification of the last one, if a try had it."""
    failure: str = ""
    impossible: bool = False
    """Whether the model said that the edit cannot be made."""
    remarks: tuple[str, ...] = ()

    @property
    def deck(self) -> Path | None:
        """The edited deck; None after a failure."""
        return None if self.failure else self.decks[-1]

    @property
    def failed_at(self) -> int | None:
        """The step that failed, from 0; None if there is a deck."""
        return max(0, len(self.answers) - 1) if self.failure else None


@dataclass(frozen=True, kw_only=True)
class RoundMaker:
    """Asks for the steps of an edit and makes them, round by round, on copies of the deck.

    A round after the first goes on from the deck that the last one left; only steps of texts, which
    keep what the model gave, and steps that follow one that failed are made anew.
    """

    original: Path
    instruction: str
    conversation: Conversation
    stages: Stages
    options: ModelEditOptions
    plan: EditPlan
    snapshot: Snapshot
    verified: Callable[[Path, EditPlan], Verification]
    """Holds a copy against the original and a plan."""
    renderer: Renderer | None = None
    """Draws slides that the model asks to see; None if it is shown none."""
    amendment: PlanAmendment | None = None
    """Amendment of the plan, empty for nothing; None as long as nobody asked."""
    replanned: bool = False
    """Whether the changes were planned anew."""
    workpieces: dict[int, Workpiece] = field(default_factory=dict)
    """The copies that were tried, by step; shared by all makers of an edit."""

    @property
    def steps(self) -> tuple[EditStep, ...]:
        """The steps of the plan; one for all if it has operations."""
        whole = EditStep(path="edit", task=self.instruction, slides=self.plan.slides)
        return self.plan.steps or (whole,)

    def at_once(self) -> RoundResult:
        """Make the edit by the operations of the plan, before any round."""
        workpiece = self._workpiece(0, self.original)
        workpiece.begin(self.conversation.record.round(0))
        self.stages.tell("make")
        try:
            state = workpiece.operations(self.plan.operations, 0)
        except StepFailed as error:
            return RoundResult(("\n".join(self.plan.operations),), failure=str(error))
        return RoundResult((state.source,), (state.deck,), state.checked)

    def make(self, number: int, before: Version | None) -> RoundResult:
        """Make round ``number``; ``before`` is the version of the round before.

        Raises ModelError, SandboxUnavailable and DeckError, which are no failures of the round.
        """
        edits = [index for index, step in enumerate(self.steps) if step.path == "edit"]
        if before is not None and before.attempt.deck is not None and edits:
            return self._round(number, before, [edits[-1]], before.attempt.deck)
        kept = before.failed_at or 0 if before else 0
        begun = RoundResult(before.answers[:kept], before.decks[:kept]) if before else None
        indexes = list(range(kept, len(self.steps)))
        source = begun.decks[-1] if begun and begun.decks else self.original
        return self._round(number, before, indexes, source, begun)

    def _round(
        self, number: int, before: Version | None, indexes: Sequence[int], source: Path,
        begun: RoundResult | None = None,
    ) -> RoundResult:  # fmt: skip
        """Make the steps ``indexes``, the first of them on the deck ``source``."""
        result = begun or RoundResult(())
        for index in indexes:
            try:
                snapshot = self.snapshot if source == self.original else snapshot_of(source)
                made = self._step(number, index, source, snapshot, before)
            except (StepFailed, Unanswered) as error:
                failed = self._at(index, str(error))
                impossible = isinstance(error, EditImpossible)
                given = error.given if isinstance(error, StepFailed) else ""
                answers = (*result.answers, given)
                return replace(result, answers=answers, failure=failed, impossible=impossible)
            except DeckError as error:
                if source == self.original:
                    raise
                answers, failed = (*result.answers, ""), self._at(index, str(error.detail))
                return replace(result, answers=answers, failure=failed)
            result = RoundResult(
                (*result.answers, *made.answers), (*result.decks, *made.decks), made.checked,
                remarks=(*result.remarks, *made.remarks),
            )  # fmt: skip
            source = made.decks[-1]
        return result

    def _step(
        self, number: int, index: int, source: Path, snapshot: Snapshot, before: Version | None
    ) -> RoundResult:
        """Make one step on the deck ``source``, of which ``snapshot`` is the snapshot."""
        step = self.steps[index]
        context = StepContext(self.instruction, step, self.plan, snapshot, source)
        if step.path == "texts":
            return self._texts(context, number, index, self._earlier(number, index, before))
        folder = self.conversation.record.round(number)
        workpiece = self._workpiece(index, source)
        start = workpiece.begin(folder, source if before and before.attempt.deck else None)
        context = self._context(context, number, workpiece, start, before)
        with self.stages.stage("ask"):
            answer = ask_for_edit(self.conversation, context, workpiece, start)
        self.stages.add({"ask": -workpiece.tried_seconds})
        self.stages.tell("make")
        state = workpiece.finished(answer)
        return RoundResult(
            (workpiece.sources(state),), (state.deck,), state.checked, remarks=answer.remarks
        )

    def _workpiece(self, index: int, source: Path) -> Workpiece:
        """The copies of a step, which begin with ``source``."""
        if index not in self.workpieces:
            options = self.options
            self.workpieces[index] = Workpiece(
                source, source.parent, self.stages, options.seconds, options.isolation
            )
        self.workpieces[index].check = lambda deck: self.verified(deck, self.plan)
        return self.workpieces[index]

    def _texts(
        self, context: StepContext, number: int, index: int, earlier: EarlierTexts | None
    ) -> RoundResult:
        """Make a step on texts; the model's texts for some batches stay if others failed."""
        folder = self.conversation.record.round(number)
        target = folder / f"step-{index + 1}{self.original.suffix}"
        with self.stages.stage("ask"):
            made = ask_for_texts(
                self.conversation, context, parallel=self.options.parallel, earlier=earlier
            )
            answer = made.model_dump_json(indent=1)
        self.conversation.record.write(f"{folder.name}/step-{index + 1}.texts.json", answer)
        try:
            if made.failed:
                raise StepFailed("\n".join(made.failed))
            with self.stages.stage("make"):
                set_step_texts(made, context.deck, target)
        except StepFailed as error:
            raise StepFailed(str(error), answer) from error
        return RoundResult((answer,), (target,))

    def _earlier(self, number: int, index: int, before: Version | None) -> EarlierTexts | None:
        """The model's texts for a step in the round before, and the slides that need new ones:
        those that findings name, all if a finding names none."""
        given = before.answers[index] if before and index < len(before.answers) else ""
        if before is None or not given:
            return None
        step = TextStep.model_validate_json(given)
        again: Collection[int] | None = ()
        if not step.failed:
            named = [slides_named_in(line, self.snapshot) for line in before.findings]
            again = {at for numbers in named for at in numbers} if all(named) else None
        return EarlierTexts(
            step, again, lambda texts: self._feedback(number, before, f"You gave:\n{texts}\n")
        )

    def _context(
        self, context: StepContext, number: int, workpiece: Workpiece, start: int,
        before: Version | None,
    ) -> StepContext:  # fmt: skip
        """A step that is tried, with all that its question shows."""
        checked = before.attempt.verification if before else None
        vision = self.options.vision and self.renderer is not None
        shown = NO_PICTURES
        if vision and checked is not None and checked.drawn:
            shown = changed_slides(checked)
        elif vision and self.renderer is not None:
            with self.stages.stage("draw"):
                # One at least: so it is known whether the model sees those of its tries.
                slides = context.step.slides or (1,)
                shown = slides_before(context.deck, slides, renderer=self.renderer)
        tools: tuple[ModelTool, ...] = ()
        if self.options.tools and self.conversation.takes_tools:
            tools = deck_tools(
                context.deck, context.snapshot, renderer=self.renderer,
                newest=lambda: workpiece.states[-1].deck,
                sees=lambda: not self.conversation.unseen,
            )  # fmt: skip
        maker = "the last round left" if number > 1 else "your calls made"
        left = f"Copy {start} is what {maker}"
        made_none = before is not None and before.attempt.deck is None
        return replace(
            context,
            images=shown.images,
            pictures=shown.words,
            tools=tools,
            paths=self.options.paths,
            most=SHOWN_CHARACTERS if tools else DETAIL_CHARACTERS,
            feedback=self._feedback(
                number, before, "The last answer made no deck." if made_none else f"{left}."
            ),
        )

    def _feedback(self, number: int, before: Version | None, start: str) -> str:
        """Feedback on the round before; empty without one."""
        if before is None:
            return ""
        return editor_prompt(
            "feedback",
            round=str(number),
            rounds=str(self.options.rounds),
            start=start,
            findings="\n".join(f"- {line}" for line in before.findings[:30]),
        )

    def _at(self, index: int, text: str) -> str:
        return f"Step {index + 1}: {text}" if len(self.steps) > 1 else text
