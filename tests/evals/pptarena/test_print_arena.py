from io import StringIO

from rich.console import Console

from decklab.core.results import NotScored
from decklab.evals.pptarena.report import ArenaEditor, ArenaRun
from decklab.evals.pptarena.tables import CategoryRow, MeanCell

COLUMNS = ("IF", "recall", "visual")


def editor(name: str, *, flawed: bool = False, recall: float | None = 0.5) -> ArenaEditor:
    cells = {
        "IF": MeanCell(NotScored("no judge was asked"), 0),
        "recall": MeanCell(NotScored("nothing there") if recall is None else recall),
        "visual": MeanCell(0.99991, 2, digits=3),
    }
    rows = CategoryRow("Content", 2, cells), CategoryRow("All cases", 2, cells)
    return ArenaEditor(name, rows, flawed=flawed)


def printed(run: ArenaRun, width: int = 90) -> str:
    text = StringIO()
    run.print(Console(file=text, width=width))
    return text.getvalue()


def test_editors_are_told_by_category_and_flawed_attempts_in_one_row() -> None:
    run = ArenaRun(
        "A run", "commit 1", COLUMNS, (editor("one"), editor("two", flawed=True)), ("A fact.",)
    )
    lines = printed(run).splitlines()
    assert lines[0] == "A run, commit 1"
    rows = [line.split() for line in lines if "0.50" in line]
    assert rows == [
        ["Content", "2", "0.50", "(1)", "0.999"],
        ["All", "cases", "2", "0.50", "(1)", "0.999"],
        ["two", "2", "0.50", "(1)", "0.999"],
    ]
    assert "IF" not in lines[2]
    assert [line.strip() for line in lines if line.strip() == "one"] == ["one"]
    assert lines[-2:] == ["Not scored: IF; no judge was asked.", "A fact."]


def test_numbers_are_whole_where_the_terminal_is_narrow() -> None:
    told = printed(ArenaRun("A run", "1", COLUMNS, (editor("openai/gpt-5"),)), width=24)
    assert "0.999" in told
    assert "…" not in told


def test_why_one_editor_lacks_a_value_is_told_of_it_alone() -> None:
    run = ArenaRun("A run", "1", COLUMNS, (editor("one"), editor("two", recall=None)))
    assert run.unscored == (
        "Not scored: IF; no judge was asked.",
        "Not scored: recall of two; nothing there.",
    )


def test_a_run_without_editors_is_no_error() -> None:
    run = ArenaRun("A run", "1", COLUMNS, ())
    assert (run.categories, run.unscored, run.by_case) == ((), (), ())
    assert printed(run).startswith("A run, 1")


def test_text_of_others_cannot_steer_the_terminal() -> None:
    run = ArenaRun("A \x1b[31mrun", "1", COLUMNS, (editor("[red]one\x1b[0m"),))
    assert "\x1b" not in printed(run)
    assert "[red]one" in printed(run)
