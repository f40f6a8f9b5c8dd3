"""Agents without a model: one that plays a list of actions, and one that does nothing.

A script is a JSON list of calls of the ``computer`` tool with points in pixels of the screen, or an
object with such a list as ``actions``. Besides the tool's arguments a call may have a ``thought``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from decklab.core.errors import InvalidAgent
from decklab.core.faults import json_of
from decklab.evals.desktop.action_calls import read_call
from decklab.evals.desktop.environment import ActionRefused
from decklab.evals.desktop.runs import AgentFailed
from decklab.evals.desktop.scaling import picture_scale
from decklab.evals.desktop.session import AgentSession, Finish
from decklab.evals.desktop.trajectory import Trajectory


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
        """The agent of a script. Raises OSError where there is none, InvalidAgent where the file
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
        """The agent that does again what was done in a trajectory, action by action."""
        return cls([action for step in trajectory.steps for action in step.actions])

    def __call__(self, session: AgentSession) -> Finish:
        """Play the script on a screen; what it repeats is meant, and no loop."""
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
    """What is wrong with a call of a script, on the largest screen there may be."""
    if not isinstance(call, dict):
        return "it is no object"
    scale = picture_scale((1 << 20, 1 << 20), longest=1 << 20)
    try:
        read_call({name: call[name] for name in call if name != "thought"}, scale, (0, 0))
    except ActionRefused as error:
        return str(error)
    return ""
