"""What is asked about, from real decks."""

import io

import numpy as np
import pytest
from PIL import Image
from pptx import Presentation

from decklab.core.errors import DeckError
from decklab.deck.deck import write_samples
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.diffing.pictures import likeness
from decklab.evals.slideeval import items as seeds
from decklab.evals.slideeval.items import (
    extract_items,
    find_seeds,
    order_items,
    rate_items,
    rebuilt_slides,
    words_of,
)
from decklab.metrics.element_matching import complexity
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Cache, Renderer

pytestmark = pytest.mark.office


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decks")
    write_samples(folder)
    (folder / "broken.pptx").write_bytes(b"PK\x03\x04 and no more")
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return Cache(tmp_path_factory.mktemp("cache"))


@pytest.mark.long
def test_slides_come_with_their_picture_and_truth_from_every_deck(folder, cache):
    items = extract_items(folder, sample=6, renderer=Renderer(cache=cache))
    assert {item.deck for item in items.chosen} == {"rich.pptx", "plain.pptx", "bad.pptx"}
    assert len({item.id for item in items.chosen}) == 6
    [why] = items.left_out
    assert "broken.pptx" in why
    for item in items.chosen:
        picture = Image.open(io.BytesIO(item.picture))
        assert (picture.format, picture.size) == ("PNG", (960, 540))
    assert sum(complexity(item.truth) for item in items.chosen) > 6


@pytest.mark.long
def test_truth_is_where_the_picture_has_ink(folder, cache):
    for item in extract_items(folder, sample=6, renderer=Renderer(cache=cache)).chosen:
        pixels = np.asarray(Image.open(io.BytesIO(item.picture)).convert("RGB"), int)
        for text in item.truth.texts:
            left, top = max(0, int(text.x)), max(0, int(text.y))
            part = pixels[top : int(text.y + text.h) + 1, left : int(text.x + text.w) + 1]
            assert part.size == 0 or np.ptp(part, axis=(0, 1)).max() > 10, (item.id, text.text)


@pytest.mark.long
def test_a_seed_looks_the_same_when_it_is_rebuilt(folder, cache, monkeypatch):
    path = folder / "plain.pptx"
    found = find_seeds(path, renderer=Renderer(cache=cache))
    with Package.open(path) as package:
        slides = read_elements(package).slides
    assert found
    assert all(len(slides[number - 1].texts) >= 3 for number in found)
    monkeypatch.setattr(seeds, "LEAST_LIKENESS", 1.01)
    assert find_seeds(path, renderer=Renderer(cache=cache)) == []


@pytest.mark.long
def test_likeness_falls_with_what_is_lost(folder, cache):
    [slide] = rebuilt_slides(folder / "rich.pptx", [2], renderer=Renderer(cache=cache))
    blank = np.full_like(slide.image, 255)
    half = slide.image.copy()
    half[270:] = 255
    assert likeness(slide.image, slide.image) == pytest.approx(1)
    assert likeness(slide.image, blank) < likeness(slide.image, half) < 1


@pytest.mark.long
def test_damage_grows_from_the_rebuilt_slide(folder, cache):
    items = rate_items(
        folder / "plain.pptx", sample=1, severities=(0.0, 0.2, 1.0), renderer=Renderer(cache=cache)
    )
    clean, little, much = items.chosen[:3]
    assert [item.severity for item in items.chosen] == [0.0, 0.2, 1.0] * 3
    assert clean.damage == 0 < little.damage < much.damage <= 1
    assert {item.ladder_draws for item in items.chosen} == {"coupled"}
    [rebuilt] = rebuilt_slides(folder / "plain.pptx", [clean.slide], renderer=Renderer(cache=cache))
    pictures = [
        np.asarray(Image.open(io.BytesIO(item.picture)), np.uint8) for item in (clean, little, much)
    ]
    assert np.array_equal(pictures[0], rebuilt.image)
    alike = [likeness(pictures[0], other) for other in pictures[1:]]
    assert alike[1] < alike[0] < 1


@pytest.mark.long
def test_orders_are_of_all_slides_and_never_the_true_one(folder, cache):
    items = order_items(folder, most=9, renderer=Renderer(cache=cache))
    for item in items.chosen:
        assert sorted(item.shown) == list(range(1, len(item.shown) + 1))
        assert list(item.shown) != sorted(item.shown)
        assert len(item.pictures) == len(item.views) == len(item.shown)
        assert all(picture.startswith(b"\xff\xd8\xff") for picture in item.pictures)
    assert items.chosen
    assert any("slides, not 3 to 9" in line for line in items.left_out)


def test_draws_of_no_known_kind_are_refused_before_anything_is_drawn(folder):
    with pytest.raises(ValueError, match="coupled or independent"):
        rate_items(folder, ladder_draws="anew")  # type: ignore[arg-type]


def test_a_folder_without_decks_is_said(tmp_path):
    with pytest.raises(DeckError, match=r"holds no \.pptx"):
        extract_items(tmp_path)


def test_words_of_a_slide_tell_neither_its_number_nor_its_notes(folder, cache):
    [deck] = order_items(folder / "plain.pptx", renderer=Renderer(cache=cache)).chosen
    slides = list(Presentation(str(folder / "plain.pptx")).slides)
    for words, number in zip(deck.words, deck.shown, strict=True):
        slide = slides[number - 1]
        title = slide.shapes.title.text_frame.text.strip()
        assert words.startswith(f"## {title}\n"), words
        if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame.text.strip()):
            assert notes.splitlines()[0] not in words


def test_a_slide_without_a_title_has_words(folder):
    blank = SlideElements(number=3, title=None, background="#FFFFFF", notes="Not shown")
    assert words_of(blank) == ""
    assert words_of(blank.model_copy(update={"title": "3. Plan"})) == "## 3\\. Plan\n"


def test_a_deck_without_a_slide_to_damage_is_named(tmp_path):
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Alone"
    deck.save(str(tmp_path / "bare.pptx"))
    items = rate_items(tmp_path)
    assert items.chosen == ()
    assert [line.partition(": ")[2] for line in items.left_out] == [
        "no slide has 3 texts and stays alike when rebuilt"
    ]
