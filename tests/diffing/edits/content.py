"""Edits of tables, charts, diagrams and pictures."""

import struct
import zlib
from copy import deepcopy

from lxml import etree
from tests.diffing.edits.desk import COLOR, WORD, Desk, Edit, Expected, parent_of, parsed, shapes_of

from decklab.ooxml.xml import Element, qn, relationship_type

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"


def edit_cell(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        cells = [text for cell in frame.iter(qn("a:tc")) for text in cell.iter(qn("a:t"))
                 if WORD.search(text.text or "")]  # fmt: skip
        if not cells or not desk.take(part, f"{id} cells"):
            continue
        text = desk.random.choice(cells)
        text.text = WORD.sub("Quokka", text.text or "", count=1)
        desk.expected.append(Expected(part, id, "table", "cell text"))
        return True
    return False


def remove_row(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        rows = list(frame.iter(qn("a:tr")))
        merged = any(cell.get(key) for cell in frame.iter(qn("a:tc"))
                     for key in ("rowSpan", "vMerge"))  # fmt: skip
        texts = ["".join(map(str, row.itertext())) for row in rows]
        lone = [row for row, text in zip(rows, texts, strict=True) if texts.count(text) == 1]
        if len(rows) < 3 or merged or not lone or not desk.take(part, f"{id} cells"):
            continue
        row = desk.random.choice(lone)
        parent_of(row).remove(row)
        desk.expected.append(Expected(part, id, "table", "row removed"))
        return True
    return False


def chart_root(desk: Desk, part: str, frame: Element) -> Element | None:
    reference = next(frame.iter(f"{_C}chart"), None)
    link = None if reference is None else desk.draft.relationships(part).get(
        reference.get(qn("r:id")) or "")  # fmt: skip
    return None if link is None or link.target not in desk.draft else desk.draft.edit(link.target)


def edit_chart_value(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        root = chart_root(desk, part, frame)
        values = [] if root is None else list(root.iterfind(f".//{_C}val//{_C}pt/{_C}v"))
        if not values or not desk.take(part, f"{id} values"):
            continue
        desk.random.choice(values).text = "4711.25"
        desk.expected.append(Expected(part, id, "chart", "values"))
        return True
    return False


def retype_chart(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        root = chart_root(desk, part, frame)
        bars = [] if root is None else list(root.iterfind(f".//{_C}barDir"))
        if len(bars) != 1 or not desk.take(part, f"{id} type"):
            continue
        bars[0].set("val", "bar" if bars[0].get("val", "col") == "col" else "col")
        desk.expected.append(Expected(part, id, "chart", "type"))
        return True
    return False


def crop_picture(desk: Desk) -> bool:
    for part, picture, id in shapes_of(desk, "p:pic"):
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
    for part, picture, id in shapes_of(desk, "p:pic"):
        blip = picture.find(f"{qn('p:blipFill')}/{qn('a:blip')}")
        media = picture.find(f"{qn('p:nvPicPr')}/{qn('p:nvPr')}/*")
        if blip is None or not blip.get(qn("r:embed")) or media is not None:
            continue
        if not desk.take(part, f"{id} image"):
            continue
        for extension in blip.findall(qn("a:extLst")):
            blip.remove(extension)  # may name the same picture as SVG
        name = desk.draft.unused_name("ppt/media/quokka1.png")
        desk.draft.add(name, "image/png", png(desk.random.randrange(256)))
        blip.set(qn("r:embed"), desk.draft.link(part, relationship_type("image"), name))
        desk.expected.append(Expected(part, id, "picture", "image"))
        return True
    return False


def png(shade: int) -> bytes:
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
    for part, shape, id in shapes_of(desk, "p:pic", "p:graphicFrame", "p:sp"):
        if desk.take(part, f"{id} description"):
            named = shape.find(f"*/{qn('p:cNvPr')}")
            assert named is not None
            named.set("descr", "A quokka, smiling")
            desk.expected.append(Expected(part, id, "alt text", "description"))
            return True
    return False


def _plain_table(frame: Element) -> list[list[Element]]:
    """The cells by row of a table without merged cells; none for other frames."""
    rows = [row.findall(qn("a:tc")) for row in frame.iter(qn("a:tr"))]
    merged = any(cell.get(key) for row in rows for cell in row
                 for key in ("rowSpan", "vMerge", "gridSpan", "hMerge"))  # fmt: skip
    even = len({len(row) for row in rows}) == 1
    return rows if even and not merged else []


def add_row(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        rows = _plain_table(frame)
        texts = [] if not rows else [list(cell.iter(qn("a:t"))) for cell in rows[-1]]
        if not all(texts) or not texts or not desk.take(part, f"{id} cells"):
            continue
        last = parent_of(rows[-1][0])
        new = deepcopy(last)
        for number, cell in enumerate(new.findall(qn("a:tc"))):
            for place, text in enumerate(cell.iter(qn("a:t"))):
                text.text = "" if place else f"Quokka {number}"
        last.addnext(new)
        desk.expected.append(Expected(part, id, "table", "row added"))
        return True
    return False


def remove_column(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        rows = _plain_table(frame)
        columns = ["|".join("".join(map(str, cell.itertext())) for cell in column)
                   for column in zip(*rows, strict=True)]  # fmt: skip
        lone = [place for place, text in enumerate(columns) if columns.count(text) == 1]
        if len(columns) < 3 or not lone or not desk.take(part, f"{id} cells"):
            continue
        place = desk.random.choice(lone)
        widths = list(frame.iter(qn("a:gridCol")))
        parent_of(widths[place]).remove(widths[place])
        for row in rows:
            parent_of(row[place]).remove(row[place])
        desk.expected.append(Expected(part, id, "table", "column removed"))
        return True
    return False


def fill_cell(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        rows = _plain_table(frame)
        if not rows or not desk.take(part, f"{id} cells"):
            continue
        cell = desk.random.choice(desk.random.choice(rows))
        properties = cell.find(qn("a:tcPr"))
        if properties is None:
            properties = etree.SubElement(cell, qn("a:tcPr"))
        for tag in ("a:noFill", "a:solidFill", "a:gradFill", "a:blipFill", "a:pattFill"):
            for old in properties.findall(qn(tag)):
                properties.remove(old)
        lines = [item for item in properties if item.tag.startswith(qn("a:ln"))]
        fill = parsed(f'<a:solidFill><a:srgbClr val="{COLOR}"/></a:solidFill>')
        properties.insert(len(lines), fill)
        desk.expected.append(Expected(part, id, "style", "cell.fill"))
        return True
    return False


def remove_series(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        root = chart_root(desk, part, frame)
        series = [] if root is None else list(root.iter(f"{_C}ser"))
        names = ["".join(text.text or "" for text in one.iterfind(f"{_C}tx//{_C}v"))
                 for one in series]  # fmt: skip
        if len(series) < 2 or "" in names or len({*names}) < len(names):
            continue
        if not desk.take(part, f"{id} values", f"{id} type", f"{id} categories"):
            continue
        parent_of(series[-1]).remove(series[-1])
        desk.expected.append(Expected(part, id, "chart", "series removed"))
        return True
    return False


def rename_category(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        root = chart_root(desk, part, frame)
        lists = [] if root is None else list(root.iterfind(f".//{_C}cat//{_C}strCache"))
        points = [point for one in lists for point in one.findall(f"{_C}pt")
                  if point.get("idx") == "0" and point.find(f"{_C}v") is not None]  # fmt: skip
        if not points or len(points) < len(lists) or not desk.take(part, f"{id} categories"):
            continue
        for point in points:
            value = point.find(f"{_C}v")
            assert value is not None
            value.text = "Quokkas"
        desk.expected.append(Expected(part, id, "chart", "categories"))
        return True
    return False


def reword_diagram(desk: Desk) -> bool:
    for part, frame, id in shapes_of(desk, "p:graphicFrame"):
        named = next(frame.iter(qn("dgm:relIds")), None)
        link = None if named is None else desk.draft.relationships(part).get(
            named.get(qn("r:dm")) or "")  # fmt: skip
        if link is None or link.target not in desk.draft:
            continue
        texts = [text for text in desk.draft.edit(link.target).iter(qn("a:t"))
                 if WORD.search(text.text or "")]  # fmt: skip
        if texts and desk.take(part, f"{id} diagram"):
            texts[0].text = "Quokkas"
            desk.expected.append(Expected(part, id, "diagram", "nodes"))
            return True
    return False


CONTENT: dict[str, Edit] = {
    "cell": edit_cell,
    "row": remove_row,
    "add row": add_row,
    "column": remove_column,
    "cell fill": fill_cell,
    "chart value": edit_chart_value,
    "chart type": retype_chart,
    "chart series": remove_series,
    "chart category": rename_category,
    "diagram": reword_diagram,
    "crop": crop_picture,
    "picture": replace_picture,
    "alt text": describe_picture,
}
