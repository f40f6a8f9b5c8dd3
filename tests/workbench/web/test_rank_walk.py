"""Two people rank eight decks in a browser, by keys and by drag; whoever asked them sees it."""

import io
import json
import threading
from collections.abc import Callable, Iterator

import pytest
import uvicorn
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from decklab.core.files import write_whole
from decklab.core.options import HttpAddress
from decklab.workbench.listening import host_names, listening_socket
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.rank_studies import Studies
from decklab.workbench.web.serving import Access, Protected, make_app
from decklab.workbench.web.workbench import Workbench

PRODUCTS = ("alpha", "beta", "gamma", "delta")


@pytest.fixture
def place(jobs: Jobs) -> Iterator[str]:
    address = HttpAddress(port=0)
    with listening_socket(address, "") as listener:
        port = listener.getsockname()[1]
        access = Access(frozenset(host_names(address, port)))
        app = Protected(make_app(Workbench(jobs.library, jobs)), access)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join()


@pytest.fixture
def study(library: Library, add: Callable[..., str]) -> str:
    """Two topics of four decks, told apart by the grey of their only slide: alpha is darkest."""
    studies = Studies(library)
    made = studies.create("Spring", "Which is best?")
    for topic in ("boats", "bees"):
        for number, product in enumerate(PRODUCTS):
            deck = add(f"{topic} {product}".encode(), f"{product}.pptx")
            seen = library.seen(library.version(deck, 1))
            seen.mkdir(parents=True)
            scores = [{"metric": "quality.score", "label": "Quality", "value": 90.0 - number}]
            write_whole(seen / "facts.json", json.dumps({"slides": 1, "scores": scores}).encode())
            picture = io.BytesIO()
            Image.new("L", (160, 90), 60 * number).save(picture, "WEBP")
            write_whole(seen / "slide-001.webp", picture.getvalue())
            studies.add_entry(made.id, topic, product, deck)
    return made.id


@pytest.fixture
def browser_page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        yield browser.new_page(viewport={"width": 1300, "height": 900})
        browser.close()


GREYS = """() => [...document.querySelectorAll('#ranked .place')].map((place) =>
  [...place.querySelectorAll('.item')].map((item) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const context = canvas.getContext('2d');
    context.drawImage(item.querySelector('img'), 0, 0, 1, 1);
    return Math.round(context.getImageData(0, 0, 1, 1).data[0] / 60);
  }))"""
UNRANKED = GREYS.replace("#ranked .place", "#left")


def ranked_by_keys(page: Page) -> None:
    """Put the decks in the order alpha to delta: the darkest first."""
    page.wait_for_load_state("networkidle")
    while page.locator("#left .item").count():
        greys = page.evaluate(UNRANKED)[0]
        page.locator("#left .pick").nth(greys.index(min(greys))).focus()
        page.keyboard.press("Enter")
    assert page.evaluate(GREYS) == [[0], [1], [2], [3]]


@pytest.mark.long
@pytest.mark.chromium
def test_two_people_rank_eight_decks(
    place: str, study: str, library: Library, browser_page: Page
) -> None:
    studies = Studies(library)
    said: list[str] = []
    page = browser_page
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    for name in ("ann", "bob"):
        page.goto(f"{place}/rank/{study}")
        page.fill("#annotator", name)
        page.click("text=Add an annotator")
        page.click(f'tr:has-text("{name}") a:has-text("open")')
        page.click("text=Begin")
        ranked_by_keys(page)
        if name == "bob":  # ties the first two, and leaves the last one out
            page.locator("#ranked .pick").nth(1).focus()
            page.keyboard.press("t")
            page.locator("#ranked .pick").nth(3).focus()
            page.keyboard.press("x")
            assert page.evaluate(GREYS) == [[0, 1], [2]]
        page.fill("#note", "The second one has no pictures.")
        page.wait_for_selector("#state:text-is('Saved.')")
        before = page.evaluate(GREYS)
        page.reload()
        page.wait_for_load_state("networkidle")
        assert page.evaluate(GREYS) == before
        page.click("#done")
        page.wait_for_url("**/rank/own/2")
        ranked_by_keys(page)
        page.locator("#ranked .pick").nth(3).drag_to(
            page.locator("#ranked .place").first, target_position={"x": 5, "y": 2}
        )
        page.wait_for_timeout(300)
        assert len(page.evaluate(GREYS)) in (3, 4)
        page.click("#done")
        page.wait_for_selector("text=You have done all 2 topics")
    page.goto(f"{place}/rank/{study}")
    assert page.inner_text("#result p") == "4 rankings."
    assert "Krippendorff's alpha" in page.inner_text("#result")
    assert "Quality" in page.inner_text("#result")
    assert "The second one has no pictures." in page.inner_text("main")
    with page.expect_download() as download:
        page.click("text=Rankings as CSV")
    rows = download.value.path().read_text().splitlines()
    assert len(rows) == 1 + 2 * 8
    assert {r.annotator for r in studies.rankings(study).rankings} == {"ann", "bob"}
    assert said == []
