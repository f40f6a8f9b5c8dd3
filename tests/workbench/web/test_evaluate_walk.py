"""Evaluation as a person uses it: a real run of a benchmark, LibreOffice, a browser, keys alone."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import expect, sync_playwright
from tests.workbench.web.evaluate_runs import write_trajectory

from decklab.core.options import HttpAddress
from decklab.workbench.listening import host_names, listening_socket
from decklab.workbench.web.database import engine_of, open_database
from decklab.workbench.web.evaluate_details import evaluate_jobs
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.serving import Access, Protected, make_app
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import worker


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The workbench over a run of PPTArena's starter set and a trajectory."""
    runs = tmp_path / "runs"
    command = (
        "bench",
        "pptarena",
        "--starter",
        "--case",
        "Crew leaders",
        "--editor",
        "noop",
        "--editor",
        "commands",
        "--no-pictures",
        "--no-self-check",
        "--out",
        str(runs / "arena"),
    )
    subprocess.run([sys.executable, "-m", "decklab", *command], check=True, capture_output=True)
    write_trajectory(runs / "walk")
    before = sorted(path for path in runs.rglob("*"))
    index, bench = RunIndex([runs]), tmp_path / "bench"
    bench.mkdir()
    sessions = open_database(f"sqlite:///{bench / 'w.sqlite'}")
    address = HttpAddress(port=0)
    with (
        listening_socket(address, "") as listener,
        Jobs(Library(bench, sessions), evaluate_jobs(index), work=worker) as jobs,
    ):
        port = listener.getsockname()[1]
        app = make_app(Workbench(jobs.library, jobs, runs=index))
        served = Protected(app, Access(frozenset(host_names(address, port))))
        server = uvicorn.Server(uvicorn.Config(served, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join()
    engine_of(sessions).dispose()
    assert sorted(path for path in runs.rglob("*")) == before  # results are never written


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
def test_a_person_goes_through_a_run_and_a_trajectory_by_keys(served: str) -> None:
    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{served}/evaluate")
        page.click(".run .title")
        page.select_option("[name=order]", "best")
        page.select_option("[name=column]", "edit")
        page.locator("h1").click()
        page.click(".filters button")
        page.wait_for_url("**order=best**")
        page.keyboard.press("j")
        expect(page.locator("#list tbody th a").first).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url("**/cases/*column=edit*")
        expect(page.locator("h1")).to_have_text("Crew leaders")
        expect(page.locator(".side.by-3 img")).to_have_count(3, timeout=60_000)
        expect(page.locator(".changes section")).to_have_count(2, timeout=60_000)
        made = page.locator(".changes section").first
        expect(made).to_contain_text("“four” became “six”")
        pictures = page.locator(".side.by-3 img")
        pictures.last.scroll_into_view_if_needed()
        page.wait_for_function(
            "[...document.querySelectorAll('.side img')].every(one => one.naturalWidth > 600)"
        )
        first = page.url
        page.keyboard.press("j")
        page.wait_for_function("url => location.href !== url", arg=first)
        assert "column=edit&order=best" in page.url
        page.keyboard.press("k")
        page.wait_for_url(first)
        page.keyboard.press("u")
        expect(page.locator("#list tbody tr")).to_have_count(5)  # 2 editors, 3 flawed attempts
        page.goto(f"{served}/evaluate")
        page.click(".walks a")
        page.wait_for_url("**/trajectories/*")
        page.keyboard.press("f")
        expect(page.locator(".did .notice")).to_contain_text("outside of the screen")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#at")).to_have_text("3 of 4")
        expect(page.locator(".screen circle")).to_have_count(1)
        page.keyboard.press("End")
        expect(page.locator(".did")).to_contain_text("it is busy")
        browser.close()
    assert said == []
