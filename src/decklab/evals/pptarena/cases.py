"""Cases in the published format of PPTArena, read from a local checkout (the folder of a set, its
list and its decks); decks read and drawn once for all attempts that are compared with them.

Paper 003, sections 3 and D. A set is a JSON list of objects with the seven fields of ``Case``. A
case that cannot be run is left out and told; the others are run. Categories and edit types are
those of table 1, and those of the published list.
"""

import hashlib
import json
import re
import shutil
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import DecklabError, RenderError, UnknownName, json_of
from decklab.core.files import Closing, package_values
from decklab.core.programs import output_of
from decklab.core.results import NotScored
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.decks import diff_packages
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.ooxml.package import Package
from decklab.rendering.opening import open_incremental
from decklab.rendering.renderer import Cache, Renderer

K = TypeVar("K")
V = TypeVar("V")
Image = NDArray[np.uint8]
_KEPT = 4
"""Decks whose pictures are in memory at once: original, truth, prediction and one more; and as
many edits. Ours."""
_READ = 48
"""Snapshots that are in memory at once, some MB each. Ours."""
_SIZE = (1280, 720)


class Decks(Closing):
    """Reads and draws decks, and remembers the recent ones; a context manager.

    With ``pictures=False`` nothing is drawn. By default the user's cache folder stores drawings.
    Hidden slides have pictures like others.
    """

    def __init__(self, *, pictures: bool = True, renderer: Renderer | None = None) -> None:
        self._wanted = pictures
        self._compared: ComparedDecks | None = None
        self._stack = ExitStack()
        given = renderer or Renderer(cache=Cache())
        self._renderer = self._stack.enter_context(given.started())
        self._read: OrderedDict[Path, Snapshot] = OrderedDict()
        self._edits: OrderedDict[tuple[Path, Path], DeckEdit] = OrderedDict()
        self._drawn: OrderedDict[Path, tuple[Image, ...] | NotScored] = OrderedDict()

    def close(self) -> None:
        """Release drawn decks and the renderer."""
        if self._compared is not None:
            self._compared.close()
        self._stack.close()

    def snapshot(self, path: Path) -> Snapshot:
        """The snapshot of a deck; raises DeckError where it cannot be read."""
        if path not in self._read:
            with Package.open(path) as package:
                self._read[path] = snapshot(package)
        return _recent(self._read, path, _READ)

    def edit(self, before: Path, after: Path) -> DeckEdit:
        """The edit from one deck to another; raises DeckError where one cannot be read."""
        if (key := (before, after)) not in self._edits:
            snapshots = self.snapshot(before), self.snapshot(after)
            with Package.open(before) as old, Package.open(after) as new:
                self._edits[key] = DeckEdit(*snapshots, diff_packages(old, new, taken=snapshots))
        return _recent(self._edits, key, _KEPT)

    def pictures(self, path: Path, *, again: bool = False) -> tuple[Image, ...] | NotScored:
        """All slides as they look, RGB (height, width, 3) uint8, or why there are none.

        A deck that could not be drawn is tried again only with ``again``.
        """
        if not self._wanted:
            return NotScored("pictures were not asked for")
        if path not in self._drawn or (again and isinstance(self._drawn[path], NotScored)):
            self._drawn[path] = self._draw(path)
        return _recent(self._drawn, path, _KEPT)

    def side_by_side(self, truth: Path, prediction: Path) -> ComparedDecks | None:
        """Two decks compared, to find what of each is visible; valid until the next call. None
        if nothing is drawn."""
        if not self._wanted:
            return None
        if self._compared is not None:
            self._compared.close()
        known = self._compared
        same = known is not None and known.paths["original"] == truth
        self._compared = ComparedDecks(
            truth, prediction, like=known if same else None, renderer=self._renderer
        )
        return self._compared

    def _draw(self, path: Path) -> tuple[Image, ...] | NotScored:
        try:
            with open_incremental(path, renderer=self._renderer, size=_SIZE, ocr=False) as deck:
                return tuple([deck.slide(number).image for number in range(1, len(deck) + 1)])
        except RenderError as error:
            return NotScored(str(error))


def _recent(cache: OrderedDict[K, V], key: K, most: int) -> V:
    """The value of ``key``, now the most recent; of the others only the ``most`` recent stay."""
    cache.move_to_end(key)
    while len(cache) > most:
        cache.popitem(last=False)
    return cache[key]


PUBLISHED_LIST = "evaluation_pairs_refined.json"
"""Name of the list of PPTArena's 100 cases; its repository holds an earlier list as well."""
_MARKS = frozenset({"prompt", "original", "ground_truth"})
"""Fields by which a list of cases is known."""
_DEEPEST = 3
"""Folders between a checkout and its list. Ours."""
_GIT_SECONDS = 60.0
_SHOWN = 20  # faults that the message lists


class CasesRejected(DecklabError):
    """A set of cases that cannot be used; the text says why, by case and field where it can."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self.path, self.faults = path, tuple(faults)
        more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        super().__init__(f"{path}: {'; '.join(faults[:_SHOWN])}{more}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path, list(self.faults))


def list_in(folder: Path) -> Path:
    """The list of cases in a checkout: the published one, or else the only one.

    Raises CasesRejected if there is none, and if there are several.
    """
    lists = [
        path
        for path in sorted(folder.rglob("*.json"))
        if len(path.relative_to(folder).parts) <= _DEEPEST + 1
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and _looks_like_cases(path)
    ]
    published = [path for path in lists if path.name == PUBLISHED_LIST]
    if len(published) == 1:
        return published[0]
    if len(lists) == 1:
        return lists[0]
    if not lists:
        fields = ", ".join(sorted(_MARKS))
        raise CasesRejected(folder, [f"holds no JSON list of cases with the fields {fields}"])
    names = ", ".join(str(path.relative_to(folder)) for path in lists)
    raise CasesRejected(folder, [f"holds {len(lists)} lists of cases, name one: {names}"])


def _looks_like_cases(path: Path) -> bool:
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return False
    first = content[0] if isinstance(content, list) and content else None
    return isinstance(first, dict) and first.keys() >= _MARKS


def root_of(listed: Path, given: Path | None = None) -> Path:
    """The folder that paths of decks may not leave: that of the git checkout around the list, or
    the folder above ``src``, or ``given``, or that of the list."""
    above = list(listed.absolute().parents)[: _DEEPEST + 1]
    for folder in above:
        if (folder / ".git").exists():
            return folder
    inner = (given or listed.parent).absolute()
    sources = next((folder.parent for folder in above if folder.name == "src"), inner)
    return sources if inner.is_relative_to(sources) else inner


def deck_in(value: str, listed: Path, root: Path) -> Path | str:
    """The deck that a list names by a path relative to it, to ``root`` or to a folder between; or
    what is wrong with it, in words."""
    above = (listed.absolute().parent, *listed.absolute().parent.parents)
    for base in (folder for folder in above if folder.is_relative_to(root)):
        try:
            path = (base / value).resolve()
            if not path.is_relative_to(root.resolve()):
                return f"{value} leaves the folder of the set"
            if path.is_file():
                return path
        except (OSError, ValueError) as error:  # too long, a null character, links in a circle
            return f"{value[:80]!r} is no path: {error}"
    return f"there is no file {value}"


def version_of(listed: Path, root: Path, decks: Iterable[Path]) -> str:
    """``commit <hash>`` where the list is one of a git checkout's files, with ``(changed)`` where
    these differ from it; else ``content <hash>`` over the list and the decks."""
    tracked = _git(root, "ls-files", "--error-unmatch", "--", str(listed.absolute()))
    if pinned := None if tracked is None else pinned_version(root):
        return pinned
    whole = hashlib.sha256(listed.read_bytes())
    for path in sorted(set(decks)):
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return f"content {whole.hexdigest()[:12]}"


def pinned_version(folder: Path) -> str | None:
    """``commit <hash>`` of the git checkout whose root is ``folder``, with ``(changed)`` where
    tracked files differ from it; None if ``folder`` is no such root or git is not installed.
    """
    if (commit := _git(folder, "rev-parse", "HEAD")) is None:
        return None
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return f"commit {commit[:12]}{' (changed)' if changed else ''}"


def _git(folder: Path, *arguments: str) -> str | None:
    """Git's answer about the checkout whose root is ``folder``; None if it fails."""
    if not (folder / ".git").exists() or shutil.which("git") is None:
        return None
    done = output_of(["git", "-C", str(folder), *arguments], _GIT_SECONDS)
    return None if done is None or done.returncode else done.stdout.decode().strip()


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
_TYPES: dict[str, dict[str, str]] = package_values("decklab.evals.pptarena", "edit_types.json")
EDIT_TYPES = _TYPES["paper"]
"""Category of each edit type of table 1; its longer names are shortened."""
PUBLISHED_TYPES = _TYPES["published"]
"""Category of each edit type by the names of the published list. Which category is ours where the
names differ from table 1."""

FIELDS = ("name", "prompt", "style_target", "original", "ground_truth", "category", "edit_type")
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
    """Conditions on the result, for judges only; empty if the list has none."""
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
    """Oddities of cases that are run."""

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
        """The cases left out and why, and the notes, a sentence each."""
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
    by_name = {name: known.get(slug(name)) for name in wanted}
    missing = [name for name, case in by_name.items() if case is None and slug(name) not in broken]
    selected = tuple(dict.fromkeys(case for case in by_name.values() if case is not None))
    keys = {slug(name) for name in wanted}
    faults = [fault for fault in cases.faults if slug(fault.case) in keys]
    faults += [
        CaseFault(name, "", f"{file.name} names it and the list does not") for name in missing
    ]
    if not selected:
        raise CasesRejected(file, [str(fault) for fault in faults] or ["names no case"])
    line = f"Subset {file.name}: {len(wanted)} of {len(cases) + len(cases.left_out)} cases."
    kept = [
        note
        for note in cases.notes
        if any(note.startswith(f"{chosen.name}: ") for chosen in selected)
    ]
    return replace(cases, cases=selected, faults=tuple(faults), notes=(line, *kept))


def _names_in(file: Path) -> list[str]:
    """The names in a JSON list, of texts or of cases, or one a line."""
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return [line.strip() for line in text.splitlines() if line.strip()]
    listed = content if isinstance(content, list) else [content]
    named = [entry.get("name") if isinstance(entry, dict) else entry for entry in listed]
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
        wrong |= {field: problem for field, problem in decks.items() if isinstance(problem, str)}
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
    return tuple(dict.fromkeys(known[name] for name in types if name in known))


def _fault(field: str, value: Any) -> str:
    if value is None:
        return "is missing"
    if field in _LISTS and isinstance(value, list):
        right = value and all(isinstance(text, str) and text.strip() for text in value)
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
