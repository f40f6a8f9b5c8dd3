"""What an attacker sends to the workbench, and what comes of it."""

import json
import re
import socket
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient
from tests.workbench.web.web_fakes import ended, fake_worker

from decklab.core.options import HttpAddress
from decklab.workbench.listening import host_names, listening_socket
from decklab.workbench.web import jobs as jobs_module
from decklab.workbench.web.database import engine_of, open_database
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.serving import KINDS, Access, Protected, make_app
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import worker

EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
HUGE = "9" * 400


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)]
)
def bench(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workbench]:
    """A workbench whose processes do next to nothing."""
    folder = tmp_path_factory.mktemp("bench")
    if request.param == "sqlite":
        sessions = open_database(f"sqlite:///{folder / 'w.sqlite'}")
    else:
        sessions = open_database(request.getfixturevalue("postgres").emptied())
    with Jobs(Library(folder, sessions), KINDS, processes=1, work=fake_worker) as jobs:
        yield Workbench(jobs.library, jobs)
    engine_of(sessions).dispose()


@pytest.fixture(scope="module")
def address(bench: Workbench) -> Iterator[tuple[str, int]]:
    """It listens on the loopback, and waits a second for bodies."""
    asked = HttpAddress(port=0)
    with listening_socket(asked, "") as listener:
        port = listener.getsockname()[1]
        access = Access(frozenset(host_names(asked, port)), upload_bytes=2**20, patience=1)
        server = uvicorn.Server(
            uvicorn.Config(Protected(make_app(bench), access), log_level="critical")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield "127.0.0.1", port
        server.should_exit = True
        thread.join()


@pytest.fixture
def client(bench: Workbench) -> TestClient:
    return TestClient(make_app(bench), raise_server_exceptions=False, follow_redirects=False)


def upload(client: TestClient, name: str, data: bytes = b"deck") -> Any:
    answer = client.post("/api/decks", files={"file": (name, data)})
    assert answer.status_code == 201
    return answer.json()


@pytest.mark.by_day(4)
@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/cron.d/x.pptx", "..\\..\\x.pptx", "/etc/passwd.pptx",
        "a\r\nSet-Cookie: x=1.pptx",
        'a"; filename="b.pptx', f"{EVIL}.pptx", "\u202exttp.pptx",
        "x" * 3000 + ".pptx", ".pptx.pptx",
        "\u65e5\u672c\u8a9e.pptx",
    ],
)  # fmt: skip
def test_a_file_name_is_only_shown(client: TestClient, bench: Workbench, name: str) -> None:
    deck = upload(client, name)
    assert not re.search(r"[/\\\x00-\x1f\u202e]", deck["name"])
    answer = client.get(f"/api/decks/{deck['id']}/versions/1/file")
    disposition = answer.headers["content-disposition"]
    assert re.fullmatch(r"attachment; filename\*=UTF-8''[\w.%~-]+", disposition)
    assert "set-cookie" not in answer.headers
    page = client.get(f"/decks/{deck['id']}").text
    assert "<script>alert" not in page + client.get("/").text
    assert "<img src=x" not in page
    stored = {file.parent for file in bench.library.folder.rglob("*.pptx")}
    assert stored == {bench.library.folder / "files"}


@pytest.mark.long
def test_text_of_a_deck_is_escaped_wherever_it_is_shown(
    client: TestClient, bench: Workbench
) -> None:
    deck = upload(client, "evil.pptx", b"evil")["id"]
    (look,) = bench.jobs.of_deck(deck, "look")
    ended(bench.jobs, look.id)
    finding = {"severity": "error", "message": EVIL, "rule": EVIL, "slide": 1, "shape": EVIL,
               "fix": EVIL}  # fmt: skip
    facts = {"slides": 1, "titles": [EVIL], "not_drawn": EVIL,
             "findings": [finding, finding | {"slide": None}],
             "scores": [{"metric": EVIL, "label": EVIL, "value": None, "reason": EVIL}],
            }  # fmt: skip
    place = bench.library.seen(bench.library.version(deck, 1))
    (place / "facts.json").write_text(json.dumps(facts))
    job = client.post(f"/api/decks/{deck}/versions/1/edit", json={"instruction": EVIL}).json()
    asked = client.get(f"/jobs/{job['id']}")
    ended(bench.jobs, bench.jobs.of_deck(deck, "edit")[0].id)
    page = client.get(f"/decks/{deck}?version=1").text
    assert page.count("&lt;script&gt;alert(1)") >= 8
    assert "<script>alert" not in page + asked.text
    assert "<img src=x" not in page + asked.text
    searched = client.get("/", params={"q": EVIL}).text
    assert "<script>alert" not in searched


@pytest.mark.by_day(8)
@pytest.mark.parametrize(
    "path",
    [
        "/?page=" + HUGE, "/?page=-5", "/?q=" + "x" * 5000, "/?q=%00%ff", "/?page=one",
        "/api/decks?first=" + HUGE + "&most=-1", "/decks/{id}?version=" + HUGE,
        "/decks/{id}?version=-1", "/decks/{id}?slide=" + HUGE, "/decks/{id}?slide=-7",
        "/decks/{id}/versions/0/file", "/decks/{id}/versions/" + HUGE + "/file",
        "/decks/{id}/versions/1/slides/" + HUGE + ".webp", "/decks/{id}/versions/1/slides/-1.webp",
        "/decks/{id}/versions/1/slides/..%2f..%2ffacts.json",
        "/decks/{id}/versions/1/against/" + HUGE, "/jobs/" + HUGE, "/decks/" + "f" * 32,
        "/decks/{id}%00", "/decks/..%2f..%2fw.sqlite", "/static/%2e%2e/app.py",
        "/api/decks/{id}/versions/1e9",
    ],
)  # fmt: skip
def test_forged_ids_and_numbers_end_in_a_line(client: TestClient, path: str) -> None:
    deck = upload(client, "a.pptx")["id"]
    answer = client.get(path.replace("{id}", deck))
    assert answer.status_code in (200, 404, 422)
    assert "Traceback" not in answer.text
    if path.startswith("/api/") and answer.status_code != 200:
        assert set(answer.json()) == {"error"}


@pytest.mark.by_day(4)
@pytest.mark.parametrize(
    "body",
    [
        {"instruction": "\ud800 delete slide 1"}, {"instruction": "a\x00b\x1b[31m"},
        {"instruction": ["delete"]}, {"instruction": {"a": 1}, "slides": {"b": []}},
        {"instruction": "x", "slides": "1-999999999999"}, {"instruction": "x", "slides": HUGE},
        {"instruction": "x", "model": "openai/gpt-5"}, {}, [], None, "x",
    ],
)  # fmt: skip
def test_odd_requests_neither_fail_nor_stop_the_queue(
    client: TestClient, bench: Workbench, body: object
) -> None:
    deck = upload(client, "odd.pptx")["id"]
    place = f"/api/decks/{deck}/versions/1/edit"
    begun = time.monotonic()
    answer = client.post(place, content=json.dumps(body))
    assert answer.status_code in (202, 400, 422)
    assert time.monotonic() - begun < 5
    if answer.status_code == 202:
        assert ended(bench.jobs, answer.json()["id"]).state == "done"
    else:
        assert set(answer.json()) == {"error"}
    fine = client.post(place, json={"instruction": "on"})
    assert ended(bench.jobs, fine.json()["id"]).state == "done"


@pytest.mark.by_day(4)
@pytest.mark.parametrize(
    "calls",
    [
        [{"operation": "set_text", "arguments": {"slide": HUGE, "shape": EVIL, "text": EVIL}}],
        [{"operation": "set_text", "arguments": {"slide": {"a": 1}, "shape": [], "text": None}}],
        [{"operation": "replace_picture", "arguments": {"slide": 1, "picture": "/etc/passwd"}}],
        [{"operation": "move_slide", "arguments": {"slide": "{shape.__class__}", "{x}": "{y}"}}],
        [{"operation": "__class__", "arguments": {}}], [{"operation": ["set_text"]}],
        [{"operation": "os.system", "arguments": {"slide": 1}}], [[]], [None], "x", None, {},
    ],
)  # fmt: skip
def test_odd_calls_of_operations_neither_fail_nor_stop_the_queue(
    client: TestClient, bench: Workbench, calls: object
) -> None:
    deck = upload(client, "touched.pptx")["id"]
    place = f"/api/decks/{deck}/versions/1/touch"
    answer = client.post(place, content=json.dumps({"calls": calls, "follow": True}))
    assert answer.status_code in (202, 400, 422)
    if answer.status_code == 202:
        row = ended(bench.jobs, answer.json()["id"])
        assert row.state == "done"  # the process of these tests does next to nothing
        assert EVIL not in client.get(f"/decks/{deck}?version=2").text
    else:
        assert set(answer.json()) == {"error"}
    fine = client.post(f"/api/decks/{deck}/versions/1/edit", json={"instruction": "on"})
    assert ended(bench.jobs, fine.json()["id"]).state == "done"


def test_a_text_of_a_shape_is_no_markup_of_its_page(client: TestClient, bench: Workbench) -> None:
    deck = upload(client, "words.pptx", b"words")["id"]
    (look,) = bench.jobs.of_deck(deck, "look")
    ended(bench.jobs, look.id)
    seen = bench.library.seen(bench.library.version(deck, 1))
    evil = f"' {EVIL} </textarea>"
    facts = {"slides": 1, "titles": ["One"], "notes": [evil], "hidden": [1]}
    shape = {"id": 2, "name": evil, "box": [0, 0, 9, 9], "turn": 0, "text": evil, "font": evil}
    (seen / "facts.json").write_text(json.dumps(facts))
    (seen / "shapes.json").write_text(json.dumps([[shape]]))
    (seen / "slide-001.webp").write_bytes(b"RIFF")
    page = client.get(f"/decks/{deck}").text
    assert "<script>alert" not in page and "<img src=x" not in page
    assert page.count("</textarea>") == 2  # of the request and the notes
    assert page.count("data-content='{") == 1
    assert page.split("data-content='")[1].index("'>") > 300  # a quote does not end it


def test_a_form_of_ten_thousand_parts_is_refused(client: TestClient, bench: Workbench) -> None:
    before = bench.library.count()
    parts = [("files", (f"{n}.pptx", b"x")) for n in range(10_000)]
    answer = client.post("/decks", files=parts)
    assert (answer.status_code, "Too many files" in answer.text) == (400, True)
    assert bench.library.count() == before


def test_an_upload_that_finds_the_queue_full_leaves_nothing(
    client: TestClient, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = bench.library.count()
    monkeypatch.setattr(jobs_module, "MOST_QUEUED", 0)
    answer = client.post("/api/decks", files={"file": ("late.pptx", b"late")})
    assert (answer.status_code, answer.json()) == (
        503, {"error": "too much work waits; try again in a minute"},
    )  # fmt: skip
    assert bench.library.count() == before
    assert list((bench.library.folder / "unfinished").glob("*")) == []


@pytest.mark.by_day(1)
@pytest.mark.parametrize("trickle", [False, True])
def test_a_slow_body_is_given_up(address: tuple[str, int], trickle: bool) -> None:
    begun = time.monotonic()
    with socket.create_connection(address, timeout=10) as sent:
        sent.sendall(
            f"POST /api/decks HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nX-Decklab: 1\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\n"
            "Content-Length: 9000\r\n\r\n--x".encode()
        )
        while trickle and time.monotonic() - begun < 1.5:
            try:
                sent.sendall(b"-")
            except ConnectionError:
                break
            time.sleep(0.1)
        assert b" 408 " in sent.recv(1000)
    assert time.monotonic() - begun < 5


@pytest.mark.long
@pytest.mark.office
def test_a_zip_bomb_is_told_and_costs_little(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.pptx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("ppt/presentation.xml", "w", force_zip64=True) as part:
            for _ in range(600):
                part.write(b" " * 2**20)
    sessions = open_database(f"sqlite:///{tmp_path / 'w.sqlite'}")
    with Jobs(Library(tmp_path, sessions), KINDS, processes=1, megabytes=1500, work=worker) as jobs:
        deck = jobs.library.add("bomb.pptx", bomb).id
        job = ended(jobs, jobs.ask("look", deck, 1), 60)
        assert job.state == "failed"
        assert "memory" not in job.message
        assert str(tmp_path) not in job.message
    engine_of(sessions).dispose()
