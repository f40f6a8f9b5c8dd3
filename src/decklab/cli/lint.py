"""``decklab lint``; with ``--fix`` fixes are written to copies, with ``--diff`` only shown."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console

import decklab
from decklab.cli import calls
from decklab.cli.cluster_work import (
    ClusterAddress,
    check_cluster_options,
    cluster_job,
    run_on_cluster,
)
from decklab.cli.parameters import DrawingOptions, Force, argument, flag, grouped_options, option
from decklab.cli.terminal import (
    checked_first,
    converted_words,
    echo_json,
    in_words,
    note,
    progress_bar,
)
from decklab.core.errors import DecklabError, UnknownName
from decklab.core.files import check_file
from decklab.core.options import Severity
from decklab.pages.wording import counted

if TYPE_CHECKING:
    from decklab.linting.lint import LintResult
    from decklab.linting.mend import MendedDeck
    from decklab.linting.project import LintOptions
    from decklab.rendering.renderer import Renderer

WOULD_CHANGE = 1


@dataclass(frozen=True)
class FixPlaces:
    """Where fixed decks go: the place of each deck; none if fixes are only shown."""

    targets: Mapping[Path, Path]
    in_place: bool = False
    force: bool = False
    """Whether files that exist are replaced."""


def places_for(
    decks: Sequence[Path], given: Sequence[str], out: Path | None, *, in_place: bool, force: bool
) -> FixPlaces:
    """Where each fixed deck goes.

    ``out`` is a file for one deck that was named, else a folder, in which decks of folders keep
    their paths. Raises OSError if a place cannot be written, or would replace a deck, and
    NameTaken if a file exists, unless ``force`` replaces it.
    """
    if in_place:
        return FixPlaces({deck: deck for deck in decks}, in_place=True)
    if out is None:
        return FixPlaces({})
    if len(decks) == 1 and out.suffix and not out.is_dir() and not Path(given[0]).is_dir():
        targets = {decks[0]: out}
    else:
        folders = [Path(path) for path in given if Path(path).is_dir()]
        targets = {deck: out / _relative(deck, folders) for deck in decks}
    taken: dict[Path, Path] = {}
    for deck, target in targets.items():
        check_file(target, inputs=decks, force=force)
        if target in taken:
            detail = f"both {taken[target]} and {deck} would be written there"
            raise FileExistsError(0, detail, str(target))
        taken[target] = deck
    return FixPlaces(targets, force=force)


def _relative(deck: Path, folders: Sequence[Path]) -> Path:
    above = next((folder for folder in folders if deck.is_relative_to(folder)), None)
    return Path(deck.name) if above is None else deck.relative_to(above)


def fix_all(
    decks: Sequence[Path],
    options: "LintOptions",
    renderer: "Renderer",
    places: FixPlaces,
    *,
    as_json: bool,
) -> None:
    """Fix each deck and say what was fixed; without places only show the changes.

    Ends the command with 2 where a deck could not be fixed, and with 1 where changes were only
    shown.
    """
    rows: list[dict[str, Any]] = []
    unread = changed = 0
    with renderer.started() as started:
        for deck in decks:
            try:
                mended = decklab.fix_deck(deck, options, started)
                if (target := places.targets.get(deck)) is not None:
                    calls.write_fixed(mended, target, in_place=places.in_place, force=places.force)
            except (DecklabError, OSError) as error:
                unread += 1
                typer.echo(f"decklab: {in_words(error)}", err=True)
                rows.append({"deck": str(deck), "error": in_words(error)})
                continue
            changed += mended.content is not None
            rows.append(_fixed_row(mended, target))
            if not as_json:
                _print_fixed(mended, target)
    if as_json:
        echo_json({"decks": rows})
    if unread:
        raise typer.Exit(UNREADABLE)
    if changed and not places.targets:
        raise typer.Exit(WOULD_CHANGE)


def _fixed_row(mended: "MendedDeck", target: Path | None) -> dict[str, Any]:
    def fix_json(fix: Any) -> dict[str, Any]:
        return {"rule": fix.rule, "slide": fix.slide, "says": fix.says}

    written = None if target is None or mended.content is None else str(target)
    return {
        "deck": mended.deck,
        "error": None,
        "out": written,
        "fixed": [fix_json(fix) for fix in mended.fixed],
        "taken_back": [fix_json(item.fix) | {"reason": item.reason} for item in mended.taken_back],
        "left": {rule: count for rule, count in mended.left.items() if count},
        "changes": mended.changes.as_json()["changes"],
    }


def _print_fixed(mended: "MendedDeck", target: Path | None) -> None:
    count = len(mended.fixed)
    where = f", written to {target}" if target and mended.content else ""
    fixes = f"{count} fix{'es' * (count != 1)}" if count else "nothing to fix"
    typer.secho(f"{mended.deck}: {fixes}{where}", bold=True)
    for fix in mended.fixed:
        typer.echo(f"  slide {fix.slide}: {fix.rule}: {fix.says}")
    if not target and count:
        typer.echo("  what would change:")
        for item in calls.words_by_slide(mended.changes.edits):
            for words in item.clauses:
                typer.secho(f"    {item.place}: {words}", dim=True)
    for back in mended.taken_back:
        line = f"  slide {back.fix.slide}: {back.fix.rule}: tried and undone ({back.reason}): "
        typer.secho(line + back.fix.says, fg="yellow")
    if left := sum(mended.left.values()):
        more = f"{counted(left, 'more finding')} of rules that --fix knows, counted slide by slide"
        typer.echo(f"  left for people: {more}")
    if not mended.drawn:
        typer.echo("  nothing was drawn, so that what is seen was not fixed", err=True)


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
            where = counted(item.decks, "deck")
            line = f"{item.findings:>6}  {item.rule:<{widest}}  {where:>9}  {item.meaning}"
            typer.echo(line, err=err)
        total = sum(item.findings for item in counts)
        decks = counted(len(_read(self._shown)), "deck")
        typer.echo(f"{total:>6}  finding{'s' * (total != 1)} in {decks}", err=err)


def _read(outcomes: Iterable["LintResult | DecklabError"]) -> "list[LintResult]":
    return [item for item in outcomes if not isinstance(item, DecklabError)]


def print_settings(decks: Sequence[Path], options: "LintOptions") -> None:
    """Print the settings of decks: the file they come from, and all values in use, once for the
    decks that share them.

    Raises SettingsError if a file cannot be used.
    """
    settings: defaultdict[str, list[str]] = defaultdict(list)
    for deck in decks:
        values = options.settings_for(deck).as_json()
        rules = sorted(options.rules_for(deck))
        heading = f"{deck}: settings of {values.pop('file') or 'no file: the defaults'}"
        rows = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
        rows.append(f"{len(rules)} rules: {', '.join(rules)}")
        settings["\n  ".join(rows)].append(heading)
    for shared, headings in settings.items():
        typer.echo("\n".join(headings) + f"\n  {shared}")


app = typer.Typer(add_completion=False)

FINDINGS = 1
UNREADABLE = 2
_ON_CLUSTER = ("rules", "ignore", "out", "jobs", "cache", "no_cache")
"""Options that are heeded with ``--cluster``: the data set has all findings, by their severity."""
_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")

FailOn = Literal["error", "warning", "info", "never"]


def _explain(name: str | None) -> None:
    if name is None:
        return
    try:
        typer.echo(calls.explain_rule(name))
    except UnknownName as error:
        raise typer.BadParameter(str(error)) from None
    raise typer.Exit


@dataclass(frozen=True)
class RuleOptions:
    """Rules and settings: what is looked for."""

    rules: Annotated[
        str,
        option("Only these rules or groups, such as text,accessibility, whatever is configured."),
    ] = ""
    ignore: Annotated[str, option("Not these rules or groups; besides what is configured.")] = ""
    config: Annotated[
        Path | None, option("Use this file's settings, not those found beside each deck.", "FILE")
    ] = None
    no_config: Annotated[
        bool, flag("--no-config", "Use no settings and heed nothing a deck ignores.")
    ] = False
    show_config: Annotated[
        bool, flag("--show-config", "Print the settings of each deck, and no more.")
    ] = False
    baseline: Annotated[Path | None, option("Ignore the findings in this file.", "FILE")] = None
    write_baseline: Annotated[
        Path | None, option("Write all findings to this file, for --baseline.", "FILE")
    ] = None
    explain: Annotated[  # an eager callback answers it
        str | None,
        option(
            "Print the page of a rule, or of a group such as text, and no more.",
            "RULE",
            is_eager=True,
            callback=_explain,
        ),
    ] = None


@dataclass(frozen=True)
class FindingsOptions:
    """Output: what is printed of the findings, and which fail the run."""

    format: Annotated[LintFormat, option("What to print.")] = "table"
    as_json: Annotated[bool, flag("--json", "The same as --format json.")] = False
    min_severity: Annotated[Severity, option("Leave out what matters less; info shows all.")] = (
        "warning"
    )
    fail_on: Annotated[
        FailOn | None,
        option("Exit with 1 from this severity on; by default from --min-severity on."),
    ] = None
    statistics: Annotated[bool, flag("--statistics", "Say how often each rule was broken.")] = False
    docs_url: Annotated[
        str | None, option("With SARIF: where the pages of docs/rules are, for helpUri.", "URL")
    ] = None


@dataclass(frozen=True)
class FixOptions:
    """Fixes: whether there are any, and where they go."""

    fix: Annotated[
        bool, flag("--fix", "Fix what can be fixed safely, in copies (--out) or --in-place.")
    ] = False
    diff: Annotated[bool, flag("--diff", "Show what --fix would change, and write nothing.")] = (
        False
    )
    out: Annotated[
        Path | None,
        option(
            "With --fix: a file for one deck, else a folder. With --cluster: the data set.", "PATH"
        ),
    ] = None
    in_place: Annotated[
        bool, flag("--in-place", "With --fix: replace the decks; copies of them are kept.")
    ] = False
    force: Force = False


@app.command()
@grouped_options
def lint_command(
    context: typer.Context,
    paths: Annotated[
        list[str],
        argument("Decks (.pptx .potx .ppsx .pptm), folders of them, or patterns.", "PATH..."),
    ],
    asked: RuleOptions,
    output: FindingsOptions,
    fixing: FixOptions,
    drawing: DrawingOptions,
    jobs: Annotated[
        int | None, option("Processes at work; by default as many as pay.", min=1)
    ] = None,
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
    if asked.config and asked.no_config:
        raise typer.BadParameter("--no-config and --config exclude each other")
    if asked.baseline and asked.write_baseline:
        raise typer.BadParameter("--write-baseline writes a new one: leave out --baseline")
    if cluster is not None:
        wanted = calls.lint_rules(*_chosen(asked))
        job = cluster_job("lint", rules=wanted, cache=drawing.for_workers())
        done = run_on_cluster(paths, job, fixing.out, cluster=cluster, jobs=jobs)
        raise typer.Exit(int(done.all_failed))
    _check_fixing(fixing)
    decks = calls.find_lintable(paths)
    target = asked.write_baseline
    with checked_first():
        options = _options(decks, asked)
        if target is not None:
            check_file(target, inputs=decks, force=fixing.force, ours=calls.is_baseline)
        places = places_for(decks, paths, fixing.out, in_place=fixing.in_place, force=fixing.force)
    if asked.show_config:
        print_settings(decks, options)
        return
    shown = "json" if output.as_json else output.format
    renderer = decklab.Renderer(cache=drawing.kept())
    if fixing.fix or fixing.diff:
        fix_all(decks, options, renderer, places, as_json=shown == "json")
        return
    fails = output.fail_on or output.min_severity
    milder = _milder(output.min_severity, fails)
    printer = LintPrinter(shown, milder, statistics=output.statistics, docs=output.docs_url)
    outcomes = _linted(decks, options, renderer, printer, jobs)
    read = [item for item in outcomes if not isinstance(item, DecklabError)]
    if target is not None:
        count = calls.write_baseline(target, read)
        note(f"findings written to {target}: {count}")
        fails = "never"
    _exit(read, fails, unread=len(outcomes) - len(read))


def _chosen(asked: RuleOptions) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rules that are looked for, and those that are not."""
    return _names("--rules", asked.rules), _names("--ignore", asked.ignore)


def _options(decks: Sequence[Path], asked: RuleOptions) -> "LintOptions":
    """The options of a run; each deck's settings are read now, to report a fault early."""
    settings = calls.read_settings(asked.config) if asked.config else None
    rules, ignore = _chosen(asked)
    options = decklab.LintOptions(
        rules=rules,
        ignore=ignore,
        settings=calls.LintSettings() if asked.no_config else settings,
        heed_deck=not asked.no_config,
        baseline=calls.read_baseline(asked.baseline) if asked.baseline else None,
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


def _check_fixing(asked: FixOptions) -> None:
    if asked.fix and asked.diff:
        raise typer.BadParameter("--diff only shows what --fix would change: leave out one")
    if (asked.out or asked.in_place) and not asked.fix:
        raise typer.BadParameter("--out and --in-place say where --fix writes: add --fix")
    if asked.fix and (asked.out is None) != asked.in_place:
        raise typer.BadParameter("--fix writes to --out PATH, or --in-place; say one of them")


def _milder(shown: Severity, fails: FailOn) -> Severity:
    """The least severity that is shown: nothing fails a run without being shown."""
    return shown if fails == "never" else max(shown, fails, key=_SEVERITIES.index)


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
