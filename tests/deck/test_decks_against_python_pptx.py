"""Real decks, with python-pptx as a witness for what it can read."""

from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Emu

from decklab.core.errors import DecklabError
from decklab.deck.deck import write_samples
from decklab.deck.model.slide import DeckElements
from decklab.deck.reading import read_elements
from decklab.deck.views.snapshot import plain_slide
from decklab.ooxml.package import Package

REAL = Path(__file__).parents[3] / "shared" / "decks"
NAMED = sorted(REAL.glob("*/*.pptx"))


def read(path: Path) -> DeckElements:
    with Package.open(path) as package:
        return read_elements(package)


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    return {path.stem: path for path in write_samples(tmp_path_factory.mktemp("samples"))}


def test_the_rich_sample_has_all_it_was_given(samples):
    deck = read(samples["rich"])
    kinds = {type(item).__name__ for slide in deck.slides for item in slide.elements()}
    assert {"Text", "Rect", "Line", "Image", "Table", "Chart", "Group"} <= kinds
    assert any(slide.transition for slide in deck.slides)
    assert any(slide.animations for slide in deck.slides)
    assert deck.problems == ()


def test_elements_cross_json_unchanged(samples):
    deck = read(samples["rich"])
    for whole in (True, False):
        text = deck.model_dump_json(exclude_defaults=not whole)
        assert DeckElements.model_validate_json(text) == deck


@pytest.mark.by_day(8)
@pytest.mark.shared
@pytest.mark.parametrize("path", NAMED, ids=lambda path: f"{path.parent.name}/{path.stem[:40]}")
def test_every_deck_is_read_or_refused_in_one_line(path):
    try:
        deck = read(path)
    except DecklabError as error:
        assert "\n" not in str(error)
        return
    for slide in deck.slides:
        plain_slide(slide)


def flat(shapes):
    for shape in shapes:
        yield shape
        if shape.shape_type == 6:
            yield from flat(shape.shapes)


@pytest.mark.by_day(2)
@pytest.mark.shared
@pytest.mark.parametrize(
    "path", [path for path in NAMED if path.parent.name == "real"], ids=lambda path: path.stem[:40]
)
def test_python_pptx_sees_the_same_texts_tables_notes_and_places(path):
    deck, witness = read(path), Presentation(path)
    width, height = witness.slide_width, witness.slide_height
    assert len(deck.slides) == len(witness.slides)
    for slide, page in zip(deck.slides, witness.slides, strict=True):
        texts = {item.z: item for item in slide.texts}
        seen = {item.z: item for item in slide.elements()}
        tables = {item.z: item for item in slide.tables}
        for z, shape in enumerate(flat(page.shapes)):
            assert seen[z].id == shape.shape_id
            if shape.has_text_frame and shape.text_frame.text.strip():
                assert without_math(texts[z].text, shape) == shape.text_frame.text
            if shape.has_table:
                cells = [[cell.text for cell in row.cells] for row in shape.table.rows]
                assert [[cell.text for cell in row] for row in tables[z].rows] == cells
            if shape._element.getparent().tag.endswith("spTree") and hasattr(seen[z], "x"):
                check_place(seen[z], shape, width, height)
        notes = page.notes_slide.notes_text_frame if page.has_notes_slide else None
        assert (slide.notes or "") == ("" if notes is None else notes.text)


def without_math(text, shape):
    """python-pptx leaves formulas out."""
    formulas = "{http://schemas.microsoft.com/office/drawing/2010/main}m"
    return shape.text_frame.text if next(shape._element.iter(formulas), None) is not None else text


def check_place(element, shape, width, height):
    if shape.left is None or shape.width is None or not element.placed:
        return
    assert element.x == pytest.approx(Emu(shape.left) * 960 / width, abs=0.006)
    assert element.y == pytest.approx(Emu(shape.top) * 540 / height, abs=0.006)
    assert element.w == pytest.approx(abs(shape.width) * 960 / width, abs=0.006)
    assert element.h == pytest.approx(abs(shape.height) * 540 / height, abs=0.006)


@pytest.mark.shared
def test_comments_diagrams_media_and_japanese_of_the_feature_decks(shared):
    features = shared / "decks" / "features"
    comments = [
        comment
        for slide in read(features / "tests_data_pptx_sources_powerpoint_comments.pptx").slides
        for comment in slide.comments
    ]
    assert comments
    assert all(comment.text and comment.author for comment in comments)
    (diagram,) = read(features / "test-data_slideshow_smartart-simple.pptx").slides[0].diagrams
    assert diagram.nodes
    for name, kind in (("EmbeddedVideo", "video"), ("EmbeddedAudio", "audio")):
        (media,) = read(features / f"test-data_slideshow_{name}.pptx").slides[0].media
        assert media.medium == kind
        assert media.media_sha256
    japanese = read(features / "test-data_slideshow_with_japanese.pptx").slides[0]
    assert any("\u3040" <= c <= "\u30ff" for text in japanese.texts for c in text.text)
