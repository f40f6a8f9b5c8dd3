"""One browser for many pages: it is kept, and another starts after a crash, a timeout, a fork."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from decklab.core.errors import PlanError, RenderTimeout
from decklab.rendering.html import Browser
from decklab.rendering.kept_browser import KEPT_BROWSER, KeptBrowser


def shown(browser: Browser, file: Path) -> tuple[str, int]:
    """The text of a page that was written for it, and the browser that showed it."""
    file.write_text("<p>ships</p>", encoding="utf-8")
    browser.visit(file)
    return str(browser.page.inner_text("p")), id(browser)


def test_one_browser_shows_all_pages_also_beside_an_event_loop() -> None:
    async def beside() -> tuple[str, int]:
        return KEPT_BROWSER.run(shown)

    first, second, third = KEPT_BROWSER.run(shown), KEPT_BROWSER.run(shown), asyncio.run(beside())
    assert first == second == third and first[0] == "ships"


def test_an_error_of_the_work_is_raised_and_the_browser_stays() -> None:
    def refuse(_browser: Browser, _file: Path) -> None:
        raise PlanError("no")

    before = KEPT_BROWSER.run(shown)
    with pytest.raises(PlanError, match="no"):
        KEPT_BROWSER.run(refuse)
    assert KEPT_BROWSER.run(shown) == before


def test_after_a_crash_and_after_a_timeout_another_browser_shows_the_page() -> None:
    def killed(browser: Browser, _file: Path) -> None:
        os.kill(int((browser._scratch.folder / "pid").read_text()), signal.SIGKILL)

    KEPT_BROWSER.run(killed)
    assert KEPT_BROWSER.run(shown)[0] == "ships"

    def stuck(browser: Browser, file: Path) -> None:
        file.write_text("<script>window.stuck = () => { for (;;); }</script>", encoding="utf-8")
        browser.visit(file)
        browser.page.evaluate("() => { window.__decklab.stuck = window.stuck; }")
        browser.call("stuck")

    with pytest.raises(RenderTimeout, match="no answer in 3 seconds"):
        KEPT_BROWSER.run(stuck, deadline=3)
    assert KEPT_BROWSER.run(shown)[0] == "ships"


def _forked(results: "multiprocessing.Queue[str]") -> None:
    results.put(KEPT_BROWSER.run(shown)[0])


def test_a_forked_process_has_a_browser_of_its_own() -> None:
    KEPT_BROWSER.run(shown)
    forking = multiprocessing.get_context("fork")
    results = forking.Queue()
    process = forking.Process(target=_forked, args=(results,))
    process.start()
    assert results.get(timeout=60) == "ships"
    process.join()
    assert KEPT_BROWSER.run(shown)[0] == "ships"


def test_a_closed_one_ends_its_thread_and_starts_again() -> None:
    kept = KeptBrowser()
    kept.run(shown)
    thread = kept._thread
    kept.close()
    assert thread is not None and not thread.is_alive()
    assert kept.run(shown)[0] == "ships"
    kept.close()


def test_a_process_ends_without_a_word_or_a_folder_left(tmp_path: Path) -> None:
    program = (
        "from decklab.rendering.kept_browser import KEPT_BROWSER\n"
        "print(KEPT_BROWSER.run(lambda browser, file: browser.version))\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=False, env=environment, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0 and done.stdout.startswith("Chromium") and done.stderr == ""
    assert [path.name for path in tmp_path.iterdir() if "decklab" in path.name] == []
