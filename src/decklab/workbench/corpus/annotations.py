"""Topic and purpose of the decks of a data set, as a table beside the others.

A run goes on where an earlier one was stopped: a deck that has its row is not asked about again,
unless its bytes are others since. A deck without an answer has no row, and is asked about again.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyarrow import parquet

from decklab.core.errors import BudgetSpent, ModelFailed, SourceError
from decklab.core.files import whole_file
from decklab.core.options import Spending
from decklab.core.output_folder import one_run
from decklab.core.results import NotScored
from decklab.core.version import VERSION
from decklab.models.model_run import begin_run
from decklab.workbench.cluster.dataset import Dataset, open_dataset
from decklab.workbench.cluster.tables import arrow_table
from decklab.workbench.corpus.labels import (
    DeckContent,
    DeckLabels,
    labels_by_model,
    labels_by_words,
)

TABLE: Final = "annotations"
"""Folder of the table in the data set."""
WORDS: Final = "words"
"""The method without a model; with one it is the model's name."""
ANNOTATIONS: Final = pa.schema(
    [
        (name, pa.string())
        for name in (
            "deck", "sha256", "method", "topic", "topic_quote", "topic_not_scored", "purpose",
            "purpose_quote", "purpose_not_scored",
        )
    ]
)  # fmt: skip
_PART_DECKS: Final = 200
_ASKED_DECKS: Final = 20
"""Decks of a file: a run that is killed loses so many at most. Ours."""

Labelling = Callable[[DeckContent], DeckLabels]


@dataclass(frozen=True)
class Annotated:
    """Result of one run."""

    done: int
    """Decks that were annotated in this run."""
    before: int
    """Decks that earlier runs had annotated."""
    failed: tuple[tuple[str, str], ...]
    """Decks about which no reply came, and the cause; the next run asks again."""
    ended: str = ""
    """Why no more was asked, if a budget was spent."""
    spent: str = ""
    """Cost of the model, in a sentence."""


def annotate(
    folder: str | Path,
    *,
    model: str | None = None,
    parallel: int = 10,
    batch: int | None = None,
    spending: Spending | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Annotated:
    """Write the topic and purpose of each deck that was read to the table ``annotations``.

    Without ``model`` by words and structure. With one, ``parallel`` questions are open at once, or
    ``batch`` go to the provider's batch interface together, if it has one; ``spending`` bounds
    and keeps what it is asked.

    Raises SourceError if there is no data set, or one without the text of slides,
    ModelUnavailable before anything is asked, BlockingIOError if another run writes there.
    """
    dataset = open_dataset(folder)
    if "slides" not in dataset.tables:
        raise SourceError(folder, f"is a data set of decklab {dataset.kind}: it has no slides")
    with one_run(dataset.folder):
        done = _drop_stale(dataset)
        if model is None:
            return _work(dataset, WORDS, done, labels_by_words, size=_PART_DECKS, at_once=1)
        told = {"command": "corpus annotate", "decklab": VERSION, "model": model}
        run = begin_run(spending, told, tell=progress)
        with run.asking(model, connections=parallel, batch=batch) as ask:
            progress("annotate")
            at_once = max(parallel, batch or 0)
            found = _work(
                dataset, model, done, lambda content: labels_by_model(content, ask),
                size=max(_ASKED_DECKS, at_once), at_once=at_once,
            )  # fmt: skip
        return Annotated(found.done, found.before, found.failed, found.ended, run.words)


def annotation_rows(folder: str | Path) -> Iterator[dict[str, Any]]:
    """The rows of ``annotations``, file by file; none if nothing was annotated."""
    for file in _files(open_dataset(folder)):
        yield from parquet.read_table(file).to_pylist()


def _files(dataset: Dataset) -> list[Path]:
    return sorted((dataset.folder / TABLE).glob("part-*.parquet"))


def _drop_stale(dataset: Dataset) -> set[tuple[str, str]]:
    """Remove rows of decks that are gone or have other bytes; gives deck and method of the rest."""
    current = {row["deck"]: row["sha256"] for row in dataset.rows("decks", ["deck", "sha256"])}
    kept: set[tuple[str, str]] = set()
    for file in _files(dataset):
        rows = parquet.read_table(file).to_pylist()
        valid = [
            row for row in rows if row["deck"] in current and row["sha256"] == current[row["deck"]]
        ]
        if not valid:
            file.unlink()
        elif len(valid) < len(rows):
            _write(file, valid)
        kept.update((row["deck"], row["method"]) for row in valid)
    return kept


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with whole_file(path) as unfinished:
        parquet.write_table(arrow_table(rows, ANNOTATIONS), unfinished, compression="zstd")


def _work(
    dataset: Dataset, method: str, done: set[tuple[str, str]], label: Labelling, *, size: int,
    at_once: int,
) -> Annotated:  # fmt: skip
    before = sum(name == method for _, name in done)
    failed: list[tuple[str, str]] = []
    count, ended = 0, ""
    for contents in _portions(dataset, method, done, size):
        rows = []
        for content, found in zip(contents, _labelled(contents, label, at_once), strict=True):
            if isinstance(found, DeckLabels):
                rows.append(_row(content, method, found))
            elif isinstance(found, BudgetSpent):
                ended = str(found)
            else:
                failed.append((content.deck, str(found)))
        if rows:
            files = _files(dataset)
            number = 1 + (int(files[-1].stem.removeprefix("part-")) if files else 0)
            _write(dataset.folder / TABLE / f"part-{number:07d}.parquet", rows)
        count += len(rows)
        if ended:
            break
    return Annotated(count, before, tuple(failed), ended)


def _labelled(
    contents: Sequence[DeckContent], label: Labelling, at_once: int
) -> list[DeckLabels | BudgetSpent | ModelFailed]:
    def tried(content: DeckContent) -> DeckLabels | BudgetSpent | ModelFailed:
        try:
            return label(content)
        except (BudgetSpent, ModelFailed) as error:
            return error

    if at_once == 1:
        return [tried(content) for content in contents]
    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(tried, contents))


def _portions(
    dataset: Dataset, method: str, done: set[tuple[str, str]], size: int
) -> Iterator[list[DeckContent]]:
    portion: list[DeckContent] = []
    for content in _contents(dataset):
        if (content.deck, method) not in done:
            portion.append(content)
        if len(portion) == size:
            yield portion
            portion = []
    if portion:
        yield portion


def _contents(dataset: Dataset) -> Iterator[DeckContent]:
    """The decks whose slides were read, one part of the data set in memory."""
    for file in dataset.files("decks"):
        slides: dict[str, list[dict[str, Any]]] = defaultdict(list)
        beside = dataset.folder / "slides" / file.name
        columns = ["deck", "slide", "title", "text", "charts", "tables"]
        if beside.exists():
            for row in parquet.read_table(beside, columns=columns).to_pylist():
                slides[row["deck"]].append(row)
        names = ["deck", "status", "sha256", "language"]
        for deck in parquet.read_table(file, columns=names).to_pylist():
            if deck["status"] == "done" and slides[deck["deck"]]:
                yield _content(deck, sorted(slides[deck["deck"]], key=lambda row: row["slide"]))


def _content(deck: dict[str, Any], slides: list[dict[str, Any]]) -> DeckContent:
    return DeckContent(
        deck["deck"], deck["sha256"], deck["language"],
        [row["title"] or "" for row in slides], [row["text"] or "" for row in slides],
        sum((row["charts"] or 0) + (row["tables"] or 0) for row in slides),
    )  # fmt: skip


def _row(content: DeckContent, method: str, found: DeckLabels) -> dict[str, Any]:
    row: dict[str, Any] = {"deck": content.deck, "sha256": content.sha256, "method": method}
    for name, label in (("topic", found.topic), ("purpose", found.purpose)):
        if isinstance(label, NotScored):
            row[f"{name}_not_scored"] = label.reason
        else:
            row |= {name: label.label, f"{name}_quote": label.quote}
    return row
