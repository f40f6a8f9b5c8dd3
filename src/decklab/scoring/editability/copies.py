"""Copies of a deck for probes: few slides, small pictures, some parts changed."""

from collections.abc import Collection, Mapping
from pathlib import Path

from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import listing_only, presentation_only
from decklab.ooxml.writing import write_package
from decklab.ooxml.xml import parse_xml, qn, serialize_xml
from decklab.scoring.editability.pictures import ONE_PIXEL, thumbnail

HEAVY = 4096
"""Bytes below which a picture is copied as it is."""

JUMP = b"hlinksldjump"
"""Action of a link that jumps to another slide of the deck."""

TEMPLATE_TYPES = ("slideLayout+xml", "slideMaster+xml")

VECTORS = ("image/svg", "image/x-emf", "image/x-wmf", "image/emf", "image/wmf")


def light_media(package: Package, covering: Collection[str] = ()) -> dict[str, bytes]:
    """Replacements for large media: rasters of a few pixels, empty sound and video.

    ``covering`` names the rasters whose transparency matters, because they may hide what lies
    behind them; all others become one opaque pixel.
    """
    replacements: dict[str, bytes] = {}
    for name in package.names:
        kind = package.content_type(name) or ""
        if kind.startswith(("audio/", "video/")):
            replacements[name] = b""
        elif kind.startswith("image/") and not kind.startswith(VECTORS):
            light = _light(package, name, covering)
            if light is not None:
                replacements[name] = light
    return replacements


def _light(package: Package, name: str, covering: Collection[str]) -> bytes | None:
    if len(package.read_start(name, HEAVY)) < HEAVY:
        return None
    return thumbnail(package.read(name)) if name in covering else ONE_PIXEL


def write_copy(
    package: Package, target: Path, *, slides: Collection[str], replace: Mapping[str, bytes]
) -> Path:
    """Write a copy with the given slides only, without the deck's properties, and the given parts
    replaced.

    Links that jump to other slides are taken out: LibreOffice 7.4 dies on links to slides that
    are not there.
    """
    changed = presentation_only(package) | dict(replace)
    for name in package.names:
        if name in slides or (package.content_type(name) or "").endswith(TEMPLATE_TYPES):
            data = changed.get(name) or package.read(name)
            if JUMP in data:
                changed[name] = _without_jumps(package, name, data)
    changed[package.main_part] = serialize_xml(listing_only(package, slides))
    return write_package(package, target, replace=changed)


def _without_jumps(package: Package, name: str, data: bytes) -> bytes:
    root = parse_xml(data, path=package.label, part=name, limits=package.limits)
    for tag in ("a:hlinkClick", "a:hlinkHover", "a:hlinkMouseOver"):
        for link in list(root.iter(qn(tag))):
            parent = link.getparent()
            if parent is not None and JUMP.decode() in link.get("action", ""):
                parent.remove(link)
    return serialize_xml(root)
