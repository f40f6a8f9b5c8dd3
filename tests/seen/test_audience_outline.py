"""The outline as an audience sees it: what is hidden in it, and which builds are left."""

from pathlib import Path
from typing import Any

import pytest
from pptx.util import Emu
from tests.seen.test_computed import (
    MOTION,
    Way,
    deck_of,
    edge_on,
    effect,
    effects,
    hidden,
    ink,
    off,
    sized,
)

from decklab.deck.deck import open_deck
from decklab.deck.model.outline import OutlineSlide
from decklab.seen.audience import audience_outline
from decklab.seen.reader import seen_deck


def outlined(folder: Path, *ways: Way) -> tuple[OutlineSlide, ...]:
    with open_deck(deck_of(folder, *ways)) as deck:
        return audience_outline(deck.outline, deck.slides, seen_deck(deck).slides).slides


def switch_off(slide: Any, _box: Any) -> None:
    slide._element.set("show", "0")


def test_shapes_and_slides_that_are_not_seen_are_hidden(tmp_path: Path) -> None:
    ways = (sized(1), ink("FFFFFF"), off, edge_on, hidden, sized(20), switch_off)
    slides = outlined(tmp_path, *ways)
    assert [slide.shapes[0].hidden for slide in slides] == [True] * 5 + [False] * 2
    assert [slide.hidden for slide in slides] == [False] * 6 + [True]


def empty(_slide: Any, box: Any) -> None:
    box.text_frame.text = ""


def speck(slide: Any, box: Any) -> None:
    empty(slide, box)
    area = slide.shapes.add_shape(1, Emu(500_000), Emu(500_000), Emu(60_000), Emu(60_000))
    box._element.getparent().remove(box._element)
    area._element.xpath(".//p:cNvPr")[0].set("id", str(box.shape_id))


CLICK = effect("entr", "clickEffect")


def after(*ways: Way) -> Way:
    def apply(slide: Any, box: Any) -> None:
        for way in ways:
            way(slide, box)

    return apply


@pytest.mark.parametrize(
    ("way", "builds"),
    [
        (effects(CLICK), True),
        (effects(effect("exit", "clickEffect")), True),
        (effects(effect("entr", "withEffect")), True),  # a fade of half a second
        (effects(effect("entr", "withEffect").replace('dur="500"', 'dur="1"')), False),
        (effects(effect("emph", "clickEffect")), False),
        (effects(effect("path", "clickEffect", MOTION)), False),
        (after(effects(CLICK), sized(1)), False),
        (after(effects(CLICK), ink("FFFFFF")), False),
        (after(effects(CLICK), empty), False),
        (after(effects(CLICK), speck), False),
        (effects(CLICK.replace("ID", "9999")), False),
    ],
)
def test_only_what_an_audience_sees_come_or_go_is_a_build(
    tmp_path: Path, way: Way, builds: bool
) -> None:
    (slide,) = outlined(tmp_path, way)
    assert bool(slide.animated) == builds
