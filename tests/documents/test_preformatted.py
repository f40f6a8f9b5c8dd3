"""What people would call code, columns and prose, line by line."""

import pytest

from decklab.documents.preformatted import is_code, is_preformatted, is_prose, table_rows


@pytest.mark.parametrize(
    "line",
    [
        "The harbour has grown for ten years and now serves ships.",
        "Keep it simple.",
        "In 2024 it served 1,930 ships (12 % more) and earned $4.2 million.",
        "Les grues ont été construites en 2019 par une entreprise de la ville.",
        "港口有工人",
    ],
)
def test_sentences_are_prose(line):
    assert is_prose([line])
    assert not is_code([line])


@pytest.mark.parametrize(
    "lines",
    [
        ["sed 's/Glenn/Harold/g' oldfile >newfile"],
        ["# Double space a file", "sed G file"],
        ["sed -n 's/and where/it/' <all people"],
        ["$ make", "$ make install"],
        ["https://example.org/a.txt"],
        ["if (x == 1) { return y; }"],
    ],
)
def test_commands_are_no_prose(lines):
    assert not is_prose(lines)
    assert is_code(lines)


@pytest.mark.parametrize("line", ["$2 million were lost.", "#1 of all ports.", "Anna & Ben Ltd."])
def test_lines_with_signs_are_no_code(line):
    assert not is_code([line])


def test_drawings_and_columns_are_preformatted():
    assert is_preformatted(["+------+", "| elm  |", "+------+"])
    assert is_preformatted(["unpacked     never    maybe", "installed    never    never"])
    assert not is_preformatted(["The harbour has grown.  It serves", "many ships.  That is all."])


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        (["a    1", "b    2", "c    3"], 3),
        (["a  x  y", "b  x  z", "c  u  v"], 3),  # three columns without numbers
        (["a    b", "c    d", "e    f"], 0),  # two columns without numbers are terms
        (["4.1.   one", "4.2.   two", "4.3.   three"], 0),
        (["man1    one", "man2    two", "man3    three"], 0),
        (["a    1 m (of 4, as ever)", "b    2 or so of them all", "c    3"], 0),
        (["Path    /1/:x", "Path    /2/:x", "Path    /3/:x"], 0),
        (["| a | 1 |", "| b | 2 | 3 |"], 0),
        (["a    1", "b    2"], 0),
        (["a    1", "b    2    3", "c    4"], 0),
        (["| one |", "| two |"], 0),
    ],
)
def test_rows_of_as_many_cells_are_a_table(lines, rows):
    assert len(table_rows(lines)) == rows


def test_a_drawing_with_arrows_is_no_table():
    lines = ["v    Uncompressed Data    ^", "a    Filter 0    b", "v    Compressed Data    ^"]
    assert table_rows(lines) == []
