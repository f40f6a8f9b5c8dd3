"""Slides of an open presentation added, cloned, deleted, moved and hidden, by their numbers; its
sections.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.slide import Slide, SlideLayout

from decklab.core.errors import DeckError
from decklab.editing.finding import (
    BODIES,
    TITLES,
    EditError,
    placeholder_of,
    placeholder_type,
    shapes,
    slide_at,
    slide_ids,
)
from decklab.editing.open_parts import EditableParts, parts_of, redirect
from decklab.editing.paragraphs import set_body_text
from decklab.editing.phrasing import order_phrase, phrase
from decklab.editing.slide_operations import clone_slide as clone_in
from decklab.editing.slide_operations import delete_slide as delete_in
from decklab.editing.slide_operations import fresh_guid
from decklab.editing.slide_operations import move_slide as move_in
from decklab.ooxml.slide_list import list_items, recount
from decklab.ooxml.xml import NAMESPACES, qn

_LIST_URI = "{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"
"""Names the list of sections among the extensions of a presentation ([MS-PPTX], 2.2.5)."""
_NS = f'xmlns:p="{NAMESPACES["p"]}" xmlns:p14="{NAMESPACES["p14"]}"'
_BEFORE = "Default Section"
"""PowerPoint's name for the slides before the first section."""


@phrase("(add|begin|make) [new] section [titled] {name:words} (before|at|from|with) {slides}",
        example="add the section 'Findings' before slide 4", changes="section",
        follows="section detail")  # fmt: skip
def add_section(prs: Presentation, name: str, slide: int) -> None:
    """Begin a section at a slide; it holds the slides from there to the next section.

    Raises EditError where a section begins there already.

    Example: add_section(prs, "Findings", 4)
    """
    slide_at(prs, slide)
    ids = slide_ids(prs)
    root: Any = prs.part._element
    if (listed := root.find(f".//{qn('p14:sectionLst')}")) is None:
        listed = _new_list(root)
    if not len(listed):
        listed.append(_section(_BEFORE if slide > 1 else name, ids))
        if slide == 1:
            return
    holder = next((entry for entry in listed if ids[slide - 1] in _members(entry)), None)
    if holder is None:
        raise EditError(f"slide {slide} is in no section, though the deck has sections")
    members = _members(holder)
    if not (at := members.index(ids[slide - 1])):
        raise EditError(f"the section {holder.get('name')!r} begins at slide {slide}")
    _keep(holder, members[:at])
    holder.addnext(_section(name, members[at:]))


@order_phrase(
    "move (section {name:section}|{name:section} section) to [very] {end=start|end} [of deck]",
    "move (section {name:section}|{name:section} section) (before|in front of) [section] "
    "{before:section} [section]",
    "move (section {name:section}|{name:section} section) (after|behind) [section] "
    "{after:section} [section]",
    example="move the section 'Findings' to the start")  # fmt: skip
def move_section(
    prs: Presentation,
    name: str,
    *,
    before: str | None = None,
    after: str | None = None,
    end: str | None = None,
) -> bool:
    """Move a section with its slides before or after another one, or to an ``end`` of the deck.

    ``end`` is "start" or "end". Return whether it stood elsewhere.

    Example: move_section(prs, "Appendix", end="end")
    """
    held = _find(prs, name)
    listed = held.getparent()
    old = list(listed)
    others = [section for section in old if section is not held]
    if before is not None or after is not None:
        beside = _find(prs, before if before is not None else after or "")
        if beside is held:
            raise EditError(f"{name!r} cannot stand beside itself")
        at = others.index(beside) + (before is None)
    else:
        at = 0 if end == "start" else len(others)
    fresh = [*others[:at], held, *others[at:]]
    items = {int(item.get("id") or 0): item for item in list_items(prs.part._element)}
    order = [id for section in fresh for id in _members(section)]
    if sorted(order) != sorted(items):
        raise EditError("some slides belong to no section, or to several")
    holder: Any = items[order[0]].getparent()
    holder.extend([items[id] for id in order])
    listed.extend(fresh)
    return fresh != old


@phrase("(rename|change) (section {old:section}|{old:section} section) to {new:words}",
        example="rename the section 'Findings' to 'Results'", changes="section")  # fmt: skip
def rename_section(prs: Presentation, old: str, new: str) -> None:
    """Give a section another name. Raises EditError where there is none, or several, of the old.

    Example: rename_section(prs, "Appendix", "Backup")
    """
    _find(prs, old).set("name", new)


@phrase(
    "(delete|dissolve) (section {name:section}|{name:section} section)",
    example="delete the section 'Findings'", changes="section", follows="section detail",
)  # fmt: skip
def delete_section(prs: Presentation, name: str) -> None:
    """Dissolve a section; its slides stay, and belong to the section before, else after it.

    Example: delete_section(prs, "Appendix")
    """
    held = _find(prs, name)
    before, after = held.getprevious(), held.getnext()
    if before is not None:
        _keep(before, [*_members(before), *_members(held)])
    elif after is not None:
        _keep(after, [*_members(held), *_members(after)])
    listed = held.getparent()
    listed.remove(held)
    if not len(listed):
        extension = listed.getparent()
        extension.getparent().remove(extension)


def section_sizes(prs: Presentation) -> list[int]:
    """How many slides each section of a deck has, in their order."""
    return [len(_members(section)) for section in prs.part._element.iter(qn("p14:section"))]


def share_out(prs: Presentation, sizes: list[int]) -> None:
    """Give the sections of a deck so many slides each, in the order of the slides.

    Nothing changes if these are not all slides.
    """
    ids = slide_ids(prs)
    if sum(sizes) != len(ids):
        return
    for section, size in zip(prs.part._element.iter(qn("p14:section")), sizes, strict=True):
        _keep(section, ids[:size])
        ids = ids[size:]


def _find(prs: Presentation, name: str) -> Any:
    sections = list(prs.part._element.iter(qn("p14:section")))
    named = [entry for entry in sections if (entry.get("name") or "").casefold() == name.casefold()]
    if len(named) != 1:
        names = ", ".join(repr(section.get("name") or "") for section in sections) or "none"
        raise EditError(f"the deck has no section {name!r}, or several; it has {names}")
    return named[0]


def _new_list(root: Any) -> Any:
    """An empty list of sections, as an extension of the presentation."""
    if (extensions := root.find(qn("p:extLst"))) is None:
        extensions = parse_xml(f"<p:extLst {_NS}/>")
        root.append(extensions)
    held = parse_xml(f'<p:ext {_NS} uri="{_LIST_URI}"><p14:sectionLst/></p:ext>')
    extensions.append(held)
    return held[0]


def _section(name: str, ids: list[int]) -> Any:
    section = parse_xml(f"<p14:section {_NS}><p14:sldIdLst/></p14:section>")
    section.set("name", name)
    section.set("id", fresh_guid(_LIST_URI, f"{name} {ids[:1]}"))
    _keep(section, ids)
    return section


def _keep(section: Any, ids: list[int]) -> None:
    if (listed := section.find(qn("p14:sldIdLst"))) is None:
        listed = parse_xml(f"<p14:sldIdLst {_NS}/>")
        section.insert(0, listed)
    for item in list(listed):
        listed.remove(item)
    for id in ids:
        listed.append(parse_xml(f'<p14:sldId {_NS} id="{id}"/>'))


def _members(section: Any) -> list[int]:
    return [int(item.get("id")) for item in section.iter(qn("p14:sldId"))]


@phrase("(duplicate|copy|make copy of) {slides} [{place}]",
        example="duplicate slide 2", changes="slide:added", follows="section show")  # fmt: skip
@phrase(
    "make {times:number} copies of {slides} [{place}]",
    "(duplicate|copy) {slides} {times:number} times",
    example="make two copies of slide 2", changes="slide:added", follows="section show",
)  # fmt: skip
def clone_slide(prs: Presentation, slide: int, position: int | None = None) -> int:
    """Double a slide with its charts, diagrams and notes; return the number of the new one.

    It goes right after the original, or to the 1-based ``position``. Charts and all else that can
    be edited are copies; pictures and the layout are shared.

    Example: clone_slide(prs, 3)
    """
    at = slide + 1 if position is None else position
    slide_at(prs, slide)
    _check_place(prs, at, len(prs.slides) + 1)
    with _parts(prs) as parts:
        clone_in(parts, slide, at)
    return at


@phrase("delete {slides}",
        example="delete slides 2 and 4-5", changes="slide:removed",
        follows="link layout section show")  # fmt: skip
@phrase("keep only {slides}",
        example="keep only slides 1-4", changes="slide:removed",
        follows="link layout section show", others=True)  # fmt: skip
def delete_slide(prs: Presentation, slide: int) -> None:
    """Delete a slide, with what only it needs and all links to it; other slides move up.

    The only slide of a deck cannot be deleted.

    Example: delete_slide(prs, 7)
    """
    slide_at(prs, slide)
    with _parts(prs) as parts:
        delete_in(parts, slide)


@order_phrase("(move|put|bring) {slides} {place}",
              "make {slides} {place:rank}",
              example="move slide 2 after slide 4")  # fmt: skip
def move_slide(prs: Presentation, slide: int, position: int) -> None:
    """Move a slide so that it is number ``position``; those between make room.

    Example: move_slide(prs, 8, 2)
    """
    slide_at(prs, slide)
    _check_place(prs, position, len(prs.slides))
    with _parts(prs) as parts:
        move_in(parts, slide, position)


@phrase("hide {slides}", example="hide slides 4 and 5", changes="slide:hidden")
@phrase("(unhide|show) {slides} [again]",
        example="unhide slide 4", changes="slide:hidden", hidden=False)  # fmt: skip
def hide_slide(prs: Presentation, slide: int, hidden: bool = True) -> None:
    """Hide a slide from the show, or show it again.

    Example: hide_slide(prs, 5)
    """
    root = slide_at(prs, slide)._element
    if hidden:
        root.set("show", "0")
    else:
        root.attrib.pop("show", "")
    with _parts(prs) as parts:
        recount(parts)


@contextmanager
def _parts(prs: Presentation) -> Iterator[EditableParts]:
    """The parts of a presentation; a DeckError in the block becomes an EditError."""
    try:
        with parts_of(prs) as parts:
            yield parts
    except DeckError as error:
        raise EditError(error.detail) from error


def _check_place(prs: Presentation, at: int, last: int) -> None:
    if not 1 <= at <= last:
        raise EditError(f"there is no place {at}; the deck has {len(prs.slides)} slides")


_USUAL = ("obj", "tx")
"""Types of layouts with a title and one text (ECMA-376 Part 1, 19.7.15, ST_SlideLayoutType)."""


@phrase(
    "add [new] slide [titled {title:words}] [(with|in|using) layout {layout}] [{place}]",
    "add [new] slide [{place}] [titled {title:words}] [(with|in|using) layout {layout}]",
    "add [new] slide {title:quoted} [{place}]",
    "add [new] {layout:layout name} slide [titled {title:words}] [{place}] [titled {title:words}]",
    example="add a slide titled 'Thank you' at the end", changes="slide:added",
    follows="section show")  # fmt: skip
@phrase(
    "add [new] slide [{place}] [titled {title:words}] with {kind:chart kind} chart (of|with) "
    "{named:numbered} [{place}]",
    "add [new] slide [{place}] [titled {title:words}] with table with ({row_count:number} rows and "
    "{column_count:number} columns|(columns|headings) {texts:list}) [{place}]",
    "add [new] slide [{place}] [titled {title:words}] with picture {picture:file} [{place}]",
    example="add a slide titled 'Share' with a pie chart of 'North' 4, 'South' 6 at the end",
    changes="slide:added", follows="section show detail media other")  # fmt: skip
def add_slide(
    prs: Presentation,
    position: int | None = None,
    *,
    title: str = "",
    body: str = "",
    layout: str | None = None,
) -> int:
    """Add a slide at a 1-based place, at the end where none is given; return its number.

    ``layout`` is the name of a layout; without one it is that of a title with text. Placeholders
    without a text stay empty. Raises EditError where there is no such layout or place, or the
    layout has no title for the title.

    Example: add_slide(prs, 3, title="Next steps", body="Hire\\nTrain", layout="Title and Content")
    """
    total = len(prs.slides) + 1
    at = total if position is None else position
    if not 1 <= at <= total:
        raise EditError(f"there is no place {at}; the deck has {total - 1} slides")
    slide = prs.slides.add_slide(find_layout(prs, layout))
    for text, kinds in ((title, TITLES), (body, BODIES)):
        if not text:
            continue
        if (held := placeholder_of(slide, kinds)) is None:
            raise EditError(f"the layout {slide.slide_layout.name!r} has no place for “{text}”")
        set_body_text(held.find(qn("p:txBody")), text)
    if at != total:
        move_slide(prs, total, at)
    return at


def find_layout(prs: Presentation, name: str | None) -> SlideLayout:
    """The layout of a name, case aside, or that of a title with one text; raises EditError."""
    layouts = [layout for master in prs.slide_masters for layout in master.slide_layouts]
    if name is None:
        usual = [layout for layout in layouts if layout._element.get("type") in _USUAL]
        titled = [layout for layout in layouts if _has_title(layout)]
        fitting = [*usual, *titled, *layouts]
    else:
        wanted = (name.casefold(), name.casefold().removesuffix(" layout"))
        fitting = [item for word in wanted for item in layouts if item.name.casefold() == word]
    if not fitting:
        names = ", ".join(repr(layout.name) for layout in layouts)
        raise EditError(f"there is no layout {name!r}; there are {names}")
    layout: SlideLayout = fitting[0]
    return layout


def _has_title(layout: SlideLayout) -> bool:
    return any(placeholder_type(shape) in TITLES for shape in shapes(layout))


@phrase("(apply|give|use) {name:layout} (to|for|on) {slides}",
        "set <layout {on}> to {name:layout}",
        example="apply the layout 'Title Only' to slide 6", changes="slide layout",
        follows="style geometry text removed layout detail slide other")  # fmt: skip
def apply_layout(prs: Presentation, slide: int, name: str) -> bool:
    """Give a slide another layout; return whether it had another one before.

    Placeholders follow the new layout's of their kind; what it has no place for stays where it
    is, empty placeholders go.

    Example: apply_layout(prs, 3, "Two Content")
    """
    held = slide_at(prs, slide)
    layout = find_layout(prs, name)
    if held.slide_layout.part is layout.part:
        return False
    holders = filter(placeholder_type, shapes(layout))
    free = [placeholder.xpath("./*/p:nvPr/p:ph")[0] for placeholder in holders]
    for shape in list(filter(placeholder_type, shapes(held))):
        mark = shape.xpath("./*/p:nvPr/p:ph")[0]
        if (match := _match(mark, free)) is not None:
            free.remove(match)
            for key in ("type", "idx", "orient", "sz"):
                mark.attrib.pop(key, None)
            mark.attrib.update(dict(match.attrib.items()))
        elif _is_empty(shape):
            shape.getparent().remove(shape)
        else:
            _fix_place(held, shape)
    for id, link in list(held.part.rels.items()):
        if link.reltype == RELATIONSHIP_TYPE.SLIDE_LAYOUT:
            redirect(held.part, id, layout.part)
    return True


def _match(mark: Any, free: list[Any]) -> Any:
    """The placeholder of a layout for one of a slide, by its kind, then by its index."""
    kind = _family(mark.get("type"))
    same = [other for other in free if _family(other.get("type")) == kind]
    by_index = [other for other in same if other.get("idx") == mark.get("idx")]
    return next(iter([*by_index, *same]), None)


def _family(kind: str | None) -> str:
    return "title" if kind in TITLES else "body" if kind in (None, *BODIES) else str(kind)


def _is_empty(shape: Any) -> bool:
    is_text = shape.tag == qn("p:sp")
    return is_text and not any(item.text for item in shape.iter(qn("a:t")))


def _fix_place(slide: Slide, element: Any) -> None:
    """Write down the place that a shape takes over from its layout."""
    for shape in slide.shapes:
        if shape._element is element and None not in (shape.left, shape.top, shape.width):
            frame = shape.left, shape.top, shape.width, shape.height
            shape.left, shape.top, shape.width, shape.height = frame


@order_phrase("swap {slides}",
              "swap slide {number} (with|and|for) [slide] {other:number}",
              example="swap slides 3 and 5", how="swap")  # fmt: skip
@order_phrase("reverse [order of] ({slides}|slides)",
              example="reverse the order of the slides", how="reverse")  # fmt: skip
def order_slides(prs: Presentation, order: Sequence[int]) -> None:
    """Put the slides into an order, given by their numbers; sections follow as in ``move_slide``.

    Example: order_slides(prs, [3, 1, 2])
    """
    if sorted(order) != list(range(1, len(prs.slides) + 1)):
        raise EditError("the order has to name every slide once")
    ids = slide_ids(prs)
    for position, number in enumerate(deepcopy(list(order)), start=1):
        if (now := slide_ids(prs).index(ids[number - 1]) + 1) != position:
            move_slide(prs, now, position)
