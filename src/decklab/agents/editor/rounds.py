"""One round of an edit with a model: its steps are asked for and made, on copies of the deck."""

from dataclasses import dataclass
from pathlib import Path

from decklab.agents.editor.conversation import Conversation, prompt
from decklab.agents.editor.edit_options import ModelEditOptions
from decklab.agents.editor.pictures import SlidePictures, changed_slides
from decklab.agents.editor.planning import EditPlan
from decklab.agents.editor.routing import Route
from decklab.agents.editor.stages import Stages
from decklab.agents.editor.steps import (
    PatchList,
    StepContext,
    StepFailed,
    ask_for_patches,
    ask_for_program,
    make_patches,
    run_program,
)
from decklab.agents.editor.versions import Version, changes_words
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.errors import DeckError
from decklab.models.answering import Unanswered


@dataclass(frozen=True)
class RoundResult:
    """What one round gave: a deck, or why there is none."""

    answers: tuple[str, ...]
    """The model's program or patches, by step."""
    deck: Path | None = None
    failure: str = ""

    @property
    def failed_at(self) -> int | None:
        """The step that failed, from 0."""
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
                context = self._context(number, index, snapshot, before)
                self._step(context, source, target, answers, _reusable(index, before))
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
        self, context: StepContext, source: Path, target: Path, answers: list[str], reused: str
    ) -> None:
        """Make a step with the program or patches ``reused`` from the round before; where that is
        empty, the model is asked for them."""
        write = self.conversation.record.write
        name = f"{target.parent.name}/step-{len(answers)}"
        if context.step.path == "program":
            with self.stages.stage("ask"):
                answers[-1] = reused or ask_for_program(self.conversation, context)
            write(f"{name}.py", answers[-1])
            with self.stages.stage("make"):
                printed = run_program(
                    answers[-1], source, target, seconds=self.options.seconds,
                    isolation=self.options.isolation,
                )  # fmt: skip
            write(f"{name}.printed.txt", printed)
            return
        with self.stages.stage("ask"):
            asked = None if reused else ask_for_patches(self.conversation, context, source)
            answers[-1] = reused if asked is None else asked.model_dump_json(indent=1)
        write(f"{name}.patches.json", answers[-1])
        with self.stages.stage("make"):
            make_patches(PatchList.model_validate_json(answers[-1]), source, target)

    def _context(
        self, number: int, index: int, snapshot: Snapshot, before: Version | None
    ) -> StepContext:
        shown = self.pictures
        checked = before.attempt.verification if before else None
        if checked is not None and self.options.vision and checked.drawn:
            shown = changed_slides(checked, pairs=True)
        return StepContext(
            self.instruction, self.route.steps[index], self.plan, snapshot, shown.images,
            shown.words, self._feedback(number, index, before),
        )  # fmt: skip

    def _feedback(self, number: int, index: int, before: Version | None) -> str:
        if before is None:
            return ""
        answer = before.answers[index] if index < len(before.answers) else ""
        return prompt(
            "feedback",
            round=str(number),
            rounds=str(self.options.rounds),
            given=answer or "(nothing that could be used)",
            findings="\n".join(f"- {line}" for line in before.findings[:30]),
            changes=changes_words(before),
        )


def _reusable(index: int, before: Version | None) -> str:
    """What the model gave for a step in the round before, where a later step failed; else empty."""
    if before is None or before.failed_at is None or index >= before.failed_at:
        return ""
    return before.answers[index]


def _at(index: int, route: Route, text: str) -> str:
    return f"Step {index + 1}: {text}" if len(route.steps) > 1 else text
