"""Operations on decks that other people made, judged by python-pptx and LibreOffice.

A sample; ``python -m bench.operations`` takes all of them.
"""

import runpy
from pathlib import Path
from typing import Any

import pytest
from tests.drawing import SharedOffice

BENCH = Path(__file__).parents[3] / "bench" / "operations.py"
PAIRS = [("presentation", "long_slides_43"), ("test-data_slideshow_aptia", "presentation")]


@pytest.fixture(scope="module")
def bench() -> dict[str, Any]:
    return runpy.run_path(str(BENCH), run_name="operations")


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.office
@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_real_decks_stay_whole_and_look_the_same(  # noqa: PLR0917 - all are fixtures
    shared: Path, bench: dict[str, Any], office: SharedOffice, tmp_path: Path, name: str, other: str
) -> None:
    real = shared / "decks" / "real"
    outcomes = bench["try_deck"](real / f"{name}.pptx", real / f"{other}.pptx", tmp_path, office)
    assert {one.name: one.trouble for one in outcomes} == {
        name: [] for name in ("clone", "delete", "move", "import", "adopt")
    }
