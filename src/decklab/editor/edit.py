"""One request to edit a deck: by commands, or by a model that is named; with a report if wanted."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from decklab.core.errors import RendererMissing
from decklab.core.files import check_distinct, scratch_folder
from decklab.core.options import Spending
from decklab.core.stages import Progress
from decklab.diffing.page import EDIT_PAGE, compare_decks, write_diff_page
from decklab.editing.requests.slide_names import numbers_in
from decklab.editor.command_editor import edit_with_commands
from decklab.editor.edit_options import ModelEditOptions
from decklab.editor.model_editor import edit_with_model
from decklab.editor.result import EditOutput, EditResult, default_output
from decklab.models.asking import Ask
from decklab.models.model_run import begin_run
from decklab.models.record import file_digest
from decklab.ooxml.package import Package
from decklab.pages.page import check_page
from decklab.rendering.renderer import Cache, Renderer
from decklab.sandbox.sandbox import check_isolation


@dataclass(frozen=True)
class EditModel(ModelEditOptions):
    """A model that edits, and how."""

    name: str
    """As Inspect AI names it, such as ``openai/gpt-5``."""
    router_name: str | None = None
    """The model that chooses the steps, such as a small fast one; None for the one that edits."""
    spending: Spending = field(default_factory=Spending)
    """Most that the edit may cost before it ends with the best version so far; prices by model; and
    the folder that keeps every question, reply and version. With the folder of the same edit, begun
    before, only the rest is asked."""

    def opened(self, router: Ask | None) -> "EditModel":
        """The same with the models open, and with their prices."""
        prices = self.spending.prices
        return replace(
            self,
            router=router,
            prices=prices.get(self.name) or prices.get("") or self.prices,
            router_prices=prices.get(self.router_name or "") or prices.get(""),
        )


def edit(
    deck: str | Path,
    instruction: str,
    *,
    out: str | Path | None = None,
    slides: Collection[int] | None = None,
    model: str | EditModel | None = None,
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
    chosen = EditModel(model) if isinstance(model, str) else model
    with ExitStack() as stack:
        with Package.open(source):
            pass
        output = EditOutput.checked(EditOutput(out, dry_run, force=force), source)
        check_distinct([out, report])
        if report is not None:
            check_page(report, EDIT_PAGE, inputs=[source], force=force)
        asked = {"deck": file_digest(source), "instruction": instruction,
                 "slides": None if slides is None else sorted(slides)}  # fmt: skip
        editor = stack.enter_context(_editor(chosen, asked, progress, files))
        folder = stack.enter_context(scratch_folder("edit"))
        before = folder / f"before{source.suffix}"
        if report is not None:  # ``out`` may name the input
            before.write_bytes(source.read_bytes())
        started = stack.enter_context((renderer or Renderer(cache=Cache())).started())
        result = editor(
            source, instruction, slides=slides, renderer=started, draw=_can_draw(started),
            out=replace(output, folder=(chosen and chosen.spending.record) or folder),
            progress=progress,
        )  # fmt: skip
        if report is not None:
            if progress:
                progress("report")
            after = result.best.deck if result.best and result.best.deck else before
            _found, shown = compare_decks(before, after, renderer=started)
            written = result.output or (default_output(source) if out is None else out)
            shown = replace(shown, before=str(deck), after=str(written))
            write_diff_page(report, shown, edit=result)
        return result


@contextmanager
def _editor(
    model: EditModel | None,
    asked: Mapping[str, Any],
    progress: Progress | None,
    files: str | Path | None,
) -> Iterator[Callable[..., EditResult]]:
    """The function that edits; ``asked`` is what a record has to know of the request."""
    if model is None:
        yield partial(edit_with_commands, files=files)
        return
    if model.paths != "xml":
        check_isolation(model.isolation)
    run = begin_run(model.spending, _run(model, asked))
    with ExitStack() as stack:
        ask = stack.enter_context(run.asking(model.name, tell=progress))
        router = (
            stack.enter_context(run.asking(model.router_name, tell=progress))
            if model.router_name
            else None
        )
        yield partial(edit_with_model, ask=ask, options=model.opened(router))


def _run(model: EditModel, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Facts that a record keeps of an edit: all that changes its questions."""
    options = (
        "paths", "rounds", "vision", "review", "check_plan", "tools", "tool_calls", "temperature",
    )  # fmt: skip
    return {
        "command": "edit",
        "decklab": version("decklab"),
        **asked,
        "model": model.name,
        "router": model.router_name,
        **{name: getattr(model, name) for name in options},
    }


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
