"""The queue of work: bounded, in processes with limits, and lasting over a killed server."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import and_, case, func, not_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from decklab.core.errors import DecklabError, one_line
from decklab.core.files import Closing
from decklab.scoring.process_pool import StandingPool, Work, WorkerDied
from decklab.workbench.web.database import DeckRow, JobRow, is_away
from decklab.workbench.web.library import Library, NotThere, checked_id, held
from decklab.workbench.web.looking import WorkDone, WorkTask


def _nothing_left(*_: Any) -> None:
    """Does nothing: the process has put its result in place."""


@dataclass(frozen=True)
class JobKind:
    """Steps of the server for a kind of job, before and after a process does its work."""

    prepare: Callable[["Jobs", JobRow], WorkTask]
    finish: Callable[["Jobs", JobRow, WorkTask, dict[str, Any]], None] = _nothing_left
    """Takes the result into the library; may change it, before people see it."""
    order: int = 0
    """Jobs of a lower number have a head start; those of ``SLOW`` come last, do not count in the
    bound of the queue, and leave one process free."""
    in_turn: bool = False
    """Whether jobs of such kinds on one deck wait for each other."""


LOOKS = ("look", "relook", "score", "check")
"""Kinds of jobs after which more is known of a version."""
OPEN = ("queued", "running", "stopping")
MOST_QUEUED = 200
"""Jobs that may wait (ours): more is refused, so that an upload without end ends."""
MEGABYTES = 4096
"""Memory of a process with LibreOffice at most (ours)."""
MOST_TRIES = 2
"""How often a job is begun; a job that ended the server twice counts as failed."""
HEAD_START_SECONDS = 15.0
"""By which a job of a lower number goes before an older one (ours): nobody waits for ever."""
SLOW = 2
"""Order of the kinds of jobs that nobody waits for; one process does none of them (ours)."""
_IDLE_SECONDS = 1.0


class QueueFull(DecklabError):
    """Too much work waits already."""


class _Stopped(DecklabError):
    """Somebody stopped the job."""


class Jobs(Closing):
    """Work for a library, done by ``processes`` at once in the order of its ``kinds``.

    Each piece of work may take ``seconds``, and ``megabytes`` of memory with LibreOffice; ``work``
    is what a process does.
    """

    def __init__(
        self,
        library: Library,
        kinds: Mapping[str, JobKind],
        *,
        processes: int = 2,
        seconds: float = 600.0,
        megabytes: int = MEGABYTES,
        work: Work[WorkTask, WorkDone],
    ) -> None:
        self.library, self._kinds = library, kinds
        self.environment: dict[str, str] = {}
        """Variables for work with a model; in memory only."""
        self._pool = StandingPool(
            work, processes=processes, task_seconds=seconds, memory_bytes=megabytes * 2**20
        )
        self._news = threading.Event()
        self._closed = threading.Event()
        self._resume()
        self._threads = [
            threading.Thread(
                target=self._work,
                args=(processes == 1 or number > 0,),
                name=f"decklab-job-{number}",
                daemon=True,
            )
            for number in range(processes)
        ]
        for thread in self._threads:
            thread.start()

    def ask_change(
        self, kind: str, deck: str, number: int | None, *, about: str | None = None, **asked: Any
    ) -> str:
        """Queue work that makes a version from another, by default from the current one.

        Requests on the current version, or on one that was current when others asked that still
        wait, go on from each other; so do those on one older version. The job ``after`` which a job
        comes is found in the transaction that queues it. Raises NotThere and QueueFull.
        """
        turns = [name for name, kind in self._kinds.items() if kind.in_turn]
        with self.library.writing() as session:
            row = held(session, DeckRow, deck, "deck", for_update=True)
            waiting = session.scalars(
                select(JobRow)
                .where(JobRow.deck == deck, JobRow.kind.in_(turns), JobRow.state.in_(OPEN))
                .order_by(JobRow.created.desc())
            ).all()
            line = [item for item in waiting if item.asked.get("follows")]
            follows = number in (None, row.current, *(item.number for item in line))
            branch = [item for item in waiting if item not in line and item.number == number]
            before = next((item.id for item in (line if follows else branch)), None)
            asked |= {"follows": follows} | ({"after": before} if before else {})
            job = self._add(
                session, kind, asked, deck=deck, number=number or row.current, about=about
            )
        self._news.set()
        return job

    def ask(
        self,
        kind: str,
        deck: str | None = None,
        number: int | None = None,
        *,
        about: str | None = None,
        follows: bool = False,
        **asked: Any,
    ) -> str:
        """Queue work on a version, or on what ``about`` names; returns the job's id. Raises
        QueueFull if too much waits, but not for what ``follows`` from work."""
        with self.library.writing() as session:
            job = self._add(
                session, kind, asked, deck=deck, number=number, about=about, follows=follows
            )
        self._news.set()
        return job

    def _add(
        self,
        session: Session,
        kind: str,
        asked: Mapping[str, Any],
        *,
        deck: str | None,
        number: int | None,
        about: str | None = None,
        follows: bool = False,
    ) -> str:
        slow = [name for name, kind in self._kinds.items() if kind.order >= SLOW]
        waiting = session.scalar(
            select(func.count())
            .select_from(JobRow)
            .where(JobRow.state == "queued", JobRow.kind.not_in(slow))
        )
        if not follows and (waiting or 0) >= MOST_QUEUED:
            raise QueueFull("too much work waits; try again in a minute")
        job = JobRow(
            id=uuid4().hex, kind=kind, deck=deck, number=number, about=about,
            asked=dict(asked), state="queued", message="", created=time.time(), tries=0,
        )  # fmt: skip
        session.add(job)
        return job.id

    def job(self, job_id: str) -> JobRow:
        """A job by its id; raises NotThere."""
        return self.library.row(JobRow, job_id, "job")

    def of_deck(self, deck: str, *kinds: str) -> list[JobRow]:
        """The jobs of a deck, of some kinds or all, oldest first."""
        chosen = select(JobRow).where(JobRow.deck == checked_id(deck)).order_by(JobRow.created)
        if kinds:
            chosen = chosen.where(JobRow.kind.in_(kinds))
        with self.library.sessions() as session:
            return list(session.scalars(chosen))

    def of(self, about: str) -> list[JobRow]:
        """The jobs on other things than decks, and those of one job on many, oldest first."""
        chosen = select(JobRow).where(JobRow.about == checked_id(about)).order_by(JobRow.created)
        with self.library.sessions() as session:
            return list(session.scalars(chosen))

    def last(self, about: str, kind: str, **asked: Any) -> JobRow | None:
        """The newest job of a kind on something that was asked for so; None if there is none."""
        jobs = (job for job in reversed(self.of(about)) if job.kind == kind)
        return next((job for job in jobs if asked.items() <= job.asked.items()), None)

    def last_looks(self, decks: Iterable[str]) -> dict[tuple[str, int], JobRow]:
        """The last look or score of each version of some decks, by deck and number of version."""
        chosen = (
            select(JobRow)
            .where(JobRow.deck.in_(list(decks)), JobRow.kind.in_(LOOKS))
            .order_by(JobRow.created)
        )
        with self.library.sessions() as session:
            return {
                (scalar.deck, scalar.number): scalar
                for scalar in session.scalars(chosen)
                if scalar.deck is not None and scalar.number is not None
            }

    def stage(self, job: JobRow) -> str:
        """Stage of a running job, in a word; empty if it does not say."""
        with suppress(OSError):
            return self.stage_file(job.id).read_text(encoding="utf-8")
        return ""

    def stop(self, job_id: str) -> None:
        """Stop a job that waits or runs; one that has ended stays as it is."""
        with self.library.writing() as session:
            if (job := session.get(JobRow, checked_id(job_id))) is None:
                raise NotThere(f"no job {job_id}")
            if job.state == "queued":
                job.state, job.ended = "stopped", time.time()
            elif job.state == "running":
                job.state = "stopping"

    def at_work(self) -> bool:
        """Whether jobs are taken as they come."""
        return not self._closed.is_set() and all(thread.is_alive() for thread in self._threads)

    def withdraw(self, kind: str, deck: str, *, but: int) -> None:
        """Stop what waits of a kind on other versions of a deck than the one numbered ``but``."""
        with self.library.writing() as session:
            for job in session.scalars(
                select(JobRow).where(
                    JobRow.kind == kind, JobRow.deck == deck, JobRow.number != but,
                    JobRow.state == "queued",
                )
            ):  # fmt: skip
                job.state, job.ended = "stopped", time.time()

    def close(self) -> None:
        """Stop the work; jobs that were running begin anew when the server starts again."""
        self._closed.set()
        self._news.set()
        for thread in self._threads:
            thread.join(timeout=10)
        self._pool.close()

    def _resume(self) -> None:
        """Queue again what ran when the server ended."""
        with self.library.writing() as session:
            for job in session.scalars(select(JobRow).where(JobRow.state.in_(OPEN[1:]))):
                if job.state == "stopping":
                    job.state, job.ended = "stopped", time.time()
                elif job.tries >= MOST_TRIES:
                    job.state, job.ended = "failed", time.time()
                    job.message = "the server ended twice during this work"
                else:
                    job.state = "queued"

    def _work(self, slow: bool) -> None:
        """Do jobs as they come; without ``slow`` this process stays free for quick jobs."""
        while not self._closed.is_set():
            with suppress(SQLAlchemyError):  # it was busy or away: the thread tries again
                if (job := self._next(slow)) is not None:
                    self._do(job)
                    continue
            self._news.wait(_IDLE_SECONDS)
            self._news.clear()

    def _next(self, slow: bool) -> JobRow | None:
        """Take the next job: the oldest, where what a person waits for has a head start."""
        orders = {name: kind.order for name, kind in self._kinds.items()}
        order = case(orders, value=JobRow.kind, else_=0)
        chosen = select(JobRow).where(JobRow.state == "queued")
        if not slow:
            chosen = chosen.where(order < SLOW)
        turns = [name for name, kind in self._kinds.items() if kind.in_turn]
        busy = select(JobRow.deck).where(JobRow.state.in_(OPEN[1:]), JobRow.kind.in_(turns))
        chosen = chosen.where(not_(and_(JobRow.kind.in_(turns), JobRow.deck.in_(busy))))
        with self.library.writing() as session:
            job = session.scalar(
                chosen.order_by(order >= SLOW, JobRow.created + HEAD_START_SECONDS * order)
                .limit(1)
                .with_for_update(skip_locked=True)
            )
            if job is not None:
                job.state, job.begun, job.tries = "running", time.time(), job.tries + 1
            return job

    def _do(self, job: JobRow) -> None:
        try:
            task = self._kinds[job.kind].prepare(self, job)
            if task.asked.get("model"):
                task = replace(task, environment=dict(self.environment))
            outcome = self._pool.do(task, check=lambda: self._check(job))
        except _Stopped:
            self._end(job, "queued" if self._closed.is_set() else "stopped")
            return
        except DecklabError as error:
            self._end(job, "failed", str(error))
            return
        except SQLAlchemyError:  # the work has not begun
            self._end(job, "queued")
            return
        finally:
            self.stage_file(job.id).unlink(missing_ok=True)
        if isinstance(outcome, WorkerDied):
            self._end(job, "failed", outcome.reason)
        elif outcome.failure:
            self._end(job, "failed", outcome.failure)
        else:
            self._finish(job, task, outcome)

    def _finish(self, job: JobRow, task: WorkTask, outcome: WorkDone) -> None:
        """Take the result into the library, then report the job as done."""
        result = dict(outcome.result)
        try:
            self._kinds[job.kind].finish(self, job, task, result)
            self._end(job, "done", result=result)
        except (DecklabError, OSError, ValueError, SQLAlchemyError) as error:
            self._end(job, "failed", one_line(str(error)))

    def _check(self, job: JobRow) -> None:
        if self._closed.is_set():
            raise _Stopped("stopped")
        with suppress(SQLAlchemyError):  # it is away for a while: the work goes on
            if self.job(job.id).state == "stopping":
                raise _Stopped("stopped")

    def _end(
        self, job: JobRow, state: str, message: str = "", result: Mapping[str, Any] | None = None
    ) -> None:
        """Tell how a job ended; where the database is away, as soon as it is back."""
        while True:
            try:
                self._write_end(job.id, state, message, result)
                return
            except SQLAlchemyError as error:
                if not is_away(error) or self._closed.wait(_IDLE_SECONDS):
                    raise

    def _write_end(
        self, job: str, state: str, message: str, result: Mapping[str, Any] | None
    ) -> None:
        with self.library.writing() as session:
            row = session.get(JobRow, job)
            if row is None:  # its deck was removed
                return
            row.state, row.message = state, message
            row.result = None if result is None else dict(result)
            row.ended = time.time()

    def stage_file(self, job: str) -> Path:
        """The file in which a process writes the stage of a job."""
        return self.library.folder / "unfinished" / f"{job}.stage"
