"""The three sample decks, written once for all tests of this folder."""

from pathlib import Path

import pytest

from decklab.deck.deck import write_samples


@pytest.fixture(scope="session")
def sample_decks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Path of each sample by its name: plain, rich, bad."""
    paths = write_samples(tmp_path_factory.mktemp("samples"))
    return {path.stem: path for path in paths}
