"""What the first bytes of a file, and its name, say of its kind."""

from enum import StrEnum
from pathlib import Path
from typing import Final


class FileKind(StrEnum):
    """The kinds of file that decklab reads."""

    PPTX = "pptx"
    """Office Open XML: .pptx, .potx, .ppsx and their macro kinds."""
    ODP = "odp"
    """OpenDocument presentation or template."""
    PPT = "ppt"
    """PowerPoint 97-2003."""
    PDF = "pdf"
    IMAGE = "image"
    """PNG, JPEG, WebP, GIF, BMP or TIFF."""
    HTML = "html"


START_BYTES: Final = 4096
"""Bytes that are enough to tell."""
IN_WORDS: Final = {
    FileKind.PPTX: "a PowerPoint file",
    FileKind.ODP: "an OpenDocument presentation",
    FileKind.PPT: "a PowerPoint 97-2003 file",
    FileKind.PDF: "a PDF",
    FileKind.IMAGE: "a picture",
    FileKind.HTML: "an HTML page",
}
POWERPOINT: Final = "a PowerPoint file (.pptx, .potx, .ppsx, .pptm, .potm, .ppsm)"
_IMAGES = (
    b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\0", b"MM\0*",
)  # fmt: skip
_HTML_STARTS = (b"<!doctype html", b"<html")


def kind_by_start(start: bytes, path: Path) -> FileKind | None:
    """The kind of a file that is no archive, by its first ``START_BYTES`` and its name; None if it
    is neither a PDF, a picture nor HTML."""
    if b"%PDF-" in start[:1024]:  # readers allow 1024 bytes of anything before it
        return FileKind.PDF
    if start.startswith(_IMAGES) or (start[:4] == b"RIFF" and start[8:12] == b"WEBP"):
        return FileKind.IMAGE
    return FileKind.HTML if _looks_like_html(start, path) else None


def _looks_like_html(start: bytes, path: Path) -> bool:
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(_HTML_STARTS):
        return True
    opening = text.startswith((b"<!--", b"<?xml")) and any(mark in text for mark in _HTML_STARTS)
    named = path.suffix.lower() in (".html", ".htm", ".xhtml") and b"<" in text
    return (opening or named) and b"\0" not in text
