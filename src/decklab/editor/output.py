"""Where an edit writes its deck and its copies."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from decklab.core.files import (
    check_file,
    check_folder,
    free_name,
    scratch_folder,
    write_numbered,
    write_output,
)
from decklab.core.stages import Stages
from decklab.editor.result import EditResult


def default_output(deck: str | Path) -> Path:
    """The default file for an edited deck: beside the input, under a name that is free.

    >>> default_output("talks/intro.pptx").name
    'intro.edited.pptx'
    """
    return free_name(edited_path(Path(deck)))


def edited_path(deck: Path) -> Path:
    """The name beside a deck that an edit of it gets if nothing has that name."""
    return deck.with_name(f"{deck.stem}.edited{deck.suffix}")


@dataclass(frozen=True)
class EditOutput:
    """Where an edit writes its deck, and where its copies stay."""

    deck: str | Path | None = None
    """The file to write; None for ``default_output``."""
    dry_run: bool = False
    """Whether no deck is written."""
    folder: str | Path | None = None
    """Keeps the edited copies and, with a model, the record of the edit. With None they are
    deleted, and ``EditAttempt.deck`` is None."""
    force: bool = False
    """Whether ``deck`` may be a file that exists, also the input; a copy of it is kept beside it.
    """
    numbered: bool = False
    """Whether ``deck`` gets a number where something has its name; ``checked`` says so of names
    that nobody chose."""

    @classmethod
    def checked(cls, out: "str | Path | EditOutput | None", deck: str | Path) -> "EditOutput":
        """``out`` with the name of the file, for an edit of ``deck``.

        Raises OSError where the file cannot be written, NameTaken where it exists.
        """
        output = out if isinstance(out, EditOutput) else cls(out)
        if output.deck is None:
            output = replace(output, deck=edited_path(Path(deck)), numbered=True)
        assert output.deck is not None, "a name was chosen"
        target = Path(output.deck)
        if not output.dry_run and output.numbered:
            check_folder(target.parent)
        elif not output.dry_run:
            check_file(target, force=output.force)
        return replace(output, deck=target)

    def copies(self) -> AbstractContextManager[str | Path]:
        """A folder for edited copies, deleted after the block unless ``folder`` is given."""
        if self.folder is not None:
            return nullcontext(self.folder)
        return scratch_folder("edit")

    def write(self, result: EditResult, stages: Stages) -> EditResult:
        """Write the best deck of ``result``, whole or not at all; gives the result with its output,
        and what there is to say of its slide list.

        Nothing is written in a dry run and where the request was refused.
        """
        checked = result.best.verification if result.best is not None else None
        if checked is not None and result.outcome != "refused":
            result = replace(result, left_out=(*result.left_out, *checked.slide_list))
        best = result.best.deck if result.best is not None else None
        if best is not None and result.outcome != "refused" and not self.dry_run:
            assert self.deck is not None, "checked outputs have a file"
            with stages.stage("write"):
                result = replace(result, output=self._written(Path(self.deck), best))
        return replace(result, seconds=dict(stages.seconds))

    def _written(self, target: Path, made: Path) -> Path:
        if self.numbered:
            return write_numbered(target, made.read_bytes())
        write_output(target, made.read_bytes(), force=self.force)
        return target

    def without_deleted(self, result: EditResult) -> EditResult:
        """The result without the paths of copies that are deleted."""
        return result if self.folder is not None else result.without_copies()
