"""The parts of a deck that is being changed: a draft of a file, or a deck open in python-pptx."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from decklab.ooxml.parts import Parts
from decklab.ooxml.xml import Element, serialize_xml


class EditableParts(Parts, Protocol):
    """Parts that can be read, changed, added, removed and related; changes take effect at once."""

    @property
    def names(self) -> tuple[str, ...]:
        """All present part names."""
        ...

    def root(self, name: str) -> Element:
        """The present root of a part, for reading only."""
        ...

    def edit(self, name: str) -> Element:
        """The root of a part, for changes in place; raises MissingPart or MalformedPart."""
        ...

    def mentions(self, name: str, text: bytes) -> bool:
        """Whether the bytes of a part may contain a text; False means that a search is useless."""
        ...

    def add(self, name: str, content_type: str, data: bytes) -> str:
        """Add a part and return its name; raises ValueError where the name is or was used."""
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

    def link(self, part: str, type: str, target: str) -> str:
        """Relate a part to another and return the relationship's id."""
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

    ``base`` is its file name, numbered where that was used. Returns the name of the part.
    """
    folder = deck.main_part.rpartition("/")[0]
    name = f"{folder}/{base}" if folder else base
    if deck.was_used(name):
        name = deck.unused_name(name)
    deck.add(name, content_type, serialize_xml(root))
    deck.link(deck.main_part, link, name)
    return name
