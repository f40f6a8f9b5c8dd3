"""Tasks with their decks: a published list, or the starter set, and a folder of files. The starter
set has tasks over decklab's own sample decks, with rubrics and attempts.

The categories of paper 001, figure 7, say which structures of a deck a task is about. The starter
set states them; the published list does not, so there the words of the goal decide.

The starter set comes with decklab as data: the list of tasks and the rubrics in the published
format, and ``attempts.json`` with programs by task and level, each the Python that edits one
``deck``. They are made by ``python -m generate`` in decklab's repository. Programs run in the
sandbox only. ``EDITORS`` has the editors by name.
"""

import hashlib
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, Literal

from decklab.core.errors import DecklabError, UnknownName
from decklab.core.files import package_data, package_values, whole_file, write_data, write_whole
from decklab.core.options import Isolation
from decklab.core.registry import Registry
from decklab.deck.deck import SAMPLES, sample_bytes
from decklab.evals.editors.isolation import EditorFor
from decklab.evals.editors.protocol import Editor, EditSession, EditTask, trusted
from decklab.evals.editors.running import agent, commands, noop
from decklab.evals.rubrics.graded import REGISTRY_NAME, RubricTask, load_tasks
from decklab.evals.rubrics.rubric import Rubric, RubricError
from decklab.sandbox.sandbox import Sandbox


class DecksMissing(DecklabError):
    """Decks of tasks are not there; the text says which, and where they come from."""


class FetchFailed(DecklabError):
    """A deck could not be downloaded, or is not the one that was downloaded first."""


SOURCES: Final[Mapping[str, str]] = package_values("decklab.evals.ppteval", "published_decks.json")
"""The twelve decks by file name, each with its address.

The authors had PowerPoint for the web save each deck anew before they used it; these are the decks
as they were uploaded.
"""

CHECKSUMS = "SHA256SUMS"
"""File of checksums in the folder of decks, in the form of ``sha256sum``."""
LARGEST = 512 * 2**20
"""No deck of the benchmark comes near this many bytes (ours)."""
SECONDS = 60.0
"""Longest wait for the archive to answer (ours)."""


@dataclass(frozen=True)
class Fetched:
    """One deck after `fetch_decks`."""

    name: str
    how: Literal["downloaded", "there"]
    sha256: str


def fetch_decks(
    folder: str | Path,
    *,
    sources: Mapping[str, str] = SOURCES,
    seconds: float = SECONDS,
    done: Callable[[Fetched], object] = lambda fetched: None,
) -> list[Fetched]:
    """Download the decks of ``sources`` (name to address) that are not yet in ``folder``.

    ``done`` is called with each deck. Raises FetchFailed where a download fails or a checksum is
    not the recorded one; decks downloaded until then stay, with their checksums.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    known = read_checksums(folder)
    decks: list[Fetched] = []
    for name, address in sources.items():
        path = folder / name
        how: Literal["downloaded", "there"] = "there"
        if not path.is_file():
            how = "downloaded"
            _download(address, path, known.get(name), seconds)
        fetched = Fetched(name, how, _sha256(path))
        _compare(path, fetched.sha256, known.get(name))
        if name not in known:
            known[name] = fetched.sha256
            _write_checksums(folder, known.items())
        decks.append(fetched)
        done(fetched)
    return decks


def read_checksums(folder: Path) -> dict[str, str]:
    """The recorded checksums by file name; FetchFailed where the file is not of that form."""
    path = folder / CHECKSUMS
    if not path.is_file():
        return {}
    checksums = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        digest, gap, name = line.partition("  ")
        if len(digest) != 64 or not gap or not name:
            raise FetchFailed(f"{path}: {line[:80]!r} is no checksum with a file name")
        checksums[name] = digest
    return checksums


def _write_checksums(folder: Path, known: Iterable[tuple[str, str]]) -> None:
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(known))
    write_whole(folder / CHECKSUMS, lines.encode())


def _download(address: str, path: Path, recorded: str | None, seconds: float) -> None:
    request = urllib.request.Request(address, headers={"User-Agent": "decklab"})
    try:
        with (
            urllib.request.urlopen(request, timeout=seconds) as reply,
            whole_file(path) as unfinished,
        ):
            length = reply.headers.get("Content-Length")
            if length is not None and int(length) > LARGEST:
                raise FetchFailed(f"{address}: {int(length):,} bytes are too many for a deck")
            with unfinished.open("wb") as stream:
                _pour(reply, stream, address)
            if length is not None and unfinished.stat().st_size != int(length):
                raise FetchFailed(f"{address}: the download broke off")
            _looks_like_a_deck(unfinished, address)
            _compare(path, _sha256(unfinished), recorded)
    except (urllib.error.URLError, HTTPException, TimeoutError, ConnectionError) as error:
        raise FetchFailed(f"{address}: {getattr(error, 'reason', error)}") from error


def _pour(reply: IO[bytes], stream: IO[bytes], address: str) -> None:
    left = LARGEST
    while data := reply.read(1 << 20):
        left -= len(data)
        if left < 0:
            raise FetchFailed(f"{address}: more than {LARGEST:,} bytes")
        stream.write(data)


def _looks_like_a_deck(path: Path, address: str) -> None:
    with path.open("rb") as stream:
        if stream.read(4) != b"PK\x03\x04":
            raise FetchFailed(f"{address}: what came is no deck")


def _compare(path: Path, digest: str, recorded: str | None) -> None:
    if recorded is not None and digest != recorded:
        raise FetchFailed(
            f"{path}: not the deck that was downloaded first (SHA-256 {digest}, recorded "
            f"{recorded} in {CHECKSUMS})"
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


OTHER = "other"
"""The category of a task whose goal has none of the words."""

_WORDS: dict[str, str] = package_values("decklab.evals.ppteval", "category_words.toml")
"""Patterns of whole words by category, in the order in which reports list them."""

CATEGORIES = (*_WORDS, OTHER)


def categories_of(goal: str, misc: Mapping[str, Any]) -> tuple[str, ...]:
    """The categories that a task states in ``misc``, else those whose words its goal has.

    >>> categories_of("Add a slide transition effect of 'Fade' to slide 2", {})
    ('transitions',)
    >>> categories_of("Make it better", {})
    ('other',)
    """
    stated = misc.get("categories")
    if isinstance(stated, list) and stated:
        return tuple(map(str, stated))
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", " ", goal.lower())  # quoted words are content
    names = tuple(name for name, words in _WORDS.items() if re.search(rf"\b(?:{words})\b", plain))
    return names or (OTHER,)


_LONGEST = 100
"""Most characters of a task's name in a file name. Ours: file systems take 255 bytes."""


def file_name(task: str) -> str:
    """The file name for a task, without suffix; tasks with similar names may share it.

    >>> file_name("../Q1: sales")
    'Q1-sales'
    """
    return re.sub(r"[^\w.+-]+", "-", task, flags=re.ASCII).strip("-.")[:_LONGEST] or "task"


def file_names(tasks: Iterable[str]) -> dict[str, str]:
    """The file name of each task, all different even where case does not count.

    >>> file_names(["bold-bullets", "../Q1: sales", "q1 sales"])
    {'bold-bullets': 'bold-bullets', '../Q1: sales': 'Q1-sales', 'q1 sales': 'q1-sales-2'}
    """
    names: dict[str, str] = {}
    used: set[str] = set()
    for task in tasks:
        plain = file_name(task)
        name, again = plain, 1
        while name.lower() in used:
            again += 1
            name = f"{plain}-{again}"
        used.add(name.lower())
        names[task] = name
    return names


@dataclass(frozen=True)
class EditingTask:
    """A deck, what to do to it, and the rubric that grades the result."""

    name: str
    goal: str
    deck: Path
    rubric: Rubric
    difficulty: str | None = None
    """``Easy``, ``Medium`` or ``Hard``; None if the list does not say."""
    categories: tuple[str, ...] = ()

    @property
    def instruction(self) -> str:
        """The instruction that an editor gets."""
        return self.goal


def find_registry(path: str | Path) -> Path:
    """The ``tasks.json`` that ``path`` is or holds, at most one folder deep.

    Raises RubricError if there is none.
    """
    path = Path(path)
    places = [path, path / REGISTRY_NAME, path / "task_registry" / REGISTRY_NAME]
    for file in places:
        if file.is_file():
            return file
    raise RubricError(path, f"there is no {REGISTRY_NAME} here")


def load_editing_tasks(
    tasks: str | Path, files: str | Path | None = None
) -> tuple[EditingTask, ...]:
    """All tasks of a list with their rubrics and decks, in its order, or an error.

    ``files`` is the folder of decks, which are there under the path in the list, or under their
    file name alone; by default it is the parent of the list's folder. Raises RubricError for a task
    that cannot be loaded, DecksMissing where decks are not there.
    """
    registry = find_registry(tasks)
    folder = Path(files) if files is not None else registry.resolve().parent.parent
    listed = load_tasks(registry)
    decks = {task.file_path: _deck(folder, task.file_path) for task in listed}
    if missing := sorted(path for path, deck in decks.items() if deck is None):
        raise DecksMissing(_missing_text(missing, len(decks), folder))
    return tuple(
        _with_deck(task, deck) for task in listed if (deck := decks[task.file_path]) is not None
    )


def case_files(tasks: str | Path, listed: Sequence[EditingTask]) -> list[Path]:
    """The files that no editor may see: the list, its rubrics, its attempts, and all decks."""
    registry = find_registry(tasks).resolve()
    rubrics = {Path(task.rubric.path).resolve() for task in listed if task.rubric.path}
    # The rubrics' whole folder, unless it is the list's own, where an editor's file might be, too.
    hidden = {path if path.parent == registry.parent else path.parent for path in rubrics}
    attempts = registry.parent.parent / "attempts"
    return [registry, attempts, *sorted(hidden), *sorted({task.deck for task in listed})]


def _with_deck(task: RubricTask, deck: Path) -> EditingTask:
    return EditingTask(
        name=task.name,
        goal=task.goal,
        deck=deck,
        rubric=task.rubric,
        difficulty=task.difficulty,
        categories=categories_of(task.goal, task.misc),
    )


def _deck(folder: Path, file_path: str) -> Path | None:
    inside = folder.resolve()
    for path in (folder / file_path, folder / Path(file_path).name):
        if path.is_file() and path.resolve().is_relative_to(inside):
            return path
    return None


def _missing_text(missing: Sequence[str], listed: int, folder: Path) -> str:
    names = [Path(path).name for path in missing]
    known = [name for name in names if name in SOURCES]
    text = f"{len(names)} of {listed} decks are not in {folder}: {'; '.join(names)}."
    if known:
        text += (
            " They lie on the Internet Archive; fetch them with 'decklab bench ppteval-fetch "
            f"--files {folder}'."
        )
    return text


_PACKAGE = "decklab.evals.ppteval"
LEVELS = ("none", "some", "significant", "perfect")
"""The attempts that every task has; ``none`` saves the deck unedited where it is not spelled."""
REGISTRY = Path("task_registry")
"""Folder of the list of tasks and the rubrics, as in the published program."""
FILES = Path("data/files/PowerPoint")
"""Folder of the decks, as in the published list of tasks."""
ATTEMPTS = Path("attempts")
"""Folder of attempts, one folder a task, each named by its level: ``attempts/TASK/some.pptx``."""

_ATTEMPT = """
from pptx import Presentation

deck = Presentation(path)
{edits}
deck.save("edited.pptx")
"""


@dataclass(frozen=True)
class StarterTask:
    """One task; ``attempts`` are programs by name, those of ``LEVELS`` and ``collateral``."""

    name: str
    goal: str
    deck: Literal["plain", "rich", "bad"]
    difficulty: Literal["Easy", "Medium", "Hard"]
    categories: tuple[str, ...]
    rubric: Mapping[str, Any]
    """The rubric in the published format, as plain JSON."""
    attempts: Mapping[str, str]


@cache
def starter_tasks() -> tuple[StarterTask, ...]:
    """All tasks of the starter set: easy ones first, then by name."""
    attempts = package_values(_PACKAGE, "data/attempts.json")
    listed: dict[str, Any] = package_values(_PACKAGE, f"data/{REGISTRY}/tasks.json")
    return tuple(_task(name, entry, attempts[name]) for name, entry in listed.items())


def _task(name: str, entry: Mapping[str, Any], attempts: Mapping[str, str]) -> StarterTask:
    deck: Any = PurePosixPath(entry["file_path"]).stem
    return StarterTask(
        name=name,
        goal=entry["goal"],
        deck=deck,
        difficulty=entry["misc"]["difficulty"],
        categories=tuple(entry["misc"]["categories"]),
        rubric=package_values(_PACKAGE, f"data/{entry['rubric_path']}"),
        attempts=attempts,
    )


def write_starter(
    folder: Path,
    *,
    attempts: bool = False,
    force: bool = False,
    isolation: Isolation = "bubblewrap",
) -> Path:
    """Write the starter set below ``folder`` and return the path of its list of tasks.

    With ``attempts`` the attempts of all levels are made too, in the sandbox. Every call writes the
    same bytes. Raises OSError where the folder cannot be written, NameTaken where it has another
    file of such a name, of which ``force`` keeps a copy, SandboxUnavailable if there is no
    sandbox of that ``isolation``.
    """
    registry = f"{REGISTRY}/tasks.json"
    rubrics = [f"{REGISTRY}/rubrics/{task.name}.json" for task in starter_tasks()]
    files = {f"{FILES}/{name}.pptx": sample_bytes(name) for name in SAMPLES}
    files |= {name: package_data(_PACKAGE, f"data/{name}") for name in (*rubrics, registry)}
    write_data(folder, files, force=force)
    if attempts:
        made = make_attempts(starter_tasks(), folder / FILES, LEVELS, isolation=isolation)
        decks = {f"{ATTEMPTS}/{task.name}/{level}.pptx": deck for task, level, deck in made}
        write_data(folder, decks, force=force)
    return folder / registry


def make_attempts(
    tasks: Iterable[StarterTask],
    decks: Path,
    names: Iterable[str],
    *,
    isolation: Isolation = "bubblewrap",
) -> Iterator[tuple[StarterTask, str, bytes]]:
    """The attempts ``names`` at each of ``tasks``: task, name and the edited deck.

    ``decks`` holds the sample decks. One warm sandbox makes all. Raises RunFailed where a program
    fails, KeyError where a task has no attempt of that name.
    """
    names = tuple(names)
    files = {path.name: path for path in sorted(decks.glob("*.pptx"))}
    with Sandbox(files=files, isolation=isolation) as sandbox:
        for task in tasks:
            for name in names:
                yield task, name, edit(sandbox, f"{task.deck}.pptx", task.attempts[name])


def edit(sandbox: Sandbox, deck: str, edits: str) -> bytes:
    """``deck``, a file handed to ``sandbox``, after the program ``edits``."""
    source = attempt_source(edits)
    sandbox.run(source, globals={"path": sandbox.path(deck)}, result=None)
    return sandbox.collect("edited.pptx")["edited.pptx"]


def attempt_source(edits: str) -> str:
    """The program of an attempt: reads ``path``, does ``edits``, writes ``edited.pptx``."""
    return _ATTEMPT.format(edits=edits.strip())


EDITORS: Registry[EditorFor[EditingTask]] = Registry("editor")
"""Editors by name, each made for a task: baselines may know more than its instruction.

They are decklab's own and run in its process. Editors of others never do, see
``decklab.evals.editors``.
"""


def _truth(task: EditTask) -> Editor:
    """Runs the perfect attempt of a starter task; raises UnknownName for other tasks."""
    known = {starter_task.name: starter_task for starter_task in starter_tasks()}

    def perfect(deck: Path, instruction: str, session: EditSession) -> None:
        answer = known.get(task.name)
        if answer is None or answer.goal != instruction:
            raise UnknownName(f"the answer to {task.name!r} is not known: it is no starter task")
        session.step("run the program that does it")
        with Sandbox(files={"deck.pptx": deck}) as sandbox:
            edited = edit(sandbox, "deck.pptx", answer.attempts["perfect"])
        deck.write_bytes(edited)

    return trusted(perfect)


EDITORS.register("noop", noop)
EDITORS.register("truth", _truth)
EDITORS.register("commands", commands)
EDITORS.register("agent", agent())
