"""The editor with a model, PPTPilot of paper 003: plan, edit, verify, reflect.

A model chooses the steps, each by a program or by patches of XML, plans what will change, and edits
a copy of the deck; ``verify`` looks at the copy; its findings go back to the model, for a few
rounds. The best version is taken. Each round starts from the original deck, and the model learns
what was tried before, so that no round has to undo the damage of another; in the paper a round
starts from the last version.
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
from decklab.editing.plan import Plan
from decklab.editing.taking_back import put_back
from decklab.editing.verify import OriginalDeck, Verification, verify
from decklab.editor.conversation import (
    NO_PICTURES,
    Conversation,
    EditRecord,
    SlidePictures,
    slides_before,
)
from decklab.editor.deck_tools import deck_tools
from decklab.editor.planning import EditPlan, Route, checked_plan, find_route, make_plan, plan_of
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
from decklab.linting.lint import drawn_findings
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
    router_name: str | None = None
    """The model that chooses the steps, such as a small fast one; None for the one that edits."""
    spending: Spending = field(default_factory=Spending)
    """Most that the edit may cost before it ends with the best version so far; prices by model; and
    the folder that keeps every question, reply and version. With the folder of the same edit, begun
    before, only the rest is asked."""

    def opened(self, router: Ask | None) -> "EditModel":
        """The same with the models open, and with their prices."""
        prices = self.spending.prices
        return replace(
            self,
            router=router,
            prices=prices.get(self.name) or prices.get("") or self.prices,
            router_prices=prices.get(self.router_name or "") or prices.get(""),
        )


@contextmanager
def edit_by(
    model: EditModel,
    deck: Path,
    instruction: str,
    *,
    slides: Collection[int] | None = None,
    progress: Progress | None = None,
) -> Iterator[Callable[..., EditResult]]:
    """``edit_with_model`` with a model opened under its budget; a record knows of the request.

    Raises ModelUnavailable and SandboxUnavailable if what the model needs is not there.
    """
    if model.paths != "xml":
        check_isolation(model.isolation)
    asked = {"deck": file_digest(deck), "instruction": instruction,
             "slides": None if slides is None else sorted(slides)}  # fmt: skip
    run = begin_run(model.spending, _run(model, asked))
    with ExitStack() as stack:
        ask = stack.enter_context(run.asking(model.name, tell=progress))
        router = (
            stack.enter_context(run.asking(model.router_name, tell=progress))
            if model.router_name
            else None
        )
        yield partial(edit_with_model, ask=ask, options=model.opened(router))


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
        "router": model.router_name,
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
) -> EditResult:
    """Have a model do what an instruction asks for, check it, and write the best version.

    ``out``, ``slides``, ``renderer``, ``draw`` and ``progress`` are those of
    ``edit_with_commands``. The ``folder`` of an ``EditOutput`` keeps every question, reply and
    version, see ``conversation``.

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
            ask, EditRecord(Path(folder)), router=options.router,
            temperature=options.temperature, tool_calls=options.tool_calls,
        )  # fmt: skip
        edit = _ModelEdit(
            original=OriginalDeck(source, drawn_findings), instruction=instruction,
            conversation=conversation, stages=stages, slides=slides, options=options,
            renderer=started if draw else None,
        )  # fmt: skip
        result = edit.result()
        usage = conversation.usage
        cost = options.cost(usage, conversation.routed)
        result = output.write(replace(result, usage=usage, cost=cost), stages)
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
            with self.stages.stage("route"):
                route = find_route(
                    self.conversation, self.instruction, snapshot,
                    paths=self.options.paths, slides=self.slides,
                )  # fmt: skip
            if route.cannot:
                return self._refused(route.cannot)
            pictures = self._pictures(route)
            with self.stages.stage("plan"):
                plan, doubts = self._plan(snapshot, route, pictures)
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
            route=route,
            plan=plan,
            snapshot=snapshot,
            pictures=pictures,
            renderer=self.renderer if self.options.vision else None,
        )
        versions, broken, maker = self._versions(maker, doubts)
        return self._judged(versions, maker, broken, doubts)

    def _plan(
        self, snapshot: Snapshot, route: Route, pictures: SlidePictures
    ) -> tuple[EditPlan, tuple[str, ...]]:
        """The plan, and what still speaks against it."""

        def plan(before: EditPlan | None, objections: Sequence[str]) -> EditPlan:
            return make_plan(
                self.conversation,
                self.instruction,
                snapshot,
                route,
                slides=self.slides,
                pictures=pictures,
                tools=self._tools(snapshot),
                before=before,
                objections=objections,
            )

        if not self.options.check_plan:
            return plan(None, ()), ()
        return checked_plan(self.conversation, self.instruction, snapshot, plan)

    def _pictures(self, route: Route) -> SlidePictures:
        if not self.options.vision or self.renderer is None:
            return NO_PICTURES
        with self.stages.stage("draw"):
            return slides_before(self.original.path, route.slides, renderer=self.renderer)

    def _tools(self, snapshot: Snapshot) -> tuple[ModelTool, ...]:
        if not self.options.tools:
            return ()
        renderer = self.renderer if self.options.vision else None
        return deck_tools(self.original.path, snapshot, renderer=renderer)

    def _versions(
        self, maker: RoundMaker, doubts: Collection[str]
    ) -> tuple[list[Version], str, RoundMaker]:
        """The versions of all rounds until one is settled, the error that ended them early, and
        the maker with the plan as it was in the end.

        If the model can no longer be asked, the rounds end if there is a version to keep, or
        the budget is spent; else its error is raised.
        """
        versions: list[Version] = []
        for number in range(1, self.options.rounds + 1):
            try:
                made, maker = self._round(number, maker, versions[-1] if versions else None, doubts)
            except ModelError as error:
                spent = isinstance(error, BudgetSpent)
                if not spent and best_of(versions, self.slides) is None:
                    raise
                return versions, f"The model could not be asked any more: {error}", maker
            if made.attempt.verification and made.attempt.verification.passed:
                made = self._reviewed(made, maker.plan)
            self._write_round(number, made)
            versions.append(made)
            if made.settled:
                break
        return versions, "", maker

    def _round(
        self, number: int, maker: RoundMaker, before: Version | None, doubts: Collection[str]
    ) -> tuple[Version, RoundMaker]:
        """Make one round; returns its version, not yet reviewed, and the maker, whose plan may be
        another now."""
        clock, usage = dict(self.stages.seconds), self.conversation.usage
        outcome = maker.make(number, before)
        made, maker = self._verified(outcome, maker, doubts)
        summary = f"round {number}: {', then '.join(step.path for step in maker.route.steps)}"
        attempt = replace(
            made, summary=summary, record=_record_of(outcome, number, self.conversation.record)
        )
        version = Version(self._spent(attempt, clock, usage), outcome.answers, outcome.failed_at)
        return version, maker

    def _spent(self, attempt: EditAttempt, clock: Mapping[str, float], usage: Usage) -> EditAttempt:
        """The attempt with what it took since ``clock`` and ``usage``, added to what it had."""
        spent = attempt.usage + (self.conversation.usage - usage)
        seconds = dict(attempt.seconds)
        for name, took in self.stages.since(clock).items():
            seconds[name] = seconds.get(name, 0.0) + took
        return replace(attempt, seconds=seconds, usage=spent, cost=self.options.cost(spent))

    def _verified(
        self, outcome: RoundResult, maker: RoundMaker, doubts: Collection[str]
    ) -> tuple[EditAttempt, RoundMaker]:
        """The deck of a round as an attempt: verified, with what nobody asked for put back; and
        the maker with the plan that it was held against."""
        if outcome.deck is None:
            return EditAttempt("", failure=outcome.failure), maker
        checked = self._seen(outcome.deck, plan_of(maker.plan.changes, maker.snapshot))
        amended = self._amended(maker, checked, doubts)
        if amended.plan is not maker.plan:
            checked = self._seen(outcome.deck, plan_of(amended.plan.changes, maker.snapshot))
        return self._restored(outcome.deck, checked, amended), amended

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

    def _restored(self, deck: Path, checked: Verification, maker: RoundMaker) -> EditAttempt:
        """A deck as an attempt, with what nobody asked for put back."""
        attempt = EditAttempt("", deck, verification=checked)
        if not checked.unplanned:
            return attempt
        plan = plan_of(maker.plan.changes, maker.snapshot)
        target = deck.with_name(f"put-back{deck.suffix}")
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
        best = best_of(versions, self.slides)
        if best is not None:
            at = versions.index(best)
            if best.complete and not (best.review or best.unreviewed or broken):
                best = self._reviewed(best, plan)
            versions[at] = best = self._overseen(best, plan)
        doubts = [f"The plan of the edit may be wrong: {objection}" for objection in objections]
        doubts += [broken] if broken else []
        outcome, done, undone = outcome_of(best, versions, plan, doubts)
        return EditResult(
            self.original.path, self.instruction, outcome, done=done, undone=undone,
            rejected=best.rejected if best else (), amended=amendment.reason.strip(),
            best=best.attempt if best else None,
            attempts=tuple(version.attempt for version in versions),
        )  # fmt: skip

    def _refused(self, why: str) -> EditResult:
        attempt = EditAttempt("plan", failure=why.strip())
        return EditResult(
            self.original.path, self.instruction, "refused", undone=(why.strip(),),
            attempts=(attempt,),
        )  # fmt: skip


def _record_of(outcome: RoundResult, number: int, record: EditRecord) -> dict[str, str]:
    answers = {f"step {at}": text for at, text in enumerate(outcome.answers, 1)}
    return {**answers, "folder": str(record.folder / f"round-{number}")}
