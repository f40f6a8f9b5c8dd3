"""The rich deck, and a way to change one part of a deck."""

from pathlib import Path

import pytest
from tests.rendering.incremental.decks import Change, ChangePart, write_rich_deck

from decklab.ooxml.package import Package, write_package


@pytest.fixture
def rich_deck(tmp_path: Path) -> Path:
    """Eight slides, each with another thing that matters; see ``decks``."""
    return write_rich_deck(tmp_path / "rich.pptx")


@pytest.fixture
def change_part(tmp_path: Path) -> ChangePart:
    """Writes a copy of a deck in which one part is changed: (deck, part, change[, name])."""

    def write(path: Path, part: str, change: Change, name: str = "changed.pptx") -> Path:
        with Package.open(path) as package:
            before = package.read(part)
            after = change(before)
            assert after != before, "the change changes nothing"
            return write_package(package, tmp_path / name, replace={part: after})

    return write
