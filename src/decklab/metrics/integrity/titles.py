"""Titles that jump from slide to slide."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from decklab.deck.model.shapes import Text, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.geometry import Box
from decklab.metrics.findings import Occurrence, named_slides
from decklab.metrics.integrity.page import DrawnText
from decklab.metrics.integrity.places import label
from decklab.metrics.integrity.thresholds import (
    TITLE_MAJORITY,
    TITLE_MOVED_PX,
    TITLE_SIZE_PT,
    TITLE_SLIDES,
)
from decklab.results import Finding
from decklab.typefaces import plain_family

TITLES = frozenset({"title", "ctrTitle"})
"""Placeholder types of titles."""

_Titled = tuple[SlideElements, Text]


def title_of(slide: SlideElements) -> Text | None:
    """The title placeholder with words in it; None without one, or where it is hidden."""
    for text in slide.texts:
        if text.placeholder is not None and text.placeholder.type in TITLES:
            return text if text.text.strip() and not text.hidden and text.placed else None
    return None


def inconsistent_titles(
    deck: DeckElements, drawn: Mapping[int, DrawnText] | None = None
) -> Iterator[Occurrence]:
    """Titles unlike those of most slides with the same layout: in position, size or font.

    ``drawn`` has the titles as drawn by slide number; where known, a title is only said to have
    moved if its ink has.
    """
    layouts: dict[str, list[_Titled]] = {}
    for slide in deck.slides:
        title = title_of(slide)
        if title is not None and not slide.hidden and not title.rotation:
            layouts.setdefault(slide.layout_part, []).append((slide, title))
    for titled in layouts.values():
        if len(titled) >= TITLE_SLIDES:
            yield from _moved(titled, drawn or {})
            yield from _resized(titled)
            yield from _other_font(titled)


def _majority(keys: Sequence[object]) -> object | None:
    """The value that most share, where they are most of all."""
    value, count = Counter(keys).most_common(1)[0]
    return value if count >= TITLE_MAJORITY * len(keys) and count < len(keys) else None


def _moved(titled: Sequence[_Titled], drawn: Mapping[int, DrawnText]) -> Iterator[Occurrence]:
    places = [(round(title.x), round(title.y)) for _slide, title in titled]
    usual = _majority(places)
    if usual is None:
        return
    at_home = [one for one, place in zip(titled, places, strict=True) if place == usual]
    home = at_home[0][1]
    away = []
    for slide, title in titled:
        across, down = title.x - home.x, title.y - home.y
        if max(abs(across), abs(down)) > TITLE_MOVED_PX and _ink_moved(
            slide, title, at_home, drawn
        ):
            away.append((slide, title, across, down))
    if away:
        slide, title, across, down = away[0]
        far = _far(across, down)
        yield Occurrence(
            _finding(
                "title.position", [item[:2] for item in away], len(at_home),
                f"stands {far} where it stands",
                measured=max(abs(across), abs(down)), threshold=TITLE_MOVED_PX,
                fix="Reset the slide, so that the title takes its place from the layout again.",
            ),
            slide.layout_part,
        )  # fmt: skip


def _far(across: float, down: float) -> str:
    """How far and which way, such as ``9 px to the left and 20 px above``; goes before "where"."""
    aside = f"{abs(across):.0f} px to the {'right' if across > 0 else 'left'}"
    upright = f"{abs(down):.0f} px {'below' if down > 0 else 'above'}"
    if abs(down) <= TITLE_MOVED_PX:
        return f"{aside} of"
    return f"{aside} and {upright}" if abs(across) > TITLE_MOVED_PX else upright


def _ink_moved(
    slide: SlideElements, title: Text, at_home: Sequence[_Titled], drawn: Mapping[int, DrawnText]
) -> bool:
    own = drawn.get(slide.number)
    others = [(drawn[s.number].ink, t) for s, t in at_home if s.number in drawn]
    if own is None or not others:
        return True
    across = abs(_along(own.ink, title) - median(_along(ink, t) for ink, t in others))
    down = abs(_upright(own.ink, title) - median(_upright(ink, t) for ink, t in others))
    return max(across, down) > TITLE_MOVED_PX


def _along(ink: Box, title: Text) -> float:
    """The x that alignment holds, whatever the words."""
    held = {"left": ink.left, "right": ink.right, "center": (ink.left + ink.right) / 2}
    return held.get(title.align, ink.left)


def _upright(ink: Box, title: Text) -> float:
    """The y that anchoring holds, however many the lines."""
    held = {"bottom": ink.bottom, "middle": (ink.top + ink.bottom) / 2}
    return held.get(title.body.anchor, ink.top)


def _resized(titled: Sequence[_Titled]) -> Iterator[Occurrence]:
    sizes = [round(title.font.size / (title.body.font_scale or 1), 1) for _slide, title in titled]
    usual = _majority(sizes)
    if not isinstance(usual, float):
        return
    away = [
        (one, size)
        for one, size in zip(titled, sizes, strict=True)
        if abs(size - usual) >= TITLE_SIZE_PT
    ]
    if away:
        (slide, _title), size = away[0]
        yield Occurrence(
            _finding(
                "title.size", [one for one, _size in away], sizes.count(usual),
                f"is set in {size:g} pt, not in the {usual:g} pt",
                measured=size, threshold=usual,
                fix=f"Set the title in {usual:g} pt, or clear its own size.",
            ),
            slide.layout_part,
        )  # fmt: skip


def _other_font(titled: Sequence[_Titled]) -> Iterator[Occurrence]:
    names = [plain_family(title.font.name).casefold() for _slide, title in titled]
    usual = _majority([name for name in names if name])
    if usual is None:
        return
    named = plain_family(next(
        title.font.name for (_slide, title), name in zip(titled, names, strict=True)
        if name == usual
    ))  # fmt: skip
    away = [one for one, name in zip(titled, names, strict=True) if name not in ("", usual)]
    slide, title = away[0]
    yield Occurrence(
        _finding(
            "title.font", away, names.count(str(usual)),
            f"is set in {plain_family(title.font.name)}, not in the {named}",
            fix=f"Set the title in {named}, or clear its own font.",
        ),
        slide.layout_part,
    )  # fmt: skip


def _finding(
    rule: str, away: Sequence[_Titled], others: int, says: str, *,
    fix: str, measured: float | None = None, threshold: float | None = None,
) -> Finding:  # fmt: skip
    slide, title = away[0]
    more = [item.number for item, _title in away[1:]]
    also = f" So with slides {named_slides(more)}." if len(more) > 1 else ""
    if len(more) == 1:
        also = f" So with slide {more[0]}."
    return Finding(
        rule=rule,
        severity="info",
        message=f"The title {says} on {others} other slides with the layout {slide.layout}.{also}",
        slide=slide.number,
        shape=label(title),
        box=box_of(title),
        measured=measured,
        threshold=threshold,
        fix=fix,
    )
