"""A deck with everything that hangs on slides, and plain means to look into a package.

The means use zipfile and xml.etree only, so that what they see does not depend on decklab.
"""

import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from decklab.deck.deck import write_samples

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
PML = "application/vnd.openxmlformats-officedocument.presentationml."
SPACES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" '
    'xmlns:p15="http://schemas.microsoft.com/office/powerpoint/2012/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
MODERN = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"


class Look:
    """A saved package seen with zipfile."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            self.parts = {name: archive.read(name) for name in archive.namelist()}

    def links(self, part: str) -> dict[str, tuple[str, str]]:
        """Id to kind and target of the relationships inside the package."""
        folder, base = posixpath.split(part)
        data = self.parts.get(posixpath.join(folder, "_rels", base + ".rels"))
        found = {}
        for item in [] if data is None else ElementTree.fromstring(data):
            if item.get("TargetMode") == "External":
                continue
            target = unquote(item.attrib["Target"])
            place = target[1:] if target[0] == "/" else posixpath.join(folder, target)
            kind = item.attrib["Type"].rpartition("/")[2]
            found[item.attrib["Id"]] = kind, posixpath.normpath(place)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        return [target for one, target in self.links(part).values() if one == kind]

    def reached(self) -> set[str]:
        found, waiting = set(), [""]
        while waiting:
            for _, target in self.links(waiting.pop()).values():
                if target in self.parts and target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    def orphans(self) -> set[str]:
        plain = {name for name in self.parts if not name.endswith(".rels")}
        return plain - self.reached() - {"[Content_Types].xml"}

    def dangling(self) -> list[tuple[str, str]]:
        sources = ["", *self.reached()]
        return [
            (part, target)
            for part in sources
            for _, target in self.links(part).values()
            if target not in self.parts
        ]

    def root(self, part: str) -> ElementTree.Element:
        return ElementTree.fromstring(self.parts[part])

    def slides(self) -> list[tuple[int, str]]:
        links = self.links("ppt/presentation.xml")
        items = self.root("ppt/presentation.xml").findall(f"{P}sldIdLst/{P}sldId")
        return [(int(item.attrib["id"]), links[item.attrib[R + "id"]][1]) for item in items]

    def sections(self) -> list[list[int]]:
        found = self.root("ppt/presentation.xml").iter(P14 + "section")
        return [[int(item.attrib["id"]) for item in one.iter(P14 + "sldId")] for one in found]

    def types(self) -> dict[str, str]:
        return {
            item.attrib["PartName"][1:]: item.attrib["ContentType"]
            for item in self.root("[Content_Types].xml")
            if "PartName" in item.attrib
        }


def add_part(
    parts: dict[str, bytes], owner: str, name: str, kind: str, *, type: str, data: str
) -> str:
    """Add a part that ``owner`` leads to; return the relationship's id."""
    parts[name] = data.encode()
    types = parts["[Content_Types].xml"].decode()
    entry = f'<Override PartName="/{name}" ContentType="{type}"/></Types>'
    parts["[Content_Types].xml"] = types.replace("</Types>", entry).encode()
    return relate(parts, owner, kind, f"/{name}")


def relate(parts: dict[str, bytes], owner: str, kind: str, target: str) -> str:
    folder, base = posixpath.split(owner)
    name = posixpath.join(folder, "_rels", base + ".rels")
    text = parts[name].decode()
    number = 1 + max(int(id) for id in re.findall(r'Id="rId(\d+)"', text))
    type = kind if ":" in kind else OFFICE + kind
    entry = f'<Relationship Id="rId{number}" Type="{type}" Target="{target}"/></Relationships>'
    parts[name] = text.replace("</Relationships>", entry).encode()
    return f"rId{number}"


def swap(parts: dict[str, bytes], name: str, old: str, new: str) -> None:
    text = parts[name].decode()
    assert old in text, old
    parts[name] = text.replace(old, new, 1).encode()


def write(parts: Mapping[str, bytes], path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def _with_extras(parts: dict[str, bytes]) -> None:
    """Comments of both kinds, tags, ink, a custom show, a view, a zoom and creation ids."""
    slide, main = "ppt/slides/slide4.xml", "ppt/presentation.xml"
    add_part(
        parts, main, "ppt/commentAuthors.xml", "commentAuthors", type=PML + "commentAuthors+xml",
        data=f'<p:cmAuthorLst {SPACES}><p:cmAuthor id="0" name="Ada" initials="A" lastIdx="2" '
        'clrIdx="0"/><p:cmAuthor id="1" name="Bo" initials="B" lastIdx="1" clrIdx="1"/>'
        "</p:cmAuthorLst>",
    )  # fmt: skip
    add_part(
        parts, slide, "ppt/comments/comment1.xml", "comments", type=PML + "comments+xml",
        data=f'<p:cmLst {SPACES}><p:cm authorId="0" idx="2"><p:pos x="1" y="1"/><p:text>Why?'
        '</p:text></p:cm><p:cm authorId="1" idx="1"><p:pos x="1" y="1"/><p:text>Because.</p:text>'
        '<p:extLst><p:ext uri="{C676402C-5697-4E1C-873F-D02D1690AC5C}"><p15:threadingInfo '
        'timeZoneBias="0"><p15:parentCm authorId="0" idx="2"/></p15:threadingInfo></p:ext>'
        "</p:extLst></p:cm></p:cmLst>",
    )  # fmt: skip
    add_part(
        parts, main, "ppt/authors.xml",
        "http://schemas.microsoft.com/office/2018/10/relationships/authors",
        type="application/vnd.ms-powerpoint.authors+xml",
        data=f'<p188:authorLst xmlns:p188="{MODERN}"><p188:author id="{{A1}}" name="Ada" '
        'initials="A" userId="ada@x" providerId="AD"/></p188:authorLst>',
    )  # fmt: skip
    add_part(
        parts, slide, "ppt/comments/modernComment_103_0.xml",
        "http://schemas.microsoft.com/office/2018/10/relationships/comments",
        type="application/vnd.ms-powerpoint.comments+xml",
        data=f'<p188:cmLst xmlns:p188="{MODERN}" xmlns:pc="http://schemas.microsoft.com/office/'
        'powerpoint/2013/main/command"><p188:cm id="{C1}" authorId="{A1}"><pc:sldMkLst><pc:docMk/>'
        '<pc:sldMk cId="77" sldId="259"/></pc:sldMkLst><p188:replyLst><p188:reply id="{C2}" '
        'authorId="{A1}"/></p188:replyLst></p188:cm></p188:cmLst>',
    )  # fmt: skip
    tag = add_part(
        parts, slide, "ppt/tags/tag1.xml", "tags", type=PML + "tags+xml",
        data=f'<p:tagLst {SPACES}><p:tag name="A" val="B"/></p:tagLst>',
    )  # fmt: skip
    data = add_part(
        parts, slide, "customXml/item1.xml", "customXml", type="application/xml", data="<own/>"
    )
    parts["customXml/_rels/item1.xml.rels"] = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="rId0" Type="x:y" Target="http://x.y" TargetMode="External"/>'
        b"</Relationships>"
    )
    add_part(
        parts, "customXml/item1.xml", "customXml/itemProps1.xml", "customXmlProps",
        type="application/vnd.openxmlformats-officedocument.customXmlProperties+xml",
        data='<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/'
        'customXml" ds:itemID="{D1}"/>',
    )  # fmt: skip
    swap(
        parts, slide, "</p:spTree>",
        f'</p:spTree><p:custDataLst><p:custData r:id="{data}"/><p:tags r:id="{tag}"/>'
        '</p:custDataLst><p:extLst><p:ext uri="{BB962C8B-B14F-4D97-AF65-F5344CB8AC3E}">'
        '<p14:creationId xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" '
        'val="77"/></p:ext></p:extLst>',
    )  # fmt: skip
    _with_deck_extras(parts)


def _with_deck_extras(parts: dict[str, bytes]) -> None:
    main = "ppt/presentation.xml"
    ids = {
        target: id
        for id, target in re.findall(
            r'Id="(rId\d+)"[^>]*Target="slides/(slide\d+)\.xml"',
            _id_first(parts["ppt/_rels/presentation.xml.rels"].decode()),
        )
    }
    show = "".join(f'<p:sld r:id="{ids[name]}"/>' for name in ("slide4", "slide5", "slide4"))
    swap(
        parts, main, "<p:defaultTextStyle",
        f'<p:custShowLst><p:custShow name="Short" id="0"><p:sldLst>{show}</p:sldLst></p:custShow>'
        "</p:custShowLst><p:defaultTextStyle",
    )  # fmt: skip
    parts["ppt/_rels/viewProps.xml.rels"] = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="rId1" Type="' + OFFICE.encode() + b'slide" '
        b'Target="slides/slide4.xml"/></Relationships>'
    )
    parts["ppt/viewProps.xml"] = (
        f"<p:viewPr {SPACES}><p:outlineViewPr><p:cViewPr><p:scale><a:sx n='1' d='1'/>"
        "<a:sy n='1' d='1'/></p:scale><p:origin x='0' y='0'/></p:cViewPr><p:sldLst>"
        "<p:sld r:id='rId1' collapse='1'/></p:sldLst></p:outlineViewPr></p:viewPr>"
    ).encode()
    jump = relate(parts, "ppt/slides/slide2.xml", "slide", "slide4.xml")
    shape = (
        '<p:nvSpPr><p:cNvPr id="{id}" name="{name}"><a:hlinkClick r:id="{jump}" '
        'action="ppaction://hlinksldjump"/></p:cNvPr><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>'
    )
    swap(
        parts, "ppt/slides/slide2.xml", "</p:spTree>",
        f"<p:sp>{shape.format(id=901, name='Jump', jump=jump)}</p:sp>"
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/'
        '2006"><mc:Choice xmlns:pslz="http://schemas.microsoft.com/office/powerpoint/2016/'
        'slidezoom" Requires="pslz"><p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="902" '
        'name="Zoom"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" '
        'y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.'
        'microsoft.com/office/powerpoint/2016/slidezoom"><pslz:sldZm><pslz:sldZmObj sldId="259" '
        'cId="77"/></pslz:sldZm></a:graphicData></a:graphic></p:graphicFrame></mc:Choice>'
        f"<mc:Fallback><p:sp>{shape.format(id=902, name='Zoom', jump=jump)}</p:sp></mc:Fallback>"
        "</mc:AlternateContent></p:spTree>",
    )  # fmt: skip


def _id_first(text: str) -> str:
    """The relationships with their ids before their targets."""
    return re.sub(r'(Type="[^"]*") (Target="[^"]*") (Id="[^"]*")', r"\3 \1 \2", text)


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sample decks by name: plain, rich, bad."""
    return {path.stem: path for path in write_samples(tmp_path_factory.mktemp("samples"))}


@pytest.fixture(scope="session")
def rich(samples: dict[str, Path]) -> Path:
    return samples["rich"]


@pytest.fixture(scope="session")
def full(rich: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rich sample, with all on its fourth slide that can hang on one."""
    parts = Look(rich).parts
    _with_extras(parts)
    return write(parts, tmp_path_factory.mktemp("full") / "full.pptx")


@pytest.fixture(scope="session")
def look() -> Callable[[Path], Look]:
    """A saved package seen with zipfile and xml.etree."""
    return Look


@pytest.fixture(scope="session")
def edited() -> Callable[..., Path]:
    """A copy of a package with parts swapped: ``edited(path, out, name=(old, new), ...)``."""

    def edit(path: Path, out: Path, *swaps: tuple[str, str, str]) -> Path:
        parts = Look(path).parts
        for name, old, new in swaps:
            swap(parts, name, old, new)
        return write(parts, out)

    return edit
