"""Edits of themes, masters, layouts, sections and properties."""

from tests.diffing.edits.desk import (
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

from decklab.ooxml.xml import qn


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


def indent_master_body(desk: Desk) -> bool:
    """What the slides, and the master's own body, take from the style is no change of theirs."""
    for master in masters(desk):
        root = desk.draft.edit(master)
        level = root.find(f"{qn('p:txStyles')}/{qn('p:bodyStyle')}/{qn('a:lvl1pPr')}")
        bodies = [shape for shape in root.iter(qn("p:sp"))
                  if shape.find(f"*/*/{qn('p:ph')}[@type='body']") is not None]  # fmt: skip
        if level is None or len(bodies) != 1 or not desk.take(master, "body"):
            continue
        level.set("marR", "373000")
        desk.expected.append(Expected(master, id_of(bodies[0]), "master", "paragraph.margin_right"))
        return True
    return False


def enlarge_default_text(desk: Desk) -> bool:
    root = desk.draft.edit(desk.draft.main_part)
    level = root.find(f"{qn('p:defaultTextStyle')}/{qn('a:lvl1pPr')}/{qn('a:defRPr')}")
    if level is None or not desk.take("", "default text"):
        return False
    level.set("sz", "2370")
    desk.expected.append(Expected("", None, "style", "font.size"))
    return True


def thicken_theme_line(desk: Desk) -> bool:
    for master in masters(desk):
        for theme in desk.draft.related(master, "theme"):
            line = desk.draft.edit(theme).find(f".//{qn('a:lnStyleLst')}/{qn('a:ln')}")
            if line is not None and desk.take(theme, "line"):
                line.set("w", "47300")
                desk.expected.append(Expected(theme, None, "theme", "line style 1"))
                return True
    return False


def paint_master(desk: Desk) -> bool:
    for master in masters(desk):
        content = desk.draft.edit(master).find(qn("p:cSld"))
        if content is None or not desk.take(master, "background"):
            continue
        for old in content.findall(qn("p:bg")):
            content.remove(old)
        content.insert(0, parsed(
            '<p:bg><p:bgPr><a:solidFill><a:srgbClr val="37AB12"/></a:solidFill><a:effectLst/>'
            "</p:bgPr></p:bg>"))  # fmt: skip
        desk.expected.append(Expected(master, None, "master", "background"))
        return True
    return False


def resize_slides(desk: Desk) -> bool:
    """All stays where it is, which on slides of another size is elsewhere in their frame."""
    size = desk.draft.edit(desk.draft.main_part).find(qn("p:sldSz"))
    if size is None or not desk.take("", "slide size"):
        return False
    size.set("cx", str(int(size.get("cx") or 0) * 5 // 4))
    desk.expected.append(Expected("", None, "properties", "slide size"))
    return True


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
    "master body": indent_master_body,
    "master background": paint_master,
    "default text": enlarge_default_text,
    "theme line": thicken_theme_line,
    "slide size": resize_slides,
    "section": rename_section,
    "title": retitle_deck,
}
