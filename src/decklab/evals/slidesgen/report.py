"""The report of a run: a page with the tables and the matrix, a page for each system, and text."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from decklab.core.results import NotScored
from decklab.evals.ppteval.tasks import file_names
from decklab.evals.slidesgen.instructions import purpose_name
from decklab.evals.slidesgen.rows import SlidesgenRow, Thumbnail
from decklab.evals.slidesgen.tables import (
    PEI_GATES,
    DeckMean,
    MeansTable,
    aesthetics_table,
    content_table,
    editability_table,
    matrix_by_purpose,
    mean_of,
    purpose_table,
    purposes_of,
    summary_table,
    system_places,
    systems_of,
)
from decklab.pages.page import write_page
from decklab.pages.wording import LEVEL_MEANINGS, LEVEL_NAMES, clean_line, number
from decklab.scoring.reports.leaderboard_page import MATRIX_NARROW, MATRIX_WIDE, Matrix, matrix

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
