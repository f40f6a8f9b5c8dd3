"""Ways to spoil a deck in one place, by itself: attributes, elements, texts, files."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import Any, Final
from zipfile import ZipFile

from PIL import Image

from bench.ppteval_injections import INJECTIONS, LAST
from decklab.diffing.xml.trees import path_of
from decklab.evals.ppteval.tasks import StarterTask
from decklab.evals.rubrics.rubric import MAY_CHANGE
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import NAMESPACES, Element, parse_xml, qn, serialize_xml

_SHARED = ("slideLayout", "slideMaster", "theme", "chart", "notesSlide")
_SHAPES = tuple(qn(f"p:{name}") for name in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp"))
_SPACES = " ".join(f'xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in ("a", "p", "r", "c"))
OTHER, UNSTATED, GONE, TWICE, MORE, KNOWN = KINDS = (
    "attribute another", "attribute left out", "element left out", "element twice",
    "text says more", "known sabotage",
)  # fmt: skip
"""Kinds of sabotages, in the order of tables."""
RED_BOX: Final = "a red box for a picture"
ZEROS: Final = "a workbook of zeros"
KNOWN_NAMES: Final = (*INJECTIONS, RED_BOX, ZEROS)
"""Names of the known sabotages; the others are made from what a deck has."""


@dataclass(frozen=True)
class Sabotage:
    """One change of one place."""

    task: str
    part: str
    what: str
    """What is done and where, which names it."""
    kind: str
    """One of ``KINDS``."""
    name: str
    """Of a known sabotage, else empty."""
    apply: Callable[[bytes], bytes]
    """Gives the part's new content."""

    @property
    def digest(self) -> str:
        """A hash of what names it, by which it is drawn."""
        return sha256(f"{self.task} {self.part} {self.what}".encode()).hexdigest()

    @property
    def aside(self) -> bool:
        """Whether it is of the half that no mend has seen."""
        return int(self.digest[-1], 16) % 2 == 1


def sabotages(task: StarterTask, package: Package) -> Iterator[Sabotage]:
    """All sabotages of a perfect attempt."""
    entries = task.rubric["metadata"][MAY_CHANGE]
    places = _places(package, entries)
    for part, wanted in places.items():
        root = package.xml(part)
        tree = root.getroottree()
        for item in _chosen(root, wanted):
            where = path_of(item)
            for words, kind, name, change in _changes(item, tree.getpath(item)):
                yield Sabotage(
                    task.name, part, f"{where}{words}", kind, name, partial(_xml, change)
                )
    for part in sorted(_files(package, places)):
        name, spoil = (ZEROS, _zeros) if part.endswith(".xlsx") else (RED_BOX, _red)
        yield Sabotage(task.name, part, name, KNOWN, name, spoil)


def _changes(item: Element, path: str) -> Iterator[tuple[str, str, str, Callable[[Element], None]]]:
    """All changes of an element: words, kind, name of a known one, and what does it."""
    for name, value in sorted((str(name), str(value)) for name, value in item.items()):
        yield f"@{name} another", OTHER, "", partial(_set, path, name, _other(value))
        yield f"@{name} left out", UNSTATED, "", partial(_set, path, name, None)
    if item.getparent() is not None:
        yield " left out", GONE, "", partial(_leave_out, path)
        yield " twice", TWICE, "", partial(_double, path)
    if (item.text or "").strip():
        yield " says more", MORE, "", partial(_say, path)
    for name, (tag, more) in INJECTIONS.items():
        if item.tag == qn(tag):
            yield f" {name}", KNOWN, name, partial(_inject, path, more, tag in LAST)


def _files(package: Package, places: Mapping[str, object]) -> set[str]:
    """Pictures and workbooks of the parts to spoil."""
    return {
        link.target
        for part in places
        for link in package.relationships(part).values()
        if not link.external and link.target.endswith((".png", ".jpg", ".jpeg", ".xlsx"))
    }


def _xml(change: Callable[[Element], None], content: bytes) -> bytes:
    root = parse_xml(content, path="spoilt", part="part")
    change(root)
    return serialize_xml(root)


def _red(content: bytes) -> bytes:
    """A red picture of the size and format of another."""
    with Image.open(BytesIO(content)) as picture:
        size, form = picture.size, picture.format
    made = BytesIO()
    Image.new("RGB", size, (255, 0, 0)).save(made, form)
    return made.getvalue()


def _zeros(content: bytes) -> bytes:
    """A workbook in which every number is 0."""
    made = BytesIO()
    with ZipFile(BytesIO(content)) as book, ZipFile(made, "w") as other:
        for name in book.namelist():
            data = book.read(name)
            if name.startswith("xl/worksheets/"):
                data = re.sub(rb"(<c (?:(?!t=)[^>])*>\s*<v>)[^<]*(</v>)", rb"\g<1>0\g<2>", data)
            other.writestr(name, data)
    return made.getvalue()


def _places(package: Package, entries: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Parts to spoil, each with the entries whose shapes are meant; none for all of the part."""
    slides = {entry.number: entry.part for entry in slide_entries(package)}
    chosen: dict[str, list[Any]] = {}
    for entry in entries:
        number = entry.get("slide") or entry.get("added")
        if number in slides:
            chosen.setdefault(slides[number], []).append(entry)
    for part in list(chosen) or list(slides.values())[:1]:
        _follow(package, part, chosen)
    for name in package.names:
        if name in (package.main_part, "docProps/core.xml", "docProps/app.xml") or (
            name.endswith(("presProps.xml", "viewProps.xml"))
        ):
            chosen.setdefault(name, [])
    return chosen


def _follow(package: Package, part: str, chosen: dict[str, list[Any]]) -> None:
    for link in package.relationships(part).values():
        if not link.external and link.kind in _SHARED and link.target not in chosen:
            chosen[link.target] = []
            if link.kind in ("slideLayout", "slideMaster"):
                up = {"slideLayout": "slideMaster", "slideMaster": "theme"}[link.kind]
                for target in package.related(link.target, up):
                    chosen.setdefault(target, [])
                    _follow(package, target, chosen) if up == "slideMaster" else None


def _chosen(root: Element, entries: Sequence[Mapping[str, Any]]) -> list[Element]:
    """The elements of a part but those in shapes that may not change."""
    items = list(root.iter("*"))
    if not entries or any("added" in entry or "new" in entry for entry in entries):
        return items
    fixed = {
        id(below)
        for shape in root.iter(*_SHAPES)
        if not any(_is_meant(shape, entry) for entry in entries)
        for below in shape.iter("*")
    }
    return [item for item in items if id(item) not in fixed]


def _is_meant(shape: Element, entry: Mapping[str, Any]) -> bool:
    named = next(shape.iter(qn("p:cNvPr")))
    text = "".join(str(item.text) for item in shape.iter(qn("a:t"))).lower()
    return any(fnmatchcase(named.get("name") or "", one) for one in entry.get("shapes", ())) or any(
        word in text for word in (*entry.get("words", ()), *entry.get("words_now", ()))
    )


def _at(root: Element, path: str) -> Element:
    spaces = {prefix: uri for prefix, uri in root.nsmap.items() if prefix}
    found: Any = root.getroottree().xpath(path, namespaces=spaces | dict(NAMESPACES))
    item: Element = found[0]
    return item


def _other(value: str) -> str:
    """A number twice as large, a flag flipped, a word turned round."""
    if value.lstrip("-").isdigit() and value not in ("0", "1"):
        return str(int(value) * 2)
    flags = {"0": "1", "1": "0", "true": "false", "false": "true"}
    return flags.get(value, value[::-1] if value[::-1] != value else f"{value}x")


def _set(path: str, name: str, value: str | None, root: Element) -> None:
    item = _at(root, path)
    if value is None:
        del item.attrib[name]
    else:
        item.set(name, value)


def _leave_out(path: str, root: Element) -> None:
    item = _at(root, path)
    item.getparent().remove(item)  # type: ignore[union-attr]


def _double(path: str, root: Element) -> None:
    item = _at(root, path)
    item.addnext(deepcopy(item))


def _say(path: str, root: Element) -> None:
    item = _at(root, path)
    old = str(item.text)
    item.text = f"{float(old) * 3 + 1:g}" if old.replace(".", "").isdigit() else f"{old} and more"


def _inject(path: str, more: str, last: bool, root: Element) -> None:
    item = _at(root, path)
    if not more.lstrip().startswith("<"):
        name, _, value = more.partition("=")
        item.set(qn(name) if ":" in name else name, value.strip('"'))
        return
    holder = parse_xml(f"<x {_SPACES}>{more}</x>".encode(), path="injection", part="x")
    for place, made in enumerate(list(holder)):
        old = item.find(made.tag)
        if old is not None:
            item.replace(old, made)
        elif last or made.tag == qn("a:hlinkClick"):
            item.append(made)
        else:
            item.insert(place, made)
