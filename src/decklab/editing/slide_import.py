"""A slide imported from another deck, with or without its design.

Without it, the slide gets the layout of this deck that fits best, and its placeholders are linked
to those of that layout. Styles of its tables are copied too.
"""

import posixpath
from collections.abc import Iterable
from copy import deepcopy
from hashlib import sha256

from lxml import etree
from pptx.presentation import Presentation

from decklab.core.errors import DeckError, MissingPart
from decklab.editing.finding import EditError, slide_at
from decklab.editing.open_parts import EditableParts, add_linked_part, parts_of
from decklab.editing.phrasing import phrase
from decklab.editing.slide_operations import (
    CLASSIC_COMMENTS,
    COPY,
    DROP,
    LINK_ATTRIBUTE,
    MEDIA_KINDS,
    MODERN_COMMENTS,
    LinkFate,
    bring_media,
    copy_part,
    drop_show_links,
    drop_zooms,
    enter_slide,
    is_notes,
    is_shared,
    merge_authors,
    require_layout,
)
from decklab.ooxml.parts import Parts, Relationship
from decklab.ooxml.slide_list import SlideEntry, find_slide, free_place, slide_entries
from decklab.ooxml.xml import Element, parse_int, qn, relationship_type

LEAST_DESIGN_ID = 2**31
"""Ids of masters and layouts share one range from here on (ECMA-376 Part 1, 19.7.15)."""


def master_of(parts: Parts, layout: str) -> str:
    """The master of a layout; raises MissingPart."""
    for master in parts.related(layout, "slideMaster"):
        return master
    raise MissingPart(parts.label, "the layout has no master", layout)


def listed_masters(parts: Parts) -> tuple[str, ...]:
    """The masters in the order in which the presentation lists them."""
    links = parts.relationships(parts.main_part)
    items = parts.xml(parts.main_part).iterfind(f"{qn('p:sldMasterIdLst')}/{qn('p:sldMasterId')}")
    targets = (links.get(item.get(qn("r:id")) or "") for item in items)
    return tuple(
        link.target for link in targets if link and not link.external and link.target in parts
    )


def bring_layout(source: Parts, deck: EditableParts, layout: str) -> str:
    """The deck's part for a layout of ``source``: an equal layout of an equal master if there is
    one, else a copy with its whole master, theme and other layouts.
    """
    master = master_of(source, layout)
    if (equal := _equal_layout(source, deck, layout, master)) is not None:
        return equal
    known: dict[str, str] = {}

    def choose(owner: str, link: Relationship) -> str | LinkFate:
        if link.kind in ("theme", "slideLayout", "slideMaster"):
            return COPY
        return bring_related(source, deck, link)

    copied = copy_part(source, deck, master, choose, known)
    if layout not in known:  # a damaged deck: the master does not lead back to the layout
        lost = copy_part(source, deck, layout, choose, known)
        deck.link(copied, relationship_type("slideLayout"), lost)
    _enter_master(deck, copied)
    return known[layout]


def bring_related(source: Parts, deck: EditableParts, link: Relationship) -> str | LinkFate:
    """The rule for all other related parts: media are merged, links to shared parts are dropped,
    the others are copied."""
    if not is_shared(source, link):
        return COPY
    kind = source.content_type(link.target) or ""
    if kind.startswith(("image/", "audio/", "video/")) or link.kind in MEDIA_KINDS:
        return bring_media(source, deck, link)
    return DROP


def bring_notes_master(source: Parts, deck: EditableParts, notes_master: str) -> str:
    """The deck's master of notes; that of ``source`` is copied if there is none yet."""
    for present in deck.related(deck.main_part, "notesMaster"):
        return present

    def choose(owner: str, link: Relationship) -> str | LinkFate:
        return COPY if link.kind == "theme" else bring_related(source, deck, link)

    name = copy_part(source, deck, notes_master, choose, {})
    id = deck.link(deck.main_part, relationship_type("notesMaster"), name)
    root = deck.edit(deck.main_part)
    if (listed := root.find(qn("p:notesMasterIdLst"))) is None:
        listed = etree.Element(qn("p:notesMasterIdLst"))
        masters = root.find(qn("p:sldMasterIdLst"))
        root.insert(0 if masters is None else root.index(masters) + 1, listed)
    etree.SubElement(listed, qn("p:notesMasterId"), {qn("r:id"): id})
    return name


def _equal_layout(source: Parts, deck: EditableParts, layout: str, master: str) -> str | None:
    design, wanted = master_key(source, master), part_key(source, layout)
    for other in listed_masters(deck):
        if master_key(deck, other) != design:
            continue
        for candidate in deck.related(other, "slideLayout"):
            if part_key(deck, candidate) == wanted:
                return candidate
    return None


def _enter_master(deck: EditableParts, master: str) -> None:
    """List a new master and number it and its layouts."""
    used = set(_design_ids(deck, listed_masters(deck)))
    link = deck.link(deck.main_part, relationship_type("slideMaster"), master)
    root = deck.edit(deck.main_part)
    if (listed := root.find(qn("p:sldMasterIdLst"))) is None:
        listed = etree.Element(qn("p:sldMasterIdLst"))
        root.insert(0, listed)
    number = _free_id(used)
    etree.SubElement(listed, qn("p:sldMasterId"), {"id": str(number), qn("r:id"): link})
    for item in _listed_layouts(deck, master):
        item.set("id", str(_free_id(used)))


def _listed_layouts(deck: EditableParts, master: str) -> Element:
    """The list of a master's layouts, repaired: missing layouts removed, unlisted ones added."""
    root = deck.edit(master)
    if (listed := root.find(qn("p:sldLayoutIdLst"))) is None:
        listed = etree.Element(qn("p:sldLayoutIdLst"))
        colors = root.find(qn("p:clrMap"))
        root.insert(len(root) if colors is None else root.index(colors) + 1, listed)
    links = deck.relationships(master)
    for item in list(listed):
        if item.get(qn("r:id")) not in links:
            listed.remove(item)
    known = {item.get(qn("r:id")) for item in listed}
    for id, link in links.items():
        if link.kind == "slideLayout" and link.target in deck and id not in known:
            etree.SubElement(listed, qn("p:sldLayoutId"), {qn("r:id"): id})
    return listed


def _design_ids(deck: EditableParts, masters: Iterable[str]) -> Iterable[int]:
    roots: list[Element] = [deck.xml(deck.main_part), *(deck.xml(part) for part in masters)]
    for root in roots:
        for item in root.iter(qn("p:sldMasterId"), qn("p:sldLayoutId")):
            yield parse_int(item.get("id")) or 0


def _free_id(used: set[int]) -> int:
    if (number := max([LEAST_DESIGN_ID - 1, *used]) + 1) >= 2**32:
        number = next(id for id in range(LEAST_DESIGN_ID, 2**32) if id not in used)
    used.add(number)
    return number


def master_key(parts: Parts, master: str) -> bytes:
    """A digest of a master with its theme and their pictures; its layouts do not count."""
    themes = parts.related(master, "theme")
    keys = [part_key(parts, part) for part in (master, *themes)]
    return sha256(b"".join(keys)).digest()


def part_key(parts: Parts, part: str) -> bytes:
    """A digest of a layout, master or theme with its pictures, without the list of layouts.

    Two layouts with one digest look the same on masters that look the same.
    """
    root = parts.xml(part)
    for listed in root.findall(qn("p:sldLayoutIdLst")):
        root.remove(listed)
    links = parts.relationships(part)
    for element in root.iter():
        _resolve(parts, links, element)
    return sha256(etree.tostring(root, method="c14n")).digest()


def _resolve(parts: Parts, links: dict[str, Relationship], element: Element) -> None:
    """Replace each relationship's id by its target."""
    for name, value in element.attrib.items():
        if not str(name).startswith(LINK_ATTRIBUTE):
            continue
        if (link := links.get(str(value))) is None or link.external or link.target not in parts:
            element.set(name, "" if link is None else link.target)
        else:
            element.set(name, sha256(parts.read(link.target)).hexdigest())


def import_slide(
    deck: EditableParts,
    source: Parts,
    slide: int | str,
    position: int | None = None,
    *,
    keep_design: bool = True,
) -> str:
    """Bring a slide of another deck in; return the name of the new slide's part.

    ``source`` is a Package or a Draft, which stays as it is; ``slide`` a number or part name of it.
    The slide goes to the 1-based ``position``, the end if none is given. With ``keep_design``
    its layout is copied with master, theme and the master's other layouts, unless the deck has an
    equal master with an equal layout; otherwise the slide gets the deck's own layout of the same
    name or type.

    Everything the slide needs is copied; media of the same content are stored once; authors of
    comments are merged; styles of its tables are added. Links to slides that are not copied, to
    custom shows, and zooms lose their action and keep text and picture. Shapes keep position and
    size in EMU also if the decks differ in slide size; embedded fonts and the deck's default
    text style are not copied.

    Raises MissingPart if there is no such slide, or it has no layout or master; DeckError
    if there is no such place.
    """
    entry = find_slide(source, slide)
    total = len(slide_entries(deck)) + 1
    at = total if position is None else position
    free_place(deck, at, total)
    old_layout = require_layout(source, entry)
    with deck.whole():
        if keep_design:
            layout = bring_layout(source, deck, old_layout)
        else:
            layout = fitting_layout(source, deck, old_layout, at)
        known: dict[str, str] = {}
        name = _copy(source, deck, entry, layout, known)
        if not keep_design:
            fit_placeholders(deck, name, layout, source, old_layout)
        drop_zooms(deck.edit(name))
        drop_show_links(deck.edit(name))
        bring_table_styles(source, deck, name)
        enter_slide(deck, name, at, known.values(), _authors(source, deck, known))
    return name


def _copy(
    source: Parts, deck: EditableParts, entry: SlideEntry, layout: str, known: dict[str, str]
) -> str:
    def choose(owner: str, link: Relationship) -> str | LinkFate:
        if link.kind == "slideLayout":
            return layout
        if link.kind == "notesMaster":
            return bring_notes_master(source, deck, link.target)
        if link.kind == "slide":
            return COPY if link.target == entry.part else DROP
        if is_notes(source, link.target) and owner != entry.part:
            return DROP
        return bring_related(source, deck, link)

    like = posixpath.join(posixpath.dirname(deck.main_part), "slides/slide1.xml")
    return copy_part(source, deck, entry.part, choose, known, like=like)


def _authors(
    source: Parts, deck: EditableParts, known: dict[str, str]
) -> dict[str, dict[str, str]]:
    parts = {deck.content_type(name) for name in known.values()}
    kinds = [kind for kind in (CLASSIC_COMMENTS, MODERN_COMMENTS) if kind in parts]
    return {kind: merge_authors(source, deck, modern=kind == MODERN_COMMENTS) for kind in kinds}


_CUSTOM = "cust"
_FURNITURE = ("dt", "ftr", "sldNum", "hdr")


def fitting_layout(source: Parts, deck: EditableParts, layout: str, position: int) -> str:
    """The layout of the deck that corresponds best to a layout of ``source``.

    It is searched under the master of the slide before ``position`` (or after, at the front): same
    name and type, same name, same type, then the one whose placeholders differ least. Raises
    MissingPart if the deck has no layouts.
    """
    if not (candidates := deck.related(_master_near(deck, position), "slideLayout")):
        raise MissingPart(deck.label, "the deck has no layouts to map a slide onto")
    wanted = source.xml(layout)
    return max(candidates, key=lambda name: _likeness(deck.xml(name), wanted))


def placeholders(root: Element) -> list[Element]:
    """The ``p:ph`` elements of a slide, layout or master, in z-order, including those in groups."""
    tree = root.find(f"{qn('p:cSld')}/{qn('p:spTree')}")
    return [] if tree is None else list(tree.iter(qn("p:ph")))


def _master_near(deck: EditableParts, position: int) -> str:
    entries = slide_entries(deck)
    for at in (position - 2, position - 1):
        if 0 <= at < len(entries):
            for layout in deck.related(entries[at].part, "slideLayout"):
                return master_of(deck, layout)
    for master in listed_masters(deck):
        return master
    raise MissingPart(deck.label, "the deck has no master to map a slide onto")


def _likeness(root: Element, wanted: Element) -> tuple[bool, bool, bool, int]:
    same_name = _name(root) == _name(wanted) and bool(_name(root))
    kind = wanted.get("type", _CUSTOM)
    same_kind = root.get("type", _CUSTOM) == kind and kind != _CUSTOM
    return same_name and same_kind, same_name, same_kind, -_difference(root, wanted)


def _name(root: Element) -> str:
    content = root.find(qn("p:cSld"))
    return "" if content is None else (content.get("name") or "").casefold()


def _difference(first: Element, second: Element) -> int:
    """The number of placeholders that only one of the two layouts has."""
    left = _kinds(first)
    missing = 0
    for kind in _kinds(second):
        if kind in left:
            left.remove(kind)
        else:
            missing += 1
    return missing + len(left)


def _kinds(root: Element) -> list[str]:
    kinds = (item.get("type", "obj") for item in placeholders(root))
    return [kind for kind in kinds if kind not in _FURNITURE]


_TITLES = ("title", "ctrTitle")
_CONTENT = ("obj", "body", "tbl", "chart", "dgm", "media", "pic", "clipArt", "subTitle")


def fit_placeholders(
    deck: EditableParts, slide: str, layout: str, source: Parts, source_layout: str
) -> None:
    """Link each placeholder of ``slide`` to one of ``layout``, or give it the place it had.

    A placeholder of the same number and kind is used, else the first free one of its kind, else one
    of a kind for the same content. If the layout has none left, the shape keeps its position
    from the layout it was made for, so that it does not vanish; where that happens to content, all
    content keeps its position, so that nothing lies on top of it.
    """
    marks = placeholders(deck.edit(slide))
    tied = _match(marks, placeholders(deck.xml(layout)))
    alone = {_family(mark.get("type", "obj")) for mark in marks if mark not in tied}
    homes = [source.xml(source_layout), source.xml(master_of(source, source_layout))]
    for mark in marks:
        is_content = _family(mark.get("type", "obj")) == "content"
        if mark not in tied or (is_content and "content" in alone):
            _keep_place(mark, homes)
    for mark, match in tied.items():
        _link_to(mark, match)


def _match(marks: list[Element], free: list[Element]) -> dict[Element, Element]:
    """Maps placeholders of a slide to those of a layout; removes the used ones from ``free``."""
    tied: dict[Element, Element] = {}
    for find in (_same, _best):
        for mark in marks:
            if (match := None if mark in tied else find(mark, free)) is not None:
                free.remove(match)
                tied[mark] = match
    return tied


def _same(mark: Element, free: list[Element]) -> Element | None:
    return next((item for item in free if _slot(item) == _slot(mark)), None)


def _slot(mark: Element) -> tuple[str, str]:
    return mark.get("type", "obj"), mark.get("idx", "0")


def _best(mark: Element, free: list[Element]) -> Element | None:
    kind = mark.get("type", "obj")
    for alike in (lambda other: other == kind, lambda other: _family(other) == _family(kind)):
        for item in free:
            if alike(item.get("type", "obj")):
                return item
    return None


def _family(kind: str) -> str:
    if kind in _TITLES:
        return "title"
    return "content" if kind in _CONTENT else kind


def _link_to(mark: Element, match: Element) -> None:
    for name in ("type", "idx"):
        if (value := match.get(name)) is not None:
            mark.set(name, value)
        elif name in mark.attrib:
            del mark.attrib[name]


def _keep_place(mark: Element, homes: list[Element]) -> None:
    properties = _shape(mark).find(qn("p:spPr"))
    if properties is None or properties.find(qn("a:xfrm")) is not None:
        return
    for home in homes:
        for item in placeholders(home):
            if not _inherits(mark, item, master=home is homes[-1]):
                continue
            if (at := _shape(item).find(f"{qn('p:spPr')}/{qn('a:xfrm')}")) is not None:
                properties.insert(0, deepcopy(at))
                return


def _inherits(mark: Element, item: Element, *, master: bool) -> bool:
    """Whether a placeholder inherits from another: a layout's by number, a master's by kind."""
    if master:
        return _family(item.get("type", "obj")) == _family(mark.get("type", "obj"))
    return item.get("idx", "0") == mark.get("idx", "0")


def _shape(mark: Element) -> Element:
    """The shape of a ``p:ph``: over ``p:nvPr`` and the shape's non-visual properties."""
    element = mark
    for _ in range(3):
        parent = element.getparent()
        element = etree.Element("none") if parent is None else parent
    return element


_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.tableStyles+xml"


def bring_table_styles(source: Parts, deck: EditableParts, slide: str) -> None:
    """Add the styles of the slide's tables that ``source`` defines and the deck does not."""
    used = {(item.text or "").strip() for item in deck.xml(slide).iter(qn("a:tableStyleId"))}
    for part in source.related(source.main_part, "tableStyles") if used else ():
        styles = {style.get("styleId"): style for style in list(source.xml(part))}
        if wanted := [style for id, style in styles.items() if id in used]:
            _add(deck, wanted)


def _add(deck: EditableParts, styles: list[Element]) -> None:
    root = deck.edit(_styles_part(deck))
    known = {style.get("styleId") for style in root}
    for style in styles:
        if style.get("styleId") not in known:
            root.append(style)


def _styles_part(deck: EditableParts) -> str:
    for part in deck.related(deck.main_part, "tableStyles"):
        return part
    none = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"  # PowerPoint's own default style
    root = etree.Element(qn("a:tblStyleLst"), {"def": none})
    return add_linked_part(deck, "tableStyles.xml", _TYPE, root, relationship_type("tableStyles"))


@phrase(
    "add (slide|slides) {numbers} (of|from) [deck] {deck:quoted} [{place}]",
    "add (slide|slides) {numbers} (of|from) [deck] {deck:quoted} in design of this deck [{place}]",
    example="add slides 2-3 of 'other.pptx' after slide 1", changes="slide:added",
    follows="section show layout master theme media detail")  # fmt: skip
@phrase(
    "add (slide|slides) {numbers} (of|from) [deck] {deck:quoted} with (its|their) design [{place}]",
    example="add slide 2 of 'other.pptx' with its design at the end", changes="slide:added",
    follows="section show layout master theme media detail", keep_design=True)  # fmt: skip
def bring_slide(
    prs: Presentation,
    source: Presentation,
    slide: int,
    position: int | None = None,
    *,
    keep_design: bool = False,
) -> int:
    """Bring a slide of another presentation in; return its number.

    It gets the layout of this deck that fits best, or with ``keep_design`` its own, with master
    and theme. Raises EditError if there is no such slide or place.

    Example: bring_slide(prs, Presentation("other.pptx"), 2, 1)
    """
    slide_at(source, slide)
    at = len(prs.slides) + 1 if position is None else position
    with parts_of(prs) as parts, parts_of(source) as others:
        try:
            import_slide(parts, others, slide, at, keep_design=keep_design)
        except DeckError as error:
            raise EditError(error.detail) from error
    return at
