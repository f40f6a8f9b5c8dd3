"""Whole runs of ``decklab bench slidesgen``, and what they leave on disk."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from decklab.core.errors import UnknownName
from decklab.core.files import lasting_folder, scratch_folder, write_whole
from decklab.core.options import SlideReading, Spending
from decklab.core.output_folder import begin_run_folder, check_run_folder
from decklab.evals.editors.running import NO_MODEL, asking_in_run
from decklab.evals.inspect_run import EVERY_SAMPLE, one_at_a_time, run_task, sample_score, say
from decklab.evals.slidesgen.evaluation import (
    DECK_MEASURES,
    DECK_METRICS,
    SlidesgenRow,
    without_deck,
)
from decklab.evals.slidesgen.instructions import (
    Instruction,
    InstructionSet,
    load_instructions,
    write_starter_set,
)
from decklab.evals.slidesgen.jobs import (
    DeckEntry,
    DeckJob,
    SlidesgenBench,
    deck_jobs,
    find_system_decks,
    writer_name,
)
from decklab.evals.slidesgen.report import SlidesgenRun, write_slidesgen_report
from decklab.models.inspect import open_model
from decklab.models.model_run import ModelRun, begin_run, file_digest
from decklab.pages.files import csv_text, strict_json
from decklab.rendering.renderer import Cache, Renderer

_ROW = "slidesgen_row"


@task
def slidesgen(
    *,
    instructions: str | None = None,
    decks: str | None = None,
    writer: bool = True,
    baseline: bool = False,
    judge: str | None = None,
    reading: SlideReading = "text",
) -> Task:
    """SlidesGen-Bench, paper 002: systems that write decks from documents.

    ``instructions`` is a set's file or folder, decklab's own if it is not given; ``decks`` a
    folder of decks by system, or a table. With ``writer`` decklab writes too, with the task's model
    or without one; with ``baseline`` a program puts sentences on plain slides. ``judge`` is the
    model that makes and answers the questions; without it programs do, which is a proxy.
    """
    folder = lasting_folder("slidesgen")  # samples read it
    listed = load_instructions(instructions or write_starter_set(folder / "set"))
    entries = find_system_decks(decks, listed.topics).entries if decks else ()
    model = str(get_model()) if writer else NO_MODEL
    name = writer_name(None if model == NO_MODEL else model)
    jobs = deck_jobs(listed, entries, writer=name if writer else "", baseline=baseline)
    asked = open_model(judge) if judge else None
    run = ModelRun(reported=False)
    return slidesgen_task(SlidesgenBench(listed, jobs, folder, asked, reading, run))


def slidesgen_task(
    bench: SlidesgenBench,
    jobs: Sequence[DeckJob] | None = None,
    *,
    ended: Callable[[], object] = lambda: None,
) -> Task:
    """The task ``slidesgen`` of a prepared bench, for all its decks or for some.

    ``ended`` is called after each deck.
    """
    return Task(
        dataset=[
            Sample(
                id=job.sample,
                input=job.instruction.request or f"Write a deck: {job.instruction.name}.",
                metadata={"system": job.system, "topic": job.instruction.topic,
                          "purpose": job.instruction.purpose},
            )
            for job in (bench.jobs.values() if jobs is None else jobs)
        ],
        solver=write_or_take(bench),
        scorer=deck_measures(bench, ended),
        name="slidesgen",
        metadata={"reading": bench.reading, "judge": str(bench.judge) if bench.judge else None},
        fail_on_error=EVERY_SAMPLE,
    )  # fmt: skip


@solver
def write_or_take(bench: SlidesgenBench) -> Solver:
    """Have the system write its deck, decklab's writer with the task's model if there is one."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        job = bench.jobs[str(state.sample_id)]
        ask = asking_in_run(bench.run, model) if job.how == "writer" else None
        # One at a time, so that seconds are those of one deck.
        made = await one_at_a_time("decklab-writing", bench.make, job, ask)
        bench.made[state.uuid] = made
        say(state, model, str(made.deck))
        return state

    return solve


@metric
def slidesgen_means() -> Metric:
    """The mean of each measure over all decks that have it, and by system."""

    def means(scores: list[SampleScore]) -> Value:
        rows = [(score.score.metadata or {}).get(_ROW) for score in scores]
        means: dict[str, list[float]] = {}
        for row in filter(None, rows):
            for measure, value in row["values"].items():
                if value is not None:
                    means.setdefault(measure, []).append(value)
                    means.setdefault(f"{row['system']}: {measure}", []).append(value)
        return {name: fmean(values) for name, values in means.items()}

    return means


@scorer(metrics=[slidesgen_means()])
def deck_measures(bench: SlidesgenBench, ended: Callable[[], object]) -> Scorer:
    """Content, aesthetics, editability, quality and cost of a deck; the score's value is the
    quality, and not scored if there is none."""

    async def score(state: TaskState, target: Target) -> Score:
        job = bench.jobs[str(state.sample_id)]
        ask = asking_in_run(bench.run, bench.judge)
        made = bench.made.pop(state.uuid)
        row = await one_at_a_time("decklab-scoring", bench.evaluate, job, made, ask)
        ended()
        return _score(row, bench.run)

    return score


def _score(row: SlidesgenRow, run: ModelRun) -> Score:
    metadata: dict[str, Any] = {_ROW: row.to_json()}
    reasons = "; ".join(
        f"{name}: {row.reasons[name]}" for name in DECK_MEASURES if name in row.reasons
    )
    return sample_score(row.value("quality"), run, explanation=reasons, metadata=metadata)


_LOGS = "logs"


def bench_slidesgen(
    out: Path,
    *,
    instructions: Path | None = None,
    topics: Sequence[str] = (),
    decks: Path | None = None,
    writer: bool = False,
    baseline: bool = False,
    model: str | None = None,
    judge: str | None = None,
    reading: SlideReading = "text",
    spending: Spending | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
    tell: Callable[[str], None] = lambda line: None,
) -> SlidesgenRun:
    """Score the decks of systems about the topics of ``instructions``, and leave a report in
    ``out``.

    ``instructions`` is a set's file or folder, without it decklab's own set; ``topics`` some of it.
    ``decks`` are decks that were made elsewhere, a folder for each system or a table. With
    ``writer`` decklab writes too, with ``model`` or without one; with ``baseline`` a program puts
    sentences on plain slides. ``judge`` is the model that makes and answers the questions about
    content; None has programs do it, a proxy. ``spending`` bounds and keeps what models are asked.
    With ``resume`` what an earlier run into ``out`` wrote and scored from the same files is not
    done again. ``progress`` is called with the number of decks done and of all, first with 0 when
    everything is ready. Until then it raises DecklabError or OSError for anything missing or wrong.
    """
    with ExitStack() as stack:
        check_run_folder(out, overwrite=overwrite or resume or bool(spending and spending.record))
        _check_models(model, judge, writer=writer)
        if instructions is None:
            folder = stack.enter_context(scratch_folder("starter"))
            instructions = write_starter_set(folder)
        whole = load_instructions(instructions)
        chosen = whole.only(topics)
        given = find_system_decks(decks, whole.topics) if decks else None
        entries = given.entries if given else ()
        jobs = deck_jobs(
            chosen, entries, writer=writer_name(model) if writer else "", baseline=baseline
        )
        named = {"model": model, "judge": judge, "reading": reading}
        run = begin_run(spending, _asked(named, chosen, entries), tell=tell)
        renderer = stack.enter_context(Renderer(cache=Cache()).started())
        renderer.check()
        asked = open_model(judge) if judge else None
        bench = SlidesgenBench(
            whole, jobs, out, asked, reading, run, renderer, resume=resume, model=model or ""
        )
        begin_run_folder(out, overwrite=overwrite or resume or run.resumed)
        rows = _rows(bench, jobs, model, progress)
    title, unused = chosen.title or "SlidesGen-Bench", given.unused if given else ()
    facts = _facts(named, chosen, rows)
    result = SlidesgenRun(title, tuple(rows), facts, run.words, run.costs.ended, unused)
    _write_results(out, result)
    write_slidesgen_report(out, result)
    return result


def _check_models(model: str | None, judge: str | None, *, writer: bool) -> None:
    """Raise if a model cannot be had, or has nothing to do."""
    if model is not None and not writer:
        raise UnknownName(f"{model} has nothing to do: the model is the writer's")
    for name in filter(None, (model, judge)):
        open_model(name)


def _rows(
    bench: SlidesgenBench,
    jobs: Sequence[DeckJob],
    model: str | None,
    progress: Callable[[int, int], object],
) -> list[SlidesgenRow]:
    """The rows of all jobs in their order; those of an earlier run that still hold are taken."""
    rows = {job.sample: row for job in jobs if (row := bench.stored(job)) is not None}
    left = [job for job in jobs if job.sample not in rows]
    done = count(len(rows) + 1)
    progress(len(rows), len(jobs))
    if left:
        task = slidesgen_task(bench, left, ended=lambda: progress(next(done), len(jobs)))
        log = run_task(task, logs=bench.out / _LOGS, model=model or None)
        stored = _broken_off(bench, log)
        rows |= {job.sample: stored.get(job.sample) or bench.finished[job.sample] for job in left}
    return [rows[job.sample] for job in jobs]


def _broken_off(bench: SlidesgenBench, log: EvalLog) -> dict[str, SlidesgenRow]:
    """The rows of decks whose sample broke off, which have no scores."""
    return {
        str(sample.id): without_deck(
            bench.row(bench.jobs[str(sample.id)]),
            f"the run broke off: {sample.error.message.splitlines()[0]}",
            again=True,
        )
        for sample in log.samples or []
        if sample.error is not None
    }


def _asked(
    named: Mapping[str, str | None], chosen: InstructionSet, entries: Sequence[DeckEntry]
) -> dict[str, Any]:
    """Facts that a record keeps of a run: all that changes its questions."""
    return {
        "command": "bench slidesgen",
        **named,
        "instructions": {brief.topic: _digests(brief) for brief in chosen.instructions},
        "decks": sorted(f"{entry.system}/{entry.topic}" for entry in entries),
    }


def _digests(brief: Instruction) -> list[str]:
    return [brief.request, brief.title, str(brief.slides), *map(file_digest, brief.documents)]


def _facts(
    named: Mapping[str, str | None], chosen: InstructionSet, rows: Sequence[SlidesgenRow]
) -> dict[str, str]:
    """Facts that the report states of the run, by words."""
    examinees = sorted({row.examinee for row in rows if row.examinee})
    facts = {
        "Topics": str(len(chosen.instructions)),
        "Decks": str(sum(bool(row.deck) for row in rows)),
        "Writer's model": named["model"] or "",
        "Judge": named["judge"] or "",
        "Questions answered by": ", ".join(examinees),
        "Slides read from": "their pictures" if named["reading"] == "pictures" else "their text",
    }
    return {word: said for word, said in facts.items() if said}


def _write_results(out: Path, run: SlidesgenRun) -> None:
    write_whole(out / "results.json", strict_json(run.to_json()).encode())
    write_whole(out / "scores.csv", csv_text(_score_lines(run.rows)).encode())


def _score_lines(rows: Sequence[SlidesgenRow]) -> Iterator[tuple[object, ...]]:
    """All scores in the columns that ``decklab agree`` reads beside rankings of people."""
    yield "topic", "product", "metric", "value"
    for row in rows:
        for measure in ("content", *DECK_METRICS):
            if measure in row.values:
                name = DECK_METRICS.get(measure, "quiz.accuracy")
                yield row.topic, row.system, name, round(row.values[measure], 6)
