"""A slide made longer from a source of two sentences, of which one says nothing by itself."""

from pathlib import Path

import pytest

from decklab.board.blueprint import read_plan
from decklab.core.errors import PlanError
from decklab.documents.reading import read_documents
from decklab.writer.redo import Redoing
from decklab.writer.request import WriteOptions

LONE = "This crane at the north quay is shown in Figure 3."
USEFUL = "The new crane at the north quay lifts sixty tonnes of steel in one move."


def redoing(tmp_path: Path, *sentences: str) -> Redoing:
    (tmp_path / "cranes.md").write_text(f"# Cranes\n\n{' '.join(sentences)}\n")
    body = [{"text": "Ships wait for a free berth"}]
    plan = read_plan(
        {"title": "Deck", "slides": [{"layout": "body", "title": "Harbour crane", "body": body}]}
    )
    return Redoing(plan, read_documents([tmp_path / "cranes.md"]), WriteOptions(), tmp_path)


def test_longer_takes_no_sentence_that_needs_its_neighbours(tmp_path: Path) -> None:
    made = redoing(tmp_path, LONE, USEFUL).redone(0, "longer", None)
    assert [point.text for point in made.slide.body] == [
        "Ships wait for a free berth", USEFUL.rstrip("."),
    ]  # fmt: skip
    assert made.slide.notes == f"“{USEFUL}” (cranes.md)"
    with pytest.raises(PlanError, match="nothing more to say"):
        redoing(tmp_path, LONE).redone(0, "longer", None)
