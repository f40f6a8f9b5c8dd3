"""One case in full: its decks, verdicts with reasons, tree, questions and items; and the job that
draws its decks and puts the changes in words.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import one_line
from decklab.core.results import NotScored
from decklab.evals.ppteval.tasks import file_names
from decklab.evals.slidesgen.evaluation import MissedQuestion
from decklab.models.model_run import file_digest
from decklab.workbench.web.database import JobRow
from decklab.workbench.web.evaluate_index import FoundSteps, RunIndex
from decklab.workbench.web.evaluate_runs import (
    FoundRun,
    RunCase,
    id_of,
    newest_log_with,
    number_or_reason,
    sample_of,
)
from decklab.workbench.web.jobs import JobKind, Jobs
from decklab.workbench.web.library import Library, NotThere
from decklab.workbench.web.looking import WorkTask
from decklab.workbench.web.worker import CHANGES, DRAWN, SEE_CASE

ORIGINAL, PREDICTION, TRUTH, DECK = "Original", "Prediction", "Ground truth", "Deck"
"""Roles of a deck in its case."""
_LOGS: Final = "logs"
MOST_OF_TURN: Final = 4000
"""Characters that are shown of what is said in a conversation (ours)."""
_STATES: Final[Mapping[Any, str]] = {1: "yes", 0: "no"}


@dataclass(frozen=True)
class Verdict:
    """Name and reason of a judge's verdict."""

    name: str
    reason: str


class ShownQuestion(MissedQuestion):
    """A question with its answer."""

    correct: bool | None
    """None if the answer is not known."""


@dataclass(frozen=True)
class TreeNode:
    """A criterion of a graded tree."""

    name: str
    description: str
    critical: bool
    low: float
    high: float
    reason: str
    not_scored: str
    asked: tuple[str, ...]
    """Questions to a model and its answers, a line each."""
    children: tuple["TreeNode", ...]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "TreeNode":
        """A node as its JSON has it, with all below. Raises KeyError, TypeError or ValueError."""
        calls = (
            ": ".join(str(call[key]) for key in ("question", "answer") if call.get(key))
            for call in data.get("asked") or ()
        )
        return cls(
            str(data["name"]), str(data.get("description") or ""), bool(data.get("is_critical")),
            float(data["low"]), float(data["high"]), str(data.get("reason") or ""),
            str(data.get("not_scored") or ""), tuple(filter(None, calls)),
            tuple(map(cls.of, data.get("children") or ())),
        )  # fmt: skip


@dataclass(frozen=True)
class ShownTree:
    """A graded tree, and what else was damaged in words."""

    root: TreeNode
    damage: str
    harms: tuple[str, ...]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "ShownTree":
        """A tree as its JSON has it. Raises KeyError, TypeError or ValueError."""
        damage = data.get("damage") or {}
        harms = tuple(f"{_place(harm)}: {harm['what']}" for harm in damage.get("harms") or ())
        words = ""
        if damage.get("not_scored"):
            words = f"Whether anything else was damaged is not known: {damage['not_scored']}"
        elif harms:
            words = f"Damage beside the task leaves {damage['factor']:.0%} of the score."
        elif damage:
            words = "Nothing else was damaged."
        return cls(TreeNode.of(data["root"]), words, harms)


@dataclass(frozen=True)
class ShownItem:
    """A thing that was judged, and how: ``yes``, ``in part``, ``no`` or why it was not."""

    state: str
    text: str
    slide: int | None
    evidence: str


@dataclass(frozen=True)
class ShownMetric:
    """A metric of a judged deck with its items."""

    title: str
    score: float | NotScored
    proxy: bool
    things: tuple[ShownItem, ...]


@dataclass(frozen=True)
class CaseDetail:
    """Facts that the page of a case shows besides its values."""

    instruction: str = ""
    target: str = ""
    decks: Mapping[str, Path] | None = None
    """By their role; only files below the folders that were named."""
    missing_decks: tuple[str, ...] = ()
    """Why others are not shown, a line each."""
    verdicts: tuple[Verdict, ...] = ()
    not_made: tuple[str, ...] = ()
    """Changes of the truth that were not made, in sentences."""
    unasked: tuple[str, ...] = ()
    tree: ShownTree | None = None
    did: tuple[str, ...] = ()
    """Actions of an editor, step by step."""
    steps: FoundSteps | None = None
    questions: tuple[ShownQuestion, ...] = ()
    metrics: tuple[ShownMetric, ...] = ()
    costs: tuple[str, ...] = ()
    """Flaws that lower the quality of the deck, in words."""
    notes: tuple[str, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()
    """The conversation with a model: who says what."""
    tokens: int = 0


def detail_of(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    """Details of a case; its notes name files that are gone or broken."""
    try:
        detail = _DETAILS.get(run.kind, _plain_detail)(index, run, case)
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        detail = CaseDetail(notes=(one_line(f"The record of the case is broken: {error!r}"),))
    return _with_decks(index, detail)


def _with_decks(index: RunIndex, detail: CaseDetail) -> CaseDetail:
    """Only decks that may be shown, and why the others are not."""
    wanted = detail.decks or {}
    shown = {what: path for what, path in wanted.items() if index.inside(path)}
    gone = tuple(
        f"{what}: {path.name} is not below a folder that was named with --runs"
        for what, path in wanted.items()
        if what not in shown
    )
    return replace(detail, decks=shown, missing_decks=gone)


def _near(index: RunIndex, run: FoundRun, named: Any, *parts: str) -> Path:
    """A deck where the file says that it is, or, if the run was moved, in its own folder: at
    ``parts``, or at the end of the path that the file says."""
    given = Path(str(named))
    tails = (given.parts[depth:] for depth in range(1, len(given.parts)))
    places = [run.folder / given, *(run.folder.joinpath(*part) for part in (parts, *tails) if part)]
    return next((path for path in places if index.inside(path)), given)


def _plain_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    deck = case.record.get("deck")
    decks = {DECK: _near(index, run, deck)} if isinstance(deck, str) and deck else {}
    return CaseDetail(decks=decks, notes=_strings(case.record.get("told")))


def _strings(lines: Any) -> tuple[str, ...]:
    return tuple(map(str, lines)) if isinstance(lines, list | tuple) else ()


def _arena_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    record = case.record
    reasons = record.get("reasons") or {}
    return CaseDetail(
        instruction=str(record.get("instruction") or ""),
        target=str(record.get("style_target") or ""),
        decks=_edited_decks(index, run, record),
        verdicts=tuple(Verdict(str(name), str(said)) for name, said in reasons.items()),
        not_made=_strings(record.get("missing")),
        unasked=_strings(record.get("unasked")),
        notes=tuple(filter(None, [_ending(record)])),
    )


def _edited_decks(index: RunIndex, run: FoundRun, facts: Mapping[str, Any]) -> dict[str, Path]:
    named = ((ORIGINAL, "original"), (PREDICTION, "prediction"), (TRUTH, "ground_truth"))
    return {what: _near(index, run, facts[key]) for what, key in named if facts.get(key)}


def _ending(record: Mapping[str, Any]) -> str:
    ending, note = str(record.get("ending") or ""), str(record.get("note") or "")
    return (
        f"The editor ended: {': '.join(filter(None, (ending, note)))}" if ending != "done" else ""
    )


def _ppteval_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    folder = run.folder / "decks" / file_names(item.name for item in run.cases)[case.name]
    said = newest_log_with(run.folder / _LOGS, case.name)
    score: Mapping[str, Any] = next(iter(said.get("scores", {}).values()), {})
    named = ((ORIGINAL, "before.pptx"), (PREDICTION, "edited.pptx"))
    ended = str(case.record.get("ended") or "")
    return CaseDetail(
        instruction=str(said.get("instruction") or ""),
        decks={what: folder / name for what, name in named if (folder / name).is_file()},
        verdicts=(Verdict("score", str(case.record.get("reason") or "")),),
        tree=ShownTree.of(score["tree"]) if score.get("tree") else None,
        did=_strings(score.get("steps")),
        steps=index.steps_in(folder / "trajectory"),
        notes=((f"The editor was ended: {ended}",) if ended else ()),
    )


def _slidesgen_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    record = case.record
    missed = record.get("missed") or ()
    questions = tuple(ShownQuestion(**question, correct=False) for question in missed)
    deck = str(record.get("deck") or "")
    return CaseDetail(
        instruction=str(record.get("title") or ""),
        decks={DECK: _near(index, run, deck, "decks", case.system, Path(deck).name)}
        if deck
        else {},
        questions=questions,
        costs=tuple(map(_cost_words, record.get("costs") or ())),
        notes=_strings(record.get("told")),
    )


def _cost_words(cost: Mapping[str, Any]) -> str:
    points = f", {cost['points']:.1f} points" if cost.get("points") else ""
    return f"{_place(cost)}: {cost['words']}{points}"


def _place(record: Mapping[str, Any]) -> str:
    return "Deck" if record.get("slide") is None else f"Slide {record['slide']}"


def _unippt_detail(_index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    said = newest_log_with(run.folder / _LOGS, f"{case.system}/{case.name}")
    written = run.folder / "written" / f"{case.name}.pptx"
    own = written.is_file() and case.system == "decklab write"
    reason = str(case.record.get("reason") or "")
    return CaseDetail(
        instruction=str(said.get("instruction") or ""),
        decks={DECK: written} if own else {},
        verdicts=(Verdict("score", reason),) if reason else (),
    )


def _judge_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    plain = _plain_detail(index, run, case)
    metrics = tuple(map(_metric, case.record["metrics"]))
    return replace(plain, instruction=str(case.record.get("task") or ""), metrics=metrics)


def _metric(record: Mapping[str, Any]) -> ShownMetric:
    """A metric with the items of its first run."""
    first = next(iter(record.get("items") or ()), ())
    return ShownMetric(
        str(record["title"]), number_or_reason(record.get("score"), record.get("reason")),
        bool(record.get("proxy")), tuple(sorted(map(_item, first), key=_rank)),
    )  # fmt: skip


def _rank(item: ShownItem) -> int:
    """Order of an item: missing ones come first."""
    return {"no": 0, "in part": 1, "yes": 3}.get(item.state, 2)


def _item(entry: Mapping[str, Any]) -> ShownItem:
    words = _STATES.get(entry.get("state"), "in part")
    if not entry.get("applies", True):
        words = "does not apply"
    elif entry.get("state") is None:
        words = f"not judged: {entry.get('reason')}"
    return ShownItem(
        words, str(entry["text"]), entry.get("slide"), str(entry.get("evidence") or "")
    )


def _quiz_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    bank = _bank_beside(run.folder, str(case.record.get("bank")))
    plain = _plain_detail(index, run, case)
    questions = tuple(_questions(case.record.get("questions") or (), bank))
    lost = () if bank else ("The bank of questions does not lie beside the answers.",)
    return replace(plain, questions=questions, notes=(*plain.notes, *lost))


def _questions(rows: Any, bank: Mapping[int, Mapping[str, Any]]) -> Iterator[ShownQuestion]:
    for row in rows:
        asked = bank.get(row["question"], {})
        options: Mapping[str, str] = asked.get("options") or {}
        page = f", page {asked['page']}" if asked.get("page") else ""
        words = str(asked.get("question") or f"Question {row['question']}")
        yield ShownQuestion(
            number=row["question"], kind=row["kind"], question=words, correct=row["correct"],
            right=_option(options, row["answer"]), answered=_option(options, row["selected"]),
            mistake=row.get("mistake") or "",
            reason=row.get("mistake_reason") or row.get("reason") or "",
            quote=str(asked.get("quote") or ""), place=f"{asked.get('document') or ''}{page}",
        )  # fmt: skip


def _option(options: Mapping[str, str], letter: Any) -> str:
    said = options.get(letter) if isinstance(letter, str) else None
    return f"{letter}, {said}" if said else str(letter or "no answer")


def _bank_beside(folder: Path, title: str) -> Mapping[int, Mapping[str, Any]]:
    """The questions of a bank by their numbers; empty if none of that title lies there."""
    for path in sorted(folder.glob("*.json")):
        try:
            data = json.loads(path.read_bytes())
            if isinstance(data, dict) and data.get("title") == title and "questions" in data:
                return {question["number"]: question for question in data["questions"]}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
    return {}


def _grade_detail(_index: RunIndex, _run: FoundRun, case: RunCase) -> CaseDetail:
    return CaseDetail(tree=ShownTree.of(case.record["tree"]))


def _log_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    said = sample_of(run.file, case.record["sample"], case.record["epoch"])
    scores: Mapping[str, Mapping[str, Any]] = said.get("scores", {})
    tree = next((ShownTree.of(row["tree"]) for row in scores.values() if row.get("tree")), None)
    verdicts = tuple(
        Verdict(name, str(row["explanation"])) for name, row in scores.items() if row["explanation"]
    )
    decks = _edited_decks(index, run, said.get("metadata", {}))
    answer, turns = str(said.get("answer") or ""), said.get("turns", ())
    return CaseDetail(
        instruction=str(said.get("instruction") or ""), verdicts=verdicts, tree=tree, decks=decks,
        did=(answer,) if answer else (),
        turns=tuple((role, text[:MOST_OF_TURN]) for role, text in turns if text.strip()),
        tokens=said.get("tokens", 0),
    )  # fmt: skip


_DETAILS: Final = {
    "pptarena": _arena_detail, "ppteval": _ppteval_detail, "slidesgen": _slidesgen_detail,
    "unippt": _unippt_detail, "judge": _judge_detail, "quiz": _quiz_detail,
    "grade": _grade_detail, "log": _log_detail,
}  # fmt: skip


@dataclass(frozen=True)
class CaseDeck:
    """A deck of a case, and its pictures."""

    what: str
    path: Path
    digest: str
    folder: Path

    @property
    def facts(self) -> Mapping[str, Any] | None:
        """The number of slides, and why some are not drawn; None before it was drawn."""
        return _read(self.folder / DRAWN)


def seen_decks(library: Library, detail: CaseDetail) -> list[CaseDeck]:
    """The decks of a case with the folders of their pictures; equal decks share one."""
    decks = []
    for what, path in (detail.decks or {}).items():
        try:
            status = path.stat()
            digest = _digest(path, status.st_mtime_ns, status.st_size)
        except OSError:
            continue
        decks.append(CaseDeck(what, path, digest, picture_folder(library, digest)))
    return decks


def picture_folder(library: Library, digest: str) -> Path:
    """Where the pictures of a deck of a run lie, beside those of the library."""
    return library.folder / "seen" / f"run-{digest}"


@lru_cache(maxsize=4096)
def _digest(path: Path, _changed: int, _size: int) -> str:
    return file_digest(path)


def changes_file(before: CaseDeck, after: CaseDeck) -> Path:
    """Where the changes from one deck to another are kept."""
    return before.folder / CHANGES.format(after.digest)


def changes_between(before: CaseDeck, after: CaseDeck) -> Mapping[str, Any] | None:
    """The changes in words by slide; None if they were not looked for yet."""
    return _read(changes_file(before, after))


def _read(path: Path) -> Mapping[str, Any] | None:
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def about(run: FoundRun, case: RunCase) -> str:
    """Key of a case, under which its jobs are kept."""
    return id_of(run.id, case.id)


def evaluate_jobs(index: RunIndex) -> Mapping[str, JobKind]:
    """The kinds of jobs on the cases of an index. No path is kept with a job."""

    def task(jobs: Jobs, job: JobRow) -> WorkTask:
        run, case = index.case(str(job.asked["run"]), str(job.asked["case"]))
        if not (decks := seen_decks(jobs.library, detail_of(index, run, case))):
            raise NotThere("the case has no deck")
        return WorkTask(
            kind=SEE_CASE,
            file=decks[0].path,
            seen=decks[0].folder,
            out=jobs.library.unfinished(),
            stage=jobs.stage_file(job.id),
            asked={"decks": [[str(deck.path), str(deck.folder), deck.digest] for deck in decks]},
        )

    return {SEE_CASE: JobKind(task, order=1)}
