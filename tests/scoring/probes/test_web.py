from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from decklab.metrics.editability.judge import judge_web
from decklab.rendering.html import HtmlDeck
from decklab.scoring.probes.web import web_facts

PAGE = """<!doctype html><html><body style="margin:0">
<section class="slide" style="width:1280px;height:720px;position:relative">{}</section>
</body></html>"""
WORDS = "A paragraph of plain words that an editor would expect to wrap. " * 3


def facts_of(tmp_path: Path, inside: str):
    page = tmp_path / "deck.html"
    page.write_text(PAGE.format(inside), encoding="utf-8")
    with HtmlDeck(page) as deck:
        return web_facts(deck)


@pytest.mark.chromium
def test_paragraphs_and_svg_reach_level_2(tmp_path):
    pytest.importorskip("playwright")
    svg = '<svg width="200" height="200"><circle cx="100" cy="100" r="90" fill="red"/></svg>'
    facts = facts_of(tmp_path, f"<p style='width:600px'>{WORDS}</p>{svg}")
    assert (facts.slides, facts.text_blocks, facts.reflowing, facts.vectors) == (1, 1, 1, 1)
    assert judge_web(facts).level == 2


@pytest.mark.chromium
def test_lines_pinned_to_their_place_are_level_1(tmp_path):
    pytest.importorskip("playwright")
    lines = "".join(
        f"<div style='position:absolute;white-space:nowrap;left:80px;top:{80 + 40 * n}px'>"
        f"line {n} of a paragraph that is cut</div>"
        for n in range(5)
    )
    facts = facts_of(tmp_path, lines)
    assert facts.fragments == 5
    assert judge_web(facts).level == 1


@pytest.mark.chromium
def test_a_picture_for_a_slide_is_level_0(tmp_path):
    pytest.importorskip("playwright")
    Image.fromarray(np.full((720, 1280, 3), 90, np.uint8)).save(tmp_path / "slide.png")
    facts = facts_of(tmp_path, "<img src='slide.png' style='width:1280px;height:720px'>")
    assert facts.raster_slides == 1
    assert judge_web(facts).level == 0
