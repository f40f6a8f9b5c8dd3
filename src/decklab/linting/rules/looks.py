"""Too many typefaces in a deck; slides that show too much or too little; signs that no font has;
pictures that are stretched, coarse or there twice."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp, log
from typing import Final

from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import Occurrence, first_names, quoted
from decklab.deck.model.shapes import Element, Image, Media, Rect, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.styles.themes import family_without_style, plain_family
from decklab.linting.rules.legibility import role_of
from decklab.linting.rules.page import CARD_SHARE, DrawnSlide, share_inside, visible
from decklab.linting.rules.rule import Rule, called
from decklab.linting.rules.titles import is_title
from decklab.seen.drawn import is_flat

WORDS_A_SLIDE: Final = 110
WORDS_A_TEXT: Final = 80
LINES_A_TEXT: Final = 12
FULL_LINES: Final = 11
FULL_HEIGHT: Final = 0.75
"""Ours: from so many words on a slide, and words or lines in one text, people read instead of
listening; 110 words take most of a minute. A text of some lines fewer is a wall, too, if it takes
half of the slide's width and this share of its height."""

EMPTY_SHARE: Final = 0.6
"""Ours: share of the slide's height, from its lower edge, that nothing is drawn on."""

_CAUSE: Final = re.compile(r"\d+%")  # one cause, however much is empty

DENSITY_CROWDED = Rule(
    "density.crowded",
    "WallOfText",
    "A slide holds more words than anybody reads.",
    threshold=f"{WORDS_A_SLIDE} words on the slide, or {WORDS_A_TEXT} words on at least"
    f" {LINES_A_TEXT} lines in one text, or {FULL_LINES} over {FULL_HEIGHT:.0%} of its height",
    fix="Cut it to what is said aloud, split the slide, or move the rest to the notes.",
    drawn=True,
    scored=False,
)

DENSITY_EMPTY = Rule(
    "density.empty",
    "EmptySlide",
    "A slide shows next to nothing.",
    threshold=f"a title at the top and nothing else, no word and no picture, or"
    f" {EMPTY_SHARE:.0%} of the slide empty below all else",
    fix="Fill the slide, or delete it; give a few words the middle of the slide.",
    drawn=True,
    scored=False,
)


def crowded(view: DrawnSlide) -> Iterator[Occurrence]:
    """Slides with so many words that people read instead of listening; titles, small print, tables
    and charts are not counted.
    """
    counts = [
        (sum(len(word) > 1 for word in drawn.element.text.split()), drawn)
        for drawn in view.texts
        if isinstance(drawn.element, Text)
        and not is_title(drawn.element)
        and role_of(drawn.element) != "small print"
    ]
    words = sum(count for count, _drawn in counts)
    most, longest = max(counts, key=lambda item: item[0], default=(0, None))
    if longest is None:
        return
    lines = len(longest.lines)
    wall = most >= WORDS_A_TEXT and lines >= LINES_A_TEXT
    full = longest.ink.height >= FULL_HEIGHT * FRAME_HEIGHT and longest.ink.width >= FRAME_WIDTH / 2
    wall = wall or (lines >= FULL_LINES and full)
    if words < WORDS_A_SLIDE and not wall:
        return
    yield Occurrence(
        DENSITY_CROWDED.finding(
            f"The slide has {words} words, {most} of them in {called(longest.element)}.",
            view.slide.number,
            longest.element,
            box=longest.ink,
            measured=float(words),
            threshold=float(WORDS_A_SLIDE),
        ),
        "crowded",
    )


def empty(view: DrawnSlide) -> Iterator[Occurrence]:
    """Slides that show only a title at their top, neither words nor a picture, or nothing in their
    lower part.

    Titles in the middle, as those of sections, and titles beside a picture are not judged.
    """
    if view.image is None:
        return
    shown = [(item, box) for item in _contents(view) if (box := _place(item, view)) is not None]
    bottom = max((box.bottom for _item, box in shown), default=0.0)
    free = Box(0.0, bottom + 4, FRAME_WIDTH, FRAME_HEIGHT)
    share = free.height / FRAME_HEIGHT
    said = _said([item for item, _box in shown], share, free, view)
    if said is not None:
        message = said
        element = next((item for item, _box in shown), None)
        finding = DENSITY_EMPTY.finding(
            message, view.slide.number, element, box=free,
            measured=round(share, 2), threshold=EMPTY_SHARE,
        )  # fmt: skip
        yield Occurrence(finding, _CAUSE.sub("", message))


def _said(shown: Sequence[Element], share: float, free: Box, view: DrawnSlide) -> str | None:
    """The finding of a slide of which a share below all else is free."""
    if _is_wordless(shown, view):
        return "The slide shows neither words nor a picture."
    if share < EMPTY_SHARE or not _is_blank(free, view):
        return None
    if all(map(is_title, shown)):
        return "The slide shows nothing but its title."
    return f"The lower {share:.0%} of the slide is empty."


def _is_wordless(shown: Sequence[Element], view: DrawnSlide) -> bool:
    """Whether nothing is shown but painted areas, on the slide and behind it."""
    worded = (*view.texts, *view.contents, *view.template)
    pictured = any(sheet.images for sheet in view.behind)
    return not worded and not pictured and all(isinstance(item, Rect) for item in shown)


def _contents(view: DrawnSlide) -> Iterator[Element]:
    """Content of the slide itself: words, pictures, painted areas that are no ground."""
    for item in visible(view.slide.elements()):
        if isinstance(item, Text):
            if item.text.strip() and role_of(item) != "small print":
                yield item
        elif isinstance(item, Rect):
            box = box_of(item)
            painted = item.paint.kind != "none" or item.stroke is not None
            if painted and box and box.area < CARD_SHARE * FRAME_WIDTH * FRAME_HEIGHT:
                yield item
        elif not (isinstance(item, Media) and item.medium == "audio"):
            yield item


def _place(item: Element, view: DrawnSlide) -> Box | None:
    """Where an element is drawn, as far as that is on the slide."""
    drawn = view.drawn(item)
    box = drawn.ink if drawn is not None else box_of(item)
    part = None if box is None else box.intersection(FRAME)
    return part if part is not None and part.area else None


def _is_blank(free: Box, view: DrawnSlide) -> bool:
    """Whether nothing is drawn there but what layouts have at a slide's foot."""
    assert view.image is not None
    if any(free.top < span.box.top < free.bottom - 60 for span in view.spans):
        return False
    inner = Box(free.left + 40, free.top, free.right - 40, max(free.top, free.bottom - 60))
    return is_flat(view.image[::3, ::3], inner)  # every third pixel shows what there is


PICTOGRAPHS: Final = "\U0001f000"
"""Where emoji and other pictographs begin that fonts of text do not have."""

LOST: Final = "\ufffd"
"""The sign that programs write in place of one they could not read (Unicode 15, chapter 23.8)."""

TEXT_GLYPHS = Rule(
    "text.glyphs",
    "MissingGlyph",
    "Signs are missing, or drawn as empty boxes.",
    threshold="an emoji drawn in the font of the letters, which has none, or the replacement"
    " character U+FFFD",
    fix="Use a picture or icon in place of the sign, or embed a font that has it.",
    drawn=True,
    scored=False,
)


def missing_glyphs(view: DrawnSlide) -> Iterator[Occurrence]:
    """Emoji that are drawn in the font of the letters, as a program does that finds no font with
    them, and signs that were lost when text was converted.
    """
    lettered = {
        span.font for span in view.spans if any(c.isascii() and c.isalnum() for c in span.text)
    }
    lost = []
    for drawn in (*view.texts, *view.contents):
        signs = [
            sign
            for span in drawn.spans
            for sign in span.text
            if sign == LOST or (sign >= PICTOGRAPHS and span.font in lettered)
        ]
        if signs:
            lost.append((drawn, signs))
    if not lost:
        return
    drawn, signs = lost[0]
    count = sum(len(own) for _drawn, own in lost)
    more = f", and {count - 1} more on the slide" if count > 1 else ""
    says = "stands for a lost sign" if signs[0] == LOST else "is drawn as an empty box"
    finding = TEXT_GLYPHS.finding(
        f"{quoted(signs[0])} in {called(drawn.element)} {says}{more}.",
        view.slide.number,
        drawn.element,
        box=drawn.ink,
        measured=float(count),
        threshold=0.0,
    )
    yield Occurrence(finding, drawn.element.name)


MOST_TYPEFACES: Final = 3
LEAST_LETTERS: Final = 8
"""Ours: a slide gets along with so many typefaces; one that sets fewer letters is a sign or two."""

STRETCHED: Final = 0.12
"""Ours: change in a picture's ratio of sides from which on faces and circles look wrong."""

COARSE: Final = 0.45
COARSE_SIDE: Final = 240.0
"""Ours: pixels of an image for each px of the frame under which it looks blurred on a screen, and
the side from which on pictures are judged."""

TWICE_SHARE: Final = 0.02
"""Ours: share of the slide from which on a picture is no icon or bullet."""

EDGE_PX: Final = 2.0
"""Ours: a picture that near to the slide's edge reaches it."""

STYLE_TYPEFACES = Rule(
    "style.typefaces",
    "TooManyTypefaces",
    "A slide mixes many typefaces.",
    threshold=f"more than {MOST_TYPEFACES} that each set {LEAST_LETTERS} letters",
    fix="Use the theme's two fonts throughout.",
    scored=False,
)

PICTURE_STRETCHED = Rule(
    "picture.stretched",
    "StretchedPicture",
    "A picture is stretched.",
    threshold=f"{STRETCHED:.0%} between its ratio of sides and that of its image, as cropped",
    fix="Reset the picture's size, and crop it to fit.",
    scored=False,
)

PICTURE_COARSE = Rule(
    "picture.coarse",
    "CoarsePicture",
    "A picture has too few pixels for its size.",
    threshold=f"under {COARSE * 2:g} pixels for each px of a slide 1920 px wide, on a picture"
    f" {COARSE_SIDE * 2:g} px wide or high",
    fix="Insert the image in its full size, or show it smaller.",
    scored=False,
)

PICTURE_TWICE = Rule(
    "picture.twice",
    "SamePictureTwice",
    "One picture stands on a slide twice.",
    threshold=f"the same image and crop in two places, each {TWICE_SHARE:.0%} of the slide",
    fix="Delete one of the two.",
    scored=False,
)


def many_typefaces(slide: SlideElements) -> Iterator[Occurrence]:
    """More typefaces on a slide than the eye keeps apart; weights and widths of a family are one,
    and code counts as other text does.
    """
    counts: Counter[str] = Counter()
    first: dict[str, Text] = {}
    for text in visible(slide.texts):
        for run in (run for paragraph in text.paragraphs for run in paragraph.runs):
            family = family_without_style(plain_family(run.font.name))
            counts[family] += sum(map(str.isalnum, run.text))
            first.setdefault(family, text)
    names = [name for name, count in counts.most_common() if name and count >= LEAST_LETTERS]
    if len(names) > MOST_TYPEFACES:
        finding = STYLE_TYPEFACES.finding(
            f"The slide is set in {len(names)} typefaces: {first_names(names, 6)}.",
            slide.number,
            first[names[-1]],
            measured=float(len(names)),
            threshold=float(MOST_TYPEFACES),
        )
        yield Occurrence(finding, tuple(sorted(names)))


def odd_pictures(view: DrawnSlide) -> Iterator[Occurrence]:
    """Pictures that are stretched, shown much larger than their image, or there twice.

    Icons, drawings that scale, turned and animated pictures are not judged, and of the same
    picture twice only what stands apart.
    """
    pictures = [
        (item, box)
        for item in visible(view.slide.images)
        if (box := box_of(item)) is not None
        and box.intersection(FRAME).area >= TWICE_SHARE * FRAME_WIDTH * FRAME_HEIGHT
        and not item.rotation
        and item.id not in view.animated
    ]
    for item, box in pictures:
        ratios = _ratios(item, box, view)
        if ratios is None:
            continue
        change = exp(abs(log(ratios[0] / ratios[1]))) - 1
        name = called(item, start=True)
        if change >= STRETCHED:
            way = "wide" if ratios[0] > ratios[1] else "high"
            finding = PICTURE_STRETCHED.finding(
                f"{name} is {change:.0%} too {way} for its image.", view.slide.number, item,
                measured=round(change, 2), threshold=STRETCHED,
            )  # fmt: skip
            yield Occurrence(finding, (item.sha256, item.name))
        if max(box.width, box.height) >= COARSE_SIDE and ratios[2] < COARSE:
            wide, high = item.pixels[:2]
            finding = PICTURE_COARSE.finding(
                f"{name} shows an image of {wide} by {high} pixels on {box.width:.0f} by"
                f" {box.height:.0f} px.",
                view.slide.number, item, measured=round(ratios[2], 2), threshold=COARSE,
            )  # fmt: skip
            yield Occurrence(finding, (item.sha256, item.name))
    for (image, first), (other, second) in combinations(pictures, 2):
        same = image.sha256 is not None and (image.sha256, image.crop) == (other.sha256, other.crop)
        if (
            same
            and not first.intersection(second).area
            and not (_is_trim(first) or _is_trim(second))
        ):
            finding = PICTURE_TWICE.finding(
                f"{called(other, start=True)} and {called(image)} are the same picture.",
                view.slide.number,
                other,
            )
            yield Occurrence(finding, image.sha256)


def _is_trim(box: Box) -> bool:
    """Whether a picture reaches the slide's edge, as bands and corners that adorn it do."""
    return share_inside(box.grown(EDGE_PX), FRAME) < 1


def _ratios(item: Image, box: Box, view: DrawnSlide) -> tuple[float, float, float] | None:
    """Ratio of sides as shown and of the image as cropped, and image pixels for each px shown."""
    if len(item.pixels) != 2 or item.content_type in (
        "image/x-emf",
        "image/x-wmf",
        "image/svg+xml",
    ):
        return None
    crop = item.crop
    wide = item.pixels[0] * (1 - crop.left - crop.right)
    high = item.pixels[1] * (1 - crop.top - crop.bottom)
    width, height = view.slide.size_pt
    shown = box.width * width / FRAME_WIDTH, box.height * height / FRAME_HEIGHT
    if min(wide, high, *shown) <= 0:
        return None
    return shown[0] / shown[1], wide / high, min(wide / box.width, high / box.height)
