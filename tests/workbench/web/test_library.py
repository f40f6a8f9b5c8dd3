"""Decks and versions in the library."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event
from starlette.testclient import TestClient
from tests.workbench.web.web_rows import fill

from decklab.workbench.web.database import engine_of
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library, NotThere, UploadRefused, shown_name
from decklab.workbench.web.serving import make_app
from decklab.workbench.web.workbench import Workbench

Add = Callable[..., str]


def test_a_deck_is_stored_by_its_checksum(library: Library, add: Add) -> None:
    deck = add(b"one", "../../My talk.pptx")
    assert library.deck(deck).name == "My talk.pptx"
    version = library.version(deck, 1)
    assert version.digest == hashlib.sha256(b"one").hexdigest()
    assert library.file(version).read_bytes() == b"one"
    assert library.file(version).parent == library.folder / "files"


def test_versions_form_a_tree_and_none_is_lost(library: Library, add: Add, tmp_path: Path) -> None:
    deck = add(b"1")
    for parent, data in ((1, b"2"), (2, b"3"), (1, b"4")):
        made = tmp_path / "made"
        made.write_bytes(data)
        library.add_version(deck, parent, made, "a request", "job")
    library.choose(deck, 2)
    rows = library.versions([deck])[deck]
    assert [(row.number, row.parent) for row in rows] == [(1, None), (2, 1), (3, 2), (4, 1)]
    assert [library.file(row).read_bytes() for row in rows] == [b"1", b"2", b"3", b"4"]
    assert library.deck(deck).current == 2


def test_a_file_stays_as_long_as_a_deck_has_it(library: Library, add: Add) -> None:
    first, second = add(b"same"), add(b"same")
    file = library.file(library.version(first, 1))
    library.remove(first)
    assert file.is_file()
    library.remove(second)
    assert not file.exists()
    assert library.count() == 0


def test_what_is_no_deck_is_refused_by_its_name(add: Add) -> None:
    with pytest.raises(UploadRefused, match=r"^notes\.txt: the library takes \.pptx"):
        add(name="notes.txt")


@pytest.mark.parametrize(
    "deck", ["", "..", "../../etc/passwd", "0" * 31, "G" * 32, "0" * 32 + "\n"]
)
def test_an_id_of_another_form_is_not_there(library: Library, deck: str) -> None:
    with pytest.raises(NotThere):
        library.deck(deck)


def test_decks_are_found_by_name_and_by_words(library: Library, add: Add) -> None:
    cranes, budget = add(name="Cranes 100%.pptx"), add(name="Budget.pptx")
    library.remember_words(budget, "What a crane costs")
    assert {deck.id for deck in library.decks("crane")} == {cranes, budget}
    assert [deck.id for deck in library.decks("crane costs")] == [budget]
    assert [deck.id for deck in library.decks("100%")] == [cranes]
    assert [deck.id for deck in library.decks("%")] == [cranes]
    assert library.decks("nothing of it") == []


def test_what_a_killed_server_left_unfinished_is_removed(library: Library) -> None:
    (library.folder / "unfinished" / "half").write_bytes(b"half")
    (library.folder / "unfinished" / "folder").mkdir()
    again = Library(library.folder, library.sessions)
    assert list((again.folder / "unfinished").iterdir()) == []


@given(st.text(max_size=300))
def test_a_shown_name_is_one_part_of_a_path(name: str) -> None:
    shown = shown_name(name)
    assert shown == Path(shown).name
    assert shown not in ("", ".", "..")
    assert len(shown) <= 210
    assert shown.isprintable()


def test_the_library_page_asks_as_much_for_many_decks_as_for_one(
    library: Library, jobs: Jobs
) -> None:
    client = TestClient(make_app(Workbench(library, jobs)))
    asked: list[str] = []
    event.listen(
        engine_of(library.sessions), "before_cursor_execute",
        lambda _connection, _cursor, said, *_: asked.append(said) if "decks" in said else None,
    )  # fmt: skip
    numbers = []
    for more in (1, 40):
        fill(library, more)
        asked.clear()
        assert client.get("/").text.count('<li class="card"') == min(more, 24)
        numbers.append(len([said for said in asked if said.startswith("SELECT")]))
    assert numbers[0] == numbers[1] < 5
