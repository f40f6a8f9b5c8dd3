"""The decks of a folder in the workbench: live, read when looked at, never changed."""

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier
from typing import Any
from urllib.request import urlopen

import pytest
from sqlalchemy import event, text
from starlette.testclient import TestClient
from tests.workbench.web.web_fakes import EVIL

from decklab.workbench.web import served_folder
from decklab.workbench.web.database import DATABASE, FOLDER_ID, belong, engine_of, open_database
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.served_folder import ServedFolder, state_folder
from decklab.workbench.web.serving import KINDS, make_app
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import worker


@pytest.fixture
def talks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is listed at every look, however soon after the last one."""
    monkeypatch.setattr(served_folder, "_REST", 0.0)
    folder = tmp_path / "talks"
    folder.mkdir()
    return folder


@pytest.fixture
def bench(library: Library, talks: Path) -> Iterator[Workbench]:
    """A workbench whose jobs wait: nobody does them."""
    with Jobs(library, KINDS, processes=0, work=worker) as jobs:
        yield Workbench(library, jobs, folder=ServedFolder(talks, library))


@pytest.fixture
def client(bench: Workbench) -> Iterator[TestClient]:
    headers = {"x-decklab": "1"}
    yield TestClient(make_app(bench), headers=headers, raise_server_exceptions=False)


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def decks(client: TestClient, words: str = "") -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in client.get(f"/api/decks?q={words}").json()["decks"]}


def looked_at(client: TestClient, name: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/decks/{decks(client)[name]['id']}").json()
    return found


def contents(library: Library, deck: dict[str, Any]) -> list[bytes]:
    """The bytes of each version of a deck, oldest first."""
    rows = library.versions([deck["id"]])[deck["id"]]
    return [library.file(row).read_bytes() for row in rows]


def edit(library: Library, deck: dict[str, Any], made: bytes) -> None:
    """Make a version of the first one, as a request does."""
    file = library.unfinished()
    file.write_bytes(made)
    library.add_version(deck["id"], 1, file, "a request", "")


def everything(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def test_decks_of_sub_folders_are_listed_by_their_paths_and_none_is_read(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    put(talks, "intro.pptx", b"1")
    put(talks, "2026/q3/Results.PPTX", b"2")
    put(talks, "2026/notes.docx", b"3")
    put(talks, ".trash/old.pptx", b"4")
    found = decks(client)
    assert set(found) == {"intro.pptx", "2026/q3/Results.PPTX"}
    assert [one["versions"] for one in found.values()] == [[], []]
    page = client.get("/").text
    assert page.count('<li class="card"') == 2
    assert '<span class="soft">2026/q3/</span><strong>Results.PPTX</strong>' in page
    assert list((bench.library.folder / "files").iterdir()) == []
    assert bench.jobs.last_looks(one["id"] for one in found.values()) == {}


def test_a_deck_is_read_and_looked_at_when_somebody_looks_at_it(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    put(talks, "intro.pptx", b"one")
    deck = looked_at(client, "intro.pptx")
    assert contents(bench.library, deck) == [b"one"]
    assert [(one["kind"], one["version"]) for one in deck["jobs"]] == [("look", 1)]
    assert [one["made_by"] for one in deck["versions"]] == ["From the folder"]
    assert len(looked_at(client, "intro.pptx")["jobs"]) == 1


def test_a_card_reads_its_deck_when_it_comes_into_view(client: TestClient, talks: Path) -> None:
    put(talks, "intro.pptx", b"one")
    page = client.get("/").text
    deck = decks(client)["intro.pptx"]["id"]
    assert f'hx-get="/decks/{deck}/card?look=true" hx-trigger="intersect once"' in page
    card = client.get(f"/decks/{deck}/card?look=true").text
    assert "intersect" not in card
    assert "data-job=" in card


def test_what_comes_and_goes_shows_at_the_next_look(client: TestClient, talks: Path) -> None:
    assert "There is no deck in talks/ yet" in client.get("/").text
    first, second = put(talks, "a.pptx", b"1"), put(talks, "b/c.pptx", b"2")
    looked_at(client, "a.pptx")
    first.unlink()
    second.unlink()
    put(talks, "d.pptx", b"3")
    assert set(decks(client)) == {"d.pptx"}
    page = client.get("/").text
    assert '<a href="/?gone=true">1 deck no longer in the folder</a>' in page
    gone = client.get("/?gone=true").text
    assert "<strong>a.pptx</strong>" in gone
    assert "d.pptx" not in gone


def test_a_deck_that_was_read_and_is_gone_keeps_its_versions_and_comes_back(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    file = put(talks, "a.pptx", b"1")
    deck = looked_at(client, "a.pptx")
    file.unlink()
    page = client.get(f"/decks/{deck['id']}").text
    assert "The file is no longer in the folder." in page
    assert client.get(f"/api/decks/{deck['id']}/versions/1/file").content == b"1"
    put(talks, "a.pptx", b"22")
    again = looked_at(client, "a.pptx")
    assert (again["id"], again["current"]) == (deck["id"], 2)
    assert contents(bench.library, again) == [b"1", b"22"]


def test_a_changed_file_is_a_new_version_and_the_one_before_stays(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    put(talks, "a.pptx", b"1")
    looked_at(client, "a.pptx")
    put(talks, "a.pptx", b"22")
    assert decks(client)["a.pptx"]["current"] == 1  # listed, not read
    deck = looked_at(client, "a.pptx")
    assert (deck["current"], deck["in_folder"]) == (2, {"version": 2, "gone": False})
    assert [(one["number"], one["parent"]) for one in deck["versions"]] == [(1, None), (2, 1)]
    assert contents(bench.library, deck) == [b"1", b"22"]
    looks = [one for one in deck["jobs"] if one["kind"] == "look"]
    assert [one["asked"].get("against") for one in looks] == [None, 1]


def test_an_edit_stays_current_when_the_file_changes_and_the_page_says_so(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    file = put(talks, "a.pptx", b"1")
    deck = looked_at(client, "a.pptx")
    place = f"/api/decks/{deck['id']}"
    edit(bench.library, deck, b"1more")
    assert file.read_bytes() == b"1"
    file.write_bytes(b"333")
    deck = client.get(place).json()
    assert (deck["current"], deck["in_folder"]["version"]) == (2, 3)
    assert [(one["number"], one["parent"]) for one in deck["versions"]] == [
        (1, None), (2, 1), (3, 1),
    ]  # fmt: skip
    assert contents(bench.library, deck) == [b"1", b"1more", b"333"]
    page = client.get(f"/decks/{deck['id']}").text
    assert "The file in the folder has changed: it is version 3." in page
    assert "changed in the folder" in client.get("/").text
    client.post(f"/api/decks/{deck['id']}/versions/3/choose")
    assert "The file in the folder has changed" not in client.get(f"/decks/{deck['id']}").text


def test_a_file_with_bytes_that_are_known_is_no_new_version(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    file = put(talks, "a.pptx", b"1")
    deck = looked_at(client, "a.pptx")
    os.utime(file, (1, 1))
    assert len(looked_at(client, "a.pptx")["versions"]) == 1
    for data, current in ((b"22", 2), (b"1", 1)):
        file.write_bytes(data)
        assert client.get(f"/api/decks/{deck['id']}").json()["current"] == current
    assert contents(bench.library, deck) == [b"1", b"22"]


def test_a_moved_file_keeps_its_versions(client: TestClient, talks: Path) -> None:
    file = put(talks, "a.pptx", b"1")
    deck = looked_at(client, "a.pptx")
    (talks / "2026").mkdir()
    file.rename(talks / "2026" / "b.pptx")
    found = decks(client)
    assert {name: one["id"] for name, one in found.items()} == {"2026/b.pptx": deck["id"]}
    assert len(found["2026/b.pptx"]["versions"]) == 1


def test_what_is_not_shown_is_told_in_a_line_each(
    client: TestClient, talks: Path, tmp_path: Path
) -> None:
    put(talks, "a.pptx", b"1")
    put(talks, "~$a.pptx", b"lock")
    put(talks, ".~lock.a.pptx#", b"lock")
    put(tmp_path, "private/secret.pptx", b"secret")
    (talks / "out.pptx").symlink_to(tmp_path / "private" / "secret.pptx")
    (talks / "outside").symlink_to(tmp_path / "private")
    (talks / "nowhere.pptx").symlink_to("missing.pptx")
    (talks / "circle.pptx").symlink_to("circle.pptx")
    os.mkfifo(talks / "pipe.pptx")
    (talks / "folder.pptx").mkdir()
    (talks / "inside.pptx").symlink_to("a.pptx")
    assert set(decks(client)) == {"a.pptx", "inside.pptx"}
    page = client.get("/").text
    for line in (
        "~$a.pptx is no deck: another program has the deck open",
        "out.pptx is a link that leads out of the folder",
        "outside is a link that leads out of the folder",
        "nowhere.pptx is a link that leads nowhere, or cannot be reached",
        "circle.pptx is a link that leads nowhere, or cannot be reached",
        "pipe.pptx is a pipe or a device",
    ):
        assert f"<li>{line}</li>" in page
    assert "6 items of the folder not shown" in page
    assert "secret" not in page


def test_a_file_that_became_a_link_out_of_the_folder_is_not_read(
    client: TestClient, talks: Path, tmp_path: Path
) -> None:
    file = put(talks, "a.pptx", b"1")
    deck = decks(client)["a.pptx"]["id"]
    file.unlink()
    file.symlink_to(put(tmp_path, "secret.pptx", b"secret"))
    answer = client.get(f"/api/decks/{deck}")
    said = {"error": "a.pptx is a link that leads out of the folder"}
    assert (answer.status_code, answer.json()) == (400, said)
    assert "leads out" in client.get(f"/decks/{deck}/card?look=true").text


def test_a_file_that_is_being_written_is_not_taken_in_half(
    client: TestClient, bench: Workbench, talks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = put(talks, "a.pptx", b"half")
    whole = shutil.copyfileobj

    def slowly(source: Any, target: Any, length: int) -> None:
        whole(source, target, length)
        file.write_bytes(b"half and the rest")

    monkeypatch.setattr(shutil, "copyfileobj", slowly)
    answer = client.get(f"/api/decks/{decks(client)['a.pptx']['id']}")
    assert answer.json() == {"error": "a.pptx is being written; look again soon"}
    monkeypatch.undo()
    assert contents(bench.library, looked_at(client, "a.pptx")) == [b"half and the rest"]
    assert list((bench.library.folder / "unfinished").iterdir()) == []


def test_a_folder_that_is_away_takes_no_deck_along(
    client: TestClient, talks: Path, tmp_path: Path
) -> None:
    put(talks, "a.pptx", b"1")
    put(talks, "b.pptx", b"2")
    looked_at(client, "a.pptx")
    talks.rename(tmp_path / "unmounted")
    assert set(decks(client)) == {"a.pptx", "b.pptx"}
    assert "cannot be listed: No such file or directory" in client.get("/").text
    (tmp_path / "unmounted").rename(talks)
    assert set(decks(client)) == {"a.pptx", "b.pptx"}
    assert "cannot be listed" not in client.get("/").text


def test_a_name_that_is_no_text_is_shown_and_read(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    Path(os.fsdecode(os.fsencode(talks) + b"/caf\xe9.pptx")).write_bytes(b"1")
    (name,) = decks(client)
    assert name == "caf\ufffd.pptx"
    assert contents(bench.library, looked_at(client, name)) == [b"1"]


def test_many_looks_at_once_read_a_file_once(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    put(talks, "a.pptx", b"1" * 2**20)
    deck, start = decks(client)["a.pptx"]["id"], Barrier(4)

    def look(_: int) -> str:
        start.wait()
        return bench.look_at(deck)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(look, range(4))) == [""] * 4
    assert len(bench.library.versions([deck])[deck]) == 1


def test_a_version_is_saved_to_a_free_name_and_the_deck_stays(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    put(talks, "q3/a.pptx", b"1")
    deck = looked_at(client, "q3/a.pptx")
    place = f"/decks/{deck['id']}/versions"
    edit(bench.library, deck, b"1more")
    assert everything(talks) == {"q3": None, "q3/a.pptx": b"1"}
    assert "Save to folder" in client.get(f"/decks/{deck['id']}").text
    assert "Save to folder" not in client.get(f"/decks/{deck['id']}?version=1").text
    saved = client.post(f"/api{place}/2/save")
    assert saved.json() == {"saved": "q3/a.edited.pptx"}
    again = client.post(f"/api{place}/2/save")
    assert (again.status_code, again.json()) == (201, {"saved": "q3/a.edited-2.pptx"})
    assert everything(talks) == {
        "q3": None, "q3/a.pptx": b"1", "q3/a.edited.pptx": b"1more", "q3/a.edited-2.pptx": b"1more",
    }  # fmt: skip
    assert "q3/a.edited.pptx" in decks(client)


def test_a_deck_that_was_uploaded_is_saved_under_its_own_name(
    client: TestClient, talks: Path
) -> None:
    put(talks, "new.pptx", b"1")
    made = client.post("/api/decks", files={"file": ("new.pptx", b"2")}).json()
    assert made["in_folder"] is None
    saved = client.post(f"/api/decks/{made['id']}/versions/1/save").json()["saved"]
    assert everything(talks) == {"new.pptx": b"1", saved: b"2"}
    assert saved == "new-2.pptx"


def test_a_version_of_a_deck_whose_folder_is_gone_is_saved_at_the_top(
    client: TestClient, talks: Path, tmp_path: Path
) -> None:
    put(talks, "q3/a.pptx", b"1")
    deck = looked_at(client, "q3/a.pptx")
    shutil.rmtree(talks / "q3")
    (tmp_path / "elsewhere").mkdir()
    (talks / "q3").symlink_to(tmp_path / "elsewhere")
    saved = client.post(f"/api/decks/{deck['id']}/versions/1/save").json()["saved"]
    assert (saved, (talks / saved).read_bytes()) == ("a.edited.pptx", b"1")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told_in_a_line(
    client: TestClient, talks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(talks, "a.pptx", b"1")
    deck = looked_at(client, "a.pptx")

    def refused(path: Path, _data: bytes) -> Path:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(served_folder, "write_numbered", refused)
    answer = client.post(f"/api/decks/{deck['id']}/versions/1/save")
    said = "a.edited.pptx cannot be saved in talks/: Read-only file system; download it instead"
    assert (answer.status_code, answer.json()) == (400, {"error": said})


def test_the_name_of_a_deck_of_the_folder_is_that_of_its_file(
    client: TestClient, talks: Path
) -> None:
    put(talks, "q3/a.pptx", b"1")
    deck = looked_at(client, "q3/a.pptx")
    answer = client.patch(f"/api/decks/{deck['id']}", json={"name": "b"})
    assert (answer.status_code, "name of its file" in answer.json()["error"]) == (400, True)
    file = client.get(f"/api/decks/{deck['id']}/versions/1/file")
    assert file.headers["content-disposition"] == "attachment; filename*=UTF-8''a.pptx"


def test_forgetting_a_deck_forgets_versions_and_leaves_the_file(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    put(talks, "a.pptx", b"1")
    deck = looked_at(client, "a.pptx")
    assert "The file in the folder stays" in client.get(f"/decks/{deck['id']}").text
    assert client.delete(f"/api/decks/{deck['id']}").status_code == 204
    assert list((bench.library.folder / "files").iterdir()) == []
    assert decks(client)["a.pptx"]["versions"] == []
    assert everything(talks) == {"a.pptx": b"1"}


def test_a_deck_that_nobody_looked_at_can_be_ranked_and_written_from(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    put(talks, "a.pptx", b"1")
    put(talks, "q3/b.pptx", b"2")
    study = client.post("/api/studies", json={"name": "One"}).json()["id"]
    entry = {"topic": "t", "product": "p", "deck": decks(client)["a.pptx"]["id"]}
    assert client.post(f"/api/studies/{study}/entries", json=entry).status_code == 201
    source = {"sources": decks(client)["q3/b.pptx"]["id"]}
    made = client.post("/api/drafts", data=source)
    assert made.status_code == 201
    assert [len(one["versions"]) for one in decks(client).values()] == [1, 1]


def test_thousands_of_decks_are_paged_and_none_is_read(
    client: TestClient, bench: Workbench, talks: Path
) -> None:
    asked: list[str] = []
    event.listen(
        engine_of(bench.library.sessions), "before_cursor_execute",
        lambda _connection, _cursor, said, *_: asked.append(said),
    )  # fmt: skip
    numbers = []
    for most in (30, 3000):
        for number in range(most):
            put(talks, f"{number % 20}/{number}.pptx", b"")
        client.get("/")
        asked.clear()
        page = client.get("/").text
        numbers.append(len(asked))
        assert page.count('<li class="card"') == 24
    assert numbers[0] == numbers[1] < 20
    assert "3,000 decks." in page
    assert "Older decks" in page
    assert client.get("/?page=125").text.count('<li class="card"') == 24
    assert list((bench.library.folder / "files").iterdir()) == []


def test_right_after_a_long_listing_the_folder_is_not_listed_again(
    library: Library, talks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 2.0, 15.0, 21.0, 21.5])
    monkeypatch.setattr(served_folder, "_REST", 9.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    folder = ServedFolder(talks, library)
    seen = []
    for name in ("a.pptx", "b.pptx", "c.pptx"):
        put(talks, name, b"")
        folder.refresh()
        seen.append(library.count())
    assert seen == [1, 1, 3]


def test_the_state_of_a_folder_is_elsewhere_by_its_real_path(
    talks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "link").symlink_to(talks)
    (tmp_path / "other").mkdir()
    state = state_folder(talks)
    assert state.parent == tmp_path / "state" / "decklab" / "workbench"
    assert state.name.startswith("talks-")
    assert state_folder(tmp_path / "link") == state
    assert state_folder(tmp_path / "other") != state


def test_the_folders_of_a_state_are_not_shown_as_decks(client: TestClient, talks: Path) -> None:
    put(talks, "old/files/0123.pptx", b"1")
    put(talks, "old/talk.pptx", b"2")
    put(talks, f"old/{FOLDER_ID}", b"0")
    put(talks, "files/talk.pptx", b"3")
    assert set(decks(client)) == {"old/talk.pptx", "files/talk.pptx"}


Add = Callable[..., str]


def test_without_a_folder_the_library_is_as_it_was(library: Library, jobs: Jobs, add: Add) -> None:
    client = TestClient(make_app(Workbench(library, jobs)), headers={"x-decklab": "1"})
    deck = add(b"1")
    assert "Save to folder" not in client.get(f"/decks/{deck}").text
    assert client.post(f"/api/decks/{deck}/versions/1/save").status_code == 400


@contextmanager
def serving(home: Path, *words: str) -> Iterator[tuple[str, str]]:
    """The real command at work: its address, and the line on where it keeps its state."""
    command = [sys.executable, "-m", "decklab", "serve", *words, "--no-browser", "--port", "0"]
    environment = os.environ | {"XDG_STATE_HOME": str(home)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            assert "http" in line, line + process.stderr.read()
            yield "http" + line.strip().split("http")[1], process.stderr.readline().strip()
        finally:
            process.terminate()


def get(place: str) -> Any:
    with urlopen(place, timeout=60) as answer:
        return json.load(answer)


@pytest.mark.long
@pytest.mark.office
def test_the_command_shows_the_decks_of_a_folder_and_leaves_it_as_it_is(
    talks: Path, tmp_path: Path, deck: Path
) -> None:
    put(talks, "sound.pptx", deck.read_bytes())
    put(talks, "q3/damaged.pptx", deck.read_bytes()[:3000])
    before, home = everything(talks), tmp_path / "home"
    with serving(home, str(talks)) as (base, kept):
        found = {one["name"]: one["id"] for one in get(f"{base}api/decks")["decks"]}
        assert set(found) == {"sound.pptx", "q3/damaged.pptx"}
        jobs: dict[str, Any] = {}
        until = time.monotonic() + 240
        while time.monotonic() < until:
            jobs = {name: get(f"{base}api/decks/{id}")["jobs"][0] for name, id in found.items()}
            if not any(one["open"] for one in jobs.values()):
                break
            time.sleep(0.2)
        assert {name: one["state"] for name, one in jobs.items()} == {
            "sound.pptx": "done", "q3/damaged.pptx": "failed",
        }  # fmt: skip
        assert jobs["q3/damaged.pptx"]["message"]
        assert str(home) not in jobs["q3/damaged.pptx"]["message"]
        version = get(f"{base}api/decks/{found['sound.pptx']}/versions/1")
        assert version["titles"] == ["Harbour plan", EVIL, "Costs"]
        second = subprocess.run(
            [sys.executable, "-m", "decklab", "serve", str(talks), "--no-browser"],
            env=os.environ | {"XDG_STATE_HOME": str(home)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert second.returncode != 0
        assert "another workbench is at work there" in second.stderr
    assert everything(talks) == before
    state = state_folder_of(kept)
    assert state.parent == home / "decklab" / "workbench"
    assert (state / "files").is_dir()


def state_folder_of(line: str) -> Path:
    return Path(line.partition("are kept in ")[2])


@pytest.mark.long
def test_the_state_that_an_earlier_workbench_kept_in_its_folder_goes_on(
    talks: Path, tmp_path: Path
) -> None:
    put(talks, "mine.pptx", b"mine")
    sessions = open_database(f"sqlite:///{talks / DATABASE}")
    belong(sessions, talks)
    upload = put(tmp_path, "upload", b"earlier")
    earlier = Library(talks, sessions).add("earlier.pptx", upload).id
    with sessions.begin() as session:
        session.execute(text("DROP TABLE folder_files"))
    engine_of(sessions).dispose()
    with serving(tmp_path / "home", str(talks)) as (base, kept):
        assert state_folder_of(kept) == talks
        found = {one["name"]: one for one in get(f"{base}api/decks")["decks"]}
        assert set(found) == {"earlier.pptx", "mine.pptx"}
        with urlopen(f"{base}api/decks/{earlier}/versions/1/file", timeout=60) as file:
            assert file.read() == b"earlier"
    assert not (tmp_path / "home").exists()


def test_a_folder_that_is_missing_is_told_and_not_made(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "decklab", "serve", str(tmp_path / "talk"), "--no-browser"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "talk" in done.stderr
    assert list(tmp_path.iterdir()) == []
