"""The result of a request to edit a deck."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from decklab.core.tabular import Tabular
from decklab.diffing.changes import DeckDiff
from decklab.diffing.wording import words
from decklab.editing.verification import Verification
from decklab.models.asking import Usage

EditOutcome = Literal["done", "partly", "asked", "refused"]
"""``done``: all that was asked, and nothing else. ``partly``: some of it, or side effects as well,
which are listed. ``asked``: nothing was written, the request can be read in several ways.
``refused``: nothing was written."""


LISTED = 10
"""Lines of a list of what was put back. Ours."""


def at_most(lines: Sequence[str], most: int = LISTED) -> tuple[str, ...]:
    """Lines as they are where they are ``most`` at most, else the first of them and how many more.

    >>> at_most(["a", "b", "c"], 2)
    ('a', '… and 2 more')
    """
    if len(lines) <= most:
        return tuple(lines)
    return (*lines[: most - 1], f"… and {len(lines) - most + 1} more")


@dataclass(frozen=True)
class EditOverview:
    """What the changes of an edit do not tell, in words."""

    added: tuple[str, ...] = ()
    """What new slides, charts, tables and other shapes hold, one line each."""
    left_alone: tuple[str, ...] = ()
    """The texts on the slides of the plan that stayed as they were, one line each."""
    counts: str = ""
    """How many those are, by where they stand; empty for none."""


NOT_OVERSEEN = EditOverview()
"""Of an edit that nobody looked at in this way."""


@dataclass(frozen=True)
class EditAttempt:
    """One version of a deck that was tried: a round of an editor."""

    summary: str
    """What was tried, in one line."""
    deck: Path | None = None
    """The edited copy; None where the attempt made none."""
    failure: str = ""
    """Why there is no deck, in one line."""
    verification: Verification | None = None
    """What was found in the copy; None without a deck."""
    put_back: tuple[str, ...] = ()
    """What the model changed though nobody asked for it, in words, and the original has again."""
    overview: EditOverview = NOT_OVERSEEN
    """What it added and left alone; empty where nobody looked."""
    stayed: tuple[str, ...] = ()
    """Such changes that stay since putting them back would bring a fault, with this reason."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage, such as ``plan``, ``edit``, ``draw``."""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """In US dollars; None where the prices are not known."""
    record: Mapping[str, str] = field(default_factory=dict)
    """Texts that belong to it, by name, such as ``step 1`` and ``folder``."""


@dataclass(frozen=True)
class EditResult(Tabular):
    """The result of one request to edit a deck."""

    deck: Path
    """The input, which is not changed."""
    instruction: str
    outcome: EditOutcome
    done: tuple[str, ...] = ()
    """The parts of the request that were done, in words."""
    undone: tuple[str, ...] = ()
    """What was not done, why, and what to ask instead."""
    rejected: tuple[str, ...] = ()
    """Why the review rejected what was written all the same, said before all else; first in
    ``undone``, too."""
    amended: str = ""
    """Why the plan was amended; empty where it was not."""
    readings: tuple[tuple[str, ...], ...] = ()
    """Of each part that can be read in several ways, what it may mean."""
    output: Path | None = None
    """The file that was written; None where there is none, as after a refusal or a dry run."""
    best: EditAttempt | None = None
    """The attempt whose deck was taken."""
    attempts: tuple[EditAttempt, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage, over all attempts."""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """In US dollars; None where the prices are not known."""
    left_out: tuple[str, ...] = ()
    """What was not looked at though it may hold what was asked for, such as words in pictures; and
    what was found wrong with the list of slides."""

    def records(self) -> Iterator[dict[str, Any]]:
        """One row a change from the input to what was written."""
        return self.changes.records()

    def summary(self) -> Iterator[dict[str, Any]]:
        """What was done, what was not, and each change in words."""
        yield {"what": "outcome", "words": self.outcome}
        for what, lines in (
            ("done", self.done), ("not done", self.undone), ("left out", self.left_out),
            ("change", self.sentences),
        ):  # fmt: skip
            yield from ({"what": what, "words": line} for line in lines)

    @property
    def changes(self) -> DeckDiff:
        """What changed from the input to the attempt that was taken; nothing where none was."""
        if self.best is None or self.best.verification is None:
            return DeckDiff()
        return self.best.verification.diff

    @property
    def sentences(self) -> tuple[str, ...]:
        """The changes in words, one sentence each."""
        return words(self.changes)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is worse than before though it was asked for."""
        checked = self.best.verification if self.best else None
        messages = checked.messages if checked else ()
        stayed = self.best.stayed if self.best else ()
        return (*(one for one in messages if one.startswith("New fault")), *stayed)

    @property
    def put_back(self) -> tuple[str, ...]:
        """What was changed though nobody asked for it, and is as it was again, in words."""
        return self.best.put_back if self.best else ()

    @property
    def added(self) -> tuple[str, ...]:
        """What new slides, charts, tables and other shapes hold, one line each."""
        return self.best.overview.added if self.best else ()

    @property
    def left_alone(self) -> tuple[str, ...]:
        """The texts on the slides of the plan that stayed as they were, one line each."""
        return self.best.overview.left_alone if self.best else ()

    @property
    def left_alone_words(self) -> str:
        """How many texts on the slides of the plan stayed as they were, in a sentence."""
        counts = self.best.overview.counts if self.best else ""
        return f"{counts}." if counts else ""

    @property
    def put_back_lines(self) -> tuple[str, ...]:
        """``put_back`` in at most ``LISTED`` lines."""
        return at_most(self.put_back)

    @property
    def spent(self) -> tuple[str, ...]:
        """What it took, in words: time by stage, and tokens with their cost."""
        lines = []
        if self.seconds:
            stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in self.seconds.items())
            lines.append(f"Time: {stages}.")
        if self.tokens:
            cost = "" if self.cost is None else f", {self.cost:.4f} US dollars"
            lines.append(f"Model: {self.tokens:,} tokens{cost}.")
        return tuple(lines)

    @property
    def tokens(self) -> int:
        """That a model read and wrote."""
        return self.usage.input_tokens + self.usage.output_tokens

    def without_copies(self) -> "EditResult":
        """The same result without the paths of copies, for when their folder is deleted."""
        attempts = tuple(replace(attempt, deck=None) for attempt in self.attempts)
        best = None if self.best is None else attempts[self.attempts.index(self.best)]
        return replace(self, attempts=attempts, best=best)

    def as_json(self) -> dict[str, Any]:
        """The result as plain JSON, with changes and findings."""
        checked = self.best.verification if self.best else None
        return {
            "deck": str(self.deck),
            "instruction": self.instruction,
            "outcome": self.outcome,
            "output": str(self.output) if self.output else None,
            "done": list(self.done),
            "undone": list(self.undone),
            "left_out": list(self.left_out),
            "readings": [list(one) for one in self.readings],
            "rejected": list(self.rejected),
            "amended": self.amended,
            "put_back": list(self.put_back),
            "added": list(self.added),
            "left_alone": list(self.left_alone),
            "sentences": list(self.sentences),
            "diff": self.changes.as_json(),
            "verification": checked.as_json() if checked else None,
            "attempts": [_attempt(attempt) for attempt in self.attempts],
            "seconds": dict(self.seconds),
            "tokens": {"input": self.usage.input_tokens, "output": self.usage.output_tokens},
            "cost": self.cost,
        }


def _attempt(attempt: EditAttempt) -> dict[str, Any]:
    checked = attempt.verification
    return {
        "summary": attempt.summary,
        "failure": attempt.failure,
        "messages": list(checked.messages) if checked else [],
        "put_back": list(attempt.put_back),
        "stayed": list(attempt.stayed),
        "seconds": dict(attempt.seconds),
        "tokens": {"input": attempt.usage.input_tokens, "output": attempt.usage.output_tokens},
        "cost": attempt.cost,
        "record": dict(attempt.record),
    }
