"""Elements of decks in a line of text, or of decks that python-pptx wrote."""

import io
import zipfile
from collections.abc import Callable

import pytest
from pptx import Presentation

from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements
from decklab.ooxml.package import Package

Make = Callable[..., SlideElements]


def elements_of(data: bytes) -> DeckElements:
    with Package.from_bytes(data, "deck.pptx") as package:
        return read_elements(package)


def zipped(parts) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


@pytest.fixture(scope="session")
def of_parts() -> Callable[..., DeckElements]:
    """The elements of a deck of given parts."""
    return lambda parts: elements_of(zipped(parts))


@pytest.fixture(scope="session")
def slide_of(parts) -> Make:
    """The slide of a deck with one; see ``deck_parts`` for what may be given."""
    return lambda *args, **kwargs: elements_of(zipped(parts(*args, **kwargs))).slides[0]


@pytest.fixture
def presentation():
    """An empty 960x540 pt deck of python-pptx: one point is one pixel of the frame."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = 960 * 12700, 540 * 12700
    return deck


@pytest.fixture(scope="session")
def saved() -> Callable[..., DeckElements]:
    """The elements of a deck of python-pptx."""

    def read(deck) -> DeckElements:
        out = io.BytesIO()
        deck.save(out)
        return elements_of(out.getvalue())

    return read
