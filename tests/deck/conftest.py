"""Decks in a line of text: shapes as XML, and everything around them filled in."""

import io
import zipfile
from collections.abc import Callable, Mapping

import pytest
from pptx import Presentation
from pptx.util import Pt

from decklab.deck.model.outline import DeckOutline
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements, read_outline
from decklab.ooxml.package import Package
from decklab.ooxml.xml import NAMESPACES

OFFICE = NAMESPACES["r"]
TYPES = "application/vnd.openxmlformats-officedocument.presentationml"
PREFIXES = (
    "a", "a14", "aink", "am3d", "asvg", "c", "cx", "cx1", "dgm", "m", "mc", "p", "p14", "p15",
    "p159", "r", "table",
)  # fmt: skip
DECLARED = " ".join(f'xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in PREFIXES)
COLOR_MAP = (
    'bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" '
    'accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" '
    'folHlink="folHlink"'
)
THEME = (
    '<a:themeElements><a:clrScheme name="n"><a:dk1><a:sysClr val="windowText" lastClr="010203"/>'
    '</a:dk1><a:lt1><a:srgbClr val="fafbfc"/></a:lt1><a:accent1><a:srgbClr val="4472C4"/>'
    "</a:accent1></a:clrScheme><a:fmtScheme><a:bgFillStyleLst><a:solidFill/>"
    '<a:blipFill><a:blip r:embed="rPic"/></a:blipFill></a:bgFillStyleLst></a:fmtScheme>'
    "</a:themeElements>"
)


def xml(tag: str, body: str = "", attributes: str = "") -> bytes:
    return f"<{tag} {DECLARED} {attributes}>{body}</{tag}>".encode()


def rels(*links: str) -> bytes:
    return f'<Relationships xmlns="{NAMESPACES["rel"]}">{"".join(links)}</Relationships>'.encode()


def link(id: str, kind: str, target: str, mode: str = "Internal") -> str:
    kind = f"{OFFICE}/{kind}"
    return f'<Relationship Id="{id}" Type="{kind}" Target="{target}" TargetMode="{mode}"/>'


def sheet(shapes: str, background: str = "", name: str = "") -> str:
    named = f' name="{name}"' if name else ""
    tree = f"<p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{shapes}</p:spTree>"
    return f"<p:cSld{named}>{background}{tree}</p:cSld>"


def deck_parts(
    shapes: str = "",
    *,
    layout: str = "",
    master: str = "",
    background: str = "",
    master_background: str = "",
    after: str = "",
    attributes: str = "",
    links: tuple[str, ...] = (),
    size: str = 'cx="9600000" cy="5400000"',
    parts: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """One slide of 9600000 by 5400000 EMU: 10,000 EMU to a pixel of the slide frame."""
    overrides = {
        "ppt/presentation.xml": f"{TYPES}.presentation.main+xml",
        "ppt/media/drawing.svg": "image/svg+xml",
    }
    return {
        "[Content_Types].xml": (
            f'<Types xmlns="{NAMESPACES["ct"]}">'
            '<Default Extension="png" ContentType="image/png"/>'
            '<Default Extension="emf" ContentType="image/x-emf"/>'
            + "".join(
                f'<Override PartName="/{part}" ContentType="{kind}"/>'
                for part, kind in overrides.items()
            )
            + "</Types>"
        ).encode(),
        "_rels/.rels": rels(link("r1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": xml(
            "p:presentation",
            '<p:sldMasterIdLst><p:sldMasterId r:id="rM"/></p:sldMasterIdLst>'
            f'<p:sldIdLst><p:sldId id="256" r:id="rS"/></p:sldIdLst><p:sldSz {size}/>',
        ),
        "ppt/_rels/presentation.xml.rels": rels(
            link("rM", "slideMaster", "master.xml"), link("rS", "slide", "slide.xml")
        ),
        "ppt/slide.xml": xml("p:sld", sheet(shapes, background) + after, attributes),
        "ppt/_rels/slide.xml.rels": rels(link("rL", "slideLayout", "layout.xml"), *links),
        "ppt/layout.xml": xml("p:sldLayout", sheet(layout, name="Content")),
        "ppt/_rels/layout.xml.rels": rels(link("rM", "slideMaster", "master.xml")),
        "ppt/master.xml": xml(
            "p:sldMaster",
            sheet(master, master_background)
            + f'<p:clrMap {COLOR_MAP}/><p:sldLayoutIdLst><p:sldLayoutId r:id="rL"/>'
            "</p:sldLayoutIdLst>",
        ),
        "ppt/_rels/master.xml.rels": rels(
            link("rL", "slideLayout", "layout.xml"), link("rT", "theme", "theme.xml")
        ),
        "ppt/theme.xml": xml("a:theme", THEME, 'name="Plain theme"'),
        "ppt/_rels/theme.xml.rels": rels(link("rPic", "image", "media/paper.png")),
        **(parts or {}),
    }


def packed(parts: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def outline_of(parts: Mapping[str, bytes]) -> DeckOutline:
    with Package.from_bytes(packed(parts), "deck.pptx") as package:
        return read_outline(package)


Make = Callable[..., DeckOutline]


@pytest.fixture(scope="session")
def outline() -> Make:
    """The outline of a deck of given parts."""
    return outline_of


@pytest.fixture(scope="session")
def deck() -> Make:
    """The outline of a deck with one slide; see ``deck_parts`` for what may be given."""
    return lambda *args, **kwargs: outline_of(deck_parts(*args, **kwargs))


@pytest.fixture(scope="session")
def parts() -> Callable[..., dict[str, bytes]]:
    """The parts of such a deck."""
    return deck_parts


@pytest.fixture(scope="session")
def shape(deck: Make) -> Callable:
    """The only shape, or the one of that index, of a deck with one slide."""

    def read(shapes: str, index: int = 0, **kwargs: object):
        slide = deck(shapes, **kwargs).slides[0]
        return slide.shapes[index]

    return read


@pytest.fixture(scope="session")
def related() -> Callable[..., str]:
    """One relationship: id, kind, target, and ``External`` where it leads outside."""
    return link


@pytest.fixture(scope="session")
def relations() -> Callable[..., bytes]:
    """A relationships part of such relationships."""
    return rels


@pytest.fixture(scope="session")
def part_xml() -> Callable[..., bytes]:
    """A part with that root element, all prefixes declared."""
    return xml


@pytest.fixture(scope="session")
def sp() -> Callable[..., str]:
    """A ``p:sp``; properties, body and application properties as XML."""

    def write(
        properties: str = "",
        body: str = "",
        *,
        nv: str = "",
        id: int = 2,
        name: str = "Shape",
        xfrm: str = "",
        more: str = "",
        cnv: str = "",
    ) -> str:
        text = f"<p:txBody>{body}</p:txBody>" if body else ""
        return (
            f'<p:sp {more}><p:nvSpPr><p:cNvPr id="{id}" name="{name}" {cnv}/><p:cNvSpPr/>'
            f"<p:nvPr>{nv}</p:nvPr></p:nvSpPr><p:spPr>{xfrm}{properties}</p:spPr>{text}</p:sp>"
        )

    return write


@pytest.fixture(scope="session")
def xfrm() -> Callable[..., str]:
    """An ``a:xfrm`` in pixels of the slide frame, 10,000 EMU each."""

    def write(left, top, width, height, attributes="", *, child: tuple = ()) -> str:
        points = [("off", "x", "y", left, top), ("ext", "cx", "cy", width, height)]
        if child:
            points += [("chOff", "x", "y", *child[:2]), ("chExt", "cx", "cy", *child[2:])]
        inner = "".join(
            f'<a:{name} {one}="{round(x * 10_000)}" {two}="{round(y * 10_000)}"/>'
            for name, one, two, x, y in points
        )
        return f"<a:xfrm {attributes}>{inner}</a:xfrm>"

    return write


@pytest.fixture(scope="session")
def pack() -> Callable[[Mapping[str, bytes]], bytes]:
    """The bytes of a package of parts."""
    return packed


def elements_of(data: bytes) -> DeckElements:
    with Package.from_bytes(data, "deck.pptx") as package:
        return read_elements(package)


@pytest.fixture(scope="session")
def of_parts() -> Callable[..., DeckElements]:
    """The elements of a deck of given parts."""
    return lambda parts: elements_of(packed(parts))


@pytest.fixture(scope="session")
def slide_of(parts) -> Callable[..., SlideElements]:
    """The slide of a deck with one; see ``deck_parts`` for what may be given."""
    return lambda *args, **kwargs: elements_of(packed(parts(*args, **kwargs))).slides[0]


@pytest.fixture
def presentation():
    """An empty 960x540 pt deck of python-pptx: one point is one pixel of the frame."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = Pt(960), Pt(540)
    return deck


@pytest.fixture(scope="session")
def saved() -> Callable[..., DeckElements]:
    """The elements of a deck of python-pptx."""

    def read(deck) -> DeckElements:
        out = io.BytesIO()
        deck.save(out)
        return elements_of(out.getvalue())

    return read
