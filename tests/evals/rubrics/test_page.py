"""The page of a graded attempt: what it says, and that nothing on it is obeyed."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pptx import Presentation
from tests.evals.rubrics.conftest import leaf, tree
from tests.examples import examples
from tests.scoring.reports.conftest import draw_slide

from decklab.core.errors import RenderFailed
from decklab.core.geometry import Box
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.graded import GradedNode, GradedTree, LeafResult, ModelCall, graded
from decklab.evals.rubrics.page import (
    ChangedSlides,
    SlidePair,
    changed_pictures,
    changed_regions,
    shown_score,
    write_grading_page,
    write_tree_page,
)
from decklab.rendering.renderer import Renderer


def view(name: str = "part", low: float = 1.0, high: float = 1.0, **more: Any) -> GradedNode:
    return GradedNode("", name, "", more.pop("critical", False), low, high, **more)


def page(tmp_path: Path, root: GradedNode, rule: str = "ppteval", **more: Any) -> str:
    path = tmp_path / "page.html"
    write_tree_page(path, GradedTree(root, rule), original="a.pptx", modified="b.pptx", **more)
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
    assert (shown_score(node), node.state) == (shown, state)


def test_the_tree_its_reasons_and_its_gaps_are_there(tmp_path: Path) -> None:
    gap = view("seen", 0, 1, not_scored="needs a model: none was named", critical=True)
    root = view("all", 0.5, 1, reason="half is known", children=(view(reason="as asked"), gap))
    html = page(tmp_path, root, task="Do it", rule="the mean", slides=ChangedSlides(more=2))
    for said in (
        "<title>0.5 to 1: Do it", "half is known", "as asked", "needs a model: none was named",
        "1 of 2 leaf checks could not be scored", "critical",
        "A criterion with parts scores the mean", "No slide differs",
        "2 more changed slides not shown",
    ):  # fmt: skip
        assert said in html
    assert len(root.leaves()) == 2


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
        tmp_path, view(), slides=ChangedSlides(
            (SlidePair(3, 4, "Moved", picture, picture),
             SlidePair(None, 5, "New", None, picture), SlidePair(6, None, "", None, None)),
            no_pictures="LibreOffice is not installed",
        ),
    )  # fmt: skip
    assert html.count("data:image/webp") == 3
    for said in ("Slide 4, once 3", "Slide 5, new", "Slide 6, removed", "No picture.",
                 "The slide is not in this deck.", "LibreOffice is not installed"):  # fmt: skip
        assert said in html


def test_text_of_strangers_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    evil = "</p><script>alert(1)</script><img src=http://x/y>"
    root = view(evil, 0, 1, reason=evil, children=(view(evil, 0, 1, not_scored=evil),))
    html = page(tmp_path, root, task=evil, slides=ChangedSlides((SlidePair(1, 1, evil),)))
    assert "<script>alert" not in html and "<img src=http" not in html
    assert re.search(r"script-src 'sha256-[^']+'", html)


@pytest.mark.by_day(1)
@pytest.mark.chromium
@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_sticks_out_and_nothing_is_loaded(tmp_path: Path, width: int) -> None:
    from playwright.sync_api import sync_playwright

    word = "x" * 300
    deep = view(word, 0.5, 0.5, reason=word, critical=True)
    for _ in range(4):
        deep = view(word, 0.5, 0.5, reason=word, children=(deep, deep))
    pairs = (SlidePair(1, 1, word, draw_slide(1), draw_slide(2)),)
    page(tmp_path, deep, task=word, slides=ChangedSlides(pairs))
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


def blank(height: int = 540, width: int = 960) -> NDArray[np.uint8]:
    return np.full((height, width, 3), 250, np.uint8)


def test_pictures_that_look_the_same_have_none() -> None:
    noisy = blank()
    noisy[::2, ::2] -= 10
    assert changed_regions(blank(), blank()) == changed_regions(blank(), noisy) == ()


def test_pictures_of_other_sizes_are_compared_in_the_frame() -> None:
    after = blank(720, 1280)
    after[400:600, 640:1280] = (250, 0, 0)
    [box] = changed_regions(blank(1080, 1920), after)
    assert box == Box(476, 296, 960, 454)


def test_near_changes_are_one_and_far_ones_are_not() -> None:
    after = blank()
    after[100:110, 100:110] = after[100:110, 115:125] = after[400:440, 600:640] = 0
    assert changed_regions(blank(), after) == (Box(596, 396, 644, 444), Box(96, 96, 129, 114))


def test_many_changes_are_cut_to_the_largest() -> None:
    after = blank()
    for place in range(12):
        after[40 * place : 40 * place + 5 + place, 100 : 105 + place] = 0
    found = changed_regions(blank(), after)
    assert len(found) == 8
    assert [box.area for box in found] == sorted((box.area for box in found), reverse=True)


@pytest.mark.filterwarnings("error")
@examples(25)
@given(st.integers(0, 900), st.integers(0, 500), st.integers(1, 60), st.integers(1, 40))
def test_a_box_holds_the_change_with_a_margin(left: int, top: int, width: int, height: int) -> None:
    after = blank()
    after[top : top + height, left : left + width] = 0
    [box] = changed_regions(blank(), after)
    assert box.left == max(0, left - 4) and box.top == max(0, top - 4)
    assert box.right == min(960, left + width + 4) and box.bottom == min(540, top + height + 4)


@pytest.fixture
def decks(tmp_path: Path) -> tuple[Path, Path]:
    """Two slides; the second title is edited."""
    deck = Presentation()
    for number in (1, 2):
        slide = deck.slides.add_slide(deck.slide_layouts[0])
        slide.shapes.title.text = f"Topic {number}"
    deck.save(str(tmp_path / "original.pptx"))
    deck.slides[1].shapes.title.text = "Theme 2"
    deck.save(str(tmp_path / "edited.pptx"))
    return tmp_path / "original.pptx", tmp_path / "edited.pptx"


def made(*calls: ModelCall) -> GradedTree:
    rubric = tree(leaf(critical=True), leaf())
    result = LeafResult(1.0, "as asked", asked=calls)
    return graded(rubric, {path: result for path, _ in rubric.leaves()})


class NoOffice:
    engine = "none"
    options: Mapping[str, object] = {}

    def pdf(self, path: str | Path) -> bytes:
        raise RenderFailed(path, "the printer is on fire")

    resaved = pdf


@pytest.mark.office
def test_changed_slides_stand_before_and_after_with_frames_around_changes(
    decks: tuple[Path, Path], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    with ComparedDecks(*decks) as pair:
        write_grading_page(page, made(), pair)
        [drawn] = changed_pictures(pair, 5)
    html = page.read_text()
    assert html.count("data:image/jpeg") == 2
    assert "Slide 2: <bdi>Theme 2</bdi>" in html and "Done as asked" in html
    # "Topic 2" stands centred in the title of the default layout; only the word differs.
    assert drawn.marks
    assert all(box.left > 250 and box.right < 750 and box.height < 120 for box in drawn.marks)
    assert html.count('class="halo"') == 2 * len(drawn.marks)


def test_the_page_says_why_pictures_lack(decks: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with ComparedDecks(*decks, renderer=Renderer(NoOffice())) as pair:
        write_grading_page(page, made(), pair)
        assert "the printer is on fire" in page.read_text()
        write_grading_page(page, made(), pair, pictures=False, summary="../all more.html")
        assert 'href="./../all%20more.html"' in page.read_text()
        assert "They were not asked for." in page.read_text()


def test_what_a_model_was_asked_is_told(decks: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    calls = ModelCall("Is it <blue>?", 2, 99, "YES"), ModelCall("Sure?", 0, 5, failed="overloaded")
    with ComparedDecks(*decks) as pair:
        write_grading_page(page, made(*calls), pair, pictures=False)
    html = page.read_text()
    for said in ("2 questions to a model", "Asked with 2 pictures", "Is it &lt;blue&gt;?", "YES",
                 "No answer", "overloaded"):  # fmt: skip
        assert said in html
