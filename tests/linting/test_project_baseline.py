"""Baselines: known findings stay quiet through small edits, new ones are told."""

import json

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from decklab.core.errors import SettingsError
from decklab.linting.lint import lint
from decklab.linting.project import read_baseline, write_baseline
from decklab.linting.settings import chosen_rules

RULES = chosen_rules(["accessibility.missing-alt-text", "accessibility.missing-slide-title"])


def add_slide(deck, title, pictures, tmp_path):
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = title
    for _ in range(pictures):
        picture = slide.shapes.add_picture(str(tmp_path / "field.png"), Inches(6), Inches(4))
        picture._element.nvPicPr.cNvPr.set("descr", "")
    return slide


@pytest.fixture
def deck(tmp_path):
    Image.new("RGB", (40, 40), "green").save(tmp_path / "field.png")
    deck = Presentation()
    add_slide(deck, "Harvest", 1, tmp_path)
    add_slide(deck, "Prices", 1, tmp_path)
    deck.save(tmp_path / "deck.pptx")
    return tmp_path / "deck.pptx"


@pytest.fixture
def baseline(deck, tmp_path):
    assert write_baseline(tmp_path / "known.json", [lint(deck, rules=RULES)]) == 2
    return read_baseline(tmp_path / "known.json")


def new_findings(deck, baseline):
    return baseline.new_only(lint(deck, rules=RULES)).findings


def moved_first(deck, number):
    """The deck's slide list with one slide first, by hand (ECMA-376 Part 1, 19.2.1.34)."""
    listed = deck.slides._sldIdLst
    listed.insert(0, list(listed)[number - 1])


def test_a_deck_that_did_not_change_has_nothing_new(deck, baseline):
    assert new_findings(deck, baseline) == ()
    assert len(baseline.new_only(lint(deck, rules=RULES)).ignored) == 2


def test_slides_that_move_and_titles_that_change_are_known_again(deck, baseline, tmp_path):
    edited = Presentation(deck)
    moved_first(edited, 2)
    edited.slides[0].shapes.title.text = "Prices in autumn"
    add_slide(edited, "New", 0, tmp_path)
    moved_first(edited, 3)
    edited.save(deck)
    assert [item.slide for item in lint(deck, rules=RULES).findings] == [2, 3]
    assert new_findings(deck, baseline) == ()


def test_a_further_picture_and_a_further_slide_are_new(deck, baseline, tmp_path):
    edited = Presentation(deck)
    extra = edited.slides[0].shapes.add_picture(str(tmp_path / "field.png"), 0, 0)
    extra._element.nvPicPr.cNvPr.set("descr", "")
    edited.save(deck)
    (found,) = new_findings(deck, baseline)
    assert (found.slide, found.measured) == (1, 2)


def test_one_finding_for_many_slides_is_new_with_another_slide(tmp_path):
    deck = Presentation()
    for _ in range(3):
        deck.slides.add_slide(deck.slide_layouts[6])
    path = tmp_path / "bare.pptx"
    deck.save(path)
    write_baseline(tmp_path / "known.json", [lint(path, rules=RULES)])
    known = read_baseline(tmp_path / "known.json")
    assert new_findings(path, known) == ()
    gone = deck.slides._sldIdLst[0]
    deck.part.drop_rel(gone.rId)
    deck.slides._sldIdLst.remove(gone)
    deck.save(path)
    deck = Presentation(path)
    assert lint(path, rules=RULES).findings and new_findings(path, known) == ()
    for _ in range(2):
        deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(path)
    assert len(new_findings(path, known)) == 1


def test_paths_count_from_the_folder_of_the_baseline(deck, tmp_path):
    place = tmp_path / "ci" / "known.json"
    write_baseline(place, [lint(deck, rules=RULES)])
    assert list(json.loads(place.read_text())["decks"]) == ["../deck.pptx"]


@pytest.mark.parametrize("text", ["", "[]", '{"version": 1}', '{"version": 9, "decks": {}}'])
def test_a_file_that_is_no_baseline_is_refused(tmp_path, text):
    (tmp_path / "known.json").write_text(text)
    with pytest.raises(SettingsError, match=r"known\.json"):
        read_baseline(tmp_path / "known.json")
