"""Decks made elsewhere: which file of a folder belongs to which case, and what it cost.

A folder may be the output of any tool. What it says itself comes first: a table of results beside
the decks. Then names: the case's own, also as a file name with dashes; a folder of that name with
one deck in it; the case's number in the list; a file name that has the case's in it.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DeckError, MissingPart
from decklab.core.files import write_whole
from decklab.evals.editors.isolation import EditorFor
from decklab.evals.editors.protocol import Editor, EditSession, trusted
from decklab.evals.editors.running import submitted_bytes
from decklab.evals.pptarena.cases import Case, CaseSet, slug
from decklab.models.asking import Usage

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
    """What a deck cost where it was made, as far as its table says."""

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
            lines.append(f"{self.name}: no deck of {_listed(self.missing)}.")
        if self.unmatched:
            lines.append(f"{self.name}: of no case: {_listed(self.unmatched)}.")
        return (*lines, *(f"{self.name}: {note}." for note in self.notes))


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def find_external(
    folder: Path, cases: CaseSet, *, name: str = "", known: CaseSet | None = None
) -> ExternalDecks:
    """The decks of a folder by case; links are listed like files and refused when they are read.

    ``known`` is the whole set where ``cases`` are some of it: decks of the others are no surprise.
    Raises OSError where there is no such folder.
    """
    files = sorted(path for path in _below(folder) if path.suffix.lower() == ".pptx")
    rows, notes = _table(folder)
    every = known or cases
    named = {slug(str(row_name)): row for row in rows if (row_name := _first(row, _NAMES))}
    found: dict[str, Path] = {}
    for matching in (
        lambda case: _told(folder, files, named.get(slug(case.name))),
        lambda case: [path for path in files if slug(path.stem) == slug(case.name)],
        lambda case: [path for path in files if slug(path.parent.name) == slug(case.name)],
        lambda case: [path for path in files if _number(path.stem) == case.number],
    ):
        notes += _match(every, matching, found)
    notes += _match(every, _by_part(every, files, found), found)
    costs = {
        case.name: _cost(row) for case in cases if (row := named.get(slug(case.name))) is not None
    }
    used = set(found.values())
    return ExternalDecks(
        name or folder.name,
        folder,
        {case.name: found[case.name] for case in cases if case.name in found},
        costs,
        missing=tuple(case.name for case in cases if case.name not in found),
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
    cases: CaseSet, candidates: Callable[[Case], Sequence[Path]], found: dict[str, Path]
) -> list[str]:
    """Give each case that has no deck its one candidate that no other case has; says in a note
    where there are several."""
    notes = []
    for case in cases:
        free = (
            []
            if case.name in found
            else [path for path in candidates(case) if path not in found.values()]
        )
        if len(free) == 1:
            found[case.name] = free[0]
        elif free:
            notes.append(f"{len(free)} decks may be of {case.name}, so none is taken")
    return notes


def _told(folder: Path, files: Sequence[Path], row: Mapping[str, Any] | None) -> list[Path]:
    """The deck that a row of a table names, if it is one of the folder's: by its path, or by the
    end of a path on another machine."""
    told = None if row is None else _first(row, _DECKS)
    if told is None:
        return []
    parts = Path(str(told).replace("\\", "/")).parts
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
    cases: CaseSet, files: Sequence[Path], found: Mapping[str, Path]
) -> Callable[[Case], list[Path]]:
    """The files whose name has that of a case in it, and that of no longer one."""
    keys = {case.name: slug(case.name) for case in cases}
    owners: dict[str, list[Path]] = {}
    for path in files:
        inside = f"-{slug(path.stem)}-"
        held = [name for name, key in keys.items() if f"-{key}-" in inside]
        if held and path not in found.values():
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
        content = (
            lists[0]
            if lists
            else [
                {"name": name, **value}
                for name, value in content.items()
                if isinstance(value, dict)
            ]
        )
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
