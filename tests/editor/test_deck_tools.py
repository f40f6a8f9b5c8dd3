"""The tools by which a model looks at a deck."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pptx import Presentation
from tests.editor.scripted import FITS, SATISFIED, patches, plan, scripted, stage_of
from tests.openai_server import Answer

from decklab.core.errors import DecklabError
from decklab.deck.deck import write_samples
from decklab.deck.views.snapshot import snapshot_of
from decklab.editor.deck_tools import ANSWER_CHARACTERS, deck_tools, layout_lines
from decklab.editor.model_editor import edit_with_model
from decklab.editor.rounds import ModelEditOptions
from decklab.models.asking import ModelReply, ModelTool, Usage
from decklab.rendering.renderer import Renderer


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_samples(tmp_path_factory.mktemp("samples"))[1]


@pytest.fixture(scope="module")
def tools(rich: Path) -> dict[str, ModelTool]:
    return {tool.name: tool for tool in deck_tools(rich, snapshot_of(rich))}


def use(tools: dict[str, ModelTool], name: str, **arguments: Any) -> str:
    tool = tools[name]
    found = tool.run(tool.parameters.model_validate(arguments))
    assert isinstance(found, str)
    return found


def test_slides_are_listed_with_their_titles(rich: Path, tools: dict[str, ModelTool]) -> None:
    lines = use(tools, "list_slides", first=2, last=3).splitlines()
    titles = [slide.shapes.title for slide in Presentation(str(rich)).slides]
    assert [line.split(":")[0] for line in lines] == ["2", "3"]
    for line, title in zip(lines, titles[1:3], strict=True):
        assert title is not None
        assert title.text_frame.text in line
    assert use(tools, "list_slides", first=90, last=99) == "There are 14 slides."


def test_the_shapes_of_a_slide_are_told(rich: Path, tools: dict[str, ModelTool]) -> None:
    told = json.loads(use(tools, "slide_elements", slide=2))
    slide = Presentation(str(rich)).slides[1]
    ids = {shape.shape_id for shape in slide.shapes}
    assert ids <= {shape["id"] for shape in told["shapes"]}


@pytest.mark.parametrize("slide", [0, 15, -1])
def test_a_slide_that_is_not_there_is_told_of(tools: dict[str, ModelTool], slide: int) -> None:
    with pytest.raises(LookupError, match=f"no slide {slide}; the deck has 14"):
        use(tools, "slide_elements", slide=slide)
    if slide >= 0:
        with pytest.raises(LookupError, match="the deck has 14"):
            use(tools, "part_xml", part=str(slide), start=0)


def test_the_xml_of_a_part_comes_in_pieces(rich: Path, tools: dict[str, ModelTool]) -> None:
    first = use(tools, "part_xml", part="ppt/theme/theme1.xml", start=0)
    assert len(first) < ANSWER_CHARACTERS + 60
    assert "<a:clrScheme" in first
    slide = use(tools, "part_xml", part="2", start=0)
    assert "<p:sld" in slide
    start, whole = 0, ""
    while "more characters, from" in (piece := use(tools, "part_xml", part="2", start=start)):
        whole += piece.partition("\n… ")[0]
        start += ANSWER_CHARACTERS
    whole += piece
    names = [shape.name for shape in Presentation(str(rich)).slides[1].shapes]
    assert all(f'name="{name}"' in whole for name in names)
    assert "There is no part nothing.xml" in use(tools, "part_xml", part="nothing.xml", start=0)


def test_words_are_found_wherever_they_stand(tools: dict[str, ModelTool]) -> None:
    found = use(tools, "find_text", text="harbour", whole_word=True)
    assert "slide 6, notes" in found
    assert "slide 5, chart" in use(tools, "find_text", text="harbour network", whole_word=True)
    assert use(tools, "find_text", text="harb", whole_word=True) == "It stands nowhere."
    assert "slide 6, notes" in use(tools, "find_text", text="HARB", whole_word=False)


def test_layouts_are_listed_with_their_placeholders(
    rich: Path, tools: dict[str, ModelTool]
) -> None:
    master, *lines = layout_lines(rich)
    assert master.startswith("Master (ppt/slideMasters/slideMaster1.xml): ")
    layouts = list(Presentation(str(rich)).slide_layouts)
    assert len(lines) == len(layouts)
    for line, layout in zip(lines, layouts, strict=True):
        assert line.startswith(f'"{layout.name}" (ppt/slideLayouts/')
        placeholders: Any = layout.placeholders  # python-pptx declares an __iter__ without self
        held = [str(one.placeholder_format.idx) for one in placeholders]
        told = line.split("): ")[1].partition("; shows ")[0].split("; ")
        assert [one.split(" ")[0] for one in told] == (held or ["none"])
    assert use(tools, "list_layouts", word="") == "\n".join([master, *lines])


def test_functions_are_documented_by_name(tools: dict[str, ModelTool]) -> None:
    told = use(tools, "list_operations", word="clone_slide")
    assert told.startswith("clone_slide(")
    assert "delete_slide(" not in told
    assert "delete_slide(" in use(tools, "list_operations", word="no such thing")


def test_without_a_renderer_there_are_no_pictures(tools: dict[str, ModelTool]) -> None:
    assert "slide_picture" not in tools


def looked(request: dict[str, Any], reply: Any) -> Any:
    """A call of a tool first, then the reply."""
    if any(message["role"] == "tool" for message in request["messages"]):
        return Answer(json.dumps(reply), tool="give_answer")
    return Answer('{"slide": 2}', tool="slide_elements")


RETITLE = {"action": "text", "xpath": "//p:sp[p:nvSpPr/p:cNvPr[@id='2']]//a:t", "value": "Now"}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_samples(tmp_path_factory.mktemp("samples"))[0]


@pytest.mark.long
def test_the_model_looks_while_it_plans_and_writes(plain: Path, tmp_path: Path) -> None:
    with scripted(
        plan=lambda request: looked(request, plan()),
        edit=lambda request: looked(request, patches(RETITLE)), review=SATISFIED,
    ) as (ask, server):  # fmt: skip
        result = edit_with_model(
            plain, "Call slide 2 “Now”.", ask, out=tmp_path / "out.pptx", draw=False
        )
    assert result.outcome == "done"
    said = [message["content"] for request in server.requests for message in request["messages"]
            if message["role"] == "tool"]  # fmt: skip
    assert [json.loads(one)["number"] for one in said] == [2, 2]
    offered = {stage_of(one) for one in server.requests if one.get("tools")}
    assert offered == {"plan", "edit"}


def test_tools_can_be_left_out(plain: Path, tmp_path: Path) -> None:
    with scripted(
        plan=plan(), edit=patches(RETITLE), review=SATISFIED
    ) as (ask, server):  # fmt: skip
        options = ModelEditOptions(tools=False)
        result = edit_with_model(
            plain, "Call slide 2 “Now”.", ask, out=tmp_path / "out.pptx", draw=False,
            options=options,
        )  # fmt: skip
    assert result.outcome == "done"
    assert not any(one.get("tools") for one in server.requests)


def test_a_function_that_takes_no_tools_gets_none(plain: Path, tmp_path: Path) -> None:
    replies = {"Plan an": plan(), "Make this": patches(RETITLE),
               "Somebody": FITS, "An edit": SATISFIED}  # fmt: skip

    def ask(
        prompt: str, *, images: Any = (), answer: Any = None, system: Any = None,
        temperature: Any = None,
    ) -> ModelReply[Any]:  # fmt: skip
        said = next(reply for start, reply in replies.items() if prompt.startswith(start))
        return ModelReply(json.dumps(said), usage=Usage(1, 1))

    result = edit_with_model(
        plain,
        "Call slide 2 “Now”.",
        ask,  # type: ignore[arg-type] # takes neither tools nor a stage
        out=tmp_path / "out.pptx",
        draw=False,
    )
    assert result.outcome == "done"


def test_what_cannot_be_opened_is_an_error_of_the_library(tmp_path: Path) -> None:
    with pytest.raises(DecklabError):
        layout_lines(tmp_path / "nothing.pptx")


def test_the_design_the_charts_and_the_tables_are_told(tools: dict[str, ModelTool]) -> None:
    design = use(tools, "deck_facts", about="design")
    assert 'master "Tidewater": background #FFFFFF' in design
    assert "title style, level 1: +mj-lt 28 pt bold #0F4C5C" in design
    charts = use(tools, "deck_facts", about="charts").splitlines()
    assert len(charts) == 3
    assert charts[0].startswith('slide 4, 3 "Heat by source": bar; ')
    assert "Natural gas 46, Heating oil 58.5" in charts[0]
    (table,) = use(tools, "deck_facts", about="tables").splitlines()
    assert table.startswith('slide 14, 3 "Assumptions": Assumption | Low | Base | High / ')


def test_a_deck_without_charts_says_so(tmp_path: Path) -> None:
    path = tmp_path / "none.pptx"
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(str(path))
    tools = {tool.name: tool for tool in deck_tools(path, snapshot_of(path))}
    assert use(tools, "deck_facts", about="charts") == "There are none."


@pytest.mark.office
def test_a_layout_is_shown_as_an_empty_slide_of_it(rich: Path) -> None:
    before = rich.read_bytes()
    with Renderer().started() as renderer:
        made = deck_tools(rich, snapshot_of(rich), renderer=renderer)
        tool = next(tool for tool in made if tool.name == "layout_picture")
        shown = tool.run(tool.parameters.model_validate({"word": "Closing"}))
    assert isinstance(shown, bytes)
    picture = np.asarray(Image.open(BytesIO(shown)).convert("RGB"))
    # The layout's background runs from #0B2E3B to #0F4C5C.
    assert picture.mean() < 120
    assert rich.read_bytes() == before
