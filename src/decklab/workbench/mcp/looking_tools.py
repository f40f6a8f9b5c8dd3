"""Tools that look at decks and change nothing: what is in them, and how other tools are used.

Each takes the roots and the arguments of a call and gives an answer. A wrong call raises a
DecklabError or OSError whose text says what to do.
"""

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from decklab.core.files import scratch_folder
from decklab.deck.deck import open_deck
from decklab.editing.operations import operation_docs, operation_names
from decklab.editing.requests.forms import form_lines
from decklab.editor.deck_tools import layout_lines, place_lines
from decklab.editor.outline import deck_facts, outline_lines, slides_in_full, text_view
from decklab.editor.text_steps import deck_texts
from decklab.linting.settings import chosen_rules
from decklab.ooxml.patches import part_text
from decklab.pages.wording import counted
from decklab.rendering.inputs import extract
from decklab.rendering.job import Pictures
from decklab.rendering.job import render as render_decks
from decklab.rendering.renderer import Cache
from decklab.workbench.mcp.answers import (
    PAGE_CHARACTERS,
    Answer,
    DeckPath,
    First,
    SlideList,
    Start,
    ToolRefused,
    Width,
    line_page,
    listed,
    sliced,
    slides_there,
)
from decklab.workbench.mcp.roots import DECK_SUFFIXES, Roots

MOST_PICTURES = 4
"""Slides that one call draws (ours): a picture of 960 pixels costs a model about 1,000 tokens."""
_OF_USE = DECK_SUFFIXES | {
    *(".pdf", ".docx", ".md", ".markdown", ".html", ".htm", ".csv", ".xlsx", ".json"),
    *(".png", ".jpg", ".jpeg"),
}
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
    found, others = list[str](), 0
    for path in roots.files(roots.folder(folder) if folder else None):
        name = roots.shown(path)
        wanted = fnmatch(name, pattern) or fnmatch(path.name, pattern)
        if wanted if pattern else path.suffix.lower() in _OF_USE:
            found.append(f"{name} ({_size(path.stat().st_size)})")
        elif not pattern:
            others += 1
    shown = line_page(found, first)
    told = [f"{counted(len(found), 'file')}{'' if pattern else ' that the tools read'}."]
    if others:
        told.append(f"{counted(others, 'other file')}: pattern='*' lists all.")
    return Answer("\n".join([*told, *shown.lines, shown.more]).rstrip())


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
    return Answer(answer.told, "\n".join([*facts, answer.content]).strip())


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
    lines = place_lines(deck_texts(path), words, whole_word=whole_word)
    if not lines:
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
            told, text = "", _elements_json(path, numbers)
            return sliced(told, text, start)
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
        pictures = tuple(one.picture.read_bytes() for one in saved if one.picture)
    told = list[str]()
    if pictures:
        order = ", ".join(str(one.number) for one in saved if one.picture)
        slides_drawn = f"slides {order} in this order" if len(pictures) > 1 else f"slide {order}"
        told.append(f"{roots.shown(path)}: {slides_drawn}, of {count}.")
    told += [f"Slide {one.number} is hidden in the show." for one in saved if one.hidden]
    if numbers[MOST_PICTURES:]:
        told.append(f"Not drawn yet: {','.join(map(str, numbers[MOST_PICTURES:]))}; ask again.")
    replaced = sorted({font.use.family for font in drawn.fonts if not font.same_widths})
    if replaced:
        told.append(f"Fonts that are not here, drawn with others: {', '.join(replaced)}.")
    return Answer("\n".join([*told, *drawn.errors]), pictures=pictures, failed=not pictures)


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
        found = package.find(name)
        if found is None:
            near = [] if part == "list" else [one for one in package.names if name in one]
            told = "The parts:" if part == "list" else f"There is no part {part!r}. There are:"
            return sliced(told, "\n".join(near or package.names), start)
        return sliced(f"{found}:", part_text(package, found, most=_EVERY_PART), start)


def how_to_tool(
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
    return ("\n".join(filter(None, (answer.content, answer.told))),)


def _operations(wanted: str) -> Iterator[str]:
    """Functions by family: their documentation where a word is asked for, else only their heads."""
    for family, names in operation_names().items():
        chosen = [name for name in names if wanted in name or wanted in family.casefold()]
        if not chosen:
            continue
        yield f"# {family}"
        docs = operation_docs([family]).replace("(prs: Presentation", "(prs").split("\n\n")
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


def _elements_json(path: Path, numbers: tuple[int, ...]) -> str:
    found = extract(path, slides=list(numbers))
    return "\n".join(slide.model_dump_json(exclude_defaults=True) for slide in found.slides)


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"
