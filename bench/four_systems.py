"""Four systems of known rank in one run of a benchmark: what its tables and tests tell apart.

``python -m bench.four_systems BENCHMARK --out OUT [--decks DIR] [--name NAME ...]`` runs one of
pptarena, ppteval, slideeval and unippt without a model, on decklab's own sets (slideeval: on the
decks of ``--decks``), all or those of ``--name``:

- what decklab does without a model: its editor of exact requests, its reader and critic, its writer
- a floor: nothing done, nothing seen, sentences of the sources on plain slides
- what is known to be right: the truths; for unippt, decks by hand
- the same, sabotaged

The report is left in OUT, with ``board/`` where one run has one system, and ``tables.pdf`` of its
LaTeX tables if there is pdflatex.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from inspect_ai import Task
from inspect_ai.solver import Solver
from pydantic import BaseModel

import decklab
from bench.arena_sabotages import touched
from decklab.deck.model.base import PlainSlide
from decklab.documents.reading import read_documents
from decklab.evals.editors.protocol import Editor, EditSession, EditTask, trusted
from decklab.evals.inspect_run import run_task
from decklab.evals.perturb.deck import perturb
from decklab.evals.perturb.sabotage import SABOTAGES
from decklab.evals.pptarena.cases import Decks
from decklab.evals.pptarena.running import starter_cases
from decklab.evals.pptarena.session import bench_pptarena
from decklab.evals.ppteval.meta import sabotage_sandbox, sabotaged
from decklab.evals.ppteval.running import bench_ppteval
from decklab.evals.ppteval.tasks import EDITORS, starter_tasks
from decklab.evals.results.board import write_board
from decklab.evals.slideeval.items import extract_items, order_items, rate_items
from decklab.evals.slideeval.questions import OrderAnswer, Rating5, Rating100, answer_with
from decklab.evals.slideeval.report import LOGS, report_folder
from decklab.evals.slideeval.tasks import extract_task, order_task, rate_task
from decklab.evals.slidesgen.jobs import write_baseline
from decklab.evals.unippt.running import bench_unippt
from decklab.evals.unippt.tasks import load_deck_tasks, write_starter, write_starter_decks
from decklab.rendering.renderer import Cache, Renderer

KNOWN, SPOILT, FLOOR, BY_HAND = "truth", "sabotaged", "floor", "by hand"
HARM: Final = ("other_slide_covered", "slide_copied", "rest_reworded")
"""Sabotages of edits, the first that fits: the work stays, and something else is harmed."""
SEVERITIES: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_SEEDS: Final = 8
_SLIDES: Final = 24
"""Slides to damage, and to read."""


def spoilt(deck: Path, may_change: Sequence[Mapping[str, Any]], ways: Sequence[str]) -> bytes:
    """The deck after the first of ``ways`` that fits, or after any other sabotage."""
    with sabotage_sandbox({"deck.pptx": deck}) as sandbox:
        for way in (*ways, *SABOTAGES):
            if (data := sabotaged(sandbox, "deck.pptx", way, may_change)) is not None:
                return data
    raise ValueError(f"no sabotage fits {deck}")


def pptarena(out: Path, names: Sequence[str], decks: Path) -> list[Path]:
    """decklab's commands, nothing done, the truths, and the truths with harm beside the edit."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        cases = starter_cases(folder / "cases", names)
        with Decks(pictures=False) as opened:
            for case in cases:
                asked = touched(opened.edit(case.original, case.ground_truth))
                path = folder / SPOILT / f"{case.name}.pptx"
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(spoilt(case.ground_truth, asked, HARM))
        bench_pptarena(out, names=names, predictions={SPOILT: folder / SPOILT}, overwrite=True)
    return [out]


def _harmed(task: EditTask) -> Editor:
    """The editor that submits the perfect attempt at a starter task, with harm beside it."""
    [known] = [starter for starter in starter_tasks() if starter.name == task.name]

    def edit(deck: Path, instruction: str, session: EditSession) -> None:
        session.step("run the program that does it, and another that harms")
        with sabotage_sandbox({"deck.pptx": deck}) as sandbox:
            may_change, done = known.rubric["metadata"]["may_change"], known.attempts["perfect"]
            made = (sabotaged(sandbox, "deck.pptx", way, may_change, done) for way in HARM)
            deck.write_bytes(next(data for data in made if data is not None))

    return trusted(edit)


def ppteval(out: Path, names: Sequence[str], decks: Path) -> list[Path]:
    """decklab's commands, nothing done, the perfect attempts, and these with harm beside."""
    EDITORS.register(SPOILT, _harmed)
    editors = ("commands", "noop", KNOWN, SPOILT)
    for editor in editors:
        bench_ppteval(out / editor, editor=editor, names=names, pictures=False, overwrite=True)
    return [out / editor for editor in editors]


def unippt(out: Path, names: Sequence[str], decks: Path) -> list[Path]:
    """decklab's writer, sentences on plain slides, decks by hand, and these with the text of every
    second slide out of sight. For a task without documents the sentences are those of its request.
    """
    with TemporaryDirectory() as scratch:
        tasks, made = write_starter(Path(scratch) / "tasks", names), Path(scratch) / "made"
        write_starter_decks(tasks, made, names)
        for quality in ("fair", "poor", "bad"):
            shutil.rmtree(made / quality)
        (made / "thorough").rename(made / BY_HAND)
        (made / SPOILT).mkdir()
        (made / FLOOR).mkdir()
        for task in load_deck_tasks(tasks, names):
            name = f"{task.name}.pptx"
            with decklab.open(made / BY_HAND / name) as deck:
                hidden = [{"slide": n, "shapes": ["*"]} for n in range(2, len(deck) + 1, 2)]
            data = spoilt(made / BY_HAND / name, hidden, ["transparent_text"])
            (made / SPOILT / name).write_bytes(data)
            request = made / f"{task.name}.md"
            request.write_text(task.task.request)
            write_baseline(read_documents(task.sources or [request]), made / FLOOR / name)
            request.unlink()
        bench_unippt(out, tasks=tasks, decks=made, write=True, overwrite=True)
    return [out]


def slideeval(out: Path, names: Sequence[str], decks: Path) -> list[Path]:
    """decklab's reader, critic and order; nothing seen, middling marks and the order as shown; the
    truths; and the truths with places shaken, marks turned round and halves exchanged."""
    with Renderer(cache=Cache()).started() as renderer:
        drawn: dict[str, Any] = {"renderer": renderer}
        read = extract_items(decks, sample=_SLIDES, **drawn).chosen
        rated = rate_items(decks, sample=_SEEDS, severities=SEVERITIES, **drawn).chosen
        ordered = order_items(decks, **drawn).chosen
    tasks: Sequence[Callable[..., Task]] = (
        partial(extract_task, read), partial(rate_task, rated), partial(order_task, ordered),
    )  # fmt: skip
    for made in tasks:
        run_task(made(runs=1, baseline=True), logs=out / LOGS)
        for judge, answers in JUDGES.items():
            task: Task = made(runs=1)
            task.solver = answer_of(task, answers)
            run_task(task, logs=out / LOGS, model=f"mockllm/{judge}")
    report_folder(out / LOGS, out)
    return [out]


def answer_of(task: Task, answers: Callable[[Mapping[str, Any]], BaseModel]) -> Solver:
    """A solver that answers a question by what its metadata knows."""
    asked = {str(sample.id): sample.metadata or {} for sample in task.dataset}
    return answer_with(lambda id: answers(asked[id]).model_dump_json())


def _mark(asked: Mapping[str, Any], share: float) -> BaseModel:
    """A mark at a share of its scale, 1 the best."""
    form = Rating5 if asked["scale"] == 5 else Rating100
    return form(score=round(1 + (asked["scale"] - 1) * share))


def _order(asked: Mapping[str, Any]) -> list[int]:
    """The numbers of the pictures in the order of the deck."""
    shown = asked["shown"]
    return sorted(range(1, len(shown) + 1), key=lambda number: shown[number - 1])


def right(asked: Mapping[str, Any]) -> BaseModel:
    """The truth; for a mark the damage that was measured."""
    match asked["answer"]:
        case "slide":
            return PlainSlide.model_validate(asked["truth"])
        case "order":
            return OrderAnswer(order=_order(asked))
        case _:
            return _mark(asked, 1 - asked["damage"])


def least(asked: Mapping[str, Any]) -> BaseModel:
    """What nobody needs to look for: an empty slide, a middling mark, the order as shown."""
    match asked["answer"]:
        case "slide":
            truth = PlainSlide.model_validate(asked["truth"])
            nothing = dict.fromkeys(("texts", "rects", "lines", "images", "tables"), ())
            return truth.model_copy(update={**nothing, "background": "#FFFFFF"})
        case "order":
            return OrderAnswer(order=list(range(1, len(asked["shown"]) + 1)))
        case _:
            return _mark(asked, 0.5)


def wrong(asked: Mapping[str, Any]) -> BaseModel:
    """The truth with places shaken, marks turned round, or halves exchanged."""
    match asked["answer"]:
        case "slide":
            truth = PlainSlide.model_validate(asked["truth"])
            return perturb(truth, "geometry", 0.5, key=f"{asked['deck']}#{asked['slide']}")
        case "order":
            order = _order(asked)
            middle = len(order) // 2
            return OrderAnswer(order=order[middle:] + order[:middle])
        case _:
            return _mark(asked, asked["damage"])


JUDGES: Final = {KNOWN: right, FLOOR: least, SPOILT: wrong}
BENCHMARKS: Final = {"pptarena": pptarena, "ppteval": ppteval, "slideeval": slideeval,
                     "unippt": unippt}  # fmt: skip


def typeset(folder: Path) -> Path | None:
    """All LaTeX tables of a folder as one PDF; None without pdflatex."""
    if (program := shutil.which("pdflatex")) is None:
        return None
    lines = [r"\documentclass{article}", r"\usepackage[landscape,margin=1cm]{geometry}",
             r"\usepackage[T1]{fontenc}", r"\begin{document}"]  # fmt: skip
    lines += [rf"\input{{tables/{path.name}}}" for path in sorted(folder.glob("tables/*.tex"))]
    (folder / "tables.tex").write_text("\n".join([*lines, r"\end{document}", ""]))
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    return folder / "tables.pdf"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.four_systems")
    parser.add_argument("benchmark", choices=list(BENCHMARKS))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", action="append", default=[])
    parser.add_argument("--decks", type=Path, default=Path("../shared/decks/real"))
    how = parser.parse_args(arguments)
    folders = BENCHMARKS[how.benchmark](how.out, how.name, how.decks)
    write_board(folders, how.out / "board", title=how.benchmark, overwrite=True)
    for table in sorted(how.out.glob("board/tables/*.md")):
        print(table.read_text())
    print(typeset(how.out / "board") or "no pdflatex: the tables are LaTeX only")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
