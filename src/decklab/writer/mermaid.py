"""Flowcharts in Mermaid as plans; other diagrams are not read."""

import re
from typing import Any, Final

from pydantic import ValidationError

from decklab.board.blueprint import first_fault
from decklab.board.flowchart import FlowLink, FlowNode, FlowPlan, flow_grid

_HEAD = re.compile(r"(?:graph|flowchart(?:-elk)?)\b[ \t]*(TD|TB|BT|LR|RL)?[ \t]*;?", re.IGNORECASE)
_LEFT_OUT = re.compile(r"(?:subgraph|end|direction|style|classDef|class|click|linkStyle)\b|%%|\Z")
_NODE = re.compile(
    r"\s*(?P<id>\w+(?:[.-]\w+)*)"
    r"(?:@\{[^}]*\})?"
    r"(?P<shape>\(\[.*?\]\)|\[\(.*?\)\]|\[\[.*?\]\]|\({2,3}.*?\){2,3}|\{\{.*?\}\}"
    r"|\[\"[^\"]*\"\]|\(\"[^\"]*\"\)|\{\"[^\"]*\"\}|\[.*?\]|\(.*?\)|\{.*?\}|>.*?\])?"
    r"(?::::\w+)?\s*"
)
_LINK = re.compile(
    r"\s*(?P<back><?)(?:"
    r"(?P<plain>-{2,}>|-{3,}|--[xo](?=\s)|={2,}>|={3,}|-\.+-[>xo]?)(?:\s*\|(?P<label>[^|]*)\|)?"
    r"|(?P<begin>--|==|-\.)\s*(?P<text>\S.*?)\s*(?P<end>-{2,}>|-{3,}|--[xo]|={2,}>|={3,}|\.+-[>xo]?)"
    r")\s*"
)
_KINDS: Final = (
    ("([", "end"), ("((", "end"), ("[(", "store"), ("{{", "step"), ("{", "decision"),
)  # fmt: skip
_MOST_LAYERS, _MOST_LINES = 7, 6
_MOST_DOWN: Final = 4
"""Ours: layers of a page that goes down; one with more goes to the right."""


def flow_of_mermaid(text: str) -> FlowPlan | str:
    """The flowchart that Mermaid describes, or why it is not drawn."""
    lines = [line.strip() for line in re.sub(r"(?s)\A\s*---\n.*?\n---\n", "", text).splitlines()]
    lines = [line for line in lines if line and not line.startswith("%%")]
    head = _HEAD.match(lines[0]) if lines else None
    if head is None:
        return f"{lines[0].split()[0] if lines else 'an empty diagram'} is not drawn"
    chart = _Flowchart()
    for line in (lines[0][head.end() :], *lines[1:]):
        for statement in line.split(";"):
            if not _LEFT_OUT.match(statement.strip()) and not chart.read(statement.strip()):
                return f"{statement.strip()[:60]!r} is not understood"
    return chart.plan(across=(head[1] or "TD").upper() in ("LR", "RL"))


class _Flowchart:
    """The steps and links of a flowchart as they are read."""

    def __init__(self) -> None:
        self._nodes: dict[str, dict[str, Any]] = {}
        self._links: list[dict[str, Any]] = []

    def read(self, statement: str) -> bool:
        """Read steps with the links between them; False for what is none."""
        at, before, link = 0, None, None
        while at < len(statement):
            group, at = self._group(statement, at)
            if not group:
                return False
            if link is not None and before is not None:
                self._join(before, group, link)
            before, link = group, None
            if at < len(statement):
                link = _LINK.match(statement, at)
                if link is None:
                    return False
                at = link.end()
        return link is None

    def _group(self, statement: str, at: int) -> tuple[list[int], int]:
        """The numbers of steps with ``&`` between them, and where they end."""
        group: list[int] = []
        while node := _NODE.match(statement, at):
            group.append(self._number(node))
            at = node.end()
            if statement[at : at + 1] != "&":
                break
            at += 1
        return group, at

    def _number(self, node: re.Match[str]) -> int:
        known = self._nodes.setdefault(node["id"], {"text": node["id"], "kind": "step"})
        if shape := node["shape"]:
            words = re.sub(r"<br\s*/?>", " ", shape.strip("[](){}>/\\").strip().strip('"`'))
            known["text"] = " ".join(words.split()) or node["id"]
            known["kind"] = next((kind for sign, kind in _KINDS if shape.startswith(sign)), "step")
        return list(self._nodes).index(node["id"])

    def _join(self, before: list[int], group: list[int], link: re.Match[str]) -> None:
        stroke = link["plain"] or f"{link['begin']}{link['end']}"
        label = " ".join((link["label"] or link["text"] or "").strip('"` ').split())
        self._links += [
            {"first": first, "second": second, "label": label or None,
             "arrow": stroke[-1] not in "-=", "dashed": "." in stroke}
            for first in before for second in group
        ]  # fmt: skip

    def plan(self, *, across: bool) -> FlowPlan | str:
        """The flowchart, or why it is too large or none."""
        try:
            nodes = tuple(FlowNode(**node) for node in self._nodes.values())
            plan = FlowPlan(nodes=nodes, links=tuple(map(_link, self._links)), across=across)
        except ValidationError as error:
            return first_fault(error)
        grid = flow_grid(plan)
        if grid.layers > _MOST_LAYERS or grid.lines > 2 * _MOST_LINES:
            return f"it has {grid.layers} layers of up to {grid.lines // 2} steps"
        return plan.model_copy(update={"across": across or grid.layers > _MOST_DOWN})


def _link(values: dict[str, Any]) -> FlowLink:
    return FlowLink(**values)
