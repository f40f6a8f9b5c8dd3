"""What attempts of the starter set share: edits that python-pptx has no call for; see the package.

Imports stand within functions, as only functions go into an attempt.
"""
# ruff: noqa: PLC0415

from typing import Any

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SLIDE_JUMP = "ppaction://hlinksldjump"


def named(slide: Any, name: str) -> Any:
    """The shape of that name."""
    return next(shape for shape in slide.shapes if shape.name == name)


def table(slide: Any) -> Any:
    """The first table of a slide."""
    return next(shape.table for shape in slide.shapes if shape.has_table)


def say(paragraph: Any, text: str) -> None:
    """Put ``text`` in place of a paragraph's, in the look of its first run."""
    first, *others = paragraph.runs
    first.text = text
    for run in others:
        run._r.getparent().remove(run._r)


def add_line(shape: Any, place: int, text: str) -> None:
    """Add a paragraph so that it stands at ``place``, from 0, in the look of the one before it."""
    from copy import deepcopy

    before = shape.text_frame.paragraphs[place - 1]
    before._p.addnext(deepcopy(before._p))
    say(shape.text_frame.paragraphs[place], text)


def fill_table(slide: Any, rows: int, columns: int, texts: Any) -> None:
    """Add a table of some ``rows`` and ``columns`` on the lower half of a slide."""
    frame = slide.shapes.add_table(rows, columns, 3048000, 4300000, 6096000, 370000 * rows)
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            frame.table.cell(row, column).text = text


def take_out(slide: Any, start: str) -> None:
    """Remove the shapes whose names start so."""
    for shape in [one for one in slide.shapes if one.name.startswith(start)]:
        shape._element.getparent().remove(shape._element)


def set_place(shape: Any, **sides: int) -> None:
    """Give a shape some of ``left``, ``top``, ``width``, ``height``, and keep the others, which a
    placeholder has from its layout until it states one of them."""
    kept = {side: getattr(shape, side) for side in ("left", "top", "width", "height")}
    for side, length in (kept | sides).items():
        setattr(shape, side, length)


def move_slide(deck: Any, place: int, to: int) -> None:
    """Move the slide at ``place`` so that it stands at ``to``; both from 1."""
    ids = deck.slides._sldIdLst
    element = ids[place - 1]
    ids.remove(element)
    ids.insert(to - 1, element)


def remove_slide(deck: Any, place: int) -> None:
    """Take the slide at ``place`` out."""
    ids = deck.slides._sldIdLst
    element = ids[place - 1]
    deck.part.drop_rel(element.rId)
    ids.remove(element)


def set_transition(slide: Any, kind: str, *, seconds: float = 0.5, direction: str = "") -> None:
    """Bring a slide in by ``fade``, ``push`` and the like, in place of what it had."""
    from pptx.oxml import parse_xml

    for old in slide.element.findall(f"{{{_P}}}transition"):
        slide.element.remove(old)
    way = f' dir="{direction}"' if direction else ""
    element = parse_xml(
        f'<p:transition xmlns:p="{_P}" '
        'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" '
        f'spd="med" p14:dur="{round(seconds * 1000)}"><p:{kind}{way}/></p:transition>'
    )
    timing = slide.element.find(f"{{{_P}}}timing")
    if timing is None:
        slide.element.append(element)
    else:
        timing.addprevious(element)


def jump(run: Any, part: Any, slide: Any) -> None:
    """Have a click on ``run``, of the slide with ``part``, go to ``slide``."""
    kind = f"{_R}/slide"
    link = run._r.get_or_add_rPr().add_hlinkClick(part.relate_to(slide.part, kind))
    link.set("action", _SLIDE_JUMP)


def copy_row(grid: Any, row: int, texts: list[str]) -> None:
    """Put a copy of ``row`` behind it that says ``texts``."""
    import copy

    source = grid._tbl.tr_lst[row]
    source.addnext(copy.deepcopy(source))
    for cell, text in zip(grid.rows[row + 1].cells, texts, strict=True):
        say(cell.text_frame.paragraphs[0], text)


def change_layout(slide: Any, layout: Any) -> None:
    """Base a slide on another layout of its deck."""
    for relation in slide.part.rels.values():
        if relation.reltype == f"{_R}/slideLayout":
            relation._target = layout.part


def animate(slide: Any, effects: list[tuple[Any, str, str, float]]) -> None:
    """Entrances in order: shape, ``fade`` or ``wipe``, ``click``/``with``/``after``, delay in s.

    They take the place of what the slide had.
    """
    from pptx.oxml import parse_xml

    for old in slide.element.findall(f"{{{_P}}}timing"):
        slide.element.remove(old)
    numbers = iter(range(3, 10_000))
    clicks: list[list[str]] = []
    for shape, effect, start, delay in effects:
        if start == "click" or not clicks:
            clicks.append([])
        clicks[-1].append(_entrance(shape.shape_id, effect, start, delay, numbers))
    body = "".join(
        _held(next(numbers), "indefinite", "".join(_held(next(numbers), "0", one) for one in click))
        for click in clicks
    )
    slide.element.append(
        parse_xml(
            f'<p:timing xmlns:p="{_P}"><p:tnLst><p:par><p:cTn id="1" dur="indefinite" '
            'restart="never" nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek">'
            '<p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>'
            f"{body}</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>"
            "</p:timing>"
        )
    )


def _held(number: int, delay: str, inner: str) -> str:
    return (
        f'<p:par><p:cTn id="{number}" fill="hold"><p:stCondLst><p:cond delay="{delay}"/>'
        f"</p:stCondLst><p:childTnLst>{inner}</p:childTnLst></p:cTn></p:par>"
    )


def _entrance(shape: int, effect: str, start: str, delay: float, numbers: Any) -> str:
    preset, how = {"fade": ("10", "fade"), "wipe": ("22", "wipe(left)")}[effect]
    target = f'<p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl>'
    return (
        f'<p:par><p:cTn id="{next(numbers)}" presetID="{preset}" presetClass="entr" '
        f'presetSubtype="{8 if effect == "wipe" else 0}" fill="hold" nodeType="{start}Effect">'
        f'<p:stCondLst><p:cond delay="{round(delay * 1000)}"/></p:stCondLst><p:childTnLst>'
        f'<p:set><p:cBhvr><p:cTn id="{next(numbers)}" dur="1" fill="hold"/>{target}'
        "<p:attrNameLst><p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr>"
        '<p:to><p:strVal val="visible"/></p:to></p:set>'
        f'<p:animEffect transition="in" filter="{how}"><p:cBhvr>'
        f'<p:cTn id="{next(numbers)}" dur="500"/>{target}</p:cBhvr></p:animEffect>'
        "</p:childTnLst></p:cTn></p:par>"
    )
