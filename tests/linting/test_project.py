"""Lint of folders and lists, as on the command line."""

from pathlib import Path

import pytest

import decklab
from decklab.core.errors import DecklabError, UnsupportedFormat
from decklab.deck.deck import write_samples
from decklab.linting.rules.every import LINT_RULES

OF_THE_FILE = [name for name in LINT_RULES if not LINT_RULES[name].drawn]
"""Rules that draw nothing."""


@pytest.fixture
def decks(tmp_path: Path) -> Path:
    write_samples(tmp_path / "decks")
    return tmp_path / "decks"


@pytest.mark.long
def test_a_folder_a_pattern_and_a_list_give_every_deck(decks: Path) -> None:
    alone = decklab.lint(decks / "bad.pptx", rules=OF_THE_FILE)
    assert alone.findings
    for asked in ([decks], [f"{decks}/*.pptx"], sorted(decks.iterdir())):
        found = decklab.lint(asked, rules=OF_THE_FILE)
        assert [Path(one.deck).name for one in found] == ["bad.pptx", "plain.pptx", "rich.pptx"]
        assert found[0] == alone
        assert found.slides == sum(one.slides for one in found)
        assert len(found.findings) == sum(len(one.findings) for one in found)
        assert {row["deck"] for row in found.records()} >= {str(decks / "bad.pptx")}
        errors = found.at_least("error")
        assert len(errors) == 3 and all(one.severity == "error" for one in errors.findings)
    for folder in (decks, str(decks)):
        together = decklab.lint(folder, rules=OF_THE_FILE)
        assert list(together) == list(found)  # type: ignore[call-overload]


def test_a_deck_that_cannot_be_read_does_not_stop_the_others(decks: Path) -> None:
    (decks / "broken.pptx").write_bytes(b"PK\3\4")
    found = decklab.lint([decks], rules=OF_THE_FILE)
    assert len(found) == 3
    assert [Path(str(error).partition(":")[0]).name for error in found.failed] == ["broken.pptx"]


def test_nothing_to_lint_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFormat, match="there is no PowerPoint deck in this folder"):
        decklab.lint(tmp_path)
    with pytest.raises(DecklabError, match="no decks were named"):
        decklab.lint([])
