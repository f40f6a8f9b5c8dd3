"""``decklab lint``."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import decklab
from decklab.cli import calls
from decklab.cli.cluster_work import (
    ClusterAddress,
    check_cluster_options,
    cluster_job,
    drawing_cache,
    run_on_cluster,
)
from decklab.cli.lint_fixing import fix_all, places_for
from decklab.cli.lint_options import (
    BaselineFile,
    ConfigFile,
    DocsUrl,
    ExplainRule,
    FailOn,
    FailOnSeverity,
    Fix,
    FixDiff,
    FixedPath,
    FixInPlace,
    IgnoredRules,
    Jobs,
    JsonFormat,
    LintedPaths,
    MinSeverity,
    NewBaselineFile,
    NoConfig,
    OnlyRules,
    OutputFormat,
    ShowConfig,
    Statistics,
)
from decklab.cli.lint_output import LintPrinter, print_settings
from decklab.cli.parameters import CacheFolder, Force, NoCache
from decklab.cli.terminal import checked_first, note, progress_bar
from decklab.core.errors import DecklabError, UnknownName
from decklab.core.files import check_file
from decklab.core.options import Severity

if TYPE_CHECKING:
    from decklab.linting.lint import LintResult
    from decklab.linting.project import LintOptions
    from decklab.rendering.renderer import Renderer

app = typer.Typer(add_completion=False)

FINDINGS = 1
UNREADABLE = 2
_ON_CLUSTER = ("rules", "ignore", "out", "jobs", "cache", "no_cache")
"""Options that are heeded with ``--cluster``: the data set has all findings, by their severity."""
_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@app.command()
def lint_command(
    context: typer.Context,
    paths: LintedPaths,
    format: OutputFormat = "table",
    as_json: JsonFormat = False,
    rules: OnlyRules = "",
    ignore: IgnoredRules = "",
    min_severity: MinSeverity = "warning",
    fail_on: FailOnSeverity = None,
    statistics: Statistics = False,
    docs_url: DocsUrl = None,
    config: ConfigFile = None,
    no_config: NoConfig = False,
    show_config: ShowConfig = False,
    baseline: BaselineFile = None,
    write_baseline: NewBaselineFile = None,
    fix: Fix = False,
    diff: FixDiff = False,
    out: FixedPath = None,
    in_place: FixInPlace = False,
    force: Force = False,
    explain: ExplainRule = None,
    jobs: Jobs = None,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
    cluster: ClusterAddress = None,
) -> None:
    """Say what is wrong with decks: layout, contrast, accessibility; exits with 1 on findings.

    Notes (severity info) are only counted unless --min-severity info asks for them.
    --fix says what it fixed; run lint again for what is left. Exit codes: 0 nothing found, 1
    findings, or changes that --diff shows, 2 a deck could not be read or an option is wrong.

    Example: decklab lint talks/ --min-severity warning --format sarif > lint.sarif
    """
    if "" in paths:
        raise typer.BadParameter("a path is empty", param_hint="PATH...")
    check_cluster_options(context, cluster, heeded=_ON_CLUSTER)
    if config and no_config:
        raise typer.BadParameter("--no-config and --config exclude each other")
    if baseline and write_baseline:
        raise typer.BadParameter("--write-baseline writes a new one: leave out --baseline")
    if cluster is not None:
        wanted = calls.lint_rules(_names("--rules", rules), _names("--ignore", ignore))
        job = cluster_job("lint", rules=wanted, cache=drawing_cache(cache, no_cache=no_cache))
        done = run_on_cluster(paths, job, out, cluster=cluster, jobs=jobs)
        raise typer.Exit(int(done.all_failed))
    _check_fixing(fix=fix, diff=diff, out=out, in_place=in_place)
    decks = calls.find_lintable(paths)
    with checked_first():
        options = _options(decks, rules, ignore, config, baseline, no_config=no_config)
        if write_baseline is not None:
            check_file(write_baseline, inputs=decks, force=force, ours=calls.is_baseline)
        places = places_for(decks, paths, out, in_place=in_place, force=force)
    if show_config:
        print_settings(decks, options)
        return
    shown = "json" if as_json else format
    renderer = decklab.Renderer(cache=None if no_cache else decklab.Cache(cache))
    if fix or diff:
        fix_all(decks, options, renderer, places, as_json=shown == "json")
        return
    fails = fail_on or min_severity
    milder = _milder(min_severity, fails)
    printer = LintPrinter(shown, milder, statistics=statistics, docs=docs_url)
    outcomes = _linted(decks, options, renderer, printer, jobs)
    read = [item for item in outcomes if not isinstance(item, DecklabError)]
    if write_baseline is not None:
        count = calls.write_baseline(write_baseline, read)
        note(f"findings written to {write_baseline}: {count}")
        fails = "never"
    _exit(read, fails, unread=len(outcomes) - len(read))


def _options(
    decks: Sequence[Path],
    rules: str,
    ignore: str,
    config: Path | None,
    baseline: Path | None,
    *,
    no_config: bool,
) -> "LintOptions":
    """The options of a run; each deck's settings are read now, to report a fault early."""
    settings = calls.read_settings(config) if config else None
    options = decklab.LintOptions(
        rules=_names("--rules", rules),
        ignore=_names("--ignore", ignore),
        settings=calls.LintSettings() if no_config else settings,
        heed_deck=not no_config,
        baseline=calls.read_baseline(baseline) if baseline else None,
    )
    for deck in decks:
        options.settings_for(deck)
    return options


def _linted(
    decks: Sequence[Path],
    options: "LintOptions",
    renderer: "Renderer",
    printer: LintPrinter,
    jobs: int | None,
) -> "list[LintResult | DecklabError]":
    """The result of each deck, printed as it comes."""
    outcomes: list[LintResult | DecklabError] = []
    with progress_bar() as bar:
        task = bar.add_task("Linting", total=len(decks))
        for outcome in calls.lint_decks(decks, options, renderer=renderer, jobs=jobs):
            outcomes.append(outcome)
            printer.add(outcome)
            bar.update(task, advance=1)
    printer.end()
    return outcomes


def _check_fixing(*, fix: bool, diff: bool, out: Path | None, in_place: bool) -> None:
    if fix and diff:
        raise typer.BadParameter("--diff only shows what --fix would change: leave out one")
    if (out or in_place) and not fix:
        raise typer.BadParameter("--out and --in-place say where --fix writes: add --fix")
    if fix and (out is None) != in_place:
        raise typer.BadParameter("--fix writes to --out PATH, or --in-place; say one of them")


def _milder(shown: Severity, fails: FailOn) -> Severity:
    """The least severity that is shown: nothing fails a run without being shown."""
    if fails == "never":
        return shown
    return max(shown, fails, key=_SEVERITIES.index)


def _exit(read: "Iterable[LintResult]", fails: FailOn, *, unread: int) -> None:
    if unread:
        raise typer.Exit(UNREADABLE)
    if fails != "never" and any(item.at_least(fails).findings for item in read):
        raise typer.Exit(FINDINGS)


def _names(option: str, text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    try:
        calls.lint_rules(names)
    except UnknownName as error:
        raise typer.BadParameter(str(error), param_hint=option) from None
    return names
