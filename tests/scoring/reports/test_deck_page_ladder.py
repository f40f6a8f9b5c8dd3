from decklab.core.results import Measurement, NotScored
from decklab.scoring.reports.standing import ladder


def row(level: float | NotScored, outcomes: list[str], protocol: str = "pptx") -> Measurement:
    gates = [
        {"level": i, "name": f"g{i}", "title": f"Gate {i}", "outcome": outcome, "summary": "Seen.",
         "evidence": [{"slide": None, "shape": None, "detail": "d"}], "mend": ""}
        for i, outcome in enumerate(outcomes, 1)
    ]  # fmt: skip
    evidence = {"protocol": protocol, "class_name": "x", "gates": gates}
    return Measurement.of("editability.level", level, evidence=evidence)


def test_the_first_failed_gate_ends_the_climb() -> None:
    shown = ladder(row(2.0, ["passed", "passed", "failed", "not_reached", "not_reached"]))
    assert shown is not None
    states = {rung.level: rung.state for rung in shown.rungs}
    assert states == {
        5: "open", 4: "open", 3: "failed", 2: "here", 1: "climbed", 0: "climbed",
    }  # fmt: skip
    assert [rung.level for rung in shown.rungs] == [5, 4, 3, 2, 1, 0]


def test_a_level_kept_although_its_gate_failed_is_where_the_deck_stands() -> None:
    shown = ladder(row(1.0, ["failed", "not_reached"]))
    assert shown is not None
    assert {rung.level: rung.state for rung in shown.rungs}[1] == "here"


def test_flat_pages_stand_on_the_lowest_rung_and_say_why() -> None:
    shown = ladder(row(0.0, [], protocol="static"))
    assert shown is not None
    assert shown.rungs[-1].state == "here"
    assert "L0" in shown.protocol


def test_gates_are_shown_even_where_no_level_came_of_them() -> None:
    shown = ladder(row(NotScored("the renderer is missing"), ["passed", "not_scored"]))
    assert shown is not None
    assert shown.level is None
    assert "here" not in {rung.state for rung in shown.rungs}


def test_evidence_of_the_whole_deck_names_no_slide_or_shape() -> None:
    shown = ladder(row(1.0, ["passed"]))
    assert shown is not None
    (gate,) = shown.rungs[-2].gates
    assert (gate.evidence[0].slide, gate.evidence[0].shape) == (None, "")


def test_no_row_or_an_empty_one_has_no_ladder() -> None:
    assert ladder(None) is None
    assert ladder(Measurement.of("editability.level", NotScored("no file"))) is None


def test_a_gate_without_a_title_has_its_name_and_names_the_slides_of_its_evidence() -> None:
    evidence = [{"slide": 4, "detail": "d"}, {"slide": None, "shape": "Box"}, {"slide": 2}]
    raw = {"level": 1, "name": "text", "outcome": "failed", "evidence": evidence}
    found = Measurement.of("editability.level", 0.0, evidence={"gates": [raw]})
    shown = ladder(found)
    assert shown is not None
    (gate,) = shown.rungs[-2].gates
    assert (gate.title, gate.slides, gate.mend) == ("text", (4, 2), "")
    assert [item.shape for item in gate.evidence] == ["", "Box", ""]
    titled = Measurement.of(
        "editability.level", 0.0, evidence={"gates": [raw | {"title": "Text", "mend": "Join."}]}
    )
    again = ladder(titled)
    assert again is not None
    assert (again.rungs[-2].gates[0].title, again.rungs[-2].gates[0].mend) == ("Text", "Join.")
