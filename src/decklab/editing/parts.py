"""The parts of a deck that is being changed: a draft of a file, or a deck open in python-pptx."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from decklab.ooxml.parts import Parts
from decklab.ooxml.xml import Element, serialize_xml


class EditableParts(Parts, Protocol):
    """Parts that can be read, changed, added, removed and related; every change shows at once."""

    @property
    def names(self) -> tuple[str, ...]:
        """All part names as they stand now."""
        ...

    def root(self, name: str) -> Element:
        """The present root of a part, only to be read."""
        ...

    def edit(self, name: str) -> Element:
        """The root of a part to be changed in place; raises MissingPart or MalformedPart."""
        ...

    def mentions(self, name: str, text: bytes) -> bool:
        """Whether a part may hold a text in its bytes: whether it is worth being searched."""
        ...

    def add(self, name: str, content_type: str, data: bytes) -> str:
        """Add a part and return its name; raises ValueError where there is or was one."""
        ...

    def add_links(
        self, part: str, source: Parts, original: str, targets: Mapping[str, str | None]
    ) -> None:
        """Give a new part the relationships that ``original`` has in ``source``, with their ids.

        ``targets`` says by id where they lead now, None for one to be left out; others are kept as
        they are written.
        """
        ...

    def remove(self, name: str) -> None:
        """Take a part out, and its relationships; those that lead to it are the caller's."""
        ...

    def link(self, part: str, type: str, target: str) -> str:
        """Relate a part to another and return the relationship's id."""
        ...

    def unlink(self, part: str, id: str) -> None:
        """Take a relationship out; what refers to it by id is the caller's."""
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

    ``base`` is its file name, numbered where that was used. Gives the name of the part.
    """
    folder = deck.main_part.rpartition("/")[0]
    name = f"{folder}/{base}" if folder else base
    if deck.was_used(name):
        name = deck.unused_name(name)
    deck.add(name, content_type, serialize_xml(root))
    deck.link(deck.main_part, link, name)
    return name
