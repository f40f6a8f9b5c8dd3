"""Decks opened and saved by python-pptx without loss; its errors become one line.

python-pptx drops links that lead to no part, such as ``#_ftn1``, when it opens a deck; references
to them would then be broken, or lead to a new target with the same id. So these links are marked as
external before it opens a deck, and restored in the saved file; so are entries of the slide list
that lead to no slide (``dead_entries``).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from lxml import etree
from pptx.exc import PythonPptxError
from pptx.opc.packuri import PackURI
from pptx.presentation import Presentation as Presentation  # noqa: PLC0414  # for this room

from decklab.core.errors import DeckError
from decklab.core.files import scratch_folder
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
from decklab.ooxml.xml import Element, parse_int, parse_xml, qn, serialize_xml

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
    target = f"decklab-entry:{index}:{quote(etree.tostring(item, encoding='unicode'))}"
    attributes = {"Id": name, "Type": _TYPE, "Target": target, "TargetMode": "External"}
    etree.SubElement(links, qn("rel:Relationship"), attributes)


def with_dead_entries(package: Package, changed: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts of a saved deck with new bytes by which the stored entries are in the list again.

    An entry with the id of a slide, such as a new one, gets another id. ``changed`` has parts that
    change for other reasons. Raises DeckError if these parts cannot be read.
    """
    main = package.main_part
    if (rels := package.find(relationships_part(main))) is None:
        return {}
    links = _root_of(package, rels, changed)
    stored: list[tuple[int, Element]] = []
    for link in list(links):
        if (match := _STORED.fullmatch(link.get("Target") or "")) is not None:
            links.remove(link)
            data = unquote(match[2]).encode()
            stored.append((int(match[1]), parse_xml(data, path=package.label, part=rels)))
    if not stored:
        return {}
    root = package.xml(main)
    if (slides := root.find(LIST)) is not None:
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
    if not (target := link.get("Target") or "").startswith(_MARK):
        return False
    link.set("Target", target.removeprefix(_MARK))
    del link.attrib["TargetMode"]
    return True
