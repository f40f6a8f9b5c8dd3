"""A run: sources in, a data set out, decks that are finished left alone."""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from decklab.core.errors import SourceError
from decklab.workbench.cluster.dataset import (
    Dataset,
    counts,
    drop_replaced,
    finished_keys,
    held_dataset,
    write_part,
)
from decklab.workbench.cluster.jobs import DeckRows, DeckTask, Job
from decklab.workbench.cluster.machines import Machine, rows_from
from decklab.workbench.cluster.sources import SourceItem

PART_DECKS = 256
PART_BYTES = 32 * 2**20
PART_SECONDS = 60.0
"""A part is written after so many decks, bytes of packed rows, or seconds. Ours: a run that is
killed loses a minute of work."""


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    finished: int
    """Decks whose rows this run has."""
    failed: int
    skipped: int
    """Decks that an earlier run finished."""
    found: int
    """Decks that were taken from the source so far."""
    complete: bool
    """Whether the source has no more."""


@dataclass(frozen=True)
class DatasetRun:
    """Result of a run, and the data set that it wrote to."""

    dataset: Dataset
    finished: int
    failed: int
    skipped: int
    replaced: int
    seconds: float
    first_error: str | None = None

    @property
    def all_failed(self) -> bool:
        """Whether the run worked on decks, and on none with success."""
        return 0 < self.finished == self.failed


@dataclass
class _Taking:
    """The decks that are taken from the source, each name once, without those that are finished."""

    items: Iterator[SourceItem]
    job: Job
    keys: set[bytes]
    found: int = 0
    skipped: int = 0
    complete: bool = False
    seen: set[int] = field(default_factory=set)

    def tasks(self) -> Iterator[DeckTask]:
        version = self.job.version
        for item in self.items:
            name = int.from_bytes(hashlib.blake2b(os.fsencode(item.name), digest_size=8).digest())
            if name in self.seen:
                continue
            self.seen.add(name)
            self.found += 1
            key = task_key(item, version)
            if key in self.keys:
                self.skipped += 1
            else:
                yield DeckTask(item, key.hex())
        self.complete = True


def task_key(item: SourceItem, version: str) -> bytes:
    """Key of what a deck's rows depend on, in 12 bytes: its name, its state, and the work."""
    older = item.before
    parts = [version, item.name, item.state, *((older.name, older.state) if older else ())]
    return hashlib.blake2b(
        "\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=12
    ).digest()


def run_job(
    items: Iterable[SourceItem],
    job: Job,
    out: str | Path,
    *,
    machine: Machine,
    fresh: bool = False,
    progress: Callable[[Progress], object] = lambda done: None,
    tell: Callable[[str], object] = lambda line: None,
) -> DatasetRun:
    """Work on every deck of ``items`` and write a data set to ``out``, which may hold earlier runs.

    Decks that an earlier run finished with the same work and state are left alone; with ``fresh``
    its rows are removed first. ``machine`` says where the work is done. ``tell`` is given the
    address of the dashboard. Decks that are done when the run is stopped are written.

    Raises SourceError if there is no deck at all, or the first source cannot be read;
    Unavailable if no scheduler answers; OSError if ``out`` cannot be written.
    """
    begun = time.monotonic()
    items = _begun(iter(items))
    with held_dataset(Path(out), job, fresh=fresh) as dataset:
        earlier = bool(dataset.files("decks"))
        taking = _Taking(items, job, finished_keys(dataset))
        rows = rows_from(taking.tasks(), job, machine, tell=tell)
        done = _Writing(dataset)
        try:
            progress(done.progress(taking))
            for deck in rows:
                done.take(deck)
                progress(done.progress(taking))
        finally:
            rows.close()  # first: the workers end before anything else is done
            done.flush()
        progress(done.progress(taking))
        replaced = drop_replaced(dataset) if earlier else 0
    return DatasetRun(
        dataset, done.finished, done.failed, taking.skipped, replaced,
        time.monotonic() - begun, done.first_error,
    )  # fmt: skip


def _begun(items: Iterator[SourceItem]) -> Iterator[SourceItem]:
    """The same items; the first is taken now, so that a wrong source is an error at once."""
    first = next(items, None)
    if first is None:
        raise SourceError("the source", "names no deck")
    if first.problem:
        raise SourceError(first.name, first.problem)
    if first.place == "path" and not Path(first.address).exists():
        raise SourceError(first.name, "there is no such file or folder")
    return chain([first], items)


class _Writing:
    """The rows that wait for their part, and how many there were."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.finished = self.failed = 0
        self.first_error: str | None = None
        self._rows: list[DeckRows] = []
        self._bytes = 0
        self._since = time.monotonic()

    def take(self, deck: DeckRows) -> None:
        self._rows.append(deck)
        self._bytes += sum(map(len, deck.tables.values()))
        self.finished += 1
        if deck.status == "failed":
            self.failed += 1
            self.first_error = self.first_error or deck.error
        waited = time.monotonic() - self._since
        if len(self._rows) >= PART_DECKS or self._bytes >= PART_BYTES or waited >= PART_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            write_part(self.dataset, self._rows)
        self._rows, self._bytes, self._since = [], 0, time.monotonic()

    def progress(self, taking: _Taking) -> Progress:
        return Progress(self.finished, self.failed, taking.skipped, taking.found, taking.complete)


def described(run: DatasetRun) -> Iterator[str]:
    """Result of a run, in lines for people."""
    rate = run.finished / run.seconds * 60 if run.seconds else 0.0
    yield f"{run.finished} decks in {run.seconds:.0f} s ({rate:.0f} a minute), {run.failed} failed"
    if run.skipped:
        yield f"{run.skipped} were finished before"
    if run.replaced:
        yield f"{run.replaced} had earlier rows, which these replace"
    total = ", ".join(f"{count} {status}" for status, count in sorted(counts(run.dataset).items()))
    yield f"Data set: {run.dataset.folder} ({total})"
