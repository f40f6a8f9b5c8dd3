"""Edits of themes, masters, layouts, sections and properties."""

from tests.diff.edits.desk import (
    Desk,
    Edit,
    Expected,
    id_of,
    is_line,
    masters,
    parsed,
    runs_of,
    transform_of,
)

from decklab.ooxml.names import qn


def recolor_theme(desk: Desk) -> bool:
    for master in masters(desk):
        for theme in desk.draft.related(master, "theme"):
            slot = desk.draft.edit(theme).find(f".//{qn('a:clrScheme')}/{qn('a:accent2')}")
            if slot is not None and desk.take(theme, "accent2"):
                slot[:] = [parsed('<a:srgbClr val="A312B5"/>')]
                desk.expected.append(Expected(theme, None, "theme", "color accent2"))
                return True
    return False


def reface_theme(desk: Desk) -> bool:
    for master in masters(desk):
        for theme in desk.draft.related(master, "theme"):
            face = desk.draft.edit(theme).find(f".//{qn('a:minorFont')}/{qn('a:latin')}")
            if face is not None and desk.take(theme, "minor"):
                face.set("typeface", "Wombat Sans")
                desk.expected.append(Expected(theme, None, "theme", "font minor"))
                return True
    return False


def move_on_layout(desk: Desk) -> bool:
    for slide in desk.slides():
        for layout in desk.draft.related(slide, "slideLayout"):
            tree = desk.draft.edit(layout).find(f"{qn('p:cSld')}/{qn('p:spTree')}")
            for shape in () if tree is None else tree.findall(qn("p:sp")):
                transform, id = transform_of(shape), id_of(shape)
                place = None if transform is None else transform.find(qn("a:off"))
                if place is None or id is None or is_line(shape) or not desk.take(layout, "moved"):
                    continue
                place.set("y", str(int(place.get("y") or 0) + 313_000))
                desk.expected.append(Expected(layout, id, "layout", "position"))
                return True
    return False


def resize_master_title(desk: Desk) -> bool:
    for master in masters(desk):
        root = desk.draft.edit(master)
        level = root.find(
            f"{qn('p:txStyles')}/{qn('p:titleStyle')}/{qn('a:lvl1pPr')}/{qn('a:defRPr')}"
        )
        titles = [shape for shape in root.iter(qn("p:sp"))
                  if shape.find(f"*/*/{qn('p:ph')}[@type='title']") is not None]  # fmt: skip
        plain = len(titles) == 1 and not titles[0].xpath(".//*[@sz]") and runs_of(titles[0])
        if level is None or not plain or not desk.take(master, "title"):
            continue
        level.set("sz", "3730")
        desk.expected.append(Expected(master, id_of(titles[0]), "master", "font.size"))
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


TEMPLATES: dict[str, Edit] = {
    "theme color": recolor_theme,
    "theme font": reface_theme,
    "layout shape": move_on_layout,
    "master title": resize_master_title,
    "section": rename_section,
    "title": retitle_deck,
}
