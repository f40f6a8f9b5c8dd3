import pytest
from pydantic import ValidationError

from decklab.editor.planning import EditPlan, PlanBounds, PlannedChange, plan_problem
from decklab.editor.steps import PatchList
from decklab.editor.trying import EditAnswer


def planned(**how: object) -> PlannedChange:
    whole: dict[str, object] = {
        "what": "it changes", "kinds": [], "slides": [], "design": False, "shapes": [],
        "required": True, "count": 1, "new_texts": [],
    }  # fmt: skip
    return PlannedChange.model_validate({**whole, **how})


def problem(change: PlannedChange) -> str:
    made = made_of(changes=(change,), operations=("delete_slide(1)",))
    return plan_problem(made, PlanBounds(7)) or ""


def made_of(**how: object) -> EditPlan:
    empty = dict.fromkeys(("operations", "steps", "content", "changes", "remarks"), ())
    return EditPlan.model_validate({**empty, "cannot": "", **how})


@pytest.mark.parametrize("form", [EditPlan, EditAnswer, PatchList, PlannedChange])
def test_forms_want_every_field_and_no_other(form: type[EditPlan]) -> None:
    schema = form.model_json_schema()
    for part in [schema, *schema.get("$defs", {}).values()]:
        assert part["additionalProperties"] is False
        assert set(part["required"]) == set(part["properties"])
    with pytest.raises(ValidationError):
        form.model_validate({})


def test_anything_anywhere_is_no_plan() -> None:
    assert problem(planned(design=True)) == problem(planned()) != ""
    assert problem(planned(design=True, kinds=["theme"])) == ""


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("set_title(1, 'New')", ""),
        ("set_title(prs, 1, 'New')", ""),
        ("set_title(1)", "missing a required argument: 'text'. It is:\nset_title(prs"),
        ("set_titel(1, 'New')", "there is no function set_titel; set_title"),
        ("set_title(1, title)", "something else than values"),
        ("set_title(1, 'New'", "is no Python"),
        ("prs.save('x')", "is no call of one function"),
        ("[set_title(1, 'a'), set_title(2, 'b')]", "is no call of one function"),
    ],
)
def test_a_call_that_cannot_be_made_is_told_before_it_is_tried(call: str, said: str) -> None:
    made = made_of(changes=(planned(kinds=["text"]),), operations=(call,))
    assert said in (plan_problem(made, PlanBounds(7)) or "")
    assert bool(said) == bool(plan_problem(made, PlanBounds(7)))


def test_a_plan_is_made_in_one_way() -> None:
    change = planned(kinds=["text"])
    step = {"path": "edit", "task": "do it", "slides": [1]}
    both = made_of(changes=(change,), operations=("delete_slide(1)",), steps=(step,))
    for wrong in (both, made_of(changes=(change,))):
        assert "the others stay empty" in (plan_problem(wrong, PlanBounds(7)) or "")
    calls = made_of(changes=(change,), operations=("delete_slide(1)",))
    assert "no functions" in (plan_problem(calls, PlanBounds(7, paths="xml")) or "")


def test_a_small_plan_names_few_slides_and_no_design() -> None:
    for small, how in (
        (True, {"slides": [1, 2, 3]}),
        (False, {"slides": [1, 2, 3, 4]}),
        (False, {"slides": []}),
        (False, {"slides": [1], "design": True}),
    ):
        assert made_of(changes=(planned(kinds=["text"], **how),)).small is small
    assert made_of(changes=(planned(kinds=["text"]),), operations=("delete_slide(1)",)).small
