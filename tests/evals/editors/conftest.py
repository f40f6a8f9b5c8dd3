"""A deck for editors to work on."""

from pathlib import Path

import pytest

from decklab.deck.deck import write_samples


@pytest.fixture(scope="session")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    return next(path for path in write_samples(folder) if path.stem == "plain")
