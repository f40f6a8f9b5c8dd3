"""What came of a request to edit a deck."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from decklab.agents.editor.verification.model import Verification
from decklab.diffing.changes import DeckDiff
from decklab.diffing.wording import words
from decklab.models.asking import Usage

Outcome = Literal["done", "partly", "refused"]
"""``done``: all that was asked, and nothing else. ``partly``: some of it, or with side effects that
are told. ``refused``: nothing was written."""


@dataclass(frozen=True)
class Attempt:
    """One version of a deck that was tried: a round of an editor."""

    summary: str
    """What was tried, in a line."""
    deck: Path | None = None
    """The edited copy; None where the attempt gave none."""
    failure: str = ""
    """Why there is no deck, in a line."""
    verification: Verification | None = None
    """What was seen of it; None without a deck."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage, such as ``plan``, ``edit``, ``draw``."""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """In US dollars; None where it is not known."""
    record: Mapping[str, str] = field(default_factory=dict)
    """What to keep of it by name, such as ``prompt``, ``code``, ``reply``."""


@dataclass(frozen=True)
class EditResult:
    """All that is known of one request after it ended."""

    deck: Path
    """The input, which is as it was."""
    instruction: str
    outcome: Outcome
    done: tuple[str, ...] = ()
    """What was done of the request, in words."""
    undone: tuple[str, ...] = ()
    """What was not, and why; what to ask instead."""
    output: Path | None = None
    """What was written; None where nothing was, as when refused or in a dry run."""
    best: Attempt | None = None
    """The attempt whose deck was taken."""
    attempts: tuple[Attempt, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage, over all attempts."""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """In US dollars; None where it is not known."""

    @property
    def changes(self) -> DeckDiff:
        """What changed from the input to the attempt that was taken; nothing where none was."""
        if self.best is None or self.best.verification is None:
            return DeckDiff()
        return self.best.verification.diff

    @property
    def sentences(self) -> tuple[str, ...]:
        """The changes in words."""
        return words(self.changes)

    def without_copies(self) -> "EditResult":
        """The same after the folder of the copies is gone."""
        attempts = tuple(replace(one, deck=None) for one in self.attempts)
        best = None if self.best is None else attempts[self.attempts.index(self.best)]
        return replace(self, attempts=attempts, best=best)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, changes and findings included."""
        checked = self.best.verification if self.best else None
        return {
            "deck": str(self.deck),
            "instruction": self.instruction,
            "outcome": self.outcome,
            "output": str(self.output) if self.output else None,
            "done": list(self.done),
            "undone": list(self.undone),
            "sentences": list(self.sentences),
            "diff": self.changes.as_json(),
            "verification": checked.as_json() if checked else None,
            "attempts": [_attempt(one) for one in self.attempts],
            "seconds": dict(self.seconds),
            "tokens": {"input": self.usage.input_tokens, "output": self.usage.output_tokens},
            "cost": self.cost,
        }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    checked = attempt.verification
    return {
        "summary": attempt.summary,
        "failure": attempt.failure,
        "messages": list(checked.messages) if checked else [],
        "seconds": dict(attempt.seconds),
        "tokens": {"input": attempt.usage.input_tokens, "output": attempt.usage.output_tokens},
        "cost": attempt.cost,
        "record": dict(attempt.record),
    }
