"""One request to edit a deck: by commands, or by a model that is named; with a report if wanted."""

from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from decklab import editor
from decklab.core.errors import RendererMissing
from decklab.core.files import check_distinct, scratch_folder
from decklab.core.stages import Progress
from decklab.editing.requests.slide_names import numbers_in
from decklab.editor.command_editor import edit_with_commands
from decklab.editor.result import EditOutput, EditResult, default_output
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Cache, Renderer

if TYPE_CHECKING:
    from decklab.editor.model_editor import EditModel


def edit(
    deck: str | Path,
    instruction: str,
    *,
    out: str | Path | None = None,
    slides: Collection[int] | None = None,
    model: "str | EditModel | None" = None,
    dry_run: bool = False,
    report: str | Path | None = None,
    force: bool = False,
    files: str | Path | None = None,
    progress: Progress | None = None,
    renderer: Renderer | None = None,
) -> EditResult:
    """Change in a deck what an instruction asks for, check it, and write the edited deck.

    Without a ``model`` the instruction has to have one of the known forms (docs/edit.md). ``out``
    is where the edited deck goes, by default beside the input under a name that is free; ``slides``
    are the only ones that may be edited; a ``dry_run`` writes no deck; ``report`` is a page to
    write, with the slides before and after. With ``force`` ``out`` may be a file that exists, also
    the input; a copy of it is kept beside it. ``files`` is the folder of pictures and decks that an
    instruction without a model names; without it no such file is read. ``progress`` is called with
    the name of each stage, for the first time after the check that everything needed is there.
    ``renderer`` draws, if one is open already. Without LibreOffice nothing is drawn, and checks
    that need pictures are left out.

    ::

        result = decklab.edit("talk.pptx", "replace '2025' with '2026' in titles")
        print(result.outcome, result.sentences, result.output)

    Raises DeckError if the deck cannot be read, OSError if something cannot be written,
    NameTaken if it exists, ModelUnavailable and SandboxUnavailable if what a model needs is
    not there: all of them before anything is done; ModelError if the model could not be asked;
    ValueError for a budget in dollars without prices.
    """
    source = Path(deck)
    chosen = editor.EditModel(model) if isinstance(model, str) else model
    with ExitStack() as stack:
        with Package.open(source):
            pass
        output = EditOutput.checked(EditOutput(out, dry_run, force=force), source)
        check_distinct([out, report])
        if report is not None:
            editor.check_page(report, editor.EDIT_PAGE, inputs=[source], force=force)
        make: Callable[..., EditResult] = partial(edit_with_commands, files=files)
        if chosen is not None:
            made = editor.edit_by(chosen, source, instruction, slides=slides, progress=progress)
            make = stack.enter_context(made)
        folder = stack.enter_context(scratch_folder("edit"))
        before = folder / f"before{source.suffix}"
        if report is not None:  # ``out`` may name the input
            before.write_bytes(source.read_bytes())
        started = stack.enter_context((renderer or Renderer(cache=Cache())).started())
        result = make(
            source, instruction, slides=slides, renderer=started, draw=_can_draw(started),
            out=replace(output, folder=(chosen and chosen.spending.record) or folder),
            progress=progress,
        )  # fmt: skip
        if report is not None:
            if progress:
                progress("report")
            after = result.best.deck if result.best and result.best.deck else before
            _found, shown = editor.compare_decks(before, after, renderer=started)
            written = result.output or (default_output(source) if out is None else out)
            shown = replace(shown, before=str(deck), after=str(written))
            editor.write_diff_page(report, shown, edit=result)
        return result


def _can_draw(renderer: Renderer) -> bool:
    try:
        renderer.check()
    except RendererMissing:
        return False
    return True


def slide_numbers(text: str) -> tuple[int, ...]:
    """The numbers in a list with ranges; raises ValueError if it is none.

    >>> slide_numbers("2, 4-6")
    (2, 4, 5, 6)
    """
    numbers = numbers_in(text)
    if not numbers:
        raise ValueError(f"{text!r} is no list such as 2,4-6")
    return numbers
