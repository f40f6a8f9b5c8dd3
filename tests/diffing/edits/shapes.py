"""Edits of shapes: where they stand, how they look, which there are."""

from tests.diffing.edits.content import png
from tests.diffing.edits.desk import (
    COLOR,
    Desk,
    Edit,
    Expected,
    id_of,
    is_line,
    parent_of,
    parsed,
    shapes_of,
    transform_of,
)

from decklab.ooxml.xml import qn, relationship_type


def _place(tag: str, attribute: str, by: int, property: str) -> Edit:
    def edit(desk: Desk) -> bool:
        for part, shape, id in shapes_of(desk, "p:sp", "p:pic", "p:graphicFrame", nested=False):
            transform = transform_of(shape)
            place = None if transform is None else transform.find(qn(tag))
            if place is None or is_line(shape) or not desk.take(part, f"{id} {property}"):
                continue
            place.set(attribute, str(int(place.get(attribute) or 0) + by))
            desk.expected.append(Expected(part, id, "geometry", property))
            return True
        return False

    return edit


def rotate(desk: Desk) -> bool:
    for part, shape, id in shapes_of(desk, "p:sp", "p:pic", nested=False):
        transform = transform_of(shape)
        if transform is None or is_line(shape) or not desk.take(part, f"{id} rotation"):
            continue
        transform.set("rot", str((int(transform.get("rot") or 0) + 1_260_000) % 21_600_000))
        desk.expected.append(Expected(part, id, "geometry", "rotation"))
        return True
    return False


def move_group(desk: Desk) -> bool:
    for part, group, id in shapes_of(desk, "p:grpSp", nested=False):
        place = group.find(f"{qn('p:grpSpPr')}/{qn('a:xfrm')}/{qn('a:off')}")
        ids = [id_of(item) for item in group.iter() if isinstance(item.tag, str)]
        if place is None or not desk.take(part, *(f"{one} position" for one in ids if one)):
            continue
        place.set("x", str(int(place.get("x") or 0) + 431_000))
        desk.expected.append(Expected(part, id, "geometry", "position"))
        return True
    return False


def flip_group(desk: Desk) -> bool:
    for part, group, id in shapes_of(desk, "p:grpSp", nested=False):
        transform = group.find(f"{qn('p:grpSpPr')}/{qn('a:xfrm')}")
        ids = [id_of(item) for item in group.iter() if isinstance(item.tag, str)]
        if transform is None or transform.get("flipH") or transform.get("flipV"):
            continue
        places = ("position", "size", "rotation", "flip")
        if not desk.take(part, *(f"{one} {what}" for one in ids if one for what in places)):
            continue
        transform.set("flipH", "1")
        desk.expected.append(Expected(part, id, "geometry", "flip_h"))
        return True
    return False


def bring_to_front(desk: Desk) -> bool:
    for part, shape, id in shapes_of(desk, "p:sp", "p:pic", nested=False):
        later = [one for one in shape.itersiblings() if one.tag in (qn("p:sp"), qn("p:pic"))]
        if len(later) < 4 or not desk.take(part, "z"):
            continue
        later[-1].addnext(shape)
        desk.expected.append(Expected(part, id, "z-order", "z"))
        return True
    return False


def fill_shape(desk: Desk) -> bool:
    for part, shape, id in shapes_of(desk, "p:sp"):
        properties = shape.find(qn("p:spPr"))
        old = None if properties is None else properties.find(qn("a:solidFill"))
        if old is None or is_line(shape) or not desk.take(part, f"{id} fill"):
            continue
        old.addprevious(parsed(f'<a:solidFill><a:srgbClr val="{COLOR}"/></a:solidFill>'))
        parent_of(old).remove(old)
        desk.expected.append(Expected(part, id, "style", "fill"))
        return True
    return False


def widen_line(desk: Desk) -> bool:
    for part, shape, id in shapes_of(desk, "p:sp", "p:cxnSp", "p:pic"):
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
    for part, shape, id in shapes_of(desk, "p:sp", "p:pic", nested=False):
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
        if referred or busy or is_line(shape):
            continue
        if not desk.take(part, *(f"{id} {what}" for what in whats)):
            continue
        kind = "shape" if shape.tag == qn("p:sp") else "image"
        if kind == "image" and shape.find(f"{qn('p:nvPicPr')}/{qn('p:nvPr')}/*") is not None:
            continue  # a poster of a video, most likely
        parent_of(shape).remove(shape)
        desk.expected.append(Expected(part, id, "removed", kind))
        return True
    return False


def flip(desk: Desk) -> bool:
    for part, shape, id in shapes_of(desk, "p:pic", "p:sp", nested=False):
        transform = transform_of(shape)
        if transform is None or is_line(shape) or transform.get("flipV") in ("1", "true"):
            continue
        if not desk.take(part, f"{id} flip"):
            continue
        mirrored = transform.get("flipH") in ("1", "true")
        transform.set("flipH", "0" if mirrored else "1")
        desk.expected.append(Expected(part, id, "geometry", "flip_h"))
        return True
    return False


def add_picture(desk: Desk) -> bool:
    for part in desk.slides():
        tree = desk.draft.edit(part).find(f"{qn('p:cSld')}/{qn('p:spTree')}")
        if tree is None or not desk.take(part, "added"):
            continue
        id = 1 + max(int(item.get("id") or 0) for item in tree.iter(qn("p:cNvPr")))
        name = desk.draft.unused_name("ppt/media/quokka2.png")
        desk.draft.add(name, "image/png", png(desk.random.randrange(256)))
        link = desk.draft.link(part, relationship_type("image"), name)
        picture = parsed(
            f'<p:pic><p:nvPicPr><p:cNvPr id="{id}" name="Quokka {id}"/><p:cNvPicPr/><p:nvPr/>'
            f'</p:nvPicPr><p:blipFill><a:blip r:embed="{link}"/><a:stretch><a:fillRect/>'
            '</a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="700000" y="700000"/>'
            '<a:ext cx="800000" cy="600000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
            "</a:prstGeom></p:spPr></p:pic>"
        )
        last = [item for item in tree if item.tag != qn("p:extLst")][-1]
        last.addnext(picture)
        desk.expected.append(Expected(part, id, "added", "image"))
        return True
    return False


SHAPES: dict[str, Edit] = {
    "position": _place("a:off", "x", 317_000, "position"),
    "extent": _place("a:ext", "cx", 417_000, "size"),
    "rotation": rotate,
    "flip": flip,
    "group": move_group,
    "flip group": flip_group,
    "front": bring_to_front,
    "fill": fill_shape,
    "line": widen_line,
    "add": add_text_box,
    "add picture": add_picture,
    "remove": remove_shape,
}
