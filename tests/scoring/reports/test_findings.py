from decklab.core.options import Severity
from decklab.core.results import Finding
from decklab.scoring.reports.standing import FEW, grouped, of_deck, of_machine, worst_first


def finding(rule: str, severity: Severity, **rest: object) -> Finding:
    return Finding(rule=rule, severity=severity, message=rule, **rest)  # type: ignore[arg-type]


def test_errors_come_before_warnings_before_notes() -> None:
    rows = [finding("c", "info"), finding("b", "warning"), finding("a", "error")]
    assert [f.rule for f in worst_first(rows)] == ["a", "b", "c"]


def test_within_a_severity_the_one_furthest_from_its_threshold_comes_first() -> None:
    near = finding("near", "error", measured=4.4, threshold=4.5)
    far = finding("far", "error", measured=1.1, threshold=4.5)
    over = finding("over", "error", measured=90.0, threshold=10.0)
    none = finding("none", "error")
    ordered = [f.rule for f in worst_first([none, near, far, over])]
    assert ordered == ["over", "far", "near", "none"]


def test_a_threshold_of_zero_divides_nothing() -> None:
    rows = [finding("a", "info", measured=1.0, threshold=0.0), finding("b", "info")]
    assert [f.rule for f in worst_first(rows)] == ["a", "b"]


def test_groups_hold_every_finding_once() -> None:
    rows = [
        *(finding("common", "warning", slide=s) for s in (3, 1, 2, 9)),
        finding("rare", "warning"),
        finding("common", "error", slide=4),
    ]
    groups = grouped(rows)
    found = [(g.rule, g.severity, len(g.findings)) for g in groups]
    assert found == [("common", "error", 1), ("common", "warning", 4), ("rare", "warning", 1)]
    assert groups[1].slides == "1–3, 9"
    assert groups[2].slides == ""


def test_a_group_states_a_fix_only_where_all_share_it() -> None:
    same = grouped([finding("a", "info", fix="Group them.") for _ in range(3)])
    mixed = grouped([finding("a", "info", fix="One."), finding("a", "info", fix="Two.")])
    assert same[0].fix == "Group them."
    assert mixed[0].fix == ""


def test_a_large_group_is_split_into_first_and_rest() -> None:
    (group,) = grouped(finding("a", "info", slide=i) for i in range(1, 121))
    assert len(group.first) == FEW
    assert group.first + group.rest == group.findings


def test_no_findings_make_no_groups() -> None:
    assert grouped([]) == []


def test_of_one_severity_the_rule_with_more_findings_comes_first() -> None:
    rows = [finding("a", "warning"), finding("b", "warning"), finding("b", "warning")]
    assert [group.rule for group in grouped([*rows, finding("c", "error")])] == ["c", "b", "a"]


def test_fonts_of_the_machine_are_no_matter_of_the_deck() -> None:
    replaced = finding("fonts.replaced", "info")
    plain = finding("text.overflow", "error")
    assert of_deck([replaced, plain]) == [plain] and of_machine([replaced, plain]) == []
