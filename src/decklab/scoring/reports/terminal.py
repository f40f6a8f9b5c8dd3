"""Results for a terminal: the leaderboard as a table, and findings rule by rule."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from decklab.core.options import Severity
from decklab.core.results import Finding
from decklab.pages.page import plain_table
from decklab.pages.wording import PARTS, SEVERITY_LABELS, clean, counted, deck_name, number, shorten
from decklab.scoring.reports.leaderboard_page import LeaderboardRow, RunComparison, ranked
from decklab.scoring.reports.standing import grouped

_SHORT_SEVERITY: Final = {"error": "err", "warning": "warn", "info": "note"}
_FULL_HEADINGS: Final = 100  # Columns of a terminal from which headings are written out.


def print_table(rows: Iterable[LeaderboardRow], console: Console) -> None:
    """Print the leaderboard to ``console``, in its width.

    The best quality comes first. The reasons for missing totals, converted decks, words that cannot
    be seen and failed decks follow below, each on one line of any length: a reason that is broken
    into lines cannot be searched for. Nothing in a deck's name or error can style or steer the
    terminal.
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
    if copies := [row for row in scored if row.converted]:
        parts.append(Text("\nread from copies that LibreOffice converted to .pptx:", style="bold"))
        parts += [_note(row.name, row.converted, width) for row in copies]
    if partly := [row for row in scored if row.unseen]:
        parts.append(Text("\nnot counted:", style="bold"))
        parts += [_note(row.name, row.unseen, width) for row in partly]
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
    quality = "quality" if full else "qual."
    columns = ("slides", quality, "total", *headings, "level", "findings")
    table = plain_table("deck", *columns, no_wrap=True)
    table.columns[0].no_wrap = True
    metrics = ("aesthetics.total", *(metric for metric, _, _ in PARTS))
    findings = [row.worst_label if full else _short_worst(row) for row in rows]
    numbers = (len(heading) for heading in ("slides", quality, "total", *headings, "level"))
    room = width - sum(max(n, 5) + 1 for n in numbers) - max(8, *map(len, findings)) - 1
    names = Counter(row.name for row in rows)
    for row, words in zip(rows, findings, strict=True):
        name = row.name if names[row.name] == 1 else row.deck
        table.add_row(
            Text(shorten(clean(name), max(12, room))),
            str(row.slides),
            _rounded(row.quality),
            *(_cell(row.values.get(metric)) for metric in metrics),
            "–" if row.level is None else f"L{row.level}",
            Text(words),
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


def _rounded(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _note(name: str, reason: str, width: int) -> Text:
    return Text(f"  {shorten(clean(name), max(12, width // 2))}: {clean(reason)}")


def print_comparison(compared: RunComparison, console: Console) -> None:
    """Print what got better or worse since an earlier run, beyond noise, a line each."""
    changes = compared.beyond_noise()
    decks = len({change.deck for change in compared.changes})
    _indented(
        f"against {clean(compared.earlier)}: {counted(decks, 'deck')} in both", 0, console, "bold"
    )
    for row in [*(mean for mean in compared.means if decks > 1 and mean.trend != "same"), *changes]:
        name = clean(deck_name(row.deck)) if row.deck else f"mean of {counted(row.decks, 'deck')}"
        steps = f"{number(row.before)} -> {number(row.after)}"
        _indented(f"{row.trend}: {name}: {row.label} {steps}", 2, console, _TRENDS[row.trend])
    if not changes:
        _indented("no deck got better or worse beyond noise", 2, console)
    for words, names in (("new", compared.new), ("not in this run", compared.gone)):
        if len(names) > _MOST_NAMED:
            _indented(f"{words}: {counted(len(names), 'deck')}", 2, console)
        elif names:
            _indented(f"{words}: {', '.join(map(clean, names))}", 2, console)
    for metric, why in compared.not_comparable.items():
        _indented(f"not compared: {metric}, {why}", 2, console)


_MOST_NAMED: Final = 3
_TRENDS: Mapping[str, str] = {"better": "green", "worse": "bold red"}
_STYLES: Mapping[Severity, str] = {"error": "bold red", "warning": "yellow", "info": "cyan"}


def print_findings(
    deck: str,
    slides: int,
    findings: Sequence[Finding],
    not_run: Mapping[str, str],
    console: Console,
    *,
    left_out: int = 0,
    ignored: int = 0,
) -> None:
    """Print the findings of one deck, and which rules could not be applied and why.

    ``left_out`` counts less severe findings that are not printed, ``ignored`` those that the deck
    or a baseline says to ignore. Lines are folded on a terminal only.
    """
    counts = Counter(finding.severity for finding in findings)
    parts = [
        counted(counts[level], name) for level, name in SEVERITY_LABELS.items() if counts[level]
    ]
    parts += [f"{counted(left_out, 'milder one')} not shown (--min-severity info)"] * (left_out > 0)
    parts += [f"{ignored} ignored"] * (ignored > 0)
    summary = ", ".join(parts) or "nothing found"
    _indented(f"{clean(deck)}: {counted(slides, 'slide')}, {summary}", 0, console, "bold")
    for group in grouped(findings):
        style = _STYLES[group.severity]
        console.print(Text(f"{SEVERITY_LABELS[group.severity]} ", style).append(group.rule, "bold"))
        for finding in group.findings:
            where = "deck" if finding.slide is None else f"slide {finding.slide}"
            _indented(f"{where}: {clean(finding.message)}", 2, console)
        for fix in dict.fromkeys(item.fix for item in group.findings if item.fix):
            _indented(f"fix: {clean(fix)}", 4, console, "dim")
    for reason in dict.fromkeys(not_run.values()):
        rules = [rule for rule, why in not_run.items() if why == reason]
        _indented(f"not run: {', '.join(rules)}: {clean(reason)}", 0, console, "yellow")


def _indented(text: str, left: int, console: Console, style: str = "") -> None:
    if console.is_terminal:
        console.print(Padding(Text(text, style), (0, 0, 0, left)))
    else:  # for files and other programs: one line stays one line
        console.print(Text(" " * left + text), soft_wrap=True)
