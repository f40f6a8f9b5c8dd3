"""The live runs: all that decklab asks models, each with a budget in minutes and a record."""

import json
import math
import os
import shutil
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, Literal

from inspect_ai.log import read_eval_log

import decklab
from bench.live.inputs import INSTRUCTIONS, LEAF_BY_FORM, LEAF_MIXED, Instruction, rubric
from decklab import evals
from decklab.core.errors import DecklabError, ModelFailed
from decklab.core.options import EditLimits, Spending
from decklab.core.results import NotScored
from decklab.deck.views.snapshot import snapshot_of
from decklab.evals.desktop.impress import Impress
from decklab.evals.desktop.model_agent import ModelAgent, run_agent
from decklab.evals.pptarena.cases import Decks
from decklab.evals.pptarena.running import judging, starter_cases
from decklab.evals.rubrics.drafting import draft_for_deck, propose_tasks
from decklab.evals.rubrics.rubric import parse_rubric
from decklab.models.asking import Ask, Budget, RunCosts
from decklab.models.inspect import chatting, open_model
from decklab.models.model_run import (
    Chat,
    QuestionRecord,
    open_asking,
    open_chat,
    open_record,
    recorded_chat,
)

CASES: Final = ("Crew leaders", "Titles in forest green")
"""Of the starter set of PPTArena."""
PROVIDER: Final = "openai-api/live"
"""Before a model's name, as Inspect AI knows it."""
_EDIT_MINUTES: Final = 0.5
_SCREEN_STEPS: Final = 4
_MINUTES: Final = 0.7
_COMMAND_SECONDS: Final = 900

Reads = Literal["", "score", "yes", "half yes", "order"]


@dataclass(frozen=True)
class Ending:
    """How one thing that was asked for ended."""

    what: str
    how: str
    """``done``, ``partly``, ``asked`` or ``refused``; ``scored`` or ``not scored``; ``made``; the
    name of a typed error; or ``untyped``, which must not be."""
    detail: str = ""
    score: float | None = None
    reads: Reads = ""
    """How the score has to follow from a reply; empty where no model had to be asked for it."""


@dataclass(frozen=True)
class Place:
    """Where a run takes place: the model, the decks, and the run's own folder."""

    model: str
    """As Inspect AI names it."""
    decks: Path
    folder: Path

    @property
    def record(self) -> Path:
        """The folder of the run's record."""
        return self.folder / "record"


@dataclass(frozen=True)
class RunResult:
    """One run: how all of it ended, how long it took, and what decklab says it cost."""

    name: str
    seconds: float
    endings: tuple[Ending, ...]


Run = Callable[[Place], list[Ending]]


def run_live(name: str, run: Run, place: Place) -> RunResult:
    """Do one run; whatever it raises is an ending."""
    place.folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    try:
        endings = run(place)
    except DecklabError as error:
        kind = f" ({error.kind})" if isinstance(error, ModelFailed) else ""
        endings = [Ending(name, f"{type(error).__name__}{kind}", str(error))]
    except Exception:  # noqa: BLE001  # what decklab does not raise on purpose is looked for
        endings = [Ending(name, "untyped", traceback.format_exc())]
    return RunResult(name, round(time.monotonic() - started, 1), tuple(endings))


@contextmanager
def _asking(place: Place, what: str, minutes: float = _MINUTES) -> Iterator[Ask]:
    record = open_record(place.record, {"command": f"live {what}", "model": place.model})
    account = RunCosts(Budget(minutes=minutes))
    with open_asking(place.model, account=account, record=record) as ask:
        yield ask


def edit(one: Instruction, place: Place) -> list[Ending]:
    """An edit by the model."""
    how = decklab.EditModel(
        place.model, rounds=2, spending=Spending(minutes=_EDIT_MINUTES, record=place.record)
    )
    out = place.folder / "edited.pptx"
    out.unlink(missing_ok=True)
    result = decklab.edit(place.decks / f"{one.deck}.pptx", one.text, out=out, model=how)
    detail = "; ".join([*result.sentences, *result.undone])
    if out.exists() != (result.outcome in ("done", "partly")):
        return [Ending(one.name, "untyped", f"{result.outcome}, and a deck: {out.exists()}")]
    return [Ending(one.name, result.outcome, detail)]


def grade(place: Place) -> list[Ending]:
    """A rubric of four leaves that ask the model, on a case of the starter set."""
    [case] = starter_cases(place.folder / "starter", CASES[:1])
    tree = parse_rubric(rubric(case.prompt.split(".")[0]), "live")
    with _asking(place, "grade") as ask:
        graded = evals.grade(case.original, case.ground_truth, tree, model=ask)
    reads: dict[str, Reads] = {LEAF_BY_FORM: "score", LEAF_MIXED: "half yes"}
    return [
        _scored(leaf.name, leaf.score, reads.get(leaf.name, "yes"), leaf.reason)
        for leaf in graded.root.leaves()
    ]


def judge(place: Place) -> list[Ending]:
    """Both judges on two cases: the truth itself, and a deck that nobody edited."""
    found = []
    cases = starter_cases(place.folder / "starter", CASES)
    with _asking(place, "judge", 2 * _MINUTES) as ask, Decks() as decks:
        judged = judging(ask)
        for case in cases:
            for what, deck in (("truth", case.ground_truth), ("unedited", case.original)):
                for name, verdict in zip(("IF", "VQ"), judged(case, deck, decks), strict=True):
                    reads: Reads = "score" if verdict.model else ""
                    told = f"{name}, {case.name}, {what}"
                    found.append(_scored(told, verdict.score, reads, verdict.reason))
    return found


def _scored(what: str, score: float | NotScored, reads: Reads, reason: str) -> Ending:
    if isinstance(score, NotScored):
        return Ending(what, "not scored", score.reason)
    return Ending(what, "scored", reason, score, reads)


def propose(place: Place) -> list[Ending]:
    """Three tasks for a deck."""
    with _asking(place, "propose") as ask:
        tasks = propose_tasks(snapshot_of(place.decks / "short.pptx"), ask, count=3)
    return [Ending("tasks", "made", "; ".join(task.goal for task in tasks))]


def draft(place: Place) -> list[Ending]:
    """A rubric for a task, written by the model."""
    with _asking(place, "draft") as ask:
        made = draft_for_deck(
            "Make the title of slide 2 bold", place.decks / "short.pptx", ask, repairs=1
        )
    return [Ending("rubric", "made", "; ".join(node.name for _, node in made.leaves()))]


def desktop(checked: bool, pictures: int, place: Place) -> list[Ending]:
    """A title to be changed in Impress on a screen, which these models cannot see; with
    ``checked`` they are asked beforehand whether they see, with 0 ``pictures`` they are told the
    controls."""
    record = open_record(place.record, {"command": "live desktop", "model": place.model})
    account = RunCosts(Budget(minutes=_MINUTES))
    shutil.rmtree(place.folder / "trajectory", ignore_errors=True)
    deck, out = place.decks / "short.pptx", place.folder / "left.pptx"
    with _chatting(place.model, account, record, checked) as chat, Impress(deck, out) as screen:
        run = run_agent(
            ModelAgent(chat, pictures=pictures, controls=not pictures), screen,
            INSTRUCTIONS[0].text, limits=EditLimits(steps=_SCREEN_STEPS),
            trajectory=place.folder / "trajectory",
        )  # fmt: skip
    ended = run.end.ended if run.deck is not None else "untyped"
    return [Ending("title", ended, run.end.detail or run.end.message)]


@contextmanager
def _chatting(
    model: str, account: RunCosts, record: QuestionRecord, checked: bool
) -> Iterator[Chat]:
    if checked:
        with open_chat(model, account=account, record=record) as chat:
            yield chat
    else:
        with chatting(open_model(model), name=model, account=account) as (chat, _):
            yield recorded_chat(chat, record)


def slideeval(task: str, sizes: Mapping[str, str], place: Place) -> list[Ending]:
    """One of the three tasks, text only, by its command."""
    words = [
        sys.executable, "-m", "decklab", "bench", f"slideeval-{task}", str(place.decks),
        "--text-only", "--model", place.model, "--runs", "1", "--record", str(place.record),
        "--budget-minutes", str(_MINUTES), "--out", str(place.folder / "out"), "--json",
        *(word for pair in sizes.items() for word in pair),
    ]  # fmt: skip
    done = subprocess.run(
        words, check=False, capture_output=True, text=True, timeout=_COMMAND_SECONDS,
        env=dict(os.environ),
    )  # fmt: skip
    if done.returncode not in (0, 3) or "Traceback" in done.stderr:
        return [Ending(task, "untyped", f"exit {done.returncode}: {done.stderr[-2000:]}")]
    newest = max((place.folder / "out" / "logs").glob("*.eval"), key=lambda one: one.name)
    return [*_samples(newest), *_headlines(done.stdout)]


def _samples(path: Path) -> Iterator[Ending]:
    """How each question of a log ended."""
    for sample in read_eval_log(str(path)).samples or []:
        what = str(sample.id)
        if sample.error is not None:
            yield Ending(what, "no reply", " ".join(sample.error.message.split())[-240:])
            continue
        [(scorer, score)] = (sample.scores or {}).items()
        value, why = score.value, score.explanation or ""
        if isinstance(value, dict):
            yield Ending(what, "read" if value["parsed"] else "does not fit", why)
        elif not isinstance(value, int | float) or math.isnan(value):
            yield Ending(what, "not scored", why)
        elif scorer == "rating":
            yield Ending(what, "scored", why, float(value), "score")
        else:
            shown = f"shown {sample.metadata['shown']}"
            yield Ending(what, "scored", shown, float(value), "order")


def _headlines(printed: str) -> Iterator[Ending]:
    for line in json.loads(printed):
        value = line["value"]
        name = f"{line['measure']} of the report"
        told = line["reason"] if value is None else f"{value:.3f} over {line['n']}"
        yield Ending(name, "not scored" if value is None else "summed up", told)


RUNS: Final[Mapping[str, Run]] = {
    **{f"edit, {one.name}": partial(edit, one) for one in INSTRUCTIONS},
    "grade": grade,
    "judge": judge,
    "propose": propose,
    "draft": draft,
    "desktop": partial(desktop, True, 3),
    "desktop, not asked whether it sees": partial(desktop, False, 3),
    "desktop, by its controls": partial(desktop, True, 0),
    "slideeval extract": partial(slideeval, "extract", {"--sample": "2"}),
    "slideeval perturb": partial(slideeval, "perturb", {"--sample": "1", "--steps": "1"}),
    "slideeval order": partial(slideeval, "order", {"--sample": "2"}),
}
"""All runs by name."""


def at(place: Place, name: str) -> Place:
    """The place of the run ``name``, below that of its model."""
    return replace(place, folder=place.folder / name.replace(", ", "-").replace(" ", "-"))
