from pathlib import Path

import pytest
from tests.evals.slidesgen.sets import write_decks

from decklab.evals.slidesgen.instructions import InstructionError
from decklab.evals.slidesgen.jobs import find_system_decks

TOPICS = ["harbour", "poems"]


def test_a_folder_gives_every_system_every_topic(tmp_path: Path) -> None:
    found = find_system_decks(write_decks(tmp_path), TOPICS)
    there = {(one.system, one.topic): one.deck for one in found.entries}
    assert list(there) == [(system, topic) for system in ("broken", "good", "other")
                           for topic in TOPICS]  # fmt: skip
    assert there["good", "harbour"] == tmp_path / "good" / "harbour.pptx"
    assert there["good", "poems"] is None
    assert found.unused == ("other/novels",)


def test_folders_of_pictures_are_decks_and_other_files_are_not(tmp_path: Path) -> None:
    (tmp_path / "drawn" / "harbour").mkdir(parents=True)
    (tmp_path / "drawn" / "notes.txt").write_text("x")
    (tmp_path / "drawn" / ".hidden.pptx").write_bytes(b"")
    found = find_system_decks(tmp_path, TOPICS)
    assert [one.deck for one in found.entries] == [tmp_path / "drawn" / "harbour", None]
    assert found.unused == ()


def test_a_table_names_decks_and_what_they_cost(tmp_path: Path) -> None:
    table = tmp_path / "decks.csv"
    table.write_text(
        "system,topic,deck,seconds,dollars\nA,poems,x/p.pptx,3.5,\nA,harbour,h.pdf,,0\n"
    )
    harbour, poems = find_system_decks(table, TOPICS).entries
    assert (poems.deck, poems.seconds, poems.dollars) == (tmp_path / "x" / "p.pptx", 3.5, None)
    assert (harbour.deck, harbour.seconds, harbour.dollars) == (tmp_path / "h.pdf", None, 0.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("system,topic\nA,poems\n", "decks.csv:2: it has no deck"),
        ("system,topic,deck\nA,poems,a\nA,poems,b\n", "A has two decks about poems"),
        ("system,topic,deck,seconds\nA,poems,a,soon\n", "'soon' is no number"),
        ("system,topic,deck,dollars\nA,poems,a,-1\n", "'-1' is no number"),
        ("system,topic,deck\n", "it has no decks"),
        ("", "it has no decks"),
    ],
)
def test_what_is_wrong_with_a_table_is_told(text: str, said: str, tmp_path: Path) -> None:
    table = tmp_path / "decks.csv"
    table.write_text(text)
    with pytest.raises(InstructionError, match=said):
        find_system_decks(table, TOPICS)


def test_two_decks_of_a_topic_no_decks_and_no_folder(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    with pytest.raises(InstructionError, match="it has no decks"):
        find_system_decks(tmp_path, TOPICS)
    for name in ("poems.pptx", "poems.pdf"):
        (tmp_path / "A" / name).write_bytes(b"")
    with pytest.raises(InstructionError, match="A has two decks about poems"):
        find_system_decks(tmp_path, TOPICS)
    with pytest.raises(InstructionError, match="no such folder"):
        find_system_decks(tmp_path / "gone", TOPICS)
