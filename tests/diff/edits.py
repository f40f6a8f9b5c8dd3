"""Known edits of real decks, made in the XML, each with the changes that a diff has to report.

Nothing here reads a deck through decklab's snapshot: edits are chosen and foretold from the XML
alone. ``edit_deck`` makes some of them, no two on the same thing.
"""

import random
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from decklab.ooxml.names import qn, relationship_type
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import Element
from decklab.ooxml.relationships import relationships_part
from decklab.ooxml.slides import Draft, clone_slide, delete_slide, move_slide, slide_entries

SPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
COLOR = "12AB56"
"""One that no deck uses by chance, like the sizes and names below."""
_WORD = re.compile(r"[A-Za-z]{3,}")
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"


@dataclass(frozen=True)
class Expected:
    """A change that the diff has to report: where, and what."""

    part: str
    """Part of the slide, layout, master or theme; empty for the deck itself."""
    shape: int | None
    kind: str
    property: str


@dataclass
class Desk:
    """A deck being edited, and what has been touched."""

    draft: Draft
    random: random.Random
    touched: set[tuple[str, str]] = field(default_factory=set)
    expected: list[Expected] = field(default_factory=list)

    def take(self, part: str, *whats: str) -> bool:
        """Reserve things of a part for one edit; False where another edit has one of them."""
        keys = {(part, what) for what in whats}
        if keys & self.touched or (part, "all") in self.touched:
            return False
        self.touched |= keys
        return True

    def slides(self) -> list[str]:
        parts = [entry.part for entry in slide_entries(self.draft)]
        self.random.shuffle(parts)
        return parts


Edit = Callable[[Desk], bool]
"""Makes one edit where the deck offers a place for it; False where it does not."""


def edit_deck(
    path: Path, out: Path, kinds: list[str], seed: int
) -> tuple[list[str], list[Expected]]:
    """Make the edits that the deck has a place for; the names of those made, what to expect."""
    made = []
    with Package.open(path) as package:
        desk = Desk(Draft(package), random.Random(seed))
        for kind in sorted(kinds, key=lambda one: one in WHOLE_SLIDES):
            if EDITS[kind](desk):
                made.append(kind)
        desk.draft.save(out)
    return made, desk.expected


def _shapes(desk: Desk, *tags: str, nested: bool = True) -> Iterator[tuple[str, Element, int]]:
    """Slide part, element and id of shapes of some kinds, in random order."""
    for part in desk.slides():
        tree = desk.draft.xml(part).find(f"{qn('p:cSld')}/{qn('p:spTree')}")
        if tree is None:
            continue
        found = [
            item
            for tag in tags
            for item in (tree.iter(qn(tag)) if nested else tree.findall(qn(tag)))
        ]
        ids = [item.get("id") for item in tree.iter(qn("p:cNvPr"))]
        desk.random.shuffle(found)
        for item in found:
            id = _id(item)
            alternative = any(up.tag.startswith("{http://schemas.openxmlformats.org/markup")
                              for up in item.iterancestors())  # fmt: skip
            new = Expected(part, id, "added", "shape") in desk.expected
            if id is None or ids.count(str(id)) > 1 or alternative or new:
                continue
            yield part, _live(desk, part, id), id


def _live(desk: Desk, part: str, id: int) -> Element:
    """The shape to edit: what was looked through is a copy."""
    named = next(
        item for item in desk.draft.edit(part).iter(qn("p:cNvPr")) if item.get("id") == str(id)
    )
    return _above(_above(named))


def _above(element: Element) -> Element:
    found = element.getparent()
    assert found is not None
    return found


def _id(shape: Element) -> int | None:
    named = shape.find(f"*/{qn('p:cNvPr')}")
    stated = None if named is None else named.get("id")
    return int(stated) if stated and stated.isdigit() else None


def parsed(text: str) -> Element:
    """An element written in the usual prefixes."""
    head, _, tail = text.partition(" ") if " " in text.partition(">")[0] else (
        text.partition(">")[0].rstrip("/"), "", "")  # fmt: skip
    if tail:
        return etree.fromstring(f"{head} {SPACES} {tail}")
    return etree.fromstring(text.replace(head, f"{head} {SPACES}", 1))


def _runs(shape: Element) -> list[Element]:
    """Plain runs with a word in them, outside tables."""
    body = shape.find(qn("p:txBody"))
    return [] if body is None else [
        run for run in body.iter(qn("a:r")) if _WORD.search(run.findtext(qn("a:t")) or "")
    ]  # fmt: skip


def _properties(run: Element) -> Element:
    found = run.find(qn("a:rPr"))
    if found is None:
        found = etree.Element(qn("a:rPr"))
        run.insert(0, found)
    return found


def replace_word(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:sp"):
        for run in _runs(shape):
            if not desk.take(part, f"{id} text", f"{id} style", f"{id} link"):
                break
            text = run.find(qn("a:t"))
            assert text is not None and text.text
            text.text = _WORD.sub("Quokka", text.text, count=1)
            desk.expected.append(Expected(part, id, "text", "text"))
            return True
    return False


def _set_font(change: Callable[[Element], bool], property: str) -> Edit:
    def edit(desk: Desk) -> bool:
        for part, shape, id in _shapes(desk, "p:sp"):
            for run in _runs(shape):
                properties = _properties(run)
                if f"{id} text" in {what for one, what in desk.touched if one == part}:
                    break
                if properties.find(qn("a:hlinkClick")) is not None:
                    continue
                if (part, f"{id} style") in desk.touched or not change(properties):
                    continue
                if not desk.take(part, f"{id} style", f"{id} text", f"{id} link"):
                    break
                desk.expected.append(Expected(part, id, "style", property))
                return True
        return False

    return edit


def _size(properties: Element) -> bool:
    properties.set("sz", "1730")
    return True


def _bold(properties: Element) -> bool:
    if properties.get("b") not in ("0", "1"):
        return False
    properties.set("b", "1" if properties.get("b") == "0" else "0")
    return True


def _underline(properties: Element) -> bool:
    properties.set("u", "wavyHeavy")
    return True


def _face(properties: Element) -> bool:
    for old in properties.findall(qn("a:latin")):
        properties.remove(old)
    new = parsed('<a:latin typeface="Quokka Sans"/>')
    before = [child for child in properties if child.tag in (
        qn("a:ln"), qn("a:noFill"), qn("a:solidFill"), qn("a:gradFill"), qn("a:blipFill"),
        qn("a:pattFill"), qn("a:grpFill"), qn("a:effectLst"), qn("a:effectDag"),
        qn("a:highlight"), qn("a:uLnTx"), qn("a:uLn"), qn("a:uFillTx"), qn("a:uFill"))]  # fmt: skip
    properties.insert(1 + properties.index(before[-1]) if before else 0, new)
    return True


def _ink(properties: Element) -> bool:
    for tag in ("a:noFill", "a:solidFill", "a:gradFill", "a:blipFill", "a:pattFill", "a:grpFill"):
        for old in properties.findall(qn(tag)):
            properties.remove(old)
    fill = parsed(f'<a:solidFill><a:srgbClr val="{COLOR}"/></a:solidFill>')
    properties.insert(1 if properties.find(qn("a:ln")) is not None else 0, fill)
    return True


def align_paragraph(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:sp"):
        for run in _runs(shape):
            paragraph = run.getparent()
            assert paragraph is not None
            if not desk.take(part, f"{id} paragraph", f"{id} text"):
                break
            properties = paragraph.find(qn("a:pPr"))
            if properties is None:
                properties = etree.Element(qn("a:pPr"))
                paragraph.insert(0, properties)
            properties.set("algn", "dist")
            desk.expected.append(Expected(part, id, "style", "paragraph.align"))
            return True
    return False


def _transform(shape: Element) -> Element | None:
    found = shape.find(f"{qn('p:spPr')}/{qn('a:xfrm')}")
    return shape.find(qn("p:xfrm")) if found is None else found


def _is_line(shape: Element) -> bool:
    geometry = shape.find(f"{qn('p:spPr')}/{qn('a:prstGeom')}")
    return geometry is not None and "line" in (geometry.get("prst") or "").lower()


def _place(tag: str, attribute: str, by: int, property: str) -> Edit:
    def edit(desk: Desk) -> bool:
        for part, shape, id in _shapes(desk, "p:sp", "p:pic", "p:graphicFrame", nested=False):
            transform = _transform(shape)
            place = None if transform is None else transform.find(qn(tag))
            if place is None or _is_line(shape) or not desk.take(part, f"{id} {property}"):
                continue
            place.set(attribute, str(int(place.get(attribute) or 0) + by))
            desk.expected.append(Expected(part, id, "geometry", property))
            return True
        return False

    return edit


def rotate(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:sp", "p:pic", nested=False):
        transform = _transform(shape)
        if transform is None or _is_line(shape) or not desk.take(part, f"{id} rotation"):
            continue
        transform.set("rot", str((int(transform.get("rot") or 0) + 1_260_000) % 21_600_000))
        desk.expected.append(Expected(part, id, "geometry", "rotation"))
        return True
    return False


def move_group(desk: Desk) -> bool:
    for part, group, id in _shapes(desk, "p:grpSp", nested=False):
        place = group.find(f"{qn('p:grpSpPr')}/{qn('a:xfrm')}/{qn('a:off')}")
        ids = [_id(item) for item in group.iter() if isinstance(item.tag, str)]
        if place is None or not desk.take(part, *(f"{one} position" for one in ids if one)):
            continue
        place.set("x", str(int(place.get("x") or 0) + 431_000))
        desk.expected.append(Expected(part, id, "geometry", "position"))
        return True
    return False


def bring_to_front(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:sp", "p:pic", nested=False):
        later = [one for one in shape.itersiblings() if one.tag in (qn("p:sp"), qn("p:pic"))]
        if len(later) < 4 or not desk.take(part, "z"):
            continue
        later[-1].addnext(shape)
        desk.expected.append(Expected(part, id, "z-order", "z"))
        return True
    return False


def fill_shape(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:sp"):
        properties = shape.find(qn("p:spPr"))
        old = None if properties is None else properties.find(qn("a:solidFill"))
        if old is None or _is_line(shape) or not desk.take(part, f"{id} fill"):
            continue
        old.addprevious(parsed(f'<a:solidFill><a:srgbClr val="{COLOR}"/></a:solidFill>'))
        _above(old).remove(old)
        desk.expected.append(Expected(part, id, "style", "fill"))
        return True
    return False


def widen_line(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:sp", "p:cxnSp", "p:pic"):
        line = shape.find(f"{qn('p:spPr')}/{qn('a:ln')}")
        if line is None or line.find(qn("a:solidFill")) is None:
            continue
        if not desk.take(part, f"{id} line"):
            continue
        line.set("w", str(int(line.get("w") or 9525) + 33_333))
        desk.expected.append(Expected(part, id, "style", "line.width"))
        return True
    return False


def add_text_box(desk: Desk) -> bool:
    for part in desk.slides():
        if not desk.take(part, "added"):
            continue
        tree = desk.draft.edit(part).find(f"{qn('p:cSld')}/{qn('p:spTree')}")
        if tree is None:
            continue
        id = 1 + max(int(item.get("id") or 0) for item in tree.iter(qn("p:cNvPr")))
        box = parsed(
            f'<p:sp><p:nvSpPr><p:cNvPr id="{id}" name="Note {id}"/><p:cNvSpPr txBox="1"/><p:nvPr/>'
            '</p:nvSpPr><p:spPr><a:xfrm><a:off x="900000" y="900000"/><a:ext cx="2000000" '
            'cy="400000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
            "<p:txBody><a:bodyPr/><a:p><a:r><a:t>Quokkas were here</a:t></a:r></a:p></p:txBody>"
            "</p:sp>"
        )
        last = [item for item in tree if item.tag != qn("p:extLst")][-1]
        last.addnext(box)
        desk.expected.append(Expected(part, id, "added", "shape"))
        return True
    return False


def remove_shape(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:sp", "p:pic", nested=False):
        root = desk.draft.edit(part)
        glued = (qn("a:stCxn"), qn("a:endCxn"))
        referred = [
            item
            for item in root.iter()
            if item.get("spid") == str(id) or (item.tag in glued and item.get("id") == str(id))
        ]
        busy = any(
            one == part and what.startswith((f"{id} ", "z", "comments", "timing"))
            for one, what in desk.touched
        )
        whats = ("text", "style", "link", "position", "size", "fill", "rotation", "click", "crop")
        if referred or busy or _is_line(shape):
            continue
        if not desk.take(part, *(f"{id} {what}" for what in whats)):
            continue
        kind = "shape" if shape.tag == qn("p:sp") else "image"
        if kind == "image" and shape.find(f"{qn('p:nvPicPr')}/{qn('p:nvPr')}/*") is not None:
            continue  # a poster of a video, most likely
        _above(shape).remove(shape)
        desk.expected.append(Expected(part, id, "removed", kind))
        return True
    return False


def edit_cell(desk: Desk) -> bool:
    for part, frame, id in _shapes(desk, "p:graphicFrame"):
        cells = [text for cell in frame.iter(qn("a:tc")) for text in cell.iter(qn("a:t"))
                 if _WORD.search(text.text or "")]  # fmt: skip
        if not cells or not desk.take(part, f"{id} cells"):
            continue
        text = desk.random.choice(cells)
        text.text = _WORD.sub("Quokka", text.text or "", count=1)
        desk.expected.append(Expected(part, id, "table", "cell text"))
        return True
    return False


def remove_row(desk: Desk) -> bool:
    for part, frame, id in _shapes(desk, "p:graphicFrame"):
        rows = list(frame.iter(qn("a:tr")))
        merged = any(cell.get(key) for cell in frame.iter(qn("a:tc"))
                     for key in ("rowSpan", "vMerge"))  # fmt: skip
        texts = ["".join(map(str, row.itertext())) for row in rows]
        lone = [row for row, text in zip(rows, texts, strict=True) if texts.count(text) == 1]
        if len(rows) < 3 or merged or not lone or not desk.take(part, f"{id} cells"):
            continue
        row = desk.random.choice(lone)
        _above(row).remove(row)
        desk.expected.append(Expected(part, id, "table", "row removed"))
        return True
    return False


def _chart_root(desk: Desk, part: str, frame: Element) -> Element | None:
    reference = next(frame.iter(f"{_C}chart"), None)
    link = None if reference is None else desk.draft.relationships(part).get(
        reference.get(qn("r:id")) or "")  # fmt: skip
    return None if link is None or link.target not in desk.draft else desk.draft.edit(link.target)


def edit_chart_value(desk: Desk) -> bool:
    for part, frame, id in _shapes(desk, "p:graphicFrame"):
        root = _chart_root(desk, part, frame)
        values = [] if root is None else list(root.iterfind(f".//{_C}val//{_C}pt/{_C}v"))
        if not values or not desk.take(part, f"{id} values"):
            continue
        desk.random.choice(values).text = "4711.25"
        desk.expected.append(Expected(part, id, "chart", "values"))
        return True
    return False


def retype_chart(desk: Desk) -> bool:
    for part, frame, id in _shapes(desk, "p:graphicFrame"):
        root = _chart_root(desk, part, frame)
        bars = [] if root is None else list(root.iterfind(f".//{_C}barDir"))
        if len(bars) != 1 or not desk.take(part, f"{id} type"):
            continue
        bars[0].set("val", "bar" if bars[0].get("val", "col") == "col" else "col")
        desk.expected.append(Expected(part, id, "chart", "type"))
        return True
    return False


def crop_picture(desk: Desk) -> bool:
    for part, picture, id in _shapes(desk, "p:pic"):
        fill = picture.find(qn("p:blipFill"))
        blip = None if fill is None else fill.find(qn("a:blip"))
        media = picture.find(f"{qn('p:nvPicPr')}/{qn('p:nvPr')}/*")
        if fill is None or blip is None or media is not None or not desk.take(part, f"{id} crop"):
            continue
        crop = fill.find(qn("a:srcRect"))
        if crop is None:
            crop = etree.Element(qn("a:srcRect"))
            blip.addnext(crop)
        crop.set("l", str(int(crop.get("l") or 0) + 12_345))
        desk.expected.append(Expected(part, id, "picture", "crop"))
        return True
    return False


def replace_picture(desk: Desk) -> bool:
    for part, picture, id in _shapes(desk, "p:pic"):
        blip = picture.find(f"{qn('p:blipFill')}/{qn('a:blip')}")
        media = picture.find(f"{qn('p:nvPicPr')}/{qn('p:nvPr')}/*")
        if blip is None or not blip.get(qn("r:embed")) or media is not None:
            continue
        if not desk.take(part, f"{id} image"):
            continue
        for extension in blip.findall(qn("a:extLst")):
            blip.remove(extension)  # may name the same picture as SVG
        name = desk.draft.unused_name("ppt/media/quokka1.png")
        desk.draft.add(name, "image/png", _png(desk.random.randrange(256)))
        blip.set(qn("r:embed"), desk.draft.link(part, relationship_type("image"), name))
        desk.expected.append(Expected(part, id, "picture", "image"))
        return True
    return False


def _png(shade: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + bytes((shade, 90, 200)) * 4 for _ in range(4))
    head = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )  # fmt: skip


def describe_picture(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:pic", "p:graphicFrame", "p:sp"):
        if desk.take(part, f"{id} description"):
            named = shape.find(f"*/{qn('p:cNvPr')}")
            assert named is not None
            named.set("descr", "A quokka, smiling")
            desk.expected.append(Expected(part, id, "alt text", "description"))
            return True
    return False


def link_shape(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:sp", "p:pic"):
        named = shape.find(f"*/{qn('p:cNvPr')}")
        assert named is not None
        if named.find(qn("a:hlinkClick")) is None and desk.take(part, f"{id} click"):
            named.insert(0, _link(desk, part))
            desk.expected.append(Expected(part, id, "link", "click"))
            return True
    return False


def link_words(desk: Desk) -> bool:
    for part, shape, id in _shapes(desk, "p:sp"):
        for run in _runs(shape):
            properties = _properties(run)
            if properties.find(qn("a:hlinkClick")) is not None:
                continue
            if not desk.take(part, f"{id} link", f"{id} style", f"{id} text"):
                break
            link = _link(desk, part)
            later = [child for child in properties if child.tag in (
                qn("a:hlinkMouseOver"), qn("a:rtl"), qn("a:extLst"))]  # fmt: skip
            properties.insert(properties.index(later[0]) if later else len(properties), link)
            desk.expected.append(Expected(part, id, "link", "click"))
            return True
    return False


def _link(desk: Desk, part: str) -> Element:
    id = desk.draft.link(part, relationship_type("hyperlink"), "quokka")
    rels = desk.draft.edit(relationships_part(part))
    entry = next(item for item in rels if item.get("Id") == id)
    entry.set("Target", "https://example.org/quokka")
    entry.set("TargetMode", "External")
    return parsed(f'<a:hlinkClick r:id="{id}"/>')


def rewrite_notes(desk: Desk) -> bool:
    for part in desk.slides():
        for notes in desk.draft.related(part, "notesSlide"):
            root = desk.draft.edit(notes)
            texts = [text for shape in root.iter(qn("p:sp"))
                     if shape.find(f"*/*/{qn('p:ph')}[@type='body']") is not None
                     for run in shape.iter(qn("a:r"))
                     if (text := run.find(qn("a:t"))) is not None and text.text]  # fmt: skip
            if texts and desk.take(part, "notes"):
                texts[0].text = "Mention the quokka."
                desk.expected.append(Expected(part, None, "notes", "text"))
                return True
    return False


_AFTER_TRANSITION = (qn("p:timing"), qn("p:extLst"))


def set_transition(desk: Desk) -> bool:
    for part in desk.slides():
        root = desk.draft.edit(part)
        if any(item.tag.startswith("{http://schemas.openxmlformats.org/markup") for item in root):
            continue
        if not desk.take(part, "transition"):
            continue
        old = root.find(qn("p:transition"))
        named = old is not None
        new = parsed('<p:transition spd="slow"><p:newsflash/></p:transition>')
        if old is not None:
            root.remove(old)
        later = [child for child in root if child.tag in _AFTER_TRANSITION]
        root.insert(root.index(later[0]) if later else len(root), new)
        property = "effect" if named else "added"
        desk.expected.append(Expected(part, None, "transition", property))
        return True
    return False


EFFECT = (
    '<p:timing><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot">'
    '<p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" '
    'nodeType="mainSeq"><p:childTnLst><p:par><p:cTn id="3" fill="hold"><p:stCondLst>'
    '<p:cond delay="indefinite"/></p:stCondLst><p:childTnLst><p:par><p:cTn id="4" fill="hold">'
    '<p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst><p:par><p:cTn id="5" '
    'presetID="10" presetClass="entr" presetSubtype="0" fill="hold" nodeType="clickEffect">'
    '<p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst><p:animEffect transition="in" '
    'filter="fade"><p:cBhvr><p:cTn id="7" dur="500"/><p:tgtEl><p:spTgt spid="{id}"/></p:tgtEl>'
    "</p:cBhvr></p:animEffect></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>"
    "</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par>"
    "</p:tnLst></p:timing>"
)


def add_animation(desk: Desk) -> bool:
    for part, _shape, id in _shapes(desk, "p:sp", "p:pic", nested=False):
        root = desk.draft.edit(part)
        if root.find(f".//{qn('p:timing')}") is not None or not desk.take(part, "timing"):
            continue
        later = root.find(qn("p:extLst"))
        timing = parsed(EFFECT.format(id=id))
        root.append(timing) if later is None else later.addprevious(timing)
        desk.expected.append(Expected(part, id, "animation", "added"))
        return True
    return False


def retrigger_animation(desk: Desk) -> bool:
    for part in desk.slides():
        root = desk.draft.edit(part)
        for node in root.iter(qn("p:cTn")):
            target = next(node.iter(qn("p:spTgt")), None)
            if node.get("nodeType") != "afterEffect" or target is None:
                continue
            if not desk.take(part, "timing"):
                break
            node.set("nodeType", "withEffect")
            id = int(target.get("spid") or 0)
            desk.expected.append(Expected(part, id, "animation", "trigger"))
            return True
    return False


def hide_slide(desk: Desk) -> bool:
    for part in desk.slides():
        root = desk.draft.edit(part)
        if root.get("show") is None and desk.take(part, "hidden"):
            root.set("show", "0")
            desk.expected.append(Expected(part, None, "slide", "hidden"))
            return True
    return False


def paint_background(desk: Desk) -> bool:
    for part in desk.slides():
        if not desk.take(part, "background"):
            continue
        slide = desk.draft.edit(part).find(qn("p:cSld"))
        assert slide is not None
        for old in slide.findall(qn("p:bg")):
            slide.remove(old)
        slide.insert(0, parsed(
            f'<p:bg><p:bgPr><a:solidFill><a:srgbClr val="{COLOR}"/></a:solidFill><a:effectLst/>'
            "</p:bgPr></p:bg>"))  # fmt: skip
        desk.expected.append(Expected(part, None, "slide", "background"))
        return True
    return False


def recolor_theme(desk: Desk) -> bool:
    for master in _masters(desk):
        for theme in desk.draft.related(master, "theme"):
            slot = desk.draft.edit(theme).find(f".//{qn('a:clrScheme')}/{qn('a:accent2')}")
            if slot is not None and desk.take(theme, "accent2"):
                slot[:] = [parsed(f'<a:srgbClr val="{COLOR}"/>')]
                desk.expected.append(Expected(theme, None, "theme", "color accent2"))
                return True
    return False


def reface_theme(desk: Desk) -> bool:
    for master in _masters(desk):
        for theme in desk.draft.related(master, "theme"):
            face = desk.draft.edit(theme).find(f".//{qn('a:minorFont')}/{qn('a:latin')}")
            if face is not None and desk.take(theme, "minor"):
                face.set("typeface", "Wombat Sans")
                desk.expected.append(Expected(theme, None, "theme", "font minor"))
                return True
    return False


def _masters(desk: Desk) -> list[str]:
    layouts = [one for slide in desk.slides() for one in desk.draft.related(slide, "slideLayout")]
    found = dict.fromkeys(
        master for layout in layouts for master in desk.draft.related(layout, "slideMaster")
    )
    return list(found)


def move_on_layout(desk: Desk) -> bool:
    for slide in desk.slides():
        for layout in desk.draft.related(slide, "slideLayout"):
            tree = desk.draft.edit(layout).find(f"{qn('p:cSld')}/{qn('p:spTree')}")
            for shape in () if tree is None else tree.findall(qn("p:sp")):
                transform, id = _transform(shape), _id(shape)
                place = None if transform is None else transform.find(qn("a:off"))
                if place is None or id is None or _is_line(shape) or not desk.take(layout, "moved"):
                    continue
                place.set("y", str(int(place.get("y") or 0) + 313_000))
                desk.expected.append(Expected(layout, id, "layout", "position"))
                return True
    return False


def resize_master_title(desk: Desk) -> bool:
    for master in _masters(desk):
        root = desk.draft.edit(master)
        level = root.find(
            f"{qn('p:txStyles')}/{qn('p:titleStyle')}/{qn('a:lvl1pPr')}/{qn('a:defRPr')}"
        )
        titles = [shape for shape in root.iter(qn("p:sp"))
                  if shape.find(f"*/*/{qn('p:ph')}[@type='title']") is not None]  # fmt: skip
        plain = len(titles) == 1 and not titles[0].xpath(".//*[@sz]") and _runs(titles[0])
        if level is None or not plain or not desk.take(master, "title"):
            continue
        level.set("sz", "3730")
        desk.expected.append(Expected(master, _id(titles[0]), "master", "font.size"))
        return True
    return False


def rename_section(desk: Desk) -> bool:
    root = desk.draft.edit(desk.draft.main_part)
    for item in root.iter("{http://schemas.microsoft.com/office/powerpoint/2010/main}section"):
        if desk.take("", "section"):
            item.set("name", "Quokkas")
            desk.expected.append(Expected("", None, "section", "name"))
            return True
    return False


def retitle_deck(desk: Desk) -> bool:
    title = "{http://purl.org/dc/elements/1.1/}title"
    for part in desk.draft.names:
        if desk.draft.content_type(part) != (
            "application/vnd.openxmlformats-package.core-properties+xml"
        ):
            continue
        found = desk.draft.edit(part).find(title)
        if found is not None and desk.take("", "title"):
            found.text = "On quokkas"
            desk.expected.append(Expected("", None, "properties", "title"))
            return True
    return False


def edit_comment(desk: Desk) -> bool:
    for part in desk.slides():
        for comments in desk.draft.related(part, "comments"):
            root = desk.draft.edit(comments)
            text = next(root.iter(qn("p:text"), qn("a:t")), None)
            if text is not None and desk.take(part, "comments"):
                text.text = "Is that a quokka?"
                desk.expected.append(Expected(part, None, "comment", "text"))
                return True
    return False


def relayout(desk: Desk) -> bool:
    for part in desk.slides():
        (layout,) = desk.draft.related(part, "slideLayout")
        (master,) = desk.draft.related(layout, "slideMaster")
        others = [one for one in desk.draft.related(master, "slideLayout") if one != layout]
        if not others or not desk.take(part, "layout"):
            continue
        rels = desk.draft.edit(relationships_part(part))
        entry = next(item for item in rels if (item.get("Type") or "").endswith("/slideLayout"))
        entry.set("Target", "/" + desk.random.choice(others))
        desk.expected.append(Expected(part, None, "layout", "layout"))
        return True
    return False


def remove_slide(desk: Desk) -> bool:
    if len(desk.slides()) < 3:
        return False
    for part in desk.slides():
        if {one for one, _what in desk.touched} & {part} or _linked(desk, part):
            continue
        desk.touched.add((part, "all"))
        delete_slide(desk.draft, part)
        desk.expected.append(Expected(part, None, "slide", "removed"))
        return True
    return False


def _linked(desk: Desk, part: str) -> bool:
    return any(link.target == part for other in desk.slides() if other != part
               for link in desk.draft.relationships(other).values())  # fmt: skip


def copy_slide(desk: Desk) -> bool:
    part = desk.slides()[0]
    if (part, "all") in desk.touched:
        return False
    name = clone_slide(desk.draft, part)
    desk.touched.add((name, "all"))
    desk.expected.append(Expected(name, None, "slide", "added"))
    return True


def move_far(desk: Desk) -> bool:
    entries = slide_entries(desk.draft)
    if len(entries) < 4 or not desk.take("", "order"):
        return False
    entry = desk.random.choice(entries)
    count = len(entries)
    place = entry.number + 3 if entry.number + 3 <= count else entry.number - 3
    if place < 1 or (entry.part, "all") in desk.touched:
        return False
    move_slide(desk.draft, entry.part, place)
    desk.expected.append(Expected(entry.part, None, "slide", "moved"))
    return True


WHOLE_SLIDES = ("move slide", "copy slide", "remove slide")
"""Edits that come last, since they change which slides there are."""

EDITS: dict[str, Edit] = {
    "word": replace_word,
    "size": _set_font(_size, "font.size"),
    "bold": _set_font(_bold, "font.bold"),
    "underline": _set_font(_underline, "font.underline"),
    "typeface": _set_font(_face, "font.name"),
    "color": _set_font(_ink, "font.color"),
    "align": align_paragraph,
    "position": _place("a:off", "x", 317_000, "position"),
    "extent": _place("a:ext", "cx", 417_000, "size"),
    "rotation": rotate,
    "group": move_group,
    "front": bring_to_front,
    "fill": fill_shape,
    "line": widen_line,
    "add": add_text_box,
    "remove": remove_shape,
    "cell": edit_cell,
    "row": remove_row,
    "chart value": edit_chart_value,
    "chart type": retype_chart,
    "crop": crop_picture,
    "picture": replace_picture,
    "alt text": describe_picture,
    "shape link": link_shape,
    "word link": link_words,
    "notes": rewrite_notes,
    "transition": set_transition,
    "add animation": add_animation,
    "animation": retrigger_animation,
    "hide": hide_slide,
    "background": paint_background,
    "theme color": recolor_theme,
    "theme font": reface_theme,
    "layout shape": move_on_layout,
    "master title": resize_master_title,
    "section": rename_section,
    "title": retitle_deck,
    "comment": edit_comment,
    "layout": relayout,
    "move slide": move_far,
    "copy slide": copy_slide,
    "remove slide": remove_slide,
}
