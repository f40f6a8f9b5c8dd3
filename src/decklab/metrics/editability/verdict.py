"""The result of judging editability: gates, the level they give, and their result rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from decklab.core.results import Finding, Measurement, NotScored, Occurrence, merge_by_cause
from decklab.metrics.metric import SLIDESGEN, MetricInfo, measured, register

Outcome = Literal["passed", "failed", "not_reached", "not_applicable", "not_scored"]
"""``not_reached``: an earlier gate failed, and evaluation ceased (paper 002, I.1.1)."""

Protocol = Literal["static", "web", "pptx"]
"""The three input protocols of paper 002, I.2."""

CLASS_NAMES = ("Static", "Patchwork", "Vector", "Structural", "Parametric", "Cinematic")
"""Names of levels 0 to 5 (paper 002, table 15)."""

GATES: tuple[tuple[str, str], ...] = (
    ("text", "Text integrity"),
    ("vector", "Vector graphics"),
    ("structure", "Structural logic"),
    ("data", "Native data"),
    ("cinema", "Cinematic"),
)
"""Short name and title of gates 1 to 5 (paper 002, I.4.3)."""


@dataclass(frozen=True)
class EditabilityGate:
    """The outcome of one gate."""

    level: int
    """1 to 5: the level that passing gives."""
    outcome: Outcome
    summary: str
    """One sentence, with the measured share where a share decided."""
    evidence: tuple[Finding, ...] = ()
    """The evidence: ``error`` for what failed the gate, ``warning`` for a lesser case, ``info`` for
    remarks."""
    mend: str = ""
    """The change that would let the deck pass; empty where none is needed."""
    drop_to: int | None = None
    """The level a failure leaves, where it is not the level below (gate 1 can leave 1)."""

    @property
    def name(self) -> str:
        """Short name, such as ``text``."""
        return GATES[self.level - 1][0]

    @property
    def title(self) -> str:
        """Title, such as ``Text integrity``."""
        return GATES[self.level - 1][1]


@dataclass(frozen=True)
class Editability:
    """The verdict on one deck: its PEI level and its five gates."""

    level: int | NotScored
    """0 to 5, higher is more editable (paper 002, section 2.4)."""
    protocol: Protocol
    gates: tuple[EditabilityGate, ...]
    levels: Mapping[str, int | NotScored] = field(default_factory=dict)
    """The level by each criterion of gate 1, ``box`` and ``slide`` (see ``text.TextGate``); empty
    for the static and the web protocol, which know one criterion."""

    @property
    def class_name(self) -> str:
        """Name of the level, such as ``Vector``; empty if there is no level."""
        return "" if isinstance(self.level, NotScored) else CLASS_NAMES[self.level]


METRIC = "editability.level"

register(
    MetricInfo(
        METRIC, "deck", "How far the deck can be edited as a deck: PEI level by the knockout rule.",
        f"{SLIDESGEN}, section 2.4 and appendix I", unit="level", high=5.0, version="3",
        label="Editability level (PEI)",
    ),
    MetricInfo(
        f"{METRIC}_on_slide", "deck",
        "The level where doubled text may leave its box upwards or downwards, but not the slide.",
        f"ours, a looser reading of the first gate of {SLIDESGEN}, appendix I.4.3", unit="level",
        high=5.0, version="2", label="Level where text may leave its box",
    ),
)  # fmt: skip

MOST_EVIDENCE = 40
"""Items of evidence per gate, so that one bad deck of hundreds of slides stays readable."""


def editability_rows(verdict: Editability) -> list[Measurement]:
    """The level that decided with its gates, and the level by the looser criterion of gate 1.

    Of a flat file or a web deck, which know one criterion, both are the same.
    """
    loose = verdict.levels.get("slide", verdict.level)
    return [editability_row(verdict), measured(f"{METRIC}_on_slide", loose)]


def editability_row(verdict: Editability) -> Measurement:
    """One row: the level (0 to 5, higher is better) with its gates, or the reason there is none.

    >>> from decklab.metrics.editability.judge import judge_static
    >>> row = editability_row(judge_static("talk.pdf"))
    >>> row.value, row.evidence["class_name"], row.evidence["gates"][1]["outcome"]
    (0.0, 'Static', 'not_reached')
    """
    evidence = {
        "protocol": verdict.protocol,
        "class_name": verdict.class_name,
        "gates": [_gate(gate) for gate in verdict.gates],
    }
    return measured(METRIC, verdict.level, evidence=evidence)


def _gate(gate: EditabilityGate) -> dict[str, object]:
    return {
        "level": gate.level,
        "name": gate.name,
        "title": gate.title,
        "outcome": gate.outcome,
        "summary": gate.summary,
        "evidence": [
            {"slide": item.slide, "shape": item.shape, "detail": item.message}
            for item in _worst(gate.evidence)
        ],
        "mend": gate.mend,
    }


def _worst(findings: Iterable[Finding]) -> list[Finding]:
    order = {"error": 0, "warning": 1, "info": 2}
    return sorted(findings, key=lambda item: order[item.severity])[:MOST_EVIDENCE]


def editability_findings(verdict: Editability) -> list[Finding]:
    """The evidence of the gates as findings, in the order of the gates and worst first in each.

    Findings of a rule on three slides or more become one, which names them all.
    """
    issues: list[Finding] = []
    for gate in verdict.gates:
        seen = (Occurrence(item, (item.severity, item.fix)) for item in gate.evidence)
        issues += _worst(merge_by_cause(seen))
    return issues
