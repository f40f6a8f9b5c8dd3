"""Too many typefaces in a deck, signs that no font has, and pictures that are stretched, coarse or
there twice."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import exp, log
from typing import Final

from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.shapes import Image, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.styles.themes import family_without_style, plain_family
from decklab.linting.rules.page import DrawnSlide, share_inside, visible
from decklab.linting.rules.rule import Rule, called
from decklab.metrics.findings import Occurrence, first_names, quoted

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
