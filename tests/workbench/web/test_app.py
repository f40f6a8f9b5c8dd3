"""The workbench as people and programs use it: real decks, LibreOffice, a browser."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page
from pptx import Presentation
from starlette.testclient import TestClient
from tests.workbench.web.web_fakes import EVIL, ended

from decklab.workbench.web.serving import make_app
from decklab.workbench.web.workbench import Workbench


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
def test_a_person_uploads_edits_takes_back_and_downloads(
    served: tuple[str, Workbench], deck: Path, page: Page, tmp_path: Path
) -> None:
    place, bench = served
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(place)
    page.set_input_files("#files", str(deck))
    page.wait_for_url(re.compile("/decks/"))
    page.wait_for_selector(".film img")
    page.wait_for_selector(".scores")
    assert page.locator(".film li").count() == 3
    page.fill("#instruction", "delete slide 2")
    page.click("#ask button[type=submit]")
    page.wait_for_url(re.compile(r"version=2"))
    page.wait_for_selector(".film li:nth-child(2) img")
    assert page.locator(".film li").count() == 2
    assert "Done" in page.inner_text(".turn")
    page.click("text=Undo")
    page.wait_for_selector(".film li:nth-child(3) img")
    assert page.locator(".film li").count() == 3
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("slide=2"))
    assert page.title().startswith(deck.name)
    page.click("text=before and after")
    page.wait_for_selector("text=this slide was removed")
    page.goto(f"{place}/decks/{_id(bench)}?version=2")
    with page.expect_download() as download:
        page.click("text=Download")
    saved = tmp_path / "saved.pptx"
    download.value.save_as(saved)
    titles = [slide.shapes.title.text for slide in Presentation(str(saved)).slides]
    assert titles == ["Harbour plan", "Costs"]
    assert said == []


def _id(bench: Workbench) -> str:
    return bench.library.decks()[0].id


def client(bench: Workbench) -> TestClient:
    return TestClient(make_app(bench), headers={"x-decklab": "1"}, raise_server_exceptions=False)


@pytest.mark.long
@pytest.mark.office
def test_a_program_does_the_same_by_the_api(served: tuple[str, Workbench], deck: Path) -> None:
    _, bench = served
    api = TestClient(make_app(bench))
    made = api.post("/api/decks", files={"file": ("a.pptx", deck.read_bytes())})
    assert made.status_code == 201
    place = f"/api/decks/{made.json()['id']}"
    asked = {"instruction": "replace Costs with Budget in titles", "slides": "3"}
    job = api.post(f"{place}/versions/1/edit", json=asked)
    assert job.status_code == 202
    assert ended(bench.jobs, job.json()["id"], 60).state == "done"
    known = api.get(place).json()
    assert known["current"] == 2
    assert api.post(f"{place}/versions/1/choose").json()["current"] == 1
    file = api.get(f"{place}/versions/2/file")
    assert file.headers["content-disposition"].startswith("attachment")
    until = time.monotonic() + 60
    while not api.get(f"{place}/versions/2").json()["looked_at"] and time.monotonic() < until:
        time.sleep(0.1)
    assert api.get(f"{place}/versions/2").json()["titles"] == ["Harbour plan", EVIL, "Budget"]
    assert api.delete(place).status_code == 204
    assert api.get(place).status_code == 404
    assert api.get("/api/openapi.json").json()["info"]["title"] == "decklab"


@pytest.mark.by_day(2)
@pytest.mark.parametrize(
    "path",
    [
        "/decks/..%2f..%2fetc%2fpasswd", "/decks/" + "0" * 32, "/api/jobs/zzz",
        "/static/..%2f..%2fapp.py", "/static/../app.py",
        "/api/decks/" + "0" * 32 + "/versions/1/file",
    ],
)  # fmt: skip
def test_what_is_not_there_is_404(served: tuple[str, Workbench], path: str) -> None:
    assert client(served[1]).get(path).status_code == 404


@pytest.mark.parametrize(
    ("instruction", "slides", "said"),
    [
        ("", "", "a request has 1 to 2000 characters"),
        ("x" * 2001, "", "a request has 1 to 2000 characters"),
        ("delete slide 1", "all", "'all' is no list such as 2,4-6"),
    ],
)
def test_a_request_that_is_none_is_refused_in_a_line(
    served: tuple[str, Workbench], instruction: str, slides: str, said: str
) -> None:
    asked = {"instruction": instruction, "slides": slides}
    answer = client(served[1]).post(f"/api/decks/{'0' * 32}/versions/1/edit", json=asked)
    assert (answer.status_code, answer.json()["error"]) == (400, said)


@pytest.mark.long
@pytest.mark.office
def test_a_file_that_is_no_deck_is_told_and_the_rest_goes_on(served: tuple[str, Workbench]) -> None:
    api = client(served[1])
    bad = api.post("/api/decks", files={"file": ("bad.pptx", b"PK no zip")}).json()["id"]
    (job,) = api.get(f"/api/decks/{bad}").json()["jobs"]
    row = ended(served[1].jobs, job["id"], 60)
    assert row.state == "failed"
    assert str(served[1].library.folder) not in row.message
    page = api.get(f"/decks/{bad}").text
    assert row.message[:20] in page
    refused = api.post("/api/decks", files={"file": ("notes.txt", b"x")})
    assert (refused.status_code, "notes.txt" in refused.json()["error"]) == (415, True)
