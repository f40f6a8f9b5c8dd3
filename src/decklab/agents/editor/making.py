"""One round: every step of the route asked for and made, from the original deck on."""

from dataclasses import dataclass
from pathlib import Path

from decklab.agents.editor.conversation import Conversation, Unanswered
from decklab.agents.editor.paths.brief import Brief, StepFailed
from decklab.agents.editor.paths.patching import ask_for_patches, make_patches
from decklab.agents.editor.paths.program import ask_for_program, run_program
from decklab.agents.editor.planning.answers import EditPlan, PatchList, Route, Step
from decklab.agents.editor.prompts import prompt
from decklab.agents.editor.seeing import Pictures, changed_slides
from decklab.agents.editor.stages import Stages
from decklab.agents.editor.versions import Version
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.wording import words
from decklab.errors import DeckError
from decklab.ooxml.package import Package
from decklab.sandbox.sandbox import Isolation

_SENTENCES = 60


@dataclass(frozen=True)
class Made:
    """What a round made: a deck, or why there is none."""

    given: tuple[str, ...]
    """Program or patches by step."""
    deck: Path | None = None
    failure: str = ""

    @property
    def failed_at(self) -> int | None:
        """The step that failed, from 0."""
        return None if self.deck else max(0, len(self.given) - 1)


@dataclass(frozen=True, kw_only=True)
class Maker:
    """Makes the steps of a route on copies of a deck."""

    deck: Path
    instruction: str
    route: Route
    plan: EditPlan
    taken: Snapshot
    pictures: Pictures
    talk: Conversation
    stages: Stages
    rounds: int
    seconds: float
    isolation: Isolation
    vision: bool

    def make(self, number: int, before: Version | None) -> Made:
        """Make round ``number`` with what came of the round before.

        Raises ModelError and SandboxUnavailable, which are no failures of the round.
        """
        folder = self.talk.record.round(number)
        source, taken, given = self.deck, self.taken, list[str]()
        for index, step in enumerate(self.route.steps):
            last = index + 1 == len(self.route.steps)
            target = folder / (f"deck{self.deck.suffix}" if last else f"step-{index + 1}.pptx")
            given.append("")
            try:
                if index:
                    taken = snapshot_of(source)
                brief = self._brief(step, taken, number, index, before)
                self._step(brief, source, target, given, _kept(index, before))
            except (StepFailed, Unanswered) as error:
                return Made(tuple(given), failure=_at(index, self.route, str(error)))
            except DeckError as error:
                if source == self.deck:
                    raise
                return Made(tuple(given), failure=_at(index, self.route, str(error.detail)))
            source = target
        return Made(tuple(given), deck=source)

    def _step(self, brief: Brief, source: Path, target: Path, given: list[str], kept: str) -> None:
        """Ask for a step, unless what was ``kept`` of the round before still serves; make it."""
        name = f"{target.parent.name}/step-{len(given)}"
        if brief.step.path == "program":
            with self.stages.stage("ask"):
                given[-1] = kept or ask_for_program(self.talk, brief)
            self.talk.record.keep(f"{name}.py", given[-1])
            with self.stages.stage("make"):
                printed = run_program(
                    given[-1], source, target, seconds=self.seconds, isolation=self.isolation
                )
            self.talk.record.keep(f"{name}.printed.txt", printed)
            return
        with self.stages.stage("ask"):
            given[-1] = kept or ask_for_patches(self.talk, brief, source).model_dump_json(indent=1)
        self.talk.record.keep(f"{name}.patches.json", given[-1])
        with self.stages.stage("make"):
            make_patches(PatchList.model_validate_json(given[-1]), source, target)

    def _brief(
        self, step: Step, taken: Snapshot, number: int, index: int, before: Version | None
    ) -> Brief:
        shown = self.pictures
        seen = before.attempt.verification if before else None
        if seen is not None and self.vision and seen.drawn:
            shown = changed_slides(seen, pairs=True)
        return Brief(
            self.instruction, step, self.plan, taken, shown.images, shown.words,
            self._feedback(number, index, before),
        )  # fmt: skip

    def _feedback(self, number: int, index: int, before: Version | None) -> str:
        if before is None:
            return ""
        given = before.given[index] if index < len(before.given) else ""
        return prompt(
            "feedback",
            round=str(number),
            rounds=str(self.rounds),
            given=given or "(nothing that could be used)",
            findings="\n".join(f"- {line}" for line in before.findings[:30]),
            changes=changes_words(before),
        )


def _kept(index: int, before: Version | None) -> str:
    """What the round before was given for a step that went well before another one failed."""
    if before is None or before.failed_at is None or index >= before.failed_at:
        return ""
    return before.given[index]


def _at(index: int, route: Route, text: str) -> str:
    return f"Step {index + 1}: {text}" if len(route.steps) > 1 else text


def changes_words(version: Version) -> str:
    """What a version changes, one line each."""
    seen = version.attempt.verification
    lines = words(seen.diff) if seen else ()
    more = len(lines) - _SENTENCES
    shown = [*lines[:_SENTENCES], *([f"… and {more} more lines"] if more > 0 else [])]
    return "\n".join(shown) or "nothing"


def snapshot_of(deck: Path) -> Snapshot:
    """A deck as plain JSON; raises DeckError."""
    with Package.open(deck) as package:
        return snapshot(package)
