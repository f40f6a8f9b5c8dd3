"""Whether made data is that of the package: byte for byte, or part for part.

What libraries write may change with their versions: how a zip is packed, the order of attributes,
the last bit of a pixel. So bytes are asked for where the versions are the recorded ones only;
elsewhere XML has to say the same, and pictures have to look the same.
"""

import base64
import io
import json
import lzma
import zlib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pypdfium2
from lxml import etree
from numpy.typing import NDArray
from PIL import Image

from decklab.ooxml.package import Package

_LIBRARIES = ("lxml", "numpy", "pillow", "python-docx", "python-pptx", "reportlab", "xlsxwriter")
_LEVELS = 2
"""By how much the levels of two pictures' pixels, 0 to 255, may differ."""
_STRAY = 0.001
"""The share of pixels that may differ more: versions of Pillow draw a few of letters otherwise."""


def libraries() -> dict[str, str]:
    """Versions of what the bytes depend on, by name."""
    return {name: version(name) for name in _LIBRARIES} | {"zlib": zlib.ZLIB_RUNTIME_VERSION}


def changed_files(made: Path, shipped: Path, *, exact: bool) -> list[str]:
    """Paths below both folders of the files that are in one only or differ.

    Packed JSON is compared unpacked. Without ``exact`` parts of decks may differ in their bytes.
    """
    names = sorted({
        path.relative_to(folder).as_posix()
        for folder in (made, shipped)
        for path in folder.rglob("*")
        if path.is_file()
    })  # fmt: skip
    return [name for name in names if not _same_file(made / name, shipped / name, exact=exact)]


def _same_file(one: Path, other: Path, *, exact: bool) -> bool:
    if not (one.is_file() and other.is_file()):
        return False
    a, b = one.read_bytes(), other.read_bytes()
    if one.suffix == ".xz":
        unpacked, shipped = (json.loads(lzma.decompress(data)) for data in (a, b))
        return bool(unpacked == shipped) or (not exact and _same_decks(unpacked, shipped))
    return a == b or (not exact and _same_part(one.name, a, b))


def _same_decks(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Two sets of decks as the starter set of PPTArena keeps them, by case and kind."""
    a, b = _flat(one), _flat(other)
    return a.keys() == b.keys() and all(_same_part(key[-1], a[key], b[key]) for key in a)


def _flat(decks: Mapping[str, Any]) -> dict[tuple[str, str, str], bytes]:
    """The changed parts of all decks by case, kind and name."""
    return {
        (case, kind, name): part.encode() if isinstance(part, str)
        else base64.b64decode(part["base64"])
        for case, kinds in decks.items()
        for kind, deck in kinds.items()
        for name, part in deck["parts"].items()
    }  # fmt: skip


def _same_part(name: str, a: bytes, b: bytes) -> bool:
    """Whether two files or parts of that name say and show the same."""
    if a == b:
        return True
    match PurePosixPath(name).suffix:
        case ".docx" | ".pptx" | ".xlsx":
            one, other = _parts(a), _parts(b)
            return one.keys() == other.keys() and all(
                _same_part(part, one[part], other[part]) for part in one
            )
        case ".xml" | ".rels":
            return bool(_canonical(a) == _canonical(b))
        case ".jpeg" | ".jpg" | ".png":
            return _look_alike(a, b)
        case ".pdf":
            one_page, other_page = _pages(a), _pages(b)
            return len(one_page) == len(other_page) and all(
                _same_pixels(*pair) for pair in zip(one_page, other_page, strict=True)
            )
    return False


def _parts(data: bytes) -> dict[str, bytes]:
    with Package.from_bytes(data, "a package") as package:
        return {name: package.read(name) for name in package.names}


def _canonical(data: bytes) -> bytes:
    return etree.tostring(etree.fromstring(data), method="c14n")


def _look_alike(a: bytes, b: bytes) -> bool:
    one, other = (np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"), int) for data in (a, b))
    return _same_pixels(one, other)


def _pages(data: bytes) -> list[NDArray[np.int_]]:
    """The pages of a PDF, drawn."""
    with pypdfium2.PdfDocument(data) as document:
        return [np.asarray(page.render().to_pil(), int) for page in document]


def _same_pixels(one: NDArray[np.int_], other: NDArray[np.int_]) -> bool:
    if one.shape != other.shape:
        return False
    return float(np.mean((np.abs(one - other) > _LEVELS).any(axis=-1))) <= _STRAY
