"""Tasks drafted for a benchmark from decks or documents, each tried out before it is kept.

Without a model requests are plain ones, and annotations and questions are proxies: they try a
pipeline and rank nothing. A person has to look at each draft, and to take its mark away, before
results by it are compared.
"""

import errno
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import BudgetSpent, DecklabError, RendererMissing, SourceError
from decklab.core.files import check_folder
from decklab.core.options import Spending
from decklab.documents.model import DOCUMENT_SUFFIXES
from decklab.evals.rubrics.running import LeafRoom
from decklab.models.model_run import begin_run
from decklab.rendering.renderer import Cache, Renderer
from decklab.sandbox.sandbox import check_isolation
from decklab.workbench.cluster.sources import SourceItem, fetched, source_items
from decklab.workbench.corpus.document_drafts import quiz_banks, scenario_tasks
from decklab.workbench.corpus.draft_run import DraftKind, DraftRun, DraftSource
from decklab.workbench.corpus.edit_drafts import (
    arena_cases,
    rubric_tasks,
    write_arena,
    write_registry,
)

_MOST_BYTES: Final = 500_000_000
_DECKS: Final = frozenset({".pptx", ".potx", ".ppsx", ".pptm"})
"""Kinds of decks that are read as documents."""

_Entry = dict[str, Any]
_Drafter = Callable[[DraftSource, DraftRun], Iterator[_Entry]]


def _no_list(folder: Path, entries: Sequence[_Entry]) -> Path:
    """Benchmarks whose tasks are folders have no list of them."""
    return folder


_DRAFTERS: Final[dict[DraftKind, tuple[_Drafter, Callable[[Path, Sequence[_Entry]], Path]]]] = {
    "pptarena": (arena_cases, write_arena),
    "ppteval": (rubric_tasks, write_registry),
    "unippt": (scenario_tasks, _no_list),
    "quizbank": (quiz_banks, _no_list),
}
_OF_DECKS: Final = frozenset({"pptarena", "ppteval"})


@dataclass(frozen=True)
class DraftedCases:
    """Result of drafting: the list, how many tasks it has, and what was left out and why."""

    path: Path
    cases: int
    left_out: tuple[str, ...]
    ended: str = ""
    """Why no more was drafted, if a budget was spent."""
    spent: str = ""
    """Cost of the model, in a sentence."""


def draft_cases(
    sources: Iterable[str],
    out: str | Path,
    *,
    benchmark: DraftKind = "pptarena",
    tasks: int = 2,
    seed: int = 0,
    together: bool = False,
    model: str | None = None,
    spending: Spending | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> DraftedCases:
    """Draft at most ``tasks`` tasks of each source into the folder ``out``, the list last.

    Sources are those of ``--cluster``, among them the file of ``corpus select``; for UniPPTBench
    and QuizBank documents too, all of one task if they are ``together``. Without ``model`` the
    same sources and ``seed`` give the same tasks; ``spending`` bounds and keeps what it is asked.
    ``progress`` is called with the name of each source. Raises FileExistsError if ``out`` holds
    anything, SourceError if no task could be drafted, ValueError for editing tasks of several
    decks together, ModelUnavailable before anything is asked.
    """
    folder, named = Path(out), list(sources)
    if together and benchmark in _OF_DECKS:
        raise ValueError(f"a task of {benchmark} is about one deck")
    check_folder(folder)
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(errno.EEXIST, "holds something; name another folder", str(folder))
    if benchmark == "ppteval" or (model is not None and benchmark == "pptarena"):
        check_isolation()
    facts = {
        "command": "corpus draft", "benchmark": benchmark,
        "sources": named, "tasks": tasks, "seed": seed, "together": together, "model": model,
    }  # fmt: skip
    listed = source_items(named) if benchmark in _OF_DECKS else _document_items(named)
    with ExitStack() as stack:
        asked = begin_run(spending if model else None, facts, tell=progress)
        ask = stack.enter_context(asked.asking(model)) if model else None
        renderer = stack.enter_context(Renderer(cache=Cache()).started())
        room = stack.enter_context(LeafRoom()) if benchmark == "ppteval" else None
        run = DraftRun(folder, tasks, seed, renderer, _can_draw(renderer), room, ask, model or "")
        entries, ended = _drafted(listed, run, _DRAFTERS[benchmark][0], together, progress)
    if not entries:
        causes = "; ".join([*run.left_out[:3], *filter(None, [ended])])
        raise SourceError(folder, f"no task could be drafted: {causes or 'there is no source'}")
    path = _DRAFTERS[benchmark][1](folder, entries)
    return DraftedCases(path, len(entries), tuple(run.left_out), ended, asked.words)


def _drafted(
    items: Iterable[SourceItem], run: DraftRun, drafter: _Drafter, together: bool,
    progress: Callable[[str], None],
) -> tuple[list[_Entry], str]:  # fmt: skip
    """The entries of all sources, and why no more is asked if a budget was spent.

    Raises SourceError if there is no document.
    """
    entries: list[_Entry] = []
    groups = [list(items)] if together else ([item] for item in items)
    for group in groups:
        if not group:
            raise SourceError("the sources", "hold no document")
        progress(group[0].name)
        try:
            with _opened(group) as source:
                for entry in drafter(source, run):
                    entries.append(entry)  # what was drafted before an error counts
        except BudgetSpent as error:
            return entries, str(error)
        except (DecklabError, OSError) as error:
            run.left_out.append(f"{group[0].name}: {error}")
    return entries, ""


@contextmanager
def _opened(group: Sequence[SourceItem]) -> Iterator[DraftSource]:
    """The files of a source. Raises what fetching raises."""
    with ExitStack() as stack:
        paths = []
        for item in group:
            if item.problem:
                raise SourceError(item.name, item.problem)
            paths.append(stack.enter_context(fetched(item, most_bytes=_MOST_BYTES)))
        first = group[0]
        name = Path(first.member or first.about.get("name") or first.address).name
        yield DraftSource(first.name, tuple(paths), {**first.about, "name": name})


def _document_items(sources: Iterable[str]) -> Iterator[SourceItem]:
    """Documents by their paths, those directly in folders, and the decks of other sources."""
    for source in sources:
        path = Path(source)
        if path.is_dir():
            for file in sorted(path.iterdir()):
                if file.suffix.lower() in {*DOCUMENT_SUFFIXES, *_DECKS} and file.is_file():
                    yield SourceItem(str(file), "path", str(file))
        elif path.suffix.lower() in DOCUMENT_SUFFIXES and "://" not in source:
            yield SourceItem(source, "path", source)
        else:
            yield from source_items([source])


def _can_draw(renderer: Renderer) -> bool:
    try:
        renderer.check()
    except RendererMissing:
        return False
    return True
