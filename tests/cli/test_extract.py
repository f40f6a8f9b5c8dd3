"""``decklab extract`` and ``decklab snapshot`` on the command line."""

import json
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner

from decklab.cli.decks import app
from decklab.deck.deck import write_samples
from decklab.deck.model.base import PlainSlide


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decks")
    write_samples(folder)
    return folder / "plain.pptx"


def run(command, *words):
    return CliRunner().invoke(app, [command, *(str(word) for word in words)])


def test_only_the_slides_asked_for_are_printed(deck):
    done = run("extract", deck, "--slides", "2,4-5", "--json")
    assert [slide["number"] for slide in json.loads(done.stdout)] == [2, 4, 5]
    assert run("extract", deck, "--slides", "two").exit_code == 2


@pytest.mark.parametrize("slides", [(), ("--slides", "2")])
def test_what_could_not_be_read_is_told_beside_the_rest(deck, tmp_path, slides):
    damaged = tmp_path / "damaged.pptx"
    with ZipFile(deck) as old, ZipFile(damaged, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"<p" if name == "ppt/slides/slide2.xml" else old.read(name))
    done = run("extract", damaged, *slides)
    assert done.stderr.startswith(f"not read: {damaged}: ppt/slides/slide2.xml: not well-formed")
    assert 2 in [slide["number"] for slide in json.loads(done.stdout)]


def test_a_number_without_a_slide_is_named(deck):
    done = run("extract", deck, "--slides", "99")
    assert (done.exit_code, "there is no slide 99" in done.stderr) == (2, True)


def test_the_schema_is_that_of_what_is_printed(deck):
    schema = json.loads(run("extract", "--schema", "--plain").stdout)
    assert set(schema["properties"]) == set(PlainSlide.model_fields)
    assert "notes" in json.loads(run("extract", "--schema").stdout)["properties"]
    assert run("extract").exit_code == 2


@pytest.mark.parametrize("words", [("--slides", "2"), ("--laid-out",), ("plain.pptx",)])
def test_a_schema_is_of_no_deck(words):
    done = run("extract", "--schema", *words)
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.office
def test_laid_out_texts_say_where_they_were_drawn(deck):
    done = run("extract", deck, "--slides", "2", "--laid-out")
    (slide,) = json.loads(done.stdout)
    assert "100.0% of the text" in done.stderr
    for text in slide["texts"]:
        if text["text"].strip():
            assert text["drawn"]["matched"] == 1
            assert text["drawn"]["size"] == pytest.approx(text["font"]["size"], abs=0.5)


def test_a_snapshot_is_the_same_with_and_without_json(deck):
    assert run("snapshot", deck).stdout == run("snapshot", deck, "--json").stdout


def test_validate_tells_a_broken_file_from_a_faulty_deck(deck, tmp_path):
    assert run("validate", deck).exit_code == 0
    broken = tmp_path / "broken.pptx"
    broken.write_bytes(b"PK\x03\x04 cut")
    done = run("validate", broken)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1
