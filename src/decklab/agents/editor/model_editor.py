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
from tempfile import TemporaryDirectory

from decklab.agents.editor.answer_forms import EditPlan, PatchList, Review, Route
from decklab.agents.editor.command_editor import check_slides, default_output, deliver
from decklab.agents.editor.conversation import Conversation, EditRecord, Unanswered, prompt
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
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.wording import words
from decklab.errors import DeckError, ModelError
from decklab.files import check_file
from decklab.models.asking import Ask, Usage
from decklab.ooxml.package import Package
from decklab.options import EDIT_ROUNDS, EditPaths, Isolation
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer
from decklab.sandbox.sandbox import check_isolation

_SENTENCES = 60


def edit_with_model(
    deck: str | Path,
    instruction: str,
    ask: Ask,
    *,
    out: str | Path | None = None,
    slides: Collection[int] | None = None,
    rounds: int = EDIT_ROUNDS,
    paths: EditPaths = "hybrid",
    vision: bool = True,
    review: bool = True,
    router: Ask | None = None,
    temperature: float | None = None,
    prices: tuple[float, float] | None = None,
    dry_run: bool = False,
    folder: str | Path | None = None,
    renderer: Renderer | None = None,
    draw: bool = True,
    seconds: float = PROGRAM_SECONDS,
    isolation: Isolation = "bubblewrap",
    progress: Progress | None = None,
) -> EditResult:
    """Have a model do what an instruction asks for, check it, and write the best version.

    ``out``, ``slides``, ``dry_run``, ``renderer``, ``draw`` and ``progress`` are those of
    ``edit_with_commands``. ``folder`` keeps every question, reply and version, see
    ``conversation``.

    The switches of the ablation of paper 003, table 4: ``paths`` (``"hybrid"``, ``"program"`` or
    ``"xml"``), ``rounds`` (1 is a single pass), ``vision`` (whether the model is shown slides;
    needs ``draw``), ``review`` (whether a version that passes verification is shown to the model
    once more while there are rounds left; else it is taken). ``router`` answers the routing
    question in place of ``ask``. ``prices`` are US dollars for a million tokens in and out, from
    which ``cost`` is computed. ``seconds`` and ``isolation`` limit the programs that are written.

    What the model cannot do, or does wrong, ends as an outcome that says what was tried. The input
    is never changed. Raises what is not the model's fault: DeckError where the deck cannot be read,
    ModelError where the model could not be asked and no version was good enough to keep,
    SandboxUnavailable where programs cannot be run here, RendererMissing where slides are to be
    drawn and nothing can draw them, OSError where the output cannot be written; the last three
    before the model is asked anything.
    """
    if rounds < 1:
        raise ValueError("rounds must be at least 1")
    source, stages = Path(deck), Stages(progress)
    target = default_output(deck) if out is None else Path(out)
    if not dry_run:
        check_file(target)
    if paths != "xml":
        check_isolation(isolation)
    with ExitStack() as stack:
        place = folder or stack.enter_context(TemporaryDirectory(prefix="decklab-edit-"))
        started = stack.enter_context((renderer or Renderer(cache=Cache())).started())
        if draw:
            started.check()
        conversation = Conversation(
            ask, EditRecord(Path(place)), router=router, temperature=temperature
        )
        edit = _ModelEdit(
            original=OriginalDeck(source), instruction=instruction, conversation=conversation,
            stages=stages, slides=slides, rounds=rounds, paths=paths, vision=vision, review=review,
            renderer=started if draw else None, seconds=seconds, isolation=isolation, prices=prices,
        )  # fmt: skip
        result = replace(
            edit.result(), usage=conversation.usage, cost=_cost(conversation.usage, prices)
        )
        if result.outcome != "refused" and not dry_run and result.best and result.best.deck:
            with stages.stage("write"):
                written = deliver(result.best.deck, target)
            result = replace(result, output=written)
        result = replace(result, seconds=dict(stages.seconds))
        facts = {"model": conversation.model, "paths": paths, "rounds": rounds, "vision": vision,
                 "review": review, **result.as_json()}  # fmt: skip
        conversation.record.keep_json("edit.json", facts)
        return result if folder is not None else result.without_copies()


def _cost(usage: Usage, prices: tuple[float, float] | None) -> float | None:
    if prices is None:
        return None
    return (usage.input_tokens * prices[0] + usage.output_tokens * prices[1]) / 1e6


@dataclass(frozen=True)
class _RoundResult:
    """What one round came to: a deck, or why there is none."""

    given: tuple[str, ...]
    """Program or patches by step."""
    deck: Path | None = None
    failure: str = ""

    @property
    def failed_at(self) -> int | None:
        """The step that failed, from 0."""
        return None if self.deck else max(0, len(self.given) - 1)


@dataclass(frozen=True, kw_only=True)
class _ModelEdit:
    """One request to the editor with a model."""

    original: OriginalDeck
    instruction: str
    conversation: Conversation
    stages: Stages
    slides: Collection[int] | None
    rounds: int
    paths: EditPaths
    vision: bool
    review: bool
    renderer: Renderer | None
    """None where nothing is to be drawn."""
    seconds: float
    isolation: Isolation
    prices: tuple[float, float] | None

    def result(self) -> EditResult:
        """What comes of the request, not yet written."""
        with self.stages.stage("read"):
            _ = self.original.problems, self.original.elements
            taken = snapshot_of(self.original.path)
            check_slides(self.original.path, self.slides, len(taken["slides"]))
        try:
            with self.stages.stage("route"):
                route = find_route(
                    self.conversation, self.instruction, taken, paths=self.paths, slides=self.slides
                )
            if route.cannot:
                return self._refused(route.cannot)
            pictures = self._pictures(route)
            with self.stages.stage("plan"):
                plan = make_plan(
                    self.conversation, self.instruction, taken, route, slides=self.slides,
                    images=pictures.images, pictures=pictures.words,
                )  # fmt: skip
            if plan.cannot.strip():
                return self._refused(plan.cannot)
        except Unanswered as error:
            return self._refused(str(error))
        maker = _RoundMaker(self, route, plan, taken, pictures)
        versions, broken = self._versions(maker)
        return self._judged(versions, plan, broken)

    def _pictures(self, route: Route) -> SlidePictures:
        if not self.vision or self.renderer is None:
            return SlidePictures()
        with self.stages.stage("draw"):
            return slides_before(self.original.path, route.slides, renderer=self.renderer)

    def _versions(self, maker: "_RoundMaker") -> tuple[list[Version], str]:
        """The versions of all rounds, until one is settled, and what ended the rounds too early.

        Where the model can no longer be asked, the rounds end if there is a version to keep; if
        not, its error is raised.
        """
        versions: list[Version] = []
        for number in range(1, self.rounds + 1):
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
        made = maker.make(number, versions[-1] if versions else None)
        seen = self._verified(made, maker.plan.plan())
        summary = f"round {number}: {', then '.join(step.path for step in maker.route.steps)}"
        spent = _since(usage, self.conversation.usage)
        attempt = EditAttempt(
            summary, made.deck, made.failure, seen, self.stages.since(clock), spent,
            _cost(spent, self.prices), _record_of(made, number, self.conversation.record),
        )  # fmt: skip
        version = Version(attempt, made.given, made.failed_at)
        versions.append(version)
        if seen is not None and seen.passed and self.review and number < self.rounds:
            asked = self._reviewed(version, maker.plan)
            spent = _since(usage, self.conversation.usage)
            attempt = replace(
                attempt, seconds=self.stages.since(clock), usage=spent,
                cost=_cost(spent, self.prices),
            )  # fmt: skip
            versions[-1] = replace(version, attempt=attempt, review=asked)
        self._keep_round(number, versions[-1])

    def _verified(self, made: _RoundResult, plan: Plan) -> Verification | None:
        if made.deck is None:
            return None
        seen = verify(
            self.original, made.deck, plan, renderer=self.renderer, draw=self.renderer is not None
        )
        self.stages.add(seen.seconds)
        return seen

    def _reviewed(self, version: Version, plan: EditPlan) -> Review | None:
        """The model's review of a version; None where its answer cannot be used."""
        seen = version.attempt.verification
        assert seen is not None
        shown = changed_slides(seen, pairs=True) if self.vision else SlidePictures()
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

    def _keep_round(self, number: int, version: Version) -> None:
        record, place = self.conversation.record, f"round-{number}"
        record.keep(f"{place}/findings.txt", "".join(f"{line}\n" for line in version.findings))
        seen = version.attempt.verification
        for drawn in seen.drawn if seen else ():
            for label, image in zip(("before", "after"), drawn.pngs, strict=True):
                if image is not None:
                    shown = drawn.number or drawn.before_number or 0
                    record.keep(f"{place}/slide-{shown:03}.{label}.png", image)

    def _judged(self, versions: list[Version], plan: EditPlan, broken: str) -> EditResult:
        best = best_of(versions, plan, self.slides)
        outcome, done, undone = outcome_of(best, versions, plan)
        undone += (broken,) if broken else ()
        return EditResult(
            self.original.path, self.instruction, outcome, done=done, undone=undone,
            best=best.attempt if best else None, attempts=tuple(one.attempt for one in versions),
        )  # fmt: skip

    def _refused(self, why: str) -> EditResult:
        attempt = EditAttempt("plan", failure=why.strip())
        return EditResult(
            self.original.path, self.instruction, "refused", undone=(why.strip(),),
            attempts=(attempt,),
        )  # fmt: skip


def _record_of(made: _RoundResult, number: int, record: EditRecord) -> dict[str, str]:
    given = {f"step {at}": text for at, text in enumerate(made.given, 1)}
    return {**given, "folder": str(record.folder / f"round-{number}")}


def _since(before: Usage, now: Usage) -> Usage:
    return Usage(
        now.input_tokens - before.input_tokens,
        now.output_tokens - before.output_tokens,
        now.seconds - before.seconds,
    )


@dataclass(frozen=True)
class _RoundMaker:
    """Asks for the steps of an edit and makes them, round by round, on copies of the deck."""

    edit: _ModelEdit
    route: Route
    plan: EditPlan
    taken: Snapshot
    pictures: SlidePictures

    def make(self, number: int, before: Version | None) -> _RoundResult:
        """Make round ``number``; ``before`` is the version of the round before.

        Each round starts from the original deck. Raises ModelError and SandboxUnavailable, which
        are no failures of the round.
        """
        folder = self.edit.conversation.record.round(number)
        deck = self.edit.original.path
        source, taken, given = deck, self.taken, list[str]()
        for index in range(len(self.route.steps)):
            last = index + 1 == len(self.route.steps)
            target = folder / (f"deck{deck.suffix}" if last else f"step-{index + 1}.pptx")
            given.append("")
            try:
                if index:
                    taken = snapshot_of(source)
                context = self._context(number, index, taken, before)
                self._step(context, source, target, given, _reusable(index, before))
            except (StepFailed, Unanswered) as error:
                return _RoundResult(tuple(given), failure=_at(index, self.route, str(error)))
            except DeckError as error:
                if source == deck:
                    raise
                return _RoundResult(tuple(given), failure=_at(index, self.route, str(error.detail)))
            source = target
        return _RoundResult(tuple(given), deck=source)

    def _step(
        self, context: StepContext, source: Path, target: Path, given: list[str], kept: str
    ) -> None:
        """Make a step with the program or the patches that are ``kept`` from the round before, or
        asked for where that is empty."""
        edit, keep = self.edit, self.edit.conversation.record.keep
        name = f"{target.parent.name}/step-{len(given)}"
        if context.step.path == "program":
            with edit.stages.stage("ask"):
                given[-1] = kept or ask_for_program(edit.conversation, context)
            keep(f"{name}.py", given[-1])
            with edit.stages.stage("make"):
                printed = run_program(
                    given[-1], source, target, seconds=edit.seconds, isolation=edit.isolation
                )
            keep(f"{name}.printed.txt", printed)
            return
        with edit.stages.stage("ask"):
            asked = None if kept else ask_for_patches(edit.conversation, context, source)
            given[-1] = kept if asked is None else asked.model_dump_json(indent=1)
        keep(f"{name}.patches.json", given[-1])
        with edit.stages.stage("make"):
            make_patches(PatchList.model_validate_json(given[-1]), source, target)

    def _context(
        self, number: int, index: int, taken: Snapshot, before: Version | None
    ) -> StepContext:
        shown = self.pictures
        seen = before.attempt.verification if before else None
        if seen is not None and self.edit.vision and seen.drawn:
            shown = changed_slides(seen, pairs=True)
        return StepContext(
            self.edit.instruction, self.route.steps[index], self.plan, taken, shown.images,
            shown.words, self._feedback(number, index, before),
        )  # fmt: skip

    def _feedback(self, number: int, index: int, before: Version | None) -> str:
        if before is None:
            return ""
        given = before.given[index] if index < len(before.given) else ""
        return prompt(
            "feedback",
            round=str(number),
            rounds=str(self.edit.rounds),
            given=given or "(nothing that could be used)",
            findings="\n".join(f"- {line}" for line in before.findings[:30]),
            changes=changes_words(before),
        )


def _reusable(index: int, before: Version | None) -> str:
    """What the model gave for a step in the round before, where a later step failed; else empty."""
    if before is None or before.failed_at is None or index >= before.failed_at:
        return ""
    return before.given[index]


def _at(index: int, route: Route, text: str) -> str:
    return f"Step {index + 1}: {text}" if len(route.steps) > 1 else text


def changes_words(version: Version) -> str:
    """The changes of a version in words, one a line, the first ``_SENTENCES`` of them."""
    seen = version.attempt.verification
    lines = words(seen.diff) if seen else ()
    more = len(lines) - _SENTENCES
    shown = [*lines[:_SENTENCES], *([f"… and {more} more lines"] if more > 0 else [])]
    return "\n".join(shown) or "nothing"


def snapshot_of(deck: Path) -> Snapshot:
    """A deck as plain JSON; raises DeckError."""
    with Package.open(deck) as package:
        return snapshot(package)
