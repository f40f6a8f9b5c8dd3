"""The page of a graded attempt: what it says, and that nothing on it is obeyed."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.reports.conftest import draw_slide

from decklab.reports.rubric_page import CriterionView, SlidePair, write_rubric_page


def view(name: str = "part", low: float = 1.0, high: float = 1.0, **more: Any) -> CriterionView:
    return CriterionView(name, "", more.pop("critical", False), low, high, **more)


def page(tmp_path: Path, root: CriterionView, **more: Any) -> str:
    path = tmp_path / "page.html"
    write_rubric_page(path, root, original="a.pptx", modified="b.pptx", **more)
    return path.read_text()


@pytest.mark.parametrize(
    ("low", "high", "shown", "state"),
    [
        (1, 1, "1", "met"), (0, 0, "0", "unmet"), (0.925, 0.925, "0.93", "part"),
        (0.5, 0.5, "0.5", "part"), (0, 0.7, "0 to 0.7", "open"),
        (0.999, 0.999, "just under 1", "part"),
        (0.001, 0.001, "just over 0", "part"), (1 - 1e-12, 1, "1", "met"),
    ],
)  # fmt: skip
def test_scores_are_shown_so_that_almost_is_never_all(
    low: float, high: float, shown: str, state: str
) -> None:
    node = view(low=low, high=high)
    assert (node.shown, node.state) == (shown, state)


def test_the_tree_its_reasons_and_its_gaps_are_there(tmp_path: Path) -> None:
    gap = view("seen", 0, 1, not_scored="needs a model: none was named", critical=True)
    root = view("all", 0.5, 1, reason="half is known", children=(view(reason="as asked"), gap))
    html = page(tmp_path, root, task="Do it", rule="the mean", more_slides=2)
    for said in (
        "<title>0.5 to 1: Do it", "half is known", "as asked", "needs a model: none was named",
        "1 of 2 leaf checks could not be scored", "critical",
        "A criterion with parts scores the mean", "No slide differs",
        "2 more changed slides not shown",
    ):  # fmt: skip
        assert said in html
    assert root.leaves == 2 and root.open_leaves == 1


def test_the_tree_in_short_has_a_cell_for_each_criterion_that_leads_to_it(tmp_path: Path) -> None:
    branch = view("branch", children=(view("a", critical=True), view("b")), critical=True)
    html = page(tmp_path, view("all", children=(branch, view("c"))))
    cells = re.findall(
        r'<a class="cell (\w+)( side)?" href="#([^"]+)" style="([^"]+)">'
        r'<span class="what"><bdi>(\w+)',
        html,
    )
    places = {name: (anchor, style, side) for _, side, anchor, style, name in cells}
    assert places == {
        "all": ("criteria", "grid-row: 1; grid-column: 1 / span 3", ""),
        "branch": ("c-0", "grid-row: 2; grid-column: 1 / span 2", ""),
        "a": ("c-0-0", "grid-row: 3 / -1; grid-column: 1 / span 1", ""),
        "b": ("c-0-1", "grid-row: 3 / -1; grid-column: 2 / span 1", " side"),
        "c": ("c-1", "grid-row: 2 / -1; grid-column: 3 / span 1", " side"),
    }
    assert set(re.findall(r'<li class="node[^"]*" id="([^"]+)"', html)) == {
        "c-0", "c-0-0", "c-0-1", "c-1"
    }  # fmt: skip


def test_a_tree_of_one_leaf_is_shown(tmp_path: Path) -> None:
    assert "only leaf" in page(tmp_path, view("only leaf"))


def test_slides_stand_side_by_side_and_lacking_ones_say_so(tmp_path: Path) -> None:
    picture = draw_slide(1)
    html = page(
        tmp_path, view(), no_pictures="LibreOffice is not installed",
        slides=[SlidePair(3, 4, "Moved", picture, picture),
                SlidePair(None, 5, "New", None, picture), SlidePair(6, None, "", None, None)],
    )  # fmt: skip
    assert html.count("data:image/webp") == 3
    for said in ("Slide 4, once 3", "Slide 5, new", "Slide 6, removed", "No picture.",
                 "The slide is not in this deck.", "LibreOffice is not installed"):  # fmt: skip
        assert said in html


def test_text_of_strangers_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    evil = "</p><script>alert(1)</script><img src=http://x/y>"
    root = view(evil, 0, 1, reason=evil, children=(view(evil, 0, 1, not_scored=evil),))
    html = page(tmp_path, root, task=evil, slides=[SlidePair(1, 1, evil)])
    assert "<script>alert" not in html and "<img src=http" not in html
    assert re.search(r"script-src 'sha256-[^']+'", html)


@pytest.mark.chromium
@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_sticks_out_and_nothing_is_loaded(tmp_path: Path, width: int) -> None:
    from playwright.sync_api import sync_playwright

    word = "x" * 300
    deep = view(word, 0.5, 0.5, reason=word, critical=True)
    for _ in range(4):
        deep = view(word, 0.5, 0.5, reason=word, children=(deep, deep))
    pairs = [SlidePair(1, 1, word, draw_slide(1), draw_slide(2))]
    page(tmp_path, deep, task=word, slides=pairs)
    requests: list[str] = []
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        tab = browser.new_page(viewport={"width": width, "height": 800})
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto((tmp_path / "page.html").as_uri())
        over = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
        browser.close()
    assert over <= 0
    assert [url for url in requests if not url.startswith(("data:", "file:"))] == []
