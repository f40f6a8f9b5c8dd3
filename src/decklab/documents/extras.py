"""Libraries that reading documents needs and the base install does not have.

Office files checked under our limits before another library reads them.
"""

from pathlib import Path
from typing import Any

from decklab.core.lazy import extra_module
from decklab.ooxml.package import Package


def checked_package(path: Path) -> bytes:
    """The bytes of an Office Open XML file whose archive and XML parts are within the limits.

    Raises EncryptedDeck, NotAPackage, TruncatedDeck, DuplicatePart, UnsafePath, LimitExceeded or
    MalformedPart.
    """
    with Package.open(path) as package:
        for name in package.names:
            if name.endswith((".xml", ".rels")):
                package.xml(name)
    return path.read_bytes()


def needed(module: str, work: str) -> Any:
    """A library of the extra ``write``; raises Unavailable, naming ``work``, if it is missing.

    >>> needed("json", "reading JSON").loads("[1]")
    [1]
    """
    return extra_module(module, work, "write")
