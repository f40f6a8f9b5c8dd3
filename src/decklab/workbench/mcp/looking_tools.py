"""Tools that change nothing: what is in a deck, how good it is (faults, scores, changes, verdicts),
and how other tools are used.

Each takes the roots and the arguments of a call and gives an answer. A wrong call raises a
DecklabError or OSError whose text says what to do.
"""

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field
from rich.console import Console

from decklab.core.errors import UnknownName
from decklab.core.files import scratch_folder
from decklab.core.options import ScenarioSetting, Severity
from decklab.deck.deck import open_deck
from decklab.diffing.decks import diff_decks
from decklab.diffing.wording import words_by_slide
from decklab.documents.model import DOCUMENT_SUFFIXES
from decklab.editing.operations import operation_calls, operation_doc, operations_like
from decklab.editing.requests.forms import form_lines
from decklab.editor.deck_tools import layout_lines, place_lines
from decklab.editor.outline import deck_facts, outline_lines, slides_in_full, text_view
from decklab.editor.text_steps import deck_texts
from decklab.evals.judges.scenario.judging import judge_decks
from decklab.evals.judges.scenario.result import print_judgement
from decklab.evals.rubrics.grade import grade as grade_deck
from decklab.evals.rubrics.page import print_graded
from decklab.linting.lint import lint as lint_deck
from decklab.linting.settings import chosen_rules
from decklab.metrics.catalogue import metric_info
from decklab.ooxml.patches import part_text
from decklab.ooxml.validity.validating import validate_deck
from decklab.pages.wording import counted
from decklab.rendering.job import Pictures
from decklab.rendering.job import render as render_decks
from decklab.rendering.opening import extract
from decklab.rendering.renderer import Cache, Renderer
from decklab.scoring.run import score as score_decks
from decklab.workbench.mcp.answers import (
    PAGE_CHARACTERS,
    Answer,
    DeckPath,
    First,
    Names,
    SlideList,
    Start,
    ToolRefused,
    Width,
    asked_slides,
    line_page,
    listed,
    sliced,
    slides_there,
)
from decklab.workbench.mcp.roots import DECK_SUFFIXES, Roots

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
    about = [
        item for item in result.findings if chosen is None or chosen & {item.slide, *item.slides}
    ]
    ids = {id(finding) for finding in result.at_least(min_severity).findings}
    shown = [item for item in about if id(item) in ids]
    where = "" if chosen is None else f" on slides {slides}"
    sentences = [f"{roots.shown(path)}: {_counted(about)}{where}."]
    if len(shown) < len(about):
        sentences.append("Not all are listed: min_severity='info' lists notes too.")
    not_run = dict.fromkeys(result.not_run.values())
    sentences += [f"{len(result.not_run)} rules were not applied: {why}" for why in not_run]
    return listed("\n".join(sentences), [_finding_line(item) for item in shown], first)


def validate_tool(roots: Roots, *, deck: DeckPath, first: First = 1) -> Answer:
    """Say what PowerPoint would want to repair in a deck: broken links between parts, wrong XML."""
    path = roots.deck(deck)
    if not (problems := validate_deck(path)):
        return Answer(f"{roots.shown(path)} is valid: nothing to repair.")
    errors = sum(problem.severity == "error" for problem in problems)
    lines = [f"{row.severity}: {row.part or 'package'}: {row.detail} Fix: {row.fix} [{row.rule}]"
             for row in problems]  # fmt: skip
    heading = f"{roots.shown(path)}: {counted(errors, 'error')}, {len(problems) - errors} others."
    return listed(heading, lines, first)


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
        rows = [entry for entry in rows if entry.metric in (*row.values, *row.reasons)]
    head = f"{roots.shown(path)}, {counted(result.slides, 'slide')}"
    shown = line_page(list(map(_measured, rows)), first)
    sentence = f"{head}; findings: {_counted(result.findings)}."
    return Answer("\n".join([sentence, *shown.lines, shown.more]).rstrip())


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
    diff = diff_decks(older, newer)
    chosen = frozenset(asked_slides(slides)) if slides.strip() else None
    shown = [
        change
        for change in (diff.changes if noise else diff.edits)
        if chosen is None or change.slide in chosen
    ]
    shown.sort(key=lambda change: change.slide is None)  # the slides first: they are asked for most
    lines = [
        f"{place.place}: {words}" for place in words_by_slide(shown) for words in place.clauses
    ]
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
    (judgement,) = judge_decks(
        [roots.deck(deck)],
        sources=[roots.file(source) for source in sources],
        setting=setting,
        task=roots.file(task) if task else None,
        request=request,
    )
    console = _console()
    print_judgement(judgement, console)
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
        where, shape = f"slides {', '.join(map(str, finding.slides))}", ""
    else:
        where = f"slide {finding.slide}" if finding.slide else "deck"
        shape = f", {finding.shape}" if finding.shape else ""
    fix = f" Fix: {finding.fix}" if finding.fix else ""
    return f"{finding.severity}: {where}{shape}: {finding.message}{fix} [{finding.rule}]"


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


MOST_PICTURES = 4
"""Slides that one call draws (ours): a picture of 960 pixels costs a model about 1,000 tokens."""
_OF_USE = DECK_SUFFIXES | {*(*DOCUMENT_SUFFIXES, ".json", ".png", ".jpg", ".jpeg")}
"""Endings of the files that tools take."""
_EVERY_PART = 1 << 30


def list_files_tool(
    roots: Roots,
    *,
    folder: Annotated[str, Field(description="A folder to look in; empty for all.")] = "",
    pattern: Annotated[
        str, Field(description="Names to show, such as '*.pptx' or '*report*'; empty for all.")
    ] = "",
    first: First = 1,
) -> Answer:
    """List the files this server can use, with their sizes. Start here: other tools take paths as
    they stand in this list."""
    files, others = list[str](), 0
    for path in roots.files(roots.folder(folder) if folder else None):
        name = roots.shown(path)
        wanted = fnmatch(name, pattern) or fnmatch(path.name, pattern)
        if wanted if pattern else path.suffix.lower() in _OF_USE:
            files.append(f"{name} ({_size(path.stat().st_size)})")
        elif not pattern:
            others += 1
    shown = line_page(files, first)
    sentences = [f"{counted(len(files), 'file')}{'' if pattern else ' that the tools read'}."]
    if others:
        sentences.append(f"{counted(others, 'other file')}: pattern='*' lists all.")
    return Answer("\n".join([*sentences, *shown.lines, shown.more]).rstrip())


def outline_tool(roots: Roots, *, deck: DeckPath, first: First = 1) -> Answer:
    """Say in a few lines what a deck is: size, layouts, fonts, colours, then one line a slide with
    title, layout, kinds of shapes and first words. Look here before you read or edit."""
    path = roots.deck(deck)
    with open_deck(path) as opened:
        snapshot = opened.snapshot()
        problems = [f"not read: {problem}" for problem in opened.problems]
    lines = [*problems, *outline_lines(snapshot)]
    facts = deck_facts(snapshot).splitlines() if first == 1 else []
    head = f"{roots.shown(path)}: {counted(len(snapshot['slides']), 'slide')}"
    answer = listed(head, lines, first, most=40)
    return Answer(answer.heading, "\n".join([*facts, answer.content]).strip())


def find_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    words: Annotated[str, Field(min_length=1, description="The words; case does not matter.")],
    whole_word: bool = False,
    first: First = 1,
) -> Answer:
    """Say where words stand in a deck: slides, notes, tables, charts, SmartArt, alternative texts,
    layouts, masters."""
    path = roots.deck(deck)
    if not (lines := place_lines(deck_texts(path), words, whole_word=whole_word)):
        return Answer(f"{words!r} stands nowhere in {roots.shown(path)}. Words in pictures are "
                      "not looked at: render shows them.")  # fmt: skip
    return listed(f"{counted(len(lines), 'place')} with {words!r}.", lines, first)


def extract_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    slides: SlideList = "",
    detail: Annotated[
        Literal["words", "shapes", "everything"],
        Field(
            description="words: all words by shape, with notes. shapes: JSON with ids, names, "
            "places in px of a 960x540 frame, fonts, sizes, colours. everything: JSON with every "
            "effective style and where it comes from (long)."
        ),
    ] = "words",
    start: Start = 0,
) -> Answer:
    """Read what is on slides. Ask for few slides where you want places and styles."""
    path = roots.deck(deck)
    with open_deck(path) as opened:
        numbers = slides_there(slides, path, len(opened.outline.slides))
        if detail == "everything":
            heading, text = "", _elements_json(path, numbers)
            return sliced(heading, text, start)
        snapshot = opened.snapshot()
    if detail == "words":
        text = text_view(snapshot, numbers, most=_EVERY_PART).lines
        return sliced("", text, start)
    return Answer(
        "Places and sizes are px of a 960x540 frame, font sizes points. Where 'shown' or "
        "'left_out' says that something is missing, ask for fewer slides.",
        slides_in_full(snapshot, numbers, most=PAGE_CHARACTERS),
    )


def render_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    slides: Annotated[SlideList, Field(description="Such as '2,4-6'; at most 4 a call.")] = "1",
    width: Width = 960,
) -> Answer:
    """Show slides as pictures, drawn by LibreOffice. Look at slides after an edit, and before you
    say how a deck looks."""
    path = roots.deck(deck)
    with open_deck(path) as opened:
        count = len(opened.outline.slides)
    numbers = slides_there(slides, path, count)
    wanted = Pictures(numbers[:MOST_PICTURES], (width, width))
    with scratch_folder("mcp") as folder:
        (drawn,) = render_decks([path], folder, wanted, cache=Cache())
        saved = drawn.saved.slides if drawn.saved else ()
        pictures = tuple(slide.picture.read_bytes() for slide in saved if slide.picture)
    notes = list[str]()
    if pictures:
        order = ", ".join(str(slide.number) for slide in saved if slide.picture)
        slides_drawn = f"slides {order} in this order" if len(pictures) > 1 else f"slide {order}"
        notes.append(f"{roots.shown(path)}: {slides_drawn}, of {count}.")
    notes += [f"Slide {slide.number} is hidden in the show." for slide in saved if slide.hidden]
    if numbers[MOST_PICTURES:]:
        notes.append(f"Not drawn yet: {','.join(map(str, numbers[MOST_PICTURES:]))}; ask again.")
    replaced = sorted({font.use.family for font in drawn.fonts if not font.same_widths})
    if replaced:
        notes.append(f"Fonts that are not here, drawn with others: {', '.join(replaced)}.")
    return Answer("\n".join([*notes, *drawn.errors]), pictures=pictures, failed=not pictures)


def part_xml_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    part: Annotated[
        str, Field(description="Such as ppt/theme/theme1.xml, the number of a slide, or 'list'.")
    ],
    start: Start = 0,
) -> Answer:
    """Show the XML of a part of the file, for apply_patches; part='list' names all parts."""
    path = roots.deck(deck)
    with open_deck(path) as opened:
        package = opened.package
        name = part.strip().removeprefix("/")
        if name.isdecimal():
            number = slides_there(name, path, len(opened.outline.slides))[0]
            name = opened.slides[number - 1].part or ""
        if (data := package.find(name)) is None:
            near = [] if part == "list" else [other for other in package.names if name in other]
            heading = "The parts:" if part == "list" else f"There is no part {part!r}. There are:"
            return sliced(heading, "\n".join(near or package.names), start)
        return sliced(f"{data}:", part_text(package, data, most=_EVERY_PART), start)


def how_to_tool(
    roots: Roots,
    *,
    topic: Annotated[
        Literal["edit", "operations", "layouts", "lint"],
        Field(
            description="edit: requests that edit understands. operations: those that edit takes, "
            "functions of run_program. layouts: the layouts of a deck with their placeholders. "
            "lint: all rules."
        ),
    ],
    word: Annotated[
        str, Field(description="Only what has this word in its name or family, such as 'chart'.")
    ] = "",
    deck: Annotated[str, Field(description="For layouts: path of the deck.")] = "",
    start: Start = 0,
) -> Answer:
    """Say how other tools are used: known requests, operations with their parameters, layouts of a
    deck, rules of lint."""
    wanted = word.strip().casefold()
    if topic == "layouts":
        if not deck:
            raise ToolRefused("layouts are those of a deck: name it")
        return sliced("", "\n".join(layout_lines(roots.deck(deck))), start)
    if topic == "lint":
        return Answer("\n".join(sorted(chosen_rules())))
    entries = list(form_lines(wanted) if topic == "edit" else _operations(wanted))
    if not entries:
        raise ToolRefused(f"nothing has {word!r} in its name; leave out the word to see all")
    return Answer(*_told_apart(sliced("", "\n".join(entries), start)))


def _told_apart(answer: Answer) -> tuple[str]:
    """Our own words need no marks."""
    return ("\n".join(filter(None, (answer.content, answer.heading))),)


def _operations(wanted: str) -> Iterator[str]:
    """Operations by family, each as a call; in full where a word is asked for."""
    if wanted:
        docs = map(operation_doc, operations_like([wanted]))
        yield from (doc.replace("(prs: Presentation, ", "(") for doc in docs)
        return
    yield operation_calls()
    yield "Ask again with a word, such as a name or a family, for what they do."


def _elements_json(path: Path, numbers: tuple[int, ...]) -> str:
    elements = extract(path, slides=list(numbers))
    return "\n".join(slide.model_dump_json(exclude_defaults=True) for slide in elements.slides)


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"
