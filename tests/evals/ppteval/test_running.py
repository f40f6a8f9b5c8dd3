"""A run from Python: what it leaves on disk."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from decklab.core.options import EditLimits
from decklab.evals.editors.protocol import plain, trusted
from decklab.evals.ppteval.report import tree_pages
from decklab.evals.ppteval.running import run_ppteval
from decklab.evals.ppteval.tasks import EditingTask

# Inspect leaves some of its streams for the garbage collector to close.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def _tidy() -> Iterator[None]:
    """Have them collected here, not in the tests that follow."""
    yield
    gc.collect()


def test_pages_are_of_this_run_and_names_of_tasks_lead_nowhere_else(
    caged: None, tasks: dict[str, EditingTask], tmp_path: Path
) -> None:
    def buggy(deck: Path, instruction: str) -> None:
        if "Ridge Trail" in instruction:
            raise KeyError("no such thing")

    out, over = tmp_path / "out", list[int]()
    chosen = [tasks["cover-wording"], replace(tasks["new-order"], name="../../new order")]
    earlier, page = (out / path for path in tree_pages(chosen).values())
    earlier.parent.mkdir(parents=True)
    earlier.write_text("of another run")
    outcomes = run_ppteval(
        chosen, lambda task: trusted(plain(buggy)), name="buggy", model=None, judge=None,
        limits=EditLimits(), pictures=False, out=out, ended=lambda: over.append(1),
    )  # fmt: skip
    assert len(over) == 2
    assert [(one.low, one.high) for one in outcomes] == [(0, 1), (0, 0)]
    assert not earlier.exists()
    assert page.is_file()
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
    decks = {path.name: sorted(one.name for one in path.iterdir())
             for path in (out / "decks").iterdir()}  # fmt: skip
    assert decks == {
        "cover-wording": ["before.pptx", "edited.pptx"],
        "new-order": ["before.pptx", "edited.pptx"],
    }
