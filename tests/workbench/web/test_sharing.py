"""Exports, links by which others look at a deck, and one job on many decks."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.workbench.web.web_fakes import EVIL, ended

from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.serving import Access, Protected, make_app
from decklab.workbench.web.workbench import Workbench

TOKEN = "t" * 24
OWN = {"origin": "http://testserver", "authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def bench(jobs: Jobs) -> Workbench:
    return Workbench(jobs.library, jobs)


@pytest.fixture
def client(bench: Workbench) -> TestClient:
    access = Access(frozenset({"testserver"}), TOKEN)
    return TestClient(
        Protected(make_app(bench), access), raise_server_exceptions=False, follow_redirects=False
    )


def many(client: TestClient, jobs: Jobs, decks: list[str], act: str) -> dict[str, Any]:
    """One job on many decks, when all of it has ended."""
    asked = {"decks": decks, "act": act}
    batch = client.post("/api/batches", json=asked, headers=OWN).json()
    for job in batch["jobs"]:
        ended(jobs, job["id"])
    return dict(client.get(f"/api/batches/{batch['id']}", headers=OWN).json())


def test_a_file_is_made_once_and_has_the_name_of_the_deck(
    client: TestClient, jobs: Jobs, add: Callable[..., str]
) -> None:
    place = f"/decks/{add(name='Plan & talk.pptx')}/versions/1/export"
    assert client.get(f"{place}/pdf", headers=OWN).status_code == 404
    job = client.post(f"/api{place}", json={"format": "pdf"}, headers=OWN).json()
    assert ended(jobs, job["id"]).state == "done"
    made = client.get(f"/api{place}/pdf", headers=OWN)
    assert made.content == b"a pdf of Plan & talk"
    assert "Plan%20%26%20talk.pdf" in made.headers["content-disposition"]
    assert client.get(f"{place}/pdf", headers=OWN).content == made.content
    for wrong in ("exe", "../../x", EVIL):
        assert client.post(f"/api{place}", json={"format": wrong}, headers=OWN).status_code == 400
        assert client.get(f"{place}/{wrong}", headers=OWN).status_code == 404


def test_a_link_shows_one_deck_and_opens_nothing_else(
    client: TestClient, jobs: Jobs, add: Callable[..., str]
) -> None:
    deck = add(name="talk.pptx")
    link = client.post(f"/api/decks/{deck}/share", headers=OWN).json()["link"]
    first = client.get(link)
    assert (first.status_code, first.headers["refresh"]) == (200, "2")  # it is being made
    for job in jobs.of_deck(deck, "export"):
        ended(jobs, job.id)
    shown = client.get(link)
    assert shown.text == "a html of talk"
    assert "sandbox allow-scripts" in shown.headers["content-security-policy"]
    assert "connect-src" not in shown.headers["content-security-policy"]  # default: nothing
    for place in ("/", f"/decks/{deck}", f"/api/decks/{deck}", f"/decks/{deck}/versions/1/file"):
        assert client.get(place).status_code == 401
    other = link[:-1] + ("A" if link[-1] != "A" else "B")
    for forged in (other, f"{link}/..", link.rpartition("/")[0] + "/%00"):
        assert client.get(forged).status_code in (401, 404)
    client.delete(f"/api/decks/{deck}/share", headers=OWN)
    assert client.get(link).status_code == 404


def test_a_file_does_not_say_what_an_equal_deck_is_called(
    client: TestClient, jobs: Jobs, add: Callable[..., str]
) -> None:
    for name in ("secret.pptx", "talk.pptx"):
        place = f"/api/decks/{add(name=name)}/versions/1/export"
        job = client.post(place, json={"format": "html"}, headers=OWN).json()
        ended(jobs, job["id"])
    assert client.get(f"{place}/html", headers=OWN).text == "a html of talk"


def test_links_of_a_deck_that_is_removed_show_nothing(
    client: TestClient, add: Callable[..., str]
) -> None:
    deck = add()
    link = client.post(f"/api/decks/{deck}/share", headers=OWN).json()["link"]
    client.delete(f"/api/decks/{deck}", headers=OWN)
    assert client.get(link).status_code == 404


def test_many_decks_are_fixed_checked_compared_and_exported(
    client: TestClient, bench: Workbench, add: Callable[..., str]
) -> None:
    jobs = bench.jobs
    decks = [add(f"deck {n}".encode(), f"{n}.pptx") for n in range(3)]
    fixed = many(client, jobs, decks, "fix")
    assert [job["result"]["version"] for job in fixed["jobs"]] == [2, 2, 2]
    assert bench.library.deck(decks[0]).current == 2
    checked = many(client, jobs, decks, "check")
    assert {(job["version"], job["state"]) for job in checked["jobs"]} == {(2, "done")}
    compared = many(client, jobs, decks, "compare")
    assert [job["deck"] for job in compared["jobs"]] == decks[1:]
    page = client.get(f"/batches/{compared['id']}", headers=OWN).text
    assert "each beside 0.pptx" in page
    made = many(client, jobs, decks, "md")
    page = client.get(f"/batches/{made['id']}", headers=OWN).text
    assert "3 of 3 decks done" in page
    zipped = client.get(f"/batches/{made['id']}/file", headers=OWN).content
    names = zipfile.ZipFile(io.BytesIO(zipped)).namelist()
    assert sorted(names) == ["01 0.md", "02 1.md", "03 2.md"]
    assert list((bench.library.folder / "unfinished").iterdir()) == []


def test_a_job_on_many_decks_is_stopped_as_a_whole(
    client: TestClient, jobs: Jobs, add: Callable[..., str]
) -> None:
    decks = [add(f"deck {n}".encode(), f"{n}.pptx") for n in range(3)]
    blocked = client.post(
        f"/api/decks/{decks[0]}/versions/1/edit", json={"instruction": "sleep"}, headers=OWN
    ).json()["id"]
    asked = {"decks": decks, "act": "fix"}
    batch = client.post("/api/batches", json=asked, headers=OWN).json()["id"]
    client.post(f"/api/batches/{batch}/stop", headers=OWN)
    assert {row.state for row in jobs.of(batch)} == {"stopped"}
    client.post(f"/api/jobs/{blocked}/stop", headers=OWN)


def test_what_is_no_job_on_decks_is_refused(client: TestClient, add: Callable[..., str]) -> None:
    deck = add()
    for decks, act in (([], "fix"), ([deck], "compare"), ([deck], EVIL), (["0" * 32], "fix"),
                       (["x"], "pdf"), ([deck, deck], "compare")):  # fmt: skip
        answer = client.post("/api/batches", json={"decks": decks, "act": act}, headers=OWN)
        assert 400 <= answer.status_code < 500
    too_many = {"decks": [deck] * 101, "act": "fix"}
    assert client.post("/api/batches", json=too_many, headers=OWN).status_code == 422
    for rule in ("no.rule", "text.small"):
        fix = client.post(f"/api/decks/{deck}/versions/1/fix", json={"rule": rule}, headers=OWN)
        assert fix.status_code == 400
