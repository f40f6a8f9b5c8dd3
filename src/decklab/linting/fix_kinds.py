"""Kinds of fixes: near misses, pale text, text beyond its box; titles, alternative texts, and the
proofing language."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from decklab.core.colors import color_difference, contrast_ratio, hex_color, is_near, parse_color
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.naming import shape_label
from decklab.core.results import SAME_CAUSE_SLIDES, Finding, by_key, quoted
from decklab.deck.model.shapes import Chart, Element, Image, RunFont, Text, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.diffing.changes import Change, Kind
from decklab.editing.arranging import geometry_of, set_geometry
from decklab.editing.finding import paragraphs, shapes, slide_at, texts_of
from decklab.editing.mending import (
    RunPlace,
    add_hidden_title,
    append_to_text,
    color_runs,
    mark_decorative,
    set_run_language,
)
from decklab.editing.opening import Presentation
from decklab.editing.texts import resize_text, set_alt_text
from decklab.linting.rules.accessibility import (
    LANGUAGE,
    MISSING_ALT_TEXT,
    lacking_alt_text,
    may_be_written_in,
    script_of,
)
from decklab.linting.rules.legibility import (
    CONTRAST_LOW,
    LowContrastText,
    low_contrast_texts,
    role_of,
)
from decklab.linting.rules.overflow import TEXT_OVERFLOW
from decklab.linting.rules.page import DrawnSlide, DrawnText, visible
from decklab.linting.rules.placement import SHAPE_DRIFT, drifting
from decklab.linting.rules.rule import called, label
from decklab.linting.rules.titles import (
    DUPLICATE_SLIDE_TITLE,
    MISSING_SLIDE_TITLE,
    is_title,
    shared_titles,
    title_of,
)
from decklab.ooxml.xml import shape_id

Way = Callable[[Presentation], object]
"""Changes an open presentation in memory; raises EditError where it cannot."""


@dataclass(frozen=True)
class Fix:
    """A change that should remove a finding, and nothing else."""

    rule: str
    slide: int
    """1-based; the first of several."""
    says: str
    """The change it makes, in one line."""
    kinds: frozenset[Kind]
    """The kinds of changes that it may make."""
    ways: tuple[Way, ...]
    """How it can be done, the best way first; the next one is tried where one does not do."""
    shape: int | None = None
    """Id of the only shape that it may change; None for any of its slides."""
    others: tuple[int, ...] = ()
    """Further slides that it changes."""
    removes: float = 1.0
    """By how much it lowers the amount of its rule on its slide, at least."""
    pale: int = 0
    """How many lines of text of its shape stand out enough after it, which did not before."""
    of_deck: bool = False
    """Whether its finding is one of the whole deck."""

    @property
    def slides(self) -> tuple[int, ...]:
        """The slides that it changes."""
        return (self.slide, *self.others)

    def explains(self, change: Change) -> bool:
        """Whether a change between the decks is one that it may make."""
        if change.slide not in self.slides or change.kind not in self.kinds:
            return False
        return self.shape is None or bool(change.element and change.element.id == self.shape)


def runs_of(text: Text) -> list[tuple[RunPlace, RunFont, str]]:
    """The runs of a text with their places, fonts and kinds."""
    runs = (
        (n, index, run)
        for n, line in enumerate(text.paragraphs)
        for index, run in enumerate(line.runs)
    )
    return [(RunPlace(number, index, run.text), run.font, run.kind) for number, index, run in runs]


def do_all(prs: Presentation, *, ways: Sequence[Way]) -> None:
    """Several changes, one after the other."""
    for way in ways:
        way(prs)


SMALLER: Final = (0.95, 0.9, 0.85, 0.8)
"""Ours: by how much text is made smaller to fit, at most; more than that wants fewer words."""
ENOUGH: Final = 1.08
"""Ours: how far a new colour is over the ratio wanted, as drawn text reaches a little less."""
_STYLE: Final[frozenset[Kind]] = frozenset({"style"})
_INK = 24
"""Channels of a run's colour and of the ink as drawn differ by no more."""


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
    set_geometry(prs, slide, shape, x=left + x if x else None, y=top + y if y else None)


def pale_texts(view: DrawnSlide, theme: Mapping[str, str]) -> Iterator[Fix]:
    """Text that stands out too little gets the colour of the theme that is nearest to its own and
    stands out enough on every ground that it was seen on.

    ``theme`` has the theme's colours by the names of ``format_text``. Texts of one colour get one
    if there is one for all of them; two colours in a shape stay two. Text of the layout, a
    colour that only just misses the ratio, and text that no colour of the theme helps, stays.
    """
    pale: dict[tuple[int, str], list[LowContrastText]] = {}
    for item in low_contrast_texts(view):
        if isinstance(item.element, Text) and item.rule is CONTRAST_LOW and not item.everywhere:
            pale.setdefault((item.element.id, hex_color(item.contrast.ink)), []).append(item)
    bad = {
        ink for (_, ink), group in pale.items() if any(item.severity != "info" for item in group)
    }
    taken: set[tuple[int, str]] = set()
    for (shape, ink), group in pale.items():
        text = group[0].element
        assert isinstance(text, Text)
        alike = [item for (_, other), items in pale.items() if other == ink for item in items]
        fitting = _colors_for(alike, ink, theme) or _colors_for(group, ink, theme)
        used = {parse_color(font.color) for _place, font, _kind in runs_of(text) if font.color}
        free = [name for name in fitting if (shape, name) not in taken]
        colors = [name for name in free if parse_color(theme[name]) not in used]
        if (runs := _runs_in(text, ink) if ink in bad else ()) and colors:
            taken.add((shape, colors[0]))
            number, name = view.slide.number, shape_label(called(text), shape)
            says = f"text of {name} in {ink} gets the theme's {colors[0]}, {theme[colors[0]]}"
            ways = tuple(_painting(number, shape, runs, color) for color in colors[:2])
            fix = Fix(CONTRAST_LOW.id, number, says, _STYLE, ways, shape=shape, pale=len(group))
            yield replace(fix, removes=0.0)  # findings may be of several texts: lines are counted


def pale_lines(view: DrawnSlide) -> Counter[int]:
    """How many lines of each text shape, by its id, stand out too little."""
    return Counter(
        text.element.id
        for text in low_contrast_texts(view)
        if isinstance(text.element, Text) and text.rule is CONTRAST_LOW and not text.everywhere
    )


def _runs_in(text: Text, ink: str) -> tuple[RunPlace, ...]:
    """The runs of a text in the colour of the ink."""
    color = parse_color(ink)
    return tuple(
        run
        for run, font, kind in runs_of(text)
        if kind == "run" and font.color and is_near(parse_color(font.color), color, _INK)
    )


def _painting(slide: int, shape: int, runs: tuple[RunPlace, ...], color: str) -> Way:
    return partial(color_runs, slide=slide, shape=shape, runs=runs, color=color)


def _colors_for(group: Sequence[LowContrastText], ink: str, theme: Mapping[str, str]) -> list[str]:
    """Names of the theme's colours that stand out enough, the nearest to the ink first."""
    grounds = {ground for t in group for ground in (t.contrast.ground, *t.contrast.grounds)}
    least = ENOUGH * max(t.least for t in group)

    def stands_out(name: str) -> bool:
        color = parse_color(theme[name])
        return all(contrast_ratio(color, ground) >= least for ground in grounds)

    enough = filter(stands_out, theme if grounds else ())
    return sorted(enough, key=lambda name: float(color_difference([ink], [theme[name]])[0]))


def overflowing(view: DrawnSlide, findings: Sequence[Finding]) -> Iterator[Fix]:
    """Text below its box: an unpainted box grows to its text; in a painted one the text gets
    smaller, by a fifth at most and not below the least size of its role."""
    for finding in findings:
        drawn = next((t for t in view.texts if label(t.element) == finding.shape), None)
        if finding.rule != TEXT_OVERFLOW.id or drawn is None or view.stand_in(drawn) is not None:
            continue
        text = drawn.element
        if isinstance(text, Text) and not text.rotation:
            grow = _growth(drawn, text, view)
            # Where nothing painted shows an edge, other objects may be placed to fit the lines.
            shrink = [] if finding.severity == "info" else _shrinking(drawn, text, view)
            says = "its box grows to the text" if grow else "its text gets smaller"
            if grow or shrink:
                says = f"{shape_label(called(text), text.id)}: {says}"
                kinds: frozenset[Kind] = frozenset({"geometry", "style"})
                number, ways = view.slide.number, tuple(grow or shrink)
                yield Fix(TEXT_OVERFLOW.id, number, says, kinds, ways, shape=text.id)


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
    shrink = partial(_shrink, slide=view.slide.number, shape=text.id)
    return [partial(shrink, factor=factor) for factor in SMALLER if smallest * factor >= least]


def _shrink(prs: Presentation, *, slide: int, shape: int, factor: float) -> None:
    named = [item for item in shapes(slide_at(prs, slide)) if shape_id(item) == shape]
    lines: list[Any] = [
        line for item in named for body in texts_of(item) for line in paragraphs(body)
    ]
    resize_text(prs, slide, lines, factor=factor)


CAPTION_GAP: Final = 16.0
"""Ours, in px: a caption stands this near under its picture."""
CAPTION_LONGEST: Final = 140
"""Ours, in characters: longer text is a paragraph of its own."""
CAPTION_WIDER: Final = 1.3
"""Ours: a caption is at most this many times as wide as its picture, and centred as well."""
ORNAMENT_SHARE: Final = 0.003
"""Ours: a picture that takes less of the slide is an ornament or icon (a square of 39 px)."""
GROUND_SHARE: Final = 0.95
"""Ours: a picture that covers so much of a slide, with text in front of it, is its ground."""
_NEAR = 4.0

Repeated = Mapping[tuple[str, int, int], int]
"""On how many slides a picture stands at one place, by its content and place."""


def repeated_pictures(deck: DeckElements) -> Repeated:
    """On how many slides each picture stands at its place."""
    return Counter(
        key for slide in deck.slides for key in {_key(item) for item in slide.images} if key[0]
    )


def _key(item: Image) -> tuple[str, int, int]:
    return (item.sha256 or "", round(item.x / _NEAR), round(item.y / _NEAR))


def missing_alt_texts(slide: SlideElements, repeated: Repeated) -> Iterator[Fix]:
    """Objects without an alternative text get their caption or, a chart, its own title; ornaments
    are marked as such. Objects whose words are not on the slide are left to people."""
    for item in lacking_alt_text(slide):
        if words := _own_words(item, slide):
            says = f"{label(item)} is described as {quoted(words)}, as its caption says"
            way = partial(set_alt_text, slide=slide.number, shape=item.id, text=words)
        elif isinstance(item, Image) and (why := _ornament(item, slide, repeated)):
            says = f"{label(item)} is marked as decorative: {why}"
            way = partial(mark_decorative, slide=slide.number, shape=item.id)
        else:
            continue
        yield Fix(
            MISSING_ALT_TEXT.id, slide.number, says, frozenset({"alt text"}), (way,), shape=item.id
        )


def _own_words(item: Element, slide: SlideElements) -> str:
    if isinstance(item, Chart) and item.title and item.title.strip():
        return " ".join(item.title.split())
    caption = caption_of(item, slide)
    return "" if caption is None else " ".join(caption.text.split())


def caption_of(item: Element, slide: SlideElements) -> Text | None:
    """The short text right under an object, in the middle of it or within its width; None without
    one, or where another object is as near."""
    if (own := box_of(item)) is None:
        return None
    captions = [text for text in visible(slide.texts) if _is_caption(text, own)]
    if len(captions) != 1:
        return None
    caption = box_of(captions[0])
    others = [box for other in slide.images if other.id != item.id and (box := box_of(other))]
    shared = caption is not None and any(_is_caption(captions[0], box) for box in others)
    return None if shared else captions[0]


def _is_caption(text: Text, pictured: Box) -> bool:
    box, words = box_of(text), " ".join(text.text.split())
    if box is None or is_title(text) or role_of(text) == "small print" or text.rotation:
        return False
    if not 3 <= len(words) <= CAPTION_LONGEST or len(text.paragraphs) > 2:
        return False
    under = -CAPTION_GAP / 2 <= box.top - pictured.bottom <= CAPTION_GAP
    middle = abs((box.left + box.right) - (pictured.left + pictured.right)) / 2
    within = box.left >= pictured.left - _NEAR and box.right <= pictured.right + _NEAR
    centred = middle <= pictured.width / 10 and box.width <= CAPTION_WIDER * pictured.width
    return under and (within or centred)


def _ornament(item: Image, slide: SlideElements, repeated: Repeated) -> str:
    """Why a picture is no content; empty where it may be."""
    if (box := box_of(item)) is None:
        return ""
    share = box.area / (FRAME_WIDTH * FRAME_HEIGHT)
    if (count := repeated.get(_key(item), 0)) >= SAME_CAUSE_SLIDES:
        return f"it stands at this place on {count} slides"
    if share < ORNAMENT_SHARE:
        return "it is as small as an icon"
    front = any((text.z or 0) > (item.z or 0) and text.text.strip() for text in slide.texts)
    if share >= GROUND_SHARE and front:
        return "it is the ground on which the slide's text stands"
    return ""


ONLY_LANGUAGE: Final = {
    "Greek": "el-GR", "Hebrew": "he-IL", "Thai": "th-TH", "Korean": "ko-KR", "Japanese": "ja-JP",
}  # fmt: skip
"""Scripts in which hardly any deck has more than one language."""


def languages_by_use(texts: Iterable[Text]) -> list[str]:
    """The languages that texts are marked as, by the number of their letters."""
    letters: Counter[str] = Counter()
    for text in texts:
        for run, font, _kind in runs_of(text):
            if font.language:
                letters[font.language] += sum(map(str.isalpha, run.text))
    return [language for language, _count in letters.most_common()]


def wrong_languages(
    slide: SlideElements, languages: Sequence[str], used: Sequence[str]
) -> Iterator[Fix]:
    """Runs whose script is not that of their language get one of its script: the project's first,
    else the script's only one, else the one that most of the deck's text has."""
    for text in slide.texts:
        own = (run for run in runs_of(text) if run[1].language and run[2] == "run")
        for language, runs in by_key(own, lambda run: run[1].language or "").items():
            script = script_of("".join(at.text for at, _font, _kind in runs))
            if text.hidden or not script or may_be_written_in(language, script):
                continue
            only = ONLY_LANGUAGE.get(script)
            if wanted := _first(languages, script) or only or _first(used, script):
                places = tuple(at for at, _font, _kind in runs)
                says = f"text of {called(text)} in {script} script is marked as {wanted}"
                ways = (_marking(slide.number, text.id, places, wanted),)
                yield Fix(LANGUAGE.id, slide.number, says, _STYLE, ways, shape=text.id, removes=0.0)


def _marking(slide: int, shape: int, runs: tuple[RunPlace, ...], language: str) -> Way:
    return partial(set_run_language, slide=slide, shape=shape, runs=runs, language=language)


def _first(languages: Iterable[str], script: str) -> str | None:
    return next((language for language in languages if may_be_written_in(language, script)), None)


def unmarked_languages(deck: DeckElements, languages: Sequence[str]) -> Iterator[Fix]:
    """All text of a deck in which none says its language gets the project's first, or that of the
    deck's properties, where the script is not against it."""
    wanted = [*languages[:1], *filter(None, [deck.properties.get("language", "").strip()])]
    if not wanted:
        return
    ways: list[Way] = []
    slides: list[int] = []
    for slide in deck.slides:
        for text in slide.texts:
            runs = [run for run in runs_of(text) if run[2] == "run"]
            if any(font.language for _place, font, _kind in runs):
                return
            script = script_of(text.text)
            places = tuple(at for at, _font, _kind in runs)
            if places and (not script or may_be_written_in(wanted[0], script)):
                ways.append(_marking(slide.number, text.id, places, wanted[0]))
                slides.append(slide.number)
    if numbers := tuple(dict.fromkeys(slides)):
        says = f"all text is marked as {wanted[0]}"
        way, others = partial(do_all, ways=ways), numbers[1:]
        yield Fix(LANGUAGE.id, numbers[0], says, _STYLE, (way,), others=others, of_deck=True)


LONGEST_TITLE: Final = 80
"""Ours, in characters: a longer first line is cut off after a word."""
_LETTERS = 3
_ROW = 12.0
"""Ours, in px: texts whose tops are this near stand in one row."""


def title_words(deck: DeckElements) -> Counter[str]:
    """How often each title comes in a deck, in lower case."""
    titles = filter(None, map(title_of, deck.slides))
    return Counter(" ".join(title.text.split()).casefold() for title in titles)


def missing_title(slide: SlideElements, taken: Counter[str]) -> Iterator[Fix]:
    """The slide gets a title off the slide, with words of the slide: nothing that is seen changes.

    A slide without words, or with a title that is hidden on purpose, gets none. Words that
    another slide has as its title get a number. The title is marked as being in the language of
    the text that it is from.

    ``taken`` counts the titles of the deck in lower case; the title is added to it.
    """
    hidden = any(is_title(text) and text.text.strip() for text in slide.texts)
    if (source := None if title_of(slide) or hidden else title_source(slide)) is not None:
        line, language = first_line(source), next(iter(languages_by_use([source])), None)
        taken[line.casefold()] += 1
        count = taken[line.casefold()]
        line += f" – {count}" if count > 1 else ""
        empty = next(filter(is_title, slide.texts), None)
        kinds: frozenset[Kind] = frozenset({"added", "slide", "z-order"})
        if empty is not None:
            kinds = frozenset({"text", "geometry", "style"})
        says = f"a title off the slide, for screen readers: {quoted(line)}"
        way = partial(add_hidden_title, slide=slide.number, text=line, language=language)
        shape = None if empty is None else empty.id
        yield Fix(MISSING_SLIDE_TITLE.id, slide.number, says, kinds, (way,), shape=shape)


def title_source(slide: SlideElements) -> Text | None:
    """The text that stands for the title: the largest in the upper half, else the first as read;
    None if no text has words.

    Footers, numbers and texts off the slide do not count.
    """
    texts = [text for text in slide.texts if _is_worded(text)]
    upper = [text for text in texts if text.y < FRAME_HEIGHT / 2]
    largest = max((text.font.size for text in upper), default=0.0)
    heads = [text for text in upper if text.font.size >= largest] or texts
    return min(heads, key=lambda text: (text.y // _ROW, text.x), default=None)


def first_line(text: Text) -> str:
    """The first line of a text that has words, at most ``LONGEST_TITLE`` characters of it."""
    lines = [" ".join(line.split()) for line in text.text.splitlines()]
    return _cut(next(line for line in lines if _words(line)))


def _is_worded(text: Text) -> bool:
    if text.hidden or not text.placed or role_of(text) == "small print":
        return False
    inside = -text.w < text.x < FRAME_WIDTH and -text.h < text.y < FRAME_HEIGHT
    return inside and any(_words(line) for line in text.text.splitlines())


def _words(line: str) -> bool:
    return sum(map(str.isalpha, line)) >= _LETTERS


def _cut(line: str) -> str:
    if len(line) <= LONGEST_TITLE:
        return line
    return re.sub(r"\W*\s+\S*$", "", line[:LONGEST_TITLE]) + "…"


def repeated_titles(deck: DeckElements) -> Iterator[Fix]:
    """Numbers at the end of titles that come again on slides apart from each other:
    ``Exercise – 2/3`` is the second of three places in the deck that have the title. Slides that
    follow one another and share a title are one place, and share its number."""
    for groups in shared_titles(deck):
        ways: list[Way] = []
        numbers = []
        for number, run in enumerate(groups, 1):
            for slide, title in run:
                words = f" – {number}/{len(groups)}"
                ways.append(partial(append_to_text, slide=slide.number, shape=title.id, text=words))
                numbers.append(slide.number)
        name, total = quoted(groups[0][0][1].text), len(groups)
        says = f"the titles {name} are numbered, from 1/{total} to {total}/{total}"
        kinds: frozenset[Kind] = frozenset({"text", "slide"})
        ways_of_all, others = (partial(do_all, ways=ways),), tuple(numbers[1:])
        id = DUPLICATE_SLIDE_TITLE.id
        yield Fix(id, numbers[0], says, kinds, ways_of_all, others=others, of_deck=True)
