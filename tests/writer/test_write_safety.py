"""What a wrong or hostile input of ``write`` ends in: one line, and nothing changed."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from decklab.cli.write import app
from decklab.core.errors import DecklabError, PlanError, RendererMissing
from decklab.rendering import html
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck


def test_no_file_beside_the_deck_takes_the_place_of_a_source(tmp_path: Path) -> None:
    source = tmp_path / "talk.html"
    source.write_text("<h1>Mill</h1><p>The mill made 45 tons of flour in the year 2023.</p>")
    before = source.read_bytes()
    options = WriteOptions(formats=("pptx", "html"))
    with pytest.raises(OSError, match="changes no input"):
        write_deck([source], tmp_path / "talk.pptx", options=options)
    assert source.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["talk.html"]


def test_a_missing_chromium_is_told_before_the_work(
    harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "PROGRAMS", ("no-such-chromium",))
    out, stages = tmp_path / "deck.pptx", list[str]()
    with pytest.raises(RendererMissing) as refused:
        write_deck([harbour], out, progress=stages.append)
    wanted = "Chromium is not installed; install it with: apt-get install chromium"
    assert str(refused.value) == f"{out}: {wanted}"
    assert stages == [] and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (WriteOptions(language="../x"), "no language tag"),
        (WriteOptions(theme="nix"), "no theme named 'nix'"),
    ],
)
def test_wrong_names_are_told_before_the_work(
    harbour: Path, tmp_path: Path, options: WriteOptions, message: str
) -> None:
    stages: list[str] = []
    with pytest.raises(DecklabError, match=message):
        write_deck([harbour], tmp_path / "deck.pptx", options=options, progress=stages.append)
    assert stages == []
    assert list(tmp_path.iterdir()) == []


def plan_with(folder: Path, slide: dict[str, Any]) -> Path:
    (folder / "plan.json").write_text(json.dumps({"title": "T", "slides": [slide]}))
    return folder


@pytest.mark.parametrize(
    "path", ["../../../../../../../../etc/passwd", "/dev/zero", "/tmp", "pipe"]
)
def test_a_picture_of_a_plan_has_to_be_a_picture_file(
    harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    slide = {"layout": "picture_full", "title": "P", "picture": {"path": path, "alt": "a"}}
    with pytest.raises(PlanError, match=f"picture {path}: it "):
        write_deck([harbour], "deck.pptx", keep=plan_with(tmp_path, slide), start="plan")
    assert not Path("deck.pptx").exists()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_chart_of_no_number_is_refused(harbour: Path, tmp_path: Path, value: float) -> None:
    chart = {"kind": "column", "categories": ["a"], "unit": "t", "source": "s",
             "series": [{"name": "s", "values": [value]}]}  # fmt: skip
    keep = plan_with(tmp_path, {"layout": "chart", "title": "C", "chart": chart})
    with pytest.raises(PlanError, match=f"values.0: give a number, not {json.dumps(value)}"):
        write_deck([harbour], tmp_path / "deck.pptx", keep=keep, start="plan")


@pytest.mark.parametrize(
    ("outline", "message"),
    [
        ({"title": "T", "language": "??", "pages": [{"title": "P"}]}, "no language tag"),
        ({"title": "T", "pages": []}, r"outline\.json: pages: "),
        ([], r"outline\.json: give an object"),
    ],
)
def test_a_changed_outline_that_gives_no_deck_is_one_line(
    harbour: Path, tmp_path: Path, outline: Any, message: str
) -> None:
    (tmp_path / "outline.json").write_text(json.dumps(outline))
    with pytest.raises(PlanError, match=message):
        write_deck([harbour], tmp_path / "deck.pptx", keep=tmp_path, start="outline")
    assert [path.name for path in tmp_path.iterdir()] == ["outline.json"]


def test_control_characters_of_a_document_do_not_stop_the_deck(tmp_path: Path) -> None:
    source = tmp_path / "bell\x07.md"
    source.write_text(
        "# The mi\x07ll\n\nThe mill made 45 tons of flour\x1b[2J in the year 2023.\n\n"
        "| To\x07wn | Tons |\n|---|---|\n| North | 30 |\n| South | 15 |\n"
    )
    written = write_deck([source], tmp_path / "deck.pptx")
    assert written.slides == 2
    assert written.unfounded == ()


@pytest.mark.parametrize("source", ["missing.pdf", ".", "empty.md"])
def test_a_source_that_cannot_be_read_is_told_before_the_work(tmp_path: Path, source: str) -> None:
    (tmp_path / "empty.md").write_text("")
    arguments = ["--source", str(tmp_path / source), "--out", str(tmp_path / "d.pptx")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("decklab: ")
    assert len(result.stderr.splitlines()) == 1
