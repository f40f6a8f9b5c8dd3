"""Flowcharts: steps, the links between them, and in which layer and line each step stands.

Steps stand in layers, each one below (or right of) those that lead to it; a link over several
layers has bends in those between, so that it crosses no step. A link that leads back goes around.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from decklab.board.marked_text import PlanForm, Text

_SWEEPS = 8
"""Ours: how often layers are ordered by the places of their neighbours, down and up in turn."""


class FlowNode(PlanForm):
    """A step of a flowchart."""

    text: Text
    kind: Literal["step", "end", "decision", "store"] = "step"


class FlowLink(PlanForm):
    """A link from a step to another, by their numbers from 0."""

    first: Annotated[int, Field(ge=0)]
    second: Annotated[int, Field(ge=0)]
    label: Text | None = None
    arrow: bool = True
    dashed: bool = False


class FlowPlan(PlanForm):
    """A flowchart; ``across`` says that it goes to the right, else it goes down."""

    nodes: Annotated[tuple[FlowNode, ...], Field(min_length=2, max_length=24)]
    links: Annotated[tuple[FlowLink, ...], Field(min_length=1, max_length=40)]
    across: bool = False

    @model_validator(mode="after")
    def _check(self) -> "FlowPlan":
        for link in self.links:
            if max(link.first, link.second) >= len(self.nodes):
                raise ValueError(f"there is no step {max(link.first, link.second)} to link to")
        return self

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the steps, then those of the links."""
        return (*(node.text for node in self.nodes), *(link.label or "" for link in self.links))


@dataclass(frozen=True)
class FlowCell:
    """Where a step or a bend stands: its layer, and of the lines of a grid the first of two."""

    layer: int
    line: int


@dataclass(frozen=True)
class FlowGrid:
    """The cells of the steps and after them of the bends; ``paths`` are for each link the numbers
    of the cells that it passes, none for a link that leads back."""

    cells: tuple[FlowCell, ...]
    paths: tuple[tuple[int, ...], ...]
    layers: int
    lines: int
    """Of the grid: two for each step of the fullest layer."""


def flow_grid(plan: FlowPlan) -> FlowGrid:
    """The places of a flowchart's steps.

    >>> steps = [{"text": name} for name in "abc"]
    >>> links = [{"first": 0, "second": 1}, {"first": 0, "second": 2}]
    >>> flow_grid(FlowPlan(nodes=tuple(steps), links=tuple(links))).cells
    (FlowCell(layer=0, line=2), FlowCell(layer=1, line=1), FlowCell(layer=1, line=3))
    """
    ends = [(link.first, link.second) for link in plan.links]
    ahead = _ahead(len(plan.nodes), ends)
    levels = _levels(len(plan.nodes), [pair for pair in ends if pair in ahead])
    layers: list[list[int]] = [[] for _ in range(max(levels) + 1)]
    for number, level in enumerate(levels):
        layers[level].append(number)
    paths: list[tuple[int, ...]] = []
    count = len(plan.nodes)
    for first, second in ends:
        if (first, second) not in ahead:
            paths.append(())
            continue
        bends = range(count, count + levels[second] - levels[first] - 1)
        for layer, bend in enumerate(bends, levels[first] + 1):
            layers[layer].append(bend)
        count += len(bends)
        paths.append((first, *bends, second))
    _order(layers, [pair for path in paths for pair in pairwise(path)])
    widest = max(map(len, layers))
    places = {
        number: FlowCell(level, widest - len(layer) + 2 * at + 1)
        for level, layer in enumerate(layers)
        for at, number in enumerate(layer)
    }
    cells = tuple(places[number] for number in range(count))
    return FlowGrid(cells, tuple(paths), len(layers), 2 * widest)


def _ahead(count: int, ends: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """The links that lead ahead: all but those to a step that they come from."""
    ahead: set[tuple[int, int]] = set()
    done: set[int] = set()

    def visit(step: int, above: frozenset[int]) -> None:
        done.add(step)
        for first, second in ends:
            if first == step and second not in above | {step}:
                ahead.add((first, second))
                if second not in done:
                    visit(second, above | {step})

    led_to = {second for first, second in ends if first != second}
    for step in [*(step for step in range(count) if step not in led_to), *range(count)]:
        if step not in done:
            visit(step, frozenset())
    return ahead


def _levels(count: int, ends: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of each step: one more than that of the last step that leads to it."""
    levels = [0] * count
    for _round in range(count):
        for first, second in ends:
            levels[second] = max(levels[second], levels[first] + 1)
    return levels


def _order(layers: list[list[int]], pairs: Sequence[tuple[int, int]]) -> None:
    """Order each layer by the middles of its neighbours, so that few links cross."""
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for layer, other in pairwise(layers if down else layers[::-1]):
            places = {}
            for at, number in enumerate(other):
                near = _middle(number, layer, pairs)
                places[number] = at - (len(other) - 1) / 2 if near is None else near
            other.sort(key=places.__getitem__)


def _middle(number: int, layer: Sequence[int], pairs: Sequence[tuple[int, int]]) -> float | None:
    """The middle of the neighbours of a step in a layer, from that of the layer; None for none."""
    ends = [b if a == number else a for a, b in pairs if number in (a, b)]
    places = [layer.index(end) - (len(layer) - 1) / 2 for end in ends if end in layer]
    return sum(places) / len(places) if places else None
