"""Results for a terminal and for spreadsheets."""

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.reports.labels import PARTS
from decklab.reports.leaderboard import LeaderboardRow, ranked
from decklab.reports.wording import clean, counted, number, shorten
from decklab.results import DeckResult

CSV_COLUMNS: Final = (
    "deck", "metric", "slide", "value", "unit", "direction", "status", "reason", "version",
)  # fmt: skip

_SHORT_SEVERITY: Final = {"error": "err", "warning": "warn", "info": "note"}
_FULL_HEADINGS: Final = 100  # Columns of a terminal from which headings are written out.


def print_table(rows: Iterable[LeaderboardRow], console: Console) -> None:
    """Print the leaderboard to ``console``, in its width.

    The best total comes first. Failed decks and the reasons for missing totals follow beneath, a
    line each, however long: a reason that is cut into pieces cannot be searched for. Nothing in a
    deck's name or error can style or steer the terminal.
    """
    for part in _parts(rows, console.width):
        console.print(part, soft_wrap=isinstance(part, Text))


def _parts(rows: Iterable[LeaderboardRow], width: int) -> list[Table | Text]:
    ordered = ranked(replace(row, cover=None) for row in rows)
    scored = [row for row in ordered if row.status == "scored"]
    failed = [row for row in ordered if row.status == "failed"]
    parts: list[Table | Text] = []
    if scored:
        parts.append(_table(scored, width))
    notes = [_note(row.name, row.reasons[metric], width) for row in scored
             for metric in ("aesthetics.total", "editability.level")
             if metric in row.reasons]  # fmt: skip
    if notes:
        parts += [Text("\nnot scored:", style="bold"), *notes]
    if failed:
        gap = "\n" if parts else ""
        parts.append(
            Text(f"{gap}{counted(len(failed), 'deck')} could not be scored:", style="bold")
        )
        parts += [Text(f"  {clean(row.error or row.deck)}") for row in failed]
    return parts or [Text("no decks")]


def _table(rows: list[LeaderboardRow], width: int) -> Table:
    full = width >= _FULL_HEADINGS
    headings = [label.lower() if full else _short(label) for _, label, _ in PARTS]
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
    table.add_column("deck", no_wrap=True)
    for heading in ("slides", "total", *headings, "level", "findings"):
        table.add_column(heading, justify="right", no_wrap=True)
    metrics = ("aesthetics.total", *(metric for metric, _, _ in PARTS))
    findings = [row.worst_label if full else _short_worst(row) for row in rows]
    numbers = (len(heading) for heading in ("slides", "total", *headings, "level"))
    room = width - sum(max(n, 5) + 1 for n in numbers) - max(8, *map(len, findings)) - 1
    names = Counter(row.name for row in rows)
    for row, found in zip(rows, findings, strict=True):
        name = row.name if names[row.name] == 1 else row.deck
        table.add_row(
            Text(shorten(clean(name), max(12, room))),
            str(row.slides),
            *(_cell(row.values.get(metric)) for metric in metrics),
            "–" if row.level is None else f"L{row.level}",
            Text(found),
        )
    return table


def _short(label: str) -> str:
    return label.lower() if len(label) <= 6 else f"{label[:5].lower()}."


def _short_worst(row: LeaderboardRow) -> str:
    if row.worst is None:
        return "none"
    severity, count = row.worst
    return f"{count} {_SHORT_SEVERITY[severity]}"


def _cell(value: float | None) -> str:
    return "–" if value is None else number(value)


def _note(name: str, reason: str, width: int) -> Text:
    return Text(f"  {shorten(clean(name), max(12, width // 2))}: {clean(reason)}")


def print_csv(results: Iterable[DeckResult], stream: TextIO) -> None:
    """Write one line per measurement, with CSV_COLUMNS as header; a deck without any gets one line.

    That line has no metric; its status is the deck's and its reason the error. ``slide`` is empty
    for the deck as a whole, ``value`` where it was not scored. Text is cleaned of control
    characters. A file is to be opened with ``newline=""``.
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
