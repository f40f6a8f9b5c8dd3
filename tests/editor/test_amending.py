"""A plan that forgot something: asked about once, checked again, and not taken without a reason."""

import json
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.editor.scripted import FITS, NOT_NEEDED, SATISFIED, WIDE, plan, program, scripted
from tests.editor.test_model_editor import (
    BOLD,
    WANTED,
    deck,  # noqa: F401 - fixture
    edited,
    prompts,
    samples,  # noqa: F401 - fixture
    stages,
    title,
)

ITALIC = BOLD.replace("bold", "italic")
BOTH = program(f"set_text(prs, 2, 'Title 1', '{WANTED}')\n{ITALIC}")
REASON = "A year that is named is in italics."


def amendment(*kinds: str, slides: tuple[int, ...] = (2,), reason: str = REASON) -> dict[str, Any]:
    changes = plan("the title is in italics", kinds, slides, required=False)["changes"]
    return {"changes": changes, "reason": reason}


def is_italic(path: Path | None) -> bool:
    shape = Presentation(str(path)).slides[1].shapes.title
    assert shape is not None
    return bool(shape.text_frame.paragraphs[0].runs[0].font.italic)


@pytest.mark.long
def test_a_plan_that_forgot_a_change_is_amended_and_checked_again(
    deck: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    with scripted(
        plan=WIDE, edit=BOTH, amend=amendment("style"), review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask, folder=tmp_path / "record")
    assert (result.outcome, result.undone, result.put_back) == ("done", (), ())
    assert (title(result.output), is_italic(result.output)) == (WANTED, True)
    assert stages(server) == ["plan", "check", "edit", "amend", "check", "review"]
    asked = prompts(server, "amend")[0]
    assert "italic" in asked.split("Changed, but not planned:")[1].split("The request:")[0]
    assert "the title is in italics" in prompts(server, "check")[1]
    assert result.amended == result.as_json()["amended"] == REASON
    kept = json.loads((tmp_path / "record" / "amendment.json").read_text())
    assert kept["reason"] == REASON


@pytest.mark.long
def test_an_amendment_that_the_check_objects_to_is_not_taken(deck: Path) -> None:  # noqa: F811
    doubt: Any = {**FITS, "fits": False, "loose": ["Nobody asked for italics."]}  # type: ignore[dict-item]
    with scripted(
        plan=WIDE, edit=BOTH, amend=amendment("style"), check=[FITS, doubt],
        review=SATISFIED,
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask, rounds=1)
    assert (result.outcome, result.amended) == ("partly", "")
    assert any("italic" in line for line in result.undone)
    assert stages(server)[:5] == ["plan", "check", "edit", "amend", "check"]


@pytest.mark.long
def test_a_plan_is_amended_once_at_the_most(deck: Path) -> None:  # noqa: F811
    more = program(f"set_text(prs, 2, 'Title 1', '{WANTED}')\n{ITALIC}\nset_notes(prs, 2, 'x')")
    wish = {"satisfied": False, "problems": ["Slide 2: say more."]}
    with scripted(
        plan=plan(), edit=[BOTH, more], amend=amendment("style"), review=wish
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask, rounds=2)
    assert stages(server).count("amend") == 1
    assert result.attempts[1].put_back and "notes" in result.attempts[1].put_back[0]


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    "wrong",
    [
        amendment("style", reason=" "),
        {**amendment(), "changes": []},
        amendment("style", slides=(5,)),
        amendment(slides=()),
    ],
)
def test_an_amendment_without_reason_or_bounds_is_asked_for_again(
    deck: Path,  # noqa: F811
    wrong: dict[str, Any],
) -> None:
    with scripted(
        plan=plan(), edit=BOTH, amend=[wrong, NOT_NEEDED], review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask, slides=[2], rounds=1)
    assert stages(server).count("amend") == 2
    assert (result.outcome, result.amended) == ("partly", "")


@pytest.mark.long
def test_changes_elsewhere_are_put_back_without_a_question(deck: Path) -> None:  # noqa: F811
    far = program(f"set_text(prs, 2, 'Title 1', '{WANTED}')\nset_notes(prs, 4, 'oops')")
    with scripted(plan=plan(), edit=far, review=SATISFIED) as (ask, server):
        result = edited(deck, ask)
    assert result.outcome == "done"
    assert "amend" not in stages(server)


@pytest.mark.long
def test_an_amendment_that_cannot_be_had_amends_nothing(deck: Path) -> None:  # noqa: F811
    with scripted(plan=plan(), edit=BOTH, amend="Well.") as (ask, server):
        result = edited(deck, ask, rounds=1)
    assert (result.outcome, title(result.output)) == ("partly", WANTED)
    assert stages(server).count("amend") == 3


@pytest.mark.long
def test_changes_are_planned_anew_where_putting_back_cannot_part_them(
    deck: Path,  # noqa: F811
) -> None:
    wider = plan("the title changes, in italics", ("text", "style"))
    with scripted(
        plan=[WIDE, wider], edit=BOTH, amend=NOT_NEEDED, review=SATISFIED
    ) as (ask, server):  # fmt: skip
        result = edited(deck, ask, rounds=1)
    assert stages(server)[:5] == ["plan", "check", "edit", "amend", "plan"]
    assert "Not planned, and cannot be put back alone" in prompts(server, "plan")[1]
    assert (result.outcome, result.undone) == ("done", ())
    assert (title(result.output), is_italic(result.output)) == (WANTED, True)


@pytest.mark.long
def test_a_second_plan_that_is_objected_to_is_not_taken(deck: Path) -> None:  # noqa: F811
    wider = plan("anything", (), (2, 3))
    with scripted(
        plan=[WIDE, wider], edit=BOTH, amend=NOT_NEEDED, review=SATISFIED
    ) as (ask, _server):  # fmt: skip
        result = edited(deck, ask, rounds=1)
    assert result.outcome == "partly"
    assert any("italic" in line for line in result.undone)
