"""Whole runs of ``decklab bench pptarena``: editors on cases, or decks made elsewhere; checks, and
their findings.

A folder may be the output of any tool. Its own statement comes first: a table of results beside the
decks. Then names: the case's own, also as a file name with dashes; a folder of that name with one
deck in it; the case's number in the list; a file name that has the case's in it.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from inspect_ai.model import Model

from decklab.core.errors import DeckError, MissingPart
from decklab.core.files import write_whole
from decklab.core.options import (
    BASELINE_EDITORS,
    AgentOptions,
    EditLimits,
    EditorAccess,
    JudgeOptions,
    Spending,
    names_function,
)
from decklab.core.output_folder import begin_run_folder, check_run_folder
from decklab.core.results import NotScored, first_names, scored_by_name
from decklab.editor.rounds import ModelEditOptions
from decklab.evals.editors.isolation import EditorFor, isolation_facts
from decklab.evals.editors.protocol import Editor, EditSession, trusted
from decklab.evals.editors.running import agent as own_agent
from decklab.evals.editors.running import editor_for, submitted_bytes
from decklab.evals.judges.editing.judging import judge_agreement
from decklab.evals.pptarena.cases import Case, CaseSet, Decks, chosen, in_subset, load_cases, slug
from decklab.evals.pptarena.checking import CaseCheck, self_check
from decklab.evals.pptarena.reference_scores import COMPANIONS, compare
from decklab.evals.pptarena.report import EVERY_KIND, FLAWED, ArenaEditor, ArenaRun, write_pages
from decklab.evals.pptarena.running import (
    ATTEMPTS,
    BASELINES,
    BOARD_FILE,
    PREDICTIONS,
    SCORES,
    ArenaProgress,
    ArenaWatch,
    CaseResult,
    Judge,
    judging,
    secrets_of,
    starter_cases,
)
from decklab.evals.pptarena.running import attempts as flawed
from decklab.evals.pptarena.tables import (
    Difficulty,
    RankCheck,
    difficulty,
    difficulty_table,
    ordering,
    scores_csv,
)
from decklab.evals.pptarena.task import run_editors
from decklab.evals.results.text import table_csv
from decklab.models.asking import Usage
from decklab.models.inspect import open_model
from decklab.models.model_run import ModelRun, begin_run
from decklab.pages.files import strict_json
from decklab.sandbox.sandbox import check_isolation

TABLES: Final = ("predictions.csv", "predictions.json", "benchmark_results.json", "results.csv")
"""Names of tables of results beside the decks; the first that is there counts."""
_NAMES: Final = ("name", "pair_name", "case_name", "Case", "case")
_DECKS: Final = ("prediction", "output", "modified_pptx_filepath")
_SECONDS: Final = ("seconds", "generation_time_seconds")
_INPUT: Final = ("input_tokens", "prompt_tokens")
_OUTPUT: Final = ("output_tokens", "completion_tokens")
_COST: Final = ("cost",)
_MOST_BYTES: Final = 32 * 2**20
"""Largest table that is read. Ours."""
_SHOWN: Final = 5


@dataclass(frozen=True)
class ExternalCost:
    """The cost of a deck that was made elsewhere, as far as its table says."""

    seconds: float | None = None
    usage: Usage = field(default_factory=lambda: Usage(untold=1))
    dollars: float | None = None


@dataclass(frozen=True)
class ExternalDecks:
    """The decks of one folder by the names of the cases."""

    name: str
    folder: Path
    decks: Mapping[str, Path]
    costs: Mapping[str, ExternalCost] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    """Cases without a deck."""
    unmatched: tuple[str, ...] = ()
    """Decks without a case, by their paths in the folder."""
    notes: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """How many decks were found, and what does not fit, for reports."""
        total = len(self.decks) + len(self.missing)
        lines = [f"{self.name}: decks of {len(self.decks)} of {total} cases."]
        if self.missing:
            lines.append(f"{self.name}: no deck of {first_names(self.missing, _SHOWN)}.")
        if self.unmatched:
            lines.append(f"{self.name}: of no case: {first_names(self.unmatched, _SHOWN)}.")
        return (*lines, *(f"{self.name}: {note}." for note in self.notes))


def find_external(
    folder: Path, cases: CaseSet, *, name: str = "", known: CaseSet | None = None
) -> ExternalDecks:
    """The decks of a folder by case; links are listed like files and refused when they are read.

    ``known`` is the whole set where ``cases`` are some of it: decks of the others are no surprise.
    Raises OSError if there is no such folder.
    """
    files = sorted(path for path in _below(folder) if path.suffix.lower() == ".pptx")
    rows, notes = _table(folder)
    every = known or cases
    named = {slug(str(row_name)): row for row in rows if (row_name := _first(row, _NAMES))}
    decks: dict[str, Path] = {}
    for matching in (
        lambda case: _told(folder, files, named.get(slug(case.name))),
        lambda case: [path for path in files if slug(path.stem) == slug(case.name)],
        lambda case: [path for path in files if slug(path.parent.name) == slug(case.name)],
        lambda case: [path for path in files if _number(path.stem) == case.number],
    ):
        notes += _match(every, matching, decks)
    notes += _match(every, _by_part(every, files, decks), decks)
    costs = {
        case.name: _cost(row) for case in cases if (row := named.get(slug(case.name))) is not None
    }
    used = set(decks.values())
    return ExternalDecks(
        name or folder.name,
        folder,
        {case.name: decks[case.name] for case in cases if case.name in decks},
        costs,
        missing=tuple(case.name for case in cases if case.name not in decks),
        unmatched=tuple(str(path.relative_to(folder)) for path in files if path not in used),
        notes=tuple(dict.fromkeys(notes)),
    )


def external_editor(made: ExternalDecks) -> EditorFor[Case]:
    """An editor that submits decks made elsewhere, with their time and cost.

    A case without a deck is not scored. A link is not followed; it counts as a deck that cannot be
    opened.
    """

    def for_case(case: Case) -> Editor:
        def taken(deck: Path, instruction: str, session: EditSession) -> None:
            cost = made.costs.get(case.name, ExternalCost())
            session.elsewhere, session.took = True, cost.seconds
            session.usage, session.cost = cost.usage, cost.dollars
            if case.name not in made.decks:
                raise MissingPart(made.name, "has no deck of this case")
            try:
                write_whole(deck, submitted_bytes(made.decks[case.name]))
            except DeckError as error:
                write_whole(deck, b"")
                session.finish("failed", str(error))

        return trusted(taken)

    return for_case


def _below(folder: Path) -> Iterator[Path]:
    """Files below a folder, those of hidden folders left out; folders that are links are not
    entered."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "~$")):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _below(path)
        else:
            yield path


def _match(
    cases: CaseSet, candidates: Callable[[Case], Sequence[Path]], decks: dict[str, Path]
) -> list[str]:
    """Give each case that has no deck its one candidate that no other case has; says in a note
    if there are several."""
    notes = []
    for case in cases:
        if case.name in decks:
            continue
        free = [path for path in candidates(case) if path not in decks.values()]
        if len(free) == 1:
            decks[case.name] = free[0]
        elif free:
            notes.append(f"{len(free)} decks may be of {case.name}, so none is taken")
    return notes


def _told(folder: Path, files: Sequence[Path], row: Mapping[str, Any] | None) -> list[Path]:
    """The deck that a row of a table names, if it is one of the folder's: by its path, or by the
    end of a path on another machine."""
    if (name := None if row is None else _first(row, _DECKS)) is None:
        return []
    parts = Path(str(name).replace("\\", "/")).parts
    for start in range(len(parts)):
        path = folder.joinpath(*parts[start:])
        if parts[start] != ".." and path in files:
            return [path]
    return []


def _number(stem: str) -> int | None:
    """The number of a case in a name such as ``7``, ``007`` or ``case_7``."""
    match = re.fullmatch(r"(?:case|pair)?[ _-]?0*([1-9]\d{0,5})", stem, re.IGNORECASE)
    return None if match is None else int(match[1])


def _by_part(
    cases: CaseSet, files: Sequence[Path], decks: Mapping[str, Path]
) -> Callable[[Case], list[Path]]:
    """The files whose name has that of a case in it, and that of no longer one."""
    keys = {case.name: slug(case.name) for case in cases}
    owners: dict[str, list[Path]] = {}
    for path in files:
        inside = f"-{slug(path.stem)}-"
        held = [name for name, key in keys.items() if f"-{key}-" in inside]
        if held and path not in decks.values():
            owners.setdefault(max(held, key=lambda name: len(keys[name])), []).append(path)
    return lambda case: owners.get(case.name, [])


def _table(folder: Path) -> tuple[list[Mapping[str, Any]], list[str]]:
    """The rows of the table beside the decks, and what is wrong with it."""
    path = next((folder / name for name in TABLES if (folder / name).is_file()), None)
    if path is None:
        return [], []
    if path.is_symlink() or path.stat().st_size > _MOST_BYTES:
        return [], [f"{path.name} is a link or too large, and was not read"]
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    try:
        rows = list(csv.DictReader(io.StringIO(text))) if path.suffix == ".csv" else _rows(text)
    except (ValueError, RecursionError, csv.Error) as error:
        return [], [f"{path.name} cannot be read: {error}"]
    return [row for row in rows if isinstance(row, dict)], []


def _rows(text: str) -> list[Any]:
    """The rows of a JSON list, of a list within an object, or of objects by the case's name."""
    content = json.loads(text)
    if isinstance(content, dict):
        lists = [value for value in content.values() if isinstance(value, list)]
        named = [{"name": key, **row} for key, row in content.items() if isinstance(row, dict)]
        content = lists[0] if lists else named
    return content if isinstance(content, list) else []


def _first(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first value that a row has by one of these names; None for none, and for an empty one."""
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def _cost(row: Mapping[str, Any]) -> ExternalCost:
    tokens = [_amount(row, names) for names in (_INPUT, _OUTPUT)]
    known = [int(amount) for amount in tokens if amount is not None]
    usage = Usage(*known) if len(known) == len(tokens) else Usage(untold=1)
    return ExternalCost(_amount(row, _SECONDS), usage, _amount(row, _COST))


def _amount(row: Mapping[str, Any], names: Sequence[str]) -> float | None:
    """A number of nothing or more; None for anything else."""
    try:
        value = float(_first(row, names))
    except (TypeError, ValueError):
        return None
    return value if 0 <= value < float("inf") else None


STARTER = "starter"
"""Folder of the starter set, in the folder of a run."""


def bench_pptarena(
    out: Path,
    *,
    cases: Path | None = None,
    subset: Path | None = None,
    names: Sequence[str] = (),
    editors: Sequence[str] = BASELINE_EDITORS,
    predictions: Mapping[str, Path] | None = None,
    model: str | None = None,
    limits: EditLimits | None = None,
    access: EditorAccess | None = None,
    agent: AgentOptions | None = None,
    judges: JudgeOptions | None = None,
    spending: Spending | None = None,
    pictures: bool = True,
    check: bool = True,
    check_judge: bool = False,
    overwrite: bool = False,
    progress: ArenaProgress = lambda event: None,
) -> ArenaRun:
    """Run ``editors`` on ``cases``, all or those of ``subset`` and ``names``, and write decks, log,
    pages, ``results.json`` and ``board.csv`` to ``out``. Without ``cases`` the starter set is
    written there and used.

    An editor is a baseline, a function, or a model with which decklab's agent edits; folders of
    decks in ``predictions`` count as further editors by their names. Functions of others may ask
    ``model``. ``spending`` bounds and keeps what models are asked; when it is spent, what is left
    is not scored. ``progress`` is called with what goes on, first when everything is ready. Until
    then it raises DecklabError or OSError for anything missing or wrong. See `run_session`.
    """
    how, starter = judges or JudgeOptions(), cases is None
    with ExitStack() as stack:
        check_run_folder(out, overwrite=overwrite or bool(spending and spending.record))
        whole, listed = _cases(cases or out / STARTER, starter=starter, subset=subset, names=names)
        notes: list[Callable[[str], object]] = []
        external = {
            name: find_external(folder, listed, name=name, known=whole)
            for name, folder in (predictions or {}).items()
        }
        facts = _facts(listed, editors, external, agent, how)
        facts |= {"model": model, "pictures": pictures, "check": check and check_judge}
        models = begin_run(spending, facts, tell=partial(_tell, notes))
        begin_run_folder(out, overwrite=overwrite or models.resumed)
        asks = [stack.enter_context(models.asking(name)) for name in how.models]
        known = open_model(model) if model else None
        hidden = secrets_of(listed, out, *models.folders)
        every = {
            name: _editor(stack, name, models, agent=agent, draw=pictures)
            or editor_for(name, BASELINES, limits=limits, access=access, hidden=hidden)
            for name in editors
        }
        isolation = _isolation(every, listed)
        every |= {name: external_editor(decks) for name, decks in external.items()}
        watch = ArenaWatch(progress, len(listed) * (len(every) + len(ATTEMPTS) * starter))
        notes.append(watch.tell)
        decks = stack.enter_context(Decks(pictures=pictures))
        run = run_session(
            listed, every, out / PREDICTIONS, decks=decks, model=known, check=check,
            check_judge=check_judge,
            judges=[judging(ask, how, secret=models.secret) for ask in asks],
            attempts=out / STARTER if starter else None, models=models, watch=watch,
        )  # fmt: skip
        sentences = [line for made in external.values() for line in made.sentences]
        run = replace(run, kept_apart=isolation, facts=(*sentences, *run.facts))
        write_pages(run, out, decks)
    _write_results(run, out)
    return run


def _cases(
    folder: Path, *, starter: bool, subset: Path | None, names: Sequence[str]
) -> tuple[CaseSet, CaseSet]:
    """The whole set at ``folder``, where the starter set is written, and the cases to run."""
    if starter:
        cases = starter_cases(folder, names)
        return cases, cases
    whole = load_cases(folder)
    return whole, chosen(in_subset(whole, subset) if subset else whole, names)


def _facts(
    cases: CaseSet,
    editors: Sequence[str],
    external: Mapping[str, ExternalDecks],
    agent: AgentOptions | None,
    judges: JudgeOptions,
) -> dict[str, Any]:
    """Facts on a run for its record."""
    return {
        "command": "bench pptarena",
        "cases": cases.version,
        "names": [case.name for case in cases],
        "editors": list(editors),
        "predictions": sorted(external),
        "agent": agent and asdict(agent),
        "judges": asdict(judges),
    }


def _tell(listeners: Sequence[Callable[[str], object]], line: str) -> None:
    """Pass a line on to those who listen by now."""
    for listener in listeners:
        listener(line)


def _write_results(run: ArenaRun, out: Path) -> None:
    for editor in run.tried:
        text = scores_csv(editor.results, run.left_out)
        write_whole(out / SCORES / f"{slug(editor.name)}.csv", text.encode())
    write_whole(out / BOARD_FILE, table_csv(run.board).encode())
    write_whole(out / "results.json", (strict_json(run.to_json()) + "\n").encode())


def _editor(
    stack: ExitStack, name: str, models: ModelRun, *, agent: AgentOptions | None, draw: bool
) -> EditorFor[Case] | None:
    """decklab's agent with the model of that name; None for the name of another editor."""
    if name in BASELINES or names_function(name):
        return None
    check_isolation()
    how = agent or AgentOptions()
    return own_agent(
        stack.enter_context(models.asking(name)),
        ended=lambda: models.costs.ended,
        options=ModelEditOptions(paths=how.paths, rounds=how.rounds),
        draw=draw,
    )


def _isolation(editors: Mapping[str, EditorFor[Case]], cases: CaseSet) -> dict[str, Any]:
    """How editors are isolated, by the names of the isolated editors."""
    facts = {
        name: isolation_facts(editors[name](case)) for name in editors for case in cases.cases[:1]
    }
    return {name: how for name, how in facts.items() if how}


def run_session(
    cases: CaseSet,
    editors: Mapping[str, EditorFor[Case]],
    folder: Path,
    *,
    decks: Decks,
    model: Model | None = None,
    judges: Sequence[Judge] = (),
    check: bool = True,
    check_judge: bool = False,
    attempts: Path | None = None,
    models: ModelRun | None = None,
    watch: ArenaWatch | None = None,
) -> ArenaRun:
    """Run editors on cases; their decks go to ``folder``, one folder for each editor.
    Functions of others may ask ``model``.

    ``check`` adds the self-check; with ``check_judge`` that asks the first of the ``judges`` as
    well, three times a case. ``attempts`` is the folder of the starter set: its flawed attempts are
    graded as the work of three more editors. ``models`` counts what is asked, and ``watch`` is told
    what goes on.
    """
    models, every = models or ModelRun(), dict(editors)
    watch = watch or ArenaWatch(lambda event: None, len(cases) * len(editors))
    if attempts is not None:
        every |= {f"{FLAWED}{kind}": flawed(attempts, kind) for kind in ATTEMPTS}
    runs = run_editors(
        cases, every, folder, decks=decks, model=model, run=models, begin=watch.begin,
        report=lambda name, result: watch.finish(result.case.name, name, _ended(result)),
        judges=lambda name: judges if name in editors else (),
    )  # fmt: skip
    asked = next(iter(judges), None) if check_judge else None
    checks = self_check(cases, decks=decks, judge=asked) if check else ()
    run = ArenaRun(
        f"PPTArena, {'starter set' if attempts else cases.path.name}",
        cases.version,
        tuple(ArenaEditor(name, results) for name, results in runs.items()),
        difficulty=tuple(difficulty_table(_difficulties(cases, decks))),
        orders={} if attempts is None else _orders(cases, runs, decks),
        left_out=cases.left_out,
        prices=models.costs.prices,
        spent=models.words,
        ended=models.costs.ended,
    )
    facts = *cases.sentences, *_check_facts(checks), *_order_facts(run.order)
    return replace(run, facts=(*facts, *agreement_facts(runs)))


def _ended(result: CaseResult) -> str:
    """How an edit ended and what it is worth, for a line of progress."""
    seconds = "" if result.seconds is None else f", {result.seconds:.1f} s"
    values = scored_by_name({name: result.value(name) for name in ("edit", "IF", "VQ")})
    scores = [f"{name} {value:.2f}" for name, value in values.items()]
    cause = f" ({result.edited.note})" if result.edited.ending == "failed" else ""
    return ", ".join([f"{result.edited.ending}{cause}{seconds}", *scores])


def _difficulties(cases: CaseSet, decks: Decks) -> Iterator[tuple[Case, Difficulty]]:
    """The difficulty of cases that can be read; the self-check reports the others."""
    for case in cases:
        try:
            edit = decks.edit(case.original, case.ground_truth)
        except DeckError:
            continue
        yield case, difficulty(case, edit)


def _orders(
    cases: CaseSet, runs: Mapping[str, Sequence[CaseResult]], decks: Decks
) -> dict[str, dict[str, RankCheck]]:
    truths = {case.name: compare(case, case.ground_truth, decks) for case in cases}
    orders: dict[str, dict[str, RankCheck]] = {}
    for companion in COMPANIONS:
        best = {name: truth.value(companion) for name, truth in truths.items()}
        scores = {
            kind: [(row.case.name, kind, row.value(companion)) for row in runs[f"{FLAWED}{kind}"]]
            for kind in ATTEMPTS
        }
        orders[companion] = {kind: ordering(best, some) for kind, some in scores.items()}
        orders[companion][EVERY_KIND] = ordering(best, chain.from_iterable(scores.values()))
    return orders


def _check_facts(checks: Sequence[CaseCheck]) -> list[str]:
    if not checks:
        return []
    sound = sum(not item.faults for item in checks)
    facts = [f"Self-check: {sound} of {len(checks)} cases are sound."]
    facts += [f"{check.case.name}: {fault}." for check in checks for fault in check.faults]
    facts += [f"{item.case.name}: {note}." for item in checks for note in item.notes]
    return facts


def _order_facts(order: RankCheck | None) -> list[str]:
    if order is None or isinstance(order.share, NotScored):
        return []
    facts = [
        f"The companions, which need no model, put the truth above the flawed attempt in "
        f"{order.right} of {order.pairs} pairs ({order.share:.0%})."
    ]
    return facts + [f"Not so: {case}, {kind}." for case, kind in order.wrong]


def agreement_facts(runs: Mapping[str, Sequence[CaseResult]]) -> list[str]:
    """Sentences on how far the two judges agree; empty if there is no second judge."""
    facts = []
    for index, name in enumerate(("IF", "VQ")):
        both = [
            (result.value(name), result.second[index][1].score)
            for results in runs.values()
            for result in results
            if result.second
        ]
        if not both:
            continue
        agreed = judge_agreement([a for a, _ in both], [b for _, b in both])
        if isinstance(agreed.exact, NotScored) or isinstance(agreed.near, NotScored):
            facts.append(f"{name}: the two judges cannot be compared: no case was scored by both.")
            continue
        tau = agreed.tau_b
        rank = f"; tau-b {tau:.2f}" if isinstance(tau, float) else ""
        facts.append(
            f"{name}: the two judges give the same score in {agreed.exact:.0%} and scores at most "
            f"one apart in {agreed.near:.0%} of {agreed.pairs} cases{rank}."
        )
    return facts
