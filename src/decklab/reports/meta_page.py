"""The page of a meta-evaluation: rubric scores beside the levels that attempts are known to have.

Paper 001, tables 1 and 3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from decklab.reports.page import write_page
from decklab.results import NotScored

_WIDTH, _ROW, _LEFT, _RIGHT = 720, 64, 150, 24
_DOT = 4.5
"""The plot's measures in pixels: its width, a row's height, room at the sides, a dot's radius."""


@dataclass(frozen=True)
class LevelView:
    """One level: how many attempts, and how many of them got a score that fits it.

    ``paper`` is the accuracy that paper 001 reports, 0 to 1, or None.
    """

    name: str
    title: str
    expected: str
    attempts: int
    right: int
    not_scored: int
    mean: float | None
    paper: float | None = None

    @property
    def accuracy(self) -> float | None:
        """Share of the scored attempts that fit, 0 to 1; None without any."""
        scored = self.attempts - self.not_scored
        return self.right / scored if scored else None


@dataclass(frozen=True)
class AttemptView:
    """One attempt: its score from ``low`` to ``high``, which differ where it is open."""

    task: str
    goal: str
    difficulty: str
    level: str
    low: float
    high: float
    fits: bool
    page: str | None = None
    """Path of its own page, relative to this one."""

    @property
    def shown(self) -> str:
        """The score as a reader expects it."""
        if self.high - self.low > 1e-9:
            return f"{self.low:.2f} to {self.high:.2f}"
        return f"{self.low:.2f}"


@dataclass(frozen=True)
class _Dot:
    x: float
    y: float
    label: str
    fits: bool


def write_meta_page(
    path: str | Path,
    *,
    title: str,
    levels: Sequence[LevelView],
    attempts: Sequence[AttemptView],
    tau_b: float | NotScored,
    rho: float | NotScored,
    paper: Mapping[str, float],
    seconds: Mapping[str, float],
    generated_by: str = "decklab",
) -> None:
    """Write the page to ``path``, whole or not at all.

    ``attempts`` stand in the order of their tasks. ``paper`` gives the correlations of paper 001
    by the names ``tau_b`` and ``rho``; ``seconds`` the mean seconds a tree took by phase.
    """
    groups = [list(group) for _, group in groupby(attempts, key=lambda one: one.task)]
    by_task = [
        (group[0], {level.name: [one for one in group if one.level == level.name]
                    for level in levels})
        for group in groups
    ]  # fmt: skip
    parts = {name: spent for name, spent in seconds.items() if name != "total" and spent > 0}
    write_page(
        path,
        "meta.html",
        "open-for-print.js",
        page_title=title,
        levels=levels,
        tasks=by_task,
        tau_b=None if isinstance(tau_b, NotScored) else tau_b,
        rho=None if isinstance(rho, NotScored) else rho,
        undefined=[one.reason for one in (tau_b, rho) if isinstance(one, NotScored)][:1],
        paper=paper,
        parts=parts,
        total=seconds.get("total", sum(parts.values())),
        plot={"width": _WIDTH, "height": _ROW * len(levels) + 34, "left": _LEFT,
              "right": _WIDTH - _RIGHT, "row": _ROW},
        ticks=[(mark, _x(mark)) for mark in (0, 0.25, 0.5, 0.75, 1)],
        dots=_dots(levels, attempts),
        generated_by=generated_by,
    )  # fmt: skip


def _x(score: float) -> float:
    return _LEFT + score * (_WIDTH - _LEFT - _RIGHT)


def _dots(levels: Sequence[LevelView], attempts: Sequence[AttemptView]) -> list[_Dot]:
    """A dot an attempt with a known score; dots of one score stand around the row's middle."""
    found = []
    for row, level in enumerate(levels):
        mine = [one for one in attempts if one.level == level.name and one.high - one.low < 1e-9]
        piles: dict[int, list[AttemptView]] = {}
        for one in mine:
            piles.setdefault(round(_x(one.low) / (2 * _DOT)), []).append(one)
        for pile in piles.values():
            per_column = 5
            for place, one in enumerate(pile):
                column, up = divmod(place, per_column)
                height = min(per_column, len(pile) - column * per_column)
                y = row * _ROW + _ROW / 2 + (up - (height - 1) / 2) * 2.2 * _DOT
                shift = column * 2.2 * _DOT * (-1 if one.low > 0.9 else 1)
                label = f"{one.task}: {one.shown}"
                found.append(_Dot(_x(one.low) + shift, y, label, one.fits))
    return found
