"""An edited deck graded against its original with a rubric tree (paper 001, section 3.5), with
reasons for inner nodes made from those of the leaves.

With a model the protocol is that of paper 001, appendix E: the model sees a criterion, its parts
with their scores and reasons and the rule that joined them, and answers with a few sentences
without numbers. Without a model a plain template names what fell short.
"""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from decklab.core.errors import DeckError, ModelError, RenderError
from decklab.core.options import LEAF_SECONDS, NON_CRITICAL_WEIGHT, DamageUse, Isolation, Spending
from decklab.core.results import SAME, NotScored
from decklab.core.stages import Progress
from decklab.evals.judges.asking import asked_model
from decklab.evals.judges.preference.showing import judge_instructions
from decklab.evals.rubrics.damage import damage_of
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.graded import RULES, Damage, GradedNode, GradedTree, graded
from decklab.evals.rubrics.page import GRADING_PAGE, write_grading_page
from decklab.evals.rubrics.rubric import AllowedChanges, Rubric, load_rubric, to_json
from decklab.evals.rubrics.running import LeafRoom, run_leaves
from decklab.models.asking import Ask, fill_prompt, for_stage
from decklab.models.model_run import file_digest
from decklab.pages.page import check_page, output_page
from decklab.rendering.renderer import Cache, Renderer
from decklab.sandbox.sandbox import check_isolation

_SHOWN = 240
"""Characters of a part's reason that the template quotes; ours."""


def explained(tree: GradedTree, ask: Ask | None = None) -> GradedTree:
    """The tree with a reason on every inner node, from the leaves upward.

    ``ask`` writes them where it is given and the node's score is known; where it gives no answer,
    and everywhere else, the plain template does.
    """
    return replace(tree, root=_explained(tree.root, tree, ask))


def _explained(node: GradedNode, tree: GradedTree, ask: Ask | None) -> GradedNode:
    if not node.children:
        return node
    node = replace(node, children=tuple(_explained(child, tree, ask) for child in node.children))
    return replace(node, reason=_asked(node, tree, ask) or plain_reason(node))


def _asked(node: GradedNode, tree: GradedTree, ask: Ask | None) -> str:
    if ask is None or isinstance(node.score, NotScored):
        return ""
    try:
        return " ".join(for_stage(ask, "reason")(_prompt(node, node.score, tree)).text.split())
    except ModelError:
        return ""


def _prompt(node: GradedNode, score: float, tree: GradedTree) -> str:
    parts = "\n".join(
        f"* {part.name} [{'critical' if part.is_critical else 'non-critical'}]\n"
        f"    checks: {part.description or part.name}\n"
        f"    score: {_number(part.score)}\n"
        f"    finding: {part.reason or part.not_scored or 'none given'}"
        for part in node.children
    )
    facts = {"name": node.name, "description": node.description or node.name, "parts": parts}
    facts |= {"score": f"{score:.2f}", "rule": _rule(tree)}
    return fill_prompt("decklab.evals.rubrics", "prompts/explanation.txt", **facts)


def _rule(tree: GradedTree) -> str:
    if tree.rule == "ppteval":
        return (
            "where there are critical and non-critical parts, the mean of the critical ones less "
            f"{tree.weight:g} times what the mean of the others lacks to 1, never below 0; with "
            "one kind only, the mean."
        )
    return (
        "any critical part short of full marks makes 0; otherwise the mean of the non-critical "
        "parts, or full marks where there are none."
    )


def plain_reason(node: GradedNode) -> str:
    """One to a few sentences on an inner node from a template, most important first.

    Names the critical parts that fall short, then the others, then those that could not be
    scored, each with its own reason. Where there is only one critical part, and it has parts of its
    own, its reason stands first.
    """
    core = [part for part in node.children if part.is_critical] or list(node.children)
    if len(core) == 1 and core[0].children:
        sentences = [core[0].reason]  # it stands for the whole
        named = core
    else:
        sentences = [_share(core, "critical part" if len(core) < len(node.children) else "part")]
        sentences += _short(core, "Falls short")
        named = []
    others = [part for part in node.children if part not in core]
    sentences += _short(others, "Points lost on the side")
    for part in node.children:
        if part.high - part.low > SAME and part not in named:
            why = _clipped(part.not_scored or part.reason)
            sentences.append(f"Not scored: {part.name} ({why}).")
    return " ".join(sentences)


def _share(parts: Sequence[GradedNode], noun: str) -> str:
    met = sum(part.low >= 1 - SAME for part in parts)
    unknown = sum(part.high - part.low > SAME for part in parts)
    if len(parts) == 1:
        state = "open" if unknown else "met" if met else "not fully met"
        return f"The one {noun} is {state}."
    counted = f"{f'All {met}' if met == len(parts) else f'{met} of {len(parts)}'} {noun}s are met"
    return f"{counted}, {unknown} open." if unknown else f"{counted}."


def _short(parts: Sequence[GradedNode], lead: str) -> list[str]:
    lacking = [part for part in parts if part.high < 1 - SAME and part.high - part.low <= SAME]
    named = [part.name + (f" ({_clipped(part.reason)})" if part.reason else "") for part in lacking]
    return [f"{lead}: {'; '.join(named)}."] if named else []


def _clipped(text: str) -> str:
    text = " ".join(text.split()).rstrip(".")
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _number(score: float | NotScored) -> str:
    return "not scored" if isinstance(score, NotScored) else f"{score:.2f}"


@dataclass(frozen=True)
class GradeOptions:
    """How a rubric is run, and how its scores are joined and explained."""

    rule: str = "ppteval"
    """A name of ``RULES``."""
    weight: float = NON_CRITICAL_WEIGHT
    """Lambda of the rule ``ppteval``."""
    seconds: float = LEAF_SECONDS
    """Bounds each leaf."""
    isolation: Isolation = "bubblewrap"
    damage: DamageUse = "auto"
    explain: bool = False
    """Whether the model words the reasons of inner nodes too; else a template does."""
    secret: str = ""
    """The secret of marks around deck text in questions of leaves; a new one by default."""


def grade(
    original: str | Path,
    modified: str | Path,
    rubric: Rubric | str | Path,
    *,
    model: str | Ask | None = None,
    options: GradeOptions | None = None,
    spending: Spending | None = None,
    html: str | Path | None = None,
    force: bool = False,
    renderer: Renderer | None = None,
    progress: Progress | None = None,
) -> GradedTree:
    """Grade ``modified`` against ``original`` with a rubric, which may be a file; no file is
    changed.

    ``model`` answers leaves that need a model, named as in Inspect AI; without it they are
    NotScored. ``spending`` bounds and keeps what the model is asked; leaves beyond it are
    NotScored. ``html`` is a page to write, with the slides before and after; with ``force`` it may
    be any file that exists, and a copy of it is kept beside it. ``renderer`` draws
    where a leaf needs pictures or what is seen, and for finding damage. ``progress`` is called with
    ``grade`` once all requirements are met, and with a line whenever the model is asked again.

    ::

        tree = decklab.evals.grade("before.pptx", "after.pptx", "task.json")
        print(tree.score, [node.name for node in tree.root.children if node.state != "met"])

    Raises DeckError where a deck cannot be read, RubricError where the rubric cannot, UnknownName
    for a rule, SandboxUnavailable where ``isolation`` cannot be had, ModelUnavailable where the
    model cannot, OSError where ``html`` cannot be written, NameTaken where it exists and is no such
    page: all before anything is run.
    """
    options = options or GradeOptions()
    with ExitStack() as stack:
        tree = rubric if isinstance(rubric, Rubric) else load_rubric(rubric)
        if html is not None:
            named = [rubric] if isinstance(rubric, str | Path) else []
            check_page(html, GRADING_PAGE, inputs=[original, modified, *named], force=force)
        renderer = renderer or Renderer(cache=Cache())
        decks = stack.enter_context(ComparedDecks(original, modified, renderer=renderer))
        check_isolation(options.isolation)
        ask = None if isinstance(model, str) else model
        if isinstance(model, str):
            facts = {"command": "grade", "rubric": to_json(tree), "explain": options.explain}
            facts |= {"original": file_digest(original), "modified": file_digest(modified)}
            asked = stack.enter_context(asked_model(model, spending, facts, tell=progress))
            ask, options = asked.ask, replace(options, secret=asked.secret)
        if progress:
            progress("grade")
        graded_tree = grade_compared(decks, tree, ask=ask, options=options)
        if html is not None:
            task = _task(tree.metadata.get("task"))
            with output_page(html, GRADING_PAGE) as page:
                write_grading_page(page, graded_tree, decks, task=task)
    return graded_tree


def _task(stated: object) -> str | None:
    """The first line of a task's text; the other lines are notes for the rubric's author."""
    return stated.strip().splitlines()[0] if isinstance(stated, str) and stated.strip() else None


def grade_compared(
    decks: ComparedDecks,
    rubric: Rubric,
    *,
    ask: Ask | None = None,
    options: GradeOptions | None = None,
    room: LeafRoom | None = None,
) -> GradedTree:
    """``grade`` for decks that are open already; ``room`` is a sandbox for many trees."""
    options = options or GradeOptions()
    _ = RULES[options.rule]  # an unknown name is an error before anything is run
    started = time.perf_counter()
    clock = dict(decks.seconds)
    run = partial(run_leaves, seconds=options.seconds, isolation=options.isolation)
    leaves = run(rubric, decks.pair, ask=ask, room=room, clock=clock, secret=options.secret)
    tree = graded(rubric, leaves, rule=options.rule, weight=options.weight)
    tree = explained(tree, ask if options.explain else None)
    tree = _with_damage(tree, decks, AllowedChanges.of(rubric), options.damage, clock)
    clock["total"] = sum(decks.seconds.values()) + time.perf_counter() - started
    paths = decks.paths["modified"], decks.paths["original"]
    return replace(tree, seconds=clock, notes=() if ask is None else judge_instructions(*paths))


def _with_damage(
    tree: GradedTree,
    decks: ComparedDecks,
    scope: AllowedChanges | None,
    use: DamageUse,
    clock: dict[str, float],
) -> GradedTree:
    """The tree with its damage, according to ``use``; a tree of score 0 gets none that counts."""
    counted = use == "count" or (use == "auto" and scope is not None)
    if use == "off" or (counted and tree.root.high <= 0):
        return tree
    started = time.perf_counter()
    try:
        damage: Damage | NotScored = damage_of(decks, scope)
    except (RenderError, DeckError) as error:
        damage = NotScored(f"damage is not known: {error}")
    clock["pictures"] = clock.get("pictures", 0.0) + time.perf_counter() - started
    return tree.with_damage(damage, counted=counted)
