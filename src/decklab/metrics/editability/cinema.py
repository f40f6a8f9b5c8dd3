"""Gate 5, cinematic: the show moves and its media travel with it (paper 002, I.4.3 step 5)."""

from collections.abc import Sequence
from itertools import pairwise

from decklab.deck.model.outline import DeckOutline, Media, Shape, Slide
from decklab.metrics.editability.content import content_shapes, judged_slides, percent
from decklab.metrics.editability.thresholds import MOVING_SHARE
from decklab.metrics.editability.verdict import Evidence, Gate

MOTION_FIX = "Give the slides a transition, and let their points build in as they are told."
MEDIA_FIX = "Embed the file (Insert, Video, This Device) instead of linking it."
ROW = 20
"""Height in frame pixels within which shapes are read from left to right."""


def judge_cinema(outline: DeckOutline) -> Gate:
    """Gate 5: at least half of the slides move, and no medium lies outside the deck.

    The build order is reported against the reading order but decides nothing: the paper names
    their match a hallmark, and only the static show and linked media critical failures.
    """
    slides = judged_slides(outline)
    media = [(slide, shape, shape.media) for slide in slides for shape in content_shapes(slide)
             if shape.media is not None]  # fmt: skip
    linked = tuple(_linked(slide, shape, medium) for slide, shape, medium in media
                   if medium.part is None)  # fmt: skip
    transitions = [slide for slide in slides if _advances(slide)]
    animated = [slide for slide in slides if slide.animated]
    moving = [slide for slide in slides if _advances(slide) or slide.animated]
    seen = (
        f"{percent(len(transitions), len(slides))} slides have a transition, "
        f"{percent(len(animated), len(slides))} an animation{_order_words(animated)}"
        f"{_media_words(len(media), len(linked))}"
    )
    if linked:
        return Gate(5, "failed", f"Media lie outside the deck: {seen}.", linked, MEDIA_FIX)
    if len(moving) < MOVING_SHARE * len(slides):
        lead = "The show is static" if not moving else "Most of the show is static"
        return Gate(5, "failed", f"{lead}: {seen}.", (), MOTION_FIX)
    return Gate(5, "passed", f"The show moves: {seen}.")


def _advances(slide: Slide) -> bool:
    return slide.transition is not None or slide.advances_after_ms is not None


def _linked(slide: Slide, shape: Shape, medium: Media) -> Evidence:
    if medium.link:
        detail = f"The {medium.kind} is linked to {medium.link} and will not play elsewhere."
    else:
        detail = f"The {medium.kind} file is missing from the deck."
    return Evidence(
        "editability.linked-media", "error", detail,
        slide=slide.number, shape=shape.label, box=shape.box, fix=MEDIA_FIX,
    )  # fmt: skip


def _media_words(media: int, linked: int) -> str:
    return f"; {media - linked} of {media} media files are embedded" if media else ""


def _order_words(slides: Sequence[Slide]) -> str:
    shares = [share for slide in slides if (share := reading_order_share(slide)) is not None]
    if not shares:
        return ""
    return f"; {round(100 * sum(shares) / len(shares))} % of builds follow the reading order"


def reading_order_share(slide: Slide) -> float | None:
    """Share of successive builds that go on in reading order, 0 to 1; None below two builds.

    Reading order is top to bottom and, within 20 pixels of height, left to right.
    """
    boxes = [shape.box for id in slide.animated if (shape := slide.shape(id)) and shape.box]
    steps = list(pairwise((round(box.top / ROW), box.left) for box in boxes))
    if not steps:
        return None
    return sum(later >= earlier for earlier, later in steps) / len(steps)
