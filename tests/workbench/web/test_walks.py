"""Walks through the workbench in a browser: a stranger with a folder of decks and no model, two
people at one deck, a run that is watched while it goes on.
"""

import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import Page
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches, Pt
from tests.workbench.web.conftest import serving
from tests.workbench.web.web_walk import SECONDS, Walk, titles

from decklab.workbench.web.workbench import Workbench

pytestmark = [pytest.mark.long, pytest.mark.office, pytest.mark.chromium]
Served = tuple[str, Workbench]
TITLES = ["Harbour plan", "Costs – 1/2", "Numbers", "Costs – 2/2"]
"""Of the slides, once those that come again are numbered."""


@pytest.fixture
def talks(harbour: Path, tmp_path: Path) -> Path:
    """A folder with the deck of a harbour, two slides of which have one title, with a text that is
    too pale; and a deck that is fine."""
    folder = tmp_path / "talks"
    folder.mkdir()
    prs = Presentation(str(harbour))
    prs.slides[3].shapes.title.text = "Costs"
    box = prs.slides[0].shapes.add_textbox(Inches(1), Inches(6), Inches(6), Inches(0.8))
    box.text_frame.text = "Nobody can read this"
    font = box.text_frame.paragraphs[0].runs[0].font
    font.size, font.color.rgb = Pt(20), RGBColor(0xDD, 0xDD, 0xDD)
    prs.save(str(folder / "harbour.pptx"))
    fine = Presentation()
    fine.slides.add_slide(fine.slide_layouts[0]).shapes.title.text = "Fine"
    fine.save(str(folder / "fine.pptx"))
    return folder


@pytest.fixture
def folder(talks: Path, tmp_path: Path) -> Iterator[Served]:
    """The workbench over this folder."""
    state = tmp_path / "state"
    state.mkdir()
    with serving(state, talks) as served:
        yield served


def values(prs: Any) -> list[float]:
    chart = next(shape.chart for shape in prs.slides[2].shapes if shape.has_chart)
    return list(chart.plots[0].series[0].values)


def picture(prs: Any) -> Any:
    return next(shape for shape in prs.slides[3].shapes if shape.name == "Picture 2")


def test_a_stranger_mends_a_deck_of_a_folder_and_takes_it_along(
    page: Page, folder: Served, talks: Path
) -> None:
    place, bench = folder
    original = (talks / "harbour.pptx").read_bytes()
    walk = Walk.opened(page, bench, place, "harbour.pptx")
    page.click("#fix-all")
    page.wait_for_selector(".desk[data-version='2']")
    fixed = walk.version(2)
    assert titles(fixed) == TITLES
    page.click("text=before and after")
    page.wait_for_selector(".pair figure:nth-child(2) img")
    page.click(".views a >> nth=0")
    walk.slide(1)
    page.mouse.click(*walk.middle("Title 1"))
    page.keyboard.press("Control+a")
    page.keyboard.type("Port plan")
    page.keyboard.press("Control+Enter")
    assert titles(walk.version(3))[0] == "Port plan"
    walk.slide(4)
    across, down = walk.middle("Picture 2")
    page.mouse.move(across, down)
    page.mouse.down()
    page.mouse.move(across + 90, down + 20, steps=4)
    page.mouse.up()
    assert picture(walk.version(4)).left > Inches(1)
    walk.slide(3)
    page.locator("[aria-label^='Chart']").focus()
    page.keyboard.press("Enter")
    page.fill("dialog input >> nth=0", "7.5")
    page.click("dialog button[type=submit]")
    assert values(walk.version(5)) == [7.5, 4.0]
    page.fill("#notes", "Say hello.")
    page.keyboard.press("Tab")
    walk.version(6)
    page.click("[aria-label^='Take back version 3,']")  # the second of the five
    page.wait_for_selector(".desk[data-version='7']")
    last = walk.version(7)
    assert titles(last) == titles(fixed)  # its words are gone, and all else stays
    assert values(last) == [7.5, 4.0]
    assert picture(last).left > Inches(1)
    assert last.slides[2].notes_slide.notes_text_frame.text == "Say hello."
    with page.expect_download() as saved:
        page.click("#out summary")
        page.click(".menu button:text-is('PDF')")
    assert saved.value.suggested_filename == "harbour.pdf"
    assert len(pypdfium2.PdfDocument(io.BytesIO(Path(saved.value.path()).read_bytes()))) == 4
    assert (talks / "harbour.pptx").read_bytes() == original
    assert walk.said == []


def test_findings_are_filtered_sorted_and_outlined_and_one_is_fixed(
    page: Page, folder: Served
) -> None:
    walk = Walk.opened(page, folder[1], folder[0], "harbour.pptx")
    rows = page.locator("#findings > li:not([hidden])")
    page.wait_for_selector("#findings > li")
    every = rows.count()
    page.check("#finding-filter [name=safe]")
    safe = rows.count()
    assert 0 < safe <= every
    page.select_option("#finding-filter [name=order]", "slide")
    slides = rows.evaluate_all("(rows) => rows.map((row) => parseInt(row.dataset.slides))")
    assert slides == sorted(slides)
    page.uncheck("#finding-filter [name=safe]")
    named = page.locator("#findings a[href*='#shape-']").first
    shape = str(named.get_attribute("href")).partition("#")[2]
    named.click()
    page.wait_for_selector(f".outlined#{shape}", state="attached")
    assert page.input_value("#finding-filter [name=order]") == "slide"  # it stays
    one = page.locator("#findings > li[data-safe]", has_text="title").first
    one.locator("button", has_text=re.compile("^Fix$")).click()
    page.wait_for_selector(".desk[data-version='2']")
    assert titles(walk.version(2)) == TITLES
    assert walk.said == []


def test_several_decks_are_one_job_and_a_link_shows_one(page: Page, folder: Served) -> None:
    place, _bench = folder
    page.set_default_timeout(SECONDS)
    page.goto(place)
    for name in ("harbour.pptx", "fine.pptx"):
        page.check(f"[aria-label='Choose {name}']")
    page.click("#batch button:text-is('Lint and score')")
    page.wait_for_selector("text=2 of 2 decks done")
    assert page.locator("#rows li", has_text="quality").count() == 2
    page.goto(place)
    page.check("[aria-label='Choose fine.pptx']")
    page.click("#batch button:text-is('HTML')")
    page.wait_for_selector("text=1 of 1 deck done")
    page.click("#rows strong")
    page.click("#out summary")
    page.click(".menu button:text-is('A link to look at it')")
    link = str(page.get_attribute("#told a", "href"))
    page.goto(link)
    page.wait_for_selector("figure img")
    assert page.locator("figure").count() == 1
    assert page.locator("form, a[href^='/']").count() == 0


def test_two_people_at_one_deck_see_what_both_did(page: Page, folder: Served) -> None:
    place, bench = folder
    one = Walk.opened(page, bench, place, "harbour.pptx")
    other_page = page.context.browser.new_page()
    other = Walk.opened(other_page, bench, place, "harbour.pptx")
    for walk, slide, text in ((one, 1, "Port plan"), (other, 2, "Sums")):
        walk.slide(slide)
        walk.page.locator("[aria-label='Title 1']").focus()
        walk.page.keyboard.press("Enter")
        walk.page.keyboard.press("Control+a")
        walk.page.keyboard.type(text)
    one.page.keyboard.press("Control+Enter")
    other.page.keyboard.press("Control+Enter")
    one.page.wait_for_selector(".desk:not([data-version='1']) #stage:not([aria-busy])")
    other.page.wait_for_selector(".desk:not([data-version='1']) #stage:not([aria-busy])")
    other.page.reload()
    assert titles(other.version(3))[:2] == ["Port plan", "Sums"]
    assert one.said == other.said == []


def test_a_run_is_watched_while_it_goes_on(page: Page, tmp_path: Path) -> None:
    runs, state = tmp_path / "runs", tmp_path / "state"
    runs.mkdir()
    state.mkdir()
    command = [sys.executable, "-m", "decklab", "bench", "pptarena", "--starter", "--out"]
    run = subprocess.Popen([*command, str(runs / "monday")], stderr=subprocess.DEVNULL)
    try:
        with serving(state, runs=runs) as (place, _bench):
            page.set_default_timeout(SECONDS)
            page.goto(f"{place}/evaluate")
            while not page.locator(".run .title").count():
                page.wait_for_timeout(1000)
                page.reload()
            page.click(".run .title")
            counted = page.locator("#live progress")
            first = int(str(counted.get_attribute("value")))
            while int(str(counted.get_attribute("value"))) == first:  # nobody loads it again
                page.wait_for_timeout(500)
            systems = page.locator("#live tbody th").all_inner_texts()
            assert {"noop", "commands"} <= set(systems)
            assert len(systems) == len(set(systems))
            page.click("#list a >> nth=0")
            page.wait_for_selector("text=Original")
    finally:
        run.kill()
        run.wait()
