"""The leaderboard of all decks: one page, with a map of them if there are several.

The map is the visual-editability matrix: decks by how editable and how good-looking they are
(paper 002, figure 4 and section 3.2).

The rows of leaderboards, on a page or a terminal: one for each deck.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from math import ceil, floor
from pathlib import Path
from statistics import median
from typing import Any, Final, Literal

from decklab.core.geometry import Box
from decklab.core.options import Severity
from decklab.core.results import DeckResult
from decklab.pages.page import write_page
from decklab.pages.pictures import SlidePicture
from decklab.pages.wording import (
    LEVEL_NAMES,
    PARTS,
    SEVERITY_LABELS,
    clean,
    counted,
    deck_name,
    number,
    shorten,
)
from decklab.scoring.reports.slide_charts import PlotArea, Tick
from decklab.scoring.reports.standing import of_deck

COLUMNS = (
    "quality.score", "aesthetics.total", *(metric for metric, _, _ in PARTS), "editability.level",
)  # fmt: skip


@dataclass(frozen=True)
class LeaderboardRow:
    """A deck's place in a leaderboard.

    ``values`` maps a deck metric to its value, ``reasons`` to the reason if there is none;
    a deck that could not be read has neither, but an ``error``. ``findings`` counts those about the
    deck by severity; fonts that this machine lacks are not among them. ``page`` is the path of the
    deck's own page, relative to the leaderboard; ``cover`` a small picture of its first slide.
    ``converted`` is the kind of a deck that LibreOffice converted to be read, else empty;
    ``unseen`` says how much of it cannot be seen and does not count, if anything.
    """

    deck: str
    status: Literal["scored", "failed"]
    error: str = ""
    slides: int = 0
    values: Mapping[str, float] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    findings: Mapping[Severity, int] = field(default_factory=dict)
    page: str | None = None
    cover: SlidePicture | None = None
    converted: str = ""
    unseen: str = ""

    @classmethod
    def of(
        cls, result: DeckResult, *, page: str | None = None, cover: SlidePicture | None = None
    ) -> "LeaderboardRow":
        """The row of a result."""
        deck_rows = [
            row for row in result.measurements if row.slide is None and row.metric in COLUMNS
        ]
        counts: dict[Severity, int] = {}
        for finding in of_deck(result.findings):
            counts[finding.severity] = counts.get(finding.severity, 0) + 1
        return cls(
            deck=result.deck,
            status=result.status,
            error=result.error or "",
            slides=result.slides,
            values={row.metric: row.value for row in deck_rows if row.value is not None},
            reasons={row.metric: row.reason for row in deck_rows if row.reason is not None},
            findings=counts,
            page=page,
            cover=cover,
            converted=result.converted,
            unseen=result.unseen,
        )

    @property
    def name(self) -> str:
        """The last part of the deck's path."""
        return deck_name(self.deck)

    @property
    def total(self) -> float | None:
        """``aesthetics.total``; None if it was not scored."""
        return self.values.get("aesthetics.total")

    @property
    def quality(self) -> float | None:
        """``quality.score``; None if it was not scored, as of decks without elements."""
        return self.values.get("quality.score")

    @property
    def level(self) -> int | None:
        """The PEI level, 0 to 5; None if it was not scored."""
        level = self.values.get("editability.level")
        return None if level is None else int(level)

    @property
    def worst(self) -> tuple[Severity, int] | None:
        """The worst severity and its number of findings; None if there is no finding."""
        for severity in SEVERITY_LABELS:
            if self.findings.get(severity):
                return severity, self.findings[severity]
        return None

    @property
    def worst_label(self) -> str:
        """The worst findings in words: ``3 errors``, or ``none``."""
        return counted(self.worst[1], SEVERITY_LABELS[self.worst[0]]) if self.worst else "none"


def ranked(rows: Iterable[LeaderboardRow]) -> list[LeaderboardRow]:
    """Rows by quality, then by ``aesthetics.total``, the best first; unscored ones follow, then
    failed ones."""

    def key(row: LeaderboardRow) -> tuple[bool, bool, float, bool, float, str]:
        quality, total = row.quality, row.total
        return (
            row.status == "failed",
            quality is None, -(quality or 0.0), total is None, -(total or 0.0), row.deck,
        )  # fmt: skip

    return sorted(rows, key=key)


MATRIX_WIDE: Final = PlotArea(960, 560, 56, 16, 944, 500)
MATRIX_NARROW: Final = PlotArea(340, 420, 36, 12, 336, 366)

STRUCTURAL: Final = 3
"""The level from which a deck counts as editable (paper 002, section 3.2)."""

QUADRANTS: Final = (
    ("North Star", "looks good, edits well", True, True),
    ("Poster", "looks good, hard to edit", True, False),
    ("Snapshot", "plain, hard to edit", False, False),
    ("Skeleton", "plain, edits well", False, True),
)
"""Name, meaning, whether it looks good, and whether it is easy to edit. North Star and Skeleton are
the names of paper 002, section 3.2; the other two names are ours."""

_LETTER = 7.2  # Mean width of a letter of a label, in user units, for 12 unit text.
_LINE = 15.0
_NAMES = 46.0  # Height of the strips at the top and bottom that hold the names of the quadrants.
_LEAD = 22.0  # Across from a dot to a label at the end of a line.
_STEPS = 14
_REACH = _LINE * _STEPS / 2
_MOST_LABELS = {MATRIX_WIDE: 60, MATRIX_NARROW: 16}


@dataclass(frozen=True)
class Dot:
    """A deck in the matrix. ``label`` is empty if it would cover something."""

    row: LeaderboardRow
    x: float
    y: float
    label: str = ""
    label_x: float = 0.0
    label_y: float = 0.0
    anchor: str = "start"
    leader: bool = False
    """Whether a line leads to the label, because it stands apart."""

    @property
    def lead_y(self) -> float:
        """Where the line to the label ends."""
        return self.label_y - _LINE / 2 + 4


@dataclass(frozen=True)
class Quadrant:
    """The name of a quadrant and the corner it is written in."""

    name: str
    meaning: str
    x: float
    y: float
    anchor: str


@dataclass(frozen=True)
class Matrix:
    """The drawing; ``boundary_x`` and ``boundary_y`` separate the quadrants."""

    frame: PlotArea
    dots: tuple[Dot, ...]
    radius: float
    quadrants: tuple[Quadrant, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    boundary_x: float
    boundary_y: float
    median: float

    @property
    def unlabelled(self) -> int:
        """How many decks have a dot but no label."""
        return sum(not dot.label for dot in self.dots)


def matrix(rows: Sequence[LeaderboardRow], frame: PlotArea) -> Matrix | None:
    """The matrix of all rows that have both a total and a level; None for fewer than two.

    The boundary of good looks is the median total of the decks shown, since the scale itself has no
    boundary.
    """
    shown = [(row, row.total, row.level) for row in rows]
    placed = [(row, total, level) for row, total, level in shown
              if total is not None and level is not None]  # fmt: skip
    if len(placed) < 2:
        return None
    totals = [total for _, total, _ in placed]
    step = _round_step(max(totals) - min(totals))
    low, high = floor(min(totals) / step) * step, ceil(max(totals) / step) * step
    high += step * (high == low)
    column = frame.plot_width / len(LEVEL_NAMES)

    def y(total: float) -> float:
        share = (total - low) / (high - low)
        return frame.bottom - _NAMES - share * (frame.plot_height - 2 * _NAMES)

    radius = 6.0 if len(placed) <= 40 else 4.0 if len(placed) <= 200 else 3.0
    if frame is MATRIX_NARROW:
        radius *= 0.75
    spots = [(row, frame.left + (level + 0.5) * column, y(total)) for row, total, level in placed]
    boundary_x, boundary_y = frame.left + STRUCTURAL * column, y(median(totals))
    quadrants = _quadrants(frame)
    dots = _spread(spots, radius, column / 2 - radius - 2)
    blocked = [_quadrant_box(quadrant) for quadrant in quadrants]
    lines = [
        Box(boundary_x - 2, frame.top, boundary_x + 2, frame.bottom),
        Box(frame.left, boundary_y - 1, frame.right, boundary_y + 1),
    ]
    count = round((high - low) / step)
    return Matrix(
        frame=frame,
        dots=tuple(_labelled(dots, radius, frame, blocked, lines)),
        radius=radius,
        quadrants=quadrants,
        x_ticks=tuple(
            Tick(frame.left + (i + 0.5) * column, name) for i, name in enumerate(LEVEL_NAMES)
        ),
        y_ticks=tuple(
            Tick(y(low + i * step), number(low + i * step, 0 if step >= 1 else 1))
            for i in range(count + 1)
        ),
        boundary_x=boundary_x,
        boundary_y=boundary_y,
        median=median(totals),
    )


def _round_step(extent: float) -> float:
    steps = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
    return next((s for s in steps if extent / s <= 6), extent / 6)


def _quadrants(frame: PlotArea) -> tuple[Quadrant, ...]:
    return tuple(
        Quadrant(
            name,
            meaning,
            frame.right - 10 if edits else frame.left + 10,
            frame.top + 20 if good else frame.bottom - 26,
            "end" if edits else "start",
        )
        for name, meaning, good, edits in QUADRANTS
    )


def _quadrant_box(quadrant: Quadrant) -> Box:
    width = max(len(quadrant.meaning) * _LETTER, len(quadrant.name) * _LETTER * 1.4)
    left = quadrant.x - width if quadrant.anchor == "end" else quadrant.x
    return Box(left, quadrant.y - 16, left + width, quadrant.y + 20)


def _spread(
    spots: Sequence[tuple[LeaderboardRow, float, float]], radius: float, reach: float
) -> list[Dot]:
    """Dots moved sideways, at most by ``reach``, until they touch no other dot of their column."""
    dots: list[Dot] = []
    for row, middle, y in sorted(spots, key=lambda spot: (spot[1], spot[2], spot[0].deck)):
        near = []
        for dot in reversed(dots):
            if y - dot.y >= 2 * radius or abs(dot.x - middle) > reach + 2 * radius:
                break
            near.append(dot)
        dots.append(Dot(row, middle + _free_offset(near, middle, y, radius, reach), y))
    return dots


def _free_offset(near: list[Dot], middle: float, y: float, radius: float, reach: float) -> float:
    step = 2 * radius + 1
    for i in range(1 + 2 * int(reach // step)):
        offset = (i + 1) // 2 * step * (1 if i % 2 else -1)
        x = middle + offset
        if all((dot.x - x) ** 2 + (dot.y - y) ** 2 >= (2 * radius) ** 2 for dot in near):
            return offset
    return 0.0


def _labelled(
    dots: list[Dot], radius: float, frame: PlotArea, blocked: list[Box], lines: list[Box]
) -> list[Dot]:
    """Dots with a label wherever one fits without covering a dot, a label or a quadrant's name.

    The best decks come first. A label crosses one of ``lines`` only if no other place is free.
    """
    boxes = [*blocked, *(Box(d.x - radius, d.y - radius, d.x + radius, d.y + radius) for d in dots)]
    longest = 24 if frame is MATRIX_WIDE else 14
    inside = Box(frame.left, frame.top, frame.right, frame.bottom)
    room = _MOST_LABELS[frame]
    finished = []
    for dot in sorted(dots, key=lambda d: (d.y, d.row.deck)):
        label = shorten(clean(dot.row.name), longest)
        spot, leader = None, False
        if room:
            width = len(label) * _LETTER
            near = [box for box in boxes if box.top < dot.y + 40 and box.bottom > dot.y - 40]
            spot = _free_place(dot, width, radius, [*near, *lines], inside)
            spot = spot or _free_place(dot, width, radius, near, inside)
            near = [box for box in boxes if abs((box.top + box.bottom) / 2 - dot.y) < _REACH + 60]
            leader = spot is None
            spot = spot or _far_place(dot, width, radius, near, inside)
        if spot is None:
            finished.append(dot)
            continue
        box, anchor, x = spot
        room -= 1
        boxes.append(box)
        finished.append(Dot(dot.row, dot.x, dot.y, label, x, box.bottom - 4, anchor, leader))
    return finished


def _far_place(
    dot: Dot, width: float, radius: float, boxes: list[Box], inside: Box
) -> tuple[Box, str, float] | None:
    """The nearest free place within ``_REACH`` above or below, beside the dots of its column."""
    away = [_LINE * (step // 2 + 1) * (1 if step % 2 else -1) for step in range(2, _STEPS)]
    for across in (radius + _LEAD, radius + 3 * _LEAD):
        for down in away:
            for anchor, x in (("start", dot.x + across), ("end", dot.x - across)):
                left = x if anchor == "start" else x - width
                top = dot.y + down - _LINE / 2
                box = Box(left, top, left + width, top + _LINE)
                if box.intersection(inside) == box and not any(_overlap(box, b) for b in boxes):
                    return box, anchor, x
    return None


def _free_place(
    dot: Dot, width: float, radius: float, boxes: list[Box], inside: Box
) -> tuple[Box, str, float] | None:
    gap = radius + 4
    candidates = (
        ("start", dot.x + gap, dot.y),
        ("end", dot.x - gap, dot.y),
        ("middle", dot.x, dot.y - gap - _LINE / 2 + 2),
        ("middle", dot.x, dot.y + gap + _LINE / 2 - 2),
        ("start", dot.x + gap, dot.y - _LINE * 0.7),
        ("start", dot.x + gap, dot.y + _LINE * 0.7),
        ("end", dot.x - gap, dot.y - _LINE * 0.7),
        ("end", dot.x - gap, dot.y + _LINE * 0.7),
    )
    for anchor, x, y in candidates:
        left = {"start": x, "end": x - width, "middle": x - width / 2}[anchor]
        box = Box(left, y - _LINE / 2, left + width, y + _LINE / 2)
        if box.intersection(inside) == box and not any(_overlap(box, b) for b in boxes):
            return box, anchor, x
    return None


def _overlap(a: Box, b: Box) -> bool:
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


Trend = Literal["better", "worse", "same"]


@dataclass(frozen=True)
class ScoreChange:
    """A metric of a deck, or the mean over ``decks`` decks with its 95 % ``interval``."""

    deck: str
    metric: str
    label: str
    """The metric's name for people."""
    noise: float
    """The change up to which nothing is said, in the metric's units."""
    before: float
    after: float
    trend: Trend
    decks: int = 1
    interval: tuple[float, float] | None = None

    @property
    def change(self) -> float:
        """The later value minus the earlier one."""
        return self.after - self.before


@dataclass(frozen=True)
class RunComparison:
    """Comparison of decks with those of an earlier run."""

    earlier: str
    """The folder or file of the earlier run."""
    changes: tuple[ScoreChange, ...]
    """Every metric of every deck that both runs have, in the order of the decks."""
    means: tuple[ScoreChange, ...]
    """Of every metric, over all decks that both runs have."""
    new: tuple[str, ...]
    """Decks that the earlier run had not."""
    gone: tuple[str, ...]
    """Decks of the earlier run that are not in this one."""
    not_comparable: Mapping[str, str]
    """Metrics that cannot be compared, and why."""

    def beyond_noise(self) -> list[ScoreChange]:
        """The changes that count, worse ones first, the largest first in each."""
        order = {"worse": 0, "better": 1}
        changed = [change for change in self.changes if change.trend != "same"]
        return sorted(changed, key=lambda c: (order[c.trend], -abs(c.change) / c.noise))

    def as_json(self) -> dict[str, Any]:
        """Everything, as plain data."""
        return {
            "against": self.earlier,
            "changes": [_plain(change) for change in self.changes],
            "means": [_plain(mean) for mean in self.means],
            "new": list(self.new),
            "gone": list(self.gone),
            "not_comparable": dict(self.not_comparable),
        }


def _plain(c: ScoreChange) -> dict[str, Any]:
    return {
        "deck": c.deck or None, "metric": c.metric, "before": c.before, "after": c.after,
        "change": c.change, "trend": c.trend, "decks": c.decks,
        "interval": c.interval and list(c.interval), "noise": c.noise,
    }  # fmt: skip


COVER_BUDGET: Final = 3_000_000
"""Bytes of covers that an index page holds at most; our choice, so that 500 decks with covers
of 6 kB fit and the page opens at once."""


@dataclass(frozen=True)
class IndexEntry:
    """A row of the page. ``folder`` distinguishes decks of equal names; empty if not used."""

    row: LeaderboardRow
    folder: str
    findings_key: int


def write_index(
    path: str | Path,
    rows: Iterable[LeaderboardRow],
    *,
    generated_by: str = "decklab",
    against: RunComparison | None = None,
) -> None:
    """Write the leaderboard of ``rows`` to ``path``, whole or not at all.

    ``against`` is how they compare with an earlier run.

    Decks are sorted by quality; a line of inline script sorts by other columns. With
    two or more decks that have a total and a level, the page has the visual-editability matrix.
    Covers take up to COVER_BUDGET bytes in all, the best decks first, so that with more decks only
    the page's text grows.
    """
    ranking = ranked(_within_budget(rows))
    names = Counter(row.name for row in ranking)
    entries = [_entry(row, names[row.name] > 1) for row in ranking]
    scored = [entry for entry in entries if entry.row.status == "scored"]
    drawn = [entry.row for entry in scored]
    write_page(
        path,
        "index.html",
        "sort.js",
        package="decklab.scoring.reports",
        entries=scored,
        failed=[entry for entry in entries if entry.row.status == "failed"],
        columns=[
            ("quality.score", "Quality"),
            ("aesthetics.total", "Total"),
            *((metric, label) for metric, label, _ in PARTS),
        ],
        matrices=[m for m in (matrix(drawn, MATRIX_WIDE), matrix(drawn, MATRIX_NARROW)) if m],
        level_names=LEVEL_NAMES,
        slides=sum(row.slides for row in drawn),
        left_out=[row for row in drawn if row.total is None or row.level is None],
        covers=any(row.cover for row in drawn),
        generated_by=generated_by,
        against=against,
        pages={row.deck: row.page for row in ranking if row.page},
    )


def _within_budget(rows: Iterable[LeaderboardRow]) -> list[LeaderboardRow]:
    """All rows; those with the lowest totals lose their covers once the budget is spent."""
    shown: list[LeaderboardRow] = []
    with_cover: list[tuple[float, int]] = []
    spent = 0
    for index, row in enumerate(rows):
        shown.append(row)
        if row.cover is None:
            continue
        spent += len(row.cover.data)
        heappush(with_cover, (float("-inf") if row.total is None else row.total, index))
        while spent > COVER_BUDGET:
            _, lowest = heappop(with_cover)
            cover = shown[lowest].cover
            spent -= len(cover.data) if cover else 0
            shown[lowest] = replace(shown[lowest], cover=None)
    return shown


def _entry(row: LeaderboardRow, ambiguous: bool) -> IndexEntry:
    folder = row.deck.rstrip("/").removesuffix(row.name).rstrip("/") if ambiguous else ""
    errors, warnings, notes = (row.findings.get(s, 0) for s in ("error", "warning", "info"))
    return IndexEntry(
        row=row,
        folder=folder,
        findings_key=errors * 10**8 + min(warnings, 9999) * 10**4 + min(notes, 9999),
    )
