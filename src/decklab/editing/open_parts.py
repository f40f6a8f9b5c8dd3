"""A presentation of any kind opened by python-pptx, and its parts as ``EditableParts``.

python-pptx numbers the parts of slides anew whenever ``prs.slides`` is read: names of parts are
valid in one ``with parts_of(prs)`` only, in which nothing else may use the presentation.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from copy import deepcopy
from typing import Any, Protocol

from lxml import etree
from pptx.opc.package import PartFactory, _Relationship
from pptx.opc.packuri import PackURI
from pptx.package import Package
from pptx.parts.presentation import PresentationPart
from pptx.parts.slide import SlidePart
from pptx.presentation import Presentation

from decklab.core.errors import MalformedPart, MissingPart
from decklab.ooxml.parts import Parts, Relationship, lookup_key, next_name
from decklab.ooxml.slide_list import LinkedParts, list_items
from decklab.ooxml.xml import Element, qn, serialize_xml


class EditableParts(LinkedParts, Protocol):
    """Parts that can be added and removed, too; changes take effect at once."""

    @property
    def names(self) -> tuple[str, ...]:
        """All present part names."""
        ...

    def add(self, name: str, content_type: str, data: bytes) -> str:
        """Add a part and return its name; raises ValueError if the name is or was used."""
        ...

    def add_links(
        self, part: str, source: Parts, original: str, targets: Mapping[str, str | None]
    ) -> None:
        """Give a new part the relationships that ``original`` has in ``source``, with their ids.

        ``targets`` gives new targets by id, None for a relationship to leave out; others are copied
        as they are written.
        """
        ...

    def remove(self, name: str) -> None:
        """Remove a part and its relationships; the caller removes those that lead to it."""
        ...

    def unlink(self, part: str, id: str) -> None:
        """Remove a relationship; the caller removes references to its id."""
        ...

    def unused_name(self, like: str) -> str:
        """A part name that was never used, with the next number in the folder of ``like``."""
        ...

    def was_used(self, name: str) -> bool:
        """Whether there is, or was, a part of that name, so that it cannot be added."""
        ...

    def whole(self) -> AbstractContextManager[None]:
        """Changes made inside the block belong together."""
        ...


def add_linked_part(
    deck: EditableParts, base: str, content_type: str, root: Element, link: str
) -> str:
    """Add a part beside the main part, which leads to it by a relationship of type ``link``.

    ``base`` is its file name, numbered if that was used. Returns the name of the part.
    """
    folder = deck.main_part.rpartition("/")[0]
    name = f"{folder}/{base}" if folder else base
    if deck.was_used(name):
        name = deck.unused_name(name)
    deck.add(name, content_type, serialize_xml(root))
    deck.link(deck.main_part, link, name)
    return name


_MACRO_KINDS = ("template", "slideshow")
PartFactory.part_type_for.update(  # python-pptx knows only the kinds without macros
    {
        f"application/vnd.ms-powerpoint.{kind}.macroEnabled.main+xml": PresentationPart
        for kind in _MACRO_KINDS
    }
)


def presentation_in(path: str) -> Presentation:
    """The presentation of a file, which keeps its kind when it is saved.

    ``pptx.Presentation`` refuses templates and shows, though python-pptx reads and writes them.
    Raises ValueError if the main part is no presentation, and what python-pptx raises.
    """
    part = Package.open(path).main_document_part
    if not isinstance(part, PresentationPart):
        raise ValueError(f"its main part is no presentation but {part.content_type}")
    _rename_unlisted(part)
    presentation: Presentation = part.presentation
    return presentation


def _rename_unlisted(main: Any) -> None:
    """Rename slides that the list does not have: python-pptx would give a name twice."""
    listed = {main.related_part(item.get(qn("r:id"))) for item in list_items(main._element)}
    parts = list(main.package.iter_parts())
    used = {lookup_key(str(part.partname).lstrip("/")) for part in parts}
    for part in parts:
        if isinstance(part, SlidePart) and part not in listed:
            name = next_name("ppt/slides/unlisted1.xml", used)
            used.add(lookup_key(name))
            part.partname = PackURI(f"/{name}")


@contextmanager
def edited(part: Any) -> Iterator[Any]:
    """The root of a part, to be changed in place; written back if the block raises nothing."""
    if (live := getattr(part, "_element", None)) is not None:
        yield live
        return
    root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False))
    before = etree.tostring(root)
    yield root
    if etree.tostring(root) != before:
        part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


@contextmanager
def parts_of(prs: Presentation) -> Iterator[EditableParts]:
    """The parts of a presentation, to be changed while the block lasts.

    Parts that python-pptx holds only as bytes are written back if the block raises nothing.
    """
    with ExitStack() as stack:
        yield _OpenParts(prs, stack)


def redirect(part: Any, id: str, target: Any) -> None:
    """Let a relationship of a part lead to another part; python-pptx remembers where it led."""
    links = part.rels._rels
    links[id] = _Relationship(part.partname.baseURI, id, links[id].reltype, "Internal", target)


class _OpenParts(EditableParts):
    """A package of python-pptx. Parts are found by name; the objects are stored, not the names."""

    def __init__(self, prs: Presentation, stack: ExitStack) -> None:
        self._package: Any = prs.part.package
        self._stack = stack
        self._parts: dict[str, Any] = {}
        self._name: dict[Any, str] = {}
        self._used: set[str] = set()
        self._roots: dict[str, Element] = {}
        self._main = self._register(prs.part)
        for part in self._package.iter_parts():
            if part not in self._name:
                self._register(part)

    @property
    def label(self) -> str:
        return "the presentation"

    @property
    def main_part(self) -> str:
        return self._main

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._name.values())

    def find(self, name: str) -> str | None:
        part = self._parts.get(lookup_key(name.lstrip("/")))
        return None if part is None else self._name[part]

    def content_type(self, name: str) -> str | None:
        return str(self._part(name).content_type)

    def read(self, name: str) -> bytes:
        part, root = self._part(name), self._roots.get(lookup_key(name))
        data: bytes = (
            part.blob if root is None or hasattr(part, "_element") else serialize_xml(root)
        )
        return data

    def xml(self, name: str) -> Element:
        return deepcopy(self.root(name))

    def root(self, name: str) -> Element:
        return self.edit(name)

    def edit(self, name: str) -> Element:
        key, part = lookup_key(name), self._part(name)
        if key not in self._roots:
            try:
                self._roots[key] = self._stack.enter_context(edited(part))
            except etree.XMLSyntaxError as error:
                raise MalformedPart(self.label, f"not well-formed XML: {error}", name) from None
        return self._roots[key]

    def mentions(self, name: str, text: bytes) -> bool:
        """True for parsed parts: serialising every slide for a search would take longer."""
        part = self._part(name)
        return hasattr(part, "_element") or text in part.blob

    def add(self, name: str, content_type: str, data: bytes) -> str:
        if self.was_used(name):
            raise ValueError(f"there is, or was, a part {name} already")
        return self._register(PartFactory(PackURI(f"/{name}"), content_type, self._package, data))

    def add_links(
        self, part: str, source: Parts, original: str, targets: Mapping[str, str | None]
    ) -> None:
        owner = self._part(part)
        for id, link in source.relationships(original).items():
            if (target := targets.get(id, link.target)) is not None:
                mode = "External" if link.external else "Internal"
                to = target if link.external else self._part(target)
                base = owner.partname.baseURI
                owner.rels._rels[id] = _Relationship(base, id, link.type, mode, to)

    def remove(self, name: str) -> None:
        """python-pptx writes only what relationships lead to."""
        self._name.pop(self._parts.pop(lookup_key(name)))

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        links = {}
        for id, link in self._links(part).items():
            target = link.target_ref if link.is_external else self._name.get(link.target_part)
            if target is not None:
                links[id] = Relationship(id, link.reltype, target, link.is_external)
        return links

    def link(self, part: str, type: str, target: str) -> str:
        return str(self._part(part).relate_to(self._part(target), type))

    def unlink(self, part: str, id: str) -> None:
        self._links(part).pop(id)

    def unused_name(self, like: str) -> str:
        return next_name(like, self._used)

    def was_used(self, name: str) -> bool:
        return lookup_key(name) in self._used

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Changes are not undone: after an error, open the presentation's file again."""
        yield

    def _register(self, part: Any) -> str:
        """Enter a part under its name, or under another where python-pptx has two of that name."""
        name = str(part.partname).lstrip("/")
        name = next_name(name, self._used) if self.was_used(name) else name
        self._used.add(lookup_key(name))
        self._parts[lookup_key(name)], self._name[part] = part, name
        return name

    def _part(self, name: str) -> Any:
        if (part := self._parts.get(lookup_key(name))) is None:
            raise MissingPart(self.label, "there is no such part", name)
        return part

    def _links(self, part: str) -> Any:
        return self._part(part).rels if part else self._package._rels
