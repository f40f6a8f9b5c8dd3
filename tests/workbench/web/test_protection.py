"""What may come in, and what goes out with every answer."""

from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from decklab.workbench.web import serving as protection
from decklab.workbench.web.serving import PAGE_POLICY, SMALL_BODY, Access, Protected

HOST = "127.0.0.1:8321"


async def echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


def client(token: str = "", upload: int = 3 * 2**20) -> TestClient:
    plain = Starlette(routes=[
        Route("/", echo, methods=["GET", "POST"]), Route("/decks", echo, methods=["POST"]),
    ])  # fmt: skip
    access = Access(frozenset({HOST}), token, upload)
    return TestClient(Protected(plain, access), base_url=f"http://{HOST}", follow_redirects=False)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:80", "", f"{HOST}.evil"])
def test_another_host_name_is_refused(host: str) -> None:
    assert client().get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": f"http://{HOST}"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"x-decklab": "1"}, 200),
        ({}, 403),
        ({"origin": "null", "x-decklab": "1"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": f"http://{HOST}.evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "cross-site", "x-decklab": "1"}, 403),
    ],
)
def test_only_our_own_pages_and_programs_change_anything(
    headers: dict[str, str], status: int
) -> None:
    assert client().post("/", headers=headers).status_code == status


def test_a_token_opens_and_leaves_the_address() -> None:
    with client("secret-secret-secret") as used:
        assert used.get("/").status_code == 401
        assert used.get("/?token=wrong").status_code == 401
        assert used.get("/", headers={"authorization": "Bearer wrong"}).status_code == 401
        entered = used.get("/?token=secret-secret-secret")
        assert (entered.status_code, entered.headers["location"]) == (303, "/")
        assert "HttpOnly" in entered.headers["set-cookie"]
        assert "samesite=strict" in entered.headers["set-cookie"].lower()
        assert used.get("/").status_code == 200
    headers = {"authorization": "Bearer secret-secret-secret"}
    assert client("secret-secret-secret").get("/", headers=headers).status_code == 200


def test_an_entry_leads_to_no_other_site() -> None:
    token = "secret-secret-secret"
    location = client(token).get(f"//evil.example/?token={token}").headers["location"]
    assert location.startswith("/")
    assert not location.startswith("//")


def test_bodies_are_bounded_as_declared_and_as_they_come() -> None:
    own = {"x-decklab": "1"}
    used = client()
    assert used.post("/", content=b"x" * SMALL_BODY, headers=own).text == str(SMALL_BODY)
    assert used.post("/", content=b"x" * (SMALL_BODY + 1), headers=own).status_code == 413
    assert used.post("/decks", content=b"x" * 2 * SMALL_BODY, headers=own).status_code == 200
    assert used.post("/decks", content=b"x" * 4 * SMALL_BODY, headers=own).status_code == 413
    endless = (b"x" * SMALL_BODY for _ in range(10))
    assert used.post("/decks", content=endless, headers=own).status_code == 413


def test_every_answer_has_the_headers() -> None:
    for answer in (client().get("/"), client().get("/", headers={"host": "x"}), client().post("/")):
        assert answer.headers["content-security-policy"] == PAGE_POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in PAGE_POLICY


def test_other_kinds_of_connections_get_no_answer() -> None:
    sent = []

    async def run() -> None:
        async def send(message: object) -> None:
            sent.append(message)

        async def receive() -> dict[str, str]:
            return {"type": "websocket.connect"}

        await Protected(Starlette(), Access(frozenset({HOST})))(
            {"type": "websocket"}, receive, send
        )

    anyio.run(run)
    assert sent == []


def test_a_body_that_comes_in_pieces_is_taken_though_each_is_late() -> None:
    sent: list[Any] = []
    pieces = [b"first ", b"second ", b"third"]

    async def receive() -> dict[str, Any]:
        await anyio.sleep(0.02)
        body = pieces.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(pieces)}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/", "query_string": b"", "http_version": "1.1",
        "scheme": "http", "headers": [(b"host", HOST.encode()), (b"x-decklab", b"1")],
    }  # fmt: skip
    plain = Starlette(routes=[Route("/", echo, methods=["POST"])])
    anyio.run(Protected(plain, Access(frozenset({HOST}))), scope, receive, send)
    assert sent[0]["status"] == 200
    assert sent[1]["body"] == str(len(b"first second third")).encode()


class Slow:
    """Pieces of a body that come when a clock, which only they move, says so."""

    def __init__(self, *pieces: tuple[float, int]) -> None:
        self.now, self.left, self.sent = 0.0, list(pieces), list[Any]()

    def monotonic(self) -> float:
        return self.now

    async def receive(self) -> dict[str, Any]:
        await anyio.sleep(0)
        seconds, count = self.left.pop(0)
        self.now += seconds
        return {"type": "http.request", "body": b"x" * count, "more_body": bool(self.left)}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    def status(self, monkeypatch: pytest.MonkeyPatch, patience: float) -> int:
        monkeypatch.setattr(protection, "time", self)
        scope = {
            "type": "http", "method": "POST", "path": "/", "query_string": b"",
            "http_version": "1.1", "scheme": "http",
            "headers": [(b"host", HOST.encode()), (b"x-decklab", b"1")],
        }  # fmt: skip
        plain = Starlette(routes=[Route("/", echo, methods=["POST"])])
        access = Access(frozenset({HOST}), patience=patience)
        anyio.run(Protected(plain, access), scope, self.receive, self.send)
        return int(self.sent[0]["status"])


@pytest.mark.parametrize(
    ("pieces", "status"),
    [
        # 16 KB a second and 30 s: 160 KB may take 40 s, of which 35 are gone before the last piece
        ([(35.0, 160 * 1024), (1.0, 10)], 200),
        ([(45.0, 160 * 1024), (1.0, 10)], 408),
        ([(29.0, 10), (0.0, 10)], 200),
        ([(31.0, 10), (0.0, 10)], 408),
        ([(31.0, 10)], 200),  # it is whole
    ],
)
def test_a_body_may_take_as_long_as_its_bytes_at_the_slowest_pace(
    monkeypatch: pytest.MonkeyPatch, pieces: list[tuple[float, int]], status: int
) -> None:
    assert Slow(*pieces).status(monkeypatch, 30.0) == status


def test_an_answer_keeps_the_headers_that_it_has() -> None:
    async def own(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("x", headers={"content-security-policy": "sandbox"})

    plain = Starlette(routes=[Route("/", own)])
    used = TestClient(Protected(plain, Access(frozenset({HOST}))), base_url=f"http://{HOST}")
    answer = used.get("/")
    assert answer.headers.get_list("content-security-policy") == ["sandbox"]
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]


def test_only_uploads_may_be_large() -> None:
    mega = 2**20
    own = {"x-decklab": "1"}
    used = client(upload=2 * mega)
    assert used.post("/", content=b"x" * mega, headers=own).status_code == 200
    assert used.post("/", content=b"x" * (mega + 1), headers=own).status_code == 413
    assert used.post("/decks", content=b"x" * (2 * mega), headers=own).status_code == 200
    assert used.post("/decks", content=b"x" * (2 * mega + 1), headers=own).status_code == 413
