"""Runs as the pages show them, systems on cases with scores and missing ones, read from what
decklab's commands wrote: one reader for each form of file.

Nothing here scores: numbers, reasons and words are those of the files.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np

from decklab.core.errors import DecklabError
from decklab.core.results import NotScored
from decklab.evals.inspect_run import LoggedSample, logged_run, logged_sample
from decklab.evals.slidesgen.evaluation import DECK_MEASURES, LOWER_BETTER
from decklab.evals.slidesgen.instructions import purpose_name
from decklab.metrics.statistics import percentile_interval, resampled_sums
from decklab.scoring.reports.leaderboard_page import COLUMNS as SCORE_COLUMNS

KINDS_OF_RUNS: Final[Mapping[str, str]] = {
    "pptarena": "PPTArena", "ppteval": "PPT-Eval", "slidesgen": "SlidesGen-Bench",
    "unippt": "UniPPTBench", "score": "Scores", "judge": "Judged decks", "quiz": "Quizzes",
    "grade": "Graded edits", "prefer": "Preferences", "log": "Logs", "trajectory": "Trajectories",
}  # fmt: skip
"""The kinds of results by their short names, in the order of the pages."""
STILL_SECONDS: Final = 900.0
"""After which a log that does not grow is one of a run that was cut off (ours)."""
_ENOUGH: Final = 5
"""Least scored cases for an interval by resampling; fewer say too little. Ours."""


@dataclass(frozen=True)
class RunColumn:
    """A measure of cases."""

    name: str
    best: float | None = None
    """The best possible value; None if it has no bound."""
    less_is_better: bool = False


@dataclass(frozen=True)
class RunCase:
    """One system on one case."""

    name: str
    system: str
    values: Mapping[str, float | NotScored]
    """By the names of columns."""
    labels: tuple[str, ...] = ()
    """Types of edits, categories, purposes or settings."""
    difficulty: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)
    """The record of the case as it stands in the file."""

    @cached_property
    def id(self) -> str:
        """32 hexadecimal digits, the same whenever the run is read."""
        return id_of(self.system, self.name)

    def value(self, column: str) -> float | NotScored:
        """One of ``values``."""
        return self.values.get(column, NotScored("it was not measured"))


@dataclass(frozen=True)
class RunMean:
    """The mean of a column over the cases of a system."""

    value: float | NotScored
    low: float | None
    """Ends of the 95% interval; None if too few cases are scored for one."""
    high: float | None
    scored: int
    of: int

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; null for unknown values."""
        missing = isinstance(self.value, NotScored)
        return {
            "mean": None if missing else self.value, "low": self.low, "high": self.high,
            "scored": self.scored, "of": self.of,
            "reason": self.value.reason if isinstance(self.value, NotScored) else None,
        }  # fmt: skip


@dataclass(frozen=True)
class ReadRun:
    """Content of a file about a run."""

    kind: str
    """Among ``KINDS_OF_RUNS``."""
    columns: tuple[RunColumn, ...]
    main: str
    """The column by which cases are sorted and systems ranked first."""
    cases: tuple[RunCase, ...]
    by: str = ""
    """Model, judge or agent, if the file names one."""
    notes: tuple[str, ...] = ()
    """Remarks for a reader, a line each."""
    left_out: int = 0
    """Cases that were expected and could not be run by any system."""
    apart: frozenset[str] = frozenset()
    """Systems that are not ranked: attempts that are flawed on purpose."""
    total: int = 0
    """Cases that there will be, while it runs; 0 once it has ended."""


@dataclass(frozen=True, kw_only=True)
class FoundRun(ReadRun):
    """The results of one command, and the file that they were read from."""

    id: str
    title: str
    """Where it lies, below the folder that was named at the start."""
    file: Path
    made: float
    """Seconds since 1970 at which the file was written."""

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return self.file.parent

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Their names in the order of the file."""
        return tuple(dict.fromkeys(case.system for case in self.cases))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All labels of cases."""
        return tuple(sorted({label for case in self.cases for label in case.labels}))

    @cached_property
    def difficulties(self) -> tuple[str, ...]:
        """All difficulties of cases, in the order of the file."""
        return tuple(dict.fromkeys(case.difficulty for case in self.cases if case.difficulty))

    @cached_property
    def by_id(self) -> Mapping[str, RunCase]:
        """The cases by their ids."""
        return {case.id: case for case in self.cases}

    @cached_property
    def means(self) -> Mapping[str, Mapping[str, RunMean]]:
        """By system and column."""
        return {
            system: means_of([case for case in self.cases if case.system == system], self.columns)
            for system in self.systems
        }

    @property
    def growing(self) -> bool:
        """Whether it runs: its log has no end, and grew a while ago."""
        return self.total > 0 and time.time() - self.made < STILL_SECONDS

    @property
    def ranked(self) -> Mapping[str, Mapping[str, RunMean]]:
        """The means of the systems that are ranked."""
        return {name: cells for name, cells in self.means.items() if name not in self.apart}

    @cached_property
    def unscored(self) -> int:
        """Cases of ranked systems without a value in the main column."""
        return sum(cells[self.main].of - cells[self.main].scored for cells in self.ranked.values())

    def column(self, name: str = "") -> RunColumn:
        """A column by its name; the main one for other names."""
        known = {column.name: column for column in self.columns}
        return known.get(name) or known[self.main]


def id_of(*parts: str) -> str:
    """32 hexadecimal digits for some words.

    >>> len(id_of("a", "b")), id_of("a", "b") == id_of("ab")
    (32, False)
    """
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def means_of(cases: Sequence[RunCase], columns: Iterable[RunColumn]) -> dict[str, RunMean]:
    """The mean of each column with its 95% interval, from resampled cases; unscored cases are left
    out of the mean, and counted.

    >>> cases = [RunCase(str(n), "s", {"IF": float(n % 2)}) for n in range(6)]
    >>> found = means_of(cases, [RunColumn("IF")])["IF"]
    >>> found.value, found.scored, found.low < 0.5 < found.high
    (0.5, 6, True)
    """
    return {column.name: _mean(cases, column.name) for column in columns}


def _mean(cases: Sequence[RunCase], column: str) -> RunMean:
    values = [case.value(column) for case in cases]
    known = [value for value in values if not isinstance(value, NotScored)]
    if not known:
        reasons = {value.reason for value in values if isinstance(value, NotScored)}
        why = reasons.pop() if len(reasons) == 1 else "no case was scored"
        return RunMean(NotScored(why), None, None, 0, len(values))
    numbers = np.asarray(known, np.float64)
    low, high = None, None
    if len(known) >= _ENOUGH:
        interval = percentile_interval(resampled_sums(numbers) / len(known), len(known))
        if not isinstance(interval, NotScored):
            low, high = interval
    return RunMean(float(numbers.mean()), low, high, len(known), len(values))


class NoResults(ValueError):
    """A file that none of decklab's commands wrote; the text names the fault."""


class InputFile(NoResults):
    """A file that commands read: cases, tasks or questions."""


def read_results(data: Any) -> ReadRun:
    """The run in the plain data of a JSON file. Raises NoResults."""
    for wanted, read in _READERS:
        if _has(data, wanted):
            try:
                result = read(data)
            except (AttributeError, KeyError, LookupError, TypeError, ValueError) as error:
                said = f"{type(error).__name__}: {error}"
                raise NoResults(f"its form is not that of decklab's results ({said})") from error
            if not result.cases:
                raise NoResults("it has no case")
            return result
    if any(_has(data, wanted) for wanted in _INPUTS):
        raise InputFile("it is read by commands")
    raise NoResults("it is none of decklab's results")


def _has(data: Any, wanted: frozenset[str]) -> bool:
    first = data[0] if isinstance(data, list) and data else data
    return isinstance(first, dict) and wanted <= first.keys()


def number_or_reason(value: Any, reason: Any = None) -> float | NotScored:
    """A value of a file; other values have no score.

    >>> number_or_reason(3), number_or_reason(None, "no judge was asked").reason
    (3.0, 'no judge was asked')
    """
    if isinstance(value, int | float) and isfinite(value):
        return float(value)
    return NotScored(str(reason or "the file has no value"))


def _plain(cells: Mapping[str, Any], key: str = "value") -> dict[str, float | NotScored]:
    return {
        name: number_or_reason(cell.get(key), cell.get("reason")) for name, cell in cells.items()
    }


def _spent(data: Mapping[str, Any]) -> tuple[str, ...]:
    stopped = f"Models were asked no more: {data['ended']}." if data.get("ended") else ""
    return tuple(filter(None, [stopped, str(data.get("spent") or "")]))


def _any(cases: Iterable[RunCase], column: str) -> bool:
    return any(not isinstance(case.value(column), NotScored) for case in cases)


def _arena(data: Mapping[str, Any]) -> ReadRun:
    """Editors of the board come first, attempts that are flawed on purpose after them."""
    tried = {row["system"] for row in data.get("board") or ()}
    cases = tuple(
        RunCase(
            str(result["name"]), editor, _plain(result["values"]),
            tuple(map(str, result.get("edit_types") or result.get("categories") or ())),
            _arena_difficulty(result.get("difficulty")), result,
        )
        for editor, entry in sorted(data["editors"].items(), key=lambda item: item[0] not in tried)
        for result in entry["cases"]
    )  # fmt: skip
    columns = tuple(
        RunColumn(name, 5.0 if name in ("IF", "VQ") else 1.0)
        for name in dict.fromkeys(name for case in cases for name in case.values)
        if _any(cases, name) or name in ("IF", "VQ")
    )
    main = next((name for name in ("IF", "edit") if _any(cases, name)), "IF")
    left_out = data.get("left_out") or ()
    gone = (f"Left out by all: {', '.join(map(str, left_out))}.",) if left_out else ()
    notes = (*map(str, data.get("facts") or ()), *gone, *_spent(data))
    apart = frozenset(data["editors"].keys() - tried)
    return ReadRun("pptarena", columns, main, cases, "", notes, len(left_out), apart)


def _arena_difficulty(level: Any) -> str:
    if not isinstance(level, dict):
        return ""
    words = (("cross_slide", "several slides"), ("text_visual", "text and pictures"))
    return ", ".join(word for key, word in words if level.get(key)) or "one thing"


def _ppteval(data: Mapping[str, Any]) -> ReadRun:
    by = str(data.get("model") or "")
    system = str(data.get("agent") or data.get("editor") or "editor")
    cases = tuple(
        RunCase(
            str(row["task"]), f"{system}, {by}" if by else system,
            {"score": number_or_reason(row["score"], row.get("reason")),
             "done": _done(row), "steps": number_or_reason(row.get("steps"), "nobody counts them"),
             "seconds": number_or_reason(row.get("seconds"))},
            tuple(map(str, row.get("categories") or ())), str(row.get("difficulty") or ""), row,
        )
        for row in data["tasks"]
    )  # fmt: skip
    columns = (
        RunColumn("score", 1.0), RunColumn("done", 1.0), RunColumn("steps", None, True),
        RunColumn("seconds", None, True),
    )  # fmt: skip
    judge = (f"Leaves asked {data['judge']}.",) if data.get("judge") else ()
    return ReadRun("ppteval", columns, "score", cases, by, (*judge, *_spent(data)))


def _done(entry: Mapping[str, Any]) -> float | NotScored:
    """Whether a task was done perfectly; not known if the score is open up to 1."""
    score = number_or_reason(entry["score"], entry.get("reason"))
    return score if isinstance(score, NotScored) else float(score >= 1 - 1e-9)


def _slidesgen(data: Mapping[str, Any]) -> ReadRun:
    cases = tuple(
        RunCase(
            str(deck["topic"]), str(deck["system"]),
            {name: number_or_reason(deck["values"].get(name), deck["reasons"].get(name))
             for name in DECK_MEASURES},
            (purpose_name(str(deck["purpose"])),), str(deck.get("richness") or ""), deck,
        )
        for deck in data["decks"]
        if not deck.get("absent")
    )  # fmt: skip
    best = {"content": 1.0, "level": 5.0, "quality": 100.0}
    columns = tuple(
        RunColumn(name, best.get(name), name in LOWER_BETTER)
        for name in DECK_MEASURES
        if _any(cases, name) or name == "content"
    )
    facts = tuple(f"{word}: {said}" for word, said in dict(data.get("facts") or {}).items())
    proxy = ("Content is a proxy: a program made or answered the questions.",)
    notes = (*facts, *(proxy if data.get("proxy") else ()), *_spent(data))
    return ReadRun("slidesgen", columns, "content", cases, "", notes)


_UNIPPT_MAIN: Final = ("average", "judged")
"""The mean of all metrics, or of those with a score."""


def _unippt(data: Mapping[str, Any]) -> ReadRun:
    cases = tuple(
        RunCase(
            str(deck["task"]), str(deck["system"]),
            _plain({**deck["scores"], **deck["means"]}, "score"), (str(deck["setting"]),), "", deck,
        )
        for deck in data["decks"]
    )  # fmt: skip
    names = dict.fromkeys(name for case in cases for name in case.values)
    columns = tuple(RunColumn(name, 10.0) for name in names if _any(cases, name))
    main = next((name for name in _UNIPPT_MAIN if _any(cases, name)), _UNIPPT_MAIN[0])
    if not _any(cases, main):
        columns = (*columns, RunColumn(main, 10.0))
    judge = f"Judged by {data.get('judge') or 'decklab, by program'}."
    return ReadRun(
        "unippt", columns, main, cases, str(data.get("model") or ""), (judge, *_spent(data))
    )


def _score(data: Mapping[str, Any]) -> ReadRun:
    cases = tuple(
        RunCase(str(deck["deck"]), "decklab score", _score_values(deck), (), "", deck)
        for deck in data["decks"]
    )
    best = {"quality.score": 100.0, "editability.level": 5.0}
    known = [name for name in SCORE_COLUMNS if _any(cases, name)] or ["quality.score"]
    main = "quality.score" if "quality.score" in known else known[0]
    columns = tuple(RunColumn(name, best.get(name)) for name in known)
    return ReadRun("score", columns, main, cases)


def _score_values(entry: Mapping[str, Any]) -> dict[str, float | NotScored]:
    rows = {
        row["metric"]: number_or_reason(row.get("value"), row.get("reason"))
        for row in entry.get("measurements") or ()
        if row.get("slide") is None
    }
    why = NotScored(str(entry.get("error") or "it was not measured"))
    return {name: rows.get(name, why) for name in SCORE_COLUMNS}


def _listed(data: Any) -> Sequence[Mapping[str, Any]]:
    return data if isinstance(data, list) else [data]


def _judge(data: Any) -> ReadRun:
    cases = tuple(
        RunCase(
            str(row["deck"]), str(row["judge"]),
            {**{str(metric["name"]): number_or_reason(metric.get("score"), metric.get("reason"))
                for metric in row["metrics"]},
             **_plain({"shared": row["shared"], "average": row["average"]}, "score")},
            (str(row["setting"]),), "", row,
        )
        for row in _listed(data)
    )  # fmt: skip
    names = [name for name in dict.fromkeys(n for case in cases for n in case.values)
             if _any(cases, name)]  # fmt: skip
    main = next((name for name in ("average", "shared", *names) if name in names), "average")
    columns = tuple(RunColumn(name, 10.0) for name in (names or ["average"]))
    notes = tuple(dict.fromkeys(str(line) for row in _listed(data) for line in row.get("told", ())))
    return ReadRun("judge", columns, main, cases, "", notes)


def _quiz(data: Any) -> ReadRun:
    cases = tuple(
        RunCase(
            str(row["deck"]), str(row["examinee"]),
            {"right": number_or_reason(row["accuracy"].get("share"), "no question was scored"),
             **{f"right, {name}": number_or_reason(part.get("share"), "no question was scored")
                for name, part in row.get("by_kind", {}).items()}},
            (str(row["bank"]),), "", row,
        )
        for row in _listed(data)
    )  # fmt: skip
    names = dict.fromkeys(name for case in cases for name in case.values)
    notes = tuple(dict.fromkeys(str(line) for row in _listed(data) for line in row.get("told", ())))
    return ReadRun("quiz", tuple(RunColumn(name, 1.0) for name in names), "right", cases, "", notes)


def _grade(data: Mapping[str, Any]) -> ReadRun:
    root = data["root"]
    why = f"open, from {root['low']:.3g} to {root['high']:.3g}"
    values = {"score": number_or_reason(data.get("score"), why)}
    cases = (RunCase(str(root["name"]), "decklab grade", values, (), "", {"tree": data}),)
    return ReadRun("grade", (RunColumn("score", 1.0),), "score", cases)


def _prefer(data: Mapping[str, Any]) -> ReadRun:
    scores: dict[str, dict[str, float | NotScored]] = {}
    for row in data["scores"]:
        value = number_or_reason(row.get("value"), row.get("reason"))
        scores.setdefault(str(row["deck"]), {})[str(row["metric"])] = value
    cases = tuple(
        RunCase(deck, str(data["model"]), values, (), "", {"deck": deck, "task": data["task"]})
        for deck, values in scores.items()
    )
    names = list(dict.fromkeys(name for values in scores.values() for name in values))
    notes = (str(data["task"]), *map(str, data.get("not_scored") or ()))
    return ReadRun(
        "prefer", tuple(map(RunColumn, names)), names[0], cases, str(data["model"]), notes
    )


_READERS: Final[tuple[tuple[frozenset[str], Callable[[Any], ReadRun]], ...]] = (
    (frozenset({"version", "editors"}), _arena),
    (frozenset({"summary", "tasks"}), _ppteval),
    (frozenset({"table_1", "decks"}), _slidesgen),
    (frozenset({"settings", "decks", "systems"}), _unippt),
    (frozenset({"deck", "metrics", "setting"}), _judge),
    (frozenset({"deck", "examinee", "accuracy"}), _quiz),
    (frozenset({"root", "rule", "low"}), _grade),
    (frozenset({"scores", "model", "arena"}), _prefer),
    (frozenset({"decks"}), _score),
)
"""Keys of a file, and its reader; the first that fits reads it."""


_INPUTS: Final = (
    frozenset({"prompt", "original", "ground_truth"}), frozenset({"questions", "made_by"}),
    frozenset({"quiz_bank"}), frozenset({"key_points"}),
)  # fmt: skip


def read_log(path: Path) -> ReadRun:
    """The samples of a log with their scores. Raises NoResults."""
    try:
        log = logged_run(path)
    except DecklabError as error:
        raise NoResults("it is no log that can be read") from error
    cases = tuple(
        RunCase(
            _logged_name(row), str(row.facts.get("system") or log.model),
            row.scores, (), "", {"sample": row.id, "epoch": row.epoch},
        )
        for row in log.samples
    )  # fmt: skip
    if not cases:
        raise NoResults("the log has no sample")
    names = list(dict.fromkeys(name for case in cases for name in case.values))
    runs = log.status == "started"
    notes = (
        f"A log of {log.task}" + (", so far." if runs else f", which ended with: {log.status}."),
    )
    return ReadRun(
        "log", tuple(map(RunColumn, names)), names[0], cases,
        "" if log.model.startswith("none/") else log.model, notes,
        total=log.total if runs else 0,
        left_out=0 if runs or log.status == "success" else max(log.total - len(cases), 0),
    )  # fmt: skip


def _logged_name(sample: LoggedSample) -> str:
    facts = sample.facts
    own = next((facts[key] for key in ("case", "topic", "task") if facts.get(key)), sample.id)
    name = str(own if facts.get("system") else sample.id)
    return name if sample.epoch == 1 else f"{name}, again {sample.epoch}"


@lru_cache(maxsize=64)
def _sample(path: Path, _stamp: int, sample: str | int, epoch: int) -> Mapping[str, Any]:
    return logged_sample(path, sample, epoch)


def sample_of(path: Path, sample: str | int, epoch: int = 1) -> Mapping[str, Any]:
    """A log's record of a sample: instruction, answer, scores with their facts, metadata; empty if
    the log cannot be read or does not have it."""
    try:
        return _sample(path, path.stat().st_mtime_ns, sample, epoch)
    except (DecklabError, OSError):
        return {}


def newest_log_with(folder: Path, sample: str) -> Mapping[str, Any]:
    """Record of a sample in the newest log of a folder that has it; empty if none has."""
    for path in sorted(folder.glob("*.eval"), reverse=True):
        if sample_read := sample_of(path, sample):
            return sample_read
    return {}
