"""The plan of an edit: how it is made, what will change, what that means for verification, and the
plan held against the request before anything is made.

Paper 003, section 4 and appendix G.1. The paper asks first for the way of each step, then for the
plan; here one question asks for both, and a small edit comes with it.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import Field, TypeAdapter

from decklab.core.options import EditPaths
from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Kind
from decklab.editing.operations import declared_changes, named_operations, operation_calls
from decklab.editing.plan import OF_SHAPES, ExpectedChange, Plan
from decklab.editor.conversation import Conversation, editor_prompt, with_less
from decklab.editor.outline import (
    BRIEF,
    DETAIL_CHARACTERS,
    deck_outline,
    slides_in_full,
    slides_named_in,
    text_view,
)
from decklab.editor.steps import StepFailed, operations_program
from decklab.models.asking import ModelTool, StrictForm
from decklab.models.reading import Unanswered

MOST_STEPS = 4
"""Steps of one edit. Ours: each costs a question in every round."""
MOST_CALLS = 8
"""Calls of operations that are an edit of their own. Ours: what takes more is tried first."""
SMALL_SLIDES = 3
"""Slides of a plan that needs no second look. Ours."""
NAMED_CHARACTERS = 24_000
"""Most characters of the slides that a request names, or of the words of all. Ours: some 6,000
tokens."""
WORDS_CHARACTERS = 6_000
"""The same of the words of all slides if the model has tools to look at more. Ours."""


class EditStep(StrictForm):
    """One step of an edit, made in one way."""

    path: Literal["edit", "texts"]
    """``texts``: the model gives new words for old ones, in batches; counts as a program in paper
    003's ablation."""
    task: str = Field(min_length=1)
    """The work of this step, in words that need no other step."""
    slides: tuple[int, ...]
    """Numbers of the slides it works on; empty for the deck as a whole."""


class PlannedChange(StrictForm):
    """One change that the edited deck will show."""

    what: str = Field(min_length=1)
    kinds: tuple[Kind, ...]
    slides: tuple[int, ...]
    """Empty for any slide."""
    design: bool
    """Whether layouts, masters, themes, sections or the deck as a whole change, too."""
    shapes: tuple[str, ...]
    """Ids or names; empty for any."""
    required: bool
    count: int = Field(ge=1)
    """On how many shapes of each of its slides it has to come at least; of effects how many."""
    new_texts: tuple[str, ...]
    """Words that have to be on its slides afterwards, as they will stand there; often empty."""


class EditPlan(StrictForm):
    """How an edit is made, what it will change, and the words and values it will bring."""

    operations: tuple[str, ...]
    """Calls of editing operations that are the whole edit; else empty."""
    steps: tuple[EditStep, ...]
    """Empty where operations are the edit."""
    content: tuple[str, ...]
    """The content plan: one line for each text or value, place and wording."""
    changes: tuple[PlannedChange, ...]
    remarks: tuple[str, ...]
    """Facts that the owner of the deck has to know besides."""
    cannot: str

    @property
    def slides(self) -> tuple[int, ...]:
        """All slides that its steps work on, or its changes are on."""
        sources = self.steps or self.changes
        return tuple(sorted({number for source in sources for number in source.slides}))

    @property
    def small(self) -> bool:
        """Whether its changes are few, and each on few slides that it names."""
        if self.operations:
            return True
        named = all(change.slides and not change.design for change in self.changes)
        return named and len(self.slides) <= SMALL_SLIDES


@dataclass(frozen=True)
class PlanBounds:
    """The rules of a plan."""

    count: int
    """Slides of the deck."""
    slides: Collection[int] | None = None
    """Numbers of the only slides that may be changed; None for all."""
    paths: EditPaths = "hybrid"
    """With ``xml`` there are no operations."""


def make_plan(
    conversation: Conversation,
    instruction: str,
    snapshot: Snapshot,
    bounds: PlanBounds,
    *,
    tools: Sequence[ModelTool] = (),
    before: EditPlan | None = None,
    objections: Sequence[str] = (),
) -> EditPlan:
    """Ask a model how an edit is made, what will change, and with which words.

    It is shown the deck in outline and the slides that the request names; with ``tools`` it may
    look at more. ``objections`` are those to an earlier plan ``before``. Neighbouring steps of one
    path are joined. Raises Unanswered if no answer can be used.
    """
    slides = bounds.slides
    named = slides_named_in(instruction, snapshot) if slides is None else tuple(sorted(slides))

    def asked(most: int) -> EditPlan:
        text = editor_prompt(
            "plan",
            instruction=instruction,
            outline=deck_outline(snapshot, most=most, **({"width": BRIEF} if named else {})),
            named=_named_words(snapshot, named, most if named or not tools else WORDS_CHARACTERS),
            operations=_operations_words(bounds.paths),
            bound=bound_words(slides),
            most=str(MOST_STEPS),
            most_calls=str(MOST_CALLS),
            objections=_objections_words(before, objections),
        )
        return conversation.answer(
            "plan", text, EditPlan, tools=tools, check=lambda got: plan_problem(got, bounds)
        )

    plan = with_less(asked, NAMED_CHARACTERS)
    steps = _joined(tuple(_bounded(_forced(step, bounds.paths), slides) for step in plan.steps))
    return _with_declared(_with_followers(plan.model_copy(update={"steps": steps})))


def _operations_words(paths: EditPaths) -> str:
    if paths == "xml":
        return "There are no functions: operations stays empty."
    return (
        "The functions, each as a call with values such as it takes, and the defaults of those "
        f"that may be left out:\n{operation_calls()}"
    )


def _named_words(snapshot: Snapshot, named: Collection[int], most: int) -> str:
    """The slides that a request names, in full; the words of all slides where it names none."""
    if named:
        shown = slides_in_full(snapshot, named, most=most)
        return f"{FULL_WORDS}\n{shown}"
    view = text_view(snapshot, most=most)
    left = "" if view.complete else " (as far as there is room)"
    return f"The words of all slides{left}:\n{view.lines or 'none'}"


FULL_WORDS = (
    "Slides in full, one JSON object a line: shapes from back to front, box is x, y, width, height "
    "in px of a 960x540 frame, sizes in points, looks with everything inherited; the looks of most "
    "paragraphs, runs and cells are said once, and null is what one of them does not have. Where "
    "there was no room for all of a slide, `shown` and `left_out` say so."
)
"""Words before ``slides_in_full`` in a prompt."""


def _forced(step: EditStep, paths: EditPaths) -> EditStep:
    """A step made in the way that is called for; new texts count as a program."""
    return step.model_copy(update={"path": "edit"}) if paths == "xml" else step


def _bounded(step: EditStep, slides: Collection[int] | None) -> EditStep:
    """A step on texts that names no slide, on those that may be changed."""
    if step.path != "texts" or step.slides or slides is None:
        return step
    return step.model_copy(update={"slides": tuple(sorted(slides))})


def bound_words(slides: Collection[int] | None) -> str:
    """Which slides may be changed, for a prompt."""
    if slides is None:
        return "The whole deck may be changed where the request asks for it."
    return f"Only these slides may be changed, nothing else: {', '.join(map(str, sorted(slides)))}."


def _joined(steps: tuple[EditStep, ...]) -> tuple[EditStep, ...]:
    joined: list[EditStep] = []
    for step in steps:
        if joined and joined[-1].path == step.path:
            joined[-1] = _two_joined(joined[-1], step)
        else:
            joined.append(step)
    return tuple(joined)


def _two_joined(first: EditStep, second: EditStep) -> EditStep:
    """Two steps of one path as one; if either works on the deck as a whole, so does it."""
    whole = not (first.slides and second.slides)
    numbers = () if whole else tuple(sorted({*first.slides, *second.slides}))
    return EditStep(path=first.path, task=f"{first.task}\n{second.task}", slides=numbers)


def _with_followers(plan: EditPlan) -> EditPlan:
    """A plan that allows links to stand on other words, where steps change words and no links; and
    looks of words that are replaced to go with them, if no step can change looks otherwise."""
    if not any(step.path == "texts" for step in plan.steps):
        return plan
    whole = any(step.path == "texts" and not step.slides for step in plan.steps)
    words_only = all(step.path == "texts" for step in plan.steps)
    allowed = PlannedChange(
        what="links and looks follow the new words",
        kinds=("link", "style") if words_only else ("link",),
        slides=() if whole else plan.slides,
        design=False,
        shapes=(),
        required=False,
        count=1,
        new_texts=(),
    )
    return plan.model_copy(update={"changes": (*plan.changes, allowed)})


def _with_declared(plan: EditPlan) -> EditPlan:
    """A plan that allows what its operations declare to come along with them."""
    follows = list[str]()
    for call in plan.operations:
        follows += declared_changes(named_operations()[call.partition("(")[0].strip()])[1]
    if not follows:
        return plan
    along = PlannedChange(
        what="comes along with these operations",
        kinds=tuple(dict.fromkeys(map(_KIND.validate_python, follows))),
        slides=plan.slides,
        design=any(change.design for change in plan.changes),
        shapes=(),
        required=False,
        count=1,
        new_texts=(),
    )
    return plan.model_copy(update={"changes": (*plan.changes, along)})


_KIND = TypeAdapter[Kind](Kind)


def plan_words(plan: EditPlan) -> str:
    """The plan, one line for each change and each text."""
    lines = []
    for change in plan.changes:
        where = f" (slides {', '.join(map(str, change.slides))})" if change.slides else ""
        often = f" (at least {change.count} on each)" if change.count > 1 else ""
        lines.append(f"- {'' if change.required else 'perhaps: '}{change.what}{where}{often}")
    return "\n".join([*lines, *(f"- {line}" for line in plan.content)])


def _objections_words(before: EditPlan | None, objections: Sequence[str]) -> str:
    if before is None:
        return ""
    lines = "\n".join(f"- {line}" for line in objections)
    return (
        "You have planned this before, and somebody else held it against the request. Plan anew; "
        f"where an objection is wrong, keep to the request.\n\nYour plan:\n"
        f"{before.model_dump_json()}\n\nWhat was said against it:\n{lines}"
    )


_ONE_WAY = "give operations, or steps, or say in cannot why there are none; the others stay empty"


def plan_problem(plan: EditPlan, bounds: PlanBounds) -> str | None:
    """Why a plan cannot be used, in a line."""
    ways = [plan.operations, plan.steps, plan.cannot.strip()]
    if sum(map(bool, ways)) != 1:
        return _ONE_WAY
    if plan.cannot.strip():
        return None
    problem = _operations_problem(plan, bounds) or _steps_problem(plan.steps, bounds)
    if problem:
        return problem
    if not any(change.required for change in plan.changes):
        return "changes: give at least one change that is required, or say in cannot why not"
    for number, change in enumerate(plan.changes):
        if problem := change_problem(change, bounds.slides):
            return f"changes.{number}: {problem}"
    return None


def _operations_problem(plan: EditPlan, bounds: PlanBounds) -> str | None:
    if plan.operations and bounds.paths == "xml":
        return "operations: there are no functions here; give steps"
    if len(plan.operations) > MOST_CALLS:
        return f"operations: {len(plan.operations)} calls are too many to make untried; give steps"
    try:
        operations_program(plan.operations)
    except StepFailed as error:
        return f"operations: {error}"
    return None


def _steps_problem(steps: Sequence[EditStep], bounds: PlanBounds) -> str | None:
    if len(steps) > MOST_STEPS:
        return f"steps: there are {len(steps)}; give 1 to {MOST_STEPS}, or say in cannot why"
    numbers = [number for step in steps for number in step.slides]
    # Later steps count slides in the deck that the steps before them leave.
    first = steps[0].slides if steps else ()
    wrong = [n for n in first if n > bounds.count] + [n for n in numbers if n < 1]
    if wrong:
        return f"slides: there is no slide {wrong[0]}; the deck has {bounds.count}"
    beyond = sorted(set(numbers) - set(bounds.slides)) if bounds.slides is not None else []
    return f"slides: slide {beyond[0]} may not be changed" if beyond else None


def change_problem(change: PlannedChange, slides: Collection[int] | None) -> str | None:
    """Why one change of a plan cannot be used, in a line; see ``plan_problem``."""
    if not change.slides and not change.kinds:
        return "say on which slides, or of which kinds; anything anywhere is no plan"
    if min(change.slides, default=1) < 1:
        return "slides count from 1"
    if slides is None:
        return None
    if change.design or not change.slides:
        return "only some slides may be changed: name them in slides, with design false"
    beyond = sorted(set(change.slides) - set(slides))
    return f"slide {beyond[0]} may not be changed" if beyond else None


_Slides = Mapping[int, Mapping[str, Any]]
"""Slides of a snapshot by number."""

DESIGN_KINDS: Final[frozenset[Kind]] = frozenset(
    {"master", "theme", "section", "show", "properties"}
)
"""Kinds of changes that no slide has."""
_MADE: Final[Mapping[Kind, str]] = {
    "notes": "notes", "comment": "comments", "transition": "transition", "animation": "animations",
}  # fmt: skip
"""Kinds of changes that a slide has or gets, with their key in a snapshot."""
_SHAPES: Final[Mapping[Kind, str]] = {
    "table": "table", "chart": "chart", "diagram": "diagram", "picture": "image", "media": "media",
}  # fmt: skip
"""Kinds of changes of shapes that have to be there, with the kind of shape in a snapshot."""
_UNCERTAIN: Final[frozenset[Kind]] = frozenset({"layout", "name", "detail", "other", "properties"})
"""Kinds that nothing tells apart well enough to ask for each."""
_WITH_WORDS: Final[frozenset[Kind]] = frozenset({"master", "section"})
"""Kinds that may have no words of their own; they need not change with the slides' words."""


def plan_of(changes: Sequence[PlannedChange], snapshot: Snapshot) -> Plan:
    """The planned changes for a verification; ``snapshot`` is that of the deck before."""
    shifts = any("slide" in change.kinds for change in changes)
    slides = {} if shifts else {slide["number"]: slide for slide in snapshot["slides"]}
    return Plan(tuple(expected for change in changes for expected in _expected(change, slides)))


def _expected(change: PlannedChange, slides: _Slides) -> Iterator[ExpectedChange]:
    where: tuple[int | None, ...] = change.slides
    if change.slides and change.design:
        where = (*change.slides, None)
    yield _one(change, change.what, change.kinds, where)
    if not change.required or len(change.kinds) < 2:
        return
    for kind in change.kinds:
        if (scope := _scope(kind, change, slides)) is not None:
            yield _one(change, f"{change.what}: {kind}", (kind,), scope)


def _one(
    change: PlannedChange, what: str, kinds: tuple[Kind, ...], where: tuple[int | None, ...]
) -> ExpectedChange:
    shapes = tuple(int(shape) if shape.isdecimal() else shape for shape in change.shapes)
    whole = kinds == change.kinds
    bound = OF_SHAPES.issuperset(kinds) and bool(shapes)
    return ExpectedChange(
        what,
        kinds=kinds,
        slides=where,
        shapes=shapes,
        required=change.required,
        words=change.new_texts if whole else (),
        count=min(change.count, len(shapes) if bound else change.count) if whole else 1,
        within_new=not {"added", "slide"}.isdisjoint(change.kinds),
        design=change.design,
    )


def _scope(kind: Kind, change: PlannedChange, slides: _Slides) -> tuple[int | None, ...] | None:
    """The slides on which a kind has to come, empty for any; None if it need not come."""
    if kind in _UNCERTAIN or (kind in _WITH_WORDS and "text" in change.kinds):
        return None
    if kind in DESIGN_KINDS:
        return (None,) if change.design else None
    if (has := _having(kind)) is None:
        return change.slides
    scope = change.slides or tuple(slides)
    bearing = tuple(number for number in scope if number in slides and has(slides[number]))
    if not bearing:
        return change.slides if kind in _MADE and slides else None
    return bearing if change.slides else ()


def _having(kind: Kind) -> Callable[[Mapping[str, Any]], bool] | None:
    """Tells whether a slide has a thing of a kind; None for kinds that any slide can show."""
    if kind in _MADE:
        return lambda slide: bool(slide.get(_MADE[kind]))
    if kind in _SHAPES:
        return lambda slide: _SHAPES[kind] in {shape["kind"] for shape in slide.get("shapes", ())}
    if kind == "alt text":
        return lambda slide: any(shape.get("alt_text") for shape in slide.get("shapes", ()))
    return None


_WORDS_OF_OTHERS = re.compile(
    r"\b(others?|rest|remaining|except|but|like|same|match\w*|following|next|previous|onwards?|after"
    r"|before|from)\b",
    re.IGNORECASE,
)
"""Words by which a request may mean other slides than those it names by number."""
_WORDS_OF_ALL = re.compile(r"\b(all|any|each|every\w*|whole|deck|both)\b", re.IGNORECASE)
"""Words by which it may mean more slides."""
_QUOTED = re.compile(r"[\"“‘][^\"“”‘’]*[\"”’]|(?<!\w)'[^']*'(?!\w)")


class PlanCheck(StrictForm):
    """Findings of a comparison of an edit's plan with its request."""

    missing: tuple[str, ...]
    loose: tuple[str, ...]
    wrong_slides: tuple[str, ...]
    fits: bool

    @property
    def objections(self) -> tuple[str, ...]:
        """All of them, one sentence each."""
        return (*self.missing, *self.loose, *self.wrong_slides)


def checked_plan(
    conversation: Conversation,
    instruction: str,
    snapshot: Snapshot,
    plan: Callable[[EditPlan | None, Sequence[str]], EditPlan],
) -> tuple[EditPlan, tuple[str, ...]]:
    """A plan, and what still speaks against it.

    ``plan`` makes it; if there are objections it is called once more, with the first plan and
    with them, and the second plan is taken, if there is one. A check that cannot be read objects to
    nothing. Raises Unanswered if no plan can be had, and ModelError.
    """
    made = plan(None, ())
    if not (said := objections_to(conversation, instruction, snapshot, made)):
        return made, ()
    try:
        made = plan(made, said)
    except Unanswered:
        return made, said
    return made, objections_to(conversation, instruction, snapshot, made)


def objections_to(
    conversation: Conversation, instruction: str, snapshot: Snapshot, plan: EditPlan
) -> tuple[str, ...]:
    """Objections to a plan, by the rules and by the model, one sentence each.

    The model is not asked about a small plan that the rules have nothing against.
    Raises ModelError if the model cannot be asked.
    """
    if plan.cannot.strip():
        return ()
    objections = loose_changes(plan, instruction, snapshot)
    if plan.small and not objections:
        return ()
    try:
        asked = _ask(conversation, instruction, snapshot, plan).objections
    except Unanswered:
        asked = ()
    return tuple(dict.fromkeys((*objections, *asked)))


def loose_changes(plan: EditPlan, instruction: str, snapshot: Snapshot) -> tuple[str, ...]:
    """Objections of the rules to a plan, one sentence each: changes of any kind and shape, and
    changes on slides beyond those that the request names by number.

    A request that may mean more slides than it names, and a plan that changes the list of slides,
    so that numbers shift, are left to the model.
    """
    return tuple(_found(plan, instruction, snapshot))


def _found(plan: EditPlan, instruction: str, snapshot: Snapshot) -> Iterator[str]:
    for change in plan.changes:
        if not (change.kinds or change.shapes):
            yield f"The change “{change.what}” names neither kinds of changes nor shapes."
    words = _QUOTED.sub(" ", instruction)
    named = set(slides_named_in(words, snapshot))
    shifts = any("slide" in change.kinds for change in plan.changes)
    if not named or shifts or _WORDS_OF_OTHERS.search(words):
        return
    covered = any(named.intersection(change.slides) or not change.slides for change in plan.changes)
    if covered and _WORDS_OF_ALL.search(words):
        return
    for change in plan.changes:
        if not change.slides and not _is_of_design(change):
            yield f"The change “{change.what}” is planned on any slide; {_named(named)}."
        if beyond := set(change.slides) - named:
            where = _numbers(beyond)
            yield f"The change “{change.what}” is planned on {where}; {_named(named)}."


def _is_of_design(change: PlannedChange) -> bool:
    """Whether a change can be on no slide."""
    return (
        change.design and bool(change.kinds) and {*DESIGN_KINDS, "layout"}.issuperset(change.kinds)
    )


def _named(slides: set[int]) -> str:
    return f"the request names {_numbers(slides)}"


def _numbers(slides: set[int]) -> str:
    word = "slide" if len(slides) == 1 else "slides"
    return f"{word} {', '.join(map(str, sorted(slides)))}"


def _ask(
    conversation: Conversation, instruction: str, snapshot: Snapshot, plan: EditPlan
) -> PlanCheck:
    planned = {number for change in plan.changes for number in change.slides}
    shown = sorted({*slides_named_in(instruction, snapshot), *planned})
    planned_words = [change.model_dump_json() for change in plan.changes]

    def ask(most: int) -> PlanCheck:
        text = editor_prompt(
            "check",
            instruction=instruction,
            plan="\n".join([*planned_words, *(f"- {line}" for line in plan.content)]),
            outline=deck_outline(snapshot),
            slides=slides_in_full(snapshot, shown, most=most) or "none",
        )
        return conversation.answer("check", text, PlanCheck, check=_contradiction)

    return with_less(ask, DETAIL_CHARACTERS)


def _contradiction(check: PlanCheck) -> str | None:
    if check.fits == bool(check.objections):
        return "fits: it is true where missing, loose and wrong_slides are empty, and only there"
    return None
