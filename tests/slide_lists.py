"""Decks whose slide lists have something wrong, with the slides that each of them has.

The deck beneath is python-pptx's, of four slides titled A to D; what is wrong is written into its
XML by hand.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from pptx import Presentation

MAIN = "ppt/presentation.xml"
LINKS = "ppt/_rels/presentation.xml.rels"
TYPES = "[Content_Types].xml"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SLIDE_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.slide+xml"

Parts = dict[str, bytes]
SOUND = "ABCD"


@cache
def four_slides() -> Parts:
    """Slides of the ids 256 to 259, which the relationships rId7 to rId10 lead to."""
    deck = Presentation()
    for title in SOUND:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        assert slide.shapes.title is not None
        slide.shapes.title.text = title
    file = BytesIO()
    deck.save(file)
    with ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def entered(*entries: str, after: int = 1) -> Callable[[Parts], None]:
    """Entries more, after the first slide."""

    def change(parts: Parts) -> None:
        text = parts[MAIN].decode()
        items = re.findall(r"<p:sldId .*?/>", text)
        there = items[after - 1] if after else "<p:sldIdLst>"
        parts[MAIN] = text.replace(there, there + "".join(entries)).encode()

    return change


def linked(kind: str, target: str, *, mode: str = "") -> Callable[[Parts], None]:
    """An entry more, after the first slide, with a relationship of its own."""

    def change(parts: Parts) -> None:
        end = f'TargetMode="{mode}"/>' if mode else "/>"
        link = f'<Relationship Id="rId99" Type="{REL}/{kind}" Target="{target}" {end}'
        parts[LINKS] = parts[LINKS].replace(b"</Relationships>", f"{link}</Relationships>".encode())
        entered('<p:sldId id="900" r:id="rId99"/>')(parts)

    return change


def slide_x(
    kind: str = "slide", *, typed: bool = True, data: bytes = b""
) -> Callable[[Parts], None]:
    """A slide more, titled X, after the first."""

    def change(parts: Parts) -> None:
        name = "ppt/slides/slide9.xml"
        parts[name] = data or parts["ppt/slides/slide1.xml"].replace(b">A<", b">X<")
        rels = "ppt/slides/_rels/slide{}.xml.rels"
        parts[rels.format(9)] = parts[rels.format(1)]
        if typed:
            declared(name, SLIDE_TYPE)(parts)
        linked(kind, "slides/slide9.xml")(parts)

    return change


def declared(name: str, kind: str) -> Callable[[Parts], None]:
    """The content type of a part."""
    entry = f'<Override PartName="/{name}" ContentType="{kind}"/></Types>'.encode()
    return replaced(TYPES, b"</Types>", entry)


def replaced(part: str, old: bytes, new: bytes) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        assert old in parts[part]
        parts[part] = parts[part].replace(old, new)

    return change


def picture(parts: Parts) -> None:
    parts["ppt/media/x.png"] = b"\x89PNG\r\n\x1a\n"
    declared("ppt/media/x.png", "image/png")(parts)
    linked("slide", "media/x.png")(parts)


def sections_and_show(parts: Parts) -> None:
    """Both name the entry that leads nowhere, too."""
    entered('<p:sldId id="900" r:id="rId99"/>')(parts)
    p14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
    ids = "".join(f'<p14:sldId id="{id}"/>' for id in (256, 900, 257, 258, 259))
    show = '<p:sld r:id="rId8"/><p:sld r:id="rId99"/>'
    parts[MAIN] = parts[MAIN].replace(
        b"</p:presentation>",
        f'<p:custShowLst><p:custShow name="Short" id="0"><p:sldLst>{show}</p:sldLst></p:custShow>'
        '</p:custShowLst><p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}">'
        f'<p14:sectionLst xmlns:p14="{p14}"><p14:section name="All" '
        'id="{7A1E4A08-0E43-4A0C-9D2E-0F6D0F2A7B11}">'
        f"<p14:sldIdLst>{ids}</p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst>"
        "</p:presentation>".encode(),
    )


def no_list(parts: Parts) -> None:
    parts[MAIN] = re.sub(rb"<p:sldIdLst>.*</p:sldIdLst>", b"", parts[MAIN])


def unlisted(parts: Parts) -> None:
    """As a slide is often deleted by python-pptx: its part stays."""
    parts[MAIN] = re.sub(rb'<p:sldId id="257"[^>]*/>', b"", parts[MAIN])


def all_dead(parts: Parts) -> None:
    parts[MAIN] = re.sub(rb'(<p:sldId [^>]*r:id=")', rb"\1gone", parts[MAIN])


GONE = '<p:sldId id="900" r:id="rId99"/>'


@dataclass(frozen=True)
class Flaw:
    """Something wrong with a slide list."""

    change: Callable[[Parts], None]
    slides: str = SOUND
    """The titles of the slides, in order; "-" for a slide that cannot be read."""
    dead: tuple[int, ...] = (2,)
    """The places of the entries that lead to no slide."""

    @property
    def parts(self) -> Parts:
        """All parts of the deck."""
        parts = dict(four_slides())
        self.change(parts)
        return parts

    def write(self, path: Path) -> Path:
        """The deck in a file."""
        with ZipFile(path, "w", ZIP_DEFLATED) as archive:
            for name, data in self.parts.items():
                archive.writestr(name, data)
        return path


FLAWS = {
    "nothing": Flaw(lambda _parts: None, dead=()),
    "no relationship": Flaw(entered(GONE)),
    "no relationship, at the front": Flaw(entered(GONE, after=0), dead=(1,)),
    "no relationship, at the end": Flaw(entered(GONE, after=4), dead=(5,)),
    "no relationship, twice": Flaw(entered(GONE, GONE.replace("9", "8")), dead=(2, 3)),
    "no relationship, and a slide's id": Flaw(entered(GONE.replace("900", "258"))),
    "no relationship, in a section and a show": Flaw(sections_and_show),
    "no relationship named": Flaw(entered('<p:sldId id="900"/>')),
    "an empty name of a relationship": Flaw(entered('<p:sldId id="900" r:id=""/>')),
    "no part": Flaw(linked("slide", "slides/slide99.xml")),
    "out of the file": Flaw(linked("slide", "https://example.invalid/a.xml", mode="External")),
    "a layout": Flaw(linked("slide", "slideLayouts/slideLayout1.xml")),
    "the master": Flaw(entered('<p:sldId id="900" r:id="rId1"/>')),
    "a theme": Flaw(linked("theme", "theme/theme1.xml")),
    "a picture": Flaw(picture),
    "no slide at all": Flaw(all_dead, slides="", dead=(1, 2, 3, 4)),
    "a slide that is not listed": Flaw(unlisted, slides="ACD", dead=()),
    "no list": Flaw(no_list, slides="", dead=()),
    "another kind of relationship": Flaw(slide_x("tags"), slides="AXBCD", dead=()),
    "no content type": Flaw(slide_x(typed=False), slides="AXBCD", dead=()),
    "a damaged slide": Flaw(slide_x(data=b"<p:sld"), slides="A-BCD", dead=()),
    "a slide twice": Flaw(entered('<p:sldId id="900" r:id="rId9"/>'), slides="ACBCD", dead=()),
    "a slide twice, by two relationships": Flaw(
        linked("slide", "slides/slide3.xml"), slides="ACBCD", dead=()
    ),
    "the same entry twice": Flaw(
        entered('<p:sldId id="257" r:id="rId8"/>'), slides="ABBCD", dead=()
    ),
    "an id twice": Flaw(replaced(MAIN, b'id="258"', b'id="257"'), dead=()),
    "no id": Flaw(replaced(MAIN, b'id="258" ', b""), dead=()),
    "an id that is no number": Flaw(replaced(MAIN, b'id="258"', b'id="x"'), dead=()),
    "a part in capitals": Flaw(replaced(LINKS, b"slides/slide3", b"slides/SLIDE3"), dead=()),
    "a comment": Flaw(entered("<!-- later -->"), dead=()),
    "two lists": Flaw(
        replaced(
            MAIN, b"</p:sldIdLst>",
            b'</p:sldIdLst><p:sldIdLst><p:sldId id="900" r:id="rId9"/></p:sldIdLst>',
        ),
        slides="ABCDC",
        dead=(),
    ),
}  # fmt: skip
