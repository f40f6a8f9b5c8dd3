"""Tools that say how good a deck is and change nothing: faults, scores, changes, verdicts.

Arguments, answers and errors are as in ``looking_tools``.
"""

import io
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field
from rich.console import Console

from decklab.core.errors import UnknownName
from decklab.core.files import scratch_folder
from decklab.core.options import ScenarioSetting, Severity
from decklab.diffing.decks import diff_decks
from decklab.diffing.wording import words_by_slide
from decklab.evals.judges.scenario.judging import judge_decks
from decklab.evals.judges.scenario.result import print_judgement
from decklab.evals.rubrics.grade import grade as grade_deck
from decklab.evals.rubrics.page import print_graded
from decklab.linting.lint import lint as lint_deck
from decklab.linting.settings import chosen_rules
from decklab.metrics.catalogue import metric_info
from decklab.ooxml.validity.validating import validate_deck
from decklab.pages.wording import counted
from decklab.rendering.renderer import Cache, Renderer
from decklab.scoring.run import score as score_decks
from decklab.workbench.mcp.answers import (
    Answer,
    DeckPath,
    First,
    Names,
    SlideList,
    ToolRefused,
    asked_slides,
    line_page,
    listed,
    slides_there,
)
from decklab.workbench.mcp.roots import Roots

_CONSOLE_WIDTH = 110


def lint_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    slides: SlideList = "",
    rules: Names = [],  # noqa: B006  # never changed: it becomes the default of a schema
    ignore: Names = [],  # noqa: B006
    min_severity: Annotated[Severity, Field(description="info shows notes too.")] = "warning",
    first: First = 1,
) -> Answer:
    """Say what is wrong with a deck, with a fix for each finding: overflowing, overlapping, small
    or hidden text, contrast, alignment, missing titles and alternative texts."""
    path = roots.deck(deck)
    try:
        wanted = chosen_rules(rules, ignore)
    except UnknownName as error:
        raise ToolRefused(f"{error}; how_to(topic='lint') lists them") from None
    result = lint_deck(path, rules=wanted, renderer=_renderer())
    chosen = frozenset(slides_there(slides, path, result.slides)) if slides else None
    about = [one for one in result.findings if chosen is None or chosen & {one.slide, *one.slides}]
    ids = {id(finding) for finding in result.at_least(min_severity).findings}
    shown = [one for one in about if id(one) in ids]
    where = "" if chosen is None else f" on slides {slides}"
    told = [f"{roots.shown(path)}: {_counted(about)}{where}."]
    if len(shown) < len(about):
        told.append("Not all are listed: min_severity='info' lists notes too.")
    not_run = dict.fromkeys(result.not_run.values())
    told += [f"{len(result.not_run)} rules were not applied: {why}" for why in not_run]
    return listed("\n".join(told), [_finding_line(one) for one in shown], first)


def validate_tool(roots: Roots, *, deck: DeckPath, first: First = 1) -> Answer:
    """Say what PowerPoint would want to repair in a deck: broken links between parts, wrong XML."""
    path = roots.deck(deck)
    problems = validate_deck(path)
    if not problems:
        return Answer(f"{roots.shown(path)} is valid: nothing to repair.")
    errors = sum(problem.severity == "error" for problem in problems)
    lines = [f"{one.severity}: {one.part or 'package'}: {one.detail} Fix: {one.fix} [{one.rule}]"
             for one in problems]  # fmt: skip
    told = f"{roots.shown(path)}: {counted(errors, 'error')}, {len(problems) - errors} others."
    return listed(told, lines, first)


def score_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    detail: Annotated[
        Literal["summary", "metrics"], Field(description="metrics lists every number of the deck.")
    ] = "summary",
    first: First = 1,
) -> Answer:
    """Score a deck: how it looks, how editable it is, its quality, each with its parts. For what to
    mend, ask lint."""
    path = roots.deck(deck)
    with scratch_folder("mcp") as folder:
        run = score_decks([path], folder, jobs=1)
        (row,), (result,) = list(run.rows()), list(run.results())
    if result.error is not None:
        raise ToolRefused(result.error)
    rows = [measurement for measurement in result.measurements if measurement.slide is None]
    if detail == "summary":
        rows = [one for one in rows if one.metric in (*row.values, *row.reasons)]
    lines = [_measured(one) for one in rows]
    shown = line_page(lines, first)
    told = [
        f"{roots.shown(path)}, {counted(result.slides, 'slide')}; "
        f"findings: {_counted(result.findings)}."
    ]
    return Answer("\n".join([*told, *shown.lines, shown.more]).rstrip())


def diff_tool(
    roots: Roots,
    *,
    before: Annotated[str, Field(description="Path of the older deck.")],
    after: Annotated[str, Field(description="Path of the newer deck.")],
    slides: Annotated[
        SlideList, Field(description="Only these slides of the newer deck; empty for all.")
    ] = "",
    noise: Annotated[
        bool, Field(description="Also tell what programs write anew when they only save.")
    ] = False,
    first: First = 1,
) -> Answer:
    """Say in words what changed from one deck to another, by slide, then of the deck as a whole."""
    older, newer = roots.deck(before), roots.deck(after)
    found = diff_decks(older, newer)
    chosen = frozenset(asked_slides(slides)) if slides.strip() else None
    shown = [
        change for change in (found.changes if noise else found.edits)
        if chosen is None or change.slide in chosen
    ]  # fmt: skip
    shown.sort(key=lambda change: change.slide is None)  # the slides first: they are asked for most
    lines = [f"{place.place}: {words}"
             for place in words_by_slide(shown) for words in place.clauses]  # fmt: skip
    if not lines:
        return Answer("Nothing changed.")
    return listed(f"{counted(len(lines), 'change')}.", lines, first)


def judge_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    sources: Annotated[
        list[str], Field(description="Paths of the documents that the deck was made from.")
    ] = [],  # noqa: B006
    setting: Annotated[
        ScenarioSetting | None,
        Field(description="What it was made from: a vague request, one long document, a document "
              "with figures, or several documents. Leave out where a task is named."),
    ] = None,
    task: Annotated[str, Field(description="Path of a task with annotations; usually none.")] = "",
    request: Annotated[str, Field(description="What the user asked for.")] = "",
    first: First = 1,
) -> Answer:  # fmt: skip
    """Say how far a deck does what its task asks: what of the sources is covered and right, item by
    item. Programs stand in for a model here; what only a model can judge is not scored."""
    if setting is None and not task:
        raise ToolRefused("name a setting (vague, long-doc, multimodal, multi-source) or a task")
    (found,) = judge_decks(
        [roots.deck(deck)],
        sources=[roots.file(source) for source in sources],
        setting=setting,
        task=roots.file(task) if task else None,
        request=request,
    )
    console = _console()
    print_judgement(found, console)
    return listed("Scores are 0 to 10, higher is better.", _printed(console), first)


def grade_tool(
    roots: Roots,
    *,
    original: Annotated[str, Field(description="Path of the deck before the edit.")],
    modified: Annotated[str, Field(description="Path of the deck after it.")],
    rubric: Annotated[str, Field(description="Path of a rubric tree (JSON).")],
    first: First = 1,
) -> Answer:
    """Grade an edited deck against its original with a rubric tree. The rubric's code runs in the
    sandbox; criteria that need a model are not scored."""
    graded = grade_deck(roots.deck(original), roots.deck(modified), roots.file(rubric))
    console = _console()
    print_graded(graded, console)
    return listed("Scores are 0 to 1.", _printed(console), first)


def _finding_line(finding: Any) -> str:
    if finding.slides:  # the message names the first shape
        place, shape = f"slides {', '.join(map(str, finding.slides))}", ""
    else:
        place = f"slide {finding.slide}" if finding.slide else "deck"
        shape = f", {finding.shape}" if finding.shape else ""
    fix = f" Fix: {finding.fix}" if finding.fix else ""
    return f"{finding.severity}: {place}{shape}: {finding.message}{fix} [{finding.rule}]"


def _counted(findings: Iterable[Any]) -> str:
    count = Counter(finding.severity for finding in findings)
    return ", ".join(
        counted(count[severity], word)
        for severity, word in (("error", "error"), ("warning", "warning"), ("info", "note"))
    )


def _measured(row: Any) -> str:
    """A number with its range, the better way and its meaning; or why there is none."""
    info = metric_info(row.metric)
    if row.value is None:
        return f"{row.metric}: not scored: {row.reason} ({info.meaning})"
    bounds = [f"{bound:g}" for bound in (info.low, info.high) if bound is not None]
    spread = " to ".join(bounds) if len(bounds) == 2 else ""
    better = "" if row.direction == "neutral" else f"{row.direction} is better"
    scale = ", ".join(filter(None, (row.unit, spread, better)))
    return f"{row.metric}: {row.value:.4g} ({scale}): {info.meaning}"


def _renderer() -> Any:
    return Renderer(cache=Cache())


def _console() -> Console:
    return Console(file=io.StringIO(), width=_CONSOLE_WIDTH, color_system=None)


def _printed(console: Console) -> list[str]:
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]
