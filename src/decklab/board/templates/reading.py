"""Templates read: a trial slide on every layout shows what each placeholder does with text.

What a placeholder inherits from layout, master, theme and presentation is resolved by the deck
model, which reads slides; so each layout gets a slide with a word at each level in each
placeholder, and a patch of each theme colour.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from statistics import fmean
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from pptx.oxml import parse_xml

from decklab.board.native.markup import DECLARED
from decklab.board.slots.parts import page_scale
from decklab.board.templates.emptying import added_slide, layouts_of, opened_template
from decklab.board.templates.grounds import GroundPictures, rounds_of
from decklab.board.templates.places import (
    KINDS,
    DeckTemplate,
    LayoutPlace,
    LevelLook,
    PlaceKind,
    TemplateLayout,
    crosses,
    levels_of,
)
from decklab.board.themes import LEAST_PT
from decklab.core.colors import contrast_ratio
from decklab.core.errors import DeckError
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.deck import open_deck
from decklab.deck.model.shapes import (
    Element,
    Gradient,
    Group,
    Image,
    Paint,
    Paragraph,
    PictureFill,
    Rect,
    Solid,
    Text,
    box_of,
)
from decklab.deck.model.slide import Contents, DeckElements, SlideElements, TemplateElements
from decklab.deck.reading import read_elements
from decklab.editing.opening import PPTX_ERRORS
from decklab.ooxml.package import Package
from decklab.ooxml.xml import qn, shape_name

LEVELS: Final = 3
"""Levels of body text that a plan has."""

SLOTS: Final = (
    "tx1", "bg1", "tx2", "bg2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
)  # fmt: skip
_FIRST_PATCH, _FIRST_FONT = 9000, 9100
_COVERING = 0.85
_LOWEST = 0.94
_FOOT = 0.78
"""Share of the slide's height below which a band of the picture behind it is its foot. Ours."""
_MADE_SMALLER = 0.75
_BELOW = 1.02
_GAP = 8.0
_UNDER = 0.8
"""Share of a title's width from which on a band is under it. Ours."""
_OFF_RULE = 3.0
"""Points between a title and a rule. Ours."""
_EVEN = 1.6
"""Contrast within a gradient up to which its middle stands for all of it."""


def read_template(path: str | Path) -> DeckTemplate:
    """Read what a template offers.

    Takes a .pptx or .potx, with or without slides of its own. Raises DeckError, in one line, where
    the file cannot be read, is no presentation or has no layout; OSError where it is not there.
    """
    path = Path(path)
    with open_deck(path) as deck:
        own = deck.elements
    elements, marks, pictures = _tried(path)
    size = elements.size_pt
    if min(size) <= 0:
        raise DeckError(path, "it cannot be used as a template: its slides have no size")
    layouts = []
    for number, (trial, found) in enumerate(zip(elements.slides, marks, strict=True), start=1):
        shown = sum(slide.layout_part == trial.layout_part for slide in own.slides)
        layouts.append(_layout(number, trial, found, _Trials(elements, pictures, shown)))
    layouts = [replace(one, text_font=_text_font(one, layouts)) for one in layouts]
    masters = tuple(master.name for master in elements.masters)
    fitted = tuple(to_page(layout, _page_of(layout, layouts)) for layout in layouts)
    return DeckTemplate(path, size, fitted, masters, len(own.slides))


def _text_font(layout: TemplateLayout, layouts: Sequence[TemplateLayout]) -> str:
    """The family of running text on the layouts of a master that most slides use."""
    families = [
        (one.shown_by, place.levels[0].family) for one in layouts if one.master == layout.master
        for place in one.places if place.kind in ("text", "object") and place.levels
    ]  # fmt: skip
    return max(families, key=lambda pair: pair[0], default=(0, ""))[1]


def _page_of(layout: TemplateLayout, layouts: Sequence[TemplateLayout]) -> tuple[float, float]:
    """The size of the pages that the layouts of a master were made for, by where they end.

    It is the slides' own unless nothing is on a quarter of their width or height.
    """
    around = Box.around(
        box for one in layouts if one.master == layout.master
        for box in (*one.fixed, *(place.box for place in one.places if not place.is_turned))
    )  # fmt: skip
    width, height = layout.size
    if around is None:
        return width, height
    wide, high = around.right + max(around.left, 0.0), around.bottom * _BELOW
    return (
        wide if around.right <= _MADE_SMALLER * width else width,
        high if around.bottom <= _MADE_SMALLER * height else height,
    )


def to_page(layout: TemplateLayout, page: tuple[float, float]) -> TemplateLayout:
    """A layout with its places as large as its slides, where it was made for smaller pages."""
    across, down = layout.size[0] / page[0], layout.size[1] / page[1]
    if across == down == 1.0:
        return layout
    share = min(across, down)
    places = tuple(
        replace(
            place, box=place.box.scaled(across, down), moved=True,
            room=None if place.room is None else place.room.scaled(across, down),
            levels=tuple(replace(look, size=round(look.size * share), sized=False)
                         for look in place.levels),
        )
        for place in layout.places
    )  # fmt: skip
    return replace(layout, places=places)


_Marks = tuple[int, list[tuple[dict[str, str], str, str]]]
"""Number of the master; then of each placeholder of a layout its ``p:ph``, name and words."""


@dataclass(frozen=True)
class _Trials:
    """The readings of trial slides: all elements, the template's pictures, and how many slides
    of the file use a layout."""

    elements: DeckElements
    pictures: GroundPictures
    shown: int


def _tried(path: Path) -> tuple[DeckElements, list[_Marks], GroundPictures]:
    """The template with a trial slide for each layout, as elements, and its pictures."""
    deck, marks = opened_template(path), []
    try:
        for master, layout in layouts_of(deck):
            slide: Any = added_slide(deck, layout)
            tree = slide.shapes._spTree
            for shape in list(slide.shapes):
                tree.remove(shape._element)
            found = list(_placeholders(layout))
            marks.append((master, found))
            for xml in _trial_shapes(found):
                tree.append(parse_xml(xml))
        file = BytesIO()
        deck.save(file)
    except PPTX_ERRORS as error:
        line = " ".join(f"{type(error).__name__}: {error}".split())
        raise DeckError(path, f"it cannot be used as a template: {line}") from error
    with Package.from_bytes(file.getvalue(), str(path)) as package:
        elements = read_elements(package)
        used = {one.background_paint.sha256 for one in elements.slides
                if isinstance(one.background_paint, PictureFill)}  # fmt: skip
        used |= {one.sha256 for sheet in (*elements.layouts, *elements.masters)
                 for one in sheet.images}  # fmt: skip
        data = {one.sha256: package.read(one.parts[0]) for one in elements.media
                if one.sha256 in used and one.parts}  # fmt: skip
    return elements, marks, GroundPictures(data.get)


def _placeholders(layout: Any) -> Iterator[tuple[dict[str, str], str, str]]:
    for shape in layout._element.iter(qn("p:sp"), qn("p:pic"), qn("p:graphicFrame")):
        mark = shape.find(f"./*/{qn('p:nvPr')}/{qn('p:ph')}")
        if mark is None:
            continue
        words = "\n".join(
            "".join(text.text or "" for text in line.iter(qn("a:t")))
            for line in shape.iter(qn("a:p"))
        )
        stated = {key: value for key, value in mark.attrib.items() if key != "hasCustomPrompt"}
        yield stated, shape_name(shape), words.strip()


def mark_of(stated: Mapping[str, str]) -> str:
    """The placeholder mark with these attributes."""
    inner = "".join(f" {key}={quoteattr(value)}" for key, value in stated.items())
    return f"<p:ph{inner}/>"


def _trial_shapes(found: list[tuple[dict[str, str], str, str]]) -> Iterator[str]:
    lines = "".join(
        f'<a:p><a:pPr lvl="{level}"/><a:r><a:rPr lang="en"/><a:t>Hxg</a:t></a:r></a:p>'
        for level in range(LEVELS)
    )
    for id, (stated, _name, _words) in enumerate(found, start=2):
        yield (
            f'<p:sp {DECLARED}><p:nvSpPr><p:cNvPr id="{id}" name=""/><p:cNvSpPr/><p:nvPr>'
            f"{mark_of(stated)}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>"
            f"{lines}</p:txBody></p:sp>"
        )
    place = '<a:xfrm><a:off x="0" y="0"/><a:ext cx="9144" cy="9144"/></a:xfrm>'
    square = '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
    for id, slot in enumerate(SLOTS, start=_FIRST_PATCH):
        yield (
            f'<p:sp {DECLARED}><p:nvSpPr><p:cNvPr id="{id}" name=""/><p:cNvSpPr/><p:nvPr/>'
            f"</p:nvSpPr><p:spPr>{place}{square}"
            f'<a:solidFill><a:schemeClr val="{slot}"/></a:solidFill></p:spPr></p:sp>'
        )
    for id, font in enumerate(("+mj-lt", "+mn-lt"), start=_FIRST_FONT):
        yield (
            f'<p:sp {DECLARED}><p:nvSpPr><p:cNvPr id="{id}" name=""/><p:cNvSpPr txBox="1"/>'
            f"<p:nvPr/></p:nvSpPr><p:spPr>{place}{square}</p:spPr><p:txBody><a:bodyPr/>"
            f'<a:lstStyle/><a:p><a:r><a:rPr lang="en"><a:latin typeface="{font}"/></a:rPr>'
            "<a:t>Hxg</a:t></a:r></a:p></p:txBody></p:sp>"
        )


def _layout(number: int, trial: SlideElements, marks: _Marks, trials: _Trials) -> TemplateLayout:
    elements, pictures = trials.elements, trials.pictures
    size = elements.size_pt
    sheet = next((one for one in elements.layouts if one.part == trial.layout_part), None)
    sheets = list(_sheets(trial, sheet, elements))
    drawn = [item for one in sheets for item in _drawn(one)]
    texts = {item.id: item for item in trial.texts}
    rects = {item.id: item for item in trial.rects}
    places, unplaced = [], []
    for id, found in enumerate(marks[1], start=2):
        text = texts.get(id)
        if text is None or not text.placed:
            unplaced.append(found[1])
            continue
        own = rects.get(id)
        behind = (
            own.fill
            if own is not None and own.fill
            else _behind(_frame_box(text), drawn, trial, pictures)
        )
        places.append(_place(found, text, size, behind))
    fixed = [_points(box, size) for _item, box in drawn if box.area < _COVERING * _FRAME_AREA]
    places = [_on_band(_off_rules(place, fixed), fixed) for place in places]
    feet = list(_foot(trial, size, pictures))
    places = [_with_room(place, places, size, feet) for place in places]
    fixed += feet
    fonts = [texts[_FIRST_FONT + place].font.name for place in (0, 1)]
    patches = {slot: rects[_FIRST_PATCH + place].fill for place, slot in enumerate(SLOTS)}
    return TemplateLayout(
        number=number,
        name=trial.layout,
        type="" if sheet is None else sheet.type,
        master=marks[0],
        size=size,
        places=tuple(places),
        fixed=tuple(fixed),
        words=tuple(_words(sheets)),
        ground=_behind(FRAME, drawn, trial, pictures),
        colors={slot: value for slot, value in patches.items() if value},
        heading_font=fonts[0],
        body_font=fonts[1],
        unplaced=tuple(unplaced),
        shown_by=trials.shown,
        shade=_shade(trial, drawn, pictures),
        part=trial.layout_part,
        rounds=tuple(_points(box, size) for box in rounds_of(sheets)),
    )


_FRAME_AREA = FRAME_WIDTH * FRAME_HEIGHT


def _sheets(
    trial: SlideElements, sheet: TemplateElements | None, elements: DeckElements
) -> Iterator[TemplateElements]:
    """Master, where it shows, and layout behind a slide, in drawing order."""
    if sheet is None:
        return
    master = next((one for one in elements.masters if one.part == sheet.parent), None)
    if master is not None and sheet.shows_master:
        yield master
    yield sheet


def _drawn(sheet: Contents) -> Iterator[tuple[Element, Box]]:
    """The drawings of a layout or master, with their boxes in the frame."""
    for item in sheet.elements():
        if item.placeholder is not None or item.hidden or isinstance(item, Group):
            continue
        if isinstance(item, Text) and not item.text.strip():
            continue
        box = box_of(item)
        if box is not None and item.placed and _paints(item):
            yield item, Box(*box)


def _paints(item: Element) -> bool:
    """Whether anything of an element is seen."""
    if isinstance(item, Rect):
        return bool(item.fill or item.stroke) or isinstance(item.paint, PictureFill)
    return True


def _words(sheets: list[TemplateElements]) -> Iterator[str]:
    for sheet in sheets:
        for item, _box in _drawn(sheet):
            if isinstance(item, Text):
                yield " ".join(item.text.split())


def _background(trial: SlideElements, box: Box, pictures: GroundPictures) -> str | None:
    """The colour of the slide's background behind a box."""
    paint = trial.background_paint
    if isinstance(paint, PictureFill) and not paint.tiled and paint.alpha == 1:
        return pictures.color(paint.sha256, paint.crop, FRAME, box)
    return _even(paint, trial.background)


def _shade(
    trial: SlideElements, drawn: list[tuple[Element, Box]], pictures: GroundPictures
) -> str | None:
    """The mean colour of the picture or gradient that fills a slide; None where it is unknown."""
    for item, box in reversed(drawn):
        if box.intersection(FRAME).area < _COVERING * _FRAME_AREA:
            continue
        if isinstance(item, Image):
            return pictures.color(item.sha256, item.crop, box, FRAME, even=False)
        if isinstance(item, Rect) and item.fill:
            return item.fill
    paint = trial.background_paint
    if isinstance(paint, PictureFill):
        return pictures.color(paint.sha256, paint.crop, FRAME, FRAME, even=False)
    if isinstance(paint, Gradient) and paint.stops:
        levels = zip(*(levels_of(stop.color) for stop in paint.stops), strict=True)
        return "#" + "".join(f"{round(fmean(level)):02X}" for level in levels)
    return trial.background


def _even(paint: Paint | None, color: str | None) -> str | None:
    """A colour that stands for all of an area; None for pictures and marked gradients."""
    if isinstance(paint, PictureFill):
        return None
    if isinstance(paint, Gradient):
        stops = [levels_of(stop.color) for stop in paint.stops]
        if any(contrast_ratio(stops[0], stop) > _EVEN for stop in stops):
            return None
    return color


def _behind(
    box: Box, drawn: list[tuple[Element, Box]], trial: SlideElements, pictures: GroundPictures
) -> str | None:
    """The colour behind a box, by what is drawn last there; None for a picture of many."""
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    for item, other in reversed(drawn):
        inside = other.left <= x <= other.right and other.top <= y <= other.bottom
        if not inside or other.intersection(box).area < 0.6 * box.area:
            continue
        if isinstance(item, Image):
            plain = item.geometry == "rect" and item.alpha == 1 and not item.rotation
            return pictures.color(item.sha256, item.crop, other, box) if plain else None
        clear = isinstance(item, Rect) and isinstance(item.paint, Solid) and item.paint.alpha < 0.5
        if clear:
            continue
        if isinstance(item, Rect) and (item.fill or isinstance(item.paint, PictureFill)):
            return _even(item.paint, item.fill)
    return _background(trial, box, pictures)


def _frame_box(text: Text) -> Box:
    return Box(text.x, text.y, text.x + text.w, text.y + text.h)


def _points(box: Box, size: tuple[float, float]) -> Box:
    return box.scaled(size[0] / FRAME_WIDTH, size[1] / FRAME_HEIGHT)


def _place(
    found: tuple[dict[str, str], str, str],
    text: Text,
    size: tuple[float, float],
    ground: str | None,
) -> LayoutPlace:
    stated, name, words = found
    kind: PlaceKind = KINDS.get(stated.get("type", "obj"), "other")
    body = text.body
    vertical = stated.get("orient") == "vert" or body.direction not in ("horz", "")
    return LayoutPlace(
        kind=kind,
        name=name,
        mark=tuple(stated.items()),
        box=_points(_frame_box(text), size),
        insets=Box(body.inset_left, body.inset_top, body.inset_right, body.inset_bottom),
        levels=tuple(
            look_of_paragraph(paragraph, LEAST_PT * page_scale(size))
            for paragraph in text.paragraphs[:LEVELS]
        ),
        vertical=vertical,
        turned=bool(text.rotation),
        prompt=words,
        ground=ground,
        anchor=body.anchor,
        grows=body.autofit == "grow" and not vertical,
    )


def _with_room(
    place: LayoutPlace, places: list[LayoutPlace], size: tuple[float, float], feet: Sequence[Box]
) -> LayoutPlace:
    """A placeholder that grows with its text, as far as nothing else stands there.

    It grows from where its text is anchored. A place for content is taken at its full room, a title
    at its own box, with the room beside it.
    """
    if not place.grows:
        return place
    left, top, right, bottom = place.box
    first, last = size[1] * (1 - _LOWEST), size[1] * _LOWEST
    for other in (*(one.box for one in places if one is not place), *feet):
        if other.right <= left or other.left >= right:
            continue
        if other.top >= bottom:
            last = min(last, other.top - _GAP)
        elif other.bottom <= top:
            first = max(first, other.bottom + _GAP)
    up, down = max(top - first, 0.0), max(last - bottom, 0.0)
    if place.kind in ("title", "subtitle"):
        up, down = (min(grown, place.box.height) for grown in (up, down))
    if place.anchor == "middle":
        up = down = min(up, down)
    elif place.anchor == "bottom":
        down = 0.0
    else:
        up = 0.0
    room = Box(left, top - up, right, bottom + down)
    if place.kind in ("title", "subtitle"):
        return replace(place, room=room)
    return replace(place, box=room, room=room)


def _off_rules(place: LayoutPlace, drawn: Sequence[Box]) -> LayoutPlace:
    """A title that keeps to the side of a drawn rule where its first line stands: insets, as far
    as they leave the text where it is, hold further lines off."""
    for rule in drawn if place.kind == "title" and not place.is_turned else ():
        left, top, right, bottom = place.insets
        box, size = place.box, place.levels[0].size
        middle = (box.top + box.bottom) / 2
        anchor = place.anchor
        line = {"top": box.top + size, "bottom": box.bottom - size}.get(anchor, middle)
        if not crosses(rule, box) or rule.width < 0.5 * box.width:
            continue
        if rule.top > line and anchor != "bottom":
            bottom = max(bottom, box.bottom - rule.top + _OFF_RULE)
            top = top if anchor == "top" else max(top, bottom)
        elif rule.top <= line and anchor != "top":
            top = max(top, rule.bottom - box.top + _OFF_RULE)
            bottom = bottom if anchor == "bottom" else max(bottom, top)
        if box.height - top - bottom > 0.8 * size:
            place = replace(place, insets=Box(left, top, right, bottom))
    return place


def _on_band(place: LayoutPlace, drawn: Sequence[Box]) -> LayoutPlace:
    """A title whose place is higher than the band that it stands on, as high as the band."""
    box = place.box
    heading = place.kind == "title" and place.type == "title" and not place.is_turned
    for band in drawn if heading else ():
        inside = box.top <= band.top and band.bottom <= box.bottom and band.height < box.height
        wide = band.intersection(box).width > _UNDER * box.width
        if inside and wide and band.height > place.size:
            return replace(place, box=box._replace(top=band.top, bottom=band.bottom), moved=True)
    return place


def _foot(
    trial: SlideElements, size: tuple[float, float], pictures: GroundPictures
) -> Iterator[Box]:
    """A band at the foot of the picture behind the slides, down to their end."""
    paint = trial.background_paint
    if isinstance(paint, PictureFill) and not paint.tiled:
        lower = FRAME._replace(top=_FOOT * FRAME_HEIGHT)
        band = pictures.band(paint.sha256, paint.crop, FRAME, lower)
        if band is not None:
            yield _points(FRAME._replace(top=band), size)


def look_of_paragraph(paragraph: Paragraph, least: float) -> LevelLook:
    """How a paragraph is set that was read; ``least`` is the smallest size that may be used."""
    run = max(paragraph.runs, key=lambda one: len(one.text.strip()))
    font, lines = run.font, paragraph.line_spacing
    before, after = (
        item.value * (font.size if item.unit == "share" else 1.0)
        for item in (paragraph.space_before, paragraph.space_after)
    )
    return LevelLook(
        size=font.size,
        family=font.name,
        bold="bold" in font.style,
        caps=font.caps == "all",
        color=font.color,
        slot=font.slot,
        bulleted=paragraph.bullet is not None,
        margin=paragraph.margin_left,
        indent=paragraph.indent,
        letter_spacing=font.spacing,
        line_share=lines.value if lines.unit == "share" else 0.0,
        line_points=0.0 if lines.unit == "share" else lines.value,
        before=before,
        after=after,
        sized="size" in run.sources,
        align=paragraph.align,
        right_to_left=paragraph.right_to_left,
        least=least,
        italic="italic" in font.style,
    )
