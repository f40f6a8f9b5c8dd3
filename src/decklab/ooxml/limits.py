"""How large, deep and dense a package may be before it is refused."""

from dataclasses import dataclass

__all__ = ["DEFAULT_LIMITS", "Limits"]

MIB = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Bounds that hold while a package is opened and read; breaking one is a LimitExceeded.

    The defaults are ours. They leave room above the largest decks we know of (a few hundred
    slides, video inside) and keep one deck within the memory of a small machine.

    >>> Limits(parts=100).parts
    100
    """

    file_bytes: int = 512 * MIB
    """Size of the file. Mail and web uploads stop far below; decks with video reach hundreds."""
    parts: int = 20_000
    """Entries of the archive. A slide brings about ten parts, so this is some 2,000 slides."""
    part_bytes: int = 512 * MIB
    """Unpacked size of one part. Video is stored unpacked, so one part may be the whole file."""
    total_bytes: int = 1024 * MIB
    """Unpacked size of all parts together: twice the largest file."""
    ratio: float = 200.0
    """Unpacked over packed size, of a part and of the whole file. Deflate cannot pass 1032; the
    densest XML of real decks stays under 50."""
    ratio_floor_bytes: int = 16 * MIB
    """Unpacked size below which the ratio is not asked: small repetitive XML and blank bitmaps
    pack very well and do no harm."""
    xml_bytes: int = 32 * MIB
    """Size of one XML part. The largest we know of has 1.7 MB; freeform drawings come close."""
    xml_nodes: int = 1_000_000
    """Elements and attributes of one XML part, counted from above as ``<`` and ``=`` signs. A
    parsed node takes about 100 bytes however short its text, so this is what bounds memory. The
    slide of 1.7 MB has 200,000."""
    xml_depth: int = 200
    """Nesting of elements. Real decks stay under 30; the XML parser itself stops at 256."""


DEFAULT_LIMITS = Limits()
