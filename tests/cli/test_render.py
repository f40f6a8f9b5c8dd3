"""``decklab render``, as it is typed."""

import json
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation
from typer.testing import CliRunner, Result

from decklab.cli.decks import app

pytestmark = pytest.mark.office


def write_deck(path: Path, *texts: str) -> Path:
    deck = Presentation()
    for text in texts:
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.shapes.add_textbox(0, 0, 4_000_000, 999_999).text_frame.text = text
    if len(texts) > 1:
        deck.slides[1]._element.set("show", "0")
    deck.save(str(path))
    return path


def run(folder: Path, *words: str | Path) -> Result:
    extra = ("--cache", str(folder / "cache"), "--size", "320x240")
    return CliRunner().invoke(
        app, ["render", *map(str, words), "--out", str(folder / "out"), *extra]
    )


def pictures(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("slide-*"))


def test_a_second_run_draws_only_what_changed(tmp_path: Path) -> None:
    talk = write_deck(tmp_path / "talk.pptx", "one", "two", "three")
    first = run(tmp_path, talk)
    assert first.exit_code == 0, first.output
    assert f"{talk}: 3 of 3 slides in {tmp_path / 'out' / 'talk'}, 3 drawn" in first.stdout
    assert "hidden: 2" in first.stdout
    assert "fonts replaced: " in first.stderr
    assert pictures(tmp_path / "out") == [f"talk/slide-00{number}.png" for number in (1, 2, 3)]
    untouched = (tmp_path / "out" / "talk" / "slide-003.png").read_bytes()
    before = (tmp_path / "out" / "talk" / "slide-001.png").read_bytes()
    write_deck(talk, "another", "two", "three")
    second = run(tmp_path, talk)
    assert "1 drawn, 2 from the cache" in second.stdout
    assert (tmp_path / "out" / "talk" / "slide-003.png").read_bytes() == untouched
    assert (tmp_path / "out" / "talk" / "slide-001.png").read_bytes() != before


def test_json_tells_pictures_sizes_text_and_what_failed(tmp_path: Path) -> None:
    talk = write_deck(tmp_path / "talk.pptx", "one", "two", "three")
    broken = tmp_path / "broken.pptx"
    broken.write_bytes(b"no deck")
    done = run(tmp_path, talk, broken, "--slides", "2-3,9", "--json", "--text")
    assert done.exit_code == 1
    good, bad = json.loads(done.stdout)["decks"]
    assert (good["slide_count"], good["drawn"], good["from_cache"]) == (3, 2, 0)
    assert good["engine"].startswith("LibreOffice")
    assert [slide["number"] for slide in good["slides"]] == [2, 3]
    assert [slide["hidden"] for slide in good["slides"]] == [True, False]
    for slide in good["slides"]:
        with Image.open(slide["picture"]) as picture:
            assert picture.size == (slide["width"], slide["height"]) == (320, 240)
    assert [span["text"] for span in good["slides"][0]["text"]] == ["two"]
    assert good["slides"][0]["text_source"] == "layout"
    assert good["errors"] == [f"{talk}: there is no slide 9; it has 3"]
    assert (bad["slides"], bad["engine"]) == ([], None)
    assert f"decklab: {bad['errors'][0]}" in done.stderr
    assert "broken.pptx" in bad["errors"][0]


def test_decks_of_one_name_do_not_share_a_folder(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_deck(tmp_path / name / "talk.pptx", name)
    done = run(tmp_path, tmp_path / "a", tmp_path / "b", "--format", "jpeg", "--no-cache")
    assert done.exit_code == 0, done.output
    written = pictures(tmp_path / "out")
    assert [Path(name).name for name in written] == ["slide-001.jpg"] * 2
    assert len({Path(name).parent for name in written}) == 2
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--size", "wide"), ("--size", "4x4"), ("--size", "9999x9999"), ("--slides", "first"),
        ("--format", "gif"), ("--text",),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    talk = write_deck(tmp_path / "talk.pptx", "one")
    done = CliRunner().invoke(app, ["render", str(talk), "--out", str(tmp_path / "out"), *words])
    assert done.exit_code == 2
    assert not (tmp_path / "out").exists()
