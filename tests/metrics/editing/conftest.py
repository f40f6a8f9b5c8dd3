"""A snapshot of the plain sample deck, to be edited as plain data."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from decklab.deck.samples import write_samples
from decklab.deck.views.snapshot import snapshot
from decklab.ooxml.package import Package


@pytest.fixture(scope="session")
def taken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = write_samples(Path(tmp_path_factory.mktemp("plain")))[0]
    with Package.open(path) as package:
        return snapshot(package)


@pytest.fixture
def deck(taken: dict[str, Any]) -> dict[str, Any]:
    """The deck as it is."""
    return deepcopy(taken)


@pytest.fixture
def other(taken: dict[str, Any]) -> dict[str, Any]:
    """The same deck, for a test to change."""
    return deepcopy(taken)


@pytest.fixture
def third(taken: dict[str, Any]) -> dict[str, Any]:
    return deepcopy(taken)
