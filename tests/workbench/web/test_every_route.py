"""What holds for every address of the workbench, those of rooms that come later too."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.rank_studies import Studies
from decklab.workbench.web.serving import API, PAGES, SMALL_BODY, Access, Protected, make_app
from decklab.workbench.web.workbench import Workbench

HOST = "testserver"
OWN = {"origin": f"http://{HOST}"}
EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
FORGED = ("0" * 32, "..%2f..%2fetc%2fpasswd", "%00", "9" * 400, "-1", "%F0%9F%92%A9", "A" * 32)
UPLOAD_BYTES = 3 * SMALL_BODY
Route = tuple[str, str]


@pytest.fixture
def bench(jobs: Jobs) -> Workbench:
    return Workbench(jobs.library, jobs)


@pytest.fixture
def client(bench: Workbench) -> TestClient:
    access = Access(frozenset({HOST}), upload_bytes=UPLOAD_BYTES)
    return TestClient(Protected(make_app(bench), access), raise_server_exceptions=False,
                      follow_redirects=False)  # fmt: skip


@pytest.fixture
def routes(bench: Workbench) -> list[Route]:
    """Method and path of all pages and of the JSON API."""
    return list(every_route(bench))


def every_route(bench: Workbench) -> Iterator[Route]:
    for prefix, makers in (("", PAGES), ("/api", API)):
        for make in makers:
            for route in make(bench).routes:
                for method in route.methods:  # type: ignore[attr-defined]
                    yield method, prefix + route.path  # type: ignore[attr-defined]


def filled(path: str, value: str) -> str:
    return re.sub(r"\{[^}]*\}", value, path)


def changing(routes: list[Route]) -> list[Route]:
    found = [(method, path) for method, path in routes if method not in {"GET", "HEAD"}]
    assert len(found) > 40
    return found


def test_nothing_is_changed_for_another_site(client: TestClient, routes: list[Route]) -> None:
    for method, path in changing(routes):
        place = filled(path, "0" * 32)
        for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {}):
            assert client.request(method, place, headers=headers).status_code == 403, place


def test_no_body_is_larger_than_its_bound(client: TestClient, routes: list[Route]) -> None:
    taken = set()
    for method, path in changing(routes):
        place = filled(path, "0" * 32)
        small = client.request(method, place, content=b"x" * (SMALL_BODY + 1), headers=OWN)
        if small.status_code != 413:
            taken.add(path)
        huge = client.request(method, place, content=b"x" * (UPLOAD_BYTES + 1), headers=OWN)
        assert huge.status_code == 413, place
    assert taken == {
        "/decks", "/api/decks", "/api/documents", "/api/drafts", "/api/studies/{study}/decks",
        "/api/decks/{deck_id}/versions/{number}/picture",
    }  # fmt: skip


@pytest.mark.by_day(1)
@pytest.mark.parametrize("value", FORGED)
def test_a_forged_id_is_no_fault_of_the_server(
    client: TestClient, routes: list[Route], value: str
) -> None:
    for method, path in routes:
        if "{" not in path or path == "/events":
            continue
        bodies: list[dict[str, Any]] = [
            {}, {"json": {}}, {"json": {"keys": [EVIL], "ranked": EVIL}}
        ]  # fmt: skip
        for body in bodies:
            if method == "GET" and body:
                continue
            answer = client.request(method, filled(path, value), headers=OWN, **body)
            assert 300 <= answer.status_code < 500, (method, path, answer.text[:200])
            assert "Traceback" not in answer.text


def test_names_in_studies_are_shown_and_never_run(
    client: TestClient, bench: Workbench, add: Callable[..., str]
) -> None:
    studies = Studies(bench.library)
    study = studies.create(EVIL, EVIL)
    for product in (EVIL, "=1+1"):
        studies.add_entry(study.id, EVIL, product, add(product.encode(), f"{EVIL}.pptx"))
    ann = studies.add_annotator(study.id, EVIL)
    topic = studies.topic(ann, 1)
    studies.save(ann, topic, {"ranked": [[one.key] for one in topic.decks], "note": "=cmd()"})
    client.get(f"/rank/link/{ann.token}")
    for place in ("/rank", f"/rank/{study.id}", f"/rank/link/{ann.token}", "/rank/own/1"):
        page = client.get(place).text
        assert "<script>alert" not in page
        assert "onerror=alert(1)>" not in page.replace("&#34;", '"').replace("&gt;", "")
    rows = list(csv.DictReader(io.StringIO(studies.ranks_csv(study.id))))
    assert {row["note"] for row in rows} == {"'=cmd()"}
