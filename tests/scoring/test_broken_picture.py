"""A folder of pictures of which one is broken."""

from pathlib import Path

import pytest
from PIL import Image

import decklab


@pytest.mark.long
def test_one_broken_picture_does_not_fail_the_deck_and_results_have_places(tmp_path: Path) -> None:
    folder = tmp_path / "slides"
    folder.mkdir()
    for number in (1, 2, 3):
        Image.new("RGB", (320, 180), (40 * number, 90, 160)).save(folder / f"{number}.png")
    (folder / "2.png").write_bytes((folder / "2.png").read_bytes()[:60])
    run = decklab.score([folder], tmp_path / "out", jobs=1)
    results = run.results()
    assert len(results) == 1
    assert results[0] == results[-1] == next(iter(results)) and results[:1] == [results[0]]
    result = results[0]
    assert (result.status, result.slides) == ("scored", 3)
    why = {row.reason for row in result.measurements if row.slide == 2}
    assert len(why) == 1 and "2.png: no picture that can be read" in str(why)
    assert all(row.value is not None for row in result.measurements
               if row.slide in (1, 3) and row.metric == "harmony.score")  # fmt: skip
    assert any("2.png" in finding.message for finding in result.findings if finding.slide == 2)
