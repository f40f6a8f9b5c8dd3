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
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import func, select

from decklab.workbench.web.library import (
    Facts,
    Library,
    NotThere,
    UploadRefused,
    checked_id,
    shown_name,
)
from decklab.workbench.web.write_settings import DraftSettings
from decklab.workbench.web.write_tables import DraftRow, TakeRow
from decklab.writer.outline import Outline, load_outline, write_outline

GivenRole = Literal["source", "slides", "template", "like", "picture"]
"""What a file is given for: as a source, as the slides in Markdown, as the design, to be shown."""
KEPT = ("plan.json", "settings.json", "style.json", "slides.md")
"""What a take is gone on from."""
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
        """The outline as it is now; None where there is none yet."""
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
        """The folder of a take: its deck, pictures and what was found in it."""
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
        """Make a take the current one: what comes next goes on from its slides."""
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
        """What was found in the deck of a take."""
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
    """What a draft is called: its title, its first words, or its first document."""
    first = next(
        (Path(one["name"]).stem for one in given if one["role"] in ("source", "slides")), ""
    )
    words = " ".join((settings.title or settings.prompt or first or "Draft").split())
    return words if len(words) <= _LONGEST_NAME else f"{words[:_LONGEST_NAME].rsplit(' ', 1)[0]}…"
