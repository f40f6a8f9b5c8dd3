"""Edits of animations and transitions."""

from typing import Literal

from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide

from generate.pptarena.edits.finding import Edit, shape_on, slide_of
from generate.samples.markup import NAMESPACES
from generate.samples.timing import Step, animate

Entrance = tuple[str, Literal["fade", "wipe"], Literal["click", "with", "after"], int]
"""Shape, effect, start, and milliseconds."""


def animation(slide: int, *entrances: Entrance) -> Edit:
    """Give a slide these entrances in the place of all that it has."""

    def edit(deck: Deck) -> None:
        no_animation(slide)(deck)
        steps = [
            Step(shape_on(deck, slide, shape), effect, start, milliseconds)
            for shape, effect, start, milliseconds in entrances
        ]
        animate(slide_of(deck, slide), steps)

    return edit


def no_animation(slide: int) -> Edit:
    """Take all animations off a slide."""

    def edit(deck: Deck) -> None:
        for timing in slide_of(deck, slide).element.findall(qn("p:timing")):
            timing.getparent().remove(timing)

    return edit


def transition(slide: int, markup: str, *, speed: str = "med", after_ms: int | None = None) -> Edit:
    """Bring a slide in by a transition, such as ``<p:push dir="u"/>``, in place of its own;
    ``after_ms`` moves on by itself."""

    def edit(deck: Deck) -> None:
        target = slide_of(deck, slide)
        _clear(target)
        after = "" if after_ms is None else f' advTm="{after_ms}"'
        new = parse_xml(f'<p:transition {NAMESPACES} spd="{speed}"{after}>{markup}</p:transition>')
        timing = target.element.find(qn("p:timing"))
        if timing is None:
            target.element.append(new)
        else:
            timing.addprevious(new)

    return edit


def _clear(slide: Slide) -> None:
    for child in list(slide.element):
        wrapped = str(child.tag).endswith("}AlternateContent")
        if child.tag == qn("p:transition") or (
            wrapped and next(child.iter(qn("p:transition")), None) is not None
        ):
            slide.element.remove(child)
