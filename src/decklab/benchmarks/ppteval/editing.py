"""Editors under test: any function from a deck and an instruction to an edited deck.

An editor gets a copy of the deck that is its own, the instruction, and a `Session`, through which
it asks its model and says what it does. It may edit the copy in place, or return the path of
another file.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from decklab.errors import DecklabError, UnknownName
from decklab.models.asking import Ask, Reply

__all__ = ["EditLimits", "Editor", "LimitReached", "Session", "plain"]


@dataclass(frozen=True)
class EditLimits:
    """What one task may cost an editor.

    ``steps`` is paper 001's (section 4.2); the paper names no time and no count of messages, so
    those are ours.
    """

    seconds: float = 600.0
    steps: int = 30
    messages: int = 120


class LimitReached(DecklabError):
    """The editor has used up its time, steps or messages; the deck counts as it then is."""


@dataclass
class Session:
    """An editor's account of one task. Its calls raise LimitReached once a limit is reached."""

    limits: EditLimits = EditLimits()
    model: Ask | None = None
    """The model that the run was given; `ask` counts what it is asked."""
    steps: list[str] = field(default_factory=list)
    messages: int = 0
    started: float = field(default_factory=time.monotonic)

    def step(self, what: str) -> None:
        """Say that a step begins, in a line: one action, as a person would count them."""
        self._in_time()
        if len(self.steps) >= self.limits.steps:
            raise LimitReached(f"more than {self.limits.steps} steps")
        self.steps.append(what)

    def ask(self, prompt: str, **how: Any) -> Reply[Any]:
        """Ask the run's model; question and reply are two messages. See ``Ask``.

        Raises UnknownName where the run has no model.
        """
        self._in_time()
        if self.model is None:
            raise UnknownName("this editor needs a model, and none was named")
        if self.messages + 2 > self.limits.messages:
            raise LimitReached(f"more than {self.limits.messages} messages")
        self.messages += 2
        return self.model(prompt, **how)

    def _in_time(self) -> None:
        if time.monotonic() - self.started > self.limits.seconds:
            raise LimitReached(f"more than {self.limits.seconds:g} s")


class Editor(Protocol):
    """A function that edits ``deck``, a copy of its own, as ``instruction`` says.

    It returns the path of the edited deck; None stands for ``deck`` itself. What it raises of
    ModelError is no fault of the edit and leaves the task without a score; of other DecklabErrors
    the deck counts as it is then.
    """

    def __call__(self, deck: Path, instruction: str, session: Session) -> Path | None: ...


def plain(function: Callable[[Path, str], Path | None]) -> Editor:
    """An editor of a function that knows of no session; it makes one step."""

    def editor(deck: Path, instruction: str, session: Session) -> Path | None:
        session.step("edit")
        return function(deck, instruction)

    return editor
