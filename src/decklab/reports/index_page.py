"""The leaderboard of all decks: one page, with a map of them where there are several."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from pathlib import Path
from typing import Final

from decklab.reports.labels import LEVEL_NAMES, PARTS
from decklab.reports.leaderboard import LeaderboardRow, ranked
from decklab.reports.matrix import MATRIX_NARROW, MATRIX_WIDE, matrix
from decklab.reports.page import write_page

COVER_BUDGET: Final = 3_000_000
"""Bytes of covers that an index page carries at most; our choice, so that 500 decks with covers
of 6 kB fit and the page opens at once."""


@dataclass(frozen=True)
class IndexEntry:
    """A row of the page. ``folder`` tells decks of one name apart; empty where not needed."""

    row: LeaderboardRow
    folder: str
    findings_key: int


def write_index(
    path: str | Path, rows: Iterable[LeaderboardRow], *, generated_by: str = "decklab"
) -> None:
    """Write the leaderboard of ``rows`` to ``path``, whole or not at all.

    Decks are sorted by ``aesthetics.total``; a line of inline script sorts by other columns. With
    two or more decks that have a total and a level, the visual-editability matrix comes along.
    Covers are kept up to COVER_BUDGET bytes in all, those of the best decks first, so neither
    memory for pictures nor the page grows with the number of decks beyond its text.
    """
    kept = ranked(_within_budget(rows))
    names = Counter(row.name for row in kept)
    entries = [_entry(row, names[row.name] > 1) for row in kept]
    scored = [entry for entry in entries if entry.row.status == "scored"]
    drawn = [entry.row for entry in scored]
    write_page(
        path,
        "index.html",
        "sort.js",
        entries=scored,
        failed=[entry for entry in entries if entry.row.status == "failed"],
        columns=[("aesthetics.total", "Total"), *((metric, label) for metric, label, _ in PARTS)],
        matrices=[m for m in (matrix(drawn, MATRIX_WIDE), matrix(drawn, MATRIX_NARROW)) if m],
        level_names=LEVEL_NAMES,
        slides=sum(row.slides for row in drawn),
        left_out=[row for row in drawn if row.total is None or row.level is None],
        covers=any(row.cover for row in drawn),
        generated_by=generated_by,
    )


def _within_budget(rows: Iterable[LeaderboardRow]) -> list[LeaderboardRow]:
    """All rows, with the covers of the lowest totals taken off once the budget is spent."""
    kept: list[LeaderboardRow] = []
    with_cover: list[tuple[float, int]] = []
    spent = 0
    for place, row in enumerate(rows):
        kept.append(row)
        if row.cover is None:
            continue
        spent += len(row.cover.data)
        heappush(with_cover, (float("-inf") if row.total is None else row.total, place))
        while spent > COVER_BUDGET:
            _, lowest = heappop(with_cover)
            cover = kept[lowest].cover
            spent -= len(cover.data) if cover else 0
            kept[lowest] = replace(kept[lowest], cover=None)
    return kept


def _entry(row: LeaderboardRow, ambiguous: bool) -> IndexEntry:
    folder = ""
    if ambiguous:
        folder = row.deck.rstrip("/").removesuffix(row.name).rstrip("/")
    errors, warnings, notes = (row.findings.get(s, 0) for s in ("error", "warning", "info"))
    return IndexEntry(
        row=row,
        folder=folder,
        findings_key=errors * 10**8 + min(warnings, 9999) * 10**4 + min(notes, 9999),
    )
