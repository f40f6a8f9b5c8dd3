import pytest
from pydantic import ValidationError

from decklab.editor.planning import EditPlan, PlannedChange, Route, plan_problem
from decklab.editor.steps import PatchList


def planned(**how: object) -> PlannedChange:
    whole: dict[str, object] = {
        "what": "it changes", "kinds": [], "slides": [], "design": False, "shapes": [],
        "required": True, "count": 1, "new_texts": [],
    }  # fmt: skip
    return PlannedChange.model_validate({**whole, **how})


def problem(change: PlannedChange) -> str:
    made = EditPlan(content=(), changes=(change,), parts=(), cannot="")
    return plan_problem(made, None) or ""


@pytest.mark.parametrize("form", [Route, EditPlan, PatchList, PlannedChange])
def test_forms_want_every_field_and_no_other(form: type[Route]) -> None:
    schema = form.model_json_schema()
    for part in [schema, *schema.get("$defs", {}).values()]:
        assert part["additionalProperties"] is False
        assert set(part["required"]) == set(part["properties"])
    with pytest.raises(ValidationError):
        form.model_validate({})


def test_anything_anywhere_is_no_plan() -> None:
    assert problem(planned(design=True)) == problem(planned()) != ""
    assert problem(planned(design=True, kinds=["theme"])) == ""
