"""Cases in the published format of PPTArena, read from a local checkout, all or nothing.

Paper 003, sections 3 and D. A set is a JSON list of objects with the seven fields of ``Case``;
decks are named by paths relative to the list or to the checkout. Categories and edit types are
those of table 1.
"""

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decklab.errors import DecklabError
from decklab.files import package_data
from decklab.programs import output_of

CATEGORIES = ("Content", "Layout", "Styling", "Interactivity", "Structure")
"""In the order of table 1."""

EDIT_TYPES: dict[str, str] = json.loads(
    package_data("decklab.benchmarks.pptarena", "edit_types.json")
)
"""Category of each edit type; the longer names of table 1 are shortened."""


def pinned_version(folder: Path) -> str | None:
    """``commit <hash>`` of the git checkout whose root is ``folder``, with ``(changed)`` where
    tracked files differ from it; None where ``folder`` is no such root or git is not installed.
    """
    if not (folder / ".git").exists() or shutil.which("git") is None:
        return None
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return f"commit {commit[:12]}{' (changed)' if changed else ''}"


def _git(folder: Path, *arguments: str) -> str | None:
    done = output_of(["git", "-C", str(folder), *arguments], _GIT_SECONDS)
    return None if done is None or done.returncode else done.stdout.decode().strip()


FIELDS = (
    "name", "prompt", "style_target", "original", "ground_truth", "category", "edit_type",
)  # fmt: skip
"""Fields of a case, as published."""
_LISTS = ("category", "edit_type")
_DECKS = ("original", "ground_truth")
_GIT_SECONDS = 60.0
_DEEPEST = 3
"""Folders below the checkout that are searched for the list. Ours."""
_MOST = 20  # faults that the message lists


class CasesRejected(DecklabError):
    """A set of cases that cannot be used; the text names each faulty case and field."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self.path, self.faults = path, tuple(faults)
        more = f"; and {len(faults) - _MOST} more" if len(faults) > _MOST else ""
        super().__init__(f"{path}: {'; '.join(faults[:_MOST])}{more}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path, list(self.faults))


@dataclass(frozen=True)
class Case:
    """One editing task with its truth."""

    name: str
    prompt: str
    """The instruction; an editor sees only this and the deck."""
    style_target: str
    """What the result must fulfil, for judges only."""
    original: Path
    ground_truth: Path
    categories: tuple[str, ...]
    """Among the five of table 1; a case may be of several."""
    edit_types: tuple[str, ...]

    @property
    def deck(self) -> Path:
        """The deck to edit."""
        return self.original

    @property
    def instruction(self) -> str:
        """The instruction that an editor gets."""
        return self.prompt


@dataclass(frozen=True)
class CaseSet:
    """Cases, with their list and version."""

    cases: tuple[Case, ...]
    path: Path
    """Path of the list."""
    version: str
    """``commit <hash>`` of the checkout, ``(changed)`` where files were; else ``content <hash>``
    over the list and all decks."""

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)


def load_cases(path: str | Path) -> CaseSet:
    """The cases of a list, or of the only list in a folder.

    Raises CasesRejected where any field of any case is wrong, and OSError where the list cannot be
    read. Decks must exist; they are not opened.
    """
    given = Path(path)
    listed = _list_in(given) if given.is_dir() else given
    entries = _entries(listed)
    root = given if given.is_dir() else listed.parent
    faults: list[str] = []
    cases = [_case(number, entry, listed, root, faults) for number, entry in enumerate(entries, 1)]
    names = Counter(case.name for case in cases if case)
    faults += [
        f"{name!r}: name: {count} cases have it" for name, count in names.items() if count > 1
    ]
    if faults:
        raise CasesRejected(listed, faults)
    whole = tuple(case for case in cases if case)
    return CaseSet(whole, listed, pinned_version(root) or _content_version(listed, whole))


def _list_in(folder: Path) -> Path:
    found = [
        path
        for path in sorted(folder.rglob("*.json"))
        if len(path.relative_to(folder).parts) <= _DEEPEST + 1
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and _looks_like_cases(path)
    ]
    if len(found) == 1:
        return found[0]
    fields = ", ".join(FIELDS)
    if not found:
        raise CasesRejected(folder, [f"holds no JSON list of cases with the fields {fields}"])
    names = ", ".join(str(path.relative_to(folder)) for path in found)
    raise CasesRejected(folder, [f"holds {len(found)} lists of cases, name one: {names}"])


def _looks_like_cases(path: Path) -> bool:
    try:
        content = json.loads(path.read_bytes())
    except ValueError:
        return False
    first = content[0] if isinstance(content, list) and content else None
    return isinstance(first, dict) and {"prompt", "original", "ground_truth"} <= first.keys()


def _entries(path: Path) -> list[Any]:
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise CasesRejected(path, [f"is no JSON: {error}"]) from error
    if not isinstance(content, list) or not content:
        raise CasesRejected(path, ["is no list of cases"])
    return content


def _case(number: int, entry: Any, listed: Path, root: Path, faults: list[str]) -> Case | None:
    if not isinstance(entry, dict):
        faults.append(f"case {number}: is no object")
        return None
    name = entry.get("name")
    label = repr(name) if isinstance(name, str) and name else f"case {number}"
    before = len(faults)
    for field in FIELDS:
        if fault := _fault(field, entry.get(field)):
            faults.append(f"{label}: {field}: {fault}")
    if len(faults) > before:
        return None
    decks = {field: _deck(entry[field], listed, root) for field in _DECKS}
    faults += [
        f"{label}: {field}: {found}" for field, found in decks.items() if isinstance(found, str)
    ]
    original, truth = decks.values()
    if isinstance(original, str) or isinstance(truth, str):
        return None
    return Case(
        entry["name"], entry["prompt"], entry["style_target"], original, truth,
        _labels(entry["category"]), _labels(entry["edit_type"]),
    )  # fmt: skip


def _fault(field: str, value: Any) -> str:
    if value is None:
        return "is missing"
    if field in _LISTS and isinstance(value, list):
        return (
            ""
            if value and all(isinstance(one, str) and one for one in value)
            else "is no list of words"
        )
    if not isinstance(value, str):
        return f"is {type(value).__name__}, not text"
    return "" if value.strip() else "is empty"


def _labels(value: str | list[str]) -> tuple[str, ...]:
    """Labels of a text such as ``Content, Structure``; a known long label is not split."""
    if isinstance(value, list):
        return tuple(value)
    if value in EDIT_TYPES:
        return (value,)
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _deck(value: str, listed: Path, root: Path) -> Path | str:
    """The file, or what is wrong with it."""
    for base in dict.fromkeys((listed.parent, *_between(listed.parent, root), root)):
        path = (base / value).resolve()
        if not path.is_relative_to(root.resolve()):
            return f"{value} leaves the folder of the set"
        if path.is_file():
            return path
    return f"there is no file {value}"


def _between(folder: Path, root: Path) -> list[Path]:
    return [parent for parent in folder.parents if parent.is_relative_to(root)]


def _content_version(listed: Path, cases: tuple[Case, ...]) -> str:
    whole = hashlib.sha256(listed.read_bytes())
    for path in sorted({path for case in cases for path in (case.original, case.ground_truth)}):
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return f"content {whole.hexdigest()[:12]}"
