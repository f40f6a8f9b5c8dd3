"""A critic's scores on slides made here, and on degraded sample and real slides."""

from statistics import fmean

import numpy as np
import pytest

from decklab.core.geometry import Box
from decklab.deck.deck import write_samples
from decklab.deck.model.base import Font
from decklab.deck.model.shapes import Image, Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.evals.perturb.constants import AXES
from decklab.evals.perturb.deck import write_ladder
from decklab.evals.slideeval.tasks import degradation, rate_slide, text_flaws
from decklab.metrics.quality import layout_flaws, style_flaws
from decklab.metrics.statistics import rank_correlation
from decklab.ooxml.package import Package
from decklab.rendering.opening import open_rendered
from decklab.rendering.pictures import TextSpan
from decklab.rendering.renderer import Renderer
from decklab.scoring.deck import measured_slide

WHITE = np.full((540, 960, 3), 255, np.uint8)
FONT = Font(name="Arial", size=20.0, style=(), color="#222222")


def text(words, box, **font):
    x, y, w, h = map(float, box)
    return Text(
        x=x, y=y, w=w, h=h, text=words, font=FONT.model_copy(update=font), align="left"
    )  # fmt: skip


def seen(*texts, images=(), spans=(), picture=WHITE):
    slide = SlideElements(background="#FFFFFF", texts=texts, images=images)
    return measured_slide(slide, picture, spans)


def span(words, box, line):
    return TextSpan(words, Box(*box), "Arial", 20.0, "#222222", line)


def test_texts_drawn_over_each_other_clash_and_others_do_not():
    apart = seen(spans=[span("one", (0, 0, 100, 20), 0), span("two", (0, 40, 100, 60), 1)])
    over = seen(spans=[span("one", (0, 0, 100, 20), 0), span("two", (30, 5, 130, 25), 1)])
    assert text_flaws(apart)["clash"] == 0
    assert text_flaws(over)["clash"] == 1


def test_layout_flaws_are_what_they_say():
    row = seen(text("a", (100, 100, 200, 50)), text("b", (400, 100, 200, 50)))
    assert layout_flaws(row)["unaligned"] == 0
    assert layout_flaws(row)["overlap"] == 0
    heap = seen(text("a", (100, 100, 200, 50)), text("b", (111, 109, 230, 71)))
    assert layout_flaws(heap)["unaligned"] == 1
    assert layout_flaws(heap)["overlap"] > 0.7
    edge = seen(text("a", (0, 100, 200, 4)))
    assert (layout_flaws(edge)["margin"], layout_flaws(edge)["thin"]) == (1, 1)
    wide = Image(x=100.0, y=100.0, w=400.0, h=100.0, pixels=(100, 100))
    assert layout_flaws(seen(images=(wide,)))["stretched"] == 1


def test_style_flaws_count_what_differs():
    even = seen(text("a", (0, 0, 9, 9)), text("b", (0, 0, 9, 9)))
    assert {name for name, flaw in style_flaws(even).items() if flaw} == {
        "flat", "plain",
    }  # fmt: skip
    motley = seen(
        text("a", (0, 0, 9, 9), name="Impact", size=80.0, style=("italic", "underscore")),
        text("b", (0, 0, 9, 9), color="#FF0000", size=6.0),
    )
    flaws = style_flaws(motley)
    assert flaws["families"] == pytest.approx(1 / 3)
    assert (flaws["italic"], flaws["underlined"], flaws["loud"]) == (0.5, 0.5, 0.5)
    assert (flaws["small"], flaws["large"]) == (0.5, 0.5)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("scale", [5, 100])
def test_scores_are_whole_numbers_on_their_scale(axis, scale):
    for slide in (seen(), seen(text("qxzj wvkq", (0, 0, 1, 1), size=2.0, style=("italic",)))):
        score = rate_slide(slide, axis, scale)
        assert isinstance(score, int)
        assert 1 <= score <= scale


def ladder(package, office, folder, axis, slide, *, severities):
    built = write_ladder(
        package, folder / "ladder.pptx", axis, severities, slide=slide, seed=2, force=True
    )
    with Package.open(built.path) as again:
        elements = read_elements(again).slides
    with open_rendered(built.path, renderer=Renderer(office), ocr=False) as drawn:
        views = [measured_slide(e, d.image, d.spans) for e, d in zip(elements, drawn, strict=True)]
    return [degradation(one, axis) for one in views]


@pytest.mark.long
@pytest.mark.office
def test_damage_is_noticed_on_every_axis(tmp_path, office):
    deck = write_samples(tmp_path)[0]
    severities = [0, 0.5, 1]
    with Package.open(deck) as package:
        for axis in AXES:
            rungs = [
                ladder(package, office, tmp_path, axis, n, severities=severities) for n in (2, 4)
            ]
            clean, _middle, worst = (fmean(found) for found in zip(*rungs, strict=True))
            assert worst > clean + 0.1


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.office
def test_scores_of_real_slides_follow_severity(shared, tmp_path, office):
    deck = shared / "decks" / "real" / "full_intro-git-github-version-control_slides.pptx"
    severities = [0, 0.25, 0.5, 0.75, 1]
    with Package.open(deck) as package:
        for axis in AXES:
            points = [
                (float(severity), found)
                for slide in (5, 8, 17)
                for severity, found in zip(
                    severities,
                    ladder(package, office, tmp_path, axis, slide, severities=severities),
                    strict=True,
                )
            ]
            assert rank_correlation(points) > 0.4
