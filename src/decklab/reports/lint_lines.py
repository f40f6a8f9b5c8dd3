"""Findings for the terminal: rule by rule, worst first, each with its slides and one fix."""

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from decklab.reports.findings import grouped
from decklab.reports.wording import clean, counted
from decklab.results import Finding, Severity

_NAMES: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_STYLES: Mapping[Severity, str] = {"error": "bold red", "warning": "yellow", "info": "cyan"}


def print_findings(
    deck: str,
    slides: int,
    findings: Sequence[Finding],
    not_run: Mapping[str, str],
    console: Console,
    *,
    left_out: int = 0,
) -> None:
    """Print what was found in one deck, and which rules could not be applied and why.

    ``left_out`` counts milder findings that are not among them. Lines are folded on a terminal
    only.
    """
    counts = Counter(finding.severity for finding in findings)
    told = [counted(counts[level], _NAMES[level]) for level in _NAMES if counts[level]]
    told += [f"{counted(left_out, 'milder one')} not shown (--min-severity info)"] * (left_out > 0)
    summary = ", ".join(told) or "nothing found"
    _indented(f"{clean(deck)}: {counted(slides, 'slide')}, {summary}", 0, console, "bold")
    for group in grouped(findings):
        style = _STYLES[group.severity]
        console.print(Text(f"{_NAMES[group.severity]} ", style).append(group.rule, "bold"))
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
