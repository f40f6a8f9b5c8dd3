"""One deck of a source as rows: scored, linted, read or compared."""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import pyarrow as pa

from decklab.core.errors import DeckError, DecklabError, RendererMissing
from decklab.core.options import SECONDS_A_DECK
from decklab.core.results import DeckResult
from decklab.core.version import VERSION
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements
from decklab.diffing.decks import diff_decks
from decklab.documents.languages import language_of
from decklab.linting.lint import lint
from decklab.metrics.catalogue import METRICS
from decklab.ooxml.package import Package, sniff
from decklab.ooxml.signatures import DEFAULT_LIMITS, FileKind
from decklab.pages.files import result_batch
from decklab.rendering.opening import extract
from decklab.rendering.renderer import Cache, Renderer
from decklab.scoring.deck import score_deck
from decklab.scoring.scored import ScoreOptions
from decklab.workbench.cluster.sources import SourceItem, fetched
from decklab.workbench.cluster.tables import (
    CHANGES,
    DECKS,
    ELEMENTS,
    FINDINGS,
    SLIDES,
    arrow_table,
    finding_rows,
    packed,
    picture_code,
    signature,
    unpacked,
)

MOST_PICTURES: Final = 200
"""Pictures of a deck that get a code. Ours: a deck with more is known by these."""
LONGEST_TEXT: Final = 20_000
"""Characters of a slide's text, or notes, that are stored. Ours."""


def file_kind(path: Path) -> str:
    """The kind of deck at a path: a ``FileKind``, or ``folder``; empty if it is none."""
    if path.is_dir():
        return "folder"
    try:
        return sniff(path).value
    except (DeckError, OSError):
        return ""


def read_facts(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The facts of a deck and of its slides, by the columns of ``decks`` and ``slides``.

    Both are empty for what is no PowerPoint deck, or a damaged one: then the work itself says so.
    """
    if file_kind(path) != FileKind.PPTX:
        return {}, []
    try:
        with Package.open(path) as package:
            elements = read_elements(package)
            codes = _picture_codes(package, elements)
    except DeckError:
        return {}, []
    slides = [_slide_facts(slide) for slide in elements.slides]
    return _deck_facts(elements, slides, codes), slides


def _slide_facts(slide: SlideElements) -> dict[str, Any]:
    text = "\n".join(_texts(slide))[:LONGEST_TEXT]
    kinds = ("charts", "tables", "diagrams", "media")
    return {
        "slide": slide.number,
        **{name: getattr(slide, name) for name in ("title", "layout", "hidden")},
        "text": text,
        "notes": slide.notes and slide.notes[:LONGEST_TEXT],
        "words": len(text.split()),
        "pictures": len(slide.images),
        **{name: len(getattr(slide, name)) for name in kinds},
        "shapes": len(slide.rects) + len(slide.lines),
        "animations": len(slide.animations),
    }


def _texts(slide: SlideElements) -> Iterator[str]:
    yield from (item.text for item in slide.texts if item.text.strip())
    for table in slide.tables:
        yield from (cell.text for row in table.rows for cell in row if cell.text.strip())


def _deck_facts(
    elements: DeckElements, slides: list[dict[str, Any]], codes: list[int]
) -> dict[str, Any]:
    texts = "\n".join(item["text"] for item in slides)
    marks = signature(texts)
    fonts = Counter(text.font.name for slide in elements.slides for text in slide.texts)
    properties = elements.properties
    counted = ("words", "pictures", "charts", "tables", "diagrams", "media")
    titled, noted = (
        sum(bool((s[key] or "").strip()) for s in slides) for key in ("title", "notes")
    )
    return {
        "slides": len(slides),
        "title": properties.get("title") or next((s["title"] for s in slides if s["title"]), None),
        "author": properties.get("creator"),
        "application": properties.get("Application"),
        **{name: properties.get(name) for name in ("created", "modified")},
        "properties": properties,
        "language": language_of(texts),
        "theme": elements.themes[0].name if elements.themes else None,
        "fonts": [name for name, _ in fonts.most_common() if name],
        "width_pt": elements.size_pt[0],
        "height_pt": elements.size_pt[1],
        "titled": titled,
        "noted": noted,
        **{name: sum(item[name] for item in slides) for name in counted},
        "problems": len(elements.problems),
        "text_signature": None if marks is None else marks.tobytes(),
        "picture_codes": codes,
    }


def _picture_codes(package: Package, elements: DeckElements) -> list[int]:
    """Of the pictures on slides, not of layouts, which every deck of a template shares."""
    wanted = {image.sha256 for slide in elements.slides for image in slide.images}
    codes: dict[int, None] = {}
    for media in elements.media:
        if media.sha256 in wanted and len(codes) < MOST_PICTURES:
            code = picture_code(package.read(media.parts[0]))
            if code is not None:
                codes.setdefault(code)
    return list(codes)


JobKind = Literal["score", "lint", "extract", "diff"]
"""Work on each deck."""

TABLES: Final[dict[JobKind, tuple[str, ...]]] = {
    "score": ("decks", "slides", "measurements", "findings"),
    "lint": ("decks", "slides", "findings"),
    "extract": ("decks", "slides", "elements"),
    "diff": ("decks", "changes"),
}
"""The tables that each kind of work writes."""


@dataclass(frozen=True)
class Job:
    """Work on each deck, and its bounds."""

    kind: JobKind
    options: ScoreOptions | None = None
    """Of ``score``."""
    rules: frozenset[str] | None = None
    """Of ``lint``: the rules to apply; None for all."""
    cache: Cache | None = None
    """Of the machine that draws. None stores nothing, as suits decks that are drawn once."""
    deadline: float = SECONDS_A_DECK
    """Seconds that drawing a deck may take."""
    most_bytes: int = DEFAULT_LIMITS.file_bytes
    """The largest deck that is fetched."""
    memory_bytes: int | None = None
    """Memory that one deck may take, with all programs that it starts; None for no bound."""

    @property
    def version(self) -> str:
        """Changes when the rows of a deck may: options, metrics, decklab itself."""
        metrics = sorted((name, METRICS[name].version) for name in METRICS)
        rules = sorted(self.rules) if self.rules is not None else None
        options = sorted(vars(self.options or ScoreOptions()).items())
        text = json.dumps([VERSION, self.kind, metrics, rules, options], default=repr)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class DeckWork:
    """A deck to work on, and the key of its rows."""

    item: SourceItem
    key: str


@dataclass(frozen=True)
class DeckRows:
    """The rows of one deck, by table, packed."""

    deck: str
    status: str
    tables: dict[str, bytes]
    error: str | None = None


@contextmanager
def worker_of(job: Job) -> Iterator[Callable[[DeckWork], DeckRows]]:
    """Yields the function that does one deck; LibreOffice is started when first needed, and shared
    by the decks of the block."""
    cv2.setNumThreads(1)  # there is a process for each core
    with Renderer(cache=job.cache, deadline=job.deadline).started() as renderer:
        yield lambda task: deck_rows(task, job, renderer)


def deck_rows(task: DeckWork, job: Job, renderer: Renderer) -> DeckRows:
    """Fetch a deck, work on it, and give its rows; an error becomes a failed deck."""
    begun = time.monotonic()
    item, row = task.item, dict[str, Any](key=task.key, status="done")
    tables: dict[str, pa.Table] = {}
    try:
        if item.problem:
            raise DeckError(item.name, item.problem)
        with fetched(item, most_bytes=job.most_bytes) as path:
            row |= _file_facts(path)
            facts, slides = read_facts(path) if job.kind != "diff" else ({}, [])
            row |= facts
            if "slides" in TABLES[job.kind]:
                tables["slides"] = arrow_table([{"deck": item.name, **s} for s in slides], SLIDES)
            tables |= _WORK[job.kind](item, path, job, renderer, row)
    except (DecklabError, OSError) as error:
        row |= {"status": "failed", "error": _in_words(error, item), "key": ""}
        if isinstance(error, DeckError):  # reading it again would say the same
            row["key"] = task.key
    row["seconds"] = round(time.monotonic() - begun, 3)
    return _rows(task, job, row, tables)


def failed_rows(task: DeckWork, job: Job, error: str, attempts: int) -> DeckRows:
    """The rows of a deck whose process died or took too long; the next run tries it again."""
    row = {
        "key": "", "status": "failed", "attempts": attempts,
        "error": f"{task.item.name}: could not be worked on: {error}",
    }  # fmt: skip
    return _rows(task, job, row, {})


def _rows(task: DeckWork, job: Job, row: dict[str, Any], tables: dict[str, pa.Table]) -> DeckRows:
    item = task.item
    named = {"deck": item.name, "about": item.about, "attempts": 1} | row
    named["before"] = item.before and item.before.name
    if row["status"] == "failed" and job.kind == "score":
        failed = DeckResult(deck=item.name, status="failed", error=row["error"])
        tables = {"measurements": pa.table(result_batch([failed]))}
    elif row["status"] == "failed":
        tables = {}
    tables["decks"] = arrow_table([named], DECKS)
    filled = {name: packed(table) for name, table in tables.items() if table.num_rows}
    return DeckRows(item.name, row["status"], filled, row.get("error"))


def _file_facts(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {"kind": file_kind(path)}
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"kind": file_kind(path), "sha256": digest, "bytes": path.stat().st_size}


def _in_words(error: DecklabError | OSError, item: SourceItem) -> str:
    """One line that names the deck as its source does, not the copy that was read."""
    if isinstance(error, DeckError):
        return str(DeckError(item.name, error.detail, error.part))
    detail = getattr(error, "detail", None) or getattr(error, "strerror", None) or str(error)
    if isinstance(error, DecklabError) and item.place == "path":
        return str(error) if item.name in str(error) else f"{item.name}: {error}"
    if isinstance(error, OSError):
        return f"{item.name}: could not be worked on: {detail}"
    return f"{item.name}: {detail}"


def _score(
    item: SourceItem, path: Path, job: Job, renderer: Renderer, row: dict[str, Any]
) -> dict[str, pa.Table]:
    scored = score_deck(path, options=job.options, renderer=renderer).result
    result = scored.model_copy(update={"deck": item.name})
    row["slides"] = result.slides
    row["drawn_with"] = _engine(renderer)
    return {
        "measurements": pa.table(result_batch([result])),
        "findings": arrow_table(finding_rows(item.name, result.findings), FINDINGS),
    }


def _engine(renderer: Renderer) -> str | None:
    try:
        return renderer.converter.engine
    except RendererMissing:
        return None


def _lint(
    item: SourceItem, path: Path, job: Job, renderer: Renderer, row: dict[str, Any]
) -> dict[str, pa.Table]:
    result = lint(path, rules=job.rules, renderer=renderer)
    row["slides"] = result.slides
    if result.not_run:
        row["note"] = "; ".join(sorted(set(result.not_run.values())))
    return {"findings": arrow_table(finding_rows(item.name, result.findings), FINDINGS)}


def _extract(
    item: SourceItem, path: Path, _job: Job, _renderer: Renderer, _row: dict[str, Any]
) -> dict[str, pa.Table]:
    rows = [{"deck": item.name, **record} for record in extract(path).records()]
    return {"elements": arrow_table(rows, ELEMENTS)}


def _diff(
    item: SourceItem, path: Path, job: Job, renderer: Renderer, row: dict[str, Any]
) -> dict[str, pa.Table]:
    if item.before is None:
        raise DeckError(item.name, "there is no older deck to compare it with")
    notes: list[str] = []
    with fetched(item.before, most_bytes=job.most_bytes) as older:
        changes = diff_decks(older, path, renderer=renderer, on_rules=notes.append)
    row["note"] = "; ".join(notes) or None
    named = {"deck": item.name, "before": item.before.name}
    rows = [{**named, **_change_row(change.model_dump(mode="json"))} for change in changes.changes]
    return {"changes": arrow_table(rows, CHANGES)}


def _change_row(change: dict[str, Any]) -> dict[str, Any]:
    as_json = {name: json.dumps(change[name], ensure_ascii=False) for name in ("old", "new")}
    return change | as_json


_WORK: Final = {"score": _score, "lint": _lint, "extract": _extract, "diff": _diff}


def retried(rows: DeckRows, attempts: int) -> DeckRows:
    """The same rows, with how often the deck was tried."""
    table = unpacked(rows.tables["decks"])
    at = table.schema.get_field_index("attempts")
    field = table.schema.field(at)
    column = pa.array([attempts], field.type)
    tables = {**rows.tables, "decks": packed(table.set_column(at, field, column))}
    return replace(rows, tables=tables)
