"""Agents that do the tasks: on Impress's screen, on a page, as a program; and what fails without
their fault."""

import json
import shutil
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from pptx import Presentation

from decklab.core.errors import DeckError, InvalidAgent, Unavailable, UnknownName
from decklab.core.options import TaskAgent, WebPage
from decklab.core.results import NotScored
from decklab.evals.desktop.environment import EnvironmentFailed
from decklab.evals.desktop.model_agent import ScreenRun
from decklab.evals.desktop.trajectory import RunEnd
from decklab.evals.editors.protocol import EditSession
from decklab.evals.ppteval import agents as module
from decklab.evals.ppteval.agents import TaskAgents, graded_as_saved
from decklab.evals.ppteval.outcomes import Grading, TaskOutcome, agent_numbers, grade_edit
from decklab.evals.ppteval.running import bench_ppteval
from decklab.evals.ppteval.tasks import EditingTask, load_editing_tasks

SCRIPTS = Path(__file__).parents[3] / "bench" / "desktop_scripts"
PROGRAM = """
import sys
from io import BytesIO
from zipfile import ZipFile

made = BytesIO()
with ZipFile(sys.argv[1]) as deck, ZipFile(made, "w") as left:
    for name in deck.namelist():
        content = deck.read(name)
        if name == "ppt/slides/slide5.xml":
            content = content.replace(b"The north ridge", sys.argv[2].split("'")[1].encode())
        left.writestr(name, content)
open(sys.argv[1], "wb").write(made.getvalue())
print("the title is set")
"""


@pytest.fixture(scope="module")
def tasks(starter: Path) -> dict[str, EditingTask]:
    return {task.name: task for task in load_editing_tasks(starter / "task_registry")}


# Inspect leaves streams open.
@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_on_the_screen_a_save_alone_scores_0_and_a_script_solves_its_task(tmp_path: Path) -> None:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "speaker-notes.json").write_text('[{"action": "wait", "duration": 0.1}]')
    (scripts / "bold-title.json").write_bytes((SCRIPTS / "bold-title.json").read_bytes())
    try:
        run = bench_ppteval(
            tmp_path / "run", names=["bold-title", "speaker-notes"], pictures=False,
            agent=TaskAgent("desktop", scripts, environments=2),
        )  # fmt: skip
    except Unavailable as error:
        pytest.skip(f"no screen here: {error}")
    scores = {one.task: one.score for one in run.outcomes}
    assert scores == {"bold-title": 1.0, "speaker-notes": 0.0}
    left = tmp_path / "run" / "decks" / "bold-title" / "edited.pptx"
    title = Presentation(str(left)).slides[4].shapes.title
    assert (title.text_frame.text, title.text_frame.paragraphs[0].runs[0].font.bold) == (
        "The northern ridge",
        True,
    )
    page = (tmp_path / "run" / "tasks" / "bold-title.html").read_text()
    assert 'bold-title-steps.html"' in page
    steps = (tmp_path / "run" / "tasks" / "bold-title-steps.html").read_text()
    assert "Make" in steps or "bold" in steps
    index = (tmp_path / "run" / "index.html").read_text()
    assert 'tasks/speaker-notes-steps.html"' in index and "Time a task" in index
    told = json.loads((tmp_path / "run" / "results.json").read_text())
    assert (told["agent"], told["environments"], told["agent_numbers"]["loops"]) == (
        "desktop",
        2,
        0,
    )


@pytest.mark.long
def test_a_program_is_an_agent(tasks: dict[str, EditingTask], tmp_path: Path, caged: None) -> None:
    program = tmp_path / "agent.py"
    program.write_text(PROGRAM)
    command = f"{sys.executable} {program} {{deck}} {{instruction}}"
    agents = TaskAgents(TaskAgent("command", command=command))
    agents.check([])
    task = tasks["bold-title"]
    left = agents.edit(task, tmp_path / "work", EditSession(), None)
    assert (left.error, left.ended, left.session.steps) == (None, "", ["run the program"])
    graded = grade_edit(task, left, Grading(pictures=False))
    assert graded.outcome.score == 0.5 and not graded.outcome.failure
    printed = tmp_path / "work/trajectory/stdout.txt"
    assert printed.read_text() == "the title is set\n"
    printed.with_name("old.txt").touch()
    again = agents.edit(task, tmp_path / "work", EditSession(), None)  # as with --overwrite
    assert again.error is None and printed.exists()
    assert not printed.with_name("old.txt").exists()


@pytest.fixture
def address(tasks: dict[str, EditingTask]) -> Iterator[str]:
    """A host that hands out the starter set's decks."""
    folder = tasks["bold-title"].deck.parent

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.long
def test_a_page_that_nobody_edits_scores_0(
    tasks: dict[str, EditingTask], address: str, tmp_path: Path
) -> None:
    page = WebPage(f"{address}/?task={{task}}", fetch="/plain.pptx")
    (tmp_path / "trajectory").mkdir()
    (tmp_path / "trajectory/run.json").write_text("{}")  # of an earlier run
    left = TaskAgents(TaskAgent("browser", page=page)).edit(
        tasks["bold-title"], tmp_path, EditSession(), None
    )
    if left.error is not None and "not installed" in str(left.error):
        pytest.skip(str(left.error))
    assert left.error is None and left.original.read_bytes() == left.deck.read_bytes()
    assert grade_edit(tasks["bold-title"], left, Grading(pictures=False)).outcome.score == 0.0
    run = json.loads((tmp_path / "trajectory/run.json").read_text())
    assert run["page"] == f"{address}/?task={{task}}"


@pytest.mark.parametrize(
    ("failure", "whose"),
    [
        (EnvironmentFailed("editor", "killed"), "environment"),
        (Unavailable("no screen"), "environment"),
        (DeckError("a.pptx", "LibreOffice cannot read it"), "environment"),
        (RunEnd("environment failed", "the display ended"), "environment"),
        (RunEnd("model failed", "no reply"), "model"),
        (RunEnd("budget", "all is spent"), "model"),
    ],
)
def test_what_fails_without_the_agents_fault_is_not_scored(
    failure: Exception | RunEnd,
    whose: str,
    tasks: dict[str, EditingTask],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object) -> object:
        if isinstance(failure, Exception):
            raise failure
        return ScreenRun(failure, None)

    agents = TaskAgents(TaskAgent("desktop"))
    monkeypatch.setattr(agents, "_run_on_screen", failing)
    left = agents.edit(tasks["bold-title"], tmp_path, EditSession(), None)
    outcome = grade_edit(tasks["bold-title"], left, Grading(pictures=False)).outcome
    assert isinstance(outcome.score, NotScored) and (outcome.low, outcome.high) == (0.0, 1.0)
    assert outcome.failure == whose


@pytest.mark.by_day(1)
@pytest.mark.parametrize("ended", ["step limit", "loop", "time", "agent failed"])
def test_what_the_agent_ends_itself_is_graded(
    ended: str, tasks: dict[str, EditingTask], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = tasks["bold-title"]

    def left(_task: EditingTask, before: Path, out: Path, *_: object) -> object:
        for path in (before, out):
            path.write_bytes(task.deck.read_bytes())
        return ScreenRun(RunEnd(ended, "why"), None)  # type: ignore[arg-type]

    agents = TaskAgents(TaskAgent("desktop"))
    monkeypatch.setattr(agents, "_run_on_screen", left)
    outcome = grade_edit(
        task, agents.edit(task, tmp_path, EditSession(), None), Grading(pictures=False)
    ).outcome
    assert (outcome.score, outcome.ended, outcome.failure) == (0.0, f"{ended}: why", "")
    assert outcome.looped == (ended == "loop")


def test_scripts_that_are_not_there_or_wrong_are_named(
    tasks: dict[str, EditingTask], tmp_path: Path
) -> None:
    agents = TaskAgents(TaskAgent("desktop", tmp_path))
    with pytest.raises(UnknownName, match="no script for the task 'bold-title'"):
        agents.check([tasks["bold-title"]])
    (tmp_path / "bold-title.json").write_text('[{"action": "fly"}]')
    with pytest.raises(InvalidAgent, match="action 1"):
        agents.check([tasks["bold-title"]])


@pytest.mark.usefixtures("caged")
@pytest.mark.parametrize(
    ("setup", "lacking"),
    [
        (TaskAgent("desktop"), "Xvfb"),
        (TaskAgent("desktop"), "openbox"),
        (TaskAgent("browser", page=WebPage("http://x/", fetch="a.pptx")), "chromium"),
    ],
)
def test_a_program_that_is_missing_is_told_before_the_first_task(
    setup: TaskAgent,
    lacking: str,
    tasks: dict[str, EditingTask],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    which = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda name, **how: None if lacking in name else which(name, **how)
    )
    # As where the original of the first task is in the cache.
    monkeypatch.setattr(module, "roundtrip", lambda deck, out, **_: out.write_bytes(b""))
    with pytest.raises(Unavailable, match=f"apt(-get)? install.* {lacking.lower()}"):
        TaskAgents(setup).check([tasks["bold-title"]])


@pytest.mark.parametrize(
    ("setup", "problem"),
    [
        (TaskAgent("browser"), "address of a page"),
        (TaskAgent("browser", page=WebPage("http://x/")), "name one"),
        (TaskAgent("browser", page=WebPage("http://x/{tsk}", fetch="a")), "may have {task}"),
        (TaskAgent("browser", page=WebPage("http://x/{", fetch="a")), "may have {task}"),
        (TaskAgent("command"), "has to name"),
        (TaskAgent("desktop", environments=0), "at least one"),
    ],
)
def test_an_agent_that_cannot_be_is_refused(setup: TaskAgent, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        TaskAgents(setup)


def test_only_masters_and_layouts_may_be_written_anew(tasks: dict[str, EditingTask]) -> None:
    task = tasks["bold-title"]
    allowed = graded_as_saved(task).rubric.metadata["may_change"]
    (title,) = task.rubric.metadata["may_change"]
    anew = {"may": ["theme:*", "master:*", "layout:*", "properties:*"]}
    assert allowed == [{**title, "may": [*title["may"], "style:*", "geometry:*"]}, anew]


def test_loops_and_costs_are_counted_where_nothing_broke_off() -> None:
    found = agent_numbers([
        TaskOutcome("a", None, (), 1, 1, seconds=10, tokens=100, cost=0.5),
        TaskOutcome("b", None, (), 0, 0, seconds=30, tokens=50, cost=0.25, looped=True),
        TaskOutcome("c", None, (), 0, 1, seconds=99, failure="model"),
    ])  # fmt: skip
    assert (found.seconds, found.loop_rate, found.cost, found.tokens) == (20, 0.5, 0.75, 150)
    assert (found.environment_failures, found.model_failures) == (0, 1)
    empty = agent_numbers([])
    assert isinstance(empty.seconds, NotScored) and isinstance(empty.loop_rate, NotScored)
