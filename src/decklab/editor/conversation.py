"""The conversation with a model about one edit: its prompts, its questions, and the pictures of
slides that it is shown.

A question is asked again if its answer cannot be used. A folder keeps the artefacts; it is written
to while the edit goes on::

    edit.json                  the request, the switches, the outcome, tokens, cost, seconds
    round-1/                   try-1.py or try-1.patches.json, try-1.pptx, step-1.texts.json,
                               findings.txt, slide-003.before.png, slide-003.after.png

Questions and replies are in the record of ``decklab.models.model_run``, if there is one.
"""

import json
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from io import BytesIO
from pathlib import Path
from string import Template
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from decklab.core.errors import ModelFailed, RendererMissing, RenderError
from decklab.core.files import write_whole
from decklab.core.options import TOOL_CALLS
from decklab.editing.verify import SlideBeforeAfter, Verification
from decklab.models.asking import Answer, Ask, ModelReply, ModelTool, Usage, for_stage, takes
from decklab.models.asking_loop import PicturesUnseen
from decklab.models.reading import answered
from decklab.rendering.opening import open_incremental
from decklab.rendering.renderer import Renderer

MOST_PICTURES = 8
"""Pictures that go with one question. Ours: some 10,000 tokens with most providers."""
MOST_REVIEWED = 24
"""Slides that a review looks at, all that changed; of more it looks at a sample. Ours."""
MOST_SAMPLED = 12
"""Slides of such a sample. Ours."""
_SIZE = (960, 540)
"""Pixels: the frame of all geometry, so that the model can read off places."""


@dataclass(frozen=True)
class SlidePictures:
    """PNG bytes, and the words that say what they show."""

    images: tuple[bytes, ...] = ()
    words: str = ""


NO_PICTURES = SlidePictures()


def slides_before(deck: Path, numbers: Sequence[int], *, renderer: Renderer) -> SlidePictures:
    """Pictures of the slides ``numbers`` of a deck, the first ``MOST_PICTURES`` of them.

    Where the deck cannot be drawn the words say so. Raises RendererMissing.
    """
    if not (wanted := sorted(set(numbers))[:MOST_PICTURES]):
        return NO_PICTURES
    try:
        with open_incremental(
            deck, renderer=renderer, slides=wanted, size=_SIZE, ocr=False
        ) as drawn:
            # Later steps may name slides that only those before them make.
            wanted = [number for number in wanted if 1 <= number <= len(drawn)]
            images = tuple(_png(Image.fromarray(drawn.slide(number).image)) for number in wanted)
    except RendererMissing:
        raise
    except RenderError as error:
        return SlidePictures(
            words=f"There are no pictures: the slides could not be drawn ({error})."
        )
    if not images:
        return SlidePictures()
    listed = ", ".join(map(str, wanted))
    return SlidePictures(images, f"The pictures show, in this order, the slides {listed}.")


def changed_slides(
    checked: Verification, *, most: int = MOST_PICTURES, since: Verification | None = None
) -> SlidePictures:
    """Pictures of slides that look different after an edit, ``most`` at most: those that differ
    most. Others are named.

    Slides that looked the same in ``since`` are left out, and not named.
    """
    known = {view.number: view.after for view in since.drawn} if since else {}
    views = [view for view in checked.drawn if not _same(view.after, known.get(view.number))]
    ranked = sorted(views, key=_difference, reverse=True)
    chosen = {id(view) for view in ranked[:most]}
    shown = [view for view in views if id(view) in chosen]
    return _pictures_of(replace(checked, drawn=tuple(views)), shown, pairs=False)


def _same(picture: NDArray[np.uint8] | None, other: NDArray[np.uint8] | None) -> bool:
    return picture is not None and other is not None and np.array_equal(picture, other)


def review_pictures(
    checked: Verification, *, first: Collection[int] = ()
) -> tuple[SlidePictures, ...]:
    """Pictures before and after an edit for its review, as many as go with one question at a time.

    All slides that look different, if they are ``MOST_REVIEWED`` at most; else a sample, which
    the words name: the first and the last, some of ``first``, one for each kind of change, then
    those that differ most. The sample depends on nothing but the pictures. Never empty.
    """
    shown = review_sample(checked, first=first)
    each = MOST_PICTURES // 2
    turns = [shown[at : at + each] for at in range(0, len(shown), each)]
    shown_turns = [_pictures_of(checked, turn, pairs=True) for turn in turns or [()]]
    if len(shown) == len(checked.drawn):
        return tuple(shown_turns)
    sample = f"A sample of {len(shown)} of the {len(checked.drawn)} slides that look different. "
    return tuple(replace(turn, words=sample + turn.words) for turn in shown_turns)


def review_sample(
    checked: Verification, *, first: Collection[int] = ()
) -> tuple[SlideBeforeAfter, ...]:
    """The drawn slides that a review looks at, in their order; see ``review_pictures``."""
    drawn = checked.drawn
    if len(drawn) <= MOST_REVIEWED:
        return drawn
    kinds = dict[object, SlideBeforeAfter]()
    for slide in drawn:
        for change in checked.diff.edits:
            if change.slide == slide.number:
                kinds.setdefault(change.kind, slide)
    wanted = [slide for slide in drawn if slide.number in first]
    differing = sorted(drawn, key=_difference, reverse=True)
    ranked = [drawn[0], drawn[-1], *wanted[: MOST_SAMPLED // 3], *kinds.values(), *differing]
    chosen = list({id(slide): None for slide in ranked})[:MOST_SAMPLED]
    return tuple(slide for slide in drawn if id(slide) in chosen)


def _pictures_of(
    checked: Verification, shown: Sequence[SlideBeforeAfter], *, pairs: bool
) -> SlidePictures:
    """The pictures of some drawn slides, and words that name them and those that are not shown."""
    images: list[bytes] = []
    labels: list[str] = []
    for drawn in shown:
        for label, number, image in (
            ("before", drawn.before_number, drawn.before if pairs else None),
            ("after", drawn.number, drawn.after),
        ):
            if image is not None:
                images.append(_png(Image.fromarray(image)))
                labels.append(f"slide {number} {label} the edit")
    if not images:
        why = f" ({checked.undrawn})" if checked.undrawn else ""
        return SlidePictures(words=f"There are no pictures{why}.")
    words = f"The pictures show, in this order: {', '.join(labels)}."
    numbers = {id(slide) for slide in shown}
    others = [
        str(view.number or view.before_number) for view in checked.drawn if id(view) not in numbers
    ]
    if others:
        words += f" Not among them are slides that look different as well: {', '.join(others)}."
    return SlidePictures(tuple(images), words)


def _difference(drawn: SlideBeforeAfter) -> float:
    """The mean difference of both pictures, 0 to 255; 255 where a slide came or went."""
    before, after = drawn.before, drawn.after
    if before is None or after is None or before.shape != after.shape:
        return 255.0
    return float(np.abs(before[::4, ::4].astype(np.int16) - after[::4, ::4]).mean())


def _png(picture: Image.Image) -> bytes:
    if picture.width > _SIZE[0]:
        picture = picture.resize((_SIZE[0], round(picture.height * _SIZE[0] / picture.width)))
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


Made = TypeVar("Made")

_NOT_SHOWN = "(The pictures could not be shown.)"
_EARLIER = (
    "Earlier requests of the owner on this deck, and what changed; the request above may mean what "
    "they meant, as in “bigger” or “the other one”. They are done, and need nothing more:"
)


class EditRecord:
    """The folder of an edit, written to step by step, so that a failed edit leaves its files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def round(self, number: int) -> Path:
        """The folder of one round, made if it is missing."""
        place = self.folder / f"round-{number}"
        place.mkdir(exist_ok=True)
        return place

    def write(self, name: str, content: str | bytes) -> None:
        """Write text or bytes to the file ``name`` of the folder."""
        data = content.encode(errors="replace") if isinstance(content, str) else content
        write_whole(self.folder / name, data)

    def write_json(self, name: str, value: Any) -> None:
        """Write plain data as JSON."""
        self.write(name, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def editor_prompt(name: str, **values: str) -> str:
    """The prompt of the file ``prompts/name.txt`` with values in place of its ``$names``.

    Values are put in as they are, ``$`` included.

    Raises KeyError if a name has no value.
    """
    return _template(name).substitute(values).strip()


def with_less(ask: Callable[[int], Made], most: int) -> Made:
    """Call ``ask`` with ``most`` characters of material; with half of it, then a quarter, if the
    model says that a question is too long for it.

    Raises what ``ask`` raises.
    """
    for part in (1, 2):
        try:
            return ask(most // part)
        except ModelFailed as error:
            if error.kind != "too_long":
                raise
    return ask(most // 4)


@cache
def _template(name: str) -> Template:
    folder = resources.files("decklab.editor").joinpath("prompts")
    return Template(folder.joinpath(f"{name}.txt").read_text(encoding="utf-8"))


class Conversation:
    """Questions to a model, from several threads at once if need be.

    ``usage`` is the sum over all questions. ``earlier`` are the requests before this one and what
    came of them, which go along with each question. A model that sees no pictures is asked without
    them; ``unseen`` says why. Other errors of the model (ModelError) pass through.
    """

    def __init__(
        self, ask: Ask, record: EditRecord, *, earlier: Sequence[str] = (),
        temperature: float | None = None, tool_calls: int = TOOL_CALLS,
    ) -> None:  # fmt: skip
        self._ask = ask
        self._earlier = earlier
        self._temperature = temperature
        self._tool_calls = tool_calls
        self._lock = Lock()
        self.record = record
        self.usage = Usage()
        self.model = ""
        self.unseen = ""

    @property
    def takes_tools(self) -> bool:
        """Whether tools can be offered with a question."""
        return takes(self._ask, "tools")

    def answer(
        self,
        stage: str,
        text: str,
        form: type[Answer],
        *,
        images: Sequence[bytes] = (),
        tools: Sequence[ModelTool] = (),
        check: Callable[[Answer], str | None] = lambda _: None,
    ) -> Answer:
        """The reply as ``form``, in which ``check`` finds no problem; see ``answered``."""
        return answered(
            self._put, text, form, check=check, images=images, stage=stage, tools=tools,
            most_calls=self._tool_calls,
        ).answer  # fmt: skip

    def _put(
        self, prompt: str, *, stage: str = "", tools: Sequence[ModelTool] = (),
        most_calls: int = TOOL_CALLS, **how: Any,
    ) -> ModelReply[Any]:  # fmt: skip
        ask = self._ask
        if self._earlier:
            prompt = "\n\n".join([prompt, _EARLIER, *self._earlier])
        if tools and self.takes_tools:
            how["tools"] = tools
            if takes(ask, "most_calls"):
                how["most_calls"] = most_calls
        ask = for_stage(ask, stage)
        how = {"system": editor_prompt("system"), "temperature": self._temperature, **how}
        started = time.monotonic()
        try:
            reply: ModelReply[Any] = ask(prompt, **how)
        except PicturesUnseen as error:
            self.unseen = error.detail
            reply = ask(f"{prompt}\n\n{_NOT_SHOWN}", **{**how, "images": ()})
        took = reply.usage
        if not took.seconds:
            took = replace(took, seconds=time.monotonic() - started)
        with self._lock:
            self.usage += took
            self.model = reply.model or self.model
        return reply
