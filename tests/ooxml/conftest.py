"""Packages written by hand: a whole small deck, and archives with any flaw one likes."""

import io
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterable, Mapping

import pytest
from tests.editing.slide_operations.conftest import full, look, rich, samples  # noqa: F401 - fixtures

Entry = tuple[str | zipfile.ZipInfo, bytes]
Zipped = Callable[..., bytes]

RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "application/vnd.openxmlformats-officedocument.presentationml"


def relations(*links: tuple[str, str, str]) -> bytes:
    rows = "".join(
        f'<Relationship Id="{id}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for id, kind, target in links
    )
    return f'<Relationships xmlns="{RELS}">{rows}</Relationships>'.encode()


def presentation_xml(tag: str, body: str = "") -> bytes:
    return (
        f'<p:{tag} xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        f'xmlns:r="{OFFICE}">{body}</p:{tag}>'
    ).encode()


def small_deck() -> dict[str, bytes]:
    overrides = "".join(
        f'<Override PartName="/ppt/{name}.xml" ContentType="{TYPES}.{kind}+xml"/>'
        for name, kind in (
            ("presentation", "presentation.main"),
            ("slides/slide1", "slide"),
            ("slideLayouts/slideLayout1", "slideLayout"),
            ("slideMasters/slideMaster1", "slideMaster"),
        )
    )
    tree = (
        '<p:cSld name="Plain"><p:spTree><p:nvGrpSpPr/><p:grpSpPr/><p:sp><p:nvSpPr>'
        '<p:cNvPr id="2" name="Title 1"/><p:cNvSpPr/><p:nvPr><p:ph type="title"/></p:nvPr>'
        '</p:nvSpPr><p:spPr><a:xfrm><a:off x="914400" y="914400"/><a:ext cx="914400" cy="914400"/>'
        "</a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>Words</a:t></a:r></a:p></p:txBody>"
        "</p:sp></p:spTree></p:cSld>"
    )
    return {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package'
            '.relationships+xml"/><Default Extension="png" ContentType="image/png"/>'
            f"{overrides}</Types>"
        ).encode(),
        "_rels/.rels": relations(("rId1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": presentation_xml(
            "presentation",
            '<p:sldMasterIdLst><p:sldMasterId r:id="rId1"/></p:sldMasterIdLst>'
            '<p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst>'
            '<p:sldSz cx="12192000" cy="6858000"/>',
        ),
        "ppt/_rels/presentation.xml.rels": relations(
            ("rId1", "slideMaster", "slideMasters/slideMaster1.xml"),
            ("rId2", "slide", "/ppt/slides/slide1.xml"),
        ),
        "ppt/slides/slide1.xml": presentation_xml("sld", tree),
        "ppt/slides/_rels/slide1.xml.rels": relations(
            ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml"),
            ("rId2", "image", "../media/image1.png"),
        ),
        "ppt/slideLayouts/slideLayout1.xml": presentation_xml("sldLayout", tree),
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": relations(
            ("rId1", "slideMaster", "../slideMasters/slideMaster1.xml")
        ),
        "ppt/slideMasters/slideMaster1.xml": presentation_xml(
            "sldMaster", tree + '<p:sldLayoutIdLst><p:sldLayoutId r:id="rId1"/></p:sldLayoutIdLst>'
        ),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": relations(
            ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml")
        ),
        "ppt/media/image1.png": b"\x89PNG\r\n\x1a\n" + bytes(range(64)),
    }


def zip_of(
    entries: Mapping[str, bytes] | Iterable[Entry], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    pairs = entries.items() if isinstance(entries, Mapping) else entries
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", method) as archive:
        warnings.simplefilter("ignore")  # zipfile warns of the duplicates that we want
        for name, data in pairs:
            archive.writestr(name, data)
    return out.getvalue()


def compound_file(*streams: str) -> bytes:
    """An OLE2 file with empty streams of those names ([MS-CFB]: header, FAT, directory)."""
    sector = 512
    header = bytearray(sector)
    header[:8] = bytes.fromhex("D0CF11E0A1B11AE1")
    struct.pack_into("<HHHHH", header, 24, 0x3E, 3, 0xFFFE, 9, 6)
    entries = ["Root Entry", *streams]
    sectors = -(-len(entries) // 4)
    struct.pack_into("<I", header, 44, 1)
    struct.pack_into("<I", header, 48, 1)
    struct.pack_into("<I", header, 56, 4096)
    struct.pack_into("<II", header, 60, 0xFFFFFFFE, 0)
    struct.pack_into("<II", header, 68, 0xFFFFFFFE, 0)
    struct.pack_into("<109I", header, 76, 0, *[0xFFFFFFFF] * 108)
    fat = [0xFFFFFFFD, *range(2, sectors + 1), 0xFFFFFFFE]
    table = struct.pack("<128I", *fat, *[0xFFFFFFFF] * (128 - len(fat)))
    directory = bytearray(sectors * sector)
    for i, name in enumerate(entries):
        text = name.encode("utf-16-le")
        directory[i * 128 : i * 128 + len(text)] = text
        struct.pack_into("<H", directory, i * 128 + 64, len(text) + 2)
        directory[i * 128 + 66] = 5 if i == 0 else 2
    return bytes(header) + table + bytes(directory)


@pytest.fixture(scope="session")
def deck_parts() -> Callable[[], dict[str, bytes]]:
    """The parts of a small deck, anew at each call."""
    return small_deck


@pytest.fixture(scope="session")
def zipped() -> Zipped:
    """An archive of entries, names as they are given."""
    return zip_of


@pytest.fixture(scope="session")
def ole_file() -> Callable[..., bytes]:
    """An OLE2 file with streams of the given names."""
    return compound_file
