"""The page of drafts: in a browser with LibreOffice, and over the API with a scripted model."""

import json
import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Page, sync_playwright
from pptx import Presentation
from starlette.testclient import TestClient
from tests.openai_server import Answer, prompt_of, serving
from tests.workbench.web.web_fakes import fake_worker
from tests.writer.conftest import HARBOUR
from tests.writer.scripted import END, GOOD, OUTLINED, PLAN, SAFE

from decklab.board.themes import THEMES
from decklab.core.files import package_data
from decklab.core.options import HttpAddress
from decklab.models.asking_loop import sight_number
from decklab.workbench.listening import host_names, listening_socket
from decklab.workbench.web.database import engine_of, open_database
from decklab.workbench.web.draft_work import noted_evidence
from decklab.workbench.web.drafts import Drafts, DraftSettings, GivenFile
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library, add_document
from decklab.workbench.web.serving import KINDS, Access, Protected, make_app
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import worker
from decklab.workbench.web.writing import POINT_FORMS
from decklab.writer.outline import Outline

MARKS = {
    "Plan the story": PLAN, "Turn the plan": OUTLINED, "Write page 2": GOOD, "Write page 3": SAFE,
    "Write page 4": END, "Choose the look": {"best": 1, "reason": "it suits"},
    "Which number do you see": sight_number("any"),
}  # fmt: skip
"""Words by which the questions of the writer are known, and good replies."""
EVIL = "<script>document.title='stolen'</script>"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A workbench whose work is done."""
    folder = tmp_path_factory.mktemp("bench")
    sessions = open_database(f"sqlite:///{folder / 'w.sqlite'}")
    with Jobs(Library(folder, sessions), KINDS, processes=1, work=worker) as jobs:
        yield Workbench(jobs.library, jobs)
    engine_of(sessions).dispose()


@pytest.fixture
def idle(library: Library) -> Iterator[TestClient]:
    """Pages and API of a workbench whose work is never done."""
    with Jobs(library, {}, processes=1, work=fake_worker) as jobs:
        jobs.close()
        yield TestClient(make_app(Workbench(library, jobs)), raise_server_exceptions=False)


def sent(name: str = "harbour.md", data: str = HARBOUR) -> dict[str, Any]:
    return {"documents": (name, data.encode())}


def written(api: TestClient, place: str, seconds: float = 90) -> dict[str, Any]:
    """The draft when its work has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        draft: dict[str, Any] = api.get(place).json()
        if draft["state"] != "working":
            return draft
        time.sleep(0.1)
    raise AssertionError("the draft is being written still")


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
def test_a_person_changes_the_outline_and_gets_the_deck(bench: Workbench, tmp_path: Path) -> None:
    source = tmp_path / "harbour.md"
    source.write_text(HARBOUR)
    said: list[str] = []
    with served(bench) as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{place}/write")
        page.set_input_files("#documents", str(source))
        page.click(".go button[type=submit]")
        page.wait_for_selector(".outline", timeout=60_000)
        titles = _titles(page)
        assert "“Repairs took 4 days in total”" in (page.text_content(".pages") or "")
        page.fill(".page:nth-child(3) .page-title", "Changed by hand")
        page.focus(".page:nth-child(3) .handle")
        page.keyboard.press("Alt+ArrowUp")
        page.click(".page:last-child .drop-page")
        _drag(page, 4, 3)
        wanted = [titles[0], "Changed by hand", titles[3], titles[1], *titles[4:-1]]
        assert _titles(page) == wanted
        page.click("text=Draw my first slide in each")
        page.wait_for_selector("#choices-designs .working")
        page.wait_for_selector("#choices-designs:not([data-job])", timeout=90_000)
        drawn = page.locator("#choices-designs img[src*='/choices/']")
        assert drawn.count() == len(THEMES)
        assert len({one.get_attribute("src") for one in drawn.all()}) == len(THEMES)
        page.check("#choices-designs [value=midnight]", force=True)
        page.click("text=Write the slides")
        page.wait_for_selector(".take", timeout=90_000)
        assert page.get_attribute(".tile[value=midnight]", "aria-current") == "true"
        assert drawn.count() == len(THEMES)  # they are kept
        assert page.locator(".film li").count() == len(wanted)
        page.goto(f"{page.url.split('?')[0]}?slide=2")
        assert "harbour.md" in page.inner_text(".evidence-of")
        page.click("#choices-2 > button")
        page.wait_for_selector("#choices-2:not([data-job]) .tile", timeout=90_000)
        form = page.locator("#choices-2 .tile").first.inner_text().strip().lower()
        page.locator("#choices-2 .tile").first.click()
        page.wait_for_selector(f".versions :text('Slide 2: {form}')", timeout=90_000)
        page.wait_for_selector("#draft-body:not([data-job])", timeout=90_000)
        page.click("#present")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("n")
        assert page.inner_text("#show-number") == f"3 / {len(wanted)}"
        page.keyboard.press("Escape")
        page.wait_for_selector("#show", state="hidden")
        page.click(".tile[value=dark]")
        page.wait_for_selector(".tile[value=dark][aria-current]", timeout=90_000)
        with page.expect_download() as download:
            page.click("text=PPTX")
        saved = tmp_path / "saved.pptx"
        download.value.save_as(saved)
        slides = Presentation(str(saved)).slides
        assert [slide.shapes.title.text for slide in slides] == wanted
        page.click("text=Open in the editor")
        page.wait_for_url(re.compile("/decks/"))
        browser.close()
    assert said == []


def _titles(page: Page) -> list[str]:
    return [one.input_value() for one in page.locator(".page-title").all()]


def _drag(page: Page, number: int, before: int) -> None:
    """Drag a page by the mouse to before another one."""
    page.locator(f".page:nth-child({before})").scroll_into_view_if_needed()
    held = page.locator(f".page:nth-child({number}) .handle").bounding_box()
    over = page.locator(f".page:nth-child({before})").bounding_box()
    assert held
    assert over
    page.mouse.move(held["x"] + 8, held["y"] + 8)
    page.mouse.down()
    page.mouse.move(held["x"] + 20, held["y"])
    page.mouse.move(over["x"] + 90, over["y"] + 9, steps=5)
    page.mouse.move(over["x"] + 90, over["y"] + 6, steps=2)
    page.mouse.up()
    page.wait_for_timeout(50)


@contextmanager
def served(bench: Workbench) -> Iterator[str]:
    """The workbench on the loopback while the block lasts: its address."""
    address = HttpAddress(port=0)
    with listening_socket(address, "") as listener:
        port = listener.getsockname()[1]
        app = Protected(make_app(bench), Access(frozenset(host_names(address, port))))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join()


@pytest.mark.long
@pytest.mark.office
def test_a_program_writes_with_a_model_and_in_another_theme(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(request: dict[str, Any]) -> Answer:
        prompt = prompt_of(request)
        found = next((reply for mark, reply in MARKS.items() if mark in prompt), None)
        return Answer(text="") if found is None else Answer(text=_json(found))

    with serving(script) as server:
        monkeypatch.setenv("LOOPBACK_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("LOOPBACK_API_KEY", "none")
        with Jobs(library, KINDS, processes=1, work=worker) as jobs:
            api = TestClient(make_app(Workbench(library, jobs, "openai-api/loopback/write")))
            wanted = {"by_model": "true", "slides": "4", "refine": "false", "icons": "true"}
            made = api.post("/api/drafts", data=wanted, files=sent())
            assert made.status_code == 201
            place = f"/api/drafts/{made.json()['id']}"
            assert written(api, place)["state"] == "outlined"
            outline = api.get(f"{place}/outline").json()
            assert outline["pages"][1]["title"] == "Traffic grew"
            questions = len(server.requests)
            outline["pages"][1]["title"] = "It grew"
            assert api.put(f"{place}/outline", json=outline).status_code == 200
            assert api.post(f"{place}/write", json={"start": "outline"}).status_code == 202
            busy = api.post(f"{place}/outline")
            assert (busy.status_code, "under way" in busy.json()["error"]) == (400, True)
            assert written(api, place)["state"] == "written"
            assert len(server.requests) == questions
            take = api.get(f"{place}/takes/1").json()
            assert take["slides"][1]["title"] == "It grew"
            assert take["slides"][1]["evidence"][0]["quote"].startswith("Container traffic grew")
            assert api.post(f"{place}/theme", json={"theme": "dark"}).status_code == 202
            assert written(api, place)["takes"][1]["theme"] == "dark"
            assert len(server.requests) == questions
            for suffix, start in (("pptx", b"PK"), ("pdf", b"%PDF"), ("html", b"<!doctype")):
                file = api.get(f"{place}/takes/2/file.{suffix}")
                assert file.content[:9].lower().startswith(start.lower())
            assert api.post(f"{place}/takes/1/choose").json()["take"] == 1
            opened = api.post(f"{place}/takes/1/open").json()["deck"]
            assert api.post(f"{place}/takes/1/open").json()["deck"] == opened
            assert library.deck(opened).name == "harbour.pptx"
            folder = Drafts(library).folder(place.rsplit("/", 1)[1])
            assert api.delete(place).status_code == 204
            assert (api.get(place).status_code, folder.exists()) == (404, False)
            assert library.deck(opened)


def _json(value: object) -> str:
    return json.dumps(value)


def test_what_is_no_draft_is_refused_in_a_line(idle: TestClient) -> None:
    for data, files, said in (
        ({}, {}, "give at least one document"),
        ({"text": " "}, {}, "give at least one document"),
        ({"text": "x", "look": "like"}, {}, "choose the deck to write like"),
        ({"text": "x", "by_model": "true"}, {}, "started without a model"),
        ({"text": "x", "theme": "neon"}, {}, "neon"),
        ({"text": "x", "slides": "1"}, {}, "slides: give at least"),
        ({"text": "x", "sources": "../../etc"}, {}, "no such id"),
        ({"slides_text": "# A"}, {"slides_file": ("a.md", b"# A")}, "once"),
        ({"look": "template", "text": "x"}, {"design_file": ("a.exe", b"MZ")}, "a.exe"),
    ):  # fmt: skip
        answer = idle.post("/api/drafts", data=data, files=files or None)
        assert answer.status_code in (400, 404, 415, 422), said
        assert said in answer.json()["error"]
    assert idle.get("/api/drafts").json() == {"drafts": []}


def test_names_of_files_and_words_are_text(idle: TestClient, library: Library) -> None:
    names = ["../../evil.md", "..\\x.md", f"{EVIL}.md", "a.md", "A.MD", ".md", "ü" * 300 + ".md"]
    files = [("documents", (name, HARBOUR.encode())) for name in names]
    draft = idle.post("/api/drafts", data={"title": EVIL}, files=files).json()
    given = [one["name"] for one in draft["given"]]
    assert len({name.casefold() for name in given}) == len(names)
    inside = Drafts(library).folder(draft["id"])
    found = {path.name for path in (inside / "source").iterdir()}
    assert found == set(given)
    assert not any("/" in name or "\\" in name or "<" in name for name in given)
    page = idle.get(f"/write/{draft['id']}").text
    assert "<script>document" not in page
    assert "&lt;script&gt;" in page
    assert "<script>document" not in idle.get("/write").text


@pytest.mark.parametrize("form", POINT_FORMS)
def test_every_form_of_points_that_is_offered_is_one_of_an_outline(form: str) -> None:
    page = {"title": "Numbers", "form": form, "points": [{"text": "480,000", "label": "2025"}]}
    assert Outline.model_validate({"title": "Harbour", "pages": [page]}).pages[0].form == form


def test_choices_are_of_slides_that_are_there(idle: TestClient) -> None:
    place = f"/api/drafts/{idle.post('/api/drafts', files=sent()).json()['id']}/choices"
    assert list(idle.get(f"{place}/designs").json()["names"]) == list(THEMES)
    for of in ("designs", "1", "0", "x", "1e3"):
        answer = idle.post(f"{place}/{of}")
        assert answer.status_code in {400, 404}, of
        assert "no" in answer.text
    key = idle.get(f"{place}/designs").json()["key"]
    for path in (f"{key}/light.png", f"{key}/..%2f..%2foutline.png", "..%2fwork/plan.png"):
        assert idle.get(f"{place}/{path}").status_code == 404


def test_an_outline_is_checked_and_ids_have_one_form(idle: TestClient) -> None:
    draft = idle.post("/api/drafts", files=sent()).json()
    place = f"/api/drafts/{draft['id']}"
    assert idle.get(f"{place}/outline").status_code == 404
    job = draft["jobs"][0]["id"]
    assert "being written" in idle.put(f"{place}/outline", json={}).json()["error"]
    idle.post(f"/api/jobs/{job}/stop")
    answer = idle.put(f"{place}/outline", json={"title": "x", "pages": []})
    assert (answer.status_code, "pages" in answer.json()["error"]) == (400, True)
    page = {"title": EVIL, "points": [{"text": "By hand"}]}
    assert idle.put(f"{place}/outline", json={"title": "x", "pages": [page]}).status_code == 200
    shown = idle.get(f"/write/{draft['id']}").text
    assert EVIL not in shown
    assert "By hand" in shown
    for forged in ("takes/0", "takes/9", "takes/99999999999", "visuals/0.png", "takes/1/file.py"):
        assert idle.get(f"{place}/{forged}").status_code in (404, 405), forged
    assert idle.get("/write/..%2f..%2fetc").status_code == 404
    assert idle.post(f"{place}/redo", json={"slide": 1, "wish": "shorter"}).status_code == 400


def test_a_deck_of_the_library_is_a_source(idle: TestClient, add: Any) -> None:
    deck = add(b"deck", "plan.pptx")
    assert f'value="{deck}" checked' in idle.get("/write", params={"source": deck}).text
    draft = idle.post("/api/drafts", data={"sources": deck}).json()
    assert [(one["role"], one["name"]) for one in draft["given"]] == [("source", "plan.pptx")]


def test_folders_without_a_row_are_swept(library: Library, tmp_path: Path) -> None:
    drafts = Drafts(library)
    upload = tmp_path / "u"
    upload.write_text("x")
    kept = drafts.add(DraftSettings(), [GivenFile("source", "a.md", upload)])
    left = drafts.folder("0" * 32)
    left.mkdir()
    drafts.sweep()
    assert (drafts.folder(kept.id).exists(), left.exists()) == (True, False)
    shutil.rmtree(drafts.folder(kept.id))


def test_every_theme_has_its_picture() -> None:
    for name in THEMES:
        assert package_data("decklab.workbench.web", f"static/themes/{name}.webp")[8:12] == b"WEBP"


@pytest.mark.parametrize(
    ("line", "quote", "place"),
    [
        ("“It said “no” (twice)” (a (1).md, page 3)", "It said “no” (twice)", "a (1).md, page 3"),
        ("“A” (b.md)", "A", "b.md"),
    ],
)
def test_quotes_are_read_out_of_notes(line: str, quote: str, place: str) -> None:
    found = noted_evidence(f"Say this.\n{line}\n“no place”")
    assert found["evidence"] == [{"quote": quote, "place": place}]
    assert found["notes"] == "Say this.\n“no place”"


def test_documents_of_the_library_are_sources_too(idle: TestClient, library: Library) -> None:
    upload = library.unfinished(".md")
    upload.write_text(HARBOUR)
    row = add_document(library, "harbour.md", upload)
    page = idle.get(f"/write?source={row.id}").text
    assert f'value="{row.id}" checked' in page
    draft = idle.post("/api/drafts", data={"sources": row.id}).json()
    drafts = Drafts(library)
    [file] = drafts.files(drafts.draft(draft["id"]), "source")
    assert (file.name, file.read_text()) == ("harbour.md", HARBOUR)
    assert idle.get(f"/write?source={'0' * 32}").status_code == 404
    assert idle.post("/api/drafts", data={"sources": "0" * 32}).status_code == 404
