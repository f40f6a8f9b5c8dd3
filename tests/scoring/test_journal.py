from pathlib import Path

import pytest

from decklab.core.geometry import Box
from decklab.core.output_folder import reserve
from decklab.core.results import DeckResult, Finding, Measurement
from decklab.pages.pictures import SlidePicture
from decklab.scoring.journal import Journal, JournalEntry, fingerprint


@pytest.fixture
def record() -> JournalEntry:
    result = DeckResult(
        deck="a.pptx",
        status="scored",
        slides=1,
        measurements=(
            Measurement(metric="harmony.score", value=0.1 + 0.2, unit="score"),
            Measurement(metric="usability.score", reason="no text", evidence={"a": [1, "b"]}),
        ),
        findings=(Finding(rule="r", severity="error", message="m", box=Box(1, 2, 3, 4)),),
    )
    return JournalEntry(
        result=result, page="a.html", cover=SlidePicture(b"\xff\xd8\xff\xe0", 320, 180)
    )


def test_a_record_comes_back_equal(tmp_path: Path, record: JournalEntry) -> None:
    Journal(tmp_path).write(Path("a.pptx"), "key", record)
    assert Journal(tmp_path).read(Path("a.pptx"), "key") == record


def test_another_key_or_another_deck_finds_nothing(tmp_path: Path, record: JournalEntry) -> None:
    journal = Journal(tmp_path)
    journal.write(Path("a.pptx"), "key", record)
    assert journal.read(Path("a.pptx"), "other") is None
    assert journal.read(Path("b.pptx"), "key") is None
    assert journal.read(Path("a.pptx")) == record


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"key": "key"}', b'{"key": "key", "re'])
def test_a_torn_record_is_none(tmp_path: Path, record: JournalEntry, content: bytes) -> None:
    journal = Journal(tmp_path)
    journal.write(Path("a.pptx"), "key", record)
    next(journal.folder.iterdir()).write_bytes(content)
    assert journal.read(Path("a.pptx"), "key") is None


def test_clearing_forgets(tmp_path: Path, record: JournalEntry) -> None:
    journal = Journal(tmp_path)
    journal.write(Path("a.pptx"), "key", record)
    journal.clear()
    assert journal.read(Path("a.pptx")) is None


def test_the_fingerprint_changes_with_bytes_and_settings_only(tmp_path: Path) -> None:
    deck, copy = tmp_path / "a.pptx", tmp_path / "sub" / "b.pptx"
    copy.parent.mkdir()
    deck.write_bytes(b"one")
    copy.write_bytes(b"one")
    assert fingerprint(deck, ["x"]) == fingerprint(copy, ["x"]) != fingerprint(deck, ["y"])
    copy.write_bytes(b"two")
    assert fingerprint(deck, ["x"]) != fingerprint(copy, ["x"])


def test_the_fingerprint_of_a_folder_follows_its_pictures(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(b"one")
    before = fingerprint(tmp_path, [])
    (tmp_path / "2.png").write_bytes(b"two")
    after = fingerprint(tmp_path, [])
    (tmp_path / "2.png").rename(tmp_path / "3.png")
    assert len({before, after, fingerprint(tmp_path, [])}) == 3


def test_the_fingerprint_of_a_web_page_follows_its_material(tmp_path: Path) -> None:
    page = tmp_path / "deck.html"
    page.write_text("<p>hello")
    before = fingerprint(page, [])
    (tmp_path / "style.css").write_text("p { color: red }")
    assert fingerprint(page, []) != before


def test_a_deck_that_is_not_there_has_a_fingerprint(tmp_path: Path) -> None:
    assert len(fingerprint(tmp_path / "gone.pptx", [])) == 64


def test_a_record_keeps_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    deck = Path("caf\udce9.pptx")
    record = JournalEntry(
        DeckResult(deck=str(deck), status="failed", error="x"), page=None, cover=None
    )
    Journal(tmp_path).write(deck, "key", record)
    assert Journal(tmp_path).read(deck, "key") == record


def test_clearing_leaves_what_is_not_a_record(tmp_path: Path, record: JournalEntry) -> None:
    journal = Journal(tmp_path)
    journal.write(Path("a.pptx"), "key", record)
    (journal.folder / "written").touch()
    (journal.folder / ".0123.part").touch()
    journal.clear()
    assert [path.name for path in journal.folder.iterdir()] == ["written"]


def test_the_fingerprint_of_a_web_page_bears_any_neighbour(tmp_path: Path) -> None:
    page = tmp_path / "deck.html"
    page.write_text("<p>hello")
    (tmp_path / "caf\udce9.css").touch()
    before = fingerprint(page, [])
    (tmp_path / "nowhere.css").symlink_to("gone.css")
    assert fingerprint(page, []) != before


def test_the_fingerprint_of_a_web_page_passes_over_our_reports(tmp_path: Path) -> None:
    page = tmp_path / "deck.html"
    page.write_text("<p>hello")
    before = fingerprint(page, [])
    reserve(tmp_path / "out", ["index.html"])
    (tmp_path / "out" / "index.html").write_text("report")
    assert fingerprint(page, []) == before


def test_a_picture_that_changes_in_a_folder_with_folders_changes_the_fingerprint(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.png").write_bytes(b"one")
    (tmp_path / "0 notes").mkdir()
    before = fingerprint(tmp_path, [])
    assert fingerprint(tmp_path, []) == before
    (tmp_path / "0 notes" / "unread.txt").write_text("not directly in it")
    assert fingerprint(tmp_path, []) == before
    (tmp_path / "a.png").write_bytes(b"two")
    assert fingerprint(tmp_path, []) != before
