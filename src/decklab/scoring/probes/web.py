"""What a browser tells of a web deck, counted for the web protocol of editability."""

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.metrics.editability.content import FULL_SLIDE, coverage, on_frame
from decklab.metrics.editability.facts import WebFacts
from decklab.metrics.editability.text import ONLY_PICTURE, SPARSE_TEXT
from decklab.metrics.editability.vector import SHARP_AT_400
from decklab.rendering.html import GraphicFacts, HtmlDeck, HtmlFacts, HtmlSlideFacts
from decklab.rendering.model import RenderedDeck, RenderedSlide
from decklab.scoring.probes.raster import look_at_pixels

RASTERS = frozenset({"img", "background", "canvas"})


def web_facts(deck: HtmlDeck) -> WebFacts:
    """Look at a web deck in the browser that shows it."""
    return count_facts(deck.facts(), deck)


def count_facts(facts: HtmlFacts, drawn: RenderedDeck) -> WebFacts:
    """Count text blocks and graphics. ``drawn`` is the same deck, whose pictures of the slides
    tell photographs from drawings."""
    blocks = [block for slide in facts.slides for block in slide.blocks]
    selectable = [block for block in blocks if block.selectable]
    sharp = blurred = 0
    for slide in facts.slides:
        picture = drawn.slide(slide.number)
        for graphic in slide.graphics:
            if graphic.kind == "video":
                continue
            if graphic.vector or _is_sharp(graphic):
                sharp += 1
            elif _is_drawing(graphic, picture):
                blurred += 1
    return WebFacts(
        slides=len(facts.slides),
        text_blocks=len(selectable),
        reflowing=sum(block.reflows for block in selectable),
        fragments=sum(block.fragment for block in selectable),
        vectors=sharp,
        rasters=blurred,
        raster_slides=sum(_is_one_picture(slide) for slide in facts.slides),
        unselectable=len(blocks) - len(selectable),
    )


def _is_sharp(graphic: GraphicFacts) -> bool:
    if graphic.natural is None or graphic.box.area == 0:
        return False
    density = min(graphic.natural[0] / graphic.box.width, graphic.natural[1] / graphic.box.height)
    return density >= SHARP_AT_400


def _is_drawing(graphic: GraphicFacts, picture: RenderedSlide) -> bool:
    height, width = picture.image.shape[:2]
    seen = on_frame(graphic.box).scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)
    crop = picture.image[round(seen.top) : round(seen.bottom), round(seen.left) : round(seen.right)]
    return seen.area > 0 and look_at_pixels(crop).kind == "graphic"


def _is_one_picture(slide: HtmlSlideFacts) -> bool:
    letters = sum(len("".join(block.text.split())) for block in slide.blocks if block.selectable)
    rasters = [item.box for item in slide.graphics if item.kind in RASTERS and not item.vector]
    alone = len(slide.graphics) == 1
    covered = coverage(rasters)
    return letters <= SPARSE_TEXT and covered >= (ONLY_PICTURE if alone else FULL_SLIDE)
