"""Lint of many decks over several processes, each with a LibreOffice of its own."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from decklab.core.errors import DeckError, DecklabError
from decklab.core.options import SECONDS_A_DECK
from decklab.linting.lint import LintResult
from decklab.linting.project import LintOptions, lint_or_error
from decklab.rendering.incremental.copies import MOST_SECONDS
from decklab.rendering.renderer import Renderer
from decklab.scoring.process_pool import WorkerDied, run_tasks

DECKS_A_PROCESS = 4
"""Ours: a process and its LibreOffice take as long to start as about two decks to lint, so that one
more pays from about this many decks each."""

LINT_SECONDS = 4 * SECONDS_A_DECK + MOST_SECONDS
"""Ours: how long one deck may take: drawn at most twice, then perhaps slide by slide, and looked
at."""


@dataclass(frozen=True)
class _Linting:
    """Entered in each process: a started renderer, and the function that lints one deck."""

    options: LintOptions
    renderer: Renderer

    @contextmanager
    def __call__(self) -> Iterator[Callable[[Path], LintResult | DecklabError]]:
        with self.renderer.started() as started:
            yield lambda deck: lint_or_error(deck, self.options, started)


def lint_decks(
    decks: Sequence[Path],
    options: LintOptions,
    *,
    renderer: Renderer | None = None,
    jobs: int | None = None,
) -> Iterator[LintResult | DecklabError]:
    """Findings in each deck, or the error of one that cannot be read, in the order given.

    ``jobs`` is how many processes work; for None one a core, but no more than have
    ``DECKS_A_PROCESS`` decks each. One process is this one. A deck that ends its process, or takes
    longer than ``LINT_SECONDS``, is an error like one that cannot be read.
    """
    work = _Linting(options, renderer or Renderer())
    count = jobs or min(len(os.sched_getaffinity(0)), len(decks) // DECKS_A_PROCESS)
    if count <= 1:
        with work() as lint_one:
            yield from map(lint_one, decks)
        return
    early: dict[int, LintResult | DecklabError] = {}
    following = 0
    for index, outcome in run_tasks(work, decks, processes=count, task_seconds=LINT_SECONDS):
        early[index] = _failed(decks[index], outcome)
        while following in early:
            yield early.pop(following)
            following += 1


def _failed(
    deck: Path, outcome: LintResult | DecklabError | WorkerDied
) -> LintResult | DecklabError:
    if isinstance(outcome, WorkerDied):
        return DeckError(deck, f"the process that linted it ended: {outcome.reason}")
    return outcome
