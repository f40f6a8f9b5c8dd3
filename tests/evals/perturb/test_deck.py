"""Degraded decks: valid, openable, and at severity 0 the rebuilt deck."""

from pathlib import Path

import pytest
from pptx import Presentation
from pptx.oxml import parse_xml

from decklab.core.errors import DeckError
from decklab.deck.deck import write_samples
from decklab.deck.model.shapes import Body
from decklab.deck.reading import read_elements
from decklab.editing.building.deck import build_deck, images_of
from decklab.evals.perturb.constants import AXES
from decklab.evals.perturb.deck import perturb, taken_apart, write_ladder, write_perturbed
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate
from decklab.rendering.opening import open_rendered

SPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
OWN = "<p:bgPr>{}<a:effectLst/></p:bgPr>"
NONE, NO_STYLE = OWN.format("<a:noFill/>"), '<p:bgRef idx="1000"><a:schemeClr val="bg1"/></p:bgRef>'
GREEN = OWN.format('<a:solidFill><a:srgbClr val="106020"/></a:solidFill>')
DARK = OWN.format('<a:solidFill><a:srgbClr val="102040"/></a:solidFill>')
SHEER = OWN.format(
    '<a:solidFill><a:srgbClr val="C00000"><a:alpha val="50000"/></a:srgbClr></a:solidFill>'
)
BLEND = OWN.format(
    '<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="203040"/></a:gs><a:gs pos="100000">'
    '<a:srgbClr val="304050"/></a:gs></a:gsLst><a:lin ang="0"/></a:gradFill>'
)
BACKGROUNDS = [
    (NONE, None), (NO_STYLE, None), (NONE, GREEN), (NONE, NONE), (None, NONE), (SHEER, None),
    (NONE, SHEER), (BLEND, None), (NONE, BLEND), (None, None),
]  # fmt: skip
"""What a slide and its layout state, over a dark master."""


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> dict[str, Path]:
    paths = write_samples(tmp_path_factory.mktemp("samples"))
    return {path.stem: path for path in paths}


def read(path):
    with Package.open(path) as package:
        assert [item for item in validate(package) if item.severity == "error"] == []
        return read_elements(package).slides


@pytest.mark.by_day(3)
@pytest.mark.parametrize("name", ["plain", "rich", "bad"])
@pytest.mark.parametrize("axis", AXES)
def test_degraded_decks_are_valid_and_open_elsewhere(samples, tmp_path, axis, name):
    out = tmp_path / "out.pptx"
    with Package.open(samples[name]) as package:
        count = len(read_elements(package).slides)
        write_perturbed(package, out, axis, 1.0, seed=5)
    assert len(read(out)) == count
    assert len(Presentation(str(out)).slides) == count


@pytest.mark.by_day(1)
@pytest.mark.parametrize("axis", AXES)
def test_severity_zero_is_the_rebuilt_deck(samples, tmp_path, axis):
    out, rebuilt = tmp_path / "out.pptx", tmp_path / "rebuilt.pptx"
    with Package.open(samples["rich"]) as package:
        write_perturbed(package, out, axis, 0.0, seed=9)
        slides = [taken_apart(slide) for slide in read_elements(package).slides]
        build_deck(slides, rebuilt, images=images_of(package))
    assert out.read_bytes() == rebuilt.read_bytes()


def test_only_the_slides_asked_for_are_degraded(samples, tmp_path):
    clean, out = tmp_path / "clean.pptx", tmp_path / "out.pptx"
    with Package.open(samples["plain"]) as package:
        write_perturbed(package, clean, "text", 0.0)
        write_perturbed(package, out, "text", 1.0, slides=[2])
    changed = [
        one.number
        for one, other in zip(read(clean), read(out), strict=True)
        if one.texts != other.texts
    ]
    assert changed == [2]


def test_the_deck_shows_the_damage_that_was_done_to_the_elements(samples, tmp_path):
    out = tmp_path / "out.pptx"
    with Package.open(samples["plain"]) as package:
        slide = read_elements(package).slides[1]
        write_ladder(package, out, "style", [0.0, 0.8], slide=2, seed=4)
    wanted = perturb(taken_apart(slide), "style", 0.8, seed=4, key=f"id {slide.id}")
    _clean, shown = read(out)
    assert [(item.text, item.font.name, item.font.color) for item in shown.texts] == [
        (item.text, item.font.name, item.font.color) for item in wanted.texts
    ]
    assert [item.font.size for item in shown.texts] == pytest.approx(
        [item.font.size for item in wanted.texts], abs=0.01
    )
    runs = [run for item in shown.texts for one in item.paragraphs for run in one.runs]
    assert {run.font.color for run in runs} == {item.font.color for item in wanted.texts}


def test_misspelt_text_keeps_its_paragraphs_and_the_styles_of_its_runs(samples):
    with Package.open(samples["rich"]) as package:
        slides = read_elements(package).slides
    for slide in slides:
        changed = perturb(slide, "text", 0.3, seed=1, key=slide.id)
        before = {(item.id, item.z): item for item in slide.texts}
        for item in changed.texts:
            clean = before.get((item.id, item.z))
            if clean is not None:
                assert item.text == "\n".join(one.text for one in item.paragraphs)
                assert len(item.paragraphs) == len(clean.paragraphs)
                for one, other in zip(item.paragraphs, clean.paragraphs, strict=True):
                    fonts = [run.font for run in other.runs]
                    assert all(run.font in fonts for run in one.runs)


def test_a_text_in_a_shape_becomes_a_text_of_its_own(samples):
    with Package.open(samples["rich"]) as package:
        slides = [taken_apart(slide) for slide in read_elements(package).slides]
    for slide in slides:
        places = [item.z for item in slide.elements()]
        assert len(set(places)) == len(places)
        assert all(item.body.autofit == "none" for item in slide.texts)
        assert all(
            run.kind != "field" for item in slide.texts for p in item.paragraphs for run in p.runs
        )
    assert Body().font_scale == 1.0


def test_slides_that_are_not_there_are_named(samples, tmp_path):
    with Package.open(samples["plain"]) as package:
        with pytest.raises(DeckError, match="no slide 99; the deck has 7"):
            write_perturbed(package, tmp_path / "out.pptx", "text", 0.5, slides=[99])
        with pytest.raises(DeckError, match="no slide 0"):
            write_ladder(package, tmp_path / "out.pptx", "text", [0.5], slide=0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.shared
def test_a_real_deck_degrades_to_a_valid_one(shared, tmp_path):
    deck = shared / "decks" / "real" / "presentation.pptx"
    out = tmp_path / "out.pptx"
    before = deck.read_bytes()
    for axis in AXES:
        with Package.open(deck) as package:
            write_perturbed(package, out, axis, 0.8, seed=2)
        assert len(read(out)) == 9
        out.unlink()
    assert deck.read_bytes() == before


def state_background(element, inner):
    old = element.cSld.find("{*}bg")
    if old is not None:
        element.cSld.remove(old)
    if inner is not None:
        element.cSld.insert(0, parse_xml(f"<p:bg {SPACES}>{inner}</p:bg>"))


def middles(path):
    with open_rendered(path, ocr=False) as drawn:
        return [page.image[page.image.shape[0] // 2, page.image.shape[1] // 2] for page in drawn]


@pytest.mark.office
def test_backgrounds_are_read_and_rebuilt_as_libreoffice_draws_them(tmp_path):
    deck, out = Presentation(), tmp_path / "out.pptx"
    state_background(deck.slide_masters[0]._element, DARK)
    for (slide, layout), sheet in zip(BACKGROUNDS, deck.slide_layouts, strict=False):
        state_background(sheet._element, layout)
        made = deck.slides.add_slide(sheet)
        state_background(made._element, slide)
        for shape in list(made.shapes):
            shape._element.getparent().remove(shape._element)
    deck.save(str(tmp_path / "deck.pptx"))
    with Package.open(tmp_path / "deck.pptx") as package:
        shown = [bytes.fromhex(one.background[1:]) for one in read_elements(package).slides]
        write_perturbed(package, out, "text", 0.0)
    drawn = middles(tmp_path / "deck.pptx")
    assert [list(color) for color in drawn[:2]] == [[0x10, 0x20, 0x40]] * 2
    for place, (before, read_as, rebuilt) in enumerate(
        zip(drawn, shown, middles(out), strict=True)
    ):
        assert before.tolist() == pytest.approx(list(read_as), abs=2), place
        assert before.tolist() == pytest.approx(rebuilt.tolist(), abs=2), place
