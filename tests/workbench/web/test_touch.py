"""A slide touched on its page, in a browser: each change is an operation, a version, and undone."""

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page
from pptx import Presentation
from pptx.util import Inches
from starlette.testclient import TestClient
from tests.workbench.web.web_fakes import ended
from tests.workbench.web.web_walk import Walk, titles

import decklab
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.looking import slide_shapes
from decklab.workbench.web.serving import make_app
from decklab.workbench.web.workbench import Workbench


@pytest.fixture
def walk(page: Page, served: tuple[str, Workbench], harbour: Path) -> Walk:
    return Walk(page, served, harbour)


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
def test_a_text_is_typed_where_it_stands_and_undone_by_a_key(walk: Walk) -> None:
    page = walk.page
    page.mouse.click(*walk.middle("Title 1"))
    page.wait_for_selector("textarea.typing")
    page.keyboard.press("Control+a")
    page.keyboard.type("Port plan")
    page.keyboard.press("Control+Enter")
    assert page.input_value("textarea.typing") == "Port plan"  # shown before it is drawn
    assert titles(walk.version(2))[0] == "Port plan"
    assert page.locator(".typing").count() == 0
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Title 1"
    page.keyboard.press("Control+z")
    page.wait_for_selector(".versions li[aria-current] a:text-is('1')")
    page.locator("[aria-label='Content Placeholder 2']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+End")
    page.keyboard.type("\nThree ships")
    page.keyboard.press("Escape")  # leaves it as it was
    assert page.locator(".typing").count() == 0
    page.keyboard.press("Enter")
    page.keyboard.press("Control+End")
    page.keyboard.type("\nFour ships")
    page.click("h2 >> nth=0")  # what is typed is kept
    body = walk.version(3).slides[0].placeholders[1].text_frame.text
    assert body == "Two cranes\nOne quay\nFour ships"
    assert walk.said == []


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
def test_a_shape_is_dragged_to_a_guide_sized_and_moved_by_keys(walk: Walk) -> None:
    page = walk.page
    walk.slide(4)
    across, down = walk.middle("Picture 2")
    page.mouse.move(across, down)
    page.mouse.down()
    page.mouse.move(across + 40, down + 30, steps=4)
    tops = [walk.box(f"[aria-label='{name}'] rect")[1] for name in ("Rectangle 3", "Picture 2")]
    page.mouse.move(across + 40, down + 30 + tops[0] - tops[1] + 2, steps=2)
    assert page.locator(".guide").count() >= 1
    page.mouse.up()
    shapes = {shape.name: shape for shape in walk.version(2).slides[3].shapes}
    assert shapes["Picture 2"].top == pytest.approx(shapes["Rectangle 3"].top, abs=12700)
    assert shapes["Picture 2"].left > Inches(1)
    page.locator("[aria-label='Picture 2']").focus()
    for key in ("ArrowRight", "ArrowRight", "Alt+ArrowLeft"):
        page.keyboard.press(key)
    moved = walk.version(3).slides[3].shapes[1]
    assert moved.left - shapes["Picture 2"].left == pytest.approx(15 * 12700, abs=300)
    page.keyboard.press("Shift+ArrowDown")
    assert walk.version(4).slides[3].shapes[1].height - moved.height == 8 * 12700
    left, top, *_ = walk.box(".handle[data-edge='4']")
    page.mouse.move(left + 4, top + 4)
    page.mouse.down()
    page.keyboard.down("Alt")  # without guides
    page.mouse.move(left + 64, top + 4, steps=3)
    page.mouse.up()
    page.keyboard.up("Alt")
    assert walk.version(5).slides[3].shapes[1].width > moved.width + 50 * 12700
    page.locator("[aria-label='Rectangle 3']").focus()
    page.keyboard.press("Delete")
    assert [shape.name for shape in walk.version(6).slides[3].shapes] == ["Title 1", "Picture 2"]
    assert walk.said == []


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
def test_slides_are_added_copied_hidden_moved_and_deleted_in_the_filmstrip(walk: Walk) -> None:
    page = walk.page
    walk.slide(2)
    page.click("[data-film=clone]")
    assert titles(walk.version(2)) == ["Harbour plan", "Costs", "Costs", "Numbers", "Pictures"]
    page.wait_for_selector(".desk[data-slide='3']")
    page.click("[data-film=hide]")
    assert walk.version(3).slides[2]._element.get("show") == "0"
    page.wait_for_selector(".film .skipped")
    page.locator("#film a[aria-current]").focus()
    page.keyboard.press("Alt+ArrowRight")
    assert titles(walk.version(4))[2:4] == ["Numbers", "Costs"]
    assert page.get_attribute(".desk", "data-slide") == "4"
    page.keyboard.press("Delete")
    assert titles(walk.version(5)) == ["Harbour plan", "Costs", "Numbers", "Pictures"]
    page.click("[data-film=add]")
    assert len(walk.version(6).slides) == 5
    source, target = (page.locator(f".film li:nth-child({n})") for n in (1, 3))
    while page.locator("#stage:not([aria-busy])").count():  # a busy page may miss a quick drag
        source.drag_to(target)
    assert titles(walk.version(7))[:3] == ["Costs", "Numbers", "Harbour plan"]
    page.keyboard.press("Control+z")
    page.wait_for_selector(".versions li[aria-current] a:text-is('6')")
    assert walk.said == []


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
def test_notes_cells_and_numbers_are_written(walk: Walk) -> None:
    page = walk.page
    page.fill("#notes", "Say hello.\nThen go.")
    page.keyboard.press("Tab")
    slide = walk.version(2).slides[0]
    assert slide.notes_slide.notes_text_frame.text == "Say hello.\nThen go."
    assert page.input_value("#notes") == "Say hello.\nThen go."
    walk.slide(2)
    page.locator("[aria-label^='Table']").focus()
    page.keyboard.press("Enter")
    for text in ("Month", "May"):
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
        page.keyboard.press("Enter")  # to the cell below, in the last row it is done
    table = walk.version(3).slides[1].shapes[1].table
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Month", "r0c1"], ["May", "r1c1"],
    ]  # fmt: skip
    walk.slide(3)
    page.locator("[aria-label^='Chart']").focus()
    page.click("text=Edit numbers")
    page.fill("dialog input >> nth=0", "many")
    page.click("dialog button[type=submit]")
    assert page.evaluate("document.querySelector('dialog input').validationMessage") != ""
    page.fill("dialog input >> nth=0", "9,5")
    page.click("dialog button[type=submit]")
    chart = walk.version(4).slides[2].shapes[1].chart
    assert [list(series.values) for series in chart.plots[0].series] == [[9.5, 4.0]]
    assert walk.said == []


DROP = """([name, across, down, data]) => {
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  const moved = new DataTransfer();
  moved.items.add(new File([bytes], name, { type: "image/png" }));
  const under = document.elementFromPoint(across, down);
  for (const kind of ["dragover", "drop"]) {
    under.dispatchEvent(new DragEvent(kind, {
      bubbles: true, cancelable: true, dataTransfer: moved, clientX: across, clientY: down }));
  }
}"""


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
def test_a_picture_is_replaced_by_dropping_one_and_added_beside(walk: Walk, tmp_path: Path) -> None:
    page = walk.page
    Image.new("RGB", (40, 40), "blue").save(tmp_path / "blue.png")
    data = b64encode((tmp_path / "blue.png").read_bytes()).decode()
    walk.slide(4)
    page.evaluate(DROP, ["blue.png", *walk.middle("Picture 2"), data])
    shapes = walk.version(2).slides[3].shapes
    assert shapes[1].image.blob == (tmp_path / "blue.png").read_bytes()
    assert (shapes[1].left, shapes[1].width) == (Inches(1), shapes[1].width)
    left, top, width, height = walk.box("#stage")
    page.evaluate(DROP, ["blue.png", left + width - 120, top + height - 80, data])
    shapes = walk.version(3).slides[3].shapes
    assert len(shapes) == 4 and shapes[3].image.size == (40, 40)
    page.locator("[aria-label='Picture 2']").focus()
    page.set_input_files("#picture-file", str(tmp_path / "blue.png"))
    page.wait_for_selector("#told >> text=it is so already")
    kept = list((walk.bench.library.folder / "files").glob("*.picture"))
    assert len(kept) <= 1
    assert walk.said == []


@pytest.mark.long
@pytest.mark.office
def test_two_people_touch_a_deck_at_once(served: tuple[str, Workbench], harbour: Path) -> None:
    bench = served[1]
    api = TestClient(make_app(bench), raise_server_exceptions=False)
    made = api.post("/api/decks", files={"file": ("a.pptx", harbour.read_bytes())}).json()
    place = f"/api/decks/{made['id']}/versions/1/touch"

    def touch(name: str, **arguments: object) -> Any:
        asked = {"calls": [{"operation": name, "arguments": arguments}], "follow": True}
        return api.post(place, json=asked).json()

    jobs = [
        touch("move_slide", slide=4, position=1),
        touch("set_text", slide=1, shape=2, text="Port"),  # numbers are those of version 1
        touch("delete_slide", slide=2),
        touch("set_notes", slide=2, text="too late"),
        touch("set_text", slide=3, shape=2, text="Sums"),
    ]
    rows = [ended(bench.jobs, job["id"], 120) for job in jobs]
    assert [row.state for row in rows] == ["done", "done", "done", "failed", "done"]
    assert rows[3].message == "slide 2 is gone: somebody deleted it meanwhile"
    assert api.get(f"/api/jobs/{jobs[0]['id']}?wait=5").json()["state"] == "done"
    last = bench.library.version(made["id"], bench.library.deck(made["id"]).current)
    assert titles(Presentation(str(bench.library.file(last)))) == ["Pictures", "Port", "Sums"]
    versions = api.get(f"/api/decks/{made['id']}").json()["versions"]
    said = [row["made_by"] for row in versions]
    assert said[1:3] == ["Move slide 4 to 1", "Type in Title 1 on slide 1"]


def test_what_is_no_call_is_refused_in_a_line(
    library: Library, jobs: Jobs, add: Callable[..., str]
) -> None:
    client = TestClient(make_app(Workbench(library, jobs)), raise_server_exceptions=False)
    place = f"/api/decks/{add()}/versions/1/touch"
    none: list[Any] = [[], [{}], [{"operation": "save", "arguments": {}}]]
    for calls in [*none, [{"operation": "set_text"}]]:
        answer = client.post(place, json={"calls": calls})
        assert (answer.status_code, list(answer.json())) == (400, ["error"])
    assert client.post(place, json={"calls": "x"}).status_code == 422
    many = [{"operation": "set_text", "arguments": {}}] * 501
    assert client.post(place, json={"calls": many}).status_code == 422


def test_a_page_knows_what_of_a_shape_can_change(harbour: Path) -> None:
    with decklab.open(harbour) as deck:
        shown = [slide_shapes(slide) for slide in deck.slides]
    body, table, chart, picture = shown[0][1], shown[1][1], shown[2][1], shown[3][1]
    assert body["text"] == "Two cranes\nOne quay"
    assert table["cells"] == [["r0c0", "r0c1"], ["r1c0", "r1c1"]]
    assert chart["chart"] == [["", "2026"], ["North", 3.0], ["South", 4.0]]
    assert picture["picture"] is True and "text" not in picture
