"""The plan held against the request: by rules alone, and by a second question."""

from pathlib import Path
from typing import Any

import pytest
from tests.editing.test_put_back import built  # noqa: F401 - fixture
from tests.editor.scripted import FITS, GOOD, SATISFIED, WIDE, plan, program, scripted
from tests.editor.test_model_editor import (
    ASKED,
    WANTED,
    deck,  # noqa: F401 - fixture
    edited,
    prompts,
    samples,  # noqa: F401 - fixture
    stages,
    title,
)

from decklab.editing.plan import ExpectedChange, Plan, missing_words
from decklab.editor.planning import EditPlan, loose_changes
from decklab.ooxml.package import Package

SNAPSHOT: Any = {"slides": [{"number": number} for number in range(1, 8)]}
OTHER = program(f"set_text(prs, 3, 'Title 1', '{WANTED}')")


@pytest.mark.parametrize(
    ("instruction", "how", "said"),
    [
        ("Call slide 2 “Slide 5”", {"slides": [2]}, ""),
        ("Call slide 2 “The year”", {"slides": [3]}, "on slide 3; the request names slide 2."),
        ("Call slide 2 “The year”", {"slides": [2, 3]}, "on slide 3; the request names slide 2."),
        ("Call slide 2 “The year”", {"slides": []}, "on any slide; the request names slide 2."),
        ("Make slides 2-4 red", {"slides": [2, 3, 4]}, ""),
        (
            "Make slides 2-4 red",
            {"slides": [5, 6]},
            "slides 5, 6; the request names slides 2, 3, 4",
        ),
        ("Make all titles look like that of slide 2", {"slides": [5, 6]}, ""),
        ("Make the titles red except on slide 2", {"slides": [1, 3]}, ""),
        ("Make all text of slide 2 red", {"slides": [3]}, "on slide 3; the request names slide 2."),
        ("Give all slides the colours of slide 2", {"slides": [1, 2, 3]}, ""),
        (
            "Give the master of slide 2 a line",
            {"slides": [], "design": True, "kinds": ["master", "layout"]},
            "",
        ),
        (
            "Give the master of slide 2 a line",
            {"slides": [], "design": True},
            "on any slide; the request names slide 2.",
        ),
        ("Copy slide 2 to the end", {"slides": [8], "kinds": ["slide"]}, ""),
        ("Shorten the bullets", {"slides": [3]}, ""),
        (
            "Shorten the bullets",
            {"slides": [3], "kinds": []},
            "neither kinds of changes nor shapes",
        ),
        ("Shorten the bullets", {"slides": [3], "kinds": [], "shapes": ["3"]}, ""),
    ],
)
def test_rules_find_plans_that_let_pass_what_is_not_asked(
    instruction: str, how: dict[str, Any], said: str
) -> None:
    made = EditPlan.model_validate(plan(**how))
    found = loose_changes(made, instruction, SNAPSHOT)
    assert len(found) == bool(said)
    assert said in "".join(found)


@pytest.mark.long
def test_a_plan_for_another_slide_than_the_request_names_is_never_done(deck: Path) -> None:  # noqa: F811
    """The check by the model is silent, so is the review: the rule alone finds it."""
    with scripted(
        plan=plan(slides=[3]), edit=OTHER, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert result.outcome == "partly"
    assert len(result.undone) == 1
    assert "is planned on slide 3; the request names slide 2." in result.undone[0]
    assert stages(server)[:4] == ["plan", "check", "plan", "check"]


@pytest.mark.long
def test_a_plan_for_another_slide_is_made_anew_with_what_was_said(deck: Path) -> None:  # noqa: F811
    with scripted(
        plan=[plan(slides=[3]), plan()], edit=GOOD, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    again = prompts(server, "plan")[1]
    assert "is planned on slide 3; the request names slide 2." in again
    assert '"slides":[3]' in again


@pytest.mark.long
def test_what_the_model_objects_to_twice_makes_the_outcome_partly(deck: Path) -> None:  # noqa: F811
    doubt = {**FITS, "fits": False, "missing": ["The subtitle is not planned."]}  # type: ignore[dict-item]
    with scripted(
        plan=WIDE, check=doubt, edit=GOOD, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert (result.outcome, title(result.output)) == ("partly", WANTED)
    assert result.undone == ("The plan of the edit may be wrong: The subtitle is not planned.",)
    assert stages(server).count("check") == 2
    assert "The subtitle is not planned." in prompts(server, "plan")[1]


@pytest.mark.long
def test_the_check_sees_request_plan_and_deck_and_nothing_else_of_the_model(deck: Path) -> None:  # noqa: F811
    with scripted(
        plan={**WIDE, "remarks": ["A SECRET"]}, edit=GOOD, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        edited(deck, ask)
    asked = prompts(server, "check")[0]
    assert ASKED in asked and '"what":"the title changes"' in asked and '"number":2' in asked
    assert "A SECRET" not in asked


@pytest.mark.long
def test_a_check_that_contradicts_itself_is_asked_again(deck: Path) -> None:  # noqa: F811
    both = {**FITS, "loose": ["Too loose."]}  # type: ignore[dict-item]
    with scripted(
        plan=WIDE, check=[both, FITS], edit=GOOD, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert stages(server) == ["plan", "check", "check", "edit", "review"]


@pytest.mark.long
def test_a_check_that_cannot_be_read_does_not_stop_the_edit(deck: Path) -> None:  # noqa: F811
    with scripted(
        plan=WIDE, check="Fine.", edit=GOOD, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert stages(server).count("check") == 3


@pytest.mark.long
def test_the_check_can_be_left_out(deck: Path) -> None:  # noqa: F811
    with scripted(plan=WIDE, edit=GOOD, review=SATISFIED) as (ask, server):
        edited(deck, ask, check_plan=False)
    assert stages(server) == ["plan", "edit", "review"]


@pytest.mark.long
def test_a_small_plan_is_not_checked_by_a_model(deck: Path) -> None:  # noqa: F811
    with scripted(plan=plan(), edit=GOOD, review=SATISFIED) as (ask, server):
        edited(deck, ask)
    assert stages(server) == ["plan", "edit", "review"]


@pytest.mark.long
def test_words_that_were_planned_and_did_not_come_are_missing(deck: Path) -> None:  # noqa: F811
    said = plan(new_texts=["The year  at a glance"])
    short = program("set_text(prs, 2, 'Title 1', 'The year')")
    with scripted(
        plan=said, edit=[short, GOOD], review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask)
    assert (result.outcome, title(result.output)) == ("done", WANTED)
    assert result.attempts[0].verification is not None
    assert result.attempts[0].verification.missing == (
        "the title changes: “The year at a glance” is not there",
    )
    assert "“The year at a glance” is not there" in prompts(server, "edit")[1]


def test_planned_words_may_be_in_tables_charts_and_notes(built: Path) -> None:  # noqa: F811
    words = {6: "15 %", 3: "Say teh word.", 2: "The study of art in Q3 party"}
    with Package.open(built) as package:
        for number, text in words.items():
            for where, lines in (((number,), 0), ((), 0), ((1,), 1)):
                expected = ExpectedChange("it says so", ("text",), where, words=(text,))
                assert len(list(missing_words(package, Plan((expected,))))) == lines
        off = ExpectedChange("a section", ("section",), words=("nowhere",))
        assert list(missing_words(package, Plan((off,)))) == []
