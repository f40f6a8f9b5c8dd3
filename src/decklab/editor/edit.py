"""A request to edit a deck: by commands without a model, from a file to a file, or by a model that
is named, with a report if wanted.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from decklab import editor
from decklab.core.files import check_distinct, scratch_folder
from decklab.core.stages import Progress, Stages
from decklab.deck.model.slide import DeckElements
from decklab.editing.calling import numbered
from decklab.editing.finding import EditError, slide_ids
from decklab.editing.opening import PPTX_ERRORS, Presentation, opened, saved
from decklab.editing.plan import ExpectedChange, Plan
from decklab.editing.requests.carrying_out import OpenDeck, Unclear
from decklab.editing.requests.reading import NotUnderstood, Operation, understand
from decklab.editing.requests.slide_names import numbers_in
from decklab.editing.requests.templates import facts_of
from decklab.editing.verify import CannotMake, OriginalDeck, Verification, settle, verify
from decklab.editor.outcomes import made_worse
from decklab.editor.result import (
    EditAttempt,
    EditOutcome,
    EditOutput,
    EditResult,
    check_slides,
    default_output,
)
from decklab.linting.drawn import drawn_findings
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Cache, Renderer

if TYPE_CHECKING:
    from decklab.editor.model_editor import EditModel


def edit_with_commands(
    deck: str | Path,
    instruction: str,
    *,
    out: str | Path | EditOutput | None = None,
    slides: Collection[int] | None = None,
    files: str | Path | None = None,
    renderer: Renderer | None = None,
    draw: bool = True,
    progress: Progress | None = None,
) -> EditResult:
    """Do what an instruction in known forms asks for, check it, and write the edited deck.

    ``out`` is the file to write, or an ``EditOutput`` for a dry run or to keep the edited copy; by
    default ``default_output``. ``slides``, 1-based numbers of the original, are the only ones that
    may be edited. ``files`` is the folder of pictures and decks that the instruction names; without
    it no such file is read. ``renderer`` is for drawing, see ``verify``; ``draw=False`` leaves
    drawing out. ``progress`` is called with the name of each stage: ``read``, ``edit``, ``check``,
    ``write``.

    Parts of the instruction that have no known form, or cannot be done, are listed in ``undone``;
    the others are done. The input is never changed. Raises DeckError if it cannot be read, and
    OSError, before anything is done, if the output cannot be written.
    """
    output, stages = EditOutput.checked(out, deck), Stages(progress)
    with output.copies() as folder:
        named = None if files is None else Path(files)
        edit = _CommandEdit(Path(deck), instruction, Path(folder), stages, named)
        result = edit.result(slides, renderer=renderer, draw=draw)
        return output.without_deleted(output.write(result, stages))


@dataclass(frozen=True)
class _CommandEdit:
    """One request to the editor without a model."""

    deck: Path
    instruction: str
    folder: Path
    stages: Stages
    files: Path | None

    def result(
        self, slides: Collection[int] | None, *, renderer: Renderer | None, draw: bool
    ) -> EditResult:
        """The result of the request, not yet written."""
        original = OriginalDeck(self.deck, drawn_findings)
        with self.stages.stage("read"):
            before = original.elements
        request = understand(self.instruction, facts_of(before))
        if not request.parts:
            return self._refused([NotUnderstood("", "the instruction is empty")])
        if not request.operations:
            return self._refused(request.not_understood)
        with self.stages.stage("edit"):
            made = self._carried_out(before, request.parts, slides)
        if not made.done:
            return self._refused(made.failed)
        with self.stages.timed("save"):
            copy = saved(made.prs, self.folder / f"edited{self.deck.suffix}")
        self.stages.tell("check")
        with self.stages.timed("read"):
            _ = original.problems
        checked = verify(original, copy, made.plan, renderer=renderer, draw=draw)
        self.stages.add(checked.seconds)
        worse = made_worse(original, copy, checked, made.plan)
        attempt = EditAttempt(
            "; ".join(made.done), copy, verification=checked, seconds=dict(self.stages.seconds)
        )
        return self._judged(attempt, checked, made, worse)

    def _carried_out(
        self,
        before: DeckElements,
        parts: Sequence[Operation | NotUnderstood],
        slides: Collection[int] | None,
    ) -> "_CarriedOut":
        """The deck with all operations done that can be.

        An operation that fails leaves no trace: the others are done again on a fresh copy.
        """
        failed = {
            number: part for number, part in enumerate(parts) if isinstance(part, NotUnderstood)
        }
        operations = {
            number: part for number, part in enumerate(parts) if isinstance(part, Operation)
        }

        tried = list[_Tried]()

        def trial(numbers: Mapping[int, int]) -> tuple[()]:
            prs = opened(self.deck)
            ids = slide_ids(prs)
            check_slides(self.deck, slides, len(ids))
            limit = None if slides is None else frozenset(ids[number - 1] for number in slides)
            tried.append(_Tried(OpenDeck(prs, before, limit, self.files), ids, []))
            for number in numbers:
                changes = _applied(operations[number], tried[-1].deck)
                if isinstance(changes, NotUnderstood):
                    failed[number] = changes
                    raise CannotMake(number, changes.why)
                tried[-1].planned.extend(changes)
            return ()

        settled = settle(dict.fromkeys(operations, 1), trial, rounds=1)
        done = tuple(operations[number].words for number in settled.kept)
        not_done = tuple(failed[number] for number in sorted(failed))
        return _CarriedOut(tried[-1], done, not_done)

    def _judged(
        self,
        attempt: EditAttempt,
        checked: Verification,
        made: "_CarriedOut",
        worse: tuple[str, ...],
    ) -> EditResult:
        """The result with its outcome: whether all was done that was asked, and nothing else."""
        outcome: EditOutcome = "done"
        done = made.done
        not_done = tuple(part.words for part in made.failed)
        if not checked.unreadable and not checked.diff.edits and not not_done:
            return self._refused([NotUnderstood(self.instruction, "it is so already")])
        if not checked.sound:
            outcome, done, not_done = "refused", (), (*not_done, *checked.messages)
        elif worse or not_done or checked.missing or checked.unplanned:
            outcome = "partly"
            not_done = (
                *worse,
                *not_done,
                *(m for m in checked.messages if not m.startswith("New finding")),
            )
        return EditResult(
            self.deck, self.instruction, outcome, done=done, undone=not_done, best=attempt,
            attempts=(attempt,), seconds=dict(self.stages.seconds),
            left_out=tuple(made.tried.deck.left_out) if done else (),
        )  # fmt: skip

    def _refused(self, failed: Sequence[NotUnderstood]) -> EditResult:
        """Nothing was done; ``asked`` where the only thing in the way is a choice."""
        undone = tuple(part.words for part in failed)
        asked = all(part.readings for part in failed)
        attempt = EditAttempt(
            self.instruction, failure="; ".join(undone), seconds=dict(self.stages.seconds)
        )
        return EditResult(
            self.deck, self.instruction, "asked" if asked else "refused", undone=undone,
            readings=tuple(part.readings for part in failed if part.readings),
            attempts=(attempt,), seconds=dict(self.stages.seconds),
        )  # fmt: skip


@dataclass(frozen=True)
class _Tried:
    """A copy of the deck, the ids of its slides before, and the changes to expect of it."""

    deck: OpenDeck
    ids: Sequence[int]
    planned: list[ExpectedChange]


@dataclass(frozen=True)
class _CarriedOut:
    """A deck that operations were done to."""

    tried: _Tried
    done: tuple[str, ...]
    failed: tuple[NotUnderstood, ...]

    @property
    def prs(self) -> Presentation:
        return self.tried.deck.prs

    @cached_property
    def plan(self) -> Plan:
        """The changes to expect, by numbers of slides."""
        planned, ids = self.tried.planned, self.tried.ids
        return Plan(tuple(numbered(change, ids, self.prs) for change in planned))


def _applied(part: Operation, deck: OpenDeck) -> Sequence[ExpectedChange] | NotUnderstood:
    """Carry out an operation: the changes to expect, or why it cannot be done."""
    try:
        return part.apply(deck)
    except Unclear as error:
        readings = tuple(dict.fromkeys(map(part.reading, error.choices)))
        return NotUnderstood(part.words, f"{error}:", readings)
    except EditError as error:
        return NotUnderstood(part.words, str(error))
    except PPTX_ERRORS as error:
        return NotUnderstood(part.words, f"the deck is built so that it cannot be: {error}")


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
    in_place: bool = False,
    earlier: Sequence[str] = (),
    files: str | Path | None = None,
    progress: Progress | None = None,
    renderer: Renderer | None = None,
) -> EditResult:
    """Change in a deck what an instruction asks for, check it, and write the edited deck.

    Without a ``model`` the instruction has to have one of the known forms (docs/edit.md). ``out``
    is where the edited deck goes, by default beside the input under a name that is free; ``slides``
    are the only ones that may be edited; a ``dry_run`` writes no deck; ``report`` is a page to
    write, with the slides before and after. With ``force`` ``out`` may be a file that exists, also
    the input; a copy of it is kept beside it. ``in_place`` replaces the input and keeps the edit in
    its history (``decklab.editor.result``). ``earlier`` are requests before this one, each with
    what came of it, which a model may need to understand it. ``files`` is the folder of pictures
    and decks that an instruction without a model names; without it no such file is read.
    ``progress`` is called with the name of each stage, for the first time after the check that
    everything needed is there. ``renderer`` draws, if one is open already. Without LibreOffice
    nothing is drawn, and checks that need pictures are left out.

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
        wanted = EditOutput(out, dry_run, force=force)
        if in_place:
            wanted = EditOutput(source, dry_run, force=True, in_place=True)
        output = EditOutput.checked(wanted, source)
        check_distinct([out, report])
        if report is not None:
            editor.check_page(report, editor.EDIT_PAGE, inputs=[source], force=force)
        make: Callable[..., EditResult] = partial(edit_with_commands, files=files)
        if chosen is not None:
            made = editor.edit_by(chosen, source, instruction, slides=slides, progress=progress,
                                  earlier=earlier)  # fmt: skip
            make = stack.enter_context(made)
        folder = stack.enter_context(scratch_folder("edit"))
        before = folder / f"before{source.suffix}"
        if report is not None:  # ``out`` may name the input
            before.write_bytes(source.read_bytes())
        started = stack.enter_context((renderer or Renderer(cache=Cache())).started())
        result = make(
            source, instruction, slides=slides, renderer=started, draw=started.can_draw,
            out=replace(output, folder=(chosen and chosen.spending.record) or folder),
            progress=progress,
        )  # fmt: skip
        if report is not None:
            if progress:
                progress("report")
            after = result.best.deck if result.best and result.best.deck else before
            _found, shown = editor.compare_decks(before, after, renderer=started)
            free = source if in_place else default_output(source)
            written = result.output or (free if out is None else out)
            shown = replace(shown, before=str(deck), after=str(written))
            editor.write_diff_page(report, shown, edit=result)
        return result


def slide_numbers(text: str) -> tuple[int, ...]:
    """The numbers in a list with ranges; raises ValueError if it is none.

    >>> slide_numbers("2, 4-6")
    (2, 4, 5, 6)
    """
    if not (numbers := numbers_in(text)):
        raise ValueError(f"{text!r} is no list such as 2,4-6")
    return numbers
