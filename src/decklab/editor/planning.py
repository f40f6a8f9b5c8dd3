"""The steps and the plan of an edit: the way of each step, what will change, what that means for
verification, and the plan held against the request before anything is made.

Paper 003, section 4 and appendix G.1. The paper's section 4 shows the router pictures, its appendix
a summary in JSON alone; this is the appendix's, so that a small fast model will do.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import Field

from decklab.core.options import EditPaths
from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Kind
from decklab.editing.plan import ExpectedChange, Plan
from decklab.editor.conversation import (
    NO_PICTURES,
    Conversation,
    SlidePictures,
    editor_prompt,
    with_less,
)
from decklab.editor.outline import (
    DETAIL_CHARACTERS,
    OUTLINE_CHARACTERS,
    deck_outline,
    slides_in_full,
    slides_named_in,
    text_view,
)
from decklab.models.asking import ModelTool, StrictForm
from decklab.models.reading import Unanswered

MOST_STEPS = 4
"""Steps of one edit. Ours: each costs a call of the model in every round."""
ROUTE_CHARACTERS = OUTLINE_CHARACTERS
"""Most characters of what the router is shown of slides, and of the outline beside it. Ours."""


class RouteStep(StrictForm):
    """One step of an edit, made in one way."""

    path: Literal["program", "xml", "texts"]
    """``texts``: the model gives new words for old ones; counts as a program in paper 003's
    ablation."""
    task: str = Field(min_length=1)
    """What this step has to do, in words that need no other step."""
    slides: tuple[int, ...]
    """Numbers of the slides it works on; empty for the deck as a whole."""


class Route(StrictForm):
    """How an edit will be made, step after step; ``cannot`` says why it cannot be, else empty."""

    steps: tuple[RouteStep, ...]
    cannot: str

    @property
    def slides(self) -> tuple[int, ...]:
        """All slides that it works on."""
        return tuple(sorted({number for step in self.steps for number in step.slides}))


def find_route(
    conversation: Conversation,
    instruction: str,
    snapshot: Snapshot,
    *,
    paths: EditPaths = "hybrid",
    slides: Collection[int] | None = None,
) -> Route:
    """Ask a model for the steps of an edit.

    With ``slides`` no other slides may be changed. If ``paths`` is one path, every step takes
    it, but steps of texts stay if that is ``program``; neighbouring steps of one path are
    joined. Raises Unanswered if no answer can be used.
    """
    named = slides_named_in(instruction, snapshot) if slides is None else tuple(sorted(slides))
    count = len(snapshot["slides"])

    def asked(most: int) -> Route:
        text = editor_prompt(
            "route",
            instruction=instruction,
            outline=deck_outline(snapshot, most=most),
            named=_named_words(snapshot, named, most),
            bound=bound_words(slides),
            most=str(MOST_STEPS),
        )
        return conversation.answer(
            "route", text, Route, check=lambda got: _route_problem(got, count, slides)
        )

    route = with_less(asked, ROUTE_CHARACTERS)
    steps = tuple(_bounded(_forced(step, paths), slides) for step in route.steps)
    return Route(steps=_joined(steps), cannot=route.cannot.strip())


def route_material(snapshot: Snapshot, route: Route, *, most: int = DETAIL_CHARACTERS) -> str:
    """Material on its slides that the plan of an edit needs, beside the outline.

    If an edit only changes texts this is the words, of the whole deck if a step names no slide.
    Empty if no slide is named and more than words is to change.
    """
    if route.steps and all(step.path == "texts" for step in route.steps):
        whole = not all(step.slides for step in route.steps)
        view = text_view(snapshot, None if whole else route.slides, most=most)
        return f"(their words)\n{view.lines}"
    return slides_in_full(snapshot, route.slides, most=most)


def _named_words(snapshot: Snapshot, named: Collection[int], most: int) -> str:
    """The slides that a request names, in full; the words of all slides where it names none."""
    if named:
        shown = slides_in_full(snapshot, named, most=most)
        return f"Slides that the request seems to name, in full:\n{shown}"
    view = text_view(snapshot, most=most)
    left = "" if view.complete else " (as far as there is room)"
    return f"It names no slide. The words of all slides{left}:\n{view.lines or 'none'}"


def _forced(step: RouteStep, paths: EditPaths) -> RouteStep:
    """A step made in the way that is called for; new texts count as a program."""
    if paths == "hybrid" or (paths == "program" and step.path == "texts"):
        return step
    return step.model_copy(update={"path": paths})


def _bounded(step: RouteStep, slides: Collection[int] | None) -> RouteStep:
    """A step on texts that names no slide, on those that may be changed."""
    if step.path != "texts" or step.slides or slides is None:
        return step
    return step.model_copy(update={"slides": tuple(sorted(slides))})


def bound_words(slides: Collection[int] | None) -> str:
    """Which slides may be changed, for a prompt."""
    if slides is None:
        return "The whole deck may be changed where the request asks for it."
    return f"Only these slides may be changed, nothing else: {', '.join(map(str, sorted(slides)))}."


def steps_words(route: Route) -> str:
    """The steps, one a line."""
    return "\n".join(
        f"{number}. ({step.path}) {step.task}" for number, step in enumerate(route.steps, 1)
    )


_BOTH = "give steps, or say in cannot why there are none; one of the two stays empty"


def _route_problem(route: Route, count: int, slides: Collection[int] | None) -> str | None:
    if route.cannot.strip():
        return _BOTH if route.steps else None
    if not 1 <= len(route.steps) <= MOST_STEPS:
        return f"steps: there are {len(route.steps)}; give 1 to {MOST_STEPS}, or say in cannot why"
    # Later steps count slides in the deck that the steps before them leave.
    wrong = [n for n in route.steps[0].slides if n > count] + [n for n in route.slides if n < 1]
    if wrong:
        return f"slides: there is no slide {wrong[0]}; the deck has {count}"
    beyond = sorted(set(route.slides) - set(slides)) if slides is not None else []
    if beyond:
        return f"slides: slide {beyond[0]} may not be changed"
    return None


def _joined(steps: tuple[RouteStep, ...]) -> tuple[RouteStep, ...]:
    joined: list[RouteStep] = []
    for step in steps:
        if joined and joined[-1].path == step.path:
            joined[-1] = _two_joined(joined[-1], step)
        else:
            joined.append(step)
    return tuple(joined)


def _two_joined(first: RouteStep, second: RouteStep) -> RouteStep:
    """Two steps of one path as one; if either works on the deck as a whole, so does it."""
    whole = not (first.slides and second.slides)
    numbers = () if whole else tuple(sorted({*first.slides, *second.slides}))
    return RouteStep(path=first.path, task=f"{first.task}\n{second.task}", slides=numbers)


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
    """How many such changes there have to be at least on each of its slides."""
    new_texts: tuple[str, ...]
    """Words that have to be on its slides afterwards, as they will stand there; often empty."""


class EditPlan(StrictForm):
    """What an edit will change, and the words and values it will bring."""

    content: tuple[str, ...]
    """The content plan: one line for each text or value, place and wording."""
    changes: tuple[PlannedChange, ...]
    parts: tuple[str, ...]
    """Names of parts whose XML is needed beside that of the slides."""
    cannot: str


def make_plan(
    conversation: Conversation,
    instruction: str,
    snapshot: Snapshot,
    route: Route,
    *,
    slides: Collection[int] | None = None,
    pictures: SlidePictures = NO_PICTURES,
    tools: Sequence[ModelTool] = (),
    before: EditPlan | None = None,
    objections: Sequence[str] = (),
) -> EditPlan:
    """Ask a model what will change, and with which words.

    ``pictures`` are the slides of the route; with ``tools`` the model may look at more.
    ``objections`` are those to an earlier plan ``before``. Raises Unanswered if no answer can be
    used.
    """
    text = editor_prompt(
        "plan",
        instruction=instruction,
        outline=deck_outline(snapshot),
        slides=route_material(snapshot, route) or "none: the deck as a whole is meant",
        steps=steps_words(route),
        bound=bound_words(slides),
        pictures=pictures.words or "There are no pictures.",
        objections=_objections_words(before, objections),
    )
    plan = conversation.answer(
        "plan",
        text,
        EditPlan,
        images=pictures.images,
        tools=tools,
        check=lambda got: plan_problem(got, slides),
    )
    return _with_followers(plan, route)


def _with_followers(plan: EditPlan, route: Route) -> EditPlan:
    """A plan that allows links to stand on other words, where steps change words and no links; and
    looks of words that are replaced to go with them, if no step can change looks otherwise."""
    if not any(step.path == "texts" for step in route.steps):
        return plan
    whole = any(step.path == "texts" and not step.slides for step in route.steps)
    words_only = all(step.path == "texts" for step in route.steps)
    allowed = PlannedChange(
        what="links and looks follow the new words",
        kinds=("link", "style") if words_only else ("link",),
        slides=() if whole else route.slides,
        design=False,
        shapes=(),
        required=False,
        count=1,
        new_texts=(),
    )
    return plan.model_copy(update={"changes": (*plan.changes, allowed)})


def _objections_words(before: EditPlan | None, objections: Sequence[str]) -> str:
    if before is None:
        return ""
    lines = "\n".join(f"- {line}" for line in objections)
    return (
        "You have planned this before, and somebody else held it against the request. Plan anew; "
        f"where an objection is wrong, keep to the request.\n\nYour plan:\n"
        f"{before.model_dump_json()}\n\nWhat was said against it:\n{lines}"
    )


def plan_problem(plan: EditPlan, slides: Collection[int] | None) -> str | None:
    """Why a plan cannot be used, in a line; ``slides`` are the only ones that may be changed."""
    if plan.cannot.strip():
        return None
    if not any(change.required for change in plan.changes):
        return "changes: give at least one change that is required, or say in cannot why not"
    for number, change in enumerate(plan.changes):
        problem = change_problem(change, slides)
        if problem:
            return f"changes.{number}: {problem}"
    return None


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
        scope = _scope(kind, change, slides)
        if scope is not None:
            yield _one(change, f"{change.what}: {kind}", (kind,), scope)


def _one(
    change: PlannedChange, what: str, kinds: tuple[Kind, ...], where: tuple[int | None, ...]
) -> ExpectedChange:
    shapes = tuple(int(shape) if shape.isdecimal() else shape for shape in change.shapes)
    whole = kinds == change.kinds
    return ExpectedChange(
        what,
        kinds=kinds,
        slides=where,
        shapes=shapes,
        required=change.required,
        words=change.new_texts if whole else (),
        count=change.count if whole else 1,
        within_new=not {"added", "slide"}.isdisjoint(change.kinds),
        design=change.design,
    )


def _scope(kind: Kind, change: PlannedChange, slides: _Slides) -> tuple[int | None, ...] | None:
    """The slides on which a kind has to come, empty for any; None if it need not come."""
    if kind in _UNCERTAIN or (kind in _WITH_WORDS and "text" in change.kinds):
        return None
    if kind in DESIGN_KINDS:
        return (None,) if change.design else None
    has = _having(kind)
    if has is None:
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
    """What holding the plan of an edit against the request found."""

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
    said = objections_to(conversation, instruction, snapshot, made)
    if not said:
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

    Raises ModelError if the model cannot be asked.
    """
    if plan.cannot.strip():
        return ()
    objections = loose_changes(plan, instruction, snapshot)
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
        beyond = set(change.slides) - named
        if beyond:
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
