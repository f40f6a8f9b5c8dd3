"""Pictures of slides for a model: the slides of a request, and those that an edit changed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from decklab.core.errors import RendererMissing, RenderError
from decklab.editing.verify import SlideBeforeAfter, Verification
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
    wanted = sorted(set(numbers))[:MOST_PICTURES]
    if not wanted:
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
    checked: Verification, *, pairs: bool, first: Collection[int] = ()
) -> SlidePictures:
    """Pictures of slides that look different after an edit; with ``pairs`` before it, too.

    They are ``MOST_PICTURES`` at most: the slides ``first``, then those that differ most. Others
    are named.
    """
    ranked = sorted(checked.drawn, key=lambda one: (one.number not in first, -_difference(one)))
    count, each = 0, 2 if pairs else 1
    while count < len(ranked) and (count + 1) * each <= MOST_PICTURES:
        count += 1
    chosen = {id(slide) for slide in ranked[:count]}
    shown = [drawn for drawn in checked.drawn if id(drawn) in chosen]
    return _pictures_of(checked, shown, pairs=pairs)


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
        str(one.number or one.before_number) for one in checked.drawn if id(one) not in numbers
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
