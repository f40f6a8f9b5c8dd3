"""The task ``ppteval`` for Inspect AI: an editor as solver and rubrics as scorer; whole runs of
``decklab bench ppteval`` and ``ppteval-meta``, and what they leave on disk.

For each task the log holds the deck before and after, pictures of the changed slides, the graded
tree, and the editor's steps.
"""

import base64
import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import partial
from io import BytesIO
from itertools import count
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessageUser,
    Content,
    ContentDocument,
    ContentImage,
    ContentText,
    Model,
    get_model,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import concurrency
from PIL import Image

from decklab.core.errors import DeckError, UnknownName
from decklab.core.files import lasting_folder, scratch_folder, write_whole
from decklab.core.options import AgentKind, EditLimits, EditorAccess, Spending, TaskAgent, WebPage
from decklab.core.output_folder import begin_run_folder, check_run_folder
from decklab.core.results import NotScored
from decklab.evals.desktop.session import call_words
from decklab.evals.desktop.trajectory import Trajectory
from decklab.evals.editors.isolation import (
    EditorFor,
    IsolatedEditor,
    SafeEditor,
    describe_isolation,
    editor_access,
    isolated,
    isolation_facts,
)
from decklab.evals.editors.protocol import NEEDS_MODEL, EditSession
from decklab.evals.editors.running import (
    NO_MODEL,
    Submission,
    asking_in_run,
    edit_deck,
    editor_for,
    submitted_bytes,
)
from decklab.evals.inspect_run import EVERY_SAMPLE, one_at_a_time, run_task, sample_score, say
from decklab.evals.ppteval.agents import STEPS_PAGE, TRAJECTORY, TaskAgents, write_agent_page
from decklab.evals.ppteval.meta import (
    GradedAttempt,
    agreement,
    find_attempts,
    grade_attempts,
    repeated,
)
from decklab.evals.ppteval.outcomes import (
    ALL_TASKS,
    BEFORE,
    EDITED,
    Graded,
    Grading,
    TaskOutcome,
    agent_numbers,
    difficulty_table,
    edit_task,
    grade_edit,
    outcomes_of,
    structure_table,
)
from decklab.evals.ppteval.report import (
    TREES,
    MetaRun,
    PptevalRun,
    agent_words,
    tree_pages,
    write_attempt_page,
    write_meta_report,
    write_report,
)
from decklab.evals.ppteval.tasks import (
    EDITORS,
    EditingTask,
    case_files,
    file_names,
    load_editing_tasks,
    write_starter,
)
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.running import LeafRoom
from decklab.models.inspect import chatting_from_thread, image_url, open_model
from decklab.models.model_run import ModelRun, begin_run, file_digest
from decklab.pages.files import strict_json
from decklab.rendering.renderer import Cache, Renderer
from decklab.sandbox.host_files import FunctionReference
from decklab.sandbox.sandbox import check_isolation

_LOGGED_WIDTH = 640
"""Pixels of a screen's width in the log. Ours: it keeps logs small."""
EMBEDDED_BYTES = 8 * 2**20
"""Of a larger deck the log has size and checksum only. Ours: it keeps logs small."""
DECK_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"


@task
def ppteval(
    *,
    tasks: str | None = None,
    files: str | None = None,
    editor: str = "noop",
    judge: str | None = None,
    seconds: float = EditLimits().seconds,
    steps: int = EditLimits().steps,
    messages: int = EditLimits().messages,
    pictures: bool = True,
    trust_editor: bool = False,
    editor_env: str | Sequence[str] = (),
    editor_files: str | Sequence[str] = (),
    editor_network: bool = False,
    agent: AgentKind | None = None,
    scripts: str | None = None,
    command: str = "",
    environments: int = 1,
    form: str = "",
    controls: bool = False,
    screen: str = "",
    delay: float | None = None,
    page: str | None = None,
    page_hosts: str | Sequence[str] = (),
    page_profile: str | None = None,
    page_keys: str = "",
    page_clicks: str | Sequence[str] = (),
    page_fetch: str = "",
) -> Task:
    """PPT-Eval's tasks, paper 001, or decklab's starter set where ``tasks`` is not given.

    ``tasks`` is a ``tasks.json`` or the folder that holds it, ``files`` the folder of decks;
    ``editor`` a name or ``package.module:function``; ``judge`` the model that rubric leaves ask;
    the task's own model is the editor's. An editor of yours is isolated: ``editor_env`` are
    environment variables that it gets, ``editor_files`` what it may read besides its code,
    ``editor_network`` lets it use the network, and ``trust_editor`` runs it without isolation.

    ``agent`` is ``desktop``, ``browser`` or ``command``: an agent does the tasks in place of an
    editor, see `TaskAgent` and `WebPage` for ``scripts``, ``command``, ``environments``, ``form``,
    ``controls``, ``screen``, ``delay`` and what begins with ``page``. The access of a ``command``
    is that of the editor.
    """
    if tasks is None:
        tasks = str(write_starter(lasting_folder("ppteval")))  # samples read it
    listed = load_editing_tasks(tasks, files)
    limits = EditLimits(seconds, steps, messages)
    access = editor_access(trust_editor, editor_env, editor_files, editor_network)
    hidden = case_files(tasks, listed)
    agents = None
    if agent is not None:
        web = None if page is None else WebPage(
            page, _listed(page_hosts), Path(page_profile) if page_profile else None, page_keys,
            _listed(page_clicks), page_fetch,
        )  # fmt: skip
        setup = TaskAgent(
            agent, Path(scripts) if scripts else None, command, web, environments, access, form,
            controls, screen, delay,
        )  # fmt: skip
        agents = TaskAgents(setup, limits=limits, hidden=hidden)
        agents.check(listed)
    return ppteval_task(
        agents.graded(listed) if agents else listed,
        editor_for(editor, EDITORS, limits=limits, access=access, hidden=hidden),
        agents=agents,
        name=agent or editor,
        judge=open_model(judge) if judge else None,
        limits=limits,
        grading=Grading(pictures=pictures),
        run=ModelRun(reported=False),
    )


def _listed(names: str | Sequence[str]) -> tuple[str, ...]:
    """Names given as a list, or as ``-T`` gives them."""
    return tuple(names.split(",") if isinstance(names, str) and names else names)


def ppteval_task(
    tasks: Sequence[EditingTask],
    editor: EditorFor[EditingTask],
    *,
    name: str = "",
    judge: Model | None = None,
    limits: EditLimits | None = None,
    grading: Grading | None = None,
    keep: Path | None = None,
    pages: Mapping[str, Path] | None = None,
    run: ModelRun | None = None,
    agents: TaskAgents | None = None,
    ended: Callable[[], object] | None = None,
) -> Task:
    """The task ``ppteval`` for loaded tasks and an editor for each, or ``agents`` in its place.

    ``keep`` is a folder for decks before and after, one folder a task; without it they are only in
    the log. ``pages`` maps names of tasks to the paths of the pages with their graded trees.
    ``grading`` says how they are graded, but for the ``judge``. ``run`` counts and keeps what
    models are asked. ``ended`` is called after each task.
    """
    by_name = {task.name: task for task in tasks}
    bench = _Bench(by_name, editor, limits or EditLimits(), keep, ended)
    isolation = isolation_facts(bench.editor_of(tasks[0])) if tasks and agents is None else {}
    solver = edit_deck(bench, run=run) if agents is None else use_agent(bench, agents, run=run)
    return Task(
        dataset=[
            Sample(
                id=item.name,
                input=item.goal,
                metadata={"deck": item.deck.name, "difficulty": item.difficulty,
                          "categories": list(item.categories)},
            )
            for item in tasks
        ],
        solver=solver,
        scorer=rubric_tree(bench, judge, run or ModelRun(), grading or Grading(), pages or {}),
        cleanup=bench.clean_up,
        name="ppteval",
        metadata={"editor": name, "limits": asdict(bench.limits), "kept_apart": isolation,
                  **(agents.facts if agents else {})},
        fail_on_error=EVERY_SAMPLE,
    )  # fmt: skip


@dataclass(frozen=True)
class _Bench:
    """Things that solver and scorer share; ``edits`` are submissions by the sample's own id."""

    tasks: dict[str, EditingTask]
    editor: EditorFor[EditingTask]
    limits: EditLimits
    keep: Path | None
    ended: Callable[[], object] | None
    edits: dict[str, Submission] = field(default_factory=dict)
    made: dict[FunctionReference, IsolatedEditor] = field(default_factory=dict)

    def editor_of(self, task: EditingTask) -> SafeEditor:
        """The editor for a task, isolated where decklab does not vouch for it."""
        stored = [self.keep] if self.keep else []
        hidden = [*(item.deck for item in self.tasks.values()), *stored]
        return isolated(self.editor(task), self.made, limits=self.limits, hidden=hidden)

    def editor_at(self, state: TaskState) -> tuple[SafeEditor, EditLimits]:
        return self.editor_of(self.tasks[str(state.sample_id)]), self.limits

    def folder(self, state: TaskState) -> Path:
        """The folder of a sample's decks."""
        if self.keep is not None:
            return self.keep / file_names(self.tasks)[str(state.sample_id)]
        return Path(gettempdir()) / f"decklab-edit-{state.uuid}"

    def edit(self, state: TaskState, editor: SafeEditor, session: EditSession) -> Submission:
        return edit_task(editor, self.tasks[str(state.sample_id)], self.folder(state), session)

    def cut_off(self, state: TaskState, session: EditSession) -> Submission:
        """The deck as it is now, in copies that the editor, which may still run, does not know."""
        folder, limit = self.folder(state), session.limits.seconds
        before, left = folder / BEFORE, folder / "left.pptx"
        write_whole(before, self.tasks[str(state.sample_id)].deck.read_bytes())
        with suppress(DeckError):  # there is no deck, so there is none to grade
            write_whole(left, submitted_bytes(folder / EDITED))
        return Submission(before, left, session, limit, f"more than {limit:g} s")

    def finish(self, state: TaskState, submission: Submission) -> None:
        self.edits[state.uuid] = submission
        say(state, state.model, "\n".join(submission.session.steps) or "No step was reported.")

    async def clean_up(self, state: TaskState) -> None:
        """Delete the decks, which are in the log by now, and call ``ended``."""
        if self.keep is None:
            shutil.rmtree(self.folder(state), ignore_errors=True)
        if self.ended is not None:
            self.ended()


@solver
def use_agent(bench: _Bench, agents: TaskAgents, *, run: ModelRun | None = None) -> Solver:
    """Have an agent do the task in a thread, as many at a time as there are environments.

    The agent ends by itself when its time is over, and its environment with it.
    """
    models = run or ModelRun()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async with concurrency("decklab-environment", agents.setup.environments):
            model, chat = get_model(), None
            if agents.needs_model and str(model) != NO_MODEL:
                asked = chatting_from_thread(model, account=models.costs, tell=models.tell)
                chat = models.kept_chat(asked)
            task, session = bench.tasks[str(state.sample_id)], EditSession(bench.limits)
            work = partial(agents.edit, task, bench.folder(state), session, chat)
            submission = await anyio.to_thread.run_sync(work)
        bench.finish(state, submission)
        state.messages += _agent_messages(bench.folder(state) / TRAJECTORY)
        return state

    return solve


def _agent_messages(trajectory: Path) -> list[ChatMessageUser]:
    """The screen after each step, for the log; none for programs."""
    if not (trajectory / "steps.jsonl").is_file():
        return []
    read = Trajectory.read(trajectory)
    return [
        ChatMessageUser(
            content=[
                ContentText(text=f"Step {step.number}: {call_words(step.call)}. {step.thought}"),
                ContentImage(image=image_url(_small(read.picture(step.after)))),
            ]
        )
        for step in read.steps
    ]


def _small(picture: Image.Image) -> bytes:
    """A screen as a PNG half as wide."""
    picture.thumbnail((_LOGGED_WIDTH, _LOGGED_WIDTH))
    data = BytesIO()
    picture.save(data, "PNG", optimize=True)
    return data.getvalue()


@metric
def table_2() -> Metric:
    """Success rate, mean score and steps, overall and by difficulty; means of open scores, which
    are intervals, are left out: ``decklab bench ppteval`` reports them."""

    def tabled(scores: list[SampleScore]) -> Value:
        outcomes = [TaskOutcome.from_json((row.score.metadata or {})["outcome"]) for row in scores]
        return {
            f"{'' if row.name == ALL_TASKS else f'{row.name.lower()}_'}{name}": cell.mean
            for row in difficulty_table(outcomes).rows
            for name, cell in row.cells.items()
            if not isinstance(cell.mean, NotScored)
        }

    return tabled


@scorer(metrics=[table_2()])
def rubric_tree(
    bench: _Bench, judge: Model | None, run: ModelRun, grading: Grading, pages: Mapping[str, Path]
) -> Scorer:
    """Grade what the editor left; put decks and pictures into the log."""

    async def score(state: TaskState, target: Target) -> Score:
        task = bench.tasks[str(state.sample_id)]
        edit = bench.edits.pop(state.uuid)
        how = grading
        if judge is not None:
            how = replace(grading, judge=asking_in_run(run, judge), secret=run.secret)
        page, left = pages.get(task.name), bench.folder(state) / TRAJECTORY
        steps_page = page.with_name(f"{page.stem}{STEPS_PAGE}") if page else None
        steps = steps_page.name if steps_page and (left / "run.json").is_file() else ""
        grade = partial(grade_edit, task, edit, how, page=page, steps_page=steps)
        graded = await one_at_a_time("decklab-grading", grade)
        if page is not None and steps_page is not None and steps:
            back = page.name if page.is_file() else "../index.html"
            write_agent_page(left, steps_page, title=task.name, back=back)
        state.messages.append(ChatMessageUser(content=_log_content(edit, graded)))
        return _score(graded, edit, run)

    return score


def _score(graded: Graded, edit: Submission, run: ModelRun) -> Score:
    outcome = graded.outcome
    metadata = {
        "outcome": outcome.to_json(),
        "tree": graded.tree,
        "steps": edit.session.steps,
        "messages": edit.session.messages,
    }
    return sample_score(outcome.score, run, explanation=outcome.reason, metadata=metadata)


def _log_content(edit: Submission, graded: Graded) -> list[Content]:
    content: list[Content] = []
    for when, path in (("before", edit.original), ("after", edit.deck)):
        content += _deck(when, path)
    for pair in graded.pictures:
        before = "before", pair.before, pair.picture_before
        after = "after", pair.after, pair.picture_after
        for when, number, picture in (before, after):
            if picture is not None:
                content.append(ContentText(text=f"Slide {number} {when}"))
                content.append(ContentImage(image=image_url(picture.data)))
    if graded.no_pictures:
        content.append(ContentText(text=f"No pictures: {graded.no_pictures}"))
    return content


def _deck(when: str, path: Path) -> list[Content]:
    if not path.is_file():
        return [ContentText(text=f"There is no deck {when}.")]
    data = path.read_bytes()
    described = f"Deck {when}: {len(data):,} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}"
    if len(data) > EMBEDDED_BYTES:
        return [ContentText(text=f"{described}; too large for the log")]
    address = f"data:{DECK_TYPE};base64,{base64.b64encode(data).decode()}"
    document = ContentDocument(document=address, filename=f"{when}.pptx", mime_type=DECK_TYPE)
    return [ContentText(text=described), document]


_DECKS, _LOGS = "decks", "logs"
_OUTPUTS = (_DECKS, _LOGS, TREES, "index.html", "results.json")
"""Files that a run writes; no editor may see them."""


def bench_ppteval(
    out: Path,
    *,
    tasks: Path | None = None,
    files: Path | None = None,
    names: Sequence[str] = (),
    editor: str = "noop",
    model: str | None = None,
    judge: str | None = None,
    limits: EditLimits | None = None,
    access: EditorAccess | None = None,
    agent: TaskAgent | None = None,
    spending: Spending | None = None,
    pictures: bool = True,
    overwrite: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
    tell: Callable[[str], None] = lambda line: None,
) -> PptevalRun:
    """Have ``editor`` do tasks, all or those of ``names``, and leave pages, decks, log and
    ``results.json`` in ``out``.

    ``tasks`` is a list or its folder, without it the starter set; ``files`` the folder of decks.
    With ``agent`` that does the tasks, and no editor. ``spending`` bounds and keeps what models are
    asked; what is left then is not scored.
    ``progress`` is called with the number of tasks done and of all tasks, first with 0 when
    everything is ready, and ``tell`` with a line whenever a model is asked again. Until then it
    raises DecklabError or OSError for anything missing or wrong; after that as `run_ppteval` does.
    """
    limits = limits or EditLimits()
    title = "PPT-Eval, starter set" if tasks is None else f"PPT-Eval, {tasks.resolve().name}"
    with ExitStack() as stack:
        check_run_folder(out, overwrite=overwrite or bool(spending and spending.record))
        for name in filter(None, (model, judge)):
            open_model(name)
        check_isolation()
        if tasks is None:
            folder = stack.enter_context(scratch_folder("starter"))
            tasks = write_starter(folder)
        listed = load_editing_tasks(tasks, files)
        chosen = _chosen(listed, names)
        named = {"editor": editor, "model": model, "judge": judge}
        if agent is not None:
            named = {"agent": agent.kind, "model": model, "judge": judge}
        run = begin_run(spending, _asked(named, limits, chosen), tell=tell)
        hidden = [*case_files(tasks, listed), *(out / name for name in _OUTPUTS), *run.folders]
        agents = None
        if agent is not None:
            agents = TaskAgents(agent, limits=limits, costs=run.costs, hidden=hidden)
            agents.check(chosen)
            chosen = tuple(agents.graded(chosen))
        under_test = editor_for(editor, EDITORS, limits=limits, access=access, hidden=hidden)
        isolation = {} if agents else isolation_facts(under_test(chosen[0]))
        begin_run_folder(out, overwrite=overwrite or run.resumed)
        done = count(1)
        progress(0, len(chosen))
        outcomes = run_ppteval(
            chosen, under_test, name=editor, model=model, judge=judge, limits=limits,
            pictures=pictures, out=out, run=run, agents=agents,
            ended=lambda: progress(next(done), len(chosen)),
        )  # fmt: skip
    numbers = agent_numbers(outcomes) if agents else None
    board = PptevalRun(outcomes, run.words, run.costs.ended, numbers)
    _write_results(out, board, named, agents.facts if agents else {"kept_apart": isolation})
    facts = _facts(board, named, limits, isolation)
    if agents is not None and agents.setup.environments > 1:
        facts["Environments"] = f"{agents.setup.environments} side by side"
    write_report(out, title, chosen, outcomes, facts=facts)
    return board


def _asked(
    named: Mapping[str, str | None], limits: EditLimits, tasks: Sequence[EditingTask]
) -> dict[str, Any]:
    """Facts on a run for its record: all that changes its questions."""
    return {
        "command": "bench ppteval",
        **named,
        "limits": astuple(limits),
        "tasks": {task.name: file_digest(task.deck) for task in tasks},
    }


def _facts(
    run: PptevalRun, named: Mapping[str, str | None], limits: EditLimits, isolation: dict[str, Any]
) -> dict[str, str]:
    """Facts on the run for the report, by words."""
    facts = {
        **{word.capitalize(): value for word, value in named.items()},
        "Limits": f"{limits.seconds:g} s, {limits.steps} steps, {limits.messages} messages a task",
        "Spent": run.spent,
        "Models were asked no more": run.ended,
        **(agent_words(run.agent) if run.agent else {}),
        "Editor kept apart": describe_isolation(isolation) if isolation else "",
    }
    return {word: said for word, said in facts.items() if said}


def _write_results(
    out: Path, run: PptevalRun, named: Mapping[str, str | None], facts: Mapping[str, Any]
) -> None:
    results = {
        **named,
        "spent": run.spent,
        "ended": run.ended,
        **facts,
        **({"agent_numbers": run.agent.to_json()} if run.agent else {}),
        "summary": [
            *difficulty_table(run.outcomes).to_json(),
            *structure_table(run.outcomes).to_json(),
        ],
        "tasks": [outcome.to_json() for outcome in run.outcomes],
    }
    write_whole(out / "results.json", strict_json(results).encode())


def _chosen(tasks: tuple[EditingTask, ...], names: Sequence[str]) -> tuple[EditingTask, ...]:
    if unknown := set(names) - {task.name for task in tasks}:
        raise UnknownName(f"no task named {', '.join(sorted(unknown))}")
    return tuple(item for item in tasks if not names or item.name in names)


def run_ppteval(
    tasks: Sequence[EditingTask],
    editor: EditorFor[EditingTask],
    *,
    name: str,
    model: str | None,
    judge: str | None,
    limits: EditLimits,
    pictures: bool,
    out: Path,
    run: ModelRun | None = None,
    agents: TaskAgents | None = None,
    ended: Callable[[], object] | None = None,
) -> list[TaskOutcome]:
    """Have ``editor``, called ``name``, or ``agents`` do ``tasks``; the outcome of each, in their
    order.

    The log goes to ``out/logs``, decks before and after to ``out/decks/TASK``, the page of each
    graded tree to the path that ``tree_pages`` gives; pages of an earlier run are deleted.
    ``run`` counts and keeps what models are asked, ``ended`` is called after each task. Raises
    ModelUnavailable if there is no such model, UnknownName where the editor asks for a model and
    none was named, and ModelFailed where the run as a whole failed; a single task that broke off is
    an outcome.
    """
    pages = {name: out / page for name, page in tree_pages(tasks).items()}
    for page in pages.values():
        page.unlink(missing_ok=True)  # a task that breaks off writes none
        page.with_name(f"{page.stem}{STEPS_PAGE}").unlink(missing_ok=True)
    with ExitStack() as stack:
        renderer = stack.enter_context(Renderer(cache=Cache()).started())
        room = stack.enter_context(LeafRoom())
        task = ppteval_task(
            tasks,
            editor,
            name=name,
            judge=open_model(judge) if judge else None,
            limits=limits,
            grading=Grading(pictures=pictures, room=room, renderer=renderer),
            keep=out / _DECKS,
            pages=pages,
            run=run,
            agents=agents,
            ended=ended,
        )
        log = run_task(task, logs=out / _LOGS, model=model or None)
    outcomes = {outcome.task: outcome for outcome in outcomes_of(log)}
    if model is None and any(item.ended == NEEDS_MODEL for item in outcomes.values()):
        raise UnknownName(f"{NEEDS_MODEL}: nothing of it is scored")
    return [outcomes[item.name] for item in tasks]


def bench_ppteval_meta(
    tasks: Path | None = None,
    *,
    files: Path | None = None,
    out: Path | None = None,
    pictures: bool = False,
    judge: str | None = None,
    repeats: int = 1,
    spending: Spending | None = None,
    overwrite: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> MetaRun:
    """Grade the attempts beside a list of tasks, or those of the starter set, and compare with
    their levels; with ``out`` a report goes there, with a page for each tree.

    With ``pictures`` changed slides are drawn too. ``judge`` is the model that leaves ask, and each
    attempt is graded ``repeats`` times. For ``progress`` see `bench_ppteval`.
    """
    with ExitStack() as stack:
        if out is not None:
            check_run_folder(out, overwrite=overwrite, mark="index.html")
        title = "The starter set" if tasks is None else str(tasks)
        if tasks is None:
            tasks = stack.enter_context(scratch_folder("starter"))
            write_starter(tasks, attempts=True)
        attempts = find_attempts(load_editing_tasks(tasks, files), tasks)
        check_isolation()
        run = begin_run(
            spending,
            {
                "command": "bench ppteval-meta",
                "judge": judge,
                "repeats": repeats,
                "attempts": [[row.task.name, file_digest(row.deck)] for row in attempts],
            },
        )
        if out is not None:
            begin_run_folder(out, overwrite=overwrite, mark="index.html")
        ask = stack.enter_context(run.asking(judge)) if judge else None
        renderer = stack.enter_context(Renderer().started(own_cache=True))
        renderer.check()
        done = count(1)
        progress(0, len(attempts))

        def shown(attempt: GradedAttempt, decks: ComparedDecks) -> None:
            if out is not None:
                write_attempt_page(out, attempt, decks, pictures=pictures)
            progress(next(done), len(attempts))

        graded = grade_attempts(
            attempts, ask=ask, repeats=repeats, pictures=pictures, renderer=renderer, shown=shown,
            secret=run.secret if judge else "",
        )  # fmt: skip
    levels = agreement(row.attempt for row in graded)
    if out is not None:
        write_meta_report(out, title, graded, levels)
    return MetaRun(graded, levels, repeats, repeated(graded) if repeats > 1 else None)
