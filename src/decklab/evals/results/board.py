"""A board of results: the systems of many runs, compared anew, as pages that a team can publish.

A run leaves ``board.json`` beside its page: its tables with every observation, and what results
must share to be compared. Runs that share it stand in one table; others stand apart, and say why.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import ResultsError, json_of
from decklab.core.files import write_whole
from decklab.core.output_folder import FOLDER_MARK, begin_run_folder, check_run_folder, deck_names
from decklab.core.results import NotScored, by_key, reason_of, value_or_none
from decklab.core.version import VERSION
from decklab.evals.results.charts import interval_chart
from decklab.evals.results.means import Observation
from decklab.evals.results.methods import prompt_hash, write_methods
from decklab.evals.results.page import (
    CaseCell,
    CaseRow,
    CaseTable,
    PageSection,
    ResultPage,
    write_result_page,
)
from decklab.evals.results.tables import ResultColumn, ResultTable, system_table
from decklab.evals.results.text import write_tables
from decklab.pages.files import strict_json
from decklab.pages.wording import counted

BOARD: Final = "board.json"
_RUNS: Final = "runs"
_COPIED: Final = (".html", ".md", ".csv", ".tex", ".parquet")
_LEFT_OUT: Final = ("logs", "decks", "written", "starter", "predictions")
"""Folders of a run that are not published: logs of models, and decks."""
_DIGITS: Final = 12


@dataclass(frozen=True)
class BoardRun:
    """A run's results for a board. ``shared`` is what results must share to be compared."""

    benchmark: str
    shared: Mapping[str, str]
    tables: tuple[ResultTable, ...]
    page: str
    """The file of its page."""
    folder: Path = Path()
    name: str = ""

    @property
    def systems(self) -> list[str]:
        """The systems of its tables."""
        return list(dict.fromkeys(row.name for table in self.tables for row in table.rows))


def leave_results(
    folder: Path,
    page: ResultPage,
    tables: Sequence[ResultTable],
    *,
    title: str = "",
    more_facts: Mapping[str, str] | None = None,
    prompts: Sequence[str] = (),
    shared: Sequence[str] = (),
    file: str = "index.html",
) -> Path:
    """Leave the page of a run in ``file``, its tables, its paragraph of methods, and ``board.json``
    in ``folder``: its tables of systems with all observations. Returns the path of the page.

    ``title`` is that of the benchmark if the page has another, ``more_facts`` are those that the
    page does not show, and ``prompts`` are as in ``methods_text``. ``shared`` are the facts that
    results must share to be compared, beside the version of decklab and the prompts.
    """
    title, facts = title or page.title, {**page.facts, **(more_facts or {})}
    write_tables(folder, tables)
    write_methods(folder, title, facts=facts, prompts=prompts, units=page.units)
    said = {"decklab": VERSION, "Prompts": ", ".join(filter(None, map(prompt_hash, prompts)))}
    said |= {word: facts.get(word, "") for word in shared}
    listed = [_table_json(table) for table in tables if table.observations]
    known = {word: value for word, value in said.items() if value}
    whole = {"benchmark": title, "shared": known, "tables": listed, "page": file}
    write_whole(folder / BOARD, strict_json(whole).encode())
    return write_result_page(folder / file, page)


_ABOUT: Final = ("head", "units", "lead", "main")
"""Words of a table beside its name and title."""


def _table_json(table: ResultTable) -> dict[str, Any]:
    columns = [
        {**asdict(column), "scale": column.scale and [_finite(end) for end in column.scale]}
        for column in table.columns
    ]
    rows = [
        [row.system, row.unit, row.metric, value_or_none(row.value), reason_of(row.value),
         list(row.groups), row.bounds and list(row.bounds)]
        for row in table.observations
    ]  # fmt: skip
    about = {key: getattr(table, key) for key in ("name", "title", *_ABOUT)}
    return {**about, "columns": columns, "observations": rows}


def _finite(end: float) -> float | None:
    return end if isfinite(end) else None


def read_board(folder: str | Path) -> BoardRun:
    """The results that a run left in its folder. Raises ResultsError if it left nothing."""
    path = Path(folder) / BOARD
    try:
        data = json_of(path.read_bytes())
        tables = tuple(_table_of(table) for table in data["tables"])
        return BoardRun(data["benchmark"], data["shared"], tables, data["page"], Path(folder))
    except FileNotFoundError:
        raise ResultsError(folder, f"has no {BOARD}: no benchmark of systems wrote it") from None
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ResultsError(path, f"cannot be used: {type(error).__name__}") from error


def _table_of(data: Mapping[str, Any]) -> ResultTable:
    columns = [
        ResultColumn(**{**column, "scale": column["scale"] and _ends(column["scale"])})
        for column in data["columns"]
    ]
    rows = [
        Observation(system, unit, metric, NotScored(reason) if value is None else float(value),
                    tuple(groups), (bounds[0], bounds[1]) if bounds else None)
        for system, unit, metric, value, reason, groups, bounds in data["observations"]
    ]  # fmt: skip
    about = {key: data[key] for key in _ABOUT}
    return system_table(data["name"], data["title"], rows, columns, **about)


def _ends(scale: Sequence[float | None]) -> tuple[float, float]:
    low, high = scale
    return (-inf if low is None else low), (inf if high is None else high)


def write_board(
    runs: Sequence[str | Path], out: Path, *, title: str = "Results", overwrite: bool = False
) -> Path:
    """Write the board of some runs into ``out`` and return its page.

    A board that is there gets a new version if its results are others; its page names the earlier
    ones. Pages and tables of the runs are copied, decks and logs are not. Raises ResultsError for a
    folder without results, and FileExistsError for a folder with files of somebody else, or with a
    board unless ``overwrite`` says that it may be replaced.
    """
    check_run_folder(out, overwrite=overwrite, mark=BOARD)
    names = deck_names([Path(run) for run in runs])
    listed = [replace(read_board(run), name=names[Path(run)]) for run in runs]
    begin_run_folder(out, overwrite=overwrite, mark=BOARD)
    digests = {run.name: _digest(run.folder / BOARD) for run in listed}
    versions = _versions(out, digests)
    shutil.rmtree(out / _RUNS, ignore_errors=True)
    for run in listed:
        _copy(run.folder, out / _RUNS / run.name)
    groups = by_key(listed, lambda run: (run.benchmark, tuple(sorted(run.shared.items()))))
    sections = [_section(list(own), groups) for own in groups.values()]
    write_tables(out, [table for part in sections for table in part.tables])
    latest = versions[-1]
    page = ResultPage(
        "decklab board", title, sections,
        {"Version": f"{latest['version']} ({latest['digest']})",
         "Earlier versions": ", ".join(
             f"{one['version']} ({one['digest']})" for one in versions[:-1]) or "none",
         "Runs": str(len(listed)), "decklab": VERSION},
        units="units",
    )  # fmt: skip
    path = write_result_page(out / "index.html", page)
    write_whole(out / BOARD, strict_json({"versions": versions, "runs": digests}).encode())
    return path


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()[:_DIGITS]


def _versions(out: Path, digests: Mapping[str, str]) -> list[dict[str, Any]]:
    """The versions of a board, the last with the results of now."""
    known: list[dict[str, Any]] = []
    if (out / BOARD).is_file():
        known = list(json_of((out / BOARD).read_bytes())["versions"])
    digest = sha256(json.dumps(dict(digests), sort_keys=True).encode()).hexdigest()[:_DIGITS]
    if not known or known[-1]["digest"] != digest:
        known.append({"version": len(known) + 1, "digest": digest})
    return known


def _copy(folder: Path, target: Path) -> None:
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        kept = not {*_LEFT_OUT, FOLDER_MARK} & set(inside.parts)
        if kept and path.suffix in _COPIED and path.is_file():
            (target / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / inside)


def _section(runs: Sequence[BoardRun], groups: Iterable[tuple[str, object]]) -> PageSection:
    """The runs of a benchmark that share what they must, as one table for each of theirs."""
    first = runs[0]
    apart = sum(benchmark == first.benchmark for benchmark, _ in groups) > 1
    shared = "; ".join(f"{word}: {said}" for word, said in first.shared.items())
    lead = f"{shared}. Results with another of these stand apart." if apart else f"{shared}."
    tables = list(_merged(runs))
    charts = [
        replace(chart, title=f"{table.title}: {chart.title}")
        for table in tables
        for column in table.columns
        if column.key == table.main and (chart := interval_chart(table, column))
    ]
    rows = [
        CaseRow(run.name, [CaseCell(", ".join(run.systems)), CaseCell(_units(run))],
                page=f"{_RUNS}/{run.name}/{run.page}")
        for run in runs
    ]  # fmt: skip
    cases = CaseTable("Run, with its cases", ("Systems", "Units"), rows)
    return PageSection(first.benchmark, lead, tables, charts, cases)


def _units(run: BoardRun) -> str:
    units = {row.unit for table in run.tables for row in table.observations}
    return counted(len(units), run.tables[0].units.removesuffix("s")) if run.tables else "none"


def _merged(runs: Sequence[BoardRun]) -> Iterator[ResultTable]:
    """The tables of several runs with all their systems; a name that two runs have gets that of
    its run."""
    several = [name for run in runs for name in run.systems]
    tables = [(run, table) for run in runs for table in run.tables]
    for own in by_key(tables, lambda pair: (pair[1].name, pair[1].columns)).values():
        rows = [
            replace(row, system=f"{row.system} ({run.name})")
            if several.count(row.system) > 1 else row
            for run, table in own for row in table.observations
        ]  # fmt: skip
        one = own[0][1]
        about = {key: getattr(one, key) for key in _ABOUT}
        yield system_table(one.name, one.title, rows, one.columns, **about)
