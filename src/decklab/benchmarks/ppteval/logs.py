"""Outcomes read back from a log of the task ``ppteval``."""

from collections.abc import Iterator

from inspect_ai.log import EvalLog, EvalSample

from decklab.benchmarks.ppteval.outcomes import TaskOutcome


def outcomes_of(log: EvalLog) -> Iterator[TaskOutcome]:
    """The outcome of every task of a log, in its order, which is not that of the tasks.

    One that broke off is open, from 0 to 1.
    """
    for sample in log.samples or []:
        scores = list((sample.scores or {}).values())
        found = (scores[0].metadata or {}).get("outcome") if scores else None
        yield TaskOutcome.from_json(found) if found else _broken_off(sample)


def _broken_off(sample: EvalSample) -> TaskOutcome:
    known = sample.metadata
    cause = sample.error.message.splitlines()[0] if sample.error else "it was not graded"
    return TaskOutcome(
        task=str(sample.id),
        difficulty=known.get("difficulty"),
        categories=tuple(known.get("categories", ())),
        low=0.0,
        high=1.0,
        reason=f"the editor broke off: {cause}",
        ended=cause,
    )
