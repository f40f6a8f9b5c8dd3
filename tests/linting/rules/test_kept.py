"""Findings that take a picture, kept between runs: the same as those that were judged."""

from pathlib import Path

import numpy as np
import pytest

from decklab.core.result_store import ResultStore
from decklab.linting.lint import KeptFindings
from decklab.linting.rules.every import integrity_findings
from decklab.linting.rules.page import Page

WORDS = "Words that run on"


@pytest.fixture
def results(tmp_path: Path) -> ResultStore:
    return ResultStore(tmp_path / "results.sqlite")


def lint(build, results, *, looks, name="A text", key="slide", gray=170):
    """Findings on a slide with pale text that leaves its shape; ``looks`` counts pictures."""
    text = build.text(WORDS, 100, 100, 400, 30, name=name, id=5, z=1)
    lines = [(110, 110, 410, 130), (110, 140, 410, 160), (110, 170, 410, 190)]
    color = f"#{gray:02X}{gray:02X}{gray:02X}"
    spans = [
        build.span(word, *box, size_pt=14.0, color=color, line=line)
        for line, (word, box) in enumerate(zip(["Words", "that", "run on"], lines, strict=True))
    ]

    def picture():
        looks.append(name)
        image = np.full((540, 960, 3), 255, np.uint8)
        for left, top, right, bottom in lines:
            image[top:bottom, left:right:3] = gray
        return image

    kept = KeptFindings(results)
    page = Page(1, spans, picture, key)
    found = integrity_findings(build.deck(build.slide(text)), [page], kept=kept.of)
    kept.keep()
    return found


def test_kept_findings_equal_those_that_were_judged(build, results):
    looks: list[str] = []
    judged = lint(build, None, looks=looks)
    first = lint(build, results, looks=looks)
    del looks[:]
    assert lint(build, results, looks=looks) == first == judged
    assert {item.rule for item in judged} >= {"contrast.low", "text.overflow"}
    assert looks == []


@pytest.mark.parametrize("other", [{"name": "Another"}, {"key": "edited"}, {"gray": 120}])
def test_another_slide_is_judged_anew(build, results, other):
    looks: list[str] = []
    lint(build, results, looks=looks)
    other = {"key": "edited", **other} if "gray" in other else other
    del looks[:]
    assert lint(build, results, looks=looks, **other) == lint(build, None, looks=[], **other)
    assert looks


def test_a_slide_whose_key_is_not_known_is_judged_each_time(build, results):
    looks: list[str] = []
    lint(build, results, looks=looks, key="")
    del looks[:]
    lint(build, results, looks=looks, key="")
    assert looks
