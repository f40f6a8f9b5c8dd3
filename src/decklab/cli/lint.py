"""``decklab lint``."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from decklab.errors import DecklabError, UnknownName
from decklab.linting.lint import LintResult, chosen_rules, lint_each
from decklab.linting.sarif import sarif_log
from decklab.rendering.cache import Cache
from decklab.reports.terminal import print_findings

app = typer.Typer(add_completion=False)


class Format(StrEnum):
    """What ``decklab lint`` prints."""

    table = "table"
    json = "json"
    sarif = "sarif"


class Least(StrEnum):
    """How bad a finding has to be to be told."""

    error = "error"
    warning = "warning"
    info = "info"


@app.command()
def lint_command(
    decks: Annotated[
        list[Path], typer.Argument(metavar="DECK...", help="Decks: .pptx, .potx, .ppsx or .pptm.")
    ],
    format: Annotated[Format, typer.Option(help="What to print.")] = Format.table,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    rules: Annotated[
        str, typer.Option(help="Only these rules or groups, such as text,accessibility.")
    ] = "",
    ignore: Annotated[str, typer.Option(help="All rules or groups but these.")] = "",
    min_severity: Annotated[
        Least, typer.Option(help="Leave out what matters less; info shows all.")
    ] = Least.warning,
    cache: Annotated[
        Path | None, typer.Option(help="Folder that keeps drawn decks between runs.")
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Draw every deck anew and keep nothing.")
    ] = False,
) -> None:
    """Say what is wrong with decks: layout, contrast, accessibility; exits with 1 on findings.

    Notes (severity info) are only counted unless --min-severity info asks for them.
    Exit codes: 0 nothing found, 1 findings, 2 a deck could not be read.

    Example: decklab lint talk.pptx --min-severity warning --format sarif > lint.sarif
    """
    try:
        wanted = chosen_rules(_names(rules), _names(ignore))
    except UnknownName as error:
        raise typer.BadParameter(str(error)) from None
    kept = None if no_cache else Cache(cache)
    form = Format.json if as_json else format
    outcomes: list[LintResult | DecklabError] = []
    for found in lint_each(decks, rules=wanted, cache=kept):
        outcome = found if isinstance(found, DecklabError) else found.at_least(min_severity.value)
        outcomes.append(outcome)
        if isinstance(outcome, DecklabError):
            typer.echo(f"decklab: {outcome}", err=True)
        elif form is Format.table:
            left_out = 0 if isinstance(found, DecklabError) else len(found.findings)
            print_findings(
                outcome.deck,
                outcome.slides,
                outcome.findings,
                outcome.not_run,
                Console(),
                left_out=left_out - len(outcome.findings),
            )
    if form is Format.sarif:
        typer.echo(json.dumps(sarif_log(outcomes), ensure_ascii=False))
    elif form is Format.json:
        typer.echo(json.dumps({"decks": [_record(item) for item in outcomes]}, ensure_ascii=False))
    if any(isinstance(item, DecklabError) for item in outcomes):
        raise typer.Exit(2)
    if any(isinstance(item, LintResult) and item.findings for item in outcomes):
        raise typer.Exit(1)


def _names(given: str) -> list[str]:
    return [name.strip() for name in given.split(",") if name.strip()]


def _record(outcome: LintResult | DecklabError) -> dict[str, Any]:
    if isinstance(outcome, DecklabError):
        return {"deck": getattr(outcome, "path", None), "error": str(outcome)}
    return {
        "deck": outcome.deck,
        "error": None,
        "slides": outcome.slides,
        "findings": [finding.model_dump(mode="json") for finding in outcome.findings],
        "not_run": dict(outcome.not_run),
    }
