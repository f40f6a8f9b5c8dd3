"""The page of a PPT-Eval run: what it says, and that nothing on it is obeyed."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.results import NotScored
from decklab.evals.ppteval.outcomes import GroupRow, MeanScore, RunSummary, TaskOutcome
from decklab.evals.ppteval.report import TaskRow, write_run_page
from decklab.evals.ppteval.tasks import EditingTask
from decklab.evals.rubrics.rubric import parse_rubric

NONE, HALF, ALL = MeanScore(0, 0), MeanScore(0.5, 0.5), MeanScore(1, 1)
ANY = MeanScore(0, 1)


RUBRIC = parse_rubric({"root": {"name": "all", "children": [
    {"name": "one", "is_critical": True,
     "scorer": {"type": "function", "function_code": "def compute_score(): return '', 1.0"}}
]}})  # fmt: skip


def task(name: str = "one", score: MeanScore = ALL, **more: Any) -> TaskRow:
    told = {"difficulty": "Easy", "categories": ("text",), "steps": 2, **more}
    goal, page = told.pop("goal", f"Do <{name}>"), told.pop("page", "")
    ended = told.pop("ending", "")
    outcome = TaskOutcome(name, low=score.low, high=score.high, ended=ended, **told)
    return TaskRow(EditingTask(name, goal, Path("deck.pptx"), RUBRIC), outcome, page)


def standing(name: str, tasks: int = 1, score: MeanScore = ALL, **more: Any) -> GroupRow:
    success, steps = more.pop("success", score), more.pop("steps", 2.0)
    counted = NotScored("no editor counted its steps") if steps is None else steps
    return GroupRow(name, tasks, more.pop("open", 0), success, score, counted)


def page(folder: Path, *tasks: TaskRow, **more: Any) -> str:
    summary = RunSummary(
        more.get("overall", standing("All tasks", max(1, len(tasks)))),
        {row.name: row for row in more.get("difficulties", (standing("Easy"),))},
        {row.name: row for row in more.get("structures", (standing("Text"),))},
        None,
    )
    path = folder / "index.html"
    write_run_page(path, "A <set>", tasks, summary=summary, facts={"Editor": "nobody/<x>"})
    return path.read_text()


def rows(html: str) -> list[str]:
    """The rows of the list of tasks."""
    listed = html[html.index('<table class="tasks"') :]
    return re.findall(r'<tr role="row">\n<th role="rowheader".*?</tr>', listed, re.DOTALL)


def test_table_2_has_a_row_for_all_and_for_each_difficulty(tmp_path: Path) -> None:
    overall = standing("All tasks", 4, HALF, success=MeanScore(0.25, 0.25), steps=1.5)
    html = page(tmp_path, overall=overall, difficulties=(standing("Hard", 3, NONE, steps=None),))
    cells = [
        re.sub(r"<[^>]+>", " ", row).split()
        for row in re.findall(r"<tr[^>]*><th scope=\"row\">.*?</tr>", html)[:2]
    ]
    assert cells[0] == ["All", "tasks", "4", "0", "0.25", "0.50", "1.50"]
    assert cells[1] == ["Hard", "3", "0", "0.00", "0.00", "not", "counted"]
    assert "1 of 4 tasks done perfectly" in html


def test_bars_tell_perfect_tasks_partial_credit_and_what_is_still_possible(tmp_path: Path) -> None:
    mixed = standing("Text", 4, MeanScore(0.4, 0.65), success=MeanScore(0.25, 0.5), open=1)
    html = page(tmp_path, overall=mixed, structures=(mixed, standing("Charts", 2, NONE)))
    chart = html[html.index('<table class="chart"') : html.index('<table class="tasks"')]
    assert re.findall(r'<i class="(\w+)" style="width: ([\d.]+)%"', chart) == [
        ("full", "25.00"), ("some", "15.00"), ("maybe", "25.00"),
    ]  # fmt: skip
    assert "0.40 to 0.65" in chart and "still possible" in html


def test_a_task_leads_to_its_page_and_tells_score_ending_steps_and_time(tmp_path: Path) -> None:
    html = page(
        tmp_path,
        task("a b", HALF, page="tasks/a b.html", seconds=12.34, categories=("text", "notes")),
        task("cut", NONE, page="tasks/cut.html", ending="more than 30 steps", steps=None),
    )
    first, second = rows(html)
    assert 'href="./tasks/a%20b.html"' in first
    for said in ("0.50", "text, notes", "by itself", ">2<", "12.3 s", "Do &lt;a b&gt;"):
        assert said in first
    assert "more than 30 steps" in second and "not counted" in second and "0.00" in second


def test_what_is_not_scored_is_a_range_with_its_reason_and_never_0(tmp_path: Path) -> None:
    open_ = standing("All tasks", 3, MeanScore(1 / 3, 1), open=2)
    why = "no model was named <b>"
    html = page(tmp_path, task(), task("x", ANY, reason=why), task("y", MeanScore(0.2, 0.7),
                reason=why, page="tasks/y.html"), overall=open_)  # fmt: skip
    _, x, y = rows(html)
    assert "0.00 to 1.00" in x and "0.20 to 0.70" in y
    assert all("Not scored:</b> <bdi>no model was named &lt;b&gt;" in row for row in (x, y))
    assert "href" not in x and "href" in y
    assert "<b>2 tasks</b> <bdi>no model was named &lt;b&gt;</bdi>" in html
    assert "0.33 to 1.00" in html and "1 to 3 of 3 tasks done perfectly" in html


def test_a_broken_deck_is_0_and_says_that_no_tree_was_run(tmp_path: Path) -> None:
    html = page(tmp_path, task("x", NONE, reason="the edited deck is broken"))
    assert "No tree was run:</b> <bdi>the edited deck is broken" in html
    assert "Not scored" not in html


def test_the_page_is_whole_and_obeys_nobody(tmp_path: Path) -> None:
    html = page(tmp_path, task("<script>alert(1)</script>", page="javascript:alert(1)"))
    assert "A &lt;set&gt;" in html and "nobody/&lt;x&gt;" in html
    assert html.count("<script>") == 1 and "<script>alert" not in html
    assert 'href="./javascript%3Aalert%281%29"' in html
    assert "http://" not in html and "https://" not in html


def test_a_run_of_nothing_much_stands(tmp_path: Path) -> None:
    html = page(tmp_path, task("bare", ANY, difficulty="", categories=(), steps=None, goal=""),
                structures=())  # fmt: skip
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


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted), min_size=1, max_size=9))
def test_a_bar_ends_at_the_greatest_mean_still_possible(ranges: list[list[float]]) -> None:
    count = len(ranges)
    low, high = (sum(one[end] for one in ranges) / count for end in (0, 1))
    whole = [sum(one[end] >= 1 for one in ranges) / count for end in (0, 1)]
    row = GroupRow("all", count, 0, MeanScore(*whole), MeanScore(low, high), 2)
    assert all(0 <= share <= 1 + 1e-9 for share in row.bar)
    assert sum(row.bar) == pytest.approx(high, abs=1e-9)


@pytest.mark.long
@pytest.mark.chromium
def test_the_list_can_be_sorted_and_no_width_is_too_narrow(tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    long = "a-name-without-any-place-to-break-it-" * 4
    page(tmp_path, task("b", HALF, page="tasks/b.html"), task("a", ALL), task(long, NONE),
         structures=(standing("Text", 3, ANY), standing(long, 3, ANY)))  # fmt: skip
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
        scores = opened.locator(".tasks td.score b").all_text_contents()
        browser.close()
    assert scores == ["1.00", "0.50", "0.00"]
    assert complaints == []
