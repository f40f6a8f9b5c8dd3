"""One editor put to cases, for tests that look at its results."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from decklab.evals.editors.isolation import EditorFor
from decklab.evals.pptarena.cases import Case, CaseSet, Decks
from decklab.evals.pptarena.running import CaseResult, Judge
from decklab.evals.pptarena.task import run_editors


def run_cases(
    cases: Iterable[Case],
    editor: EditorFor[Case],
    folder: Path,
    *,
    decks: Decks,
    judge: Judge | None = None,
    second: Judge | None = None,
    **options: Any,
) -> list[CaseResult]:
    """Its decks are then in ``folder / "out" / "one"``."""
    known = CaseSet(tuple(cases), folder / "cases.json", "content 1")
    judges = [one for one in (judge, second) if one is not None]
    found = run_editors(
        known, {"one": editor}, folder / "out", decks=decks, judges=lambda _: judges, **options
    )
    return found["one"]
