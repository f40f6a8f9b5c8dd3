"""The verdict as rows and findings of a result."""

from decklab.metrics.catalogue import measured
from decklab.metrics.editability.verdict import Editability, Evidence, Gate
from decklab.metrics.findings import Occurrence, merge_by_cause
from decklab.results import Finding, Measurement

METRIC = "editability.level"
MOST_EVIDENCE = 40
"""Items of evidence kept per gate, so that one bad deck of hundreds of slides stays readable."""


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


def _gate(gate: Gate) -> dict[str, object]:
    return {
        "level": gate.level,
        "name": gate.name,
        "title": gate.title,
        "outcome": gate.outcome,
        "summary": gate.summary,
        "evidence": [
            {"slide": item.slide, "shape": item.shape, "detail": item.detail}
            for item in _worst(gate)
        ],
        "mend": gate.mend,
    }


def _worst(gate: Gate) -> list[Evidence]:
    order = {"error": 0, "warning": 1, "info": 2}
    return sorted(gate.evidence, key=lambda item: order[item.severity])[:MOST_EVIDENCE]


def editability_findings(verdict: Editability) -> list[Finding]:
    """What the gates saw, as findings, in the order of the gates and worst first within each.

    What a rule finds on three slides or more is one finding, which names them all.
    """
    found: list[Finding] = []
    for gate in verdict.gates:
        order = {"error": 0, "warning": 1, "info": 2}
        seen = merge_by_cause(
            Occurrence(_finding(item), (item.severity, item.fix)) for item in gate.evidence
        )
        found += sorted(seen, key=lambda item: order[item.severity])[:MOST_EVIDENCE]
    return found


def _finding(item: Evidence) -> Finding:
    return Finding(
        rule=item.rule, severity=item.severity, message=item.detail, slide=item.slide,
        shape=item.shape, box=item.box, fix=item.fix,
    )  # fmt: skip
