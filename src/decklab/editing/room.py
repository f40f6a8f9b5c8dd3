"""The free room of a slide."""

from pptx.presentation import Presentation

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.editing.finding import EditError, shapes, slide_at
from decklab.editing.frames import PxBox, frame_of, px_sizes
from decklab.editing.selecting import shape_id

_STEP = 20
_MARGIN = 40
_GAP = 10
_LEAST = (120, 40)
"""Pixels of the frame: step of the search, margin of the slide, gap to other shapes, least room.
Ours."""


def free_box(prs: Presentation, slide: int) -> PxBox:
    """The largest room of a slide without any shape, in pixels of the 960x540 frame.

    Raises EditError where there is no room for anything.
    """
    columns = range(_MARGIN, int(FRAME_WIDTH) - _MARGIN, _STEP)
    rows = range(_MARGIN, int(FRAME_HEIGHT) - _MARGIN, _STEP)
    taken = _taken(prs, slide)
    free = [
        [not any(x < right and x + _STEP > left and y < bottom and y + _STEP > top
                 for left, top, right, bottom in taken) for x in columns]
        for y in rows
    ]  # fmt: skip
    heights, best = [0] * len(columns), (0, 0, 0, 0, 0)
    for row, cells in enumerate(free):
        heights = [height + 1 if cell else 0 for height, cell in zip(heights, cells, strict=True)]
        for start in range(len(columns)):
            low = heights[start]
            for end in range(start, len(columns)):
                low = min(low, heights[end])
                if not low:
                    break
                best = max(best, (low * (end - start + 1), -row, start, end, low))
    _area, row, start, end, tall = best
    width, height = (end - start + 1) * _STEP, tall * _STEP
    if not tall or width < _LEAST[0] or height < _LEAST[1]:
        raise EditError(
            f"slide {slide} has no free room; say where: … at 60, 420, 400 by 60 "
            "(left, top, width, height on a slide of 960 by 540)"
        )
    return (columns[start], rows[-row] - height + _STEP, width, height)


def _taken(prs: Presentation, slide: int) -> list[tuple[float, float, float, float]]:
    across, down = px_sizes(prs)
    boxes = []
    for shape in shapes(slide_at(prs, slide)):
        left, top, width, height = frame_of(prs, slide, shape_id(shape))
        boxes.append((left / across - _GAP, top / down - _GAP,
                      (left + width) / across + _GAP, (top + height) / down + _GAP))  # fmt: skip
    return boxes
