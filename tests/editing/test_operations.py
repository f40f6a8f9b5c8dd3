"""The operations as a prompt describes them."""

import ast
import inspect
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import canonicalize
from zipfile import ZipFile

import pypdfium2 as pdfium
import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from decklab.editing import operations
from decklab.editing.finding import EditError
from decklab.editing.opening import opened, saved
from decklab.editing.operations import operation_docs, operation_names
from decklab.editor.steps import run_program
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate
from decklab.sandbox.sandbox import bundle_module

FUNCTIONS = [name for name in operations.__all__ if inspect.isfunction(getattr(operations, name))]


def test_the_documentation_tells_every_function_with_an_example_of_it() -> None:
    docs = operation_docs()
    for name in FUNCTIONS:
        assert f"\n\n{name}(prs" in f"\n\n{docs}"
        assert f"{name}(prs" in (inspect.getdoc(getattr(operations, name)) or "")


def test_every_example_in_the_documentation_is_python() -> None:
    lines = [line.strip() for line in operation_docs().splitlines()]
    examples = [line.removeprefix("Example: ") for line in lines if line.startswith("Example:")]
    assert len(examples) == len(FUNCTIONS)
    for example in examples:
        compile(example, "example", "eval")


def test_programs_in_the_sandbox_get_little_of_decklab() -> None:
    """No element models, nothing that opens files by itself."""
    sources = bundle_module("decklab.editing.operations")[1]["_decklab_modules"]
    assert isinstance(sources, dict)
    rooms = {name.split(".")[1] for name in sources if "." in name}
    assert rooms == {"core", "editing", "ooxml"}
    of_core = {name.split(".")[2] for name in sources if name.startswith("decklab.core.")}
    assert of_core == {"errors", "geometry", "naming"}
    assert "decklab.ooxml.draft" not in sources
    imported = {
        name.split(".")[0]
        for text in sources.values()
        for node in ast.walk(ast.parse(str(text)))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else _names(node))
        if name
    }
    assert not imported & {"pydantic", "zipfile"}


def test_a_family_is_documented_alone() -> None:
    docs = operation_docs(["pictures"])
    assert [line.partition("(")[0] for line in docs.splitlines() if line[:1].strip()] == list(
        operation_names()["pictures"]
    )
    listed = [name for names in operation_names().values() for name in names]
    assert sorted(listed) == sorted(FUNCTIONS)
    assert len(set(listed)) == len(listed)
    with pytest.raises(EditError, match="no family 'spells'"):
        operation_docs(["spells"])


PROGRAM = """
from io import BytesIO
from PIL import Image

def edit(prs):
    held = BytesIO()
    Image.new("RGB", (64, 48), (20, 90, 160)).save(held, "PNG")
    number = add_slide(prs, 2, title="Made here", layout="Title Only")
    left = add_shape(prs, number, (60, 120, 160, 60), "rounded rectangle", text="Plan")
    right = add_shape(prs, number, (360, 120, 160, 60), "diamond", text="Do", fill="accent3")
    add_connector(prs, number, left, right, kind="curved")
    picture = add_picture(prs, number, (600, 120, 200, 150), held.getvalue(), alt="Blue")
    crop_picture(prs, number, picture, left=0.2)
    align_shapes(prs, number, [left, right, picture], "top")
    add_text_box(prs, number, (60, 200, 300, 40), "Source: us", size=12)
    table = add_table(prs, number, (60, 260, 400, 120), [["A", "B"], ["1", "2"], ["3", "4"]])
    merge_cells(prs, number, (1, 1), (1, 2), shape=table)
    add_chart(prs, number, (500, 260, 400, 240), "stacked column", categories=["x", "y"],
              series={"one": [1, 2], "two": [2, 1]}, title="Sums")
    group = group_shapes(prs, number, [left, right], "Pair")
    set_geometry(prs, number, group, x=30, rotation=10)
    order_shape(prs, number, group, "back")
    set_background(prs, "#EEF2F7", slides=[number])
    set_body(prs, 1, ["First", (1, "below"), "Second"])
    apply_layout(prs, 4, "Two Content")
    for documented in sorted(name for name in globals() if name.startswith("add_")):
        print(documented)
"""


@pytest.fixture(scope="session")
def made(deck_file: Path, tmp_path_factory: pytest.TempPathFactory, caged: None) -> Path:
    """The deck after a program in the sandbox that adds something of everything."""
    target = tmp_path_factory.mktemp("made") / "made.pptx"
    printed = run_program(PROGRAM, deck_file, target)
    assert set(printed.split()) >= {name for name in FUNCTIONS if name.startswith("add_")}
    return target


def test_programs_in_the_sandbox_add_something_of_everything(made: Path) -> None:
    with Package.open(made) as package:
        assert [one for one in validate(package) if one.severity == "error"] == []
    shapes = list(Presentation(str(made)).slides[1].shapes)
    assert {shape.shape_type for shape in shapes} >= {
        MSO_SHAPE_TYPE.GROUP, MSO_SHAPE_TYPE.LINE, MSO_SHAPE_TYPE.PICTURE, MSO_SHAPE_TYPE.TABLE,
        MSO_SHAPE_TYPE.CHART, MSO_SHAPE_TYPE.TEXT_BOX,
    }  # fmt: skip
    assert len({shape.shape_id for shape in shapes}) == len(shapes)


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize("name", ["long_slides_11.pptx", "full_intro-react_slides.pptx"])
def test_other_parts_of_a_real_deck_stay_as_they_are(
    name: str, shared: Path, tmp_path: Path
) -> None:
    deck, out = shared / "decks" / "real" / name, tmp_path / "out.pptx"
    prs = opened(deck)
    functions: Any = operations  # mypy does not see the computed __all__
    number = functions.add_slide(prs, title="", layout=prs.slide_layouts[0].name)
    shape = functions.add_shape(prs, number, (100, 100, 200, 100), "star")
    functions.set_geometry(prs, number, shape, x=10, rotation=20)
    functions.add_chart(prs, number, (0, 200, 300, 200), "bar", categories=["a"], series={"b": [1]})
    saved(prs, out)
    before, after = (contents(path) for path in (deck, out))
    assert sum(before.values()) > 30
    assert before - after == Counter()
    with Package.open(deck) as first, Package.open(out) as second:
        known = set(validate(first))
        assert [
            one for one in validate(second) if one.severity == "error" and one not in known
        ] == []


def contents(path: Path) -> Counter[bytes]:
    """What the parts of a deck hold; not those that list parts, which python-pptx names anew."""
    lists = ("[Content_Types].xml", "ppt/presentation.xml", "docProps/app.xml")
    with ZipFile(path) as held:
        names = [name for name in held.namelist()
                 if name not in lists and not name.endswith(("/", ".rels"))]  # fmt: skip
        parts = [(name, held.read(name)) for name in names]
    return Counter(
        canonicalize(data).encode() if name.endswith(".xml") else data for name, data in parts
    )


@pytest.mark.long
@pytest.mark.office
def test_libreoffice_draws_what_was_added(made: Path, tmp_path: Path) -> None:
    subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless",
         "--convert-to", "pdf", "--outdir", str(tmp_path), str(made)],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    with pdfium.PdfDocument(tmp_path / "made.pdf") as pdf:
        words = pdf[1].get_textpage().get_text_range().split()
    assert {"Plan", "Do", "Sums", "Source:"} <= set(words)


def _names(node: ast.Import) -> list[str]:
    return [alias.name for alias in node.names]
