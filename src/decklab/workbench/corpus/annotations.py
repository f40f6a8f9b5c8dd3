"""Topic and purpose of the decks of a data set, as a table beside the others: by rules from words
and structure, or by a model whose quotes are looked up in the deck.

A run goes on where an earlier one was stopped: a deck that has its row is not asked about again,
unless its bytes are others since. A deck without an answer has no row, and is asked about again.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from math import log2
from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa
from pyarrow import parquet

from decklab.core.errors import BudgetSpent, ModelFailed, SourceError
from decklab.core.files import package_values, whole_file
from decklab.core.options import Spending
from decklab.core.output_folder import one_run
from decklab.core.results import NotScored
from decklab.core.stages import Progress, silent
from decklab.documents.quotes import SearchableText
from decklab.models.asking import Ask, StrictForm, fill_prompt
from decklab.models.model_run import begin_run
from decklab.models.reading import Unanswered, answered
from decklab.workbench.cluster.dataset import Dataset, open_dataset
from decklab.workbench.cluster.tables import arrow_table

Topic = Literal[
    "business", "technology", "science", "health", "education", "government", "culture",
    "environment", "other",
]  # fmt: skip
"""Topic of a deck. Ours. Only a model says ``other``."""
Purpose = Literal["teach", "research", "report", "sell", "instruct", "plan", "other"]
"""Purpose of a deck: to teach a subject, to tell a study, to report figures or a state, to win
someone for a product or an idea, to say how something is done, to say what is to be done. Ours."""

LEAST_WORDS: Final = 3
"""Least different words, or signs, of a label that it needs. Ours."""
LEAD: Final = 1.4
"""How many times the second label's weight the first one needs. Ours."""
TITLE_WEIGHT: Final = 2.0
"""Weight of a word in titles that shows a purpose, beside 1 for a word anywhere. Ours."""
DATA_SHARE: Final = 0.3
"""Charts and tables a slide from which on they are a sign of a report. Ours."""


@dataclass(frozen=True)
class DeckContent:
    """Content of a deck that labels are made from; ``titles`` and ``texts`` by slide."""

    deck: str
    sha256: str | None
    language: str | None
    titles: Sequence[str]
    texts: Sequence[str]
    data: int
    """Charts and tables."""

    @property
    def slides(self) -> list[str]:
        """The text of each slide with its title."""
        both = zip(self.titles, self.texts, strict=True)
        return [text if title in text else f"{title}\n{text}" for title, text in both]


@dataclass(frozen=True)
class DeckLabel:
    """One label of a deck, and the words of the deck that show it."""

    label: str
    quote: str


@dataclass(frozen=True)
class DeckLabels:
    """Both labels of a deck, each with its words, or why there is none."""

    topic: DeckLabel | NotScored
    purpose: DeckLabel | NotScored


def labels_by_words(content: DeckContent) -> DeckLabels:
    """The labels by the words and the structure of an English deck.

    NotScored if it is in another language, if too few words show a label, and if two labels are
    nearly as likely. The quotes are words of the deck, with commas between.
    """
    if content.language not in (None, "en"):
        cause = NotScored(f"its language is {content.language}, and the word lists are English")
        return DeckLabels(cause, cause)
    text = " ".join(content.slides).lower()
    topics = {label: _found(pattern, text) for label, pattern in _patterns("topic").items()}
    purposes = {label: _found(pattern, text) for label, pattern in _patterns("purpose").items()}
    weights = {label: _weight(words) for label, words in purposes.items()}
    titles = " ".join(content.titles).lower()
    for label, pattern in _patterns("titles").items():
        words = _found(pattern, titles)
        weights[label] += TITLE_WEIGHT * len(words)
        purposes[label] += words
    if content.titles and content.data >= DATA_SHARE * len(content.titles):
        weights["report"] += TITLE_WEIGHT
    return DeckLabels(
        _decided(topics, {label: _weight(words) for label, words in topics.items()}),
        _decided(purposes, weights),
    )


@cache
def _patterns(kind: str) -> Mapping[str, re.Pattern[str]]:
    listed = package_values("decklab.workbench.corpus", "label_words.toml")[kind]
    return {label: re.compile(rf"\b(?:{'|'.join(listed[label])})\b") for label in listed}


def _found(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(pattern.findall(text))


def _weight(words: Mapping[str, int]) -> float:
    """Different words count for more than one word that is repeated."""
    return sum(1 + log2(count) / 2 for count in words.values())


def _decided(
    votes: Mapping[str, Counter[str]], weights: Mapping[str, float]
) -> DeckLabel | NotScored:
    first, second = sorted(weights, key=lambda label: -weights[label])[:2]
    words = votes[first]
    if len(words) < LEAST_WORDS:
        return NotScored(f"only {len(words)} of its words tell one, under {LEAST_WORDS}")
    if weights[first] < LEAD * weights[second]:
        return NotScored(f"its words tell {first} and {second} alike")
    ranked: list[tuple[str, Any]] = words.most_common(LEAST_WORDS)
    return DeckLabel(first, ", ".join(word for word, _ in ranked))


MOST_CHARACTERS: Final = 12_000
"""Of a deck's text in a question. Ours: some 3,000 tokens."""
_SLIDE_CHARACTERS: Final = 600
_LONGEST_QUOTE: Final = 200


class TopicReply(StrictForm):
    """Topic and purpose of the deck, each with words of the deck that show it."""

    topic: Topic
    topic_quote: str
    purpose: Purpose
    purpose_quote: str


def labels_by_model(content: DeckContent, ask: Ask) -> DeckLabels:
    """The labels that a model gives, each with a quote that stands in the deck.

    A quote that does not stand there goes back to the model. NotScored if the deck has no text, and
    if no reply could be used. Raises what ``ask`` raises: ModelFailed and BudgetSpent.
    """
    pieces = _pieces(content)
    if not any(any(char.isalnum() for char in piece) for piece in pieces):
        cause = NotScored("it has no text")
        return DeckLabels(cause, cause)
    searchable = SearchableText(pieces)

    def check(reply: TopicReply) -> str | None:
        quotes = {"topic_quote": reply.topic_quote, "purpose_quote": reply.purpose_quote}
        wrong = [
            f"{name} does not stand in the deck: {quote[:80]!r}"
            for name, quote in quotes.items()
            if len(quote) > _LONGEST_QUOTE or searchable.find(quote) is None
        ]
        return "; ".join(wrong) or None

    prompt = fill_prompt("decklab.workbench.corpus", "prompts/annotate.txt", deck=_shown(pieces))
    try:
        reply = answered(ask, prompt, TopicReply, check=check, stage="annotate").answer
    except Unanswered as error:
        cause = NotScored(f"the model's reply cannot be used: {error.problem}")
        return DeckLabels(cause, cause)
    topic = DeckLabel(reply.topic, reply.topic_quote)
    return DeckLabels(topic, DeckLabel(reply.purpose, reply.purpose_quote))


def _pieces(content: DeckContent) -> list[str]:
    """The text of each slide as the model sees it, so that a quote is one of what it was shown."""
    pieces = [" ".join(text.split())[:_SLIDE_CHARACTERS] for text in content.slides]
    room = MOST_CHARACTERS
    shown = []
    for piece in pieces:
        shown.append(piece[:room])
        room -= len(shown[-1])
    return shown


def _shown(pieces: list[str]) -> str:
    return "\n".join(f"Slide {number}: {piece}" for number, piece in enumerate(pieces, 1) if piece)


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
class AnnotatedDecks:
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
    progress: Progress = silent,
) -> AnnotatedDecks:
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
        facts = {"command": "corpus annotate", "model": model}
        run = begin_run(spending, facts, tell=progress)
        with run.asking(model, connections=parallel, batch=batch) as ask:
            progress("annotate")
            at_once = max(parallel, batch or 0)
            by_model, size = partial(labels_by_model, ask=ask), max(_ASKED_DECKS, at_once)
            labels = _work(dataset, model, done, by_model, size=size, at_once=at_once)
        return AnnotatedDecks(labels.done, labels.before, labels.failed, labels.ended, run.words)


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
) -> AnnotatedDecks:  # fmt: skip
    before = sum(name == method for _, name in done)
    failed: list[tuple[str, str]] = []
    count, ended = 0, ""
    for contents in _portions(dataset, method, done, size):
        rows = []
        for content, labels in zip(contents, _labelled(contents, label, at_once), strict=True):
            if isinstance(labels, DeckLabels):
                rows.append(_row(content, method, labels))
            elif isinstance(labels, BudgetSpent):
                ended = str(labels)
            else:
                failed.append((content.deck, str(labels)))
        if rows:
            files = _files(dataset)
            number = 1 + (int(files[-1].stem.removeprefix("part-")) if files else 0)
            _write(dataset.folder / TABLE / f"part-{number:07d}.parquet", rows)
        count += len(rows)
        if ended:
            break
    return AnnotatedDecks(count, before, tuple(failed), ended)


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
    titles, texts = ([row[key] or "" for row in slides] for key in ("title", "text"))
    shown = sum((row["charts"] or 0) + (row["tables"] or 0) for row in slides)
    return DeckContent(deck["deck"], deck["sha256"], deck["language"], titles, texts, shown)


def _row(content: DeckContent, method: str, labels: DeckLabels) -> dict[str, Any]:
    row: dict[str, Any] = {"deck": content.deck, "sha256": content.sha256, "method": method}
    for name, label in (("topic", labels.topic), ("purpose", labels.purpose)):
        if isinstance(label, NotScored):
            row[f"{name}_not_scored"] = label.reason
        else:
            row |= {name: label.label, f"{name}_quote": label.quote}
    return row
