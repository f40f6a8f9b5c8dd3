"""The dataset tables, against counts by hand and the counts that the paper prints."""

import statistics

import pytest

from decklab.evals.slideeval.summary import dataset_statistics, font_counts

TABLE_5 = """calibri 2183, arial 1692, unknown 460, lato 260, montserrat 203, roboto 159,
open sans 132, century gothic 105, oswald 105, helvetica neue 98, avenir next 97, garamond 70,
verdana 66, ibm plex sans 65, corbel 64, georgia 61, source sans pro 53, libre franklin 43,
tahoma 41, patrick hand 33, raleway 32, soehne 31, dosis 30, inter 22, times new roman 22,
quattrocento sans 20, titillium web 20, bahnschrift 16, barlow 16, cambria 16, elephant 15,
franklin gothic 14, nunito 14, gill sans 12, amatic sc 10, american typewriter 10,
source code pro 10, ubuntu 9, ibm plex mono 5, palatino linotype 4, aptos 3, handwriting 3,
segoe script 3, bookman old style 2, menlo 2, playfair display 2, tenorite 2, bodoni 1,
inconsolata 1, pacifico 1, proxima nova 1, segoe ui 1"""
TABLE_6 = (("sans", 5503), ("other", 569), ("serif", 203), ("script", 47), ("mono", 18))


def printed():
    rows = (row.strip().rpartition(" ") for row in TABLE_5.replace("\n", " ").split(","))
    return tuple((name, int(count)) for name, _, count in rows)


def test_texts_in_the_paper_s_typefaces_make_its_tables_5_and_6(draw):
    texts = [
        draw.text(0, 0, 10, 10, "a", name=name)
        for name, count in reversed(printed())
        for _ in range(count)
    ]
    found = font_counts([draw.slide(texts=texts[:3000]), draw.slide(texts=texts[3000:])])
    assert found.families == printed()
    assert found.groups == TABLE_6
    assert found.total == 6340


def test_spellings_of_one_typeface_count_together(draw):
    names = ("Segoe UI", "Segoe UI Semibold", "", "Arial-BoldMT")
    texts = [draw.text(0, 0, 10, 10, "a", name=name) for name in names]
    found = font_counts([draw.slide(texts=texts)])
    assert found.families == (("segoe ui", 2), ("arial", 1), ("unknown", 1))
    assert font_counts([]).families == ()


def test_the_table_counts_by_deck_and_by_slide(draw):
    text = draw.text(0, 0, 10, 10, "two words")
    slides = [draw.slide(texts=[text] * count) for count in (1, 0, 4, 2)]
    decks = {"a": slides[:1], "b": slides[1:], "c": []}
    rows = {row.category: row for row in dataset_statistics(decks)}
    assert list(rows) == [
        "slides", "elements", "texts", "rects", "lines", "images", "tables", "words",
    ]  # fmt: skip
    assert (rows["slides"].total, rows["slides"].per_deck.median) == (4, 1)
    assert rows["slides"].per_slide is None
    for name, each in (("texts", 1), ("elements", 1), ("words", 2)):
        row = rows[name]
        by_deck, by_slide = [1 * each, 6 * each, 0], [each, 0, 4 * each, 2 * each]
        assert row.total == 7 * each
        for found, values in ((row.per_deck, by_deck), (row.per_slide, by_slide)):
            assert found.mean == pytest.approx(statistics.mean(values))
            assert found.sd == pytest.approx(statistics.stdev(values))
            wanted = (min(values), statistics.median(values), max(values))
            assert (found.low, found.median, found.high) == wanted
    assert rows["lines"].per_slide.high == 0


def test_no_decks_and_one_slide_have_what_can_be_said(draw):
    empty = dataset_statistics({})
    assert all(row.per_deck is None and row.total == 0 for row in empty)
    (slides, *_) = dataset_statistics({"a": [draw.slide()]})
    assert slides.per_deck.mean == 1
    assert slides.per_deck.sd is None
