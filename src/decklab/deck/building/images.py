"""Image parts of a deck being built, each kept once."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.slide import Slide

from decklab.deck.part import DAMAGE
from decklab.ooxml.package import Package

_STARTS = (
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"GIF8", "image/gif", "gif"),
    (b"BM", "image/bmp", "bmp"),
    (b"II*\x00", "image/tiff", "tif"),
    (b"MM\x00*", "image/tiff", "tif"),
    (b"\x01\x00\x00\x00", "image/x-emf", "emf"),
    (b"\xd7\xcd\xc6\x9a", "image/x-wmf", "wmf"),
    (b"<svg", "image/svg+xml", "svg"),
    (b"<?xml", "image/svg+xml", "svg"),
    (b"RIFF", "image/webp", "webp"),
)
_UNKNOWN = ("application/octet-stream", "bin")


def images_of(package: Package) -> dict[str, bytes]:
    """The images of a package by the SHA-256 of their bytes; damaged ones are left out."""
    found: dict[str, bytes] = {}
    for name in package.names:
        if not (package.content_type(name) or "").startswith("image/"):
            continue
        try:
            data = package.read(name)
        except DAMAGE:
            continue
        found[hashlib.sha256(data).hexdigest()] = data
    return found


@dataclass
class Gallery:
    """The images at hand by hash, and those that are in the deck already."""

    images: Mapping[str, bytes]
    parts: dict[str, Part] = field(default_factory=dict)

    def embed(self, slide: Slide, digest: str | None) -> str | None:
        """The relationship id of an image on a slide; None where its bytes are not at hand."""
        if digest is None or digest not in self.images:
            return None
        if digest not in self.parts:
            self.parts[digest] = self._part(slide, self.images[digest])
        return str(slide.part.relate_to(self.parts[digest], RELATIONSHIP_TYPE.IMAGE))

    def _part(self, slide: Slide, data: bytes) -> Part:
        start = data.lstrip()[:16]
        content_type, ending = next(
            ((kind, ending) for mark, kind, ending in _STARTS if start.startswith(mark)), _UNKNOWN
        )
        name = PackURI(f"/ppt/media/image{len(self.parts) + 1}.{ending}")
        return Part(name, content_type, slide.part.package, data)
