"""``decklab convert``: what it prints, its exit codes, and that it refuses in one line."""

import json
from pathlib import Path

import pytest
from pptx import Presentation
from typer.testing import CliRunner

from decklab.cli import app

pytestmark = pytest.mark.chromium


def run(*words: str | Path):
    return CliRunner().invoke(app, ["convert", *map(str, words)])


def test_it_writes_the_deck_and_names_what_is_a_picture(tmp_path):
    deck = tmp_path / "talk.html"
    deck.write_text("<section><h1>Talk</h1><canvas id=c></canvas></section><section>b</section>")
    done = run(deck, tmp_path / "talk.pptx", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["slides"] == 2
    assert [(item["slide"], item["element"]) for item in told["replaced"]] == [(1, "canvas#c")]
    assert Presentation(tmp_path / "talk.pptx").slides[0].shapes.title.text_frame.text == "Talk"
    again = run(deck, tmp_path / "talk.pptx")
    assert again.exit_code != 0
    plain = run(deck, tmp_path / "talk.pptx", "--force")
    assert plain.stdout.splitlines()[0].startswith("slide 1: canvas#c: ")


def test_a_file_that_is_missing_is_one_line_and_exit_code_2(tmp_path):
    done = run(tmp_path / "none.html", tmp_path / "out.pptx")
    assert done.exit_code == 2
    assert not (tmp_path / "out.pptx").exists()


def test_what_is_no_html_is_one_line_and_exit_code_2(tmp_path):
    plain, deck = tmp_path / "plain.pptx", tmp_path / "deck.pptx"
    plain.write_text("some words")
    Presentation().save(deck)
    for path in (plain, deck):
        done = run(path, tmp_path / "out.pptx")
        assert done.exit_code == 2 and not (tmp_path / "out.pptx").exists()
