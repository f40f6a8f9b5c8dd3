"""What must hold of a deck that was edited by a plain request: read with python-pptx alone."""

import re

from pptx.oxml.ns import qn

_ALIGN = {"left": 1, "center": 2, "right": 3}


def holds(check, before, after):
    """Whether a check, a name and its values, holds of ``after``; ``before`` is the original."""
    name, *values = check
    return CHECKS[name](before, after, *values)


def changed_slides(before, after):
    """Ids of slides of the original whose shapes' XML, or that of their notes, is another."""
    old = {s.slide_id: _xml(s) for s in before.slides}
    return {s.slide_id for s in after.slides if old.get(s.slide_id) not in (None, _xml(s))}


def _xml(slide):
    charts = [s.chart._chartSpace.xml for s in slide.shapes if s.has_chart]
    notes = slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else ""
    return slide._element.xml, charts, notes


def _id(before, number):
    return before.slides[number - 1].slide_id


def _of(before, after, number):
    return next(s for s in after.slides if s.slide_id == _id(before, number))


def _numbers(before, numbers):
    return range(1, len(before.slides) + 1) if numbers == "all" else numbers


def _frames(slide, role):
    """The texts of a role: ``title``, ``body``, ``subtitle`` or ``all`` but footers."""
    found = []
    for shape in slide.shapes:
        if not shape.has_text_frame:
            continue
        kind = str(shape.placeholder_format.type) if shape.is_placeholder else ""
        own = (
            "subtitle" if "SUBTITLE" in kind else "title" if "TITLE" in kind
            else "footer" if any(word in kind for word in ("FOOTER", "NUMBER", "DATE"))
            else "body" if shape.is_placeholder else "other"
        )  # fmt: skip
        if own == role or (role == "all" and own != "footer"):
            found.append(shape.text_frame)
    return found


def _runs(before, after, role, numbers):
    return [
        run
        for number in _numbers(before, numbers)
        for frame in _frames(_of(before, after, number), role)
        for paragraph in frame.paragraphs
        for run in paragraph.runs
        if run.text.strip()
    ]


def _stated(run):
    fill = run._r.rPr.find(qn("a:solidFill")) if run._r.rPr is not None else None
    return "" if fill is None else fill[0].get("val")


def _text(deck):
    lines = [
        "".join(node.text or "" for node in line.iter(qn("a:t")))
        for slide in deck.slides
        for line in slide._element.iter(qn("a:p"))
    ]
    notes = [s.notes_slide.notes_text_frame.text for s in deck.slides if s.has_notes_slide]
    parts = [r.target_part for s in deck.slides for r in s.part.rels.values() if not r.is_external]
    drawn = [re.sub(r"<[^>]+>", "\n", part.blob.decode()) for part in parts
             if "/diagrams/data" in str(part.partname)]  # fmt: skip
    return "\n".join([*lines, *notes, *drawn])


def _replaced(before, after, old, new, how=None):
    how = how or {}
    was, now = _text(before), _text(after)
    if how.get("case") is False:
        whole = re.compile(rf"\b{re.escape(old)}\b", re.IGNORECASE)
        return not whole.search(now) and now.count(new) == len(whole.findall(was))
    gone = was.count(old) - now.count(old)
    return gone > 0 and (not new or now.count(new) - was.count(new) == gone)


def _order(before, after, numbers):
    known = {s.slide_id: n for n, s in enumerate(before.slides, 1)}
    titles = [s.shapes.title.text_frame.text if s.shapes.title else "" for s in before.slides]
    found = [known.get(s.slide_id) or titles.index(s.shapes.title.text_frame.text) + 1
             for s in after.slides]  # fmt: skip
    return found == numbers


def _order_without(before, after, gone):
    left = [s.slide_id for n, s in enumerate(before.slides, 1) if n not in gone]
    return [s.slide_id for s in after.slides] == left


def _hidden(before, after, numbers):
    shown = [n for n, s in enumerate(after.slides, 1) if s._element.get("show") == "0"]
    return shown == numbers


def _shape(slide, name):
    return next(s for s in slide.shapes if s.name == name or getattr(s, "text", "") == name)


def _alt(before, after, number, name, wanted):
    held = _shape(_of(before, after, number), name)._element.xpath(".//p:cNvPr")[0]
    return held.get("descr") == wanted


def _table(before, after, number):
    return next(s.table for s in _of(before, after, number).shapes if s.has_table)


def _chart(before, after, number):
    return next(s.chart for s in _of(before, after, number).shapes if s.has_chart)


def _placeholders(before, after, numbers, word):
    for number in numbers:
        kinds = [str(s.placeholder_format.type) for s in _of(before, after, number).placeholders]
        if any(word in kind for kind in kinds):
            return True
    return False


def _transition(before, after, numbers, kind):
    for number in numbers:
        found = {
            child.tag.split("}")[1]
            for one in _of(before, after, number)._element.iter(qn("p:transition"))
            for child in one
        }
        if found != ({kind} if kind else set()):
            return False
    return True


def _links(before, after, number, count):
    slide = _of(before, after, number)
    return len(list(slide._element.iter(qn("a:hlinkClick")))) == count


def _link_shape(before, after, number, name, target):
    slide = _of(before, after, number)
    shape = next(s for s in slide.shapes if s.name == name)
    return shape.click_action.target_slide.slide_id == _id(before, target)


def _size(slide, shape, paragraph, run):
    """The size of a run in points, as stated by it or by what it inherits from."""
    if run.font.size is not None:
        return run.font.size.pt
    level = f"a:lvl{paragraph.level + 1}pPr"
    master = slide.slide_layout.slide_master
    holders = [shape._element.txBody.find(qn("a:lstStyle"))]
    if shape.is_placeholder:
        held = shape.placeholder_format
        layout = [
            p for p in slide.slide_layout.placeholders if p.placeholder_format.idx == held.idx
        ]
        holders += [p._element.txBody.find(qn("a:lstStyle")) for p in layout]
        named = "titleStyle" if "TITLE" in str(held.type) and held.idx == 0 else "bodyStyle"
        holders.append(master._element.find(f".//{qn('p:' + named)}"))
    for holder in holders:
        found = None if holder is None else holder.find(f"{qn(level)}/{qn('a:defRPr')}")
        if found is not None and found.get("sz"):
            return int(found.get("sz")) / 100
    return 18.0


def _all_sizes(before, deck, role, numbers):
    return [
        _size(slide, shape, paragraph, run)
        for slide in (_of(before, deck, number) for number in _numbers(before, numbers))
        for shape in slide.shapes
        if shape.has_text_frame
        and shape.text_frame._txBody in [f._txBody for f in _frames(slide, role)]
        for paragraph in shape.text_frame.paragraphs
        for run in paragraph.runs
        if run.text.strip()
    ]


def _theme_slot(before, after, slot, wanted):
    master = after.slide_masters[0].part
    theme = next(r.target_part for r in master.rels.values() if r.reltype.endswith("/theme"))
    return f'<a:{slot}><a:srgbClr val="{wanted}"/></a:{slot}>'.encode() in theme.blob


def _background(before, after, numbers, wanted):
    fills = [_of(before, after, number).background.fill for number in numbers]
    return all(str(fill.fore_color.rgb) == wanted.lstrip("#") for fill in fills)


def _no_marks(before, after, numbers, shown):
    lines = [
        p._p
        for number in numbers
        for frame in _frames(_of(before, after, number), "body")
        for p in frame.paragraphs
        if p.text.strip()
    ]
    return (
        bool(lines) and not shown and all(p.find(f".//{qn('a:buNone')}") is not None for p in lines)
    )


def _entrances(slide):
    return sum(one.get("presetClass") == "entr" for one in slide._element.iter(qn("p:cTn")))


CHECKS = {
    "title": lambda b, a, n, text: a.slides[n - 1].shapes.title.text_frame.text == text,
    "no_title": lambda b, a, n: a.slides[n - 1].shapes.title is None,
    "replaced": _replaced,
    "order": _order,
    "order_without": _order_without,
    "hidden": _hidden,
    "hidden_original": lambda b, a, n, on: (_of(b, a, n)._element.get("show") == "0") is on,
    "style": lambda b, a, role, ns, key, on: all(
        bool(getattr(run.font, key)) is on for run in _runs(b, a, role, ns)
    ),
    "style_original": lambda b, a, n, role, key, on: all(
        bool(getattr(run.font, key)) is on for run in _runs(b, a, role, [n])
    ),
    "color": lambda b, a, role, ns, color: all(
        _stated(run) == color.lstrip("#") for run in _runs(b, a, role, ns)
    ),
    "theme_color": lambda b, a, role, ns, slot: all(
        _stated(run) == slot for run in _runs(b, a, role, ns)
    ),
    "size": lambda b, a, role, ns, size: all(
        run.font.size is not None and run.font.size.pt == size for run in _runs(b, a, role, ns)
    ),
    "size_delta": lambda b, a, role, ns, by: _all_sizes(b, a, role, ns) == [
        size + by for size in _all_sizes(b, b, role, ns)
    ],
    "size_factor": lambda b, a, role, ns, factor: _all_sizes(b, a, role, ns) == [
        size * factor for size in _all_sizes(b, b, role, ns)
    ],
    "font": lambda b, a, role, ns, name: all(
        run.font.name == name for run in _runs(b, a, role, ns)
    ),
    "align": lambda b, a, role, ns, side: all(
        p.alignment == _ALIGN[side]
        for n in ns for frame in _frames(_of(b, a, n), role) for p in frame.paragraphs
    ),
    "pictures": lambda b, a, n, count: (
        sum(s.shape_type == 13 for s in _of(b, a, n).shapes) == count
    ),
    "numbers": lambda b, a, ns, on: _placeholders(b, a, ns, "NUMBER") is on,
    "footer": lambda b, a, ns, text: text is None and not _placeholders(b, a, ns, "FOOTER"),
    "notes": lambda b, a, ns, text: all(
        s.notes_slide.notes_text_frame.text == text
        for s in ([_of(b, a, ns)] if ns != "all" else a.slides) if s.has_notes_slide or text
    ),
    "alt": _alt,
    "cell": lambda b, a, n, row, column, text: (
        _table(b, a, n).cell(row - 1, column - 1).text == text
    ),
    "rows": lambda b, a, n, count: len(_table(b, a, n).rows) == count,
    "transition": _transition,
    "animations": lambda b, a, ns, count: all(_entrances(_of(b, a, n)) == count for n in ns),
    "link_shape": _link_shape,
    "links": lambda b, a, ns, count: all(_links(b, a, n, count) for n in ns),
    "theme_slot": _theme_slot,
    "background": _background,
    "bullets": _no_marks,
    "layout": lambda b, a, n, name: _of(b, a, n).slide_layout.name == name,
    "count": lambda b, a, count: len(a.slides) == count,
    "chart_title": lambda b, a, n, text: _chart(b, a, n).chart_title.text_frame.text == text,
    "chart_type": lambda b, a, n, kind: _chart(b, a, n).chart_type.name == kind,
}  # fmt: skip
"""Checks by name: of the original, the edited deck and values; numbers are the original's."""
