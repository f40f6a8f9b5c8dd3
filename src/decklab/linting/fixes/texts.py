"""Fixes of texts: titles from the slide's first line, numbers for titles that come again,
alternative texts from captions, marks of decorative pictures, and the proofing language."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.shapes import Chart, Element, Image, RunFont, Text, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.diffing.changes import Kind
from decklab.editing.mending import (
    RunPlace,
    add_hidden_title,
    append_to_text,
    mark_decorative,
    set_run_language,
)
from decklab.editing.texts import set_alt_text
from decklab.linting.fixes.fix import Fix, Way, do_all, runs_of
from decklab.linting.rules.accessibility import (
    LANGUAGE,
    MISSING_ALT_TEXT,
    lacking_alt_text,
    may_be_written_in,
    script_of,
)
from decklab.linting.rules.page import visible
from decklab.linting.rules.rule import called, label
from decklab.linting.rules.sizes import role_of
from decklab.linting.rules.titles import (
    DUPLICATE_SLIDE_TITLE,
    MISSING_SLIDE_TITLE,
    is_title,
    shared_titles,
    title_of,
)
from decklab.metrics.findings import SAME_CAUSE_SLIDES, quoted

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
    """For each object without a text: the caption under it, a chart's own title, or the mark of an
    ornament. What needs words that are not on the slide is left to people."""
    for item in lacking_alt_text(slide):
        words = _own_words(item, slide)
        if words:
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
    own = box_of(item)
    if own is None:
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
    box = box_of(item)
    if box is None:
        return ""
    share = box.area / (FRAME_WIDTH * FRAME_HEIGHT)
    count = repeated.get(_key(item), 0)
    if count >= SAME_CAUSE_SLIDES:
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
        marked: dict[str, list[tuple[RunPlace, RunFont, str]]] = {}
        for run in runs_of(text):
            if run[1].language and run[2] == "run":
                marked.setdefault(run[1].language, []).append(run)
        for language, runs in marked.items():
            script = script_of("".join(at.text for at, _font, _kind in runs))
            if text.hidden or not script or may_be_written_in(language, script):
                continue
            only = ONLY_LANGUAGE.get(script)
            wanted = _first(languages, script) or only or _first(used, script)
            if wanted:
                places = tuple(at for at, _font, _kind in runs)
                yield Fix(
                    LANGUAGE.id,
                    slide.number,
                    f"text of {called(text)} in {script} script is marked as {wanted}",
                    frozenset({"style"}),
                    (_marking(slide.number, text.id, places, wanted),),
                    shape=text.id,
                    removes=0.0,
                )


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
    numbers = tuple(dict.fromkeys(slides))
    if numbers:
        says = f"all text is marked as {wanted[0]}"
        yield Fix(
            LANGUAGE.id, numbers[0], says, frozenset({"style"}), (partial(do_all, ways=ways),),
            others=numbers[1:], of_deck=True,
        )  # fmt: skip


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
    """A title off the slide, with the words that stand for one: nothing that is seen changes.

    A slide without words, or with a title that is hidden on purpose, gets none. Words that
    another slide has as its title get a number. The title is marked as being in the language of
    the text that it is from.

    ``taken`` counts the titles of the deck in lower case; the title is added to it.
    """
    hidden = any(is_title(text) and text.text.strip() for text in slide.texts)
    source = None if title_of(slide) or hidden else title_source(slide)
    if source is not None:
        line, language = first_line(source), next(iter(languages_by_use([source])), None)
        taken[line.casefold()] += 1
        count = taken[line.casefold()]
        line += f" – {count}" if count > 1 else ""
        empty = next(filter(is_title, slide.texts), None)
        kinds: frozenset[Kind] = frozenset({"added", "slide", "z-order"})
        yield Fix(
            MISSING_SLIDE_TITLE.id,
            slide.number,
            f"a title off the slide, for screen readers: {quoted(line)}",
            kinds if empty is None else frozenset({"text", "geometry", "style"}),
            (partial(add_hidden_title, slide=slide.number, text=line, language=language),),
            shape=None if empty is None else empty.id,
        )


def title_source(slide: SlideElements) -> Text | None:
    """The text that stands for the title: the largest in the upper half, else the first as read;
    None where no text has words.

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
    """Numbers at the end of titles that come again on slides apart from each other, such as
    ``Exercise – 2/3``; slides that follow one another and share a title share its number."""
    for groups in shared_titles(deck):
        ways: list[Way] = []
        numbers = []
        for number, run in enumerate(groups, 1):
            for slide, title in run:
                words = f" – {number}/{len(groups)}"
                ways.append(partial(append_to_text, slide=slide.number, shape=title.id, text=words))
                numbers.append(slide.number)
        name = quoted(groups[0][0][1].text)
        yield Fix(
            DUPLICATE_SLIDE_TITLE.id,
            numbers[0],
            f"the titles {name} are numbered, from 1/{len(groups)} to {len(groups)}/{len(groups)}",
            frozenset({"text", "slide"}),
            (partial(do_all, ways=ways),),
            others=tuple(numbers[1:]),
            of_deck=True,
        )
