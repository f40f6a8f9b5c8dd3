"""Titles that are missing, repeated, set too small, or unlike the others of their layout."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import median
from typing import Final, Unpack

from decklab.core.geometry import FRAME, FRAME_HEIGHT, Box
from decklab.core.results import Finding, Occurrence, first_names, named_slides, quoted
from decklab.deck.model.shapes import Element, Text, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.styles.themes import plain_family
from decklab.linting.rules.page import LINE_HEIGHT, DrawnSlide, DrawnText, share_inside
from decklab.linting.rules.rule import LEAST_BODY_PT, LEAST_TITLE_PT, MICROSOFT, WCAG, Details, Rule

TITLE_SLIDES: Final = 4
TITLE_MAJORITY: Final = 0.7
"""Ours: slides of one layout, and share of them that agree, before the others are called
inconsistent."""

TITLE_MOVED_PX: Final = 6.0
"""Ours: a jump that is seen when paging."""

TITLE_SIZE_PT: Final = 2.0
"""Ours: a difference in size that is seen when paging."""

UNTITLED_SLIDES: Final = 3
"""Ours: from so many slides without a title on, one finding for the deck names them all."""

DIALOGUE_TITLES: Final = frozenset(
    (
        "question", "questions", "answer", "answers", "solution", "solutions", "q&a", "hint",
        "pergunta", "resposta", "pregunta", "respuesta", "r\u00e9ponse", "frage",
        "antwort", "l\u00f6sung",
    )
)  # fmt: skip
"""Ours: titles of pages that take turns; each belongs to the one before."""

LEAD_SIZE: Final = 1.2
"""Ours: text this many times as large as any other on a slide without a title stands for one."""

TITLES = frozenset({"title", "ctrTitle"})
"""Placeholder types of titles."""

_Titled = tuple[SlideElements, Text]


def title_of(slide: SlideElements) -> Text | None:
    """The title placeholder with words in it; None without one, or where it is hidden."""
    title = _placeholder(slide)
    if title is None or not title.text.strip() or title.hidden or not title.placed:
        return None
    return title


def is_title(element: Element) -> bool:
    """Whether an element is a title placeholder."""
    return element.placeholder is not None and element.placeholder.type in TITLES


def _placeholder(slide: SlideElements) -> Text | None:
    return next(filter(is_title, slide.texts), None)


_MOST = f"{TITLE_MAJORITY:.0%} of the titles of a layout that has {TITLE_SLIDES} slides or more"

TITLE_POSITION = Rule(
    "title.position",
    "InconsistentTitle",
    "A title stands elsewhere.",
    severity="info",
    threshold=f"{TITLE_MOVED_PX:g} px off {_MOST}",
    fix="Reset the slide, so that the title takes its place from the layout again.",
    why="A title that jumps from slide to slide draws the eye away from what it says.",
)

TITLE_SIZE = Rule(
    "title.size",
    "InconsistentTitle",
    "A title has another size.",
    severity="info",
    threshold=f"{TITLE_SIZE_PT:g} pt off {_MOST}",
    fix="Clear the title's own size.",
    why="Titles of different sizes suggest a rank that is not meant.",
)

TITLE_FONT = Rule(
    "title.font",
    "InconsistentTitle",
    "A title has another font.",
    severity="info",
    threshold=f"unlike {_MOST}",
    fix="Clear the title's own font.",
    why="A title in another font looks like a slide from another deck.",
)


def inconsistent_titles(
    deck: DeckElements, drawn: Mapping[int, DrawnText] | None = None
) -> Iterator[Occurrence]:
    """Titles unlike those of most slides with the same layout: in position, size or font.

    ``drawn`` has the titles as drawn by slide number; where known, a title is only reported as
    moved if its ink moved.
    """
    layouts: dict[str, list[_Titled]] = {}
    for slide in deck.slides:
        title = title_of(slide)
        if title is None or slide.hidden or title.rotation or _is_off_slide(title):
            continue
        layouts.setdefault(slide.layout_part, []).append((slide, title))
    for titled in layouts.values():
        if len(titled) >= TITLE_SLIDES:
            yield from _moved(titled, drawn or {})
            yield from _resized(titled)
            yield from _other_font(titled)


def _is_off_slide(title: Text) -> bool:
    """Whether only screen readers find a title: its looks and place do not matter."""
    box = box_of(title)
    return box is not None and box.area > 0 and share_inside(box, FRAME) == 0


def _majority(keys: Sequence[object]) -> object | None:
    """The value of most keys: of ``TITLE_MAJORITY`` at least, but not of all; else None."""
    if not keys:
        return None
    value, count = Counter(keys).most_common(1)[0]
    return value if count >= TITLE_MAJORITY * len(keys) and count < len(keys) else None


def _moved(titled: Sequence[_Titled], drawn: Mapping[int, DrawnText]) -> Iterator[Occurrence]:
    places = [(round(title.x), round(title.y)) for _slide, title in titled]
    if (usual := _majority(places)) is None:
        return
    at_home = [entry for entry, corner in zip(titled, places, strict=True) if corner == usual]
    home = at_home[0][1]
    gaps = [(title.x - home.x, title.y - home.y) for _slide, title in titled]
    away = [
        (entry, gap)
        for entry, gap in zip(titled, gaps, strict=True)
        if max(map(abs, gap)) > TITLE_MOVED_PX and _ink_moved(*entry, at_home, drawn)
    ]
    if away:
        entries, gap = [entry for entry, _gap in away], away[0][1]
        says = f"stands {_far(*gap)} where it stands"
        how = Details(measured=max(map(abs, gap)), threshold=TITLE_MOVED_PX)
        yield _inconsistent(TITLE_POSITION, entries, len(at_home), says, **how)


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
    by_alignment = {"left": ink.left, "right": ink.right, "center": (ink.left + ink.right) / 2}
    return by_alignment.get(title.align, ink.left)


def _upright(ink: Box, title: Text) -> float:
    """The y that anchoring holds, however many the lines."""
    by_anchor = {"bottom": ink.bottom, "middle": (ink.top + ink.bottom) / 2}
    return by_anchor.get(title.body.anchor, ink.top)


def _resized(titled: Sequence[_Titled]) -> Iterator[Occurrence]:
    sizes = [round(title.font.size / (title.body.font_scale or 1), 1) for _slide, title in titled]
    usual = _majority(sizes)
    if not isinstance(usual, float):
        return
    off = [size for size in sizes if abs(size - usual) >= TITLE_SIZE_PT]
    if off:
        away = [entry for entry, size in zip(titled, sizes, strict=True) if size in off]
        says = f"is set in {off[0]:g} pt, not in the {usual:g} pt"
        fix = f"Set the title in {usual:g} pt, or clear its own size."
        measured = Details(measured=off[0], threshold=usual, fix=fix)
        yield _inconsistent(TITLE_SIZE, away, sizes.count(usual), says, **measured)


def _other_font(titled: Sequence[_Titled]) -> Iterator[Occurrence]:
    names = [plain_family(title.font.name).casefold() for _slide, title in titled]
    if (usual := _majority([name for name in names if name])) is None:
        return
    named = plain_family(titled[names.index(str(usual))][1].font.name)
    away = [entry for entry, name in zip(titled, names, strict=True) if name not in ("", usual)]
    says = f"is set in {plain_family(away[0][1].font.name)}, not in the {named}"
    fix = f"Set the title in {named}, or clear its own font."
    yield _inconsistent(TITLE_FONT, away, names.count(str(usual)), says, fix=fix)


def _inconsistent(
    rule: Rule, away: Sequence[_Titled], others: int, says: str, **details: Unpack[Details]
) -> Occurrence:
    """The first of the titles that are unlike ``others`` of their layout; the rest are named."""
    slide, title = away[0]
    more = [item.number for item, _title in away[1:]]
    also = f" So with slide{'s' if len(more) > 1 else ''} {named_slides(more)}." if more else ""
    message = f"The title {says} on {others} other slides with the layout {slide.layout}.{also}"
    return Occurrence(rule.finding(message, slide.number, title, **details), slide.layout_part)


_LONGEST_TITLE = 80  # characters
_COUNTED = re.compile(
    r"\s*(?:[(\[]\s*(?:\d+\s*(?:/|of)\s*\d+|\d+|[ivx]+|cont(?:inued|[.'\u2019]?d?)?\.?)\s*[)\]]"
    r"|,?\s*cont(?:inued|[.'\u2019]d|\.))$"
)
"""The count at the end of a title that several slides share, such as ``(2/3)``, ``(II)`` or
``(cont.)``."""

MISSING_SLIDE_TITLE = Rule(
    "accessibility.missing-slide-title",
    "MissingSlideTitle",
    "A slide has no title.",
    source=f"{MICROSOFT}; {WCAG} 2.4.2",
    severity="error",
    threshold="no title placeholder with words that can be read",
    fix="Give the slide a title, or add one that is hidden off the slide.",
    why="Titles are how people who use a screen reader move from slide to slide; outlines, links "
    "and the presenter's overview use them too.",
)


def missing_titles(deck: DeckElements) -> Iterator[Finding]:
    """Slides whose title placeholder is missing, empty or hidden.

    If three slides or more have no title, one finding names them all. A title off the slide is one:
    it is for screen readers only.
    """
    untitled = [slide for slide in deck.slides if title_of(slide) is None]
    if len(untitled) >= UNTITLED_SLIDES:
        yield _for_deck(untitled, len(deck.slides))
        return
    for slide in untitled:
        title = _placeholder(slide)
        message = f"The slide has {_what(title)}{_instead(slide)}."
        yield MISSING_SLIDE_TITLE.finding(
            message, slide.number, title, severity="error" if _has_words(slide) else "info"
        )


def _what(title: Text | None) -> str:
    if title is None:
        return "no title placeholder"
    return "only a hidden title" if title.text.strip() else "an empty title"


def _instead(slide: SlideElements) -> str:
    """The text that stands for a title to those who see the slide, where one does."""
    texts = [text for text in slide.texts if not text.hidden and text.placed and text.text.strip()]
    heads = sorted(texts, key=lambda text: -text.font.size)
    if not heads or heads[0].y > FRAME_HEIGHT / 3 or len(heads[0].text) > _LONGEST_TITLE:
        return ""
    if "\n" in heads[0].text.strip():
        return ""
    if len(heads) > 1 and heads[0].font.size < LEAD_SIZE * heads[1].font.size:
        return ""
    return f"; {quoted(heads[0].text)} is no title to screen readers"


def _has_words(slide: SlideElements) -> bool:
    """Whether a slide has more to read than small print: else it needs no title."""
    return bool(slide.tables) or any(
        text.text.strip() and not text.hidden and text.font.size >= LEAST_BODY_PT
        for text in slide.texts
    )


def _for_deck(untitled: list[SlideElements], slides: int) -> Finding:
    numbers = [slide.number for slide in untitled]
    return MISSING_SLIDE_TITLE.finding(
        f"{len(numbers)} of {slides} slides have no title: {named_slides(numbers)}.",
        numbers[0],
        slides=tuple(numbers),
        measured=float(len(numbers)),
        threshold=0.0,
        fix="Use layouts with a title placeholder, so that every slide has a title to go by.",
    )


DUPLICATE_SLIDE_TITLE = Rule(
    "accessibility.duplicate-slide-title",
    "DuplicateSlideTitle",
    "Several slides have one title.",
    source=f"{MICROSOFT}; {WCAG} 2.4.2",
    severity="info",
    threshold="the same words on slides apart from each other that say different things",
    fix="Tell them apart, for instance by the point of each slide.",
    why="With one title for several slides, nobody can tell them apart in a list of slides.",
)


def duplicate_titles(deck: DeckElements) -> Iterator[Finding]:
    """Titles that slides apart from each other share, together in one finding for the deck.

    Slides that follow one another may share a title: they build on each other. So may slides that
    say the same throughout, as a repeated agenda does, and titles that only say whose turn it is,
    such as "Answer" or "Q&A". Letter case, spaces and what counts the slides, as in ``(2/3)`` or
    ``(cont.)``, do not make two titles different.
    """
    groups = _same_titles(deck).items()
    apart = (_apart(group) for words, group in groups if words not in DIALOGUE_TITLES)
    if shared := [runs for runs in apart if len(runs) > 1]:
        yield _shared(shared)


def shared_titles(deck: DeckElements) -> Iterator[list[list[_Titled]]]:
    """For each title that ``duplicate_titles`` tells, the runs of neighbours that have it."""
    for words, group in _same_titles(deck).items():
        firsts = [slide.number for slide, _title in _apart(group)]
        if words not in DIALOGUE_TITLES and len(firsts) > 1:
            runs: list[list[_Titled]] = [[] for _ in firsts]
            for slide, title in group:
                section = sum(first <= slide.number for first in firsts) - 1
                runs[section].append((slide, title))
            yield runs


def _same_titles(deck: DeckElements) -> dict[str, list[_Titled]]:
    """The slides with a title that is shown, by its words."""
    same: dict[str, list[_Titled]] = {}
    for slide in deck.slides:
        if (title := title_of(slide)) is not None and not slide.hidden:
            same.setdefault(_plain(title.text), []).append((slide, title))
    return same


def _plain(title: str) -> str:
    words = " ".join(title.split()).casefold()
    return _COUNTED.sub("", words).strip(" :.-\u2013\u2014?!") or words


def _apart(group: list[_Titled]) -> list[_Titled]:
    """The first slide of each run of neighbours, without those that only repeat an earlier one."""
    firsts: list[_Titled] = []
    texts: set[tuple[str, ...]] = set()
    last = -1
    for slide, title in group:
        words = tuple(sorted(text.text for text in slide.texts if text.text.strip()))
        follows, again = slide.number == last + 1, words in texts and len(words) > 1
        last = slide.number
        texts.add(words)
        if not follows and not again:
            firsts.append((slide, title))
    return firsts


def _shared(groups: list[list[_Titled]]) -> Finding:
    groups = sorted(groups, key=lambda group: (-len(group), group[0][0].number))
    named = [
        f"{quoted(group[0][1].text)} (slides {named_slides(slide.number for slide, _ in group)})"
        for group in groups
    ]
    count = len(groups)
    what = "A title comes" if count == 1 else f"{count} titles come"
    slide, title = groups[0][1]
    return DUPLICATE_SLIDE_TITLE.finding(
        f"{what} again on slides apart from each other: {first_names(named)}.",
        slide.number,
        title,
        slides=tuple(sorted(item.number for group in groups for item, _title in group)),
        measured=float(count),
        threshold=0.0,
    )


SHRUNK_SHARE: Final = 0.95
"""Ours: a title drawn under this share of its size was shrunk, not just rounded."""

LEAST_FOUND: Final = 0.3
"""Ours: from this share of a title's letters on the page its length can be reckoned."""

TITLE_SHRUNK = Rule(
    "title.shrunk",
    "ShrunkTitle",
    "A title is so long that it shrinks to be unreadable.",
    threshold=f"shrunk under {LEAST_TITLE_PT:g} pt, on a slide 7.5 inches high",
    fix="Shorten the title; move what it says beside its point to the body or the notes.",
    why="A title is read first and from farthest away; one that had to shrink says too much at "
    "once.",
    drawn=True,
)


def shrunk_titles(view: DrawnSlide) -> Iterator[Occurrence]:
    """A title that is set in at least the least size and shrinks under it to fit its box.

    Programs shrink such a title when they draw it, or when it is edited next. If it was drawn in
    its full size and leaves its box, the size at which it would fit counts.
    """
    title = title_of(view.slide)
    drawn = next((text for text in view.texts if title and text.element.id == title.id), None)
    if title is None or drawn is None or title.body.autofit != "shrink" or not drawn.spans:
        return
    full = title.font.size / title.body.font_scale
    size = _fitting(title, drawn, full) * drawn.px_per_pt
    least = view.limits.title_pt
    if size >= least or full * drawn.px_per_pt < least:
        return
    stand = view.stand_in(drawn)
    is_wider = stand is not None and stand.least_wider > 1
    finding = TITLE_SHRUNK.finding(
        f"{quoted(title.text)} has {len(title.text):,} characters and shrinks from {full:g} pt to"
        f" about {size / drawn.px_per_pt:.0f} pt.{stand.note if stand and is_wider else ''}",
        view.slide.number,
        title,
        severity="info" if is_wider else "warning",
        measured=round(size, 1),
        threshold=least,
    )
    yield Occurrence(finding, (title.text,))


def _fitting(title: Text, drawn: DrawnText, full: float) -> float:
    """The size in points that a title has or would have when it fits its box."""
    if drawn.size_pt < SHRUNK_SHARE * full:
        return drawn.size_pt
    if (box := box_of(title)) is None or not box.area or drawn.matched < LEAST_FOUND:
        return drawn.size_pt
    along = sum(max(s.box.right for s in row) - min(s.box.left for s in row) for row in drawn.lines)
    height = LINE_HEIGHT * full * drawn.px_per_pt
    if len(drawn.lines) / drawn.matched * height <= box.height + height / 2:
        return drawn.size_pt
    # Length and height of a line both go with the size, so that the area does with its square.
    return full * min(1.0, sqrt(box.area / (along / drawn.matched * height)))
