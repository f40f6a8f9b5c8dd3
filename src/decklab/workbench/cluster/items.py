"""A deck of a source: its name, where its bytes are, and by what it is known to have changed."""

from dataclasses import dataclass, field
from typing import Literal

Place = Literal["path", "address", "range", "member", "content"]
"""Where the bytes are. ``path``: a file or folder of the machine. ``address``: anything that fsspec
opens. ``range``: some bytes of an address, such as a file in an archive without compression.
``member``: a file in a zip archive. ``content``: in the item itself."""


@dataclass(frozen=True)
class SourceItem:
    """One deck of a source. It is small, except where it holds the ``content`` itself."""

    name: str
    """By which its rows name it; the same in every run."""
    place: Place
    address: str = ""
    """Path or address of the file, or of the archive that holds it."""
    member: str = ""
    """Its name in the archive."""
    start: int = 0
    size: int | None = None
    """Of a ``range``: the first byte, and how many."""
    content: bytes | None = None
    state: str = ""
    """Changes when the deck does, as far as its source says without reading the deck: size and
    time, a checksum; empty where the source says nothing."""
    about: dict[str, str] = field(default_factory=dict)
    """What the source says of the deck, such as its licence."""
    problem: str = ""
    """Why its source could not be read at all; empty for a deck."""
    before: "SourceItem | None" = None
    """The older deck, where two are compared."""

    @property
    def suffix(self) -> str:
        """The end of its file's name, in lower case with the dot; empty where there is none."""
        name = (self.member or self.about.get("name") or self.address).split("?")[0]
        last = name.rsplit("/", 1)[-1]
        dot = last.rfind(".")
        return last[dot:].lower() if dot > 0 and len(last) - dot <= _LONGEST_SUFFIX else ""


_LONGEST_SUFFIX = 6
"""Characters with the dot. Ours: those of decks have five."""
