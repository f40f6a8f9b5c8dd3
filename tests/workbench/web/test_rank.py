"""Ranking studies: blind and shuffled, kept at once, and only for whom they are meant."""

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from decklab.core.files import write_whole
from decklab.evals.agreement.annotators import annotator_agreement
from decklab.evals.agreement.tables import read_rankings
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.rank_studies import Studies
from decklab.workbench.web.serving import API, PAGES, Access, Protected, make_app
from decklab.workbench.web.workbench import Workbench

TOKEN = "a-token-of-sixteen-and-more"
PRODUCTS = ("alpha", "beta", "gamma", "delta")


@pytest.fixture
def studies(library: Library) -> Studies:
    return Studies(library)


@pytest.fixture
def study(studies: Studies, library: Library, add: Callable[..., str]) -> str:
    """A study of two topics with four decks each, whose scores fall from alpha to delta."""
    made = studies.create("Spring", "Which is best?")
    for topic in ("boats", "bees"):
        for place, product in enumerate(PRODUCTS):
            deck = add(f"{topic} {product}".encode(), f"{product}.pptx")
            seen = library.seen(library.version(deck, 1))
            seen.mkdir(parents=True)
            scores = [{"metric": "quality.score", "label": "Quality", "value": 90 - place,
                       "reason": None}]  # fmt: skip
            write_whole(seen / "facts.json", json.dumps({"slides": 1, "scores": scores}).encode())
            write_whole(seen / "slide-001.webp", f"{topic} {product}".encode())
            studies.add_entry(made.id, topic, product, deck)
    return made.id


@pytest.fixture
def app(jobs: Jobs) -> Protected:
    access = Access(frozenset({"testserver"}), TOKEN)
    return Protected(make_app(Workbench(jobs.library, jobs)), access)


def as_annotator(app: Protected, studies: Studies, study: str, name: str) -> TestClient:
    client = TestClient(app, headers={"origin": "http://testserver"})
    token = studies.add_annotator(study, name).token
    assert client.get(f"/rank/link/{token}").status_code == 200
    return client


def keys(client: TestClient, number: int) -> dict[str, str]:
    """The keys of the decks of a topic by what is on their picture."""
    page = client.get(f"/rank/own/{number}").text
    found = {}
    for key in dict.fromkeys(re.findall(r'data-key="(\w+)"', page)):
        found[client.get(f"/rank/own/{number}/{key}/1.webp").text] = key
    return found


@pytest.mark.long
def test_an_annotator_sees_no_names_and_an_order_of_their_own(
    app: Protected, studies: Studies, study: str
) -> None:
    orders, known = set[Any](), set[str]()
    for name in ("ann", "bob", "cyd", "dan"):
        client = as_annotator(app, studies, study, name)
        for number in (1, 2):
            page = client.get(f"/rank/own/{number}").text
            assert not any(product in page for product in PRODUCTS)
            assert client.get(f"/rank/own/{number}").text == page
            found = keys(client, number)
            assert len(found) == 4
            orders.add((next(iter(found)).split()[0], tuple(found)))
            assert not known & set(found.values())
            known |= set(found.values())
    assert len(orders) > 4


@pytest.mark.long
def test_what_is_ranked_is_kept_at_once_and_ends_as_a_table(
    app: Protected, studies: Studies, study: str, tmp_path: Path
) -> None:
    wanted = {
        "ann": ["alpha", "beta", "gamma", "delta"],
        "bob": ["beta", "alpha", "gamma", "delta"],
    }
    for name, order in wanted.items():
        client = as_annotator(app, studies, study, name)
        for number in (1, 2):
            found = keys(client, number)
            topic = next(iter(found)).split()[0]
            ranked = [[found[f"{topic} {product}"]] for product in order]
            body = {"ranked": ranked, "flags": {ranked[3][0]: "same"}, "seconds": 12, "done": True}
            assert client.post(f"/rank/own/{number}", json=body).json() == {"saved": True}
            body["ranked"] = [ranked[0], [*ranked[1], *ranked[2]]]  # a tie, and delta left out
            assert client.post(f"/rank/own/{number}", json=body).status_code == 200
            assert keys(client, number) == found
    rows = list(csv.DictReader(io.StringIO(studies.ranks_csv(study))))
    assert {row["seconds"] for row in rows} == {"24"}
    first = [(row["product"], row["rank"], row["flag"]) for row in rows[:4]]
    assert first == [
        ("alpha", "1", ""), ("beta", "2", ""), ("delta", "", "same"), ("gamma", "2", ""),
    ]  # fmt: skip
    owner = TestClient(app, headers={"authorization": f"Bearer {TOKEN}"})
    ranks, scores = tmp_path / "ranks.csv", tmp_path / "scores.csv"
    ranks.write_text(owner.get(f"/rank/{study}/ranks.csv").text)
    scores.write_text(owner.get(f"/rank/{study}/scores.csv").text)
    done = subprocess.run(
        [sys.executable, "-m", "decklab", "agree", str(scores), str(ranks), "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    by_command = json.loads(done.stdout)
    live = owner.get(f"/api/studies/{study}/result").json()
    assert live["agreement"]["metrics"][0]["rho"] == by_command["metrics"][0]["rho"]
    alpha = annotator_agreement(read_rankings([ranks]).rankings).alpha
    assert live["agreement"]["annotators"]["alpha"]["value"] == pytest.approx(alpha.value)
    assert live["products"][0]["product"] in {"alpha", "beta"}
    page = owner.get(f"/rank/{study}").text
    assert "Krippendorff" in page
    assert "2 of 2" in page


def test_rankings_come_in_as_a_table_too(
    app: Protected, studies: Studies, study: str, library: Library
) -> None:
    owner = TestClient(
        app, headers={"authorization": f"Bearer {TOKEN}", "origin": "http://testserver"}
    )
    table = (
        "topic;annotator;product;rank\nboats;eve;alpha;1\nboats;eve;beta;2\nbees;eve;nobody;1\n"
        "bees;eve;alpha;2\nboats;fay;alpha;sixth\nboats;fay;beta;1\nboats;fay;gamma;1\n"
    )
    answer = owner.post(
        f"/api/studies/{study}/ranks", files={"file": ("their ranks.csv", table.encode())}
    ).json()
    assert answer["taken"] == 2
    assert sorted(answer["left_out"]) == [
        "bees: the study has no deck of nobody", "their ranks.csv:6: 'sixth' is no rank",
    ]  # fmt: skip
    again = owner.post(f"/api/studies/{study}/ranks", files={"file": ("r.csv", table.encode())})
    assert again.json()["taken"] == 0
    found = {(r.topic, r.annotator): dict(r.ranks) for r in studies.rankings(study).rankings}
    assert found == {
        ("boats", "eve"): {"alpha": 1, "beta": 2}, ("boats", "fay"): {"beta": 1, "gamma": 1},
    }  # fmt: skip
    bad = owner.post(f"/api/studies/{study}/ranks", files={"file": ("r.csv", b"a,b\n1,2\n")})
    assert bad.status_code == 400
    assert list((library.folder / "unfinished").iterdir()) == []


@pytest.mark.long
def test_a_link_opens_one_study_and_nothing_else(
    app: Protected, studies: Studies, study: str, jobs: Jobs
) -> None:
    client = as_annotator(app, studies, study, "ann")
    bench = Workbench(jobs.library, jobs)
    routes: list[tuple[Any, str]] = [
        (route, "") for pages in PAGES for route in pages(bench).routes
    ]
    routes += [(route, "/api") for api in API for route in api(bench).routes]
    assert len(routes) > 40
    for route, prefix in routes:
        place = prefix + re.sub(r"\{[^}]*\}", "1" * 32, route.path)
        open_to_all = place.startswith(("/rank/link/", "/rank/own"))
        expected = {200, 303, 404, 422} if open_to_all else {401}
        expected = {404} if place.startswith("/shared/") else expected  # a guessed link
        for method in route.methods:
            answer = client.request(method, place, follow_redirects=False)
            assert answer.status_code in expected, (method, place)
    assert studies.all()


def test_without_a_link_and_after_its_end_nothing_is_shown(
    app: Protected, studies: Studies, study: str
) -> None:
    stranger = TestClient(app)
    for place in ("/rank/own", "/rank/own/1", "/rank/link/guess", "/rank/own/1/key/1.webp"):
        assert stranger.get(place).status_code == 404
    client = as_annotator(app, studies, study, "ann")
    assert client.get("/rank/own/1").status_code == 200
    studies.revoke(study, studies.annotators(study)[0].id)
    assert client.get("/rank/own/1").status_code == 404
    assert client.post("/rank/own/1", json={"ranked": []}).status_code == 404


@pytest.mark.parametrize(
    "given",
    [
        {"ranked": [["0" * 16]]}, {"ranked": "abc"}, {"ranked": [1]}, {}, {"ranked": [], "flags":
        {"0" * 16: "broken"}},
    ],
)  # fmt: skip
def test_an_order_that_does_not_fit_the_topic_is_refused(
    app: Protected, studies: Studies, study: str, given: dict[str, object]
) -> None:
    client = as_annotator(app, studies, study, "ann")
    assert client.post("/rank/own/1", json=given).status_code in {400, 404}
    key = next(iter(keys(client, 1).values()))
    for wrong in ({"ranked": [[key], [key]]}, {"ranked": [[key]], "flags": {key: "<script>"}}):
        assert client.post("/rank/own/1", json=wrong).status_code == 400
    assert not studies.rankings(study).rankings


def test_time_is_counted_as_far_as_it_can_be_true(
    app: Protected, studies: Studies, study: str
) -> None:
    client = as_annotator(app, studies, study, "ann")
    for seconds in (1e300, -5, "soon", None, True):
        assert client.post("/rank/own/1", json={"ranked": [], "seconds": seconds}).is_success
    [order] = next(iter(studies.progress(study).values()))
    assert order.seconds == 0


def test_marks_by_criteria_stand_beside_the_order(
    app: Protected, studies: Studies, study: str
) -> None:
    owner = TestClient(app, headers={"authorization": f"Bearer {TOKEN}", "x-decklab": "1"})
    given = {"criteria": "design, content, , design"}
    assert owner.put(f"/api/studies/{study}/criteria", json=given).json() == {
        "criteria": ["design", "content"]
    }
    for name, mark in (("ann", 5), ("bob", 2)):
        client = as_annotator(app, studies, study, name)
        found = keys(client, 1)
        topic = next(iter(found)).split()[0]
        assert client.get("/rank/own/1").text.count("data-criterion=") == 2
        alpha, beta = (found[f"{topic} {product}"] for product in ("alpha", "beta"))
        body = {"ranked": [], "marks": {alpha: {"design": mark}, beta: {"content": 3}}}
        assert client.post("/rank/own/1", json=body).is_success
        for wrong in ({alpha: {"speed": 3}}, {alpha: {"design": 6}}, {alpha: {"design": True}},
                      {alpha: 3}, {"0" * 16: {"design": 3}}, {alpha: {"design": [1]}}):  # fmt: skip
            assert client.post("/rank/own/1", json={"ranked": [], "marks": wrong}).is_client_error
        assert client.post("/rank/own/1", json={"ranked": [], "marks": {beta: {}}}).is_success
    table = owner.get(f"/rank/{study}/marks.csv").text.splitlines()
    rows = [row.split(",")[1:] for row in table[1:]]
    assert table[0] == "topic,annotator,product,criterion,mark"
    assert sorted(rows) == [["ann", "alpha", "design", "5"], ["bob", "alpha", "design", "2"]]
    marks = owner.get(f"/api/studies/{study}/result").json()["marks"]
    assert marks == {"design": {"alpha": {"mean": 3.5, "count": 2}}}
    page = owner.get(f"/rank/{study}").text
    assert "3.5" in page
    many = {"criteria": [f"criterion {number}" for number in range(13)]}
    assert owner.put(f"/api/studies/{study}/criteria", json=many).status_code == 400


def test_an_annotator_sees_the_topics_that_are_given(
    app: Protected, studies: Studies, study: str
) -> None:
    owner = TestClient(app, headers={"authorization": f"Bearer {TOKEN}", "x-decklab": "1"})
    ann, bob = (studies.add_annotator(study, name) for name in ("ann", "bob"))
    assert [topic.name for topic in studies.topics(ann)] in (["bees", "boats"], ["boats", "bees"])
    place = f"/api/studies/{study}/annotators/{ann.id}/topics"
    assert owner.put(place, json={"topics": ["bees"]}).json() == {"topics": ["bees"]}
    assert [(topic.number, topic.name) for topic in studies.topics(ann)] == [(1, "bees")]
    client = TestClient(app, headers={"origin": "http://testserver"})
    client.get(f"/rank/link/{ann.token}")
    assert "boats" not in client.get("/rank/own").text
    assert client.get("/rank/own/2").status_code == 404
    assert owner.put(place, json={"topics": ["cars"]}).status_code == 400
    other = place.replace(ann.id, "0" * 32)
    assert owner.put(other, json={"topics": ["bees"]}).status_code == 404
    shared = owner.post(f"/api/studies/{study}/share-out", json={"people": 1}).json()["topics"]
    assert sorted(map(len, shared.values())) == [1, 1]
    assert sorted(topic for own in shared.values() for topic in own) == ["bees", "boats"]
    begun = studies.topics(bob)[0]
    studies.save(bob, begun, {"ranked": [], "done": True})
    studies.share_out(study, 1)
    assert studies.assigned(study)[bob.id] == [begun.name]
    assert "1 of 1" in owner.get(f"/rank/{study}").text
    for people in (0, 3, -1, "x"):
        answer = owner.post(f"/api/studies/{study}/share-out", json={"people": people})
        assert answer.status_code in {400, 422}
    everything = owner.put(place, json={"topics": ["boats", "bees"]}).json()["topics"]
    assert everything == ["bees", "boats"]


def test_a_study_that_nobody_ranked_says_so(app: Protected, studies: Studies) -> None:
    owner = TestClient(
        app, headers={"authorization": f"Bearer {TOKEN}", "origin": "http://testserver"}
    )
    made = owner.post("/api/studies", json={"name": " Empty "}).json()
    assert made["name"] == "Empty"
    assert "Nobody has ranked" in owner.get(f"/rank/{made['id']}").text
    assert owner.get(f"/api/studies/{made['id']}/result").json()["agreement"] == {
        "reason": "nobody has ranked two decks of a topic yet"
    }
    assert owner.post("/api/studies", json={"name": " "}).status_code == 400
    client = as_annotator(app, studies, made["id"], "ann")
    assert "no decks yet" in client.get("/rank/own").text
    assert client.get("/rank/own/1").status_code == 404
