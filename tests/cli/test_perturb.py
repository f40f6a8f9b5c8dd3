"""``decklab perturb`` on the command line."""

import subprocess
import sys
from zipfile import ZipFile

import pytest
import typer
from pptx import Presentation
from typer.testing import CliRunner

from decklab.cli import perturb
from decklab.cli.parameters import parse_steps, parse_whole_numbers
from decklab.deck.deck import write_samples


def decklab(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", "decklab", "perturb", *words],
        check=False, capture_output=True, text=True, cwd=folder,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    write_samples(tmp_path)
    return tmp_path


@pytest.mark.long
def test_a_degraded_deck_is_named_for_what_was_done(folder):
    done = decklab(folder, "plain.pptx", "--axis", "geometry", "--severity", "0.4", "--seed", "7")
    assert (done.returncode, done.stdout) == (0, "plain-geometry-0.4.pptx\n")
    assert (folder / "plain-geometry-0.4.pptx").exists()


@pytest.mark.long
def test_what_cannot_be_done_is_said_in_one_line(folder):
    done = decklab(folder, "plain.pptx", "--axis", "text", "--severity", "0.4", "--slides", "8-9")
    assert done.returncode == 1
    assert done.stderr == "decklab: plain.pptx: there is no slide 8; the deck has 7\n"
    for words in ((), ("--severity", "2"), ("--severity", "0.1", "--ladder", "0,1")):
        done = decklab(folder, "plain.pptx", "--axis", "text", *words)
        assert done.returncode == 2


@pytest.mark.long
def test_what_could_not_be_read_is_told_as_left_out(folder):
    deck = folder / "damaged.pptx"
    with ZipFile(folder / "plain.pptx") as old, ZipFile(deck, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"<p" if name == "ppt/slides/slide2.xml" else old.read(name))
    done = decklab(folder, "damaged.pptx", "--axis", "text", "--severity", "0.1")
    assert done.returncode == 0
    assert done.stderr.startswith("left out: ppt/slides/slide2.xml: not well-formed XML")


@pytest.fixture(scope="module")
def plain_deck(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return (folder / "plain.pptx").read_bytes()


@pytest.fixture
def run(plain_deck, tmp_path, monkeypatch):
    """The command, in a folder with one deck."""
    (tmp_path / "plain.pptx").write_bytes(plain_deck)
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(perturb.app, ["plain.pptx", *words])


@pytest.mark.office
def test_a_ladder_goes_where_out_says(run, tmp_path):
    words = ("--axis", "style", "--ladder", "0,1", "--slide", "2")
    assert run(*words, "--out", "rungs.pptx").stdout == "rungs.pptx\n"
    assert len(Presentation("rungs.pptx").slides) == 2
    both = run(*words, "--out", "both.pptx", "--sheet", "both.png")
    assert both.stdout == "both.pptx\nboth.png\n"
    assert (tmp_path / "both.pptx").read_bytes() == (tmp_path / "rungs.pptx").read_bytes()
    assert run(*words, "--out", "drawn.png").stdout == "drawn.png\n"
    for name in ("both.png", "drawn.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    assert not list(tmp_path.glob("*-ladder.png"))


@pytest.mark.parametrize(
    "words",
    [
        ("--ladder", "0,1", "--slides", "2"),
        ("--ladder", "0,1", "--out", "a.png", "--sheet", "b.png"),
        ("--ladder", "0,1", "--sheet", "a.pptx"),
        ("--severity", "0.5", "--slide", "2"),
        ("--severity", "0.5", "--sheet", "a.png"),
        ("--severity", "0.5", "--out", "a.png"),
    ],
)
def test_options_that_cannot_be_obeyed_together_are_refused(run, tmp_path, plain_deck, words):
    done = run("--axis", "text", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Invalid value" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["plain.pptx"]
    assert (tmp_path / "plain.pptx").read_bytes() == plain_deck


@pytest.mark.parametrize(
    "words",
    [("--severity", "0.5", "--out", "plain.pptx"), ("--ladder", "0,1", "--out", "./plain.pptx")],
)
def test_a_deck_is_never_written_over_by_its_own_damage(run, tmp_path, plain_deck, words):
    done = run("--axis", "text", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("decklab: ") and "changes no input" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["plain.pptx"]
    assert (tmp_path / "plain.pptx").read_bytes() == plain_deck


def test_a_deck_that_cannot_be_read_begins_nothing(run, tmp_path):
    (tmp_path / "plain.pptx").write_bytes(b"")
    done = run("--axis", "text", "--severity", "0.5")
    assert (done.exit_code, done.stderr) == (2, "decklab: plain.pptx: the file is empty\n")
    assert [path.name for path in tmp_path.iterdir()] == ["plain.pptx"]


def test_ladder_draws_choose_the_damage(run, tmp_path):
    words = ("--axis", "text", "--severity", "0.5")
    for draws in ("coupled", "independent"):
        run(*words, "--ladder-draws", draws, "--out", f"{draws}.pptx")
    run(*words)
    usual = (tmp_path / "plain-text-0.5.pptx").read_bytes()
    assert usual == (tmp_path / "coupled.pptx").read_bytes()
    assert usual != (tmp_path / "independent.pptx").read_bytes()


def test_steps_may_be_left_to_go_on():
    assert parse_steps("0,0.2,...,1") == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert parse_steps("0.5") == [0.5]
    for wrong in ("", "a", "0,2", "0,...,1", "0,0,...,1", "0.5,0.2,...,1", "nan", "0,0.001,...,1"):
        with pytest.raises(typer.BadParameter):
            parse_steps(wrong)


def test_ranges_are_lists_of_numbers():
    assert parse_whole_numbers("4, 1-2") == [4, 1, 2]
    for wrong in ("", "x", "3-1", "1-99999999"):
        with pytest.raises(typer.BadParameter):
            parse_whole_numbers(wrong)
