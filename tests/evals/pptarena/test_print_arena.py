"""A run as lines for a terminal."""

from pathlib import Path

import pytest

from decklab.core.results import NotScored
from decklab.evals.pptarena.cases import Case
from decklab.evals.pptarena.report import ArenaEditor, ArenaRun
from decklab.evals.pptarena.running import CaseResult, Edited

COLUMNS = {"recall": 0.5, "precision": 1.0, "preservation": 1.0, "visual": 0.99991, "edit": 0.5}


class Result(CaseResult):
    """A result with values of its own."""

    def value(self, name: str) -> float | NotScored:
        return COLUMNS.get(name, NotScored("no judge was asked"))


class Lost(CaseResult):
    """A result that has no value at all."""

    def value(self, name: str) -> float | NotScored:
        return NotScored("the editor could not be run")


def editor(name: str, kind: type[CaseResult] = Result) -> ArenaEditor:
    cases = [Case(f"c{n}", "x", "y", Path("a"), Path("b"), ("Content",), ()) for n in range(2)]
    results = [kind(case, Path("p"), Edited("done"), 1.0, NotScored("none")) for case in cases]
    return ArenaEditor(name, results)


def printed(run: ArenaRun) -> str:
    return "\n".join(run.lines())


def test_editors_are_told_over_all_cases_and_by_category() -> None:
    run = ArenaRun("A run", "commit 1", (editor("one"), editor("attempt: two")), ("A fact.",))
    lines = printed(run).splitlines()
    assert lines[0] == "A run, commit 1"
    [one] = [line.split() for line in lines if line.startswith("one") and "1.000" in line]
    # Almost the truth is not the truth.
    assert one == ["one", "1–2", "–", "–", "0.50", "1.00", "1.000", "0.999", "0.50"]
    assert any(line.split() == ["Editor", "Content", "All", "cases"] for line in lines)
    assert lines[-2:] == ["Not scored: IF, VQ; no judge was asked.", "A fact."]


def test_why_one_editor_lacks_a_value_is_told_of_it_alone() -> None:
    run = ArenaRun("A run", "1", (editor("one"), editor("two", Lost)))
    assert ("IF, VQ of one", "no judge was asked") in run.unscored
    assert ("everything of two", "the editor could not be run") in run.unscored


def test_a_run_without_any_value_has_failed() -> None:
    assert ArenaRun("A run", "1", (editor("two", Lost),)).failed == "the editor could not be run"
    assert ArenaRun("A run", "1", (editor("one"), editor("two", Lost))).failed == ""


def test_a_run_without_editors_is_no_error() -> None:
    run = ArenaRun("A run", "1", ())
    assert (run.unscored, run.by_case, run.failed) == ((), (), "")
    assert printed(run).startswith("A run, 1")


@pytest.mark.parametrize("name", ["[red]one\x1b[0m", "a\nb"])
def test_text_of_others_cannot_steer_the_terminal(name: str) -> None:
    run = ArenaRun("A \x1b[31mrun", "1", (editor(name),))
    assert "\x1b" not in printed(run)
