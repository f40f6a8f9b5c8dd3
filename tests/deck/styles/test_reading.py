"""Whole decks: against python-pptx for what runs state themselves, and as JSON."""

import pytest
from bench.styles_witness.styles import DeckStyles, read_styles
from pptx import Presentation
from pydantic import TypeAdapter

from decklab.core.errors import DeckError
from decklab.deck.reading import read_outline
from decklab.ooxml.package import Package


def real_decks(shared):
    return sorted((shared / "decks" / "real").glob("*.pptx"))


def stated_by_python_pptx(path):
    """Slide, shape id, text, size and bold of the runs of text boxes and placeholders."""
    for number, slide in enumerate(Presentation(path).slides):
        for shape in slide.shapes:
            if shape.shape_type is not None and shape.has_text_frame:
                for paragraph in shape.text_frame.paragraphs:
                    for run in paragraph.runs:
                        yield number, shape.shape_id, run.text, run.font.size, run.font.bold


def resolved(deck):
    for number, slide in enumerate(deck.slides):
        for shape in slide.shapes:
            if shape.text is not None and not shape.groups:
                for paragraph in shape.text.paragraphs:
                    for run in paragraph.runs:
                        if run.kind == "run":
                            yield number, shape.id, run, shape.text.body.font_scale


@pytest.mark.shared
@pytest.mark.parametrize("name", ["presentation", "full_intro-react_slides", "long_slides_11"])
def test_what_a_run_states_itself_is_what_python_pptx_reads(shared, stated, name):
    path = shared / "decks" / "real" / f"{name}.pptx"
    with Package.open(path) as package:
        ours = list(resolved(read_styles(package)))
    theirs = list(stated_by_python_pptx(path))
    assert [(n, id, run.text) for n, id, run, _ in ours] == [item[:3] for item in theirs]
    for (_, _, run, scale), (_, _, _, size, bold) in zip(ours, theirs, strict=True):
        font = stated(run)
        assert (font.size.source == "run") is (size is not None)
        if size is not None:
            assert font.size.value == pytest.approx(size.pt * scale, abs=0.01)
        assert (font.bold.source == "run") is (bold is not None)
        assert bold is None or font.bold.value is bold


@pytest.mark.long
@pytest.mark.shared
def test_shapes_come_in_the_order_and_number_of_the_outline(shared):
    for path in real_decks(shared)[:8]:
        with Package.open(path) as package:
            deck, outline = read_styles(package), read_outline(package)
        for slide, plain in zip(deck.slides, outline.slides, strict=True):
            assert [shape.id for shape in slide.shapes] == [shape.id for shape in plain.shapes]
            for shape, other in zip(slide.shapes, plain.shapes, strict=True):
                assert (shape.text is None) == (other.text is None)
                if shape.text is not None:
                    assert shape.text.text == other.text.text


@pytest.mark.long
@pytest.mark.shared
def test_every_deck_is_read_or_refused_in_one_line(shared):
    read = 0
    for path in sorted((shared / "decks").glob("*/*.pptx")):
        try:
            with Package.open(path) as package:
                deck = read_styles(package)
        except DeckError as error:
            assert path.name in str(error)
            assert "\n" not in str(error)
            continue
        assert isinstance(deck, DeckStyles)
        read += 1
    assert read >= 50


@pytest.mark.long
@pytest.mark.shared
def test_reading_gives_the_same_each_time(shared):
    path = shared / "decks" / "real" / "test-data_integration_stress021.pptx"
    with Package.open(path) as package:
        assert read_styles(package) == read_styles(package)


def test_a_deck_goes_to_json_and_comes_back_equal(styles, xml):
    deck = styles(
        slide=xml.box(xml.words('sz="2000"', inside=xml.solid("accent1")))
        + xml.table('<a:tr h="1"><a:tc><a:txBody><a:p/></a:txBody><a:tcPr/></a:tc></a:tr>')
    )
    adapter = TypeAdapter(DeckStyles)
    data = adapter.dump_json(deck)
    assert b'"size":20.0' in data
    assert b'"sources":{"size":"run","color":"run"}' in data
    assert adapter.validate_json(data, strict=True) == deck
    assert adapter.dump_json(deck) == data


def test_a_slide_that_leads_nowhere_is_noted(styles):
    deck = styles(presentation="", more={"ppt/_rels/presentation.xml.rels": (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'
    )})  # fmt: skip
    assert deck.slides == ()
    assert "entry 1 of the slide list leads to no slide" in deck.problems[0]
