"""Options of ``decklab lint``: what is looked for and shown, settings, and where fixes go."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from decklab.cli import calls
from decklab.cli.lint_output import LintFormat
from decklab.core.errors import UnknownName
from decklab.core.options import Severity

FailOn = Literal["error", "warning", "info", "never"]


def _explain(name: str | None) -> None:
    if name is None:
        return
    try:
        typer.echo(calls.explain_rule(name))
    except UnknownName as error:
        raise typer.BadParameter(str(error)) from None
    raise typer.Exit


LintedPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...", help="Decks (.pptx .potx .ppsx .pptm), folders of them, or patterns."
    ),
]
OutputFormat = Annotated[LintFormat, typer.Option(help="What to print.")]
JsonFormat = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
OnlyRules = Annotated[
    str,
    typer.Option(
        help="Only these rules or groups, such as text,accessibility, whatever is configured."
    ),
]
IgnoredRules = Annotated[
    str, typer.Option(help="Not these rules or groups; besides what is configured.")
]
MinSeverity = Annotated[Severity, typer.Option(help="Leave out what matters less; info shows all.")]
FailOnSeverity = Annotated[
    FailOn | None,
    typer.Option(help="Exit with 1 from this severity on; by default from --min-severity on."),
]
Statistics = Annotated[
    bool, typer.Option("--statistics", help="Say how often each rule was broken.")
]
DocsUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="With SARIF: where the pages of docs/rules are, for helpUri."),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Use this file's settings, not those found beside each deck."
    ),
]
NoConfig = Annotated[
    bool, typer.Option("--no-config", help="Use no settings and heed nothing a deck ignores.")
]
ShowConfig = Annotated[
    bool, typer.Option("--show-config", help="Print the settings of each deck, and no more.")
]
BaselineFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Ignore the findings in this file.")
]
NewBaselineFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write all findings to this file, for --baseline."),
]
Fix = Annotated[
    bool,
    typer.Option("--fix", help="Fix what can be fixed safely, in copies (--out) or --in-place."),
]
FixDiff = Annotated[
    bool, typer.Option("--diff", help="Show what --fix would change, and write nothing.")
]
FixedPath = Annotated[
    Path | None,
    typer.Option(
        metavar="PATH",
        help="With --fix: a file for one deck, else a folder. With --cluster: the data set.",
    ),
]
FixInPlace = Annotated[
    bool, typer.Option("--in-place", help="With --fix: replace the decks; copies of them are kept.")
]
ExplainRule = Annotated[  # an eager callback answers it
    str | None,
    typer.Option(
        metavar="RULE",
        is_eager=True,
        callback=_explain,
        help="Print the page of a rule, or of a group such as text, and no more.",
    ),
]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Processes at work; by default as many as pay.")
]
