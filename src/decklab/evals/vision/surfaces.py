"""Areas of one colour, rules, strokes and pictures in the picture of a slide, and the boxes that
strokes enclose.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.geometry import Box
from decklab.evals.vision.text import Color, Picture

Mask = NDArray[np.uint8]
Contour = cv2.typing.MatLike

# All ours. Lengths are in pixels of a picture brought to 960 x 540.
_LEVELS = 3  # bits of a channel that are dropped to tell colours apart
_BORDER = 0.04  # share of each side that is looked at for the background, twice as heavily
_SAME = 8  # levels within which a pixel has the colour of an area
_LEAST_SIDE = 12
_LEAST_SHARE = 0.0006  # of the slide, for a colour to be looked for
_MOST_COLORS = 24
_FILLED = 0.62  # of its upright box that an area fills at least: an ellipse fills 0.79
_LEAST_OWN = 0.35  # of its box that has the area's very colour: the rest may be text on it
_THIN = 6.0
_LONG = 45.0
_UNDERLINE = 5  # px below the ink within which a rule is the text's own underline
_WHOLE = 0.96  # of the slide, from which an area is the slide's ground
_LEAST_PICTURE = 26
_GROUND_LEVELS = 20  # levels from the background up to which a pixel belongs to it
_STRAND = 7  # px up to which what holds pieces together is a rule, not a part of a picture
_PANEL = 0.04  # of the slide, from which pictures are looked for on an area
_ROUGH = 6  # levels of the Laplacian from which a pixel is unlike its neighbours,
_TEXTURED = 0.15  # and share of such pixels in a picture
_LARGE = 0.5  # that covers so much of the slide; else it is a gradient
_GLUE = 5  # px across which pieces of one picture are joined
_SOFT = 4  # px by which what is drawn once may come out twice, or stand off its outline
_SIDES = 24  # levels that both sides of a rule may differ by
_NEAR = 5  # px of the square in which
_STEP = 8  # levels make a step,
_EDGED = 0.4  # over so much of the way round an area at the least
_RING = 8  # px from an area up to which its surroundings are looked at
_FRAMED = 0.9  # of its upright box that a frame without a fill goes around


@dataclass(frozen=True)
class Surface:
    """An area, a rule or a picture."""

    box: Box
    color: Color | None = None
    ends: tuple[float, float, float, float] | None = None
    """Of a rule: x1, y1, x2, y2."""
    width: float = 0.0
    """Width of a rule or of an unfilled frame, px."""
    rounded: float = 0.0
    """Corner radius of an area, px."""


@dataclass(frozen=True)
class Surfaces:
    """Contents of a slide's picture besides text."""

    areas: tuple[Surface, ...]
    rules: tuple[Surface, ...]
    pictures: tuple[Surface, ...]


def background_of(image: Picture) -> Color:
    """The most frequent colour of the picture; its border counts twice."""
    height, width = image.shape[:2]
    y, x = max(1, round(_BORDER * height)), max(1, round(_BORDER * width))
    border = [image[:y], image[-y:], image[:, :x], image[:, -x:]]
    pixels = np.concatenate([part.reshape(-1, 3) for part in (image, *border)])
    return _colors(pixels, 1)[0][0]


def find_surfaces(
    image: Picture, background: Color, texts: Sequence[Box], strokes: Sequence[Surface] = ()
) -> Surfaces:
    """Areas, rules and pictures of ``image`` (540 x 960 x 3, RGB).

    ``texts`` are the boxes of texts, ``strokes`` the horizontal and vertical rules. Strokes that
    belong to a picture, a text or an area are left out.
    """
    pictures = _pictures(image, background, texts)
    areas: list[Surface] = []
    rules: list[Surface] = []
    steps = _steps(image)
    least = _LEAST_SHARE * image.shape[0] * image.shape[1]
    for color, count in _colors(image.reshape(-1, 3), _MOST_COLORS):
        if count < least:
            break
        if max(abs(a - b) for a, b in zip(color, background, strict=True)) <= _SAME:
            continue
        mask = _within(image, color, _SAME)
        areas += _areas(image, steps, mask, color)
        rules += _slanted(mask, color)
    whole = image.shape[0] * image.shape[1] * _WHOLE
    areas = [item for item in areas if item.box.area < whole and not _inside_any(item.box, texts)]
    areas = without_repeats(_visible(areas, pictures))
    pictures += _visible(_inlaid(image, areas, texts), pictures)
    areas = _visible(areas, pictures)
    hidden = [*(item.box for item in pictures), *texts]
    under = [Box(box.left, box.top, box.right, box.bottom + _UNDERLINE) for box in texts]
    rules = [*strokes, *without_repeats([item for item in rules if is_free(image, item)])]
    rules = [item for item in rules if not _inside_any(item.box, [*hidden, *under])]
    rules = [item for item in rules if not any(is_edge(item.box, area.box) for area in areas)]
    return Surfaces(tuple(areas), tuple(rules), tuple(pictures))


def _visible(items: Sequence[Surface], pictures: Sequence[Surface]) -> list[Surface]:
    """Surfaces that are not in pictures."""
    boxes = [item.box for item in pictures]
    return [item for item in items if not _inside_any(item.box, boxes)]


def _inlaid(image: Picture, areas: Sequence[Surface], texts: Sequence[Box]) -> list[Surface]:
    """Pictures that lie on large areas, not on the background."""
    inlaid = []
    for area in areas:
        small = area.box.area < _PANEL * image.shape[0] * image.shape[1]
        if area.color is None or area.width or small:
            continue
        left, top, right, bottom = map(int, area.box)
        moved = [Box(b.left - left, b.top - top, b.right - left, b.bottom - top) for b in texts]
        inside = [box for box in moved if min(box.right, box.bottom) > 0]
        for item in _pictures(image[top:bottom, left:right], area.color, inside):
            x, y, w, h = item.box
            inlaid.append(Surface(Box(x + left, y + top, w + left, h + top)))
    return inlaid


def without_repeats(items: Sequence[Surface]) -> list[Surface]:
    """Surfaces without near copies: a soft edge is found a second time as a surface."""
    unique: list[Surface] = []
    for item in sorted(items, key=lambda surface: -surface.box.area):
        if not any(_repeats(item, other) for other in unique):
            unique.append(item)
    return unique


def _repeats(item: Surface, other: Surface) -> bool:
    """Whether an area has the edges of a larger one, or a rule lies on a longer one."""
    a, b = item.box, other.box
    if item.ends is None:
        return all(abs(edge - other_edge) <= _SOFT for edge, other_edge in zip(a, b, strict=True))
    inside = b.left - _SOFT <= a.left and a.right <= b.right + _SOFT
    return inside and b.top - _SOFT <= a.top and a.bottom <= b.bottom + _SOFT


def is_edge(rule: Box, area: Box) -> bool:
    """Whether a rule runs along an edge of an area."""
    near = area.left - _SOFT <= rule.left and rule.right <= area.right + _SOFT
    near = near and area.top - _SOFT <= rule.top and rule.bottom <= area.bottom + _SOFT
    across = [(rule.left, rule.right, edge) for edge in (area.left, area.right)]
    down = [(rule.top, rule.bottom, edge) for edge in (area.top, area.bottom)]
    sides = (max(abs(start - edge), abs(end - edge)) for start, end, edge in (*across, *down))
    return near and min(sides) <= _THIN


def _colors(pixels: NDArray[np.uint8], most: int) -> list[tuple[Color, int]]:
    """The most frequent colours, and how many pixels are near each."""
    cells = (pixels >> _LEVELS).astype(np.int64)
    keys = cells[:, 0] << 10 | cells[:, 1] << 5 | cells[:, 2]
    counts = np.bincount(keys)
    colors: list[tuple[Color, int]] = []
    for key in np.argsort(counts)[::-1][:most]:
        if not counts[key]:
            break
        red, green, blue = np.median(pixels[keys == key], axis=0)
        colors.append(((int(red), int(green), int(blue)), int(counts[key])))
    return colors


def _within(image: Picture, color: Color, levels: int) -> Mask:
    low = np.clip(np.array(color) - levels, 0, 255)
    high = np.clip(np.array(color) + levels, 0, 255)
    return np.asarray(cv2.inRange(image, low, high), np.uint8)


def _areas(image: Picture, steps: Mask, mask: Mask, color: Color) -> list[Surface]:
    """Connected pieces of one colour that have the shape of an area, or of the frame of one."""
    # Thin connections of an area to others are cut; frames are thin and must stay.
    cut = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((_STRAND, _STRAND), np.uint8))
    areas = []
    for source, least in ((np.asarray(cut, np.uint8), _FRAMED), (mask, _FILLED)):
        contours, _ = cv2.findContours(source, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            x, y, w, h = cv2.boundingRect(contour)
            if min(w, h) < _LEAST_SIDE:
                continue
            own = np.count_nonzero(source[y : y + h, x : x + w]) / (w * h)
            filled = cv2.contourArea(contour) / ((w - 1) * (h - 1))
            if filled < (least if own >= _LEAST_OWN else _FRAMED):
                continue
            if not _stands_out(image, steps, contour, color):
                continue
            width = 0.0 if own >= _LEAST_OWN else own * w * h / (2 * (w + h))
            box = Box(x, y, x + w, y + h)
            areas.append(Surface(box, color, rounded=_corner(filled, w, h), width=width))
    return areas


def _steps(image: Picture) -> Mask:
    """The largest difference, in levels of one channel, between the pixels near each pixel."""
    steps = cv2.morphologyEx(image, cv2.MORPH_GRADIENT, np.ones((_NEAR, _NEAR), np.uint8))
    return np.asarray(np.asarray(steps).max(axis=2), np.uint8)


def _stands_out(image: Picture, steps: Mask, contour: Contour, color: Color) -> bool:
    """Whether the colour changes sharply along most of an area's contour; no gradient does."""
    x, y = contour[:, 0, 0], contour[:, 0, 1]
    inner = (x > 0) & (y > 0) & (x < steps.shape[1] - 1) & (y < steps.shape[0] - 1)
    if not inner.any():
        return True
    apart = np.abs(_around(image, contour) - np.array(color)).max(axis=1) > _STEP
    edge = steps[y[inner], x[inner]] >= _STEP
    return bool(edge.mean() >= _EDGED and apart.mean() >= _EDGED)


def _around(image: Picture, contour: Contour) -> NDArray[np.int64]:
    """The pixels of a ring near a contour, shape (n, 3); n is 0 if the ring has none."""
    x, y, w, h = cv2.boundingRect(contour)
    left, top = max(0, x - _RING), max(0, y - _RING)
    patch = image[top : y + h + _RING, left : x + w + _RING].astype(np.int64)
    inside = np.zeros(patch.shape[:2], np.uint8)
    cv2.drawContours(inside, [contour - np.array([left, top])], -1, 1, cv2.FILLED)
    near, far = (cv2.dilate(inside, np.ones((2 * n + 1,) * 2, np.uint8)) for n in (_SOFT, _RING))
    return np.asarray(patch[(far > 0) & (near == 0)])


def _slanted(mask: Mask, color: Color) -> list[Surface]:
    """Connected pieces of one colour that are slanted rules."""
    rules = []
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if max(w, h) < _LONG / 2 or min(w, h) <= _THIN:
            continue
        _center, sides, _angle = turned = cv2.minAreaRect(contour)
        if min(sides) < _THIN and max(sides) >= _LONG:
            rules.append(_rule(turned, Box(x, y, x + w, y + h), color))
    return rules


def is_slanted(rule: Surface) -> bool:
    """Whether a rule is neither horizontal nor vertical."""
    if rule.ends is None:
        return False
    x1, y1, x2, y2 = rule.ends
    return min(abs(x2 - x1), abs(y2 - y1)) > _SOFT


def is_free(image: Picture, rule: Surface) -> bool:
    """Whether a rule has the same colour on both sides; a soft edge has not."""
    if rule.ends is None:
        return False
    x1, y1, x2, y2 = rule.ends
    long = max(np.hypot(x2 - x1, y2 - y1), 1.0)
    away = (rule.width / 2 + _SOFT) / long
    along = np.linspace(0.15, 0.85, 9)
    sides = []
    for way in (away, -away):
        x = x1 + along * (x2 - x1) - way * (y2 - y1)
        y = y1 + along * (y2 - y1) + way * (x2 - x1)
        columns = np.clip(np.round(x), 0, image.shape[1] - 1).astype(int)
        rows = np.clip(np.round(y), 0, image.shape[0] - 1).astype(int)
        sides.append(np.median(image[rows, columns].astype(int), axis=0))
    own = np.array(rule.color or (0, 0, 0))
    alike = np.abs(sides[0] - sides[1]).max() <= _SIDES
    return bool(alike and np.abs(sides[0] - own).max() > _GROUND_LEVELS)


def _corner(filled: float, w: int, h: int) -> float:
    """Radius of corners that leave this much of a box unfilled; 0 below three pixels."""
    radius = (max(0.0, 1 - filled) * w * h / (4 - np.pi)) ** 0.5
    return float(min(radius, min(w, h) / 2)) if radius >= 3 else 0.0


def _rule(
    turned: tuple[Sequence[float], Sequence[float], float], box: Box, color: Color
) -> Surface:
    """A line between the middles of the short sides of a turned rectangle."""
    corners = cv2.boxPoints(turned)
    sides = [float(np.hypot(*(corners[i] - corners[(i + 1) % 4]))) for i in range(4)]
    short = 0 if sides[0] <= sides[1] else 1
    start = (corners[short] + corners[short + 1]) / 2
    end = (corners[short + 2] + corners[(short + 3) % 4]) / 2
    (x1, y1), (x2, y2) = sorted(([float(v) for v in start], [float(v) for v in end]))
    return Surface(box, color, (x1, y1, x2, y2), width=min(sides) + 1)


def _pictures(image: Picture, background: Color, texts: Sequence[Box]) -> list[Surface]:
    """Regions of many colours that are not text."""
    mask = np.asarray(255 - _within(image, background, _GROUND_LEVELS), np.uint8)
    for box in texts:
        left, top = max(0, int(box.left) - 2), max(0, int(box.top) - 2)
        mask[top : int(box.bottom) + 3, left : int(box.right) + 3] = 0
    kernel = np.ones((_GLUE, _GLUE), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), np.uint8)
    kernel = np.ones((_STRAND, _STRAND), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    pictures = []
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        box = Box(x, y, x + w, y + h)
        large = box.area >= _LARGE * image.shape[0] * image.shape[1]
        here = image[y : y + h, x : x + w]
        if min(w, h) < _LEAST_PICTURE or (large and not _is_textured(here)):
            continue
        if _is_picture(image, mask, box):
            pictures.append(Surface(box))
    pictures.sort(key=lambda item: -item.box.area)
    boxes = [item.box for item in pictures]
    return [it for n, it in enumerate(pictures) if not _inside_any(it.box, boxes[:n])]


def _is_picture(image: Picture, mask: Mask, box: Box) -> bool:
    """Whether a region has more colours than areas and letters do."""
    left, top, right, bottom = map(int, box)
    inside = mask[top:bottom, left:right] > 0
    pixels = image[top:bottom, left:right][inside]
    if inside.mean() < 0.15 or not len(pixels):
        return False
    return sum(count for _color, count in _colors(pixels, 3)) / len(pixels) < 0.85


def _is_textured(image: Picture) -> bool:
    """Whether many pixels differ from their neighbours; in a gradient few do."""
    apart = np.abs(cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.CV_16S))
    return bool((apart > _ROUGH).mean() >= _TEXTURED)


def _inside_any(box: Box, others: Sequence[Box]) -> bool:
    area = max(box.area, 1.0)
    return any(box.intersection(other).area / area > 0.8 for other in others)


# All ours, in px of a picture brought to 960 x 540.
_THICK = 7  # from which a stroke is an area
_STROKE_LEVELS = 18  # by which a stroke differs from both its sides
_LONG_STROKE = 40
_SURE = 24  # px in a row that a stroke has at least somewhere
_GAP = 5  # that text or another stroke may leave in one
_EVEN = 0.7  # of its box that a stroke fills
_MEET = 7.0  # across which strokes still meet
_HIDDEN = 24.0  # of a stroke that may be hidden by what lies on it
_ROOM = 12.0  # between level strokes that enclose a box


def find_strokes(image: Picture, background: Color) -> list[Surface]:
    """The horizontal and the vertical strokes of ``image`` (540 x 960 x 3, RGB).

    A stroke is thin, and its colour differs from the colours on both sides. The edge of an area is
    no stroke; neither is a gap between areas that shows the background.
    """
    swapped = np.ascontiguousarray(image.transpose(1, 0, 2))
    strokes = [_stroke(image, box) for box in _joined(_runs(image))]
    for box in _joined(_runs(swapped)):
        strokes.append(_stroke(image, Box(box.top, box.left, box.bottom, box.right)))
    return [
        rule for rule in strokes if rule.color and _delta(rule.color, background) > _STROKE_LEVELS
    ]


def is_level(stroke: Surface) -> bool:
    """Whether a stroke is wider than high."""
    return stroke.box.width > stroke.box.height


def find_frames(strokes: Sequence[Surface]) -> list[Surface]:
    """The smallest boxes that horizontal and vertical strokes enclose, with the stroke width."""
    level = sorted((rule for rule in strokes if is_level(rule)), key=lambda rule: rule.box.top)
    upright = [rule for rule in strokes if not is_level(rule)]
    upright.sort(key=lambda rule: rule.box.left)
    frames = []
    for top in level:
        hanging = [rule for rule in upright if _starts_at(rule.box, top.box)]
        for left, right in pairwise(hanging):
            if right.box.left - left.box.right <= _HIDDEN:
                continue
            bottom = next((rule for rule in level if _closes(rule.box, top, left, right)), None)
            if bottom is not None:
                box = Box(left.box.left, top.box.top, right.box.right, bottom.box.bottom)
                frames.append(Surface(box, top.color, width=top.width))
    return frames


def _runs(image: Picture) -> list[Box]:
    """Boxes of horizontal pixel runs that are darker, or lighter, than those above and below."""
    boxes = []
    kernel = np.ones((2 * _THICK + 1, 1), np.uint8)
    for way in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        apart = np.asarray(cv2.morphologyEx(image, way, kernel)).max(axis=2)
        thin = (apart >= _STROKE_LEVELS).astype(np.uint8)
        sure = cv2.morphologyEx(thin, cv2.MORPH_OPEN, np.ones((1, _SURE), np.uint8))
        whole = cv2.morphologyEx(sure, cv2.MORPH_CLOSE, np.ones((1, _GAP), np.uint8))
        contours, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for x, y, w, h in map(cv2.boundingRect, contours):
            even = np.count_nonzero(whole[y : y + h, x : x + w]) >= _EVEN * w * h
            if w >= _LONG_STROKE and h <= _THICK and even:
                boxes.append(Box(x, y, x + w, y + h))
    return boxes


def _joined(runs: Sequence[Box]) -> list[Box]:
    """Horizontal runs; runs on one line are joined."""
    joined: list[Box] = []
    for run in sorted(runs, key=lambda box: box.left):
        for index, other in enumerate(joined):
            on = abs(run.top - other.top) <= 1 and abs(run.bottom - other.bottom) <= 1
            if on and run.left - other.right <= _HIDDEN:
                joined[index] = other.union(run)
                break
        else:
            joined.append(run)
    return joined


def _delta(first: Color, second: Color) -> int:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def _stroke(image: Picture, box: Box) -> Surface:
    """A rule along the middle of a box, in the colour that differs most from its surroundings."""
    left, top, right, bottom = map(int, box)
    level = box.width > box.height
    patch = image[top:bottom, left:right].astype(int)
    patch = patch if level else patch.transpose(1, 0, 2)
    rows = np.median(patch, axis=1)
    apart = np.abs(rows - _around_stroke(image, box)).max(axis=1)
    red, green, blue = (int(value) for value in rows[int(np.argmax(apart))])
    color: Color = (red, green, blue)
    width = float(apart.sum() / max(apart.max(), 1.0))  # soft edges count for their share
    x, y = box.middle
    ends = (box.left, y, box.right, y) if level else (x, box.top, x, box.bottom)
    return Surface(box, color, ends, width=width)


def _around_stroke(image: Picture, box: Box) -> NDArray[np.float64]:
    """The colour on one side of a stroke."""
    left, top, right, bottom = map(int, box)
    if box.width > box.height:
        side = image[max(0, top - 3) : max(1, top - 2), left:right]
    else:
        side = image[top:bottom, max(0, left - 3) : max(1, left - 2)]
    return np.asarray(np.median(side.reshape(-1, 3), axis=0))


def _starts_at(upright: Box, top: Box) -> bool:
    """Whether a vertical stroke goes down from a horizontal one."""
    within = top.left - _HIDDEN <= upright.left and upright.right <= top.right + _HIDDEN
    return within and upright.top <= top.bottom + _MEET and upright.bottom >= top.bottom + _ROOM


def _closes(bottom: Box, top: Surface, left: Surface, right: Surface) -> bool:
    """Whether a horizontal stroke joins two vertical ones that go down from ``top``."""
    below = bottom.top >= top.box.bottom + _ROOM
    reached = min(left.box.bottom, right.box.bottom) >= bottom.top - _MEET
    wide = bottom.left <= left.box.right + _HIDDEN and bottom.right >= right.box.left - _HIDDEN
    return below and reached and wide
