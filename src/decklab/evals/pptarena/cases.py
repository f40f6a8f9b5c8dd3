"""Cases in the published format of PPTArena, read from a local checkout.

Paper 003, sections 3 and D. A set is a JSON list of objects with the seven fields of ``Case``. A
case that cannot be run is left out and told; the others are run. Categories and edit types are
those of table 1, and those of the published list.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import UnknownName
from decklab.core.faults import json_of
from decklab.core.files import package_data
from decklab.evals.pptarena.checkout import CasesRejected, deck_in, list_in, root_of, version_of

_LONGEST: Final = 100
"""Characters of a name. Ours; file systems take 255 bytes."""


def slug(name: str) -> str:
    """A file name for a case or an editor; a checksum stands for what is left out.

    >>> slug("Less oil, and a title"), slug("\u6807\u9898 2")
    ('less-oil-and-a-title', '2-e4b20eb0')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if plain and name.isascii() and len(plain) <= _LONGEST:
        return plain
    return f"{plain[:_LONGEST]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}".lstrip("-")


CATEGORIES = ("Content", "Layout", "Styling", "Interactivity", "Structure")
"""In the order of table 1."""
_TYPES: dict[str, dict[str, str]] = json.loads(
    package_data("decklab.evals.pptarena", "edit_types.json")
)
EDIT_TYPES = _TYPES["paper"]
"""Category of each edit type of table 1; its longer names are shortened."""
PUBLISHED_TYPES = _TYPES["published"]
"""Category of each edit type by the names of the published list. Which category is ours where the
names differ from table 1."""

FIELDS = (
    "name", "prompt", "style_target", "original", "ground_truth", "category", "edit_type",
)  # fmt: skip
"""Fields of a case, as published."""
_NEEDED = ("name", "prompt", "original", "ground_truth")
_LISTS = ("category", "edit_type")
_DECKS = ("original", "ground_truth")


@dataclass(frozen=True)
class Case:
    """One editing task with its truth."""

    name: str
    prompt: str
    """The instruction; an editor sees only this and the deck."""
    style_target: str
    """What the result must fulfil, for judges only; empty where the list says nothing."""
    original: Path
    ground_truth: Path
    categories: tuple[str, ...]
    """Among the five of table 1; a case may be of several."""
    edit_types: tuple[str, ...]
    number: int = 0
    """Its place in the list, from 1."""

    @property
    def deck(self) -> Path:
        """The deck to edit."""
        return self.original

    @property
    def instruction(self) -> str:
        """The instruction that an editor gets."""
        return self.prompt


@dataclass(frozen=True)
class CaseFault:
    """Why a case of the list is not run."""

    case: str
    """Its name, or its number in the list."""
    field: str
    """Empty where it is not about a field."""
    why: str

    def __str__(self) -> str:
        """The fault in words."""
        return ": ".join(part for part in (self.case, self.field, self.why) if part)


@dataclass(frozen=True)
class CaseSet:
    """Cases, with their list and version."""

    cases: tuple[Case, ...]
    path: Path
    """Path of the list."""
    version: str
    """``commit <hash>`` of the checkout, ``(changed)`` where files were; else ``content <hash>``
    over the list and all decks."""
    faults: tuple[CaseFault, ...] = ()
    """Of the cases that are left out; a case may have several."""
    notes: tuple[str, ...] = ()
    """What is odd about cases that are run."""

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the cases that are expected and cannot be run, each once."""
        return tuple(dict.fromkeys(fault.case for fault in self.faults))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is left out and why, and the notes, a sentence each."""
        return (*(f"Left out: {fault}." for fault in self.faults), *self.notes)


def load_cases(path: str | Path) -> CaseSet:
    """The cases of a list, or of the list in a folder.

    Decks are named by paths relative to the list or to the checkout that it is in. They must exist;
    they are not opened. A case without name, prompt or decks is left out, see ``CaseSet.faults``.
    Raises CasesRejected where no case is left or there is no list, OSError where a file cannot be
    read.
    """
    given = Path(path)
    listed = list_in(given) if given.is_dir() else given
    root = root_of(listed, given if given.is_dir() else None)
    read = _ListReader(listed, root)
    for number, entry in enumerate(_entries(listed), 1):
        read.add(number, entry)
    if not read.cases:
        raise CasesRejected(listed, [str(fault) for fault in read.faults])
    decks = (deck for case in read.cases for deck in (case.original, case.ground_truth))
    version = version_of(listed, root, decks)
    return CaseSet(tuple(read.cases), listed, version, tuple(read.faults), tuple(read.notes))


def chosen(cases: CaseSet, names: Sequence[str]) -> CaseSet:
    """The cases of these names, all cases without names; UnknownName for an unknown name, and for
    that of a case that is left out."""
    known = {case.name for case in cases}
    for name in names:
        if name not in known:
            why = "; ".join(str(fault) for fault in cases.faults if fault.case == name)
            raise UnknownName(f"{cases.path}: {why or f'no case named {name!r}'}")
    selected = tuple(case for case in cases if not names or case.name in names)
    return replace(cases, cases=selected, faults=() if names else cases.faults)


def in_subset(cases: CaseSet, file: Path) -> CaseSet:
    """The cases that a file names: a JSON list of names or cases, or a name a line.

    Names that the list lacks are expected, and left out. Raises CasesRejected where no case is
    left, OSError where the file cannot be read.
    """
    wanted = list(dict.fromkeys(_names_in(file)))
    known = {slug(case.name): case for case in cases}
    broken = {slug(name) for name in cases.left_out}
    found = {name: known.get(slug(name)) for name in wanted}
    missing = [name for name, case in found.items() if case is None and slug(name) not in broken]
    selected = tuple(dict.fromkeys(case for case in found.values() if case is not None))
    keys = {slug(name) for name in wanted}
    faults = [fault for fault in cases.faults if slug(fault.case) in keys]
    faults += [
        CaseFault(name, "", f"{file.name} names it and the list does not") for name in missing
    ]
    if not selected:
        raise CasesRejected(file, [str(fault) for fault in faults] or ["names no case"])
    told = f"Subset {file.name}: {len(wanted)} of {len(cases) + len(cases.left_out)} cases."
    kept = [
        note for note in cases.notes if any(note.startswith(f"{one.name}: ") for one in selected)
    ]
    return replace(cases, cases=selected, faults=tuple(faults), notes=(told, *kept))


def _names_in(file: Path) -> list[str]:
    """The names in a JSON list, of texts or of cases, or one a line."""
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return [line.strip() for line in text.splitlines() if line.strip()]
    listed = content if isinstance(content, list) else [content]
    named = [one.get("name") if isinstance(one, dict) else one for one in listed]
    names = [name for name in named if isinstance(name, str) and name.strip()]
    if len(names) < len(named):
        raise CasesRejected(file, ["is no list of the names of cases"])
    return names


def _entries(path: Path) -> list[Any]:
    try:
        content = json_of(path.read_bytes())
    except ValueError as error:
        raise CasesRejected(path, [str(error)]) from error
    if not isinstance(content, list) or not content:
        raise CasesRejected(path, ["is no list of cases"])
    return content


@dataclass
class _ListReader:
    """The entries of a list, read one by one."""

    listed: Path
    root: Path
    cases: list[Case] = field(default_factory=list)
    faults: list[CaseFault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, number: int, entry: Any) -> None:
        """Read one entry into ``cases``, or say in ``faults`` why it is none."""
        if not isinstance(entry, dict):
            self.faults.append(CaseFault(f"case {number}", "", "is no object"))
            return
        name = entry.get("name")
        label = name if isinstance(name, str) and name.strip() else f"case {number}"
        wrong = {field: _fault(field, entry.get(field)) for field in FIELDS}
        decks = {
            field: wrong[field] or deck_in(entry[field], self.listed, self.root) for field in _DECKS
        }
        wrong |= {field: found for field, found in decks.items() if isinstance(found, str)}
        bad = {field: why for field, why in wrong.items() if why and field in _NEEDED}
        self.faults += [CaseFault(label, field, why) for field, why in bad.items()]
        original, truth = decks.values()
        if bad or isinstance(original, str) or isinstance(truth, str):
            return
        self.notes += [
            f"{label}: {field}: {why}; it is run without." for field, why in wrong.items() if why
        ]
        types = () if wrong["edit_type"] else _types(entry["edit_type"])
        categories = () if wrong["category"] else _labels(entry["category"])
        self.cases.append(
            Case(
                self._free_name(label),
                entry["prompt"],
                "" if wrong["style_target"] else entry["style_target"],
                original,
                truth,
                categories or _categories_of(types),
                types,
                number,
            )
        )

    def _free_name(self, wanted: str) -> str:
        """The name, with a number after it where another case's files would have the same."""
        taken = {slug(case.name) for case in self.cases}
        name = wanted
        for number in count(2):
            if slug(name) not in taken:
                break
            name = f"{wanted} ({number})"
        if name != wanted:
            self.notes.append(f"{name}: an earlier case has its name.")
        return name


def _categories_of(types: Sequence[str]) -> tuple[str, ...]:
    known = PUBLISHED_TYPES | EDIT_TYPES
    return tuple(dict.fromkeys(known[one] for one in types if one in known))


def _fault(field: str, value: Any) -> str:
    if value is None:
        return "is missing"
    if field in _LISTS and isinstance(value, list):
        right = value and all(isinstance(one, str) and one.strip() for one in value)
        return "" if right else "is no list of words"
    if not isinstance(value, str):
        return f"is {type(value).__name__}, not text"
    return "" if value.strip() else "is empty"


def _labels(value: str | list[str]) -> tuple[str, ...]:
    """Labels of a list, or of a text such as ``Content, Structure``."""
    if isinstance(value, list):
        return tuple(value)
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _types(value: str | list[str]) -> tuple[str, ...]:
    """Edit types; a text is split only where each part is one that is known, for several names
    hold commas."""
    parts = _labels(value)
    known = EDIT_TYPES.keys() | PUBLISHED_TYPES.keys()
    return parts if isinstance(value, list) or known.issuperset(parts) else (value.strip(),)
