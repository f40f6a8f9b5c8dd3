"""A whole run of an agent on a screen, from the first picture to the deck that it leaves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decklab.core.errors import BudgetSpent, DecklabError, ModelError
from decklab.core.options import EditLimits
from decklab.evals.desktop.environment import Closed, Environment, EnvironmentFailed
from decklab.evals.desktop.session import REPEATS, AgentSession, Finish, RunStopped, ScreenAgent
from decklab.evals.desktop.trajectory import RunEnd, RunEnding, TrajectoryWriter
from decklab.models.asking import Usage
from decklab.models.turns import NO_USAGE, Turn


class AgentFailed(DecklabError):
    """The agent itself cannot go on, through no fault of the model or of the screen."""


@dataclass(frozen=True)
class ScreenRun:
    """What came of a run: how it ended, and the deck that the editor left, where it left one.

    ``last_saved`` is the deck as it was last saved, where the environment failed. ``turns`` are the
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
        """The deck to grade; None where there is none, or where it is not known to be the last."""
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
    case but that of a failed environment. Raises OSError where the trajectory cannot be written.
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
    """Run the agent to its end: how it ended, details, its last words, what was last saved."""
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
