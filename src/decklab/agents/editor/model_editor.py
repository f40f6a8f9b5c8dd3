"""The editor with a model, PPTPilot of paper 003: plan, edit, verify, reflect.

A model chooses the steps, each by a program or by patches of XML, plans what will change, and edits
a copy of the deck; ``verify`` looks at the copy; what it finds goes back to the model, for a few
rounds. The best version is taken. Each round starts from the original deck, and the model learns
what was tried before, so that no round has to undo the damage of another; in the paper a round
starts from the last version.
"""

from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from decklab.agents.editor.answer_forms import EditPlan, PatchList, Review, Route
from decklab.agents.editor.command_editor import check_slides
from decklab.agents.editor.conversation import Conversation, EditRecord, prompt
from decklab.agents.editor.output import EditOutput
from decklab.agents.editor.pictures import SlidePictures, changed_slides, slides_before
from decklab.agents.editor.planning import find_route, make_plan
from decklab.agents.editor.result import EditAttempt, EditResult
from decklab.agents.editor.stages import Progress, Stages
from decklab.agents.editor.steps import (
    PROGRAM_SECONDS,
    StepContext,
    StepFailed,
    ask_for_patches,
    ask_for_program,
    make_patches,
    plan_words,
    run_program,
)
from decklab.agents.editor.verification import Plan, Verification
from decklab.agents.editor.verify import OriginalDeck, verify
from decklab.agents.editor.versions import Version, best_of, outcome_of
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.diffing.wording import words
from decklab.errors import DeckError, ModelError
from decklab.models.answering import Unanswered
from decklab.models.asking import Ask, Usage
from decklab.models.limits import Prices
from decklab.options import EDIT_ROUNDS, EditPaths, Isolation
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer
from decklab.sandbox.sandbox import check_isolation

_SENTENCES = 60


@dataclass(frozen=True, kw_only=True)
class ModelEditOptions:
    """How a model edits. The first four are the switches of paper 003's ablation (table 4).

    Raises ValueError for fewer than one round.
    """

    paths: EditPaths = "hybrid"
    """How steps are made: ``program``, ``xml``, or each as the model chooses."""
    rounds: int = EDIT_ROUNDS
    """How often it may try, the first included."""
    vision: bool = True
    """Whether it is shown the slides; they have to be drawn for that."""
    review: bool = True
    """Whether a version that passes verification is shown to it once more while there are rounds
    left; else that version is taken."""
    router: Ask | None = None
    """The model that chooses the steps; None for the one that edits."""
    temperature: float | None = None
    prices: tuple[float, float] | None = None
    """US dollars for a million tokens in and out."""
    seconds: float = PROGRAM_SECONDS
    """How long a program that it writes may run."""
    isolation: Isolation = "bubblewrap"
    """Of the programs that it writes."""

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError("rounds must be at least 1")

    def cost(self, usage: Usage) -> float | None:
        """US dollars; None where the prices are not known."""
        return None if self.prices is None else Prices(*self.prices).cost(usage)


def edit_with_model(
    deck: str | Path,
    instruction: str,
    ask: Ask,
    *,
    out: str | Path | EditOutput | None = None,
    slides: Collection[int] | None = None,
    options: ModelEditOptions | None = None,
    renderer: Renderer | None = None,
    draw: bool = True,
    progress: Progress | None = None,
) -> EditResult:
    """Have a model do what an instruction asks for, check it, and write the best version.

    ``out``, ``slides``, ``renderer``, ``draw`` and ``progress`` are those of
    ``edit_with_commands``. The ``folder`` of an ``EditOutput`` keeps every question, reply and
    version, see ``conversation``.

    What the model cannot do, or does wrong, ends as an outcome that says what was tried. The input
    is never changed. Raises what is not the model's fault: DeckError where the deck cannot be read,
    ModelError where the model could not be asked and no version was good enough to keep,
    SandboxUnavailable where programs cannot be run here, RendererMissing where slides are to be
    drawn and nothing can draw them, OSError where the output cannot be written; the last three
    before the model is asked anything.
    """
    options = options or ModelEditOptions()
    source, stages = Path(deck), Stages(progress)
    output = EditOutput.checked(out, deck)
    if options.paths != "xml":
        check_isolation(options.isolation)
    with ExitStack() as stack:
        folder = stack.enter_context(output.copies())
        started = stack.enter_context((renderer or Renderer(cache=Cache())).started())
        if draw:
            started.check()
        conversation = Conversation(
            ask, EditRecord(Path(folder)), router=options.router, temperature=options.temperature
        )
        edit = _ModelEdit(
            original=OriginalDeck(source), instruction=instruction, conversation=conversation,
            stages=stages, slides=slides, options=options, renderer=started if draw else None,
        )  # fmt: skip
        result = edit.result()
        usage = conversation.usage
        result = output.write(replace(result, usage=usage, cost=options.cost(usage)), stages)
        facts = {"model": conversation.model, "paths": options.paths, "rounds": options.rounds,
                 "vision": options.vision, "unseen": conversation.unseen,
                 "review": options.review, **result.as_json()}  # fmt: skip
        conversation.record.write_json("edit.json", facts)
        return output.without_deleted(result)


@dataclass(frozen=True)
class _RoundResult:
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
class _ModelEdit:
    """One request to the editor with a model."""

    original: OriginalDeck
    instruction: str
    conversation: Conversation
    stages: Stages
    slides: Collection[int] | None
    options: ModelEditOptions
    renderer: Renderer | None
    """None where nothing is to be drawn."""

    def result(self) -> EditResult:
        """What comes of the request, not yet written."""
        with self.stages.stage("read"):
            _ = self.original.problems, self.original.elements
            snapshot = snapshot_of(self.original.path)
            check_slides(self.original.path, self.slides, len(snapshot["slides"]))
        try:
            with self.stages.stage("route"):
                route = find_route(
                    self.conversation, self.instruction, snapshot,
                    paths=self.options.paths, slides=self.slides,
                )  # fmt: skip
            if route.cannot:
                return self._refused(route.cannot)
            pictures = self._pictures(route)
            with self.stages.stage("plan"):
                plan = make_plan(
                    self.conversation, self.instruction, snapshot, route, slides=self.slides,
                    images=pictures.images, pictures=pictures.words,
                )  # fmt: skip
            if plan.cannot.strip():
                return self._refused(plan.cannot)
        except Unanswered as error:
            return self._refused(str(error))
        maker = _RoundMaker(self, route, plan, snapshot, pictures)
        versions, broken = self._versions(maker)
        return self._judged(versions, plan, broken)

    def _pictures(self, route: Route) -> SlidePictures:
        if not self.options.vision or self.renderer is None:
            return SlidePictures()
        with self.stages.stage("draw"):
            return slides_before(self.original.path, route.slides, renderer=self.renderer)

    def _versions(self, maker: "_RoundMaker") -> tuple[list[Version], str]:
        """The versions of all rounds until one is settled, and the error that ended them early.

        Where the model can no longer be asked, the rounds end if there is a version to keep; if
        not, its error is raised.
        """
        versions: list[Version] = []
        for number in range(1, self.options.rounds + 1):
            try:
                self._round(number, maker, versions)
            except ModelError as error:
                if best_of(versions, maker.plan, self.slides) is None:
                    raise
                return versions, f"The model could not be asked any more: {error}"
            if versions[-1].settled:
                break
        return versions, ""

    def _round(self, number: int, maker: "_RoundMaker", versions: list[Version]) -> None:
        """Make one round; add its version, with what a review says of it, to ``versions``."""
        clock, usage = dict(self.stages.seconds), self.conversation.usage
        outcome = maker.make(number, versions[-1] if versions else None)
        checked = self._verified(outcome, maker.plan.plan())
        summary = f"round {number}: {', then '.join(step.path for step in maker.route.steps)}"
        spent = _since(usage, self.conversation.usage)
        attempt = EditAttempt(
            summary, outcome.deck, outcome.failure, checked, self.stages.since(clock), spent,
            self.options.cost(spent), _record_of(outcome, number, self.conversation.record),
        )  # fmt: skip
        version = Version(attempt, outcome.answers, outcome.failed_at)
        versions.append(version)
        another = self.options.review and number < self.options.rounds
        if checked is not None and checked.passed and another:
            asked = self._reviewed(version, maker.plan)
            spent = _since(usage, self.conversation.usage)
            attempt = replace(
                attempt, seconds=self.stages.since(clock), usage=spent,
                cost=self.options.cost(spent),
            )  # fmt: skip
            versions[-1] = replace(version, attempt=attempt, review=asked)
        self._write_round(number, versions[-1])

    def _verified(self, outcome: _RoundResult, plan: Plan) -> Verification | None:
        if outcome.deck is None:
            return None
        checked = verify(
            self.original, outcome.deck, plan,
            renderer=self.renderer, draw=self.renderer is not None,
        )  # fmt: skip
        self.stages.add(checked.seconds)
        return checked

    def _reviewed(self, version: Version, plan: EditPlan) -> Review | None:
        """The model's review of a version; None where its answer cannot be used."""
        checked = version.attempt.verification
        assert checked is not None
        shown = changed_slides(checked, pairs=True) if self.options.vision else SlidePictures()
        text = prompt(
            "review",
            instruction=self.instruction,
            plan=plan_words(plan),
            changes=changes_words(version),
            pictures=shown.words or "There are no pictures.",
        )
        with self.stages.stage("review"):
            try:
                return self.conversation.answer("review", text, Review, images=shown.images)
            except Unanswered:
                return None

    def _write_round(self, number: int, version: Version) -> None:
        record, place = self.conversation.record, f"round-{number}"
        record.write(f"{place}/findings.txt", "".join(f"{line}\n" for line in version.findings))
        checked = version.attempt.verification
        for drawn in checked.drawn if checked else ():
            for label, image in zip(("before", "after"), drawn.pngs, strict=True):
                if image is not None:
                    shown = drawn.number or drawn.before_number or 0
                    record.write(f"{place}/slide-{shown:03}.{label}.png", image)

    def _judged(self, versions: list[Version], plan: EditPlan, broken: str) -> EditResult:
        best = best_of(versions, plan, self.slides)
        outcome, done, undone = outcome_of(best, versions, plan)
        undone += (broken,) if broken else ()
        return EditResult(
            self.original.path, self.instruction, outcome, done=done, undone=undone,
            best=best.attempt if best else None,
            attempts=tuple(version.attempt for version in versions),
        )  # fmt: skip

    def _refused(self, why: str) -> EditResult:
        attempt = EditAttempt("plan", failure=why.strip())
        return EditResult(
            self.original.path, self.instruction, "refused", undone=(why.strip(),),
            attempts=(attempt,),
        )  # fmt: skip


def _record_of(outcome: _RoundResult, number: int, record: EditRecord) -> dict[str, str]:
    answers = {f"step {at}": text for at, text in enumerate(outcome.answers, 1)}
    return {**answers, "folder": str(record.folder / f"round-{number}")}


def _since(before: Usage, now: Usage) -> Usage:
    return Usage(
        now.input_tokens - before.input_tokens,
        now.output_tokens - before.output_tokens,
        now.seconds - before.seconds,
        now.requests - before.requests,
    )


@dataclass(frozen=True)
class _RoundMaker:
    """Asks for the steps of an edit and makes them, round by round, on copies of the deck."""

    edit: _ModelEdit
    route: Route
    plan: EditPlan
    snapshot: Snapshot
    pictures: SlidePictures

    def make(self, number: int, before: Version | None) -> _RoundResult:
        """Make round ``number``; ``before`` is the version of the round before.

        Each round starts from the original deck. Raises ModelError and SandboxUnavailable, which
        are no failures of the round.
        """
        folder = self.edit.conversation.record.round(number)
        deck = self.edit.original.path
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
                return _RoundResult(tuple(answers), failure=_at(index, self.route, str(error)))
            except DeckError as error:
                if source == deck:
                    raise
                return _RoundResult(
                    tuple(answers), failure=_at(index, self.route, str(error.detail))
                )
            source = target
        return _RoundResult(tuple(answers), deck=source)

    def _step(
        self, context: StepContext, source: Path, target: Path, answers: list[str], reused: str
    ) -> None:
        """Make a step with the program or patches ``reused`` from the round before; where that is
        empty, the model is asked for them."""
        edit, write = self.edit, self.edit.conversation.record.write
        name = f"{target.parent.name}/step-{len(answers)}"
        if context.step.path == "program":
            with edit.stages.stage("ask"):
                answers[-1] = reused or ask_for_program(edit.conversation, context)
            write(f"{name}.py", answers[-1])
            with edit.stages.stage("make"):
                printed = run_program(
                    answers[-1], source, target, seconds=edit.options.seconds,
                    isolation=edit.options.isolation,
                )  # fmt: skip
            write(f"{name}.printed.txt", printed)
            return
        with edit.stages.stage("ask"):
            asked = None if reused else ask_for_patches(edit.conversation, context, source)
            answers[-1] = reused if asked is None else asked.model_dump_json(indent=1)
        write(f"{name}.patches.json", answers[-1])
        with edit.stages.stage("make"):
            make_patches(PatchList.model_validate_json(answers[-1]), source, target)

    def _context(
        self, number: int, index: int, snapshot: Snapshot, before: Version | None
    ) -> StepContext:
        shown = self.pictures
        checked = before.attempt.verification if before else None
        if checked is not None and self.edit.options.vision and checked.drawn:
            shown = changed_slides(checked, pairs=True)
        return StepContext(
            self.edit.instruction, self.route.steps[index], self.plan, snapshot, shown.images,
            shown.words, self._feedback(number, index, before),
        )  # fmt: skip

    def _feedback(self, number: int, index: int, before: Version | None) -> str:
        if before is None:
            return ""
        answer = before.answers[index] if index < len(before.answers) else ""
        return prompt(
            "feedback",
            round=str(number),
            rounds=str(self.edit.options.rounds),
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


def changes_words(version: Version) -> str:
    """The changes of a version in words, one a line, the first ``_SENTENCES`` of them."""
    checked = version.attempt.verification
    lines = words(checked.diff) if checked else ()
    more = len(lines) - _SENTENCES
    shown = [*lines[:_SENTENCES], *([f"… and {more} more lines"] if more > 0 else [])]
    return "\n".join(shown) or "nothing"
