"""``decklab seen``: what it prints, its page, and its exit codes."""

import json
from pathlib import Path

import pytest
from tests.seen.test_computed import deck_of, off, sized
from typer.testing import CliRunner, Result

from decklab.cli.decks import app


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["seen", *(str(word) for word in words)])


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return deck_of(tmp_path_factory.mktemp("decks"), sized(20), sized(1), off)


def test_it_names_what_cannot_be_seen_and_why(deck: Path) -> None:
    done = run(deck)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("Slide")] == ["Slide 2", "Slide 3"]
    assert lines[1].startswith('  small: text "Harbour traffic doubled" of TextBox 1: its text is')
    assert lines[-1] == "6 words on 2 slides cannot be seen."


def test_json_has_every_piece_of_the_slides_that_are_asked_for(deck: Path) -> None:
    found = json.loads(run(deck, "--slides", "1-2", "--json").stdout)
    assert [slide["slide"] for slide in found["slides"]] == [1, 2]
    assert [piece["reason"] for slide in found["slides"] for piece in slide["pieces"]] == [
        None, "small",
    ]  # fmt: skip


def test_a_deck_that_is_not_there_and_a_wrong_list_of_slides_are_errors(deck: Path) -> None:
    assert run(deck.parent / "none.pptx").exit_code != 0
    assert run(deck, "--slides", "two").exit_code == 2


@pytest.mark.office
def test_the_page_marks_what_cannot_be_seen(deck: Path, tmp_path: Path) -> None:
    page = tmp_path / "seen.html"
    assert run(deck, "--out", page).exit_code == 0
    text = page.read_text()
    assert text.count("<image ") == 3
    assert text.count('class="tag"') == 1  # one is on the slide, the other off the picture
    assert "6 words on 2 slides cannot be seen." in text and "(off the picture)" in text
