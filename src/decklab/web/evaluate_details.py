"""All that is known of one case: its decks, verdicts with reasons, tree, questions and items."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from decklab.benchmarks.ppteval.tasks import file_names
from decklab.web.evaluate_index import FoundSteps, RunIndex
from decklab.web.evaluate_logs import newest_log_with, sample_of
from decklab.web.evaluate_model import FoundRun, RunCase

ORIGINAL, PREDICTION, TRUTH, DECK = "Original", "Prediction", "Ground truth", "Deck"
"""What a deck is in its case."""
_LOGS: Final = "logs"


@dataclass(frozen=True)
class Verdict:
    """What a judge said."""

    name: str
    reason: str


@dataclass(frozen=True)
class ShownQuestion:
    """A question with its answer."""

    number: int
    kind: str
    question: str
    right: str
    answered: str
    correct: bool | None
    """None where the answer is not known."""
    mistake: str = ""
    reason: str = ""
    quote: str = ""
    place: str = ""
    """Document and page."""


@dataclass(frozen=True)
class CaseDetail:
    """What the page of a case shows besides its values."""

    instruction: str = ""
    target: str = ""
    decks: Mapping[str, Path] | None = None
    """By what they are; only files below the folders that were named."""
    missing_decks: tuple[str, ...] = ()
    """Why others are not shown, a line each."""
    verdicts: tuple[Verdict, ...] = ()
    not_made: tuple[str, ...] = ()
    """Changes of the truth that were not made, in sentences."""
    unasked: tuple[str, ...] = ()
    tree: Mapping[str, Any] | None = None
    """A graded tree as its JSON."""
    did: tuple[str, ...] = ()
    """What an editor did, step by step."""
    steps: FoundSteps | None = None
    questions: tuple[ShownQuestion, ...] = ()
    metrics: tuple[Mapping[str, Any], ...] = ()
    """Metrics of a judged deck with their items, as their JSON."""
    costs: tuple[str, ...] = ()
    """What lowers the quality of the deck, in words."""
    notes: tuple[str, ...] = ()


def detail_of(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    """What is known of a case; files that are gone or broken are told."""
    found = _DETAILS.get(run.kind, _plain_detail)(index, run, case)
    return _with_decks(index, found)


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


def _near(run: FoundRun, told: Any, *parts: str) -> Path:
    """A deck where the file says that it is, or, where the run was moved, where runs keep it."""
    given = Path(str(told))
    path = given if given.is_absolute() else run.folder / given
    moved = run.folder.joinpath(*parts) if parts else path
    if not path.is_file() and not moved.is_file():
        for depth in range(1, len(given.parts)):
            tail = run.folder.joinpath(*given.parts[depth:])
            if tail.is_file():
                return tail
    return moved if moved.is_file() and parts else path


def _plain_detail(_index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    deck = case.told.get("deck")
    decks = {DECK: _near(run, deck)} if isinstance(deck, str) and deck else {}
    return CaseDetail(decks=decks, notes=_strings(case.told.get("told")))


def _strings(told: Any) -> tuple[str, ...]:
    return tuple(map(str, told)) if isinstance(told, list | tuple) else ()


def _arena_detail(_index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    told = case.told
    named = ((ORIGINAL, "original"), (PREDICTION, "prediction"), (TRUTH, "ground_truth"))
    decks = {what: _near(run, told[key]) for what, key in named if told.get(key)}
    reasons = told.get("reasons") or {}
    return CaseDetail(
        instruction=str(told.get("instruction") or ""),
        target=str(told.get("style_target") or ""),
        decks=decks,
        verdicts=tuple(Verdict(str(name), str(said)) for name, said in reasons.items()),
        not_made=_strings(told.get("missing")),
        unasked=_strings(told.get("unasked")),
        notes=tuple(filter(None, [_ending(told)])),
    )


def _ending(told: Mapping[str, Any]) -> str:
    ending, note = str(told.get("ending") or ""), str(told.get("note") or "")
    return (
        f"The editor ended: {': '.join(filter(None, (ending, note)))}" if ending != "done" else ""
    )


def _ppteval_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    folder = run.folder / "decks" / file_names(one.name for one in run.cases)[case.name]
    said = newest_log_with(run.folder / _LOGS, case.name)
    score: Mapping[str, Any] = next(iter(said.get("scores", {}).values()), {})
    named = ((ORIGINAL, "before.pptx"), (PREDICTION, "edited.pptx"))
    ended = str(case.told.get("ended") or "")
    return CaseDetail(
        instruction=str(said.get("instruction") or ""),
        decks={what: folder / name for what, name in named if (folder / name).is_file()},
        verdicts=(Verdict("score", str(case.told.get("reason") or "")),),
        tree=score.get("tree"),
        did=_strings(score.get("steps")),
        steps=index.steps_in(folder / "trajectory"),
        notes=((f"The editor was ended: {ended}",) if ended else ()),
    )


def _slidesgen_detail(_index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    told = case.told
    questions = tuple(
        ShownQuestion(
            one["number"], one["kind"], one["question"], one["right"], one["answered"], False,
            one.get("mistake", ""), one.get("reason", ""), one["quote"], one.get("place", ""),
        )
        for one in told.get("missed") or ()
    )  # fmt: skip
    deck = str(told.get("deck") or "")
    return CaseDetail(
        instruction=str(told.get("title") or ""),
        decks={DECK: _near(run, deck, "decks", case.system, Path(deck).name)} if deck else {},
        questions=questions,
        costs=tuple(map(_cost_words, told.get("costs") or ())),
        notes=_strings(told.get("told")),
    )


def _cost_words(cost: Mapping[str, Any]) -> str:
    place = "Deck" if cost.get("slide") is None else f"Slide {cost['slide']}"
    points = f", {cost['points']:.1f} points" if cost.get("points") else ""
    return f"{place}: {cost['words']}{points}"


def _unippt_detail(_index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    said = newest_log_with(run.folder / _LOGS, f"{case.system}/{case.name}")
    written = run.folder / "written" / f"{case.name}.pptx"
    own = written.is_file() and case.system == "decklab write"
    reason = str(case.told.get("reason") or "")
    return CaseDetail(
        instruction=str(said.get("instruction") or ""),
        decks={DECK: written} if own else {},
        verdicts=(Verdict("score", reason),) if reason else (),
    )


def _judge_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    plain = _plain_detail(index, run, case)
    metrics = tuple(one for one in case.told.get("metrics") or () if isinstance(one, dict))
    return replace(plain, instruction=str(case.told.get("task") or ""), metrics=metrics)


def _quiz_detail(index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    bank = _bank_beside(run.folder, str(case.told.get("bank")))
    plain = _plain_detail(index, run, case)
    questions = tuple(_questions(case.told.get("questions") or (), bank))
    lost = () if bank else ("The bank of questions does not lie beside the answers.",)
    return replace(plain, questions=questions, notes=(*plain.notes, *lost))


def _questions(rows: Any, bank: Mapping[int, Mapping[str, Any]]) -> Iterator[ShownQuestion]:
    for row in rows:
        asked = bank.get(row["question"], {})
        options: Mapping[str, str] = asked.get("options") or {}
        page = f", page {asked['page']}" if asked.get("page") else ""
        words = str(asked.get("question") or f"Question {row['question']}")
        yield ShownQuestion(
            row["question"], row["kind"], words,
            _option(options, row["answer"]), _option(options, row["selected"]), row["correct"],
            row.get("mistake") or "", row.get("mistake_reason") or row.get("reason") or "",
            str(asked.get("quote") or ""), f"{asked.get('document') or ''}{page}",
        )  # fmt: skip


def _option(options: Mapping[str, str], letter: Any) -> str:
    said = options.get(letter) if isinstance(letter, str) else None
    return f"{letter}, {said}" if said else str(letter or "no answer")


def _bank_beside(folder: Path, title: str) -> Mapping[int, Mapping[str, Any]]:
    """The questions of a bank by their numbers; empty where none of that title lies there."""
    for path in sorted(folder.glob("*.json")):
        try:
            data = json.loads(path.read_bytes())
            if isinstance(data, dict) and data.get("title") == title and "questions" in data:
                return {one["number"]: one for one in data["questions"]}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
    return {}


def _grade_detail(_index: RunIndex, _run: FoundRun, case: RunCase) -> CaseDetail:
    return CaseDetail(tree=case.told["tree"])


def _log_detail(_index: RunIndex, run: FoundRun, case: RunCase) -> CaseDetail:
    said = sample_of(run.file, case.told["sample"], case.told["epoch"])
    scores: Mapping[str, Mapping[str, Any]] = said.get("scores", {})
    tree = next((one["tree"] for one in scores.values() if one.get("tree")), None)
    verdicts = tuple(
        Verdict(name, str(one["explanation"])) for name, one in scores.items() if one["explanation"]
    )
    answer = str(said.get("answer") or "")
    return CaseDetail(
        instruction=str(said.get("instruction") or ""), verdicts=verdicts, tree=tree,
        did=(answer,) if answer else (),
    )  # fmt: skip


_DETAILS: Final = {
    "pptarena": _arena_detail, "ppteval": _ppteval_detail, "slidesgen": _slidesgen_detail,
    "unippt": _unippt_detail, "judge": _judge_detail, "quiz": _quiz_detail,
    "grade": _grade_detail, "log": _log_detail,
}  # fmt: skip
