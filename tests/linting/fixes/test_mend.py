"""Fixes of lint: the finding goes, nothing else changes, and what does not hold is taken back.

python-pptx reads what was fixed; the words of the decks are those that people see in PowerPoint.
"""

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from bench.lint_fixes import unexplained
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Inches, Pt

from decklab.core.errors import RenderFailed
from decklab.diffing.decks import diff_packages
from decklab.linting import mend
from decklab.linting.lint import lint
from decklab.linting.mend import FIXABLE, fix_deck, survey, write_fixed
from decklab.linting.project import LintOptions
from decklab.linting.settings import UNSET, LintSettings
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Renderer

pytestmark = pytest.mark.office


@pytest.fixture(scope="module")
def renderer():
    with Renderer().started(own_cache=True) as started:
        yield started


def options(*rules, **settings):
    return LintOptions(rules=rules, settings=LintSettings(**settings))


def say(shape, text, size=None):
    shape.text_frame.text = text
    for paragraph in shape.text_frame.paragraphs:
        for run in paragraph.runs:
            run.font.size = Pt(size) if size else None
            run.font.name = "Arial"
            run._r.get_or_add_rPr().set("lang", "en-GB")


class Build:
    """A deck with the layouts of python-pptx's own template, and a picture."""

    def __init__(self, folder):
        self.deck, self.folder = Presentation(), folder

    def slide(self, title=None):
        slide = self.deck.slides.add_slide(self.deck.slide_layouts[5 if title else 6])
        if title:
            say(slide.shapes.title, title)
        return slide

    def box(self, slide, place, text, size=18):
        box = slide.shapes.add_textbox(*map(Inches, place))
        box.text_frame.word_wrap = True
        say(box, text, size)
        return box

    def picture(self, slide, place, color="green"):
        path = self.folder / f"{color}.png"
        Image.new("RGB", (40, 40), color).save(path)
        picture = slide.shapes.add_picture(str(path), *map(Inches, place))
        picture._element.nvPicPr.cNvPr.set("descr", "")
        return picture

    def fixed(self, renderer, given):
        """The fixes, and the fixed deck as python-pptx reads it."""
        path, copy = self.folder / "deck.pptx", self.folder / "fixed.pptx"
        self.deck.save(path)
        before = hashlib.sha256(path.read_bytes()).digest()
        mended = fix_deck(path, given, renderer)
        assert hashlib.sha256(path.read_bytes()).digest() == before
        assert unexplained(mended) == []
        write_fixed(mended, copy, force=True)
        again = Presentation(copy) if mended.content else self.deck
        if mended.content:
            with Package.open(path) as old, Package.open(copy) as new:
                assert diff_packages(old, new).edits == mended.changes.edits
        return mended, again


@pytest.fixture
def build(tmp_path):
    return Build(tmp_path)


def test_a_slide_without_a_title_gets_its_first_line_off_the_slide(build, renderer):
    slide = build.slide()
    build.box(slide, (1, 0.5, 7, 1), "Our harvest\nand what comes of it", 32)
    build.box(slide, (1, 3, 7, 1), "Wheat and rye", 18)
    mended, deck = build.fixed(renderer, options("accessibility", "title", "text", "shape"))
    assert [fix.rule for fix in mended.fixed] == ["accessibility.missing-slide-title"]
    title = deck.slides[0].shapes.title
    assert title.text_frame.text == "Our harvest"
    assert title.top + title.height < 0, "above the slide, where nobody sees it"
    assert deck.slides[0].shapes[0].shape_id == title.shape_id, "the first to be read"
    assert lint(build.folder / "fixed.pptx", renderer=renderer).findings == ()


def test_a_title_off_the_slide_is_in_the_language_of_its_text(build, renderer):
    box = build.box(build.slide(), (1, 0.5, 7, 1), "حصاد هذا العام", 32)
    box.text_frame.paragraphs[0].runs[0]._r.get_or_add_rPr().set("lang", "ar-DZ")
    mended, deck = build.fixed(renderer, options("accessibility"))
    assert [fix.rule for fix in mended.fixed] == ["accessibility.missing-slide-title"]
    (run,) = deck.slides[0].shapes.title.text_frame.paragraphs[0].runs
    assert run._r.rPr.get("lang") == "ar-DZ"


def test_an_empty_title_is_used_and_a_slide_without_words_left_alone(build, renderer):
    empty = build.slide("x")
    empty.shapes.title.text_frame.text = ""
    build.box(empty, (1, 3, 7, 1), "Wheat and rye", 24)
    build.picture(build.slide(), (2, 2, 3, 3))
    mended, deck = build.fixed(renderer, options("accessibility.missing-slide-title"))
    assert len(mended.fixed) == 1 and mended.left["accessibility.missing-slide-title"] == 1
    assert len(deck.slides[0].shapes) == 2 and deck.slides[1].shapes.title is None
    assert deck.slides[0].shapes.title.text_frame.text == "Wheat and rye"


def test_titles_off_the_slide_are_told_apart(build, renderer):
    for words in ("Wheat", "Rye", "Oats"):
        slide = build.slide()
        build.box(slide, (1, 0.5, 7, 1), "Our harvest", 32)
        build.box(slide, (1, 3, 7, 1), words, 18)
        build.slide(f"Prices of {words}")
    mended, deck = build.fixed(renderer, options("accessibility"))
    titles = [slide.shapes.title.text_frame.text for slide in deck.slides]
    assert titles[::2] == ["Our harvest", "Our harvest – 2", "Our harvest – 3"]
    assert mended.taken_back == ()


def test_titles_that_come_again_are_numbered(build, renderer):
    for title, words in (("Exercise", "Sow"), ("Exercise", "Plough"), ("Break", "Tea"),
                         ("Exercise", "Reap"), ("Question", "Who?"), ("Answer", "We."),
                         ("Question", "When?")):  # fmt: skip
        build.box(build.slide(title), (1, 3, 7, 1), words)
    mended, deck = build.fixed(renderer, options("accessibility.duplicate-slide-title"))
    titles = [slide.shapes.title.text_frame.text for slide in deck.slides]
    assert titles == [
        "Exercise – 1/2", "Exercise – 1/2", "Break", "Exercise – 2/2", "Question", "Answer",
        "Question",
    ]  # fmt: skip
    assert [fix.slides for fix in mended.fixed] == [(1, 2, 4)]
    assert deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.name == "Arial"


def test_pictures_take_their_captions_or_are_marked_where_they_are_ornaments(build, renderer):
    slide = build.slide("Harvest")
    build.picture(slide, (1, 2, 3, 2))
    build.box(slide, (1, 4.05, 3, 0.5), "Wheat in July, near Kiel", 14)
    build.picture(slide, (6, 2, 2, 2), "red")
    build.picture(slide, (0.2, 0.2, 0.3, 0.3), "blue")
    mended, deck = build.fixed(renderer, options("accessibility.missing-alt-text"))
    captioned, unknown, icon = [shape for shape in deck.slides[0].shapes if hasattr(shape, "image")]
    descriptions = [
        shape._element.nvPicPr.cNvPr.get("descr") for shape in (captioned, unknown, icon)
    ]
    assert descriptions == ["Wheat in July, near Kiel", "", ""]
    mark = icon._element.nvPicPr.cNvPr.xpath(".//*[local-name()='decorative']/@val")
    assert mark == ["1"] and not unknown._element.xpath(".//*[local-name()='decorative']")
    assert mended.left["accessibility.missing-alt-text"] == 1


def test_a_near_miss_is_moved_onto_its_row(build, renderer):
    slide = build.slide("Steps")
    tops = [2, 2, 2.04, 2]
    for place, top in enumerate(tops):
        box = slide.shapes.add_shape(
            MSO_SHAPE.RECTANGLE, Inches(0.5 + 2.3 * place), Inches(top), Inches(2), Inches(1)
        )
        say(box, f"Step {place + 1}", 20)
    mended, deck = build.fixed(renderer, options("shape.drift"))
    assert len(mended.fixed) == 1
    found = {shape.top for shape in deck.slides[0].shapes if shape.has_text_frame and
             shape.text_frame.text.startswith("Step ")}  # fmt: skip
    assert max(found) - min(found) <= Pt(0.1)


def test_pale_text_takes_a_colour_of_the_theme_and_colours_stay_apart(build, renderer):
    slide = build.slide("Colours")
    box = build.box(slide, (1, 3, 7, 1), "Hardly to be seen ", 24)
    box.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(0xCC, 0xDD, 0xEE)
    second = box.text_frame.paragraphs[0].add_run()
    second.text, second.font.size, second.font.name = "and this in black", Pt(24), "Arial"
    second._r.get_or_add_rPr().set("lang", "en-GB")
    mended, deck = build.fixed(renderer, options("contrast.low"))
    assert len(mended.fixed) == 1 and mended.left["contrast.low"] == 0
    runs = deck.slides[0].shapes[1].text_frame.paragraphs[0].runs
    assert runs[0].font.color.theme_color not in (None, MSO_THEME_COLOR.TEXT_1)
    assert runs[1].font.color.type is None, "black stays, and is not taken twice"


def test_text_below_its_box_fits_by_a_larger_box_or_a_smaller_size(build, renderer):
    slide = build.slide("Boxes")
    words = "Wheat and rye and oats and barley grow on the fields near Kiel. " * 2
    plain = build.box(slide, (0.5, 2, 3, 0.4), words, 16)
    plain.text_frame.auto_size = MSO_AUTO_SIZE.NONE
    card = slide.shapes.add_shape(
        MSO_SHAPE.RECTANGLE, Inches(5.5), Inches(2), Inches(3), Inches(1.1)
    )
    say(card, "Hens and geese and ducks and pigeons live in the yard of the old mill. " * 2, 16)
    card.shadow.inherit = False
    card.fill.solid()
    card.fill.fore_color.rgb = RGBColor(0xDD, 0xE8, 0xF0)
    card.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(0, 0, 0)
    mended, deck = build.fixed(renderer, options("text.overflow"))
    assert mended.before["text.overflow"] == 2 and mended.left["text.overflow"] == 0
    box, painted = list(deck.slides[0].shapes)[1:]
    assert box.height > Inches(1) and box.text_frame.paragraphs[0].runs[0].font.size == Pt(16)
    assert painted.height == Inches(1.1)
    assert Pt(16 * 0.8) <= painted.text_frame.paragraphs[0].runs[0].font.size < Pt(16)


def test_the_language_follows_the_script(build, renderer):
    slide = build.slide("Languages")
    russian = build.box(slide, (1, 3, 7, 1), "Добро пожаловать на урок истории", 20)
    given = options("accessibility.language", languages=("en", "ru-RU"))
    mended, deck = build.fixed(renderer, given)
    assert len(mended.fixed) == 1
    run = deck.slides[0].shapes[1].text_frame.paragraphs[0].runs[0]
    assert run._r.rPr.get("lang") == "ru-RU"
    # Without a language of the project that has the script, nobody can know which it is.
    russian.text_frame.paragraphs[0].runs[0]._r.rPr.set("lang", "en-GB")
    assert build.fixed(renderer, options("accessibility.language"))[0].fixed == ()


def test_a_deck_without_languages_gets_the_first_of_the_project(build, renderer):
    slide = build.slide("Harvest")
    for run in slide.shapes.title.text_frame.paragraphs[0].runs:
        del run._r.rPr.attrib["lang"]
    given = options("accessibility.language", languages=("de-AT", "en"))
    _mended, deck = build.fixed(renderer, given)
    run = deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0]
    assert run._r.rPr.get("lang") == "de-AT"
    assert build.fixed(renderer, options("accessibility.language"))[0].fixed == ()


@pytest.mark.long
def test_what_brings_another_finding_is_taken_back(build, renderer):
    # Larger, the box would leave the slide; smaller, the text would be under the least size.
    slide = build.slide("Boxes")
    words = "Wheat and rye and oats and barley grow on the fields near Kiel. " * 3
    card = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(5), Inches(5), Inches(3), Inches(0.6))
    say(card, words, 13)
    mended, _deck = build.fixed(renderer, options("text"))
    assert mended.before["text.overflow"] == mended.left["text.overflow"] == 1
    assert mended.fixed == () and mended.content is None


def test_a_fix_that_changes_more_than_it_says_is_taken_back(build, renderer, monkeypatch):
    slide = build.slide()
    build.box(slide, (1, 0.5, 7, 1), "Our harvest", 32)
    planned = survey

    def meddling(path, checks, started, *, planned):
        found = real(path, checks, started, planned=planned)
        spoilt = [replace(fix, ways=(_and_delete(fix.ways[0]),)) for fix in found.fixes]
        return replace(found, fixes=tuple(spoilt))

    def _and_delete(way):
        def done(prs):
            way(prs)
            prs.slides[0].shapes[1].text_frame.paragraphs[0].runs[0].font.bold = True
            prs.slides[0].shapes[1].name = "Other"

        return done

    real = planned
    monkeypatch.setattr(mend, "survey", meddling)
    mended, _deck = build.fixed(renderer, options("accessibility"))
    assert mended.fixed == ()
    (taken,) = mended.taken_back
    assert "it changed more" in taken.reason


def test_without_pictures_what_is_read_is_fixed_all_the_same(build):
    class NoOffice:
        engine = "none"
        options: Mapping[str, object] = {}

        def pdf(self, path: str | Path) -> bytes:
            raise RenderFailed(path, "it fell over")

        resaved = pdf

    build.box(build.slide(), (1, 0.5, 7, 1), "Our harvest", 32)
    build.deck.save(build.folder / "deck.pptx")
    mended = fix_deck(build.folder / "deck.pptx", LintOptions(settings=UNSET), Renderer(NoOffice()))
    assert not mended.drawn and len(mended.fixed) == 1


def test_a_deck_without_slides_or_findings_has_nothing_to_fix(tmp_path, renderer):
    Presentation().save(tmp_path / "deck.pptx")
    mended = fix_deck(tmp_path / "deck.pptx", LintOptions(settings=UNSET), renderer)
    assert (mended.fixed, mended.taken_back, mended.content) == ((), (), None)
    write_fixed(mended, tmp_path / "out.pptx")
    assert not (tmp_path / "out.pptx").exists()


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["shared-fixtures_real-financial-report", "test-data_slideshow_WithMaster"]
)
def test_real_decks_are_fixed_and_nothing_else_changes(shared, tmp_path, name, renderer):
    deck = tmp_path / f"{name}.pptx"
    shutil.copy(shared / "decks" / "features" / deck.name, deck)
    mended = fix_deck(deck, LintOptions(settings=UNSET), renderer)
    assert mended.fixed and unexplained(mended) == []
    write_fixed(mended, tmp_path / "fixed.pptx")
    was, now = (lint(path, renderer=renderer) for path in (deck, tmp_path / "fixed.pptx"))
    assert len(now.findings) < len(was.findings)
    assert {item.rule for item in now.findings} <= {item.rule for item in was.findings}
    assert sum(mended.left[rule] for rule in FIXABLE) < sum(mended.before.values())
