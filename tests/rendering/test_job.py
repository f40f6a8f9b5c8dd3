"""Many decks drawn in one go: each gets its folder, and one that fails stops no other."""

from pathlib import Path

from PIL import Image

from decklab.rendering.job import draw_decks
from decklab.rendering.saving import Pictures


def test_a_deck_that_cannot_be_read_stops_no_other(tmp_path: Path) -> None:
    good, bad = tmp_path / "pictures", tmp_path / "bad.pptx"
    good.mkdir()
    for number in (1, 2):
        Image.new("RGB", (320, 180), (number * 40, 0, 0)).save(good / f"{number}.png")
    bad.write_bytes(b"no deck")
    folders = {deck: tmp_path / "out" / deck.name for deck in (bad, good)}
    broken, drawn = draw_decks(folders, Pictures(slides=[2, 5], size=(160, 90)))
    assert (broken.saved, broken.fonts, len(broken.errors)) == (None, (), 1)
    assert drawn.errors == (f"{good}: there is no slide 5; it has 2",)
    [slide] = drawn.as_json()["slides"]
    assert (slide["number"], slide["width"], slide["height"]) == (2, 160, 90)
    assert Path(slide["picture"]).is_file()
