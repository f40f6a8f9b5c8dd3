"""Output of ``decklab lint``, deck by deck or at the end."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer
from rich.console import Console

from decklab.cli import calls
from decklab.cli.terminal import converted_words, echo_json, note
from decklab.core.errors import DecklabError
from decklab.core.options import Severity

if TYPE_CHECKING:
    from decklab.linting.lint import LintResult
    from decklab.linting.project import LintOptions

LintFormat = Literal["table", "json", "sarif", "github"]


class LintPrinter:
    """Prints the outcomes of lint, of each deck as it comes; a single document comes at the end.

    ``least`` is the least severity that is shown; ``statistics`` adds how often rules were
    broken; ``docs`` is the address of the rules' pages, for SARIF.
    """

    def __init__(
        self, form: LintFormat, least: Severity, *, statistics: bool, docs: str | None
    ) -> None:
        self._form, self._least, self._statistics = form, least, statistics
        self._docs = docs
        self._shown: list[LintResult | DecklabError] = []

    def add(self, outcome: "LintResult | DecklabError") -> None:
        """Print the outcome of one deck, or hold it for the end."""
        if isinstance(outcome, DecklabError):
            typer.echo(f"decklab: {outcome}", err=True)
            shown: LintResult | DecklabError = outcome
        else:
            shown = outcome.at_least(self._least)
            if outcome.converted:
                note(converted_words(outcome.deck, outcome.converted))
            for problem in outcome.problems:
                typer.echo(f"decklab: {outcome.deck}: {problem}", err=True)
            if self._form == "table":
                calls.print_findings(
                    shown.deck,
                    shown.slides,
                    shown.findings,
                    shown.not_run,
                    Console(),
                    left_out=len(outcome.findings) - len(shown.findings),
                    ignored=len(shown.ignored),
                )
        if self._form == "github":
            for line in calls.github_lines([shown]):
                typer.echo(line)
        self._shown.append(shown)

    def end(self) -> None:
        """Print the part that is about all decks together."""
        if self._form == "sarif":
            echo_json(calls.sarif_log(self._shown, self._docs))
        elif self._form == "json":
            echo_json(calls.lint_json(self._shown) | self._counted())
        elif self._statistics:
            self._print_statistics()

    def _counted(self) -> dict[str, object]:
        counts = calls.rule_counts(_read(self._shown))
        return {"statistics": [item.as_json() for item in counts]} if self._statistics else {}

    def _print_statistics(self) -> None:
        # GitHub reads standard output line by line; people read the counts.
        err = self._form == "github"
        counts = calls.rule_counts(_read(self._shown))
        widest = max((len(item.rule) for item in counts), default=0)
        for item in counts:
            where = "1 deck" if item.decks == 1 else f"{item.decks} decks"
            line = f"{item.findings:>6}  {item.rule:<{widest}}  {where:>9}  {item.meaning}"
            typer.echo(line, err=err)
        total = sum(item.findings for item in counts)
        typer.echo(f"{total:>6}  findings in {len(_read(self._shown))} decks", err=err)


def _read(outcomes: Iterable["LintResult | DecklabError"]) -> "list[LintResult]":
    return [item for item in outcomes if not isinstance(item, DecklabError)]


def print_settings(decks: Sequence[Path], options: "LintOptions") -> None:
    """Print the settings of each deck: the file they come from, and all values in use.

    Raises SettingsError if a file cannot be used.
    """
    for deck in decks:
        values = options.settings_for(deck).as_json()
        rules = sorted(options.rules_for(deck))
        typer.echo(f"{deck}: settings of {values.pop('file') or 'no file: the defaults'}")
        for name, value in values.items():
            typer.echo(f"  {name} = {json.dumps(value, ensure_ascii=False)}")
        typer.echo(f"  {len(rules)} rules: {', '.join(rules)}")
