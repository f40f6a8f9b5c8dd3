"""Drafts: the decks that are being written, in folders of the library and rows of its database.

A draft's folder has what was given, ``work`` with the artefacts of the writer, and ``takes``, a
folder for each deck that was written.
"""

import json
import re
import shutil
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import uuid4

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from sqlalchemy import JSON, ForeignKey, Text, UniqueConstraint, func, select
from sqlalchemy.orm import Mapped, mapped_column

from decklab.board.themes import THEMES
from decklab.core.options import WRITE_SLIDES, TextLength
from decklab.workbench.web.database import Base
from decklab.workbench.web.library import (
    Facts,
    Library,
    NotThere,
    UploadRefused,
    checked_id,
    shown_name,
)
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
        found: dict[str, Any] = {name: getattr(self, name) for name in same}
        found |= {name: said for name in ("audience", "tone") if (said := getattr(self, name))}
        themed = bool(theme) or self.look == "theme"
        found["theme"] = (theme or self.theme) if themed else ""
        found["icons"] = self.icons and themed
        found["free_layout"] = self.free_layout and themed
        return found


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
KEPT = ("plan.json", "settings.json", "style.json", "slides.md")
"""Files from which another take continues."""
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
            id=uuid4().hex, name="", created=time.time(), settings=settings.model_dump(), given=[],
        )  # fmt: skip
        folder = self.folder(row.id)
        used: set[str] = set()
        for one in given:
            name = _free_name(one.name, used)
            place = folder / one.role / name
            place.parent.mkdir(parents=True, exist_ok=True)
            one.file.replace(place)
            row.given.append({"role": one.role, "name": name, "bytes": place.stat().st_size})
        (folder / "work").mkdir(parents=True, exist_ok=True)
        row.name = _name(settings, row.given)
        with self.library.writing() as session:
            session.add(row)
        return row

    def draft(self, draft_id: str) -> DraftRow:
        """A draft by its id; raises NotThere."""
        with self.library.sessions() as session:
            found = session.get(DraftRow, checked_id(draft_id))
        if found is None:
            raise NotThere(f"no draft {draft_id}")
        return found

    def drafts(self, *, first: int = 0, most: int = 50) -> Sequence[DraftRow]:
        """Drafts, newest first: ``most`` of them."""
        chosen = select(DraftRow).order_by(DraftRow.created.desc(), DraftRow.id)
        with self.library.sessions() as session:
            return session.scalars(chosen.offset(first).limit(most)).all()

    def remove(self, draft_id: str) -> None:
        """Forget a draft with all that was written; decks of the library stay."""
        with self.library.writing() as session:
            row = session.get(DraftRow, checked_id(draft_id))
            if row is None:
                raise NotThere(f"no draft {draft_id}")
            session.delete(row)
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
        return [folder / one["name"] for one in draft.given if one["role"] == role]

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
        with suppress(FileNotFoundError):
            path = self.work(draft_id) / "visuals.json"
            return list(json.loads(path.read_text(encoding="utf-8")))
        return []

    def visual_picture(self, draft_id: str, number: int) -> Path:
        """The picture of a figure or table by its place in ``visuals``, from 0; or NotThere."""
        path = self.work(draft_id) / "visuals" / f"{number}.png"
        if not path.is_file():
            raise NotThere("this has no picture")
        return path

    def takes(self, draft_ids: Iterable[str]) -> dict[str, list[TakeRow]]:
        """The takes of each draft, oldest first."""
        found: dict[str, list[TakeRow]] = {one: [] for one in draft_ids}
        chosen = select(TakeRow).where(TakeRow.draft.in_(found)).order_by(TakeRow.number)
        with self.library.sessions() as session:
            for row in session.scalars(chosen):
                found[row.draft].append(row)
        return found

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

    def add_take(self, draft_id: str, job: str, made: Path, told: dict[str, Any]) -> TakeRow:
        """A new take from the folder ``made``, which is moved; it is the current one.

        ``told`` has ``made_by`` and the result.
        """
        self.draft(draft_id)
        place = self.folder(draft_id) / "takes" / job
        place.parent.mkdir(exist_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        made.replace(place)
        with self.library.writing() as session:
            draft = session.get(DraftRow, draft_id)
            if draft is None:
                raise NotThere("the draft was removed meanwhile")
            last = session.scalar(select(func.max(TakeRow.number)).where(TakeRow.draft == draft_id))
            row = TakeRow(
                draft=draft_id, number=(last or 0) + 1, job=job, made_by=told["made_by"],
                result=told["result"], deck=None, created=time.time(),
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
            draft = session.get(DraftRow, draft_id)
            if draft is None:
                raise NotThere(f"no draft {draft_id}")
            draft.take = number

    def link(self, take: TakeRow, deck: str) -> None:
        """Remember the deck of the library that was made of a take."""
        with self.library.writing() as session:
            row = session.get(TakeRow, take.id)
            if row is not None:
                row.deck = deck

    def facts(self, take: TakeRow) -> Facts | None:
        """Facts found in the deck of a take."""
        with suppress(FileNotFoundError):
            path = self.take_folder(take) / "facts.json"
            return Facts.of(json.loads(path.read_text(encoding="utf-8")))
        return None


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
        (Path(one["name"]).stem for one in given if one["role"] in ("source", "slides")), ""
    )
    words = " ".join((settings.title or settings.prompt or first or "Draft").split())
    return words if len(words) <= _LONGEST_NAME else f"{words[:_LONGEST_NAME].rsplit(' ', 1)[0]}…"
