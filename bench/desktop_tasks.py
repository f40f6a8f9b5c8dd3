"""PPT-Eval's starter tasks on the screen of Impress: what a save alone scores, and what scripts do.

``python -m bench.desktop_tasks noop`` opens and saves the deck of every task and grades it: all
score 0. ``python -m bench.desktop_tasks scripts`` plays the lists of actions in
``bench/desktop_scripts``, which solve their tasks through menus, dialogs and keys alone: all score
1. Both leave the report of a run, with a page of every trajectory, in ``--out``, print it, and end
with 1 where a score is another.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from decklab.core.options import EditLimits, TaskAgent
from decklab.evals.ppteval.running import bench_ppteval
from decklab.evals.ppteval.tasks import starter_tasks

SCRIPTS: Final = Path(__file__).with_name("desktop_scripts")
_LIMITS: Final = EditLimits(seconds=600.0, steps=60)
"""Scripts have a step for each key and click, more than a model's 30."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.desktop_tasks", description=__doc__)
    parser.add_argument("what", choices=("noop", "scripts"))
    parser.add_argument("--out", type=Path, default=Path("decklab-results/desktop-tasks"))
    parser.add_argument("--task", action="append", default=[], help="only this one; repeatable")
    parser.add_argument("--environments", type=int, default=2)
    how = parser.parse_args(arguments)
    scripted = how.what == "scripts"
    known = sorted(path.stem for path in SCRIPTS.glob("*.json"))
    names = how.task or (known if scripted else [task.name for task in starter_tasks()])
    agent = TaskAgent("desktop", SCRIPTS if scripted else None, environments=how.environments)
    run = bench_ppteval(
        how.out / how.what, names=names, agent=agent, limits=_LIMITS, overwrite=True,
        pictures=scripted,
    )  # fmt: skip
    wrong = [one for one in run.outcomes if one.score != float(scripted)]
    for line in (*run.lines(), *run.warnings()):
        print(line)
    for one in wrong:
        print(f"{one.task}: {one.range.shown}, not {float(scripted):g}: {one.reason}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
