"""Reasons for inner nodes, made from the reasons of the leaves.

With a model the protocol is that of paper 001, appendix E: the model sees a criterion, its parts
with their scores and reasons and the rule that joined them, and answers with a few sentences
without numbers. Without a model a plain template names what fell short.
"""

from collections.abc import Sequence
from dataclasses import replace

from decklab.core.errors import ModelError
from decklab.core.results import SAME, NotScored
from decklab.evals.rubrics.graded import GradedNode, GradedTree
from decklab.models.asking import Ask, fill_prompt, for_stage

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
    return fill_prompt(
        "decklab.evals.rubrics", "prompts/explanation.txt",
        name=node.name, description=node.description or node.name, score=f"{score:.2f}",
        parts=parts, rule=_rule(tree),
    )  # fmt: skip


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
    sentences += _short(
        [part for part in node.children if part not in core], "Points lost on the side"
    )
    for part in node.children:
        if part.high - part.low > SAME and part not in named:
            sentences.append(
                f"Not scored: {part.name} ({_clipped(part.not_scored or part.reason)})."
            )
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
