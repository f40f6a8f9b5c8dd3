"""The page of a meta-evaluation."""

import re
from pathlib import Path

from decklab.reports.meta_page import AttemptView, LevelView, write_meta_page
from decklab.results import NotScored

LEVELS = [
    LevelView("none", "No progress", "0", 2, 1, 0, 0.1, 1.0),
    LevelView("some", "Some progress", "(0, 0.5)", 0, 0, 0, None, None),
    LevelView("significant", "Significant progress", "[0.5, 1)", 1, 0, 1, None),
    LevelView("perfect", "Perfect completion", "1", 1, 1, 0, 1.0),
]
ATTEMPTS = [
    AttemptView("a", "Do <a>", "Easy", "none", 0.0, 0.0, True, "trees/a none.html"),
    AttemptView("a", "Do <a>", "Easy", "none", 0.2, 0.2, False),
    AttemptView("a", "Do <a>", "Easy", "significant", 0.4, 0.9, False),
    AttemptView("b", "Do b", "", "perfect", 1.0, 1.0, True),
]


def page(folder: Path, attempts: list[AttemptView], **more: object) -> str:
    path = folder / "index.html"
    how: dict[str, object] = {"tau_b": 0.912, "rho": NotScored("too few"), "seconds": {}}
    write_meta_page(
        path,
        title="Some <set>",
        levels=LEVELS,
        attempts=attempts,
        paper={"tau_b": 0.77, "rho": 0.84},
        **{**how, **more},
    )  # type: ignore[arg-type]
    return path.read_text()


def test_numbers_stand_beside_the_papers(tmp_path: Path) -> None:
    html = page(tmp_path, ATTEMPTS)
    assert "0.91" in html and "paper: 0.77" in html
    assert "undefined" in html and "Undefined: too few." in html
    assert "1 of 2 attempts" in html and "50&nbsp;%" in html


def test_known_scores_are_dots_and_open_ones_are_told(tmp_path: Path) -> None:
    html = page(tmp_path, ATTEMPTS)
    assert len(re.findall("<circle", html)) == 3
    assert len(re.findall(r'class="dot off"', html)) == 1
    assert "0.40 to 0.90" in html


def test_scores_lead_to_their_trees_and_text_is_text(tmp_path: Path) -> None:
    html = page(tmp_path, ATTEMPTS)
    assert 'href="./trees/a%20none.html"' in html
    assert "Do &lt;a&gt;" in html and "Some &lt;set&gt;" in html
    assert "http://" not in html and "https://" not in html


def test_a_page_without_attempts_stands(tmp_path: Path) -> None:
    html = page(tmp_path, [], seconds={"sandbox": 0.5, "diff": 0.25, "total": 0.8})
    assert "<circle" not in html
    assert "A tree took 0.80 s" in html and "0.250 s" in html
