"""Flowcharts in Mermaid, and what is none."""

import pytest

from decklab.board.flowchart import FlowPlan
from decklab.writer.mermaid import flow_of_mermaid


def read(text: str) -> FlowPlan:
    plan = flow_of_mermaid(text)
    assert isinstance(plan, FlowPlan), plan
    return plan


def links(plan: FlowPlan) -> list[tuple[str, str, str | None]]:
    names = [node.text for node in plan.nodes]
    return [(names[link.first], names[link.second], link.label) for link in plan.links]


def test_shapes_and_labels_of_a_flowchart() -> None:
    plan = read(
        'graph LR\n  %% remark\n  A([Begin]) --> B{"Is it [new]?"}\n'
        "  B -->|yes| C[(Store)]\n  B -- no --> D((End))\n  classDef x fill:#fff\n"
    )
    assert plan.across
    assert [(node.text, node.kind) for node in plan.nodes] == [
        ("Begin", "end"), ("Is it [new]?", "decision"), ("Store", "store"), ("End", "end"),
    ]  # fmt: skip
    assert links(plan) == [
        ("Begin", "Is it [new]?", None), ("Is it [new]?", "Store", "yes"),
        ("Is it [new]?", "End", "no"),
    ]  # fmt: skip


def test_chains_groups_and_strokes() -> None:
    plan = read("flowchart TD; A --> B & C --> D; A -.-> D; D --- E; E == sure ==> A")
    assert not plan.across
    assert [(a, b) for a, b, _ in links(plan)] == [
        ("A", "B"), ("A", "C"), ("B", "D"), ("C", "D"), ("A", "D"), ("D", "E"), ("E", "A"),
    ]  # fmt: skip
    assert [link.arrow for link in plan.links] == [True] * 5 + [False, True]
    assert [link.dashed for link in plan.links].count(True) == 1 and plan.links[4].dashed
    assert plan.links[-1].label == "sure"


def test_a_long_way_down_goes_to_the_right() -> None:
    assert read("graph TD\nA-->B-->C-->D-->E-->F").across


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("sequenceDiagram\nA->>B: hi", "sequenceDiagram is not drawn"), ("", "an empty diagram"),
        ("graph TD\nA --> ", "is not understood"), ("graph TD\nA ~~~~ B", "is not understood"),
        ("graph TD\n" + "-->".join(map(str, range(9))), "9 layers"), ("graph TD\nA", "nodes"),
    ],
)  # fmt: skip
def test_what_is_not_drawn_says_why(text: str, why: str) -> None:
    told = flow_of_mermaid(text)
    assert isinstance(told, str) and why in told
