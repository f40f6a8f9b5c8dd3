"""The bad deck: each failure that it is there to show."""

import io
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.presentation import Presentation as Deck
from pptx.shapes.base import BaseShape
from pptx.slide import Slide


@pytest.fixture(scope="module")
def deck(sample_decks: dict[str, Path]) -> Deck:
    return Presentation(str(sample_decks["bad"]))


def _pictures(slide: Slide) -> list[Any]:
    return [s for s in slide.shapes if s.element.tag.endswith("}pic")]


def _covers(deck: Deck, shape: BaseShape) -> bool:
    return (shape.left, shape.top, shape.width, shape.height) == (
        0, 0, deck.slide_width, deck.slide_height,
    )  # fmt: skip


def test_it_has_seven_slides(deck: Deck) -> None:
    assert len(deck.slides) == 7


def test_the_first_slide_is_one_picture_and_no_text(deck: Deck) -> None:
    (only,) = deck.slides[0].shapes
    assert _covers(deck, only)
    pixels = np.asarray(Image.open(io.BytesIO(only.image.blob)).convert("L"))
    assert (pixels > 200).mean() > 0.01  # the words are in the pixels


def test_the_same_background_picture_is_pasted_on_every_other_slide(deck: Deck) -> None:
    prints = []
    for slide in list(deck.slides)[1:]:
        first = slide.shapes[0]
        assert _covers(deck, first)
        prints.append(first.image.sha1)
    assert len(set(prints)) == 1


def test_a_paragraph_is_split_into_one_box_a_line(deck: Deck) -> None:
    boxes = [s for s in deck.slides[1].shapes if s.has_text_frame and s.height < 450000]
    lines = [s for s in boxes if abs(s.left - boxes[0].left) < 50000]
    assert len(lines) == 6
    assert not lines[0].text_frame.text.endswith(".")
    gaps = {b.top - a.top for a, b in pairwise(lines)}
    assert len(gaps) == 1


def test_the_chart_is_dead(deck: Deck) -> None:
    slide = deck.slides[2]
    assert not any(s.has_chart for each in deck.slides for s in each.shapes)
    bars = [s for s in slide.shapes if s.name.startswith("Rectangle")]
    assert len(bars) == 5
    assert len({s.top + s.height for s in bars}) == 1
    assert len({s.height for s in bars}) == 5


def test_a_chart_is_a_small_picture_blown_up(deck: Deck) -> None:
    (picture,) = (p for p in _pictures(deck.slides[3]) if not _covers(deck, p))
    assert picture.image.size[0] / (picture.width / 914400) < 50


def test_no_figure_is_grouped(deck: Deck) -> None:
    kinds = Counter(s.shape_type for slide in deck.slides for s in slide.shapes)
    assert kinds[MSO_SHAPE_TYPE.GROUP] == 0
    assert len(list(deck.slides[4].shapes)) > 40


def test_connectors_hang_loose(deck: Deck) -> None:
    lines = [s for s in deck.slides[4].shapes if s.element.tag.endswith("cxnSp")]
    assert len(lines) == 3
    assert all(not line.element.xpath(".//a:stCxn | .//a:endCxn") for line in lines)


def test_titles_are_missing_or_the_same(deck: Deck) -> None:
    titles = [
        slide.shapes.title.text_frame.text if slide.shapes.title is not None else None
        for slide in deck.slides
    ]
    assert titles == [None, None, "Our Solution", "Our Solution", "Our Solution", None, ""]


def test_no_picture_is_described(deck: Deck) -> None:
    said = [p.element.xpath(".//p:cNvPr/@descr") for s in deck.slides for p in _pictures(s)]
    assert len(said) == 9
    assert all(text in ([], [""]) for text in said)


def test_some_shapes_leave_the_slide(deck: Deck) -> None:
    beyond = [
        s.name
        for slide in deck.slides
        for s in slide.shapes
        if s.left + s.width > deck.slide_width or s.top + s.height > deck.slide_height
    ]
    assert beyond == ["Explosion 40", "TextBox 7"]


def test_text_is_tiny_in_places(deck: Deck) -> None:
    sizes = [
        run.font.size.pt
        for slide in deck.slides
        for s in slide.shapes
        if s.has_text_frame
        for p in s.text_frame.paragraphs
        for run in p.runs
        if run.font.size is not None
    ]
    assert sorted(sizes)[:2] == [7, 8]


def test_grey_text_on_grey_has_too_little_contrast(deck: Deck) -> None:
    shapes = {s.name: s for s in deck.slides[5].shapes}
    ground = shapes["Rectangle 3"].fill.fore_color.rgb
    text = shapes["TextBox 4"].text_frame.paragraphs[0].runs[0].font.color.rgb
    lighter, darker = sorted((_luminance(text), _luminance(ground)), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) < 1.6


def _luminance(color: tuple[int, int, int]) -> float:
    """Relative luminance of WCAG 2.2."""
    linear = [
        c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_film_lies_outside_the_deck(deck: Deck) -> None:
    links = [r for r in deck.slides[6].part.rels.values() if r.is_external]
    assert [r.reltype.rpartition("/")[2] for r in links] == ["video"]
    assert links[0].target_ref.endswith("launch_teaser_FINAL.mp4")


def test_nothing_moves_and_nobody_has_notes(deck: Deck) -> None:
    for slide in deck.slides:
        assert slide.element.xpath("./p:transition | ./p:timing") == []
        assert not slide.has_notes_slide
