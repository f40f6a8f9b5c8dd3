"""Tools that look at decks and change nothing: what is in them, what is wrong, what they score.

Each takes the roots and the arguments of a call and gives an answer. What is wrong with a call is a
DecklabError or OSError whose text says what to do.
"""

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

from pydantic import Field
from rich.console import Console

import decklab
from decklab.errors import DecklabError, UnknownName
from decklab.mcp.answers import PAGE_CHARACTERS, Answer, listed, page, sliced
from decklab.mcp.arguments import Deck, First, Names, Slides, Start, Width
from decklab.mcp.roots import DECK_SUFFIXES, Roots
from decklab.options import ScenarioSetting, Severity

MOST_PICTURES = 4
"""Slides that one call draws (ours): a picture of 960 pixels costs a model about 1,000 tokens."""
_OF_USE = DECK_SUFFIXES | {
    *(".pdf", ".docx", ".md", ".markdown", ".html", ".htm", ".csv", ".xlsx", ".json"),
    *(".png", ".jpg", ".jpeg"),
}
"""Endings of the files that tools take."""
_EVERY_PART = 1 << 30
_CONSOLE_WIDTH = 110


class Refused(DecklabError):
    """A call that makes no sense for this deck; the text says what to ask instead."""


def list_files(
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
    found, others = list[str](), 0
    for path in roots.files(roots.folder(folder) if folder else None):
        if path.match(pattern) if pattern else path.suffix.lower() in _OF_USE:
            found.append(f"{roots.shown(path)} ({_size(path.stat().st_size)})")
        elif not pattern:
            others += 1
    shown = page(found, first)
    told = [f"{_many(len(found), 'file')}{'' if pattern else ' that the tools read'}."]
    if others:
        told.append(f"{_many(others, 'other file')}: pattern='*' lists all.")
    return Answer("\n".join([*told, *shown.lines, shown.more]).rstrip())


def outline(roots: Roots, *, deck: Deck, first: First = 1) -> Answer:
    """Say in a few lines what a deck is: size, layouts, fonts, colours, then one line a slide with
    title, layout, kinds of shapes and first words. Look here before you read or edit."""
    path = roots.deck(deck)
    with decklab.open(path) as opened:
        snapshot = opened.snapshot()
        problems = [f"not read: {problem}" for problem in opened.problems]
    lines = [*problems, *decklab.outline_lines(snapshot)]
    facts = decklab.deck_facts(snapshot).splitlines() if first == 1 else []
    head = f"{roots.shown(path)}: {_many(len(snapshot['slides']), 'slide')}"
    answer = listed(head, lines, first, most=40)
    return Answer(answer.told, "\n".join([*facts, answer.content]).strip())


def find(
    roots: Roots,
    *,
    deck: Deck,
    words: Annotated[str, Field(min_length=1, description="The words; case does not matter.")],
    whole_word: bool = False,
    first: First = 1,
) -> Answer:
    """Say where words stand in a deck: slides, notes, tables, charts, SmartArt, alternative texts,
    layouts, masters."""
    path = roots.deck(deck)
    lines = decklab.place_lines(decklab.deck_texts(path), words, whole_word=whole_word)
    if not lines:
        return Answer(f"{words!r} stands nowhere in {roots.shown(path)}. Words in pictures are "
                      "not looked at: render shows them.")  # fmt: skip
    return listed(f"{_many(len(lines), 'place')} with {words!r}.", lines, first)


def extract(
    roots: Roots,
    *,
    deck: Deck,
    slides: Slides = "",
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
    with decklab.open(path) as opened:
        numbers = _numbers(slides, path, len(opened.outline.slides))
        if detail == "everything":
            told, text = "", _elements_json(path, numbers)
            return sliced(told, text, start)
        snapshot = opened.snapshot()
    if detail == "words":
        text = decklab.text_view(snapshot, numbers, most=_EVERY_PART).lines
        return sliced("", text, start)
    return Answer(
        "Places and sizes are px of a 960x540 frame, font sizes points. Where 'shown' or "
        "'left_out' says that something is missing, ask for fewer slides.",
        decklab.slides_in_full(snapshot, numbers, most=PAGE_CHARACTERS),
    )


def lint(
    roots: Roots,
    *,
    deck: Deck,
    slides: Slides = "",
    rules: Names = [],  # noqa: B006  # never changed: it becomes the default of a schema
    ignore: Names = [],  # noqa: B006
    min_severity: Annotated[Severity, Field(description="info shows notes too.")] = "warning",
    first: First = 1,
) -> Answer:
    """Say what is wrong with a deck, with a fix for each finding: overflowing, overlapping, small
    or hidden text, contrast, alignment, missing titles and alternative texts."""
    path = roots.deck(deck)
    try:
        wanted = decklab.lint_rules(rules, ignore)
    except UnknownName as error:
        raise Refused(f"{error}; how_to(topic='lint') lists them") from None
    result = decklab.lint(path, rules=wanted, renderer=_renderer())
    chosen = frozenset(_numbers(slides, path, result.slides)) if slides else None
    about = [one for one in result.findings
             if chosen is None or chosen & {one.slide, *one.slides}]  # fmt: skip
    ids = {id(one) for one in result.at_least(min_severity).findings}
    shown = [one for one in about if id(one) in ids]
    where = "" if chosen is None else f" on slides {slides}"
    told = [f"{roots.shown(path)}: {_counted(about)}{where}."]
    if len(shown) < len(about):
        told.append("Not all are listed: min_severity='info' lists notes too.")
    not_run = dict.fromkeys(result.not_run.values())
    told += [f"{len(result.not_run)} rules were not applied: {why}" for why in not_run]
    return listed("\n".join(told), [_finding_line(one) for one in shown], first)


def validate(roots: Roots, *, deck: Deck, first: First = 1) -> Answer:
    """Say what PowerPoint would want to repair in a deck: broken links between parts, wrong XML."""
    path = roots.deck(deck)
    problems = decklab.validate(path)
    if not problems:
        return Answer(f"{roots.shown(path)} is valid: nothing to repair.")
    errors = sum(one.severity == "error" for one in problems)
    lines = [f"{one.severity}: {one.part or 'package'}: {one.detail} Fix: {one.fix} [{one.rule}]"
             for one in problems]  # fmt: skip
    told = f"{roots.shown(path)}: {_many(errors, 'error')}, {len(problems) - errors} others."
    return listed(told, lines, first)


def diff(
    roots: Roots,
    *,
    before: Annotated[str, Field(description="Path of the older deck.")],
    after: Annotated[str, Field(description="Path of the newer deck.")],
    noise: Annotated[
        bool, Field(description="Also tell what programs write anew when they only save.")
    ] = False,
    first: First = 1,
) -> Answer:
    """Say in words what changed from one deck to another, slide by slide."""
    older, newer = roots.deck(before), roots.deck(after)
    found = decklab.diff(older, newer)
    shown = found.changes if noise else found.edits
    lines = [f"{place.place}: {words}"
             for place in decklab.words_by_slide(shown) for words in place.clauses]  # fmt: skip
    if not lines:
        return Answer("Nothing changed.")
    return listed(f"{_many(len(lines), 'change')}.", lines, first)


def render(
    roots: Roots,
    *,
    deck: Deck,
    slides: Annotated[Slides, Field(description="Such as '1' or '2,4-6'; at most 4 a call.")] = "1",
    width: Width = 960,
) -> Answer:
    """Show slides as pictures, drawn by LibreOffice. Look at slides after an edit, and before you
    say how a deck looks."""
    path = roots.deck(deck)
    with decklab.open(path) as opened:
        count = len(opened.outline.slides)
    numbers = _numbers(slides, path, count)
    wanted = decklab.Pictures(numbers[:MOST_PICTURES], (width, width))
    with TemporaryDirectory(prefix="decklab-mcp-") as folder:
        (drawn,) = decklab.render([path], folder, wanted, cache=decklab.Cache())
        saved = drawn.saved.slides if drawn.saved else ()
        pictures = tuple(one.picture.read_bytes() for one in saved if one.picture)
    told = [f"{roots.shown(path)}, slides {', '.join(str(o.number) for o in saved if o.picture)} "
            f"of {count}, in this order."] if pictures else []  # fmt: skip
    told += [f"Slide {one.number} is hidden in the show." for one in saved if one.hidden]
    if numbers[MOST_PICTURES:]:
        told.append(f"Not drawn yet: {','.join(map(str, numbers[MOST_PICTURES:]))}; ask again.")
    replaced = sorted({one.use.family for one in drawn.fonts if not one.same_widths})
    if replaced:
        told.append(f"Fonts that are not here, drawn with others: {', '.join(replaced)}.")
    return Answer("\n".join([*told, *drawn.errors]), pictures=pictures, failed=not pictures)


def score(
    roots: Roots,
    *,
    deck: Deck,
    detail: Annotated[
        Literal["summary", "metrics"], Field(description="metrics lists every number of the deck.")
    ] = "summary",
    first: First = 1,
) -> Answer:
    """Score a deck: how it looks, how editable it is, its quality, each with its parts. For what to
    mend, ask lint."""
    path = roots.deck(deck)
    with TemporaryDirectory(prefix="decklab-mcp-") as folder:
        run = decklab.score([path], folder, jobs=1)
        (row,), (result,) = list(run.rows()), list(run.results())
    if result.error is not None:
        raise Refused(result.error)
    rows = [one for one in result.measurements if one.slide is None]
    if detail == "summary":
        rows = [one for one in rows if one.metric in (*row.values, *row.reasons)]
    lines = [_measured(one) for one in rows]
    shown = page(lines, first)
    told = [
        f"{roots.shown(path)}, {_many(result.slides, 'slide')}; "
        f"findings: {_counted(result.findings)}."
    ]
    return Answer("\n".join([*told, *shown.lines, shown.more]).rstrip())


def judge(
    roots: Roots,
    *,
    deck: Deck,
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
        raise Refused("name a setting (vague, long-doc, multimodal, multi-source) or a task")
    (found,) = decklab.judge(
        [roots.deck(deck)],
        sources=[roots.file(one) for one in sources],
        setting=setting,
        task=roots.file(task) if task else None,
        request=request,
    )
    console = _console()
    decklab.print_judgement(found, console)
    return listed("Scores are 0 to 10, higher is better.", _printed(console), first)


def grade(
    roots: Roots,
    *,
    original: Annotated[str, Field(description="Path of the deck before the edit.")],
    modified: Annotated[str, Field(description="Path of the deck after it.")],
    rubric: Annotated[str, Field(description="Path of a rubric tree (JSON).")],
    first: First = 1,
) -> Answer:
    """Grade an edited deck against its original with a rubric tree. The rubric's code runs in the
    sandbox; criteria that need a model are not scored."""
    graded = decklab.grade(roots.deck(original), roots.deck(modified), roots.file(rubric))
    console = _console()
    decklab.print_graded(graded, console)
    return listed("Scores are 0 to 1.", _printed(console), first)


def part_xml(
    roots: Roots,
    *,
    deck: Deck,
    part: Annotated[
        str, Field(description="Such as ppt/theme/theme1.xml, the number of a slide, or 'list'.")
    ],
    start: Start = 0,
) -> Answer:
    """Show the XML of a part of the file, for apply_patches; part='list' names all parts."""
    path = roots.deck(deck)
    with decklab.open(path) as opened:
        package = opened.package
        name = part.strip().removeprefix("/")
        if name.isdecimal():
            number = _numbers(name, path, len(opened.outline.slides))[0]
            name = opened.slides[number - 1].part or ""
        found = package.find(name)
        if found is None:
            near = [] if part == "list" else [one for one in package.names if name in one]
            told = "The parts:" if part == "list" else f"There is no part {part!r}. There are:"
            return sliced(told, "\n".join(near or package.names), start)
        return sliced(f"{found}:", decklab.part_text(package, found, most=_EVERY_PART), start)


def how_to(
    roots: Roots,
    *,
    topic: Annotated[
        Literal["edit", "program", "layouts", "lint"],
        Field(
            description="edit: requests that edit understands. program: functions that a program "
            "of run_program has. layouts: the layouts of a deck with their placeholders. lint: "
            "all rules."
        ),
    ],
    word: Annotated[
        str, Field(description="Only what has this word in its name or family, such as 'chart'.")
    ] = "",
    deck: Annotated[str, Field(description="For layouts: path of the deck.")] = "",
    start: Start = 0,
) -> Answer:
    """Say how other tools are used: known requests, functions for programs with their parameters,
    layouts of a deck, rules of lint."""
    wanted = word.strip().casefold()
    if topic == "layouts":
        if not deck:
            raise Refused("layouts are those of a deck: name it")
        return sliced("", "\n".join(decklab.layout_lines(roots.deck(deck))), start)
    if topic == "lint":
        return Answer("\n".join(sorted(decklab.lint_rules())))
    entries = list(_requests(wanted) if topic == "edit" else _operations(wanted))
    if not entries:
        raise Refused(f"nothing has {word!r} in its name; leave out the word to see all")
    return Answer(*_told_apart(sliced("", "\n".join(entries), start)))


def _told_apart(answer: Answer) -> tuple[str]:
    """Our own words need no marks."""
    return ("\n".join(filter(None, (answer.content, answer.told))),)


def _requests(wanted: str) -> Iterator[str]:
    for family, requests in decklab.edit_examples().items():
        if wanted in family.casefold() or any(wanted in one.casefold() for one in requests):
            yield f"{family}:"
            yield from (f"  {one}" for one in requests)


def _operations(wanted: str) -> Iterator[str]:
    """Functions by family: their documentation where a word is asked for, else only their heads."""
    for family, names in decklab.operation_names().items():
        chosen = [name for name in names if wanted in name or wanted in family.casefold()]
        if not chosen:
            continue
        yield f"# {family}"
        docs = decklab.operation_docs([family]).replace("(prs: Presentation", "(prs").split("\n\n")
        for doc in _joined(docs):
            if doc.partition("(")[0] in chosen:
                yield doc if wanted else doc.partition("\n")[0]
    if not wanted:
        yield "Ask again with a word, such as a name or a family, for what they do and examples."


def _joined(docs: list[str]) -> Iterator[str]:
    """The documentation of each function: its paragraphs after the first are indented."""
    held = list[str]()
    for doc in docs:
        if held and not doc.startswith(" "):
            yield "\n".join(held)
            held = []
        held.append(doc)
    if held:
        yield "\n".join(held)


def _numbers(slides: str, deck: Path, count: int) -> tuple[int, ...]:
    """The slides that are asked for, each there; raises Refused where one is not."""
    if not slides.strip():
        return tuple(range(1, count + 1))
    try:
        numbers = decklab.slide_numbers(slides)
    except ValueError as error:
        raise Refused(str(error)) from None
    beyond = [number for number in numbers if not 1 <= number <= count]
    if beyond:
        raise Refused(f"there is no slide {beyond[0]} in {deck.name}; it has {count}")
    return numbers


def _elements_json(path: Path, numbers: tuple[int, ...]) -> str:
    found = decklab.extract(path, slides=list(numbers))
    return "\n".join(slide.model_dump_json(exclude_defaults=True) for slide in found.slides)


def _finding_line(finding: Any) -> str:
    slides = ", ".join(map(str, finding.slides or filter(None, [finding.slide])))
    place = f"slide {slides}" if slides else "deck"
    shape = f", {finding.shape}" if finding.shape else ""
    fix = f" Fix: {finding.fix}" if finding.fix else ""
    return f"{finding.severity}: {place}{shape}: {finding.message}{fix} [{finding.rule}]"


def _counted(findings: Iterable[Any]) -> str:
    count = Counter(one.severity for one in findings)
    return ", ".join(
        _many(count[severity], word)
        for severity, word in (("error", "error"), ("warning", "warning"), ("info", "note"))
    )


def _measured(row: Any) -> str:
    """A number with its range, the better way and its meaning; or why there is none."""
    info = decklab.metric_info(row.metric)
    if row.value is None:
        return f"{row.metric}: not scored: {row.reason} ({info.meaning})"
    bounds = [f"{bound:g}" for bound in (info.low, info.high) if bound is not None]
    spread = " to ".join(bounds) if len(bounds) == 2 else ""
    better = "" if row.direction == "neutral" else f"{row.direction} is better"
    scale = ", ".join(filter(None, (row.unit, spread, better)))
    return f"{row.metric}: {row.value:.4g} ({scale}): {info.meaning}"


def _renderer() -> Any:
    return decklab.Renderer(cache=decklab.Cache())


def _console() -> Console:
    return Console(file=io.StringIO(), width=_CONSOLE_WIDTH, color_system=None)


def _printed(console: Console) -> list[str]:
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"
