"""Decks opened and saved by python-pptx without loss; its errors become one line.

python-pptx drops links that lead to no part, such as ``#_ftn1``, when it opens a deck; references
to them would then be broken, or lead to a new target with the same id. So these links are marked as
external before it opens a deck, and restored in the saved file; so are entries of the slide list
that lead to no slide (``dead_entries``).
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, unquote

from lxml import etree
from pptx.exc import PythonPptxError
from pptx.opc.packuri import PackURI
from pptx.presentation import Presentation as Presentation  # noqa: PLC0414  # for this room
from pptx.slide import Slide, SlideLayout

from decklab.core.errors import DeckError
from decklab.core.files import scratch_folder
from decklab.core.naming import NOUNS, name_in_words, shape_label
from decklab.editing.open_parts import presentation_in
from decklab.ooxml.package import Package, check_archive, package_bytes, write_package
from decklab.ooxml.parts import (
    CONTENT_TYPES_PART,
    STRICT,
    declare_types,
    relationships_part,
    resolve_target,
)
from decklab.ooxml.slide_list import (
    LIST,
    SLIDE_TYPE,
    SlideEntry,
    free_slide_ids,
    list_items,
    read_list,
)
from decklab.ooxml.xml import (
    Element,
    non_visual_properties,
    parse_int,
    parse_xml,
    qn,
    serialize_xml,
    shape_id,
    shape_name,
)

Where = Literal["all", "title", "body", "footer"]
"""Which texts of a slide: all but the footers; titles; texts of body placeholders; or the
footer, date and slide number."""

TITLES = ("title", "ctrTitle")
BODIES = ("body", "subTitle", "obj")
FOOTERS = ("ftr", "dt", "sldNum", "hdr")
SHAPES = tuple(qn(f"p:{name}") for name in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp"))
"""Elements that are shapes."""


class EditError(ValueError):
    """An edit that cannot be made; its text is one line with the reason and the valid choices."""


def slide_at(prs: Presentation, number: int) -> Slide:
    """The slide of a 1-based number; raises EditError."""
    total = len(prs.slides)
    if not 1 <= number <= total:
        raise EditError(f"there is no slide {number}; the deck has {total}")
    slide: Slide = prs.slides[number - 1]
    return slide


def slide_ids(prs: Presentation) -> list[int]:
    """The ids of all slides in their order; a slide's own ``slide_id`` searches all of them."""
    return [int(item.get("id") or 0) for item in list_items(prs.part._element)]


def slides_of(prs: Presentation, slides: Iterable[int] | None) -> list[tuple[int, Slide]]:
    """The slides of some numbers, or all slides for None, in their order; raises EditError."""
    if slides is None:
        return list(enumerate(prs.slides, start=1))
    return [(number, slide_at(prs, number)) for number in sorted(set(slides))]


def shapes(slide: Slide | SlideLayout) -> Iterator[Any]:
    """The elements of all shapes, members of groups included, in drawing order."""
    return (item for item in slide._element.cSld.spTree.iterdescendants(*SHAPES))


def find_shape(prs: Presentation, slide: int, shape: str | int) -> Any:
    """The element of a shape, given by its id or its name.

    Letter case counts only if several names differ in nothing else.

    Raises EditError if there is no such shape, or several of that name.
    """
    items = list(shapes(slide_at(prs, slide)))
    same = [item for item in items if shape in (shape_id(item), shape_name(item))]
    if not same and isinstance(shape, str):
        same = [item for item in items if shape_name(item).casefold() == shape.casefold()]
    if len(same) == 1:
        return same[0]
    if same:
        ids = ", ".join(f"{shape_id(item)}{_words(item, ' ({})')}" for item in same)
        raise EditError(f"slide {slide} has {len(same)} shapes {shape!r}; say which by id: {ids}")
    names = ", ".join(
        shape_label(repr(shape_name(item)), f"{shape_id(item)}{_words(item, ', {}')}")
        for item in items
    )
    raise EditError(f"slide {slide} has no shape {shape!r}; it has {names or 'none'}")


def find_graphic(
    prs: Presentation, slide: int, shape: str | int | None, tag: str, what: str
) -> Any:
    """The element ``tag`` inside a graphic frame; raises EditError.

    ``shape`` is the frame; without it, the slide must have only one.
    """
    if shape is not None:
        inner = find_shape(prs, slide, shape).find(f".//{tag}")
        if inner is None:
            raise EditError(f"{shape!r} on slide {slide} is no {what}")
        return inner
    graphics = [inner for item in shapes(slide_at(prs, slide)) for inner in _inside(item, tag)]
    if len(graphics) != 1:
        count = f"{len(graphics)} {what}s" if graphics else f"no {what}"
        raise EditError(f"slide {slide} has {count}; say which by name or id" if graphics else
                        f"slide {slide} has no {what}")  # fmt: skip
    return graphics[0]


def text_bodies(slide: Slide, where: str = "all") -> Iterator[Any]:
    """The text bodies of a slide, of shapes and of table cells, that ``where`` means."""
    if where not in ("all", "title", "body", "footer"):
        raise EditError(f"where={where!r} is none of 'all', 'title', 'body', 'footer'")
    for item in shapes(slide):
        kind = placeholder_type(item)
        role = "footer" if kind in FOOTERS else "title" if kind in TITLES else None
        role = role or ("body" if kind in BODIES else "other")
        if where == role or (where == "all" and role != "footer"):
            if item.tag == qn("p:sp"):
                yield from item.iterfind(qn("p:txBody"))
            elif item.tag == qn("p:graphicFrame"):
                yield from item.iterfind(f".//{qn('a:tc')}/{qn('a:txBody')}")


def body_of(prs: Presentation, slide: int, shape: str | int) -> Any:
    """The text body of a shape; raises EditError for a shape that holds no text."""
    body = find_shape(prs, slide, shape).find(qn("p:txBody"))
    if body is None:
        raise EditError(f"{shape!r} on slide {slide} holds no text")
    return body


def placeholder_of(slide: Slide, kinds: Collection[str]) -> Any:
    """The first placeholder of a slide of one of some types; None if there is none."""
    return next((shape for shape in shapes(slide) if placeholder_type(shape) in kinds), None)


def paragraphs(body: Any) -> Iterator[Any]:
    """The paragraphs of a text body."""
    return iter(body.findall(qn("a:p")))


def placeholder_type(shape: Any) -> str | None:
    """The type of a shape's placeholder, ``obj`` if none is stated; None for other shapes."""
    mark = shape.find(f"*/{qn('p:nvPr')}/{qn('p:ph')}")
    return None if mark is None else str(mark.get("type") or "obj")


def _inside(shape: Any, tag: str) -> Iterator[Any]:
    if shape.tag == qn("p:graphicFrame"):
        yield from shape.iterfind(f".//{tag}")


def properties(shape: Any) -> Any:
    """The element with id, name and description of a shape."""
    return non_visual_properties(shape)


def _words(shape: Any, form: str) -> str:
    """The words of a shape, in a form, if its name is automatic; else empty."""
    kind = shape.tag.rpartition("}")[2]
    place = shape.find(f"*/{qn('p:nvPr')}/{qn('p:ph')}")
    boxes = shape.findall(f"*/{qn('p:cNvSpPr')}[@txBox]")
    noun = "text box" if boxes else _KINDS.get(kind, "shape")
    noun = noun if place is None else NOUNS.get(place.get("type", ""), "text")
    lines = ("".join(t.text or "" for t in p.iter(qn("a:t"))) for p in shape.iter(qn("a:p")))
    words = name_in_words(shape_name(shape), noun, " ".join(lines), placeholder=place is not None)
    return form.format(words) if words else ""


_KINDS = {"pic": "picture", "cxnSp": "line", "grpSp": "group", "graphicFrame": "object"}


_RECTANGLES = ("rect", "roundRect", "round1Rect", "round2SameRect", "snip1Rect")
_MEDIA = (qn("a:videoFile"), qn("a:audioFile"), qn("a:wavAudioFile"), qn("a:quickTimeFile"))
_GRAPHICS = {"table": qn("a:tbl"), "chart": qn("c:chart"), "diagram": qn("dgm:relIds")}
KINDS = (
    "title", "subtitle", "body", "picture", "shape", "box", "rectangle", "circle", "text box",
    "table", "chart", "diagram", "line", "group", "placeholder",
)  # fmt: skip
"""The kinds of shapes that ``shapes_of`` knows."""


def shapes_of(slide: Slide, kind: str) -> list[Any]:
    """The elements of a slide's shapes of one of ``KINDS``, in drawing order.

    ``shape`` means every drawn shape that is no placeholder and no text box, ``box`` text boxes
    too; a ``picture`` is none that plays a video or sound.
    """
    return [item for item in shapes(slide) if _is(item, kind, slide)]


def shape_text(shape: Any) -> str:
    """The text of a shape, its paragraphs as lines."""
    lines = (
        "".join(item.text or "" for item in paragraph.iter(qn("a:t")))
        for paragraph in shape.iterfind(f"{qn('p:txBody')}/{qn('a:p')}")
    )
    return "\n".join(lines)


def texts_of(shape: Any) -> Iterator[Any]:
    """The text bodies of a shape, of a table those of its cells."""
    yield from shape.iterfind(qn("p:txBody"))
    yield from shape.iterfind(f".//{qn('a:tc')}/{qn('a:txBody')}")


def _is(item: Any, kind: str, slide: Slide) -> bool:
    role = placeholder_type(item)
    if kind in _GRAPHICS:
        return (
            item.tag == qn("p:graphicFrame") and next(item.iter(_GRAPHICS[kind]), None) is not None
        )
    if kind == "picture" and item.tag == qn("p:pic") and _plays(item):
        return False
    tags = {"picture": "p:pic", "line": "p:cxnSp", "group": "p:grpSp"}
    if kind in tags:
        return bool(item.tag == qn(tags[kind]))
    if item.tag != qn("p:sp"):
        return False
    if kind in ("title", "subtitle", "body", "placeholder"):
        return _is_placeholder(role, kind, item, slide)
    return role is None and _is_drawn(item, kind)


def _plays(picture: Any) -> bool:
    """Whether a picture stands for a video or sound."""
    return any(next(picture.iter(tag), None) is not None for tag in _MEDIA)


def _is_placeholder(role: str | None, kind: str, item: Any, slide: Slide) -> bool:
    if kind == "title":
        return role in TITLES
    if kind == "subtitle":
        return (
            role == "subTitle"
            or "subtitle" in shape_name(item).casefold()
            or (
                role in BODIES
                and slide.slide_layout._element.get("type") == "title"
                and _first_body(slide) is item
            )
        )
    return role in BODIES if kind == "body" else role is not None


def _first_body(slide: Slide) -> Any:
    return next((item for item in shapes(slide) if placeholder_type(item) in BODIES), None)


def _is_drawn(item: Any, kind: str) -> bool:
    is_text_box = item.find(f"{qn('p:nvSpPr')}/{qn('p:cNvSpPr')}").get("txBox") in ("1", "true")
    if kind == "text box":
        return is_text_box
    geometry = item.find(f"{qn('p:spPr')}/{qn('a:prstGeom')}")
    preset = "" if geometry is None else geometry.get("prst")
    if kind == "rectangle":
        return not is_text_box and preset in _RECTANGLES
    if kind == "circle":
        return not is_text_box and preset == "ellipse"
    return kind == "box" or (kind == "shape" and not is_text_box)


_STORED = re.compile(r"decklab-entry:(\d{1,6}):(.*)", re.DOTALL)
"""Target of a relationship that stores an entry: its index in the list, and its XML."""
_TYPE = "https://decklab.invalid/entry"
_COMMENT = b"<!--"


def without_dead_entries(package: Package, changed: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts of a deck with new bytes by which python-pptx finds the slides of the list.

    ``changed`` has parts that change for other reasons. Raises DeckError if the list cannot be
    read.
    """
    main = package.main_part
    root, rels = package.xml(main), package.find(relationships_part(main))
    listed = read_list(root, package.relationships(main), package)
    types = _stated_types(package, listed.slides)
    lists = root.findall(LIST)
    sound = not listed.dead and all(slide.id == slide.stated_id for slide in listed.slides)
    if rels is None or (sound and len(lists) < 2 and _COMMENT not in package.read(main)):
        return types
    links = _root_of(package, rels, changed)
    items = list_items(root)
    for other in lists[1:]:
        lists[0].extend(other)
        root.remove(other)
    for entry in listed.slides:
        items[entry.position - 1].set("id", str(entry.id))
    names = {link.get("Id") for link in links}
    for dead in listed.dead:
        _store(items[dead.position - 1], dead.position - 1, links, names)
        lists[0].remove(items[dead.position - 1])
    return types | {main: serialize_xml(root), rels: serialize_xml(links)}


def _stated_types(package: Package, slides: tuple[SlideEntry, ...]) -> dict[str, bytes]:
    """The part with the content types, if it does not state those of all slides."""
    untyped = [slide.part for slide in slides if package.content_type(slide.part) != SLIDE_TYPE]
    if not untyped:
        return {}
    types = package.xml(CONTENT_TYPES_PART)
    root = declare_types(types, dict.fromkeys(untyped, SLIDE_TYPE), ())
    return {CONTENT_TYPES_PART: serialize_xml(root)}


def _store(item: Element, index: int, links: Element, names: set[str | None]) -> None:
    """Store an entry in a new relationship; ``names`` are the ids of all, and gets that of the new.

    If it names a relationship that is not there, the new one has that id: an id that python-pptx
    gives to something new would make the entry lead there.
    """
    wanted = item.get(qn("r:id")) or ""
    name = wanted if wanted and wanted not in names else f"decklab-entry-{index}"
    names.add(name)
    attributes = {
        "Id": name,
        "Type": _TYPE,
        "Target": f"decklab-entry:{index}:{quote(etree.tostring(item, encoding='unicode'))}",
        "TargetMode": "External",
    }
    etree.SubElement(links, qn("rel:Relationship"), attributes)


def with_dead_entries(package: Package, changed: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts of a saved deck with new bytes by which the stored entries are in the list again.

    An entry with the id of a slide, such as a new one, gets another id. ``changed`` has parts that
    change for other reasons. Raises DeckError if these parts cannot be read.
    """
    main = package.main_part
    rels = package.find(relationships_part(main))
    if rels is None:
        return {}
    links = _root_of(package, rels, changed)
    stored: list[tuple[int, Element]] = []
    for link in list(links):
        match = _STORED.fullmatch(link.get("Target") or "")
        if match is not None:
            links.remove(link)
            data = unquote(match[2]).encode()
            stored.append((int(match[1]), parse_xml(data, path=package.label, part=rels)))
    if not stored:
        return {}
    root = package.xml(main)
    slides = root.find(LIST)
    if slides is not None:
        used = {id for item in slides if (id := parse_int(item.get("id"))) is not None}
        kept = {id for _, item in stored if (id := parse_int(item.get("id"))) is not None}
        free = free_slide_ids(used | kept)
        for index, item in sorted(stored, key=lambda entry: entry[0]):
            if parse_int(item.get("id")) in used:
                item.set("id", str(next(free)))
            slides.insert(index, item)
    return {main: serialize_xml(root), rels: serialize_xml(links)}


def drop_unlisted(part: Any) -> None:
    """Drop the stored entries of an open presentation, by its part, and relationships to slides
    that its list does not have: they are not written then."""
    named = {item.get(qn("r:id")) for item in list_items(part._element)}
    for id, link in list(part.rels.items()):
        if link.reltype == _TYPE or (link.reltype.endswith("/slide") and id not in named):
            part.rels.pop(id)


def _root_of(package: Package, part: str, changed: Mapping[str, bytes]) -> Element:
    data = changed.get(part)
    return package.xml(part) if data is None else parse_xml(data, path=package.label, part=part)


FIXED_DATE = datetime(2000, 1, 1)
"""The date of written parts, so that equal input gives equal bytes."""
_CORE = "docProps/core.xml"
_CREATED = re.compile(rb"(W3CDTF\">)[^<]*")

PPTX_ERRORS = (
    PythonPptxError, KeyError, IndexError, ValueError, TypeError, AttributeError,
    NotImplementedError, etree.LxmlError,
)  # fmt: skip
"""Errors that python-pptx raises on decks whose structure it does not expect."""


def opened(path: str | Path) -> Presentation:
    """A deck opened for editing in memory, to be written by ``saved``; raises DeckError if that
    cannot be."""
    with scratch_folder("open") as room:
        # Reading checks limits and refuses some decks, which applies here too.
        source = guarded(Path(path), room / "deck.pptx")
        check_archive(path)  # python-pptx unpacks every part, even without a relationship to it
        _refuse_strict(source, path)
        try:
            return presentation_in(str(source))
        except PPTX_ERRORS as error:
            raise DeckError(path, f"it cannot be opened for editing: {_line(error)}") from error


def _refuse_strict(source: Path, path: str | Path) -> None:
    with Package.open(source) as package:
        if STRICT in package.read(package.main_part):
            detail = (
                "it is of the strict edition, which cannot be edited; save it as an ordinary .pptx"
            )
            raise DeckError(path, detail)


def saved(prs: Presentation, path: Path) -> Path:
    """The presentation in a file; raises DeckError if python-pptx cannot write it."""
    try:
        prs.save(str(path))
    except PPTX_ERRORS as error:
        raise DeckError(path, f"the edited deck cannot be saved: {_line(error)}") from error
    restored(path)
    return path


def save_undated(
    prs: Presentation, path: Path, settle: Callable[[str, bytes], bytes] | None = None
) -> Path:
    """Write a presentation so that equal ones give equal bytes, whole or not at all.

    python-pptx writes the present time as the date of parts; a replaced part gets a fixed date.
    ``settle`` gives the bytes of a part to be written, from its name and what python-pptx wrote.
    """
    file = BytesIO()
    prs.save(file)
    with Package.from_bytes(file.getvalue(), path.name) as package:
        parts = {name: package.read(name) for name in package.names}
        if settle is not None:
            parts = {name: settle(name, data) for name, data in parts.items()}
        return write_package(package, path, replace=parts)


def undated_workbook(name: str, data: bytes) -> bytes:
    """A part as it is; a workbook (``.xlsx``), as charts have them, with a fixed date."""
    if not name.endswith(".xlsx"):
        return data
    with Package.from_bytes(data, name) as workbook:
        core = workbook.read(_CORE)
        plain = _CREATED.sub(rb"\g<1>" + FIXED_DATE.isoformat().encode() + b"Z", core)
        return package_bytes(workbook, replace={_CORE: plain})


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


_MARK = "decklab-leads-nowhere:"


def guarded(deck: Path, copy: Path) -> Path:
    """The deck itself if all its links lead to parts, and its slide list to slides; else ``copy``,
    with the other links marked and the other entries stored.

    Raises DeckError if the deck cannot be read.
    """
    with Package.open(deck) as package:
        changed = dict(_changed(package, lambda base, link: _mark(package, base, link)))
        changed |= without_dead_entries(package, changed)
        return write_package(package, copy, replace=changed) if changed else deck


def restored(deck: Path) -> None:
    """Write the links that ``guarded`` marked, and the entries that it stored, as they were, in
    place.

    Raises DeckError if the deck cannot be read.
    """
    with Package.open(deck) as package:
        changed = dict(_changed(package, _unmark))
        changed |= with_dead_entries(package, changed)
        if changed:
            write_package(package, deck, replace=changed)


def _changed(
    package: Package, change: Callable[[str, Element], bool]
) -> Iterator[tuple[str, bytes]]:
    """The parts of relationships that ``change`` changes, with their new bytes.

    ``change`` takes the folder that targets are relative to, and a relationship; it returns whether
    it changed the relationship.
    """
    for name in package.names:
        folder, _, base = name.rpartition("/")
        if not base.endswith(".rels") or not f"/{folder}".endswith("/_rels"):
            continue
        root = package.xml(name)
        base_folder = f"/{folder}".removesuffix("/_rels") or "/"
        links = root.findall(qn("rel:Relationship"))
        if [link for link in links if change(base_folder, link)]:
            yield name, serialize_xml(root)


def _mark(package: Package, base: str, link: Element) -> bool:
    target = link.get("Target") or ""
    if link.get("TargetMode") == "External":
        return False
    part = package.find(resolve_target(f"{base[1:]}/", target))
    if part is not None and f"/{part}" == PackURI.from_rel_ref(base, target):
        return False
    if part is not None and not (link.get("Type") or "").endswith("/hyperlink"):
        link.set("Target", f"/{part}")  # as python-pptx finds it
        return True
    link.set("Target", f"{_MARK}{target}")
    link.set("TargetMode", "External")
    return True


def _unmark(_base: str, link: Element) -> bool:
    target = link.get("Target") or ""
    if not target.startswith(_MARK):
        return False
    link.set("Target", target.removeprefix(_MARK))
    del link.attrib["TargetMode"]
    return True
