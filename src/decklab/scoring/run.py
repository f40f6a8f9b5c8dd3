"""One run: scores decks over several processes, writes results and reports, can be resumed."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, overload

import cv2

from decklab.core.errors import DeckError, RendererMissing, RenderError, RenderFailed
from decklab.core.files import write_whole
from decklab.core.options import SECONDS_A_DECK, ReportForm
from decklab.core.output_folder import deck_id, names_in, one_run, remove_written, reserve
from decklab.core.results import DeckResult, Tabular
from decklab.core.version import VERSION
from decklab.metrics.catalogue import metric_labels
from decklab.ooxml.archive import Archive
from decklab.pages.files import strict_json, write_json, write_parquet
from decklab.rendering.office import Office
from decklab.rendering.office_process import Installation, find_installation
from decklab.rendering.opening import check_decks, deck_kind, find_decks
from decklab.rendering.partial_copies import MOST_SECONDS
from decklab.rendering.renderer import Cache, Renderer
from decklab.scoring.against import compare_runs, earlier_scores
from decklab.scoring.deck import score_deck
from decklab.scoring.journal import Journal, JournalEntry, check_forms, form_names, write_forms
from decklab.scoring.process_pool import WorkerDied, run_tasks, tell
from decklab.scoring.reports.deck_page import write_deck_page
from decklab.scoring.reports.leaderboard_page import (
    COLUMNS,
    LeaderboardRow,
    RunComparison,
    write_index,
)
from decklab.scoring.scored import ScoredDeck, ScoreOptions, failed, kept_deck, score_key


@dataclass(frozen=True)
class Task:
    """A deck to score, the key of its record, and the file name of its report."""

    deck: Path
    key: str
    page: str


@contextmanager
def scorer(
    *, out: Path, options: ScoreOptions, renderer: Renderer, installation: Installation | None
) -> Iterator[Callable[[Task], OSError | None]]:
    """Give the function that does one task; LibreOffice is started when first needed and shared.
    Without an ``installation``, decks that need LibreOffice fail with an error that says so. The
    function returns the error where ``out`` could not be written, which is no fault of the deck.
    """
    cv2.setNumThreads(1)  # a run already has a process for each core
    journal = Journal(out)
    office: Office | None = None
    with ExitStack() as stack:
        if installation is not None:
            seconds = renderer.deadline or SECONDS_A_DECK
            office = stack.enter_context(Office(installation=installation, deadline=seconds))
            renderer = replace(renderer, office=office)

        def do(task: Task) -> OSError | None:
            key = task.key
            try:
                if office is not None and deck_kind(task.deck) == "office":
                    office.start()  # it comes up while the deck is read
                scored = score_deck(
                    task.deck,
                    options=options,
                    renderer=renderer,
                    progress=lambda slide, slides: tell((str(task.deck), slide, slides)),
                )
            except DeckError as error:
                scored = failed(task.deck, error)
            except RenderError as error:
                # Without a key: drawing may succeed when the run is resumed.
                scored, key = failed(task.deck, error), ""
            except OSError as error:  # such as no space for temporary files
                scored, key = failed(task.deck, _unworkable(task.deck, error)), ""
            try:
                journal.write(task.deck, key, _reported(scored, out, task.page))
            except OSError as error:
                return error
            return None

        yield do


def _unworkable(deck: Path, error: OSError) -> RenderFailed:
    file = "" if error.filename is None else f" ({error.filename})"
    return RenderFailed(deck, f"could not be scored: {error.strerror or error}{file}")


def _reported(scored: ScoredDeck, out: Path, page: str) -> JournalEntry:
    if scored.result.status == "failed":
        return JournalEntry(scored.result, page=None, cover=None)
    write_deck_page(
        out / "decks" / page, scored.result, scored.pictures,
        labels=metric_labels(), generated_by=f"decklab {VERSION}", index="../index.html",
    )  # fmt: skip
    return JournalEntry(scored.result, page=page, cover=scored.cover)


def task_seconds(deadline: float) -> float:
    """Seconds after which the process of a deck is stopped, by the deadline of a conversion (ours).

    The deck is converted at most twice, then perhaps apart in copies of which the last one ends a
    deadline later; its probes are converted at most twice each; the rest is to measure.
    """
    return 9 * deadline + MOST_SECONDS


RESULT_FILES = ("index.html", "results.json", "results.parquet")
"""Files that every run writes in its output folder, besides the reports of the decks."""

COMPARISON_FILE = "against.json"
"""File with the comparison with an earlier run, if one was named."""


@dataclass(frozen=True)
class ScoringRun(Tabular):
    """The result of a run, in its folder, which also has the results of ``earlier`` decks."""

    out: Path
    decks: tuple[Path, ...]
    scored: int
    failed: int
    earlier: int = 0
    against: RunComparison | None = None
    """How these decks compare with an earlier run, if one was named."""

    @property
    def index(self) -> Path:
        """The leaderboard page, of this run's decks and of earlier ones."""
        return self.out / "index.html"

    def results(self) -> "RunResults":
        """The results, read one deck at a time, in the order the decks were given."""
        return RunResults(self.out, self.decks)

    def records(self) -> Iterator[dict[str, Any]]:
        """One row for each measurement of each deck."""
        for result in self.results():
            yield from result.records()

    def summary(self) -> Iterator[dict[str, Any]]:
        """The leaderboard: one row a deck."""
        for row in self.rows():
            values = {name: row.values.get(name) for name in COLUMNS}
            yield {"deck": row.deck, "status": row.status, **values, "error": row.error}

    def rows(self) -> Iterator[LeaderboardRow]:
        """The leaderboard's row of each deck, in the order the decks were given."""
        return map(_row, _records(Journal(self.out), self.decks))


class RunResults(Sequence[DeckResult]):
    """The results of a run by the place of their decks; each is read from the run's folder when it
    is asked for, so that memory stays flat."""

    def __init__(self, out: Path, decks: Sequence[Path]) -> None:
        self._journal, self._decks = Journal(out), decks

    def __len__(self) -> int:
        return len(self._decks)

    @overload
    def __getitem__(self, index: int) -> DeckResult: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[DeckResult]: ...
    def __getitem__(self, index: int | slice) -> DeckResult | Sequence[DeckResult]:
        if isinstance(index, slice):
            return [record.result for record in _records(self._journal, self._decks[index])]
        [record] = _records(self._journal, [self._decks[index]])
        return record.result


def score(
    paths: str | Path | Iterable[str | Path],
    out: str | Path = "decklab-results",
    *,
    jobs: int | None = None,
    resume: bool = False,
    fresh: bool = False,
    options: ScoreOptions | None = None,
    renderer: Renderer | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_slide: Callable[[str, int, int], None] | None = None,
    against: str | Path | None = None,
    save: Collection[ReportForm] = (),
    fork: bool = False,
) -> ScoringRun:
    """Score every deck that ``paths`` name and write results and reports under ``out``.

    Decks that earlier runs into ``out`` scored stay in its results, unless one of ``paths`` names
    them again; with ``fresh`` what earlier runs wrote there is removed first. ``jobs`` processes
    work at once (default: one a core). With ``resume``, decks that an earlier run into ``out``
    finished with the same bytes, options and versions are not scored again. ``options`` say what is
    measured. Each process starts a LibreOffice of its own: only the cache and the deadline of
    ``renderer`` are used, by default the user's cache folder and two minutes. ``progress`` is
    called with the number of finished decks and of all decks, ``on_slide`` with a deck, the number
    of the slide that is being measured, and of its slides. ``against`` names the folder or
    ``results.json`` of an earlier run to compare with; it may be ``out``. ``save`` names
    other forms of the decks' reports to write beside their pages. May be called from any thread and
    any program; the processes it starts import nothing of the caller's. With ``fork`` they are
    copies of the caller, which start sooner, if it has no other threads.

    A deck that cannot be read is a failed result. Raises ResultsError if the earlier run cannot
    be read. Nothing is written, and DeckError or
    RendererMissing raised, if not one deck can be read, or drawn here; OSError if ``out``
    cannot be written, holds foreign files where results go, or is being written by another run.
    """
    out, options = Path(out), options or ScoreOptions()
    renderer = renderer or Renderer(cache=Cache())
    deadline = renderer.deadline or SECONDS_A_DECK
    renderer = Renderer(cache=renderer.cache, deadline=deadline)
    decks = find_decks([paths] if isinstance(paths, str | Path) else paths)
    check_decks(decks)
    before = None if against is None else earlier_scores(against)
    check_forms(out, save)
    installation = _installation()
    with one_run(out):
        names = names_in(out, decks, reorder=fresh)
        pages = {deck: f"{name}.html" for deck, name in names.items()}
        files = [f"decks/{page}" for page in pages.values()]
        files += [f"decks/{name}" for page in pages.values() for name in form_names(page, save)]
        files += [] if before is None else [COMPARISON_FILE]
        reserve(out, [*RESULT_FILES, *files])
        journal = Journal(out)
        if fresh:
            journal.clear()
            remove_written(out)
        work = partial(
            scorer, out=out, options=options, renderer=renderer, installation=installation
        )
        with renderer.started() as looked:
            tasks = [Task(deck, score_key(deck, options, looked), pages[deck]) for deck in decks]
            tasks = [task for task in tasks if not (resume and _finished(journal, task, out))]
            tasks = [task for task in tasks if not _was_kept(journal, task, out, looked)]
        # The longest first: one begun last would leave the other processes idle.
        tasks.sort(key=lambda task: expected_slides(task.deck), reverse=True)
        done = len(decks) - len(tasks)
        report = progress or (lambda done, total: None)
        report(done, len(decks))
        for index, outcome in run_tasks(
            work, tasks,
            processes=jobs or len(os.sched_getaffinity(0)), task_seconds=task_seconds(deadline),
            heard=partial(_slide_heard, on_slide), fork=fork,
        ):  # fmt: skip
            if isinstance(outcome, OSError):
                raise outcome
            if isinstance(outcome, WorkerDied):
                # Without a key: a process stopped from outside says nothing about the deck.
                deck = tasks[index].deck
                journal.write(deck, "", _died(deck, outcome))
            done += 1
            report(done, len(decks))
        run = _written(journal, out, decks)
        if before is not None:
            compared = compare_runs(str(against), before, run.results())
            run = replace(run, against=compared)
            write_whole(out / COMPARISON_FILE, f"{strict_json(compared.as_json())}\n".encode())
        write_index(run.index, map(_row, journal.all()), against=run.against)
        for record in _records(journal, decks):
            write_forms(out / "decks", record, save)
        return run


def _slide_heard(on_slide: Callable[[str, int, int], None] | None, message: object) -> None:
    if on_slide is not None and isinstance(message, tuple):
        on_slide(*message)


def _installation() -> Installation | None:
    try:
        return find_installation()
    except RendererMissing:
        return None


BYTES_A_SLIDE = 200_000
"""Bytes of a file that take about as long as a slide more (ours): pictures, or unknown content."""


def expected_slides(deck: Path) -> float:
    """About how much work a deck is, in slides: its slides, and more for a large file.

    Of a file that cannot be read it is 0. A deck of another format counts by its size.

    >>> expected_slides(Path("no-such-deck.pptx"))
    0.0
    """
    try:
        size = deck.stat().st_size
    except OSError:
        return 0.0
    slides = 0
    with suppress(DeckError, OSError), Archive.open(deck) as archive:
        slides = sum(name.startswith("ppt/slides/slide") for name in archive.names)
    return slides + size / BYTES_A_SLIDE


def _finished(journal: Journal, task: Task, out: Path) -> bool:
    record = journal.read(task.deck, task.key)
    return record is not None and (record.page is None or (out / "decks" / record.page).is_file())


def _was_kept(journal: Journal, task: Task, out: Path, renderer: Renderer) -> bool:
    """Whether another run kept the scores of the deck, which are then this run's too."""
    if (kept := kept_deck(task.deck, task.key, renderer)) is not None:
        journal.write(task.deck, task.key, _reported(kept, out, task.page))
    return kept is not None


def _died(deck: Path, outcome: WorkerDied) -> JournalEntry:
    error = f"{deck}: could not be scored: {outcome.reason}"
    return JournalEntry(
        DeckResult(deck=str(deck), status="failed", error=error), page=None, cover=None
    )


def _records(journal: Journal, decks: Iterable[Path]) -> Iterator[JournalEntry]:
    for deck in decks:
        if (record := journal.read(deck)) is None:
            record = _died(deck, WorkerDied("its record was lost"))
        yield record


def _written(journal: Journal, out: Path, decks: Sequence[Path]) -> ScoringRun:
    scored, failed = _count(journal, decks)
    earlier = sum(1 for _ in journal.all()) - len({deck_id(out, deck) for deck in decks})
    write_json(out / "results.json", (record.result for record in journal.all()))
    write_parquet(out / "results.parquet", (record.result for record in journal.all()))
    return ScoringRun(out, tuple(decks), scored, failed, earlier)


def _count(journal: Journal, decks: Sequence[Path]) -> tuple[int, int]:
    scored = sum(record.result.status == "scored" for record in _records(journal, decks))
    return scored, len(decks) - scored


def _row(record: JournalEntry) -> LeaderboardRow:
    page = f"decks/{record.page}" if record.page else None
    return LeaderboardRow.of(record.result, page=page, cover=record.cover)
