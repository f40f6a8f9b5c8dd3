from typing import Any

import pytest

from decklab.core.results import DeckResult, Finding, Measurement, NotScored
from decklab.linting.rules.page import StandIn
from decklab.scoring.reports.standing import (
    FLAWS,
    FONT_RULE,
    first_things,
    grouped,
    ladder,
    measure,
    of_deck,
    of_machine,
)

GATE = {
    "level": 3, "name": "structure", "title": "Structural logic", "outcome": "failed",
    "summary": "2 of 9 slides use their layout.", "mend": "Use placeholders.",
    "evidence": [{"slide": 4, "shape": "Box", "detail": "loose"}],
}  # fmt: skip
LOW = Finding(
    rule="contrast.low", severity="error", slide=2, message="Pale.", measured=1.9, threshold=4.5,
    fix="Make it darker.",
)  # fmt: skip


def deck(*findings: Finding, gains: dict[str, float] | None = None, **more: Any) -> DeckResult:
    level = Measurement.of("editability.level", 2.0, evidence={"gates": [GATE], "protocol": "pptx"})
    quality = Measurement.of("quality.score", 50.0, evidence={"gains": gains or {}})
    slide = Measurement.of(
        "quality.slide", 40.0, slide=5, evidence={"gains": {"words.joined": 3.0}}
    )
    rows = (level, quality, slide)
    return DeckResult(
        deck="a.pptx", status="scored", slides=9, findings=findings, measurements=rows, **more
    )


def advised(result: DeckResult) -> list[Any]:
    return first_things(result, grouped(result.findings), ladder(result.row("editability.level")))


def test_errors_flaws_and_the_gate_take_turns() -> None:
    result = deck(LOW, gains={"words.joined": 7.4, "layout.thin": 3.0})
    first, second, third = advised(result)
    assert (first.title, first.fix, first.slides) == ("Contrast: low", "Make it darker.", "2")
    assert second.effect == "Quality would rise from 50 to 57 of 100."
    assert second.finding.slide == 5  # where the flaw costs most
    assert [advice.amount for advice in (first, second, third)] == ["", "50 → 57", "L2"]
    assert (third.title, third.fix) == ("Editability: Structural logic", "Use placeholders.")
    assert third.effect.startswith("Editability stops at L2: 2 of 9 slides")


def test_what_a_finding_tells_is_not_told_again_as_a_flaw() -> None:
    titles = [advice.title for advice in advised(deck(LOW, gains={"style.faint": 9.0}))]
    assert titles == ["Contrast: low", "Editability: Structural logic"]


def test_small_flaws_and_decks_without_scores_advise_nothing() -> None:
    small = deck(gains={"words.joined": 0.4})
    assert [advice.title for advice in advised(small)] == ["Editability: Structural logic"]
    unknown = Measurement.of("quality.score", NotScored("no elements"))
    empty = DeckResult(deck="a.pdf", status="scored", measurements=(unknown,))
    assert first_things(empty, [], None) == []


def test_every_flaw_has_words_and_a_fix() -> None:
    assert all(flaw["words"] and flaw["fix"].endswith(".") for flaw in FLAWS.values())
    assert {flaw.partition(".")[0] for flaw in FLAWS} == {"layout", "style", "words", "deck"}


def test_what_a_missing_font_may_cause_is_the_machines() -> None:
    note = StandIn("Segoe UI", "Noto Sans", wider=1.07).note
    unsure = LOW.model_copy(update={"message": f"It runs over.{note}"})
    missing = LOW.model_copy(update={"rule": FONT_RULE})
    unknown = LOW.model_copy(update={"message": f"It runs over.{StandIn('Segoe UI').note}"})
    assert of_machine([LOW, unsure, missing, unknown]) == [unsure, unknown]
    assert of_deck([LOW, unsure, missing, unknown]) == [LOW]


@pytest.mark.parametrize(
    ("rule", "measured", "threshold", "words"),
    [
        ("contrast.low", 1.92, 4.5, "contrast 1.9:1, needs 4.5:1"),
        ("text.small", 7.0, 9.0, "7 pt, needs 9 pt"),
        ("text.margin", 3.6, 6.0, "4 px from the edge"),
        ("accessibility.missing-alt-text", 16.0, 0.0, ""),
        ("placeholder.prompt", 2.0, 0.0, ""),
        ("house.rule", 3.0, 2.0, "3, limit 2"),
        ("house.rule", 3.0, 0.0, ""),
        ("house.rule", 3.0, None, ""),
        ("contrast.low", 1.9, None, ""),
        ("contrast.low", None, 4.5, ""),
    ],
)
def test_measures_have_units_and_plain_words(
    rule: str, measured: float | None, threshold: float | None, words: str
) -> None:
    found = LOW.model_copy(update={"rule": rule, "measured": measured, "threshold": threshold})
    assert measure(found) == words


def test_a_flaw_is_shown_on_the_slide_that_it_costs_most_and_of_equals_on_the_first() -> None:
    def second(*costs: tuple[int, float]) -> Any:
        rows = [
            Measurement.of(
                "quality.slide", 40.0, slide=slide, evidence={"gains": {"words.joined": points}}
            )
            for slide, points in costs
        ]
        quality = Measurement.of("quality.score", 50.0, evidence={"gains": {"words.joined": 7.4}})
        scored = DeckResult(
            deck="a", status="scored", slides=9, measurements=(quality, *rows), findings=()
        )
        (advice,) = advised(scored)
        return advice

    assert second((2, 1.0), (5, 3.0), (7, 2.0)).slides == "5"
    assert second((2, 3.0), (5, 3.0)).slides == "2"
    nowhere = second((2, 0.0))
    assert (nowhere.slides, nowhere.finding) == ("", None)


def test_a_gate_is_shown_by_a_finding_of_editability_on_one_of_its_slides() -> None:
    loose = Finding(rule="editability.hardcoded-layout", severity="error", slide=4, message="Loose")
    elsewhere = loose.model_copy(update={"slide": 3})
    pale = LOW.model_copy(update={"slide": 4})
    (gate,) = [a for a in advised(deck(elsewhere, pale, loose)) if a.title.startswith("Editab")]
    assert (gate.finding, gate.slides) == (loose, "4")
    (gate,) = [a for a in advised(deck(elsewhere, pale)) if a.title.startswith("Editab")]
    assert gate.finding is None
