"""The tables of paper 002 over some decks: content (1), aesthetics (4, 16), editability (5), cost;
and the report of a run: a page with the tables, a page for each system, and text.

Every mean is over the decks that have the value and says how many of how many these are; systems
whose numbers of decks differ were not measured on the same topics.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, Final

from decklab.core.results import by_key
from decklab.evals.ppteval.tasks import file_names
from decklab.evals.results.board import leave_results
from decklab.evals.results.charts import QuadrantAxes, quadrant_chart, quadrant_lines
from decklab.evals.results.means import Observation
from decklab.evals.results.page import PageSection, ResultPage
from decklab.evals.results.tables import (
    ResultColumn,
    ResultTable,
    result_table,
    share_column,
    system_table,
)
from decklab.evals.results.text import table_lines
from decklab.evals.slidesgen.evaluation import DECK_MEASURES, SlidesgenRow, Thumbnail
from decklab.evals.slidesgen.instructions import PURPOSES, RICHNESS, purpose_name
from decklab.pages.page import write_page
from decklab.pages.wording import LEVEL_MEANINGS, LEVEL_NAMES, clean_line, counted
from decklab.scoring.against import packaged_reference
from decklab.scoring.reports.leaderboard_page import QUADRANTS, STRUCTURAL

LOOKS_PARTS: Final = ("usability", "engagement", "harmony", "rhythm")
"""The parts of aesthetics in the order of tables 4 and 16."""
PEI_GATES: Final = (1, 2, 3, 4, 5)
"""T1 to T5 of table 5: a deck passes Tk if it has reached level k (the knockout rule)."""
ALL_DECKS: Final = "all"
"""The group of every deck."""
_COST: Final[Mapping[str, Any]] = {"lower_better": True, "scale": (0.0, inf)}
_QUALITY, _LEVEL = (0.0, 100.0), (0.0, 5.0)
SUMMARY: Final = (
    share_column("content", "Content, %", "Share of questions about the sources that it answers"),
    ResultColumn("aesthetics", "Aesthetics", "The total of paper 002"),
    ResultColumn("quality", "Quality", "decklab's own score, 0 to 100", digits=1, scale=_QUALITY),
    ResultColumn("level", "Level", "Editability from L0 to L5", digits=1, scale=_LEVEL),
    ResultColumn("seconds", "s a deck", digits=1, **_COST),
    ResultColumn("tokens", "Tokens a deck", digits=0, **_COST),
    ResultColumn("dollars", "$ a deck", digits=4, **_COST),
)
_DIGITS: Final = {column.metric: column.digits for column in SUMMARY}


def observations(rows: Sequence[SlidesgenRow]) -> list[Observation]:
    """The measures of all decks, and the gates that they pass; decks that a system does not have
    count nowhere."""
    return [item for row in rows if not row.absent for item in _observed(row)]


def _observed(row: SlidesgenRow) -> Iterator[Observation]:
    groups = (ALL_DECKS, row.purpose, *filter(None, [row.richness]))
    values = {measure: row.value(measure) for measure in DECK_MEASURES}
    level = values["level"]
    for gate in PEI_GATES:
        values[f"T{gate}"] = float(level >= gate) if isinstance(level, int | float) else level
    for measure, value in values.items():
        yield Observation(row.system, row.topic, measure, value, groups)


def systems_of(rows: Sequence[SlidesgenRow]) -> list[str]:
    """The systems in the order in which they come."""
    return list(dict.fromkeys(row.system for row in rows))


def purposes_of(rows: Sequence[SlidesgenRow]) -> list[str]:
    """The purposes of some decks: those of table 1 in its order, then others by name."""
    purposes = {row.purpose for row in rows}
    return [*(name for name in PURPOSES if name in purposes), *sorted(purposes - PURPOSES.keys())]


def summary_table(rows: Sequence[SlidesgenRow], pages: Mapping[str, str]) -> ResultTable:
    """Each system in one row, with its place by quality."""
    lead = "A name leads to the decks of the system, with what each lost."
    return system_table(
        "summary", "Systems", observations(rows), SUMMARY, main="quality", pages=pages, lead=lead
    )


def content_table(rows: Sequence[SlidesgenRow]) -> ResultTable:
    """Table 1: QuizBank accuracy of each system by purpose and by richness, and over all decks.

    The last row is the mean of the systems' cells, as in the paper.
    """
    levels = {row.richness for row in rows}
    groups = {name: purpose_name(name) for name in purposes_of(rows)}
    groups |= {name: name.capitalize() for name in reversed(RICHNESS) if name in levels}
    groups[ALL_DECKS] = "All"
    columns = [share_column("content", words, group=name) for name, words in groups.items()]
    title = "Table 1: content by purpose and richness, % of questions answered rightly"
    table = system_table("table-1", title, observations(rows), columns)
    means = [
        Observation("Average", row.name, "content", cell.mean, (group,))
        for row in table.rows
        for group, cell in row.cells.items()
        if cell.of
    ]
    average = result_table("", "", {"Average": means}, columns, none="there are no systems")
    return replace(table, rows=(*table.rows, *average.rows))


def aesthetics_table(rows: Sequence[SlidesgenRow]) -> ResultTable:
    """Table 4: the parts of aesthetics and their total, with places by the total."""
    columns = [ResultColumn(name, name.capitalize()) for name in (*LOOKS_PARTS, "aesthetics")]
    title = "Table 4: aesthetics, on the pictures of the slides"
    return system_table("table-4", title, observations(rows), columns, main="aesthetics")


def editability_table(rows: Sequence[SlidesgenRow]) -> ResultTable:
    """Table 5: the share of a system's decks that pass each gate, and their mean level."""
    gates = [share_column(f"T{gate}", f"T{gate}, %", LEVEL_MEANINGS[gate]) for gate in PEI_GATES]
    level = ResultColumn("level", "Level", digits=1, scale=_LEVEL)
    title = "Table 5: editability, % of decks that pass each gate, and the mean level"
    lead = "A deck that fails a gate passes none above it."
    return system_table("table-5", title, observations(rows), [*gates, level], lead=lead)


def purpose_table(rows: Sequence[SlidesgenRow]) -> ResultTable:
    """Table 16: the parts of aesthetics over all systems' decks, by purpose. Decks about one topic
    count together where an interval is drawn."""
    columns = [ResultColumn(name, name.capitalize()) for name in LOOKS_PARTS]
    by_purpose = {purpose_name(purpose): observations([row for row in rows
                                                       if row.purpose == purpose])
                  for purpose in purposes_of(rows)}  # fmt: skip
    title = "Table 16: aesthetics by purpose, over all systems"
    return result_table("table-16", title, by_purpose, columns, head="Purpose")


def looks_table(rows: Sequence[SlidesgenRow]) -> ResultTable:
    """The total of aesthetics of each system by purpose, and over all decks."""
    names = {name: purpose_name(name) for name in purposes_of(rows)} | {ALL_DECKS: "All"}
    columns = [ResultColumn("aesthetics", words, group=name) for name, words in names.items()]
    return system_table("aesthetics", "Aesthetics by purpose", observations(rows), columns)


def quadrant_axes() -> QuadrantAxes:
    """The axes of figure 4: editable from L3 on (section 3.2), good-looking above the median of the
    decks that decklab's scores are compared with."""
    looks = packaged_reference().metrics["aesthetics.total"].values
    names = {(good, easy): name for name, _, good, easy in QUADRANTS}
    corners = names[True, True], names[True, False], names[False, False], names[False, True]
    middle = looks[len(looks) // 2]
    extent = (_LEVEL, (looks[0], looks[-1]))
    return QuadrantAxes("editability", "aesthetics", (float(STRUCTURAL), middle), extent, corners)


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

    @property
    def failed(self) -> str:
        """Why nothing is scored at all; empty if something is."""
        causes = missing_causes(self.rows)
        return "" if any(row.slides for row in self.rows) or not causes else causes[0][1]

    def tables(self) -> dict[str, ResultTable]:
        """The tables by their names in ``results.json``."""
        pages = {name: f"{_SYSTEMS}/{file}.html" for name, file in _files(self.rows).items()}
        return {
            "summary": summary_table(self.rows, pages),
            "table_1": content_table(self.rows),
            "table_4": aesthetics_table(self.rows),
            "table_5": editability_table(self.rows),
            "table_16": purpose_table(self.rows),
        }

    def to_json(self) -> dict[str, Any]:
        """Plain JSON: the tables, and every row without its pictures."""
        return {
            "title": self.title,
            "facts": dict(self.facts),
            "spent": self.spent,
            "ended": self.ended,
            "proxy": self.proxy,
            "unused": list(self.unused),
            **{name: table.to_json() for name, table in self.tables().items()},
            "decks": [row.to_json() for row in self.rows],
        }

    def lines(self) -> Iterator[str]:
        """The tables as text."""
        for name, table in self.tables().items():
            if name != "summary":
                yield f"\n{table.title}"
            yield from table_lines(table)
            if name == "summary":
                yield from (f"{words} {rest}" for words, rest in self.notices())
        if self.spent:
            yield f"\n{self.spent}"

    def notices(self) -> Iterator[tuple[str, str]]:
        """Facts that a reader must know before the numbers."""
        if self.proxy:
            yield "Content is a proxy:", _PROXY
        if self.uneven:
            yield "Systems have decks about different topics:", _UNEVEN

    def warnings(self) -> Iterator[str]:
        """Why models were asked no more, unscored measures and why, and decks of no topic."""
        if self.ended:
            yield clean_line(f"models were asked no more: {self.ended}")
        for name in self.unused:
            yield clean_line(f"{name}: no instruction has this topic")
        for words, reason in missing_causes(self.rows):
            yield clean_line(f"{words} not scored: {reason}")


_PROXY: Final = (
    "a program made or answered the questions. It sees whether the words and numbers of the "
    "sources are in a deck, not whether a reader would understand them."
)
_UNEVEN: Final = (
    "their means do not compare. Differences between systems are over the topics that both have."
)
_SYSTEMS: Final = "systems"
PICTURE_BUDGET: Final = 2_500_000
"""Characters of pictures that one page holds at most. Ours: a page of 3 MB opens at once."""
_STRIP: Final = 7
"""Most pictures of a system on the first page."""
_MEASURE_WORDS: Final = {"content": "content", "aesthetics": "aesthetics", "quality": "quality",
                         "level": "editability"}  # fmt: skip


def missing_causes(rows: Sequence[SlidesgenRow]) -> list[tuple[str, str]]:
    """Causes of missing scores: which measures of how many decks, and why; the most frequent
    first. Unknown costs are left out."""
    causes: Counter[tuple[str, str]] = Counter()
    for row in rows:
        words: dict[str, list[str]] = {}
        for measure in _MEASURE_WORDS.keys() & row.reasons.keys():
            words.setdefault(row.reasons[measure], []).append(_MEASURE_WORDS[measure])
        causes.update((", ".join(sorted(names)), reason) for reason, names in words.items())
    return [
        (f"{words} of {counted(count, 'deck')}", reason)
        for (words, reason), count in causes.most_common()
    ]


def write_slidesgen_report(folder: Path, run: SlidesgenRun) -> Path:
    """Write ``index.html``, the tables and a page for each system into ``folder``; the path of the
    first."""
    for name, file in _files(run.rows).items():
        own = [row for row in run.rows if row.system == name]
        write_page(
            folder / _SYSTEMS / f"{file}.html", "slidesgen-system.html", "open-for-print.js",
            package="decklab.evals.slidesgen", run=run, name=name, topics=len(own),
            there=sum(row.slides > 0 for row in own),
            decks=_within_budget([row for row in own if not row.absent]),
            absent=[row.title for row in own if row.absent], levels=LEVEL_NAMES, digits=_DIGITS,
            purpose_name=purpose_name,
        )  # fmt: skip
    tables = run.tables()
    spent = {"Spent": run.spent} if run.spent else {}
    stopped = [("Models were asked no more:", run.ended)] if run.ended else []
    page = ResultPage(
        "SlidesGen-Bench: systems that write decks",
        run.title,
        list(_sections(run, tables)),
        {**run.facts, **spent},
        notices=[*run.notices(), *stopped],
        causes=[(words.capitalize(), reason) for words, reason in missing_causes(run.rows)],
        units="topics",
    )
    return leave_results(
        folder,
        page,
        [*tables.values(), looks_table(run.rows)],
        title=f"SlidesGen-Bench, {run.title}",
        prompts=["decklab.evals.judges.quiz"],
        shared=["Judge", "Slides read from"],
    )


def _sections(run: SlidesgenRun, tables: Mapping[str, ResultTable]) -> Iterator[PageSection]:
    yield PageSection("Systems", tables=[tables["summary"]])
    by_system = by_key(run.rows, lambda row: row.system)
    budget = PICTURE_BUDGET // max(1, len(by_system))
    strips = {name: list(_strip(own, budget)) for name, own in by_system.items()}
    lead = "One slide of each deck in turn; the pages of systems show all."
    yield PageSection("Slides", lead, strips=strips)
    if len(by_system) > 1:
        yield _figure_4(run.rows)
    yield PageSection("Content", tables=[tables["table_1"]])
    several = len(purposes_of(run.rows)) > 1
    parted = [tables["table_16"], looks_table(run.rows)] if several else []
    yield PageSection("Aesthetics", tables=[tables["table_4"], *parted])
    yield PageSection("Editability", tables=[tables["table_5"]])
    if run.unused:
        yield PageSection("Decks of no topic", notes=run.unused)


def _figure_4(rows: Sequence[SlidesgenRow]) -> PageSection:
    """Figure 4: systems by level and aesthetics, over all decks."""
    axes, table = quadrant_axes(), summary_table(rows, {})
    points = {row.name: (row.cells["level"], row.cells["aesthetics"]) for row in table.rows}
    chart = quadrant_chart("All decks", axes, points)
    lead = (
        "Each dot is a system, its lines are 95% intervals (paper 002, figure 4). The dashed lines "
        f"stand at L{STRUCTURAL}, from which a deck counts as editable, and at an aesthetics of "
        f"{axes.divided[1]:.1f}, the median of {packaged_reference().decks} reference decks."
    )
    lines = list(quadrant_lines(axes, points))
    return PageSection("Looks and editability", lead, charts=[chart] if chart else [], notes=lines)


def _files(rows: Sequence[SlidesgenRow]) -> dict[str, str]:
    """The name of each system's page, without its ending."""
    return file_names(systems_of(rows))


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
