"""Summary of a data set: counts, distributions, and the decks that are far from all others."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

import duckdb

from decklab.core.options import Severity
from decklab.core.version import VERSION
from decklab.pages.page import check_page, output_page, write_page
from decklab.pages.wording import deck_name
from decklab.workbench.cluster.dataset import open_dataset
from decklab.workbench.corpus.select import corpus_tables, has_table, records

FAR: Final = 3.0
"""Interquartile ranges beyond the quartiles from which a deck is an outlier (J. Tukey, Exploratory
Data Analysis, 1977: "far out")."""
BINS: Final = 24
LEAST_DECKS: Final = 8
"""Decks from which on outliers are looked for. Ours: quartiles of fewer say little."""
MOST_SHOWN: Final = 12

FACTS: Final = {
    "slides": ("Slides", ""),
    "words / nullif(slides, 0)": ("Words a slide", ""),
    "pictures": ("Pictures", ""),
    "charts": ("Charts", ""),
    "tables": ("Tables", ""),
    "100.0 * titled / nullif(slides, 0)": ("Slides with a title", "%"),
    "100.0 * noted / nullif(slides, 0)": ("Slides with notes", "%"),
    "bytes / 1048576.0": ("Size", "MB"),
    "seconds": ("Time of the work", "s"),
}
"""Name and unit of each measure of ``decks``, by its expression."""
METRICS: Final = {
    "aesthetics.total": ("Aesthetics", "points"),
    "harmony.score": ("Harmony of colours", "points"),
    "engagement.score": ("Engagement", "points"),
    "usability.score": ("Usability", "points"),
    "rhythm.score": ("Rhythm", "points"),
    "editability.level": ("Editability", "level"),
}
GROUPS: Final = {
    "kind": "Kind of file",
    "language": "Language",
    "application": "Saved by",
    "theme": "Theme",
    "json_extract_string(about, '$.license')": "Licence, as the source says",
}


@dataclass(frozen=True)
class Outlier:
    """A deck that is far from all others in one measure."""

    deck: str
    value: float


@dataclass(frozen=True)
class Distribution:
    """How one measure is distributed over decks."""

    name: str
    unit: str
    decks: int
    least: float
    lower: float
    """The first quartile."""
    middle: float
    upper: float
    most: float
    bins: tuple[int, ...]
    """Decks in equal steps from ``low`` to ``high``; values beyond count in the last ones."""
    low: float
    high: float
    outliers: tuple[Outlier, ...] = ()
    """The farthest ones, the farthest first."""
    outlying: int = 0
    """How many decks are far out."""


@dataclass(frozen=True)
class CorpusGroup:
    """How many decks share each value of one fact, the most common first."""

    name: str
    values: tuple[tuple[str, int], ...]
    others: int
    """Decks with values that are not among these."""
    unknown: int


@dataclass(frozen=True)
class CorpusSummary:
    """Summary of a data set."""

    folder: str
    kind: str
    decks: int
    failed: int
    slides: int
    bytes: int
    seconds: float
    distributions: tuple[Distribution, ...]
    groups: tuple[CorpusGroup, ...]
    failures: tuple[tuple[str, int, str], ...]
    """Cause, decks, and one of them."""
    rules: tuple[tuple[str, tuple[str, ...], int], ...]
    """Rule of lint, its severities, worst first, and decks with it."""
    copies: int
    """Decks whose bytes another deck of the data set has too."""


def summary(folder: str | Path) -> CorpusSummary:
    """Summary of a data set; the tables are read from disk, never as a whole.

    Raises SourceError if there is no data set, or one without any deck.
    """
    with corpus_tables(folder) as tables:
        (totals,) = records(
            tables,
            "SELECT count(*) AS decks, count(*) FILTER (status = 'failed') AS failed, "
            "coalesce(sum(slides), 0)::BIGINT AS slides, coalesce(sum(bytes), 0)::BIGINT AS bytes, "
            "coalesce(sum(seconds), 0)::DOUBLE AS seconds, "
            "count(sha256) - count(DISTINCT sha256) AS copies FROM decks",
        )
        return CorpusSummary(
            folder=str(folder),
            kind=open_dataset(folder).kind,
            distributions=tuple(_distributions(tables, scored=has_table(folder, "measurements"))),
            groups=tuple(_groups(tables)),
            failures=tuple(_failures(tables)),
            rules=tuple(severities_of_rules(tables)) if has_table(folder, "findings") else (),
            **totals,
        )


def _distributions(tables: duckdb.DuckDBPyConnection, *, scored: bool) -> Iterator[Distribution]:
    if scored:
        for metric, (name, unit) in METRICS.items():
            source = (
                "SELECT deck, value FROM measurements "
                f"WHERE metric = '{metric}' AND slide IS NULL AND value IS NOT NULL"
            )
            yield from _distribution(tables, source, name, unit)
    for expression, (name, unit) in FACTS.items():
        source = (
            f"SELECT deck, ({expression})::DOUBLE AS value FROM decks "
            f"WHERE status = 'done' AND ({expression}) IS NOT NULL"
        )
        yield from _distribution(tables, source, name, unit)


def _distribution(
    tables: duckdb.DuckDBPyConnection, source: str, name: str, unit: str
) -> Iterator[Distribution]:
    (values,) = records(
        tables,
        "SELECT count(*) AS decks, min(value) AS least, quantile_cont(value, 0.25) AS lower, "
        "median(value) AS middle, quantile_cont(value, 0.75) AS upper, max(value) AS most, "
        f"quantile_cont(value, 0.99) AS high FROM ({source})",
    )
    if not values["decks"]:
        return
    low, high = values["least"], values.pop("high")
    low, high = (low, high) if high > low else (low - 0.5, low + 0.5)
    counts = dict.fromkeys(range(BINS), 0)
    for row in records(
        tables,
        f"SELECT least({BINS - 1}, greatest(0, floor((value - $1) / $2)))::INT AS bin, "
        f"count(*) AS decks FROM ({source}) GROUP BY bin",
        [low, (high - low) / BINS],
    ):
        counts[row["bin"]] = row["decks"]
    values |= _outliers(tables, source, values)
    yield Distribution(name, unit, bins=tuple(counts.values()), low=low, high=high, **values)


def _outliers(
    tables: duckdb.DuckDBPyConnection, source: str, outliers: dict[str, Any]
) -> dict[str, Any]:
    """Decks beyond the far fences; none if half of all decks have one value."""
    spread = outliers["upper"] - outliers["lower"]
    if outliers["decks"] < LEAST_DECKS or spread <= 0:
        return {}
    fences = [outliers["lower"] - FAR * spread, outliers["upper"] + FAR * spread]
    beyond = f"FROM ({source}) WHERE value < $1 OR value > $2"
    (total,) = records(tables, f"SELECT count(*) AS decks {beyond}", fences)
    far = records(
        tables,
        f"SELECT deck, value {beyond} ORDER BY abs(value - $3) DESC, deck LIMIT {MOST_SHOWN}",
        [*fences, outliers["middle"]],
    )
    return {
        "outliers": tuple(Outlier(row["deck"], row["value"]) for row in far),
        "outlying": total["decks"],
    }


def _groups(tables: duckdb.DuckDBPyConnection) -> Iterator[CorpusGroup]:
    for expression, name in GROUPS.items():
        rows = records(
            tables,
            f"SELECT nullif({expression}, '') AS value, count(*) AS decks FROM decks "
            "WHERE status = 'done' GROUP BY value ORDER BY decks DESC, value",
        )
        known = [(row["value"], row["decks"]) for row in rows if row["value"] is not None]
        unknown = sum(row["decks"] for row in rows if row["value"] is None)
        if known:
            others = sum(count for _, count in known[MOST_SHOWN:])
            yield CorpusGroup(name, tuple(known[:MOST_SHOWN]), others, unknown)


def _failures(tables: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, int, str]]:
    """Causes without the names of decks and numbers, so that one cause is one line."""
    for row in records(
        tables,
        "SELECT regexp_replace(replace(error, deck || ': ', ''), '[0-9]+', 'N', 'g') AS cause, "
        "count(*) AS decks, min(deck) AS example FROM decks WHERE status = 'failed' "
        f"GROUP BY cause ORDER BY decks DESC, cause LIMIT {MOST_SHOWN}",
    ):
        yield row["cause"], row["decks"], row["example"]


def severities_of_rules(
    tables: duckdb.DuckDBPyConnection,
) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Each rule of the table ``findings`` with its severities, worst first, and the number of decks
    with it."""
    for row in records(
        tables,
        "SELECT rule, list(DISTINCT severity) AS severities, count(DISTINCT deck) AS decks "
        "FROM findings GROUP BY rule ORDER BY decks DESC, rule "
        f"LIMIT {2 * MOST_SHOWN}",
    ):
        severities = tuple(sorted(row["severities"], key=get_args(Severity).index))
        yield row["rule"], severities, row["decks"]


def summary_lines(result: CorpusSummary) -> Iterator[str]:
    """The summary as text."""
    yield f"{result.folder}: {result.decks} decks, {result.slides} slides, {result.failed} failed"
    if result.copies:
        yield f"{result.copies} decks are copies of others, byte by byte"
    yield ""
    heads = ("decks", "least", "quarter", "median", "3/4", "most")
    yield f"{'':26}" + "".join(f"{head:>10}" for head in heads) + "  far"
    for facts in result.distributions:
        values = (facts.least, facts.lower, facts.middle, facts.upper, facts.most)
        cells = "".join(f"{value:>10.4g}" for value in values)
        label = f"{facts.name} ({facts.unit})" if facts.unit else facts.name
        yield f"{label[:25]:26}{facts.decks:>10}{cells}  {facts.outlying or ''}".rstrip()
    for group in result.groups:
        yield ""
        yield group.name
        yield from (f"  {count:>8}  {value}" for value, count in group.values)
        if group.others:
            yield f"  {group.others:>8}  others"
    if result.failures:
        yield ""
        yield "Failed"
        yield from (f"  {count:>8}  {cause}" for cause, count, _ in result.failures)
    if result.rules:
        yield ""
        yield "Findings, by decks"
        for rule, severities, count in result.rules:
            yield f"  {count:>8}  {rule} ({', '.join(severities)})"


_WIDTH = 300.0
_HEIGHT = 72.0


SUMMARY_PAGE = "corpus.html"
"""The template of the page."""


def check_summary_page(path: str | Path, *, force: bool = False) -> None:
    """Check that the page can be written; raises NameTaken if ``path`` is another file."""
    check_page(path, SUMMARY_PAGE, force=force)


def write_summary_page(path: str | Path, result: CorpusSummary) -> None:
    """Write the summary to ``path``, complete in itself, whole or not at all."""
    with output_page(path, SUMMARY_PAGE) as page:
        write = partial(write_page, package="decklab.workbench.corpus", found=result)
        cards, program = list(map(_card, result.distributions)), f"decklab {VERSION}"
        write(page, SUMMARY_PAGE, "open-for-print.js", cards=cards, generated_by=program)


def _card(facts: Distribution) -> dict[str, Any]:
    """A distribution as it is drawn, in units of the drawing; a bar with its words on hovering."""
    highest = max(facts.bins)
    step, wide = (facts.high - facts.low) / len(facts.bins), _WIDTH / len(facts.bins)
    bars = []
    for index, count in enumerate(facts.bins):
        start, height = facts.low + index * step, _HEIGHT * count / highest
        says = f"{start:.4g} to {facts.low + (index + 1) * step:.4g}: {count}"
        bar = {"x": index * wide, "y": _HEIGHT - height, "width": wide - 1, "height": height}
        bars += [{**bar, "says": says}] * bool(count)
    left, right = _across(facts, facts.lower), _across(facts, facts.upper)
    return {
        "of": facts, "bars": bars, "box": (left, max(1.5, right - left)),
        "middle": _across(facts, facts.middle),
        "far": [(item.deck, deck_name(item.deck), item.value) for item in facts.outliers],
    }  # fmt: skip


def _across(facts: Distribution, value: float) -> float:
    return _WIDTH * min(1.0, max(0.0, (value - facts.low) / (facts.high - facts.low)))
