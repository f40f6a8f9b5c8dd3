"""A step of an edit that gives texts of a deck other words, asked for in batches of slides.

The model sees the texts of a batch with their ids, and gives back those that change; the one plan
of the edit holds the batches together. Runs keep their looks, see ``decklab.editing.every_text``.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final, TypeVar

from pydantic import Field

from decklab.core.errors import DeckError, ModelFailed
from decklab.editing.every_text import TextPlace, every_text, set_texts
from decklab.editing.finding import EditError
from decklab.editing.formatting import LANGUAGE
from decklab.editing.opening import PPTX_ERRORS, opened, saved
from decklab.editing.replacing import checked_text
from decklab.editor.conversation import Conversation, editor_prompt
from decklab.editor.planning import plan_words
from decklab.editor.steps import StepFailed
from decklab.editor.trying import StepContext
from decklab.models.asking import StrictForm
from decklab.models.reading import Unanswered

Item = TypeVar("Item")
Made = TypeVar("Made")

BATCH_CHARACTERS: Final = 8_000
"""Most characters of the texts of a batch: some 2,500 tokens, so that an answer of the same length
has room in the 4,096 tokens that many servers end a reply at. Ours."""


def batches_by_size(
    items: Iterable[Item], size_of: Callable[[Item], int], most: int
) -> list[tuple[Item, ...]]:
    """The items in their order, in as few groups as possible of at most ``most`` in size each.

    An item that is larger stands alone.

    >>> batches_by_size(["aaa", "b", "cc", "ddddd"], len, 4)
    [('aaa', 'b'), ('cc',), ('ddddd',)]
    """
    groups: list[list[Item]] = []
    room = 0
    for item in items:
        size = size_of(item)
        if not groups or size > room:
            groups.append([])
            room = most
        groups[-1].append(item)
        room -= size
    return [tuple(group) for group in groups]


def in_parallel(
    make: Callable[[Item], Made], items: Sequence[Item], *, parallel: int
) -> list[Made]:
    """``make`` of every item, in their order, up to ``parallel`` at once in threads, each with a
    copy of the context (``contextvars``) of this one.

    If one raises, those not begun are left out, and the error is raised once the others ended.
    """
    if parallel < 2 or len(items) < 2:
        return [make(item) for item in items]
    with ThreadPoolExecutor(min(parallel, len(items))) as pool:
        waiting = [pool.submit(copy_context().run, make, item) for item in items]
        try:
            return [future.result() for future in waiting]
        finally:
            pool.shutdown(cancel_futures=True)


TextBatch = tuple[TextPlace, ...]
_TOLD = 5
"""Problems of one answer that the model gets."""


class TextEdit(StrictForm):
    """New words for the text with this id."""

    id: str
    text: str


class TextEdits(StrictForm):
    """The texts that change, and no others."""

    edits: tuple[TextEdit, ...]
    language: str
    """Tag of the language of the new words, if it is another; else empty."""


class BatchEdits(StrictForm):
    """The model's texts for one batch."""

    key: str
    """Tells the batch by its texts."""
    slides: str
    edits: tuple[TextEdit, ...]
    language: str


class TextStep(StrictForm):
    """The model's texts for a step, by batch; ``failed`` says why others are missing."""

    batches: tuple[BatchEdits, ...] = ()
    failed: tuple[str, ...] = Field(default=())

    @property
    def texts(self) -> dict[str, str]:
        """The new words, by the id of their text."""
        return {edit.id: edit.text for batch in self.batches for edit in batch.edits}

    @property
    def languages(self) -> dict[str, str]:
        """The languages of the new words that are in another one, by the id of their text."""
        translated = (batch for batch in self.batches if batch.language)
        return {edit.id: batch.language for batch in translated for edit in batch.edits}


@dataclass(frozen=True)
class EarlierTexts:
    """The model's texts of the round before.

    ``again`` are the numbers of the slides that have to be done again, with None for the deck's own
    texts; None if that is not known, so that all are. ``feedback`` names the faults.
    """

    step: TextStep
    again: Collection[int | None] | None
    feedback: Callable[[str], str]
    """Its words, with the answer for a batch."""


def deck_texts(deck: Path, *, slides: Collection[int] | None = None) -> list[TextPlace]:
    """Every text of a deck file, of some slides if they are given; see ``every_text``.

    Raises EditError for a slide that is not there, and DeckError if the deck cannot be read.
    """
    prs = opened(deck)
    try:
        return every_text(prs, slides=slides)
    except EditError:
        raise
    except PPTX_ERRORS as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise DeckError(deck, f"its texts cannot be read: {said}") from error


def text_batches(places: Iterable[TextPlace], *, most: int = BATCH_CHARACTERS) -> list[TextBatch]:
    """Texts in batches of at most ``most`` characters, as they are shown to a model.

    The texts of one slide stay together unless they alone are more.
    """
    slides = [tuple(group) for _, group in groupby(places, lambda place: place.slide)]
    pieces = [piece for slide in slides for piece in batches_by_size(slide, _size, most)]
    groups = batches_by_size(pieces, lambda piece: sum(map(_size, piece)), most)
    return [tuple(place for piece in group for place in piece) for group in groups]


def texts_words(batch: Iterable[TextPlace]) -> str:
    """Texts as a model is shown them: by slide and shape, each with its id, as JSON."""
    lines = list[str]()
    for slide, of_slide in groupby(batch, lambda place: place.slide):
        lines.append("The deck itself" if slide is None else f"Slide {slide}")
        for (shape, kind), places in groupby(of_slide, lambda place: (place.shape, place.kind)):
            lines.append(f"  {shape or kind} ({kind})")
            lines += [
                f"{place.id}\t{json.dumps(place.text, ensure_ascii=False)}" for place in places
            ]
    return "\n".join(lines)


def ask_for_texts(
    conversation: Conversation,
    context: StepContext,
    *,
    parallel: int = 1,
    earlier: EarlierTexts | None = None,
) -> TextStep:
    """Ask a model for the new words of a step on texts, up to ``parallel`` batches at once.

    A batch that the model gives no usable answer for is in ``failed`` of the result, with its
    slides; the others are kept. Batches of the round before that need no change are taken from
    ``earlier``. Raises StepFailed for a slide that is not there, DeckError if the deck cannot be
    read, and ModelError if the model cannot be asked.
    """
    try:
        places = deck_texts(context.deck, slides=context.step.slides or None)
    except EditError as error:
        raise StepFailed(str(error)) from error
    known = {batch.key: batch for batch in earlier.step.batches} if earlier else {}

    def made(batch: TextBatch) -> TextStep:
        if (before := known.get(_key(batch))) and earlier and not _to_do_again(batch, earlier):
            return TextStep(batches=(before,))
        feedback = earlier.feedback(_given(before)) if earlier and before else ""
        return _asked(conversation, context, batch, feedback)

    steps = in_parallel(made, text_batches(places), parallel=parallel)
    return _together(steps)


def set_step_texts(step: TextStep, deck: Path, target: Path) -> int:
    """Give the texts of ``deck`` their new words, save the result as ``target``, and return how
    many changed.

    Raises StepFailed if a text cannot have its new words, or the deck cannot be changed.
    """
    prs = opened(deck)
    try:
        count = set_texts(prs, step.texts, step.languages)
    except EditError as error:
        raise StepFailed(f"The new texts could not be set: {error}") from error
    except PPTX_ERRORS as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise StepFailed(f"The texts of this deck cannot be changed so: {said}") from error
    saved(prs, target)
    return count


def _asked(
    conversation: Conversation, context: StepContext, batch: TextBatch, feedback: str
) -> TextStep:
    """The new words of a batch; of its halves if it is too long for the model."""
    asked = editor_prompt(
        "texts",
        task=context.step.task,
        instruction=context.instruction,
        plan=plan_words(context.plan),
        texts=texts_words(batch),
        feedback=feedback,
    )
    try:
        answer = conversation.answer(
            "texts", asked, TextEdits, check=lambda got: _edits_problem(got, batch)
        )
    except (Unanswered, ModelFailed) as error:
        if len(batch) > 1 and _too_long(error):
            halves = [_asked(conversation, context, half, feedback) for half in _halves(batch)]
            return _whole(batch, _together(halves))
        if isinstance(error, ModelFailed) and error.kind not in ("too_long", "withheld"):
            raise
        return TextStep(failed=(f"{_slides_words(batch)}: {error}",))
    return TextStep(batches=(_batch_edits(batch, answer),))


def _too_long(error: Unanswered | ModelFailed) -> bool:
    return error.cut if isinstance(error, Unanswered) else error.kind == "too_long"


def _whole(batch: TextBatch, halves: TextStep) -> TextStep:
    """The halves of a batch as that batch, if both are there."""
    if halves.failed:
        return halves
    edits = tuple(edit for half in halves.batches for edit in half.edits)
    language = next((half.language for half in halves.batches if half.language), "")
    return TextStep(batches=(_batch_edits(batch, TextEdits(edits=edits, language=language)),))


def _batch_edits(batch: TextBatch, given: TextEdits) -> BatchEdits:
    key, slides = _key(batch), _slides_words(batch)
    return BatchEdits(key=key, slides=slides, edits=given.edits, language=given.language)


def _together(steps: Iterable[TextStep]) -> TextStep:
    steps = tuple(steps)
    return TextStep(
        batches=tuple(batch for step in steps for batch in step.batches),
        failed=tuple(line for step in steps for line in step.failed),
    )


def _halves(batch: TextBatch) -> tuple[TextBatch, TextBatch]:
    """A batch in two, between slides if it has several."""
    borders = [
        at for at in range(1, len(batch)) if batch[at].slide != batch[at - 1].slide
    ] or range(1, len(batch))
    middle = min(borders, key=lambda at: abs(2 * at - len(batch)))
    return batch[:middle], batch[middle:]


def _edits_problem(answer: TextEdits, batch: TextBatch) -> str | None:
    before = {place.id: place.text for place in batch}
    problems, seen = list[str](), set[str]()
    if answer.language and not LANGUAGE.fullmatch(answer.language):
        problems.append(f"language: {answer.language!r} is no tag, such as de-DE")
    for edit in answer.edits:
        problem = _edit_problem(edit, before, seen)
        seen.add(edit.id)
        problems += [problem] if problem else []
    return "; ".join(problems[:_TOLD]) or None


def _edit_problem(edit: TextEdit, before: Mapping[str, str], seen: Collection[str]) -> str | None:
    if edit.id not in before:
        return f"edits: there is no text {edit.id!r} among those shown"
    if edit.id in seen:
        return f"edits: the text {edit.id} is given twice"
    try:
        checked_text(edit.text, before[edit.id])
    except EditError as error:
        return f"edits: {edit.id}: {error}"
    return None


def _to_do_again(batch: TextBatch, earlier: EarlierTexts) -> bool:
    return earlier.again is None or any(place.slide in earlier.again for place in batch)


def _given(before: BatchEdits | None) -> str:
    edits, language = (before.edits, before.language) if before else ((), "")
    return TextEdits(edits=edits, language=language).model_dump_json()


def _slides_words(batch: TextBatch) -> str:
    numbers = list(dict.fromkeys(place.slide for place in batch))
    slides = [str(number) for number in numbers if number is not None]
    words = [f"slide{'s' * (len(slides) > 1)} {', '.join(slides)}"] if slides else []
    return " and ".join([*words, *(["the deck's own texts"] if None in numbers else [])])


def _key(batch: TextBatch) -> str:
    texts = json.dumps([[place.id, place.text] for place in batch])
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def _size(place: TextPlace) -> int:
    """Characters that a text takes in ``texts_words``, with a part of the lines above it."""
    return len(place.id) + len(json.dumps(place.text, ensure_ascii=False)) + len(place.shape) + 20
