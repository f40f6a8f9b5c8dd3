"""Text found in pictures of slides, by RapidOCR; its models come with its package."""

import importlib
import importlib.util
import logging
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.render.model import TextSpan

__all__ = ["can_read_pictures", "picture_spans"]

_PACKAGE = "rapidocr_onnxruntime"
INK_HEIGHT_EM = 0.94  # ours: ascender to descender of Liberation Sans, in ems
MIN_CONTRAST = 12.0  # ours: levels of 255 that ink must differ from its ground at the least


def can_read_pictures() -> bool:
    """Whether RapidOCR is installed (it has no release for Python 3.13 and later)."""
    return importlib.util.find_spec(_PACKAGE) is not None


def picture_spans(
    image: NDArray[np.uint8],
    height_pt: float = 540.0,
    *,
    recognize: bool = False,
    threads: int = 1,
) -> tuple[TextSpan, ...]:
    """Lines of text in a picture of a slide (height x width x 3), top to bottom.

    Boxes are shrunk from the detector's loose quads to the ink. Where only places are wanted, the
    texts are empty; ``recognize`` reads them, at more than twice the time. Font and colour are
    not known and empty. The size is the ink's height over 0.94 em on a slide ``height_pt``
    points high: right for lines with ascenders and descenders, 22 % too small for capitals.
    A picture of one colour holds no text.
    """
    if image.min() == image.max():
        return ()
    found, _ = _engine(threads)(
        np.ascontiguousarray(image[:, :, ::-1]), use_det=True, use_cls=False, use_rec=recognize
    )
    spans = []
    for line, item in enumerate(found or ()):
        quad, text = (item[0], item[1]) if recognize else (item, "")
        ink = _ink(image, _bounds(quad, image))
        scale = FRAME_WIDTH / image.shape[1], FRAME_HEIGHT / image.shape[0]
        box = ink.scaled(*scale)
        size = box.height * height_pt / FRAME_HEIGHT / INK_HEIGHT_EM
        spans.append(TextSpan(text.strip(), box, "", round(size, 2), "", line))
    return tuple(spans)


@lru_cache(maxsize=1)
def _engine(threads: int) -> Any:
    """One engine per process; three models, loaded when first used."""
    module = importlib.import_module(_PACKAGE)
    for name in ("rapidocr", "OrtInferSession"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return module.RapidOCR(
        **{f"{part}intra_op_num_threads": threads for part in ("", "det_", "cls_", "rec_")}
    )


def _bounds(quad: Any, image: NDArray[np.uint8]) -> Box:
    """Upright whole-pixel bounds of a quad, inside the image."""
    points = np.asarray(quad, float)
    height, width = image.shape[:2]
    left, top = np.floor(points.min(axis=0))
    right, bottom = np.ceil(points.max(axis=0))
    return Box(
        max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))
    )


def _ink(image: NDArray[np.uint8], box: Box) -> Box:
    """The part of ``box`` (pixels) whose colour stands off from that along the box's edges."""
    patch = image[box.top : box.bottom, box.left : box.right].astype(np.float32)
    if patch.shape[0] < 3 or patch.shape[1] < 3:
        return box
    edge = np.concatenate([patch[0], patch[-1], patch[:, 0], patch[:, -1]])
    distance = np.abs(patch - np.median(edge, axis=0)).max(axis=2)
    level, _ = cv2.threshold(distance.astype(np.uint8), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    rows, columns = np.nonzero(distance > max(MIN_CONTRAST, level / 2))
    if not rows.size:
        return box
    left, top = box.left + int(columns.min()), box.top + int(rows.min())
    return Box(left, top, box.left + int(columns.max()) + 1, box.top + int(rows.max()) + 1)
