"""Scores kept between runs: equal to measured ones bit for bit, and only if nothing failed."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Inches
from tests.rendering.dying_office import DyingOffice, write_numbered

from decklab.core.errors import RenderTimeout
from decklab.metrics.aesthetics import rows as rows_module
from decklab.metrics.catalogue import METRICS
from decklab.metrics.metric import MetricInfo
from decklab.rendering.renderer import Cache, Renderer
from decklab.scoring import scored as scored_module
from decklab.scoring.deck import score_deck
from decklab.scoring.scored import ScoreOptions, kept_deck, score_key

pytestmark = pytest.mark.office


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """Four slides of which each has a title, text and a colour of its own."""
    presentation = Presentation()
    for number in range(4):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = f"Part {number + 1} of the plan"
        slide.placeholders[1].text = "What we do next\nWho does it"
        shape = slide.shapes.add_shape(1, Inches(7), Inches(5), Inches(1 + number / 2), Inches(1))
        shape.text_frame.text = f"Box {number}"
    presentation.save(str(tmp_path / "talk.pptx"))
    return tmp_path / "talk.pptx"


@pytest.fixture
def renderer(office, tmp_path: Path) -> Renderer:
    return Renderer(office, Cache(tmp_path / "cache"))


@pytest.fixture
def measured_slides(monkeypatch) -> list[int]:
    """The numbers of the slides that are measured, in order."""
    numbers = []

    def measure(number, *arguments, **options):
        numbers.append(number)
        return rows_module.slide_rows(number, *arguments, **options)

    monkeypatch.setattr(scored_module, "slide_rows", measure)
    return numbers


def as_json(scored) -> str:
    return json.dumps(scored.result.model_dump(mode="json"), sort_keys=True)


def test_kept_scores_equal_those_that_no_cache_gives(talk, renderer, measured_slides):
    alone = score_deck(talk, renderer=replace(renderer, cache=None))
    first = score_deck(talk, renderer=renderer)
    del measured_slides[:]
    again = score_deck(talk, renderer=renderer)
    assert measured_slides == []
    assert as_json(alone) == as_json(first) == as_json(again)
    assert alone.pictures == first.pictures == again.pictures
    assert alone.cover == first.cover == again.cover


def test_the_same_bytes_under_another_name_are_not_measured_again(
    talk, renderer, measured_slides, tmp_path
):
    first = score_deck(talk, renderer=renderer)
    copy = shutil.copy(talk, tmp_path / "other.pptx")
    del measured_slides[:]
    again = score_deck(Path(copy), renderer=renderer)
    assert measured_slides == []
    assert again.result.deck == str(copy)
    assert again.result.measurements == first.result.measurements
    alone = score_deck(Path(copy), renderer=replace(renderer, cache=None))
    assert as_json(again) == as_json(alone)


def test_after_an_edit_only_the_slide_that_changed_is_measured(talk, renderer, measured_slides):
    score_deck(talk, renderer=renderer)
    presentation = Presentation(talk)
    presentation.slides[2].shapes.title.text = "Another part"
    presentation.save(talk)
    del measured_slides[:]
    edited = score_deck(talk, renderer=renderer)
    assert measured_slides == [3]
    alone = score_deck(talk, renderer=replace(renderer, cache=None))
    assert as_json(edited) == as_json(alone) and edited.pictures == alone.pictures


def test_a_slide_that_moved_has_its_rows_under_its_new_number(talk, renderer, measured_slides):
    score_deck(talk, renderer=renderer)
    presentation = Presentation(talk)
    listed = presentation.slides._sldIdLst
    listed.insert(0, listed[3])
    presentation.save(talk)
    del measured_slides[:]
    moved = score_deck(talk, renderer=renderer)
    assert measured_slides == []
    alone = score_deck(talk, renderer=replace(renderer, cache=None))
    assert as_json(moved) == as_json(alone)


def test_other_options_are_other_scores(talk, renderer):
    plain = score_deck(talk, renderer=renderer)
    more = score_deck(talk, renderer=renderer, options=ScoreOptions(also=["printed"]))
    names = {row.metric for row in more.result.measurements}
    assert names > {row.metric for row in plain.result.measurements}


def test_the_key_is_the_same_however_the_same_options_are_given(talk, renderer):
    keys = {score_key(talk, ScoreOptions(), renderer)}
    keys |= {score_key(talk, ScoreOptions(also=[]), renderer)}
    keys |= {score_key(talk, ScoreOptions(also=["aim", "printed"]), renderer)}
    keys |= {score_key(talk, ScoreOptions(also=("printed", "aim")), renderer)}
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VERSION", "9.9.9"),
        ("code_stamp", lambda: "other code"),
        ("PDF_ENGINE", "PDFium 0"),
        ("can_read_pictures", lambda: None),
        ("METRICS", {"m": MetricInfo("m", "slide", "", "", version="7")}),
    ],
)
def test_the_key_changes_with_what_measures(talk, renderer, monkeypatch, name, value):
    before = score_key(talk, ScoreOptions(), renderer)
    monkeypatch.setattr(scored_module, name, value)
    assert score_key(talk, ScoreOptions(), renderer) != before


def test_with_metrics_of_other_packages_nothing_is_kept(talk, renderer, monkeypatch):
    calls = []

    def measure(picture):
        calls.append(picture.shape)
        return 1.0

    outside = MetricInfo("outside.m", "slide", "", "", measure=measure)
    monkeypatch.setitem(METRICS._items, outside.name, outside)
    score_deck(talk, renderer=renderer)
    score_deck(talk, renderer=renderer)
    assert len(calls) == 8


def test_scores_without_slides_that_libreoffice_dies_on_are_not_kept(tmp_path):
    deck = write_numbered(tmp_path / "deadly.pptx", 4)
    renderer = Renderer(DyingOffice("Slide 2"), Cache(tmp_path / "cache"))
    broken = score_deck(deck, renderer=renderer)
    assert broken.result.row("rhythm.subband_entropy", 2).value is None
    healed = score_deck(deck, renderer=replace(renderer, office=DyingOffice()))
    assert healed.result.row("rhythm.subband_entropy", 2).value is not None


def test_a_verdict_that_a_probe_lacked_is_not_kept(talk, renderer, office, monkeypatch):
    slow = _SlowProbes(office)
    first = score_deck(talk, renderer=replace(renderer, office=slow))
    (level,) = [row for row in first.result.measurements if row.metric == "editability.level"]
    assert "too slow" in str(level.reason)
    again = score_deck(talk, renderer=renderer)
    (level,) = [row for row in again.result.measurements if row.metric == "editability.level"]
    assert level.value is not None


class _SlowProbes:
    """An office that does not finish the copies that probes change."""

    def __init__(self, office):
        self._office, self.engine, self.options = office, office.engine, office.options

    def pdf(self, path):
        if Path(path).name in ("relayout.pptx", "charts.pptx"):
            raise RenderTimeout(path, "too slow")
        return self._office.pdf(path)


@pytest.mark.parametrize("content", [b"", b"notes of somebody"])
def test_a_store_that_cannot_be_read_is_ignored(talk, renderer, content):
    path = renderer.store.results.path
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    alone = score_deck(talk, renderer=replace(renderer, cache=None))
    assert as_json(score_deck(talk, renderer=renderer)) == as_json(alone)
    assert as_json(score_deck(talk, renderer=renderer)) == as_json(alone)


@pytest.mark.parametrize("text", [b"[]", b"{", b'{"result": {}, "pictures": {}, "cover": null}'])
def test_a_kept_deck_of_another_shape_is_measured_again(talk, renderer, text):
    key = score_key(talk, ScoreOptions(), renderer)
    renderer.store.results.put({key: text})
    scored = score_deck(talk, renderer=renderer)
    assert scored.result.status == "scored" and kept_deck(talk, key, renderer)
