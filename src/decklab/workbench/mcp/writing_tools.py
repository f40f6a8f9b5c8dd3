"""Tools that write a new deck: by commands, by a program, by patches, from documents.

Inputs are never changed and no file is overwritten: each deck is made in a folder of its own, and
takes its name, which nothing else has, when it is whole. Arguments, answers and errors are as in
``looking_tools``.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from decklab.board.themes import THEMES
from decklab.core.files import scratch_folder, write_numbered, write_output
from decklab.core.options import WRITE_SLIDES
from decklab.core.registry import one_of
from decklab.editing.requests.forms import request_examples
from decklab.editor.edit import edit as edit_deck
from decklab.editor.steps import edit_with_patches, edit_with_program
from decklab.ooxml.patch_parts import Patch
from decklab.pages.wording import counted
from decklab.workbench.mcp.answers import (
    Answer,
    DeckPath,
    NewDeck,
    PatchArgument,
    SlideList,
    ToolRefused,
    asked_slides,
)
from decklab.workbench.mcp.roots import Roots
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck

if TYPE_CHECKING:
    from decklab.editor.result import EditResult
    from decklab.writer.write import WrittenDeck

_EXAMPLES = "; ".join(examples[-1] for examples in request_examples().values())
"""One request of each family."""
_SHOWN = 40
"""Changes that an answer lists (ours); diff shows the others."""


def edit_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    request: Annotated[
        str,
        Field(description="What to change, in English of exact forms, texts in quotes, several "
              f"divided by ; or a new line. Such as: {_EXAMPLES}. All forms: how_to, topic edit."),
    ],
    slides: Annotated[
        SlideList, Field(description="The only slides that may change; empty for all.")
    ] = "",
    out: NewDeck = "",
    dry_run: Annotated[
        bool, Field(description="Say what would change, and write no deck.")
    ] = False,
) -> Answer:  # fmt: skip
    """Change in a deck exactly what is asked, check it, and write a new deck. What changed is told
    in words, with new faults of layout. how_to(topic='edit') lists all requests; what they cannot
    say is for run_program."""
    chosen = asked_slides(slides) if slides.strip() else None

    def made(source: Path, target: Path) -> "EditResult":
        return edit_deck(source, request, out=target, slides=chosen, dry_run=dry_run)

    hint = "how_to(topic='edit') lists requests; run_program does what no request says."
    return _edited(roots, deck, out, made, hint)


def run_program_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    code: Annotated[
        str,
        Field(description="Python that defines edit(prs): prs is a python-pptx Presentation, the "
              "functions of how_to(topic='program') are globals. Do not open or save files."),
    ],
    out: NewDeck = "",
) -> Answer:  # fmt: skip
    """Run a Python program on a copy of a deck in the sandbox (no network, no files of the host),
    check the copy, and write it as a new deck. For what edit has no request for. Example code:
    def edit(prs): set_title(prs, 2, 'Results'); delete_slide(prs, 5)"""

    def made(source: Path, target: Path) -> "EditResult":
        return edit_with_program(source, code, out=target)

    hint = "how_to(topic='program', word='a name') shows a function's parameters and an example."
    return _edited(roots, deck, out, made, hint)


def apply_patches_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    patches: Annotated[list[PatchArgument], Field(min_length=1)],
    out: NewDeck = "",
) -> Answer:
    """Change the XML of a deck by patches, all of them or none, and write a new deck, which has to
    be as valid as it was. Look at the XML with part_xml first. For details that neither edit nor
    run_program reaches."""
    wanted = [Patch(**patch.model_dump()) for patch in patches]

    def made(source: Path, target: Path) -> "EditResult":
        return edit_with_patches(source, wanted, out=target)

    hint = "part_xml shows the XML and the names of parts."
    return _edited(roots, deck, out, made, hint)


def write_tool(
    roots: Roots,
    *,
    out: Annotated[
        str, Field(description="Path of the new deck, which must not exist yet: talk.pptx")
    ],
    sources: Annotated[
        list[str],
        Field(description="Paths of documents to write from: PDF, DOCX, PPTX, Markdown, HTML, CSV, "
              "XLSX, pictures. Their sentences are chosen and shortened word for word."),
    ] = [],  # noqa: B006  # never changed: it becomes the default of a schema
    markdown: Annotated[
        str,
        Field(description="Or the slides themselves, as in Marp: '# Title' begins a slide, '---' "
              "divides slides, then bullets and tables. Sources, if named, then prove numbers."),
    ] = "",
    prompt: Annotated[str, Field(description="What a deck from sources should be about.")] = "",
    title: str = "",
    slides: Annotated[int, Field(ge=3, le=200, description="Most slides.")] = WRITE_SLIDES,
    theme: Annotated[
        str, Field(description=f"{one_of(list(THEMES))}; empty for the one that suits the topic.")
    ] = "",
    template: Annotated[
        str, Field(description="Path of a .pptx or .potx whose masters to use, not a theme.")
    ] = "",
    like: Annotated[str, Field(description="Path of a deck to fill copies of slides of.")] = "",
    language: Annotated[str, Field(description="Tag, such as en or de-AT.")] = "en",
) -> Answer:  # fmt: skip
    """Write a new native, editable deck from documents, or from slides in Markdown that you give.
    Numbers on slides that are in no source are told."""
    if not sources and not markdown:
        raise ToolRefused("name sources to write from, or give the slides as markdown")
    target = roots.new_file(out, suffix=".pptx")
    with scratch_folder("mcp") as folder:
        given = folder / f"{target.stem}.md"
        given.write_text(markdown, encoding="utf-8")
        written = write_deck(
            [roots.file(source) for source in sources],
            folder / "deck.pptx",
            options=WriteOptions(
                prompt=prompt, title=title, slides=slides, theme=theme, language=language,
                template=str(roots.file(template)) if template else None,
                like=str(roots.file(like)) if like else None,
                slides_from=str(given) if markdown else "",
            ),
        )  # fmt: skip
        write_output(target, written.files[0].read_bytes())
    name = roots.shown(target)
    return Answer(
        f"Wrote {name}, {counted(written.slides, 'slide')}.", "\n".join(_written_lines(written))
    )


def _written_lines(written: "WrittenDeck") -> Iterator[str]:
    if written.looked_up and written.numbers:
        grounded = len(written.numbers) - len(written.unfounded)
        yield f"{grounded} of {len(written.numbers)} numbers on slides found in the sources."
    yield from (f"slide {item.slide}: in no source: {item.text}" for item in written.unfounded)
    yield from (f"not read: {item}" for item in written.unread)
    yield from (*written.left_out, *written.told, *written.not_looked)
    yield from (f"still wrong: {defect}" for defect in written.defects)


def _edited(
    roots: Roots, deck: str, out: str, made: Callable[[Path, Path], "EditResult"], hint: str
) -> Answer:
    """The answer of an edit that ``made`` makes from a file to a file, which gets its name last.

    ``hint`` says what to do where nothing was done.
    """
    source = roots.deck(deck)
    target = roots.new_file(out, like=source, suffix=source.suffix)
    with scratch_folder("mcp") as folder:
        result = made(source, folder / f"edited{source.suffix}")
        if result.output is not None:
            data = result.output.read_bytes()
            if out:
                write_output(target, data)
            else:  # a name of ours: another call may have taken it meanwhile
                target = write_numbered(target, data)
    lines = [*_result_lines(result)]
    refused = result.outcome in ("refused", "asked")
    if result.output is not None:
        heading = f"{result.outcome}: wrote {roots.shown(target)}."
    elif refused:
        heading = f"{result.outcome}: no deck was written. {hint}"
    else:
        heading = f"A dry run: no deck was written. The request would be {result.outcome}."
    return Answer(heading, "\n".join(lines), failed=refused)


def _result_lines(result: "EditResult") -> Iterator[str]:
    sentences = result.sentences
    yield from sentences[:_SHOWN]
    if sentences[_SHOWN:]:
        yield f"… {len(sentences) - _SHOWN} more changes: see diff."
    yield from result.warnings
    yield from (f"{line[:1].upper()}{line[1:]}" for line in result.undone)
    for readings in result.readings:
        yield f"It may mean: {' | '.join(readings)}"
    yield from (f"{line[:1].upper()}{line[1:]}." for line in result.left_out)
    best = result.best
    if best is not None and best.verification is not None and best.verification.undrawn:
        yield f"Not looked at as pictures: {best.verification.undrawn}"
    printed = best.record.get("printed", "").strip() if best is not None else ""
    if printed:
        yield f"Printed: {printed[:2000]}"
