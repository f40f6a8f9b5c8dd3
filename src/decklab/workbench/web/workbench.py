"""Actions of pages and the JSON API on the library and its queue of work, and the changes of a
version as people review them: by slide and shape, accepted or open.
"""

import shutil
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path, PurePath
from typing import Any

from fastapi import UploadFile
from sqlalchemy import ForeignKey, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from decklab.core.errors import DeckError
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.editor.edit import slide_numbers
from decklab.linting.mend import FIXABLE
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.pages.wording import clean_line, counted, rule_title, slide_ranges
from decklab.workbench.web.database import Base, DeckRow, JobRow, VersionRow
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.jobs import OPEN, Jobs, QueueFull
from decklab.workbench.web.library import (
    DocumentRow,
    Facts,
    Library,
    NotThere,
    add_document,
    remove_document,
)
from decklab.workbench.web.served_folder import FolderError, ServedFolder
from decklab.workbench.web.worker import EXPORTS


class AcceptedRow(Base):
    """One accepted change; it is known by its key in every later version that still has it."""

    __tablename__ = "accepted"

    deck: Mapped[str] = mapped_column(ForeignKey("decks.id", ondelete="CASCADE"), primary_key=True)
    base: Mapped[int] = mapped_column(primary_key=True)
    """Number of the version before the change."""
    key: Mapped[str] = mapped_column(primary_key=True)


def accepted_keys(library: Library, base: VersionRow) -> set[str]:
    """Keys of the changes since a version that were accepted."""
    with library.sessions() as session:
        return set(session.scalars(
            select(AcceptedRow.key)
            .where(AcceptedRow.deck == base.deck, AcceptedRow.base == base.number)
        ))  # fmt: skip


def accept(library: Library, base: VersionRow, keys: Collection[str]) -> None:
    """Accept changes since a version; those that are accepted already stay so."""
    with library.writing() as session:
        known = set(session.scalars(
            select(AcceptedRow.key)
            .where(AcceptedRow.deck == base.deck, AcceptedRow.base == base.number)
        ))  # fmt: skip
        session.add_all(
            AcceptedRow(deck=base.deck, base=base.number, key=fromkey)
            for fromkey in dict.fromkeys(keys)
            if fromkey not in known
        )


def reopen(library: Library, base: VersionRow, keys: Collection[str]) -> None:
    """Make accepted changes open again."""
    with library.writing() as session:
        session.execute(
            delete(AcceptedRow).where(
                AcceptedRow.deck == base.deck,
                AcceptedRow.base == base.number,
                AcceptedRow.key.in_(list(keys)),
            )
        )


_MARGIN = 18.0
"""Around a shape in the crop of its slide, in px of the 960x540 frame (ours)."""
_WHOLE = 0.7
"""Crops are left out of shapes that fill more of the slide than this (ours)."""


@dataclass(frozen=True)
class SlideCrop:
    """A piece of a slide's picture."""

    number: int
    """Of the version."""
    slide: int
    view: str
    """The piece, as SVG writes it."""
    size: tuple[float, float]
    """Of the whole picture, in the same units."""


@dataclass(frozen=True)
class ShapeReview:
    """The changes of one shape of a slide, or of the slide beside its shapes."""

    changes: Sequence[Mapping[str, Any]]
    before: SlideCrop | None
    after: SlideCrop | None


@dataclass(frozen=True)
class SlideReview:
    """The changes of one slide, or of the deck as a whole."""

    slide: int | None
    older: int | None
    shapes: Sequence[ShapeReview]

    @property
    def changes(self) -> list[Mapping[str, Any]]:
        """All changes, in order."""
        return [change for shape in self.shapes for change in shape.changes]

    @property
    def heading(self) -> str:
        """Which slide, in words."""
        if self.slide is None and self.older is None:
            return "The whole deck"
        if self.slide is None:
            return f"Slide {self.older} before, which is gone"
        moved = self.older is not None and self.older != self.slide
        return f"Slide {self.slide}" + (f", before slide {self.older}" if moved else "")

    @property
    def open(self) -> list[str]:
        """Keys of the changes that are not accepted."""
        return [change["key"] for change in self.changes if not change["accepted"]]


def review(library: Library, shown: VersionRow, base: VersionRow) -> list[SlideReview] | None:
    """The changes from ``base`` by slide; None if they are not known yet."""
    if (rows := library.changes(shown, base)) is None:
        return None
    done = accepted_keys(library, base)
    marked = [row | {"accepted": row["key"] in done} for row in rows]
    return [
        SlideReview(slide, older, _by_shape(library, shown, base, (slide, older), list(own)))
        for (slide, older), own in groupby(marked, key=lambda row: (row["slide"], row["older"]))
    ]


def older_slide(reviewed: Iterable[SlideReview], slide: int) -> int | None:
    """Number in the older version of a slide that changed; None for others, and for new ones."""
    return next((group.older for group in reviewed if group.slide == slide), None)


def named(reviewed: Iterable[SlideReview], keys: Collection[str]) -> str:
    """Changes in short, as the version without them says it."""
    chosen = [
        (part, change) for part in reviewed for change in part.changes if change["key"] in keys
    ]
    places = list(dict.fromkeys(part.heading for part, _change in chosen))
    if len(chosen) == 1:
        return f"Take back on {_lower(places[0])}: {chosen[0][1]['words']}"
    where = _lower(places[0]) if len(places) == 1 else counted(len(places), "slide")
    return f"Take back {counted(len(chosen), 'change')} on {where}"


def _lower(heading: str) -> str:
    return heading[:1].lower() + heading[1:]


def _by_shape(
    library: Library,
    shown: VersionRow,
    base: VersionRow,
    slides: tuple[int | None, int | None],
    rows: Sequence[dict[str, Any]],
) -> list[ShapeReview]:
    slide, older = slides
    by_id: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        by_id.setdefault(row["shape"], []).append(row)
    boxes = [_boxes(library, base, older), _boxes(library, shown, slide)]
    crops = []
    for id in by_id:
        own = [side[id] for side in boxes if id in side]
        view = _around(own) if id else None
        crops.append((_crop(library, base, older, view), _crop(library, shown, slide, view)))
    return [
        ShapeReview(changes, *pair) for changes, pair in zip(by_id.values(), crops, strict=True)
    ]


def _boxes(library: Library, version: VersionRow, slide: int | None) -> dict[int, list[float]]:
    shapes = library.shapes(version, slide) if slide else []
    return {shape["id"]: shape["box"] for shape in shapes}


def _around(boxes: Sequence[Sequence[float]]) -> tuple[float, float, float, float] | None:
    """The box around some boxes with a margin, on the slide; None if it is nearly all of it."""
    if not boxes:
        return None
    left = max(min(box[0] for box in boxes) - _MARGIN, 0.0)
    top = max(min(box[1] for box in boxes) - _MARGIN, 0.0)
    right = min(max(box[0] + box[2] for box in boxes) + _MARGIN, float(FRAME_WIDTH))
    bottom = min(max(box[1] + box[3] for box in boxes) + _MARGIN, float(FRAME_HEIGHT))
    share = (right - left) * (bottom - top) / (FRAME_WIDTH * FRAME_HEIGHT)
    return (left, top, right, bottom) if 0 < share < _WHOLE and right > left else None


def _crop(
    library: Library,
    version: VersionRow,
    slide: int | None,
    view: tuple[float, float, float, float] | None,
) -> SlideCrop | None:
    if slide is None or view is None or library.picture(version, slide) is None:
        return None
    width, height = picture_size(library.facts(version))
    across, down = width / FRAME_WIDTH, height / FRAME_HEIGHT
    left, top, right, bottom = view
    shown = (left * across, top * down, (right - left) * across, (bottom - top) * down)
    return SlideCrop(
        version.number, slide, " ".join(f"{edge:.1f}" for edge in shown), (width, height)
    )


def picture_size(facts: Facts | None) -> tuple[float, float]:
    """Width and height of the pictures of a version."""
    return (facts.picture_size[0], facts.picture_size[1]) if facts else (1280, 720)


_LONGEST_REQUEST = 2000
_TRY_AGAIN_SECONDS = 60.0
"""How long a comparison that failed counts as failed before it is tried again (ours)."""


class Workbench:
    """Actions of pages and the API, in one place."""

    def __init__(
        self,
        library: Library,
        jobs: Jobs,
        model: str | None = None,
        *,
        runs: RunIndex | None = None,
        folder: ServedFolder | None = None,
    ) -> None:
        self.library, self.jobs, self.model = library, jobs, model
        self.runs = runs or RunIndex()
        self.folder = folder

    def decks(
        self, words: str = "", *, first: int = 0, most: int = 24, gone: bool = False
    ) -> Sequence[DeckRow]:
        """The decks of the library, as ``Library.decks``, those of the folder as they are now."""
        if self.folder is not None:
            self.folder.refresh()
        return self.library.decks(words, first=first, most=most, gone=gone)

    def look_at(self, deck_id: str) -> str:
        """Read the file of a deck in the folder if it has changed, and have it looked at.

        Returns why that cannot be done, in a line; raises FolderError if there is no version
        either, and NotThere for no deck.
        """
        deck = self.library.deck(deck_id)
        try:
            number = self.folder.read(deck.id) if self.folder else None
            if number is not None and (deck.id, number) not in self.jobs.last_looks([deck.id]):
                parent = self.library.version(deck.id, number).parent
                since: dict[str, Any] = {"against": parent} if parent else {}
                self.jobs.ask("look", deck.id, number, **since)
        except (FolderError, QueueFull) as error:
            if not self.library.versions([deck.id])[deck.id]:
                raise
            return str(error)
        return ""

    def save(self, deck: str, number: int) -> str:
        """Save a version to the folder that is served; returns its path there.

        Raises FolderError.
        """
        if self.folder is None:
            raise FolderError("the workbench serves no folder; download the version instead")
        return self.folder.save(self.library.version(deck, number))

    def upload(self, upload: UploadFile) -> DeckRow:
        """Take an uploaded deck into the library, and look at it."""
        with self.received(upload) as path:
            deck = self.library.add(upload.filename or "", path)
        try:
            self.jobs.ask("look", deck.id, 1)
        except QueueFull:
            self.library.remove(deck.id)
            raise
        return deck

    def upload_document(self, upload: UploadFile) -> DocumentRow:
        """Take an uploaded document into the library, and read it."""
        with self.received(upload) as path:
            row = add_document(self.library, upload.filename or "", path)
        try:
            self.jobs.ask("read", about=row.id)
        except QueueFull:
            remove_document(self.library, row.id)
            raise
        return row

    @contextmanager
    def received(self, upload: UploadFile, suffix: str = "") -> Iterator[Path]:
        """An upload as a file, which is gone afterwards unless it was moved."""
        path = self.library.unfinished(suffix)
        try:
            with path.open("wb") as file:
                shutil.copyfileobj(upload.file, file, 2**20)
            yield path
        finally:
            path.unlink(missing_ok=True)

    def edit(
        self, deck: str, number: int | None, instruction: str, slides: str, by_model: bool
    ) -> str:
        """Queue a request to edit a version, by default the current one; returns the job's id.

        Raises ValueError.
        """
        words = clean_line(instruction)
        if not words or len(words) > _LONGEST_REQUEST:
            raise ValueError(f"a request has 1 to {_LONGEST_REQUEST} characters")
        asked: dict[str, Any] = {"instruction": words}
        if slides.strip():
            asked["slides"] = list(slide_numbers(slides))
        if by_model:
            if self.model is None:
                raise ValueError("the workbench was started without a model")
            asked["model"] = self.model
        start = self.library.deck(deck).current if number is None else number
        self.library.version(deck, start)
        return self.jobs.ask_change("edit", deck, number, **asked)

    def fix(
        self,
        deck: str,
        number: int | None,
        rule: str = "",
        slides: Sequence[int] = (),
        about: str | None = None,
    ) -> str:
        """Queue fixing what is safe in a version, by default the current one; returns the job's id.

        With ``rule`` only its findings are fixed, with ``slides`` only those on these. Raises
        ValueError for a rule that has no fix.
        """
        if rule and rule not in FIXABLE:
            raise ValueError("no fix of this rule is safe")
        words = f"Fix {rule_title(rule)}" if rule else "Fix all that is safe"
        if slides:
            words += f" on slide{'s' * (len(slides) > 1)} {slide_ranges(slides)}"
        start = self.library.deck(deck).current if number is None else number
        self.library.version(deck, start)
        asked = {"instruction": words, **({"rule": rule} if rule else {}), "slides": list(slides)}
        return self.jobs.ask_change("fix", deck, number, about=about, **asked)

    def export(self, deck: str, number: int, format: str, about: str | None = None) -> str:
        """Queue making a file in another format of a version; returns the job's id."""
        if format not in EXPORTS:
            raise ValueError(f"decks are exported to {', '.join(EXPORTS)}")
        self.library.version(deck, number)
        name = PurePath(self.library.deck(deck).name).stem
        return self.jobs.ask("export", deck, number, about=about, format=format, name=name)

    def base_of(self, version: VersionRow) -> int | None:
        """The version that a version is reviewed against: the one before the request.

        A version without some changes of another one is reviewed against the same as that.
        """
        if version.job is not None:
            with suppress(NotThere):
                against = self.jobs.job(version.job).asked.get("against")
                return int(against) if against else version.parent
        return version.parent

    def choose(self, deck: str, number: int) -> None:
        """Make a version the current one, and have it looked at and scored if it was not."""
        self.library.choose(deck, number)
        facts = self.library.facts(self.library.version(deck, number))
        last = self.jobs.last_looks([deck]).get((deck, number))
        if facts and not facts.scores and last is not None and last.state == "stopped":
            self.jobs.ask(last.kind, deck, number, follows=True, **last.asked)

    def compare(self, deck: str, number: int, older: int) -> JobRow | None:
        """The job that finds what changed between two versions; None if that is known."""
        version, base = self.library.version(deck, number), self.library.version(deck, older)
        if self.library.changes_file(version, base).is_file():
            return None
        for job in self.jobs.of_deck(deck, "compare", "look"):
            fresh = job.state in OPEN or time.time() - (job.ended or 0) < _TRY_AGAIN_SECONDS
            if job.number == number and job.asked.get("against") == older and fresh:
                return job
        return self.jobs.job(self.jobs.ask("compare", deck, number, against=older))

    def take_back(
        self, deck: str, number: int, older: int | None = None, keys: Collection[str] | None = None
    ) -> str:
        """Queue taking changes of a version since an older one back; returns the job's id.

        By default all changes since the version before it go. They go from the current version if
        that comes from this one, so that all that was done since stays; else from this one. Raises
        NotThere for changes that are not there.
        """
        version = self.library.version(deck, number)
        base = self.library.version(deck, older or version.parent or 0)
        said, chosen = f"Take back version {number}: {version.made_by}", list[str]()
        if keys is not None:
            reviewed = review(self.library, version, base) or []
            chosen = [
                item["key"] for group in reviewed for item in group.changes if item["key"] in keys
            ]
            if not chosen:
                raise NotThere("these changes are not there")
            said = named(reviewed, chosen)
        start = None if number in self.library.line(deck) else number
        return self.jobs.ask_change(
            "take_back", deck, start, of=number, against=base.number, keys=chosen, instruction=said
        )

    def same_slide(self, deck: str, shown: int, slide: int, number: int) -> int:
        """The number that a slide of one version has in another; if it is not, its own."""
        here, there = (
            _slide_ids(self.library.file(self.library.version(deck, slide_number)))
            for slide_number in (shown, number)
        )
        id = here.get(slide)
        return next((at for at, other in there.items() if other == id), slide)


def _slide_ids(deck: Path) -> dict[int, int]:
    """Ids of slides by number; none if the deck cannot be read."""
    with suppress(DeckError), Package.open(deck) as package:
        return {entry.number: entry.id for entry in slide_entries(package)}
    return {}
