"""What the editor without a model makes of tasks that were not written for it.

Run as ``python -m bench.commands_alone [--all]``: the 32 starter cases of PPTArena and the 24
starter tasks of PPT-Eval. Each instruction ends as done, partly done, asked back or refused; what
is called done is held against the case's truth or graded with the task's rubric. Prints a table,
with ``--all`` each instruction; the exit code is 1 where anything is called done that is not right.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from decklab.core.results import NotScored
from decklab.editor.edit import edit_with_commands
from decklab.evals.pptarena.cases import Decks
from decklab.evals.pptarena.reference_scores import compare
from decklab.evals.pptarena.running import starter_cases
from decklab.evals.ppteval.tasks import load_editing_tasks, write_starter
from decklab.evals.rubrics.grade import grade

ENDINGS = ("done", "partly", "asked", "refused", "wrong")
"""``wrong`` is called done and is not."""


@dataclass(frozen=True)
class Ended:
    """How one instruction ended."""

    name: str
    ending: str
    """One of ``ENDINGS``."""
    score: float | None
    """Of the edited deck, 0 to 1; None where there is none."""


def main(arguments: list[str]) -> int:
    """Carry out all instructions and print what came of them; 1 where one is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = {
            "PPTArena": list(cases(folder / "arena")),
            "PPT-Eval": list(tasks(folder / "eval")),
        }
    print(f"| set | instructions | {' | '.join(ENDINGS)} |")
    print("| --- " * (len(ENDINGS) + 2) + "|")
    for label, ended in found.items():
        counts = Counter(one.ending for one in ended)
        cells = " | ".join(str(counts[ending]) for ending in ENDINGS)
        print(f"| {label} | {len(ended)} | {cells} |")
    every = [one for ended in found.values() for one in ended]
    for one in every if "--all" in arguments else ():
        print(f"{one.ending:8} {'' if one.score is None else f'{one.score:.2f}':5} {one.name}")
    return int(any(one.ending == "wrong" for one in every))


def cases(folder: Path) -> Iterator[Ended]:
    """The starter cases of PPTArena; the score is that of the edit against the truth."""
    with Decks(pictures=False) as decks:
        for at, case in enumerate(starter_cases(folder)):
            out = folder / f"{at}.pptx"
            out.unlink(missing_ok=True)
            outcome = edit_with_commands(case.original, case.prompt, out=out, draw=False).outcome
            value = compare(case, out, decks).value("edit") if out.is_file() else None
            yield _ended(case.name, outcome, value)


def tasks(folder: Path) -> Iterator[Ended]:
    """The starter tasks of PPT-Eval; the score is that of the rubric."""
    for at, task in enumerate(load_editing_tasks(write_starter(folder))):
        out = folder / f"{at}.pptx"
        out.unlink(missing_ok=True)
        outcome = edit_with_commands(task.deck, task.goal, out=out, draw=False).outcome
        yield _ended(
            task.name, outcome, grade(task.deck, out, task.rubric).score if out.is_file() else None
        )


def _ended(name: str, outcome: str, value: float | NotScored | None) -> Ended:
    score = None if value is None or isinstance(value, NotScored) else value
    is_wrong = outcome == "done" and (score is None or score < 1)
    return Ended(name, "wrong" if is_wrong else outcome, score)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
