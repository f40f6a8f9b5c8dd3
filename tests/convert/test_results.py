"""The native parts of a PPTX, the tables, and the texts of the line counts."""

from dataclasses import replace
from pathlib import Path

import pptx
import pytest
from bench.convert.converters import Converter, NotConverted, peer
from bench.convert.lines import FONTS, Laid, Run, Text, baseline_rows, make_texts, table, tally
from bench.convert.measuring import Measures
from bench.convert.native import NativeSlide, native_share, native_slides
from bench.convert.table import HEAD, Row, markdown
from PIL import Image
from pptx.util import Inches

FULL = Measures(
    slides=4, converted=4, words=1, baselines=0.5, baseline_px=1.25, ink=0.25, lines=1,
    more_lines=0, picture=0.9, native=1, titles=None,
)  # fmt: skip


def test_the_parts_of_a_slide_are_counted(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4), "red").save(tmp_path / "red.png")
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "The Title"
    slide.shapes.add_picture(str(tmp_path / "red.png"), 0, 0)
    table_shape = slide.shapes.add_table(1, 2, 0, 0, Inches(4), Inches(1))
    table_shape.table.cell(0, 0).text = "left"
    table_shape.table.cell(0, 0).merge(table_shape.table.cell(0, 1))
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "in a group"
    deck.save(str(tmp_path / "deck.pptx"))
    (native,) = native_slides(tmp_path / "deck.pptx")
    assert sorted(native.words) == sorted(["the", "title", "left", "in", "a", "group"])
    assert (native.title, native.shapes, native.pictures) == ("The Title", 5, 1)


def test_only_pictures_that_the_page_does_not_have_are_not_native() -> None:
    slide = NativeSlide((), "", shapes=10, pictures=3)
    assert native_share([(slide, 3)]) == 1
    assert native_share([(slide, 0)]) == pytest.approx(0.7)
    assert native_share([]) == 1


def test_a_table_has_a_mean_for_each_converter_and_names_refusals() -> None:
    rows = [
        Row("a", "decklab", FULL, 4, 2.0), Row("b", "decklab", replace(FULL, baselines=None), 2, 4),
        Row("a", "other", remark="no slides found"),
    ]  # fmt: skip
    lines = markdown(rows).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[:6]]
    assert cells[0] == list(HEAD)
    assert cells[2][:5] == ["a", "decklab", "4/4", "100", "50"]
    assert cells[4][2:] == ["–"] * (len(HEAD) - 2)
    assert cells[5][:5] == ["**mean of 2 of 2**", "decklab", "2 equal", "100", "50"]
    assert cells[5][-2:] == ["3.0", "3.0"]
    assert lines[-1] == "- a, other: no slides found"


def test_peers_are_named_with_the_folder_of_their_installation(tmp_path: Path) -> None:
    assert peer(f"html-to-pptx={tmp_path}") == Converter("html-to-pptx", tmp_path)
    for wrong in ("html-to-pptx", f"unknown={tmp_path}", f"dom-to-pptx={tmp_path}/none"):
        with pytest.raises(ValueError, match="to-pptx"):
            peer(wrong)


def test_a_peer_takes_no_folder_of_pages(tmp_path: Path) -> None:
    with pytest.raises(NotConverted, match="one file"):
        Converter("dom-to-pptx", tmp_path).convert(tmp_path, tmp_path / "deck.pptx")


def test_texts_are_the_same_for_a_seed_and_only_in_installed_fonts() -> None:
    families = ["Carlito", "NOTO SANS THAI"]
    texts = make_texts(200, families)
    assert texts == make_texts(200, families) != make_texts(200, families, seed=1)
    assert {text.font for text in texts} == {"Carlito", "Noto Sans Thai"}
    assert {text.script for text in texts} == {"Latin", "German", "Greek", "Cyrillic", "Thai"}
    assert all(len("".join(run.text for run in text.runs)) >= 20 for text in texts)
    assert make_texts(200, []) == []


def test_a_thousand_texts_have_all_scripts() -> None:
    texts = make_texts(1000, [font for fonts in FONTS.values() for font in fonts])
    assert len(texts) == 1000
    assert {text.script for text in texts} == set(FONTS)


def test_line_counts_are_tallied_by_side() -> None:
    counts = tally([(1, 1), (3, 4), (5, 3)])
    assert (counts.equal, counts.more, counts.fewer, counts.total) == (1, 1, 1, 3)
    assert "| Thai | 3 | 33.3 | 1 | 1 |" in table([("Thai", counts)])
    assert "| Thai | 0 | – | 0 | 0 |" in table([("Thai", tally([]))])


def test_a_descent_is_measured_from_the_end_of_the_first_line() -> None:
    text = Text("Latin", "en", "Carlito", (Run("x"),), size_pt=15, spacing=1.5, width=200)
    (row,) = baseline_rows([text], [Laid(1, 20)], [Laid(1, 26)])  # a line of 30 px, 20 px a size
    assert row == ("Carlito", 1, 0.2, 0, 0.25, 0)
