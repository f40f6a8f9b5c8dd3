"""Edits of slides: notes, comments, how they appear and play, their order."""

from collections.abc import Iterator
from copy import deepcopy

from tests.diffing.edits.desk import COLOR, Desk, Edit, Expected, parent_of, parsed, shapes_of

from decklab.editing.slide_operations import clone_slide, delete_slide, move_slide
from decklab.ooxml.parts import relationships_part
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import Element, qn


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
    for part, _shape, id in shapes_of(desk, "p:sp", "p:pic", nested=False):
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
        if not others or (layout, "moved") in desk.touched or not desk.take(part, "layout"):
            continue  # of a layout that no slide uses, before or after, changes are not told
        rels = desk.draft.edit(relationships_part(part))
        entry = next(item for item in rels if (item.get("Type") or "").endswith("/slideLayout"))
        other = desk.random.choice(others)
        entry.set("Target", f"/{other}")
        desk.take(other, "moved")
        desk.expected.append(Expected(part, None, "layout", "layout"))
        return True
    return False


def remove_slide(desk: Desk) -> bool:
    if len(desk.slides()) < 3:
        return False
    for part in desk.slides():
        layouts = desk.draft.related(part, "slideLayout")
        if {one for one, _what in desk.touched} & {part, *layouts} or _linked(desk, part):
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
    desk.touched.add((entry.part, "moved"))
    desk.expected.append(Expected(entry.part, None, "slide", "moved"))
    return True


def erase_notes(desk: Desk) -> bool:
    for part in desk.slides():
        for notes in desk.draft.related(part, "notesSlide"):
            root = desk.draft.edit(notes)
            bodies = [shape for shape in root.iter(qn("p:sp"))
                      if shape.find(f"*/*/{qn('p:ph')}[@type='body']") is not None]  # fmt: skip
            texts = [text for body in bodies for text in body.iter(qn("a:t")) if text.text]
            if texts and desk.take(part, "notes"):
                for body in bodies:
                    for paragraph in list(body.iter(qn("a:p")))[1:]:
                        parent_of(paragraph).remove(paragraph)
                    for item in [*body.iter(qn("a:r")), *body.iter(qn("a:br"))]:
                        parent_of(item).remove(item)
                desk.expected.append(Expected(part, None, "notes", "text"))
                return True
    return False


def _transitions(desk: Desk) -> Iterator[tuple[str, Element]]:
    for part in desk.slides():
        root = desk.draft.edit(part)
        found = root.find(qn("p:transition"))
        if found is not None and len(found) and desk.take(part, "transition"):
            yield part, found


def remove_transition(desk: Desk) -> bool:
    for part, found in _transitions(desk):
        parent_of(found).remove(found)
        desk.expected.append(Expected(part, None, "transition", "removed"))
        return True
    return False


def slow_transition(desk: Desk) -> bool:
    for part, found in _transitions(desk):
        found.set("spd", "fast" if found.get("spd") == "slow" else "slow")
        desk.expected.append(Expected(part, None, "transition", "speed"))
        return True
    return False


def remove_animation(desk: Desk) -> bool:
    for part in desk.slides():
        root = desk.draft.edit(part)
        timing = root.find(qn("p:timing"))
        effects = [] if timing is None else [
            node for node in timing.iter(qn("p:cTn")) if node.get("presetClass")
        ]  # fmt: skip
        targets = set() if timing is None else {
            item.get("spid") for item in timing.iter(qn("p:spTgt"))
        }  # fmt: skip
        if timing is None or len(effects) != 1 or len(targets) != 1:
            continue
        if not desk.take(part, "timing"):
            continue
        root.remove(timing)
        desk.expected.append(Expected(part, int(targets.pop() or 0), "animation", "removed"))
        return True
    return False


def prolong_animation(desk: Desk) -> bool:
    for part in desk.slides():
        root = desk.draft.edit(part)
        for node in root.iter(qn("p:cTn")):
            targets = {item.get("spid") for item in node.iter(qn("p:spTgt"))}
            lasting = [inner for inner in node.iter(qn("p:cTn"))
                       if inner is not node and (inner.get("dur") or "").isdigit()]  # fmt: skip
            if not node.get("presetClass") or len(targets) != 1 or not lasting:
                continue
            if not desk.take(part, "timing"):
                break
            for inner in lasting:
                inner.set("dur", "4321")
            id = int(targets.pop() or 0)
            desk.expected.append(Expected(part, id, "animation", "duration_ms"))
            return True
    return False


def _comments(desk: Desk) -> Iterator[tuple[str, Element]]:
    """Slide part and the root of its comments, where there are some."""
    for part in desk.slides():
        for name in desk.draft.related(part, "comments"):
            root = desk.draft.edit(name)
            if len(root) and desk.take(part, "comments"):
                yield part, root


def add_comment(desk: Desk) -> bool:
    for part, root in _comments(desk):
        new = deepcopy(root[0])
        mark = "idx" if new.get("idx") else "id"
        new.set(mark, "4711" if mark == "idx" else "{00000000-0000-4000-8000-00000000C0DE}")
        for text in new.iter(qn("p:text"), qn("a:t")):
            text.text = "Add a quokka here"
        root.append(new)
        desk.expected.append(Expected(part, None, "comment", "added"))
        return True
    return False


def remove_comment(desk: Desk) -> bool:
    for part, root in _comments(desk):
        root.remove(root[-1])
        desk.expected.append(Expected(part, None, "comment", "removed"))
        return True
    return False


COMMENTS: dict[str, Edit] = {
    "comment": edit_comment,
    "add comment": add_comment,
    "remove comment": remove_comment,
}
SLIDES: dict[str, Edit] = {
    "notes": rewrite_notes,
    "erase notes": erase_notes,
    "transition": set_transition,
    "remove transition": remove_transition,
    "slow transition": slow_transition,
    "add animation": add_animation,
    "animation": retrigger_animation,
    "remove animation": remove_animation,
    "prolong animation": prolong_animation,
    "hide": hide_slide,
    "background": paint_background,
    "layout": relayout,
}
WHOLE_SLIDES: dict[str, Edit] = {
    "move slide": move_far,
    "copy slide": copy_slide,
    "remove slide": remove_slide,
}
"""Edits that come last, since they change which slides there are."""
