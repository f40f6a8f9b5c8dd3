"""A whole run of an agent on a screen, from the first picture to the deck that it leaves; agents
without a model.

A script is a JSON list of calls of the ``computer`` tool with points in pixels of the screen, or an
object with such a list as ``actions``. Besides the tool's arguments a call may have a ``thought``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from decklab.core.errors import BudgetSpent, DecklabError, InvalidAgent, ModelError
from decklab.core.faults import json_of
from decklab.core.options import EditLimits
from decklab.evals.desktop.action_calls import read_call
from decklab.evals.desktop.environment import ActionRefused, Closed, Environment, EnvironmentFailed
from decklab.evals.desktop.scaling import picture_scale
from decklab.evals.desktop.session import REPEATS, AgentSession, Finish, RunStopped, ScreenAgent
from decklab.evals.desktop.trajectory import RunEnd, RunEnding, Trajectory, TrajectoryWriter
from decklab.models.asking import Usage
from decklab.models.turns import NO_USAGE, Turn


class AgentFailed(DecklabError):
    """The agent itself cannot go on, through no fault of the model or of the screen."""


@dataclass(frozen=True)
class ScreenRun:
    """Result of a run: how it ended, and the deck that the editor left, if any.

    ``last_saved`` is the deck as it was last saved, if the environment failed. ``turns`` are the
    conversation with the model, begun by ``system``, for logs.
    """

    end: RunEnd
    closed: Closed | None
    last_saved: Path | None = None
    usage: Usage = NO_USAGE
    system: str = ""
    turns: tuple[Turn, ...] = ()

    @property
    def deck(self) -> Path | None:
        """The deck to grade; None if no deck is known to be the last."""
        return self.closed.deck if self.closed else None


def run_agent(
    agent: ScreenAgent,
    environment: Environment,
    instruction: str,
    *,
    limits: EditLimits | None = None,
    repeats: int = REPEATS,
    trajectory: Path | None = None,
    price: Callable[[Usage], float | None] = lambda _usage: None,
    about: Mapping[str, Any] | None = None,
) -> ScreenRun:
    """Have ``agent`` do what ``instruction`` says on ``environment``, then save and close the deck.

    ``trajectory`` is a new folder for what it did; ``about`` goes into its ``run.json``. The run
    ends when the agent says so, or at a limit, a loop, a budget that is spent, or a failure: model,
    environment and agent are told apart, see ``RunEnding``. The deck is saved and closed in each
    case but that of a failed environment. Raises OSError if the trajectory cannot be written.
    """
    writer = TrajectoryWriter(trajectory)
    session = AgentSession(environment, instruction, limits or EditLimits(), repeats, writer, price)
    ended, detail, message, saved = _lived(agent, session, about or {})
    closed: Closed | None = None
    if ended != "environment failed":
        try:
            closed = environment.close()
        except EnvironmentFailed as error:
            ended, detail, saved = "environment failed", str(error), error.saved
    usage = session.usage
    end = RunEnd(
        ended, detail, message, session.steps, round(session.seconds, 3), usage.input_tokens,
        usage.output_tokens, price(usage) if usage.requests else None,
    )  # fmt: skip
    if writer.begun:
        writer.end(end)
    return ScreenRun(end, closed, saved, usage, session.system, tuple(session.turns))


def _lived(
    agent: ScreenAgent, session: AgentSession, about: Mapping[str, Any]
) -> tuple[RunEnding, str, str, Path | None]:
    """Run the agent to its end: how it ended, details, its last words, the deck last saved."""
    try:
        session.begin(about)
        finish: Finish = agent(session)
    except RunStopped as stopped:
        return stopped.ended, stopped.detail, "", None
    except BudgetSpent as error:
        return "budget", str(error), "", None
    except ModelError as error:
        return "model failed", str(error), "", None
    except EnvironmentFailed as error:
        ended: RunEnding = "agent failed" if error.ended == "agent" else "environment failed"
        return ended, str(error), "", error.saved
    except AgentFailed as error:
        return "agent failed", str(error), "", None
    return ("declined" if finish.declined else "finished"), "", finish.message, None


def do_nothing(session: AgentSession) -> Finish:
    """An agent that does nothing: the lower bound."""
    return Finish("nothing was done", declined=True)


@dataclass(frozen=True)
class ScriptedAgent:
    """Plays calls one after the other; the first that is refused ends it with AgentFailed.

    ``action_calls.call_of`` makes such calls of actions.
    """

    calls: Sequence[Mapping[str, Any]]

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The agent of a script. Raises OSError if there is none, InvalidAgent if the file
        is no script: it names the call that is wrong."""
        try:
            told = json_of(Path(path).read_bytes())
        except ValueError as error:
            raise InvalidAgent(f"{path}: {error}") from None
        calls = told.get("actions") if isinstance(told, dict) else told
        if not isinstance(calls, list):
            raise InvalidAgent(f"{path}: a script is a list of actions")
        for number, call in enumerate(calls, 1):
            problem = _problem(call)
            if problem:
                raise InvalidAgent(f"{path}: action {number}: {problem}")
        return cls(calls)

    @classmethod
    def of(cls, trajectory: Trajectory) -> Self:
        """The agent that repeats a trajectory, action by action."""
        return cls([action for step in trajectory.steps for action in step.actions])

    def __call__(self, session: AgentSession) -> Finish:
        """Play the script on a screen; its repetitions are meant, and no loop."""
        session.repeats = 0
        scale = picture_scale(session.environment.size, longest=max(session.environment.size))
        for number, call in enumerate(self.calls, 1):
            told = {name: value for name, value in call.items() if name != "thought"}
            try:
                session.do(read_call(told, scale, session.pointer), told, call.get("thought", ""))
            except ActionRefused as error:
                raise AgentFailed(f"action {number} of the script: {error}") from error
        return Finish(f"{len(self.calls)} actions were played")


def _problem(call: object) -> str:
    """Fault of a call of a script, on the largest screen there may be."""
    if not isinstance(call, dict):
        return "it is no object"
    scale = picture_scale((1 << 20, 1 << 20), longest=1 << 20)
    try:
        read_call({name: call[name] for name in call if name != "thought"}, scale, (0, 0))
    except ActionRefused as error:
        return str(error)
    return ""
