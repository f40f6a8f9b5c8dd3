"""The result of a request to edit a deck, where its deck and copies are written, and the edits of a
deck in place, kept beside it and listed by their requests.

The folder ``.talk.pptx.edits`` beside ``talk.pptx`` holds ``edits.jsonl``, a line an edit, and the
decks before and after each, named for their content. It moves with the deck if both are moved.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from decklab.core.errors import DeckError
from decklab.core.files import (
    check_file,
    check_folder,
    free_name,
    scratch_folder,
    write_numbered,
    write_output,
    write_whole,
)
from decklab.core.results import Tabular
from decklab.core.stages import Stages
from decklab.diffing.changes import DeckDiff
from decklab.diffing.wording import words
from decklab.editing.verify import Verification
from decklab.models.asking import Usage

_LINES = "edits.jsonl"


@dataclass(frozen=True)
class KeptEdit:
    """An edit that replaced a deck."""

    number: int
    """Counted from 1."""
    request: str
    outcome: str
    sentences: tuple[str, ...]
    """Its changes in words."""
    before: str
    """SHA-256 of the deck before."""
    after: str
    undoes: int | None = None
    """The edit that it took back; None for an edit by a request."""


class EditHistory:
    """The edits of the deck at one path, as far as they were made in place."""

    def __init__(self, deck: str | Path) -> None:
        self.deck = Path(deck)
        self.folder = self.deck.with_name(f".{self.deck.name}.edits")

    @property
    def edits(self) -> tuple[KeptEdit, ...]:
        """All edits, the oldest first. A line that was cut off by a kill is left out."""
        return tuple(self._read())

    @property
    def standing(self) -> tuple[KeptEdit, ...]:
        """The edits by requests that were not taken back."""
        edits = self.edits
        undone = {edit.undoes for edit in edits}
        return tuple(e for e in edits if e.undoes is None and e.number not in undone)

    def replace(
        self, made: bytes, request: str, outcome: str, sentences: tuple[str, ...],
        undoes: int | None = None, *, before: bytes | None = None,
    ) -> KeptEdit:  # fmt: skip
        """Replace the deck by ``made``, and keep both with what was asked.

        ``before`` is the deck that was edited, by default the one that is replaced. Raises
        OSError, with the deck as it was, if they cannot be kept.
        """
        edited = self.deck.read_bytes() if before is None else before
        number = max((edit.number for edit in self.edits), default=0) + 1
        edit = KeptEdit(
            number, request, outcome, sentences, self._kept(edited), self._kept(made), undoes
        )
        write_whole(self.deck, made)
        with (self.folder / _LINES).open("ab") as file:
            file.write(f"{json.dumps(asdict(edit), ensure_ascii=False)}\n".encode(errors="replace"))
        return edit

    def kept_deck(self, digest: str) -> Path:
        """The deck that was kept with a digest."""
        return self.folder / f"{digest}{self.deck.suffix}"

    def _kept(self, deck: bytes) -> str:
        """Keep a deck; gives its digest."""
        digest = sha256(deck).hexdigest()
        if not self.kept_deck(digest).exists():
            write_whole(self.kept_deck(digest), deck)
        return digest

    def _read(self) -> Iterator[KeptEdit]:
        path = self.folder / _LINES
        for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
            if line.endswith(b"\n"):
                told = json.loads(line)
                yield KeptEdit(**{**told, "sentences": tuple(told["sentences"])})


EditOutcome = Literal["done", "partly", "asked", "refused"]
"""``done``: all that was asked, and nothing else. ``partly``: some of it, or side effects as well,
which are listed. ``asked``: nothing was written, the request can be read in several ways.
``refused``: nothing was written."""


LISTED = 10
"""Lines of a list of changes put back. Ours."""


def at_most(lines: Sequence[str], most: int = LISTED) -> tuple[str, ...]:
    """Lines as they are if they are ``most`` at most, else the first of them and how many more.

    >>> at_most(["a", "b", "c"], 2)
    ('a', '… and 2 more')
    """
    if len(lines) <= most:
        return tuple(lines)
    return (*lines[: most - 1], f"… and {len(lines) - most + 1} more")


@dataclass(frozen=True)
class EditOverview:
    """Facts that the changes of an edit do not show, in words."""

    added: tuple[str, ...] = ()
    """Contents of new slides, charts, tables and other shapes, one line each."""
    left_alone: tuple[str, ...] = ()
    """The texts on the slides of the plan that stayed as they were, one line each."""
    counts: str = ""
    """How many those are, by where they stand; empty for none."""
    same_slides: tuple[int, ...] = ()
    """Numbers of the slides that have no change, of themselves or of what they are made from."""


NOT_OVERSEEN = EditOverview()
"""Of an edit that nobody looked at in this way."""


@dataclass(frozen=True)
class EditAttempt:
    """One version of a deck that was tried: a round of an editor."""

    summary: str
    """The attempt, in one line."""
    deck: Path | None = None
    """The edited copy; None if the attempt made none."""
    failure: str = ""
    """Why there is no deck, in one line."""
    verification: Verification | None = None
    """The result of verifying the copy; None without a deck."""
    put_back: tuple[str, ...] = ()
    """Changes of the model that nobody asked for and that were undone, in words."""
    overview: EditOverview = NOT_OVERSEEN
    """Its additions and the texts it left alone; empty if nobody looked."""
    stayed: tuple[str, ...] = ()
    """Such changes that stay since putting them back would bring a fault, with this reason."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage, such as ``plan``, ``edit``, ``draw``."""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """In US dollars; None if the prices are not known."""
    record: Mapping[str, str] = field(default_factory=dict)
    """Texts that belong to it, by name, such as ``step 1`` and ``folder``."""


@dataclass(frozen=True)
class EditResult(Tabular):
    """The result of one request to edit a deck."""

    deck: Path
    """The input, which is not changed."""
    instruction: str
    outcome: EditOutcome
    done: tuple[str, ...] = ()
    """The parts of the request that were done, in words."""
    undone: tuple[str, ...] = ()
    """Requests that were not carried out, why, and what to ask instead."""
    rejected: tuple[str, ...] = ()
    """Why the review rejected the deck that was written all the same, said before all else; first
    in ``undone``, too."""
    amended: str = ""
    """Why the plan was amended; empty if it was not."""
    remarks: tuple[str, ...] = ()
    """Remarks of the model to the owner of the deck, such as on numbers that are old now."""
    readings: tuple[tuple[str, ...], ...] = ()
    """Readings of each part that can be read in several ways."""
    output: Path | None = None
    """The file that was written; None if none was written, as after a refusal or a dry run."""
    best: EditAttempt | None = None
    """The attempt whose deck was taken."""
    attempts: tuple[EditAttempt, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage, over all attempts."""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """In US dollars; None if the prices are not known."""
    left_out: tuple[str, ...] = ()
    """Content that nobody looked at though it may hold what was asked for, such as words in
    pictures; and remarks on the list of slides."""

    def records(self) -> Iterator[dict[str, Any]]:
        """One row a change from the input to what was written."""
        return self.changes.records()

    def summary(self) -> Iterator[dict[str, Any]]:
        """The outcome, what was done, what was not, and each change in words."""
        yield {"what": "outcome", "words": self.outcome}
        for what, lines in (
            ("done", self.done), ("not done", self.undone), ("left out", self.left_out),
            ("change", self.sentences), ("remark", self.remarks),
        ):  # fmt: skip
            yield from ({"what": what, "words": line} for line in lines)

    @property
    def changes(self) -> DeckDiff:
        """Changes from the input to the attempt that was taken; nothing if none was."""
        if self.best is None or self.best.verification is None:
            return DeckDiff()
        return self.best.verification.diff

    @property
    def sentences(self) -> tuple[str, ...]:
        """The changes in words, one sentence each."""
        return words(self.changes)

    @property
    def warnings(self) -> tuple[str, ...]:
        """New findings, and unrequested changes that stayed."""
        checked = self.best.verification if self.best else None
        messages = checked.messages if checked else ()
        stayed = self.best.stayed if self.best else ()
        return (*(message for message in messages if message.startswith("New finding")), *stayed)

    @property
    def put_back(self) -> tuple[str, ...]:
        """Changes that nobody asked for and that were undone, in words."""
        return self.best.put_back if self.best else ()

    @property
    def added(self) -> tuple[str, ...]:
        """Contents of new slides, charts, tables and other shapes, one line each."""
        return self.best.overview.added if self.best else ()

    @property
    def left_alone(self) -> tuple[str, ...]:
        """The texts on the slides of the plan that stayed as they were, one line each."""
        return self.best.overview.left_alone if self.best else ()

    @property
    def left_alone_words(self) -> str:
        """How many texts on the slides of the plan stayed as they were, in a sentence."""
        counts = self.best.overview.counts if self.best else ""
        return f"{counts}." if counts else ""

    @property
    def put_back_lines(self) -> tuple[str, ...]:
        """``put_back`` in at most ``LISTED`` lines."""
        return at_most(self.put_back)

    @property
    def spent(self) -> tuple[str, ...]:
        """Cost of the edit, in words: time by stage, and tokens with their price."""
        lines = []
        if self.seconds:
            stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in self.seconds.items())
            lines.append(f"Time: {stages}.")
        if self.tokens:
            cost = "" if self.cost is None else f", {self.cost:.4f} US dollars"
            lines.append(f"Model: {self.tokens:,} tokens{cost}.")
        return tuple(lines)

    @property
    def tokens(self) -> int:
        """That a model read and wrote."""
        return self.usage.input_tokens + self.usage.output_tokens

    def without_copies(self) -> "EditResult":
        """The same result without the paths of copies, for when their folder is deleted."""
        attempts = tuple(replace(attempt, deck=None) for attempt in self.attempts)
        best = None if self.best is None else attempts[self.attempts.index(self.best)]
        return replace(self, attempts=attempts, best=best)

    def as_json(self) -> dict[str, Any]:
        """The result as plain JSON, with changes and findings."""
        checked = self.best.verification if self.best else None
        return {
            "deck": str(self.deck),
            "instruction": self.instruction,
            "outcome": self.outcome,
            "output": str(self.output) if self.output else None,
            "done": list(self.done),
            "undone": list(self.undone),
            "left_out": list(self.left_out),
            "readings": [list(reading) for reading in self.readings],
            "rejected": list(self.rejected),
            "amended": self.amended,
            "remarks": list(self.remarks),
            "put_back": list(self.put_back),
            "added": list(self.added),
            "left_alone": list(self.left_alone),
            "sentences": list(self.sentences),
            "diff": self.changes.as_json(),
            "verification": checked.as_json() if checked else None,
            "attempts": [_attempt(attempt) for attempt in self.attempts],
            "seconds": dict(self.seconds),
            "tokens": {"input": self.usage.input_tokens, "output": self.usage.output_tokens},
            "cost": self.cost,
        }


def _attempt(attempt: EditAttempt) -> dict[str, Any]:
    checked = attempt.verification
    return {
        "summary": attempt.summary,
        "failure": attempt.failure,
        "messages": list(checked.messages) if checked else [],
        "put_back": list(attempt.put_back),
        "stayed": list(attempt.stayed),
        "seconds": dict(attempt.seconds),
        "tokens": {"input": attempt.usage.input_tokens, "output": attempt.usage.output_tokens},
        "cost": attempt.cost,
        "record": dict(attempt.record),
    }


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
    in_place: bool = False
    """Whether ``deck`` is the input, whose edits are kept in its ``EditHistory``; ``force`` is
    needed, too."""
    numbered: bool = False
    """Whether ``deck`` gets a number where something has its name; ``checked`` says so of names
    that nobody chose."""

    @classmethod
    def checked(cls, out: "str | Path | EditOutput | None", deck: str | Path) -> "EditOutput":
        """``out`` with the name of the file, for an edit of ``deck``.

        Raises OSError if the file cannot be written, NameTaken if it exists.
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

        Nothing is written in a dry run and if the request was refused.
        """
        checked = result.best.verification if result.best is not None else None
        if checked is not None and result.outcome != "refused":
            result = replace(result, left_out=(*result.left_out, *checked.slide_list))
        best = result.best.deck if result.best is not None else None
        if best is not None and result.outcome != "refused" and not self.dry_run:
            assert self.deck is not None, "checked outputs have a file"
            with stages.stage("write"):
                result = replace(result, output=self._written(Path(self.deck), best, result))
        return replace(result, seconds=dict(stages.seconds))

    def _written(self, target: Path, made: Path, result: EditResult) -> Path:
        if self.in_place:
            EditHistory(target).replace(
                made.read_bytes(), result.instruction, result.outcome, result.sentences
            )
            return target
        if self.numbered:
            return write_numbered(target, made.read_bytes())
        write_output(target, made.read_bytes(), force=self.force)
        return target

    def without_deleted(self, result: EditResult) -> EditResult:
        """The result without the paths of copies that are deleted."""
        return result if self.folder is not None else result.without_copies()


def check_slides(deck: Path, slides: Collection[int] | None, count: int) -> None:
    """Raise DeckError if ``slides`` has a number that a deck of ``count`` slides does not."""
    beyond = sorted(number for number in slides or () if not 1 <= number <= count)
    if beyond:
        raise DeckError(deck, f"there is no slide {beyond[0]}; the deck has {count}")
