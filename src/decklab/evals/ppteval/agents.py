"""Agents that do PPT-Eval's tasks: on the screen of Impress, on a page of the web, or as a program.

Paper 001, section 3.2: each task has a fresh copy of its deck in an editor of its own. Editors on a
screen rewrite much of what they save. So, like the authors', the original that an edit is compared
with is what the same editor saves of the deck when nothing was done to it.
"""

import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import (
    BudgetSpent,
    DeckError,
    DecklabError,
    InvalidAgent,
    ModelFailed,
    Unavailable,
    UnknownName,
)
from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import EditLimits, TaskAgent, WebPage
from decklab.evals.desktop.browser import BrowserPage, TakeDeck, check_browser_programs
from decklab.evals.desktop.command_agent import CommandAgent
from decklab.evals.desktop.environment import EnvironmentFailed
from decklab.evals.desktop.impress import (
    SIZE,
    Impress,
    ScreenLimits,
    check_screen_programs,
    roundtrip,
)
from decklab.evals.desktop.model_agent import (
    PROMPTS,
    ModelAgent,
    ScreenRun,
    ScriptedAgent,
    do_nothing,
    run_agent,
)
from decklab.evals.desktop.session import ScreenAgent, call_words
from decklab.evals.desktop.trajectory import RunEnd, Trajectory
from decklab.evals.desktop.trajectory_page import write_output_page, write_trajectory_page
from decklab.evals.editors.protocol import EditSession
from decklab.evals.editors.running import EnvironmentBroken, Submission
from decklab.evals.ppteval.outcomes import BEFORE, EDITED
from decklab.evals.ppteval.tasks import EditingTask, file_name
from decklab.evals.rubrics.rubric import MAY_CHANGE
from decklab.models.asking import RunCosts
from decklab.models.model_run import Chat
from decklab.rendering.renderer import Cache

STEPS_PAGE = "-steps.html"
"""End of the name of a page with what an agent did; before it stands that of the task's page."""
TRAJECTORY = "trajectory"
"""Folder of what an agent did, beside the decks of its task."""
_GRADED_ENDINGS: Final = ("step limit", "time", "loop", "agent failed")
"""Endings that are the agent's own: its deck counts as it was then."""
_WRITTEN_ANEW: Final = {"may": ["theme:*", "master:*", "layout:*", "properties:*"]}
_STATED_ANEW: Final = ("style:*", "geometry:*")


def graded_as_saved(task: EditingTask) -> EditingTask:
    """``task`` for an editor that writes masters and layouts anew whenever it saves, each time in
    another way: their changes are no damage, nor is the style that it then states on shapes which
    may change anyway. How the slides look counts as before."""
    stated = task.rubric.metadata.get(MAY_CHANGE)
    if not isinstance(stated, list):
        return task
    entries = [
        {**entry, "may": [*entry["may"], *_STATED_ANEW]}
        if "may" in entry and entry.keys() & {"shapes", "words"} and "parts" not in entry
        else entry
        for entry in stated
    ]
    metadata = {**task.rubric.metadata, MAY_CHANGE: [*entries, _WRITTEN_ANEW]}
    return replace(task, rubric=replace(task.rubric, metadata=metadata))


class TaskAgents:
    """Does tasks with the agent that ``setup`` describes, within ``limits``.

    ``costs`` has the prices of what its model is asked; programs see nothing of ``hidden``.
    """

    def __init__(
        self,
        setup: TaskAgent,
        *,
        limits: EditLimits | None = None,
        costs: RunCosts | None = None,
        hidden: Sequence[Path] = (),
        cache: Cache | None = None,
    ) -> None:
        self.setup, self.limits = setup, limits or EditLimits()
        self._costs, self._cache = costs or RunCosts(), cache or Cache()
        self._program: CommandAgent | None = None
        _size(setup.screen)
        if setup.environments < 1:
            raise ValueError("at least one environment works")
        if setup.form and setup.form not in PROMPTS:
            known = ", ".join(PROMPTS)
            raise UnknownName(f"no model answers in the format {setup.form!r}; formats: {known}")
        if setup.kind == "command":
            self._program = CommandAgent(
                setup.command, setup.access, self.limits, hidden=[*hidden, self._cache.folder]
            )
        elif setup.kind == "browser":
            _taking(_page(setup))

    def check(self, tasks: Sequence[EditingTask]) -> None:
        """Look for all that is needed, before anything that costs time or money.

        Raises UnknownName for a program or a script that is not there, InvalidAgent for a wrong
        script, Unavailable where a sandbox, the editor or the browser cannot be had.
        """
        if self._program is not None:
            self._program.check()
        for task in tasks if self.setup.scripts is not None else ():
            self._script(task)
        if self.setup.kind == "browser":
            check_browser_programs(Path("the browser"))
        elif self.setup.kind == "desktop" and tasks:
            check_screen_programs()  # the first round trip may be in the cache
            with scratch_folder("agents") as folder, suppress(DeckError):
                roundtrip(tasks[0].deck, folder / BEFORE, cache=self._cache)

    @property
    def facts(self) -> dict[str, Any]:
        """Facts on the agent for the results, as plain JSON."""
        setup = self.setup
        facts: dict[str, Any] = {"agent": setup.kind, "environments": setup.environments}
        if self._program is not None:
            facts |= self._program.facts
        if setup.page is not None:
            facts["page"] = setup.page.url
        if setup.scripts is not None:
            facts["scripts"] = str(setup.scripts)
        facts |= {name: value for name in ("form", "controls", "screen", "delay")
                  if (value := getattr(setup, name))}  # fmt: skip
        return facts

    def graded(self, tasks: Sequence[EditingTask]) -> list[EditingTask]:
        """The tasks with rubrics that allow for what the agent's editor does on its own."""
        on_screen = self.setup.kind == "desktop"
        return [graded_as_saved(task) if on_screen else task for task in tasks]

    @property
    def needs_model(self) -> bool:
        """Whether the run's model is the agent, where the run has one."""
        return self.setup.kind != "command" and self.setup.scripts is None

    def edit(
        self, task: EditingTask, folder: Path, session: EditSession, chat: Chat | None
    ) -> Submission:
        """Have the agent do ``task``; its decks and what it did are in ``folder`` then.

        ``chat`` is the run's model. Failures that are not the agent's are in ``Submission.error``.
        """
        before, edited = folder / BEFORE, folder / EDITED
        for path in (before, edited):
            path.unlink(missing_ok=True)
        if (folder / TRAJECTORY).exists():  # of an earlier run
            shutil.rmtree(folder / TRAJECTORY)
        started = time.perf_counter()
        error: DecklabError | None = None
        end = RunEnd("finished")
        try:
            if self._program is not None:
                end = self._run_program(self._program, task, edited, folder / TRAJECTORY)
                write_whole(before, task.deck.read_bytes())
            else:
                run = self._run_on_screen(task, before, edited, folder / TRAJECTORY, chat)
                end, session.usage = run.end, run.usage
        except (EnvironmentFailed, Unavailable, DeckError) as caught:
            error = EnvironmentBroken(str(caught))
        if not before.is_file():
            write_whole(before, task.deck.read_bytes())
        error = error or _failure(end)
        session.steps[:] = _steps(folder / TRAJECTORY)
        session.cost = end.cost
        if end.ended == "declined":
            session.finish("refused", end.message)
        ended = f"{end.ended}: {end.detail}" if end.ended in _GRADED_ENDINGS else ""
        seconds = time.perf_counter() - started
        return Submission(
            before, edited, session, seconds, ended, error, looped=end.ended == "loop"
        )

    def _run_program(
        self, program: CommandAgent, task: EditingTask, out: Path, trajectory: Path
    ) -> RunEnd:
        done = program.run(task.deck, task.instruction, trajectory=trajectory)
        if done.deck is not None:
            write_whole(out, done.deck)
        return done.end

    def _run_on_screen(
        self, task: EditingTask, before: Path, out: Path, trajectory: Path, chat: Chat | None
    ) -> ScreenRun:
        how: dict[str, Any] = {"limits": self.limits, "trajectory": trajectory, "about": self.facts}
        if chat is not None:
            how["price"] = lambda usage: self._costs.cost_of(usage, chat.facts.model)
        agent = self._agent(task, chat)
        if self.setup.kind == "browser":
            page = _page(self.setup)
            url = page.url.format(task=file_name(task.name), deck=task.deck.name)
            with BrowserPage(
                url, out, take=_taking(page), hosts=page.hosts, profile=page.profile
            ) as screen:
                screen.hand_out(before)
                return run_agent(agent, screen, task.instruction, **how)
        roundtrip(task.deck, before, cache=self._cache)
        limits = ScreenLimits()
        if (delay := self.setup.delay) is not None:
            most = max(limits.settle_seconds, 2 * delay)
            limits = replace(limits, quiet_seconds=delay, settle_seconds=most)
        with Impress(task.deck, out, size=_size(self.setup.screen), limits=limits) as screen:
            return run_agent(agent, screen, task.instruction, **how)

    def _agent(self, task: EditingTask, chat: Chat | None) -> ScreenAgent:
        if self.setup.scripts is not None:
            return self._script(task)
        if chat is None:
            return do_nothing
        return ModelAgent(chat, form=self.setup.form, controls=self.setup.controls)

    def _script(self, task: EditingTask) -> ScriptedAgent:
        assert self.setup.scripts is not None
        path = self.setup.scripts / f"{file_name(task.name)}.json"
        if not path.is_file():
            raise UnknownName(f"{path}: there is no script for the task {task.name!r}")
        return ScriptedAgent.load(path)


def write_agent_page(folder: Path, page: Path, *, title: str, back: str) -> None:
    """Write the page of what an agent did, whose trajectory is in ``folder``.

    ``back`` is the path of the page that it leads back to, relative to its own.
    """
    if (folder / "stdout.txt").is_file():
        write_output_page(folder, page, title=title, back=back)
    else:
        write_trajectory_page(Trajectory.read(folder), page, title=title, back=back)


def _failure(end: RunEnd) -> DecklabError | None:
    """The error of a run that failed without the agent's fault."""
    if end.ended in ("environment failed", "broken off"):
        return EnvironmentBroken(f"the environment failed: {end.detail}")
    if end.ended == "model failed":
        return ModelFailed("the agent's model", end.detail)
    if end.ended == "budget":
        return BudgetSpent("the agent's model", end.detail)
    return None


def _steps(trajectory: Path) -> list[str]:
    """The steps of an agent on a screen, one a line; of a program, that it ran."""
    if (trajectory / "stdout.txt").is_file():
        return ["run the program"]
    with suppress(OSError, ValueError):
        return [call_words(step.call) for step in Trajectory.read(trajectory).steps]
    return []


def _size(screen: str) -> tuple[int, int]:
    """The size of the desktop out of words such as ``1280x800``; the usual one for none."""
    if not screen:
        return SIZE
    width, _, height = screen.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise InvalidAgent(f"{screen} is no size of a screen, such as 1280x800")
    return int(width), int(height)


def _page(setup: TaskAgent) -> WebPage:
    if setup.page is None:
        raise InvalidAgent("an agent in a browser needs the address of a page")
    try:
        setup.page.url.format(task="", deck="")
    except (LookupError, ValueError):
        raise InvalidAgent(
            f"{setup.page.url}: of words in braces an address may have {{task}} and {{deck}}"
        ) from None
    return replace(setup.page)


def _taking(page: WebPage) -> TakeDeck:
    return TakeDeck(page.keys, tuple(page.clicks), page.fetch)
