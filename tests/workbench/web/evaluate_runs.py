"""Results of decklab's commands, written by the functions that the commands write them with."""

import json
import re
from pathlib import Path
from typing import Any

from PIL import Image
from pptx import Presentation

from decklab import evals
from decklab.core.files import package_data
from decklab.core.results import NotScored
from decklab.evals.desktop.trajectory import RunEnd, TrajectoryWriter
from decklab.evals.ppteval.outcomes import TaskOutcome, difficulty_table
from decklab.evals.rubrics.graded import LeafResult, graded
from decklab.evals.rubrics.rubric import FunctionScorer, Rubric, RubricNode
from decklab.evals.slidesgen.evaluation import MissedQuestion, SlidesgenRow
from decklab.evals.slidesgen.report import SlidesgenRun

EVIL = "<script>document.title='stolen'</script>"


def write_json(path: Path, data: Any) -> None:
    """Write plain data."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))


def write_deck(path: Path, *titles: str) -> Path:
    """A deck with some titles."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = Presentation()
    for title in titles:
        made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = title
    made.save(str(path))
    return path


def arena_case(name: str, following: float | None, **more: Any) -> dict[str, Any]:
    """A case in the form of ``results.json`` of PPTArena."""
    value = {"value": following} if following is not None else {"value": None, "reason": "no judge"}
    return {
        "name": name, "categories": ["Content"], "edit_types": ["Tables"], "instruction": "Do it",
        "difficulty": None, "prediction": "", "ending": "done", "note": "",
        "values": {"IF": value, "VQ": {"value": 4.0}}, "reasons": {"IF": f"{EVIL} said"},
        "missing": ["Slide 1: not bold."], "unasked": [], **more,
    }  # fmt: skip


def arena_results(editors: dict[str, list[dict[str, Any]]], **more: Any) -> dict[str, Any]:
    """``results.json`` of PPTArena."""
    board = [{"system": name} for name in editors]
    found = {name: {"summary": [], "cases": cases} for name, cases in editors.items()}
    return {"version": "content 1", "facts": [], "left_out": [], "board": board,
            "editors": found, **more}  # fmt: skip


def write_ppteval(folder: Path, scores: dict[str, tuple[float, float]], editor: str) -> None:
    """Results of PPT-Eval: the lowest and highest possible score by task."""
    outcomes = [
        TaskOutcome(name, "Easy" if n % 2 else "Hard", ("text",), low, high, "it says why", steps=n)
        for n, (name, (low, high)) in enumerate(scores.items())
    ]
    write_json(
        folder / "results.json",
        {"editor": editor, "model": None, "judge": None,
         "summary": difficulty_table(outcomes).to_json(),
         "tasks": [one.to_json() for one in outcomes]},
    )  # fmt: skip


def write_grade(path: Path) -> None:
    """What ``decklab grade --json`` prints of a tree with a leaf that is not scored."""
    leaves = (
        RubricNode("Title is bold", "Looks at the runs", True, scorer=FunctionScorer("")),
        RubricNode(EVIL, scorer=FunctionScorer("")),
    )
    rubric = Rubric(RubricNode("All is done", children=leaves))
    found = graded(rubric, {
        "root.children[0]": LeafResult(1.0, "Yes: both runs are bold."),
        "root.children[1]": LeafResult(NotScored("it needs a model")),
    })  # fmt: skip
    write_json(path, found.to_json())


def write_slidesgen(folder: Path) -> None:
    """Results of SlidesGen-Bench with a question that was missed."""
    missed = MissedQuestion(
        number=4, kind="data", question="How many cups?", right="160", answered="150",
        mistake="wrong", reason="slide 2 says 150", quote="A taster tries 160 cups.",
        place="tea.md, page 2",
    )  # fmt: skip
    row = SlidesgenRow(
        system="ours", topic="tea", purpose="work_report", deck="decks/ours/tea.pptx", slides=2,
        values={"content": 0.9}, reasons={"quality": "not drawn"}, missed=(missed,),
    )  # fmt: skip
    write_json(folder / "results.json", SlidesgenRun("One", (row,), {}).to_json())


def write_quiz(folder: Path) -> None:
    """A bank of questions, and the answers of a deck that holds half of them."""
    text = package_data("decklab.evals.slidesgen", "data/tea.md").decode()
    source = folder / "source.md"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    sentences = re.findall(r"[A-Z][^.#\n]+\.", text)
    evals.build_quiz([source], folder / "bank.json")
    deck = write_deck(folder / "talk.pptx", *sentences[::2])
    (result,) = evals.take_quiz(folder / "bank.json", [deck])
    write_json(folder / "answers.json", [result.as_json()])


def write_trajectory(folder: Path) -> None:
    """A run of three steps; the second was refused, and then the model failed."""
    writer = TrajectoryWriter(folder)
    folder.mkdir(parents=True)
    screens = [Image.new("RGB", (640, 400), (shade, 90, 90)) for shade in (10, 80, 160, 240)]
    writer.begin({"instruction": f"Make it bold {EVIL}", "agent": "desktop"}, screens[0])
    click = {"action": "left_click", "coordinate": [100, 50]}
    done: dict[str, Any] = {"thought": "Here.", "call": click, "actions": [click]}
    writer.add(screens[1], pointer=(100, 50), **done)
    writer.add(screens[2], thought="", call=click, actions=[], refused="outside of the screen")
    writer.add(screens[3], **done)
    writer.end(RunEnd("model failed", "it is busy", "", 3))
