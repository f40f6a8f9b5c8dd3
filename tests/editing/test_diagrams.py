"""SmartArt texts, on a deck that has a diagram."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from decklab.deck.deck import sample_bytes
from decklab.diffing.decks import diff_packages
from decklab.editing.finding import EditError
from decklab.editing.replacing import replace_text
from decklab.editing.texts import diagram_texts, set_diagram_text
from decklab.ooxml.package import Package

DECK = "decks/real/test-data_integration_stress021.pptx"


def changes(path: Path, out: Path, prs: Any) -> set[tuple[int | None, str]]:
    prs.save(str(out))
    with Package.open(path) as before, Package.open(out) as after:
        return {(one.slide, one.kind) for one in diff_packages(before, after).edits}


@pytest.mark.shared
def test_a_point_reads_otherwise_and_nothing_else_changes(shared: Path, tmp_path: Path) -> None:
    prs = Presentation(str(shared / DECK))
    old = diagram_texts(prs, 9)[0]
    assert set_diagram_text(prs, 9, old, "Something new") == 1
    assert "Something new" in diagram_texts(prs, 9)
    assert changes(shared / DECK, tmp_path / "out.pptx", prs) == {(9, "diagram")}


@pytest.mark.shared
def test_replacing_reaches_diagrams(shared: Path, tmp_path: Path) -> None:
    prs = Presentation(str(shared / DECK))
    old = next(text for text in diagram_texts(prs, 9) if "\n" not in text).split()[0]
    assert replace_text(prs, old, "Something new", slides=[9]) >= 1
    assert any("Something new" in text for text in diagram_texts(prs, 9))
    assert changes(shared / DECK, tmp_path / "out.pptx", prs) >= {(9, "diagram")}


def test_a_slide_without_a_diagram_says_so(deck: Any) -> None:
    with pytest.raises(EditError, match="slide 1 has no SmartArt"):
        diagram_texts(deck, 1)


def test_the_drawing_reads_as_the_data_does_where_a_shape_shows_several_points() -> None:
    prs = Presentation(BytesIO(sample_bytes("rich")))
    assert set_diagram_text(prs, 12, "2029 Old town", "2030 Old town") == 1
    parts = [link.target_part.blob for link in prs.slides[11].part.rels.values()
             if "diagram" in link.reltype.casefold()]  # fmt: skip
    assert sum(b"2030 Old town" in part for part in parts) == 2
    assert not any(b"2029 Old town" in part for part in parts)
