"""Requests that mend findings are understood by the editor, on decks that have the finding."""

from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches, Pt

import decklab
from decklab.workbench.web.pages import fix_request, model_request


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A title slide with an empty subtitle, a picture, a small text, and one that is an address."""
    folder = tmp_path_factory.mktemp("deck")
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[0])
    Image.new("RGB", (20, 20), "red").save(folder / "p.png")
    slide.shapes.add_picture(str(folder / "p.png"), 0, 0)
    slide.shapes.title.text_frame.text = "Harbour"
    small = slide.shapes.add_textbox(Inches(1), Inches(5), Inches(4), Inches(1))
    small.text_frame.text = "https://example.org/a"
    small.text_frame.paragraphs[0].runs[0].font.size = Pt(6)
    made.save(str(folder / "a.pptx"))
    return folder / "a.pptx"


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("rule", "name", "message", "words"),
    [
        ("placeholder.empty", "Subtitle 2", "A placeholder was left empty", ""),
        ("accessibility.missing-slide-title", "", "1 of 2 slides have no title", "What we found"),
        ("accessibility.duplicate-slide-title", "Title 1", "A title comes again", "Port"),
        ("accessibility.poor-alt-text", "Picture 3", "A program wrote it", "A crane"),
        ("text.small", "TextBox 4", '"https" is set in 6.0 pt.', ""),
        ("title.size", "Title 1", "set in 44 pt, not in the 52 pt on 5 other slides", ""),
        ("title.font", "Title 1", "set in Arial, not in the Segoe UI on 5 other slides", ""),
        ("accessibility.link-text", "TextBox 4",
         'The link text "https://example.org/a" is an address', "Our plan"),
        ("shape.off-slide", "TextBox 4", "TextBox 4 (id 5) lies off the slide", ""),
    ],
)  # fmt: skip
def test_the_editor_understands_what_mends_a_finding(
    deck: Path, rule: str, name: str, message: str, words: str
) -> None:
    finding = {"rule": rule, "slide": 1, "shape": f"{name} (id 3)", "message": message}
    request = fix_request(finding)
    assert request.endswith(" ") == bool(words)
    assert decklab.edit(deck, request + words, dry_run=True).outcome == "done", request


def test_findings_that_no_command_mends_offer_nothing() -> None:
    empty = {"rule": "placeholder.empty", "slide": 1, "shape": None, "message": ""}
    assert fix_request(empty) == ""
    assert fix_request(empty | {"shape": """It's "so" (id 3)"""}) == ""
    small = {"rule": "text.small", "slide": 1, "shape": "A (id 2)"}
    assert fix_request(small | {"message": "is set in 7.0 pt on the layout or master."}) == ""
    assert fix_request(small | {"rule": "contrast.low", "message": "a contrast of 2:1"}) == ""
    assert fix_request(
        small | {"rule": "accessibility.missing-slide-title",
                 "message": "The slide has no title placeholder."}
    ) == ""  # fmt: skip


def test_a_model_is_told_place_fault_and_help() -> None:
    finding = {"rule": "contrast.low", "slide": 2, "shape": "A (id 2)", "message": "Too pale.",
               "fix": "Make it darker."}  # fmt: skip
    assert model_request(finding) == "On slide 2, in A (id 2): Too pale. Make it darker."
    assert model_request(finding | {"slide": None, "shape": None, "fix": ""}) == (
        "In the deck: Too pale."
    )
