"""The editor with a model, PPTPilot of paper 003: plan, edit, verify, reflect.

A model plans what will change and how it is made. A small edit comes with the plan, as calls of
operations, and is made at once; another is tried on copies of the deck, by calls, programs and
patches of XML. ``verify`` looks at what came of it; its findings go back to the model, for a few
rounds, each of which goes on from the last version. The best version is taken.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from decklab.core.errors import BudgetSpent, ModelError
from decklab.core.options import Spending
from decklab.core.stages import Progress, Stages
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.diffing.wording import sentence
from decklab.editing.plan import Plan
from decklab.editing.taking_back import put_back
from decklab.editing.verify import OriginalDeck, Verification, verify
from decklab.editor.conversation import Conversation, EditRecord
from decklab.editor.deck_tools import deck_tools
from decklab.editor.outcomes import made_worse
from decklab.editor.planning import (
    EditPlan,
    PlanBounds,
    checked_plan,
    make_plan,
    objections_to,
    plan_of,
)
from decklab.editor.result import (
    NOT_OVERSEEN,
    EditAttempt,
    EditOutput,
    EditResult,
    at_most,
    check_slides,
)
from decklab.editor.rounds import (
    NOT_AMENDED,
    ModelEditOptions,
    RoundMaker,
    RoundResult,
    ask_for_amendment,
    may_be_forgotten,
)
from decklab.editor.versions import (
    Version,
    ask_for_review,
    best_of,
    changes_words,
    outcome_of,
    overview_of,
)
from decklab.linting.drawn import drawn_findings
from decklab.models.asking import Ask, ModelTool, Usage
from decklab.models.model_run import begin_run, file_digest
from decklab.models.reading import Unanswered
from decklab.rendering.renderer import Cache, Renderer
from decklab.sandbox.sandbox import check_isolation


@dataclass(frozen=True)
class EditModel(ModelEditOptions):
    """A model that edits, and how."""

    name: str
    """As Inspect AI names it, such as ``openai/gpt-5``."""
    spending: Spending = field(default_factory=Spending)
    """Most that the edit may cost before it ends with the best version so far; prices by model; and
    the folder that keeps every question, reply and version. With the folder of the same edit, begun
    before, only the rest is asked."""

    def priced(self) -> "EditModel":
        """The same with the model's prices."""
        prices = self.spending.prices
        return replace(self, prices=prices.get(self.name) or prices.get("") or self.prices)


@contextmanager
def edit_by(
    model: EditModel,
    deck: Path,
    instruction: str,
    *,
    slides: Collection[int] | None = None,
    progress: Progress | None = None,
    earlier: Sequence[str] = (),
) -> Iterator[Callable[..., EditResult]]:
    """``edit_with_model`` with a model opened under its budget; a record knows of the request.

    Raises ModelUnavailable and SandboxUnavailable if what the model needs is not there.
    """
    if model.paths != "xml":
        check_isolation(model.isolation)
    asked = {
        "deck": file_digest(deck), "instruction": instruction, "earlier": list(earlier),
        "slides": None if slides is None else sorted(slides),
    }  # fmt: skip
    run = begin_run(model.spending, _run(model, asked))
    with run.asking(model.name, tell=progress) as ask:
        yield partial(edit_with_model, ask=ask, options=model.priced(), earlier=earlier)


def _run(model: EditModel, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Facts that a record keeps of an edit: all that changes its questions."""
    options = (
        "paths", "rounds", "vision", "review", "check_plan", "tools", "tool_calls", "temperature",
    )  # fmt: skip
    return {
        "command": "edit",
        "decklab": version("decklab"),
        **asked,
        "model": model.name,
        **{name: getattr(model, name) for name in options},
    }


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
    earlier: Sequence[str] = (),
) -> EditResult:
    """Have a model do what an instruction asks for, check it, and write the best version.

    ``out``, ``slides``, ``renderer``, ``draw`` and ``progress`` are those of
    ``edit_with_commands``. The ``folder`` of an ``EditOutput`` keeps every question, reply and
    version, see ``conversation``. ``earlier`` are the requests before this one in a conversation,
    each with what came of it, which this one may mean.

    A request that the model cannot do, or does wrong, ends as an outcome that says what was tried.
    The input is never changed. Raises what is not the model's fault: DeckError if the deck cannot
    be read, ModelError if the model could not be asked and no version was good enough to keep,
    SandboxUnavailable if programs cannot be run here, RendererMissing if slides are to be drawn and
    nothing can draw them, OSError if the output cannot be written; the last three before the model
    is asked anything.
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
            ask, EditRecord(Path(folder)), earlier=earlier,
            temperature=options.temperature, tool_calls=options.tool_calls,
        )  # fmt: skip
        edit = _ModelEdit(
            original=OriginalDeck(source, drawn_findings), instruction=instruction,
            conversation=conversation, stages=stages, slides=slides, options=options,
            renderer=started if draw else None,
        )  # fmt: skip
        result = edit.result()
        usage = conversation.usage
        result = output.write(replace(result, usage=usage, cost=options.cost(usage)), stages)
        facts = {
            "model": conversation.model,
            "paths": options.paths,
            "rounds": options.rounds,
            "vision": options.vision,
            "unseen": conversation.unseen,
            "review": options.review,
            "check_plan": options.check_plan,
            **result.as_json(),
        }
        conversation.record.write_json("edit.json", facts)
        return output.without_deleted(result)


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
    """None if nothing has to be drawn."""

    def result(self) -> EditResult:
        """The result of the request, not yet written."""
        with self.stages.stage("read"):
            _ = self.original.problems, self.original.elements
            snapshot = snapshot_of(self.original.path)
            check_slides(self.original.path, self.slides, len(snapshot["slides"]))
        try:
            with self.stages.stage("plan"):
                plan, doubts = self._plan(snapshot)
            if plan.cannot.strip():
                return self._refused(plan.cannot)
        except (Unanswered, BudgetSpent) as error:
            return self._refused(str(error))
        maker = RoundMaker(
            original=self.original.path,
            instruction=self.instruction,
            conversation=self.conversation,
            stages=self.stages,
            options=self.options,
            plan=plan,
            snapshot=snapshot,
            verified=lambda deck, plan: self._seen(deck, plan_of(plan.changes, snapshot)),
            renderer=self.renderer if self.options.vision else None,
        )
        versions, broken, maker = self._versions(maker, doubts)
        return self._judged(versions, maker, broken, doubts)

    def _plan(self, snapshot: Snapshot) -> tuple[EditPlan, tuple[str, ...]]:
        """The plan, and what still speaks against it."""
        bounds = PlanBounds(len(snapshot["slides"]), self.slides, self.options.paths)

        def plan(before: EditPlan | None, objections: Sequence[str]) -> EditPlan:
            return make_plan(
                self.conversation, self.instruction, snapshot, bounds,
                tools=self._tools(snapshot), before=before, objections=objections,
            )  # fmt: skip

        if not self.options.check_plan:
            return plan(None, ()), ()
        return checked_plan(self.conversation, self.instruction, snapshot, plan)

    def _tools(self, snapshot: Snapshot) -> tuple[ModelTool, ...]:
        if not (self.options.tools and self.conversation.takes_tools):
            return ()
        # Without pictures: a question without any does not find out whether the model sees them.
        return deck_tools(self.original.path, snapshot)

    def _versions(
        self, maker: RoundMaker, doubts: Collection[str]
    ) -> tuple[list[Version], str, RoundMaker]:
        """The versions of all rounds until one is settled, the error that ended them early, and
        the maker with the plan as it was in the end.

        If the model can no longer be asked, the rounds end if there is a version to keep, or
        the budget is spent; else its error is raised. They end, too, with a round that left the
        deck as the last one did, and if the model says that the edit cannot be made.
        """
        versions: list[Version] = []
        if maker.plan.operations:
            made, maker = self._made_at_once(maker, doubts)
            versions.append(made)
        for number in range(1, self.options.rounds + 1):
            before = versions[-1] if versions else None
            if before is not None and before.settled:
                break
            try:
                made, maker = self._round(number, maker, before, doubts)
            except ModelError as error:
                spent = isinstance(error, BudgetSpent)
                if not spent and best_of(versions, self.slides) is None:
                    raise
                return versions, f"The model could not be asked any more: {error}", maker
            same = made.decks[-1:] == (before.attempt.deck,) if before else False
            if before is not None and same:
                made = replace(made, worse=before.worse)
            if made.attempt.verification and made.attempt.verification.passed:
                made = self._reviewed(made, maker.plan)
            self._write_round(number, made)
            versions.append(made)
            if made.impossible or same:
                break
        return versions, "", maker

    def _made_at_once(
        self, maker: RoundMaker, doubts: Collection[str]
    ) -> tuple[Version, RoundMaker]:
        """The version that the operations of the plan make, and the maker; see ``_round``."""
        made, maker = self._version(0, maker.at_once(), maker, doubts, "at once: operations")
        checked, deck = made.attempt.verification, made.attempt.deck
        if checked is not None and deck is not None:
            plan = plan_of(maker.plan.changes, maker.snapshot)
            with self.stages.timed("compare"):
                made = replace(made, worse=made_worse(self.original, deck, checked, plan))
        self._write_round(0, made)
        return made, maker

    def _round(
        self, number: int, maker: RoundMaker, before: Version | None, doubts: Collection[str]
    ) -> tuple[Version, RoundMaker]:
        """Make one round; returns its version, not yet reviewed, and the maker, whose plan may be
        another now."""
        clock, usage = dict(self.stages.seconds), self.conversation.usage
        outcome = maker.make(number, before)
        ways = ", then ".join(step.path for step in maker.steps)
        version, maker = self._version(number, outcome, maker, doubts, f"round {number}: {ways}")
        return replace(version, attempt=self._spent(version.attempt, clock, usage)), maker

    def _version(
        self, number: int, outcome: RoundResult, maker: RoundMaker, doubts: Collection[str],
        summary: str,
    ) -> tuple[Version, RoundMaker]:  # fmt: skip
        """The version that a round made, verified, not yet reviewed; and the maker."""
        made, maker = self._verified(number, outcome, maker, doubts)
        record = _record_of(outcome, number, self.conversation.record)
        version = Version(
            replace(made, summary=summary, record=record), outcome.answers, outcome.decks,
            outcome.failed_at, impossible=outcome.impossible, remarks=outcome.remarks,
        )  # fmt: skip
        return version, maker

    def _spent(self, attempt: EditAttempt, clock: Mapping[str, float], usage: Usage) -> EditAttempt:
        """The attempt with what it took since ``clock`` and ``usage``, added to what it had."""
        spent = attempt.usage + (self.conversation.usage - usage)
        seconds = dict(attempt.seconds)
        for name, took in self.stages.since(clock).items():
            seconds[name] = seconds.get(name, 0.0) + took
        return replace(attempt, seconds=seconds, usage=spent, cost=self.options.cost(spent))

    def _verified(
        self, number: int, outcome: RoundResult, maker: RoundMaker, doubts: Collection[str]
    ) -> tuple[EditAttempt, RoundMaker]:
        """The deck of a round as an attempt: verified, with what nobody asked for put back; and
        the maker with the plan that it was held against."""
        if outcome.deck is None:
            return EditAttempt("", failure=outcome.failure), maker
        checked = outcome.checked or maker.verified(outcome.deck, maker.plan)
        amended = self._amended(maker, checked, doubts)
        if amended.plan is not maker.plan:
            checked = maker.verified(outcome.deck, amended.plan)
        target = self.conversation.record.round(number) / f"put-back{outcome.deck.suffix}"
        attempt = self._restored(outcome.deck, checked, amended, target)
        again = self._replanned(amended, checked, attempt)
        if again.plan is amended.plan:
            return attempt, again
        checked = again.verified(outcome.deck, again.plan)
        return self._restored(outcome.deck, checked, again, target), again

    def _replanned(self, maker: RoundMaker, made: Verification, attempt: EditAttempt) -> RoundMaker:
        """The maker with changes planned anew where putting back met what was planned; asked once
        an edit, and not taken where the new plan is objected to."""
        now = attempt.verification or made
        lost = [line for line in now.missing if line not in made.missing]
        met = [f"Planned, and gone with what was not planned and put back: {line}" for line in lost]
        met += [f"Not planned, and cannot be put back alone: {sentence(c)}" for c in now.unplanned]
        if maker.replanned or not met or not made.sound:
            return maker
        bounds = PlanBounds(len(maker.snapshot["slides"]), self.slides, self.options.paths)
        changes = maker.plan.changes
        with self.stages.stage("plan"), suppress(Unanswered, ModelError):
            plan = make_plan(
                self.conversation, self.instruction, maker.snapshot, bounds,
                before=maker.plan, objections=met,
            )  # fmt: skip
            plan = maker.plan.model_copy(update={"changes": plan.changes or changes})
            if not objections_to(self.conversation, self.instruction, maker.snapshot, plan):
                changes = plan.changes
        if changes == maker.plan.changes:
            return replace(maker, replanned=True)
        plan = maker.plan.model_copy(update={"changes": changes})
        return replace(maker, plan=plan, replanned=True)

    def _amended(
        self, maker: RoundMaker, checked: Verification, doubts: Collection[str]
    ) -> RoundMaker:
        """The maker with a plan that has what the model says it forgot; asked once an edit, and
        not if the model cannot be asked."""
        forgotten = may_be_forgotten(maker.plan, checked)
        if maker.amendment is not None or not forgotten or not checked.sound:
            return maker
        plan, amendment = maker.plan, NOT_AMENDED
        with self.stages.stage("plan"), suppress(Unanswered, ModelError):
            plan, amendment = ask_for_amendment(
                self.conversation, self.instruction, maker.snapshot, maker.plan, forgotten,
                slides=self.slides, check_plan=self.options.check_plan, objections=doubts,
            )  # fmt: skip
        if amendment.changes:
            self.conversation.record.write("amendment.json", amendment.model_dump_json(indent=1))
        return replace(maker, plan=plan, amendment=amendment)

    def _restored(
        self, deck: Path, checked: Verification, maker: RoundMaker, target: Path
    ) -> EditAttempt:
        """A deck as an attempt, with what nobody asked for put back, in ``target``."""
        attempt = EditAttempt("", deck, verification=checked)
        if not checked.unplanned:
            return attempt
        plan = plan_of(maker.plan.changes, maker.snapshot)
        with self.stages.stage("restore"):
            again = put_back(self.original, deck, checked, plan, target, renderer=self.renderer)
        if again is None:
            return attempt
        return EditAttempt(
            "", target, verification=again.verification, put_back=again.gone, stayed=again.left
        )

    def _seen(self, deck: Path, plan: Plan) -> Verification:
        checked = verify(
            self.original, deck, plan, renderer=self.renderer, draw=self.renderer is not None
        )
        self.stages.add(checked.seconds)
        return checked

    def _reviewed(self, version: Version, plan: EditPlan) -> Version:
        """The version with the model's review, or with the reason why there is none."""
        checked = version.attempt.verification
        if not self.options.review or checked is None:
            return version
        version = self._overseen(version, plan)
        clock, usage = dict(self.stages.seconds), self.conversation.usage
        review, unreviewed = None, ""
        with self.stages.stage("review"):
            try:
                review = ask_for_review(
                    self.conversation,
                    self.instruction,
                    plan,
                    checked,
                    changes_words(version),
                    overview=version.attempt.overview,
                    put_back=at_most(version.attempt.put_back),
                    vision=self.options.vision,
                )
            except (Unanswered, ModelError) as error:
                unreviewed = f"Nobody could review it: {error}"
        attempt = self._spent(version.attempt, clock, usage)
        return replace(version, attempt=attempt, review=review, unreviewed=unreviewed)

    def _overseen(self, version: Version, plan: EditPlan) -> Version:
        """The version with what it added and left alone, in words."""
        deck, checked = version.attempt.deck, version.attempt.verification
        if deck is None or checked is None or version.attempt.overview is not NOT_OVERSEEN:
            return version
        with self.stages.stage("compare"):
            seen = overview_of(self.original.path, deck, checked.diff, plan.changes)
        return replace(version, attempt=replace(version.attempt, overview=seen))

    def _write_round(self, number: int, version: Version) -> None:
        record, place = self.conversation.record, f"round-{number}"
        record.write(f"{place}/findings.txt", "".join(f"{line}\n" for line in version.findings))
        checked = version.attempt.verification
        for drawn in checked.drawn if checked else ():
            for label, image in zip(("before", "after"), drawn.pngs, strict=True):
                if image is not None:
                    shown = drawn.number or drawn.before_number or 0
                    record.write(f"{place}/slide-{shown:03}.{label}.png", image)

    def _judged(
        self, versions: list[Version], maker: RoundMaker, broken: str, objections: Sequence[str]
    ) -> EditResult:
        plan, amendment = maker.plan, maker.amendment or NOT_AMENDED
        if (best := best_of(versions, self.slides)) is not None:
            at = versions.index(best)
            if best.complete and not (best.settled or best.review or best.unreviewed or broken):
                best = self._reviewed(best, plan)
            versions[at] = best = self._overseen(best, plan)
        doubts = [f"The plan of the edit may be wrong: {objection}" for objection in objections]
        doubts += [broken] if broken else []
        outcome, done, undone = outcome_of(best, versions, plan, doubts)
        return EditResult(
            self.original.path, self.instruction, outcome, done=done, undone=undone,
            rejected=best.rejected if best else (), amended=amendment.reason.strip(),
            remarks=_remarks(plan, best), best=best.attempt if best else None,
            attempts=tuple(version.attempt for version in versions),
        )  # fmt: skip

    def _refused(self, why: str) -> EditResult:
        attempt = EditAttempt("plan", failure=why.strip())
        return EditResult(
            self.original.path, self.instruction, "refused", undone=(why.strip(),),
            attempts=(attempt,),
        )  # fmt: skip


def _remarks(plan: EditPlan, best: Version | None) -> tuple[str, ...]:
    """Remarks of the model to the owner, each once."""
    said = (*plan.remarks, *(best.remarks if best else ()))
    return tuple(dict.fromkeys(" ".join(line.split()) for line in said if line.strip()))


def _record_of(outcome: RoundResult, number: int, record: EditRecord) -> dict[str, str]:
    answers = {f"step {at}": text for at, text in enumerate(outcome.answers, 1)}
    return {**answers, "folder": str(record.folder / f"round-{number}")}
