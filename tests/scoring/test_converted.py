"""Decks of other programs, of which a copy that LibreOffice converts is read for quality."""

import io
import json
import subprocess
import zipfile
from pathlib import Path

import pytest
from rich.console import Console
from tests.rendering.dying_office import DyingOffice, write_numbered

import decklab
from decklab.core.errors import RenderFailed
from decklab.core.results import DeckResult, NotScored
from decklab.deck.deck import write_samples
from decklab.rendering.office_process import find_installation
from decklab.rendering.renderer import Renderer
from decklab.scoring.deck import score_deck
from decklab.scoring.reports.terminal import print_table

KIND = "an OpenDocument presentation"


class ConvertingOffice(DyingOffice):
    """Draws a deck for every OpenDocument file, and saves another, or none, as its copy."""

    def __init__(self, drawn: Path, copy: Path | None) -> None:
        super().__init__()
        self._drawn, self._copy = drawn, copy

    def pdf_once(self, path: str | Path) -> bytes:
        return super().pdf_once(self._drawn if str(path).endswith(".odp") else path)

    def resaved(self, path: str | Path) -> bytes:
        if self._copy is None:
            raise RenderFailed(path, "could not be saved")
        return self._copy.read_bytes()


@pytest.fixture
def odp(tmp_path: Path) -> Path:
    path = tmp_path / "talk.odp"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
        archive.writestr("content.xml", "<office/>")
    return path


def scored(odp: Path, drawn: Path, copy: Path | None) -> DeckResult:
    return score_deck(odp, renderer=Renderer(ConvertingOffice(drawn, copy))).result


def test_quality_and_findings_are_those_of_the_copy_and_editability_is_not_judged(
    odp: Path, tmp_path: Path
) -> None:
    deck = write_numbered(tmp_path / "talk.pptx", 3)
    own = score_deck(deck, renderer=Renderer(DyingOffice())).result
    result = scored(odp, deck, deck)
    assert (result.status, result.slides, result.converted) == ("scored", 3, KIND)
    assert own.converted == ""
    for metric in ("quality.score", "quality.layout", "quality.deck", "harmony.score"):
        assert result.value(metric) == own.value(metric)
    level = result.value("editability.level")
    assert isinstance(level, NotScored) and "not .odp" in level.reason
    about = {one.rule for one in own.findings if not one.rule.startswith("editability")}
    assert {one.rule for one in result.findings} == about


@pytest.mark.parametrize(
    ("slides", "reason"), [(None, "cannot be read: could not be saved"), (2, "has 2 slides, not 3")]
)
def test_without_a_copy_that_fits_quality_has_a_reason(
    slides: int | None, reason: str, odp: Path, tmp_path: Path
) -> None:
    deck = write_numbered(tmp_path / "talk.pptx", 3)
    copy = slides and write_numbered(tmp_path / "copy.pptx", slides)
    result = scored(odp, deck, copy or None)
    assert (result.status, result.converted) == ("scored", "")
    value = result.value("quality.score")
    assert isinstance(value, NotScored)
    assert value.reason == f"its copy as .pptx {reason}"


@pytest.mark.long
@pytest.mark.office
def test_a_real_deck_of_libreoffice_is_scored_and_marked_as_converted(tmp_path: Path) -> None:
    plain, *_ = write_samples(tmp_path / "samples")
    subprocess.run(
        [find_installation().program.with_name("soffice"), "--headless", f"-env:UserInstallation=file://{tmp_path}/p",
         "--convert-to", "odp", "--outdir", tmp_path, plain],
        check=True, capture_output=True,
    )  # fmt: skip
    odp, out = tmp_path / "plain.odp", tmp_path / "out"
    before = odp.read_bytes()
    run = decklab.score([plain, odp], out, jobs=1, save=["md"])
    assert odp.read_bytes() == before
    assert [result.converted for result in run.results()] == ["", KIND]
    native, other = (result.value("quality.score") for result in run.results())
    assert isinstance(native, float) and isinstance(other, float)
    assert other == pytest.approx(native, abs=15)
    own, converted = json.loads((out / "results.json").read_text())["decks"]
    assert converted["converted"] == KIND and "converted" not in own
    console = Console(file=io.StringIO(), width=100)
    print_table(run.rows(), console)
    assert isinstance(console.file, io.StringIO)
    assert f"plain.odp: {KIND}" in console.file.getvalue()
    page = out / str([row.page for row in run.rows()][1])
    for path in (page, page.with_suffix(".md")):
        assert "a copy that LibreOffice converted" in path.read_text()
    assert (out / "index.html").read_text().count(">converted<") == 1
