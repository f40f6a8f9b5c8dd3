"""The decks of a run: which are written or taken, in which way, and where they are kept. Decks that
were made elsewhere are a folder for each system, or a table that names them.

A floor by intention. It shortens nothing, draws nothing and has no design: a heading and sentences
in one typeface, in text boxes without layouts, black on white; headings are dark blue, so that
harmony, which needs a hue, can be measured. It is not
``decklab write`` without a model, which ranks and shortens sentences and composes them in a theme.
"""

import csv
import hashlib
import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from inspect_ai.model import Model

from decklab.core.errors import DecklabError, ModelError, PlanError
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.options import WRITE_SLIDES, SlideReading
from decklab.core.results import NotScored
from decklab.core.version import VERSION
from decklab.deck.model.shapes import Bullet, Paragraph, Run, RunFont, Text
from decklab.deck.model.slide import SlideElements
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.documents.sections import document_sections
from decklab.documents.sentences import sentences
from decklab.editing.building.deck import build_deck
from decklab.evals.judges.quiz.bank import QuizError, load_bank, write_bank
from decklab.evals.ppteval.tasks import file_names
from decklab.evals.slidesgen.evaluation import (
    BankFound,
    Evaluating,
    MadeCost,
    SlidesgenRow,
    evaluate_deck,
    find_bank,
    read_row,
    without_deck,
    write_row,
)
from decklab.evals.slidesgen.instructions import (
    Instruction,
    InstructionError,
    InstructionSet,
    Richness,
    richness_levels,
    richness_scores,
    source_size,
)
from decklab.metrics.catalogue import METRICS
from decklab.models.asking import Ask, Usage, price_of
from decklab.models.model_run import ModelRun
from decklab.rendering.fonts import font_set_hash
from decklab.rendering.opening import DECK_SUFFIXES
from decklab.rendering.renderer import Renderer
from decklab.scoring.journal import fingerprint
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck

_COLUMNS: Final = ("system", "topic", "deck")
_NUMBERS: Final = ("seconds", "dollars")


@dataclass(frozen=True)
class DeckEntry:
    """The deck of one system about one topic, and its cost if that is known."""

    system: str
    topic: str
    deck: Path | None
    """None if the system has no deck about the topic."""
    seconds: float | None = None
    dollars: float | None = None


@dataclass(frozen=True)
class FoundDecks:
    """An entry for every system and topic, systems by name, topics in their order."""

    entries: tuple[DeckEntry, ...]
    unused: tuple[str, ...] = ()
    """Decks that belong to no topic, by system and name."""


def find_system_decks(path: str | Path, topics: Sequence[str]) -> FoundDecks:
    """The decks of a folder with a folder for each system, ``SYSTEM/TOPIC.pptx``, or of a table.

    In a folder a deck may be of any kind that is read; a folder of pictures named for the topic is
    one too. A table is a CSV with the columns ``system``, ``topic``, ``deck`` and, if they are
    known, ``seconds`` and ``dollars``; its paths are relative to it. Raises InstructionError, in
    one line, if no system is there, two decks are for one topic, or a line of the table is wrong.
    """
    folder = Path(path)
    if folder.is_dir():
        decks = _in_folder(folder)
    elif folder.is_file():
        decks = _in_table(folder)
    else:
        raise InstructionError(f"{folder}: there is no such folder or table of decks")
    entries: dict[tuple[str, str], DeckEntry] = {}
    for entry in decks:
        if (key := (entry.system, entry.topic)) in entries:
            raise InstructionError(f"{folder}: {entry.system} has two decks about {entry.topic}")
        entries[key] = entry
    if not (systems := sorted({system for system, _ in entries}, key=str.casefold)):
        raise InstructionError(f"{folder}: it has no decks: name them SYSTEM/TOPIC.pptx")
    listed = (
        entries.get((system, topic), DeckEntry(system, topic, None))
        for system in systems
        for topic in topics
    )
    unused = sorted(f"{system}/{topic}" for system, topic in entries if topic not in topics)
    return FoundDecks(tuple(listed), tuple(unused))


def _in_folder(folder: Path) -> Iterator[DeckEntry]:
    for system in sorted(_visible(folder)):
        if not system.is_dir():
            continue
        for deck in sorted(_visible(system)):
            if deck.is_dir():
                yield DeckEntry(system.name, deck.name, deck)
            elif deck.suffix.lower() in DECK_SUFFIXES:
                yield DeckEntry(system.name, deck.stem, deck)


def _visible(folder: Path) -> Iterable[Path]:
    return (path for path in folder.iterdir() if not path.name.startswith((".", "~$")))


def _in_table(table: Path) -> Iterator[DeckEntry]:
    try:
        with table.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InstructionError(f"{table}: it cannot be read as CSV: {error}") from error
    for line, row in enumerate(rows, start=2):
        missing = [name for name in _COLUMNS if not (row.get(name) or "").strip()]
        if missing:
            raise InstructionError(f"{table}:{line}: it has no {missing[0]}")
        numbers = {name: _number(row.get(name), f"{table}:{line}") for name in _NUMBERS}
        system, topic, deck = (row[name].strip() for name in _COLUMNS)
        yield DeckEntry(system, topic, table.parent / deck, **numbers)


def _number(text: str | None, line: str) -> float | None:
    if text is None or not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise InstructionError(f"{line}: {text.strip()!r} is no number from 0")
    return value


SENTENCES_A_SLIDE: Final = 4
_CHARACTERS_A_SLIDE: Final = 620
"""Characters of a slide at 18 pt. Ours."""
_LEAST_WORDS: Final = 4
_TITLE_PT, _TEXT_PT = 28.0, 18.0
_EDGE: Final = 48.0
_TYPEFACE: Final = "Arial"
_HEADING, _BLACK = "#1F3864", "#000000"


@dataclass(frozen=True)
class PlainPage:
    """A heading and the sentences below it."""

    heading: str
    sentences: tuple[str, ...]


def write_baseline(
    sources: KnowledgeBase,
    out: Path,
    *,
    slides: int = WRITE_SLIDES,
    title: str = "",
    language: str = "en",
) -> int:
    """Write the baseline of some documents to ``out``, and give its number of slides.

    Raises PlanError if the documents hold no sentence, OSError if nothing can be written.
    """
    if not sources.documents:
        raise PlanError("the baseline is written from documents, and none is named")
    if not (pages := lead_pages(sources, slides - 1, language=language)):
        raise PlanError("the documents hold no sentence")
    first = sources.documents[0]
    name = title or first.title or first.name
    built = [_slide(PlainPage(name, ()), 1)]
    built += [_slide(page, number) for number, page in enumerate(pages, start=2)]
    build_deck(built, out)
    return len(built)


def lead_pages(sources: KnowledgeBase, most: int, *, language: str = "en") -> list[PlainPage]:
    """The first sentences of sections, a page each, at most ``most`` pages.

    If there are more sections than pages, those that stand first are taken.
    """
    pages: list[PlainPage] = []
    for document in sources.documents:
        for section in document_sections(document):
            if section.is_apparatus:
                continue
            if lead := tuple(_lead(section.text.splitlines(), language)):
                pages.append(PlainPage(section.heading or document.title or document.name, lead))
    return pages[: max(0, most)]


def _lead(paragraphs: Sequence[str], language: str) -> Iterator[str]:
    """The first whole sentences, as many as a slide holds."""
    left, count = _CHARACTERS_A_SLIDE, SENTENCES_A_SLIDE
    for paragraph in paragraphs:
        for sentence in sentences(paragraph, language=language):
            if len(sentence.split()) < _LEAST_WORDS:
                continue
            left -= len(sentence)
            count -= 1
            if left < 0 or count < 0:
                return
            yield sentence


def _slide(page: PlainPage, number: int) -> SlideElements:
    texts = [_text((page.heading,), 1, _TITLE_PT, _EDGE, 80.0)]
    if page.sentences:
        top = _EDGE + 80.0
        texts.append(_text(page.sentences, 2, _TEXT_PT, top, FRAME_HEIGHT - top - _EDGE / 2))
    return SlideElements(number=number, background="#FFFFFF", texts=tuple(texts))


def _text(lines: Sequence[str], id: int, size: float, top: float, height: float) -> Text:
    font = RunFont(
        name=_TYPEFACE, size=size, style=(), color=_BLACK if size == _TEXT_PT else _HEADING
    )
    paragraphs = tuple(
        Paragraph(
            runs=(Run(text=line, font=font),),
            bullet=Bullet(kind="character", character="•") if size == _TEXT_PT else None,
            margin_left=18.0 if size == _TEXT_PT else 0.0,
            indent=-18.0 if size == _TEXT_PT else 0.0,
        )
        for line in lines
    )
    return Text(
        id=id + 1, name=f"Text {id}", x=_EDGE, y=top, w=FRAME_WIDTH - 2 * _EDGE, h=height,
        text="\n".join(lines), font=font, align="left", paragraphs=paragraphs,
    )  # fmt: skip


BASELINE_SYSTEM = "baseline"
"""The name of the extractive baseline among the systems."""
DECKS, PAGES, BANKS, ROWS, SYSTEMS = "decks", "pages", "banks", "rows", "systems"
"""Folders of a run: decks that were written, a page a deck, banks, rows, a page a system."""


@dataclass(frozen=True)
class DeckJob:
    """One deck to write or to take, and to evaluate."""

    system: str
    instruction: Instruction
    how: Literal["given", "writer", "baseline"]
    entry: DeckEntry | None = None
    """Of a deck that was made elsewhere."""

    @property
    def sample(self) -> str:
        """Its id in the log."""
        return f"{self.system}/{self.instruction.topic}"


def writer_name(model: str | None) -> str:
    """Name of decklab's writer among the systems.

    >>> writer_name(None), writer_name("openai/gpt-5")
    ('decklab', 'decklab, gpt-5')
    """
    return f"decklab, {model.rpartition('/')[2]}" if model else "decklab"


def deck_jobs(
    instructions: InstructionSet,
    entries: Iterable[DeckEntry] = (),
    *,
    writer: str = "",
    baseline: bool = False,
) -> tuple[DeckJob, ...]:
    """All decks of a run, a system after the other: those given, then the writer's under the name
    ``writer`` unless it is empty, then the baseline's."""
    by_topic = {instruction.topic: instruction for instruction in instructions.instructions}
    jobs = [
        DeckJob(entry.system, by_topic[entry.topic], "given", entry)
        for entry in entries
        if entry.topic in by_topic
    ]
    made: list[tuple[str, Literal["writer", "baseline"]]] = []
    if writer:
        made.append((writer, "writer"))
    if baseline:
        made.append((BASELINE_SYSTEM, "baseline"))
    taken = {job.system for job in jobs}
    for name, how in made:
        if name in taken:
            raise InstructionError(f"two systems are called {name}")
        jobs += [DeckJob(name, brief, how) for brief in instructions.instructions]
    return tuple(jobs)


@dataclass(frozen=True)
class DeckMade:
    """A deck that is there, or why there is none, and what it cost."""

    deck: Path | NotScored
    cost: MadeCost = field(default_factory=MadeCost)
    notes: tuple[str, ...] = ()
    again: bool = False


@dataclass(frozen=True)
class SlidesgenBench:
    """Shared state of solver and scorer. Its documents are read at once, those of the whole set of
    instructions, which richness is among.

    ``made`` are decks by the sample's own id, ``banks`` questions by topic, ``finished`` rows.
    Raises DeckError for a document that cannot be read, InstructionError if there is no deck to
    write or take, ValueError for pictures without a judge.
    """

    instructions: InstructionSet
    listed: Sequence[DeckJob]
    out: Path
    judge: Model | None = None
    reading: SlideReading = "text"
    run: ModelRun = field(default_factory=ModelRun)
    renderer: Renderer = field(default_factory=Renderer)
    resume: bool = False
    model: str = ""
    made: dict[str, DeckMade] = field(default_factory=dict)
    banks: dict[str, BankFound] = field(default_factory=dict)
    finished: dict[str, SlidesgenRow] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.listed:
            raise InstructionError("there are no decks: name some, or a writer")
        if self.reading == "pictures" and self.judge is None:
            raise ValueError("only a model can read pictures of slides")
        assert self.richness is not None, "the documents are read"

    @cached_property
    def jobs(self) -> Mapping[str, DeckJob]:
        """The decks by their samples."""
        return {job.sample: job for job in self.listed}

    @cached_property
    def sources(self) -> Mapping[str, KnowledgeBase]:
        """The documents by topic."""
        briefs = self.instructions.instructions
        return {brief.topic: read_documents(brief.documents) for brief in briefs}

    @cached_property
    def richness(self) -> Mapping[str, Richness]:
        """The richness of each topic that has documents."""
        known = {topic: source_size(item) for topic, item in self.sources.items() if item.documents}
        return richness_levels(richness_scores(known))

    # Where things are -------------------------------------------------------------------------

    def path_of(self, job: DeckJob, folder: str, suffix: str) -> Path:
        """The file of a job in one of the folders of the run."""
        system = file_names(dict.fromkeys(item.system for item in self.jobs.values()))[job.system]
        topic = file_names(self.sources)[job.instruction.topic]
        return self.out / folder / system / f"{topic}{suffix}"

    def key(self, job: DeckJob) -> str:
        """A digest of all that scores depend on: documents, deck or writer, questions, versions."""
        brief, entry = job.instruction, job.entry
        wanted = (
            () if entry else (job.how, brief.request, brief.title, brief.slides, brief.language)
        )
        settings = [
            VERSION, font_set_hash(), self.reading, str(self.judge or ""), *wanted,
            self.model if job.how == "writer" else "",
            *(hashlib.sha256(path.read_bytes()).hexdigest() for path in _inputs(brief)),
            *(f"{name} {METRICS[name].version}" for name in sorted(METRICS)),
            *((str(entry.deck), entry.seconds, entry.dollars) if entry else ()),
        ]  # fmt: skip
        return fingerprint((entry and entry.deck) or Path(os.devnull), settings)

    def stored(self, job: DeckJob) -> SlidesgenRow | None:
        """The row of an earlier run that still holds; None without ``resume``."""
        if not self.resume:
            return None
        row = read_row(self.path_of(job, ROWS, ".json"), self.key(job))
        if row is None or (row.deck and not Path(row.deck).exists()):
            return None
        new = self.row(job)
        named = {"title": new.title, "purpose": new.purpose, "richness": new.richness}
        return row.model_copy(update=named)

    def keep(self, job: DeckJob, row: SlidesgenRow) -> None:
        """Store a row for runs that go on."""
        self.finished[job.sample] = row
        write_row(row, self.path_of(job, ROWS, ".json"), self.key(job))

    # The work ---------------------------------------------------------------------------------

    def row(self, job: DeckJob) -> SlidesgenRow:
        """The row of a job before its deck was looked at."""
        brief = job.instruction
        missing = job.entry is not None and job.entry.deck is None
        return SlidesgenRow(
            absent=missing, system=job.system, topic=brief.topic, title=brief.name,
            purpose=brief.purpose, richness=self.richness.get(brief.topic),
        )  # fmt: skip

    def make(self, job: DeckJob, ask: Ask | None) -> DeckMade:
        """Write the deck of a job, or take the one that is given."""
        if job.how == "given":
            return _taken(job)
        out = self.path_of(job, DECKS, ".pptx")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.unlink(missing_ok=True)
        started = time.perf_counter()
        try:
            if job.how == "writer":
                return self._written(job, ask, out, started)
            brief = job.instruction
            sources = self.sources[brief.topic]
            write_baseline(
                sources, out, slides=brief.slides, title=brief.title, language=brief.language
            )
        except (DecklabError, OSError) as error:
            return DeckMade(
                NotScored(f"no deck was written: {error}"), again=isinstance(error, ModelError)
            )
        return DeckMade(out, MadeCost(time.perf_counter() - started, 0.0, 0))

    def _written(self, job: DeckJob, ask: Ask | None, out: Path, started: float) -> DeckMade:
        brief = job.instruction
        options = WriteOptions(
            prompt=brief.request, title=brief.title, slides=brief.slides, language=brief.language
        )
        written = write_deck(
            brief.documents, out, options=options, model=ask, renderer=self.renderer
        )
        cost = self.cost_of(written.usage, seconds=time.perf_counter() - started)
        unfounded, numbers = len(written.unfounded), len(written.numbers)
        note = f"numbers on slides that no source has: {unfounded} of {numbers}"
        return DeckMade(out, cost, (note,) if unfounded else ())

    def cost_of(self, usage: Usage, *, seconds: float) -> MadeCost:
        """Cost of a deck by the writer's model, by the prices of the run."""
        price = price_of(self.run.costs.prices, self.model)
        dollars = price.cost(usage) if price is not None and not usage.untold else None
        return MadeCost.of(seconds, usage, dollars)

    def bank(self, job: DeckJob, ask: Ask | None) -> BankFound:
        """The questions of a job's topic, made once for all systems and stored in the run."""
        brief = job.instruction
        if brief.topic not in self.banks:
            path = self._bank_file(brief)
            bank = self._stored_bank(path) or find_bank(
                self.sources[brief.topic], brief.bank, ask, str(self.judge or "")
            )
            if not isinstance(bank.bank, NotScored):
                write_bank(bank.bank, path)
            self.banks[brief.topic] = bank
        return self.banks[brief.topic]

    def _bank_file(self, brief: Instruction) -> Path:
        made_of = [path.read_bytes() for path in _inputs(brief)]
        digest = hashlib.sha256(b"\0".join([str(self.judge or "").encode(), *made_of])).hexdigest()
        return self.out / BANKS / f"{file_names(self.sources)[brief.topic]}-{digest[:8]}.json"

    def _stored_bank(self, path: Path) -> BankFound | None:
        if not (self.resume and path.is_file()):
            return None
        try:
            return BankFound(load_bank(path))
        except QuizError:
            return None

    def evaluate(self, job: DeckJob, made: DeckMade, ask: Ask | None) -> SlidesgenRow:
        """The row of a job with all its scores, stored for runs that go on."""
        known = self.row(job).model_copy(update={"told": made.notes})
        if isinstance(made.deck, NotScored):
            row = without_deck(known, made.deck.reason, made.cost, again=made.again)
        else:
            page = self.path_of(job, PAGES, ".html")
            page.unlink(missing_ok=True)
            index = f"../../{SYSTEMS}/{page.parent.name}.html"
            how = Evaluating(ask, self.reading, self.renderer, self.run.secret if ask else "")
            row = evaluate_deck(
                made.deck, known, made.cost, self.bank(job, ask), how, page=page, index=index
            )
            there = page.relative_to(self.out).as_posix() if page.is_file() else ""
            row = row.model_copy(update={"page": there})
        self.keep(job, row)
        return row


def _inputs(brief: Instruction) -> tuple[Path, ...]:
    return (*brief.documents, *([brief.bank] if brief.bank else []))


def _taken(job: DeckJob) -> DeckMade:
    entry = job.entry
    assert entry is not None, "a given deck has an entry"
    if entry.deck is None:
        return DeckMade(NotScored("the system has no deck about this topic"))
    untimed = MadeCost()
    cost = MadeCost(
        untimed.seconds if entry.seconds is None else entry.seconds,
        untimed.dollars if entry.dollars is None else entry.dollars,
    )
    return DeckMade(entry.deck, cost)
