"""Actions of the pages and the JSON API on drafts."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from fastapi import UploadFile
from pydantic import Field, ValidationError

from decklab.board.blueprint import first_fault
from decklab.board.themes import THEMES
from decklab.core.options import WriteStage
from decklab.pages.wording import clean_line
from decklab.workbench.web.database import JobRow
from decklab.workbench.web.jobs import OPEN, QueueFull
from decklab.workbench.web.library import (
    NotThere,
    UploadRefused,
    document,
    document_file,
    shown_name,
)
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.write_drafts import (
    LONGEST_PASTED,
    DraftRow,
    Drafts,
    DraftSettings,
    GivenFile,
    GivenRole,
    TakeRow,
    Words,
)
from decklab.writer.outline import Outline

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
        slides = any(one.role == "slides" for one in given)
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
        if any(one.state in OPEN for one in self.main_jobs(draft.id)):
            raise ValueError("work on this draft is under way; wait for it, or stop it")
        asked["model"] = asked.get("model", self.model_of(draft))
        return self.jobs.ask_about(kind, draft.id, **asked)

    def model_of(self, draft: DraftRow) -> str | None:
        """The model that writes a draft; None if rules do."""
        return self.bench.model if draft.settings.get("by_model") else None

    def main_jobs(self, draft_id: str) -> list[JobRow]:
        """The jobs that somebody waits for, oldest first."""
        return [one for one in self.jobs.of(draft_id) if one.kind in _MAIN]

    def outline_again(self, draft_id: str) -> str:
        """Make the outline anew from the sources; returns the job's id."""
        draft = self.drafts.draft(draft_id)
        if self.drafts.files(draft, "slides"):
            raise ValueError("slides in Markdown have no outline")
        return self._queue(draft, "draft-outline")

    def write(self, draft_id: str, start: str = "documents") -> str:
        """Write the deck from the documents, or from the outline; returns the job's id."""
        draft = self.drafts.draft(draft_id)
        if start not in get_args(WriteStage):
            raise ValueError(f"{start!r} is none of {', '.join(get_args(WriteStage))}")
        if start == "outline" and self.drafts.outline(draft_id) is None:
            raise ValueError("there is no outline yet")
        if start == "plan":
            self._current(draft)
        words = {"outline": "From the outline", "plan": "From the slides"}
        return self._queue(
            draft, "draft-write", start=start, made_by=words.get(start, "From the sources")
        )

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

    def redo(self, draft_id: str, slide: int, wish: str) -> str:
        """Make one slide again as it is wished for; returns the job's id."""
        draft = self.drafts.draft(draft_id)
        take = self._current(draft)
        words = clean_line(wish)
        if not words or len(words) > _LONGEST_WISH:
            raise ValueError(f"a wish has 1 to {_LONGEST_WISH} characters")
        if not 1 <= slide <= len(take.result["slides"]):
            raise NotThere(f"no slide {slide}")
        return self._queue(
            draft, "draft-write", start="plan", theme=take.result["look"], redo=[slide, words],
            made_by=f"Slide {slide}: {words}",
        )  # fmt: skip

    def _current(self, draft: DraftRow) -> TakeRow:
        if draft.take is None:
            raise ValueError("there is no deck yet")
        return self.drafts.take(draft.id, draft.take)

    def save_outline(self, draft_id: str, found: object) -> Outline:
        """Check and keep an outline that a person changed. Raises ValueError."""
        if any(one.state in OPEN for one in self.main_jobs(draft_id)):
            raise ValueError("the draft is being written; the outline can be changed after that")
        try:
            outline = Outline.model_validate(found)
        except ValidationError as error:
            raise ValueError(f"this is no outline: {first_fault(error)}") from error
        self.drafts.save_outline(draft_id, outline)
        return outline

    def choose(self, draft_id: str, number: int) -> None:
        """Make an earlier take the current one."""
        if any(one.state in OPEN for one in self.main_jobs(draft_id)):
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
    found: list[GivenFile] = []

    def place() -> Path:
        return folder / str(len(found))

    def copied(role: GivenRole, name: str, file: Path) -> None:
        path = place()
        shutil.copyfile(file, path)
        found.append(GivenFile(role, name, path))

    def deck(role: GivenRole, deck_id: str) -> None:
        bench.look_at(deck_id)
        row = library.deck(deck_id)
        copied(role, shown_name(row.name), library.file(library.version(row.id, row.current)))

    def written(role: GivenRole, name: str, text: str) -> None:
        if text.strip():
            path = place()
            path.write_text(text.replace("\r\n", "\n"), encoding="utf-8", errors="replace")
            found.append(GivenFile(role, name, path))

    def uploaded(role: GivenRole, uploads: Sequence[UploadFile]) -> None:
        for upload in uploads:
            if upload.filename:
                path = place()
                with path.open("wb") as file:
                    shutil.copyfileobj(upload.file, file, 2**20)
                found.append(GivenFile(role, upload.filename, path))

    uploaded("source", form.documents)
    for one in filter(None, form.sources):
        try:
            row = document(library, one)
        except NotThere:
            deck("source", one)
        else:
            copied("source", row.name, document_file(library, row))
    written("source", PASTED_TEXT, form.text)
    uploaded("slides", form.slides_file)
    written("slides", PASTED_SLIDES, form.slides_text)
    uploaded("picture", form.pictures)
    if form.look != "theme":
        uploaded(form.look, form.design_file)
        if form.design and not any(one.role == form.look for one in found):
            deck(form.look, form.design)
    return found


def _check(settings: DraftSettings, given: Sequence[GivenFile], model: str | None) -> None:
    """Raise ValueError if there is nothing to write from, or no design of the kind chosen."""
    roles = [one.role for one in given]
    asked = settings.by_model and model is not None and bool(settings.prompt)
    if not {"source", "slides"} & set(roles) and not asked:
        more = ", or ask the model with a prompt" if model else ""
        raise ValueError(f"give at least one document, a text, or slides in Markdown{more}")
    if roles.count("slides") > 1:
        raise ValueError("give slides in Markdown once, as a file or as text")
    if settings.look != "theme" and settings.look not in roles:
        words = {"template": "the template", "like": "the deck to write like"}[settings.look]
        raise ValueError(f"choose {words}: upload it, or name one of the library")
    for one in given:
        suffix = Path(one.name).suffix.lower()
        if one.role in ("template", "like") and suffix not in (".pptx", ".potx"):
            raise UploadRefused(f"{one.name}: a design is a .pptx or .potx")
