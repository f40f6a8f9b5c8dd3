"""The page of a PPT-Eval run: table 2, scores by structure as in figure 7, and all tasks."""

from pathlib import Path

from decklab.reports.page import write_page
from decklab.reports.ppteval_view import EditingRun


def write_editing_run(path: str | Path, run: EditingRun, *, generated_by: str = "decklab") -> None:
    """Write the page of a run to ``path``, whole or not at all.

    It links to the pages of its tasks and loads nothing; without JavaScript only sorting is gone.
    """
    write_page(path, "ppteval.html", "sort.js", run=run, generated_by=generated_by)
