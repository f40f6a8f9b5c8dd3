"""Fixes of what is seen on the drawn slide: near misses, pale text, text beyond its box."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from decklab.core.colors import color_difference, contrast_ratio, hex_color, is_near, parse_color
from decklab.core.geometry import FRAME_HEIGHT
from decklab.core.naming import shape_label
from decklab.core.results import Finding
from decklab.deck.model.shapes import Text, box_of
from decklab.editing.arranging import geometry_of, set_geometry
from decklab.editing.finding import paragraphs, shapes, slide_at, texts_of
from decklab.editing.mending import RunPlace, color_runs
from decklab.editing.opening import Presentation
from decklab.editing.texts import resize_text
from decklab.linting.fixes.fix import Fix, Way, runs_of
from decklab.linting.rules.contrast import CONTRAST_LOW, LowContrastText, low_contrast_texts
from decklab.linting.rules.overflow import TEXT_OVERFLOW
from decklab.linting.rules.page import DrawnSlide, DrawnText
from decklab.linting.rules.placement import SHAPE_DRIFT, drifting
from decklab.linting.rules.rule import called, label
from decklab.linting.rules.sizes import role_of
from decklab.ooxml.xml import shape_id

SMALLER: Final = (0.95, 0.9, 0.85, 0.8)
"""Ours: by how much text is made smaller to fit, at most; more than that wants fewer words."""
ENOUGH: Final = 1.08
"""Ours: how far a new colour is over the ratio wanted, as drawn text reaches a little less."""
_INK = 24
"""Channels of a run's colour and of the ink as drawn differ by no more."""
_INSET = 3.6


def near_misses(view: DrawnSlide) -> Iterator[Fix]:
    """Objects that stand a little off the row or column of others like them are moved onto it."""
    for item, axis, px in drifting(view):
        across, down = (0.0, -px) if axis == "top" else (-px, 0.0)
        way = partial(_shift, slide=view.slide.number, shape=item.id, x=across, y=down)
        name = shape_label(called(item), item.id)
        says = f"{name} is moved {abs(px):.1f} px, onto the line of those like it"
        yield Fix(
            SHAPE_DRIFT.id, view.slide.number, says, frozenset({"geometry"}), (way,), shape=item.id
        )


def _shift(prs: Presentation, *, slide: int, shape: int, x: float = 0.0, y: float = 0.0) -> None:
    left, top, _width, _height = geometry_of(prs, slide, shape)
    set_geometry(
        prs, slide, shape, x=left + x if x else None, y=top + y if y else None
    )  # fmt: skip


def pale_texts(view: DrawnSlide, theme: Mapping[str, str]) -> Iterator[Fix]:
    """Text that stands out too little gets the colour of the theme that is nearest to its own and
    stands out enough on every ground that it was seen on.

    ``theme`` has the theme's colours by the names of ``format_text``. Texts of one colour get one
    where there is one for all of them; two colours in a shape stay two. Text of the layout, a
    colour that only just misses the ratio, and text that no colour of the theme helps, stays.
    """
    pale: dict[tuple[int, str], list[LowContrastText]] = {}
    for one in low_contrast_texts(view):
        if isinstance(one.element, Text) and one.rule is CONTRAST_LOW and not one.everywhere:
            pale.setdefault((one.element.id, hex_color(one.contrast.ink)), []).append(one)
    bad = {ink for (_id, ink), ones in pale.items() if any(one.severity != "info" for one in ones)}
    taken: set[tuple[int, str]] = set()
    for (shape, ink), group in pale.items():
        text = group[0].element
        assert isinstance(text, Text)
        alike = [one for (_shape, other), ones in pale.items() if other == ink for one in ones]
        fitting = _colors_for(alike, ink, theme) or _colors_for(group, ink, theme)
        used = {parse_color(font.color) for _place, font, _kind in runs_of(text) if font.color}
        colors = [
            name
            for name in fitting
            if (shape, name) not in taken and parse_color(theme[name]) not in used
        ]
        runs = _runs_in(text, ink) if ink in bad else ()
        if runs and colors:
            taken.add((shape, colors[0]))
            yield Fix(
                CONTRAST_LOW.id,
                view.slide.number,
                f"text of {shape_label(called(text), shape)} in {ink} gets the theme's {colors[0]},"
                f" {theme[colors[0]]}",
                frozenset({"style"}),
                tuple(_painting(view.slide.number, shape, runs, color) for color in colors[:2]),
                shape=shape,
                removes=0.0,  # findings may be of several texts: the lines are counted
                pale=len(group),
            )


def pale_lines(view: DrawnSlide) -> Counter[int]:
    """How many lines of each text shape, by its id, stand out too little."""
    return Counter(
        one.element.id
        for one in low_contrast_texts(view)
        if isinstance(one.element, Text) and one.rule is CONTRAST_LOW and not one.everywhere
    )


def _runs_in(text: Text, ink: str) -> tuple[RunPlace, ...]:
    """The runs of a text in the colour of the ink."""
    color = parse_color(ink)
    return tuple(
        place
        for place, font, kind in runs_of(text)
        if kind == "run" and font.color and is_near(parse_color(font.color), color, _INK)
    )


def _painting(slide: int, shape: int, runs: tuple[RunPlace, ...], color: str) -> Way:
    return partial(color_runs, slide=slide, shape=shape, runs=runs, color=color)


def _colors_for(group: Sequence[LowContrastText], ink: str, theme: Mapping[str, str]) -> list[str]:
    """Names of the theme's colours that stand out enough, the nearest to the ink first."""
    grounds = {ground for one in group for ground in (one.contrast.ground, *one.contrast.grounds)}
    least = ENOUGH * max(one.least for one in group)
    enough = [
        name
        for name, color in theme.items()
        if grounds
        and all(contrast_ratio(parse_color(color), ground) >= least for ground in grounds)
    ]
    return sorted(enough, key=lambda name: float(color_difference([ink], [theme[name]])[0]))


def overflowing(view: DrawnSlide, findings: Sequence[Finding]) -> Iterator[Fix]:
    """Text below its box: an unpainted box grows to its text; in a painted one the text gets
    smaller, by a fifth at most and not below the least size of its role."""
    for finding in findings:
        drawn = next((one for one in view.texts if label(one.element) == finding.shape), None)
        if finding.rule != TEXT_OVERFLOW.id or drawn is None or view.stand_in(drawn) is not None:
            continue
        text = drawn.element
        if isinstance(text, Text) and not text.rotation:
            grow = _growth(drawn, text, view)
            # Where nothing painted shows an edge, other objects may be placed to fit the lines.
            shrink = [] if finding.severity == "info" else _shrinking(drawn, text, view)
            says = "its box grows to the text" if grow else "its text gets smaller"
            if grow or shrink:
                yield Fix(
                    TEXT_OVERFLOW.id,
                    view.slide.number,
                    f"{shape_label(called(text), text.id)}: {says}",
                    frozenset({"geometry", "style"}),
                    tuple(grow or shrink),
                    shape=text.id,
                )


def _growth(drawn: DrawnText, text: Text, view: DrawnSlide) -> list[Way]:
    box = box_of(text)
    own = view.rects_by_z.get(text.z)
    painted = own is not None and own.paint.kind != "none"
    if box is None or painted or text.body.anchor != "top" or text.body.autofit != "none":
        return []
    inset = text.body.inset_bottom * view.px_per_pt
    height = drawn.ink.bottom + inset - box.top
    if height <= box.height or box.top + height > FRAME_HEIGHT or text.groups:
        return []
    return [partial(set_geometry, slide=view.slide.number, shape=text.id, height=height)]


def _shrinking(drawn: DrawnText, text: Text, view: DrawnSlide) -> list[Way]:
    least = view.limits.body_pt if role_of(text) == "body" else view.limits.label_pt
    sizes = [font.size for _place, font, kind in runs_of(text) if kind == "run"]
    smallest = min(sizes, default=0.0) * view.px_per_pt
    return [
        partial(_shrink, slide=view.slide.number, shape=text.id, factor=factor)
        for factor in SMALLER
        if smallest * factor >= least
    ]


def _shrink(prs: Presentation, *, slide: int, shape: int, factor: float) -> None:
    found = [item for item in shapes(slide_at(prs, slide)) if shape_id(item) == shape]
    lines: list[Any] = [
        line for item in found for body in texts_of(item) for line in paragraphs(body)
    ]
    resize_text(prs, slide, lines, factor=factor)
