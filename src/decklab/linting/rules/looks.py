"""Too many typefaces in a deck; slides that show too much or too little; signs that no font has;
pictures that are stretched, coarse or there twice; charts whose labels cannot be read, and charts
with too much in them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp, log
from typing import Final

import numpy as np

from decklab.core.colors import contrast_ratio, parse_color
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import Occurrence, first_names, quoted
from decklab.deck.model.shapes import Chart, Element, Image, Media, Rect, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.deck.styles.themes import family_without_style, plain_family
from decklab.deck.views.drawn import Span
from decklab.linting.rules.legibility import role_of
from decklab.linting.rules.overlaps import OVERLAP_HEIGHT_SHARE, OVERLAP_WIDTH_EM
from decklab.linting.rules.page import (
    CARD_SHARE,
    CUT_OFF_PX,
    DrawnSlide,
    DrawnText,
    share_inside,
    visible,
)
from decklab.linting.rules.rule import Rule, called
from decklab.linting.rules.titles import is_title
from decklab.metrics.contrast import CONTRAST_NORMAL_TEXT
from decklab.seen.drawn import is_flat, pixels_of

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
    why="People read or listen, not both: a slide full of sentences takes them from the speaker.",
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
    why="A slide with nothing on it looks forgotten, and takes as long to pass as another.",
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
    finding = DENSITY_CROWDED.finding(
        f"The slide has {words} words, {most} of them in {called(longest.element)}.",
        view.slide.number,
        longest.element,
        box=longest.ink,
        measured=float(words),
        threshold=float(WORDS_A_SLIDE),
    )
    yield Occurrence(finding, "crowded")


def empty(view: DrawnSlide) -> Iterator[Occurrence]:
    """Slides that show only a title at their top, slides without words and pictures, and slides
    whose lower part is empty.

    Titles in the middle, as those of sections, and titles beside a picture are not judged.
    """
    if view.image is None:
        return
    shown = [(item, box) for item in _contents(view) if (box := _place(item, view)) is not None]
    bottom = max((box.bottom for _item, box in shown), default=0.0)
    free = Box(0.0, bottom + 4, FRAME_WIDTH, FRAME_HEIGHT)
    share = free.height / FRAME_HEIGHT
    if (said := _said([item for item, _box in shown], share, free, view)) is not None:
        message = said
        element = next((item for item, _box in shown), None)
        measured = round(share, 2)
        finding = DENSITY_EMPTY.finding(
            message, view.slide.number, element, box=free, measured=measured, threshold=EMPTY_SHARE
        )
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
    why="Boxes in place of signs look like a fault of the file, and what they stood for is lost.",
    drawn=True,
    scored=False,
)


def missing_glyphs(view: DrawnSlide) -> Iterator[Occurrence]:
    """Emoji that are drawn in the font of the letters, as a program does that finds no font with
    them, and signs that were lost when text was converted.
    """
    lettered = {span.font for span in view.spans if re.search("[0-9A-Za-z]", span.text)}
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
    why="Each further typeface makes a deck look put together from several others.",
    scored=False,
)

PICTURE_STRETCHED = Rule(
    "picture.stretched",
    "StretchedPicture",
    "A picture is stretched.",
    threshold=f"{STRETCHED:.0%} between its ratio of sides and that of its image, as cropped",
    fix="Reset the picture's size, and crop it to fit.",
    why="Faces, circles and logos that are stretched look wrong at once.",
    scored=False,
)

PICTURE_COARSE = Rule(
    "picture.coarse",
    "CoarsePicture",
    "A picture has too few pixels for its size.",
    threshold=f"under {COARSE * 2:g} pixels for each px of a slide 1920 px wide, on a picture"
    f" {COARSE_SIDE * 2:g} px wide or high",
    fix="Insert the image in its full size, or show it smaller.",
    why="On a large screen the picture is blurred, and its letters are not read.",
    scored=False,
)

PICTURE_TWICE = Rule(
    "picture.twice",
    "SamePictureTwice",
    "One picture stands on a slide twice.",
    threshold=f"the same image and crop in two places, each {TWICE_SHARE:.0%} of the slide",
    fix="Delete one of the two.",
    why="The second copy says nothing new; most are left there by accident.",
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
        if (ratios := _ratios(item, box, view)) is None:
            continue
        change = exp(abs(log(ratios[0] / ratios[1]))) - 1
        name = called(item, start=True)
        if change >= STRETCHED:
            way = "wide" if ratios[0] > ratios[1] else "high"
            says = f"{name} is {change:.0%} too {way} for its image."
            finding = PICTURE_STRETCHED.finding(
                says, view.slide.number, item, measured=round(change, 2), threshold=STRETCHED
            )
            yield Occurrence(finding, (item.sha256, item.name))
        if max(box.width, box.height) >= COARSE_SIDE and ratios[2] < COARSE:
            wide, high = item.pixels[:2]
            shown = f"{box.width:.0f} by {box.height:.0f} px"
            says = f"{name} shows an image of {wide} by {high} pixels on {shown}."
            finding = PICTURE_COARSE.finding(
                says, view.slide.number, item, measured=round(ratios[2], 2), threshold=COARSE
            )
            yield Occurrence(finding, (item.sha256, item.name))
    for (image, first), (other, second) in combinations(pictures, 2):
        same = image.sha256 is not None and (image.sha256, image.crop) == (other.sha256, other.crop)
        if same and not (first.intersection(second).area or _is_trim(first) or _is_trim(second)):
            message = f"{called(other, start=True)} and {called(image)} are the same picture."
            finding = PICTURE_TWICE.finding(message, view.slide.number, other)
            yield Occurrence(finding, image.sha256)


def _is_trim(box: Box) -> bool:
    """Whether a picture reaches the slide's edge, as bands and corners that adorn it do."""
    return share_inside(box.grown(EDGE_PX), FRAME) < 1


_SCALED: Final = ("image/x-emf", "image/x-wmf", "image/svg+xml")


def _ratios(item: Image, box: Box, view: DrawnSlide) -> tuple[float, float, float] | None:
    """Ratio of sides as shown and of the image as cropped, and image pixels for each px shown."""
    if len(item.pixels) != 2 or item.content_type in _SCALED:
        return None
    crop = item.crop
    wide = item.pixels[0] * (1 - crop.left - crop.right)
    high = item.pixels[1] * (1 - crop.top - crop.bottom)
    width, height = view.slide.size_pt
    shown = box.width * width / FRAME_WIDTH, box.height * height / FRAME_HEIGHT
    if min(wide, high, *shown) <= 0:
        return None
    return shown[0] / shown[1], wide / high, min(wide / box.width, high / box.height)


MOST_SLICES: Final = 7
MOST_SERIES: Final = 7
"""Ours: slices of a pie, and lines or colours of another chart, that an eye keeps apart; Cleveland
and McGill's and later work puts what is told by hue alone at five to eight."""

HALVES_APART: Final = 60.0
"""Ours: difference of a channel that makes two grounds of what is behind the ends of a label."""

CHART_LABELS = Rule(
    "chart.labels",
    "ChartLabelsCollide",
    "Labels of a chart are drawn over each other or over its marks.",
    threshold=f"{OVERLAP_HEIGHT_SHARE:.0%} of a label's height on another one, a label half on a"
    f" mark and half beside it under {CONTRAST_NORMAL_TEXT:g}:1, or one that the slide cuts off",
    fix="Label fewer points, move the labels, or make the chart larger.",
    why="Labels over each other, or over bars, are not read, and the number is lost.",
    drawn=True,
    scored=False,
)

CHART_CROWDED = Rule(
    "chart.crowded",
    "CrowdedChart",
    "A chart has more slices or series than an eye keeps apart.",
    threshold=f"more than {MOST_SLICES} slices of a pie, or {MOST_SERIES} series",
    fix="Sum up the small ones, or show fewer and name the rest.",
    why="So many colours cannot be told apart, nor found again in the legend.",
    scored=False,
)

CHART_LEGEND = Rule(
    "chart.legend",
    "LegendOfOneSeries",
    "A legend names the only series.",
    severity="info",
    threshold="a legend and one series, in a chart that is no pie",
    fix="Delete the legend; say in the title what is shown.",
    why="It takes room to say once more what the title can say.",
    scored=False,
)

_ROUND: Final = frozenset(("pie", "pie3D", "doughnut", "ofPie"))


def chart_contents(view: DrawnSlide) -> Iterator[Occurrence]:
    """Charts with many slices or series, and legends of one series."""
    slide = view.slide
    for chart in visible(slide.charts):
        pie = chart.type in _ROUND
        count = max((len(line.values) for line in chart.series), default=0) if pie else 0
        series = len({line.name or number for number, line in enumerate(chart.series)})
        many = (count, "slices", MOST_SLICES) if pie else (series, "series", MOST_SERIES)
        if many[0] > many[2]:
            says, most = f"{called(chart, start=True)} has {many[0]} {many[1]}.", float(many[2])
            finding = CHART_CROWDED.finding(
                says, slide.number, chart, measured=float(many[0]), threshold=most
            )
            yield Occurrence(finding, (chart.name, many[0]))
        if chart.legend and len(chart.series) == 1 and not pie:
            says = f"The legend of {called(chart)} names its only series."
            yield Occurrence(CHART_LEGEND.finding(says, slide.number, chart), chart.name)


def chart_labels(view: DrawnSlide) -> Iterator[Occurrence]:
    """Labels of charts that are drawn over each other, that are hard to read because the edge of a
    bar or area runs through them, or that the edge of the slide cuts; one finding for a chart.

    Turned labels are judged by their extent only where they leave the slide.
    """
    for drawn in view.contents:
        chart = drawn.element
        if not isinstance(chart, Chart) or chart.id in view.moving:
            continue
        fault = _collision(drawn, view) or _cut(drawn.spans) or _divided(drawn, view)
        if fault is not None:
            says, box = fault
            finding = CHART_LABELS.finding(
                f"{says} in {called(chart)}.", view.slide.number, chart, box=box
            )
            yield Occurrence(finding, (chart.name, says.split()[-1]))


_Fault = tuple[str, Box]


def _collision(drawn: DrawnText, view: DrawnSlide) -> _Fault | None:
    clashes = []
    spans = [span for span in drawn.level_spans if any(map(str.isalnum, span.text))]
    for first, second in combinations(spans, 2):
        part = first.box.intersection(second.box)
        low = min(first.box.height, second.box.height)
        em = min(first.size_pt, second.size_pt) * view.px_per_pt
        wide = part.width >= min(OVERLAP_WIDTH_EM * em, first.box.width / 2, second.box.width / 2)
        if part.area and wide and part.height >= OVERLAP_HEIGHT_SHARE * low:
            clashes.append((part.area, first, second))
    if not clashes:
        return None
    _area, first, second = max(clashes, key=lambda clash: clash[0])
    more = f" (and {len(clashes) - 1} more)" if len(clashes) > 1 else ""
    says = f"{quoted(first.text)} and {quoted(second.text)}{more} are drawn over each other"
    return says, first.box.union(second.box)


def _cut(spans: Sequence[Span]) -> _Fault | None:
    for span in spans:
        if share_inside(span.box, FRAME) and share_inside(span.box, FRAME.grown(CUT_OFF_PX)) < 1:
            return f"{quoted(span.text)} runs past the edge of the slide", span.box
    return None


def _divided(drawn: DrawnText, view: DrawnSlide) -> _Fault | None:
    """A label of which one end stands on a mark that hides it and the other beside the mark."""
    if view.image is None:
        return None
    for span in drawn.level_spans:
        if not span.color or not any(map(str.isalnum, span.text)):
            continue
        if any(_is_parted(view, span, *ends) for ends in _ends(span.box)):
            return f"{quoted(span.text)} stands half on a mark and half beside it", span.box
    return None


def _is_parted(view: DrawnSlide, span: Span, box: Box, other: Box) -> bool:
    """Whether two ends of a label have two grounds, one of which hides its ink."""
    first, second = _ground(view, box, span), _ground(view, other, span)
    if first is None or second is None:
        return False
    apart = max(abs(a - b) for a, b in zip(first, second, strict=True))
    weakest = min(contrast_ratio(ground, parse_color(span.color)) for ground in (first, second))
    return apart >= HALVES_APART and weakest < CONTRAST_NORMAL_TEXT


def _ends(box: Box) -> Iterator[tuple[Box, Box]]:
    """The left and right third of a box, and the upper and lower one."""
    left, top, right, bottom = box
    across, down = box.width / 3, box.height / 3
    yield Box(left, top, left + across, bottom), Box(right - across, top, right, bottom)
    yield Box(left, top, right, top + down), Box(left, bottom - down, right, bottom)


def _ground(view: DrawnSlide, box: Box, span: Span) -> tuple[int, int, int] | None:
    """The colour behind a piece of a label: of most of the pixels that are not its ink."""
    assert view.image is not None
    pixels = pixels_of(view.image, box).reshape(-1, 3).astype(np.float32)
    if len(pixels) < 12:
        return None
    ink = np.array(parse_color(span.color), np.float32)
    away = np.linalg.norm(pixels - ink, axis=1)
    red, green, blue = np.median(pixels[away >= np.percentile(away, 50)], axis=0)
    return int(red), int(green), int(blue)
