"""One round of an edit with a model, and the model's options: steps are asked for and made, on
copies of the deck, and the plan is amended where it forgot what the request needs.

Otherwise what was asked for would be put back wherever a plan had forgotten it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from decklab.core.errors import DeckError
from decklab.core.options import EDIT_ROUNDS, TOOL_CALLS, EditPaths, Isolation
from decklab.core.stages import Stages
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.diffing.changes import Change
from decklab.diffing.wording import sentence
from decklab.editing.verify import Verification
from decklab.editor.conversation import (
    Conversation,
    SlidePictures,
    changed_slides,
    editor_prompt,
    with_less,
)
from decklab.editor.deck_tools import deck_tools, layout_words
from decklab.editor.outline import fitting_lines, slides_named_in
from decklab.editor.planning import (
    EditPlan,
    PlannedChange,
    Route,
    bound_words,
    change_problem,
    objections_to,
)
from decklab.editor.steps import (
    PROGRAM_SECONDS,
    PatchList,
    StepContext,
    StepFailed,
    ask_for_patches,
    ask_for_program,
    make_patches,
    run_program,
)
from decklab.editor.text_steps import EarlierTexts, TextStep, ask_for_texts, set_step_texts
from decklab.editor.versions import Version, changes_words
from decklab.models.asking import Ask, Prices, StrictForm, Usage
from decklab.models.reading import Unanswered
from decklab.rendering.renderer import Renderer


@dataclass(frozen=True, kw_only=True)
class ModelEditOptions:
    """How a model edits. The first four are the switches of paper 003's ablation (table 4).

    Raises ValueError for fewer than one round, call of a tool or question at once.
    """

    paths: EditPaths = "hybrid"
    """How steps are made: ``program``, ``xml``, or each as the model chooses."""
    rounds: int = EDIT_ROUNDS
    """How often it may try, the first included."""
    vision: bool = True
    """Whether it is shown the slides; they have to be drawn for that."""
    review: bool = True
    """Whether a version that passes verification is shown to it once more, also that of the last
    round; an objection then makes the outcome ``partly``. Else that version is taken."""
    check_plan: bool = True
    """Whether a second question holds the plan against the request before anything is made; an
    objection made twice makes the outcome ``partly``."""
    router: Ask | None = None
    """The model that chooses the steps; None for the one that edits."""
    temperature: float | None = None
    prices: tuple[float, float] | None = None
    """US dollars for a million tokens in and out."""
    router_prices: tuple[float, float] | None = None
    """The same for the router, if it is another model."""
    seconds: float = PROGRAM_SECONDS
    """How long a program that it writes may run."""
    isolation: Isolation = "bubblewrap"
    """Of the programs that it writes."""
    tools: bool = True
    """Whether it may look at the deck by tools while it plans and writes, if it can."""
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

    def cost(self, usage: Usage, routed: Usage | None = None) -> float | None:
        """US dollars; None if the prices are not known.

        ``routed`` is what the router took of ``usage``.
        """
        if self.prices is None:
            return None
        if self.router is None or routed is None:
            return Prices(*self.prices).cost(usage)
        if self.router_prices is None:
            return None
        own = Prices(*self.prices).cost(usage - routed)
        return own + Prices(*self.router_prices).cost(routed)


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
        problem = change_problem(change, slides)
        if problem:
            return f"changes.{number}: {problem}"
    return None


Made = TypeVar("Made")


@dataclass(frozen=True)
class RoundResult:
    """Result of one round: a deck, or why there is none."""

    answers: tuple[str, ...]
    """The model's program or patches, by step."""
    deck: Path | None = None
    failure: str = ""

    @property
    def failed_at(self) -> int | None:
        """The step that failed, from 0; None if there is a deck."""
        return None if self.deck else max(0, len(self.answers) - 1)


@dataclass(frozen=True, kw_only=True)
class RoundMaker:
    """Asks for the steps of an edit and makes them, round by round, on copies of the deck."""

    original: Path
    instruction: str
    conversation: Conversation
    stages: Stages
    options: ModelEditOptions
    route: Route
    plan: EditPlan
    snapshot: Snapshot
    pictures: SlidePictures
    renderer: Renderer | None = None
    """Draws slides that the model asks to see; None if it is shown none."""
    amendment: PlanAmendment | None = None
    """Amendment of the plan, empty for nothing; None as long as nobody asked."""

    def make(self, number: int, before: Version | None) -> RoundResult:
        """Make round ``number``; ``before`` is the version of the round before.

        Each round starts from the original deck. Raises ModelError and SandboxUnavailable, which
        are no failures of the round.
        """
        folder = self.conversation.record.round(number)
        deck = self.original
        source, snapshot, answers = deck, self.snapshot, list[str]()
        for index in range(len(self.route.steps)):
            last = index + 1 == len(self.route.steps)
            target = folder / (f"deck{deck.suffix}" if last else f"step-{index + 1}.pptx")
            answers.append("")
            try:
                if index:
                    snapshot = snapshot_of(source)
                context = self._context(number, index, source, snapshot, before)
                self._step(context, source, target, answers, number=number, before=before)
            except (StepFailed, Unanswered) as error:
                return RoundResult(tuple(answers), failure=_at(index, self.route, str(error)))
            except DeckError as error:
                if source == deck:
                    raise
                return RoundResult(
                    tuple(answers), failure=_at(index, self.route, str(error.detail))
                )
            source = target
        return RoundResult(tuple(answers), deck=source)

    def _step(
        self,
        context: StepContext,
        source: Path,
        target: Path,
        answers: list[str],
        *,
        number: int,
        before: Version | None,
    ) -> None:
        """Make the last step of ``answers``, with what the model gave in the round before where a
        later step failed."""
        if context.step.path == "texts":
            earlier = self._earlier(number, len(answers) - 1, before)
            self._texts(context, source, target, answers, earlier)
            return
        write = self.conversation.record.write
        name = f"{target.parent.name}/step-{len(answers)}"
        reused = _reusable(len(answers) - 1, before)
        if context.step.path == "program":
            with self.stages.stage("ask"):
                answers[-1] = reused or self._asked(
                    lambda asked: ask_for_program(self.conversation, asked), context
                )
            write(f"{name}.py", answers[-1])
            with self.stages.stage("make"):
                printed = run_program(
                    answers[-1],
                    source,
                    target,
                    seconds=self.options.seconds,
                    isolation=self.options.isolation,
                )
            write(f"{name}.printed.txt", printed)
            return
        with self.stages.stage("ask"):
            answers[-1] = reused or self._asked(
                lambda asked: ask_for_patches(self.conversation, asked, source), context
            ).model_dump_json(indent=1)
        write(f"{name}.patches.json", answers[-1])
        with self.stages.stage("make"):
            make_patches(PatchList.model_validate_json(answers[-1]), source, target)

    def _asked(self, ask: Callable[[StepContext], Made], context: StepContext) -> Made:
        """The result of ``ask``, with less of the deck if that is too long for the model."""
        return with_less(lambda most: ask(replace(context, most=most)), context.most)

    def _texts(
        self,
        context: StepContext,
        source: Path,
        target: Path,
        answers: list[str],
        earlier: EarlierTexts | None,
    ) -> None:
        """Make a step on texts; the model's texts for some batches stay if others failed."""
        with self.stages.stage("ask"):
            made = ask_for_texts(
                self.conversation, context, source, parallel=self.options.parallel, earlier=earlier
            )
            answers[-1] = made.model_dump_json(indent=1)
        name = f"{target.parent.name}/step-{len(answers)}.texts.json"
        self.conversation.record.write(name, answers[-1])
        if made.failed:
            raise StepFailed("\n".join(made.failed))
        with self.stages.stage("make"):
            set_step_texts(made, source, target)

    def _earlier(self, number: int, index: int, before: Version | None) -> EarlierTexts | None:
        """The model's texts for a step in the round before, and the slides that need new ones:
        those that findings name, all if a finding names none."""
        if before is None or not _given(index, before):
            return None
        step = TextStep.model_validate_json(_given(index, before))
        again: Collection[int] | None = ()
        if not step.failed and not _reusable(index, before):
            named = [slides_named_in(line, self.snapshot) for line in before.findings]
            again = {at for numbers in named for at in numbers} if all(named) else None
        return EarlierTexts(step, again, lambda given: self._feedback(number, given, before))

    def _context(
        self, number: int, index: int, source: Path, snapshot: Snapshot, before: Version | None
    ) -> StepContext:
        step = self.route.steps[index]
        context = StepContext(self.instruction, step, self.plan, snapshot)
        if step.path == "texts":
            return context
        shown = self.pictures
        checked = before.attempt.verification if before else None
        if checked is not None and self.options.vision and checked.drawn:
            shown = changed_slides(checked, pairs=True, first=step.slides)
        tools = deck_tools(source, snapshot, renderer=self.renderer) if self.options.tools else ()
        return replace(
            context,
            images=shown.images,
            pictures=shown.words,
            layouts=_layouts(source),
            tools=tools,
            feedback=self._feedback(number, _given(index, before), before),
        )

    def _feedback(self, number: int, given: str, before: Version | None) -> str:
        """Feedback on the round before, in which the model gave ``given``."""
        if before is None:
            return ""
        return editor_prompt(
            "feedback",
            round=str(number),
            rounds=str(self.options.rounds),
            given=given or "(nothing that could be used)",
            findings="\n".join(f"- {line}" for line in before.findings[:30]),
            changes=changes_words(before),
        )


def _given(index: int, before: Version | None) -> str:
    """The model's answer for a step in the round before; empty for nothing."""
    return before.answers[index] if before and index < len(before.answers) else ""


def _layouts(deck: Path) -> str:
    """The layouts of a deck; empty for one that can be patched, but not opened for editing."""
    try:
        return layout_words(deck)
    except DeckError:
        return ""


def _reusable(index: int, before: Version | None) -> str:
    """The model's answer for a step in the round before if a later step failed; else empty."""
    if before is None or before.failed_at is None or index >= before.failed_at:
        return ""
    return before.answers[index]


def _at(index: int, route: Route, text: str) -> str:
    return f"Step {index + 1}: {text}" if len(route.steps) > 1 else text
