"""The examples in the prompts of the editor are answers that it takes."""

import ast
import json
import re
from pathlib import Path
from typing import get_args

from pptx import Presentation

import decklab.editor
from decklab.deck.deck import write_samples
from decklab.editor.planning import EditPlan, PlanBounds, plan_problem
from decklab.editor.steps import operations_program, run_program
from decklab.editor.text_steps import TextEdits
from decklab.models.reading import read_answer
from decklab.ooxml.patch_parts import Action

PROMPTS = Path(decklab.editor.__file__).parent / "prompts"


def prompt(name: str) -> str:
    return (PROMPTS / f"{name}.txt").read_text(encoding="utf-8")


def planned() -> EditPlan:
    """The plan of the example, put together from its fields."""
    text = " ".join(prompt("plan").split("Example, ")[1].split())
    fields = {
        name: ast.literal_eval(re.search(rf"\b{name} (\[.*?\]), (?=[a-z]+ )", text)[1])
        for name in ("operations", "steps", "content", "remarks")
    }
    changes = json.loads(re.search(r"changes (\[\{.*?\}\])", text)[1])
    return EditPlan.model_validate({**fields, "changes": changes, "cannot": ""})


def test_the_texts_of_the_example_fit_their_form() -> None:
    text = prompt("texts")
    example = text.partition('{"')[1] + text.partition('{"')[2].split("\n\n")[0]
    reading = read_answer(example, TextEdits)
    assert (reading.problem, reading.mended) == (None, ())


def test_the_plan_of_the_example_is_taken_and_its_calls_are_made(tmp_path: Path) -> None:
    plan = planned()
    assert plan_problem(plan, PlanBounds(7)) is None
    deck = write_samples(tmp_path)[0]
    run_program(operations_program(plan.operations), deck, tmp_path / "out.pptx")
    title = Presentation(str(tmp_path / "out.pptx")).slides[3].shapes.title
    assert title is not None
    assert title.text_frame.text == plan.changes[0].new_texts[0] == "Results"
    assert str(title.text_frame.paragraphs[0].runs[0].font.color.rgb) == "C00000"


def test_every_action_of_a_patch_is_described() -> None:
    described = prompt("patches")
    assert [action for action in get_args(Action) if action not in described] == []
