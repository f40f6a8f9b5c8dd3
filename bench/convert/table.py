"""The results of the converters as a Markdown table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from bench.convert.measuring import Measures


@dataclass(frozen=True)
class Row:
    """One deck by one converter; ``measures`` is None if there is no deck."""

    deck: str
    converter: str
    measures: Measures | None = None
    level: float | None = None
    """The editability level, 0 to 5."""
    seconds: float = 0.0
    remark: str = ""


_COLUMNS: Final[dict[str, Callable[[Measures], float | None]]] = {
    "words": lambda row: 100 * row.words,
    "baselines": lambda row: _percent(row.baselines),
    "median px": lambda row: row.baseline_px,
    "ink": lambda row: _percent(row.ink),
    "lines": lambda row: _percent(row.lines),
    "more": lambda row: float(row.more_lines),
    "picture": lambda row: row.picture,
    "native": lambda row: 100 * row.native,
    "titles": lambda row: _percent(row.titles),
}
_DIGITS: Final = {"median px": 1, "picture": 3}
HEAD: Final = ("deck", "converter", "slides", *_COLUMNS, "level", "seconds")


def markdown(rows: Sequence[Row]) -> str:
    """A row for each deck and converter, and the means of each converter over its decks."""
    lines = [_line(HEAD), "|" + " --- |" * len(HEAD), *(_line(_cells(row)) for row in rows)]
    lines += map(_line, _means(rows))
    refused = [f"- {row.deck}, {row.converter}: {row.remark}" for row in rows if row.remark]
    return "\n".join([*lines, "", *refused]) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: Row) -> list[str]:
    if row.measures is None:
        return [row.deck, row.converter, *["–"] * (len(HEAD) - 2)]
    some = row.measures
    values = [_number(name, pick(some)) for name, pick in _COLUMNS.items()]
    slides = f"{some.converted}/{some.slides}"
    level = _number("level", row.level)
    return [row.deck, row.converter, slides, *values, level, f"{row.seconds:.1f}"]


def _means(rows: Sequence[Row]) -> Iterator[list[str]]:
    for name in dict.fromkeys(row.converter for row in rows):
        own = [row for row in rows if row.converter == name]
        pairs = [(row, row.measures) for row in own if row.measures is not None]
        if not pairs:
            continue
        measured = [some for _, some in pairs]
        equal = sum(some.converted == some.slides for some in measured)
        values = [_number(column, _mean([pick(some) for some in measured]))
                  for column, pick in _COLUMNS.items()]  # fmt: skip
        level = _number("median px", _mean([row.level for row, _ in pairs]))
        seconds = fmean(row.seconds for row, _ in pairs)
        yield [
            f"**mean of {len(pairs)} of {len(own)}**", name, f"{equal} equal", *values, level,
            f"{seconds:.1f}",
        ]  # fmt: skip


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _number(column: str, value: float | None) -> str:
    return "–" if value is None else f"{value:.{_DIGITS.get(column, 0)}f}"


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
