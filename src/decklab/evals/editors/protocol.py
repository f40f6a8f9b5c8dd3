"""An editor: a function from a deck and an instruction to an edited deck.

An editor gets its own copy of the deck, the instruction, and an `EditSession`, through which it
asks its model and reports its steps. It may edit the copy in place, or return the path of another
file.
"""

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, ParamSpec, Protocol, TypeVar

from decklab.core.errors import DecklabError, ModelError, UnknownName
from decklab.core.options import EditLimits
from decklab.models.asking import Ask, ModelReply, Usage

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

NEEDS_MODEL = "this editor needs a model, and none was named"
Outcome = Literal["done", "partly", "refused", "failed"]
_NEUTRAL = "Reply with the word yes."

UNLIMITED = EditLimits(float("inf"), sys.maxsize, sys.maxsize)


class LimitReached(DecklabError):
    """The editor has used up its time, steps or messages; its deck is graded as it is then."""


class QuestionRefused(DecklabError):
    """The model failed at this question but answers others, or the run has no model."""


@dataclass
class EditSession:
    """Limits, model and reports of an editor in one task. Calls raise LimitReached at a limit."""

    limits: EditLimits = field(default_factory=EditLimits)
    model: Ask | None = None
    """The model of the run; `ask` counts the messages."""
    steps: list[str] = field(default_factory=list)
    messages: int = 0
    started: float = field(default_factory=time.monotonic)
    outcome: Outcome = "done"
    """The outcome as the editor reports it."""
    note: str = ""
    """The editor's remark on the outcome, one line, such as a part that it could not do."""
    usage: Usage = field(default_factory=Usage)
    """Cost of the editor's questions; of those in a record, their cost when they were asked."""
    cost: float | None = None
    """In US dollars, where the editor reports it."""
    waited: float = 0.0
    """Seconds that replies out of a record took when they were asked."""
    elsewhere: bool = False
    """Whether the work was done before, so that its time is not that of this session."""
    took: float | None = None
    """The seconds of work done elsewhere, if they are known."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def spend(self, reply: ModelReply[Any]) -> None:
        """Count what a reply cost; threads may call it."""
        with self._lock:
            self.usage += reply.usage
            self.waited += reply.kept.seconds

    def finish(self, outcome: Outcome, note: str = "") -> None:
        """Report the outcome; an editor need not. The work goes on after this call."""
        self.outcome, self.note = outcome, note

    def step(self, what: str) -> None:
        """Report in one line that a step begins: one action, as a person would count actions."""
        self._in_time()
        if len(self.steps) >= self.limits.steps:
            raise LimitReached(f"more than {self.limits.steps} steps")
        self.steps.append(what)

    def ask(self, prompt: str, **how: Any) -> ModelReply[Any]:
        """Ask the run's model; question and reply are two messages. See ``Ask``.

        Raises UnknownName if the run has no model, and QuestionRefused if the model fails at
        this question but answers a neutral one. So an editor cannot escape a task by asking a
        question that no model answers.
        """
        self._in_time()
        if self.model is None:
            raise UnknownName(NEEDS_MODEL)
        if self.messages + 2 > self.limits.messages:
            raise LimitReached(f"more than {self.limits.messages} messages")
        self.messages += 2
        try:
            reply = self.model(prompt, **how)
            self.spend(reply)
            return reply
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
    """The task of an editor."""

    @property
    def name(self) -> str:
        """Name of the task within its set; editors do not see it."""

    @property
    def deck(self) -> Path:
        """The deck to edit; an editor gets a copy."""

    @property
    def instruction(self) -> str:
        """The task, in words."""


class Editor(Protocol):
    """A function that edits ``deck``, a copy of its own, as ``instruction`` says.

    It returns the path of the edited deck; None stands for ``deck`` itself. An exception ends its
    work, and the deck is graded as it is then.
    """

    def __call__(self, deck: Path, instruction: str, session: EditSession) -> Path | None: ...


@dataclass(frozen=True)
class Trusted(Generic[_Arguments, _Result]):
    """A function that somebody vouches for, so that it runs in decklab's own process."""

    function: Callable[_Arguments, _Result]

    def __call__(self, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        """The result of the function."""
        return self.function(*args, **kwargs)


def trusted(function: Callable[_Arguments, _Result]) -> Trusted[_Arguments, _Result]:
    """Vouch for an editor: it runs in decklab's own process, where it can do and see everything.

    For code of your own that another process cannot import, such as a function within a function.
    Never for an editor whose score matters: it could read the reference and change the grading.
    """
    return Trusted(function)


def plain(function: Callable[[Path, str], Path | None]) -> Editor:
    """An editor made of a function that takes no session; its work is one step."""

    def editor(deck: Path, instruction: str, session: EditSession) -> Path | None:
        session.step("edit")
        return function(deck, instruction)

    editor.__wrapped__ = function  # type: ignore[attr-defined]
    return editor
