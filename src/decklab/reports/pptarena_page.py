"""The pages of PPTArena: a summary with table 3, and a page for each case."""

from pathlib import Path

from decklab.reports.page import write_page
from decklab.reports.pptarena_view import ArenaCase, ArenaRun

_HEADINGS = {
    "IF": "Instruction following, 0 to 5",
    "VQ": "Visual quality, 0 to 5",
    "recall": "Share of the asked changes that were made",
    "precision": "Share of the changes made that were asked for",
    "preservation": "Share of what was to stay that stayed",
    "visual": "Likeness of pictures to the truth, SSIM",
    "edit": "F1 of changes times preservation",
}


def write_arena_summary(path: str | Path, run: ArenaRun, *, generated_by: str = "decklab") -> None:
    """Write the summary of a run to ``path``, whole or not at all.

    It links to the pages of its cases and loads nothing; it works without JavaScript.
    """
    write_page(
        path, "pptarena.html", "open-for-print.js",
        run=run, headings=_HEADINGS, generated_by=generated_by,
    )  # fmt: skip


def write_arena_case(
    path: str | Path, case: ArenaCase, *, editor: str, columns: tuple[str, ...],
    summary: str = "", generated_by: str = "decklab",
) -> None:  # fmt: skip
    """Write the page of one case to ``path``; ``summary`` is the summary's path relative to it."""
    write_page(
        path, "pptarena-case.html", "open-for-print.js",
        case=case, editor=editor, columns=columns, headings=_HEADINGS, summary=summary,
        generated_by=generated_by,
    )  # fmt: skip
