"""Pictures that a page may show: files that office programs and browsers draw alike."""

import base64
import re
import stat
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from decklab.core.errors import PlanError

FORMATS: Final = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "SVG")
"""Kinds of image files that a page shows; what not every office program draws becomes PNG."""

_DRAWING = re.compile(rb"\s*(?:<\?xml.*?\?>\s*)?(?:<!.*?>\s*)*<svg\b[^>]*>", re.DOTALL)
_SIDE = re.compile(rb"\b(width|height)\s*=\s*[\"']\s*([\d.]+)(?:px)?\s*[\"']")
_VIEW = re.compile(rb"viewBox\s*=\s*[\"'][-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)")
_UNSIZED: Final = (300, 150)
"""Pixels of a drawing that states no size, as browsers have them (CSS 2.2, 10.3.2)."""

_FIGURE: Final = (838.0, 310.0)
_FIGURE_BESIDE: Final = (394.0, 310.0)
"""Pixels in which a figure is drawn, with a source below it, alone and beside text: pages.css."""
_POINTS: Final = 0.75
"""Of a pixel of the frame."""


def picture_scale(size: tuple[float, float], *, beside: bool) -> float:
    """How many times its ``size`` (width and height in points) a figure is drawn, beside text or
    alone on its slide."""
    width, height = _FIGURE_BESIDE if beside else _FIGURE
    return min(width / size[0], height / size[1]) * _POINTS


def picture_size(path: str) -> tuple[int, int]:
    """Width and height in pixels of a picture; raises PlanError for a file that is none."""
    return _checked(path, _changed(path))[1]


def picture_address(path: str) -> str:
    """A picture as an address with its bytes in it; raises PlanError for a file that is none."""
    kind, _size = _checked(path, _changed(path))
    data = Path(path).read_bytes()
    if kind in ("TIFF", "WEBP"):
        kind, data = "PNG", _as_png(data)
    name = "svg+xml" if kind == "SVG" else kind.lower()
    return f"data:image/{name};base64,{base64.b64encode(data).decode()}"


def _as_png(data: bytes) -> bytes:
    from PIL import Image  # noqa: PLC0415 - slow to load

    out = BytesIO()
    with Image.open(BytesIO(data)) as image:
        plain = image.mode in ("1", "L", "LA", "P", "RGB", "RGBA")
        (image if plain else image.convert("RGB")).save(out, "PNG")
    return out.getvalue()


def _changed(path: str) -> int:
    """When a file was changed, in nanoseconds; PlanError for what is none: a pipe never ends."""
    try:
        facts = Path(path).stat()
    except OSError as error:
        raise PlanError(f"picture {path}: it cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(facts.st_mode):
        raise PlanError(f"picture {path}: it is no file")
    return facts.st_mtime_ns


@lru_cache(maxsize=256)
def _checked(path: str, _changed: int) -> tuple[str, tuple[int, int]]:
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - slow to load

    drawing = _drawing_size(path)
    if drawing is not None:
        return "SVG", drawing
    try:
        with Image.open(path) as image:
            image.verify()
            size, kind = image.size, image.format
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError, SyntaxError) as error:
        raise PlanError(f"picture {path}: it cannot be read: {error}") from error
    if kind not in FORMATS:
        raise PlanError(f"picture {path}: {kind} is none of {', '.join(FORMATS)}")
    return kind, size


def _drawing_size(path: str) -> tuple[int, int] | None:
    """Width and height in pixels of a drawing in SVG; None for another file."""
    with Path(path).open("rb") as file:
        head = _DRAWING.match(file.read(8192))
    if head is None:
        return None
    sides = {name: float(value) for name, value in _SIDE.findall(head[0])}
    view = _VIEW.search(head[0])
    wide, high = sides.get(b"width"), sides.get(b"height")
    if view is not None and not (wide and high):
        wide, high = float(view[1]), float(view[2])
    size = (round(wide or 0), round(high or 0))
    return size if min(size) > 0 else _UNSIZED
