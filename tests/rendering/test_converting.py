"""Decks of other kinds as PowerPoint files."""

import subprocess
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation

import decklab
from decklab.core.errors import RenderFailed, UnsupportedFormat
from decklab.deck.deck import write_samples
from decklab.rendering.opening import as_powerpoint
from decklab.rendering.renderer import Renderer


class Saving:
    """LibreOffice that saves every deck as the same one."""

    engine = "made up"

    def __init__(self, saved: bytes) -> None:
        self.saved, self.asked = saved, list[str]()
        self.options = dict[str, object]()

    def resaved(self, path: str | Path) -> bytes:
        self.asked.append(Path(path).name)
        return self.saved

    def pdf(self, path: str | Path) -> bytes:
        raise RenderFailed(path, "nothing is drawn here")


@pytest.fixture
def odp(tmp_path: Path) -> Path:
    """A file that is an OpenDocument presentation by its type; LibreOffice would read it."""
    path = tmp_path / "talk.odp"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
        archive.writestr("content.xml", "<office/>")
    return path


@pytest.fixture
def saving(tmp_path: Path) -> Saving:
    plain, *_ = write_samples(tmp_path / "samples")
    return Saving(plain.read_bytes())


def test_a_powerpoint_file_is_itself(tmp_path: Path) -> None:
    plain, *_ = write_samples(tmp_path)
    with as_powerpoint(plain) as deck:
        assert (deck.path, deck.converted) == (plain, "")


def test_an_opendocument_deck_is_a_copy_that_is_removed(odp: Path, saving: Saving) -> None:
    before = odp.read_bytes()
    with as_powerpoint(odp, Renderer(office=saving)) as deck:
        assert deck.converted == "an OpenDocument presentation"
        assert deck.path.read_bytes() == saving.saved
        copy = deck.path
    assert saving.asked == ["talk.odp"]
    assert not copy.exists()
    assert odp.read_bytes() == before


def test_lint_and_diff_say_what_was_converted(odp: Path, saving: Saving) -> None:
    renderer = Renderer(office=saving)
    found = decklab.lint(odp, renderer=renderer, rules=["alt_text.missing"])
    assert (found.deck, found.converted) == (str(odp), "an OpenDocument presentation")
    plain = odp.parent / "samples" / "plain.pptx"
    changes = decklab.diff(plain, odp, renderer=renderer)
    assert changes.edits == ()
    assert changes.as_json()["converted"] == {str(odp): "an OpenDocument presentation"}
    assert "converted" not in decklab.diff(plain, plain).as_json()


@pytest.mark.parametrize(
    ("name", "start", "kind"),
    [
        ("a.pdf", b"%PDF-1.7\n", "a PDF"),
        ("a.html", b"<!doctype html><p>", "an HTML page"),
        ("a.pptx", b"%PDF-1.7\n", "a PDF"),
        ("a.png", b"", "a picture"),
    ],
)
def test_other_kinds_are_named_with_those_that_are_read(
    name: str, start: bytes, kind: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if start:
        path.write_bytes(start)
    else:
        Image.new("RGB", (8, 8)).save(path)
    for read in (decklab.extract, decklab.lint, lambda deck: decklab.diff(deck, deck)):
        with pytest.raises(UnsupportedFormat, match=rf"it is {kind}, not .*\.pptx.*\.odp or \.ppt"):
            read(path)
    others = (decklab.open, decklab.validate, lambda deck: decklab.edit(deck, "delete slide 1"))
    for other in others:
        with pytest.raises(
            UnsupportedFormat, match=rf"it is {kind}, not a PowerPoint file \(\.pptx"
        ):
            other(path)


@pytest.mark.office
@pytest.mark.long
def test_libreoffice_converts_both_kinds(tmp_path: Path) -> None:
    plain, *_ = write_samples(tmp_path)
    titles = [slide.shapes.title.text for slide in Presentation(str(plain)).slides]
    for suffix in ("odp", "ppt"):
        subprocess.run(
            ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/p",
             "--convert-to", suffix, "--outdir", tmp_path, plain],
            check=True, capture_output=True,
        )  # fmt: skip
        read = decklab.extract(tmp_path / f"plain.{suffix}")
        if suffix == "ppt":  # knows no layout of a picture with a caption: its title is a plain box
            assert titles[4] in [text.text for text in read.slides[4].texts]
            titles[4] = None
        assert [slide.title for slide in read.slides] == titles
        assert read.converted
