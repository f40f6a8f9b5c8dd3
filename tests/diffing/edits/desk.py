"""A deck being edited in its XML, and what the diff has to report of it."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lxml import etree

from decklab.ooxml.draft import Draft
from decklab.ooxml.parts import relationships_part
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import Element, qn, relationship_type

SPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
COLOR = "12AB56"
"""One that no deck uses by chance, like the sizes and names below."""
WORD = re.compile(r"[A-Za-z]{3,}")


@dataclass(frozen=True)
class Expected:
    """A change that the diff has to report: where, and what."""

    part: str
    """Part of the slide, layout, master or theme; empty for the deck itself."""
    shape: int | None
    kind: str
    property: str


@dataclass
class Desk:
    """A deck being edited, and what has been touched."""

    draft: Draft
    random: random.Random
    touched: set[tuple[str, str]] = field(default_factory=set)
    expected: list[Expected] = field(default_factory=list)

    def take(self, part: str, *whats: str) -> bool:
        """Reserve things of a part for one edit; False where another edit has one of them."""
        keys = {(part, what) for what in whats}
        if keys & self.touched or (part, "all") in self.touched:
            return False
        self.touched |= keys
        return True

    def slides(self) -> list[str]:
        """Parts of the slides, in random order."""
        parts = [entry.part for entry in slide_entries(self.draft)]
        self.random.shuffle(parts)
        return parts


Edit = Callable[[Desk], bool]
"""Makes one edit where the deck offers a place for it; False where it does not."""


def shapes_of(desk: Desk, *tags: str, nested: bool = True) -> Iterator[tuple[str, Element, int]]:
    """Slide part, element and id of shapes of some kinds, in random order."""
    for part in desk.slides():
        tree = desk.draft.xml(part).find(f"{qn('p:cSld')}/{qn('p:spTree')}")
        if tree is None:
            continue
        found = [
            item
            for tag in tags
            for item in (tree.iter(qn(tag)) if nested else tree.findall(qn(tag)))
        ]
        ids = [item.get("id") for item in tree.iter(qn("p:cNvPr"))]
        desk.random.shuffle(found)
        for item in found:
            id = id_of(item)
            alternative = any(up.tag.startswith("{http://schemas.openxmlformats.org/markup")
                              for up in item.iterancestors())  # fmt: skip
            new = any(
                Expected(part, id, "added", kind) in desk.expected for kind in ("shape", "image")
            )
            if id is None or ids.count(str(id)) > 1 or alternative or new:
                continue
            yield part, _live(desk, part, id), id


def _live(desk: Desk, part: str, id: int) -> Element:
    """The shape to edit: what was looked through is a copy."""
    named = next(
        item for item in desk.draft.edit(part).iter(qn("p:cNvPr")) if item.get("id") == str(id)
    )
    return parent_of(parent_of(named))


def parent_of(element: Element) -> Element:
    """The element around one that is not the root."""
    found = element.getparent()
    assert found is not None
    return found


def id_of(shape: Element) -> int | None:
    """The id of a shape."""
    named = shape.find(f"*/{qn('p:cNvPr')}")
    stated = None if named is None else named.get("id")
    return int(stated) if stated and stated.isdigit() else None


def parsed(text: str) -> Element:
    """An element written in the usual prefixes."""
    head, _, tail = text.partition(" ") if " " in text.partition(">")[0] else (
        text.partition(">")[0].rstrip("/"), "", "")  # fmt: skip
    if tail:
        return etree.fromstring(f"{head} {SPACES} {tail}")
    return etree.fromstring(text.replace(head, f"{head} {SPACES}", 1))


def runs_of(shape: Element) -> list[Element]:
    """Plain runs with a word in them, outside tables."""
    body = shape.find(qn("p:txBody"))
    return [] if body is None else [
        run for run in body.iter(qn("a:r")) if WORD.search(run.findtext(qn("a:t")) or "")
    ]  # fmt: skip


def run_properties(run: Element) -> Element:
    """The properties of a run, made where there are none."""
    found = run.find(qn("a:rPr"))
    if found is None:
        found = etree.Element(qn("a:rPr"))
        run.insert(0, found)
    return found


def transform_of(shape: Element) -> Element | None:
    """Where a shape stands, if it says so."""
    found = shape.find(f"{qn('p:spPr')}/{qn('a:xfrm')}")
    return shape.find(qn("p:xfrm")) if found is None else found


def is_line(shape: Element) -> bool:
    """Whether a shape is told by its ends."""
    geometry = shape.find(f"{qn('p:spPr')}/{qn('a:prstGeom')}")
    return geometry is not None and "line" in (geometry.get("prst") or "").lower()


def new_link(desk: Desk, part: str) -> Element:
    """A link to somewhere else."""
    id = desk.draft.link(part, relationship_type("hyperlink"), "quokka")
    rels = desk.draft.edit(relationships_part(part))
    entry = next(item for item in rels if item.get("Id") == id)
    entry.set("Target", "https://example.org/quokka")
    entry.set("TargetMode", "External")
    return parsed(f'<a:hlinkClick r:id="{id}"/>')


def masters(desk: Desk) -> list[str]:
    """The masters that slides use."""
    layouts = [one for slide in desk.slides() for one in desk.draft.related(slide, "slideLayout")]
    found = dict.fromkeys(
        master for layout in layouts for master in desk.draft.related(layout, "slideMaster")
    )
    return list(found)
