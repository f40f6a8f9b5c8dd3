"""Drafts: the decks that are being written, in folders of the library and rows of its database, and
the actions of the pages and the JSON API on them.

A draft's folder has what was given, ``work`` with the artefacts of the writer, and ``takes``, a
folder for each deck that was written.
"""

import re
import shutil
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from uuid import uuid4

from fastapi import UploadFile
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from sqlalchemy import JSON, ForeignKey, Text, UniqueConstraint, func, select
from sqlalchemy.orm import Mapped, mapped_column

from decklab.board.blueprint import first_fault
from decklab.board.themes import THEMES
from decklab.core.options import WRITE_SLIDES, TextLength, WriteStage
from decklab.pages.wording import clean_line
from decklab.workbench.web.database import Base, JobRow
from decklab.workbench.web.draft_work import KEPT
from decklab.workbench.web.jobs import OPEN, QueueFull
from decklab.workbench.web.library import (
    Facts,
    Library,
    NotThere,
    UploadRefused,
    checked_id,
    document,
    document_file,
    held,
    kept_json,
    shown_name,
)
from decklab.workbench.web.workbench import Workbench
from decklab.writer.outline import Outline, load_outline, write_outline

LONGEST_PASTED = 400_000
"""Characters of a text that is pasted; longer ones are uploaded as files (ours)."""
_FITS = ("", "fits", None)


def _checked_theme(name: str) -> str:
    _ = THEMES[name]
    return name


Whether = Annotated[bool | None, BeforeValidator(lambda said: None if said in _FITS else said)]
"""Yes, no, or what the content asks for, which a form sends as empty."""
ThemeChoice = Annotated[str, BeforeValidator(_checked_theme)]
Words = Annotated[
    str, BeforeValidator(lambda said: said.strip() if isinstance(said, str) else said)
]


class DraftSettings(BaseModel):
    """Wishes for a deck; see ``WriteOptions``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt: Words = Field(default="", max_length=4000)
    title: Words = Field(default="", max_length=200)
    slides: int = Field(default=WRITE_SLIDES, ge=3, le=200)
    look: Literal["theme", "template", "like"] = "theme"
    """Look of the deck: a theme, a company template, or another deck."""
    theme: ThemeChoice = "light"
    language: Words = Field(default="en", max_length=35)
    source_language: Words = Field(default="", max_length=35)
    audience: Words = Field(default="", max_length=300)
    tone: Words = Field(default="", max_length=300)
    length: TextLength = "standard"
    title_page: Whether = None
    contents: Whether = None
    closing: Whether = None
    icons: bool = False
    style: bool = False
    """Whether a model fills in the style on top of the theme."""
    free_layout: bool = False
    refine: Whether = None
    """Whether the drawn deck is looked at and mended; for a model by itself."""
    by_model: bool = False
    outline_first: bool = True

    def options(self, theme: str = "") -> dict[str, Any]:
        """The fields of ``WriteOptions`` that name no file, in a theme of its own or another one.

        An empty ``theme`` is the look of these settings.
        """
        same = ("prompt", "title", "slides", "language", "source_language", "length",
                "title_page", "contents", "closing", "style", "refine")  # fmt: skip
        options: dict[str, Any] = {name: getattr(self, name) for name in same}
        options |= {name: said for name in ("audience", "tone") if (said := getattr(self, name))}
        themed = bool(theme) or self.look == "theme"
        options["theme"] = (theme or self.theme) if themed else ""
        options["icons"] = self.icons and themed
        options["free_layout"] = self.free_layout and themed
        return options


class DraftRow(Base):
    """A deck that is being written; its files are in a folder of its id."""

    __tablename__ = "drafts"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    created: Mapped[float] = mapped_column(index=True)
    """Seconds since 1970."""
    given: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    """Files: ``role``, ``name`` and ``bytes`` of each."""
    settings: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """The fields of ``DraftSettings``."""
    take: Mapped[int | None]
    """Number of the deck that is shown and gone on from; none before the first."""


class TakeRow(Base):
    """A deck that was written for a draft. Takes are never changed."""

    __tablename__ = "draft_takes"
    __table_args__ = (UniqueConstraint("draft", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    draft: Mapped[str] = mapped_column(ForeignKey("drafts.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    job: Mapped[str]
    """Of the job that wrote it, which names its folder, too."""
    made_by: Mapped[str] = mapped_column(Text)
    """The request, in words."""
    result: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """Slides with their evidence, formats, theme, and what fell short."""
    deck: Mapped[str | None]
    """Id of the deck of the library that was made of it."""
    created: Mapped[float]


GivenRole = Literal["source", "slides", "template", "like", "picture"]
"""Role of a file: as a source, as the slides in Markdown, as the design, to be shown."""
MOST_GIVEN = 30
"""Files that a draft may have (ours)."""
_STEM = 60
_LONGEST_NAME = 80


@dataclass(frozen=True)
class GivenFile:
    """A file for a draft, which is moved into its folder."""

    role: GivenRole
    name: str
    file: Path


class Drafts:
    """The drafts of a library."""

    def __init__(self, library: Library) -> None:
        self.library, self._root = library, library.folder / "drafts"
        self._root.mkdir(exist_ok=True)

    def sweep(self) -> None:
        """Delete folders of drafts that are none: their rows were never written."""
        with self.library.sessions() as session:
            known = set(session.scalars(select(DraftRow.id)))
        for folder in self._root.iterdir():
            if folder.name not in known:
                shutil.rmtree(folder, ignore_errors=True)

    def add(self, settings: DraftSettings, given: Sequence[GivenFile]) -> DraftRow:
        """A new draft with its files. Raises UploadRefused for more than it takes."""
        if len(given) > MOST_GIVEN:
            raise UploadRefused(f"a draft has at most {MOST_GIVEN} files")
        row = DraftRow(
            id=uuid4().hex, name="", created=time.time(), settings=settings.model_dump(), given=[]
        )
        folder = self.folder(row.id)
        used: set[str] = set()
        for file in given:
            name = _free_name(file.name, used)
            path = folder / file.role / name
            path.parent.mkdir(parents=True, exist_ok=True)
            file.file.replace(path)
            row.given.append({"role": file.role, "name": name, "bytes": path.stat().st_size})
        (folder / "work").mkdir(parents=True, exist_ok=True)
        row.name = _name(settings, row.given)
        with self.library.writing() as session:
            session.add(row)
        return row

    def draft(self, draft_id: str) -> DraftRow:
        """A draft by its id; raises NotThere."""
        return self.library.row(DraftRow, draft_id, "draft")

    def drafts(self, *, first: int = 0, most: int = 50) -> Sequence[DraftRow]:
        """Drafts, newest first: ``most`` of them."""
        chosen = select(DraftRow).order_by(DraftRow.created.desc(), DraftRow.id)
        with self.library.sessions() as session:
            return session.scalars(chosen.offset(first).limit(most)).all()

    def remove(self, draft_id: str) -> None:
        """Forget a draft with all that was written; decks of the library stay."""
        with self.library.writing() as session:
            session.delete(held(session, DraftRow, draft_id, "draft"))
        shutil.rmtree(self.folder(draft_id), ignore_errors=True)

    def folder(self, draft_id: str) -> Path:
        """The folder of a draft."""
        return self._root / checked_id(draft_id)

    def work(self, draft_id: str) -> Path:
        """The folder of the writer's artefacts."""
        return self.folder(draft_id) / "work"

    def files(self, draft: DraftRow, role: GivenRole) -> list[Path]:
        """The files that were given for something, in their order."""
        folder = self.folder(draft.id) / role
        return [folder / file["name"] for file in draft.given if file["role"] == role]

    def outline(self, draft_id: str) -> Outline | None:
        """The outline as it is now; None if it has none yet."""
        path = self.work(draft_id) / "outline.json"
        return load_outline(path) if path.is_file() else None

    def save_outline(self, draft_id: str, outline: Outline) -> None:
        """Keep an outline that a person changed."""
        self.draft(draft_id)
        write_outline(outline, self.work(draft_id) / "outline.json")

    def visuals(self, draft_id: str) -> list[dict[str, Any]]:
        """The figures and tables of the sources, which slides may show."""
        return list(kept_json(self.work(draft_id) / "visuals.json") or ())

    def visual_picture(self, draft_id: str, number: int) -> Path:
        """The picture of a figure or table by its place in ``visuals``, from 0; or NotThere."""
        path = self.work(draft_id) / "visuals" / f"{number}.png"
        if not path.is_file():
            raise NotThere("this has no picture")
        return path

    def takes(self, draft_ids: Iterable[str]) -> dict[str, list[TakeRow]]:
        """The takes of each draft, oldest first."""
        takes: dict[str, list[TakeRow]] = {draft_id: [] for draft_id in draft_ids}
        chosen = select(TakeRow).where(TakeRow.draft.in_(takes)).order_by(TakeRow.number)
        with self.library.sessions() as session:
            for row in session.scalars(chosen):
                takes[row.draft].append(row)
        return takes

    def take(self, draft_id: str, number: int) -> TakeRow:
        """One take; raises NotThere."""
        chosen = select(TakeRow).where(
            TakeRow.draft == checked_id(draft_id), TakeRow.number == number
        )
        with self.library.sessions() as session:
            row = session.scalar(chosen) if 0 < number < 2**31 else None
        if row is None:
            raise NotThere(f"no take {number} of this draft")
        return row

    def take_folder(self, take: TakeRow) -> Path:
        """The folder of a take: its deck, pictures and facts."""
        return self.folder(take.draft) / "takes" / take.job

    def add_take(self, draft_id: str, job: str, made: Path, result: dict[str, Any]) -> TakeRow:
        """A new take from the folder ``made``, which is moved; it is the current one.

        ``result`` has ``made_by`` and the result.
        """
        self.draft(draft_id)
        folder = self.folder(draft_id) / "takes" / job
        folder.parent.mkdir(exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        made.replace(folder)
        with self.library.writing() as session:
            draft = held(session, DraftRow, draft_id, "draft")
            last = session.scalar(select(func.max(TakeRow.number)).where(TakeRow.draft == draft_id))
            row = TakeRow(
                draft=draft_id, number=(last or 0) + 1, job=job, made_by=result["made_by"],
                result=result["result"], deck=None, created=time.time(),
            )  # fmt: skip
            session.add(row)
            draft.take = row.number
        return row

    def choose(self, draft_id: str, number: int) -> None:
        """Make a take the current one: the next take goes on from its slides."""
        folder, work = self.take_folder(self.take(draft_id, number)), self.work(draft_id)
        for name in KEPT:
            if (folder / "kept" / name).is_file():
                shutil.copyfile(folder / "kept" / name, work / name)
            else:
                (work / name).unlink(missing_ok=True)
        with self.library.writing() as session:
            held(session, DraftRow, draft_id, "draft").take = number

    def link(self, take: TakeRow, deck: str) -> None:
        """Remember the deck of the library that was made of a take."""
        with self.library.writing() as session:
            if (row := session.get(TakeRow, take.id)) is not None:
                row.deck = deck

    def facts(self, take: TakeRow) -> Facts | None:
        """Facts found in the deck of a take."""
        data = kept_json(self.take_folder(take) / "facts.json")
        return None if data is None else Facts.of(data)


def _free_name(given: str, used: set[str]) -> str:
    """A name for a file that no other file of the draft has, of letters and plain marks."""
    shown = Path(re.sub(r"[^\w .()+-]", "_", shown_name(given)))
    stem, suffix = shown.stem[:_STEM].strip(" .-") or "file", shown.suffix.lower()
    number, name = 1, f"{stem}{suffix}"
    while name.casefold() in used:
        number += 1
        name = f"{stem} {number}{suffix}"
    used.add(name.casefold())
    return name


def _name(settings: DraftSettings, given: Sequence[dict[str, Any]]) -> str:
    """Name of a draft: its title, its first words, or its first document."""
    first = next(
        (Path(file["name"]).stem for file in given if file["role"] in ("source", "slides")), ""
    )
    words = " ".join((settings.title or settings.prompt or first or "Draft").split())
    return words if len(words) <= _LONGEST_NAME else f"{words[:_LONGEST_NAME].rsplit(' ', 1)[0]}…"


PASTED_TEXT = "Notes.md"
"""Name of a text that was pasted."""
PASTED_SLIDES = "Slides.md"
_MAIN = ("draft-outline", "draft-write")
_LONGEST_WISH = 500
TakeFormat = Literal["pptx", "html", "pdf"]


class DraftForm(DraftSettings):
    """A draft as it is sent: the settings, texts, ids of decks of the library, and files."""

    text: str = Field(default="", max_length=LONGEST_PASTED)
    """A source that was pasted."""
    slides_text: str = Field(default="", max_length=LONGEST_PASTED)
    """Slides in Markdown, which are taken as they are."""
    sources: list[Words] = Field(default_factory=list, max_length=10)
    """Ids of documents and decks of the library that are sources."""
    design: Words = ""
    """Id of the deck of the library that is the template, or is written like."""
    documents: list[UploadFile] = Field(default_factory=list)
    slides_file: list[UploadFile] = Field(default_factory=list)
    design_file: list[UploadFile] = Field(default_factory=list)
    pictures: list[UploadFile] = Field(default_factory=list)

    @property
    def settings(self) -> DraftSettings:
        """The settings alone."""
        return DraftSettings(**{name: getattr(self, name) for name in DraftSettings.model_fields})


class Writing:
    """Actions on drafts, in one place."""

    def __init__(self, bench: Workbench) -> None:
        self.bench, self.jobs = bench, bench.jobs
        self.drafts = Drafts(bench.library)

    def create(self, form: DraftForm) -> DraftRow:
        """A new draft, whose outline or deck is being written. Raises ValueError, NotThere."""
        settings = self._settled(form)
        folder = self.bench.library.unfinished()
        folder.mkdir()
        try:
            given = _given(self.bench, form, folder)
            _check(settings, given, self.bench.model)
            draft = self.drafts.add(settings, given)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        slides = any(file.role == "slides" for file in given)
        try:
            if settings.outline_first and not slides:
                self._queue(draft, "draft-outline")
            else:
                self.write(draft.id)
        except QueueFull:
            self.drafts.remove(draft.id)
            raise
        return draft

    def _settled(self, form: DraftForm) -> DraftSettings:
        settings = form.settings
        if settings.by_model and self.bench.model is None:
            raise ValueError("the workbench was started without a model")
        return settings

    def _queue(self, draft: DraftRow, kind: str, **asked: Any) -> str:
        """Queue work on a draft; one piece is done at a time."""
        if any(main_job.state in OPEN for main_job in self.main_jobs(draft.id)):
            raise ValueError("work on this draft is under way; wait for it, or stop it")
        asked["model"] = asked.get("model", self.model_of(draft))
        return self.jobs.ask(kind, about=draft.id, **asked)

    def model_of(self, draft: DraftRow) -> str | None:
        """The model that writes a draft; None if rules do."""
        return self.bench.model if draft.settings.get("by_model") else None

    def main_jobs(self, draft_id: str) -> list[JobRow]:
        """The jobs that somebody waits for, oldest first."""
        return [job for job in self.jobs.of(draft_id) if job.kind in _MAIN]

    def outline_again(self, draft_id: str) -> str:
        """Make the outline anew from the sources; returns the job's id."""
        draft = self.drafts.draft(draft_id)
        if self.drafts.files(draft, "slides"):
            raise ValueError("slides in Markdown have no outline")
        return self._queue(draft, "draft-outline")

    def write(self, draft_id: str, start: str = "documents", theme: str = "") -> str:
        """Write the deck from the documents, or from the outline; returns the job's id."""
        draft = self.drafts.draft(draft_id)
        if start not in get_args(WriteStage):
            raise ValueError(f"{start!r} is none of {', '.join(get_args(WriteStage))}")
        if start == "outline" and self.drafts.outline(draft_id) is None:
            raise ValueError("there is no outline yet")
        if start == "plan":
            self._current(draft)
        words = {"outline": "From the outline", "plan": "From the slides"}
        if theme:
            _ = THEMES[theme]
        said = words.get(start, "From the sources")
        return self._queue(draft, "draft-write", start=start, theme=theme, made_by=said)

    def retheme(self, draft_id: str, theme: str) -> str:
        """Make the same slides in another theme, without a question to a model."""
        draft = self.drafts.draft(draft_id)
        self._current(draft)
        if theme:
            _ = THEMES[theme]
        elif draft.settings["look"] == "theme":
            raise ValueError("name a theme")
        name = (
            theme or {"template": "the template", "like": "the given deck"}[draft.settings["look"]]
        )
        return self._queue(
            draft, "draft-write", start="plan", theme=theme, model=None, made_by=f"In {name}"
        )

    def redo(self, draft_id: str, slide: int, wish: str, *, drawn: bool = False) -> str:
        """Make one slide again as it is wished for, without a model if that was ``drawn`` as one of
        its choices; returns the job's id."""
        draft = self.drafts.draft(draft_id)
        take = self._current(draft)
        words = clean_line(wish)
        if not words or len(words) > _LONGEST_WISH:
            raise ValueError(f"a wish has 1 to {_LONGEST_WISH} characters")
        if not 1 <= slide <= len(take.result["slides"]):
            raise NotThere(f"no slide {slide}")
        return self._queue(
            draft, "draft-write", start="plan", theme=take.result["look"], redo=[slide, words],
            made_by=f"Slide {slide}: {words}", **({"model": None} if drawn else {}),
        )  # fmt: skip

    def _current(self, draft: DraftRow) -> TakeRow:
        if draft.take is None:
            raise ValueError("there is no deck yet")
        return self.drafts.take(draft.id, draft.take)

    def save_outline(self, draft_id: str, given: object) -> Outline:
        """Check and keep an outline that a person changed. Raises ValueError."""
        if any(main_job.state in OPEN for main_job in self.main_jobs(draft_id)):
            raise ValueError("the draft is being written; the outline can be changed after that")
        try:
            outline = Outline.model_validate(given)
        except ValidationError as error:
            raise ValueError(f"this is no outline: {first_fault(error)}") from error
        self.drafts.save_outline(draft_id, outline)
        return outline

    def choose(self, draft_id: str, number: int) -> None:
        """Make an earlier take the current one."""
        if any(main_job.state in OPEN for main_job in self.main_jobs(draft_id)):
            raise ValueError("the draft is being written; choose after that")
        self.drafts.choose(draft_id, number)

    def take_file(self, draft_id: str, number: int, suffix: str) -> Path:
        """The deck of a take in one of its formats; raises NotThere."""
        folder = self.drafts.take_folder(self.drafts.take(draft_id, number))
        path = folder / f"deck.{suffix}"
        if suffix not in get_args(TakeFormat) or not path.is_file():
            raise NotThere(f"this deck has no {suffix}")
        return path

    def picture(self, draft_id: str, number: int, slide: int) -> Path:
        """The picture of a slide of a take, counted from 1; raises NotThere."""
        folder = self.drafts.take_folder(self.drafts.take(draft_id, number))
        path = folder / f"slide-{slide:03}.webp"
        if not 0 < slide < 10_000 or not path.is_file():
            raise NotThere(f"slide {slide} is not drawn")
        return path

    def open_in_library(self, draft_id: str, number: int) -> str:
        """The id of the deck of the library that is a take; it is added if it is not there."""
        draft, take = self.drafts.draft(draft_id), self.drafts.take(draft_id, number)
        if take.deck is not None and self.linked(take):
            return take.deck
        library = self.bench.library
        copy = library.unfinished()
        shutil.copyfile(self.take_file(draft_id, number, "pptx"), copy)
        deck = library.add(f"{draft.name.replace('/', ' ')}.pptx", copy)
        self.drafts.link(take, deck.id)
        self.jobs.ask("look", deck.id, 1)
        return deck.id

    def linked(self, take: TakeRow) -> bool:
        """Whether the deck of the library that was made of a take is there still."""
        try:
            return take.deck is not None and bool(self.bench.library.deck(take.deck))
        except NotThere:
            return False

    def remove(self, draft_id: str) -> None:
        """Forget a draft; its work is stopped."""
        self.drafts.draft(draft_id)
        for job in self.jobs.of(draft_id):
            self.jobs.stop(job.id)
        self.drafts.remove(draft_id)


def _given(bench: Workbench, form: DraftForm, folder: Path) -> list[GivenFile]:
    """The files of a form, in a folder of their own."""
    library = bench.library
    files: list[GivenFile] = []

    def file_path() -> Path:
        return folder / str(len(files))

    def copied(role: GivenRole, name: str, file: Path) -> None:
        path = file_path()
        shutil.copyfile(file, path)
        files.append(GivenFile(role, name, path))

    def deck(role: GivenRole, deck_id: str) -> None:
        bench.look_at(deck_id)
        row = library.deck(deck_id)
        copied(role, shown_name(row.name), library.file(library.version(row.id, row.current)))

    def written(role: GivenRole, name: str, text: str) -> None:
        if text.strip():
            path = file_path()
            path.write_text(text.replace("\r\n", "\n"), encoding="utf-8", errors="replace")
            files.append(GivenFile(role, name, path))

    def uploaded(role: GivenRole, uploads: Sequence[UploadFile]) -> None:
        for upload in uploads:
            if upload.filename:
                path = file_path()
                with path.open("wb") as file:
                    shutil.copyfileobj(upload.file, file, 2**20)
                files.append(GivenFile(role, upload.filename, path))

    uploaded("source", form.documents)
    for source in filter(None, form.sources):
        try:
            row = document(library, source)
        except NotThere:
            deck("source", source)
        else:
            copied("source", row.name, document_file(library, row))
    written("source", PASTED_TEXT, form.text)
    uploaded("slides", form.slides_file)
    written("slides", PASTED_SLIDES, form.slides_text)
    uploaded("picture", form.pictures)
    if form.look != "theme":
        uploaded(form.look, form.design_file)
        if form.design and not any(item.role == form.look for item in files):
            deck(form.look, form.design)
    return files


def _check(settings: DraftSettings, given: Sequence[GivenFile], model: str | None) -> None:
    """Raise ValueError if there is nothing to write from, or no design of the kind chosen."""
    roles = [file.role for file in given]
    asked = settings.by_model and model is not None and bool(settings.prompt)
    if not {"source", "slides"} & set(roles) and not asked:
        more = ", or ask the model with a prompt" if model else ""
        raise ValueError(f"give at least one document, a text, or slides in Markdown{more}")
    if roles.count("slides") > 1:
        raise ValueError("give slides in Markdown once, as a file or as text")
    if settings.look != "theme" and settings.look not in roles:
        words = {"template": "the template", "like": "the deck to write like"}[settings.look]
        raise ValueError(f"choose {words}: upload it, or name one of the library")
    for item in given:
        suffix = Path(item.name).suffix.lower()
        if item.role in ("template", "like") and suffix not in (".pptx", ".potx"):
            raise UploadRefused(f"{item.name}: a design is a .pptx or .potx")
