import hashlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Pt

from decklab.core.errors import DecklabError
from decklab.deck.deck import write_samples
from decklab.deck.views.snapshot import SAVED_KEYS, snapshot, snapshot_bytes
from decklab.ooxml.package import Package

SHARED = Path(__file__).parents[4] / "shared" / "decks"
NAMED = sorted(SHARED.glob("*/*.pptx"))
PLAIN = (dict, list, str, int, float, bool, type(None))


def taken(source: Path | bytes):
    opened = Package.open(source) if isinstance(source, Path) else Package.from_bytes(source, "d")
    with opened as package:
        return snapshot(package)


def saved(deck) -> bytes:
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def rich(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    return next(path for path in write_samples(folder) if path.stem == "rich")


def two_boxes():
    deck = Presentation()
    deck.slide_width, deck.slide_height = Pt(960), Pt(540)
    page = deck.slides.add_slide(deck.slide_layouts[6])
    page.shapes.add_textbox(Pt(1), Pt(2), Pt(3), Pt(4)).text_frame.text = "Words"
    shape = page.shapes.add_shape(1, Pt(10), Pt(20), Pt(30), Pt(40))
    shape.text_frame.text = "Painted"
    return deck, page, shape


def everything(value):
    yield value
    if isinstance(value, dict):
        for inner in value.values():
            yield from everything(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from everything(inner)


def test_a_snapshot_is_plain_json_that_survives_it(rich):
    found = taken(rich)
    assert all(type(value) in PLAIN for value in everything(found))
    assert json.loads(snapshot_bytes(found)) == found


def test_the_same_file_gives_the_same_bytes_and_stays_as_it_is(rich):
    before = rich.read_bytes()
    assert snapshot_bytes(taken(rich)) == snapshot_bytes(taken(rich))
    assert rich.read_bytes() == before


def test_each_shape_of_the_file_is_one_entry_with_its_text_inside():
    deck, _page, shape = two_boxes()
    (slide,) = taken(saved(deck))["slides"]
    first, second = slide["shapes"]
    assert [s["kind"] for s in slide["shapes"]] == ["shape", "shape"]
    assert [s["z"] for s in slide["shapes"]] == [0, 1]
    assert first["text"]["text"] == "Words"
    assert (first["shape"]["fill"], first["shape"]["stroke"]) == (None, None)
    assert (second["id"], second["name"]) == (shape.shape_id, shape.name)
    assert (second["x"], second["y"], second["w"], second["h"]) == (10, 20, 30, 40)
    assert second["text"]["paragraphs"][0]["runs"][0]["text"] == "Painted"
    assert second["shape"]["fill"].startswith("#")
    assert slide["reading_order"] == [first["id"], second["id"]]


def test_content_follows_what_is_said_and_not_where_or_how():
    deck, _page, shape = two_boxes()
    before = taken(saved(deck))["slides"][0]
    shape.left, shape.name = Pt(500), "Moved"
    shape.text_frame.paragraphs[0].runs[0].font.size = Pt(50)
    moved = taken(saved(deck))["slides"][0]
    assert moved["content"] == before["content"]
    assert moved["shapes"][1]["content"] == before["shapes"][1]["content"]
    assert moved["shapes"][1] != before["shapes"][1]
    shape.text_frame.paragraphs[0].runs[0].text = "Changed"
    changed = taken(saved(deck))["slides"][0]
    assert changed["content"] != before["content"]
    assert changed["shapes"][0]["content"] == before["shapes"][0]["content"]


def test_a_blank_slide_and_an_empty_deck():
    deck = Presentation()
    assert taken(saved(deck))["slides"] == []
    deck.slides.add_slide(deck.slide_layouts[6])
    (slide,) = taken(saved(deck))["slides"]
    assert (slide["number"], slide["shapes"], slide["reading_order"]) == (1, [], [])


def test_layouts_and_masters_show_their_shapes_where_slides_use_them():
    deck, _page, _shape = two_boxes()
    found = taken(saved(deck))
    used = [layout for layout in found["layouts"] if layout.get("used", True)]
    assert [layout["name"] for layout in used] == ["Blank"]
    assert len(found["layouts"]) == 11
    kinds = {shape["placeholder"]["type"] for shape in found["masters"][0]["shapes"]}
    assert {"title", "body"} <= kinds
    assert found["themes"][0]["minor"] == "Calibri"


def test_neighbouring_runs_of_one_style_are_one_run():
    deck, page, _shape = two_boxes()
    paragraph = page.shapes[0].text_frame.paragraphs[0]
    whole = taken(saved(deck))["slides"][0]["shapes"][0]
    paragraph.runs[0].text = "Wo"
    paragraph.add_run().text = "rds"
    split = taken(saved(deck))["slides"][0]["shapes"][0]
    assert split == whole
    paragraph.runs[1].font.bold = True
    bold = taken(saved(deck))["slides"][0]["shapes"][0]
    assert [run["text"] for run in bold["text"]["paragraphs"][0]["runs"]] == ["Wo", "rds"]


def without(value, keys):
    if isinstance(value, dict):
        return {key: without(inner, keys) for key, inner in value.items() if key not in keys}
    return [without(inner, keys) for inner in value] if isinstance(value, list) else value


def test_python_pptx_saving_a_deck_again_changes_nothing_but_names_of_parts(rich):
    again = saved(Presentation(rich))
    parts = {"part", "parts", "layout_part", "parent"}
    origins = {"sources", "slot", "theme_style", "font_scale", "line_reduction"}
    noise = SAVED_KEYS | parts | origins
    assert without(taken(again), noise) == without(taken(rich), noise)


@pytest.mark.by_day(1)
@pytest.mark.shared
@pytest.mark.parametrize("path", NAMED, ids=lambda path: f"{path.parent.name}/{path.stem[:40]}")
def test_every_deck_gives_equal_bytes_and_keeps_its_own(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    try:
        first = snapshot_bytes(taken(path))
    except DecklabError as error:
        assert "\n" not in str(error)
        return
    assert snapshot_bytes(taken(path)) == first
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


MOST_BYTES = 200_000  # which most feature decks are below
HASHES = """
import hashlib, sys
from decklab.deck.views.snapshot import snapshot, snapshot_bytes
from decklab.core.errors import DecklabError
from decklab.ooxml.package import Package
for path in sys.argv[1:]:
    try:
        with Package.open(path) as package:
            found = hashlib.sha256(snapshot_bytes(snapshot(package))).hexdigest()
    except DecklabError as error:
        found = str(error)
    print(found)
"""


def hashes(paths, seed: str) -> list[str]:
    """The hash of each deck's snapshot, or why there is none, by a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", HASHES, *map(str, paths)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    return done.stdout.splitlines()


@pytest.mark.long
def test_processes_that_hash_differently_write_the_same_bytes(tmp_path):
    paths = sorted(write_samples(tmp_path))
    before = [path.read_bytes() for path in paths]
    found = hashes(paths, "1")
    assert found == hashes(paths, "20011")
    assert len(set(found)) == len(paths)
    assert [path.read_bytes() for path in paths] == before


@pytest.mark.long
@pytest.mark.shared
def test_processes_that_hash_differently_write_the_same_bytes_of_small_decks():
    paths = [path for path in NAMED if path.stat().st_size < MOST_BYTES]
    found = hashes(paths, "1")
    assert found == hashes(paths, "20011")
    assert len(found) == len(paths)


def test_a_part_of_a_deck_is_as_in_the_whole(rich):
    whole = taken(rich)
    third = whole["slides"][2]
    left_out = [shape["id"] for shape in third["shapes"] if "groups" not in shape][:2]
    with Package.open(rich) as package:
        known: dict[str, Any] = {}
        part = snapshot(package, slides=[3], templates=known)
        again = snapshot(package, slides=[3], templates=known)
        less = snapshot(package, slides=[3], without={third["part"]: left_out})
        master = snapshot(package, slides=[], masters=[whole["masters"][0]["part"]])
    assert part["slides"] == again["slides"] == [third]
    assert set(known) == {third["layout_part"], whole["masters"][0]["part"]}
    kept = [
        shape["id"]
        for shape in third["shapes"]
        if shape["id"] not in left_out and not set(shape.get("groups", ())) & set(left_out)
    ]
    assert [shape["id"] for shape in less["slides"][0]["shapes"]] == kept
    assert (master["slides"], master["themes"]) == ([], whole["themes"])
