"""Preferences printed, and written as CSV."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.core.files import write_output
from decklab.core.results import NotScored
from decklab.evals.judges.preference.arena import ArenaResult
from decklab.evals.judges.preference.prefer import Preference
from decklab.pages.wording import clean


def write_preference_scores(path: str | Path, found: Preference, *, force: bool = False) -> None:
    """Write the scores as CSV, a row each as in ``records``; ``decklab agree`` reads it.

    Raises NameTaken where the file exists; with ``force`` a copy of it is kept beside it.
    """
    stream = io.StringIO()
    names = ("deck", "metric", "value", "direction", "reason")
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {key: clean(cell) if isinstance(cell, str) else cell for key, cell in row.items()}
        for row in found.records()
    )
    write_output(path, stream.getvalue().encode("utf-8", "replace"), force=force)


def print_preference(found: Preference, console: Console) -> None:
    """Print the decks with their scores, how steady the model was, and what could not be had."""
    for part in _printed(found):
        console.print(part, soft_wrap=isinstance(part, Text))


def _printed(found: Preference) -> Iterator[Table | Text]:
    if found.arena is not None:
        yield from _printed_arena(found.arena)
    for first in ("rating", "ppteval"):
        rows = [one for one in found.ratings if first in one.scores]
        if rows:
            table = _table("deck", *rows[0].scores)
            for row in sorted(rows, key=lambda one: -_number(one.scores[first])):
                cells = [
                    "–" if isinstance(score, NotScored) else f"{score:.2f}"
                    for score in row.scores.values()
                ]
                table.add_row(Text(clean(row.name)), *cells)
            yield table
    for line in found.not_scored:
        yield Text(f"not scored: {clean(line)}")
    for line in found.notes:
        yield Text(f"note: {clean(line)}")


def _number(score: float | NotScored) -> float:
    return -1.0 if isinstance(score, NotScored) else score


def _printed_arena(arena: ArenaResult) -> Iterator[Table | Text]:
    if isinstance(arena.strengths, NotScored):
        yield Text(f"arena: {arena.strengths}")
        return
    table = _table("deck", "Bradley-Terry", "95%", "Elo", "won", "lost", "tied")
    for one in arena.strengths:
        interval = (
            "–"
            if isinstance(one.interval, NotScored)
            else f"{one.interval[0]:.0f} to {one.interval[1]:.0f}"
        )
        table.add_row(
            Text(clean(one.name)), f"{one.rating:.0f}", interval, f"{one.elo:.0f}",
            str(one.won), str(one.lost), str(one.tied),
        )  # fmt: skip
    yield table
    told = [f"the two orders disagree in {_share(arena.flicker)} of {len(arena.judged)} meetings"]
    told.append(f"what stands first is preferred in {_share(arena.first_place)} of the decisions")
    if not isinstance(arena.repeat_flicker, NotScored):
        told.append(f"repeats differ for {_share(arena.repeat_flicker)} of the pairs")
    if arena.known.words:
        told.append(arena.known.words)
    yield Text("; ".join(told))


def _share(value: float | NotScored) -> str:
    return "none" if isinstance(value, NotScored) else f"{value:.0%}"


def _table(first: str, *headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
    table.add_column(first)
    for heading in headings:
        table.add_column(heading.replace("_", " "), justify="right")
    return table
