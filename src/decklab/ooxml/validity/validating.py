"""All checks of a package in one go, and those of its pictures."""

import io
import struct
import warnings
from collections.abc import Collection
from pathlib import Path

from decklab.core.errors import LimitExceeded, TruncatedDeck
from decklab.ooxml.package import Package
from decklab.ooxml.validity.conformance import check_conformance, check_texts
from decklab.ooxml.validity.parts import (
    Inspection,
    Problem,
    check_content,
    check_declarations,
    check_lists,
    check_references,
    check_required_parts,
)

MAX_PIXELS = 64_000_000
"""Ours: pictures with more pixels are not unpacked, only their ends are looked at; 8000 x 8000."""

_RASTERS = frozenset(
    f"image/{name}" for name in ("png", "x-png", "jpeg", "jpg", "pjpeg", "gif", "bmp", "tiff")
)
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "DIB", "TIFF", "WEBP", "JPEG2000", "ICO")
_END_OF_METAFILE = 14  # EMR_EOF, MS-EMF 2.3.4.1
_PLACEABLE = b"\xd7\xcd\xc6\x9a"  # META_PLACEABLE, MS-WMF 2.3.2.3


def check_pictures(inspection: Inspection) -> None:
    """Every picture within reach can be unpacked to its end."""
    package = inspection.package
    for part in package.names:
        kind = (package.content_type(part) or "").lower()
        reached = part in inspection.reached and part not in inspection.known
        if not reached or not kind.startswith("image/"):
            continue
        try:
            data = package.read(part)
        except TruncatedDeck as error:
            inspection.error("picture.damaged", part, error.detail, "Insert the picture again.")
            continue
        except LimitExceeded as error:
            inspection.warn("part.not-checked", part, error.detail, "Make the part smaller.")
            continue
        if fault := picture_fault(data, kind):
            inspection.error("picture.damaged", part, fault, "Insert the picture again.")


def picture_fault(data: bytes, kind: str) -> str:
    """The fault of a picture's bytes for a content type, in one line; empty if they have none.

    Rasters are unpacked; of metafiles the lengths in the header and the last record are held
    against the bytes. Kinds that are not known are let through.
    """
    if not data:
        return "the picture is empty"
    if kind in _RASTERS:
        return _raster_fault(data)
    if kind in ("image/x-emf", "image/emf"):
        return _emf_fault(data)
    if kind in ("image/x-wmf", "image/wmf"):
        return _wmf_fault(data)
    if kind == "image/svg+xml" and b"<svg" not in data and b":svg" not in data:
        return "the picture says it is SVG, but holds no drawing"
    return ""


def _raster_fault(data: bytes) -> str:
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - slow to load

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd metadata, and of large pictures
            with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
                if picture.width * picture.height > MAX_PIXELS:
                    return ""
                picture.load()
    except UnidentifiedImageError:
        return _disguised(data)
    except Image.DecompressionBombError:
        return ""
    except (
        OSError, ValueError, SyntaxError, EOFError, ArithmeticError, LookupError, TypeError,
        AttributeError, struct.error,
    ) as error:  # fmt: skip
        return f"the picture cannot be unpacked to its end: {error}"
    return ""


def _disguised(data: bytes) -> str:
    """Whether a metafile or drawing has a raster's content type: programs show it all the same."""
    if data[40:44] == b" EMF":
        return _emf_fault(data)
    if data[:4] == _PLACEABLE:
        return _wmf_fault(data)
    return "" if b"<svg" in data[:4096] else "the bytes are no picture of any known kind"


def _emf_fault(data: bytes) -> str:
    """MS-EMF 2.2.9: the header is record 1 with a signature, and counts the bytes."""
    if data[:2] == b"\x1f\x8b":  # packed by gzip, as in .emz
        return ""
    if len(data) < 88 or struct.unpack("<I", data[:4])[0] != 1 or data[40:44] != b" EMF":
        return "the picture says it is EMF, but does not begin as one"
    if (size := struct.unpack("<I", data[48:52])[0]) > len(data):
        return f"the picture is cut off: {len(data):,} of {size:,} bytes are there"
    at, last = 0, 0
    while at + 8 <= size and last != _END_OF_METAFILE:
        last, step = struct.unpack("<II", data[at : at + 8])
        if step < 8:
            return f"the picture's record at byte {at:,} has no length"
        at += step
    return "" if last == _END_OF_METAFILE else "the picture ends before its last record"


def _wmf_fault(data: bytes) -> str:
    """MS-WMF 2.3.2.2: the header counts 16-bit words."""
    if data[:2] == b"\x1f\x8b":
        return ""
    head = data[22:] if data[:4] == _PLACEABLE else data
    if len(head) < 18 or struct.unpack("<H", head[:2])[0] not in (1, 2):
        return "the picture says it is WMF, but does not begin as one"
    if (size := 2 * struct.unpack("<I", head[6:10])[0]) > len(head):
        return f"the picture is cut off: {len(head):,} of {size:,} bytes are there"
    return ""


def validate(package: Package, known: Collection[str] = ()) -> list[Problem]:
    """Everything wrong with a presentation package, each problem once, errors first.

    ``error`` marks what PowerPoint would offer to repair, refuse or be unable to show,
    ``warning`` what it puts up with. A package without errors opens cleanly as far as decklab can
    tell; what no rule covers (sound and video, macros, the insides of extensions) is not looked
    at. The vocabulary and pictures of ``known`` parts are not looked at again. Parts that cannot be
    read are reported, never raised. Raises MissingPart, MalformedPart or
    TruncatedDeck only if the package's own relationships cannot be read, or name no main part.
    """
    inspection = Inspection(package, known=known)
    main = package.main_part
    check_declarations(inspection)
    check_references(inspection)
    if inspection.root(main) is not None:
        check_lists(inspection)
        check_required_parts(inspection)
    check_content(inspection)
    check_conformance(inspection)
    check_texts(inspection)
    check_pictures(inspection)
    return sorted(inspection.problems, key=lambda problem: problem.severity != "error")


def validate_deck(path: str | Path) -> list[Problem]:
    """``validate`` for a file; raises DeckError if it cannot be opened."""
    with Package.open(path) as package:
        return validate(package)
