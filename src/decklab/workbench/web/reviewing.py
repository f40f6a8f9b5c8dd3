"""The changes of a version as people review them: by slide and shape, accepted or open."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import ForeignKey, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.pages.wording import counted
from decklab.workbench.web.database import Base, VersionRow
from decklab.workbench.web.library import Facts, Library


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
                AcceptedRow.deck == base.deck, AcceptedRow.base == base.number,
                AcceptedRow.key.in_(list(keys)),
            )
        )  # fmt: skip


_MARGIN = 18.0
"""Around a shape in the crop of its slide, in px of the 960x540 frame (ours)."""
_WHOLE = 0.7
"""Crops are left out of shapes that fill more of the slide than this (ours)."""


@dataclass(frozen=True)
class Crop:
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
    before: Crop | None
    after: Crop | None


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
    rows = library.changes(shown, base)
    if rows is None:
        return None
    done = accepted_keys(library, base)
    marked = [row | {"accepted": row["key"] in done} for row in rows]
    return [
        SlideReview(slide, older, _by_shape(library, shown, base, (slide, older), list(own)))
        for (slide, older), own in groupby(marked, key=lambda row: (row["slide"], row["older"]))
    ]


def older_slide(reviewed: Iterable[SlideReview], slide: int) -> int | None:
    """Number in the older version of a slide that changed; None for others, and for new ones."""
    return next((one.older for one in reviewed if one.slide == slide), None)


def named(reviewed: Iterable[SlideReview], keys: Collection[str]) -> str:
    """Changes in short, as the version without them says it."""
    chosen = [(one, change) for one in reviewed for change in one.changes if change["key"] in keys]
    places = list(dict.fromkeys(one.heading for one, _change in chosen))
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
    place: tuple[int | None, int | None],
    rows: Sequence[dict[str, Any]],
) -> list[ShapeReview]:
    slide, older = place
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
) -> Crop | None:
    if slide is None or view is None or library.picture(version, slide) is None:
        return None
    width, height = picture_size(library.facts(version))
    across, down = width / FRAME_WIDTH, height / FRAME_HEIGHT
    left, top, right, bottom = view
    shown = (left * across, top * down, (right - left) * across, (bottom - top) * down)
    return Crop(version.number, slide, " ".join(f"{one:.1f}" for one in shown), (width, height))


def picture_size(facts: Facts | None) -> tuple[float, float]:
    """Width and height of the pictures of a version."""
    return (facts.picture_size[0], facts.picture_size[1]) if facts else (1280, 720)
