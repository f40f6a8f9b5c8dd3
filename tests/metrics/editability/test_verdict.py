import json

from decklab.core.results import Finding, NotScored
from decklab.metrics.editability.judge import judge_static, not_covered
from decklab.metrics.editability.verdict import (
    Editability,
    EditabilityGate,
    editability_findings,
    editability_row,
    editability_rows,
)


def test_a_row_carries_level_class_and_gates_as_plain_json():
    row = editability_row(judge_static("talk.pdf"))
    assert (row.metric, row.slide, row.value, row.unit) == ("editability.level", None, 0.0, "level")
    assert row.direction == "higher"
    evidence = json.loads(json.dumps(row.evidence))
    assert evidence["protocol"] == "static" and evidence["class_name"] == "Static"
    assert [gate["level"] for gate in evidence["gates"]] == [1, 2, 3, 4, 5]
    assert [gate["name"] for gate in evidence["gates"]] == [
        "text", "vector", "structure", "data", "cinema",
    ]  # fmt: skip
    assert set(evidence["gates"][0]) == {
        "level", "name", "title", "outcome", "summary", "evidence", "mend",
    }  # fmt: skip


def test_a_level_that_could_not_be_had_is_a_reason():
    row = editability_row(not_covered("talk.odp"))
    assert row.value is None and row.reason is not None and ".odp" in row.reason
    assert row.evidence["class_name"] == ""


def test_evidence_becomes_findings_worst_first_and_bounded():
    mild = Finding(rule="editability.a", severity="info", message="Mild.", slide=1)
    bad = [
        Finding(rule="editability.b", severity="error", message=f"Bad {n}.", slide=n,
                shape="Box (id 2)", fix="Mend.")
        for n in range(1, 61)
    ]  # fmt: skip
    fixes = [item.model_copy(update={"fix": f"Mend {item.slide}."}) for item in bad]
    verdict = Editability(0, "pptx", (EditabilityGate(1, "failed", "Failed.", (mild, *bad)),))
    findings = editability_findings(verdict)
    assert len(editability_row(verdict).evidence["gates"][0]["evidence"]) == 40
    first, second = findings  # one cause, one finding
    assert (first.rule, first.fix, first.shape) == ("editability.b", "Mend.", "Box (id 2)")
    assert first.message == "Bad 1. The same on 60 slides: 1-60." and len(first.slides) == 60
    assert second.message == "Mild."
    verdict = Editability(0, "pptx", (EditabilityGate(1, "failed", "Failed.", (mild, *fixes)),))
    findings = editability_findings(verdict)
    assert len(findings) == 40 and {finding.severity for finding in findings} == {"error"}


def test_a_verdict_without_evidence_has_no_findings():
    assert editability_findings(not_covered("talk.odp")) == []


def test_the_level_by_the_looser_criterion_has_a_row_of_its_own():
    gates = (EditabilityGate(1, "failed", "Failed."),)
    both = Editability(1, "pptx", gates, levels={"box": 1, "slide": 3})
    assert [(row.metric, row.value) for row in editability_rows(both)] == [
        ("editability.level", 1.0),
        ("editability.level_on_slide", 3.0),
    ]
    unknown = Editability(1, "pptx", gates, levels={"box": 1, "slide": NotScored("no picture")})
    assert editability_rows(unknown)[1].reason == "no picture"
    assert [row.value for row in editability_rows(judge_static("talk.pdf"))] == [0.0, 0.0]
