"""Plain text: what people mean as headings and lists is read as such, and other lines are not."""

from pathlib import Path

import pytest

from decklab.documents.reading import read_document

BELOW = "The harbour has grown for ten years and now serves ships from thirty-one countries."


def blocks_of(folder: Path, text: str) -> list[tuple[str, int, str]]:
    path = folder / "a.txt"
    path.write_text(text)
    return [(one.kind, one.level, one.text) for one in read_document(path).blocks]


def headings_of(folder: Path, text: str) -> list[tuple[int, str]]:
    return [(level, words) for kind, level, words in blocks_of(folder, text) if kind == "heading"]


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        (f"Report\n======\n{BELOW}\n\nShips\n-----\n\n{BELOW}", [(1, "Report"), (2, "Ships")]),
        (f"=======\nReport\n=======\n\n{BELOW}", [(1, "Report")]),
        (f"1. Ships\n\n{BELOW}\n\n1.2 Cranes\n\n{BELOW}", [(1, "1. Ships"), (2, "1.2 Cranes")]),
        (f"Ships and cranes\n\n{BELOW}", [(2, "Ships and cranes")]),
        (f"Elm harbour\n\n1. Ships\n\n{BELOW}", [(1, "Elm harbour"), (1, "1. Ships")]),
        (f"SHIPS\n\n{BELOW}", [(1, "SHIPS")]),
        (f"NAME\n    elm - {BELOW}\n\nSYNOPSIS\n    elm", [(1, "NAME"), (1, "SYNOPSIS")]),
        (f"Größe\n\n{BELOW}", [(2, "Größe")]),
    ],
)
def test_headings(tmp_path, text, headings):
    assert headings_of(tmp_path, text) == headings


@pytest.mark.parametrize(
    "text",
    [
        "1. Buy rope\n\n2. Buy paint\n\n3. Buy flags\n",
        f"Dear Anna,\n\n{BELOW}",
        f"It was late.\n\n{BELOW}",
        "Anna Smith\n\nElm Street 5\n\nHarbour Town\n",
        f"{BELOW}\n----------\n{BELOW}",
        f"a line without a capital\n\n{BELOW}",
        f"- only item\n\n{BELOW}",
        "Alone",
        " \n",
        "====\n----\n",
    ],
)
def test_no_headings(tmp_path, text):
    assert headings_of(tmp_path, text) == []


def test_lists_are_items_with_the_lines_that_go_on(tmp_path):
    text = "Reasons:\n\n- lower fees\n- a new pier\n  of steel\n\n1) first\n2) second\n"
    assert blocks_of(tmp_path, text) == [
        ("paragraph", 0, "Reasons:"),
        ("item", 1, "lower fees"),
        ("item", 1, "a new pier of steel"),
        ("item", 1, "1) first"),
        ("item", 1, "2) second"),
    ]
