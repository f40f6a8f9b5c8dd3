"""The page of a PPT-Eval run: what it says, and that nothing on it is obeyed."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from decklab.evals.ppteval.outcomes import MeanScore, TaskOutcome
from decklab.evals.ppteval.report import tree_pages, write_report
from decklab.evals.ppteval.tasks import EditingTask
from decklab.evals.rubrics.rubric import parse_rubric

NONE, HALF, ALL = MeanScore(0, 0), MeanScore(0.5, 0.5), MeanScore(1, 1)
ANY = MeanScore(0, 1)


RUBRIC = parse_rubric({"root": {"name": "all", "children": [
    {"name": "one", "is_critical": True,
     "scorer": {"type": "function", "function_code": "def compute_score(): return '', 1.0"}}
]}})  # fmt: skip


def task(name: str = "one", score: MeanScore = ALL, **more: Any) -> tuple[EditingTask, TaskOutcome]:
    told = {"difficulty": "Easy", "categories": ("text",), "steps": 2, **more}
    goal = told.pop("goal", f"Do <{name}>")
    outcome = TaskOutcome(name, low=score.low, high=score.high, **told)
    return EditingTask(name, goal, Path("deck.pptx"), RUBRIC), outcome


def page(folder: Path, *tasks: tuple[EditingTask, TaskOutcome], paged: Sequence[str] = ()) -> str:
    listed = [item for item, _ in tasks]
    for name in paged:
        path = folder / tree_pages(listed)[name]
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    outcomes = [outcome for _, outcome in tasks]
    facts = {"Editor": "nobody/<x>"}
    return write_report(folder, "A <set>", listed, outcomes, facts=facts).read_text()


def rows(html: str) -> list[str]:
    """The rows of the list of tasks."""
    listed = html[html.index('<table class="cases"') :]
    return re.findall(r'<tr role="row"><th role="rowheader".*?</tr>', listed, re.DOTALL)


def test_a_task_leads_to_its_page_and_tells_score_ending_steps_and_time(tmp_path: Path) -> None:
    html = page(
        tmp_path,
        task("a b", HALF, seconds=12.34, categories=("text", "notes")),
        task("cut", NONE, ended="more than 30 steps", steps=None),
        paged=["a b"],
    )
    first, second = rows(html)
    assert 'href="./tasks/a-b.html"' in first or 'href="./tasks/a%20b.html"' in first
    for said in ("0.50", "text, notes", "by itself", ">2<", "12.3 s", "Do &lt;a b&gt;"):
        assert said in first
    assert "more than 30 steps" in second and "not counted" in second and "0.00" in second


def test_what_is_not_scored_is_a_range_with_its_reason_and_never_0(tmp_path: Path) -> None:
    why = "no model was named <b>"
    html = page(tmp_path, task(), task("x", ANY, reason=why),
                task("y", MeanScore(0.2, 0.7), reason=why), paged=["y"])  # fmt: skip
    _, x, y = rows(html)
    assert "0.00 to 1.00" in x and "0.20 to 0.70" in y
    assert all("Not scored: no model was named &lt;b&gt;" in row for row in (x, y))
    assert "href" not in x and "href" in y
    assert "<b>2 tasks</b> <bdi>no model was named &lt;b&gt;</bdi>" in html
    assert "0.40 to 0.90" in html


def test_a_broken_deck_is_0_and_says_that_no_tree_was_run(tmp_path: Path) -> None:
    html = page(tmp_path, task("x", NONE, reason="the edited deck is broken"))
    assert "No tree was run: the edited deck is broken" in html
    assert "Not scored" not in html


def test_the_page_is_whole_and_obeys_nobody(tmp_path: Path) -> None:
    html = page(tmp_path, task("<script>alert(1)</script>"))
    assert "A &lt;set&gt;" in html and "nobody/&lt;x&gt;" in html
    assert html.count("<script>") == 1 and "<script>alert" not in html
    assert "http://" not in html and "https://" not in html


def test_a_run_of_nothing_much_stands(tmp_path: Path) -> None:
    html = page(tmp_path, task("bare", ANY, difficulty="", categories=(), steps=None, goal=""))
    assert "not stated" in html and "none stated" in html


@pytest.mark.parametrize(
    ("score", "shown", "state"),
    [
        (ALL, "1.00", "met"), (NONE, "0.00", "unmet"), (HALF, "0.50", "part"),
        (ANY, "0.00 to 1.00", "open"), (MeanScore(0.9999, 0.9999), "0.99", "part"),
        (MeanScore(0.001, 0.001), "0.01", "part"), (MeanScore(1 - 1e-12, 1), "1.00", "met"),
    ],
)  # fmt: skip
def test_scores_are_shown_so_that_almost_is_never_all(
    score: MeanScore, shown: str, state: str
) -> None:
    assert (score.shown, score.state) == (shown, state)


@pytest.mark.long
@pytest.mark.chromium
def test_the_list_can_be_sorted_and_no_width_is_too_narrow(tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    long = "a-name-without-any-place-to-break-it-" * 4
    page(tmp_path, task("b", HALF), task("a", ALL), task(long, NONE), paged=["b"])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        opened = browser.new_page()
        complaints: list[str] = []
        opened.on("console", lambda message: complaints.append(message.text))
        opened.goto((tmp_path / "index.html").as_uri())
        wide = "document.documentElement.scrollWidth - innerWidth"
        for width in (1280, 700, 360):
            opened.set_viewport_size({"width": width, "height": 800})
            assert opened.evaluate(wide) <= 0
        opened.click("th button:has-text('Score')")
        scores = opened.locator(".cases td:nth-child(4) > bdi").all_text_contents()
        browser.close()
    assert scores == ["1.00", "0.50", "0.00"]
    assert complaints == []
