"""Manual pages that a program set as text are read by what they hold, not by how they look."""

from pathlib import Path

from decklab.documents.man_page import from_man_page
from decklab.documents.reading import read_document

PAGE = """\
CRANE(1)                         Harbour Manual                         CRANE(1)

NAME
       crane - lift boxes from ships

SYNOPSIS
       crane [-v] [box]

DESCRIPTION
       The  crane lifts boxes from ships to the quay, one at a time, and writes
       down each of them in the ledger.  It runs until the ship is empty or un‐
       til the wind is too strong.

   Wind
       When  the  wind  rises above 60 kilometres an hour, the crane stops and
       waits for it to fall.

       SLOW   The crane moves at half its speed, since the load would swing and
              hit the ship.

OPTIONS
       -v     Say  what  is being lifted, and the weight of it, on one line for
              every box.

       --dry
              Lift nothing, and only say what would be lifted from the ship if
              the wind were lower.

AUTHORS
       Ann Smith
       Bo Lund

CRANE 2.1                         March 2025                           CRANE(1)
"""


def test_a_manual_page_is_read_with_its_title_headings_and_terms(tmp_path: Path) -> None:
    path = tmp_path / "crane.txt"
    path.write_text(PAGE, encoding="utf-8")
    document = read_document(path)
    headings = [(block.text, block.level) for block in document.headings]
    assert document.title == "crane: lift boxes from ships"
    assert headings == [
        ("crane: lift boxes from ships", 1), ("SYNOPSIS", 2), ("DESCRIPTION", 2), ("Wind", 3),
        ("OPTIONS", 2), ("AUTHORS", 2),
    ]  # fmt: skip
    text = [block.text for block in document.blocks if block.kind == "paragraph"]
    assert any("the ship is empty or until the wind is too strong." in one for one in text)
    assert not any("CRANE(1)" in block.text for block in document.blocks)
    items = [block.text for block in document.blocks if block.kind == "item"]
    assert items[0].startswith("SLOW: The crane moves at half its speed, since the load")
    assert items[1].startswith("-v: Say what is being lifted, and the weight of it,")
    assert items[2].startswith("--dry: Lift nothing,")


def test_any_other_text_stays_as_it_is() -> None:
    for text in ("", "\n\n", "NAME\n    crane", "The crane(1) is old.\nIt is red.\n"):
        assert from_man_page(text) == text


def test_a_page_of_a_head_alone_is_empty() -> None:
    assert from_man_page("CRANE(1)   Harbour   CRANE(1)\n").strip() == ""
