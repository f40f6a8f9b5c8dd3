"""Tools that write a deck: by requests, operations, a program or patches, from documents; and the
stack of a session's edits, taken back one by one.

The files of others are never changed: each deck is made in a folder of its own, and takes its name,
which nothing else has, when it is whole. A deck that this session made is edited where it is, and
every state of it is kept beside it (``decklab.editor.result``). Arguments, answers and errors are
as in ``looking_tools``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from decklab.board.themes import THEMES
from decklab.core.errors import DeckError
from decklab.core.files import scratch_folder, write_numbered, write_output
from decklab.core.options import WRITE_SLIDES
from decklab.core.registry import one_of
from decklab.editing.operations import named_operations, operation_call
from decklab.editing.requests.forms import request_examples
from decklab.editor.chat import edit_words, undo_edit, undone_lines
from decklab.editor.conversation import NO_PICTURES, SlidePictures, changed_slides
from decklab.editor.edit import edit as edit_deck
from decklab.editor.result import EditHistory, EditOutput
from decklab.editor.steps import (
    StepFailed,
    edit_with_patches,
    edit_with_program,
    operations_program,
)
from decklab.ooxml.patch_parts import Patch
from decklab.pages.wording import counted
from decklab.workbench.mcp.answers import (
    Answer,
    DeckPath,
    First,
    NewDeck,
    PatchArgument,
    PictureCount,
    SlideList,
    ToolRefused,
    asked_slides,
    listed,
)
from decklab.workbench.mcp.roots import Roots
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck

if TYPE_CHECKING:
    from decklab.editor.result import EditResult
    from decklab.writer.write import WrittenDeck

_EXAMPLES = "; ".join(examples[-1] for examples in request_examples().values())
"""One request of each family."""
_CALLS = "; ".join(
    operation_call(named_operations()[name]) for name in ("set_geometry", "set_chart_value")
)
_SHOWN = 40
"""Changes that an answer lists (ours); diff shows the others."""


def edit_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    request: Annotated[
        str,
        Field(description="What to change, in English of exact forms, texts in quotes, several "
              f"divided by ; such as: {_EXAMPLES}. All: how_to, topic edit."),
    ] = "",
    operations: Annotated[
        list[str],
        Field(description="Or calls of operations, all or none, such as: "
              f"{_CALLS}. All: how_to, topic operations."),
    ] = [],  # noqa: B006  # never changed: it becomes the default of a schema
    slides: Annotated[
        SlideList, Field(description="For requests: the only slides that may change.")
    ] = "",
    out: NewDeck = "",
    pictures: PictureCount = 0,
    dry_run: Annotated[
        bool, Field(description="Only say what would change.")
    ] = False,
) -> Answer:  # fmt: skip
    """Change in a deck exactly what is asked, by a request in words or by operations, and check it.
    Changes are told in words, with new findings of layout. A deck of this session is edited where
    it is, and undo takes edits back; else a new deck is written."""
    if bool(request.strip()) == bool(operations):
        raise ToolRefused("give a request, or operations, not both")
    if operations and slides.strip():
        raise ToolRefused("slides bound requests; operations name their slides themselves")
    chosen = asked_slides(slides) if slides.strip() else None

    def made(source: Path, target: Path) -> "EditResult":
        output = EditOutput(target, dry_run)
        if not operations:
            return edit_deck(source, request, out=target, slides=chosen, dry_run=dry_run)
        try:
            code = operations_program(operations)
        except StepFailed as error:
            raise ToolRefused(str(error)) from None
        return edit_with_program(source, code, out=output)

    hint = (
        "how_to(topic='edit') lists requests, how_to(topic='operations') operations; run_program "
        "does what none of them says."
    )
    return _edited(
        roots, _Wanted(deck, request or "; ".join(operations), out, pictures), made, hint
    )


def run_program_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    code: Annotated[
        str,
        Field(description="Python that defines edit(prs): prs is a python-pptx Presentation, the "
              "functions of how_to(topic='operations') are globals. Do not open or save files."),
    ],
    out: NewDeck = "",
    pictures: PictureCount = 0,
) -> Answer:  # fmt: skip
    """Run a Python program on a copy of a deck in the sandbox (no network, no files of the host),
    check the copy, and write it as edit does. For what no request or operation says. Example code:
    def edit(prs): set_title(prs, 2, 'Results'); delete_slide(prs, 5)"""

    def made(source: Path, target: Path) -> "EditResult":
        return edit_with_program(source, code, out=target)

    hint = "how_to(topic='operations', word='a name') shows a function's parameters."
    return _edited(roots, _Wanted(deck, f"a program: {code}", out, pictures), made, hint)


def apply_patches_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    patches: Annotated[list[PatchArgument], Field(min_length=1)],
    out: NewDeck = "",
    pictures: PictureCount = 0,
) -> Answer:
    """Change the XML of a deck by patches, all of them or none, and write it as edit does; it has
    to be as valid as it was. Look at the XML with part_xml first. For details that neither edit nor
    run_program reaches."""
    wanted = [Patch(**patch.model_dump()) for patch in patches]

    def made(source: Path, target: Path) -> "EditResult":
        return edit_with_patches(source, wanted, out=target)

    parts = ", ".join(dict.fromkeys(patch.part for patch in wanted))
    hint = "part_xml shows the XML and the names of parts."
    return _edited(roots, _Wanted(deck, f"patches of {parts}", out, pictures), made, hint)


def undo_tool(
    roots: Roots,
    *,
    deck: DeckPath,
    number: Annotated[int, Field(ge=0, description="As history lists it; 0 for the last.")] = 0,
) -> Answer:
    """Take back an edit of a deck that this session edited: the last one, or one of them. Later
    edits stay."""
    undone = undo_edit(_stack(roots, roots.deck(deck)), number or None)
    return Answer(f"Edit {undone.edit.number} is taken back.", "\n".join(undone_lines(undone)))


def history_tool(roots: Roots, *, deck: DeckPath, first: First = 1) -> Answer:
    """List the edits of a deck that this session edited, by their requests."""
    history = _stack(roots, roots.deck(deck))
    gone = {edit.undoes for edit in history.edits}
    lines = [f"{edit_words(edit)}{' (taken back)' * (edit.number in gone)}"
             for edit in history.edits]  # fmt: skip
    return listed(f"{counted(len(lines), 'edit')} of {roots.shown(history.deck)}.", lines, first)


def _stack(roots: Roots, deck: Path) -> EditHistory:
    """The edits of a deck; raises ToolRefused if this session did not make it."""
    if not _is_own(roots, deck):
        raise ToolRefused(
            f"{roots.shown(deck)} was not edited in this session; edit writes a deck whose edits "
            "can be taken back"
        )
    return EditHistory(deck)


def _is_own(roots: Roots, deck: Path) -> bool:
    mark = EditHistory(deck).folder / _SESSION
    return mark.exists() and mark.read_text() == roots.session


_SESSION = "session"
"""File of a history that names the session that makes it."""


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


@dataclass(frozen=True)
class _Wanted:
    """An edit as a client asks for it."""

    deck: str
    request: str
    """In words, for the history."""
    out: str
    pictures: int


def _edited(
    roots: Roots, wanted: _Wanted, made: Callable[[Path, Path], "EditResult"], hint: str
) -> Answer:
    """The answer of an edit that ``made`` makes from a file to a file, which gets its name last.

    ``hint`` says what to do where nothing was done.
    """
    source = roots.deck(wanted.deck)
    stays = not wanted.out and _is_own(roots, source)
    target = source if stays else roots.new_file(wanted.out, like=source, suffix=source.suffix)
    with scratch_folder("mcp") as folder:
        before = folder / f"before{source.suffix}"
        before.write_bytes(source.read_bytes())
        try:
            result = made(before, folder / f"edited{source.suffix}")
        except DeckError as error:  # of the copy; the caller knows the deck
            path = source if error.path == str(before) else error.path
            raise DeckError(path, error.detail, error.part) from error
        if result.output is not None:
            if stays and source.read_bytes() != before.read_bytes():
                raise ToolRefused(f"{roots.shown(source)} was changed meanwhile; ask again")
            target = _written(roots, wanted, target, before, result)
    refused = result.outcome in ("refused", "asked")
    if result.output is not None:
        number = EditHistory(target).edits[-1].number
        heading = f"{result.outcome}: wrote {roots.shown(target)}, edit {number} of this session."
    elif refused:
        heading = f"{result.outcome}: no deck was written. {hint}"
    else:
        heading = f"A dry run: no deck was written. The request would be {result.outcome}."
    shown = _pictures(result, wanted.pictures)
    lines = [*_result_lines(result), shown.words]
    return Answer(heading, "\n".join(filter(None, lines)), shown.images, failed=refused)


def _written(
    roots: Roots, wanted: _Wanted, target: Path, before: Path, result: "EditResult"
) -> Path:
    """Write an edited deck to its place, as an edit of this session; gives the place."""
    data = (result.output or before).read_bytes()
    if not target.exists() and wanted.out:
        write_output(target, data)
    elif not _is_own(roots, target):  # a name of ours: another call may have taken it meanwhile
        target = write_numbered(target, data)
    history = EditHistory(target)
    history.replace(
        data, wanted.request, result.outcome, result.sentences, before=before.read_bytes()
    )
    (history.folder / _SESSION).write_text(roots.session)
    return target


def _pictures(result: "EditResult", most: int) -> SlidePictures:
    """Pictures of slides that look different now."""
    checked = result.best.verification if result.best is not None else None
    return changed_slides(checked, most=most) if checked is not None and most else NO_PICTURES


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
