"""Changes of a version reviewed one by one: on the page, by keys, and by the API."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from pptx import Presentation
from starlette.testclient import TestClient
from tests.workbench.web.web_fakes import ended

import decklab
from decklab.workbench.web.database import JobRow, VersionRow
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.pages import in_request
from decklab.workbench.web.serving import make_app
from decklab.workbench.web.workbench import Workbench, accept, accepted_keys, reopen

TWO_EDITS = "rename slide 1 to 'Port'; rename slide 3 to 'Budget'"


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
def test_a_person_accepts_one_of_two_changes_and_takes_the_other_back(
    served: tuple[str, Workbench], deck: Path, page: Page, tmp_path: Path
) -> None:
    place, bench = served
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(place)
    page.set_input_files("#files", str(deck))
    page.wait_for_url(re.compile("/decks/"))
    page.wait_for_selector(".film img")
    page.locator(".shapes g").first.focus()
    page.click("text=Name it in the request")
    assert page.input_value("#instruction") == "'Title 1' on slide 1 "
    page.fill("#instruction", TWO_EDITS)
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile("version=2"))
    page.wait_for_selector(".review")
    assert page.locator(".film .changed").count() == 2
    page.click("button[id^='accept-']:not(#accept-all) >> nth=0")
    page.wait_for_selector("text=1 of 2 accepted")
    page.click("summary:has-text('Slide 3')")
    page.click("button[aria-label^='Take back: in the title “Costs” (id 2), “Costs”']")
    page.wait_for_url(re.compile("version=3"))
    page.wait_for_selector("text=1 of 1 accepted")
    page.click(".film li:first-child a")
    page.click("text=Side by side")
    page.wait_for_selector(".pair img >> nth=1")
    page.click("nav >> text=Slider")
    page.focus("#cut")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "document.querySelector('.over').style.getPropertyValue('--cut') === '51%'"
    )
    with page.expect_download() as download:
        page.click("text=Download >> nth=0")
    download.value.save_as(tmp_path / "saved.pptx")
    titles = [one.shapes.title.text for one in Presentation(str(tmp_path / "saved.pptx")).slides]
    assert [titles[0], titles[2]] == ["Port", "Costs"]
    page.click("h2 >> nth=0")
    for keys, slides in (("Control+z", 2), ("Control+Shift+Z", 3)):
        page.keyboard.press(keys)
        page.wait_for_selector(f".versions li[aria-current] a:text-is('{slides}')")
    page.fill("#deck-name", "Harbour")
    page.keyboard.press("Enter")
    page.wait_for_selector("#deck-name[value='Harbour']")
    assert bench.library.decks()[0].name == "Harbour.pptx"
    assert said == []


@pytest.mark.long
@pytest.mark.office
def test_a_program_reviews_any_two_versions(served: tuple[str, Workbench], deck: Path) -> None:
    bench = served[1]
    api = TestClient(make_app(bench), raise_server_exceptions=False)
    made = api.post("/api/decks", files={"file": ("a.pptx", deck.read_bytes())}).json()
    place = f"/api/decks/{made['id']}"
    assert api.get(f"{place}/versions/1/changes").json() == {
        "against": None, "changes": [], "job": None,
    }  # fmt: skip
    job = api.post(f"{place}/versions/1/edit", json={"instruction": TWO_EDITS}).json()
    assert ended(bench.jobs, job["id"], 60).state == "done"
    until = time.monotonic() + 60
    changes = None
    while not changes and time.monotonic() < until:
        changes = api.get(f"{place}/versions/2/changes").json()["changes"]
        time.sleep(0.05)
    assert changes is not None
    assert [one["slide"] for one in changes] == [1, 3]
    asked = {"against": 1, "keys": [changes[0]["key"]]}
    done = api.post(f"{place}/versions/2/accept", json=asked).json()["changes"]
    assert [one["accepted"] for one in done] == [True, False]
    none = api.post(f"{place}/versions/2/accept", json={"against": 1, "keys": ["x"]})
    assert none.status_code == 404
    assert api.post(f"{place}/versions/2/accept", json={"keys": []}).status_code == 400
    job = api.post(f"{place}/versions/2/take-back", json=asked).json()
    assert ended(bench.jobs, job["id"], 60).result["version"] == 3
    file = bench.library.file(bench.library.version(made["id"], 3))
    with decklab.open(file) as saved:
        assert [one.title for one in saved.slides][::2] == ["Harbour plan", "Budget"]
    named = api.patch(place, json={"name": "../New <name>.pptx"}).json()
    assert named["name"] == "New <name>.pptx"
    assert api.patch(place, json={"name": " "}).status_code == 400


@pytest.mark.long
@pytest.mark.office
def test_an_older_version_is_taken_back_and_what_came_since_stays(
    served: tuple[str, Workbench], deck: Path
) -> None:
    bench = served[1]
    api = TestClient(make_app(bench), raise_server_exceptions=False)
    made = api.post("/api/decks", files={"file": ("a.pptx", deck.read_bytes())}).json()
    place = f"/api/decks/{made['id']}/versions"

    def asked(version: int, verb: str, **said: object) -> JobRow:
        job = api.post(f"{place}/{version}/{verb}", json=said).json()
        return ended(bench.jobs, job["id"], 90)

    def titles(version: int) -> list[str | None]:
        with decklab.open(bench.library.file(bench.library.version(made["id"], version))) as saved:
            return [one.title for one in saved.slides][::2]

    for version, words in enumerate(("slide 1 to 'Port'", "slide 3 to 'Budget'"), start=1):
        assert asked(version, "edit", instruction=f"rename {words}").state == "done"
    taken = asked(2, "take-back")
    assert (taken.result["version"], taken.result["slides"]) == (4, [1])
    assert "fork" not in taken.result
    assert bench.library.version(made["id"], 4).parent == 3
    assert titles(4) == ["Harbour plan", "Budget"]
    assert asked(4, "edit", instruction="rename slide 3 to 'Money'").state == "done"
    refused = asked(3, "take-back")
    assert refused.state == "failed"
    assert "it was changed again since" in refused.message and "Money" in refused.message
    assert bench.library.deck(made["id"]).current == 5
    bench.choose(made["id"], 2)  # version 3 is of another branch now
    branch = asked(3, "take-back")
    assert titles(branch.result["version"]) == ["Port", "Costs"]
    assert branch.result["fork"].startswith("Version 6 goes on from version 3.")


def test_undo_stays_on_the_slide_where_it_was_pressed(
    library: Library, jobs: Jobs, add: Callable[..., str], deck: Path, tmp_path: Path
) -> None:
    made = add(deck.read_bytes())
    fewer = Presentation(str(deck))
    items = fewer.slides._sldIdLst
    fewer.part.drop_rel(items[0].rId)
    items.remove(items[0])
    fewer.save(str(tmp_path / "fewer.pptx"))
    library.add_version(made, 1, tmp_path / "fewer.pptx", "delete slide 1", "")
    client = TestClient(make_app(Workbench(library, jobs)), headers={"x-decklab": "1"})

    def chosen(version: int, **form: int) -> int:
        place = f"/api/decks/{made}/versions/{version}/choose"
        return int(client.post(place, json=form).json()["slide"])

    assert chosen(1, seen=2, slide=2) == 3
    assert chosen(2, seen=1, slide=3) == 2
    assert chosen(1) == 1
    assert chosen(2, seen=1, slide=1) == 1  # gone there: the same number
    page = client.get(f"/decks/{made}?slide=2").text
    assert 'name="seen" value="2"' in page and 'name="slide" value="2"' in page
    assert "/take-back" not in page  # the first made nothing, and the current one has undo


def test_what_is_accepted_stays_for_its_version_alone(
    library: Library, add: Callable[..., str]
) -> None:
    deck = add()
    first = library.version(deck, 1)
    accept(library, first, ["a", "b", "a"])
    accept(library, first, ["b"])
    assert accepted_keys(library, first) == {"a", "b"}
    second = VersionRow(deck=deck, number=2)
    assert accepted_keys(library, second) == set()
    reopen(library, first, ["a", "never"])
    assert accepted_keys(library, first) == {"b"}
    library.remove(deck)
    assert accepted_keys(library, first) == set()


def test_a_version_without_changes_and_unknown_keys(
    library: Library, jobs: Jobs, add: Callable[..., str]
) -> None:
    client = TestClient(make_app(Workbench(library, jobs)), headers={"x-decklab": "1"})
    deck = add()
    place = f"/api/decks/{deck}/versions/1"
    form = {"against": "1", "keys": ["f" * 16]}
    assert client.post(f"{place}/take-back", json=form).status_code == 404
    assert client.post(f"{place}/accept", json=form).status_code == 404
    for against in ("x", "", "-1", "9" * 400, True, [1], None):
        assert client.post(f"{place}/accept", json={**form, "against": against}).status_code == 400
    assert client.get(f"/decks/{deck}?against=7").status_code == 404


def test_names_with_quotes_are_quoted_the_other_way() -> None:
    assert in_request({"name": "Bob's  box"}, 2) == '"Bob\'s box" on slide 2'
