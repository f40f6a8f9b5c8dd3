"""Results for a terminal and for spreadsheets."""

import csv
from collections.abc import Iterable
from typing import Final, TextIO

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from decklab.reports.labels import PARTS
from decklab.reports.leaderboard import LeaderboardRow, ranked
from decklab.reports.wording import clean, counted, number, shorten
from decklab.results import DeckResult

__all__ = ["CSV_COLUMNS", "score_table", "write_csv"]

CSV_COLUMNS: Final = (
    "deck", "metric", "slide", "value", "unit", "direction", "status", "reason", "version",
)  # fmt: skip

_FULL_HEADINGS: Final = 100  # Columns of a terminal from which headings are written out.


def score_table(rows: Iterable[LeaderboardRow], *, width: int = 80) -> RenderableType:
    """The leaderboard for a terminal of ``width`` columns; print it with a rich console.

    The best total comes first. Failed decks and the reasons for missing totals follow beneath.
    Nothing in a deck's name or error can style or steer the terminal.
    """
    ordered = ranked(rows)
    scored = [row for row in ordered if row.status == "scored"]
    failed = [row for row in ordered if row.status == "failed"]
    parts: list[RenderableType] = []
    if scored:
        parts.append(_table(scored, width))
    notes = [_note(row.name, row.reasons[metric], width) for row in scored
             for metric in ("aesthetics.total", "editability.level")
             if metric in row.reasons]  # fmt: skip
    if notes:
        parts += [Text("\nnot scored:", style="bold"), *notes]
    if failed:
        parts.append(Text(f"\n{counted(len(failed), 'deck')} could not be read:", style="bold"))
        parts += [Text(f"  {clean(row.error or row.deck)}") for row in failed]
    return Group(*(parts or [Text("no decks")]))


def _table(rows: list[LeaderboardRow], width: int) -> Table:
    full = width >= _FULL_HEADINGS
    headings = [label.lower() if full else _short(label) for _, label, _ in PARTS]
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("deck", no_wrap=True)
    for heading in ("slides", "total", *headings, "level", "findings"):
        table.add_column(heading, justify="right", no_wrap=True)
    metrics = ("aesthetics.total", *(metric for metric, _, _ in PARTS))
    room = width - sum(len(h) + 2 for h in ("slides", "total", *headings, "level")) - 14
    for row in rows:
        table.add_row(
            Text(shorten(clean(row.name), max(12, room))),
            str(row.slides),
            *(_cell(row.values.get(metric)) for metric in metrics),
            "–" if row.level is None else f"L{row.level}",
            Text(row.worst_label),
        )
    return table


def _short(label: str) -> str:
    return label.lower() if len(label) <= 6 else f"{label[:5].lower()}."


def _cell(value: float | None) -> str:
    return "–" if value is None else number(value)


def _note(name: str, reason: str, width: int) -> Text:
    return Text(f"  {shorten(clean(name), max(12, width // 2))}: {clean(reason)}")


def write_csv(stream: TextIO, results: Iterable[DeckResult]) -> None:
    """One line per measurement, with CSV_COLUMNS as header; a deck without any gets one line.

    That line has no metric; its status is the deck's and its reason the error. ``slide`` is empty
    for the deck as a whole, ``value`` where it was not scored. Text is cleaned of control
    characters. Open the stream with ``newline=""``.
    """
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for result in results:
        deck = clean(result.deck)
        for row in result.measurements:
            slide = "" if row.slide is None else row.slide
            value = "" if row.value is None else repr(row.value)
            texts = row.unit, row.direction, row.status, row.reason or "", row.version
            writer.writerow([deck, clean(row.metric), slide, value, *map(clean, texts)])
        if not result.measurements:
            error = clean(result.error or "")
            writer.writerow([deck, "", "", "", "", "", result.status, error, ""])
