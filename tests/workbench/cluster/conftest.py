"""Decks of a few slides, and sources that hold them."""

from pathlib import Path

import pytest
from pptx import Presentation


def small_deck(path: Path, title: str, slides: int = 1) -> Path:
    deck = Presentation()
    for number in range(slides):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"{title} {number + 1}"
        slide.placeholders[1].text = f"What {title} says on its slide {number + 1}, in words."
    path.parent.mkdir(parents=True, exist_ok=True)
    deck.save(str(path))
    return path


@pytest.fixture(scope="session")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four decks in two folders, and one that is none."""
    folder = tmp_path_factory.mktemp("decks")
    for name in ("alpha", "beta"):
        small_deck(folder / f"{name}.pptx", name)
    for name in ("gamma", "delta"):
        small_deck(folder / "more" / f"{name}.pptx", name, slides=2)
    (folder / "more" / "broken.pptx").write_bytes(b"PK\3\4 this is no deck")
    return folder
