"""What the tests of composed decks share: a folder with pictures, made once."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pictures that plans show."""
    return tmp_path_factory.mktemp("pictures")
