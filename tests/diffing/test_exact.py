"""Random known edits: the diff reports exactly these, no more and no fewer."""

import random
from functools import cache
from pathlib import Path

import pytest
from tests.diffing.edits import COMMENTS, EDITS, edit_deck
from tests.diffing.exactness import compared, of_snapshots, resaved, shortfall, taken

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.wording import words

REAL = (
    "presentation.pptx",
    "test-data_slideshow_aptia.pptx",
    "test-data_slideshow_keyframes.pptx",
    "long_slides_11.pptx",
)


@cache
def original(path: Path) -> Snapshot:
    return taken(path)


def check(path: Path, out: Path, kinds: list[str], seed: int) -> list[str]:
    """The names of the edits made, all of which the diff has to report; with an odd seed after
    python-pptx saved the deck once more."""
    made, expected = edit_deck(path, out, kinds, seed)
    if seed % 2:
        expected = resaved(out, expected)
    files = compared(path, out)
    missed, invented, found = shortfall(original(path), taken(out), expected, files)
    assert of_snapshots(files) == of_snapshots(found)
    assert (made, missed, invented) == (made, {}, {})
    assert len(words(files)) == len(expected)
    return made


@pytest.mark.by_day(1)
@pytest.mark.parametrize("kind", sorted({*EDITS} - {*COMMENTS}))
def test_each_edit_is_reported_alone(kind: str, sample_decks: list[Path], tmp_path: Path) -> None:
    richest_first = sorted(sample_decks, key=lambda deck: -deck.stat().st_size)
    made = (check(deck, tmp_path / deck.name, [kind], 1) for deck in richest_first)
    assert any(made), "no sample has a place for this edit"


@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    ["test-data_slideshow_45545_Comment", "tests_data_pptx_sources_powerpoint_comments"],
    ids=["classic", "modern"],
)
@pytest.mark.parametrize("kind", sorted(COMMENTS))
def test_an_edited_comment_is_reported_alone(
    kind: str, name: str, shared: Path, tmp_path: Path
) -> None:
    deck = shared / "decks" / "features" / f"{name}.pptx"
    assert check(deck, tmp_path / deck.name, [kind], 2) == [kind]


@pytest.mark.by_day(3)
@pytest.mark.parametrize("seed", range(12))
def test_one_to_ten_edits_of_a_sample_are_reported_exactly(
    seed: int, sample_decks: list[Path], tmp_path: Path
) -> None:
    chance = random.Random(seed)
    kinds = chance.sample(sorted(EDITS), chance.randint(1, 10))
    assert any(check(deck, tmp_path / deck.name, kinds, seed) for deck in sample_decks)


@pytest.mark.by_day(1)
@pytest.mark.shared
@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("seed", range(3))
def test_one_to_ten_edits_of_a_real_deck_are_reported_exactly(
    seed: int, name: str, shared: Path, tmp_path: Path
) -> None:
    chance = random.Random(f"{name} {seed}")
    kinds = ["position", *chance.sample(sorted({*EDITS} - {"position"}), chance.randint(0, 9))]
    assert check(shared / "decks" / "real" / name, tmp_path / name, kinds, seed)
