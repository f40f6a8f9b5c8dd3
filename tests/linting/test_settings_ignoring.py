"""What a deck says lint shall ignore: in the notes of a slide, in its properties."""

import zipfile

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from decklab.linting.lint import lint
from decklab.linting.settings import chosen_rules

ALT = "accessibility.missing-alt-text"


@pytest.fixture
def presentation(tmp_path):
    """Two slides with a picture without alternative text."""
    deck = Presentation()
    Image.new("RGB", (40, 40), "green").save(tmp_path / "field.png")
    for number in range(2):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Harvest {number}"
        picture = slide.shapes.add_picture(str(tmp_path / "field.png"), Inches(6), Inches(4))
        picture._element.nvPicPr.cNvPr.set("descr", "")
    return deck


def linted(presentation, tmp_path, **options):
    presentation.save(tmp_path / "deck.pptx")
    return lint(tmp_path / "deck.pptx", rules=chosen_rules([ALT]), **options)


def with_property(deck, value):
    """Write a custom document property by hand, as PowerPoint does (ECMA-376 Part 1, 22.3)."""
    kinds = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
    link = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties"
    space = "http://schemas.openxmlformats.org/officeDocument/2006"
    custom = (
        f'<Properties xmlns="{space}/custom-properties" xmlns:vt="{space}/docPropsVTypes">'
        '<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="decklab.ignore">'
        f"<vt:lpwstr>{value}</vt:lpwstr></property></Properties>"
    )
    changes = {
        "[Content_Types].xml": (
            "</Types>", f'<Override PartName="/docProps/custom.xml" ContentType="{kinds}"/></Types>'
        ),
        "_rels/.rels": (
            "</Relationships>",
            f'<Relationship Id="rId99" Type="{link}" Target="docProps/custom.xml"/>'
            "</Relationships>",
        ),
    }  # fmt: skip
    with zipfile.ZipFile(deck) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(deck, "w") as archive:
        for name, data in parts.items():
            old, new = changes.get(name, ("", ""))
            archive.writestr(name, data.replace(old.encode(), new.encode()) if old else data)
        archive.writestr("docProps/custom.xml", custom)


def test_notes_speak_for_their_slide_only(presentation, tmp_path):
    notes = presentation.slides[0].notes_slide.notes_text_frame
    notes.text = f"Speak slowly.\nDecklab: ignore {ALT}, title."
    found = linted(presentation, tmp_path, heed_deck=True)
    assert [item.slide for item in found.findings] == [2]
    assert [item.slide for item in found.ignored] == [1] and found.problems == ()


def test_a_deck_has_no_say_unless_it_is_heeded(presentation, tmp_path):
    presentation.slides[0].notes_slide.notes_text_frame.text = "decklab: ignore accessibility"
    found = linted(presentation, tmp_path)
    assert [item.slide for item in found.findings] == [1, 2] and found.ignored == ()


def test_one_finding_for_many_slides_stays_for_the_others(presentation, tmp_path):
    deck = Presentation()
    for _ in range(4):
        deck.slides.add_slide(deck.slide_layouts[6])
    for number in (1, 3):
        notes = deck.slides[number - 1].notes_slide.notes_text_frame
        notes.text = "decklab: ignore accessibility.missing-slide-title"
    deck.save(tmp_path / "bare.pptx")
    rules = chosen_rules(["accessibility.missing-slide-title"])
    (found,) = lint(tmp_path / "bare.pptx", rules=rules, heed_deck=True).findings
    assert (found.slide, found.slides) == (2, (2, 4))
    assert "Ignored on 1, 3" in found.message


def test_tags_and_a_custom_property_speak_for_the_deck(presentation, tmp_path):
    presentation.core_properties.keywords = f"harvest; decklab: ignore {ALT}; field"
    found = linted(presentation, tmp_path, heed_deck=True)
    assert found.findings == () and len(found.ignored) == 2
    presentation.core_properties.keywords = "harvest; field"
    assert len(linted(presentation, tmp_path, heed_deck=True).findings) == 2
    with_property(tmp_path / "deck.pptx", f"title, {ALT}")
    again = lint(tmp_path / "deck.pptx", rules=chosen_rules([ALT]), heed_deck=True)
    assert again.findings == () and len(again.ignored) == 2


def test_a_name_that_is_no_rule_is_told(presentation, tmp_path):
    presentation.slides[1].notes_slide.notes_text_frame.text = "decklab: ignore contrast.lwo"
    found = linted(presentation, tmp_path, heed_deck=True)
    assert len(found.findings) == 2
    (problem,) = found.problems
    assert "notes of slide 2" in problem and "did you mean 'contrast.low'" in problem
