"""The tables of paper 002 over some decks: content (1), aesthetics (4, 16), editability (5), cost;
and the report of a run: a page with the tables and the matrix, a page for each system, and text.

Every mean is over the decks that have the value and says how many of how many these are; systems
whose numbers of decks differ were not measured on the same topics.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import fmean, median_low
from typing import Any, Final

from decklab.core.results import NotScored, by_key, scored, scored_mean, value_or_none
from decklab.evals.ppteval.tasks import file_names
from decklab.evals.slidesgen.evaluation import LOWER_BETTER, SlidesgenRow, Thumbnail
from decklab.evals.slidesgen.instructions import PURPOSES, RICHNESS, purpose_name
from decklab.metrics.statistics import MeanOf
from decklab.pages.page import write_page
from decklab.pages.wording import LEVEL_MEANINGS, LEVEL_NAMES, clean_line, number
from decklab.scoring.reports.leaderboard_page import (
    MATRIX_NARROW,
    MATRIX_WIDE,
    LeaderboardRow,
    Matrix,
    matrix,
)

LOOKS_PARTS: Final = ("usability", "engagement", "harmony", "rhythm")
"""The parts of aesthetics in the order of tables 4 and 16."""
PEI_GATES: Final = (1, 2, 3, 4, 5)
"""T1 to T5 of table 5: a deck passes Tk if it has reached level k (the knockout rule)."""
ALL_DECKS: Final = "all"


class DeckMean(MeanOf):
    """A mean over decks, how many of them have the value, and of how many."""

    def shown(self, digits: int = 2, scale: float = 1.0) -> str:
        """The mean, an en dash if there is none, N/A if there are no decks.

        >>> DeckMean(0.7, 2, 2).shown(1, 100), DeckMean(NotScored("no text"), 0, 2).shown()
        ('70.0', '–')
        >>> DeckMean(NotScored("no decks"), 0, 0).shown()
        'N/A'
        """
        if isinstance(self.mean, NotScored):
            return "–" if self.of else "N/A"
        return number(self.mean * scale, digits) if self.mean else "0"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"mean": value_or_none(self.mean), "scored": self.scored, "of": self.of}


def mean_of(rows: Iterable[SlidesgenRow], measure: str) -> DeckMean:
    """The mean of a measure over decks; those that a system does not have do not count."""
    values = (row.value(measure) for row in rows if not row.absent)
    return DeckMean.over(values, "there are no decks")


def systems_of(rows: Iterable[SlidesgenRow]) -> list[str]:
    """The systems in the order in which they come."""
    return list(dict.fromkeys(row.system for row in rows))


def purposes_of(rows: Iterable[SlidesgenRow]) -> list[str]:
    """The purposes of some decks: those of table 1 in its order, then others by name."""
    purposes = {row.purpose for row in rows}
    return [*(name for name in PURPOSES if name in purposes), *sorted(purposes - PURPOSES.keys())]


@dataclass(frozen=True)
class TableRow:
    """A row of a table: its name and its cells by column."""

    name: str
    cells: Mapping[str, DeckMean]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"name": self.name, **{key: cell.to_json() for key, cell in self.cells.items()}}


@dataclass(frozen=True)
class MeansTable:
    """Rows with the same columns, which have a key and a heading."""

    columns: Mapping[str, str]
    rows: tuple[TableRow, ...]

    def best(self, column: str) -> float | None:
        """The best mean of a column, the least where less is better; None if none is known or
        all are equal."""
        known = {round(mean, 6) for mean in scored(row.cells[column].mean for row in self.rows)}
        if len(known) < 2:
            return None
        return min(known) if column in LOWER_BETTER else max(known)

    def is_best(self, column: str, cell: DeckMean) -> bool:
        """Whether a cell has the best mean of its column."""
        mean = cell.mean
        return not isinstance(mean, NotScored) and round(mean, 6) == self.best(column)

    def to_json(self) -> list[dict[str, Any]]:
        """Plain JSON."""
        return [row.to_json() for row in self.rows]


def _table(
    rows: Sequence[SlidesgenRow],
    columns: Mapping[str, str],
    cell: Callable[[Sequence[SlidesgenRow], str], DeckMean],
) -> MeansTable:
    """A row for each system."""
    by_system = by_key(rows, lambda row: row.system).items()
    made = [TableRow(name, {key: cell(own, key) for key in columns}) for name, own in by_system]
    return MeansTable(columns, tuple(made))


def _by_group(measure: str) -> Callable[[Sequence[SlidesgenRow], str], DeckMean]:
    """The mean of a measure over the decks of a purpose or a richness, or over all."""

    def cell(decks: Sequence[SlidesgenRow], key: str) -> DeckMean:
        kept = [deck for deck in decks if key in (ALL_DECKS, deck.purpose, deck.richness)]
        return mean_of(kept, measure)

    return cell


def content_table(rows: Sequence[SlidesgenRow]) -> MeansTable:
    """Table 1: QuizBank accuracy of each system by purpose and by richness, and over all decks.

    Cells are shares, 0 to 1. The last row is the mean of the systems' cells, as in the paper.
    """
    by_purpose = {group: purpose_name(group) for group in purposes_of(rows)}
    levels = {row.richness for row in rows}
    by_richness: dict[str, str] = {
        group: group.capitalize() for group in reversed(RICHNESS) if group in levels
    }
    columns = {**by_purpose, **by_richness, ALL_DECKS: "All"}
    table = _table(rows, columns, _by_group("content"))
    average = {key: _mean_cell(table, key) for key in columns}
    return MeansTable(columns, (*table.rows, TableRow("Average", average)))


def _mean_cell(table: MeansTable, column: str) -> DeckMean:
    means = [row.cells[column].mean for row in table.rows]
    known = scored(means)
    return DeckMean(scored_mean(known, "no system has the value"), len(known), len(means))


def aesthetics_table(rows: Sequence[SlidesgenRow]) -> MeansTable:
    """Table 4: the parts of aesthetics and their total, the system with the highest first."""
    columns = {name: name.capitalize() for name in (*LOOKS_PARTS, "aesthetics")}
    table = _table(rows, columns, mean_of)
    return MeansTable(columns, tuple(sorted(table.rows, key=_by("aesthetics"))))


def _by(column: str) -> Callable[[TableRow], tuple[float, str]]:
    def key(row: TableRow) -> tuple[float, str]:
        mean = value_or_none(row.cells[column].mean)
        return inf if mean is None else -mean, row.name

    return key


@dataclass(frozen=True)
class EditabilityRow:
    """A row of table 5: what share of a system's decks passes each gate, and its level."""

    system: str
    passed: Mapping[int, float]
    """Share of decks, 0 to 1, by gate; empty if no deck was judged."""
    level: int | NotScored
    """The lower median of the levels of its decks. Ours: the paper judges each system once."""
    scored: int
    of: int

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        gates = {f"T{gate}": share for gate, share in self.passed.items()}
        known = {"level": value_or_none(self.level), "scored": self.scored, "of": self.of}
        return {"name": self.system, **gates, **known}


def editability_table(rows: Sequence[SlidesgenRow]) -> list[EditabilityRow]:
    """Table 5, the most editable system first."""
    by_system = by_key(rows, lambda row: row.system)
    kept = [_editability(name, own) for name, own in by_system.items()]
    return sorted(kept, key=lambda row: (-_rank(row), row.system))


def _rank(row: EditabilityRow) -> float:
    return -1.0 if isinstance(row.level, NotScored) else row.level + sum(row.passed.values()) / 10


def _editability(system: str, rows: Sequence[SlidesgenRow]) -> EditabilityRow:
    levels = scored(row.value("level") for row in rows)
    of = sum(not row.absent for row in rows)
    if not levels:
        return EditabilityRow(system, {}, NotScored("no deck was judged"), 0, of)
    passed = {gate: fmean(level >= gate for level in levels) for gate in PEI_GATES}
    return EditabilityRow(system, passed, int(median_low(levels)), len(levels), of)


@dataclass(frozen=True)
class PurposeTable:
    """Table 16: the parts of aesthetics over all systems' decks, by purpose."""

    table: MeansTable
    counts: Mapping[str, int]
    """Decks of each purpose that were scored, by the name of its row."""


def purpose_table(rows: Sequence[SlidesgenRow]) -> PurposeTable:
    """Table 16."""
    columns = {name: name.capitalize() for name in LOOKS_PARTS}
    made = []
    for purpose in purposes_of(rows):
        decks = [row for row in rows if row.purpose == purpose]
        cells = {name: mean_of(decks, name) for name in columns}
        made.append(TableRow(purpose_name(purpose), cells))
    counts = {row.name: max(cell.scored for cell in row.cells.values()) for row in made}
    return PurposeTable(MeansTable(columns, tuple(made)), counts)


def matrix_by_purpose(rows: Sequence[SlidesgenRow], measure: str) -> MeansTable:
    """A measure of each system by purpose, and over all."""
    columns = {purpose: purpose_name(purpose) for purpose in purposes_of(rows)} | {ALL_DECKS: "All"}
    return _table(rows, columns, _by_group(measure))


SUMMARY_COLUMNS: Final[Mapping[str, str]] = {
    "content": "Content, %",
    "aesthetics": "Aesthetics",
    "quality": "Quality",
    "level": "Level",
    "seconds": "s a deck",
    "tokens": "Tokens a deck",
    "dollars": "$ a deck",
}
"""The columns of the summary and their headings."""


def summary_table(rows: Sequence[SlidesgenRow]) -> MeansTable:
    """Each system in one row, the highest quality first."""
    table = _table(rows, SUMMARY_COLUMNS, mean_of)
    return MeansTable(SUMMARY_COLUMNS, tuple(sorted(table.rows, key=_by("quality"))))


def in_order(rows: Sequence[SlidesgenRow]) -> list[SlidesgenRow]:
    """The rows by system, in the order of the summary; within a system as they come."""
    order = [row.name for row in summary_table(rows).rows]
    return sorted(rows, key=lambda row: order.index(row.system))


def system_places(
    rows: Sequence[SlidesgenRow], *, pages: Mapping[str, str], purpose: str | None = None
) -> list[LeaderboardRow]:
    """Each system's place in the matrix of looks and editability (figure 4): its mean aesthetics
    and its level, over all decks or those of one purpose; systems without either are left out."""
    kept = [row for row in rows if purpose in (None, row.purpose)]
    places = []
    for entry in editability_table(kept):
        looks = mean_of([row for row in kept if row.system == entry.system], "aesthetics").mean
        if isinstance(looks, NotScored) or isinstance(entry.level, NotScored):
            continue
        values = {"aesthetics.total": looks, "editability.level": float(entry.level)}
        name = entry.system.replace("/", "\u2215")  # a row is called by the last part of a path
        page = pages.get(entry.system)
        places.append(LeaderboardRow(name, "scored", values=values, page=page))
    return places


_PACKAGE = "decklab.evals.slidesgen"
_SYSTEMS: Final = "systems"
PICTURE_BUDGET: Final = 2_500_000
"""Characters of pictures that one page holds at most. Ours: a page of 3 MB opens at once."""
_STRIP: Final = 7
"""Most pictures of a system on the first page."""
_MEASURE_WORDS: Final = {
    "content": "content", "aesthetics": "aesthetics", "quality": "quality",
    "level": "editability", "seconds": "time", "tokens": "tokens", "dollars": "cost",
}  # fmt: skip
_SCALE: Final[Mapping[str, tuple[int, float]]] = {
    "content": (1, 100.0), "aesthetics": (2, 1.0), "quality": (1, 1.0), "level": (1, 1.0),
    "seconds": (1, 1.0), "tokens": (0, 1.0), "dollars": (4, 1.0),
}  # fmt: skip
"""Decimals and factor by which means are shown."""


@dataclass(frozen=True)
class SlidesgenRun:
    """The rows of a run, a system after the other, and the remarks on it."""

    title: str
    rows: tuple[SlidesgenRow, ...]
    facts: Mapping[str, str]
    spent: str = ""
    """Cost of the run's questions to models, in a sentence."""
    ended: str = ""
    """Why models were asked no more before all was done; empty if they were not stopped."""
    unused: tuple[str, ...] = ()
    """Decks that belong to no topic of the set."""

    @property
    def uneven(self) -> bool:
        """Whether systems have decks about different topics, so that means do not compare."""
        drawn = (
            frozenset(row.topic for row in self.rows if row.system == name and row.slides)
            for name in systems_of(self.rows)
        )
        return len(set(drawn)) > 1

    @property
    def proxy(self) -> bool:
        """Whether a program made or answered questions."""
        return any(row.proxy for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON: the tables, and every row without its pictures."""
        return {
            "title": self.title,
            "facts": dict(self.facts),
            "spent": self.spent,
            "ended": self.ended,
            "proxy": self.proxy,
            "unused": list(self.unused),
            "summary": summary_table(self.rows).to_json(),
            "table_1": content_table(self.rows).to_json(),
            "table_4": aesthetics_table(self.rows).to_json(),
            "table_5": [row.to_json() for row in editability_table(self.rows)],
            "table_16": purpose_table(self.rows).table.to_json(),
            "decks": [row.to_json() for row in self.rows],
        }

    def lines(self) -> Iterator[str]:
        """The summary and the tables as text."""
        yield from _as_lines("System", summary_table(self.rows), _SCALE)
        if self.proxy:
            yield "Content is a proxy: a program made or answered the questions."
        if self.uneven:
            yield "Systems have decks about different topics: their means do not compare."
        yield "\nTable 1: content by purpose and richness, % of questions answered rightly"
        table = content_table(self.rows)
        yield from _as_lines("System", table, dict.fromkeys(table.columns, (1, 100.0)))
        yield "\nTable 4: aesthetics"
        yield from _as_lines("System", aesthetics_table(self.rows), {})
        yield "\nTable 5: editability, % of decks that pass each gate, and the level"
        heads = "".join(f"{f'T{gate}':>8}" for gate in PEI_GATES)
        yield f"{'System':<24}{heads}{'Level':>8}"
        for row in editability_table(self.rows):
            shares = "".join(_percent(row.passed.get(gate)) for gate in PEI_GATES)
            level = "–" if isinstance(row.level, NotScored) else f"L{row.level}"
            yield f"{_cut(row.system):<24}{shares}{level:>8}"
        yield "\nTable 16: aesthetics by purpose, over all systems"
        yield from _as_lines("Purpose", purpose_table(self.rows).table, {})
        if self.spent:
            yield f"\n{self.spent}"

    def warnings(self) -> Iterator[str]:
        """Why models were asked no more, unscored measures and why, and decks of no topic."""
        if self.ended:
            yield clean_line(f"models were asked no more: {self.ended}")
        for name in self.unused:
            yield clean_line(f"{name}: no instruction has this topic")
        for words, reason, count in missing_causes(self.rows):
            yield clean_line(f"{words} of {count} not scored: {reason}")


def _percent(share: float | None) -> str:
    return f"{'–' if share is None else number(100 * share, 0):>8}"


def _cut(name: str) -> str:
    name = clean_line(name)
    return name if len(name) < 24 else f"{name[:22]}…"


def _as_lines(
    head: str, table: MeansTable, scale: Mapping[str, tuple[int, float]]
) -> Iterator[str]:
    widths = {key: max(9, len(words) + 2) for key, words in table.columns.items()}
    heads = "".join(f"{words:>{widths[key]}}" for key, words in table.columns.items())
    yield f"{head:<24}{heads}"
    for row in table.rows:
        cells = "".join(
            f"{cell.shown(*scale.get(key, (2, 1.0))):>{widths[key]}}"
            for key, cell in row.cells.items()
        )
        yield f"{_cut(row.name):<24}{cells}"


def missing_causes(rows: Sequence[SlidesgenRow]) -> list[tuple[str, str, str]]:
    """Causes of missing scores: which measures, why, and of how many decks; the most frequent
    first. Unknown costs are left out."""
    causes: Counter[tuple[str, str]] = Counter()
    for row in rows:
        by_reason: dict[str, list[str]] = {}
        for measure in ("content", "aesthetics", "quality", "level"):
            if measure in row.reasons:
                by_reason.setdefault(row.reasons[measure], []).append(_MEASURE_WORDS[measure])
        causes.update((", ".join(names), reason) for reason, names in by_reason.items())
    return [
        (words, reason, f"{count} deck{'' if count == 1 else 's'}")
        for (words, reason), count in causes.most_common()
    ]


@dataclass(frozen=True)
class SystemView:
    """One system as the pages show it."""

    name: str
    page: str
    """Path of its own page, relative to the report."""
    rows: tuple[SlidesgenRow, ...]
    cells: Mapping[str, DeckMean]
    strip: tuple[Thumbnail, ...]
    """Some of its slides."""

    @property
    def there(self) -> int:
        """How many decks it has."""
        return sum(row.slides > 0 for row in self.rows)


def write_slidesgen_report(folder: Path, run: SlidesgenRun) -> Path:
    """Write ``index.html`` and a page for each system into ``folder``; the path of the first."""
    systems = _systems(run.rows)
    for system in systems:
        there = [row for row in system.rows if not row.absent]
        write_page(
            folder / system.page, "slidesgen-system.html", "open-for-print.js", package=_PACKAGE,
            run=run, system=system, decks=_within_budget(there),
            absent=[row.title for row in system.rows if row.absent], levels=LEVEL_NAMES,
            scale=_SCALE, purpose_name=purpose_name,
        )  # fmt: skip
    path = folder / "index.html"
    pages = {system.name: system.page for system in systems}
    write_page(
        path, "slidesgen.html", "sort.js", package=_PACKAGE,
        run=run, systems=systems, summary=summary_table(run.rows), scale=_SCALE,
        by_name={system.name: system for system in systems},
        content=content_table(run.rows), aesthetics=aesthetics_table(run.rows),
        editability=editability_table(run.rows), purposes=purpose_table(run.rows),
        looks=matrix_by_purpose(run.rows, "aesthetics"),
        maps=_maps(run.rows, pages), small=list(_small_maps(run.rows, pages)), gates=PEI_GATES,
        levels=LEVEL_NAMES, meanings=LEVEL_MEANINGS, unscored=missing_causes(run.rows),
    )  # fmt: skip
    return path


def _systems(rows: Sequence[SlidesgenRow]) -> list[SystemView]:
    names = file_names(systems_of(rows))
    budget = PICTURE_BUDGET // max(1, len(names))
    systems = []
    for name, file in names.items():
        own = tuple(row for row in rows if row.system == name)
        cells = {measure: mean_of(own, measure) for measure in _SCALE}
        strip = tuple(_strip(own, budget))
        systems.append(SystemView(name, f"{_SYSTEMS}/{file}.html", own, cells, strip))
    return systems


def _strip(rows: Sequence[SlidesgenRow], budget: int) -> Iterator[Thumbnail]:
    """Some slides of a system: of each deck in turn the next one, so that not all are titles."""
    drawn = [row.pictures for row in rows if row.pictures]
    for index in range(min(_STRIP, sum(map(len, drawn)))):
        pictures = drawn[index % len(drawn)]
        picture = pictures[index % len(pictures)]
        budget -= len(picture.uri)
        if budget < 0:
            return
        yield picture


def _within_budget(rows: Sequence[SlidesgenRow]) -> list[SlidesgenRow]:
    """The rows with as many pictures as their share of a page allows."""
    share = PICTURE_BUDGET // max(1, len(rows))
    return [row.model_copy(update={"pictures": _first(row.pictures, share)}) for row in rows]


def _first(pictures: Sequence[Thumbnail], characters: int) -> tuple[Thumbnail, ...]:
    kept: list[Thumbnail] = []
    for picture in pictures:
        characters -= len(picture.uri)
        if characters < 0:
            break
        kept.append(picture)
    return tuple(kept)


def _maps(rows: Sequence[SlidesgenRow], pages: Mapping[str, str]) -> list[Matrix]:
    """The matrix of all systems, wide and narrow; none for fewer than two systems."""
    places = system_places(rows, pages=pages)
    return [grid for grid in (matrix(places, MATRIX_WIDE), matrix(places, MATRIX_NARROW)) if grid]


def _small_maps(
    rows: Sequence[SlidesgenRow], pages: Mapping[str, str]
) -> Iterator[tuple[str, Matrix]]:
    """A narrow matrix for each purpose that has decks of two systems, if there are several."""
    purposes = purposes_of(rows)
    for purpose in purposes if len(purposes) > 1 else ():
        drawn = matrix(system_places(rows, pages=pages, purpose=purpose), MATRIX_NARROW)
        if drawn is not None:
            yield purpose_name(purpose), drawn
