import json
import sys
from pathlib import Path
from shutil import which

import pytest
from PIL import Image

from decklab.cli import main
from decklab.cli.score import _at_work
from decklab.rendering.html import PROGRAMS


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deck of two slide images, which needs no LibreOffice."""
    folder = tmp_path_factory.mktemp("score") / "talk"
    folder.mkdir()
    for name, colour in (("1.png", "#B03020"), ("2.png", "#2040A0")):
        Image.new("RGB", (960, 540), colour).save(folder / name)
    return folder


def score(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    command = ["decklab", "score", *map(str, words), "--no-cache", "--jobs", "1"]
    monkeypatch.setattr(sys, "argv", command)
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.mark.long
def test_limits_and_an_earlier_run_on_the_command_line(
    pictures: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    forms = ["--save", "md", "--save", "badge"]
    assert score(monkeypatch, pictures, "--out", out, "--fail-under", "level=0", *forms) == 0
    assert {path.name for path in (out / "decks").iterdir()} == {
        "talk.html", "talk.md", "talk-badge.svg"
    }  # fmt: skip
    data = json.loads((out / "results.json").read_text())
    for row in data["decks"][0]["measurements"]:
        if row["metric"] == "editability.level":
            row["value"] = 2.0
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps(data))
    capsys.readouterr()
    limits = ["--fail-under", "level=1", "--against", earlier, "--resume"]
    assert score(monkeypatch, pictures, "--out", out, *limits) == 1
    told = capsys.readouterr()
    assert "editability.level is 0.00; at least 1 wanted" in told.err
    assert "worse: talk: Editability level (PEI) 2.00 -> 0.00" in told.out
    compared = json.loads((out / "against.json").read_text())
    assert {row["metric"] for row in compared["changes"] if row["trend"] != "same"} == {
        "editability.level"
    }
    assert "Since the earlier run" in (out / "index.html").read_text()


def test_what_cannot_be_limited_or_compared_ends_before_anything_is_written(
    pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert score(monkeypatch, pictures, "--out", out, "--fail-under", "beauty=3") == 2
    assert score(monkeypatch, pictures, "--out", out, "--against", tmp_path / "no") == 2
    assert not out.exists()


@pytest.mark.long
@pytest.mark.skipif(not any(map(which, PROGRAMS)), reason="Chromium is not installed")
def test_the_report_prints_and_the_card_is_a_picture(
    pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert score(monkeypatch, pictures, "--out", out, "--save", "pdf", "--save", "card") == 0
    assert (out / "decks/talk.pdf").read_bytes().startswith(b"%PDF-")
    with Image.open(out / "decks/talk-card.png") as card:
        assert card.size == (1200, 630)


def test_progress_names_deck_and_slide_and_no_name_is_markup() -> None:
    assert _at_work("talks/[red]a.pptx", 3, 9) == r"\[red]a.pptx, slide 3 of 9"
    assert len(_at_work("x" * 400, 3, 9)) < 60
