"""Text found in pictures of slides, by RapidOCR; its models come with its package."""

import importlib
import importlib.util
import logging
import os
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.rendering.ink import tight_box
from decklab.rendering.model import TextSpan

__all__ = ["can_read_pictures", "picture_spans"]

_PACKAGE = "rapidocr_onnxruntime"
INK_HEIGHT_EM = 0.94  # ours: ascender to descender of Liberation Sans, in ems


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
        ink = tight_box(image, _bounds(quad))
        scale = FRAME_WIDTH / image.shape[1], FRAME_HEIGHT / image.shape[0]
        box = ink.scaled(*scale)
        size = box.height * height_pt / FRAME_HEIGHT / INK_HEIGHT_EM
        spans.append(TextSpan(text.strip(), box, "", round(size, 2), "", line))
    return tuple(spans)


@lru_cache(maxsize=1)
def _engine(threads: int) -> Any:
    """One engine per process; three models, loaded when first used."""
    # ONNX Runtime reports its use to its makers over the network unless told not to.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    module = importlib.import_module(_PACKAGE)
    for name in ("rapidocr", "OrtInferSession"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return module.RapidOCR(
        **{f"{part}intra_op_num_threads": threads for part in ("", "det_", "cls_", "rec_")}
    )


def _bounds(quad: Any) -> Box:
    """Upright bounds of a quad."""
    points = np.asarray(quad, float)
    left, top = (float(edge) for edge in points.min(axis=0))
    right, bottom = (float(edge) for edge in points.max(axis=0))
    return Box(left, top, right, bottom)
