"""The programs make what decklab ships, and a change of either is noticed."""

import io
import json
import lzma
import shutil
from pathlib import Path

import generate.__main__ as program
import numpy as np
import pytest
from generate.__main__ import FOLDERS, PACKAGE, changed, main, make, same_libraries
from generate.comparing import changed_files, libraries
from PIL import Image

from decklab.ooxml.package import Package, write_package

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    make(folder)
    return folder


def test_the_programs_make_the_data_of_the_package_byte_for_byte(made: Path) -> None:
    if not same_libraries():
        pytest.skip(f"compared part by part: {libraries()} did not make the data")
    assert changed(made, exact=True) == []


def test_the_programs_make_the_data_of_the_package_part_for_part(made: Path) -> None:
    assert changed(made, exact=False) == []


@pytest.fixture
def other(made: Path, tmp_path: Path) -> Path:
    """A copy of the data, for a test to change."""
    return Path(shutil.copytree(made, tmp_path / "other"))


@pytest.fixture
def program_on_copy(made: Path, other: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program works on the copy in place of the package, and has all data made already."""
    monkeypatch.setattr(program, "PACKAGE", other)
    monkeypatch.setattr(
        program, "make", lambda folder: shutil.copytree(made, folder, dirs_exist_ok=True)
    )
    return other


def repacked(deck: Path, part: str, old: bytes, new: bytes) -> None:
    with Package.open(deck) as package:
        data = package.read(part)
        assert old in data
        write_package(package, deck, replace={part: data.replace(old, new)})


def test_how_xml_is_spelled_counts_with_the_same_libraries_only(made: Path, other: Path) -> None:
    repacked(other / "deck/data/plain.pptx", "ppt/slides/slide1.xml", b"<p:cSld>", b"<p:cSld >")
    assert changed_files(made, other, exact=True) == ["deck/data/plain.pptx"]
    assert changed_files(made, other, exact=False) == []


def test_what_xml_says_always_counts(made: Path, other: Path) -> None:
    repacked(other / "deck/data/plain.pptx", "ppt/slides/slide1.xml", b"<a:t>", b"<a:t>!")
    assert changed_files(made, other, exact=False) == ["deck/data/plain.pptx"]


def test_decks_that_are_kept_as_differences_are_compared_by_part(made: Path, other: Path) -> None:
    name = "evals/pptarena/data/decks.json.xz"
    decks = json.loads(lzma.decompress((other / name).read_bytes()))
    (other / name).write_bytes(lzma.compress(json.dumps(decks).encode(), preset=0))
    assert changed_files(made, other, exact=True) == []
    parts = decks["crew-leaders"]["truth"]["parts"]
    slide = next(part for part in parts if part.startswith("ppt/slides/slide"))
    parts[slide] = parts[slide].replace("<p:cSld>", "<p:cSld >")
    (other / name).write_bytes(lzma.compress(json.dumps(decks).encode()))
    assert changed_files(made, other, exact=True) == [name]
    assert changed_files(made, other, exact=False) == []
    parts[slide] = parts[slide].replace("</a:t>", "!</a:t>")
    (other / name).write_bytes(lzma.compress(json.dumps(decks).encode()))
    assert changed_files(made, other, exact=False) == [name]


def redrawn(deck: Path, rows: int) -> None:
    """Turn the levels of a picture around, in 20 pixels of each of the first ``rows`` rows."""
    name = "ppt/media/image3.png"
    with Package.open(deck) as package:
        pixels = np.array(Image.open(io.BytesIO(package.read(name))))
        pixels[:rows, :20] = 255 - pixels[:rows, :20]
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        write_package(package, deck, replace={name: file.getvalue()})


def test_pictures_may_differ_in_stray_pixels_only(made: Path, other: Path) -> None:
    redrawn(other / "deck/data/bad.pptx", 2)
    assert changed_files(made, other, exact=True) == ["deck/data/bad.pptx"]
    assert changed_files(made, other, exact=False) == []
    redrawn(other / "deck/data/bad.pptx", 20)
    assert changed_files(made, other, exact=False) == ["deck/data/bad.pptx"]


def test_files_too_many_or_too_few_are_named(made: Path, other: Path) -> None:
    (other / "deck/data/new.pptx").write_bytes(b"")
    (other / "evals/ppteval/data/attempts.json").unlink()
    assert changed_files(made, other, exact=False) == [
        "deck/data/new.pptx", "evals/ppteval/data/attempts.json",
    ]  # fmt: skip


def test_check_names_what_differs_and_writes_nothing(
    program_on_copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check"]) == 0
    attempts = program_on_copy / "evals/ppteval/data/attempts.json"
    attempts.write_text("{}")
    assert main(["--check"]) == 1
    assert "differs: evals/ppteval/data/attempts.json" in capsys.readouterr().out
    assert attempts.read_text() == "{}"


def test_without_an_option_the_data_is_written_and_the_libraries_recorded(
    program_on_copy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = program_on_copy
    monkeypatch.setattr(program, "RECORD", tmp_path / "made_with.json")
    (other / "deck/data/new.pptx").write_bytes(b"")
    (other / "evals/ppteval/data/attempts.json").unlink()
    assert main([]) == 0
    assert json.loads((tmp_path / "made_with.json").read_text()) == libraries()
    assert all(changed_files(other / one, PACKAGE / one, exact=False) == [] for one in FOLDERS)
