"""Decks that were made elsewhere: a folder of decks for each system, or a table that names them."""

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.evals.slidesgen.instructions import InstructionError
from decklab.rendering.opening import DECK_SUFFIXES

_COLUMNS: Final = ("system", "topic", "deck")
_NUMBERS: Final = ("seconds", "dollars")


@dataclass(frozen=True)
class DeckEntry:
    """The deck of one system about one topic, and its cost if that is known."""

    system: str
    topic: str
    deck: Path | None
    """None if the system has no deck about the topic."""
    seconds: float | None = None
    dollars: float | None = None


@dataclass(frozen=True)
class FoundDecks:
    """An entry for every system and topic, systems by name, topics in their order."""

    entries: tuple[DeckEntry, ...]
    unused: tuple[str, ...] = ()
    """Decks that belong to no topic, by system and name."""


def find_system_decks(path: str | Path, topics: Sequence[str]) -> FoundDecks:
    """The decks of a folder with a folder for each system, ``SYSTEM/TOPIC.pptx``, or of a table.

    In a folder a deck may be of any kind that is read; a folder of pictures named for the topic is
    one too. A table is a CSV with the columns ``system``, ``topic``, ``deck`` and, if they are
    known, ``seconds`` and ``dollars``; its paths are relative to it. Raises InstructionError, in
    one line, if no system is there, two decks are for one topic, or a line of the table is
    wrong.
    """
    place = Path(path)
    if place.is_dir():
        found = _in_folder(place)
    elif place.is_file():
        found = _in_table(place)
    else:
        raise InstructionError(f"{place}: there is no such folder or table of decks")
    entries: dict[tuple[str, str], DeckEntry] = {}
    for entry in found:
        key = entry.system, entry.topic
        if key in entries:
            raise InstructionError(f"{place}: {entry.system} has two decks about {entry.topic}")
        entries[key] = entry
    systems = sorted({system for system, _ in entries}, key=str.casefold)
    if not systems:
        raise InstructionError(f"{place}: it has no decks: name them SYSTEM/TOPIC.pptx")
    listed = (
        entries.get((system, topic), DeckEntry(system, topic, None))
        for system in systems
        for topic in topics
    )
    unused = sorted(f"{system}/{topic}" for system, topic in entries if topic not in topics)
    return FoundDecks(tuple(listed), tuple(unused))


def _in_folder(folder: Path) -> Iterator[DeckEntry]:
    for system in sorted(_visible(folder)):
        if not system.is_dir():
            continue
        for deck in sorted(_visible(system)):
            if deck.is_dir():
                yield DeckEntry(system.name, deck.name, deck)
            elif deck.suffix.lower() in DECK_SUFFIXES:
                yield DeckEntry(system.name, deck.stem, deck)


def _visible(folder: Path) -> Iterable[Path]:
    return (path for path in folder.iterdir() if not path.name.startswith((".", "~$")))


def _in_table(table: Path) -> Iterator[DeckEntry]:
    try:
        with table.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InstructionError(f"{table}: it cannot be read as CSV: {error}") from error
    for line, row in enumerate(rows, start=2):
        missing = [name for name in _COLUMNS if not (row.get(name) or "").strip()]
        if missing:
            raise InstructionError(f"{table}:{line}: it has no {missing[0]}")
        numbers = {name: _number(row.get(name), f"{table}:{line}") for name in _NUMBERS}
        system, topic, deck = (row[name].strip() for name in _COLUMNS)
        yield DeckEntry(system, topic, table.parent / deck, **numbers)


def _number(text: str | None, place: str) -> float | None:
    if text is None or not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise InstructionError(f"{place}: {text.strip()!r} is no number from 0")
    return value
