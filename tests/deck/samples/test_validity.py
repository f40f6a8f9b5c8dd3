from pathlib import Path

import pytest

from decklab.deck.deck import write_samples
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate


@pytest.mark.parametrize("name", ["plain", "rich", "bad"])
def test_the_samples_leave_powerpoint_nothing_to_repair(tmp_path: Path, name: str) -> None:
    write_samples(tmp_path)
    with Package.open(tmp_path / f"{name}.pptx") as package:
        assert validate(package) == []
