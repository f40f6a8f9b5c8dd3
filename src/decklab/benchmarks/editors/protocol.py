"""What an editor is: a function from a deck and an instruction to an edited deck.

An editor gets a copy of the deck that is its own, the instruction, and an `EditSession`, through
which it asks its model and says what it does. It may edit the copy in place, or return the path
of another file.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, ParamSpec, Protocol, TypeVar

from decklab.errors import DecklabError, ModelError, UnknownName
from decklab.models.asking import Ask, ModelReply
from decklab.options import EditLimits

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

NEEDS_MODEL = "this editor needs a model, and none was named"
Outcome = Literal["done", "partly", "refused", "failed"]
_NEUTRAL = "Reply with the word yes."


UNLIMITED = EditLimits(float("inf"), sys.maxsize, sys.maxsize)


class LimitReached(DecklabError):
    """The editor has used up its time, steps or messages; the deck counts as it then is."""


class QuestionRefused(DecklabError):
    """The model failed at this question though it answers others, or the run has no model."""


@dataclass
class EditSession:
    """An editor's account of one task. Its calls raise LimitReached once a limit is reached."""

    limits: EditLimits = field(default_factory=EditLimits)
    model: Ask | None = None
    """The model that the run was given; `ask` counts what it is asked."""
    steps: list[str] = field(default_factory=list)
    messages: int = 0
    started: float = field(default_factory=time.monotonic)
    outcome: Outcome = "done"
    """What the editor says came of it."""
    note: str = ""
    """What it adds to that, in a line, such as what it could not do."""

    def finish(self, outcome: Outcome, note: str = "") -> None:
        """Say what came of the work; an editor need not. It does not end the work."""
        self.outcome, self.note = outcome, note

    def step(self, what: str) -> None:
        """Say that a step begins, in a line: one action, as a person would count them."""
        self._in_time()
        if len(self.steps) >= self.limits.steps:
            raise LimitReached(f"more than {self.limits.steps} steps")
        self.steps.append(what)

    def ask(self, prompt: str, **how: Any) -> ModelReply[Any]:
        """Ask the run's model; question and reply are two messages. See ``Ask``.

        Raises UnknownName where the run has no model, and QuestionRefused where the model fails at
        this question and answers another, neutral one. So an editor cannot get out of a task by a
        question that no model takes.
        """
        self._in_time()
        if self.model is None:
            raise UnknownName(NEEDS_MODEL)
        if self.messages + 2 > self.limits.messages:
            raise LimitReached(f"more than {self.limits.messages} messages")
        self.messages += 2
        try:
            return self.model(prompt, **how)
        except ModelError as error:
            if not self._answers():
                raise
            raise QuestionRefused(f"the model did not take a question: {error}") from error

    def _answers(self) -> bool:
        assert self.model is not None
        try:
            self.model(_NEUTRAL)
        except ModelError:
            return False
        return True

    def _in_time(self) -> None:
        if time.monotonic() - self.started > self.limits.seconds:
            raise LimitReached(f"more than {self.limits.seconds:g} s")


class EditTask(Protocol):
    """What an editor is put to."""

    @property
    def name(self) -> str:
        """Of the task within its set; no editor is told it."""

    @property
    def deck(self) -> Path:
        """The deck to edit, of which an editor gets a copy."""

    @property
    def instruction(self) -> str:
        """What to do, in words."""


class Editor(Protocol):
    """A function that edits ``deck``, a copy of its own, as ``instruction`` says.

    It returns the path of the edited deck; None stands for ``deck`` itself. What it raises ends
    its work, and the deck counts as it is then.
    """

    def __call__(self, deck: Path, instruction: str, session: EditSession) -> Path | None: ...


@dataclass(frozen=True)
class Trusted(Generic[_Arguments, _Result]):
    """A function that runs in decklab's own process, since somebody vouches for it."""

    function: Callable[_Arguments, _Result]

    def __call__(self, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        """What the function gives."""
        return self.function(*args, **kwargs)


def trusted(function: Callable[_Arguments, _Result]) -> Trusted[_Arguments, _Result]:
    """Vouch for an editor: it runs in decklab's own process, where it can do and see everything.

    For code of your own that another process cannot import, such as a function within a function.
    Never for an editor whose score matters: it could read the reference and change the grading.
    """
    return Trusted(function)


def plain(function: Callable[[Path, str], Path | None]) -> Editor:
    """An editor of a function that knows of no session; it makes one step."""

    def editor(deck: Path, instruction: str, session: EditSession) -> Path | None:
        session.step("edit")
        return function(deck, instruction)

    editor.__wrapped__ = function  # type: ignore[attr-defined]
    return editor
