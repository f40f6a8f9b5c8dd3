"""The page of a meta-evaluation."""

from collections.abc import Mapping
from pathlib import Path

from decklab.core.results import NotScored
from decklab.evals.ppteval.meta import LEVELS, LevelAgreement, LevelRow
from decklab.evals.ppteval.outcomes import MeanScore
from decklab.evals.ppteval.report import AttemptRow, write_meta_page
from decklab.evals.ppteval.tasks import EditingTask
from decklab.evals.rubrics.rubric import parse_rubric

RUBRIC = parse_rubric({"root": {"name": "all", "children": [
    {"name": "one", "is_critical": True,
     "scorer": {"type": "function", "function_code": "def compute_score(): return '', 1.0"}}
]}})  # fmt: skip
A = EditingTask("a", "Do <a>", Path("a.pptx"), RUBRIC, "Easy")
B = EditingTask("b", "Do b", Path("b.pptx"), RUBRIC)
COUNTS = {
    "none": (2, 1, 0, 0.1), "some": (0, 0, 0, None), "significant": (1, 0, 1, None),
    "perfect": (1, 1, 0, 1.0),
}  # fmt: skip
ROWS = tuple(LevelRow(LEVELS[name], *COUNTS[name]) for name in LEVELS)
ATTEMPTS = [
    AttemptRow(A, "none", MeanScore(0.0, 0.0), True, "trees/a none.html"),
    AttemptRow(A, "none", MeanScore(0.2, 0.2), False),
    AttemptRow(A, "significant", MeanScore(0.4, 0.9), False),
    AttemptRow(B, "perfect", MeanScore(1.0, 1.0), True),
]


def page(
    folder: Path, attempts: list[AttemptRow], seconds: Mapping[str, float] | None = None
) -> str:
    path = folder / "index.html"
    found = LevelAgreement(ROWS, 0.912, NotScored("too few"), (), ())
    write_meta_page(path, "Some <set>", attempts, found, seconds=seconds or {})
    return path.read_text()


def test_numbers_stand_beside_the_papers(tmp_path: Path) -> None:
    html = page(tmp_path, ATTEMPTS)
    assert "0.91" in html and "paper: 0.77" in html
    assert "undefined" in html and "too few; paper: 0.84" in html
    assert "1 of 2 attempts" in html and "50%" in html


def test_levels_have_means_and_open_scores_are_told(tmp_path: Path) -> None:
    html = page(tmp_path, ATTEMPTS)
    assert "0.10" in html  # of 0.0 and 0.2 at the level none
    assert "does not fit its level" in html
    assert "0.40 to 0.90" in html


def test_scores_lead_to_their_trees_and_text_is_text(tmp_path: Path) -> None:
    html = page(tmp_path, ATTEMPTS)
    assert 'href="./trees/a%20none.html"' in html
    assert "Do &lt;a&gt;" in html and "Some &lt;set&gt;" in html
    assert "http://" not in html and "https://" not in html


def test_a_page_without_attempts_stands(tmp_path: Path) -> None:
    html = page(tmp_path, [], seconds={"sandbox": 0.5, "diff": 0.25, "total": 0.8})
    assert "<circle" not in html
    assert "0.800 s a tree" in html and "0.250 s a tree" in html
