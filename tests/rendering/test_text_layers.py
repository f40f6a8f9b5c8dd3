"""Pages with and without their text, on PDFs written by hand."""

from collections.abc import Callable

import numpy as np

from decklab.rendering.pdf import PdfDeck
from decklab.rendering.pictures import TextLayer
from decklab.seen.drawn import readable_characters

MakePdf = Callable[..., bytes]
WORD = "BT /F1 40 Tf 100 300 Td (Word) Tj ET\n"
PLATE = "1 1 1 rg 0 0 960 540 re f\n"


def layers_of(content: bytes) -> list[TextLayer]:
    with PdfDeck("made.pdf", content) as deck:
        found = deck.layers(1)
        again = deck.layers(1)  # objects are shown again afterwards
    assert len(found) == len(again)
    for one, other in zip(found, again, strict=True):
        assert np.array_equal(one.full, other.full)
    return found


def seen_in(content: bytes) -> dict[str, tuple[int, int]]:
    """Characters made out, and all of them, by the words of each span."""
    told = {}
    for layer in layers_of(content):
        for one in layer.spans:
            seen, _ = readable_characters(layer.full, layer.without, layer.ink, one.characters)
            told[one.span.text] = (sum(seen), len(seen))
    return told


def test_plain_text_is_seen_and_the_page_without_it_is_blank(make_pdf: MakePdf) -> None:
    content = make_pdf(WORD, size=(960, 540))
    [layer] = layers_of(content)
    assert layer.without.min() == 255 and layer.full.min() == 0
    assert layer.ink.max() == 255 and (layer.ink > 0).mean() < 0.02
    assert seen_in(content) == {"Word": (4, 4)}


def test_text_under_a_white_plate_in_white_or_off_the_page_is_not(make_pdf: MakePdf) -> None:
    for spoilt in (WORD + PLATE, "1 1 1 rg " + WORD, WORD.replace("100 300", "2000 300")):
        assert all(seen == 0 for seen, _ in seen_in(make_pdf(spoilt, size=(960, 540))).values())


def test_text_over_text_is_told_apart(make_pdf: MakePdf) -> None:
    twice = "0.5 g " + WORD + "BT /F1 40 Tf 104 300 Td (Other) Tj ET"
    found = layers_of(make_pdf(twice, size=(960, 540)))
    assert [[one.span.text for one in layer.spans] for layer in found] == [["Word"], ["Other"]]


def test_a_larger_page_shows_text_smaller(make_pdf: MakePdf) -> None:
    [small] = layers_of(make_pdf(WORD, size=(960, 540)))
    [large] = layers_of(make_pdf(WORD, size=(216, 1440)))
    assert small.spans[0].size_shown == 40
    assert large.spans[0].size_shown == 15  # 1440 points shown as 540


def test_a_page_without_text_has_no_layers(make_pdf: MakePdf) -> None:
    assert layers_of(make_pdf(PLATE)) == []
