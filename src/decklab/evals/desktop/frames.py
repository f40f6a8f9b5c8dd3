"""The picture of a screen that Xvfb keeps in a file.

The file is an X window dump (X11 ``XWDFile.h``, version 7): a header of 32-bit numbers, the colour
table, then the pixels, here 32 bits each: blue, green, red and one unused byte.
"""

import struct
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

_NUMBERS: Final = 25
_HEADER_SIZE, _VERSION, _WIDTH, _HEIGHT = 0, 1, 4, 5
_BITS_PER_PIXEL, _BYTES_PER_LINE, _COLOURS = 11, 12, 19
_COLOUR_BYTES: Final = 12


def read_frame(path: Path) -> Image.Image:
    """The picture in the file, RGB; ValueError where it is no dump of 32 bits a pixel."""
    content = path.read_bytes()
    if len(content) < 4 * _NUMBERS:
        raise ValueError(f"{path}: too short for a screen")
    for order in (">", "<"):  # the server's own order, or that of the network
        header = struct.unpack_from(f"{order}{_NUMBERS}I", content)
        if header[_VERSION] == 7:
            break
    width, height, line = header[_WIDTH], header[_HEIGHT], header[_BYTES_PER_LINE]
    start = header[_HEADER_SIZE] + header[_COLOURS] * _COLOUR_BYTES
    if header[_BITS_PER_PIXEL] != 32 or len(content) < start + line * height:
        raise ValueError(f"{path}: no screen of 32 bits a pixel")
    rows = np.frombuffer(content, np.uint8, line * height, start).reshape(height, line)
    pixels = rows[:, : width * 4].reshape(height, width, 4)
    return Image.fromarray(np.ascontiguousarray(pixels[:, :, 2::-1]))


_CARET_PIXELS: Final = 3
_FAINT: Final = 16


def alike(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures of a screen show the same: they may differ in a text cursor that blinks,
    and faintly, as the frame of a selected text does.
    """
    if one.size != other.size:
        return False
    old, new = (np.asarray(picture.convert("RGB"), np.int16) for picture in (one, other))
    columns = np.flatnonzero((np.abs(old - new) > _FAINT).any(axis=(0, 2)))
    return columns.size == 0 or bool(columns[-1] - columns[0] < _CARET_PIXELS)
