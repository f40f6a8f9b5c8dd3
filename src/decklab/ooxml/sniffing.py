"""The kind of a file by its content: its extension may be wrong or missing."""

import re
from pathlib import Path

from decklab.core.errors import EncryptedDeck, NotAPackage, UnsupportedFormat
from decklab.ooxml.archive import Archive
from decklab.ooxml.limits import DEFAULT_LIMITS, Limits, open_file
from decklab.ooxml.package import Package
from decklab.ooxml.parts import CONTENT_TYPES_PART
from decklab.ooxml.signatures import (
    ENCRYPTED_ADVICE,
    START_BYTES,
    FileKind,
    is_ole,
    kind_by_start,
    ole_streams,
)
from decklab.ooxml.xml import MAIN_CONTENT_TYPES, parse_xml

_ODF_TYPES = (
    b"application/vnd.oasis.opendocument.presentation",
    b"application/vnd.oasis.opendocument.presentation-template",
)
_ODF_XML = ("content.xml", "styles.xml")
_FLAT = re.compile(rb"<office:document\s")
_ODF_MANIFEST = "META-INF/manifest.xml"
_PACKAGE_ENDINGS = tuple(f".{ending}" for ending in (*MAIN_CONTENT_TYPES.values(), "odp", "otp"))


def sniff(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> FileKind:
    """The kind of a file.

    Raises UnsupportedFormat for kinds that decklab does not read, folders and pipes among them;
    EncryptedDeck, TruncatedDeck, NotAPackage, UnsafePath, DuplicatePart, LimitExceeded or
    MalformedPart for archives that cannot be opened; DeckError for files that cannot be read.
    """
    place = Path(path)
    with open_file(place, limits) as stream:
        start = stream.read(START_BYTES)
        if is_ole(start):
            return _sniff_ole(ole_streams(stream, str(place)), place)
    if start.startswith(b"PK"):
        return _sniff_archive(place, limits)
    kind = kind_by_start(start, place)
    if kind is not None:
        return kind
    if _FLAT.search(start):
        raise UnsupportedFormat(place, "a flat OpenDocument file (.fodp); save it as .odp")
    if place.suffix.lower() in _PACKAGE_ENDINGS:
        raise NotAPackage(place, "it is no zip archive, whatever its name says")
    raise UnsupportedFormat(place, "neither a deck nor a PDF, image or HTML file")


def check_archive(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> None:
    """Unpack every entry of a zip archive once, within the limits, and keep nothing.

    For files that another program is about to open: names, sizes, checksums, packing and, for
    OpenDocument, the nesting of its XML are then known to be sound. Raises as ``sniff`` does.
    """
    with Archive.open(Path(path), limits) as archive:
        for name in archive.names:
            data = archive.read(name)
            if name in _ODF_XML:
                parse_xml(data, path=path, part=name, limits=limits)


def _sniff_ole(streams: frozenset[str], path: Path) -> FileKind:
    if "EncryptedPackage" in streams or "EncryptedSummary" in streams:
        raise EncryptedDeck(path, ENCRYPTED_ADVICE)
    if "PowerPoint Document" in streams:
        return FileKind.PPT
    raise UnsupportedFormat(path, "an OLE2 file, but no PowerPoint presentation")


def _sniff_archive(path: Path, limits: Limits) -> FileKind:
    with Archive.open(path, limits) as archive:
        if archive.find(CONTENT_TYPES_PART) is not None:
            return _sniff_package(Package(archive))
        if archive.find("mimetype") is not None:
            return _sniff_open_document(archive)
        raise NotAPackage(path, "a zip archive that holds no Office document")


def _sniff_package(package: Package) -> FileKind:
    content_type = package.content_type(package.main_part)
    if content_type in MAIN_CONTENT_TYPES:
        return FileKind.PPTX
    detail = f"an Office document, but no presentation (its main part is {content_type})"
    raise UnsupportedFormat(package.label, detail)


def _sniff_open_document(archive: Archive) -> FileKind:
    mimetype = archive.read("mimetype").strip()
    if mimetype not in _ODF_TYPES:
        shown = mimetype[:100].decode("ascii", "replace")
        raise UnsupportedFormat(archive.label, f"no presentation but {shown}")
    if archive.find(_ODF_MANIFEST) and b"encryption-data" in archive.read(_ODF_MANIFEST):
        raise EncryptedDeck(archive.label, ENCRYPTED_ADVICE)
    return FileKind.ODP
