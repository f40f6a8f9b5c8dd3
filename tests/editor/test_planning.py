import pytest
from pydantic import ValidationError

from decklab.diffing.changes import Change, ElementRef
from decklab.editor.planning import EditPlan, PlannedChange
from decklab.editor.routing import Route
from decklab.editor.steps import PatchList


def planned(**how: object) -> PlannedChange:
    whole: dict[str, object] = {
        "what": "it changes", "kinds": [], "slides": [], "design": False, "shapes": [],
        "required": True, "new_texts": [],
    }  # fmt: skip
    return PlannedChange.model_validate({**whole, **how})


def change(slide: int | None, kind: str = "text", id: int = 3) -> Change:
    return Change.model_validate(
        {"slide": slide, "element": ElementRef(id=id, name="Body"), "kind": kind,
         "property": "text", "old": "a", "new": "b"}
    )  # fmt: skip


@pytest.mark.parametrize("form", [Route, EditPlan, PatchList, PlannedChange])
def test_forms_want_every_field_and_no_other(form: type[Route]) -> None:
    schema = form.model_json_schema()
    for part in [schema, *schema.get("$defs", {}).values()]:
        assert part["additionalProperties"] is False
        assert set(part["required"]) == set(part["properties"])
    with pytest.raises(ValidationError):
        form.model_validate({})


@pytest.mark.parametrize(
    ("how", "allowed", "not_allowed"),
    [
        ({"slides": [2]}, change(2), change(3)),
        ({"slides": [2]}, change(2), change(None)),
        ({"slides": [2], "design": True}, change(None), change(3)),
        ({"design": True}, change(None), change(2)),
        ({"kinds": ["text"]}, change(7), change(7, "style")),
        ({"slides": [2], "shapes": ["3"]}, change(2), change(2, id=4)),
        ({"slides": [2], "shapes": ["Body"]}, change(2), change(3)),
    ],
)
def test_a_planned_change_allows_what_it_says_and_no_more(
    how: dict[str, object], allowed: Change, not_allowed: Change
) -> None:
    meant = planned(**how).expected()
    assert meant.allows(allowed)
    assert not meant.allows(not_allowed)
