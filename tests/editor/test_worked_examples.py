"""The examples in the prompts of the editor are answers that it takes."""

import re
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pydantic import BaseModel

import decklab.editor
from decklab.deck.samples import write_samples
from decklab.editor.planning import Route
from decklab.editor.steps import PatchList, make_patches, run_program
from decklab.editor.text_steps import TextEdits
from decklab.models.reading import read_answer

PROMPTS = Path(decklab.editor.__file__).parent / "prompts"


def example(name: str) -> str:
    text = (PROMPTS / f"{name}.txt").read_text(encoding="utf-8")
    return text.partition('{"')[1] + text.partition('{"')[2].split("\n\n")[0]


@pytest.mark.parametrize(
    ("name", "form"), [("route", Route), ("patch", PatchList), ("texts", TextEdits)]
)
def test_the_example_of_a_prompt_fits_its_form(name: str, form: type[BaseModel]) -> None:
    reading = read_answer(example(name), form)
    assert (reading.problem, reading.mended) == (None, ())


def test_the_program_of_the_example_runs(tmp_path: Path) -> None:
    text = (PROMPTS / "program.txt").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(def edit.*?)```", text, re.DOTALL)
    prs = Presentation(str(write_samples(tmp_path)[0]))
    prs.slides[2].shapes.add_textbox(0, 0, 99999, 99999).name = "Draft"
    prs.save(str(tmp_path / "in.pptx"))
    assert len(blocks) == 1
    run_program(blocks[0], tmp_path / "in.pptx", tmp_path / "out.pptx")
    after = Presentation(str(tmp_path / "out.pptx"))
    assert "Draft" not in [shape.name for shape in after.slides[2].shapes]
    for slide in list(after.slides)[1:3]:
        assert slide.shapes.title is not None
        for run in slide.shapes.title.text_frame.paragraphs[0].runs:
            assert str(run.font.color.rgb) == "C00000"


def test_the_lines_of_python_pptx_work(tmp_path: Path) -> None:
    text = (PROMPTS / "program.txt").read_text(encoding="utf-8")
    lines = re.findall(r"^    (.*)$", text.split("Functions:")[0], re.MULTILINE)
    assert 15 <= len(lines) <= 25
    crib = "\n".join(lines)
    deck = write_samples(tmp_path)[0]
    layouts: Any = Presentation(str(deck)).slide_layouts
    layout = next(one.name for one in layouts
                  if 1 in {held.placeholder_format.idx for held in one.placeholders})  # fmt: skip
    before = ["from io import BytesIO", "from PIL import Image", "stream = BytesIO()",
              "Image.new('RGB', (8, 8)).save(stream, 'PNG')", "stream.seek(0)",
              "made = prs.slides[2].shapes.add_group_shape()",
              "made.shapes.add_textbox(0, 0, 9999, 9999)"]  # fmt: skip
    # Shape 7 is a group for one line of the crib, and a box for the others.
    grouped = crib.replace("one.shape_id == 7)", "one.has_text_frame)").replace(
        "members = shape.shapes", "members = made.shapes"
    )
    grouped = grouped.replace("Title and Content", layout)
    body = "\n".join(f"    {line}" for line in [*before, *grouped.splitlines()])
    run_program(f"def edit(prs):\n{body}\n", deck, tmp_path / "out.pptx")
    slides = Presentation(str(tmp_path / "out.pptx")).slides
    assert len(slides) == len(Presentation(str(deck)).slides) + 1


def test_the_patches_of_the_example_are_made(tmp_path: Path) -> None:
    prs = Presentation(str(write_samples(tmp_path)[0]))
    box = prs.slides[3].shapes.add_textbox(0, 0, 99999, 99999)
    box._element.nvSpPr.cNvPr.set("id", "7")
    others = [shape for shape in prs.slides[3].shapes if shape.shape_id == 7][:-1]
    for shape in others:
        shape._element.getparent().remove(shape._element)
    box.text_frame.paragraphs[0].add_run().text = "Draft"
    box.line.color.rgb = RGBColor(0, 0, 0)
    prs.save(str(tmp_path / "in.pptx"))
    reading = read_answer(example("patch"), PatchList)
    assert reading.answer is not None
    make_patches(reading.answer, tmp_path / "in.pptx", tmp_path / "out.pptx")
    after = next(one for one in Presentation(str(tmp_path / "out.pptx")).slides[3].shapes
                 if one.shape_id == 7)  # fmt: skip
    assert after.has_text_frame
    assert after.text_frame.text == "Ready"
    assert str(after.line.color.rgb) == "800000"
