"""Pictures in their place: photographs are cropped to it, figures are shown whole."""

import base64
import stat
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from decklab.board.boxes import PictureBox, Slot
from decklab.board.page import IDX_OBJECT, PageDraft
from decklab.core.errors import PlanError
from decklab.core.geometry import Box

FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF")
"""Kinds of image files that every office program draws."""


def placed_picture(page: PageDraft, room: Box) -> PictureBox:
    """The picture of a slide in a place; raises PlanError where the file is none that can be used.

    A photograph fills the place and loses what stands over; a figure stands whole in its middle.
    """
    picture = page.plan.picture
    assert picture is not None, "the plan was checked to have a picture"
    width, height, _kind = _facts(picture.path, _changed(picture.path))
    slot = Slot("picture", IDX_OBJECT)
    name = "Photograph" if picture.kind == "photograph" else "Figure"
    if picture.kind == "photograph":
        return PictureBox(name, room, picture, _crop(width / height, room), slot, room)
    scale = min(room.width / width, room.height / height)
    across, down = width * scale, height * scale
    left, top = room.left + (room.width - across) / 2, room.top + (room.height - down) / 2
    return PictureBox(
        name, Box(left, top, left + across, top + down), picture, slot=slot, room=room
    )


def _crop(ratio: float, room: Box) -> tuple[float, float, float, float]:
    """What a picture of this ratio of width to height loses to fill a place, the same both ends.

    >>> _crop(2.0, Box(0, 0, 100, 100))
    (0.25, 0.0, 0.25, 0.0)
    """
    wanted = room.width / room.height
    if ratio > wanted:
        side = (1 - wanted / ratio) / 2
        return side, 0.0, side, 0.0
    side = (1 - ratio / wanted) / 2
    return 0.0, side, 0.0, side


def picture_address(path: str) -> str:
    """A picture file as a ``data:`` address; one of TIFF, which no browser shows, is PNG there.

    Raises PlanError if the file is no picture that can be used.
    """
    *_size, kind = _facts(path, _changed(path))
    data = Path(path).read_bytes()
    if kind == "TIFF":
        kind, data = "PNG", _as_png(data)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(data).decode()}"


def _as_png(data: bytes) -> bytes:
    from PIL import Image  # noqa: PLC0415 - slow to load

    out = BytesIO()
    with Image.open(BytesIO(data)) as image:
        image.convert("RGBA").save(out, "PNG")
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
def _facts(path: str, _changed: int) -> tuple[int, int, str]:
    """Width, height and format of a picture file."""
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - slow to load

    try:
        with Image.open(path) as image:
            image.verify()
            facts = (*image.size, image.format or "")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError, SyntaxError) as error:
        raise PlanError(f"picture {path}: it cannot be read: {error}") from error
    if facts[-1] not in FORMATS:
        raise PlanError(f"picture {path}: {facts[-1]} is none of {', '.join(FORMATS)}")
    return facts
